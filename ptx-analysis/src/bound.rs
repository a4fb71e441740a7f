//! A range of the numbers that a register holds.

/// What a register holds, as a number of so many bits, lies between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    /// The register.
    pub(crate) register: usize,
    /// The least and the greatest number.
    pub(crate) range: (i128, i128),
    /// The bits.
    pub(crate) bits: u32,
    /// Whether they are signed.
    pub(crate) is_signed: bool,
}
