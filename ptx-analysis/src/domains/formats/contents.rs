//! What is known about the format of the bytes of a register.

use ptx_isa::rules::format::{ByteFormat, REGISTER_BYTES};

/// Storage whose declaration specifies a format: its index, and whether it is the pointee.
pub(super) type Source = (usize, bool);

/// A byte of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Byte {
    pub(super) format: ByteFormat,
    /// The storage that it was loaded from, if its declaration specifies the format.
    pub(super) source: Option<Source>,
}

impl Byte {
    pub(super) const UNKNOWN: Self = Self { format: ByteFormat::Unknown, source: None };
    pub(super) const ZERO: Self = Self { format: ByteFormat::Zero, source: None };

    /// Returns what holds for both.
    fn join(self, other: Self) -> Self {
        match (self.format, other.format) {
            (ByteFormat::Zero, _) => other,
            (_, ByteFormat::Zero) => self,
            (one, two) if one == two => match (self.source, other.source) {
                (None, source) | (source, None) => Self { source, ..self },
                (one, two) if one == two => self,
                // Both would have to match their declarations.
                (Some(_), Some(_)) => Self::UNKNOWN,
            },
            (_, _) => Self::UNKNOWN,
        }
    }
}

/// The bytes of a register, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Contents(pub(super) [Byte; REGISTER_BYTES]);

impl Contents {
    pub(super) const UNKNOWN: Self = Self([Byte::UNKNOWN; REGISTER_BYTES]);

    /// Creates a register with these lowest bytes, and unknown ones above them.
    pub(super) fn of(bytes: &[Byte]) -> Self {
        let mut contents = Self::UNKNOWN;
        contents.0.iter_mut().zip(bytes).for_each(|(to, byte)| *to = *byte);
        contents
    }

    /// Returns what holds for both.
    pub(super) fn join(&self, other: &Self) -> Self {
        let mut joined = self.clone();
        joined.0.iter_mut().zip(other.0).for_each(|(to, byte)| *to = to.join(byte));
        joined
    }

    /// Returns the bytes without their sources.
    pub(super) fn formats(&self) -> [ByteFormat; REGISTER_BYTES] {
        self.0.map(|byte| byte.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_isa::NumberFormat;

    fn byte(format: NumberFormat, source: Option<Source>) -> Byte {
        Byte { format: ByteFormat::Of(format, 0), source }
    }

    #[test]
    fn a_join_keeps_what_both_paths_have_in_common() {
        let (one, other) = (byte(NumberFormat::E4m3, None), byte(NumberFormat::E5m2, None));
        assert_eq!(one.join(one), one);
        assert_eq!(one.join(other), Byte::UNKNOWN);
        assert_eq!(one.join(Byte::ZERO), one);
        assert_eq!(Byte::ZERO.join(one), one);
        assert_eq!(Byte::ZERO.join(Byte::UNKNOWN), Byte::UNKNOWN);
        assert_eq!(Byte::UNKNOWN.join(one), Byte::UNKNOWN);
    }

    #[test]
    fn a_join_depends_on_what_one_path_does() {
        let of = |source| byte(NumberFormat::E4m3, source);
        let (here, there) = (Some((1, false)), Some((2, false)));
        assert_eq!(of(None).join(of(here)), of(here));
        assert_eq!(of(here).join(of(None)), of(here));
        assert_eq!(of(here).join(of(here)), of(here));
        assert_eq!(of(here).join(of(there)), Byte::UNKNOWN);
    }
}
