//! The swizzles against the tables of PTX ISA 5.5.7, and as functions.

use proptest::prelude::*;
use ptx_isa::tensor::Swizzle;

/// The positions of the chunks of 16 bytes after a swizzle, from a boundary of the pattern: `[line][slot]`
/// is the chunk in that slot of a line of 128 bytes.
fn layout<const LINES: usize>(swizzle: Swizzle) -> [[usize; 8]; LINES] {
    let mut table = [[usize::MAX; 8]; LINES];
    for (line, row) in table.iter_mut().enumerate() {
        for chunk in 0..8 {
            let address = swizzle.apply(line * 128 + chunk * 16);
            assert_eq!(address / 128, line, "{swizzle:?} keeps a chunk in its line");
            assert_eq!(address % 8, 0);
            row[address % 128 / 16] = chunk;
        }
    }
    table
}

const STRAIGHT: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

#[test]
fn none() {
    assert_eq!(layout(Swizzle::None), [STRAIGHT, STRAIGHT]);
}

#[test]
fn b32_and_b96() {
    let table = [STRAIGHT, [1, 0, 3, 2, 5, 4, 7, 6]];
    assert_eq!(layout(Swizzle::B32), table);
    assert_eq!(layout(Swizzle::B96), table);
}

#[test]
fn b64() {
    let table =
        [STRAIGHT, [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4]];
    assert_eq!(layout(Swizzle::B64), table);
}

#[test]
fn b128() {
    let table = [
        STRAIGHT,
        [1, 0, 3, 2, 5, 4, 7, 6],
        [2, 3, 0, 1, 6, 7, 4, 5],
        [3, 2, 1, 0, 7, 6, 5, 4],
        [4, 5, 6, 7, 0, 1, 2, 3],
        [5, 4, 7, 6, 1, 0, 3, 2],
        [6, 7, 4, 5, 2, 3, 0, 1],
        [7, 6, 5, 4, 3, 2, 1, 0],
    ];
    assert_eq!(layout(Swizzle::B128), table);
}

#[test]
fn b128_with_atoms_of_32_bytes() {
    let table =
        [STRAIGHT, [2, 3, 0, 1, 6, 7, 4, 5], [4, 5, 6, 7, 0, 1, 2, 3], [6, 7, 4, 5, 2, 3, 0, 1]];
    assert_eq!(layout(Swizzle::B128Atom32), table);
    // The flip swaps the halves of a chunk in every other line.
    assert_eq!(layout(Swizzle::B128Atom32Flip8), table);
    for line in 0..8 {
        for half in [0, 8] {
            let flipped = Swizzle::B128Atom32Flip8.apply(line * 128 + half);
            let plain = Swizzle::B128Atom32.apply(line * 128 + half);
            assert_eq!(flipped, if line % 2 == 1 { plain ^ 8 } else { plain });
        }
    }
}

#[test]
fn b128_with_atoms_of_64_bytes() {
    assert_eq!(layout(Swizzle::B128Atom64), [STRAIGHT, [4, 5, 6, 7, 0, 1, 2, 3]]);
}

#[test]
fn the_tables_of_boundaries_and_base_offsets() {
    let boundaries = Swizzle::ALL.iter().map(|swizzle| (swizzle.repeat(), swizzle.alignment()));
    assert_eq!(
        boundaries.collect::<Vec<_>>(),
        [
            (1, 128),
            (256, 256),
            (512, 512),
            (1024, 1024),
            (1024, 1024),
            (1024, 1024),
            (1024, 1024),
            (256, 256)
        ]
    );
    for address in (0..4096).step_by(16) {
        assert_eq!(Swizzle::B128.base_offset(address), address / 128 % 8);
        assert_eq!(Swizzle::B96.base_offset(address), address / 128 % 2);
        assert_eq!(Swizzle::B64.base_offset(address), address / 128 % 4);
        assert_eq!(Swizzle::B32.base_offset(address), address / 128 % 2);
        assert_eq!(Swizzle::None.base_offset(address), 0);
    }
}

#[test]
fn numbers_go_there_and_back() {
    for swizzle in Swizzle::ALL {
        assert_eq!(Swizzle::from_name(swizzle.name()), Some(*swizzle));
        if let Some(number) = swizzle.driver() {
            assert_eq!(Swizzle::from_driver(number), Some(*swizzle));
        }
    }
    assert_eq!(Swizzle::from_driver(7), None);
}

fn any_swizzle() -> impl Strategy<Value = Swizzle> {
    proptest::sample::select(Swizzle::ALL)
}

proptest! {
    /// Its own inverse, hence bijective.
    #[test]
    fn involution(swizzle in any_swizzle(), address in 0_usize..1 << 32) {
        prop_assert_eq!(swizzle.apply(swizzle.apply(address)), address);
    }

    /// Addresses stay within their span, and atoms stay whole.
    #[test]
    fn span_and_atom(swizzle in any_swizzle(), address in 0_usize..1 << 32) {
        // A span of 96 bytes counts as 128 here.
        let span = (swizzle.span() as usize).next_power_of_two().max(1);
        let moved = swizzle.apply(address);
        prop_assert_eq!(moved / span, address / span);
        let atom = match swizzle {
            Swizzle::None => 1,
            Swizzle::B128Atom32Flip8 => 8,
            Swizzle::B32 | Swizzle::B64 | Swizzle::B128 | Swizzle::B128Atom32
            | Swizzle::B128Atom64 | Swizzle::B96 => swizzle.atom() as usize,
        };
        prop_assert_eq!(moved % atom, address % atom);
    }

    /// The pattern repeats.
    #[test]
    fn period(swizzle in any_swizzle(), address in 0_usize..1 << 20, times in 0_usize..64) {
        let far = times * swizzle.repeat() as usize;
        prop_assert_eq!(swizzle.apply(address + far), swizzle.apply(address) + far);
    }

    /// An address is swizzled by the base offset of its tile, added to the line within it: the
    /// formula of 5.5.7.
    #[test]
    fn base_offset(
        swizzle in proptest::sample::select(vec![Swizzle::B32, Swizzle::B64, Swizzle::B128]),
        tile in 0_usize..256,
        offset in 0_usize..8192,
    ) {
        let base = tile * 128;
        let lines = swizzle.repeat() as usize / 128;
        let line = (swizzle.base_offset(base) + offset / 128) % lines;
        let chunks = swizzle.span() as usize / 16;
        let expected = (base + offset) ^ (line % chunks * 16);
        prop_assert_eq!(swizzle.apply(base + offset), expected);
    }
}
