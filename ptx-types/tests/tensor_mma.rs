//! Instruction descriptors of `tcgen05.mma`: every combination against the tables of the ISA, written as lists.

use ptx_types::tensor::{
    CtaGroup, Major, MmaAccumulator, MmaDescriptor, MmaElement, MmaError, MmaKind, MmaScale,
};

/// The elements of A and B that a kind takes, with their numbers.
fn formats(kind: MmaKind) -> Vec<(MmaElement, u32)> {
    use MmaElement as E;
    match kind {
        MmaKind::F16 => vec![(E::F16, 0), (E::Bf16, 1)],
        MmaKind::Tf32 => vec![(E::Tf32, 2)],
        MmaKind::I8 => vec![(E::U8, 0), (E::S8, 1)],
        MmaKind::F8f6f4 | MmaKind::Mxf8f6f4 => {
            vec![(E::E4M3, 0), (E::E5M2, 1), (E::E2M3, 3), (E::E3M2, 4), (E::E2M1, 5)]
        }
        MmaKind::Mxf4 | MmaKind::Mxf4nvf4 => vec![(E::E2M1, 1)],
    }
}

/// The types of D, with their numbers.
fn accumulators(kind: MmaKind, is_bf16: bool) -> Vec<(MmaAccumulator, u32)> {
    use MmaAccumulator as D;
    match kind {
        MmaKind::F16 if is_bf16 => vec![(D::F32, 1)],
        MmaKind::F16 | MmaKind::F8f6f4 => vec![(D::F16, 0), (D::F32, 1)],
        MmaKind::Tf32 => vec![(D::F32, 1)],
        MmaKind::I8 => vec![(D::S32, 2)],
        MmaKind::Mxf8f6f4 | MmaKind::Mxf4 | MmaKind::Mxf4nvf4 => vec![(D::F32, 0)],
    }
}

fn shapes(kind: MmaKind, group: CtaGroup) -> Vec<(u32, u32)> {
    let rows = |m: u32, step: u32| (1..=256 / step).map(move |n| (m, n * step));
    match (kind, group) {
        (MmaKind::I8, CtaGroup::One) => {
            let narrow = [(64, 8), (64, 24)].into_iter();
            narrow.chain(rows(64, 16)).chain(rows(128, 16)).collect()
        }
        (MmaKind::F16 | MmaKind::Tf32 | MmaKind::F8f6f4, CtaGroup::One) => {
            rows(64, 8).chain(rows(128, 16)).collect()
        }
        (MmaKind::F16 | MmaKind::Tf32 | MmaKind::F8f6f4 | MmaKind::I8, CtaGroup::Two) => {
            rows(128, 32).chain(rows(256, 32)).collect()
        }
        (_, CtaGroup::One) => rows(128, 8).collect(),
        (_, CtaGroup::Two) => rows(256, 16).collect(),
    }
}

#[test]
fn every_product_there_is_and_no_other() {
    let mut found = 0;
    for &kind in MmaKind::ALL {
        for &a in MmaElement::ALL {
            for &b in MmaElement::ALL {
                for &d in MmaAccumulator::ALL {
                    let (rows, n) = (128 << u32::from(kind.is_block_scaled()), 64);
                    let made = MmaDescriptor::new(kind, (a, b), d, (rows, n), CtaGroup::Two);
                    let number = |element| {
                        formats(kind)
                            .into_iter()
                            .find(|(of, _)| *of == element)
                            .map(|found| found.1)
                    };
                    let is_bf16 = a == MmaElement::Bf16 || b == MmaElement::Bf16;
                    let sum = accumulators(kind, is_bf16).into_iter().find(|(of, _)| *of == d);
                    let expected = match (number(a), number(b), sum) {
                        (None, _, _) => Err(MmaError::Element(kind, a)),
                        (_, None, _) => Err(MmaError::Element(kind, b)),
                        (_, _, None) => Err(MmaError::Accumulator(kind, d)),
                        (Some(left), Some(right), Some((_, sum))) => Ok(sum << 4
                            | left << 7
                            | right << 10
                            | (n / 8) << 17
                            | u32::from(kind.is_block_scaled()) << 23
                            | (rows / 16) << 24),
                    };
                    assert_eq!(made.map(MmaDescriptor::bits), expected, "{kind} {a} {b} {d}");
                    found += usize::from(expected.is_ok());
                }
            }
        }
    }
    assert_eq!(found, 5 + 1 + 50 + 4 + 25 + 1 + 1);
}

#[test]
fn every_shape_there_is_and_no_other() {
    for &kind in MmaKind::ALL {
        let element = formats(kind)[0].0;
        let d = accumulators(kind, false).last().unwrap().0;
        for &group in CtaGroup::ALL {
            for m in (0..=512).step_by(16).chain([1, 65, u32::MAX]) {
                for n in (0..=300).chain([u32::MAX, 1 << 31]) {
                    let made = MmaDescriptor::new(kind, (element, element), d, (m, n), group);
                    let is_there = shapes(kind, group).contains(&(m, n));
                    assert_eq!(made.is_ok(), is_there, "{kind} {m} {n} {group}");
                    if !is_there {
                        assert_eq!(made, Err(MmaError::Shape { kind, m, n, group }));
                    }
                }
            }
        }
    }
}

