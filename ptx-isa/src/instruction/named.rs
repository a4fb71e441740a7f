//! The types and state spaces that an instruction names, compared with those that it has.

use alloc::vec::Vec;
use core::cmp::Reverse;

use super::modifier_lists::ModifierLists;
use super::words::WordKind;
use crate::opaque::Opaque;
use crate::scalar::ScalarType;
use crate::space::{Space, Spaces};
use crate::target::Version;

/// The newest version of PTX whose instructions the lists have completely.
pub const COMPLETE: Version = Version::new(9, 0);

/// A type or a state space among the modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named<'a> {
    /// The index of its modifier.
    pub at: usize,
    /// The word: `shared`.
    pub word: &'a str,
    /// That after it: `cta`; empty if there is none.
    pub sub: &'a str,
    /// Its index among the known ones.
    pub sub_number: u16,
}

/// A known modifier with the word after its two colons, if any, by their indices among the known words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word(u16, u16);

impl Word {
    /// The word with this text, `shared::cta`; none if it is not known.
    fn of(text: &str) -> Self {
        let (word, sub) = text.split_once("::").unwrap_or((text, ""));
        Self(WordKind::Modifier.number(word), WordKind::Submodifier.number(sub))
    }

    /// Whether there is no word.
    pub const fn is_none(self) -> bool {
        self.0 as usize >= WordKind::Modifier.words().len()
    }

    /// The modifier, and the word after its two colons; empty without one.
    pub const fn text(self) -> (&'static str, &'static str) {
        const fn at(words: &'static [&'static str], index: u16) -> &'static str {
            if (index as usize) < words.len() { words[index as usize] } else { "" }
        }
        (at(WordKind::Modifier.words(), self.0), at(WordKind::Submodifier.words(), self.1))
    }
}

/// How the types or state spaces that an instruction names differ from those that it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misfit {
    /// The index among them of one that does not stand there; `None` if one is missing.
    pub at: Option<usize>,
    /// What may stand there, the likeliest first; empty if nothing.
    pub instead: [Word; 3],
    /// Whether these are modifiers with which what it names would fit.
    pub are_modifiers: bool,
    /// Whether the instruction may name none.
    pub takes_none: bool,
}

/// Elements of matrices and vectors, fixed-point numbers and scales with which no register is declared.
const OTHER_TYPES: &[&str] = &[
    "b1",
    "b4x16_p64",
    "b6x16_p32",
    "b8x16",
    "e2m1",
    "e2m1x4",
    "e2m3",
    "e2m3x4",
    "e3m2",
    "e3m2x4",
    "e4m3",
    "e5m2",
    "s16x2",
    "s2",
    "s2f6x2",
    "s4",
    "s8x4",
    "tf32",
    "u16x2",
    "u2",
    "u4",
    "u8x4",
    "ue4m3",
    "ue5m3x2",
    "ue8m0",
    "ue8m0x4",
];

/// Whether a word is a type.
pub(super) fn is_type(word: &str) -> bool {
    ScalarType::from_name(word).is_some()
        || OTHER_TYPES.contains(&word)
        || Opaque::from_name(word).is_some()
}

/// The types among modifiers, each with the separator before it.
pub fn named_types<'a>(modifiers: &[(&str, &'a str)]) -> Vec<Named<'a>> {
    let all = modifiers.iter().enumerate();
    let types = all.filter(|(_, (separator, word))| *separator == "." && is_type(word));
    let mut types: Vec<_> =
        types.map(|(at, (_, word))| Named { at, word, sub: "", sub_number: u16::MAX }).collect();
    // ptxas ignores `.pred` beside another type.
    if types.len() > 1 {
        types.retain(|ty| ty.word != ScalarType::Pred.name());
    }
    types
}

/// The state spaces among them.
pub fn named_spaces<'a>(modifiers: &[(&str, &'a str)]) -> Vec<Named<'a>> {
    let mut spaces = Vec::new();
    for (at, (separator, word)) in modifiers.iter().enumerate() {
        if *separator == "." && Space::from_name(word).is_some() {
            let sub = match modifiers.get(at + 1) {
                Some(("::", sub @ ("cta" | "cluster" | "entry" | "func"))) => *sub,
                _ => "",
            };
            spaces.push(Named { at, word, sub, sub_number: WordKind::Submodifier.number(sub) });
        }
    }
    spaces
}

impl Named<'_> {
    /// Whether it is this one: `shared::cta`.
    fn is(&self, text: &str) -> bool {
        match text.strip_prefix(self.word) {
            Some("") => self.sub.is_empty(),
            Some(rest) => rest.strip_prefix("::") == Some(self.sub),
            None => false,
        }
    }

    /// Whether it is among these; nothing is known of none.
    fn is_among(&self, set: &str) -> bool {
        set.is_empty() || set.split(' ').any(|text| self.is(text))
    }

    /// Whether no version of PTX that is newer than the lists may have more instructions for it.
    fn is_settled(&self) -> bool {
        let is_fundamental = |ty: ScalarType| ty.is_fundamental();
        ScalarType::from_name(self.word).is_some_and(is_fundamental)
            || Opaque::from_name(self.word).is_some()
    }
}

