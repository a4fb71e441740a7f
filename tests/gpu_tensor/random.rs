//! Random maps and operands that the GPU accepts: of tensors that fit into its memory, which few maps of ptx-smith do.

use ptx_smith::maps::ELEMENTS;
use ptx_types::tensor::model::Reduction;
use ptx_types::tensor::{Interleave, Mode, OobFill, Spec, Swizzle, Tensor};

/// Numbers without a pattern.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// From `first` to `last`.
    pub(crate) fn range(&mut self, first: i64, last: i64) -> i64 {
        let span = (last - first + 1).cast_unsigned();
        first + (self.next() >> 16).rem_euclid(span).cast_signed()
    }

    /// An index below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from((self.next() >> 16) % n as u64).expect("below a usize")
    }

    fn small(&mut self, first: u32, last: u32) -> u32 {
        u32::try_from(self.range(first.into(), last.into())).expect("in between")
    }

    fn once_in(&mut self, n: i64) -> bool {
        self.range(1, n) == 1
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Words, many of them special floating-point numbers.
    pub(crate) fn bytes(&mut self, words: usize) -> Vec<u8> {
        let mut word = || {
            let bits = self.next();
            let [low, high] = [bits, bits >> 32].map(|bits| u32::try_from(bits & 0xffff_ffff));
            let (bits, kind) = (low.expect("32 bits"), high.expect("32 bits"));
            match kind % 16 {
                // Subnormal numbers, in both halves.
                0 => bits & 0x807f_007f,
                // NaN, infinity.
                1 => bits | 0x7f80_7f80,
                2 => bits & 0x8000_8000 | 0x7f80_7c00,
                3 => bits & 0x8000_8000,
                _ => bits,
            }
        };
        (0..words).flat_map(|_| word().to_le_bytes()).collect()
    }
}

/// The direction and kind of a copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Load,
    Store,
    Reduce(Reduction),
}

/// A family of copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family {
    pub(crate) rank: u32,
    pub(crate) is_im2col: bool,
    pub(crate) is_interleaved: bool,
}

/// A copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    pub(crate) spec: Spec,
    pub(crate) tensor: Tensor,
    pub(crate) coordinates: [i32; 5],
    pub(crate) offsets: [u16; 3],
}

const SWIZZLES: [Swizzle; 4] = [Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128];

impl Family {
    /// A copy whose tile and tensor take at most this many bytes.
    pub(crate) fn copy(self, random: &mut Random, way: Way, tile: usize, global: u64) -> Copied {
        loop {
            let copied = self.any(random, way);
            let tensor = &copied.tensor;
            let dims = &tensor.dims[..self.rank as usize];
            let extent = dims[1..]
                .iter()
                .zip(&tensor.strides)
                .fold(dims[0] * 32, |bytes, (dim, stride)| bytes + (dim - 1) * stride);
            if copied.spec.tile_bytes() <= tile && extent <= global {
                return copied;
            }
        }
    }

    fn any(self, random: &mut Random, way: Way) -> Copied {
        let rank = self.rank as usize;
        let element = loop {
            let element = random.pick(&ELEMENTS);
            match way {
                Way::Reduce(reduction) if !reduction.takes(element) => {}
                Way::Load | Way::Store | Way::Reduce(_) => break element,
            }
        };
        let interleave = if self.is_interleaved {
            random.pick(&[Interleave::B16, Interleave::B32])
        } else {
            Interleave::None
        };
        let swizzle = random.pick(&SWIZZLES);
        let bytes = element.bits() / 8;
        // 16 bytes, in elements; without an interleave a row fits into the swizzle's span.
        let chunk = 16 / bytes;
        let most = match (swizzle.span(), self.is_interleaved) {
            (0, false) => (256 / chunk).min(if rank < 3 { 64 } else { 16 }),
            (_, true) => 4.min(256 / chunk),
            (span, false) => span / 16,
        };
        let inner = random.small(1, most) * chunk;
        let mut element_strides = [1; 5];
        if random.once_in(3) {
            for stride in &mut element_strides[..rank] {
                let any = random.small(1, 8);
                *stride = random.pick(&[1, 1, 2, 3, any]);
            }
        }
        let spec = Spec {
            element,
            rank: self.rank,
            mode: if self.is_im2col {
                self.im2col(random, way, inner)
            } else {
                self.tiled(random, inner, chunk, element_strides)
            },
            element_strides,
            interleave,
            swizzle,
            l2_promotion: random.pick(ptx_types::tensor::L2Promotion::ALL),
            oob_fill: if element.is_float() { random.pick(OobFill::ALL) } else { OobFill::Zero },
        };
        self.tensor(random, way, spec)
    }

    fn tiled(self, random: &mut Random, inner: u32, chunk: u32, strides: [u32; 5]) -> Mode {
        let mut box_dims = [1; 5];
        box_dims[0] = inner;
        if self.is_interleaved {
            // Still a multiple of 16 bytes, as the driver requires.
            box_dims[0] = (inner * random.small(1, strides[0])).min(256 / chunk * chunk);
        }
        for i in 1..self.rank as usize {
            let most = if i == 1 { 24 } else { 4 };
            let steps = if random.once_in(4) { 1 } else { random.small(1, most) };
            box_dims[i] = (steps * strides[i]).saturating_sub(random.small(0, strides[i] - 1));
            box_dims[i] = box_dims[i].clamp(1, 256);
        }
        Mode::Tiled { box_dims }
    }

