//! Tests of the location nearest to the start of storage.

use super::*;

#[test]
fn the_nearest_place_is_known_where_all_are_on_one_side() {
    let nearest = |least: i128, most: i128, bits: u32| {
        let offset = Linear::unknown().between(Some((least, most)));
        let (storage, is_pointee, via, rank) = (0, false, None, None);
        Located { storage, is_pointee, via, offset, bits, rank }.nearest()
    };
    let whole = 1_i128 << 32;
    for (range, bits, expected) in [
        ((0, 8), 0, Some(0)),
        ((4, 8), 0, Some(4)),
        ((-8, -4), 0, Some(-4)),
        ((-8, -1), 0, Some(-1)),
        ((-8, 0), 0, None),
        ((-1, 8), 0, None),
        ((4, 8), 32, Some(4)),
        ((-8, -4), 32, Some(-4)),
        // A 32-bit register holds the same number minus 2^32.
        ((whole - 8, whole - 4), 32, Some(-4)),
        ((whole - 8, whole - 4), 64, Some(whole - 8)),
        ((whole - 8, whole - 4), 0, Some(whole - 8)),
        ((0, (1 << 31) - 1), 32, Some(0)),
        ((0, 1 << 31), 32, None),
        ((0, 1), 1, None),
        ((1 << 64, (1 << 64) + 4), 64, Some(0)),
        ((1 << 64, (1 << 64) + 4), 65, Some(1 << 64)),
    ] {
        assert_eq!(nearest(range.0, range.1, bits), expected, "{range:?} {bits}");
    }
    let (storage, is_pointee, via, rank) = (0, false, None, None);
    let anywhere = Located { storage, is_pointee, via, offset: Linear::unknown(), bits: 32, rank };
    assert_eq!(anywhere.nearest(), None);
}
