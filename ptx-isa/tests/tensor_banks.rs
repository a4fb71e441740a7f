//! Bank conflicts and pictures of tiles, compared with plain loops over bytes.

use std::collections::{BTreeMap, BTreeSet};

use ptx_isa::tensor::{BANKS, ElementType, Interleave, Mode, Spec, Swizzle, bank_conflicts};

/// Counts each byte of each thread on its own: a bank serves one request for each distinct word.
fn by_bytes(offsets: &[usize], bytes: usize) -> usize {
    let at_once = match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    };
    let mut worst = 0;
    for threads in offsets.chunks(at_once) {
        let mut banks: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for offset in threads {
            for byte in *offset..offset + bytes {
                banks.entry(byte / 4 % BANKS).or_default().insert(byte / 4);
            }
        }
        worst = banks.values().map(BTreeSet::len).max().unwrap_or(0).max(worst);
    }
    worst
}

#[test]
fn conflicts_are_words_of_one_bank() {
    for bytes in [1, 2, 4, 8, 16] {
        for stride in 0..300 {
            for threads in [1, 7, 8, 9, 16, 31, 32] {
                let offsets: Vec<usize> = (0..threads).map(|n| n * stride * bytes).collect();
                let expected = by_bytes(&offsets, bytes);
                assert_eq!(bank_conflicts(offsets, bytes), expected, "{bytes} {stride} {threads}");
            }
        }
    }
    assert_eq!(bank_conflicts([], 4), 0);
    assert_eq!(bank_conflicts([12; 32], 4), 1);
    assert_eq!(bank_conflicts((0..32).map(|n| n * 128), 4), 32);
    // More threads than a warp has, and accesses of all banks and more.
    assert_eq!(bank_conflicts((0..40).map(|n| n * 4), 2), 1);
    assert_eq!(bank_conflicts([0, 128, 256], 43), 2);
    for bytes in [128, 129, 200] {
        assert_eq!(bank_conflicts([0, 0], bytes), 1);
        assert_eq!(bank_conflicts([1], bytes), 2);
    }
    assert_eq!(bank_conflicts((0..32).map(|n| n * 128), 16), 8);
    // Zero bytes count as one byte, and many bytes as those of one thread.
    assert_eq!(bank_conflicts([0, 128], 0), 2);
    assert_eq!(bank_conflicts([0, 128], 128), 1);
    assert_eq!(bank_conflicts([usize::MAX], 16), 1);
    assert_eq!(bank_conflicts([0, 128, 256], usize::MAX), 1);
}

/// Tiles of every swizzle and mode.
fn tiles() -> Vec<Spec> {
    let mut tiles = Vec::new();
    for swizzle in Swizzle::ALL {
        let row = swizzle.span().max(32) / 2;
        for inner in [row, row / 2] {
            for (rank, box_dims) in
                [(1, [inner, 1, 1, 1, 1]), (2, [inner, 40, 1, 1, 1]), (5, [inner, 3, 2, 5, 2])]
            {
                let spec = Spec::tiled_unchecked(ElementType::Bf16, rank, box_dims);
                tiles.push(spec.with_swizzle(*swizzle));
            }
        }
        let plain = Spec::tiled_unchecked(ElementType::Bf16, 4, [1; 5]).with_swizzle(*swizzle);
        let (lower, upper) = ([0; 3], [0; 3]);
        let (channels_per_pixel, pixels_per_column) = (row, 24);
        tiles.push(Spec { rank: 2, mode: Mode::Gather4 { row }, ..plain });
        let mode = Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column };
        tiles.push(Spec { mode, ..plain });
        tiles.push(Spec { mode, interleave: Interleave::B32, ..plain });
        let (lower, upper) = (0, 0);
        let mode = Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column };
        tiles.push(Spec { mode, ..plain });
    }
    tiles
}

#[test]
fn pictures_have_each_chunk_where_its_first_byte_lies() {
    for spec in tiles() {
        let text = spec.picture().to_string();
        let svg = spec.picture().svg();
        let chunks = spec.row_bytes().div_ceil(16);
        let mut seen = 0;
        for (n, line) in text.lines().skip(1).enumerate() {
            let mut words = line.split_whitespace();
            assert_eq!(words.next(), Some((n * 128).to_string().as_str()));
            for (column, word) in words.enumerate() {
                if word == "." {
                    continue;
                }
                let (row, chunk) = word.split_once('.').unwrap();
                let (row, chunk): (usize, usize) = (row.parse().unwrap(), chunk.parse().unwrap());
                // Flips swap the halves of a chunk, but do not move it.
                let at = spec.swizzle(row * spec.row_pitch() + chunk * 16);
                assert_eq!((at / 128, at % 128 / 16), (n, column), "{spec}");
                seen += 1;
            }
        }
        assert_eq!(seen, spec.rows() * chunks, "{spec}");
        assert_eq!(svg.matches("<rect").count(), seen);
        assert_eq!(svg.matches("<text").count(), seen + 8);
    }
}

