//! The layout of numbers in the types that slices of `f32` are converted to.

/// Implements the layout of lanes in a value, the first in the lowest bits: bytes, nibbles, halves, and so on.
macro_rules! lanes {
    (bytes $Bits:ty, $LANES:literal) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            let mut bytes = [0; $LANES];
            bytes.copy_from_slice(codes);
            Self::from_bits(<$Bits>::from_le_bytes(bytes))
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            codes.copy_from_slice(&self.to_bits().to_le_bytes());
        }
    };
    (nibbles $Bits:ty, 2) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bits(codes[0] | codes[1] << 4)
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            codes.copy_from_slice(&[self.to_bits() & 15, self.to_bits() >> 4]);
        }
    };
    (nibbles $Bits:ty, 4) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bits(u16::from_le_bytes([
                codes[0] | codes[1] << 4,
                codes[2] | codes[3] << 4,
            ]))
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            let [low, high] = self.to_bits().to_le_bytes();
            codes.copy_from_slice(&[low & 15, low >> 4, high & 15, high >> 4]);
        }
    };
    (halves u32, 2) => {
        #[inline(always)]
        fn join(codes: &[u16]) -> Self {
            Self::from_bits(u32::from(codes[0]) | u32::from(codes[1]) << 16)
        }

        #[allow(clippy::cast_possible_truncation)] // the halves
        #[inline(always)]
        fn split(self, codes: &mut [u16]) {
            codes.copy_from_slice(&[self.to_bits() as u16, (self.to_bits() >> 16) as u16]);
        }
    };
    // Four elements of 6 bits in three bytes.
    (six 3, 4) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bytes([
                codes[0] | codes[1] << 6,
                codes[1] >> 2 | codes[2] << 4,
                codes[2] >> 4 | codes[3] << 2,
            ])
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            let [a, b, c] = self.to_bytes();
            codes.copy_from_slice(&[
                a & 0x3f,
                (a >> 6 | b << 2) & 0x3f,
                (b >> 4 | c << 4) & 0x3f,
                c >> 2,
            ]);
        }
    };
    (four 1, 2) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            Self::from_bytes([codes[0] | codes[1] << 4])
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            let [byte] = self.to_bytes();
            codes.copy_from_slice(&[byte & 15, byte >> 4]);
        }
    };
    // Sixteen elements in units of whole bytes, followed by padding.
    (padded ($Unit:ty), 16) => {
        #[inline(always)]
        fn join(codes: &[u8]) -> Self {
            const UNIT: usize = size_of::<$Unit>();
            let mut bytes = [0; 16];
            let units = codes.chunks_exact(<$Unit as $crate::Quantized>::LANES);
            for (to, codes) in bytes.chunks_exact_mut(UNIT).zip(units) {
                to.copy_from_slice(&<$Unit as $crate::Quantized>::join(codes).to_bytes());
            }
            Self::from_bytes(bytes)
        }

        #[inline(always)]
        fn split(self, codes: &mut [u8]) {
            const UNIT: usize = size_of::<$Unit>();
            let units = codes.chunks_exact_mut(<$Unit as $crate::Quantized>::LANES);
            for (bytes, codes) in self.to_bytes().chunks_exact(UNIT).zip(units) {
                let mut unit = [0; UNIT];
                unit.copy_from_slice(bytes);
                <$Unit>::from_bytes(unit).split(codes);
            }
        }
    };
    (whole $Bits:ty, 1) => {
        #[inline(always)]
        fn join(codes: &[$Bits]) -> Self {
            Self::from_bits(codes[0])
        }

        #[inline(always)]
        fn split(self, codes: &mut [$Bits]) {
            codes[0] = self.to_bits();
        }
    };
}
pub(crate) use lanes;

/// Implements `Quantized`, one row for each storage: its element, the integer type of a code, its lanes and layout.
macro_rules! quantized {
    ($($S:ty: $E:ty, $Code:ty, $LANES:tt $kind:ident of $Bits:tt;)*) => {$(
        impl $crate::Quantized for $S {
            type Element = $E;
            const LANES: usize = $LANES;
            type Code = $Code;

            #[allow(clippy::cast_possible_truncation)] // no code is wider
            #[inline(always)]
            fn narrow(bits: u32) -> $Code {
                bits as $Code
            }

            #[inline(always)]
            fn widen(code: $Code) -> u32 {
                code.into()
            }

            $crate::values::quantized::lanes!($kind $Bits, $LANES);
        }
    )*};
}
pub(crate) use quantized;
