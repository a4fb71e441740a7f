//! What differs between two functions.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::align::Aligned;
use super::body::{Body, Line, Reference};
use super::file::storage;
use super::symbols::Pairs;

/// A line of two bodies side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A line of both that means the same.
    Same(usize, usize),
    /// A line that only A has.
    Removed(usize),
    /// A line that only B has.
    Added(usize),
}

/// What differs between two bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Difference {
    /// All lines of both; empty if they mean the same.
    pub(super) steps: Vec<Step>,
    /// Names that are not renamed alike everywhere: the line of B, the name in A, the one that it is elsewhere in B, and the one
    /// in this line of B.
    pub(super) renamed: Vec<Renamed>,
    /// Entities of both that are not declared alike, and variables that one of them has: by their numbers.
    pub(super) declared: Vec<(Option<usize>, Option<usize>)>,
}

/// A name that is not renamed alike everywhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renamed {
    /// The line of B.
    pub(super) line: usize,
    /// The name in A.
    pub(super) from: Reference,
    /// What it is in this line of B.
    pub(super) to: Reference,
    /// What it is in the other lines of B, if there are any.
    pub(super) elsewhere: Option<Reference>,
    /// What the name in this line of B is in the other lines of A, if there are any.
    pub(super) before: Option<Reference>,
}

impl Difference {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.declared.is_empty()
    }
}

/// Which symbols seem to be which by the pairs of lines that name them, with the lines that do.
pub(super) fn votes(
    a: &Body<'_>,
    b: &Body<'_>,
    aligned: &Aligned,
) -> BTreeMap<(usize, usize), usize> {
    let mut votes = BTreeMap::new();
    let lines = aligned.same.iter().chain(&aligned.alike);
    let names = lines.flat_map(|(n, m)| a.lines[*n].names.iter().zip(&b.lines[*m].names));
    for (a, b) in names {
        if let (Reference::Symbol(a), Reference::Symbol(b)) = (a, b) {
            *votes.entry((*a, *b)).or_default() += 1;
        }
    }
    votes
}

/// Whether two bodies are the same statements in the same order, if names are replaced.
pub(super) fn is_same(a: &Body<'_>, b: &Body<'_>, symbols: &Pairs) -> bool {
    let mut names = Names::of(a, b, symbols);
    let lines = a.lines.iter().zip(&b.lines);
    a.lines.len() == b.lines.len()
        && lines
            .into_iter()
            .all(|(one, other)| one.shape == other.shape && names.are_same(one, other, true))
        && names.declared(a, b, symbols).is_empty()
}

/// What differs between two bodies, whose lines are aligned.
pub(super) fn compare(
    a: &Body<'_>,
    b: &Body<'_>,
    symbols: &Pairs,
    aligned: &Aligned,
) -> Difference {
    if is_same(a, b, symbols) {
        return Difference::default();
    }
    let mut names = Names::of(a, b, symbols);
    names.elect(a, b, aligned);
    let mut difference = Difference::default();
    let (mut next_a, mut next_b) = (0, 0);
    let mut is_different = false;
    for (n, m) in aligned.same.iter().copied().chain([(a.lines.len(), b.lines.len())]) {
        difference.steps.extend((next_a..n).map(Step::Removed));
        difference.steps.extend((next_b..m).map(Step::Added));
        is_different |= n > next_a || m > next_b;
        (next_a, next_b) = (n + 1, m + 1);
        let (Some(one), Some(other)) = (a.lines.get(n), b.lines.get(m)) else { break };
        if names.are_same(one, other, false) {
            difference.steps.push(Step::Same(n, m));
            continue;
        }
        is_different = true;
        difference.steps.extend([Step::Removed(n), Step::Added(m)]);
        let mut told = HashSet::new();
        for (from, to) in one.names.iter().zip(&other.names) {
            let elsewhere = names.get(*from);
            if elsewhere != Some(*to) && told.insert((*from, *to)) {
                let before = names.before(*to);
                difference.renamed.push(Renamed {
                    line: m,
                    from: *from,
                    to: *to,
                    elsewhere,
                    before,
                });
            }
        }
    }
    if !is_different {
        difference.steps.clear();
    }
    difference.declared = names.declared(a, b, symbols);
    difference
}

/// Which names of A are which of B.
struct Names<'p> {
    symbols: &'p Pairs,
    of_a: HashMap<usize, usize>,
    of_b: HashMap<usize, usize>,
}

impl<'p> Names<'p> {
    /// Parameters are the same by their places.
    fn of(a: &Body<'_>, b: &Body<'_>, symbols: &'p Pairs) -> Self {
        let mut names = Self { symbols, of_a: HashMap::new(), of_b: HashMap::new() };
        for (a, b) in a.params.iter().zip(&b.params) {
            names.add(*a, *b);
        }
        names
    }

