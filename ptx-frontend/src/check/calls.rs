//! The functions that the items of a module reach.

use std::collections::HashMap;

use ptx_analysis::VariableUse;
use ptx_isa::ir::FunctionKind;

use super::checked::Checked;
use crate::address::Meaning;
use crate::ast::{Item, Variable};

/// The functions that each item of a module reaches by naming others. As in ptxas, these include the functions in
/// tables that it names and, where it calls through a register, every function whose address the module takes:
/// an additional node after the items leads to the latter.
pub(super) struct CallGraph {
    leads: Vec<Vec<usize>>,
    /// For each node, the last walk that reached it.
    seen: Vec<usize>,
    walks: usize,
}

impl CallGraph {
    pub(super) fn of(checked: &Checked<'_>) -> Self {
        let items = &checked.module.items;
        let mut leads: Vec<Vec<usize>> = Vec::with_capacity(items.len() + 1);
        let mut taken = Vec::new();
        for (item, body) in items.iter().zip(&checked.bodies) {
            let mut found = Vec::new();
            if let Item::Variable(variable) = item {
                found.extend(addressed(variable));
                taken.extend(addressed(variable));
            }
            if let Some(body) = body {
                let uses = &body.analysis.uses;
                found.extend(&uses.functions);
                found.extend(body.uses.iter().map(|used| used.index));
                found.extend(uses.calls_indirectly.then_some(items.len()));
                taken.extend(&uses.taken);
            }
            leads.push(found);
        }
        leads.push(taken);
        // Kernels are never called.
        let is_kernel = |i: &usize| matches!(items.get(*i), Some(Item::Function(function)) if function.kind == FunctionKind::Kernel);
        for found in &mut leads {
            found.retain(|i| !is_kernel(i));
            found.sort_unstable();
            found.dedup();
        }
        let seen = vec![0; leads.len()];
        Self { leads, seen, walks: 0 }
    }

    /// The functions that a function calls directly or indirectly, by their indices among the items.
    pub(super) fn called(&mut self, start: usize, items: &[Item]) -> Vec<usize> {
        self.walks += 1;
        self.seen[start] = self.walks;
        let (mut found, mut open) = (Vec::new(), vec![start]);
        while let Some(node) = open.pop() {
            for &next in &self.leads[node] {
                if self.seen[next] != self.walks {
                    self.seen[next] = self.walks;
                    open.push(next);
                    found.push(next);
                }
            }
        }
        found.retain(|i| matches!(items.get(*i), Some(Item::Function(_))));
        found.sort_unstable();
        found
    }

    /// The number of these uses that each node reaches, including its own, saturating at two. `uses` has the
    /// nodes and the nodes that they use.
    ///
    /// The uses are followed backwards, and each node passes on at most two: unlike a walk from each
    /// function, this takes linear time even for long chains of calls.
    pub(super) fn count_reached<'u>(
        &self,
        uses: impl Iterator<Item = (usize, &'u VariableUse)>,
    ) -> Vec<usize> {
        let mut callers = vec![Vec::new(); self.leads.len()];
        for (caller, leads) in self.leads.iter().enumerate() {
            for callee in leads {
                callers[*callee].push(caller);
            }
        }
        let mut numbers = HashMap::new();
        let mut open = Vec::new();
        for (node, used) in uses {
            let number = numbers.len();
            open.push((node, *numbers.entry(used).or_insert(number)));
        }
        let mut reached: Vec<Vec<usize>> = vec![Vec::new(); self.leads.len()];
        while let Some((node, number)) = open.pop() {
            if reached[node].len() < 2 && !reached[node].contains(&number) {
                reached[node].push(number);
                open.extend(callers[node].iter().map(|caller| (*caller, number)));
            }
        }
        reached.iter().map(Vec::len).collect()
    }
}

/// The functions whose addresses are in an initial value. ptxas does not count those in a table that
/// the value refers to.
pub(super) fn addressed(variable: &Variable) -> impl Iterator<Item = usize> {
    variable.addresses.iter().filter_map(|address| match address.meaning {
        Meaning::Function(index) => Some(index),
        Meaning::Variable(_) | Meaning::Unknown => None,
    })
}
