//! Which symbol of one module is which of the other.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::body::Body;
use super::file::{Symbol, SymbolKind};

/// For each symbol of a module, that of the other one.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    pub(super) of_a: Vec<Option<usize>>,
    pub(super) of_b: Vec<Option<usize>>,
}

/// The symbols of two modules.
type Both<'s, 'a> = [&'s [Symbol<'a>]; 2];

/// The rounds in which symbols that look alike are told apart one by one; after these, the order of their declarations
/// decides.
const MOST_ROUNDS: usize = 64;

/// The symbols between two of which the one tells the other apart.
const DEEPEST: usize = 32;

impl Pairs {
    /// Public symbols have their names; private ones are what they are, what they name, and where they are named. Those
    /// that have changed have their names, or much the same statements.
    pub(super) fn of(both: Both<'_, '_>) -> Self {
        let mut pairs = Self { of_a: vec![None; both[0].len()], of_b: vec![None; both[1].len()] };
        pairs.by(both, |symbol| symbol.is_public.then_some((is_function(symbol), symbol.name)));
        pairs.by_structure(both);
        pairs.by(both, |symbol| Some((is_function(symbol), symbol.name, symbol.own)));
        pairs.by(both, |symbol| Some(symbol.own));
        pairs.by(both, |symbol| Some((is_function(symbol), symbol.name)));
        pairs.by_likeness(both);
        pairs
    }

    pub(super) fn add(&mut self, a: usize, b: usize) {
        if self.of_a[a].is_none() && self.of_b[b].is_none() {
            (self.of_a[a], self.of_b[b]) = (Some(b), Some(a));
        }
    }

    /// Pairs the symbols that have the same key, in the order of their declarations.
    fn by<'s, 'a: 's, K: Hash + Eq>(
        &mut self,
        both: Both<'s, 'a>,
        key: impl Fn(&'s Symbol<'a>) -> Option<K>,
    ) {
        let mut left: HashMap<K, Vec<usize>> = HashMap::new();
        for (n, symbol) in both[1].iter().enumerate().rev() {
            if let Some(key) = key(symbol).filter(|_| self.of_b[n].is_none()) {
                left.entry(key).or_default().push(n);
            }
        }
        for (n, symbol) in both[0].iter().enumerate() {
            let Some(key) = key(symbol).filter(|_| self.of_a[n].is_none()) else { continue };
            if let Some(other) = left.get_mut(&key).and_then(Vec::pop) {
                self.add(n, other);
            }
        }
    }

    /// Pairs the symbols that have the same place among all of them: colour refinement, as for isomorphic graphs.
    fn by_structure(&mut self, both: Both<'_, '_>) {
        let mut colors = both.map(|symbols| symbols.iter().map(|it| it.own).collect::<Vec<u64>>());
        for round in 0..=MOST_ROUNDS {
            refine(both, &mut colors);
            let mut is_first = true;
            for [of_a, of_b] in self.classes(both, &colors) {
                match (&of_a[..], &of_b[..]) {
                    ([a], [b]) => self.add(*a, *b),
                    _ if round == MOST_ROUNDS => {
                        for (a, b) in in_order(both, &of_a, &of_b) {
                            self.add(a, b);
                        }
                    }
                    // One pair of those that look alike may tell the others apart.
                    _ if std::mem::take(&mut is_first) => {
                        if let Some((a, b)) = in_order(both, &of_a, &of_b).first() {
                            self.add(*a, *b);
                            (colors[0][*a], colors[1][*b]) = (fold(&round), fold(&round));
                        }
                    }
                    _ => {}
                }
            }
            if is_first {
                return;
            }
        }
    }

    /// The private symbols of each colour that are not in pairs, if both modules have some.
    fn classes(&self, both: Both<'_, '_>, colors: &[Vec<u64>; 2]) -> Vec<[Vec<usize>; 2]> {
        let mut numbers: HashMap<u64, usize> = HashMap::new();
        let mut classes: Vec<[Vec<usize>; 2]> = Vec::new();
        for (side, paired) in [&self.of_a, &self.of_b].into_iter().enumerate() {
            for (n, color) in colors[side].iter().enumerate() {
                if paired[n].is_none() && !both[side][n].is_public {
                    let class = *numbers.entry(*color).or_insert(classes.len());
                    if class == classes.len() {
                        classes.push(Default::default());
                    }
                    classes[class][side].push(n);
                }
            }
        }
        classes.retain(|[a, b]| !a.is_empty() && !b.is_empty());
        classes
    }

    /// Pairs the private functions that are left and have most of their statements in common.
    fn by_likeness(&mut self, both: Both<'_, '_>) {
        for (a, symbol) in both[0].iter().enumerate() {
            let SymbolKind::Function(_, body) = &symbol.of else { continue };
            if self.of_a[a].is_some() || symbol.is_public {
                continue;
            }
            let left = both[1]
                .iter()
                .enumerate()
                .filter(|(b, other)| self.of_b[*b].is_none() && !other.is_public);
            let likeness = left.filter_map(|(b, other)| match &other.of {
                SymbolKind::Function(_, other) => Some((likeness(body, other), b)),
                SymbolKind::Variable(_) => None,
            });
            let best = likeness.max_by_key(|(likeness, b)| (*likeness, std::cmp::Reverse(*b)));
            if let Some((50.., b)) = best {
                self.add(a, b);
            }
        }
    }
}

