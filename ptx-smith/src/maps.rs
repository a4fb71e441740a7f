//! Random tensor maps: some are legal on `sm_90`, and some are nearly so.

use std::fmt::Write as _;

use serde_json::{Value, json};

use ptx_isa::Target;
use ptx_isa::tensor::{
    ElementType, Interleave, L2Promotion, MAX_RANK, Mode, OobFill, Spec, Swizzle, Tensor, encode,
};

use crate::Rng;

/// A map, as the command writes it.
pub(crate) struct Written {
    /// The map, and what is wrong with it, as JSON.
    pub(crate) text: String,
    /// Whether the driver refuses it.
    pub(crate) is_refused: bool,
    /// The codes of the rules that it breaks.
    pub(crate) rules: Vec<&'static str>,
}

/// The map with this number.
pub(crate) fn written(seed: u64, number: usize, target: Target) -> Written {
    // The streams of neighbouring seeds differ, so they need not be mixed.
    let mut rng = Rng::new(seed, number);
    let (mut spec, mut tensor) = map(&mut Random::new(rng.next()));
    reach_further(&mut rng, &mut spec, &mut tensor);
    let verdict = spec.check_tensor(&tensor, Some(target));
    let broken: Vec<Value> = verdict
        .violations()
        .iter()
        .map(|found| json!({ "code": found.rule.code, "message": found.to_string() }))
        .collect();
    let hexadecimal = |bytes: [u8; 128]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a `String` does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    let bytes = encode(&spec, &tensor, target).ok().map(hexadecimal);
    let is_refused = verdict.driver().next().is_some();
    let json = json!({
        "seed": seed,
        "number": number,
        "target": target.name(),
        "map": declared(&spec),
        "tensor": {
            "address": tensor.address,
            "dims": tensor.dims,
            "strides": tensor.strides,
        },
        "refused": is_refused,
        "rules": broken,
        "bytes": bytes,
    });
    let rules = verdict.violations().iter().map(|found| found.rule.code).collect();
    Written { text: format!("{json}\n"), is_refused, rules }
}

/// A declaration as `serde` reads it, with the feature of that name. It is not used here, since it would be built for a second
/// time wherever a test draws from this crate beside the macros.
fn declared(spec: &Spec) -> Value {
    json!({
        "element": spec.element.name(),
        "rank": spec.rank,
        "mode": mode(spec.mode),
        "element_strides": spec.element_strides,
        "interleave": spec.interleave.name(),
        "swizzle": spec.swizzle.name(),
        "l2_promotion": spec.l2_promotion.name(),
        "oob_fill": spec.oob_fill.name(),
    })
}

/// A mode, as `serde` reads it.
fn mode(mode: Mode) -> Value {
    match mode {
        Mode::Tiled { box_dims } => json!({ "Tiled": { "box_dims": box_dims } }),
        Mode::Gather4 { row } => json!({ "Gather4": { "row": row } }),
        Mode::Scatter4 { row } => json!({ "Scatter4": { "row": row } }),
        Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column } => {
            json!({ "Im2col": pixels(lower, upper, channels_per_pixel, pixels_per_column) })
        }
        Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column } => {
            json!({ "Im2colW": pixels(lower, upper, channels_per_pixel, pixels_per_column) })
        }
        Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column } => {
            json!({ "Im2colW128": pixels(lower, upper, channels_per_pixel, pixels_per_column) })
        }
    }
}

fn pixels(lower: impl Into<Value>, upper: impl Into<Value>, channels: u32, pixels: u32) -> Value {
    json!({
        "lower": lower.into(),
        "upper": upper.into(),
        "channels_per_pixel": channels,
        "pixels_per_column": pixels,
    })
}

