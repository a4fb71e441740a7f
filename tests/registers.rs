//! Registers of every type (PTX ISA 5.1.1, 5.2.1), declared in bodies.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use ptx::ScalarType;

#[ptx::module(target = sm_80)]
mod registers {
    #[kernel]
    fn k() {
        ptx! {
            .reg .u8 u8; .reg .v2 .u8 u8_2; .reg .v4 .u8 u8_4;
            .reg .u16 u16; .reg .v2 .u16 u16_2; .reg .v4 .u16 u16_4;
            .reg .u32 u32; .reg .v2 .u32 u32_2; .reg .v4 .u32 u32_4;
            .reg .u64 u64; .reg .v2 .u64 u64_2;
            .reg .s8 s8; .reg .v2 .s8 s8_2; .reg .v4 .s8 s8_4;
            .reg .s16 s16; .reg .v2 .s16 s16_2; .reg .v4 .s16 s16_4;
            .reg .s32 s32; .reg .v2 .s32 s32_2; .reg .v4 .s32 s32_4;
            .reg .s64 s64; .reg .v2 .s64 s64_2;
            .reg .f16 f16; .reg .v2 .f16 f16_2; .reg .v4 .f16 f16_4;
            .reg .f16x2 f16x2; .reg .v2 .f16x2 f16x2_2; .reg .v4 .f16x2 f16x2_4;
            .reg .f32 f32; .reg .v2 .f32 f32_2; .reg .v4 .f32 f32_4;
            .reg .f64 f64; .reg .v2 .f64 f64_2;
            .reg .b8 b8; .reg .v2 .b8 b8_2; .reg .v4 .b8 b8_4;
            .reg .b16 b16; .reg .v2 .b16 b16_2; .reg .v4 .b16 b16_4;
            .reg .b32 b32; .reg .v2 .b32 b32_2; .reg .v4 .b32 b32_4;
            .reg .b64 b64; .reg .v2 .b64 b64_2;
            .reg .b128 b128;
            .reg .pred p, q; .reg .pred %p<4>;
            .reg .align 16 .b32 aligned<4>;
            mov.b32 b32, 1;
            mov.b32 {b16, s16}, b32;
            mov.b128 b128, {b64, b64};
            setp.eq.u32 p|q, b32, 1;
            ret;
        }
    }
}

/// Every fundamental type, alone and in the vectors of at most 16 bytes.
#[test]
fn registers_of_every_type() {
    let text = registers::MODULE.to_string();
    for scalar in ScalarType::ALL.iter().filter(|scalar| scalar.is_fundamental()) {
        let name = scalar.name();
        assert!(text.contains(&format!("    .reg .{name} ")), "{name}");
        for lanes in [2, 4] {
            let vector = format!("    .reg .v{lanes} .{name} ");
            let has = lanes * scalar.bytes() <= 16 && *scalar != ScalarType::Pred;
            assert_eq!(text.contains(&vector), has, "{vector}");
        }
    }
    assert!(registers::MODULE.check().is_empty());
    for ptxas in xtask::oracles() {
        if let Err(refused) = ptxas.assemble(&registers::MODULE) {
            panic!("{refused}\n{text}");
        }
    }
}
