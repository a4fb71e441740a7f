//! Matrix descriptors of tiles, and the tiles without one.

use ptx_isa::tensor::{
    ElementType, Interleave, Major, MatrixDescriptor, MatrixError, Mode, Spec, Swizzle,
};

const fn tile(swizzle: Swizzle, rank: u32, box_dims: [u32; 5]) -> Spec {
    Spec { swizzle, ..Spec::tiled_unchecked(ElementType::Bf16, rank, box_dims) }
}

/// The number of elements of 2 bytes in a row that the swizzle permutes.
fn row_of(swizzle: Swizzle) -> usize {
    swizzle.span().max(16) as usize / 2
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
        // A row of another width does not match the swizzle.
        for row in [row - 1, row + 1, 1] {
            let map = tile(swizzle, 2, [row, 64, 0, 0, 0]);
            let (row, span) = (map.row_bytes(), 2 * row_of(swizzle));
            assert_eq!(map.matrix_descriptor(major), Err(MatrixError::Row { row, span }));
        }
    }
    // Dimensions of one element before the rows do not count.
    for (major, swizzle, flat, with_ones) in [
        (Major::K, Swizzle::B128, [64, 96, 1, 1, 1], [64, 1, 96, 1, 1]),
        (Major::Mn, Swizzle::B128, [64, 96, 2, 1, 1], [64, 1, 1, 96, 2]),
        (Major::K, Swizzle::None, [8, 96, 4, 1, 1], [8, 1, 96, 4, 1]),
    ] {
        let flat = tile(swizzle, 5, flat).matrix_descriptor(major);
        assert!(flat.is_ok());
        assert_eq!(tile(swizzle, 5, with_ones).matrix_descriptor(major), flat);
    }
    for swizzle in
        [Swizzle::B96, Swizzle::B128Atom32, Swizzle::B128Atom32Flip8, Swizzle::B128Atom64]
    {
        for major in [Major::K, Major::Mn] {
            let found = tile(swizzle, 2, [64, 64, 0, 0, 0]).matrix_descriptor(major);
            assert_eq!(found, Err(MatrixError::Swizzle { swizzle, by: "wgmma" }));
        }
    }
}