/// Now and then, makes of a map one that no call of the driver on `sm_90` can be asked about.
fn reach_further(rng: &mut Rng, spec: &mut Spec, tensor: &mut Tensor) {
    match rng.below(32) {
        0 => spec.swizzle = Swizzle::B96,
        1 => {
            spec.swizzle = Swizzle::B96;
            spec.interleave = rng.pick(Interleave::ALL);
        }
        2 => {
            if let Some(dim) = tensor.dims.get_mut(spec.rank as usize) {
                *dim += 1;
            }
        }
        3 => {
            if let Mode::Gather4 { row } | Mode::Scatter4 { row } = spec.mode {
                spec.mode = Mode::Scatter4 { row };
                spec.swizzle = Swizzle::B128Atom32Flip8;
            }
        }
        _ => {}
    }
}

/// Random numbers from a seed.
#[derive(Clone, Debug)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Those of this seed.
    pub fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.u64(..end)
    }

    /// Returns true with a probability of one in this many.
    fn one_of(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }

    /// A number from `least` to `most`.
    fn between(&mut self, least: i32, most: i32) -> i32 {
        self.0.i32(least..=most)
    }

    /// A number from 1 to `most`, with every order of magnitude equally likely.
    fn size(&mut self, most: u64) -> u64 {
        let bits = self.below(u64::from(most.ilog2()) + 1);
        1 + self.below(if most >> bits == 0 { 1 } else { most >> bits })
    }

    fn size32(&mut self, most: u32) -> u32 {
        u32::try_from(self.size(most.into())).unwrap_or(most)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.0.usize(..from.len())]
    }
}

/// A map: about half of them break no rule that the driver enforces, and most of the others one.
pub fn map(random: &mut Random) -> (Spec, Tensor) {
    let (mut spec, mut tensor) = legal(random);
    let misses = random.pick(&[0, 1, 1, 1, 2, 2]);
    for _ in 0..misses {
        miss(random, &mut spec, &mut tensor);
    }
    // The rank may have changed, and dimensions beyond it are not passed to the driver.
    tensor.dims[(spec.rank as usize).min(MAX_RANK)..].fill(1);
    (spec, tensor)
}

/// A map that is legal on `sm_90`, according to the rules.
pub fn legal(random: &mut Random) -> (Spec, Tensor) {
    loop {
        let (spec, tensor) = likely(random);
        if spec.first_refusal(&tensor, Some(Target::Sm90a)).is_none() {
            return (spec, tensor);
        }
    }
}

/// The given number of legal maps for one of the driver's calls, always the same.
pub fn legal_of_call(count: usize, is_im2col: bool, is_wide: bool) -> Vec<(Spec, Tensor)> {
    let mut random = Random::new(2026);
    let mut maps = Vec::with_capacity(count);
    while maps.len() < count {
        let map = legal(&mut random);
        if map.0.mode.is_im2col() == is_im2col && map.0.mode.is_wide() == is_wide {
            maps.push(map);
        }
    }
    maps
}

/// The types that `sm_90` has.
pub const ELEMENTS: [ElementType; 13] = [
    ElementType::U8,
    ElementType::U16,
    ElementType::U32,
    ElementType::I32,
    ElementType::U64,
    ElementType::I64,
    ElementType::F16,
    ElementType::F32,
    ElementType::F64,
    ElementType::Bf16,
    ElementType::F32Ftz,
    ElementType::Tf32,
    ElementType::Tf32Ftz,
];

