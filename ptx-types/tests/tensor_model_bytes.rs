//! The bytes that the model of tensor copies moves, compared one element at a time.

use ptx_types::tensor::model::{Operands, load, store};
use ptx_types::tensor::{ElementType, Interleave, Mode, OobFill, Spec, Swizzle, Tensor};

/// Bytes with a period of 251.
fn memory(bytes: usize) -> Vec<u8> {
    (0..bytes).map(|i| u8::try_from(i % 251).expect("small") ^ 0x5a).collect()
}

/// The offset of each element in the tile, and its offset in the tensor if it is inside.
fn elements(spec: &Spec, tensor: &Tensor, at: &[i32]) -> Vec<(usize, Option<usize>)> {
    let rank = spec.rank as usize;
    let is_sliced = spec.interleave != Interleave::None;
    let tile = spec.tile_dims();
    let mut found = Vec::new();
    for index in 0..tile.iter().product() {
        let mut rest = index;
        let coordinates = tile.map(|extent| {
            let coordinate = rest % extent;
            rest /= extent;
            coordinate
        });
        let offset = spec.element_offset(coordinates).expect("in the tile");
        let mut from = Some(0);
        for i in 0..rank {
            let step = if i == 0 && !is_sliced { 1 } else { spec.element_strides[i].max(1) };
            let position = i64::from(at[i]) + i64::from(coordinates[i] * step);
            let bytes = match (i, spec.interleave.slice_bytes()) {
                (0, Some(slice)) => u64::from(slice),
                (0, None) => u64::from(spec.element.bits() / 8),
                (i, _) => tensor.strides[i - 1],
            };
            from = u64::try_from(position)
                .ok()
                .filter(|position| *position < tensor.dims[i])
                .and_then(|position| Some(from? + usize::try_from(position * bytes).unwrap()));
        }
        found.push((offset, from));
    }
    found
}

/// Loads a tile, and compares each element with its source.
fn expect_loaded(spec: &Spec, tensor: &Tensor, at: &[i32], global: &[u8]) {
    let mut tile = vec![0xee; spec.tile_bytes()];
    let loaded = load(spec, tensor, &Operands::new(at), global, &mut tile, 0x400).unwrap();
    let size = spec.interleave.slice_bytes().unwrap_or(spec.element.bits() / 8) as usize;
    let mut expected = vec![0xee; tile.len()];
    for (offset, from) in elements(spec, tensor, at) {
        // Byte by byte: the flip splits elements.
        for byte in 0..size {
            let to =
                if size > 8 { spec.swizzle(spec.swizzle(offset) + byte) } else { offset + byte };
            expected[to] = from.map_or(0, |from| global[from + byte]);
        }
    }
    assert!(tile == expected, "{spec:?} {tensor:?} {at:?}");
    let unwritten: usize = loaded.unwritten().into_iter().map(|range| range.len()).sum();
    assert_eq!(unwritten + loaded.transaction_bytes(), tile.len(), "{spec:?}");
}

#[test]
fn rows_of_every_length_lie_where_their_elements_do() {
    let global = memory(144 * 10);
    for swizzle in Swizzle::ALL {
        for row in [1, 8, 16, 17, 30, 34, 40, 48, 128] {
            if swizzle.span() != 0 && row > swizzle.span() {
                continue;
            }
            let spec = Spec {
                swizzle: *swizzle,
                ..Spec::tiled_unchecked(ElementType::U8, 2, [row, 11, 0, 0, 0])
            };
            for width in [1, 16, 17, 30, 34, 48, 128] {
                let tensor =
                    Tensor { address: 0, dims: [width, 10, 1, 1, 1], strides: [144, 0, 0, 0] };
                for at in [[0, 0], [0, -1], [-16, 0], [16, 3]] {
                    expect_loaded(&spec, &tensor, &at, &global);
                }
            }
        }
    }
}

