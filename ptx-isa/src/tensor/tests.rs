//! Descriptors, and the tiles of maps, compared with values worked out by hand.

use alloc::string::ToString;

use super::decode::extent_bytes;
use super::fitted::Fitted;
use super::*;

const TILED: Spec = Spec::tiled_unchecked(ElementType::U16, 5, [8, 2, 2, 2, 2]);
const TENSOR: Tensor = Tensor {
    address: 0x1000,
    dims: [10, 3, 5, 7, 11],
    strides: [1 << 36, 48, 1 << 38 | 16, 0x55_5555_5550],
};

#[test]
fn a_map_that_the_driver_accepts_fits() {
    assert!(Fitted::new(&TILED, &TENSOR).is_whole);
    let all = Spec { mode: Mode::Tiled { box_dims: [256; 5] }, element_strides: [8; 5], ..TILED };
    let large = Tensor { dims: [1 << 32; 5], strides: [(1 << 40) - 16; 4], address: u64::MAX };
    assert!(Fitted::new(&all, &large).is_whole);
    for i in 0..5 {
        // One number is too large among numbers that are not 1, or is 0.
        for extent in [0, 257, 512, u32::MAX] {
            let mut box_dims = [2; 5];
            box_dims[i] = extent;
            let map = Spec { mode: Mode::Tiled { box_dims }, ..TILED };
            assert!(!Fitted::new(&map, &TENSOR).is_whole, "{box_dims:?}");
        }
        for stride in [0, 9, 16, u32::MAX] {
            let mut element_strides = [2; 5];
            element_strides[i] = stride;
            let map = Spec { element_strides, ..TILED };
            assert!(!Fitted::new(&map, &TENSOR).is_whole, "{element_strides:?}");
        }
        for extent in [0, (1 << 32) + 1, u64::MAX] {
            let mut tensor = TENSOR;
            tensor.dims[i] = extent;
            assert!(!Fitted::new(&TILED, &tensor).is_whole, "{extent}");
        }
    }
    for i in 0..4 {
        for stride in [1, 8, 17, 1 << 40, u64::MAX] {
            let mut tensor = TENSOR;
            tensor.strides[i] = stride;
            assert!(!Fitted::new(&TILED, &tensor).is_whole, "{stride}");
        }
    }
    for (row, is_whole) in [(0, false), (1, true), (256, true), (257, false)] {
        for mode in [Mode::Gather4 { row }, Mode::Scatter4 { row }] {
            assert_eq!(Fitted::new(&Spec { mode, ..TILED }, &TENSOR).is_whole, is_whole);
        }
    }
}

#[test]
fn a_descriptor_gives_the_extent_of_its_tensor() {
    let unchecked =
        |map: &Spec, tensor: &Tensor| encode_unchecked(map, tensor).expect("it has a layout");
    for element in &ElementType::ALL[..13] {
        for interleave in Interleave::ALL {
            for rank in 1..=5 {
                let map = Spec { element: *element, interleave: *interleave, rank, ..TILED };
                let expected = map.extent_bytes(&TENSOR);
                assert_eq!(extent_bytes(&unchecked(&map, &TENSOR)), Some(expected), "{map:?}");
            }
        }
    }
    // A rank above 5, interleave 3, and an unknown element format do not exist.
    let with = |bits: Bits, value: u8| {
        let mut bytes = unchecked(&TILED, &TENSOR);
        let all = u128::from_le_bytes(*bytes.first_chunk().expect("16 bytes"));
        let mask = ((1_u128 << bits.width) - 1) << bits.at;
        let all = all & !mask | u128::from(value) << bits.at;
        bytes[..16].copy_from_slice(&all.to_le_bytes());
        extent_bytes(&bytes)
    };
    assert!(with(bits::RANK, 4).is_some());
    assert_eq!([5, 6, 7].map(|rank| with(bits::RANK, rank)), [None; 3]);
    assert!(with(bits::INTERLEAVE, 2).is_some());
    assert_eq!(with(bits::INTERLEAVE, 3), None);
    assert_eq!((with(bits::FORMAT, 15), with(bits::TF32, 1)), (None, None));
}