/// A product of each kind.
fn products() -> impl Iterator<Item = MmaDescriptor> {
    MmaKind::ALL.iter().flat_map(|&kind| {
        let d = accumulators(kind, true)[0].0;
        let m = 128 << u32::from(kind.is_block_scaled());
        formats(kind).into_iter().map(move |(element, _)| {
            MmaDescriptor::new(kind, (element, element), d, (m, 64), CtaGroup::Two).unwrap()
        })
    })
}

#[test]
fn each_choice_has_its_bits() {
    for product in products() {
        let (kind, bits) = (product.kind(), product.bits());
        let (is_integer, is_scaled) = (kind == MmaKind::I8, kind.is_block_scaled());
        let said = |result: Result<MmaDescriptor, MmaError>| result.map(MmaDescriptor::bits);

        for (a, b, expected) in
            [(true, false, 1 << 13), (false, true, 1 << 14), (true, true, 3 << 13)]
        {
            let absent = Err(MmaError::Absent(kind, "negation"));
            let expected = if is_integer { absent } else { Ok(bits | expected) };
            assert_eq!(said(product.negated(a, b)), expected);
        }
        let absent = Err(MmaError::Absent(kind, "saturation"));
        let expected = if is_integer { Ok(bits | 1 << 3) } else { absent };
        assert_eq!(said(product.saturated()), expected);
        for selector in 0..4 {
            assert_eq!(said(product.sparse(selector)), Ok(bits | 1 << 2 | selector));
        }
        assert_eq!(product.sparse(1).unwrap().sparse(2), product.sparse(2));
        assert_eq!(product.sparse(4), Err(MmaError::TooLarge(4)));

        let ids = |a, b| said(product.scale_ids(a, b));
        if is_scaled {
            assert_eq!(ids(1, 3), Ok(bits | 3 << 4 | 1 << 29));
            assert_eq!(product.scale_ids(3, 3).unwrap().scale_ids(1, 2), product.scale_ids(1, 2));
            assert_eq!(
                (ids(4, 0), ids(0, 5)),
                (Err(MmaError::TooLarge(4)), Err(MmaError::TooLarge(5)))
            );
        } else {
            assert_eq!(ids(0, 0), Err(MmaError::Absent(kind, "scales")));
        }
        let (powers, floats) = (product.scales(MmaScale::Ue8m0), product.scales(MmaScale::Ue4m3));
        let expected = if is_scaled { Ok(product) } else { Err(MmaError::Absent(kind, "scales")) };
        assert_eq!(powers, expected);
        let absent = Err(MmaError::Absent(kind, "scales of type ue4m3"));
        let expected = if kind == MmaKind::Mxf4nvf4 { Ok(bits & !(1 << 23)) } else { absent };
        assert_eq!(said(floats), expected);
    }
}

#[test]
fn elements_of_less_than_a_byte_are_not_transposed() {
    for element in MmaElement::ALL {
        let Some(kind) =
            MmaKind::ALL.iter().find(|kind| formats(**kind).iter().any(|(of, _)| of == element))
        else {
            panic!("no kind takes {element}");
        };
        let d = accumulators(*kind, true)[0].0;
        let both = (*element, *element);
        let product = MmaDescriptor::new(*kind, both, d, (128, 64), CtaGroup::Two).unwrap();
        let is_narrow = ["e2m3", "e3m2", "e2m1"].contains(&element.name());
        for (a, b, bit) in [(Major::Mn, Major::K, 15), (Major::K, Major::Mn, 16)] {
            let expected = if is_narrow {
                Err(MmaError::Transposed(*element))
            } else {
                Ok(product.bits() | 1 << bit)
            };
            assert_eq!(product.majors(a, b).map(MmaDescriptor::bits), expected, "{element}");
        }
        assert_eq!(product.majors(Major::K, Major::K), Ok(product));
    }
}

#[test]
fn errors_in_words() {
    let of = |kind, a, d, shape| {
        MmaDescriptor::new(kind, (a, a), d, shape, CtaGroup::One).unwrap_err().to_string()
    };
    assert_eq!(
        of(MmaKind::F16, MmaElement::E4M3, MmaAccumulator::F32, (64, 8)),
        ".kind::f16 does not take e4m3"
    );
    assert_eq!(
        of(MmaKind::F16, MmaElement::Bf16, MmaAccumulator::F16, (64, 8)),
        ".kind::f16 does not accumulate these elements in f16"
    );
    assert_eq!(
        of(MmaKind::Mxf4, MmaElement::E2M1, MmaAccumulator::F32, (64, 8)),
        ".kind::mxf4 has no shape with M 64 and N 8 in .cta_group::1"
    );
}
