//! The model of tensor copies, compared with the manual's examples and with byte-by-byte loops.

use ptx_types::tensor::model::{Access, CopyError, Operands, Reduction, load, reduce, store};
use ptx_types::tensor::{ElementType, Interleave, Mode, OobFill, Spec, Swizzle, Tensor};

/// The memory of a tensor: every 4 bytes hold a distinct number.
fn memory(bytes: usize) -> Vec<u8> {
    let words = 0..u32::try_from(bytes.div_ceil(4)).expect("small");
    words.flat_map(|word| word.wrapping_mul(0x9E37_79B1).rotate_left(7).to_le_bytes()).collect()
}

/// The number in the tile at the place of a pixel of a 4D tensor (C, W, H, N) after an `im2col` load.
fn pixel(
    tensor: &Tensor,
    global: &[u8],
    row_bytes: usize,
    [c, w, h, n]: [i64; 4],
    element_bytes: i64,
) -> Vec<u8> {
    let inside = [w, h, n]
        .iter()
        .zip(&tensor.dims[1..])
        .all(|(at, dim)| u64::try_from(*at).is_ok_and(|at| at < *dim));
    if !inside {
        return vec![0; row_bytes];
    }
    let strides = tensor.strides.map(u64::cast_signed);
    let at = c * element_bytes + w * strides[0] + h * strides[1] + n * strides[2];
    let at = usize::try_from(at).expect("inside");
    global[at..at + row_bytes].to_vec()
}

/// Compares the pixels of a load, with C = 0, with the expected ones.
fn expect_pixels(
    spec: &Spec,
    dims: [u64; 5],
    operands: &Operands<'_>,
    expected: impl Iterator<Item = [i64; 3]>,
) {
    let tensor = Tensor::dense(0, spec.element, dims);
    let global = memory(usize::try_from(spec.element.global_bytes(dims.iter().product())).unwrap());
    let halo = if spec.mode.is_wide() { operands.info[0].into() } else { 0 };
    let mut tile = vec![0xee; spec.tile_bytes_with_halo(halo).unwrap()];
    let loaded = load(spec, &tensor, operands, &global, &mut tile, 0).unwrap();
    assert!(loaded.unwritten().is_empty());
    assert_eq!(loaded.transaction_bytes(), tile.len());
    let (mut rows, bytes) = (tile.chunks(spec.row_bytes()), i64::from(spec.element.bits() / 8));
    for (i, [w, h, n]) in expected.enumerate() {
        let pixel = pixel(&tensor, &global, spec.row_bytes(), [0, w, h, n], bytes);
        assert_eq!(rows.next().expect("a pixel"), pixel, "pixel {i}: W {w}, H {h}, N {n}");
    }
    assert_eq!(rows.next(), None);
}

const fn im2col(lower: i32, upper: i32, channels_per_pixel: u32, pixels_per_column: u32) -> Spec {
    let (lower, upper) = ([lower, lower, 0], [upper, upper, 0]);
    Spec {
        rank: 4,
        mode: Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column },
        ..Spec::tiled_unchecked(ElementType::U16, 4, [0; 5])
    }
}

/// 5.5.4.1, example 1: W -1 to 7, H -1 to 12.
#[test]
fn im2col_example_1() {
    let expected = (0..64).map(|i| {
        let at = (7 + 1) * 9 + (4 + 1) + i;
        [at % 9 - 1, at / 9 % 14 - 1, 7 + at / (9 * 14)]
    });
    let operands = Operands::with_info(&[0, 4, 7, 7], &[0, 0]);
    expect_pixels(&im2col(-1, -1, 8, 64), [64, 9, 14, 64, 1], &operands, expected);
}

/// 5.5.4.1, example 2: W 0 to 6, H 0 to 11, and the filter's last corner.
#[test]
fn im2col_example_2() {
    let expected = (0..64).map(|i| {
        let at = 7 * 7 + 4 + i;
        [at % 7 + 2, at / 7 % 12 + 2, 7 + at / (7 * 12)]
    });
    let operands = Operands::with_info(&[0, 4, 7, 7], &[2, 2]);
    expect_pixels(&im2col(0, -2, 8, 64), [64, 9, 14, 64, 1], &operands, expected);
}

