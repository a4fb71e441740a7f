//! Elements of tiles, as bodies name them: the address is the one where a tensor copy writes the element, whatever the
//! swizzle, and whichever coordinates are constants.
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use object::read::elf::ElfFile64;
use object::{Object, ObjectSection};
use ptx::__private::whole_of;
use ptx::Target;
use ptx::prelude::*;
use ptx_interpreter::{Launch, Program, Store, Thread};

/// The first byte of dynamic shared memory.
const START: u64 = 1 << 14;

/// Runs a kernel with a thread for each element of a row and each row, and returns what each thread stores at each address.
fn stored(kernel: &ptx::ir::Function<'_>, block: [u32; 3]) -> BTreeMap<([u32; 3], u64), u64> {
    let body = kernel.body.expect("a body");
    let constants: Vec<Option<i128>> =
        body.constants().iter().map(|number| Some(whole_of(*number))).collect();
    let threads = (0..block[1]).flat_map(|y| (0..block[0]).map(move |x| [x, y, 0]));
    let stores = RefCell::new(BTreeMap::new());
    let launch = Launch {
        symbols: &BTreeMap::from([("SMEM", START), ("to", 0)]),
        store: &|Store { thread, address, value, .. }| {
            stores.borrow_mut().insert((thread.number, address), value);
        },
        ..Launch::of_block(block)
    };
    let program = Program::of(&body, &constants);
    for number in threads {
        program.run(&launch, Thread { number, block: [0; 3] }, |_| {});
    }
    stores.into_inner()
}

/// For each map: its name, its elements, its box, its swizzle, and the target.
macro_rules! maps {
    ($($name:ident: $element:ident [$columns:literal, $rows:literal] $swizzle:ident $target:ident $seen:ident;)*) => {
        $(
            /// A map that the module sees, or one that it does not.
            mod $name {
                use super::*;

                #[tensor_map(element = $element, box = [$columns, $rows], swizzle = $swizzle)]
                pub(super) struct Outer;

                #[ptx::module(target = $target)]
                pub(super) mod kernel {
                    use super::*;

                    #[tensor_map(element = $element, box = [$columns, $rows], swizzle = $swizzle)]
                    pub struct Inner;

                    #[derive(PtxType)]
                    #[repr(C)]
                    struct Stages {
                        tiles: [Tile<$seen>; 3],
                    }

                    #[shared(dynamic)]
                    static SMEM: Stages;

                    #[kernel]
                    pub fn addresses(to: Ptr<Global, u64>) {
                        ptx! {
                            let %stage, %row, %column, %at: u32;
                            let %wide, %to: u64;
                            let %tiles: Ptr<Shared, Tile<$seen>>;
                            ld.param.u64 %to, [to];
                            mov.u32 %column, %tid.x;
                            mov.u32 %row, %tid.y;
                            mov.u32 %stage, 2;
                            lea.shared.u32 %at, SMEM.tiles[%stage][%row][%column];
                            st.global.u32 [%to + 0], %at;
                            lea.shared.u32 %at, SMEM.tiles[%stage][%row][3];
                            st.global.u32 [%to + 4], %at;
                            lea.shared.u32 %at, SMEM.tiles[%stage][5][%column];
                            st.global.u32 [%to + 8], %at;
                            lea.shared.u32 %at, SMEM.tiles[%stage][5][3];
                            st.global.u32 [%to + 12], %at;
                            mov.u32 %at, SMEM;
                            add.u32 %at, %at, #(2 * Outer::STRIDE + Outer::element_offset([3, 5]).unwrap());
                            st.global.u32 [%to + 16], %at;
                            lea.shared.u64 %wide, SMEM.tiles[1][%row][%column];
                            st.global.u64 [%to + 24], %wide;
                            lea.shared.u32 %tiles, SMEM.tiles[0];
                            lea.shared.u32 %at, %tiles[%stage][%row][7];
                            st.global.u32 [%to + 32], %at;
                            lea.shared.u32 %row, %tiles[2][%row][%column];
                            st.global.u32 [%to + 36], %row;
                            ret;
                        }
                    }

                    #[kernel]
                    pub fn reads() {
                        ptx! {
                            .reg .b8 %x;
                            ld.shared.b8 %x, [SMEM.tiles[2][5][3]];
                            ret;
                        }
                    }
                }
            }
        )*

        /// The maps, each with its kernel.
        fn maps() -> Vec<(&'static str, [u32; 2], fn([u32; 2]) -> usize, &'static ptx::Module<'static>)> {
            vec![$((stringify!($name), [$columns, $rows], |at| $name::Outer::element_offset(at).expect("in the tile"), &$name::kernel::MODULE)),*]
        }
    };
}