#[test]
fn numbers_past_the_rank_are_not_written() {
    let clean = Tensor { dims: [10, 1, 1, 1, 1], strides: [0; 4], ..TENSOR };
    let map = Spec { rank: 1, ..TILED };
    let boxed = Spec { mode: Mode::Tiled { box_dims: [8, 1, 1, 1, 1] }, ..map };
    assert_eq!(encode_unchecked(&map, &TENSOR), encode_unchecked(&boxed, &clean));
    let text = describe(&encode_unchecked(&TILED, &TENSOR).expect("a layout")).to_string();
    assert_eq!(
        text,
        "tiled map of u16 at 0x1000: 10 x 3 x 5 x 7 x 11 elements, \
         strides 68719476736, 48, 274877906960, 366503875920 bytes, box 8 x 2 x 2 x 2 x 2, \
         tiles of 256 bytes at a multiple of 128, 256 bytes a copy"
    );
}

/// Checks the corners of an `im2col` map as its descriptor prints them.
#[test]
fn corners_have_the_bits_of_their_rank() {
    let corners = |rank, lower, upper| {
        let mode = Mode::Im2col { lower, upper, channels_per_pixel: 8, pixels_per_column: 9 };
        let map = Spec { rank, mode, ..TILED };
        let text = describe(&encode_unchecked(&map, &TENSOR).expect("a layout")).to_string();
        let (_, rest) = text.split_once("9 pixels, corners ").expect("corners");
        let end = rest.find("), t").map_or(rest.len(), |end| end + 1);
        rest[..end].to_string()
    };
    let (lower, upper) = ([-5, 6, -7], [11, -12, 13]);
    assert_eq!(corners(5, lower, upper), "(-5, 6, -7) and (11, -12, 13)");
    assert_eq!(corners(4, [-128, 127, 9], upper), "(-128, 127) and (11, -12)");
    assert_eq!(corners(3, [-0x8000, 9, 9], [0x7fff, 9, 9]), "(-32768) and (32767)");
    assert_eq!(corners(3, [-1, 9, 9], [-2, 9, 9]), "(-1) and (-2)");
    // Below rank 3 there are no corners, and one is printed.
    assert_eq!(corners(2, lower, upper), "(0) and (0)");
    assert_eq!(corners(1, lower, upper), "(0) and (0)");
}

/// Checks the dimensions of a tile, the bytes of a row, the row pitch, and the bytes of the tile.
#[test]
fn tiles_by_mode_swizzle_and_interleave() {
    let map = Spec { rank: 4, ..TILED };
    let im2col =
        Mode::Im2col { lower: [0; 3], upper: [0; 3], channels_per_pixel: 24, pixels_per_column: 7 };
    let wide = Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 24, pixels_per_column: 7 };
    let wide_128 =
        Mode::Im2colW128 { lower: 0, upper: 0, channels_per_pixel: 24, pixels_per_column: 7 };
    let boxed = Mode::Tiled { box_dims: [24, 3, 2, 1, 9] };
    for (mode, swizzle, interleave, dims, row, pitch, bytes) in [
        (boxed, Swizzle::None, Interleave::None, [24, 3, 2, 1, 1], 48, 48, 288),
        (boxed, Swizzle::B64, Interleave::None, [24, 3, 2, 1, 1], 48, 64, 384),
        (boxed, Swizzle::B96, Interleave::None, [24, 3, 2, 1, 1], 48, 48, 288),
        (boxed, Swizzle::None, Interleave::B16, [24, 3, 1, 1, 1], 384, 384, 1152),
        (boxed, Swizzle::B32, Interleave::B32, [24, 3, 1, 1, 1], 768, 768, 2304),
        (Mode::Gather4 { row: 24 }, Swizzle::None, Interleave::None, [24, 4, 1, 1, 1], 48, 48, 192),
        (
            Mode::Scatter4 { row: 24 },
            Swizzle::B128,
            Interleave::None,
            [24, 4, 1, 1, 1],
            48,
            128,
            512,
        ),
        (im2col, Swizzle::None, Interleave::None, [24, 7, 1, 1, 1], 48, 48, 336),
        (im2col, Swizzle::B96, Interleave::None, [24, 7, 1, 1, 1], 48, 48, 352),
        (im2col, Swizzle::B128, Interleave::B16, [1, 7, 1, 1, 1], 16, 16, 128),
        (im2col, Swizzle::B32, Interleave::B32, [1, 7, 1, 1, 1], 32, 32, 224),
        (wide, Swizzle::None, Interleave::None, [24, 7, 1, 1, 1], 48, 48, 336),
        (wide_128, Swizzle::None, Interleave::None, [24, 128, 1, 1, 1], 48, 48, 6144),
    ] {
        let map = Spec { mode, interleave, swizzle, ..map };
        assert_eq!(map.tile_dims(), dims, "{map:?}");
        let found = (map.row_bytes(), map.row_pitch(), map.tile_bytes());
        assert_eq!(found, (row, pitch, bytes), "{map:?}");
        assert_eq!(map.tile_stride(), bytes.next_multiple_of(map.tile_alignment()));
    }
    // An interleave needs three or more dimensions.
    for (rank, slice) in [(1, None), (2, None), (3, Some(16)), (5, Some(16))] {
        let map = Spec { rank, interleave: Interleave::B16, ..TILED };
        assert_eq!(map.slice_bytes(), slice);
    }
    let all = Spec { mode: Mode::Tiled { box_dims: [2, 3, 4, 5, 6] }, ..TILED };
    assert_eq!((all.rows(), all.tile_bytes()), (360, 1440));
}

