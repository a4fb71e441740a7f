//! Choices, of which some are unusual.

use crate::Rng;

/// What the PTX ISA says of unusual words, wherever they may be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) enum Says {
    /// It allows them.
    Allowed,
    /// It depends on the rest of the module.
    Depends,
    /// It forbids them, for this reason.
    Forbidden(&'static str),
}

/// Unusual words for a choice.
pub(super) type Unusual = (Says, &'static [&'static str]);

/// The choices of one module.
pub(super) struct Choices {
    usual: Rng,
    unusual: Rng,
    /// The unusual choices, by their places among all.
    at: Vec<usize>,
    /// How often each choice is the unusual one, compared with others.
    weights: Vec<usize>,
    /// The version in the head.
    pub(super) version: &'static str,
    /// The texture mode in the head.
    pub(super) mode: &'static str,
    /// Whether the PTX ISA allows all that was chosen.
    pub(super) is_legal: bool,
    /// What it forbids.
    pub(super) forbidden: Option<&'static str>,
}

impl Choices {
    /// Choices by these seeds, of which those in these places are unusual.
    pub(super) fn new(usual: u64, unusual: u64, at: Vec<usize>) -> Self {
        Self {
            usual: Rng::new(usual, 0),
            unusual: Rng::new(unusual, 0),
            at,
            weights: Vec::new(),
            version: "",
            mode: "",
            is_legal: true,
            forbidden: None,
        }
    }

    /// The place of one of the choices that were made, or of a few, mostly close to each other.
    pub(super) fn some(&self, rng: &mut Rng) -> Vec<usize> {
        let mut left = rng.below(self.weights.iter().sum::<usize>().max(1));
        let one = self.weights.iter().position(|weight| match left.checked_sub(*weight) {
            Some(less) => {
                left = less;
                false
            }
            None => true,
        });
        let one = one.unwrap_or(0);
        match rng.below(10) {
            0 | 1 => vec![one, one + rng.within(1, 4)],
            4 => vec![one, one + 1, one + 2],
            2 => vec![one, rng.below(self.weights.len().max(1))],
            3 => vec![one, one + 1, one + rng.within(2, 4)],
            _ => vec![one],
        }
    }

    /// A word.
    pub(super) fn word(&mut self, usual: &[&'static str], unusual: &[Unusual]) -> &'static str {
        self.weighted(1, usual, unusual)
    }

    /// A word that is unusual more often than others.
    pub(super) fn weighted(
        &mut self,
        weight: usize,
        usual: &[&'static str],
        unusual: &[Unusual],
    ) -> &'static str {
        let place = self.weights.len();
        self.weights.push(weight);
        let word = self.usual.pick(usual);
        if !self.at.contains(&place) {
            return word;
        }
        let count: usize = unusual.iter().map(|(_, words)| words.len()).sum();
        let mut n = self.unusual.below(count.max(1));
        for (says, words) in unusual {
            match words.get(n) {
                Some(word) => {
                    self.note(*says);
                    return word;
                }
                None => n -= words.len(),
            }
        }
        word
    }

    /// A usual word, which is never unusual.
    pub(super) fn usual(&mut self, words: &[&'static str]) -> &'static str {
        self.usual.pick(words)
    }

    /// Whether something usual is there, once in `n` times.
    pub(super) fn one_in(&mut self, n: usize) -> bool {
        self.usual.one_in(n)
    }

    /// The random numbers of an unusual choice in this place, if it is one.
    pub(super) fn is_unusual(&mut self, weight: usize) -> Option<&mut Rng> {
        let place = self.weights.len();
        self.weights.push(weight);
        self.at.contains(&place).then_some(&mut self.unusual)
    }

    /// Records what the PTX ISA says of a word that was chosen.
    pub(super) fn note(&mut self, says: Says) {
        match says {
            Says::Allowed => {}
            Says::Depends => self.is_legal = false,
            Says::Forbidden(why) => {
                self.is_legal = false;
                self.forbidden = Some(why);
            }
        }
    }
}
