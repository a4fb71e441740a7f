//! The advice of every rule of tensor maps is followed: it breaks no rule that was not reported before.

use ptx_types::Target;
use ptx_types::tensor::rules::{Field, RULES, Violation};
use ptx_types::tensor::{ElementType, Interleave, Mode, OobFill, Spec, Swizzle, Tensor};

const TILED: Spec = Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 8, 1, 1, 1]);

/// Rules whose advice depends on what else is known: a corner or an extent in a range, an address in a
/// GPU's memory, other tiles, another target.
const WITHOUT_A_VALUE: &[&str] = &[
    "M006", "M010", "M018", "M019", "M023", "M024", "M025", "M026", "M060", "M062", "M063", "M064",
    "M065",
];

/// A map and a tensor.
#[derive(Clone, Copy)]
struct Declared(Spec, Tensor);

impl Declared {
    /// What is wrong with it, without the text.
    fn faults(&self, target: Target) -> Vec<(&'static str, Field)> {
        let verdict = self.0.check_tensor(&self.1, Some(target));
        verdict.violations().iter().map(|found| (found.rule.code, found.blames)).collect()
    }
}

/// The alternatives that a fix advises: numbers, or words in backticks.
fn alternatives(fix: &str) -> Vec<String> {
    let fix = ["choose a newer target, or ", "choose that target, or ", "choose such a target, or "]
        .iter()
        .fold(fix, |fix, start| fix.strip_prefix(start).unwrap_or(fix));
    let mut found = Vec::new();
    for (n, piece) in fix.split('`').enumerate() {
        if n % 2 == 1 && piece != "swizzle" {
            found.push(piece.to_owned());
        } else if n % 2 == 0 {
            let words = piece.split(' ').map(|word| word.trim_matches([',', ';']).replace(',', ""));
            found.extend(words.filter(|word| word.starts_with(|first: char| first.is_ascii_digit())));
        }
    }
    if fix.contains("leave `swizzle` out") {
        found.push("None".to_owned());
    }
    if fix.contains("leave the interleave out") {
        found.push("no interleave".to_owned());
    }
    found
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// With this in place of the part that a rule blames.
fn with(Declared(mut spec, mut tensor): Declared, field: Field, value: &str) -> Option<Declared> {
    let small = number(value).and_then(|value| u32::try_from(value).ok());
    if let Ok(swizzle) = value.parse::<Swizzle>()
        && matches!(field, Field::Box(_) | Field::Row | Field::ChannelsPerPixel | Field::Swizzle)
    {
        spec.swizzle = swizzle;
        return Some(Declared(spec, tensor));
    }
    match (field, &mut spec.mode) {
        (Field::Rank, _) if value == "no interleave" => spec.interleave = Interleave::None,
        (Field::Rank | Field::Mode, mode) if value == "tile" || value == "im2col" => {
            *mode = match (value, *mode) {
                ("tile", mode) => {
                    Mode::Tiled { box_dims: [mode.inner(), 1, 1, 1, 1] }
                }
                (_, Mode::Im2colW { channels_per_pixel, pixels_per_column, .. }
                | Mode::Im2colW128 { channels_per_pixel, pixels_per_column, .. }) => Mode::Im2col {
                    lower: [0; 3],
                    upper: [0; 3],
                    channels_per_pixel,
                    pixels_per_column,
                },
                (_, _) => return None,
            };
        }
        (Field::Rank, _) => {
            spec.rank = small?;
            for extent in tensor.dims.iter_mut().skip(spec.rank as usize) {
                *extent = 1;
            }
            for stride in tensor.strides.iter_mut().skip(spec.rank as usize - 1) {
                *stride = 0;
            }
            // What is new of it is as small as it can be.
            for n in 0..spec.rank as usize - 1 {
                tensor.strides[n] = tensor.strides[n].max(1 << (20 + n));
                tensor.dims[n] = 64;
                spec.element_strides[n] = 1;
            }
            if let Mode::Tiled { box_dims } = &mut spec.mode {
                for extent in &mut box_dims[1..] {
                    *extent = 1;
                }
            }
        }
        (Field::Box(n), Mode::Tiled { box_dims }) => box_dims[n] = small?,
        (Field::Row, Mode::Gather4 { row } | Mode::Scatter4 { row }) => *row = small?,
        (
            Field::ChannelsPerPixel,
            Mode::Im2col { channels_per_pixel, .. }
            | Mode::Im2colW { channels_per_pixel, .. }
            | Mode::Im2colW128 { channels_per_pixel, .. },
        ) => *channels_per_pixel = small?,
        (
            Field::PixelsPerColumn,
            Mode::Im2col { pixels_per_column, .. }
            | Mode::Im2colW { pixels_per_column, .. }
            | Mode::Im2colW128 { pixels_per_column, .. },
        ) => *pixels_per_column = small?,
        (Field::ElementStride(n), _) => spec.element_strides[n] = small?,
        (Field::Interleave, _) => spec.interleave = value.parse().ok()?,
        (Field::OobFill, _) => spec.oob_fill = value.parse().ok()?,
        (Field::Element, _) => spec.element = value.parse().ok()?,
        (Field::Address, _) => tensor.address = number(value)?,
        (Field::Dim(n), _) => tensor.dims[n] = number(value)?,
        (Field::Stride(n), _) => tensor.strides[n] = number(value)?,
        (_, _) => return None,
    }
    Some(Declared(spec, tensor))
}

/// Follows what a violation advises, and gives how many alternatives there are.
fn follow(declared: Declared, violation: &Violation, target: Target) -> usize {
    let text = violation.to_string();
    let fix = text.split_once("; ").expect("a fix").1.rsplit_once(" [").expect("a code").0;
    let (code, before) = (violation.rule.code, declared.faults(target));
    let alternatives = alternatives(fix);
    for value in &alternatives {
        let Some(fixed) = with(declared, violation.blames, value) else {
            panic!("`{value}` cannot be written: {text}");
        };
        for (found, field) in fixed.faults(target) {
            assert!((found, field) != (code, violation.blames), "it is wrong still: {text}");
            // What is longer makes longer what is around it, and what is around it has its own extent.
            let is_around = matches!(found, "M059") && matches!(violation.blames, Field::Dim(_) | Field::Stride(_));
            // What a map of higher rank is given belongs to the dimensions that are new.
            let is_around = is_around || matches!((violation.blames, field), (Field::Rank, Field::Dim(_) | Field::Stride(_)));
            // A swizzle has no span for a row that is interleaved.
            let is_around = is_around || value == "no interleave" && found == "M017";
            // A tile of longer rows may be too large.
            let is_around = is_around || found == "M018";
            // Without an interleave the same stride breaks another rule.
            let was_wrong = before.iter().any(|(code, of)| *code == found && *of == field || *of == field && field != violation.blames);
            assert!(is_around || was_wrong, "{value} breaks {found} ({field}): {text}\n{:?}", fixed.0);
        }
    }
    alternatives.len()
}

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end as u64).expect("it is below")
    }

    fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }
}