#[test]
fn the_size_of_a_tile_saturates() {
    let huge = Spec { mode: Mode::Tiled { box_dims: [u32::MAX; 5] }, ..TILED };
    for swizzle in Swizzle::ALL {
        let map = Spec { swizzle: *swizzle, ..huge };
        let found = (map.rows(), map.tile_bytes(), map.tile_stride(), map.transaction_bytes());
        assert_eq!(found, (usize::MAX, usize::MAX, usize::MAX, usize::MAX), "{swizzle:?}");
    }
}

#[test]
fn a_halo_is_limited_by_its_field() {
    let wide = |is_128| {
        let (lower, upper, channels_per_pixel, pixels_per_column) = (0, 0, 8, 64);
        let mode = if is_128 {
            Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }
        } else {
            Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
        };
        Spec { rank: 4, mode, ..TILED }
    };
    let halos = [0, 1, 30, 31, 32, 511, 512];
    let plain = halos.map(|halo| wide(false).halo_rows(halo));
    assert_eq!(plain, [Some(0), Some(1), Some(30), Some(31), Some(32), Some(511), None]);
    let of_128 = halos.map(|halo| wide(true).halo_rows(halo));
    assert_eq!(of_128, [Some(0), Some(4), Some(120), Some(124), None, None, None]);
    let tiled = halos.map(|halo| TILED.halo_rows(halo));
    assert_eq!(tiled, [Some(0), None, None, None, None, None, None]);
}

#[test]
fn every_element_has_its_offset() {
    let row = |element| {
        let map = Spec { element, ..Spec::tiled_unchecked(element, 2, [64, 2, 0, 0, 0]) };
        move |column| map.element_offset([column, 0, 0, 0, 0]).expect("in the tile")
    };
    for column in 0..64 {
        let (groups, within) = (column as usize / 16, column as usize % 16);
        assert_eq!(row(ElementType::B4x16)(column), column as usize / 2);
        assert_eq!(row(ElementType::B4x16P64)(column), groups * 16 + within / 2);
        assert_eq!(row(ElementType::B6x16P32)(column), groups * 16 + within * 6 / 8);
        assert_eq!(row(ElementType::B6P2x16)(column), column as usize);
        assert_eq!(row(ElementType::F64)(column), column as usize * 8);
    }
    // This covers slices, and all five dimensions.
    let sliced = Spec {
        interleave: Interleave::B32,
        rank: 4,
        mode: Mode::Tiled { box_dims: [5, 3, 9, 2, 0] },
        ..TILED
    };
    assert_eq!(sliced.element_offset([4, 2, 0, 1, 0]), Some(((3 + 2) * 5 + 4) * 32));
    assert_eq!(sliced.element_offset([5, 2, 0, 1, 0]), None);
    let all = Spec { mode: Mode::Tiled { box_dims: [2, 3, 4, 5, 6] }, ..TILED };
    assert_eq!(all.element_offset([1, 2, 3, 4, 5]), Some(2 * (2 * 3 * 4 * 5 * 6 - 1)));
    assert_eq!(all.element_offset([1, 0, 0, 0, 1]), Some(2 * (2 * 3 * 4 * 5 + 1)));
    for i in 0..5 {
        let mut outside = [0; 5];
        outside[i] = [2, 3, 4, 5, 6][i];
        assert_eq!(all.element_offset(outside), None);
    }
}
