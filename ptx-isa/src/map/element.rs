//! The types of a tensor's elements, one row each.

use crate::name::named;

/// The directions in which a type can be copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// From global to shared memory and back.
    Both,
    /// From global to shared memory only.
    Load,
    /// From shared to global memory only.
    Store,
}

/// Declares [`ElementType`]: its name in a declaration, PTX's name, the driver's number, the number
/// that `tensormap.replace` takes, the bits of one element in global memory, the bytes of 16
/// elements in shared memory, and its traits. The check and the encoder of a map read tables: a
/// `match` would compile to an indirect jump, which is mispredicted when element types vary.
macro_rules! elements {
    ($(
        $(#[$doc:meta])*
        $Name:ident $name:literal $ptx:literal driver $driver:literal replace $replace:literal
        bits $bits:literal shared $shared:literal float $float:literal $direction:ident;
    )*) => {
        /// The type of a tensor's elements (PTX ISA 5.5.1), as a tensor map names it.
        ///
        /// The driver and `tensormap.replace` number them differently from 8 to 10.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum ElementType {
            $($(#[$doc])* $Name,)*
        }

        impl ElementType {
            /// Every type, in the driver's order.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Every name, in the same order.
            const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name in a declaration: `bf16`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $name,)* }
            }

            /// PTX's name, without a dot: `bf16`, `f32.ftz`.
            pub const fn ptx_name(self) -> &'static str {
                match self { $(Self::$Name => $ptx,)* }
            }

            /// The driver's number, a `CUtensorMapDataType`.
            pub const fn driver(self) -> u32 {
                match self { $(Self::$Name => $driver,)* }
            }

            /// The number that `tensormap.replace.tile.elemtype` takes.
            pub const fn replace_code(self) -> u32 {
                match self { $(Self::$Name => $replace,)* }
            }

            /// The bits of one element in global memory.
            #[inline]
            pub const fn bits(self) -> u32 {
                const TABLE: [u8; ElementType::ALL.len()] = [$($bits),*];
                TABLE[self as usize] as u32
            }

            /// The bytes that 16 elements take in shared memory, padding included.
            #[inline]
            pub const fn shared_bytes_of_16(self) -> u32 {
                // The entries are bytes, so that the compiler knows which products cannot overflow.
                const TABLE: [u8; ElementType::ALL.len()] = [$($shared),*];
                TABLE[self as usize] as u32
            }

            /// Whether elements are floating-point numbers, so that NaN may fill elements out of
            /// bounds.
            #[inline]
            pub const fn is_float(self) -> bool {
                const TABLE: [bool; ElementType::ALL.len()] = [$($float),*];
                TABLE[self as usize]
            }

            /// The directions in which elements can be copied.
            pub const fn direction(self) -> Direction {
                match self { $(Self::$Name => Direction::$direction,)* }
            }
        }
    };
}

elements! {
    /// 8-bit unsigned integers, and 8-bit floats as their bits.
    U8 "u8" "u8" driver 0 replace 0 bits 8 shared 16 float false Both;
    /// 16-bit unsigned integers.
    U16 "u16" "u16" driver 1 replace 1 bits 16 shared 32 float false Both;
    /// 32-bit unsigned integers.
    U32 "u32" "u32" driver 2 replace 2 bits 32 shared 64 float false Both;
    /// 32-bit signed integers.
    I32 "i32" "s32" driver 3 replace 3 bits 32 shared 64 float false Both;
    /// 64-bit unsigned integers.
    U64 "u64" "u64" driver 4 replace 4 bits 64 shared 128 float false Both;
    /// 64-bit signed integers.
    I64 "i64" "s64" driver 5 replace 5 bits 64 shared 128 float false Both;
    /// IEEE 754 half precision.
    F16 "f16" "f16" driver 6 replace 6 bits 16 shared 32 float true Both;
    /// IEEE 754 single precision.
    F32 "f32" "f32" driver 7 replace 7 bits 32 shared 64 float true Both;
    /// IEEE 754 double precision.
    F64 "f64" "f64" driver 8 replace 9 bits 64 shared 128 float true Both;
    /// The upper half of an `f32`.
    Bf16 "bf16" "bf16" driver 9 replace 10 bits 16 shared 32 float true Both;
    /// Single precision; subnormal numbers become zero.
    F32Ftz "f32_ftz" "f32.ftz" driver 10 replace 8 bits 32 shared 64 float true Both;
    /// An `f32` of which only the upper 19 bits are used.
    Tf32 "tf32" "tf32" driver 11 replace 11 bits 32 shared 64 float true Both;
    /// Like [`Tf32`](Self::Tf32); subnormal numbers become zero.
    Tf32Ftz "tf32_ftz" "tf32.ftz" driver 12 replace 12 bits 32 shared 64 float true Both;
    /// 16 times 4 bits in 8 bytes, without gaps. The driver's `16U4_ALIGN8B`.
    B4x16 "b4x16" "b4x16" driver 13 replace 13 bits 4 shared 8 float false Both;
    /// 16 times 4 bits; in shared memory 8 bytes and 8 of padding. The driver's `16U4_ALIGN16B`.
    B4x16P64 "b4x16_p64" "b4x16_p64" driver 14 replace 14 bits 4 shared 16 float false Load;
    /// 16 times 6 bits; in shared memory 12 bytes and 4 of padding. The driver's
    /// `16U6_ALIGN16B`, when it is loaded.
    B6x16P32 "b6x16_p32" "b6x16_p32" driver 15 replace 15 bits 6 shared 16 float false Load;
    /// 16 times 6 bits; in shared memory a byte each, whose upper 2 bits are padding. The driver's
    /// `16U6_ALIGN16B`, when it is stored.
    B6P2x16 "b6p2x16" "b6p2x16" driver 15 replace 15 bits 6 shared 16 float false Store;
}

