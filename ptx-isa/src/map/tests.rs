//! What the numbers of a declaration determine, compared with counts one dimension at a time.

use super::rank::{MAX_RANK, excess, unit_dims, units};
use super::*;

const TILED: Spec = Spec::tiled_unchecked(ElementType::U8, 5, [16, 2, 2, 2, 2]);

const fn boxed(box_dims: [u32; 5]) -> Spec {
    Spec { mode: Mode::Tiled { box_dims }, ..TILED }
}

const IM2COL: Mode = Mode::Im2col {
    lower: [1, 2, 3],
    upper: [4, 5, 6],
    channels_per_pixel: 24,
    pixels_per_column: 7,
};
const WIDE: Mode =
    Mode::Im2colW { lower: 1, upper: 4, channels_per_pixel: 24, pixels_per_column: 7 };
const WIDE_128: Mode =
    Mode::Im2colW128 { lower: 1, upper: 4, channels_per_pixel: 24, pixels_per_column: 7 };

#[test]
fn numbers_past_the_rank_are_units() {
    for rank in 0..=MAX_RANK {
        let is = units([3; 5], rank);
        assert_eq!(is, std::array::from_fn(|i| if i < rank { 3 } else { 1 }), "{rank}");
        assert_eq!(unit_dims([3; 5], rank), is.map(u64::from), "{rank}");
        for extent in [0, 1, 2, 3, u64::MAX] {
            for i in 0..MAX_RANK {
                let mut dims = [1; MAX_RANK];
                dims[i] = extent;
                assert_eq!(excess(dims, rank) != 0, i >= rank && extent > 1, "{rank} {dims:?}");
            }
        }
    }
}

#[test]
fn a_tensor_has_at_least_one_dimension() {
    for (dims, rank) in [([0; 5], 1), ([1; 5], 1), ([1, 2, 1, 1, 1], 2), ([1, 1, 1, 1, 2], 5)] {
        assert_eq!(Tensor { address: 0, dims, strides: [0; 4] }.rank(), rank);
    }
}

#[test]
fn an_invalid_rank_becomes_the_nearest_valid_one() {
    for (rank, dimensions) in
        [(0, 1), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5), (u32::MAX, 5)]
    {
        let map = Spec { rank, ..TILED };
        assert_eq!(map.dimensions(), dimensions, "{rank}");
        assert_eq!(map.has_rank(), (1..=5).contains(&rank), "{rank}");
        assert_eq!(map.spatial(), [0, 0, 0, 1, 2, 3][dimensions], "{rank}");
        assert_eq!(map.corner_bits(), [16, 16, 16, 16, 8, 5][dimensions], "{rank}");
        for interleave in Interleave::ALL {
            let map = Spec { interleave: *interleave, ..map };
            let is_sliced = *interleave != Interleave::None && dimensions >= 3;
            assert_eq!(map.first_spatial(), usize::from(!is_sliced), "{rank}");
        }
    }
}

#[test]
fn every_mode_has_a_box_or_pixels() {
    let none = ([0; 3], [0; 3]);
    for (mode, box_dims, inner, corners, pixels) in [
        (TILED.mode, Some([16, 2, 2, 2, 2]), 16, none, None),
        (Mode::Gather4 { row: 9 }, Some([9, 1, 1, 1, 1]), 9, none, None),
        (Mode::Scatter4 { row: 9 }, Some([9, 1, 1, 1, 1]), 9, none, None),
        (IM2COL, None, 24, ([1, 2, 3], [4, 5, 6]), Some(7)),
        (WIDE, None, 24, ([1, 0, 0], [4, 0, 0]), Some(7)),
        (WIDE_128, None, 24, ([1, 0, 0], [4, 0, 0]), Some(7)),
    ] {
        assert_eq!(mode.box_dims(), box_dims);
        assert_eq!(
            (mode.inner(), mode.corners(), mode.pixels_per_column()),
            (inner, corners, pixels)
        );
        assert_eq!(mode.is_im2col(), pixels.is_some());
    }
    assert_eq!(Spec::tiled_unchecked(ElementType::U8, 5, [16; 5]).element_strides, [1; 5]);
}

