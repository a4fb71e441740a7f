//! The options of a tensor map: interleave, swizzle, L2 promotion, and the fill for elements out of
//! bounds.

use crate::name::named;

/// Declares an option enum: the name in a declaration and the driver's number.
macro_rules! options {
    ($(#[$doc:meta])* $Enum:ident: $($(#[$row:meta])* $Name:ident $name:literal $driver:literal;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $Enum {
            $($(#[$row])* $Name,)*
        }

        impl $Enum {
            /// Every choice, in the driver's order.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Every name, in the same order.
            const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name in a declaration.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $name,)* }
            }

            /// The driver's number.
            #[inline]
            pub const fn driver(self) -> u32 {
                const TABLE: [u32; $Enum::ALL.len()] = [$($driver),*];
                TABLE[self as usize]
            }

            /// The choice with this driver number.
            pub const fn from_driver(number: u32) -> Option<Self> {
                match number { $($driver => Some(Self::$Name),)* _ => None }
            }

            /// The choice with this name in a declaration.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|choice| choice.name() == name)
            }
        }
    };
}

options! {
    /// The layout of channels in memory (PTX ISA 5.5.6). `tensormap.replace` uses the driver's
    /// numbers.
    Interleave:
    /// Contiguous: NDHWC.
    None "None" 0;
    /// In slices of 16 bytes: NC/8DHWC8 with 2 bytes a channel.
    B16 "B16" 1;
    /// In slices of 32 bytes: NC/16DHWC16 with 2 bytes a channel.
    B32 "B32" 2;
}

options! {
    /// The size of an L2 cache fetch.
    L2Promotion:
    /// The default.
    None "None" 0;
    /// 64 bytes.
    B64 "B64" 1;
    /// 128 bytes.
    B128 "B128" 2;
    /// 256 bytes.
    B256 "B256" 3;
}

options! {
    /// What a load writes for elements outside the tensor (PTX ISA 5.5.3.3). `tensormap.replace`
    /// uses the driver's numbers.
    OobFill:
    /// Zeros.
    Zero "Zero" 0;
    /// A special NaN, which `fma` with `.oob` treats as zero; floating-point elements only.
    Nan "Nan" 1;
}

named!(Interleave, "an interleave", ["16B" => "B16", "32B" => "B32"]);
named!(L2Promotion, "a promotion of the L2 cache", [
    "L2_64B" => "B64", "L2_128B" => "B128", "L2_256B" => "B256",
    "64B" => "B64", "128B" => "B128", "256B" => "B256",
]);
named!(OobFill, "a fill for elements out of bounds", [
    "NAN_REQUEST_ZERO_FMA" => "Nan", "0" => "Zero", "zeros" => "Zero",
]);

impl Interleave {
    /// The bytes of a slice of channels, which dimension 0 then counts; `None` without an interleave.
    pub const fn slice_bytes(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::B16 => Some(16),
            Self::B32 => Some(32),
        }
    }
}

/// Declares [`Swizzle`]: the name in a declaration, the driver's number, the numbers that
/// `tensormap.replace` takes for the mode and the atomicity, and the geometry in bytes; in tables
/// like those of [`ElementType`](super::ElementType).
macro_rules! swizzles {
    ($(
        $(#[$doc:meta])*
        $Name:ident $name:literal driver $driver:expr, replace $mode:literal $atomicity:literal,
        span $span:literal atom $atom:literal repeat $repeat:literal;
    )*) => {
        /// How 16-byte chunks of a box are permuted in shared memory (PTX ISA 5.5.7).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Swizzle {
            $($(#[$doc])* $Name,)*
        }

        impl Swizzle {
            /// Every swizzle.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// Every name, in the same order.
            const NAMES: &'static [&'static str] = &[$($name),*];

            /// The name in a declaration: `B128`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Name => $name,)* }
            }

            /// The driver's number; `None` for the one that only `tensormap.replace` can set.
            pub const fn driver(self) -> Option<u32> {
                match self { $(Self::$Name => $driver,)* }
            }

            /// The number that `tensormap.replace.tile.swizzle_mode` takes.
            #[inline]
            pub const fn replace_mode(self) -> u32 {
                const TABLE: [u32; Swizzle::ALL.len()] = [$($mode),*];
                TABLE[self as usize]
            }

            /// The number that `tensormap.replace.tile.swizzle_atomicity` takes.
            pub const fn replace_atomicity(self) -> u32 {
                match self { $(Self::$Name => $atomicity,)* }
            }

            /// The bytes within which chunks move, which a row of the box must not exceed; 0
            /// without a swizzle.
            #[inline]
            pub const fn span(self) -> u32 {
                const TABLE: [u32; Swizzle::ALL.len()] = [$($span),*];
                TABLE[self as usize]
            }

            /// The bytes that stay together; 0 without a swizzle.
            #[inline]
            pub const fn atom(self) -> u32 {
                const TABLE: [u32; Swizzle::ALL.len()] = [$($atom),*];
                TABLE[self as usize]
            }

            /// The bytes after which the pattern repeats; at these boundaries the base offset is
            /// zero. 1 without a swizzle.
            #[inline]
            pub const fn repeat(self) -> u32 {
                const TABLE: [u32; Swizzle::ALL.len()] = [$($repeat),*];
                TABLE[self as usize]
            }
        }
    };
}

