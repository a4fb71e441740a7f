//! Tests of the halo of a tile in pixels.

use super::*;

#[test]
fn a_halo_that_is_not_known_is_none() {
    let of = |known| halo(Amount::Known(known));
    assert_eq!([of(0), of(1), of(511), of(u32::MAX.into())], [0, 1, 511, u32::MAX]);
    assert_eq!([of(-1), of(i128::from(u32::MAX) + 1)], [0, 0]);
    assert_eq!([halo(Amount::Unknown), halo(Amount::Constant(3))], [0, 0]);
}