/// 5.5.4.2: every other pixel of every other row, starting again at the edge of the box after each row.
#[test]
fn im2col_example_3() {
    let spec = Spec { element_strides: [1, 2, 2, 1, 1], ..im2col(-1, -1, 16, 32) };
    // W -1, 1, 3, 5 and H -1, 1, .. 11: the filter starts at the last W of its row.
    let expected = (0..32).map(|i| {
        let at = 4 * 4 + 3 + i;
        [at % 4 * 2 - 1 + 1, at / 4 % 7 * 2 - 1 + 1, 7 + at / (4 * 7)]
    });
    let operands = Operands::with_info(&[0, 5, 7, 7], &[1, 1]);
    expect_pixels(&spec, [64, 8, 14, 64, 1], &operands, expected);
}

/// A load that starts outside the bounding box is an illegal instruction.
#[test]
fn im2col_starts_in_its_box() {
    let (spec, dims) = (im2col(-1, -1, 8, 64), [64, 9, 14, 64, 1]);
    let (tensor, mut tile) = (Tensor::dense(0, ElementType::U16, dims), vec![0; 1024]);
    let global = memory(64 * 9 * 14 * 64 * 2);
    let error =
        load(&spec, &tensor, &Operands::with_info(&[0, 8, 0, 0], &[0, 0]), &global, &mut tile, 0)
            .unwrap_err();
    assert_eq!(error, CopyError::OutsideBox { dimension: 1, coordinate: 8, first: -1, last: 7 });
    assert_eq!(error.to_string(), "coordinate 1 is 8, but the bounding box is -1 to 7");
}

fn wide(lower: i32, upper: i32, is_128: bool) -> Spec {
    let (channels_per_pixel, pixels_per_column) = (64, 128);
    Spec {
        mode: if is_128 {
            Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column }
        } else {
            Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
        },
        swizzle: Swizzle::None,
        ..Spec::tiled_unchecked(ElementType::U8, 4, [0; 5])
    }
}

/// 5.5.5.3, the first example: 128 pixels of row 2 of consecutive images, and two more.
#[test]
fn im2col_w_example() {
    let expected = (0..130).map(|i| [(3 + i) % 9, 2, 7 + (3 + i) / 9]);
    let operands = Operands::with_info(&[0, 3, 2, 7], &[2, 0]);
    expect_pixels(&wide(0, 0, false), [128, 9, 7, 64, 1], &operands, expected);
}

/// 5.5.5.3, the second example: two more pixels after each 32.
#[test]
fn im2col_w_128_example() {
    let expected = (0..4 * 34).map(|i| {
        let at = 3 + i / 34 * 32 + i % 34;
        [at % 9, 2, 7 + at / 9]
    });
    let operands = Operands::with_info(&[0, 3, 2, 7], &[2, 0]);
    expect_pixels(&wide(0, 0, true), [128, 9, 7, 64, 1], &operands, expected);
}

/// 5.5.5.4, example 1: odd pixels with one more, and even ones.
#[test]
fn im2col_w_offset_example_1() {
    let spec = Spec { element_strides: [1, 2, 1, 1, 1], ..wide(-1, 0, false) };
    for (halo, offset) in [(1, 0), (0, 1)] {
        let expected =
            (0..128 + i64::from(halo)).map(|i| [i % 5 * 2 - 1 + i64::from(offset), 2, 7 + i / 5]);
        let info = [halo, offset];
        let operands = Operands::with_info(&[0, -1, 2, 7], &info);
        expect_pixels(&spec, [128, 9, 67, 64, 1], &operands, expected);
    }
}

/// 5.5.5.4, example 2: every third pixel, three times.
#[test]
fn im2col_w_offset_example_2() {
    let spec = Spec { element_strides: [1, 3, 1, 1, 1], ..wide(-1, -1, false) };
    for offset in 0..3 {
        let expected = (0..128).map(|i| [i % 3 * 3 - 1 + i64::from(offset), 2, 7 + i / 3]);
        let info = [0, offset];
        let operands = Operands::with_info(&[0, -1, 2, 7], &info);
        expect_pixels(&spec, [128, 7, 7, 64, 1], &operands, expected);
    }
}

