//! The pictures of the guide's page about the fastest kernels, drawn from the numbers of the kernel.
//!
//! `UPDATE_EXPECT=1 cargo test -p tests --test pictures` writes them anew.

use std::fmt::Write as _;

use expect_test::expect_file;

#[path = "../examples/limits/product.rs"]
#[allow(dead_code, reason = "the numbers are drawn, the kernels are not launched")]
mod product;

use product::{CLUSTER, ROWS, of_e4m3};

/// Rows of tiles that go through all columns together, as the kernel has it: `place::<16>`.
const GROUP: usize = 16;

/// A picture of this size in pixels.
struct Picture {
    size: [usize; 2],
    text: String,
}

/// What a box stands for, by its colour.
#[derive(Clone, Copy)]
enum Kind {
    First,
    Second,
    Plain,
}

impl Picture {
    fn new(width: usize, height: usize) -> Self {
        Self { size: [width, height], text: String::new() }
    }

    fn rect(&mut self, [x, y]: [usize; 2], [width, height]: [usize; 2], kind: Kind, label: &str) {
        let class = match kind {
            Kind::First => "a",
            Kind::Second => "b",
            Kind::Plain => "p",
        };
        let _ = writeln!(
            self.text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
        );
        self.label([x + width / 2, y + height / 2 + 4], "middle", label);
    }

    fn label(&mut self, [x, y]: [usize; 2], anchor: &str, label: &str) {
        if !label.is_empty() {
            let _ = writeln!(
                self.text,
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{label}</text>"
            );
        }
    }

    fn finish(self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <style>\n\
             text {{ font: 12px sans-serif; fill: #222 }}\n\
             rect {{ stroke: #555 }}\n\
             .a {{ fill: #9cd3b4 }} .b {{ fill: #a9c6ec }} .p {{ fill: #fff }}\n\
             @media (prefers-color-scheme: dark) {{\n\
             text {{ fill: #ddd }} .a {{ fill: #2f6e4c }} .b {{ fill: #2d5588 }} .p {{ fill: #222 }}\n\
             }}\n\
             </style>\n{}</svg>\n",
            self.text
        )
    }
}

/// The column and the row of a tile, as the fragment `place` computes them.
fn place(tile: usize, rows: usize, columns: usize) -> [usize; 2] {
    let width = columns * GROUP;
    let first = tile / width * GROUP;
    let height = (rows - first).min(GROUP);
    let i = tile % width;
    [i / height, first + i % height]
}

/// The order of the tiles, with those of the first 66 clusters, and what a cluster does.
#[test]
fn tiles() {
    const COUNTS: [usize; 2] = [20, 6];
    let mut picture = Picture::new(680, 520);
    picture.label([20, 20], "start", "the order of the tiles of D");
    for tile in 0..COUNTS[0] * COUNTS[1] {
        let [column, row] = place(tile, COUNTS[0], COUNTS[1]);
        let kind = if tile < 66 { Kind::First } else { Kind::Plain };
        picture.rect([20 + 28 * column, 30 + 24 * row], [28, 24], kind, &tile.to_string());
    }
    // A tile of a cluster: the rows of two blocks, each of two warpgroups.
    let columns = of_e4m3::B_256::SPEC.tile_dims()[1] as usize * CLUSTER;
    let (x, y) = (390, 90);
    picture.label([280, 20], "start", "what a cluster multiplies at once");
    for rank in 0..CLUSTER {
        let half = columns / CLUSTER / 2;
        let label = format!("{} of B, by {rank}", columns / CLUSTER);
        picture.rect([x + half * rank * 2, y - 40], [half * 2, 30], Kind::Second, &label);
        let top = y + 140 * rank;
        picture.label([260, top + 16], "start", &format!("block {rank}"));
        picture.rect([260, top + 24], [110, 100], Kind::Second, &format!("A, {ROWS} rows"));
        for group in 0..2 {
            let label = format!("{} x {columns} sums of warpgroup {}", ROWS / 2, group + 1);
            picture.rect([x, top + 65 * group], [columns, 65], Kind::First, &label);
        }
    }
    expect_file!["../docs/guide/src/kernels.in/tiles.svg"].assert_eq(&picture.finish());
}

/// The stages over time: a load takes as long as two steps, and a stage is empty when the step after its own is over.
#[test]
fn ring() {
    const STEP: usize = 44;
    const LOAD: usize = 60;
    let stages = of_e4m3::STAGES;
    let mut picture = Picture::new(760, 60 + 34 * stages);
    picture.label(
        [20, 20],
        "start",
        "a stage is loaded, full, multiplied, and empty one step later",
    );
    for stage in 0..stages {
        picture.label([20, 56 + 34 * stage], "start", &format!("stage {stage}"));
    }
    let mut multiplied: Vec<usize> = Vec::new();
    for part in 0..14 {
        let empty = if part < stages { part * 12 } else { multiplied[part - stages] + STEP };
        let full = empty + LOAD;
        let before = multiplied.last().copied().unwrap_or(0);
        let start = full.max(before);
        multiplied.push(start + STEP);
        let y = 36 + 34 * (part % stages);
        if 90 + start + STEP > 750 {
            break;
        }
        picture.rect([90 + empty, y], [LOAD, 28], Kind::Second, &format!("load {part}"));
        picture.rect([90 + start, y], [STEP, 28], Kind::First, &part.to_string());
    }
    expect_file!["../docs/guide/src/kernels.in/ring.svg"].assert_eq(&picture.finish());
}
