//! Tests of what instructions need.

use super::{Arg, Args, Environment, NONE, too_new};
use crate::instruction::{Needs, WordKind};

/// An instruction that a body uses.
#[derive(Clone, Copy, Debug)]
pub enum Used<'a> {
    /// One of the table, or a modifier of it, that needs a PTX version.
    Version {
        /// The part of it that needs something.
        name: &'a str,
        /// What it needs.
        needs: Needs,
    },
    /// One of the table, or a modifier of it, that needs a target.
    Target {
        /// The part of it that needs something.
        name: &'a str,
        /// What it needs.
        needs: Needs,
    },
    /// One with an operand in brackets that is not in the table.
    Unknown {
        /// What it is called.
        name: &'a str,
        /// What it may have been meant to be, as a question; empty if nothing is near.
        near: &'a str,
    },
    /// One with a word that is spelled like another.
    Misspelt {
        /// What the word is.
        kind: WordKind,
        /// The word.
        word: &'a str,
        /// What it may have been meant to be, the likeliest first: the numbers of known words, and greater ones.
        meant: [u16; 3],
    },
}

pub(super) const fn instruction_too_new(used: Used<'_>, env: Environment) -> Option<Args<'_>> {
    match used {
        Used::Version { name, needs } => too_new(Arg::Str(name), needs.since, env),
        Used::Target { .. } | Used::Unknown { .. } | Used::Misspelt { .. } => None,
    }
}

pub(super) const fn instruction_wrong_target(used: Used<'_>, env: Environment) -> Option<Args<'_>> {
    match (used, env.target) {
        (Used::Target { name, needs }, Some(target)) if !needs.has(target) => Some([
            Arg::Str(name),
            Arg::Targets(needs.only, needs.min_arch),
            Arg::Str(target.name()),
            NONE,
        ]),
        (
            Used::Target { .. }
            | Used::Version { .. }
            | Used::Unknown { .. }
            | Used::Misspelt { .. },
            _,
        ) => None,
    }
}

pub(super) const fn unknown_memory_instruction(used: Used<'_>, _: Environment) -> Option<Args<'_>> {
    match used {
        Used::Unknown { name, near } => Some([Arg::Str(name), Arg::Str(near), NONE, NONE]),
        Used::Version { .. } | Used::Target { .. } | Used::Misspelt { .. } => None,
    }
}

pub(super) const fn unknown_word(used: Used<'_>, _: Environment) -> Option<Args<'_>> {
    match used {
        Used::Misspelt { kind, word, meant } => Some([
            Arg::Str(word),
            Arg::Str(kind.name()),
            Arg::Words(kind, meant),
            Arg::Str(kind.separator()),
        ]),
        Used::Version { .. } | Used::Target { .. } | Used::Unknown { .. } => None,
    }
}