#[test]
fn columns_are_the_worst_of_all_accesses() {
    for spec in tiles() {
        for bytes in [4, 8, 16] {
            let mut worst = 1;
            for column in (0..spec.row_bytes()).step_by(bytes) {
                let rows: Vec<usize> = (0..spec.rows())
                    .map(|row| spec.swizzle(row * spec.row_pitch() + column))
                    .collect();
                worst = by_bytes(&rows, bytes).max(worst);
            }
            assert_eq!(spec.column_conflicts(bytes), worst, "{spec} {bytes}");
        }
    }
    let plain = Spec::tiled(ElementType::Bf16, &[64, 64]).unwrap();
    let found =
        [Swizzle::None, Swizzle::B128].map(|of| plain.with_swizzle(of).column_conflicts(16));
    assert_eq!(found, [8, 1]);
    assert_eq!(plain.column_conflicts(0), plain.column_conflicts(1));
    let wide = Spec::tiled_unchecked(ElementType::U8, 1, [256, 1, 1, 1, 1]);
    assert_eq!(wide.column_conflicts(200), 1);
    assert_eq!(Spec::tiled_unchecked(ElementType::U8, 1, [0; 5]).column_conflicts(16), 1);
}

#[test]
fn a_picture_has_a_square_for_each_chunk() {
    let spec = Spec::tiled(ElementType::U8, &[32, 9]).unwrap();
    let svg = spec.picture().svg();
    for part in [
        "width=\"384\" height=\"192\"",
        "<text x=\"24\" y=\"24\" font-size=\"9\">banks 0-3</text>",
        "<text x=\"360\" y=\"24\" font-size=\"9\">banks 28-31</text>",
        // The second chunk of row 1, and the first of row 8.
        "<rect x=\"144\" y=\"48\" width=\"48\" height=\"48\" fill=\"hsl(47,70%,80%)\" stroke=\"black\"/>\
         <text x=\"168\" y=\"77\" font-size=\"16\">1</text>",
        "<rect x=\"0\" y=\"144\" width=\"48\" height=\"48\" fill=\"hsl(16,70%,80%)\" stroke=\"black\"/>\
         <text x=\"24\" y=\"173\" font-size=\"16\">0</text>",
    ] {
        assert!(svg.contains(part), "{part}\n{svg}");
    }
    assert_eq!(svg.matches("<rect").count(), 18);
}

#[test]
fn pictures_of_many_lines_and_of_wide_rows() {
    let shown = |element, box_dims| {
        let text = Spec::tiled_unchecked(element, 2, box_dims).picture().to_string();
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        (lines.len() - 1, lines[lines.len() - 1].clone())
    };
    // 320 bytes a row, of which the second starts in the middle of a line.
    let (lines, last) = shown(ElementType::U64, [40, 2, 1, 1, 1]);
    assert_eq!(lines, 5);
    assert!(last.ends_with(" 1.12  1.13  1.14  1.15  1.16  1.17  1.18  1.19"), "{last}");
    assert_eq!(shown(ElementType::U8, [128, 160, 1, 1, 1]).0, 160);
    // 256 KiB, and no more.
    let (lines, last) = shown(ElementType::U8, [1, 1 << 20, 1, 1, 1]);
    assert_eq!(lines, 2048);
    assert!(last.ends_with(" 262143.0"), "{last}");
    assert_eq!(shown(ElementType::U8, [1 << 20, 1, 1, 1, 1]).0, 2048);
}

/// The picture of an invalid map is truncated: it neither panics nor runs forever.
#[test]
fn tiles_that_nothing_encodes() {
    for box_dims in [[u32::MAX; 5], [1, u32::MAX, 1, 1, 1], [u32::MAX, 1, 1, 1, 1], [0; 5]] {
        for element in [ElementType::U8, ElementType::F64] {
            let spec = Spec::tiled_unchecked(element, 2, box_dims).with_swizzle(Swizzle::B128);
            assert!(spec.picture().to_string().lines().count() <= 2 * (1 << 18) / 128 + 2);
            assert!(spec.column_conflicts(16) <= 32);
        }
    }
}
