//! The expansion of the forms that bodies add to PTX: place expressions, computed addresses, registers with
//! Rust types, arrays of registers, loops and conditions.
#![allow(unused_qualifications)] // paths are under test

#[path = "read_back/mod.rs"]
mod read_back;

use ptx::prelude::*;

/// A struct whose layout only rustc knows.
#[derive(PtxType, Clone, Copy)]
#[repr(C)]
pub struct Point {
    x: f32,
    y: f32,
    z: f32,
}

/// A module whose items are reached only by a path.
mod elsewhere {
    /// A constant with a field of a counter's name.
    pub(super) struct Origin {
        pub(super) x: usize,
    }
    pub(super) const ORIGIN: Origin = Origin { x: 1 };
}

#[ptx::module(target = sm_90)]
mod forms {
    use super::*;

    const STAGES: usize = 4;

    /// Shared memory of a block.
    #[derive(PtxType)]
    #[repr(C)]
    struct Stages {
        rows: [[f32; 64]; STAGES],
        full: [Mbarrier; STAGES],
        points: [Point; 2],
    }

    /// An image of rows.
    #[derive(PtxType, Clone, Copy)]
    #[repr(C)]
    pub struct Image {
        data: Ptr<Global, f32>,
        width: u32,
        height: u32,
    }

    #[shared]
    static SMEM: Stages;
    #[constant]
    static TAPS: [f32; 5] = [1.0; 5];
    #[shared]
    static ROW: [V4<f32>; 32];
    #[shared]
    static TILE: [[f32; 33]; 32];
    #[shared]
    static WIDE: Aligned<[u8; 256], U128>;
    #[shared(dynamic)]
    static REST: [u32];

    #[kernel]
    fn places(image: Image) {
        ptx! {
            .reg .b32 %w, %p;
            .reg .f32 %f;
            .local .align 8 .v2 .f32 pairs[2][8];
            let %point: Ptr<Global, Point>;
            ld.const.f32 %f, [TAPS[3]];
            ld.const.f32 %f, [TAPS[STAGES]];
            ld.shared.f32 %f, [ROW[3].y];
            ld.shared.f32 %f, [SMEM.points[1].z];
            ld.shared.f32 %f, [SMEM.rows[STAGES - 1][3] + 4];
            ld.shared.f32 %f, [SMEM.rows[STAGES - 1][3] - 4];
            ld.shared.u8 %w, [WIDE[200]];
            ld.shared.u32 %w, [REST[7]];
            st.local.f32 [pairs[1][3]], %f;
            ld.param.u32 %w, [image.width];
            ld.param.u64 %point, [image.data];
            ld.global.f32 %f, [%point.y];
            ld.global.f32 %f, [%point[1].x];
            mov.u32 %p, SMEM;
            ret;
        }
    }

    #[kernel]
    fn addresses(src: Ptr<Global, f32>, points: Ptr<Global, Point>) {
        ptx! {
            .reg .b32 %stage, %tx, %ty, %at;
            .reg .s32 %i;
            .reg .u64 %wide;
            .reg .b64 %p;
            .reg .pred %go;
            let %point, %next: Ptr<Global, Point>;
            mov.u32 %tx, %tid.x;
            mov.u32 %ty, %tid.y;
            and.b32 %tx, %tx, 15;
            and.b32 %ty, %ty, 15;
            and.b32 %stage, %tx, 3;
            cvt.s32.u32 %i, %tx;
            cvt.u64.u32 %wide, %tx;
            setp.lt.u32 %go, %tx, 4;
            lea.shared.u32 %at, SMEM;
            lea.shared.u32 %at, SMEM.full;
            lea.shared.u32 %at, SMEM.full[2];
            lea.shared.u32 %at, SMEM.full[%stage];
            lea.shared.u32 %at, TILE[%ty][%tx];
            lea.shared.u32 %tx, TILE[3][%tx];
            lea.shared.s32 %at, SMEM.points[%stage].z;
            lea.shared.u64 %p, TILE[%i][%wide];
            lea.const.u64 %p, TAPS[%stage];
            lea.global.u64 %p, src;
            lea.global.u64 %p, src[%stage];
            lea.global.u64 %p, src[%i];
            lea.global.u64 %p, src[%wide];
            lea.global.s64 %p, src[%stage];
            lea.global.u64 %p, src[7];
            lea.global.u64 %point, points[%tx];
            lea.global.u64 %p, points[%tx].z;
            @%go lea.global.u64 %next, %point[%i];
            @!%go lea.shared.u32 %at, SMEM.full[%stage];
            ret;
        }
    }