/// A map that is likely to be legal.
fn likely(random: &mut Random) -> (Spec, Tensor) {
    let element = random.pick(&ELEMENTS);
    let is_im2col = !random.one_of(3);
    let interleave = if random.one_of(4) {
        random.pick(&[Interleave::B16, Interleave::B32])
    } else {
        Interleave::None
    };
    let least = if is_im2col || interleave != Interleave::None { 3 } else { 1 };
    let rank = random.pick(&[1, 2, 3, 4, 5][least - 1..]);
    let swizzle = random.pick(&[Swizzle::None, Swizzle::B32, Swizzle::B64, Swizzle::B128]);
    let unit = 128 / element.bits();
    let widest = match (interleave, swizzle.span()) {
        (Interleave::None, span @ 1..) => span * 8 / element.bits(),
        (Interleave::None | Interleave::B16 | Interleave::B32, _) => 256,
    };
    let inner = unit * random.size32(widest / unit);
    let mode = if is_im2col {
        im2col(random, rank, inner)
    } else {
        match random.below(8) {
            0 if rank == 2 => Mode::Gather4 { row: inner },
            1 if rank == 2 => Mode::Scatter4 { row: inner },
            _ => {
                let mut box_dims = [inner; 5];
                box_dims[1..].fill_with(|| random.size32(256));
                Mode::Tiled { box_dims }
            }
        }
    };
    let mut element_strides = [1; 5];
    if random.one_of(2) {
        element_strides.fill_with(|| random.size32(8));
    }
    let spec = Spec {
        element,
        rank,
        mode,
        element_strides,
        interleave,
        swizzle,
        l2_promotion: random.pick(L2Promotion::ALL),
        oob_fill: if element.is_float() { random.pick(OobFill::ALL) } else { OobFill::Zero },
    };
    let tensor = tensor(random, &spec);
    (spec, tensor)
}

/// A mode of the `im2col` kind, with corners that do not exclude all of most tensors.
fn im2col(random: &mut Random, rank: u32, channels_per_pixel: u32) -> Mode {
    let reach = random.pick(&[2, 15]);
    let corner = |random: &mut Random| random.between(-reach, reach);
    let lower = [corner(random), corner(random), corner(random)];
    let upper = [corner(random), corner(random), corner(random)];
    let pixels_per_column = random.size32(1024);
    let far = random.between(-32768, 32767);
    match random.below(4) {
        0 | 1 if rank == 3 && random.one_of(2) => Mode::Im2col {
            lower: [far, 0, 0],
            upper: [far, 0, 0],
            channels_per_pixel,
            pixels_per_column,
        },
        0 | 1 => Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column },
        2 => Mode::Im2colW {
            lower: lower[0],
            upper: upper[0],
            channels_per_pixel,
            pixels_per_column,
        },
        _ => Mode::Im2colW128 {
            lower: lower[0],
            upper: upper[0],
            channels_per_pixel,
            pixels_per_column,
        },
    }
}

/// Makes addresses and strides multiples of what the map requires.
fn tensor(random: &mut Random, spec: &Spec) -> Tensor {
    let multiple = if spec.interleave == Interleave::B32 { 32 } else { 16 };
    let address = match random.below(8) {
        0 => random.0.u64(..) >> 7,
        1 => random.below(1 << 20),
        _ => 0x7f00_0000_0000 + random.below(1 << 32),
    };
    let most = random.pick(&[100, 1 << 16, 1 << 31, 1 << 32]);
    let mut dims = [1; 5];
    dims.fill_with(|| random.size(most));
    dims[spec.rank as usize..].fill(1);
    if random.one_of(2) {
        let mut tensor = Tensor::dense(0, spec.element, dims);
        for stride in &mut tensor.strides {
            *stride = stride.checked_next_multiple_of(multiple).unwrap_or(u64::MAX);
        }
        return Tensor { address: address - address % multiple, ..tensor };
    }
    let mut strides = [0; 4];
    strides.fill_with(|| random.size((1 << 40) / multiple - 1) * multiple);
    Tensor { address: address - address % multiple, dims, strides }
}

