//! Stack frames.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use super::decode::Source;
use super::program::Code;

/// The frame of a function that a thread executes.
pub(super) struct Frame<'a> {
    pub(super) function: usize,
    /// The next node.
    pub(super) at: usize,
    pub(super) registers: Vec<Option<u64>>,
    /// For each register computed from an address in another block, the window offset of that block.
    windows: Vec<u64>,
    /// The contents of `.param` variables, by name.
    pub(super) params: BTreeMap<&'a str, u64>,
    /// How often control reached the label of each loop since it entered the loop.
    pub(super) rounds: Vec<i128>,
}

impl<'a> Frame<'a> {
    pub(super) fn of(function: usize, code: &Code<'a>) -> Self {
        let registers = vec![None; code.registers.len()];
        let windows = vec![0; code.registers.len()];
        let rounds = vec![0; code.loops.len()];
        Self { function, at: 0, registers, windows, params: BTreeMap::new(), rounds }
    }

    /// Writes a register.
    pub(super) fn write(&mut self, register: usize, value: Option<u64>, window: u64) {
        self.registers[register] = value;
        self.windows[register] = window;
    }

    /// Returns the window offset in a value computed from this source.
    pub(super) fn window(&self, source: &Source<'_>) -> u64 {
        match source {
            Source::Register(register) => self.windows[*register],
            Source::Sum(inner, _) => self.window(inner),
            Source::Number(_) | Source::Symbol(_) | Source::Special(..) | Source::Not(_) => 0,
        }
    }

    /// Returns the value of the register or variable with this name.
    pub(super) fn named(&self, name: &str, code: &Code<'_>) -> Option<u64> {
        match code.registers.iter().position(|register| *register == name) {
            Some(register) => self.registers[register],
            None => self.params.get(name).copied(),
        }
    }

    /// Writes the register or variable with this name.
    pub(super) fn set(&mut self, name: &'a str, value: Option<u64>, window: u64, code: &Code<'_>) {
        match (code.registers.iter().position(|register| *register == name), value) {
            (Some(register), value) => self.write(register, value, window),
            (None, Some(value)) => {
                self.params.insert(name, value);
            }
            (None, None) => {
                self.params.remove(name);
            }
        }
    }
}
