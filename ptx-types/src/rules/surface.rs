//! The test of where in a row of a surface an instruction goes.

use super::operand::gcd;
use super::{Arg, Args, NONE, Offset};

/// A place in a row of a surface, counted in bytes.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceByte {
    /// The byte.
    pub byte: Offset,
    /// How many bytes the instruction goes to.
    pub count: u64,
}

pub(super) const fn surface_misaligned<'a>(at: SurfaceByte) -> Option<Args<'a>> {
    // What is added any number of times makes up for the rest.
    let sure = gcd(at.count, at.byte.step);
    if sure == 0 || at.byte.base % sure as i128 == 0 {
        return None;
    }
    Some([Arg::Int(at.byte.first()), Arg::Int(at.count as i128), NONE, NONE])
}