/// 5.5.3.4, figure 10: rows 2, 5, 0 and 9 of a matrix.
#[test]
fn gather_takes_four_rows() {
    let spec = Spec {
        mode: Mode::Gather4 { row: 16 },
        ..Spec::tiled_unchecked(ElementType::U8, 2, [0; 5])
    };
    let tensor = Tensor::dense(0, ElementType::U8, [48, 10, 1, 1, 1]);
    let (matrix, mut tile) = (memory(480), [0xee; 64]);
    let operands = Operands::new(&[16, 2, 5, 0, 9]);
    let loaded = load(&spec, &tensor, &operands, &matrix, &mut tile, 128).unwrap();
    assert_eq!(loaded.transaction_bytes(), 64);
    for (row, tile) in [2, 5, 0, 9].into_iter().zip(tile.chunks(16)) {
        assert_eq!(tile, &matrix[row * 48 + 16..row * 48 + 32]);
    }
    let scatter = Spec { mode: Mode::Scatter4 { row: 16 }, ..spec };
    let mut other = vec![0; 480];
    store(&scatter, &tensor, &operands, &mut other, &tile, 128).unwrap();
    for (row, bytes) in other.chunks(48).enumerate() {
        let is_stored = [2, 5, 0, 9].contains(&row);
        assert_eq!(bytes[16..32] == matrix[row * 48 + 16..row * 48 + 32], is_stored);
        assert_eq!((&bytes[..16], &bytes[32..]), (&[0; 16][..], &[0; 16][..]));
    }
}

/// Checks every element of a box with `element_offset`.
#[test]
fn elements_lie_where_the_map_places_them() {
    for element in ElementType::ALL.iter().copied().filter(|element| !element.is_sub_byte()) {
        for swizzle in Swizzle::ALL.iter().copied() {
            for (row_bytes, fill) in
                [(16, OobFill::Zero), (32, OobFill::Nan), (swizzle.span().max(16), OobFill::Nan)]
            {
                if swizzle.span() != 0 && row_bytes > swizzle.span() {
                    continue;
                }
                let (bytes, row) = (element.bits() / 8, row_bytes * 8 / element.bits());
                let spec = Spec {
                    swizzle,
                    oob_fill: if element.is_float() { fill } else { OobFill::Zero },
                    element_strides: [1, 2, 1, 1, 1],
                    ..Spec::tiled_unchecked(element, 3, [row, 9, 3, 0, 0])
                };
                check_elements(&spec, row, bytes);
            }
        }
    }
}

fn check_elements(spec: &Spec, row: u32, bytes: u32) {
    let tensor = Tensor {
        address: 0,
        dims: [u64::from(row) + 1, 8, 3, 1, 1],
        strides: [u64::from(bytes * (row + 1)).next_multiple_of(16), 8 * 1024, 0, 0],
    };
    let (global, bytes) = (memory(1 << 16), bytes as usize);
    let mut tile = vec![0xee; spec.tile_bytes()];
    let chunk = i32::try_from(16 / bytes).unwrap();
    let coordinates = [chunk, -1, 1];
    let operands = Operands::new(&coordinates);
    let loaded = load(spec, &tensor, &operands, &global, &mut tile, 0x2000).unwrap();
    let mut seen = vec![false; tile.len()];
    let [columns, rows, planes, ..] = spec.tile_dims();
    for (x, y, z) in
        (0..planes).flat_map(|z| (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y, z))))
    {
        let offset = spec.element_offset([x, y, z, 0, 0]).unwrap();
        let at = [i64::from(x) + i64::from(chunk), i64::from(y) * 2 - 1, i64::from(z) + 1];
        let inside =
            at.iter().zip(&tensor.dims).all(|(at, dim)| (0..dim.cast_signed()).contains(at));
        let mut expected = vec![0; bytes];
        if inside {
            let from = at[0] * i64::from(spec.element.bits() / 8)
                + at[1] * tensor.strides[0].cast_signed()
                + at[2] * tensor.strides[1].cast_signed();
            let from = usize::try_from(from).unwrap();
            expected.copy_from_slice(&global[from..from + bytes]);
        } else if spec.oob_fill == OobFill::Nan {
            for pair in expected.chunks_mut(2) {
                pair.copy_from_slice(&[0xf7, 0x7f]);
            }
        }
        // The flip would split elements of 16 bytes, which do not exist.
        let found = &tile[offset..offset + bytes];
        if matches!(spec.element, ElementType::Tf32 | ElementType::Tf32Ftz) && inside {
            assert_eq!(found[0], 0, "{spec:?}");
            assert_eq!(found[3] & 0x80, expected[3] & 0x80, "{spec:?}");
        } else {
            assert_eq!(found, expected, "{spec:?} {x} {y} {z}");
        }
        seen[offset..offset + bytes].fill(true);
    }
    for range in loaded.unwritten() {
        assert!(tile[range.clone()].iter().all(|byte| *byte == 0xee));
        assert!(seen[range.clone()].iter().all(|seen| !seen));
        seen[range].fill(true);
    }
    assert!(seen.iter().all(|seen| *seen), "{spec:?}");
}