#[test]
fn stores_write_the_contents_of_the_tile() {
    for swizzle in Swizzle::ALL.iter().filter(|one| **one != Swizzle::B128Atom32Flip8) {
        for row in [8, 16, 17, 30, 34, 40, 48, 128] {
            if swizzle.span() != 0 && row > swizzle.span() {
                continue;
            }
            let spec = Spec {
                swizzle: *swizzle,
                ..Spec::tiled_unchecked(ElementType::U8, 2, [row, 11, 0, 0, 0])
            };
            for width in [1, 16, 17, 30, 32, 34, 128] {
                let tensor =
                    Tensor { address: 0, dims: [width, 10, 1, 1, 1], strides: [144, 0, 0, 0] };
                // Whole chunks of 16 bytes are written.
                let wide = width.next_multiple_of(16);
                let written = Tensor { dims: [wide, 10, 1, 1, 1], ..tensor };
                let tile = memory(spec.tile_bytes());
                let mut global = vec![0xee; 144 * 10];
                store(&spec, &tensor, &Operands::new(&[0, 1]), &mut global, &tile, 0).unwrap();
                let mut expected = vec![0xee; 144 * 10];
                for (offset, to) in elements(&spec, &written, &[0, 1]) {
                    if let Some(to) = to {
                        expected[to] = tile[offset];
                    }
                }
                assert!(global == expected, "{spec:?} {width}");
            }
        }
    }
}

#[test]
fn five_dimensions_and_strides_of_zero() {
    let global = memory(1 << 13);
    let tensor = Tensor { address: 0, dims: [12, 3, 4, 3, 4], strides: [24, 96, 384, 1536] };
    for element_strides in [[1; 5], [1, 2, 1, 2, 3], [0; 5], [7, 0, 3, 1, 2]] {
        let spec =
            Spec { element_strides, ..Spec::tiled_unchecked(ElementType::U16, 5, [8, 3, 2, 3, 2]) };
        for at in [[0; 5], [8, 1, 1, 1, 1], [-8, -1, 0, 2, -1], [0, 0, 3, 0, 3]] {
            expect_loaded(&spec, &tensor, &at, &global);
        }
        for rank in 1..=4 {
            expect_loaded(
                &Spec { rank, ..spec },
                &tensor,
                &[0, 1, 2, -1][..rank as usize],
                &global,
            );
        }
    }
}

#[test]
fn slices_left_and_right_of_the_tensor() {
    let global = memory(1 << 12);
    let tensor = Tensor { address: 0, dims: [3, 3, 4, 2, 1], strides: [64, 256, 1024, 0] };
    for interleave in [Interleave::B16, Interleave::B32] {
        for stride in [0, 1, 2, 3] {
            let spec = Spec {
                interleave,
                element_strides: [stride, 1, 1, 1, 1],
                ..Spec::tiled_unchecked(ElementType::U16, 4, [4, 2, 8, 1, 0])
            };
            for w in [-9, -4, -3, -2, -1, 0, 1, 2, 3] {
                for h in [-1, 0, 2] {
                    expect_loaded(&spec, &tensor, &[w, h, 1, 0], &global);
                }
            }
        }
    }
}

/// A store of slices only writes those inside the tensor.
#[test]
fn slices_are_written_one_at_a_time() {
    let spec = Spec {
        interleave: Interleave::B16,
        ..Spec::tiled_unchecked(ElementType::U16, 3, [4, 8, 1, 0, 0])
    };
    let tensor = Tensor { address: 0, dims: [3, 2, 1, 1, 1], strides: [64, 128, 0, 0] };
    let (mut global, tile) = (vec![0xee; 128], memory(64));
    store(&spec, &tensor, &Operands::new(&[1, 0, 0]), &mut global, &tile, 0).unwrap();
    assert_eq!(
        (&global[..16], &global[16..48], &global[48..]),
        (&[0xee; 16][..], &tile[..32], &[0xee; 80][..])
    );
}

/// The last 16 padded elements are copied completely or not at all.
#[test]
fn an_incomplete_group_of_16_is_not_copied() {
    let tensor = |element| Tensor {
        dims: [127, 1, 1, 1, 1],
        ..Tensor::dense(0, element, [128, 1, 1, 1, 1])
    };
    for (element, bytes) in [(ElementType::B4x16P64, 8), (ElementType::B6x16P32, 12)] {
        let spec = Spec::tiled_unchecked(element, 2, [128, 1, 0, 0, 0]);
        let (global, mut tile) = (memory(96), [0xee; 128]);
        load(&spec, &tensor(element), &Operands::new(&[0, 0]), &global, &mut tile, 0).unwrap();
        for group in 0..8 {
            let found = &tile[group * 16..][..bytes];
            let expected =
                if group < 7 { &global[group * bytes..][..bytes] } else { &[0xee; 16][..bytes] };
            assert_eq!(found, expected, "{element:?} {group}");
        }
    }
    let element = ElementType::B6P2x16;
    for (row, width, groups) in [(128, 127, 7), (128, 128, 8), (240, 240, 15), (64, 128, 4)] {
        let spec = Spec::tiled_unchecked(element, 2, [row, 1, 0, 0, 0]);
        let tensor =
            Tensor { dims: [width, 1, 1, 1, 1], ..Tensor::dense(0, element, [256, 1, 1, 1, 1]) };
        let (mut global, tile) = (vec![0xee; 192], vec![0xff; 240]);
        store(&spec, &tensor, &Operands::new(&[0, 0]), &mut global, &tile, 0).unwrap();
        let written = global.iter().take_while(|byte| **byte == 0xff).count();
        assert_eq!(written, groups * 12, "{row} {width}");
        assert!(global[written..].iter().all(|byte| *byte == 0xee));
    }
}

