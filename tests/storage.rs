//! The features of chapter 5 beyond plain variables, as users write them: addresses in initial values, opaque
//! types, families, attributes, device functions.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use expect_test::{Expect, expect};
use ptx::prelude::*;
use ptx::{AddressMode, ChannelOrder, ChannelType, FilterMode};

/// Compares the text, and assembles it with the real ptxas.
fn check(module: &ptx::Module<'_>, expected: &Expect) {
    expected.assert_eq(&module.to_string());
    assert!(module.check().is_empty(), "{:?}", module.check());
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(module) {
            panic!("{refused}\n{module}");
        }
    }
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Entry {
    key: u32,
    length: u32,
    data: Ptr<Generic, f32>,
}

#[ptx::module(target = sm_80)]
mod addresses {
    use super::*;

    const STEP: usize = 4;

    #[global]
    pub static LATER: Ptr<Global, u32> = addr(BAR) + 8;
    #[constant]
    static FOO: u32 = 42;
    #[global]
    static BAR: [u32; 3] = [2, 3, 5];
    #[global]
    static PARR: [Ptr<Generic, u32>; 3] =
        [generic(BAR), generic(BAR) + STEP, generic(BAR) + 2 * STEP];
    #[global]
    static IN_CONST: Ptr<Const, u32> = addr(FOO);
    #[global]
    static SAME: [u64; 4] = [addr(BAR); 4];
    #[global]
    static BYTES: [u8; 10] = [
        mask(0xFF, addr(FOO)),
        mask(0xFF00, addr(FOO)),
        mask(0xFF_0000, generic(FOO) + 2),
        mask(0xFF, 1000 + 546),
        mask(0xFF00, 131187),
        0,
        7,
        mask(0xFF, addr(twice)),
        0,
        0,
    ];
    #[global]
    static ENTRIES: [Entry; 2] = [
        Entry { key: 1, length: 3, data: generic(SAMPLES) },
        Entry { key: 2, length: 0, data: Ptr::NULL },
    ];
    #[global]
    static SAMPLES: Ptr<Generic, f32>;
    #[constant]
    static TABLE: [u64; 3] = [addr(twice), addr(thrice), addr(launch)];

    #[device]
    fn twice(x: Reg<f32>) -> Reg<f32> {
        ptx! {
            add.f32 returned, x, x;
            ret;
        }
    }

    #[device(returns(sum))]
    fn thrice(x: f32) -> f32 {
        ptx! {
            .reg .f32 %a, %b;
            ld.param.f32 %a, [x];
            call (%b), twice, (%a);
            add.f32 %b, %b, %a;
            st.param.f32 [sum], %b;
            ret;
        }
    }

    #[kernel]
    pub fn launch(out: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %x;
            .reg .b64 %rd;
            .param .f32 in;
            .param .f32 out_;
            ld.const.u64 %rd, [TABLE];
            st.param.f32 [in], 0f40000000;
            call (out_), thrice, (in);
            ld.param.f32 %x, [out_];
            ld.param.u64 %rd, [out];
            st.global.f32 [%rd], %x;
            ret;
        }
    }
}

