//! The advice of every rule of tensor maps is followed: it breaks no rule that was not reported before.

use ptx_isa::Target;
use ptx_isa::tensor::rules::{Field, RULES, Violation};
use ptx_isa::tensor::{ElementType, Interleave, Mode, OobFill, Spec, Swizzle, Tensor};

const TILED: Spec = Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 8, 1, 1, 1]);

/// Rules whose advice depends on what else is known: a corner or an extent in a range, an address in a
/// GPU's memory, other tiles, another target.
const WITHOUT_A_VALUE: &[&str] = &[
    "M006", "M010", "M018", "M019", "M023", "M024", "M025", "M026", "M060", "M062", "M063", "M064",
    "M065",
];

const TARGETS: [Target; 3] = [Target::Sm90a, Target::Sm100a, Target::Sm103a];

/// A map and a tensor.
#[derive(Clone, Copy, Debug)]
struct Declared(Spec, Tensor);

impl Declared {
    /// What is wrong with it, without the text.
    fn faults(&self, target: Target) -> Vec<(&'static str, Field)> {
        let verdict = self.0.check_tensor(&self.1, Some(target));
        verdict.violations().iter().map(|found| (found.rule.code, found.blames)).collect()
    }
}

/// The alternatives that a fix advises, each of which may name several values: numbers, words in backticks, or
/// that a part is left out.
fn alternatives(fix: &str) -> Vec<Vec<&str>> {
    let other_target = ["choose a newer target", "choose that target", "choose such a target"];
    let alternatives = fix.split(", or ").flat_map(|words| words.split(" or "));
    alternatives
        .filter(|words| !other_target.contains(words) && *words != "less" && *words != "more")
        .map(|words| words.split(" and ").map(value).collect())
        .collect()
}

/// The value that is named: in backticks, or a number.
fn value(words: &str) -> &str {
    match words {
        "leave `swizzle` out" => "no swizzle",
        "leave the interleave out" => "no interleave",
        _ => match words.split('`').nth(1) {
            Some(word) => word,
            None => words.rsplit(' ').next().expect("a word"),
        },
    }
}

