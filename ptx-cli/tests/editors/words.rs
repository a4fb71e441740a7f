//! The words that editors highlight, from the tables of `ptx-isa`.

use std::collections::BTreeSet;

use ptx_isa::directive::{self, DIRECTIVES};
use ptx_isa::instruction::WordKind;
use ptx_isa::special::SPECIAL_REGISTERS;
use ptx_isa::{Opaque, ScalarType, Space};

/// Words, each once and sorted, without their dots.
pub(crate) type Words = BTreeSet<&'static str>;

/// Directives other than state spaces.
pub(crate) fn directives() -> Words {
    let others = DIRECTIVES.iter().filter(|it| it.kind != directive::Kind::Space);
    others.map(|directive| &directive.name[1..]).collect()
}

/// State spaces.
pub(crate) fn spaces() -> Words {
    Space::ALL.iter().map(|space| space.name()).collect()
}

/// Types, and the vectors of them.
pub(crate) fn types() -> Words {
    let scalars = ScalarType::ALL.iter().map(|ty| ty.name());
    let opaque = Opaque::ALL.iter().map(|ty| ty.name());
    scalars.chain(opaque).chain(["v2", "v4", "v8"]).collect()
}

/// Opcodes.
pub(crate) fn opcodes() -> Words {
    WordKind::Opcode.words().iter().copied().collect()
}

/// Modifiers other than types and state spaces.
pub(crate) fn modifiers() -> Words {
    let known = &types() | &spaces();
    WordKind::Modifier.words().iter().copied().filter(|word| !known.contains(word)).collect()
}

/// Modifiers after two colons.
pub(crate) fn submodifiers() -> Words {
    WordKind::Submodifier.words().iter().copied().collect()
}

/// Special registers, without `%`.
pub(crate) fn special_registers() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for register in SPECIAL_REGISTERS {
        let name = register.name.trim_start_matches('%');
        match register.family {
            None => {
                names.insert(name.to_owned());
            }
            Some((first, last, suffix)) => {
                names.extend((first..=last).map(|number| format!("{name}{number}{suffix}")));
            }
        }
    }
    names
}
