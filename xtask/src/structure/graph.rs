//! Graphs of names, and their cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The uses of names by others, each with its first location.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

/// Names that all reach each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle {
    /// The names, sorted.
    pub members: Vec<String>,
    /// Each use of one by another: the user, the used name, and the location.
    pub uses: Vec<(String, String, String)>,
}

impl fmt::Display for Cycle {
    /// The names, and one use per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.members.join(", "))?;
        for (from, to, at) in &self.uses {
            write!(f, "\n    {from} uses {to}: {at}")?;
        }
        Ok(())
    }
}

impl Graph {
    /// Records a use; of several, the first is kept. A name that uses itself is not a cycle.
    pub fn add(&mut self, from: &str, to: &str, at: &str) {
        if from != to {
            let uses = self.edges.entry(from.to_owned()).or_default();
            uses.entry(to.to_owned()).or_insert_with(|| at.to_owned());
        }
    }

    /// The names that one reaches, including itself only if another leads back to it.
    fn reached(&self, from: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(name) = open.pop() {
            for to in self.edges.get(name).into_iter().flat_map(BTreeMap::keys) {
                if found.insert(to.as_str()) {
                    open.push(to);
                }
            }
        }
        found
    }

    /// The cycles: maximal sets of names that reach each other.
    pub fn cycles(&self) -> Vec<Cycle> {
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            self.edges.keys().map(|name| (name.as_str(), self.reached(name))).collect();
        let mut seen = BTreeSet::new();
        let mut cycles = Vec::new();
        for (name, behind) in &reached {
            if !behind.contains(name) || seen.contains(name) {
                continue;
            }
            let is_member =
                |other: &&&str| reached.get(**other).is_some_and(|back| back.contains(name));
            let members: BTreeSet<&str> = behind.iter().filter(is_member).copied().collect();
            seen.extend(members.iter().copied());
            let uses = members.iter().flat_map(|from| {
                let inside =
                    self.edges[*from].iter().filter(|(to, _)| members.contains(to.as_str()));
                inside.map(|(to, at)| ((*from).to_owned(), to.clone(), at.clone()))
            });
            cycles.push(Cycle {
                uses: uses.collect(),
                members: members.iter().map(|&member| member.to_owned()).collect(),
            });
        }
        cycles
    }
}
