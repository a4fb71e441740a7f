//! The texts that are generated: what `ptx-smith` makes, and changes of small modules.
//! They depend on nothing but the seed and the number.

use ptx_smith::module::Options;
use ptx_smith::{Kind, Rng, mutant, near};
use ptx_text::{Lexer, PieceKind};

/// Small modules, without their heads, with what differences were found in.
const BASES: &str = include_str!("bases.ptx");

/// The line between two of them.
const BETWEEN: &str = "----\n";

/// Heads with a version and a target that every pinned release knows.
const HEADS: [&str; 4] = [
    ".version 8.8\n.target sm_90a\n.address_size 64\n",
    ".version 8.8\n.target sm_90a\n.address_size 64\n",
    ".version 8.8\n.target sm_90a, texmode_independent\n.address_size 64\n",
    ".version 7.2\n.target sm_80\n.address_size 64\n",
];

/// What is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Texts {
    /// Changes of small modules.
    Changes,
    /// Small modules that are nearly valid.
    Near,
    /// What `ptx-smith` makes.
    Smith(Kind),
}

impl Texts {
    /// All of them.
    const ALL: [Self; 5] = [
        Self::Changes,
        Self::Near,
        Self::Smith(Kind::Modules),
        Self::Smith(Kind::Mutants),
        Self::Smith(Kind::Expressions),
    ];

    /// The texts with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|texts| texts.name() == name)
    }

    /// Their name.
    pub fn name(self) -> String {
        match self {
            Self::Changes => "changes".to_owned(),
            Self::Near => "near".to_owned(),
            Self::Smith(kind) => kind.name(),
        }
    }

    /// The text with this number.
    pub(super) fn text(self, seed: u64, number: usize) -> Made {
        match self {
            Self::Changes => Made::unknown(changed(seed, number)),
            Self::Near => {
                let near::Near { text, is_legal, forbidden } = near::draw(seed, number);
                Made { text, is_legal, forbidden: forbidden.map(str::to_owned) }
            }
            Self::Smith(kind) => Made::unknown(kind.draw(seed, number, Options::default()).text),
        }
    }

    /// Whether a text depends on its seed and number alone, and not on the instruction table.
    pub fn stay(self) -> bool {
        matches!(self, Self::Changes | Self::Near)
    }
}

/// A text, and what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) text: String,
    /// Whether the PTX ISA allows it.
    pub(super) is_legal: bool,
    /// What the PTX ISA forbids about it.
    pub(super) forbidden: Option<String>,
}

impl Made {
    /// A text of which the PTX ISA says what the rules say.
    pub(super) fn unknown(text: String) -> Self {
        Self { text, is_legal: false, forbidden: None }
    }
}

/// A small module with one to three changes.
fn changed(seed: u64, number: usize) -> String {
    let mut rng = Rng::new(seed, number);
    let all: Vec<&str> = BASES.split(BETWEEN).collect();
    let mut text = format!("{}{}", rng.pick(&HEADS), rng.pick(&all));
    let donor = rng.pick(&all);
    for _ in 0..rng.pick(&[1, 1, 2, 2, 3]) {
        text = match rng.below(3) {
            0 => mutant::of(&text, donor, &mut rng),
            1 => exchanged(&text, donor, &mut rng),
            _ => exchanged(&text, &text, &mut rng),
        };
    }
    text
}

/// The text with one token of a declaration or an instruction replaced by a token of the same kind in another text.
fn exchanged(text: &str, other: &str, rng: &mut Rng) -> String {
    let is_meant = |kind| matches!(kind, PieceKind::Word | PieceKind::Dotted | PieceKind::Number);
    let tokens = |text| Lexer::new(text).filter(|piece| is_meant(piece.kind)).collect::<Vec<_>>();
    let (own, others) = (tokens(text), tokens(other));
    if own.is_empty() {
        return text.to_owned();
    }
    let piece = &own[rng.below(own.len())];
    let fitting: Vec<&str> = others
        .iter()
        .filter(|other| other.kind == piece.kind)
        .map(|piece| &other[piece.at.range()])
        .collect();
    if fitting.is_empty() {
        return text.to_owned();
    }
    let at = piece.at.range();
    [&text[..at.start], rng.pick(&fitting), &text[at.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in changes of them is due to a change.
    #[test]
    fn small_modules_are_valid() {
        for base in BASES.split(BETWEEN) {
            let text = format!("{}{base}", HEADS[0]);
            let found = ptx_text::Parsed::new(text.as_str()).check();
            let errors: Vec<String> = found
                .iter()
                .filter(|found| found.kind.is_error() && found.kind != ptx_text::Kind::Hazard)
                .map(ToString::to_string)
                .collect();
            assert!(errors.is_empty(), "{text}{errors:?}");
            for ptxas in crate::oracles() {
                let assembled = ptxas.assemble_text(&text, ptx_isa::Target::Sm90a);
                assert!(
                    assembled.is_ok(),
                    "{text}{}",
                    assembled.err().map_or(String::new(), |it| it.to_string())
                );
            }
        }
    }

    #[test]
    fn texts_depend_on_the_seed_and_the_number() {
        let texts = |seed| (0..100).map(|number| changed(seed, number)).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }
}
