//! Pictures of the guide, drawn from the numbers of kernels, the swizzles of tensor maps and the table of measurements.
//!
//! `UPDATE_EXPECT=1 cargo test -p tests --test pictures` writes them anew.

use std::fmt::Write as _;

use expect_test::expect_file;
use ptx::tensor::{ElementType, Spec, Swizzle, bank_conflicts};

#[path = "../examples/limits/product/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the numbers are drawn, the kernels are not launched")]
mod product;

use product::{CLUSTER, ROWS, of_e4m3};

/// Rows of tiles that go through all columns together, as the kernel has it: `tile::grouped::<16>`.
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
    /// What is wrong, or below a goal.
    Bad,
}

/// The characters that XML has to itself.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
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
            Kind::Bad => "w",
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
                "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{}</text>",
                escaped(label)
            );
        }
    }

    /// A vertical line.
    fn line(&mut self, x: usize, [top, bottom]: [usize; 2]) {
        let _ = writeln!(self.text, "<path d=\"M{x} {top}V{bottom}\"/>");
    }

    fn finish(self) -> String {
        let [width, height] = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <style>\n\
             text {{ font: 12px sans-serif; fill: #222 }}\n\
             rect {{ stroke: #555 }} path {{ stroke: #222 }} .ground {{ fill: #fff; stroke: none }}\n\
             .a {{ fill: #9cd3b4 }} .b {{ fill: #a9c6ec }} .p {{ fill: #fff }} .w {{ fill: #f0b39b }}\n\
             @media (prefers-color-scheme: dark) {{\n\
             text {{ fill: #ddd }} path {{ stroke: #ddd }} .ground {{ fill: #1b1d22 }}\n\
             .a {{ fill: #2f6e4c }} .b {{ fill: #2d5588 }} .p {{ fill: #222 }} .w {{ fill: #8a4630 }}\n\
             }}\n\
             </style>\n\
             <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
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
    const LINE: usize = 48;
    let stages = of_e4m3::STAGES;
    let mut picture = Picture::new(760, 76 + LINE * stages);
    let title = "the producer loads a stage, and the consumers multiply it; each awaits a phase of the other's barrier";
    picture.label([20, 20], "start", title);
    for stage in 0..stages {
        picture.label([20, 62 + LINE * stage], "start", &format!("stage {stage}"));
    }
    let mut multiplied: Vec<usize> = Vec::new();
    for part in 0..14 {
        let empty = if part < stages { part * 12 } else { multiplied[part - stages] + STEP };
        let full = empty + LOAD;
        let before = multiplied.last().copied().unwrap_or(0);
        let start = full.max(before);
        multiplied.push(start + STEP);
        let y = 40 + LINE * (part % stages);
        if 90 + start + STEP > 750 {
            break;
        }
        // The parity that completes: of `full` by the load, of `empty` by the step.
        let phase = part / stages % 2;
        picture.rect([90 + empty, y], [LOAD, 22], Kind::Second, &format!("load {part}"));
        picture.label([90 + empty + LOAD, y + 36], "middle", &format!("full {phase}"));
        picture.rect([90 + start, y], [STEP, 22], Kind::First, &format!("use {part}"));
        let released = 90 + start + 2 * STEP;
        if released < 730 {
            picture.label([released, y + 36], "middle", &format!("empty {phase}"));
        }
    }
    let key = "\"full 0\": the phase of parity 0 of the stage's mbarrier completes there; time goes to the right";
    picture.label([20, 62 + LINE * stages], "start", key);
    expect_file!["../docs/guide/src/kernels.in/ring.svg"].assert_eq(&picture.finish());
}

/// Eight rows of 128 bytes in shared memory, without a swizzle and with one: the chunk that each of eight threads reads of a
/// column, and the banks that are asked for it.
#[test]
fn conflicts() {
    const CELL: usize = 40;
    const COLUMN: usize = 2;
    let spec = Spec::tiled(ElementType::Bf16, &[64, 8]).expect("it is a tile");
    let mut picture = Picture::new(760, 440);
    for (n, (swizzle, name)) in
        [(Swizzle::None, "without a swizzle"), (Swizzle::B128, "with the 128-byte swizzle")]
            .into_iter()
            .enumerate()
    {
        let spec = spec.with_swizzle(swizzle).checked(None).expect("the driver takes it");
        let (x, y) = (20 + 380 * n, 60);
        picture.label([x, 20], "start", name);
        // An element of `bf16` has 2 bytes, and a chunk 16.
        let at = |row: usize, chunk: usize| {
            let [column, row] = [8 * chunk, row].map(|n| u32::try_from(n).expect("it is small"));
            spec.element_offset([column, row, 0, 0, 0]).expect("it is in the tile")
        };
        let read: Vec<usize> = (0..8).map(|row| at(row, COLUMN)).collect();
        let ways = bank_conflicts(read.iter().copied(), 16);
        let kind = if ways == 1 { Kind::First } else { Kind::Bad };
        for column in 0..8 {
            let label = format!("{}-{}", 4 * column, 4 * column + 3);
            picture.label([x + CELL * column + CELL / 2, y - 10], "middle", &label);
        }
        for row in 0..8 {
            for chunk in 0..8 {
                let offset = at(row, chunk);
                let place = [x + offset % 128 / 16 * CELL, y + offset / 128 * CELL];
                let kind = if chunk == COLUMN { kind } else { Kind::Plain };
                picture.rect(place, [CELL, CELL], kind, &format!("{row}.{chunk}"));
            }
        }
        let conflicts =
            if ways == 1 { "no conflict".to_owned() } else { format!("{ways}-way conflict") };
        let text = format!("eight threads read chunk {COLUMN} of the eight rows: {conflicts}");
        picture.label([x, y + 8 * CELL + 24], "start", &text);
    }
    let key = "above: the banks of a column; in a cell: row.chunk, of 16 bytes each";
    picture.label([20, 430], "start", key);
    expect_file!["../docs/guide/src/tensor-maps.in/conflicts.svg"].assert_eq(&picture.finish());
}

/// The products of `docs/measurements.md` beside cublasLt, as the table there has them.
#[test]
fn ratios() {
    const LINE: usize = 22;
    /// The pixels of 100 %.
    const WHOLE: usize = 220;
    let text = std::fs::read_to_string(tests::root().join("docs/measurements.md"));
    let text = text.expect("the measurements are there");
    let (_, table) = text.split_once("| kernel (m x n x k) |").expect("the table is there");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() >= 15, "{rows:#?}");
    // In tenths of a per cent.
    let number = |cell: &str| {
        let cell = cell.trim_end_matches(" %");
        let (whole, tenth) = cell.split_once('.').unwrap_or((cell, "0"));
        let [whole, tenth] = [whole, tenth].map(|text| text.parse::<usize>().expect("a number"));
        10 * whole + tenth
    };
    let families = rows.iter().filter(|row| row[0].starts_with('`')).count();
    let mut picture = Picture::new(760, 60 + LINE * (rows.len() + families));
    picture.label(
        [20, 20],
        "start",
        "speed beside cublasLt's best on one H200; the line is the goal",
    );
    let mut y = 34;
    for row in &rows {
        let (family, size) = row[0].rsplit_once(", ").unwrap_or(("", row[0]));
        if !family.is_empty() {
            picture.label([20, y + 15], "start", &family.replace('`', ""));
            y += LINE;
        }
        let (ratio, goal) = (number(row[3]), number(row[4]));
        let kind = if ratio >= goal { Kind::First } else { Kind::Bad };
        picture.label([230, y + 14], "end", size);
        picture.rect([240, y], [WHOLE * ratio / 1000 * 3 / 2, LINE - 6], kind, "");
        picture.line(240 + WHOLE * goal / 1000 * 3 / 2, [y, y + LINE - 6]);
        picture.label([650, y + 14], "start", row[3]);
        y += LINE;
    }
    expect_file!["../docs/guide/src/kernels.in/ratios.svg"].assert_eq(&picture.finish());
}