named!(ElementType, "a type of elements", [
    "bfloat16" => "bf16", "FLOAT32_FTZ" => "f32_ftz", "TFLOAT32_FTZ" => "tf32_ftz",
    "half" => "f16", "float16" => "f16", "fp16" => "f16",
    "float" => "f32", "float32" => "f32", "fp32" => "f32", "single" => "f32",
    "double" => "f64", "float64" => "f64", "fp64" => "f64",
    "tfloat32" => "tf32",
    "byte" => "u8", "uint8" => "u8", "int8" => "u8", "i8" => "u8", "s8" => "u8", "b8" => "u8",
    "uint16" => "u16", "int16" => "u16", "i16" => "u16", "s16" => "u16", "b16" => "u16",
    "uint32" => "u32", "int32" => "i32", "s32" => "i32", "int" => "i32", "b32" => "u32",
    "uint64" => "u64", "int64" => "i64", "s64" => "i64", "b64" => "u64",
    "fp8" => "u8", "e4m3" => "u8", "e5m2" => "u8", "ue8m0" => "u8",
    "F8_E4M3" => "u8", "F8_E5M2" => "u8", "float8_e4m3fn" => "u8", "float8_e5m2" => "u8",
    "fp4" => "b4x16", "e2m1" => "b4x16", "int4" => "b4x16", "16U4_ALIGN8B" => "b4x16",
    "16U4_ALIGN16B" => "b4x16_p64",
    "fp6" => "b6x16_p32", "e2m3" => "b6x16_p32", "e3m2" => "b6x16_p32", "16U6_ALIGN16B" => "b6x16_p32",
]);

impl ElementType {
    /// The Rust types of the small floats of one byte, which maps copy as bytes; they have rows in `ptx-float`.
    pub const BYTE_FLOATS: [&'static str; 4] = ["E4M3", "E5M2", "Ue8m0", "Ue4m3"];

    /// The type with this name in a declaration: `bf16`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|element| element.name() == name)
    }

    /// The type with this driver number; 15, which stands for two types, is the one for loads.
    pub const fn from_driver(number: u32) -> Option<Self> {
        let mut i = 0;
        while i < Self::ALL.len() {
            if Self::ALL[i].driver() == number {
                return Some(Self::ALL[i]);
            }
            i += 1;
        }
        None
    }

    /// Whether an element is smaller than a byte.
    #[inline]
    pub const fn is_sub_byte(self) -> bool {
        !self.bits().is_multiple_of(8)
    }

    /// Whether shared memory holds padding that global memory does not.
    #[inline]
    pub const fn is_padded(self) -> bool {
        self.shared_bytes_of_16() != self.global_bytes_of_16()
    }

    /// The bytes that 16 elements take in global memory.
    #[inline]
    #[doc(hidden)]
    pub const fn global_bytes_of_16(self) -> u32 {
        self.bits() * 2
    }

    /// The bytes that this many elements take in global memory, rounded up.
    #[inline]
    pub const fn global_bytes(self, elements: u64) -> u64 {
        elements.saturating_mul(self.bits() as u64).div_ceil(8)
    }

    /// The bytes that this many elements take in shared memory, padding included, rounded up.
    #[inline]
    pub const fn shared_bytes(self, elements: u64) -> u64 {
        elements.saturating_mul(self.shared_bytes_of_16() as u64).div_ceil(16)
    }
}
