//! Which statement of one body is which of the other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::body::{Body, Reference};

/// How far the statements that first name what a statement names tell it apart.
const DEPTHS: [usize; 3] = [3, 1, 0];

/// The percentage of statements that are the same with their names from which names are taken to be kept.
const KEPT: usize = 80;

/// Pairs of lines of two bodies, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Aligned {
    /// Those that differ in names at most.
    pub(super) same: Vec<(usize, usize)>,
    /// Those between them that have the same opcode, and as many names.
    pub(super) alike: Vec<(usize, usize)>,
}

/// Aligns the lines of two bodies.
pub(super) fn lines(a: &Body<'_>, b: &Body<'_>) -> Aligned {
    let mut levels: Vec<[Vec<u64>; 2]> = Vec::new();
    let texts = [a, b].map(texts);
    if common(&texts) * 100 >= KEPT * a.lines.len().max(b.lines.len()) {
        levels.push(texts);
    }
    levels.extend(DEPTHS.map(|depth| [keys(a, depth), keys(b, depth)]));
    let mut same = Vec::new();
    align(&levels, 0..a.lines.len(), 0..b.lines.len(), &mut same);
    let forms = [[a, b].map(|body| body.lines.iter().map(|line| line.form as u64).collect())];
    let mut alike = Vec::new();
    let (mut start_a, mut start_b) = (0, 0);
    for (end_a, end_b) in same.iter().copied().chain([(a.lines.len(), b.lines.len())]) {
        align(&forms, start_a..end_a, start_b..end_b, &mut alike);
        (start_a, start_b) = (end_a + 1, end_b + 1);
    }
    Aligned { same, alike }
}

/// Aligns ranges of lines by the first level, and what is left between those by the next ones.
fn align(
    levels: &[[Vec<u64>; 2]],
    a: Range<usize>,
    b: Range<usize>,
    found: &mut Vec<(usize, usize)>,
) {
    let Some(([of_a, of_b], next)) = levels.split_first() else { return };
    if a.is_empty() || b.is_empty() {
        return;
    }
    let (mut start_a, mut start_b) = (a.start, b.start);
    for (at_a, at_b) in same(&of_a[a.clone()], &of_b[b.clone()]) {
        let (at_a, at_b) = (a.start + at_a, b.start + at_b);
        align(next, start_a..at_a, start_b..at_b, found);
        found.push((at_a, at_b));
        (start_a, start_b) = (at_a + 1, at_b + 1);
    }
    align(next, start_a..a.end, start_b..b.end, found);
}

/// Pairs of the same keys, in order.
fn same(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    // What only one of them has costs the most and says nothing.
    let only = |these: &[u64], others: &[u64]| -> Vec<usize> {
        let others: std::collections::HashSet<u64> = others.iter().copied().collect();
        (0..these.len()).filter(|n| others.contains(&these[*n])).collect()
    };
    let (left_a, left_b) = (only(a, b), only(b, a));
    let keys_a: Vec<u64> = left_a.iter().map(|n| a[*n]).collect();
    let keys_b: Vec<u64> = left_b.iter().map(|n| b[*n]).collect();
    let mut found = Vec::new();
    for operation in capture_diff_slices(Algorithm::Patience, &keys_a, &keys_b) {
        if let DiffOp::Equal { old_index, new_index, len } = operation {
            found.extend((0..len).map(|n| (left_a[old_index + n], left_b[new_index + n])));
        }
    }
    found
}

fn texts(body: &Body<'_>) -> Vec<u64> {
    body.lines.iter().map(|line| line.text as u64).collect()
}

/// How many keys both have, in any order.
fn common([a, b]: &[Vec<u64>; 2]) -> usize {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for key in a {
        *counts.entry(*key).or_default() += 1;
    }
    let is_common = |key: &&u64| match counts.get_mut(*key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    b.iter().filter(is_common).count()
}

/// The shape of each line, and those of the lines that first name what it names, so many times.
fn keys(body: &Body<'_>, depth: usize) -> Vec<u64> {
    let mut keys: Vec<u64> = body.lines.iter().map(|line| line.shape as u64).collect();
    if depth == 0 {
        return keys;
    }
    let mut first: HashMap<Reference, usize> = HashMap::new();
    for (n, line) in body.lines.iter().enumerate() {
        for name in &line.names {
            first.entry(*name).or_insert(n);
        }
    }
    for _ in 0..depth {
        let next = body.lines.iter().enumerate().map(|(n, line)| {
            let mut hasher = DefaultHasher::new();
            keys[n].hash(&mut hasher);
            for name in &line.names {
                let at = first.get(name).copied().filter(|at| *at != n);
                at.map(|at| keys[at]).hash(&mut hasher);
            }
            hasher.finish()
        });
        keys = next.collect();
    }
    keys
}