#[test]
fn addresses_stand_after_what_they_name() {
    check(
        &addresses::MODULE,
        &expect![[r#"
        .version 7.1
        .target sm_80
        .address_size 64

        .func (.reg .f32 returned) twice(.reg .f32 x);
        .func (.param .f32 sum) thrice(.param .f32 x);
        .visible .entry launch(
            .param .u64 .ptr .global .align 4 out
        );

        .global .u32 BAR[3] = {2, 3, 5};
        .visible .global .u64 LATER = BAR+8;
        .const .u32 FOO = 42;
        .global .u64 PARR[3] = {generic(BAR), generic(BAR)+4, generic(BAR)+8};
        .global .u64 IN_CONST = FOO;
        .global .u64 SAME[4] = {BAR, BAR, BAR, BAR};
        .global .u8 BYTES[10] = {0xFF(FOO), 0xFF00(FOO), 0xFF0000(generic(FOO)+2), 10, 0, 0, 7,
            0xFF(twice)};
        .global .u64 SAMPLES;
        .global .align 8 .u8 ENTRIES[32] = {1, 0, 0, 0, 3, 0, 0, 0, 0xFF(generic(SAMPLES)), 0xFF00(generic(SAMPLES)),
            0xFF0000(generic(SAMPLES)), 0xFF000000(generic(SAMPLES)), 0xFF00000000(generic(SAMPLES)),
            0xFF0000000000(generic(SAMPLES)), 0xFF000000000000(generic(SAMPLES)), 0xFF00000000000000(generic(SAMPLES)),
            2};
        .const .u64 TABLE[3] = {twice, thrice, launch};

        .func (.reg .f32 returned) twice(.reg .f32 x)
        {
            add.f32 returned, x, x;
            ret;
        }

        .func (.param .f32 sum) thrice(.param .f32 x)
        {
            .reg .f32 %a, %b;

            ld.param.f32 %a, [x];
            call (%b), twice, (%a);
            add.f32 %b, %b, %a;
            st.param.f32 [sum], %b;
            ret;
        }

        .visible .entry launch(
            .param .u64 .ptr .global .align 4 out
        )
        {
            .reg .f32 %x;
            .reg .b64 %rd;
            .param .f32 in;
            .param .f32 out_;

            ld.const.u64 %rd, [TABLE];
            st.param.f32 [in], 0f40000000;
            call (out_), thrice, (in);
            ld.param.f32 %x, [out_];
            ld.param.u64 %rd, [out];
            st.global.f32 [%rd], %x;
            ret;
        }
    "#]],
    );
    assert_eq!(addresses::LATER.initial().map(|p| p.address()), Some(0));
}

#[ptx::module(target = sm_80, texmode = independent)]
mod textures {
    use super::*;

    #[global]
    pub static TEX: TexRef = TexRef::new()
        .width(64)
        .height(32)
        .channel_data_type(ChannelType::UnormInt8)
        .channel_order(ChannelOrder::Rgba)
        .normalized_coords(true);
    #[global]
    static SAMPLER: SamplerRef = SamplerRef::new()
        .addr_mode_0(AddressMode::ClampToBorder)
        .filter_mode(FilterMode::Nearest)
        .force_unnormalized_coords(false);
    #[global]
    static SURFACE: SurfRef = SurfRef::new().memory_layout(true);

    #[kernel]
    fn k(tex: TexRef, sampler: SamplerRef, surf: SurfRef) {
        ptx! {
            .reg .f32 %f<4>;
            .reg .s32 %i<2>;
            mov.s32 %i0, 0;
            mov.s32 %i1, 0;
            tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, sampler, {%i0, %i1}];
            tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [TEX, SAMPLER, {%i0, %i1}];
            ret;
        }
    }
}

#[test]
fn textures_samplers_and_surfaces() {
    check(
        &textures::MODULE,
        &expect![[r#"
        .version 7.0
        .target sm_80, texmode_independent
        .address_size 64

        .visible .global .texref TEX = { width = 64, height = 32, channel_data_type = 4306, channel_order = 4277, normalized_coords = 1 };
        .global .samplerref SAMPLER = { addr_mode_0 = clamp_to_border, filter_mode = nearest, force_unnormalized_coords = 0 };
        .global .surfref SURFACE = { memory_layout = 1 };

        .entry k(
            .param .texref tex,
            .param .samplerref sampler,
            .param .surfref surf
        )
        {
            .reg .f32 %f<4>;
            .reg .s32 %i<2>;

            mov.s32 %i0, 0;
            mov.s32 %i1, 0;
            tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex, sampler, {%i0, %i1}];
            tex.2d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [TEX, SAMPLER, {%i0, %i1}];
            ret;
        }
    "#]],
    );
}

#[ptx::module(target = sm_90)]
mod attributes {
    use super::*;

    #[global(unified(19, 0xAB))]
    static F: f32 = 1.5;
    #[global(managed)]
    pub static G: i32;
    #[global(managed, unified(1, 2))]
    pub static BOTH: u64;
    #[global]
    #[unsafe(export_name = "exported$name")]
    pub static RENAMED: u32 = 3;
    #[shared]
    static TILE: Family<V4<f32>, 10>;
    #[global]
    static COUNTER: Family<u32, 3>;

    #[device(unified(0xAB, 0xCD))]
    fn bar() {
        ptx! { ret; }
    }

    #[kernel(weak)]
    #[unsafe(export_name = "kernel")]
    pub fn k() {
        ptx! {
            .reg .f32 %f<4>;
            .reg .b32 %r;
            ld.global.f32 %f0, [F].unified;
            ld.global.u32 %r, [RENAMED];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [TILE3];
            ld.global.u32 %r, [COUNTER2];
            ret;
        }
    }
}

#[test]
fn attributes_names_and_families() {
    check(
        &attributes::MODULE,
        &expect![[r#"
            .version 8.0
            .target sm_90
            .address_size 64

            .global .attribute(.unified(0x0000000000000013, 0x00000000000000AB)) .f32 F = 0f3FC00000;
            .visible .global .attribute(.managed) .s32 G;
            .visible .global .attribute(.managed) .attribute(.unified(0x0000000000000001, 0x0000000000000002)) .u64 BOTH;
            .visible .global .u32 exported$name = 3;
            .shared .v4 .f32 TILE<10>;
            .global .u32 COUNTER<3>;

            .func .attribute(.unified(0x00000000000000AB, 0x00000000000000CD)) bar()
            {
                ret;
            }

            .weak .entry kernel()
            {
                .reg .f32 %f<4>;
                .reg .b32 %r;

                ld.global.f32 %f0, [F].unified;
                ld.global.u32 %r, [exported$name];
                ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [TILE3];
                ld.global.u32 %r, [COUNTER2];
                ret;
            }
        "#]],
    );
    assert_eq!(attributes::k().static_shared_bytes(), 16);
    assert_eq!(attributes::k().name(), "kernel");
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct MyStruct {
    d: f64,
    y: i32,
    _pad: u32,
}

#[ptx::module(target = sm_80)]
mod functions {
    use super::*;

    #[device]
    fn later_used(n: Reg<B32>, s: MyStruct) -> MyStruct {
        ptx! {
            .reg .f64 %d;
            .reg .s32 %y;
            ld.param.f64 %d, [s + #(offset_of!(MyStruct, d))];
            ld.param.s32 %y, [s + #(offset_of!(MyStruct, y))];
            add.s32 %y, %y, n;
            st.param.f64 [returned], %d;
            st.param.s32 [returned + 8], %y;
            ret;
        }
    }

    #[device(returns(quotient, is_exact))]
    pub fn divide(a: Reg<u32>, b: Reg<u32>) -> (Reg<u32>, Reg<u32>) {
        ptx! {
            .reg .u32 %r;
            div.u32 quotient, a, b;
            rem.u32 %r, a, b;
            mov.u32 is_exact, %r;
            ret;
        }
    }

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[kernel]
    fn k(s: MyStruct) {
        ptx! {
            .reg .f64 %d;
            .reg .b32 %r<3>;
            .param .align 8 .b8 a[16];
            .param .align 8 .b8 b[#(size_of::<MyStruct>())];
            ld.param.f64 %d, [s];
            st.param.f64 [a], %d;
            st.param.b32 [a + 8], 7;
            call (b), later_used, (3, a);
            ld.param.b32 %r0, [b + 8];
            call (%r1, %r2), divide, (%r0, 3);
            ret;
        }
    }
}

#[test]
fn device_functions_take_structs_and_registers() {
    check(
        &functions::MODULE,
        &expect![[r#"
        .version 7.0
        .target sm_80
        .address_size 64

        .func (.param .align 8 .b8 returned[16]) later_used(.reg .b32 n, .param .align 8 .b8 s[16])
        {
            .reg .f64 %d;
            .reg .s32 %y;

            ld.param.f64 %d, [s+0];
            ld.param.s32 %y, [s+8];
            add.s32 %y, %y, n;
            st.param.f64 [returned], %d;
            st.param.s32 [returned+8], %y;
            ret;
        }

        .visible .func (.reg .u32 quotient, .reg .u32 is_exact) divide(.reg .u32 a, .reg .u32 b)
        {
            .reg .u32 %r;

            div.u32 quotient, a, b;
            rem.u32 %r, a, b;
            mov.u32 is_exact, %r;
            ret;
        }

        .extern .func (.param .s32 returned) vprintf(.param .u64 format, .param .u64 arguments);

        .entry k(
            .param .align 8 .b8 s[16]
        )
        {
            .reg .f64 %d;
            .reg .b32 %r<3>;
            .param .align 8 .b8 a[16];
            .param .align 8 .b8 b[16];

            ld.param.f64 %d, [s];
            st.param.f64 [a], %d;
            st.param.b32 [a+8], 7;
            call (b), later_used, (3, a);
            ld.param.b32 %r0, [b+8];
            call (%r1, %r2), divide, (%r0, 3);
            ret;
        }
    "#]],
    );
}

#[ptx::module(target = sm_100)]
mod formats {
    use super::*;

    #[global]
    pub static BRAIN: bf16 = bf16::from_f32_const(1.0);
    #[global]
    pub static E4: E4M3 = E4M3::from_bits(0x38);
    #[global]
    pub static E5: [E5M2; 3] = [E5M2::from_bits(0x3C); 3];
    #[global]
    pub static UE4: Ue4m3 = Ue4m3::from_bits(0x38);
    #[global]
    pub static TENSOR: V2<Tf32> = V2::new([Tf32::from_bits(0x3F80_0000); 2]);
    #[global]
    pub static F16X2: F16x2 = F16x2::from_bits(0x3C00_3C00);
    #[global]
    pub static F16X2_PLAIN: F16x2;
    #[global]
    pub static F32X2: F32x2 = F32x2::from_bits(0x3F80_0000_3F80_0000);
    #[global]
    pub static BF16X2: Bf16x2 = Bf16x2::from_bits(0x3F80_3F80);
    #[global]
    pub static E4M3X2: E4M3x2 = E4M3x2::from_bits(0x3838);
    #[global]
    pub static E5M2X2: E5M2x2 = E5M2x2::from_bits(0x3C3C);
    #[global]
    pub static E2M3X2: E2M3x2 = E2M3x2::from_bits(0x0808);
    #[global]
    pub static E3M2X2: E3M2x2 = E3M2x2::from_bits(0x0C0C);
    #[global]
    pub static UE8M0X2: Ue8m0x2 = Ue8m0x2::from_bits(0x7F7F);
    #[global]
    pub static E2M1X2: E2M1x2 = E2M1x2::from_bits(0x22);
    #[global]
    pub static E4M3X4: [V4<E4M3x4>; 2] = [V4::new([E4M3x4::from_bits(0x3838_3838); 4]); 2];
    #[global]
    pub static E5M2X4: E5M2x4 = E5M2x4::from_bits(0x3C3C_3C3C);
    #[global]
    pub static E2M3X4: E2M3x4 = E2M3x4::from_bits(0x0808_0808);
    #[global]
    pub static E3M2X4: E3M2x4 = E3M2x4::from_bits(0x0C0C_0C0C);
    #[global]
    pub static E2M1X4: E2M1x4 = E2M1x4::from_bits(0x2222);
    #[global]
    pub static U16X2: U16x2 = U16x2::from_bits(0x0001_0002);
    #[global]
    pub static S16X2: S16x2 = S16x2::from_bits(0xFFFF_0001);
    #[shared]
    static THREE: V3<f32>;
    #[constant]
    pub static THREE_VALUES: [V3<f32>; 2] = [V3::new([1.0, 2.0, 3.0]), V3::new([4.0, 5.0, 6.0])];

    #[kernel]
    fn k(packed: E4M3x4, halves: F16x2, three: V3<f32>) {
        ptx! { ret; }
    }
}

/// Sections 5.2.3 and 5.2.4: each format is declared with the bit type that carries it.
#[ptx::module(target = sm_90)]
mod of_another {
    use super::*;

    #[shared(extern)]
    static THEIRS: [u32; 4];
    #[shared(extern)]
    static ONE: V2<f32>;
    /// In CUDA's notation.
    #[shared(extern)]
    static LAUNCH: [f32];

    #[kernel]
    pub fn reads() {
        ptx! {
            .reg .b32 %r;
            .reg .f32 %f;
            ld.shared.u32 %r, [THEIRS + 4];
            ld.shared.f32 %f, [ONE];
            st.shared.f32 [LAUNCH], %f;
            ret;
        }
    }
}

#[test]
fn shared_memory_of_another_module() {
    check(
        &of_another::MODULE,
        &expect![[r#"
        .version 7.8
        .target sm_90
        .address_size 64

        .extern .shared .u32 THEIRS[4];
        .extern .shared .v2 .f32 ONE;
        .extern .shared .align 4 .b8 LAUNCH[];

        .visible .entry reads()
        {
            .reg .b32 %r;
            .reg .f32 %f;

            ld.shared.u32 %r, [THEIRS+4];
            ld.shared.f32 %f, [ONE];
            st.shared.f32 [LAUNCH], %f;
            ret;
        }
    "#]],
    );
    assert_eq!(of_another::reads().static_shared_bytes(), 24);
}

#[test]
fn formats_are_declared_as_their_carriers() {
    check(
        &formats::MODULE,
        &expect![[r#"
        .version 8.6
        .target sm_100
        .address_size 64

        .visible .global .b16 BRAIN = 0x3F80;
        .visible .global .b8 E4 = 0x38;
        .visible .global .b8 E5[3] = {0x3C, 0x3C, 0x3C};
        .visible .global .b8 UE4 = 0x38;
        .visible .global .v2 .b32 TENSOR = {0x3F800000, 0x3F800000};
        .visible .global .b32 F16X2 = 0x3C003C00;
        .visible .global .f16x2 F16X2_PLAIN;
        .visible .global .b64 F32X2 = 0x3F8000003F800000;
        .visible .global .b32 BF16X2 = 0x3F803F80;
        .visible .global .b16 E4M3X2 = 0x3838;
        .visible .global .b16 E5M2X2 = 0x3C3C;
        .visible .global .b16 E2M3X2 = 0x0808;
        .visible .global .b16 E3M2X2 = 0x0C0C;
        .visible .global .b16 UE8M0X2 = 0x7F7F;
        .visible .global .b8 E2M1X2 = 0x22;
        .visible .global .v4 .b32 E4M3X4[2] = {{0x38383838, 0x38383838, 0x38383838, 0x38383838}, {0x38383838,
            0x38383838, 0x38383838, 0x38383838}};
        .visible .global .b32 E5M2X4 = 0x3C3C3C3C;
        .visible .global .b32 E2M3X4 = 0x08080808;
        .visible .global .b32 E3M2X4 = 0x0C0C0C0C;
        .visible .global .b16 E2M1X4 = 0x2222;
        .visible .global .b32 U16X2 = 0x00010002;
        .visible .global .b32 S16X2 = 0xFFFF0001;
        .shared .v4 .f32 THREE;
        .visible .const .v4 .f32 THREE_VALUES[2] = {{0f3F800000, 0f40000000, 0f40400000, 0f00000000}, {0f40800000,
            0f40A00000, 0f40C00000, 0f00000000}};

        .entry k(
            .param .b32 packed,
            .param .b32 halves,
            .param .align 16 .b8 three[16]
        )
        {
            ret;
        }
    "#]],
    );
    assert_eq!(formats::E4M3X4.bytes(), 32);
    assert_eq!(formats::THREE_VALUES.bytes(), 32);
    let values = formats::THREE_VALUES.initial().expect("an initial value");
    assert!(values[1] == V3::new([4.0, 5.0, 6.0]));
}

/// Table 9, with its row spans restored: the register type of each packed type.
#[test]
fn packed_types_have_the_carriers_of_table_9() {
    const TABLE: &[(&str, &str, usize)] = &[
        ("f16x2", ".f16x2", 4),
        ("f32x2", ".b64", 8),
        ("bf16x2", ".b32", 4),
        ("e4m3x2", ".b16", 2),
        ("e5m2x2", ".b16", 2),
        ("e2m3x2", ".b16", 2),
        ("e3m2x2", ".b16", 2),
        ("ue8m0x2", ".b16", 2),
        ("e2m1x2", ".b8", 1),
        ("e4m3x4", ".b32", 4),
        ("e5m2x4", ".b32", 4),
        ("e2m3x4", ".b32", 4),
        ("e3m2x4", ".b32", 4),
        ("e2m1x4", ".b16", 2),
        ("u16x2", ".b32", 4),
        ("s16x2", ".b32", 4),
    ];
    for (name, carrier, bytes) in TABLE {
        let scalar = ptx::ScalarType::from_name(name).expect("it is a type");
        assert_eq!((scalar.declared(), scalar.bytes()), (*carrier, *bytes), "{name}");
        assert_eq!(
            scalar.initialised().0.trim_start_matches(".b"),
            (8 * bytes).to_string(),
            "{name}"
        );
    }
}

#[ptx::module(target = sm_90a)]
mod large {
    use super::*;

    #[global]
    static X: [u32; 4];
    #[global]
    pub static POINTERS: [Ptr<Generic, u32>; 8192] = [generic(X) + 4; 8192];
    #[global]
    pub static ENTRIES: [Entry; 1024] = [Entry { key: 1, length: 2, data: Ptr::NULL }; 1024];
}

/// Tables of thousands of pointers are within rustc's limit for constant evaluation.
#[test]
fn large_tables_of_pointers() {
    match large::POINTERS.ir().init {
        ptx::ir::Init::Linked(linked) => {
            assert_eq!(linked.links.len(), 8192);
            assert!(linked.links.iter().enumerate().all(|(i, link)| link.at == 8 * i));
        }
        other => panic!("{other:?}"),
    }
    for ptxas in xtask::oracles() {
        assert!(ptxas.assemble(&large::MODULE).is_ok());
    }
}