/// Sets one field to a limit, or slightly beyond it.
fn miss(random: &mut Random, spec: &mut Spec, tensor: &mut Tensor) {
    let dimensions = u64::from(spec.rank.clamp(1, 5));
    let at = usize::try_from(random.below(dimensions)).unwrap_or_default();
    match random.below(14) {
        0 => spec.element = random.pick(ElementType::ALL),
        1 => spec.rank = random.pick(&[0, 1, 2, 3, 4, 5, 6, 7, u32::MAX]),
        2 | 3 => tile(random, spec, at),
        4 => {
            spec.element_strides[at] = random.pick(&[0, 1, 7, 8, 9, 16, 1 << 8, u32::MAX]);
        }
        5 => spec.interleave = random.pick(Interleave::ALL),
        6 => {
            // The driver has no value for the other.
            let swizzle = random.pick(Swizzle::ALL);
            spec.swizzle = if swizzle.driver().is_some() { swizzle } else { Swizzle::B128 };
        }
        7 => spec.oob_fill = OobFill::Nan,
        8 if random.one_of(4) => {
            let limit = 1_u64 << 57;
            tensor.address = random.pick(&[limit - 32, limit, limit + 32, 1 << 56, 1 << 63]);
        }
        8 => tensor.address += random.pick(&[1, 2, 4, 8, 16, 24, 32]),
        9 | 10 => {
            tensor.dims[at] = match random.below(3) {
                0 => random.pick(&[0, 1, 2, 3, 4, 30, 31, 32, 33]),
                1 => (1 << 31) + random.below(3) - 1,
                _ => (1 << 32) + random.below(3) - 1,
            };
        }
        11 => {
            let stride = &mut tensor.strides[at % 4];
            *stride = match random.below(3) {
                0 => stride.wrapping_add(random.pick(&[1, 2, 4, 8, 16, 24])),
                1 => (1_u64 << 40).wrapping_add(random.pick(&[0, 16, 32, 32_u64.wrapping_neg()])),
                _ => random.pick(&[0, 8, 16, 32, 1 << 41, 1 << 63, u64::MAX]),
            };
        }
        _ => corners(random, spec),
    }
}

/// Numbers near the limits of a box, of channels and of pixels.
const SIZES: [u32; 16] = [0, 1, 2, 3, 4, 8, 12, 16, 24, 100, 128, 255, 256, 257, 512, u32::MAX];

fn tile(random: &mut Random, spec: &mut Spec, at: usize) {
    match &mut spec.mode {
        Mode::Tiled { box_dims } => {
            if random.one_of(4) {
                // The size of shared memory, and a little more.
                box_dims[1..].fill_with(|| random.pick(&[4, 16, 57, 114, 228, 256]));
            } else {
                box_dims[at] = random.pick(&SIZES);
            }
        }
        Mode::Gather4 { row } | Mode::Scatter4 { row } => *row = random.pick(&SIZES),
        Mode::Im2col { channels_per_pixel, pixels_per_column, .. }
        | Mode::Im2colW { channels_per_pixel, pixels_per_column, .. }
        | Mode::Im2colW128 { channels_per_pixel, pixels_per_column, .. } => {
            if random.one_of(2) {
                *channels_per_pixel = random.pick(&SIZES);
            } else {
                *pixels_per_column =
                    random.pick(&[0, 1, 57, 114, 128, 228, 456, 912, 1023, 1024, 1025, u32::MAX]);
            }
        }
    }
}

fn corners(random: &mut Random, spec: &mut Spec) {
    const CORNERS: [i32; 17] = [
        i32::MIN,
        -32769,
        -32768,
        -129,
        -128,
        -17,
        -16,
        -1,
        0,
        1,
        15,
        16,
        127,
        128,
        32767,
        32768,
        i32::MAX,
    ];
    let corner = random.pick(&CORNERS);
    let is_lower = random.one_of(2);
    match &mut spec.mode {
        Mode::Tiled { .. } | Mode::Gather4 { .. } | Mode::Scatter4 { .. } => {}
        Mode::Im2col { lower, upper, .. } => {
            let corners = if is_lower { lower } else { upper };
            let at = usize::try_from(random.below(3)).unwrap_or_default();
            corners[at] = corner;
        }
        Mode::Im2colW { lower, upper, .. } | Mode::Im2colW128 { lower, upper, .. } => {
            *(if is_lower { lower } else { upper }) = corner;
        }
    }
}
