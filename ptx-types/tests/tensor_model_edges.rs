//! The limits of the inputs of the model of tensor copies, on both sides of each.

use ptx_types::tensor::model::{Access, CopyError, Operands, Reduction, load, reduce, store};
use ptx_types::tensor::{ElementType, Interleave, Mode, Spec, Swizzle, Tensor};

const TILED: Spec = Spec::tiled_unchecked(ElementType::U32, 4, [4, 1, 1, 1, 1]);
const TENSOR: Tensor = Tensor::dense(0, ElementType::U32, [16, 9, 9, 3, 1]);
const ACCESSES: [Access; 3] = [Access::Load, Access::Store, Access::Reduce];

const fn im2col(lower: [i32; 3], upper: [i32; 3]) -> Mode {
    Mode::Im2col { lower, upper, channels_per_pixel: 4, pixels_per_column: 1 }
}

const fn wide(lower: i32, upper: i32) -> Mode {
    Mode::Im2colW { lower, upper, channels_per_pixel: 4, pixels_per_column: 1 }
}

const fn wide_128(lower: i32, upper: i32) -> Mode {
    Mode::Im2colW128 { lower, upper, channels_per_pixel: 4, pixels_per_column: 1 }
}

const GATHER: Mode = Mode::Gather4 { row: 4 };
const SCATTER: Mode = Mode::Scatter4 { row: 4 };

/// The result of a copy with enough memory.
fn asked(
    spec: &Spec,
    tensor: &Tensor,
    operands: &Operands<'_>,
    access: Access,
) -> Result<(), CopyError> {
    let (mut global, mut shared) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    match access {
        Access::Load => load(spec, tensor, operands, &global, &mut shared, 0).map(|_| ()),
        Access::Store => store(spec, tensor, operands, &mut global, &shared, 0),
        Access::Reduce => reduce(spec, tensor, operands, Reduction::Add, &mut global, &shared, 0),
    }
}

/// Whether the mode is rejected before anything else is checked.
fn has_no_mode(spec: Spec, access: Access) -> bool {
    let refused = asked(&spec, &TENSOR, &Operands::new(&[]), access).unwrap_err();
    match refused {
        CopyError::Mode { mode, access: of, rank, has } => {
            assert_eq!((mode, of, rank), (spec.mode.name(), access, spec.rank));
            // `loads of rank 2`: what is refused is not among what the message offers.
            let name = access.name();
            let ranks: Vec<u32> = has.split(' ').filter_map(|word| word.parse().ok()).collect();
            let is_of_rank = (ranks[0]..=ranks[ranks.len() - 1]).contains(&rank);
            assert!(!(is_of_rank && (has.starts_with(name) || has.starts_with("copies"))), "{has}");
            true
        }
        CopyError::Interleave { mode, interleave, rank } => {
            let expected = (spec.mode.name(), spec.interleave.name(), spec.rank);
            assert_eq!((mode, interleave, rank), expected);
            assert_ne!(spec.interleave, Interleave::None);
            true
        }
        _ => false,
    }
}

#[test]
fn modes_go_with_ranks_accesses_and_interleaves() {
    // For each access, the ranks from 0 to 6, `x` where it is not supported: without an interleave, and with one.
    let (corners, none) = (im2col([0; 3], [0; 3]), "xxxxxxx");
    for (mode, [loads, stores, reduces], sliced) in [
        (TILED.mode, ["x.....x"; 3], "xxx...x"),
        (corners, ["xxx...x"; 3], "xxx...x"),
        (GATHER, ["xx.xxxx", none, none], none),
        (SCATTER, [none, "xx.xxxx", none], none),
        (wide(0, 0), ["xxx...x", none, none], none),
        (wide_128(0, 0), ["xxx...x", none, none], none),
    ] {
        for (access, expected) in ACCESSES.into_iter().zip([loads, stores, reduces]) {
            let found = |interleave| -> String {
                let map = Spec { mode, interleave, ..TILED };
                (0..7)
                    .map(|rank| if has_no_mode(Spec { rank, ..map }, access) { 'x' } else { '.' })
                    .collect()
            };
            assert_eq!(found(Interleave::None), expected, "{mode:?} {access:?}");
            assert_eq!(found(Interleave::B16), sliced, "{mode:?} {access:?}");
        }
    }
}