/// A tile that starts anywhere in the pattern survives a store and a load.
#[test]
fn a_tile_round_trips() {
    let tensor = Tensor::dense(0, ElementType::Bf16, [64, 40, 1, 1, 1]);
    let matrix = memory(64 * 40 * 2);
    for swizzle in Swizzle::ALL.iter().copied() {
        if swizzle == Swizzle::B128Atom32Flip8 {
            continue;
        }
        for line in 0..16 {
            let inner = if swizzle == Swizzle::None { 64 } else { swizzle.span() / 2 };
            let spec = Spec {
                swizzle,
                ..Spec::tiled_unchecked(ElementType::Bf16, 2, [inner, 32, 0, 0, 0])
            };
            let mut tile = vec![0; spec.tile_bytes()];
            let operands = Operands::new(&[0, 5]);
            load(&spec, &tensor, &operands, &matrix, &mut tile, line * 128).unwrap();
            if line > 0 && swizzle == Swizzle::B128 {
                // The chunk of the first row that the address selects.
                let to = (line % 8) * 16;
                assert_eq!(tile[to..to + 16], matrix[5 * 128..5 * 128 + 16]);
            }
            let mut back = vec![0; matrix.len()];
            store(&spec, &tensor, &operands, &mut back, &tile, line * 128).unwrap();
            let bytes = inner as usize * 2;
            for row in 5..37 {
                assert_eq!(
                    back[row * 128..row * 128 + bytes],
                    matrix[row * 128..row * 128 + bytes]
                );
            }
            assert!(back[..5 * 128].iter().chain(&back[37 * 128..]).all(|byte| *byte == 0));
        }
    }
}

/// A store writes whole chunks of 16 bytes, and thus also bytes past the end of a row.
#[test]
fn stores_write_whole_chunks() {
    let spec = Spec::tiled_unchecked(ElementType::U32, 2, [8, 2, 0, 0, 0]);
    let tensor =
        Tensor { strides: [32, 0, 0, 0], ..Tensor::dense(0, ElementType::U32, [5, 2, 1, 1, 1]) };
    let (mut matrix, tile) = ([0xee; 64], memory(64));
    store(&spec, &tensor, &Operands::new(&[0, 0]), &mut matrix, &tile, 0).unwrap();
    assert_eq!(matrix[..], tile[..]);
    let tensor = Tensor { dims: [3, 2, 1, 1, 1], ..tensor };
    let mut matrix = [0xee; 64];
    store(&spec, &tensor, &Operands::new(&[0, 0]), &mut matrix, &tile, 0).unwrap();
    assert_eq!((&matrix[..16], &matrix[16..32]), (&tile[..16], &[0xee; 16][..]));
    let short = store(&spec, &tensor, &Operands::new(&[0, 0]), &mut matrix[..44], &tile, 0);
    assert_eq!(short, Err(CopyError::GlobalTooShort { needed: 48, found: 44 }));
}

