//! Mutants of PTX files: each is one file with one to three changes to its header, its declarations, its directives,
//! and now and then to its instructions.

mod declarations;
mod parts;
mod tokens;
mod trim;
mod words;

use crate::Rng;
use parts::Parts;

pub use parts::{Place, place_of_line};
pub use trim::trimmed;

/// A mutant of a text; `donor` is another text, of which pieces may be inserted.
pub fn of(text: &str, donor: &str, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.pick(&[1, 1, 1, 1, 2, 2, 3]) {
        let parts = Parts::of(&text);
        text = if rng.below(5) < 3 {
            tokens::change(&parts, rng)
        } else {
            declarations::change(&parts, &Parts::of(donor), rng)
        };
    }
    text
}
