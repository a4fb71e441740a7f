//! Scalar types (PTX ISA 5.2.1, table 8, and 5.2.3).

use crate::const_str::same;
use crate::target::Version;

/// The basic type that a scalar belongs to (PTX ISA 5.2.1, table 8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floating point.
    Float,
    /// Untyped bits.
    Bits,
    /// Predicates, which only exist in registers and have no size in memory.
    Predicate,
}

/// Declares the [`ScalarType`] enum. A new scalar type needs one row here, and one in `host.rs` of
/// `ptx-types` if it has a Rust counterpart; that of a small float is its row in `ptx-float`.
macro_rules! scalars {
    ($($(#[$doc:meta])* $Scalar:ident {
        name: $name:literal, rust: $rust:expr, declared: $declared:literal,
        initialised: $init:literal * $count:literal, bytes: $bytes:expr, class: $class:ident,
        version: ($major:literal, $minor:literal), arch: $arch:literal
    })*) => {
        /// A scalar type with which storage can be declared: the fundamental types (PTX ISA 5.2.1,
        /// table 8), the alternate formats (5.2.3) and the packed types (5.2.4, table 9).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ScalarType {
            $($(#[$doc])* $Scalar,)*
        }

        impl ScalarType {
            /// Every scalar type.
            pub const ALL: &'static [Self] = &[$(Self::$Scalar),*];

            /// PTX's name for the type, without a dot: `u32`, `bf16`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Scalar => $name,)* }
            }

            /// The corresponding Rust type, if there is one: `u32`, `B128`.
            pub const fn rust_name(self) -> Option<&'static str> {
                match self { $(Self::$Scalar => $rust,)* }
            }

            /// The type with which a variable is declared, dot included: `.u32`, or `.b16` for
            /// `bf16`, which is not a fundamental type.
            pub const fn declared(self) -> &'static str {
                match self { $(Self::$Scalar => concat!(".", $declared),)* }
            }

            /// The type with which an *initialised* variable is declared, dot included, and the
            /// number of them in one element. PTX accepts no initialiser for `.f16` and `.b128`;
            /// untyped bits of the same size and alignment carry them.
            pub const fn initialised(self) -> (&'static str, usize) {
                match self { $(Self::$Scalar => (concat!(".", $init), $count),)* }
            }

            /// The size in memory in bytes, which is also the natural alignment; 0 for a predicate,
            /// which has no size in memory.
            pub const fn bytes(self) -> usize {
                match self { $(Self::$Scalar => $bytes,)* }
            }

            /// The basic type.
            pub const fn class(self) -> Class {
                match self { $(Self::$Scalar => Class::$class,)* }
            }

            /// The lowest PTX version in which a variable of the type can be declared.
            pub const fn since(self) -> Version {
                match self { $(Self::$Scalar => Version::new($major, $minor),)* }
            }

            /// The lowest architecture (90 for `sm_90`) for which a variable of the type can be declared.
            pub const fn min_arch(self) -> u16 {
                match self { $(Self::$Scalar => $arch,)* }
            }

            /// The type with this PTX name, without a dot.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$Scalar),)*
                    _ => None,
                }
            }

            /// The scalar type with this Rust type name: `i32`, `bf16`, `B64`.
            pub fn from_rust_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|scalar| scalar.rust_name() == Some(name))
            }
        }
    };
}