fn is_function(symbol: &Symbol<'_>) -> bool {
    matches!(symbol.of, SymbolKind::Function(..))
}

/// The symbols of a class in pairs: those of the same name, then in the order of their declarations.
fn in_order(both: Both<'_, '_>, of_a: &[usize], of_b: &[usize]) -> Vec<(usize, usize)> {
    let names: HashMap<&str, usize> = of_b.iter().map(|b| (both[1][*b].name, *b)).collect();
    let mut pairs = Vec::new();
    for a in of_a {
        pairs.extend(names.get(both[0][*a].name).map(|b| (*a, *b)));
    }
    let taken: HashSet<usize> = pairs.iter().map(|(a, _)| *a).collect();
    let given: HashSet<usize> = pairs.iter().map(|(_, b)| *b).collect();
    let left = of_a.iter().filter(|a| !taken.contains(a));
    let right = of_b.iter().filter(|b| !given.contains(b));
    pairs.extend(left.copied().zip(right.copied()));
    pairs
}

/// The percentage of the statements of two bodies that they have in common, in any order.
fn likeness(one: &Body<'_>, other: &Body<'_>) -> usize {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for line in &one.lines {
        *counts.entry(line.shape).or_default() += 1;
    }
    let mut common = 0;
    for line in &other.lines {
        if let Some(count) = counts.get_mut(&line.shape).filter(|count| **count > 0) {
            *count -= 1;
            common += 1;
        }
    }
    100 * common / one.lines.len().max(other.lines.len()).max(1)
}

/// Makes the colours of symbols differ that name other symbols, or are named by others, in as many rounds for both modules.
fn refine(both: Both<'_, '_>, colors: &mut [Vec<u64>; 2]) {
    let count = |colors: &[Vec<u64>; 2]| {
        colors.iter().map(|colors| colors.iter().collect::<HashSet<_>>().len()).sum::<usize>()
    };
    let mut before = count(colors);
    for _ in 0..DEEPEST {
        *colors = [refined(both[0], &colors[0]), refined(both[1], &colors[1])];
        let after = count(colors);
        if after == before {
            return;
        }
        before = after;
    }
}

fn refined(symbols: &[Symbol<'_>], colors: &[u64]) -> Vec<u64> {
    let mut users: Vec<Vec<(u64, usize)>> = vec![Vec::new(); symbols.len()];
    for (n, symbol) in symbols.iter().enumerate() {
        for (place, used) in symbol.uses.iter().enumerate() {
            users[*used].push((colors[n], place));
        }
    }
    let refined = symbols.iter().enumerate().map(|(n, symbol)| {
        if symbol.is_public {
            return colors[n];
        }
        users[n].sort_unstable();
        let used: Vec<u64> = symbol.uses.iter().map(|used| colors[*used]).collect();
        fold(&(colors[n], used, &users[n]))
    });
    refined.collect()
}

fn fold(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
