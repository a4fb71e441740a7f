//! A random program under construction: its lines, its labels, and the enclosing loops.

use super::choices::Choices;
use super::computations::{COMPARISONS, NARROW, PREDICATES, predicate, register, test};
use super::signatures::Callee;

/// An array that programs access.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Its state space, without the dot.
    pub space: &'static str,
    /// Its alignment in bytes.
    pub align: usize,
    /// Its size in bytes.
    pub bytes: usize,
}

/// The arrays that programs access.
pub const ARRAYS: [Array; 4] = [
    Array { name: "A", space: "shared", align: 16, bytes: 512 },
    Array { name: "B", space: "shared", align: 4, bytes: 128 },
    Array { name: "C", space: "local", align: 8, bytes: 64 },
    Array { name: "E", space: "shared", align: 16, bytes: 1024 },
];

/// The arrays that functions share.
pub const SHARED: [Array; 3] = [ARRAYS[0], ARRAYS[1], ARRAYS[3]];

/// The number of registers of each kind: 32, 64 and 16 bits, and predicates.
pub const REGISTERS: [(&str, &str, usize); 4] =
    [("%r", "b32", 16), ("%d", "b64", 8), ("%h", "b16", NARROW), ("%p", "pred", 8)];

/// The maximum loop nesting depth.
pub(super) const DEEPEST: usize = 2;

/// A program under construction.
pub(super) struct Writer<'c> {
    pub(super) choices: &'c mut Choices,
    lines: Vec<String>,
    labels: usize,
    /// The enclosing loops: the counter of each, and whether that is an address.
    pub(super) loops: Vec<Counter>,
    /// The predicates of the enclosing branches, and the number of loops around each branch.
    pub(super) branches: Vec<(String, usize)>,
    /// Whether it accesses memory and exits threads, besides computing.
    pub(super) is_kernel: bool,
    /// Whether its blocks have others in their clusters.
    pub(super) is_in_cluster: bool,
    /// The arrays that it accesses.
    pub(super) arrays: &'static [Array],
    /// Whether it is itself called, possibly in a loop.
    pub(super) is_called: bool,
    /// The functions that it calls.
    pub(super) callees: &'static [Callee],
}

/// The counter of a loop.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Counter {
    pub(super) register: usize,
    /// The array that it points into, if any.
    pub(super) array: Option<Array>,
    /// The label after the loop.
    pub(super) end: usize,
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<'c> Writer<'c> {
    pub(super) fn new(choices: &'c mut Choices, is_kernel: bool) -> Self {
        Self {
            choices,
            lines: Vec::new(),
            labels: 0,
            loops: Vec::new(),
            branches: Vec::new(),
            is_kernel,
            is_in_cluster: false,
            arrays: &ARRAYS,
            is_called: false,
            callees: &[],
        }
    }

    pub(super) fn finish(self) -> String {
        self.lines.into_iter().map(|line| line + "\n").collect()
    }

    pub(super) fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    pub(super) fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    pub(super) fn guard(&mut self) -> String {
        let not = self.choices.of(&["", "!"]);
        let mut chosen = predicate(self.choices);
        // If a loop changes the predicate of an enclosing branch, optimising ptxas of CUDA 12.9 and 13.0 still uses
        // its value at the branch. Only the analysis gets such programs.
        let is_free = |predicate: &String| {
            let is_around = |(around, loops): &(String, usize)| {
                around == predicate && *loops < self.loops.len()
            };
            self.is_kernel || !self.branches.iter().any(is_around)
        };
        if !is_free(&chosen) {
            let others = (0..PREDICATES).map(|n| format!("%p{n}"));
            chosen = others.into_iter().find(is_free).unwrap_or(chosen);
        }
        format!("@{not}{chosen}")
    }

    /// Emits a meaningful comparison: of the thread index, of a counter, or of any register.
    pub(super) fn test(&mut self) -> String {
        let to = predicate(self.choices);
        let (comparison, sign) = (self.choices.of(&COMPARISONS), self.choices.of(&["u", "s"]));
        let bound = self.choices.of(&[0, 1, 2, 4, 5, 7, 8, 16, 31, 32]);
        match (self.choices.below(5), self.loops.last().copied()) {
            (4, _) => {
                let of = self.source();
                self.line(format!("add.s32 %r9, {of}, -{bound};"));
                let bound = self.choices.of(&[0, 1, 4, 8]);
                format!("setp.{comparison}.{sign}32 {to}, %r9, {bound};")
            }
            (0, _) => format!("setp.{comparison}.{sign}32 {to}, %r0, {bound};"),
            (1, Some(counter)) => {
                format!("setp.{comparison}.{sign}32 {to}, %r{}, {bound};", counter.register)
            }
            (2, Some(counter)) => {
                format!("setp.{comparison}.{sign}32 {to}, %r{}, %r0;", counter.register)
            }
            _ => test(self.choices),
        }
    }

    /// Returns a register that may be an index.
    pub(super) fn source(&mut self) -> String {
        let counter = self.loops.iter().rev().find(|counter| counter.array.is_none()).copied();
        match (self.choices.below(4), counter) {
            (0, _) | (1, None) => "%r0".into(),
            (1 | 2, Some(counter)) => format!("%r{}", counter.register),
            (_, _) => register(self.choices, 32),
        }
    }
}