#[test]
fn a_dense_tensor_has_no_gaps() {
    let dims = [10, 3, 5, 7, 11];
    let plain = Tensor { address: 64, dims, strides: [20, 60, 300, 2100] };
    assert_eq!(Tensor::dense(64, ElementType::U16, dims), plain);
    assert_eq!(Tensor::dense(64, ElementType::B4x16, dims).strides, [5, 15, 75, 525]);
    let map = Spec { element: ElementType::U16, ..TILED };
    assert_eq!(map.dense(64, dims), plain);
    let sliced = Spec { interleave: Interleave::B32, ..map };
    assert_eq!(sliced.dense(64, dims), Tensor { strides: [320, 960, 4800, 33600], ..plain });
    // From the first byte to the end of the last, at each rank.
    for (rank, bytes) in [(1, 20), (2, 60), (3, 300), (4, 2100), (5, 23100)] {
        assert_eq!(Spec { rank, ..map }.extent_bytes(&plain), bytes);
    }
    let apart = Tensor { strides: [100, 1000, 10_000, 100_000], ..plain };
    let last = 20 + 2 * 100 + 4 * 1000 + 6 * 10_000 + 10 * 100_000;
    assert_eq!(map.extent_bytes(&apart), last);
}

/// The elements of a box, divided by traversal strides, one dimension after the other.
fn divided(box_dims: [u32; 5], strides: [u32; 5], rank: usize) -> u64 {
    let each = box_dims.iter().zip(strides).take(rank);
    each.fold(1, |all: u64, (extent, stride)| all.saturating_mul((extent / stride.max(1)).into()))
}

#[test]
fn the_driver_divides_a_box_by_its_strides() {
    let extents = [0, 1, 2, 7, 8, 9, 128, 255, 256, 257, 511, 65_537, u32::MAX];
    for i in 0..5 {
        for extent in extents {
            for stride in (0..=17).chain([0x8000_0000, u32::MAX]) {
                for rank in 1..=5 {
                    let (mut box_dims, mut strides) = ([16, 2, 3, 4, 5], [2, 1, 1, 1, 1]);
                    (box_dims[i], strides[i]) = (extent, stride);
                    let map = Spec { rank, element_strides: strides, ..boxed(box_dims) };
                    let expected = divided(box_dims, strides, map.dimensions());
                    assert_eq!(
                        map.driver_tile_bytes(),
                        expected,
                        "{box_dims:?} {strides:?} {rank}"
                    );
                }
            }
        }
    }
    for i in 0..5 {
        let (box_dims, mut strides) = ([16; 5], [2; 5]);
        strides[i] = 9;
        let map = Spec { element_strides: strides, ..boxed(box_dims) };
        assert_eq!(map.driver_tile_bytes(), divided(box_dims, strides, 5), "{strides:?}");
    }
    let of = |mode| Spec { mode, element: ElementType::U32, ..TILED }.driver_tile_bytes();
    assert_eq!(of(Mode::Gather4 { row: 9 }), 36);
    assert_eq!(of(Mode::Scatter4 { row: 9 }), 36);
    assert_eq!([IM2COL, WIDE, WIDE_128].map(of), [24 * 7 * 4; 3]);
}

#[test]
fn dimensions_past_the_rank_have_one_element_and_no_corner() {
    for rank in 1..=5_u32 {
        let within = |i: usize| i < rank as usize;
        let expected: [u32; 5] = core::array::from_fn(|i| if within(i) { 40 } else { 1 });
        assert_eq!(units([40; MAX_RANK], rank as usize), expected);
        let map = Spec { rank, element_strides: [40; 5], ..boxed([40; 5]) }.with_unit_dimensions();
        assert_eq!((map.element_strides, map.mode), (expected, Mode::Tiled { box_dims: expected }));
        let tensor = Tensor { address: 7, dims: [40; 5], strides: [9; 4] };
        let tensor = tensor.with_unit_dimensions(&map);
        assert_eq!((tensor.address, tensor.dims), (7, expected.map(u64::from)));
        let strides: [u64; 4] = core::array::from_fn(|i| if within(i + 1) { 9 } else { 0 });
        assert_eq!(tensor.strides, strides);
        let cut = |corners: [i32; 3]| -> [i32; 3] {
            core::array::from_fn(|i| if within(i + 2) { corners[i] } else { 0 })
        };
        for mode in [IM2COL, WIDE, WIDE_128] {
            let found = Spec { rank, mode, ..TILED }.with_unit_dimensions().mode;
            let (lower, upper) = mode.corners();
            assert_eq!(found.corners(), (cut(lower), cut(upper)), "{mode:?} at rank {rank}");
            assert_eq!((found.inner(), found.pixels_per_column()), (24, Some(7)));
            assert_eq!(found.name(), mode.name());
        }
        for mode in [Mode::Gather4 { row: 9 }, Mode::Scatter4 { row: 9 }] {
            assert_eq!(Spec { rank, mode, ..TILED }.with_unit_dimensions().mode, mode);
        }
    }
}
