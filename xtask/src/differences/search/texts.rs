//! The texts that are generated: modules and expressions of `ptx-smith`, which are valid, and changes of small modules.
//! They depend on nothing but the seed and the number.

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

/// The first of [`HEADS`], and one of the small modules.
pub(super) fn bases() -> impl Iterator<Item = String> {
    BASES.split(BETWEEN).map(|base| format!("{}{base}", HEADS[0]))
}

/// The text with this number.
pub(super) fn text(seed: u64, number: usize) -> String {
    let mut rng = Rng::new(seed, number);
    match number % 16 {
        0 => Kind::Modules.draw(seed, number, ptx_smith::module::Options::default()).text,
        1 => Kind::Expressions.draw(seed, number, ptx_smith::module::Options::default()).text,
        _ => {
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
    }
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