    fn im2col(self, random: &mut Random, way: Way, inner: u32) -> Mode {
        let (mut lower, mut upper) = ([0; 3], [0; 3]);
        for i in 0..self.rank as usize - 2 {
            let small = |n| i32::try_from(n).expect("small");
            (lower[i], upper[i]) = match way {
                Way::Load => (small(random.range(-3, 3)), small(random.range(-3, 3))),
                Way::Store | Way::Reduce(_) => {
                    (small(random.range(0, 2)), small(random.range(-2, 0)))
                }
            };
        }
        let pixels_per_column = random.small(1, 96);
        Mode::Im2col { lower, upper, channels_per_pixel: inner, pixels_per_column }
    }

    /// A tensor and operands for a map.
    fn tensor(self, random: &mut Random, way: Way, spec: Spec) -> Copied {
        let rank = self.rank as usize;
        let (lower, upper) = spec.mode.corners();
        let first_spatial = usize::from(!self.is_interleaved);
        let slice = match spec.interleave {
            Interleave::None => spec.element.bits() / 8,
            Interleave::B16 => 16,
            Interleave::B32 => 32,
        };
        let box_dims = spec.mode.box_dims().unwrap_or([1; 5]);
        let mut dims = [1_u64; 5];
        for i in 0..rank {
            let near = match (self.is_im2col, i) {
                (false, _) => i64::from(box_dims[i]) + 6,
                (true, 0) if !self.is_interleaved => 2 * i64::from(spec.mode.inner()) + 3,
                (true, _) => 7,
            };
            dims[i] = random.range(1, near).cast_unsigned();
        }
        if self.is_im2col {
            // The bounding box is not empty.
            for i in 0..rank - 2 {
                let least = u64::try_from((lower[i] - upper[i] + 1).max(1)).expect("positive");
                let dim = &mut dims[i + first_spatial];
                *dim = (*dim).max(least);
            }
        }
        let unit = if spec.interleave == Interleave::B32 { 32 } else { 16 };
        let mut strides = [0; 4];
        let mut stride = dims[0] * u64::from(slice);
        for i in 0..rank - 1 {
            let gap = random.range(0, 2).cast_unsigned() * unit;
            stride = stride.next_multiple_of(unit) + gap;
            strides[i] = stride;
            stride *= dims[i + 1];
        }
        if way == Way::Load && random.once_in(8) {
            // A load may read an element more than once.
            strides[rank.saturating_sub(2).min(3)] = random.range(0, 8).cast_unsigned() * unit;
        }
        let coordinates = self.coordinates(random, way, &spec, &dims);
        let mut offsets = [0; 3];
        if way == Way::Load {
            let most = [0xffff, 0xff, 0x1f][rank.max(3) - 3];
            for offset in &mut offsets[..rank.max(2) - 2] {
                let last = if random.once_in(16) { most } else { 4 };
                *offset = u16::try_from(random.range(0, last)).expect("small");
            }
        }
        Copied { spec, tensor: Tensor { address: 0, dims, strides }, coordinates, offsets }
    }

    fn coordinates(self, random: &mut Random, way: Way, spec: &Spec, dims: &[u64; 5]) -> [i32; 5] {
        let rank = self.rank as usize;
        let (lower, upper) = spec.mode.corners();
        let first_spatial = usize::from(!self.is_interleaved);
        let box_dims = spec.mode.box_dims().unwrap_or([1; 5]);
        let chunk = i64::from(if self.is_interleaved { 1 } else { 128 / spec.element.bits() });
        let mut coordinates = [0; 5];
        for i in 0..rank {
            let dim = dims[i].cast_signed();
            let is_inner = i == 0 && !self.is_interleaved;
            let is_spatial = (first_spatial..first_spatial + rank.max(2) - 2).contains(&i);
            let coordinate = if self.is_im2col && is_spatial {
                let (lower, upper) = (lower[i - first_spatial], upper[i - first_spatial]);
                random.range(lower.into(), dim - 1 + i64::from(upper))
            } else {
                let near = if is_inner && self.is_im2col {
                    i64::from(spec.mode.inner())
                } else {
                    i64::from(box_dims[i])
                };
                match random.range(0, 15) {
                    0 => random.pick(&[i64::from(i32::MIN), i64::from(i32::MAX) - 15]),
                    1..=7 => random.range(0, dim - 1),
                    _ => random.range(-near - 1, dim + 1),
                }
            };
            let coordinate =
                if is_inner { coordinate.div_euclid(chunk) * chunk } else { coordinate };
            let coordinate = if way == Way::Load { coordinate } else { coordinate.max(0) };
            coordinates[i] = i32::try_from(coordinate).expect("32 bits");
        }
        coordinates
    }
}