fn number(text: &str) -> Option<u64> {
    let text = text.replace(',', "");
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// With this in place of the part that a rule blames.
fn with(Declared(mut spec, tensor): Declared, field: Field, value: &str) -> Option<Declared> {
    let is_of_swizzle = !matches!(field, Field::Interleave | Field::OobFill | Field::Element);
    match value {
        "no swizzle" => spec.swizzle = Swizzle::None,
        "no interleave" => spec.interleave = Interleave::None,
        _ => match value.parse() {
            Ok(swizzle) if is_of_swizzle || value == "B128" => spec.swizzle = swizzle,
            Ok(_) | Err(_) => return with_part(Declared(spec, tensor), field, value),
        },
    }
    Some(Declared(spec, tensor))
}

/// With this as the part that a rule blames.
fn with_part(
    Declared(mut spec, mut tensor): Declared,
    field: Field,
    value: &str,
) -> Option<Declared> {
    let small = number(value).and_then(|value| u32::try_from(value).ok());
    match (field, &mut spec.mode) {
        (Field::Rank | Field::Mode, mode) if value == "tile" || value == "im2col" => {
            *mode = match (value, *mode) {
                ("tile", mode) => Mode::Tiled { box_dims: [mode.inner(), 1, 1, 1, 1] },
                (
                    _,
                    Mode::Im2colW { channels_per_pixel, pixels_per_column, .. }
                    | Mode::Im2colW128 { channels_per_pixel, pixels_per_column, .. },
                ) => Mode::Im2col {
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

/// Whether what is found after a fix is not its fault: what is longer makes longer what is around it, new
/// dimensions have values of their own, and a part that was wrong before stays so.
fn is_about_another_part(
    found: &str,
    (fixed, blamed): (Field, Field),
    before: &[(&str, Field)],
) -> bool {
    let was_wrong = |part: Field| before.iter().any(|(_, field)| *field == part);
    match (found, fixed) {
        // The row of another swizzle.
        ("M017", _) if was_wrong(Field::Swizzle) => true,
        // A row that is no longer interleaved has to fit its swizzle.
        ("M056" | "M059", Field::Dim(_) | Field::Stride(_))
        | ("M017", Field::Rank | Field::Interleave | Field::Swizzle) => true,
        (_, Field::Rank) => matches!(blamed, Field::Dim(_) | Field::Stride(_)),
        (_, _) => blamed != fixed && was_wrong(blamed),
    }
}

/// Follows what a violation advises, and gives how many alternatives there are.
fn follow(declared: Declared, violation: &Violation, target: Target) -> usize {
    let text = violation.to_string();
    let fix = text.split_once("; ").expect("a fix").1.rsplit_once(" [").expect("a code").0;
    let (code, before) = (violation.rule.code, declared.faults(target));
    let alternatives = alternatives(fix);
    for values in &alternatives {
        let mut fixed = declared;
        for value in values {
            let Some(with_value) = with(fixed, violation.blames, value) else {
                panic!("`{value}` cannot be written: {text}");
            };
            fixed = with_value;
        }
        for (found, field) in fixed.faults(target) {
            assert!((found, field) != (code, violation.blames), "it is wrong still: {text}");
            let is_known = before.contains(&(found, field))
                || is_about_another_part(found, (violation.blames, field), &before);
            assert!(is_known, "{values:?} breaks {found} ({field}): {text}\n{:?}", fixed.0);
        }
    }
    alternatives.len()
}

/// Numbers that look random, and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end as u64).expect("it is below")
    }

    fn of<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }
}

/// A map and a tensor that may be right.
fn declared(numbers: &mut Numbers) -> Declared {
    let channels_per_pixel = numbers.of(&[4, 8, 16, 32, 64, 128, 192, 256]);
    let (row, pixels_per_column) = (channels_per_pixel, 64);
    let (lower, upper) = ([0; 3], [0; 3]);
    let mode = match numbers.below(8) {
        0 => Mode::Gather4 { row },
        1 => Mode::Scatter4 { row },
        2 => Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column },
        3 => Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel, pixels_per_column },
        4 => Mode::Im2colW128 { lower: 0, upper: 0, channels_per_pixel, pixels_per_column },
        _ => Mode::Tiled { box_dims: [row, 4, 1, 1, 1] },
    };
    let spec = Spec {
        element: numbers.of(ElementType::ALL),
        rank: numbers.of(&[2, 2, 3, 4]),
        mode,
        interleave: numbers.of(&[
            Interleave::None,
            Interleave::None,
            Interleave::B16,
            Interleave::B32,
        ]),
        swizzle: numbers.of(Swizzle::ALL),
        ..TILED
    };
    let mut tensor = Tensor {
        address: 0x1000,
        dims: [256, 64, 8, 8, 1],
        strides: [1 << 14, 1 << 24, 1 << 30, 0],
    };
    tensor.dims[spec.rank as usize..].fill(1);
    Declared(spec, tensor)
}

/// With one part that may be wrong.
fn broken(Declared(mut spec, mut tensor): Declared, numbers: &mut Numbers) -> Declared {
    const ROWS: [u32; 13] = [0, 1, 8, 9, 24, 48, 65, 100, 129, 192, 256, 257, 4096];
    match numbers.below(13) {
        0 => spec.rank = numbers.of(&[0, 1, 2, 3, 6]),
        1 => spec.element = numbers.of(ElementType::ALL),
        2 => spec.interleave = numbers.of(&[Interleave::None, Interleave::B16, Interleave::B32]),
        3 => spec.swizzle = numbers.of(Swizzle::ALL),
        4 => spec.oob_fill = OobFill::Nan,
        5 => spec.element_strides[numbers.below(2)] = numbers.of(&[0, 2, 9]),
        6 => tensor.address = numbers.of(&[3, 16, 0x1010]),
        7 => tensor.dims[numbers.below(2)] = numbers.of(&[0, 100, 127, (1 << 31) - 1, 1 << 33]),
        8 => tensor.strides[0] = numbers.of(&[0, 8, 16, 520, 528, 1 << 41]),
        9 => match &mut spec.mode {
            Mode::Tiled { box_dims } => box_dims[1] = numbers.of(&[0, 257]),
            Mode::Gather4 { .. } | Mode::Scatter4 { .. } => {}
            Mode::Im2col { pixels_per_column, .. }
            | Mode::Im2colW { pixels_per_column, .. }
            | Mode::Im2colW128 { pixels_per_column, .. } => {
                *pixels_per_column = numbers.of(&[0, 1025]);
            }
        },
        10 => {
            if let Mode::Im2col { upper, .. } = &mut spec.mode {
                upper[0] = numbers.of(&[1, 2]);
                tensor.dims[1] = (1 << 31) - 1;
            }
        }
        _ => match &mut spec.mode {
            Mode::Tiled { box_dims: [row, ..] }
            | Mode::Gather4 { row }
            | Mode::Scatter4 { row }
            | Mode::Im2col { channels_per_pixel: row, .. }
            | Mode::Im2colW { channels_per_pixel: row, .. }
            | Mode::Im2colW128 { channels_per_pixel: row, .. } => *row = numbers.of(&ROWS),
        },
    }
    Declared(spec, tensor)
}

#[test]
fn advice_breaks_no_other_rule() {
    let mut numbers = Numbers(1);
    let mut followed: Vec<&str> = Vec::new();
    for _ in 0..100_000 {
        let (right, written) = (declared(&mut numbers), numbers.of(&TARGETS));
        if !right.faults(written).is_empty() {
            continue;
        }
        // What is right may be built for another target, too.
        let (declared, target) = match numbers.below(4) {
            0 => (right, numbers.of(&TARGETS)),
            _ => (broken(right, &mut numbers), written),
        };
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