scalars! {
    /// Unsigned, 1 byte.
    U8 { name: "u8", rust: Some("u8"), declared: "u8", initialised: "u8" * 1, bytes: 1, class: Unsigned, version: (1, 0), arch: 10 }
    /// Unsigned, 2 bytes.
    U16 { name: "u16", rust: Some("u16"), declared: "u16", initialised: "u16" * 1, bytes: 2, class: Unsigned, version: (1, 0), arch: 10 }
    /// Unsigned, 4 bytes.
    U32 { name: "u32", rust: Some("u32"), declared: "u32", initialised: "u32" * 1, bytes: 4, class: Unsigned, version: (1, 0), arch: 10 }
    /// Unsigned, 8 bytes.
    U64 { name: "u64", rust: Some("u64"), declared: "u64", initialised: "u64" * 1, bytes: 8, class: Unsigned, version: (1, 0), arch: 10 }
    /// Signed, 1 byte.
    S8 { name: "s8", rust: Some("i8"), declared: "s8", initialised: "s8" * 1, bytes: 1, class: Signed, version: (1, 0), arch: 10 }
    /// Signed, 2 bytes.
    S16 { name: "s16", rust: Some("i16"), declared: "s16", initialised: "s16" * 1, bytes: 2, class: Signed, version: (1, 0), arch: 10 }
    /// Signed, 4 bytes.
    S32 { name: "s32", rust: Some("i32"), declared: "s32", initialised: "s32" * 1, bytes: 4, class: Signed, version: (1, 0), arch: 10 }
    /// Signed, 8 bytes.
    S64 { name: "s64", rust: Some("i64"), declared: "s64", initialised: "s64" * 1, bytes: 8, class: Signed, version: (1, 0), arch: 10 }
    /// Half precision (1 sign, 5 exponent, 10 mantissa bits), 2 bytes.
    F16 { name: "f16", rust: Some("f16"), declared: "f16", initialised: "b16" * 1, bytes: 2, class: Float, version: (1, 0), arch: 10 }
    /// Brain float (1 sign, 8 exponent, 7 mantissa bits), 2 bytes, declared as `.b16` (5.2.3).
    Bf16 { name: "bf16", rust: Some("bf16"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Float, version: (1, 0), arch: 10 }
    /// Two halves packed into 4 bytes (5.2.4.1).
    F16x2 { name: "f16x2", rust: Some("F16x2"), declared: "f16x2", initialised: "b32" * 1, bytes: 4, class: Float, version: (1, 0), arch: 53 }
    /// Single precision, 4 bytes.
    F32 { name: "f32", rust: Some("f32"), declared: "f32", initialised: "f32" * 1, bytes: 4, class: Float, version: (1, 0), arch: 10 }
    /// Double precision, 8 bytes.
    F64 { name: "f64", rust: Some("f64"), declared: "f64", initialised: "f64" * 1, bytes: 8, class: Float, version: (1, 0), arch: 13 }
    /// Untyped, 1 byte.
    B8 { name: "b8", rust: Some("B8"), declared: "b8", initialised: "b8" * 1, bytes: 1, class: Bits, version: (1, 0), arch: 10 }
    /// Untyped, 2 bytes.
    B16 { name: "b16", rust: Some("B16"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Untyped, 4 bytes.
    B32 { name: "b32", rust: Some("B32"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Untyped, 8 bytes.
    B64 { name: "b64", rust: Some("B64"), declared: "b64", initialised: "b64" * 1, bytes: 8, class: Bits, version: (1, 0), arch: 10 }
    /// Untyped, 16 bytes.
    B128 { name: "b128", rust: Some("B128"), declared: "b128", initialised: "b64" * 2, bytes: 16, class: Bits, version: (8, 3), arch: 70 }
    /// Float of 1 sign, 4 exponent and 3 mantissa bits, declared as `.b8` (5.2.3).
    E4m3 { name: "e4m3", rust: Some("E4M3"), declared: "b8", initialised: "b8" * 1, bytes: 1, class: Bits, version: (1, 0), arch: 10 }
    /// Float of 1 sign, 5 exponent and 2 mantissa bits, declared as `.b8` (5.2.3).
    E5m2 { name: "e5m2", rust: Some("E5M2"), declared: "b8", initialised: "b8" * 1, bytes: 1, class: Bits, version: (1, 0), arch: 10 }
    /// Unsigned float of 4 exponent and 3 mantissa bits, declared as `.b8` (5.2.3).
    Ue4m3 { name: "ue4m3", rust: Some("Ue4m3"), declared: "b8", initialised: "b8" * 1, bytes: 1, class: Bits, version: (1, 0), arch: 10 }
    /// Float with the range of `.f32` and at least 10 mantissa bits, declared as `.b32` (5.2.3).
    Tf32 { name: "tf32", rust: Some("Tf32"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Two singles, declared as `.b64` (5.2.4.1, table 9).
    F32x2 { name: "f32x2", rust: Some("F32x2"), declared: "b64", initialised: "b64" * 1, bytes: 8, class: Bits, version: (1, 0), arch: 10 }
    /// Two brain floats, declared as `.b32` (table 9).
    Bf16x2 { name: "bf16x2", rust: Some("Bf16x2"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Two `e4m3`, declared as `.b16` (table 9).
    E4m3x2 { name: "e4m3x2", rust: Some("E4M3x2"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Two `e5m2`, declared as `.b16` (table 9).
    E5m2x2 { name: "e5m2x2", rust: Some("E5M2x2"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Two `e2m3`, each in a byte whose upper two bits are zero, declared as `.b16` (table 9).
    E2m3x2 { name: "e2m3x2", rust: Some("E2M3x2"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Two `e3m2`, each in a byte whose upper two bits are zero, declared as `.b16` (table 9).
    E3m2x2 { name: "e3m2x2", rust: Some("E3M2x2"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Two `ue8m0`, declared as `.b16` (table 9).
    Ue8m0x2 { name: "ue8m0x2", rust: Some("Ue8m0x2"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Two `e2m1` in one byte, declared as `.b8` (table 9).
    E2m1x2 { name: "e2m1x2", rust: Some("E2M1x2"), declared: "b8", initialised: "b8" * 1, bytes: 1, class: Bits, version: (1, 0), arch: 10 }
    /// Four `e4m3`, declared as `.b32` (table 9).
    E4m3x4 { name: "e4m3x4", rust: Some("E4M3x4"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Four `e5m2`, declared as `.b32` (table 9).
    E5m2x4 { name: "e5m2x4", rust: Some("E5M2x4"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Four `e2m3`, each in a byte whose upper two bits are zero, declared as `.b32` (table 9).
    E2m3x4 { name: "e2m3x4", rust: Some("E2M3x4"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Four `e3m2`, each in a byte whose upper two bits are zero, declared as `.b32` (table 9).
    E3m2x4 { name: "e3m2x4", rust: Some("E3M2x4"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Four `e2m1` in two bytes, declared as `.b16` (table 9).
    E2m1x4 { name: "e2m1x4", rust: Some("E2M1x4"), declared: "b16", initialised: "b16" * 1, bytes: 2, class: Bits, version: (1, 0), arch: 10 }
    /// Two `.u16`, declared as `.b32` (5.2.4.2).
    U16x2 { name: "u16x2", rust: Some("U16x2"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// Two `.s16`, declared as `.b32` (5.2.4.2).
    S16x2 { name: "s16x2", rust: Some("S16x2"), declared: "b32", initialised: "b32" * 1, bytes: 4, class: Bits, version: (1, 0), arch: 10 }
    /// A predicate: 1 bit, in registers only.
    Pred { name: "pred", rust: Some("Pred"), declared: "pred", initialised: "pred" * 1, bytes: 0, class: Predicate, version: (1, 0), arch: 10 }
}

impl ScalarType {
    /// Whether PTX declares variables of the type under its own name (table 8); other types are declared as
    /// untyped bits of their size (5.2.3, 5.2.4).
    pub const fn is_fundamental(self) -> bool {
        same(self.name(), self.declared().split_at(1).1)
    }

    /// Whether instructions of this type compute with floating-point numbers.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), Class::Float)
    }

    /// Whether it is a signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), Class::Signed)
    }

    /// Whether initialised variables are declared with a different type.
    pub const fn has_carrier(self) -> bool {
        !same(self.declared(), self.initialised().0)
    }

    /// The least and the greatest integer that the type can hold; `None` for floats and predicates.
    /// Untyped bits hold any integer that a signed or an unsigned type of their size can hold.
    pub const fn integer_range(self) -> Option<(i128, u128)> {
        let bits = self.bytes() * 8;
        match self.class() {
            Class::Unsigned => Some((0, (1 << bits) - 1)),
            Class::Signed => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            Class::Bits if bits == 128 => Some((i128::MIN, u128::MAX)),
            Class::Bits => Some((-(1 << (bits - 1)), (1 << bits) - 1)),
            Class::Float | Class::Predicate => None,
        }
    }
}
