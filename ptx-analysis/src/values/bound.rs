//! A bound on the value of a register.

/// A fact: the value of a register, as a number of this width, lies in this range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    /// The register.
    pub(crate) register: usize,
    /// The minimum and the maximum.
    pub(crate) range: (i128, i128),
    /// The width.
    pub(crate) bits: u32,
    /// Whether the number is signed.
    pub(crate) is_signed: bool,
}
