//! The texts that are generated: modules and expressions of `ptx-smith`, which are valid, and changes of small modules.
//! They depend on nothing but the seed and the number.

use ptx_smith::module::Options;
use ptx_smith::{Kind, Rng, mutant};
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
    /// What `ptx-smith` makes.
    Smith(Kind),
}

impl Texts {
    /// All of them.
    const ALL: [Self; 4] = [
        Self::Changes,
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
            Self::Smith(kind) => kind.name(),
        }
    }

    /// The text with this number.
    pub(super) fn text(self, seed: u64, number: usize) -> String {
        match self {
            Self::Changes => changed(seed, number),
            Self::Smith(kind) => kind.draw(seed, number, Options::default()).text,
        }
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