/// Slices of 16 bytes: dimension 0 is W, and a copy takes one slice, whatever the size of the box.
#[test]
fn interleaved_boxes_take_one_slice() {
    let spec = Spec {
        interleave: Interleave::B16,
        element_strides: [2, 1, 1, 1, 1],
        ..Spec::tiled_unchecked(ElementType::U16, 4, [8, 3, 32, 2, 0])
    };
    // W, H, slices of channels, N.
    let tensor = Tensor { address: 0, dims: [8, 4, 4, 3, 1], strides: [128, 512, 2048, 0] };
    let (global, mut tile) = (memory(3 * 2048), vec![0xee; spec.tile_bytes()]);
    assert_eq!((spec.tile_dims(), spec.tile_bytes()), ([4, 3, 1, 2, 1], 4 * 3 * 2 * 16));
    let operands = Operands::new(&[1, 2, 3, 1]);
    let loaded = load(&spec, &tensor, &operands, &global, &mut tile, 0).unwrap();
    assert_eq!(loaded.transaction_bytes(), tile.len());
    for (i, slice) in tile.chunks(16).enumerate() {
        let (x, y, n) = (1 + i % 4 * 2, 2 + i / 4 % 3, 1 + i / 12);
        let at = x * 16 + y * 128 + 3 * 512 + n * 2048;
        if y < 4 {
            assert_eq!(slice, &global[at..at + 16]);
        } else {
            assert_eq!(slice, [0; 16]);
        }
    }
}

/// 5.5.1.1: padding is not written, and is reported as padding.
#[test]
fn padding_stays_as_it_was() {
    for (element, bytes) in [(ElementType::B4x16P64, 8), (ElementType::B6x16P32, 12)] {
        let spec =
            Spec { swizzle: Swizzle::B128, ..Spec::tiled_unchecked(element, 2, [128, 4, 0, 0, 0]) };
        let tensor = Tensor::dense(0, element, [256, 3, 1, 1, 1]);
        let row = usize::try_from(tensor.strides[0]).unwrap();
        let (matrix, mut tile) = (memory(3 * row), vec![0xee; spec.tile_bytes()]);
        let operands = Operands::new(&[128, 0]);
        let loaded = load(&spec, &tensor, &operands, &matrix, &mut tile, 0).unwrap();
        assert_eq!(loaded.transaction_bytes(), 4 * 8 * bytes);
        let unwritten = loaded.unwritten();
        assert_eq!((unwritten.len(), unwritten[0].clone()), (32, bytes..16));
        for (row_of, y) in matrix.chunks(row).chain([&vec![0; row][..]]).zip(0..) {
            for (group, data) in row_of[row / 2..].chunks(bytes).enumerate() {
                let at = spec.swizzle(y * 128 + group * 16);
                assert_eq!(&tile[at..at + bytes], data);
                assert!(tile[at + bytes..at + 16].iter().all(|byte| *byte == 0xee));
            }
        }
    }
}

/// 5.5.1.1: the upper two bits of every byte are dropped.
#[test]
fn bytes_of_six_bits_are_packed() {
    let spec = Spec::tiled_unchecked(ElementType::B6P2x16, 2, [128, 1, 0, 0, 0]);
    let tensor = Tensor::dense(0, ElementType::B6P2x16, [128, 1, 1, 1, 1]);
    let tile: Vec<u8> = (0..128).map(|i| i | 0x80).collect();
    let mut packed = vec![0; 96];
    store(&spec, &tensor, &Operands::new(&[0, 0]), &mut packed, &tile, 0).unwrap();
    for (i, byte) in tile.iter().enumerate() {
        let bits =
            u16::from(packed[i * 6 / 8]) | u16::from(*packed.get(i * 6 / 8 + 1).unwrap_or(&0)) << 8;
        assert_eq!(bits >> (i * 6 % 8) & 0x3f, u16::from(byte & 0x3f));
    }
}

