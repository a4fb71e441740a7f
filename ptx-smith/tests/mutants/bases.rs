//! The texts that mutants are made of.

use std::sync::OnceLock;

use ptx_smith::{Rng, files, mutant};
use ptx_text::Parsed;

use crate::arch;
use crate::assembler::{Assembler, Verdict};

/// The number of texts that are made of each file.
const EACH: usize = 4;

/// A text, and whether ptxas accepts it.
struct Base {
    text: String,
    is_accepted: OnceLock<bool>,
}

/// The files of the repository, most of them cut.
pub(crate) struct Bases(Vec<Base>);

impl Bases {
    pub(crate) fn new() -> Self {
        let mut made = Vec::new();
        for (n, (_, text)) in files::all().into_iter().enumerate() {
            for each in 0..EACH {
                let mut rng = Rng::new(0, n * EACH + each);
                let mut trimmed = mutant::trimmed(&text, &mut rng);
                // An allowance that a mutant makes needless is an error of the reader alone.
                trimmed = lines_but(&trimmed, "ptx: allow");
                if !text.contains(".version") {
                    trimmed.insert_str(0, ".version 9.0\n.target sm_90a\n.address_size 64\n");
                }
                if made.iter().all(|base: &Base| base.text != trimmed) {
                    made.push(Base { text: trimmed, is_accepted: OnceLock::new() });
                }
            }
        }
        Self(made)
    }

    /// One that ptxas accepts.
    pub(crate) fn pick(&self, assembler: &Assembler, rng: &mut Rng) -> &str {
        loop {
            let base = &self.0[rng.below(self.0.len())];
            let is_accepted = base.is_accepted.get_or_init(|| {
                let target = arch(Parsed::new(base.text.as_str()).module().target);
                target.is_some_and(|target| {
                    matches!(assembler.ask(&base.text, target), Verdict::Accepted)
                })
            });
            if *is_accepted {
                return &base.text;
            }
        }
    }
}

/// The lines of a text without these words.
fn lines_but(text: &str, words: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.contains(words)).collect()
}
