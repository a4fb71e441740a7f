//! The PTX of each construct: compared with the expected text, and assembled by ptxas.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use expect_test::{Expect, expect};
use ptx::prelude::*;

#[path = "read_back/mod.rs"]
mod read_back;

/// Compares the text, reads it back, and has the real ptxas assemble it.
fn check(module: &ptx::Module<'_>, expected: &Expect) {
    expected.assert_eq(&module.to_string());
    read_back::assert_accepted(module);
}

#[ptx::module(target = sm_80)]
mod scalars {
    use super::*;

    #[global]
    pub static U8: u8 = 255;
    #[global]
    pub static U16: u16 = 65_535;
    #[global]
    pub static U32: u32 = 4_294_967_295;
    #[global]
    pub static U64: u64 = u64::MAX;
    #[global]
    pub static S8: i8 = i8::MIN;
    #[global]
    pub static S16: i16 = -1;
    #[global]
    pub static S32: i32 = i32::MIN;
    #[global]
    pub static S64: i64 = i64::MIN;
    #[global]
    pub static F32: f32 = -0.0;
    #[global]
    pub static F64: f64 = 0.1;
    #[global]
    pub static HALF: f16 = f16::from_f32_const(1.5);
    #[global]
    pub static PLAIN_HALF: f16;
    #[global]
    pub static BRAIN: bf16 = bf16::from_f32_const(-2.0);
    #[global]
    pub static PLAIN_BRAIN: bf16;
    #[global]
    pub static BITS8: B8 = B8(0xAB);
    #[global]
    pub static BITS16: B16 = B16(7);
    #[global]
    pub static BITS32: B32 = B32(0xDEAD_BEEF);
    #[global]
    pub static BITS64: B64 = B64(1 << 63);
    #[global]
    pub static BITS128: B128 = B128(0x0123_4567_89AB_CDEF_0011_2233_4455_6677);
    #[global]
    pub static PLAIN128: B128;
    #[global]
    pub static ZERO: u32 = 0;
}

