//! Instruction descriptors of `tcgen05.mma`: every combination, compared with the ISA's tables as lists.

use ptx_isa::tensor::{
    CtaGroup, Major, MmaAccumulator, MmaDescriptor, MmaElement, MmaError, MmaKind, MmaScale,
};

/// The elements of A and B that a kind accepts, with their encodings.
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

/// The types of D, with their encodings.
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

/// PTX ISA 9.7.16.2.1, table 39, dense, without `.ws`: the rows, and the columns as it lists them.
fn shapes(kind: MmaKind, group: CtaGroup) -> Vec<(u32, u32)> {
    let by = |rows: &[u32], columns: Vec<u32>| -> Vec<(u32, u32)> {
        rows.iter().flat_map(|m| columns.iter().map(|n| (*m, *n))).collect()
    };
    let steps_of = |step: u32| -> Vec<u32> { (1..=256 / step).map(|n| n * step).collect() };
    match (kind, group) {
        // "{8, 16, 24, 32, 48, .. 256} steps of 16 after N > 32".
        (MmaKind::I8, CtaGroup::One) => {
            let mut columns = vec![8, 24];
            columns.extend(steps_of(16));
            by(&[64, 128], columns)
        }
        (MmaKind::I8, CtaGroup::Two) => by(&[128, 256], steps_of(32)),
        (MmaKind::Mxf8f6f4 | MmaKind::Mxf4 | MmaKind::Mxf4nvf4, CtaGroup::One) => {
            by(&[128], steps_of(8))
        }
        (_, CtaGroup::One) => by(&[64, 128], steps_of(8)),
        (_, CtaGroup::Two) => by(&[128, 256], steps_of(16)),
    }
}

