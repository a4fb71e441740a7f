//! Arrays masked by the rank.

#![allow(clippy::inline_always)] // Inlined, the mask is applied where a number is read.

/// The maximum number of dimensions of a tensor.
pub const MAX_RANK: usize = 5;

/// These numbers, with 1 past the rank.
#[inline(always)]
pub(super) const fn units(mut numbers: [u32; MAX_RANK], rank: usize) -> [u32; MAX_RANK] {
    let mut i = 0;
    while i < MAX_RANK {
        numbers[i] = (numbers[i].wrapping_sub(1) & WITHIN_32[rank][i]).wrapping_add(1);
        i += 1;
    }
    numbers
}

/// Like [`units`], for extents.
#[inline(always)]
pub(super) const fn unit_dims(mut dims: [u64; MAX_RANK], rank: usize) -> [u64; MAX_RANK] {
    let mut i = 0;
    while i < MAX_RANK {
        dims[i] = (dims[i].wrapping_sub(1) & WITHIN[rank][i]).wrapping_add(1);
        i += 1;
    }
    dims
}

/// A number that is not 0 if an extent past the rank is neither 0 nor 1.
#[inline(always)]
pub(super) const fn excess(dims: [u64; MAX_RANK], rank: usize) -> u64 {
    let (mut beyond, mut i) = (0, 0);
    while i < MAX_RANK {
        beyond |= dims[i] & !WITHIN[rank][i] & !1;
        i += 1;
    }
    beyond
}

/// These corners, with 0 past the spatial dimensions of the rank.
#[inline(always)]
pub(super) const fn corners(mut corners: [i32; 3], rank: usize) -> [i32; 3] {
    let mut i = 0;
    while i < corners.len() {
        corners[i] &= WITHIN_32[rank.saturating_sub(2)][i].cast_signed();
        i += 1;
    }
    corners
}

/// For each rank, all one bits for the dimensions within it. It is a table because the compiler may
/// turn a comparison into a branch.
pub(super) const WITHIN: [[u64; MAX_RANK]; MAX_RANK + 1] = {
    let mut within = [[0; MAX_RANK]; MAX_RANK + 1];
    let mut rank = 1;
    while rank <= MAX_RANK {
        let mut i = 0;
        while i < rank {
            within[rank][i] = u64::MAX;
            i += 1;
        }
        rank += 1;
    }
    within
};

/// The lower halves of [`WITHIN`], for 32-bit numbers, several of which fit in one vector register.
#[allow(clippy::cast_possible_truncation)] // Both halves are equal.
const WITHIN_32: [[u32; MAX_RANK]; MAX_RANK + 1] = {
    let mut within = [[0; MAX_RANK]; MAX_RANK + 1];
    let mut rank = 0;
    while rank <= MAX_RANK {
        let mut i = 0;
        while i < MAX_RANK {
            within[rank][i] = WITHIN[rank][i] as u32;
            i += 1;
        }
        rank += 1;
    }
    within
};