    #[kernel]
    fn repeated() {
        const HERE: usize = 2;
        const MORE: usize = STAGES * HERE - 7;
        const IS_LATE: bool = MORE < HERE || STAGES == 0;
        ptx! {
            .reg .f32 %d[8];
            .reg .b32 %x, %y;
            let %sums: [u32; STAGES];
            let %go: bool;
            mov.b32 %x, 0;
            for i in 0..=STAGES - 1 {
                mov.u32 %sums[i], #(i * 4 + 1);
                add.u32 %x, %x, i;
                mbarrier.init.shared.b64 [SMEM.full[i]], 1;
            }
            for i in [MORE, HERE] {
                for j in 0..i {
                    if IS_LATE && i == HERE && j != 0 {
                        add.u32 %x, %x, #(10 * i + j);
                    } else if i == 1 {
                        sub.u32 %x, %x, j;
                    } else {
                        .reg .b32 %y;
                        mov.b32 %y, -1;
                    WAIT:
                        setp.eq.u32 %go, %x, %y;
                        @%go bra WAIT;
                    }
                }
            }
            for i in 0..8 { mov.f32 %d[i], 0f00000000; }
            for i in 0..2 {
                st.shared.v4.f32 [ROW[i]], {%d[4 * i..4 * i + 4]};
            }
            // A round that has no number, and the sink operand in rounds with one.
            for _ in 0..2 {
                mbarrier.arrive.shared.b64 _, [SMEM.full[0]];
            }
            for i in 0..2 {
                for _ in 0..1 { mbarrier.arrive.shared.b64 _, [SMEM.full[i]]; }
            }
            st.shared.b32 [SMEM + #(size_of::<Stages>() - 4)], %sums[STAGES - 1];
            ret;
        }
    }

    /// Elements of register arrays in every position of a register, values that only Rust computes, and names
    /// that do not refer to the counter.
    #[kernel]
    fn of_arrays(src: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %f;
            .reg .pred %ok[2], %address;
            .reg .b32 %k[2], %i;
            .reg .b64 %q[4];
            let %p: [Ptr<Global, f32>; 2];
            let %w: u64;
            ld.const.f32 %f, [TAPS[crate::elsewhere::ORIGIN.x]];
            for x in 0..STAGES as u32 as usize / 2 {
                mov.u32 %k[x], #(crate::elsewhere::ORIGIN.x + x);
            }
            if true { mov.u32 %i, 0; }
            setp.eq.u32 %ok[0], %k[0], 0;
            setp.eq.u32 %address, %k[1], 0;
            and.b32 %k[0], %k[0], 31;
            and.b32 %k[1], %k[1], 15;
            lea.global.u64 %q[1], src[%k[0]];
            lea.global.u64 %p[0], src[%i];
            lea.global.u64 %q[2], %p[0][%i];
            ld.global.f32 %f, [%p[0][3]];
            @%ok[0] lea.shared.u32 %i, TILE[%k[1]][%k[0]];
            mov.u32 %i, 1;
            @%address lea.shared.u32 %i, TILE[%i];
            mov.u64 %w, 1;
            lea.global.u64 %w, %p[0][%w];
            for n in 1..3 {
                .local .b32 own[n];
                st.local.b32 [own[n - 1]], 0;
            }
            ret;
        }
    }

    #[device]
    fn function(at: Reg<u32>, to: Reg<Ptr<Global, Point>>) -> Reg<f32> {
        ptx! {
            let %p: Ptr<Global, Point>;
            let %i: u32;
            mov.u32 %i, at;
            lea.global.u64 %p, to[at];
            ld.global.f32 returned, [%p.y];
            for i in 0..2 { ld.global.f32 returned, [to[i].x]; }
            ret;
        }
    }
}

/// The same from a `macro_rules!`, whose parameters are bounds, names and indices.
macro_rules! ring {
    ($name:ident, $stages:literal, $barriers:ident, $stage:ident, $($index:expr),*) => {
        #[ptx::module(target = sm_90)]
        mod $name {
            use super::*;

            #[shared]
            static $barriers: [Mbarrier; $stages];

            #[kernel]
            fn init() {
                ptx! {
                    .reg .b32 %$stage, %bar;
                    for i in 0..$stages { mbarrier.init.shared.b64 [$barriers[i]], 1; }
                    mov.u32 %$stage, 1;
                    lea.shared.u32 %bar, $barriers[%$stage];
                    $(mbarrier.inval.shared.b64 [$barriers[$index]];)*
                    ret;
                }
            }
        }
    };
}
ring!(ring, 2, BARRIERS, at, 1, 2 - 2);

/// The prelude is not needed.
mod bare {
    #![no_implicit_prelude]

    #[::ptx::module(target = sm_90)]
    pub(super) mod module {
        #[shared]
        static ROW: [f32; 4];

        #[kernel]
        fn store() {
            ptx! {
                .reg .f32 %f;
                .reg .b32 %i, %at;
                mov.f32 %f, 0f00000000;
                mov.b32 %i, 1;
                for i in 0..2 { st.shared.f32 [ROW[i]], %f; }
                lea.shared.u32 %at, ROW[%i];
                ret;
            }
        }
    }
}

/// The expansion is what a programmer would write by hand, and ptxas accepts it.
#[test]
fn forms_become_ptx() {
    expect_test::expect_file!["forms/forms.ptx"].assert_eq(&forms::MODULE.to_string());
    expect_test::expect_file!["forms/ring.ptx"].assert_eq(&ring::MODULE.to_string());
    for module in [&forms::MODULE, &ring::MODULE, &bare::module::MODULE] {
        assert!(module.check().is_empty(), "{:?}", module.check());
        read_back::assert_reads_back(module);
        for ptxas in xtask::oracles() {
            let text = module.to_string();
            if let Err(error) = ptxas.assemble_text(&text, ptx::Target::Sm90) {
                panic!("{error}\n{text}");
            }
        }
    }
}
