//! Tests of the requirements of instructions.

use super::{Arg, Args, Environment, NONE, too_new};
use crate::instruction::{Needs, WordKind};

/// An instruction that a body uses.
#[derive(Clone, Copy, Debug)]
pub enum Used<'a> {
    /// One in the table, or a modifier of it, that requires a PTX version.
    Version {
        /// The part of it with the requirement.
        name: &'a str,
        /// The requirements.
        needs: Needs,
    },
    /// One in the table, or a modifier of it, that requires a target.
    Target {
        /// The part of it with the requirement.
        name: &'a str,
        /// The requirements.
        needs: Needs,
    },
    /// One with an operand in brackets that is not in the table.
    Unknown {
        /// Its name.
        name: &'a str,
        /// A suggestion, as a question; empty if no known name is similar.
        near: &'a str,
    },
    /// One with an unknown word that is similar to known ones.
    Misspelt {
        /// The kind of the word.
        kind: WordKind,
        /// The word.
        word: &'a str,
        /// Known words that may be meant, the likeliest first: their indices; greater numbers are not words.
        meant: [u16; 3],
    },
}

pub(super) const fn instruction_too_new(used: Used<'_>, env: Environment) -> Option<Args<'_>> {
    match used {
        Used::Version { name, needs } => too_new(Arg::Str(name), needs.since_on(env.target), env),
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
