//! The fields of a descriptor and their positions.
//!
//! NVIDIA does not publish the layout: this one was observed in descriptors that the driver (API
//! 13.0) wrote for `sm_90`, and the names are ours. Every bit that was ever seen to be set is here.

use crate::map::ElementType;

/// A field of a descriptor: a number of bits from a position, the lowest first, in the 128 bytes
/// read as one little-endian number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits {
    /// The name of its contents.
    pub name: &'static str,
    /// The position of its lowest bit.
    pub at: usize,
    /// The number of its bits, at most 64.
    pub width: usize,
}

/// The descriptors that a field is in: the box of tiled maps and the corners of `im2col` maps share
/// bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum In {
    All,
    Tiled,
    Im2col,
}

macro_rules! bits {
    ($($NAME:ident $name:literal $at:literal $width:literal $which:ident;)*) => {
        $(pub(super) const $NAME: Bits = Bits { name: $name, at: $at, width: $width };)*

        /// Every field of a descriptor, as observed on `sm_90` with driver API 13.0; those of tiled
        /// maps and those of `im2col` maps overlap.
        pub const BITS: &[Bits] = &[$($NAME),*];

        /// The descriptors that each of [`BITS`] is in.
        pub(super) const WHICH: &[In] = &[$(In::$which),*];
    };
}

bits! {
    ADDRESS "address" 0 64 All;
    IM2COL "im2col" 64 1 All;
    RANK "rank - 1" 68 3 All;
    FORMAT "element format" 71 4 All;
    INTERLEAVE "interleave" 75 2 All;
    SWIZZLE "swizzle" 77 2 All;
    NAN "NaN fill" 79 1 All;
    TF32 "rounds to tf32" 80 1 All;
    PROMOTION "L2 promotion" 81 2 All;
    STRIDE_1 "low bits of stride 1 / 16" 96 32 All;
    STRIDE_2 "low bits of stride 2 / 16" 128 32 All;
    STRIDE_3 "low bits of stride 3 / 16" 160 32 All;
    STRIDE_4 "low bits of stride 4 / 16" 192 32 All;
    STRIDE_1_HIGH "high bits of stride 1 / 16" 224 4 All;
    STRIDE_2_HIGH "high bits of stride 2 / 16" 228 4 All;
    STRIDE_3_HIGH "high bits of stride 3 / 16" 232 4 All;
    STRIDE_4_HIGH "high bits of stride 4 / 16" 236 4 All;
    DIM_0 "extent 0 - 1" 256 32 All;
    DIM_1 "extent 1 - 1" 288 32 All;
    DIM_2 "extent 2 - 1" 320 32 All;
    DIM_3 "extent 3 - 1" 352 32 All;
    DIM_4 "extent 4 - 1" 384 32 All;
    ELEMENT_STRIDE_0 "traversal stride 0 - 1" 416 3 All;
    ELEMENT_STRIDE_1 "traversal stride 1 - 1" 419 3 All;
    ELEMENT_STRIDE_2 "traversal stride 2 - 1" 422 3 All;
    ELEMENT_STRIDE_3 "traversal stride 3 - 1" 425 3 All;
    ELEMENT_STRIDE_4 "traversal stride 4 - 1" 428 3 All;
    BOX_0 "box 0 - 1" 440 8 Tiled;
    BOX_1 "box 1 - 1" 448 8 Tiled;
    BOX_2 "box 2 - 1" 456 8 Tiled;
    BOX_3 "box 3 - 1" 464 8 Tiled;
    BOX_4 "box 4 - 1" 472 8 Tiled;
    CHANNELS "channels per pixel - 1" 440 8 Im2col;
    LOWER "lower corners" 448 16 Im2col;
    UPPER "upper corners" 464 16 Im2col;
    PIXELS "pixels per column - 1" 480 10 Im2col;
    TILE_BYTES "bytes of a tile" 512 18 All;
    ALIGNMENT "alignment of the tile" 576 11 All;
}

/// A descriptor that is being written, as little-endian words. No field spans two words, except the
/// address, which is the first two.
pub(super) type Words = [u32; 32];

const _: () = {
    let mut i = 0;
    while i < BITS.len() {
        let is_address = BITS[i].at == ADDRESS.at && BITS[i].width == 64;
        assert!(is_address || BITS[i].at % 32 + BITS[i].width <= 32, "a field lies in one word");
        i += 1;
    }
};