#[test]
fn a_matrix_has_two_dimensions_or_goes_on_along_a_row() {
    let both = |swizzle, rank, box_dims| {
        let map = tile(swizzle, rank, box_dims);
        [Major::K, Major::Mn].map(|major| map.matrix_descriptor(major).is_ok())
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
fn only_loads_of_tiled_maps_are_matrices() {
    for element in ElementType::ALL {
        let row = 128 * 16 / element.shared_bytes_of_16();
        let map = Spec {
            swizzle: Swizzle::B128,
            ..Spec::tiled_unchecked(*element, 2, [row, 64, 0, 0, 0])
        };
        let found = [Major::K, Major::Mn].map(|major| map.matrix_descriptor(major).is_ok());
        let bits = element.bits();
        assert_eq!(found, [[8, 16, 32].contains(&bits), bits == 16], "{element:?}");
    }
    let fine = tile(Swizzle::B128, 3, [64, 64, 1, 1, 1]);
    assert!(fine.matrix_descriptor(Major::K).is_ok());
    // Eight slices of 16 bytes are as wide as the span.
    let sliced = Spec { interleave: Interleave::B16, ..tile(Swizzle::B128, 3, [8, 64, 1, 1, 1]) };
    let (lower, upper) = ([0; 3], [0; 3]);
    let im2col = Mode::Im2col { lower, upper, channels_per_pixel: 64, pixels_per_column: 64 };
    let gather = Mode::Gather4 { row: 64 };
    for (map, error) in [
        (sliced, MatrixError::Interleave(Interleave::B16)),
        (Spec { mode: im2col, ..fine }, MatrixError::Mode("im2col")),
        (Spec { mode: gather, ..fine }, MatrixError::Mode("tile::gather4")),
    ] {
        assert_eq!(map.matrix_descriptor(Major::K), Err(error), "{map:?}");
        assert_eq!(map.matrix_descriptor(Major::Mn), Err(error), "{map:?}");
    }
}

#[test]
fn offsets_are_less_than_256_kibibytes() {
    let has_one = |swizzle, row, rows, major| {
        tile(swizzle, 2, [row, rows, 0, 0, 0]).matrix_descriptor(major).is_ok()
    };
    // The offset that grows is the span times the number of rows.
    for (swizzle, row, major, rows) in [
        (Swizzle::None, 8, Major::K, 16_384),
        (Swizzle::None, 8, Major::Mn, 16_384),
        (Swizzle::B128, 64, Major::Mn, 2_048),
        (Swizzle::B32, 16, Major::Mn, 8_192),
    ] {
        assert!(has_one(swizzle, row, rows / 2, major) && has_one(swizzle, row, rows - 8, major));
        assert!(!has_one(swizzle, row, rows, major) && !has_one(swizzle, row, rows * 2, major));
    }
    // It can have any size where it is not read.
    assert!(has_one(Swizzle::B128, 64, 4_096, Major::K));
}

/// The offset in bytes of an element of a K-major or MN-major matrix in the tile, before the swizzle moves chunks.
fn offset_of_k(map: &Spec, major: Major, k: u32) -> usize {
    let coordinates = match major {
        Major::K => {
            let row = map.tile_dims()[0];
            [k % row, 0, k / row, 0, 0]
        }
        Major::Mn => [0, k, 0, 0, 0],
    };
    let [column, row, slab, ..] = coordinates.map(|at| at as usize);
    let rows = map.tile_dims()[1] as usize;
    (slab * rows + row) * map.row_pitch() + column * 16 / chunk(map)
}

/// A function that creates a descriptor for an instruction.
type Reader = fn(&Spec, Major) -> Result<MatrixDescriptor, MatrixError>;

/// The number of elements in 16 bytes of shared memory.
fn chunk(map: &Spec) -> usize {
    16 * 16 / map.element.shared_bytes_of_16() as usize
}

#[test]
fn along_k_the_start_goes_on_as_the_elements_lie() {
    let readers: [Reader; 2] = [Spec::matrix_descriptor, Spec::tcgen05_descriptor];
    let mut found = 0;
    for element in ElementType::ALL {
        for swizzle in Swizzle::ALL {
            for major in [Major::K, Major::Mn] {
                let row = swizzle.span().max(16) * 16 / element.shared_bytes_of_16();
                let slabs = if *swizzle == Swizzle::None { 4 } else { 1 };
                let map = Spec {
                    swizzle: *swizzle,
                    ..Spec::tiled_unchecked(*element, 3, [row, 32, slabs, 1, 1])
                };
                for reader in readers {
                    let Ok(start) = reader(&map, major) else { continue };
                    let (unit, depth) = match major {
                        Major::K => (u32::try_from(chunk(&map)).unwrap(), row * slabs),
                        Major::Mn => (8, 32),
                    };
                    for k in 0..depth {
                        let there = start.advance_k(k);
                        if !k.is_multiple_of(unit) {
                            assert_eq!(there, Err(MatrixError::Step { elements: k, unit }));
                            continue;
                        }
                        let there = there.unwrap();
                        assert_eq!(there.start_bytes(), offset_of_k(&map, major, k), "{map:?}");
                        assert_eq!(there.bits() - start.bits(), there.start_bytes() as u64 / 16);
                        assert_eq!(there.advance_k(0), Ok(there));
                        let at = there.at(0x8000).unwrap();
                        assert_eq!(at.bits(), there.bits() + 0x800);
                        found += 1;
                    }
                    assert_eq!(
                        start.advance_k(depth),
                        Err(MatrixError::BeyondTile { elements: depth, depth })
                    );
                    let half = depth / 2 / unit * unit;
                    let twice = start.advance_k(half).unwrap().advance_k(depth - half - unit);
                    assert_eq!(twice, start.advance_k(depth - unit));
                }
            }
        }
    }
    assert!(found > 200, "{found}");
}

#[test]
fn addresses_are_where_the_pattern_starts() {
    let map = tile(Swizzle::B64, 2, [32, 64, 1, 1, 1]);
    let start = map.matrix_descriptor(Major::K).unwrap();
    assert_eq!(start.at(512).unwrap().bits(), start.bits() | 512 >> 4);
    assert_eq!(start.at(0x3_fe00).unwrap().bits(), start.bits() | 0x3_fe00 >> 4);
    // Another stage of the same matrix.
    let along = start.advance_k(16).unwrap().at(0x1000).unwrap();
    assert_eq!(along.at(0x2000).unwrap().start_bytes(), 0x2000 + 32);
    assert_eq!(start.at(256), Err(MatrixError::Unaligned { address: 256, alignment: 512 }));
    assert_eq!(start.at(1 << 18), Err(MatrixError::Address(1 << 18)));
    let plain = tile(Swizzle::None, 2, [8, 64, 1, 1, 1]).matrix_descriptor(Major::Mn).unwrap();
    assert_eq!(plain.at(16).unwrap().start_bytes(), 16);
    assert_eq!(plain.at(8), Err(MatrixError::Unaligned { address: 8, alignment: 16 }));
    assert_eq!(
        format!("{:?}", start.at(1024).unwrap()),
        "MatrixDescriptor { instruction: \"wgmma\", start_bytes: 1024, leading_bytes: 16, \
         stride_bytes: 512, swizzle: B64, .. }"
    );
}

/// `tcgen05.mma` has the same offsets as `wgmma`, but another version and other encodings of swizzles.
#[test]
fn descriptors_of_tcgen05() {
    for (swizzle, mode) in
        [(Swizzle::None, 0), (Swizzle::B128, 2), (Swizzle::B64, 4), (Swizzle::B32, 6)]
    {
        let row = u32::try_from(row_of(swizzle)).unwrap();
        for major in [Major::K, Major::Mn] {
            let map = tile(swizzle, 2, [row, 64, 1, 1, 1]);
            let wgmma = map.matrix_descriptor(major).unwrap().bits() & !(3 << 62);
            let found = map.tcgen05_descriptor(major).unwrap().bits();
            assert_eq!(found, wgmma | 1 << 46 | mode << 61, "{swizzle:?} {major:?}");
        }
    }
    let takes = |element, swizzle, row| {
        let map = Spec { swizzle, ..Spec::tiled_unchecked(element, 2, [row, 64, 1, 1, 1]) };
        [Major::K, Major::Mn].map(|major| map.tcgen05_descriptor(major).is_ok())
    };
    for (element, swizzle, row, expected) in [
        (ElementType::U8, Swizzle::B128, 128, [true, true]),
        (ElementType::F32, Swizzle::B128, 32, [true, false]),
        (ElementType::Tf32, Swizzle::B128Atom32, 32, [false, false]),
        (ElementType::Bf16, Swizzle::B128Atom32, 64, [false, false]),
        (ElementType::B4x16, Swizzle::B128, 256, [true, false]),
        (ElementType::B4x16P64, Swizzle::B128, 128, [true, false]),
        (ElementType::B6x16P32, Swizzle::B128, 128, [true, false]),
        (ElementType::U64, Swizzle::B128, 16, [false, false]),
    ] {
        assert_eq!(takes(element, swizzle, row), expected, "{element:?} {swizzle:?}");
    }
}

#[test]
fn errors_in_words() {
    let message = |map: Spec, major| map.matrix_descriptor(major).unwrap_err().to_string();
    let b128 = |box_dims| tile(Swizzle::B128, 5, box_dims);
    assert_eq!(
        message(b128([32, 64, 1, 1, 1]), Major::K),
        "a row of the tile is 64 bytes, and with this swizzle the rows of a matrix are 128: choose the \
         swizzle of 64 bytes, or rows of 128"
    );
    assert_eq!(
        message(b128([64, 60, 1, 1, 1]), Major::K),
        "the tile has 60 rows, which is not a multiple of 8"
    );
    assert_eq!(
        message(b128([64, 64, 2, 1, 1]), Major::K),
        "dimension 2 of the tile has 2 elements, and the descriptor has no offset for it"
    );
    assert_eq!(
        message(Spec { element: ElementType::F64, ..b128([16, 64, 1, 1, 1]) }, Major::K),
        "wgmma does not read K-major matrices of `f64`"
    );
    assert_eq!(
        message(Spec { rank: 1, ..b128([64, 1, 1, 1, 1]) }, Major::K),
        "the rank is 1, but a matrix has 2 dimensions or more"
    );
    assert_eq!(
        message(b128([64, 2048, 1, 1, 1]), Major::Mn),
        "an offset of the matrix is 262144 bytes, but the descriptor takes less than 262144"
    );
}

/// An invalid box extends further than the bits of a descriptor can encode.
#[test]
fn offsets_too_far_along_k_are_rejected() {
    let map = tile(Swizzle::None, 3, [8, 1024, u32::MAX, 1, 1]);
    let matrix = map.matrix_descriptor(Major::K).unwrap();
    for elements in [8 * 16, 1 << 20, u32::MAX / 8 * 8 - 8] {
        let found = matrix.advance_k(elements);
        assert!(matches!(found, Err(MatrixError::Address(_))), "{found:?}");
    }
    assert_eq!(matrix.advance_k(8 * 15).unwrap().start_bytes(), 15 * 16 * 1024);
}