#[test]
fn exactly_the_existing_products_are_accepted() {
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
fn exactly_the_existing_shapes_are_accepted() {
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
        let bits_of = |result: Result<MmaDescriptor, MmaError>| result.map(MmaDescriptor::bits);

        for (a, b, expected) in
            [(true, false, 1 << 13), (false, true, 1 << 14), (true, true, 3 << 13)]
        {
            let absent = Err(MmaError::Absent(kind, "negation"));
            let expected = if is_integer { absent } else { Ok(bits | expected) };
            assert_eq!(bits_of(product.negated(a, b)), expected);
            if let Ok(negated) = product.negated(a, b) {
                assert_eq!(negated.negated(false, false), Ok(product));
            }
        }
        let absent = Err(MmaError::Absent(kind, "saturation"));
        let expected = if is_integer { Ok(bits | 1 << 3) } else { absent };
        assert_eq!(bits_of(product.saturated()), expected);
        for selector in 0..6 {
            // With scales, those bits are reserved.
            let is_there = selector == 0 || selector < 4 && !is_scaled;
            let absent = Err(MmaError::Selector(kind, selector));
            let expected = if is_there { Ok(bits | 1 << 2 | selector) } else { absent };
            assert_eq!(bits_of(product.sparse(selector)), expected);
        }
        if !is_scaled {
            assert_eq!(product.sparse(1).unwrap().sparse(2), product.sparse(2));
        }

        let ids = |a, b| bits_of(product.scale_ids(a, b));
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            let is_there =
                |id: &u32| if kind == MmaKind::Mxf8f6f4 { *id < 4 } else { [0, 2].contains(id) };
            let expected = if !is_scaled {
                Err(MmaError::Absent(kind, "scales"))
            } else if let Some(absent) = [a, b].into_iter().find(|id| !is_there(id)) {
                Err(MmaError::ScaleFactor(kind, absent))
            } else {
                Ok(bits | b << 4 | a << 29)
            };
            assert_eq!(ids(a, b), expected, "{kind} {a} {b}");
        }
        if is_scaled {
            assert_eq!(product.scale_ids(2, 2).unwrap().scale_ids(0, 2), product.scale_ids(0, 2));
            let odd = if kind == MmaKind::Mxf8f6f4 { [(1, 1), (3, 3)] } else { [(2, 2); 2] };
            for (a, b) in odd {
                let other = product.scale_ids(a, b).unwrap();
                assert_eq!(other.scale_ids(0, 0), Ok(product), "{kind} {a} {b}");
            }
        }
        let (powers, floats) = (product.scales(MmaScale::Ue8m0), product.scales(MmaScale::Ue4m3));
        let expected = if is_scaled { Ok(product) } else { Err(MmaError::Absent(kind, "scales")) };
        assert_eq!(powers, expected);
        let absent = Err(MmaError::Absent(kind, "scales of type ue4m3"));
        let expected = if kind == MmaKind::Mxf4nvf4 { Ok(bits & !(1 << 23)) } else { absent };
        assert_eq!(bits_of(floats), expected);
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
fn a_transposed_b_of_bytes_has_whole_columns() {
    for (group, multiple) in [(CtaGroup::One, 16), (CtaGroup::Two, 32)] {
        for n in (8..=256).step_by(8) {
            let both = (MmaElement::E4M3, MmaElement::E4M3);
            let shape = (128, n);
            let made = MmaDescriptor::new(MmaKind::F8f6f4, both, MmaAccumulator::F32, shape, group);
            let Ok(product) = made else { continue };
            let found = product.majors(Major::K, Major::Mn);
            assert_eq!(found.is_ok(), n % multiple == 0, "{n} {group}");
            assert!(product.majors(Major::Mn, Major::K).is_ok());
            if let Err(error) = found {
                assert_eq!(error, MmaError::TransposedColumns { n, multiple });
            }
        }
    }
}

#[test]
fn sparse_products_with_scales_of_two_blocks_have_256_rows() {
    let of = |m, group| {
        let both = (MmaElement::E2M1, MmaElement::E2M1);
        MmaDescriptor::new(MmaKind::Mxf4, both, MmaAccumulator::F32, (m, 64), group)
            .unwrap()
            .sparse(0)
    };
    assert!(of(128, CtaGroup::One).is_ok() && of(256, CtaGroup::Two).is_ok());
    assert!(of(128, CtaGroup::Two).is_err());
}

#[test]
fn the_layout_of_the_matrices_can_be_replaced() {
    let both = (MmaElement::F16, MmaElement::F16);
    let product =
        MmaDescriptor::new(MmaKind::F16, both, MmaAccumulator::F32, (128, 8), CtaGroup::One)
            .unwrap();
    let majors = [Major::K, Major::Mn];
    for (a, b) in majors.into_iter().flat_map(|a| majors.map(|b| (a, b))) {
        let first = product.majors(a, b).unwrap();
        for (a, b) in majors.into_iter().flat_map(|a| majors.map(|b| (a, b))) {
            let bits = u32::from(a == Major::Mn) << 15 | u32::from(b == Major::Mn) << 16;
            assert_eq!(first.majors(a, b).unwrap().bits(), product.bits() | bits);
        }
    }
}

#[test]
fn errors_in_words() {
    let of = |kind, a, d, shape| {
        MmaDescriptor::new(kind, (a, a), d, shape, CtaGroup::One).unwrap_err().to_string()
    };
    assert_eq!(
        of(MmaKind::F16, MmaElement::E4M3, MmaAccumulator::F32, (64, 8)),
        "`.kind::f16` does not take `e4m3`; it takes `f16`, `bf16`"
    );
    assert_eq!(
        of(MmaKind::F16, MmaElement::Bf16, MmaAccumulator::F16, (64, 8)),
        "`.kind::f16` does not accumulate these elements in `f16`; use `f32`"
    );
    assert_eq!(
        of(MmaKind::Mxf4, MmaElement::E2M1, MmaAccumulator::F32, (64, 8)),
        "`.kind::mxf4` has no shape with M 64 and N 8 in `.cta_group::1`: M is 128 and N a multiple of 8 up to 256"
    );
    let bytes = (MmaElement::U8, MmaElement::U8);
    let with =
        |shape, group| MmaDescriptor::new(MmaKind::I8, bytes, MmaAccumulator::S32, shape, group);
    assert_eq!(
        with((128, 40), CtaGroup::One).unwrap_err().to_string(),
        "`.kind::i8` has no shape with M 128 and N 40 in `.cta_group::1`: M is 64 or 128 and N 8, 24 or a multiple of 16 \
         up to 256"
    );
    assert_eq!(
        with((128, 32), CtaGroup::One).unwrap().sparse(4).unwrap_err().to_string(),
        "`.kind::i8` has no sparsity selector 4; it has 0 to 3"
    );
    let scaled = MmaDescriptor::new(
        MmaKind::Mxf4,
        (MmaElement::E2M1, MmaElement::E2M1),
        MmaAccumulator::F32,
        (128, 32),
        CtaGroup::Two,
    )
    .unwrap();
    assert_eq!(
        scaled.scale_ids(0, 1).unwrap_err().to_string(),
        "`.kind::mxf4` has no scale factor 1; it has 0 and 2"
    );
    assert_eq!(
        scaled.sparse(0).unwrap_err().to_string(),
        "M is 128, but a sparse product of `.kind::mxf4` in `.cta_group::2` has an M of 256"
    );
}
