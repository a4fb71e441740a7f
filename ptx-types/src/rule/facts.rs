//! What of the rules of a subject is the same wherever something is placed.

/// Whether a rule is broken that does not ask for a place, and a bit for each row that applies of those
/// that do.
#[derive(Clone, Copy, Debug)]
pub struct Facts(pub(crate) u64);

impl Facts {
    /// The bit of a broken rule, behind those of the rows.
    pub(crate) const BROKEN: u64 = 1 << 63;
}