#[test]
fn some_elements_and_swizzles_go_one_way() {
    let is_refused = |element, access| {
        let spec = Spec { element, ..TILED };
        matches!(
            asked(&spec, &TENSOR, &Operands::new(&[]), access),
            Err(CopyError::Element { element: of, access: by }) if (of, by) == (element, access)
        )
    };
    for element in ElementType::ALL {
        let expected = match element {
            ElementType::B4x16 => [false, false, true],
            ElementType::B4x16P64 | ElementType::B6x16P32 => [false, true, true],
            ElementType::B6P2x16 => [true, false, true],
            _ => [false; 3],
        };
        assert_eq!(ACCESSES.map(|access| is_refused(*element, access)), expected, "{element:?}");
    }
    for swizzle in Swizzle::ALL {
        let refused = ACCESSES.map(|access| {
            let spec = Spec { swizzle: *swizzle, ..TILED };
            let found = asked(&spec, &TENSOR, &Operands::new(&[]), access);
            matches!(found, Err(CopyError::Swizzle { .. }))
        });
        let is_flip = *swizzle == Swizzle::B128Atom32Flip8;
        assert_eq!(refused, [false, is_flip, is_flip], "{swizzle:?}");
    }
}

#[test]
fn offsets_and_halos_fit_their_fields() {
    for (rank, mode, most) in [
        (3, im2col([0; 3], [0; 3]), &[0xffff][..]),
        (4, im2col([0; 3], [0; 3]), &[255, 255]),
        (5, im2col([0; 3], [0; 3]), &[31, 31, 31]),
        (4, wide(0, 0), &[511, 31]),
        (4, wide_128(0, 0), &[31, 31]),
        (4, TILED.mode, &[]),
    ] {
        let spec = Spec { rank, mode, ..TILED };
        let coordinates = &[0; 5][..rank as usize];
        let check = |info: &[u16]| {
            asked(&spec, &TENSOR, &Operands::with_info(coordinates, info), Access::Load)
        };
        assert_eq!(check(most), Ok(()), "{mode:?}");
        for index in 0..most.len() {
            let mut info = most.to_vec();
            let Some(value) = info[index].checked_add(1) else { continue };
            info[index] = value;
            let most = most[index];
            assert_eq!(
                check(&info),
                Err(CopyError::InfoTooLarge { index, value, most }),
                "{mode:?}"
            );
        }
        for count in (0..5).filter(|count| *count != most.len()) {
            let wrong = CopyError::Info { expected: most.len(), found: count };
            assert_eq!(check(&vec![0; count]), Err(wrong), "{mode:?}");
        }
    }
}

#[test]
fn the_first_coordinate_is_a_multiple_of_16_bytes() {
    for element in ElementType::ALL {
        let (access, unit) = match element {
            ElementType::B4x16P64 | ElementType::B6x16P32 => (Access::Load, 128),
            ElementType::B6P2x16 => (Access::Store, 64),
            _ => (Access::Load, 128 / element.bits()),
        };
        let row = if element.is_padded() { 128 } else { unit };
        let spec = Spec {
            element: *element,
            rank: 2,
            ..Spec::tiled_unchecked(*element, 2, [row, 1, 0, 0, 0])
        };
        let tensor = Tensor::dense(0, *element, [1024, 1, 1, 1, 1]);
        let unit = unit.cast_signed();
        for first in 0..=2 * unit {
            let found = asked(&spec, &tensor, &Operands::new(&[first, 0]), access);
            if first % unit == 0 {
                assert_eq!(found, Ok(()), "{element:?} {first}");
            } else {
                let multiple = unit.cast_unsigned();
                assert_eq!(found, Err(CopyError::Unaligned { coordinate: first, multiple }));
            }
        }
    }
}