maps! {
    plain: u16 [24, 10] None sm_90a Inner;
    b32: u16 [16, 32] B32 sm_90a Inner;
    b64: u16 [32, 16] B64 sm_90a Inner;
    b128: u16 [64, 16] B128 sm_90a Inner;
    narrow: u16 [16, 16] B128 sm_90a Inner;
    wide: u64 [16, 16] B128 sm_90a Inner;
    bytes: u8 [128, 16] B128 sm_90a Inner;
    atom32: f32 [32, 16] B128Atom32 sm_100a Inner;
    atom64: f32 [32, 16] B128Atom64 sm_100a Inner;
    plain_unseen: u16 [24, 10] None sm_90a Outer;
    b32_unseen: u16 [16, 32] B32 sm_90a Outer;
    b64_unseen: u16 [32, 16] B64 sm_90a Outer;
    b128_unseen: u16 [64, 16] B128 sm_90a Outer;
    atom32_unseen: f32 [32, 16] B128Atom32 sm_100a Outer;
}

#[test]
fn each_element_is_where_its_map_puts_it() {
    for (name, [columns, rows], offset, module) in maps() {
        let kernel = module.ir().functions[0];
        let stride = kernel.uses[0].bytes().expect("a size") as u64 / 3;
        let found = stored(kernel, [columns, rows, 1]);
        let stage = |n: u64| START + n * stride;
        for row in 0..rows {
            for column in 0..columns {
                let at = |column, row| offset([column, row]) as u64;
                let here = |address| found[&([column, row, 0], address)];
                let right = [
                    (0, stage(2) + at(column, row)),
                    (4, stage(2) + at(3, row)),
                    (8, stage(2) + at(column, 5)),
                    (12, stage(2) + at(3, 5)),
                    (16, stage(2) + at(3, 5)),
                    (24, stage(1) + at(column, row)),
                    (32, stage(2) + at(7, row)),
                    (36, stage(2) + at(column, row)),
                ];
                for (address, right) in right {
                    assert_eq!(
                        here(address),
                        right,
                        "{name}: {address} at row {row}, column {column}"
                    );
                }
            }
        }
        let text = module.to_string();
        let constant = format!("[SMEM+{}]", 2 * stride + offset([3, 5]) as u64);
        assert!(text.contains(&constant), "{name}: {constant}\n{text}");
        let report = module.check();
        assert!(report.is_empty(), "{name}: {report:?}");
    }
}

/// Adds the numbers of a row, four at a time: each thread of a warp one row.
#[ptx::module(target = sm_90a)]
mod rows {
    use super::*;

    #[tensor_map(element = f32, box = [32, 32], swizzle = B128)]
    pub struct Square;

    #[shared]
    static TILE: Tile<Square>;

    #[kernel(reqntid = 32)]
    pub fn sums(to: Ptr<Global, f32>) {
        ptx! {
            let %row, %at: u32;
            let %sum, %x, %y, %z, %w: f32;
            let %to: Ptr<Global, f32>;
            mov.u32 %row, %tid.x;
            mov.f32 %sum, 0.0;
            for column in 0..8 {
                lea.shared.u32 %at, TILE[%row][4 * column];
                ld.shared.v4.f32 {%x, %y, %z, %w}, [%at];
                add.f32 %sum, %sum, %x;
                add.f32 %sum, %sum, %y;
                add.f32 %sum, %sum, %z;
                add.f32 %sum, %sum, %w;
            }
            lea.global.u64 %to, to[%row];
            st.global.f32 [%to], %sum;
            ret;
        }
    }
}