fn declared(numbers: &mut Numbers) -> Declared {
    let row = numbers.of(&[0, 1, 8, 9, 16, 24, 32, 48, 64, 65, 96, 100, 128, 129, 192, 256, 257, 4096]);
    let pixels = numbers.of(&[0, 1, 64, 1024, 1025]);
    let (lower, upper) = ([0; 3], [0; 3]);
    let mode = match numbers.below(8) {
        0 => Mode::Gather4 { row },
        1 => Mode::Scatter4 { row },
        2 => Mode::Im2col { lower, upper, channels_per_pixel: row, pixels_per_column: pixels },
        3 => Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: row, pixels_per_column: pixels },
        4 => Mode::Im2colW128 { lower: 0, upper: 0, channels_per_pixel: row, pixels_per_column: pixels },
        _ => Mode::Tiled { box_dims: [row, numbers.of(&[0, 1, 4, 256, 300]), 1, 1, 1] },
    };
    let spec = Spec {
        element: numbers.of(ElementType::ALL),
        rank: numbers.of(&[0, 1, 2, 2, 2, 3, 4, 6]),
        mode,
        element_strides: [numbers.of(&[1, 1, 0, 9]), numbers.of(&[1, 1, 0, 8, 9]), 1, 1, 1],
        interleave: numbers.of(&[Interleave::None, Interleave::None, Interleave::B16, Interleave::B32]),
        swizzle: numbers.of(Swizzle::ALL),
        oob_fill: numbers.of(&[OobFill::Zero, OobFill::Nan]),
        ..TILED
    };
    let tensor = Tensor {
        address: numbers.of(&[0, 3, 16, 17, 48, 0x1000]),
        dims: [numbers.of(&[0, 64, 100, 127, 256, 1 << 33]), numbers.of(&[0, 16, 64, (1 << 31) - 1]), 8, 1, 1],
        strides: [numbers.of(&[0, 8, 16, 528, 4096, 1 << 41]), numbers.of(&[24, 1 << 24, 1 << 40]), 1 << 38, 1 << 39],
    };
    Declared(spec, tensor)
}

#[test]
fn advice_breaks_no_other_rule() {
    let mut numbers = Numbers(1);
    let mut followed: Vec<&str> = Vec::new();
    for _ in 0..20_000 {
        let declared = declared(&mut numbers);
        let target = numbers.of(&[Target::Sm90a, Target::Sm100a, Target::Sm103a]);
        let verdict = declared.0.check_tensor(&declared.1, Some(target));
        for violation in verdict.violations() {
            let code = violation.rule.code;
            if WITHOUT_A_VALUE.contains(&code) {
                continue;
            }
            if follow(declared, violation, target) > 0 && !followed.contains(&code) {
                followed.push(code);
            }
        }
    }
    let missing: Vec<&str> = RULES
        .iter()
        .map(|rule| rule.code)
        .filter(|code| !followed.contains(code) && !WITHOUT_A_VALUE.contains(code))
        .collect();
    assert!(missing.is_empty(), "no advice was followed of {missing:?}");
}

#[test]
fn a_row_has_one_error() {
    for element in ElementType::ALL {
        for swizzle in Swizzle::ALL {
            for inner in (0..600).chain([u32::MAX]) {
                let mode = Mode::Tiled { box_dims: [inner, 1, 1, 1, 1] };
                let spec = Spec { element: *element, swizzle: *swizzle, mode, rank: 1, ..TILED };
                let verdict = spec.check(Some(Target::Sm100a));
                let of_row = |found: &&Violation| matches!(found.blames, Field::Box(0));
                let count = verdict.violations().iter().filter(of_row).count();
                // Of padded types the length is one error, and the swizzle another.
                let most = if spec.element.is_padded() { 2 } else { 1 };
                assert!(count <= most, "{verdict}");
            }
        }
    }
}