#[test]
fn a_filter_starts_in_its_box() {
    // Pixels 2 to 5 of 9.
    for (mode, inside) in [
        (im2col([2, 0, 0], [-3, 0, 0]), [false, true, true, false]),
        (wide(2, -3), [true, true, true, false]),
        (wide_128(2, -3), [true, true, true, false]),
    ] {
        let spec = Spec { mode, ..TILED };
        let found = [1, 2, 5, 6].map(|w| {
            let coordinates = [0, w, 0, 0];
            let operands = Operands::with_info(&coordinates, &[0, 0]);
            match asked(&spec, &TENSOR, &operands, Access::Load) {
                Ok(()) => true,
                Err(CopyError::OutsideBox { dimension: 1, coordinate, first: 2, last: 5 }) => {
                    assert_eq!(coordinate, w.into());
                    false
                }
                Err(other) => panic!("{other}"),
            }
        });
        assert_eq!(found, inside, "{mode:?}");
    }
    // H has no box in a wide mode, but has one in the other.
    let below = |mode| {
        let operands = Operands::with_info(&[0, 3, 20, 0], &[0, 0]);
        asked(&Spec { mode, ..TILED }, &TENSOR, &operands, Access::Load)
    };
    assert_eq!(below(wide(0, 0)), Ok(()));
    assert_eq!(below(wide_128(0, 0)), Ok(()));
    let outside = CopyError::OutsideBox { dimension: 2, coordinate: 20, first: 0, last: 8 };
    assert_eq!(below(im2col([0; 3], [0; 3])), Err(outside));
    // An invalid extent counts as the largest.
    let mut endless = TENSOR;
    endless.dims[1] = u64::MAX;
    let operands = Operands::with_info(&[0, 0, 0, 0], &[0, 0]);
    let found = asked(
        &Spec { mode: im2col([2, 0, 0], [0; 3]), ..TILED },
        &endless,
        &operands,
        Access::Load,
    );
    let (first, last) = (2, i64::MAX - 1);
    assert_eq!(found, Err(CopyError::OutsideBox { dimension: 1, coordinate: 0, first, last }));
}

#[test]
fn writes_to_global_memory_stay_inside_the_tensor() {
    for access in [Access::Store, Access::Reduce] {
        for dimension in 0..2 {
            let of = |lower: i32, upper: i32| {
                let (mut all_lower, mut all_upper) = ([0; 3], [0; 3]);
                (all_lower[dimension], all_upper[dimension]) = (lower, upper);
                let spec = Spec { mode: im2col(all_lower, all_upper), ..TILED };
                asked(&spec, &TENSOR, &Operands::new(&[0, 3, 3, 0]), access)
            };
            assert_eq!([of(0, 0), of(1, 0), of(0, -1)], [const { Ok(()) }; 3]);
            let outside = Err(CopyError::BoxOutside { dimension });
            assert_eq!([of(-1, 0), of(0, 1), of(-1, 1)], [outside; 3]);
        }
        for (dimension, at) in [[-4, 0, 0, 0], [0, -1, 0, 0], [0, 0, 0, -1]].iter().enumerate() {
            let dimension = [0, 1, 3][dimension];
            let coordinate = at[dimension];
            let found = asked(&TILED, &TENSOR, &Operands::new(at), access);
            assert_eq!(found, Err(CopyError::Negative { dimension, coordinate }));
        }
    }
    assert_eq!(asked(&TILED, &TENSOR, &Operands::new(&[-4, -1, 0, 0]), Access::Load), Ok(()));
}

#[test]
fn a_tile_ends_within_the_addresses_of_shared_memory() {
    let spec = Spec::tiled_unchecked(ElementType::U8, 2, [128, 2, 0, 0, 0]);
    let tensor = Tensor::dense(0, ElementType::U8, [128, 2, 1, 1, 1]);
    let (global, mut shared) = (vec![0; 256], vec![0; 256]);
    let mut at = |address| {
        load(&spec, &tensor, &Operands::new(&[0, 0]), &global, &mut shared, address).map(|_| ())
    };
    assert_eq!([at(0), at(1 << 31), at((1 << 32) - 256)], [const { Ok(()) }; 3]);
    for address in [(1 << 32) - 128, 1 << 32, 1 << 33, usize::MAX - 127] {
        assert_eq!(at(address), Err(CopyError::SharedWindow { address, tile: 256 }));
    }
    assert_eq!(at(64), Err(CopyError::SharedAddress { address: 64 }));
}

#[test]
fn an_empty_tensor_needs_no_memory() {
    let spec = Spec::tiled_unchecked(ElementType::U8, 2, [16, 1, 0, 0, 0]);
    for (dims, needed) in [([16, 0], 0), ([0, 4], 0), ([16, 1], 16), ([16, 2], 16 + 16)] {
        let tensor =
            Tensor { address: 0, dims: [dims[0], dims[1], 1, 1, 1], strides: [16, 0, 0, 0] };
        let mut shared = [0xee; 16];
        let mut check = |bytes: usize| {
            load(&spec, &tensor, &Operands::new(&[0, 0]), &vec![7; bytes], &mut shared, 0)
                .map(|_| ())
        };
        assert_eq!(check(needed), Ok(()), "{dims:?}");
        if let Some(found) = needed.checked_sub(1) {
            let needed = needed as u64;
            assert_eq!(check(found), Err(CopyError::GlobalTooShort { needed, found }));
        } else {
            assert_eq!(shared, [0; 16]);
        }
    }
}