/// The bytes of the words.
#[inline]
pub(super) const fn to_bytes(words: &Words) -> [u8; 128] {
    const ZEROS: [[u8; 4]; 32] = [[0; 4]; 32];
    let (mut bytes, mut i) = (ZEROS, 0);
    while i < words.len() {
        bytes[i] = words[i].to_le_bytes();
        i += 1;
    }
    match bytes.as_flattened().first_chunk() {
        Some(bytes) => *bytes,
        None => panic!("32 words have 128 bytes"),
    }
}

/// The strides' fields: low and high bits.
pub(super) const STRIDES: [(Bits, Bits); 4] = [
    (STRIDE_1, STRIDE_1_HIGH),
    (STRIDE_2, STRIDE_2_HIGH),
    (STRIDE_3, STRIDE_3_HIGH),
    (STRIDE_4, STRIDE_4_HIGH),
];

/// The extents' fields.
pub(super) const DIMS: [Bits; 5] = [DIM_0, DIM_1, DIM_2, DIM_3, DIM_4];

/// The traversal strides' fields.
pub(super) const ELEMENT_STRIDES: [Bits; 5] =
    [ELEMENT_STRIDE_0, ELEMENT_STRIDE_1, ELEMENT_STRIDE_2, ELEMENT_STRIDE_3, ELEMENT_STRIDE_4];

/// The box's fields.
pub(super) const BOXES: [Bits; 5] = [BOX_0, BOX_1, BOX_2, BOX_3, BOX_4];

impl Bits {
    /// Reads the field.
    pub const fn get(self, bytes: &[u8; 128]) -> u64 {
        let (words, _) = bytes.as_chunks::<8>();
        u64::from_le_bytes(words[self.at / 64]) >> (self.at % 64) & self.mask()
    }

    /// Writes `value`, which must fit, into the field, which must be zero.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::cast_possible_truncation)] // The field is a constant; only the address has more than 32 bits.
    pub(super) const fn put(self, words: &mut Words, value: u64) {
        debug_assert!(self.excess(value) == 0, "it fits");
        words[self.at / 32] |= (value as u32) << (self.at % 32);
        if self.at == ADDRESS.at {
            words[1] |= (value >> 32) as u32;
        }
    }

    /// The lowest bits of a value, which fit the field.
    #[inline]
    pub(super) const fn cut(self, value: u64) -> u64 {
        value & self.mask()
    }

    /// The bits of a value that do not fit the field.
    #[inline]
    pub(super) const fn excess(self, value: u64) -> u64 {
        value & !self.mask()
    }

    /// The mask of the bits of a value that fit the field.
    #[inline]
    pub(super) const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.width)
    }

    /// Whether the field contains this bit of the descriptor.
    pub(super) const fn covers(self, bit: usize) -> bool {
        bit >= self.at && bit < self.at + self.width
    }
}

/// Declares what a descriptor holds for each element type: the format, and whether the elements
/// round to `tf32`.
macro_rules! formats {
    ($($Element:ident $format:literal $tf32:literal;)*) => {
        const fn format_of(element: ElementType) -> Option<(u64, bool)> {
            match element {
                $(ElementType::$Element => Some(($format, $tf32)),)*
                ElementType::B4x16
                | ElementType::B4x16P64
                | ElementType::B6x16P32
                | ElementType::B6P2x16 => None,
            }
        }

        /// The element type with this format in a descriptor.
        pub(super) const fn element(format: u64, is_tf32: bool) -> Option<ElementType> {
            match (format, is_tf32) {
                $(($format, $tf32) => Some(ElementType::$Element),)*
                _ => None,
            }
        }
    };
}

/// What a descriptor holds for each element type; `None` for those that `sm_90` does not have. It
/// is a table because a jump would cost the encoder time.
const FORMATS: [Option<(u64, bool)>; ElementType::ALL.len()] = {
    let mut formats = [None; ElementType::ALL.len()];
    let mut i = 0;
    while i < formats.len() {
        formats[ElementType::ALL[i] as usize] = format_of(ElementType::ALL[i]);
        i += 1;
    }
    formats
};

/// The format of an element type in a descriptor, which is `tensormap.replace`'s number with `tf32`
/// as an `f32` that rounds; `None` for those that `sm_90` does not have.
#[inline]
pub(super) const fn format(element: ElementType) -> Option<(u64, bool)> {
    FORMATS[element as usize]
}

formats! {
    U8 0 false;
    U16 1 false;
    U32 2 false;
    I32 3 false;
    U64 4 false;
    I64 5 false;
    F16 6 false;
    F32 7 false;
    F32Ftz 8 false;
    F64 9 false;
    Bf16 10 false;
    Tf32 7 true;
    Tf32Ftz 8 true;
}