#[test]
fn scalars_of_every_type() {
    check(
        &scalars::MODULE,
        &expect![[r#"
            .version 8.3
            .target sm_80
            .address_size 64

            .visible .global .u8 U8 = 255;
            .visible .global .u16 U16 = 65535;
            .visible .global .u32 U32 = 4294967295;
            .visible .global .u64 U64 = 18446744073709551615;
            .visible .global .s8 S8 = -128;
            .visible .global .s16 S16 = -1;
            .visible .global .s32 S32 = -2147483648;
            .visible .global .s64 S64 = -9223372036854775808;
            .visible .global .f32 F32 = 0f80000000;
            .visible .global .f64 F64 = 0d3FB999999999999A;
            .visible .global .b16 HALF = 0x3E00;
            .visible .global .f16 PLAIN_HALF;
            .visible .global .b16 BRAIN = 0xC000;
            .visible .global .b16 PLAIN_BRAIN;
            .visible .global .b8 BITS8 = 0xAB;
            .visible .global .b16 BITS16 = 7;
            .visible .global .b32 BITS32 = 0xDEADBEEF;
            .visible .global .b64 BITS64 = 0x8000000000000000;
            .visible .global .align 16 .b64 BITS128[2] = {0x0011223344556677, 0x0123456789ABCDEF};
            .visible .global .b128 PLAIN128;
            .visible .global .u32 ZERO = 0;
        "#]],
    );
}

#[ptx::module(target = sm_80)]
mod spaces {
    use super::*;

    #[global]
    static INTERNAL: u32 = 1;
    #[global]
    pub(crate) static VISIBLE: u32 = 2;
    #[constant]
    static TABLE: [u16; 3] = [1, 2, 3];
    #[shared]
    static STATIC: [f32; 32];
    #[shared(dynamic)]
    static DYNAMIC: [V4<f32>];
    #[global(align = 256)]
    static ALIGNED: [u8; 3] = [1, 2, 3];
    #[global(align = 1, allow(D006))]
    static UNALIGNED: u32;
    #[global(weak)]
    pub static WEAK: u32 = 1;
    #[global(common)]
    static COMMON: [f32; 4];
    #[global(managed, align = 8)]
    pub static MANAGED: u32 = 4;
    #[constant(weak)]
    static WEAK_TABLE: u8 = 9;

    #[kernel]
    pub fn touch() {
        ptx! {
            .reg .b32 %r<2>;
            mov.b32 %r0, STATIC;
            mov.b32 %r1, DYNAMIC;
            ret;
        }
    }
}

#[test]
fn state_spaces_linkage_and_alignment() {
    check(
        &spaces::MODULE,
        &expect![[r#"
            .version 7.0
            .target sm_80
            .address_size 64

            .global .u32 INTERNAL = 1;
            .visible .global .u32 VISIBLE = 2;
            .const .u16 TABLE[3] = {1, 2, 3};
            .shared .f32 STATIC[32];
            .extern .shared .align 16 .b8 DYNAMIC[];
            .global .align 256 .u8 ALIGNED[3] = {1, 2, 3};
            .global .align 1 .u32 UNALIGNED;
            .weak .global .u32 WEAK = 1;
            .common .global .f32 COMMON[4];
            .visible .global .attribute(.managed) .align 8 .u32 MANAGED = 4;
            .weak .const .u8 WEAK_TABLE = 9;

            .visible .entry touch()
            {
                .reg .b32 %r<2>;

                mov.b32 %r0, STATIC;
                mov.b32 %r1, DYNAMIC;
                ret;
            }
        "#]],
    );
}

// Regressions of the expansion.
#[ptx::module(target = sm_80)]
mod regressions {
    //! Inner documentation and attributes stay inside.
    #![allow(dead_code)]
    use super::*;

    const VALUE: u32 = 3;
    const INITIAL: u32 = 4;
    const IR: usize = 5;

    #[global]
    static SUM: u32 = VALUE + INITIAL;
    #[global]
    static CAST: u32 = 'a' as u32;
    #[global]
    static THIRD: f32 = 1.0 / 3.0;
    #[cfg(not(test))]
    #[global]
    static GONE: u32 = 1;
    #[cfg(test)]
    #[shared]
    static CHOSEN: [f32; 10];
    #[cfg(not(test))]
    #[shared]
    static CHOSEN: [f32; 20];
    #[shared(align = 16_u32)]
    static WIDE: [u8; 3];

    type Pred = u16;
    #[global]
    static SHADOWED: Pred = 1;

    #[kernel(maxntid = IR)]
    pub fn k() {
        ptx! {
            .reg .b128 %q;
            .reg .b32 %r;
            .shared .align #(64) .b8 q[#(VALUE)];
            .const .u8 t[] = {1, 2};
            mov.b32 %r, #(IR);
            mov.b32 %r, WIDE;
            mov.b32 %r, CHOSEN;
            mov.u32 %r, (.s64) 3;
            mov.u32 %r, 7 % 4;
            ret;
        }
    }

    #[device(extern)]
    fn vprintf(format: Ptr<Generic, u8>, result: u64) -> i32;
}

#[test]
fn regressions_stay_away() {
    check(
        &regressions::MODULE,
        &expect![[r#"
            .version 8.3
            .target sm_80
            .address_size 64

            .global .u32 SUM = 7;
            .global .u32 CAST = 97;
            .global .f32 THIRD = 0f3EAAAAAB;
            .shared .f32 CHOSEN[10];
            .shared .align 16 .u8 WIDE[3];
            .global .u16 SHADOWED = 1;

            .visible .entry k()
            .maxntid 5
            {
                .reg .b128 %q;
                .reg .b32 %r;
                .shared .align 64 .b8 q[3];
                .const .u8 t[] = {1, 2};

                mov.b32 %r, 5;
                mov.b32 %r, WIDE;
                mov.b32 %r, CHOSEN;
                mov.u32 %r, (.s64)3;
                mov.u32 %r, 7 % 4;
                ret;
            }

            .extern .func (.param .s32 returned) vprintf(.param .u64 format, .param .u64 result);
        "#]],
    );
    for ptxas in xtask::oracles() {
        let report = ptxas.assemble(&regressions::MODULE).expect("ptxas accepts it").report;
        let declared = regressions::k().static_shared_bytes();
        assert_eq!(report.kernels[0].shared_bytes, declared);
    }
}

#[ptx::module(target = sm_80)]
mod aggregates {
    use super::*;

    const ROWS: usize = 2;

    #[global]
    static VECTOR: V4<f32> = V4::new([1.0, 2.0, 3.0, 0.0]);
    #[global]
    static PAIR: V2<u64> = V2::new([1, 0]);
    #[global]
    static VECTORS: [V2<i16>; 3] = [V2::new([0, 0]), V2::new([-1, 1]), V2::new([0, 0])];
    #[global]
    static HALVES: [V2<f16>; 1] = [V2::new([f16::ONE, f16::ZERO])];
    #[constant]
    static NESTED: [[i32; 3]; ROWS + 1] = [[1, 2, 0], [0, 0, 0], [3, 0, 0]];
    #[constant]
    static COUNTED: [u8; _] = *b"hello";
    #[constant]
    static LISTED: [u32; _] = [2, 3, 5, 7, 11];
    #[constant]
    static PARTIAL: [f32; 8] = [0.33, 0.25, 0.125, 0.0, 0.0, 0.0, 0.0, 0.0];
    #[constant]
    static WIDE: [B128; 2] = [B128(1), B128(u128::MAX)];
    #[global]
    static OVER: Aligned<[f32; 8], U32> = Aligned::new([1.0; 8]);
    #[global]
    static LONG: [u16; 40] = {
        let mut values = [0; 40];
        let mut i = 0;
        while i < 40 {
            values[i as usize] = 1000 + i;
            i += 1;
        }
        values
    };
}

#[test]
fn vectors_arrays_and_their_values() {
    check(
        &aggregates::MODULE,
        &expect![[r#"
            .version 7.0
            .target sm_80
            .address_size 64

            .global .v4 .f32 VECTOR = {0f3F800000, 0f40000000, 0f40400000, 0f00000000};
            .global .v2 .u64 PAIR = {1, 0};
            .global .v2 .s16 VECTORS[3] = {{0, 0}, {-1, 1}};
            .global .v2 .b16 HALVES[1] = {{0x3C00, 0}};
            .const .s32 NESTED[3][3] = {
                {1, 2, 0},
                {0, 0, 0},
                {3}
            };
            .const .u8 COUNTED[5] = {104, 101, 108, 108, 111};
            .const .u32 LISTED[5] = {2, 3, 5, 7, 11};
            .const .f32 PARTIAL[8] = {0f3EA8F5C3, 0f3E800000, 0f3E000000};
            .const .align 16 .b64 WIDE[2][2] = {{1, 0}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF}};
            .global .align 32 .f32 OVER[8] = {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000,
                0f3F800000, 0f3F800000, 0f3F800000};
            .global .u16 LONG[40] = {1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010,
                1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024,
                1025, 1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037, 1038,
                1039};
        "#]],
    );
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Config {
    gain: f64,
    taps: [f32; 2],
    flags: V2<u8>,
    _pad: [u8; 6],
}

#[derive(Clone, Copy, PtxType)]
#[repr(transparent)]
struct Id(u32);

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Pair<T> {
    first: T,
    second: T,
}

#[ptx::module(target = sm_80)]
mod structs {
    use super::*;

    #[constant]
    static CONFIG: Config =
        Config { gain: 1.0, taps: [1.0, -1.0], flags: V2::new([1, 2]), _pad: [0; 6] };
    #[global]
    static IDS: [Id; 2] = [Id(1), Id(258)];
    #[global]
    static PAIRS: Pair<u16> = Pair { first: 1, second: 2 };
    #[shared(dynamic)]
    pub static STAGES: Config;

    #[kernel]
    pub fn read(config: Config, id: Id, pair: Pair<Ptr<Global, u32>>) {
        ptx! {
            .reg .f64 %d<2>;
            .reg .f32 %f;
            .reg .b32 %r<2>;
            ld.const.f64 %d0, [CONFIG + #(offset_of!(Config, gain))];
            ld.param.f64 %d1, [config + #(offset_of!(Config, gain))];
            ld.shared.f32 %f, [STAGES + #(Config::OFFSETS.taps)];
            ld.param.u32 %r0, [id];
            ld.global.u32 %r1, [IDS + 4];
            ret;
        }
    }
}

#[test]
fn structs_are_aligned_bytes() {
    check(
        &structs::MODULE,
        &expect![[r#"
            .version 7.0
            .target sm_80
            .address_size 64

            .const .align 8 .b8 CONFIG[24] = {0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 128, 63, 0, 0, 128,
                191, 1, 2};
            .global .align 4 .b8 IDS[8] = {1, 0, 0, 0, 2, 1};
            .global .align 2 .b8 PAIRS[4] = {1, 0, 2};
            .extern .shared .align 8 .b8 STAGES[];

            .visible .entry read(
                .param .align 8 .b8 config[24],
                .param .align 4 .b8 id[4],
                .param .align 8 .b8 pair[16]
            )
            {
                .reg .f64 %d<2>;
                .reg .f32 %f;
                .reg .b32 %r<2>;

                ld.const.f64 %d0, [CONFIG+0];
                ld.param.f64 %d1, [config+0];
                ld.shared.f32 %f, [STAGES+8];
                ld.param.u32 %r0, [id];
                ld.global.u32 %r1, [IDS+4];
                ret;
            }
        "#]],
    );
    assert_eq!(structs::STAGES.bytes(), 24);
}

#[ptx::module(target = sm_90a, version = 8.3)]
mod kernels {
    use super::*;

    const CLUSTER: u32 = 2;

    #[kernel(maxntid = (16, 16), minnctapersm = 2, maxnreg = 64, reqnctapercluster = [CLUSTER, 1, 1])]
    pub fn parameters(
        a: u8,
        b: i16,
        c: f16,
        d: bf16,
        e: f64,
        f: B128,
        vector: V4<f32>,
        array: [u32; 3],
        matrix: [[u16; 2]; 2],
        global: Ptr<Global, V4<f32>>,
        constant: Ptr<Const, u8>,
        shared: Ptr<Shared, f32, U128>,
        local: Ptr<Local, f64>,
        generic: Ptr<Generic, u64>,
    ) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 128)]
    fn private() {
        ptx! { ret; }
    }
}

#[test]
fn kernel_parameters_and_directives() {
    check(
        &kernels::MODULE,
        &expect![[r#"
        .version 8.3
        .target sm_90a
        .address_size 64

        .visible .entry parameters(
            .param .u8 a,
            .param .s16 b,
            .param .f16 c,
            .param .b16 d,
            .param .f64 e,
            .param .b128 f,
            .param .align 16 .b8 vector[16],
            .param .u32 array[3],
            .param .u16 matrix[4],
            .param .u64 .ptr .global .align 16 global,
            .param .u64 .ptr .const .align 1 constant,
            .param .u64 .ptr .shared .align 128 shared,
            .param .u64 .ptr .local .align 8 local,
            .param .u64 .ptr .align 8 generic
        )
        .maxntid 16, 16
        .minnctapersm 2
        .maxnreg 64
        .reqnctapercluster 2
        {
            ret;
        }

        .entry private()
        .reqntid 128
        {
            ret;
        }
    "#]],
    );
}

#[ptx::module(target = sm_90a)]
mod functions {
    use super::*;

    #[kernel(extern)]
    fn child(data: Ptr<Global, B8, U1>, n: u32);

    #[device(extern, noreturn)]
    fn __assertfail(message: u64, line: u32);

    #[device(noreturn)]
    fn fails(code: u32) {
        ptx! { trap; }
    }

    #[device(returns(#[align(16)] r))]
    fn pair() -> [B8; 24] {
        ptx! { ret; }
    }

    #[device]
    fn variadic(count: u32, #[align(8)] list: [B8]) {
        ptx! {
            .reg .b32 %r;
            ld.param.b32 %r, [list + 4];
            ret;
        }
    }

    #[kernel(explicitcluster, reqnctapercluster = 2)]
    pub fn clustered() {
        ptx! {
            /// Comments of every form leave nothing,
            ret; //! wherever they stand.
        }
    }
}

#[test]
fn functions_that_compilers_declare() {
    check(
        &functions::MODULE,
        &expect![[r#"
        .version 8.0
        .target sm_90a
        .address_size 64

        .extern .entry child(
            .param .u64 .ptr .global .align 1 data,
            .param .u32 n
        );

        .extern .func __assertfail(.param .u64 message, .param .u32 line)
        .noreturn;

        .func fails(.param .u32 code)
        .noreturn
        {
            trap;
        }

        .func (.param .align 16 .b8 r[24]) pair()
        {
            ret;
        }

        .func variadic(.param .u32 count, .param .align 8 .b8 list[])
        {
            .reg .b32 %r;

            ld.param.b32 %r, [list+4];
            ret;
        }

        .visible .entry clustered()
        .reqnctapercluster 2
        .explicitcluster
        {
            ret;
        }
    "#]],
    );
}

#[ptx::module(target = sm_90a)]
mod bodies {
    #[global]
    static COUNT: u32;
    #[constant]
    static FORMAT: [u8; 4] = *b"%d\n\0";

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[kernel]
    pub fn everything(n: u32) {
        const STEP: i64 = -8;
        ptx! {
            .reg .pred p, q;
            .reg .b16 %h<2>;
            .reg .b32 %r<6>, r$1;
            .reg .b64 %rd<4>, %$x;
            .reg .f32 %f<2>;
            .reg .v4 .f32 V;
            .local .align 8 .b8 stack[16];
            .shared .align 16 .f32 tile[4][#(2 + 2)];
            .global .u32 counter = 7;
            .const .f32 half[] = {0f3F000000, .25};

            ld.param.u32 %r1, [n];
            mov.u32 %r2, %tid.x;
            setp.lt.and.u32 p|q, %r1, WARP_SZ, !p;
            mov.f32 %f1, #(0.5_f32);
            mov.f32 %f0, 0f3F800000;
            mov.f32 V.x, %f1;
            mov.b64 %rd1, #(STEP);
            mov.b64 %rd2, #(u64::MAX);
            mov.f64 %rd3, #(0.1);
            mov.b32 %r3, #(half::bits());
            mov.b32 %r4, #(-1);
            mov.b32 r$1, %r1;
            mov.b64 %$x, {%r1, %r2};
            mov.b64 {%r1, _}, %$x;
        $L__BB0_1:
            @!p bra $L__BB0_2;
            add.u32 %r2, %r2, 1;
            {
                .reg .b32 %r<1>;
                mov.u32 %r0, 3 * (4 + 1);
            inner:
                @q bra inner;
            }
            bra.uni $L__BB0_1;
        $L__BB0_2:
            atom.global.add.u32 %r5, [COUNT], 1;
            st.local.u32 [stack + 4], %r5;
            st.shared.v4.f32 [tile + 16], V;
            ld.global.u32 %r1, [counter];
            ld.const.f32 %f0, [half + 4];
            {
                .param .b64 format;
                .param .b64 arguments;
                .param .b32 result;
                mov.b64 %rd1, FORMAT;
                cvta.const.u64 %rd2, %rd1;
                st.param.b64 [format], %rd2;
                mov.b64 %rd3, 0;
                st.param.b64 [arguments], %rd3;
                call.uni (result), vprintf, (format, arguments);
                ld.param.b32 %r1, [result];
            }
            .pragma "nounroll";
            mov.u64 %rd1, everything;
            ret;
        }
    }

    mod half {
        pub(super) const fn bits() -> u32 {
            0x3C00
        }
    }

    #[kernel]
    pub fn calls(function: u64) {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %f;
            prototype: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);
            targets: .branchtargets one, two;
            mov.u32 %i, %tid.x;
            brx.idx %i, targets;
        one:
            ld.param.u64 %f, [function];
            {
                .param .b64 a;
                .param .b64 b;
                .param .b32 r;
                call (r), %f, (a, b), prototype;
            }
        two:
            exit;
        }
    }

    #[kernel]
    pub fn tensor(#[align(64)] map: [crate::B64; 16], bar: crate::Ptr<crate::Shared, u64>) {
        ptx! {
            .reg .b32 %c<2>;
            .reg .b64 %m;
            .shared .align 1024 .b8 tile[1024];
            .shared .align 8 .b64 full;
            mov.b64 %m, map;
            cvta.param.u64 %m, %m;
            mov.b32 %c0, 0;
            mov.b32 %c1, 0;
            mbarrier.init.shared::cta.b64 [full], 1;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [tile], [%m, {%c0, %c1}], [full];
            cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%m, {%c0, %c1}];
            ret;
        }
    }
}

#[test]
fn bodies_are_verbatim() {
    check(
        &bodies::MODULE,
        &expect![[r#"
            .version 8.0
            .target sm_90a
            .address_size 64

            .global .u32 COUNT;
            .const .u8 FORMAT[4] = {37, 100, 10};

            .extern .func (.param .s32 returned) vprintf(.param .u64 format, .param .u64 arguments);

            .visible .entry everything(
                .param .u32 n
            )
            {
                .reg .pred p, q;
                .reg .b16 %h<2>;
                .reg .b32 %r<6>, r$1;
                .reg .b64 %rd<4>, %$x;
                .reg .f32 %f<2>;
                .reg .v4 .f32 V;
                .local .align 8 .b8 stack[16];
                .shared .align 16 .f32 tile[4][4];
                .global .u32 counter = 7;
                .const .f32 half[] = {0f3F000000, .25};

                ld.param.u32 %r1, [n];
                mov.u32 %r2, %tid.x;
                setp.lt.and.u32 p|q, %r1, WARP_SZ, !p;
                mov.f32 %f1, 0f3F000000;
                mov.f32 %f0, 0f3F800000;
                mov.f32 V.x, %f1;
                mov.b64 %rd1, -8;
                mov.b64 %rd2, 18446744073709551615;
                mov.f64 %rd3, 0d3FB999999999999A;
                mov.b32 %r3, 15360;
                mov.b32 %r4, -1;
                mov.b32 r$1, %r1;
                mov.b64 %$x, {%r1, %r2};
                mov.b64 {%r1, _}, %$x;
            $L__BB0_1:
                @!p bra $L__BB0_2;
                add.u32 %r2, %r2, 1;
                {
                    .reg .b32 %r<1>;

                    mov.u32 %r0, 3*(4+1);
                inner:
                    @q bra inner;
                }
                bra.uni $L__BB0_1;
            $L__BB0_2:
                atom.global.add.u32 %r5, [COUNT], 1;
                st.local.u32 [stack+4], %r5;
                st.shared.v4.f32 [tile+16], V;
                ld.global.u32 %r1, [counter];
                ld.const.f32 %f0, [half+4];
                {
                    .param .b64 format;
                    .param .b64 arguments;
                    .param .b32 result;

                    mov.b64 %rd1, FORMAT;
                    cvta.const.u64 %rd2, %rd1;
                    st.param.b64 [format], %rd2;
                    mov.b64 %rd3, 0;
                    st.param.b64 [arguments], %rd3;
                    call.uni (result), vprintf, (format, arguments);
                    ld.param.b32 %r1, [result];
                }
                .pragma "nounroll";
                mov.u64 %rd1, everything;
                ret;
            }

            .visible .entry calls(
                .param .u64 function
            )
            {
                .reg .b32 %i;
                .reg .b64 %f;

            prototype:
                .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);
            targets:
                .branchtargets one, two;
                mov.u32 %i, %tid.x;
                brx.idx %i, targets;
            one:
                ld.param.u64 %f, [function];
                {
                    .param .b64 a;
                    .param .b64 b;
                    .param .b32 r;

                    call (r), %f, (a, b), prototype;
                }
            two:
                exit;
            }

            .visible .entry tensor(
                .param .align 64 .b64 map[16],
                .param .u64 .ptr .shared .align 8 bar
            )
            {
                .reg .b32 %c<2>;
                .reg .b64 %m;
                .shared .align 1024 .b8 tile[1024];
                .shared .align 8 .b64 full;

                mov.b64 %m, map;
                cvta.param.u64 %m, %m;
                mov.b32 %c0, 0;
                mov.b32 %c1, 0;
                mbarrier.init.shared::cta.b64 [full], 1;
                mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], 1024;
                cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%m, {%c0, %c1}], [full];
                cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%m, {%c0, %c1}];
                ret;
            }
        "#]],
    );
}

#[ptx::module(target = sm_90a)]
mod conditional {
    use ptx::prelude::*;

    #[cfg_attr(all(), cfg(any()))]
    #[global]
    static TABLE: u32;
    #[cfg_attr(all(), doc = "The one that exists.", cfg(all()))]
    #[global(align = 16)]
    static TABLE: [f64; 4];
    /// Its type asks for an alignment that only one of the two has.
    #[constant]
    static FIRST: Ptr<Generic, V2<f64>> = generic(TABLE);

    #[cfg_attr(all(), cfg(any()))]
    #[kernel]
    fn absent() {
        ptx! { ret; }
    }
}

#[test]
fn a_condition_in_a_cfg_attr_is_one() {
    check(
        &conditional::MODULE,
        &expect![[r#"
            .version 8.0
            .target sm_90a
            .address_size 64

            .global .align 16 .f64 TABLE[4];
            .const .u64 FIRST = generic(TABLE);
        "#]],
    );
}
