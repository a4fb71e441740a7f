//! Errors of instruction descriptors.

use core::fmt;

use super::mma_kind::{CtaGroup, MmaAccumulator, MmaElement, MmaKind};

/// The reason why an instruction does not exist.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MmaError {
    /// The kind does not take the type of A or B.
    Element(MmaKind, MmaElement),
    /// The kind does not accumulate in this type, or not for `bf16` elements.
    Accumulator(MmaKind, MmaAccumulator),
    /// The kind does not have this shape.
    Shape {
        /// The kind.
        kind: MmaKind,
        /// The rows of D.
        m: u32,
        /// The columns of D.
        n: u32,
        /// The blocks.
        group: CtaGroup,
    },
    /// A sparse product of this kind with two blocks cannot have this number of rows.
    SparseRows {
        /// The kind.
        kind: MmaKind,
        /// The rows of D.
        m: u32,
    },
    /// The kind lacks this feature: `saturation`, `negation`, `sparsity`, `scales of type ue4m3`.
    Absent(MmaKind, &'static str),
    /// Elements of this type cannot be transposed.
    Transposed(MmaElement),
    /// A transposed B of 8-bit elements cannot have this number of columns.
    TransposedColumns {
        /// The columns of D.
        n: u32,
        /// The number that they must be a multiple of.
        multiple: u32,
    },
    /// The kind does not have a scale factor with this number.
    ScaleFactor(MmaKind, u32),
    /// The kind does not have this selector of sparsity metadata.
    Selector(MmaKind, u32),
}

crate::__debug_as_message!(MmaError);

impl fmt::Display for MmaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Element(kind, element) => {
                write!(f, "`.{kind}` does not take `{element}`; it takes ")?;
                let taken = MmaElement::ALL.iter().filter(|other| kind.format(**other).is_some());
                List(taken).fmt(f)
            }
            Self::Accumulator(kind, accumulator) => {
                write!(f, "`.{kind}` does not accumulate these elements in `{accumulator}`; use ")?;
                // For `bf16`, the kind has the type, but not with these elements.
                let taken = MmaAccumulator::ALL
                    .iter()
                    .filter(|other| *other != accumulator && kind.accumulator(**other).is_some());
                List(taken).fmt(f)
            }
            Self::Shape { kind, m, n, group } => {
                let ([first, second], step) = kind.shapes(*group);
                write!(
                    f,
                    "`.{kind}` has no shape with M {m} and N {n} in `.{group}`: M is {first}"
                )?;
                if second != first {
                    write!(f, " or {second}")?;
                }
                f.write_str(" and N ")?;
                if let Some([first, second]) = kind.other_columns(*group) {
                    write!(f, "{first}, {second} or ")?;
                }
                write!(f, "a multiple of {step} up to 256")
            }
            Self::SparseRows { kind, m } => write!(
                f,
                "M is {m}, but a sparse product of `.{kind}` in `.cta_group::2` has an M of 256"
            ),
            Self::Absent(kind, what) => write!(f, "`.{kind}` has no {what}"),
            Self::Transposed(element) => {
                write!(f, "matrices of `{element}` are K-major, and cannot be transposed")
            }
            Self::TransposedColumns { n, multiple } => write!(
                f,
                "N is {n}, but with a transposed B of 8-bit elements it must be a multiple of {multiple}"
            ),
            Self::ScaleFactor(kind, number) => {
                let has = if kind.is_narrow() { "0 and 2" } else { "0 to 3" };
                write!(f, "`.{kind}` has no scale factor {number}; it has {has}")
            }
            Self::Selector(kind, number) => {
                let has = if kind.is_block_scaled() { "0 alone" } else { "0 to 3" };
                write!(f, "`.{kind}` has no sparsity selector {number}; it has {has}")
            }
        }
    }
}

/// Names, separated by commas.
struct List<I>(I);

impl<T: fmt::Display, I: Iterator<Item = T> + Clone> fmt::Display for List<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, name) in self.0.clone().enumerate() {
            write!(f, "{}`{name}`", if n == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl core::error::Error for MmaError {}