/// One value of each reduction.
#[test]
fn reductions_reduce() {
    let reduced = |element: ElementType, reduction, old: &[u8], tile: &[u8]| {
        let spec = Spec::tiled_unchecked(element, 1, [16 / (element.bits() / 8), 0, 0, 0, 0]);
        let tensor = Tensor::dense(0, element, [u64::from(16 / (element.bits() / 8)), 1, 1, 1, 1]);
        let mut global = [0; 16];
        let mut shared = [0; 16];
        global[..old.len()].copy_from_slice(old);
        shared[..tile.len()].copy_from_slice(tile);
        let operands = Operands::new(&[0]);
        reduce(&spec, &tensor, &operands, reduction, &mut global, &shared, 0).unwrap();
        global[..old.len()].to_vec()
    };
    let words = |reduction, old: u32, tile: u32| {
        let bytes = reduced(ElementType::U32, reduction, &old.to_le_bytes(), &tile.to_le_bytes());
        u32::from_le_bytes(bytes.try_into().unwrap())
    };
    assert_eq!(words(Reduction::Add, u32::MAX, 3), 2);
    assert_eq!((words(Reduction::Inc, 4, 5), words(Reduction::Inc, 5, 5)), (5, 0));
    assert_eq!((words(Reduction::Dec, 0, 5), words(Reduction::Dec, 6, 5)), (5, 5));
    assert_eq!(words(Reduction::Dec, 3, 5), 2);
    assert_eq!((words(Reduction::And, 12, 10), words(Reduction::Or, 12, 10)), (8, 14));
    assert_eq!(words(Reduction::Xor, 12, 10), 6);
    // -0 and +0, NaN and 1, NaN twice.
    for (old, tile, min, max) in [
        (0x8000_u16, 0_u16, 0x8000_u16, 0_u16),
        (0x7e00, 0x3c00, 0x3c00, 0x3c00),
        (0xfe12, 0x7c01, 0x7fff, 0x7fff),
    ] {
        let halves = |reduction| {
            let (old, tile) = (old.to_le_bytes(), tile.to_le_bytes());
            u16::from_le_bytes(
                reduced(ElementType::F16, reduction, &old, &tile).try_into().unwrap(),
            )
        };
        assert_eq!((halves(Reduction::Min), halves(Reduction::Max)), (min, max));
    }
    let spec = Spec::tiled_unchecked(ElementType::F32, 1, [4, 0, 0, 0, 0]);
    let tensor = Tensor::dense(0, ElementType::F32, [4, 1, 1, 1, 1]);
    let error =
        reduce(&spec, &tensor, &Operands::new(&[0]), Reduction::Min, &mut [0; 16], &[0; 16], 0);
    assert_eq!(
        error.unwrap_err().to_string(),
        "there is no reduction `.min` of `f32`; there is `.add`"
    );
}

/// An invalid copy reports the reason, and writes nothing.
#[test]
fn mistakes_are_named() {
    let spec = Spec::tiled_unchecked(ElementType::U32, 2, [8, 2, 0, 0, 0]);
    let tensor = Tensor::dense(0, ElementType::U32, [16, 4, 1, 1, 1]);
    let global = memory(256);
    let mut tile = [0xee; 64];
    let mut check = |spec: &Spec, operands: Operands<'_>, bytes, shared, address| {
        load(spec, &tensor, &operands, &global[..bytes], &mut tile[..shared], address)
            .unwrap_err()
            .to_string()
    };
    let fine = Operands::new(&[0, 0]);
    assert_eq!(
        check(&spec, Operands::new(&[0]), 256, 64, 0),
        "`coordinates` has 1 value, but the instruction takes 2"
    );
    assert_eq!(
        check(&spec, Operands::with_info(&[0, 0], &[1]), 256, 64, 0),
        "`info` has 1 value, but the instruction takes 0"
    );
    assert_eq!(
        check(&spec, Operands::new(&[2, 0]), 256, 64, 0),
        "coordinate 0 is 2, but must be a multiple of 4 elements"
    );
    assert_eq!(
        check(&spec, fine, 255, 64, 0),
        "the tensor takes 256 bytes of global memory, but the slice has 255"
    );
    assert_eq!(
        check(&spec, fine, 256, 63, 0),
        "the tile takes 64 bytes of shared memory, but the slice has 63"
    );
    assert_eq!(
        check(&spec, fine, 256, 64, 64),
        "the tile is at shared address 0x40, but must be at a multiple of 128 bytes"
    );
    let scatter = Spec { mode: Mode::Scatter4 { row: 8 }, ..spec };
    assert_eq!(
        check(&scatter, fine, 256, 64, 0),
        "there is no load of rank 2 in the mode `.tile::scatter4`, which has stores of rank 2"
    );
    let packed = Spec { element: ElementType::B6P2x16, ..spec };
    assert_eq!(check(&packed, fine, 256, 64, 0), "`b6p2x16` is only stored, but this is a load");
    assert_eq!(
        check(&im2col(0, 0, 8, 4), Operands::with_info(&[0; 4], &[0, 256]), 256, 64, 0),
        "`info[1]` is 256, but at most 255 fits"
    );
    assert_eq!(tile, [0xee; 64]);

    let mut matrix = vec![0; 256];
    let mut put = |spec: &Spec, operands: Operands<'_>| {
        store(spec, &tensor, &operands, &mut matrix, &[0; 4096], 0).unwrap_err()
    };
    assert_eq!(
        put(&spec, Operands::new(&[0, -1])),
        CopyError::Negative { dimension: 1, coordinate: -1 }
    );
    let flip = Spec { swizzle: Swizzle::B128Atom32Flip8, ..spec };
    assert_eq!(
        put(&flip, fine),
        CopyError::Swizzle { swizzle: "B128Atom32Flip8", access: Access::Store }
    );
    assert_eq!(
        put(&im2col(-1, 0, 8, 4), Operands::new(&[0; 4])),
        CopyError::BoxOutside { dimension: 0 }
    );
    assert!(matches!(put(&wide(0, 0, false), fine), CopyError::Mode { access: Access::Store, .. }));
}