/// The same with the pattern written out: once for the row, and an `xor` for each chunk.
fn by_hand() -> String {
    let mut text = String::from(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 TILE[4096];\n\
        .visible .entry sums(.param .u64 to) .reqntid 32\n{\n\
        .reg .b32 %row, %start, %at;\n.reg .f32 %sum, %x, %y, %z, %w;\n.reg .b64 %to;\n\
        mov.u32 %row, %tid.x;\nmov.f32 %sum, 0f00000000;\n\
        mov.u32 %start, TILE;\nmad.lo.u32 %start, %row, 128, %start;\n\
        and.b32 %at, %row, 7;\nshl.b32 %at, %at, 4;\nxor.b32 %start, %start, %at;\n",
    );
    for chunk in 0..8 {
        let at = 16 * chunk;
        let _ = writeln!(text, "xor.b32 %at, %start, {at};");
        text += "ld.shared.v4.f32 {%x, %y, %z, %w}, [%at];\n";
        for part in ["%x", "%y", "%z", "%w"] {
            let _ = writeln!(text, "add.f32 %sum, %sum, {part};");
        }
    }
    text + "ld.param.u64 %to, [to];\nmad.wide.u32 %to, %row, 4, %to;\nst.global.f32 [%to], %sum;\nret;\n}\n"
}

/// The bytes of a cubin's code.
fn code(cubin: &[u8]) -> u64 {
    let file = <ElfFile64>::parse(cubin).expect("an ELF file");
    let sections = file.sections().filter(|it| it.name().is_ok_and(|it| it.starts_with(".text.")));
    sections.map(|section| section.size()).sum()
}

#[test]
fn it_takes_no_more_instructions_than_by_hand() {
    for ptxas in xtask::oracles() {
        let module = ptxas.assemble(&rows::MODULE).expect("it assembles");
        let hand = ptxas.assemble_text(by_hand(), Target::Sm90a).expect("it assembles");
        let [of_module, of_hand] = [&module.cubin, &hand.cubin].map(|cubin| code(cubin));
        println!("{of_module} bytes of code, {of_hand} by hand");
        assert!(of_module <= of_hand, "{of_module} bytes of code, {of_hand} by hand");
    }
}

/// Tiles of `im2col` maps have a pixel and a channel; and `cfg` may choose a map.
#[ptx::module(target = sm_90a)]
mod others {
    use super::*;

    #[tensor_map(
        element = f32, mode = im2col, lower = [0, 0], upper = [0, 0], channels_per_pixel = 32,
        pixels_per_column = 16, swizzle = B128
    )]
    pub struct Pixels;

    #[cfg(test)]
    #[tensor_map(element = f32, box = [32, 8], swizzle = B128)]
    pub struct Chosen;
    #[cfg(not(test))]
    #[tensor_map(element = f32, box = [32, 8])]
    pub struct Chosen;

    #[shared]
    static PIXELS: Tile<Pixels>;
    #[shared]
    static CHOSEN: Tile<Chosen>;

    #[kernel]
    pub fn reads() {
        ptx! {
            .reg .f32 %x;
            ld.shared.f32 %x, [PIXELS[5][7]];
            ld.shared.f32 %x, [CHOSEN[5][7]];
            ret;
        }
    }
}

#[test]
fn pixels_and_chosen_maps_are_named() {
    let text = others::MODULE.to_string();
    let offsets = [
        ("PIXELS", others::Pixels::element_offset([7, 5])),
        ("CHOSEN", others::Chosen::element_offset([7, 5])),
    ];
    for (name, offset) in offsets {
        let place = format!("[{name}+{}]", offset.expect("in the tile"));
        assert!(text.contains(&place), "{place}\n{text}");
    }
}
