//! The small floats, one row each, from which their formats, host types, conversions
//! of slices, trait implementations and re-exports are derived.

/// Calls the macro `$then` with the tokens `$with`, followed by the row of every small float that has a
/// host type in this crate; the host types of `f16` and `bf16` are in `half`.
///
/// A row is the host type with the type of its bits in parentheses, and
/// - `cvt`: the modifiers of the conversion that functions without modifiers use;
/// - `with`: its properties (`zero`, `sign`, `nan`, `infinity`), whether `every_pattern` of the
///   bits is a value or there are `unused_bits`, which are zero, and whether it is a `scale` of
///   blocks;
/// - `format`: the fields of its [`Format`](crate::Format) that differ from the defaults;
/// - `variable`, if PTX has variables of one element: its `ScalarType` in `ptx-isa`.
///
/// It is not covered by semantic versioning.
#[doc(hidden)]
#[macro_export]
macro_rules! __small_floats {
    ($then:ident $($with:tt)*) => { $then! { $($with)*
        /// 1 sign, 4 exponent and 3 mantissa bits; up to 448, with a NaN and without infinities. `.b8` in PTX (PTX ISA
        /// 5.2.3).
        #[doc(alias("fp8", "F8E4M3", "F8_E4M3", "float8_e4m3fn"))]
        E4M3(u8) {
            cvt: ".rn.satfinite" = Cvt::RN.satfinite(),
            with: [zero sign nan every_pattern scale],
            /// `e4m3`: up to 448, with a NaN and without infinities.
            format: E4M3 {
                name: "e4m3", exponent_bits: 4, mantissa_bits: 3, bias: 7,
                specials: Specials::OneNan, nan: Some(0x7f), since: (7, 8), min_arch: 89,
            },
            variable: E4m3,
        }
        /// 1 sign, 5 exponent and 2 mantissa bits; up to 57344. `.b8` in PTX (PTX ISA 5.2.3).
        #[doc(alias("fp8", "F8E5M2", "F8_E5M2", "float8_e5m2"))]
        E5M2(u8) {
            cvt: ".rn.satfinite" = Cvt::RN.satfinite(),
            with: [zero sign nan infinity every_pattern],
            /// `e5m2`: up to 57344, following IEEE 754.
            format: E5M2 {
                name: "e5m2", exponent_bits: 5, mantissa_bits: 2, bias: 15,
                nan: Some(0x7f), since: (7, 8), min_arch: 89,
            },
            variable: E5m2,
        }
        /// 1 sign, 2 exponent and 3 mantissa bits, in the lower 6 bits of a byte; up to 7.5. PTX only has packed
        /// types of it (PTX ISA 5.2.3).
        #[doc(alias("fp6", "mxfp6", "F6_E2M3"))]
        E2M3(u8) {
            cvt: ".rn.satfinite" = Cvt::RN.satfinite(),
            with: [zero sign unused_bits],
            /// `e2m3`: up to 7.5, finite numbers only.
            format: E2M3 {
                name: "e2m3", bits: 6, exponent_bits: 2, mantissa_bits: 3, bias: 1,
                specials: Specials::None, tensor_map: Some("16U6_ALIGN16B"),
            },
        }
        /// 1 sign, 3 exponent and 2 mantissa bits, in the lower 6 bits of a byte; up to 28. PTX only has packed
        /// types of it (PTX ISA 5.2.3).
        #[doc(alias("fp6", "mxfp6", "F6_E3M2"))]
        E3M2(u8) {
            cvt: ".rn.satfinite" = Cvt::RN.satfinite(),
            with: [zero sign unused_bits],
            /// `e3m2`: up to 28, finite numbers only.
            format: E3M2 {
                name: "e3m2", bits: 6, exponent_bits: 3, mantissa_bits: 2, bias: 3,
                specials: Specials::None, tensor_map: Some("16U6_ALIGN16B"),
            },
        }
        /// 1 sign bit, 2 exponent bits and 1 mantissa bit, in the lower 4 bits of a byte: 0, 0.5, 1, 1.5, 2,
        /// 3, 4 and 6. PTX only has packed types of it (PTX ISA 5.2.3).
        #[doc(alias("fp4", "mxfp4", "nvfp4", "F4_E2M1", "float4_e2m1fn"))]
        E2M1(u8) {
            cvt: ".rn.satfinite" = Cvt::RN.satfinite(),
            with: [zero sign unused_bits],
            /// `e2m1`: 0, 0.5, 1, 1.5, 2, 3, 4 and 6.
            format: E2M1 {
                name: "e2m1", bits: 4, exponent_bits: 2, mantissa_bits: 1, bias: 1,
                specials: Specials::None, tensor_map: Some("16U4_ALIGN8B"),
            },
        }
        /// 8 exponent bits: the powers of two from 2^-127 to 2^127, and a NaN, but no zero. PTX only has packed
        /// types of it (PTX ISA 5.2.3).
        ///
        /// It has no sign: conversions use a number's magnitude, and 0 becomes the least number.
        #[doc(alias("mx", "F8_E8M0", "float8_e8m0fnu"))]
        Ue8m0(u8) {
            cvt: ".rp.satfinite" = Cvt::RP.satfinite(),
            with: [nan every_pattern scale],
            /// `ue8m0`: the powers of two from 2^-127 to 2^127, without zero and sign.
            format: UE8M0 {
                name: "ue8m0", is_signed: false, exponent_bits: 8, bias: 127,
                specials: Specials::OneNan, has_zero: false, nan: Some(0xff),
            },
        }
        /// 4 exponent and 3 mantissa bits without a sign, in the lower 7 bits of a byte; up to 448, with a NaN.
        /// `.b8` in PTX (PTX ISA 5.2.3).
        ///
        /// Negative numbers become 0.
        #[doc(alias("nvfp4"))]
        Ue4m3(u8) {
            cvt: ".rn.satfinite" = Cvt::RN.satfinite(),
            with: [zero nan unused_bits scale],
            /// `ue4m3`: `e4m3` without its sign. It is used for scales of matrices; `cvt` does not convert to it.
            format: UE4M3 {
                name: "ue4m3", bits: 7, is_signed: false, exponent_bits: 4, mantissa_bits: 3, bias: 7,
                specials: Specials::OneNan, nan: Some(0x7f),
            },
            variable: Ue4m3,
        }
        /// The range of `f32` with 10 mantissa bits, in the upper 19 of 32 bits. `.b32` in PTX (PTX ISA
        /// 5.2.3).
        ///
        /// `cvt.rna` keeps the upper bits of an `f32` NaN: one whose upper mantissa bits
        /// are zero becomes an infinity.
        Tf32(u32) {
            cvt: ".rna" = Cvt::RNA,
            with: [zero sign nan infinity unused_bits],
            /// `tf32`: the upper 19 bits of an `.f32`.
            format: TF32 {
                name: "tf32", bits: 19, exponent_bits: 8, mantissa_bits: 10, bias: 127, padding: 13,
                nan: Some(0x7fff_e000), tensor_map: Some("TFLOAT32"),
                since: (7, 0), min_arch: 80,
            },
            variable: Tf32,
        }
    } };
}