/// No input causes a panic.
#[test]
fn nothing_panics() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = |of: &[u64]| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        of[usize::try_from(state >> 33).unwrap() % of.len()]
    };
    let numbers = [0, 0, 1, 1, 2, 3, 4, 8, 16, 31, 64, 256, 0xffff_ffff, 0x7fff_ffff];
    let large = [0, 1, 2, 5, 16, 64, 1 << 20, u64::MAX, i64::MAX as u64];
    let global = memory(4096);
    let mut shared = vec![0; 4096];
    for _ in 0..20_000 {
        let mut number = || u32::try_from(random(&numbers)).unwrap();
        let [a, b, c, d] = [number(), number(), number(), number()];
        let corner = [a.cast_signed(), b.cast_signed() - 3, 0];
        let spec = Spec {
            element: ElementType::ALL[a as usize % ElementType::ALL.len()],
            rank: number() % 7,
            mode: match d % 6 {
                0 => Mode::Tiled { box_dims: [a, b, c, number(), number()] },
                1 => Mode::Gather4 { row: a },
                2 => Mode::Scatter4 { row: a },
                3 => Mode::Im2col {
                    lower: corner,
                    upper: [corner[1], corner[0], 0],
                    channels_per_pixel: a,
                    pixels_per_column: c,
                },
                4 => Mode::Im2colW {
                    lower: corner[0],
                    upper: corner[1],
                    channels_per_pixel: b,
                    pixels_per_column: c,
                },
                _ => Mode::Im2colW128 {
                    lower: corner[0],
                    upper: corner[1],
                    channels_per_pixel: b,
                    pixels_per_column: c,
                },
            },
            element_strides: [number(), number(), number(), number(), number()],
            interleave: Interleave::ALL[number() as usize % 3],
            swizzle: Swizzle::ALL[number() as usize % Swizzle::ALL.len()],
            l2_promotion: ptx_types::tensor::L2Promotion::None,
            oob_fill: OobFill::ALL[number() as usize % 2],
        };
        let coordinates = [number(), number(), number(), number(), number()].map(u32::cast_signed);
        let tensor = Tensor {
            address: 0,
            dims: [random(&large), random(&large), random(&large), random(&large), 1],
            strides: [random(&large), random(&large), random(&large), 0],
        };
        let rank = spec.rank.min(5) as usize;
        let info = [1_u16, 2, 3];
        for count in [rank, 5] {
            let operands =
                Operands::with_info(&coordinates[..count], &info[..rank.saturating_sub(2).min(3)]);
            let _ = load(&spec, &tensor, &operands, &global, &mut shared, 128)
                .map(|loaded| loaded.unwritten());
            let operands = Operands::with_info(&coordinates[..count], &info[..2]);
            let _ = load(&spec, &tensor, &operands, &global, &mut shared, 128);
            let operands = Operands::new(&coordinates[..count]);
            let mut matrix = global.clone();
            let _ = load(&spec, &tensor, &operands, &global, &mut shared, 128);
            let _ = store(&spec, &tensor, &operands, &mut matrix, &shared, 0);
            let _ = reduce(&spec, &tensor, &operands, Reduction::Add, &mut matrix, &shared, 0);
        }
    }
}
