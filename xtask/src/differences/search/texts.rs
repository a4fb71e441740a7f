//! The texts that are generated.

use ptx_testing::{Rng, files, mutant};

/// The texts that mutants are made of.
pub(super) struct Texts(Vec<String>);

impl Texts {
    pub(super) fn new() -> Self {
        let mut texts = Vec::new();
        for (_, text) in files::all() {
            let text = if text.contains(".version") {
                text
            } else {
                format!(".version 9.0\n.target sm_90a\n.address_size 64\n{text}")
            };
            texts.push(text);
        }
        Self(texts)
    }

    /// The text with this number, which does not depend on the others.
    pub(super) fn text(&self, seed: u64, number: usize) -> String {
        let mut rng = Rng::new(seed, number);
        let base = mutant::trimmed(&self.0[rng.below(self.0.len())], &mut rng);
        let donor = &self.0[rng.below(self.0.len())];
        mutant::of(&base, donor, &mut rng)
    }
}