/// Consecutive images, by the traversal stride of N, and pixels by that of W.
#[test]
fn pixels_go_on_with_the_next_image() {
    let mode =
        Mode::Im2col { lower: [0; 3], upper: [0; 3], channels_per_pixel: 16, pixels_per_column: 4 };
    let load_pixels = |dims: [u64; 5], element_strides: [u32; 5], mode| -> Vec<u8> {
        let spec =
            Spec { mode, element_strides, ..Spec::tiled_unchecked(ElementType::U8, 4, [0; 5]) };
        let tensor = Tensor::dense(0, ElementType::U8, dims);
        let pixels: Vec<u8> = (0..64).flat_map(|pixel| [pixel; 16]).collect();
        let mut tile = vec![0xee; spec.tile_bytes()];
        let operands = Operands::with_info(&[0, 0, 0, 1], &[0, 0]);
        load(&spec, &tensor, &operands, &pixels, &mut tile, 0).unwrap();
        tile.chunks(16).map(|pixel| pixel[0]).collect()
    };
    let single = [16, 1, 1, 32, 1];
    assert_eq!(load_pixels(single, [1, 1, 1, 1, 7], mode), [1, 2, 3, 4]);
    assert_eq!(load_pixels(single, [1, 1, 1, 0, 7], mode), [1, 2, 3, 4]);
    assert_eq!(load_pixels(single, [1, 1, 1, 2, 7], mode), [1, 3, 5, 7]);
    assert_eq!(load_pixels([16, 2, 2, 8, 1], [1, 0, 0, 1, 1], mode), [4, 5, 6, 7]);
    assert_eq!(load_pixels([16, 4, 1, 8, 1], [1, 2, 1, 3, 1], mode), [4, 6, 16, 18]);
    let wide = Mode::Im2colW { lower: 0, upper: 0, channels_per_pixel: 16, pixels_per_column: 4 };
    assert_eq!(load_pixels([16, 2, 2, 8, 1], [1; 5], wide), [4, 5, 8, 9]);
}

/// A store has no offsets, and traverses the box like a load.
#[test]
fn pixels_are_stored_without_offsets() {
    let mode =
        Mode::Im2col { lower: [0; 3], upper: [0; 3], channels_per_pixel: 16, pixels_per_column: 3 };
    let spec = Spec { mode, ..Spec::tiled_unchecked(ElementType::U8, 4, [0; 5]) };
    let tensor = Tensor::dense(0, ElementType::U8, [16, 2, 2, 2, 1]);
    let (mut global, tile) = (vec![0xee; 128], memory(48));
    store(&spec, &tensor, &Operands::new(&[0, 1, 0, 1]), &mut global, &tile, 0).unwrap();
    assert_eq!((&global[..80], &global[80..]), (&[0xee; 80][..], &tile[..]));
}

#[test]
fn out_of_bounds_elements_are_filled_with_two_byte_nans() {
    let spec = Spec {
        oob_fill: OobFill::Nan,
        ..Spec::tiled_unchecked(ElementType::F32, 2, [4, 2, 0, 0, 0])
    };
    let tensor = Tensor::dense(0, ElementType::F32, [4, 1, 1, 1, 1]);
    let (global, mut tile) = (memory(16), [0xee; 32]);
    load(&spec, &tensor, &Operands::new(&[0, 0]), &global, &mut tile, 0).unwrap();
    assert_eq!((&tile[..16], &tile[16..]), (&global[..], &[0xf7, 0x7f].repeat(8)[..]));
}