    /// Whether neither has had another one; then they are the same.
    fn add(&mut self, a: usize, b: usize) -> bool {
        match (self.of_a.get(&a), self.of_b.get(&b)) {
            (None, None) => {
                self.of_a.insert(a, b);
                self.of_b.insert(b, a);
                true
            }
            (one, _) => one == Some(&b),
        }
    }

    fn get(&self, name: Reference) -> Option<Reference> {
        match name {
            Reference::Own(entity) => self.of_a.get(&entity).copied().map(Reference::Own),
            Reference::Symbol(symbol) => self.symbols.of_a[symbol].map(Reference::Symbol),
        }
    }

    /// The name in A of one in B.
    fn before(&self, name: Reference) -> Option<Reference> {
        match name {
            Reference::Own(entity) => self.of_b.get(&entity).copied().map(Reference::Own),
            Reference::Symbol(symbol) => self.symbols.of_b[symbol].map(Reference::Symbol),
        }
    }

    /// Whether the names of two lines are the same; new ones may become so.
    fn are_same(&mut self, one: &Line, other: &Line, may_add: bool) -> bool {
        one.names.len() == other.names.len()
            && one.names.iter().zip(&other.names).all(|(a, b)| match (a, b) {
                (Reference::Own(a), Reference::Own(b)) if may_add => self.add(*a, *b),
                _ => self.get(*a) == Some(*b),
            })
    }

    /// Takes those names to be the same that most lines have in the same place, and of as many the first.
    fn elect(&mut self, a: &Body<'_>, b: &Body<'_>, aligned: &Aligned) {
        let mut votes: HashMap<(usize, usize), (usize, usize)> = HashMap::new();
        for (n, m) in aligned.same.iter().chain(&aligned.alike) {
            for names in a.lines[*n].names.iter().zip(&b.lines[*m].names) {
                let (Reference::Own(x), Reference::Own(y)) = names else { continue };
                if a.entities[*x].kind == b.entities[*y].kind {
                    let first = votes.len();
                    votes.entry((*x, *y)).or_insert((0, first)).0 += 1;
                }
            }
        }
        let mut votes: Vec<_> = votes.into_iter().collect();
        votes.sort_unstable_by_key(|(_, (count, first))| (std::cmp::Reverse(*count), *first));
        for ((a, b), _) in votes {
            self.add(a, b);
        }
    }

    /// What is not declared alike; what no line names counts only if it takes storage.
    fn declared(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        symbols: &Pairs,
    ) -> Vec<(Option<usize>, Option<usize>)> {
        self.pair_storage(a, b);
        let is_same = |n: usize, m: usize| {
            let (one, other) = (&a.entities[n], &b.entities[m]);
            let pairs = one.values.iter().zip(&other.values);
            one.what == other.what
                && one.values.len() == other.values.len()
                && pairs.into_iter().all(|(a, b)| symbols.of_a[*a] == Some(*b))
        };
        let mut found: Vec<(Option<usize>, Option<usize>)> = self
            .of_a
            .iter()
            .filter(|(a, b)| !is_same(**a, **b))
            .map(|(a, b)| (Some(*a), Some(*b)))
            .collect();
        found.extend(storage(a).filter(|n| !self.of_a.contains_key(n)).map(|n| (Some(n), None)));
        found.extend(storage(b).filter(|n| !self.of_b.contains_key(n)).map(|n| (None, Some(n))));
        found.sort_unstable();
        found
    }

    /// Pairs the variables that no line names, or only lines without one like it: those of the same name or else declared
    /// alike.
    fn pair_storage(&mut self, a: &Body<'_>, b: &Body<'_>) {
        for by_name in [true, false] {
            let key = |body: &Body<'_>, n: usize| {
                let entity = &body.entities[n];
                let name = if by_name { entity.name } else { "" };
                (name.to_owned(), entity.what.clone())
            };
            let mut left: HashMap<(String, String), Vec<usize>> = HashMap::new();
            for m in storage(b).filter(|m| !self.of_b.contains_key(m)) {
                left.entry(key(b, m)).or_default().push(m);
            }
            for n in storage(a) {
                if !self.of_a.contains_key(&n)
                    && let Some(m) = left.get_mut(&key(a, n)).and_then(Vec::pop)
                {
                    self.add(n, m);
                }
            }
        }
        let named: HashMap<&str, usize> = storage(b).map(|m| (b.entities[m].name, m)).collect();
        for n in storage(a) {
            if let Some(m) = named.get(a.entities[n].name) {
                self.add(n, *m);
            }
        }
    }
}
