//! The declarations in bodies.

use ptx_isa::{ScalarType, Space};

use super::token::{Name, Written};

/// A name that a body declares.
#[derive(Debug)]
pub struct Declaration<P> {
    /// The name, or the part before the number for a family.
    pub name: Name<'static, P>,
    /// The number of members, if it is a family: `%r<4>`.
    pub family: Family,
    /// The state space.
    pub space: Space,
    /// The declared alignment, and its position.
    pub align: Option<(Count, P)>,
    /// The vector width, 1 for scalars.
    pub lanes: u8,
    /// The type.
    pub scalar: ScalarType,
    /// The position of the type.
    pub type_at: P,
    /// The extents.
    pub extents: Vec<Count>,
    /// The initial value, if there is one, and its position.
    pub value: Option<(Literal<P>, P)>,
    /// Whether it has `.attribute(.managed)`, which only PTX text can give to a declaration in a body.
    pub managed: bool,
    /// The codes of the hazards allowed for the declaration and for accesses to it, each with its position.
    pub allow: Vec<(&'static str, P)>,
}

impl<P: Copy> Declaration<P> {
    /// The codes of the hazards allowed for the declaration and for accesses to it.
    pub fn allowed(&self) -> Vec<&'static str> {
        self.allow.iter().map(|(code, _)| *code).collect()
    }

    /// The position at which to advise a greater alignment: that of the written one, or else the name.
    pub fn aligned_at(&self) -> (P, P) {
        match &self.align {
            Some((_, at)) => (*at, *at),
            None => self.name.at,
        }
    }

    /// Whether a Rust constant determines a part of it.
    pub fn has_constant(&self) -> bool {
        self.constants().next().is_some()
    }

    /// The Rust constants among its numbers: in its extents, from the outermost, its
    /// alignment and the number of its members.
    pub fn constants(&self) -> impl Iterator<Item = usize> {
        let align = self.align.as_ref().map(|(align, _)| align);
        let family = match &self.family {
            Family::Of(count) => Some(count),
            Family::No => None,
        };
        self.extents.iter().chain(align).chain(family).filter_map(|count| match count {
            Count::Constant(constant) => Some(*constant),
            Count::Known(_) | Count::Missing => None,
        })
    }

    /// The elements of its initial value, each with its position, in the order of [`Value::each`](ptx_isa::ir::Value::each).
    pub fn elements(&self) -> Vec<(&Literal<P>, P)> {
        let mut found = Vec::new();
        let mut open: Vec<(&Literal<P>, P)> =
            self.value.iter().map(|(value, at)| (value, *at)).collect();
        while let Some((value, at)) = open.pop() {
            found.push((value, at));
            if let Literal::List(values) = value {
                open.extend(values.iter().rev().map(|(value, at)| (value, *at)));
            }
        }
        found
    }
}

/// An initial value in a body, as far as it consists of literals.
#[derive(Debug)]
pub enum Literal<P> {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A list in braces, each value with its position.
    List(Vec<(Self, P)>),
    /// A long list in a text, which is read again when it is lowered.
    Written(Written),
    /// The address of a variable or function, or one byte of it.
    Address {
        /// The variable or function.
        name: Name<'static, P>,
        /// Whether it is `generic(x)`.
        generic: bool,
        /// The offset in bytes.
        addend: i128,
        /// The mask that selects one byte.
        mask: Option<u64>,
    },
    /// One byte of an integer.
    MaskedInt(u64, i128),
    /// The Rust constant with this index.
    Constant(usize),
    /// Another expression.
    Other,
}

impl<P> Literal<P> {
    /// The number of values, if it is a list.
    pub(super) fn length(&self) -> Option<usize> {
        match self {
            Self::List(values) => Some(values.len()),
            Self::Written(written) => Some(written.elements),
            Self::Int(_)
            | Self::Float(_)
            | Self::Address { .. }
            | Self::MaskedInt(..)
            | Self::Constant(_)
            | Self::Other => None,
        }
    }
}

/// Whether a declared name is a family of names (PTX ISA 5.4.6).
#[derive(Debug)]
pub enum Family {
    /// A single name.
    No,
    /// A family with this many members.
    Of(Count),
}

/// A number in a declaration.
#[derive(Clone, Debug)]
pub enum Count {
    /// This number.
    Known(usize),
    /// The number is missing: `x[]`.
    Missing,
    /// The Rust constant with this index.
    Constant(usize),
}

impl Count {
    /// Whether it is missing.
    pub(super) const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }
}