/// The state spaces that an instruction may name in place of the one at this index, according to the lists of its
/// column; all if nothing is known.
pub fn nameable_spaces(
    lists: ModifierLists,
    has: impl Fn(&str) -> bool,
    named: &[Named<'_>],
    at: usize,
) -> Spaces {
    let Some((key, _)) = lists.iter().find(|(modifier, _)| modifier.is_empty() || has(modifier))
    else {
        return Spaces::ALL;
    };
    let of_key = lists.iter().filter(|(modifier, _)| modifier == key);
    let sets = of_key.map(|(_, sets)| *sets).filter(|sets| sets.len() == named.len());
    let others_fit = |sets: &&[&str]| {
        let mut others = named.iter().zip(*sets).enumerate().filter(|(n, _)| *n != at);
        others.all(|(_, (named, set))| named.is_among(set))
    };
    let fitting: Vec<&str> =
        sets.filter(others_fit).map(|sets| sets.get(at).copied().unwrap_or_default()).collect();
    Spaces::ALL.filter(|space| {
        let instead = Named { at, word: space.name(), sub: "", sub_number: u16::MAX };
        fitting.iter().any(|set| instead.is_among(set))
    })
}

impl Misfit {
    /// Compares what an instruction names with the lists of a column, in a version of PTX.
    pub fn of(
        lists: ModifierLists,
        has: impl Fn(&str) -> bool,
        named: &[Named<'_>],
        version: Option<Version>,
    ) -> Option<Self> {
        let (key, _) = *lists.iter().find(|(modifier, _)| modifier.is_empty() || has(modifier))?;
        let fits = |sets: &[&str]| -> usize {
            named.iter().zip(sets).take_while(|(named, set)| named.is_among(set)).count()
        };
        let fits_all = |sets: &[&str]| sets.len() == named.len() && fits(sets) == named.len();
        let of_key =
            || lists.iter().filter(|(modifier, _)| *modifier == key).map(|(_, sets)| *sets);
        if of_key().any(fits_all) {
            return None;
        }
        let takes_none = of_key().any(<[&str]>::is_empty);
        let same = of_key().filter(|sets| sets.len() == named.len());
        let found = match same.min_by_key(|sets| Reverse(fits(sets))) {
            Some(sets) => {
                let at = fits(sets);
                let with = |(modifier, sets): &&(&'static str, &'static [&'static str])| {
                    key.is_empty() && !modifier.is_empty() && fits_all(sets)
                };
                let mut modifiers: Vec<&str> = lists.iter().filter(with).map(|it| it.0).collect();
                // What most products are first; a carry is another matter.
                modifiers.sort_by_key(|modifier| (*modifier == "cc", *modifier == "wide"));
                let are_modifiers = !modifiers.is_empty();
                let likely = if are_modifiers { modifiers } else { likely(sets[at], named[at]) };
                Self { at: Some(at), instead: first_three(&likely), are_modifiers, takes_none }
            }
            None => {
                let longer = of_key().find(|sets| sets.len() > named.len());
                let all = longer.map(|sets| sets[named.len()].split(' ').collect::<Vec<_>>());
                let at = if longer.is_some() { None } else { of_key().map(<[&str]>::len).max() };
                let instead = first_three(&all.unwrap_or_default());
                Self { at, instead, are_modifiers: false, takes_none }
            }
        };
        let is_complete = version.is_none_or(|version| !COMPLETE.is_below(version));
        let blamed = found.at.map(|at| named[at]);
        let is_known = is_complete
            || lists.iter().all(|(_, sets)| sets.is_empty())
            || blamed.map_or(named.is_empty(), |named| {
                named.is_settled() && !found.instead[0].is_none()
            });
        // Words of newer versions stand for anything.
        let is_new = named.iter().any(|named| NEW_TYPES.contains(&named.word));
        (is_known && !is_new).then_some(found)
    }
}

/// The types that only newer versions of PTX have.
const NEW_TYPES: &[&str] = &["s2f6x2", "s8x4", "u8x4", "ue5m3x2"];

/// Those of a set that are likely meant: of the same size as a type, and its bits if they are among them.
fn likely(set: &'static str, given: Named<'_>) -> Vec<&'static str> {
    let all: Vec<&str> = set.split(' ').collect();
    let Some(ty) = ScalarType::from_name(given.word) else { return all };
    let size = |word: &str| ScalarType::from_name(word).map(ScalarType::bytes);
    let is_bits = |word: &str| word.starts_with('b') && !word.starts_with("bf");
    let same: Vec<&str> =
        all.iter().copied().filter(|word| size(word) == Some(ty.bytes())).collect();
    match same.iter().find(|word| is_bits(word)) {
        Some(bits) => Vec::from([*bits]),
        None if same.is_empty() => all,
        None => same,
    }
}

fn first_three(words: &[&'static str]) -> [Word; 3] {
    core::array::from_fn(|n| Word::of(words.get(n).copied().unwrap_or_default()))
}
