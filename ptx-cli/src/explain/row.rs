//! A rule of any table.

use ptx_isa::{rules, tensor};

/// A rule of any table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// About declarations and bodies.
    Declarations(&'static rules::Rule),
    /// About tensor maps.
    Maps(&'static tensor::rules::Rule),
}

impl Row {
    /// All rules, by code.
    pub(super) fn all() -> Vec<Self> {
        let declarations = rules::RULES.iter().map(Self::Declarations);
        let maps = tensor::rules::RULES.iter().map(Self::Maps);
        let mut all: Vec<Self> = declarations.chain(maps).collect();
        all.sort_by_key(|row| row.code());
        all
    }

    /// The code.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Declarations(rule) => rule.code,
            Self::Maps(rule) => rule.code,
        }
    }

    /// The name, in words.
    pub(super) fn name(self) -> String {
        let name = match self {
            Self::Declarations(rule) => rule.name,
            Self::Maps(rule) => rule.name,
        };
        name.replace('_', " ")
    }
}
