//! Matrix descriptors of tiles, and which tiles have none.

use ptx_types::tensor::{ElementType, Interleave, Major, Mode, Spec, Swizzle};

const fn tile(swizzle: Swizzle, rank: u32, box_dims: [u32; 5]) -> Spec {
    Spec { swizzle, ..Spec::tiled(ElementType::Bf16, rank, box_dims) }
}

#[test]
fn offsets_by_major_and_swizzle() {
    for (major, swizzle, row, mode, leading, stride) in [
        (Major::K, Swizzle::None, 8, 0, 16 * 64, 128),
        (Major::K, Swizzle::B32, 16, 3, 16, 256),
        (Major::K, Swizzle::B64, 32, 2, 16, 512),
        (Major::K, Swizzle::B128, 64, 1, 16, 1024),
        (Major::Mn, Swizzle::None, 8, 0, 128, 16 * 64),
        (Major::Mn, Swizzle::B32, 16, 3, 32 * 64, 256),
        (Major::Mn, Swizzle::B64, 32, 2, 64 * 64, 512),
        (Major::Mn, Swizzle::B128, 64, 1, 128 * 64, 1024),
    ] {
        let map = tile(swizzle, 2, [row, 64, 0, 0, 0]);
        let found = map.matrix_descriptor(major).expect("there is one");
        assert_eq!((found.leading_bytes(), found.stride_bytes()), (leading, stride), "{map:?}");
        let fields = (leading as u64 / 16) << 16 | (stride as u64 / 16) << 32 | mode << 62;
        assert_eq!(found.bits(), fields, "{map:?}");
        // A row of another width is none of the swizzle's.
        for row in [row - 1, row + 1, 1] {
            assert_eq!(tile(swizzle, 2, [row, 64, 0, 0, 0]).matrix_descriptor(major), None);
        }
    }
    for swizzle in
        [Swizzle::B96, Swizzle::B128Atom32, Swizzle::B128Atom32Flip8, Swizzle::B128Atom64]
    {
        for major in [Major::K, Major::Mn] {
            assert_eq!(tile(swizzle, 2, [64, 64, 0, 0, 0]).matrix_descriptor(major), None);
        }
    }
}

#[test]
fn a_matrix_has_two_dimensions_or_goes_on_along_a_row() {
    let both = |swizzle, rank, box_dims| {
        let map = tile(swizzle, rank, box_dims);
        [Major::K, Major::Mn].map(|major| map.matrix_descriptor(major).is_some())
    };
    let (b128, none) = (Swizzle::B128, Swizzle::None);
    for (swizzle, rank, box_dims, expected) in [
        (b128, 1, [64, 64, 1, 1, 1], [false, false]),
        (b128, 2, [64, 64, 9, 9, 9], [true, true]),
        (b128, 2, [64, 60, 1, 1, 1], [false, false]),
        (b128, 2, [64, 8, 1, 1, 1], [true, true]),
        (b128, 3, [64, 64, 1, 1, 1], [true, true]),
        (b128, 3, [64, 64, 2, 1, 1], [false, true]),
        (b128, 5, [64, 64, 1, 1, 1], [true, true]),
        (b128, 5, [64, 64, 1, 2, 1], [false, false]),
        (b128, 5, [64, 64, 1, 1, 2], [false, false]),
        (none, 2, [8, 64, 1, 1, 1], [true, true]),
        (none, 2, [8, 60, 1, 1, 1], [false, false]),
        (none, 3, [8, 64, 4, 1, 1], [true, true]),
        (none, 4, [8, 64, 1, 2, 1], [false, false]),
        (none, 5, [8, 64, 4, 1, 2], [false, false]),
    ] {
        assert_eq!(both(swizzle, rank, box_dims), expected, "{swizzle:?} {rank} {box_dims:?}");
    }
}

#[test]
fn only_what_is_tiled_and_read_is_a_matrix() {
    for element in ElementType::ALL {
        let row = 128 * 16 / element.shared_bytes_of_16();
        let map = Spec { swizzle: Swizzle::B128, ..Spec::tiled(*element, 2, [row, 64, 0, 0, 0]) };
        let found = [Major::K, Major::Mn].map(|major| map.matrix_descriptor(major).is_some());
        let bits = element.bits();
        assert_eq!(found, [[8, 16, 32].contains(&bits), bits == 16], "{element:?}");
    }
    let fine = tile(Swizzle::B128, 3, [64, 64, 1, 1, 1]);
    assert!(fine.matrix_descriptor(Major::K).is_some());
    // Of slices of 16 bytes eight are as wide as the span.
    let sliced = Spec { interleave: Interleave::B16, ..tile(Swizzle::B128, 3, [8, 64, 1, 1, 1]) };
    let (lower, upper) = ([0; 3], [0; 3]);
    let im2col = Mode::Im2col { lower, upper, channels_per_pixel: 64, pixels_per_column: 64 };
    let gather = Mode::Gather4 { row: 64 };
    for map in [sliced, Spec { mode: im2col, ..fine }, Spec { mode: gather, ..fine }] {
        assert_eq!(map.matrix_descriptor(Major::K), None, "{map:?}");
        assert_eq!(map.matrix_descriptor(Major::Mn), None, "{map:?}");
    }
}

#[test]
fn offsets_are_less_than_256_kibibytes() {
    let has_one = |swizzle, row, rows, major| {
        tile(swizzle, 2, [row, rows, 0, 0, 0]).matrix_descriptor(major).is_some()
    };
    // The span times the rows is the offset that grows.
    for (swizzle, row, major, rows) in [
        (Swizzle::None, 8, Major::K, 16_384),
        (Swizzle::None, 8, Major::Mn, 16_384),
        (Swizzle::B128, 64, Major::Mn, 2_048),
        (Swizzle::B32, 16, Major::Mn, 8_192),
    ] {
        assert!(has_one(swizzle, row, rows / 2, major) && has_one(swizzle, row, rows - 8, major));
        assert!(!has_one(swizzle, row, rows, major) && !has_one(swizzle, row, rows * 2, major));
    }
    // Where it is not read, it may be as large as it is.
    assert!(has_one(Swizzle::B128, 64, 4_096, Major::K));
}
