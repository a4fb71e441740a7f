//! The formats, one row each, from which the types, their constants and their conversions are derived.

/// The meaning of the bit patterns with the greatest exponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Specials {
    /// As in IEEE 754: infinities and NaNs have the greatest exponent.
    Ieee,
    /// All exponent and mantissa bits set is a NaN; there are no infinities.
    OneNan,
    /// Every pattern is a finite number.
    None,
}

/// A floating-point format of PTX (PTX ISA 5.2.3, and `.f16`).
///
/// A *code* is the value's bits with the sign at the top. It is the lowest [`bits`](Self::bits) bits of the
/// storage, except for `tf32`, whose storage has [`padding`](Self::padding) bits below the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Format {
    /// PTX's name, without a dot: `e4m3`.
    pub name: &'static str,
    /// The Rust type: `E4M3`, or `f16` of the crate `half`.
    pub rust_name: &'static str,
    /// The number of bits of a code: sign, exponent and mantissa.
    pub bits: u32,
    /// Whether the format has a sign bit.
    pub is_signed: bool,
    /// The number of exponent bits.
    pub exponent_bits: u32,
    /// The number of mantissa bits, without the hidden bit.
    pub mantissa_bits: u32,
    /// The exponent bias.
    pub bias: i32,
    /// The meaning of the bit patterns with the greatest exponent.
    pub specials: Specials,
    /// Whether the least exponent is for zero and subnormal numbers; in `ue8m0` it is a power of two
    /// like any other.
    pub has_zero: bool,
    /// The bits of storage below the code: 13 for `tf32`, which is stored as an `.f32` (5.2.3).
    pub padding: u32,
    /// The storage of the NaN that `cvt` produces; `None` for a format without NaN.
    pub nan: Option<u32>,
    /// The driver's tensor-map data type of the elements; `None` if tensor maps copy them as
    /// bytes.
    pub tensor_map: Option<&'static str>,
    /// The lowest PTX version, major and minor, in which `cvt` converts to it, or, for `ue4m3`, in which `mma` reads it.
    pub since: (u8, u8),
    /// The lowest architecture (90 for `sm_90`) that supports this.
    pub min_arch: u16,
}

/// Declares one constant for each row of the small floats.
macro_rules! formats {
    ($($(#[$_type:meta])* $F:ident($_Bits:ident) {
        cvt: $_modifiers:literal = $_cvt:expr,
        with: [$($_word:ident)*],
        $(#[$doc:meta])* format: $ROW:ident { $($field:ident: $value:expr,)* },
        $(variable: $_Scalar:ident,)?
    })*) => {
        impl Format {
            /// Every format.
            pub const ALL: &'static [&'static Self] = &[&Self::F16, &Self::BF16, $(&Self::$ROW),*];

            $(
                $(#[$doc])*
                pub const $ROW: Self = Self {
                    rust_name: stringify!($F),
                    $($field: $value,)*
                    ..Self::ROW
                };
            )*
        }
    };
}

crate::__small_floats!(formats);

impl Format {
    /// The defaults of a row.
    const ROW: Self = Self {
        name: "",
        rust_name: "",
        bits: 8,
        is_signed: true,
        exponent_bits: 0,
        mantissa_bits: 0,
        bias: 0,
        specials: Specials::Ieee,
        has_zero: true,
        padding: 0,
        nan: None,
        tensor_map: None,
        since: (8, 6),
        min_arch: 100,
    };

    /// `.f16`: IEEE 754 half precision.
    pub const F16: Self = Self {
        name: "f16",
        rust_name: "f16",
        bits: 16,
        exponent_bits: 5,
        mantissa_bits: 10,
        bias: 15,
        nan: Some(0x7fff),
        tensor_map: Some("FLOAT16"),
        since: (1, 0),
        min_arch: 10,
        ..Self::ROW
    };

    /// `bf16`: the upper half of an `.f32`.
    pub const BF16: Self = Self {
        name: "bf16",
        rust_name: "bf16",
        bits: 16,
        exponent_bits: 8,
        mantissa_bits: 7,
        bias: 127,
        nan: Some(0x7fff),
        tensor_map: Some("BFLOAT16"),
        since: (7, 0),
        min_arch: 80,
        ..Self::ROW
    };

    /// The names of the formats in safetensors files, for those that have one.
    const SAFETENSORS: [(Self, &'static str); 8] = [
        (Self::F16, "F16"),
        (Self::BF16, "BF16"),
        (Self::E4M3, "F8_E4M3"),
        (Self::E5M2, "F8_E5M2"),
        (Self::UE8M0, "F8_E8M0"),
        (Self::E2M3, "F6_E2M3"),
        (Self::E3M2, "F6_E3M2"),
        (Self::E2M1, "F4"),
    ];

    /// The dtype of a tensor with these elements in a safetensors file: `F8_E4M3`. `None` for `ue4m3` and
    /// `tf32`, which such files do not support.
    ///
    /// Elements of `F4` and `F6_..` are stored without gaps, as in [`Dense`](super::Dense).
    ///
    /// ```
    /// use ptx_float::Format;
    ///
    /// assert_eq!(Format::UE8M0.safetensors_name(), Some("F8_E8M0"));
    /// assert_eq!(Format::from_safetensors_name("F4"), Some(&Format::E2M1));
    /// ```
    #[doc(alias("safetensors", "dtype"))]
    pub fn safetensors_name(&self) -> Option<&'static str> {
        let found = Self::SAFETENSORS.iter().find(|(format, _)| format == self)?;
        Some(found.1)
    }

    /// The format for the dtype of a tensor in a safetensors file; `None` for a dtype that is not one of these, such
    /// as an integer or `F32`.
    #[doc(alias("safetensors", "dtype"))]
    pub fn from_safetensors_name(name: &str) -> Option<&'static Self> {
        let (format, _) = Self::SAFETENSORS.iter().find(|(_, known)| *known == name)?;
        Self::ALL.iter().copied().find(|known| *known == format)
    }

    /// The bits of a code without the sign.
    pub(super) const fn magnitude_mask(&self) -> u32 {
        (1 << (self.exponent_bits + self.mantissa_bits)) - 1
    }

    /// The sign bit of a code; 0 if the format has none.
    pub(super) const fn sign_bit(&self) -> u32 {
        if self.is_signed { 1 << (self.bits - 1) } else { 0 }
    }

    /// The code of infinity, if the format has one.
    pub const fn infinity(&self) -> Option<u32> {
        match self.specials {
            Specials::Ieee => Some(((1 << self.exponent_bits) - 1) << self.mantissa_bits),
            Specials::OneNan | Specials::None => None,
        }
    }

    /// The code of the greatest finite number.
    pub const fn max(&self) -> u32 {
        match (self.specials, self.infinity()) {
            (_, Some(infinity)) => infinity - 1,
            (Specials::OneNan, None) => self.magnitude_mask() - 1,
            (Specials::None | Specials::Ieee, None) => self.magnitude_mask(),
        }
    }

    /// The code of the least positive normal number; for `ue8m0`, of the least number.
    pub const fn min_positive(&self) -> u32 {
        if self.has_zero { 1 << self.mantissa_bits } else { 0 }
    }

    /// The storage bits that a value can have set.
    pub const fn storage_mask(&self) -> u32 {
        ((1 << self.bits) - 1) << self.padding
    }
}