swizzles! {
    /// Shared memory has the same order as global memory.
    None "None" driver Some(0), replace 0 0, span 0 atom 0 repeat 1;
    /// 16-byte chunks within 32 bytes.
    B32 "B32" driver Some(1), replace 1 0, span 32 atom 16 repeat 256;
    /// 16-byte chunks within 64 bytes.
    B64 "B64" driver Some(2), replace 2 0, span 64 atom 16 repeat 512;
    /// 16-byte chunks within 128 bytes.
    B128 "B128" driver Some(3), replace 3 0, span 128 atom 16 repeat 1024;
    /// 32-byte chunks within 128 bytes.
    B128Atom32 "B128Atom32" driver Some(4), replace 3 1, span 128 atom 32 repeat 1024;
    /// 32-byte chunks within 128 bytes; in every other line the halves of each 16 bytes are
    /// swapped. Loads only.
    B128Atom32Flip8 "B128Atom32Flip8" driver Some(5), replace 3 2, span 128 atom 32 repeat 1024;
    /// 64-byte chunks within 128 bytes.
    B128Atom64 "B128Atom64" driver Some(6), replace 3 3, span 128 atom 64 repeat 1024;
    /// 16-byte chunks of rows of 96 bytes. The driver has no number for it: it can only be set with
    /// `tensormap.replace`, on `sm_103a` only.
    B96 "B96" driver None, replace 4 0, span 96 atom 16 repeat 256;
}

named!(Swizzle, "a swizzle", [
    "32B" => "B32", "64B" => "B64", "96B" => "B96", "128B" => "B128",
    "SWIZZLE_NONE" => "None", "SWIZZLE_32B" => "B32", "SWIZZLE_64B" => "B64", "SWIZZLE_96B" => "B96",
    "SWIZZLE_128B" => "B128", "SWIZZLE_128B_ATOM_32B" => "B128Atom32",
    "SWIZZLE_128B_ATOM_32B_FLIP_8B" => "B128Atom32Flip8", "SWIZZLE_128B_ATOM_64B" => "B128Atom64",
]);

impl Swizzle {
    /// The binary logarithm of the bytes of a line of shared memory. The number of a line
    /// determines how its chunks move.
    const LINE_SHIFT: u32 = 7;

    /// The swizzle with this name in a declaration: `B128`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|swizzle| swizzle.name() == name)
    }

    /// The swizzle with this driver number.
    pub const fn from_driver(number: u32) -> Option<Self> {
        let mut i = 0;
        while i < Self::ALL.len() {
            if matches!(Self::ALL[i].driver(), Some(known) if known == number) {
                return Some(Self::ALL[i]);
            }
            i += 1;
        }
        None
    }

    /// The alignment in bytes that gives a tile a base offset of zero, and that
    /// `cp.async.bulk.tensor` requires of its destination: the repeat, and at least 128.
    pub const fn alignment(self) -> u32 {
        if matches!(self, Self::None) { 128 } else { self.repeat() }
    }

    /// The address of the byte that would be at this address of shared memory without the swizzle.
    ///
    /// The address is the absolute one, or an offset from a multiple of [`repeat`](Self::repeat).
    /// The function is its own inverse.
    ///
    /// ```
    /// use ptx_isa::tensor::Swizzle;
    /// // The second line of 128 bytes starts with its second chunk.
    /// assert_eq!(Swizzle::B128.apply(128), 144);
    /// ```
    pub const fn apply(self, address: usize) -> usize {
        let line = address >> Self::LINE_SHIFT;
        let atom = self.atom() as usize;
        match self {
            Self::None => address,
            Self::B96 => address ^ ((line & 1) * atom),
            Self::B32 | Self::B64 | Self::B128 | Self::B128Atom32 | Self::B128Atom64 => {
                address ^ ((line & (self.span() as usize / atom - 1)) * atom)
            }
            Self::B128Atom32Flip8 => Self::B128Atom32.apply(address) ^ ((line & 1) << 3),
        }
    }

    /// The base offset of a tile at this address of shared memory: its line within the pattern, as
    /// in the table of PTX ISA 5.5.7.
    pub const fn base_offset(self, address: usize) -> usize {
        (address >> Self::LINE_SHIFT) % (self.repeat().div_ceil(1 << Self::LINE_SHIFT) as usize)
    }
}
