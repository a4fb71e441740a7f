//! `docs/guide/src/bodies.md`: every body in it is repeated here, and becomes the PTX that it shows.

use ptx::prelude::*;

/// An image that a kernel takes.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Image {
    data: Ptr<Global, f32>,
    width: u32,
    height: u32,
}

#[ptx::module(target = sm_90)]
mod places {
    use super::*;

    const STAGES: usize = 4;

    #[derive(PtxType)]
    #[repr(C)]
    struct Ring {
        tiles: [[f32; 64]; STAGES],
        full: [Mbarrier; STAGES],
    }

    #[shared]
    static SMEM: Ring;
    #[shared]
    static ROW: [V4<f32>; 66];
    #[shared]
    static PADDED: [[f32; 33]; 32];
    #[constant]
    static TAPS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];

    #[kernel]
    fn verbatim(n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r<3>;
            mov.u32 %r0, %tid.x;
            ld.param.u32 %r1, [n];
        AGAIN:
            setp.ge.u32 %p, %r0, %r1;
            @%p ret;
            add.u32 %r0, %r0, #(8 * STAGES); // a Rust constant
            bra AGAIN;
        }
    }

    #[kernel]
    fn in_brackets(image: Image) {
        ptx! {
            let %x: f32;
            let %width: u32;
            let %at: Ptr<Global, f32>;
            ld.const.f32 %x, [TAPS[3]];
            ld.shared.f32 %x, [ROW[STAGES].y];
            ld.shared.f32 %x, [SMEM.tiles[1][2] + 4];
            mbarrier.init.shared.b64 [SMEM.full[2]], 1;
            ld.param.u32 %width, [image.width];
            ld.param.u64 %at, [image.data];
            ld.global.f32 %x, [%at[5]];
            ld.global.f32 %x, [%at[-1]];
            ret;
        }
    }

    #[kernel]
    fn computed(src: Ptr<Global, f32>) {
        ptx! {
            let %stage, %tx, %ty, %bar, %slot: u32;
            let %i: i32;
            let %p, %q: Ptr<Global, f32>;
            let %inside: bool;
            mov.u32 %tx, %tid.x;
            mov.u32 %ty, %tid.y;
            and.b32 %stage, %tx, 3;
            sub.s32 %i, %tx, 1;
            setp.gt.s32 %inside, %i, 0;
            lea.shared.u32 %bar, SMEM.full[%stage];
            lea.shared.u32 %slot, PADDED[%ty][%tx];
            lea.global.u64 %p, src[%i];
            lea.global.u64 %q, %p[%tx];
            @%inside lea.global.u64 %p, src[%tx];
            lea.shared.u32 %tx, PADDED[3][%tx];
            ret;
        }
    }

    /// A tile of 32 columns and 16 rows.
    #[tensor_map(element = f32, box = [32, 16], swizzle = B128)]
    pub struct Patch;

    #[shared]
    static PATCHES: [Tile<Patch>; 2];

    #[kernel]
    fn in_tiles() {
        ptx! {
            let %stage, %row, %column, %at: u32;
            let %x: f32;
            mov.u32 %row, %tid.y;
            mov.u32 %column, %tid.x;
            and.b32 %stage, %row, 1;
            ld.shared.f32 %x, [PATCHES[1][2][3]];
            lea.shared.u32 %at, PATCHES[%stage][%row][%column];
            lea.shared.u32 %at, PATCHES[%stage][%row][8];
            lea.shared.u32 %at, PATCHES[%stage][2][%column];
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn at_run_time(pairs: Ptr<Global, [f32; 2]>, n: u32) {
        ptx! {
            let %i, %n: u32;
            let %at: Ptr<Global, [f32; 2]>;
            let %x, %sum: f32;
            let %done: bool;
            ld.param.u32 %n, [n];
            mov.u32 %i, %tid.x;
            mov.f32 %sum, 0f00000000;
        NEXT:
            setp.ge.u32 %done, %i, %n;
            @%done bra END;
            lea.global.u64 %at, pairs[%i];
            for t in 0..2 {
                ld.global.f32 %x, [%at[0][t]];
                add.f32 %sum, %sum, %x;
            }
            add.u32 %i, %i, 128;
            bra NEXT;
        END:
            lea.global.u64 %at, pairs[0];
            red.global.add.f32 [%at], %sum;
            ret;
        }
    }

    /// What the table of words has and no other body.
    #[kernel]
    #[allow(unused)]
    fn of_the_table(src: Ptr<Global, f32>, image: Image) {
        ptx! {
            let %d: [f32; 8];
            let %x, %y: f32;
            let %slot, %tx, %ty: u32;
            let %i: i32;
            let %at, %p, %q: Ptr<Global, f32>;
            mov.u32 %tx, %tid.x;
            mov.u32 %ty, %tid.y;
            mov.u32 %i, %tid.x;
            ld.param.u64 %at, [src];
            for t in 0..2 {
                ld.global.f32 %d[3], [%at[t]];
            }
            lea.shared.u32 %slot, PADDED[%ty][%tx];
            lea.global.u64 %p, src[%i];
            lea.global.u64 %q, %p[%tx];
            for i in 0..4 {
                if i == 0 { mov.f32 %d[i], %d[3]; } else { mov.f32 %d[i], #(0.5_f32); }
            }
            st.shared.v4.f32 [ROW], {%d[0..4]};
            #[allow(A021)] ld.const.b64 %q, [TAPS[1]];
            ret;
        }
    }

    #[kernel]
    #[allow(unused)]
    fn registers() {
        ptx! {
            .reg .f32 %d[8];
            let %i, %j: u32;
            let %p: bool;
            let %at: Ptr<Shared, f32>;
            let %h: [F16x2; 4];
            mov.f32 %d[0], 0f00000000;
            st.shared.v4.f32 [ROW[1]], {%d[4..8]};
            ret;
        }
    }

    #[kernel]
    fn written_out() {
        ptx! {
            let %x: [f32; 4];
            let %sum: f32;
            let %ready: bool;
            mov.f32 %sum, 0f00000000;
            for i in 0..4 {
                ld.shared.f32 %x[i], [PADDED[i][2 * i]];
                if i % 2 == 0 {
                    add.f32 %sum, %sum, %x[i];
                } else {
                    sub.f32 %sum, %sum, %x[i];
                }
            }
            for lanes in [16, 8] {
                shfl.sync.bfly.b32 %x[0], %sum, lanes, 31, -1;
                add.f32 %sum, %sum, %x[0];
            }
            for stage in 0..STAGES - 2 {
            WAIT:
                mbarrier.try_wait.parity.shared.b64 %ready, [SMEM.full[stage]], 0;
                @!%ready bra WAIT;
            }
            ret;
        }
    }
}

/// The trimmed lines of a text.
fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Every `rust` block of the document is in this file, and every `ptx` block is in the text of a module.
#[test]
fn the_document_is_right() {
    let (source, text) = (lines(include_str!("bodies.rs")), lines(&places::MODULE.to_string()));
    let mut compared = [0, 0];
    let document = include_str!("../docs/guide/src/bodies.md");
    for (n, block) in document.split("```").enumerate().filter(|(n, _)| n % 2 == 1) {
        let (language, block) = block.split_once('\n').expect("a language and lines");
        let (kind, stands) = match language {
            "rust" => (0, source.contains(&lines(block))),
            "ptx" => (1, text.contains(&lines(block))),
            "text" => continue,
            other => panic!("block {n} has the language `{other}`"),
        };
        assert!(stands, "this `{language}` block was not found:\n{block}\nin\n{text}");
        compared[kind] += 1;
    }
    assert_eq!(compared[0], compared[1], "every body has its PTX");
    assert!(compared[0] > 4);
}

/// The first column of the table is in this file, and what it becomes is in the text of a module.
#[test]
fn the_table_is_right() {
    let (source, text) = (include_str!("bodies.rs"), places::MODULE.to_string());
    let document = include_str!("../docs/guide/src/bodies.md");
    let (_, table) = document.split_once("| you write | it becomes |").expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut compared = 0;
    for row in rows {
        let columns: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        let [written, becomes, _link] = columns[..] else {
            panic!("a row of three columns: {row}")
        };
        for (column, all) in [(written, source), (becomes, text.as_str())] {
            for words in column.split('`').skip(1).step_by(2) {
                // `{ .. }` is any block, and `( expr )` any expression.
                let words = words.split(['{', '(']).find(|words| !words.is_empty());
                let words = words.expect("words").trim_end_matches("..");
                assert!(all.contains(words.trim()), "`{words}` of this row was not found:\n{row}");
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "{compared}");
}

/// ptxas accepts all of it.
#[test]
fn it_assembles() {
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&places::MODULE) {
            panic!("{refused}");
        }
    }
}
