//! Tests of names in bodies.

use super::{Arg, Args, NONE};

/// What is wrong with a name in a body.
#[derive(Clone, Copy, Debug)]
pub enum WrongName<'a> {
    /// Nothing declares it.
    Undeclared,
    /// It has this name in PTX, under which the body declares something else.
    Hidden(&'a str),
    /// Conditions choose between declarations of it, which have one and the other name in PTX.
    Ambiguous(&'a str, &'a str),
}

pub(super) const fn undeclared<'a>(name: &'a str, wrong: WrongName<'a>) -> Option<Args<'a>> {
    match wrong {
        WrongName::Undeclared => Some([Arg::Str(name), NONE, NONE, NONE]),
        WrongName::Hidden(_) | WrongName::Ambiguous(..) => None,
    }
}

pub(super) const fn name_hidden<'a>(name: &'a str, wrong: WrongName<'a>) -> Option<Args<'a>> {
    match wrong {
        WrongName::Hidden(in_ptx) => Some([Arg::Str(name), Arg::Str(in_ptx), NONE, NONE]),
        WrongName::Undeclared | WrongName::Ambiguous(..) => None,
    }
}

pub(super) const fn name_ambiguous<'a>(name: &'a str, wrong: WrongName<'a>) -> Option<Args<'a>> {
    match wrong {
        WrongName::Ambiguous(one, other) => {
            Some([Arg::Str(name), Arg::Str(one), Arg::Str(other), NONE])
        }
        WrongName::Undeclared | WrongName::Hidden(_) => None,
    }
}
