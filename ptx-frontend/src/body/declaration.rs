//! What bodies declare.

use ptx_types::{ScalarType, Space};

use super::token::Name;

/// A name that a body declares.
#[derive(Debug)]
pub struct Declaration<P> {
    /// The name, or the part before the number for a family.
    pub name: Name<'static, P>,
    /// How many members a family has: `%r<4>`.
    pub family: Family,
    /// The state space.
    pub space: Space,
    /// The declared alignment, and where it starts.
    pub align: Option<(Count, P)>,
    /// The vector width, 1 for scalars.
    pub lanes: u8,
    /// The type.
    pub scalar: ScalarType,
    /// Where the type is.
    pub type_at: P,
    /// The extents.
    pub extents: Vec<Count>,
    /// The initial value, if there is one, and where it starts.
    pub value: Option<(Literal<P>, P)>,
    /// Whether it is `.attribute(.managed)`, which text alone says of what a body declares.
    pub managed: bool,
    /// The codes of the hazards that it may have, and accesses to it, and where each stands.
    pub allow: Vec<(&'static str, P)>,
}

impl<P: Copy> Declaration<P> {
    /// The codes of the hazards that it may have, and accesses to it.
    pub fn allowed(&self) -> Vec<&'static str> {
        self.allow.iter().map(|(code, _)| *code).collect()
    }

    /// Where an alignment is to be raised: the one that is written, or else the name.
    pub fn aligned_at(&self) -> (P, P) {
        match &self.align {
            Some((_, at)) => (*at, *at),
            None => self.name.at,
        }
    }

    /// Whether a Rust constant decides a part of it.
    pub fn has_constant(&self) -> bool {
        self.constants().next().is_some()
    }

    /// The Rust constants that are numbers of something in it: of its extents, from the outermost, its
    /// alignment and its members.
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

    /// The values in its initial value that are not lists, and where each is.
    pub fn leaves(&self) -> Vec<(&Literal<P>, P)> {
        let mut found = Vec::new();
        let mut open: Vec<(&Literal<P>, P)> =
            self.value.iter().map(|(value, at)| (value, *at)).collect();
        while let Some((value, at)) = open.pop() {
            match value {
                Literal::List(values) => {
                    open.extend(values.iter().rev().map(|(value, at)| (value, *at)));
                }
                _ => found.push((value, at)),
            }
        }
        found
    }
}

/// An initial value in a body, as far as it is made of literals.
#[derive(Debug)]
pub enum Literal<P> {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A list in braces, each value with its place.
    List(Vec<(Self, P)>),
    /// The address of a variable or function, or one byte of it.
    Address {
        /// The variable or function.
        name: Name<'static, P>,
        /// Whether it is `generic(x)`.
        generic: bool,
        /// What is added to it, in bytes.
        addend: i128,
        /// The mask that selects one byte.
        mask: Option<u64>,
    },
    /// One byte of an integer.
    MaskedInt(u64, i128),
    /// The Rust constant with this number.
    Constant(usize),
    /// Something else: an expression.
    Other,
}

/// Whether a declared name is a family of names (PTX ISA 5.4.6).
#[derive(Debug)]
pub enum Family {
    /// One name.
    No,
    /// This many.
    Of(Count),
}

/// A number that a declaration needs.
#[derive(Clone, Debug)]
pub enum Count {
    /// This number.
    Known(usize),
    /// None was written: `x[]`.
    Missing,
    /// The Rust constant with this number.
    Constant(usize),
}
