//! Variables whose initial values refer back to themselves.

use ptx_analysis::Symbols;
use ptx_types::rules;

use crate::ast::{Item, Module};
use crate::errors::Errors;

/// Reports such variables.
pub(super) fn check_circles(module: &mut Module, symbols: &Symbols<'_>, errors: &mut Errors) {
    let leads = module.items.iter().map(|item| match item {
        Item::Variable(item) => {
            let addresses = item.addresses.iter();
            let found = addresses
                .filter_map(|address| symbols.variable(&address.symbol.to_string()))
                .map(|(symbol, _)| symbol.index);
            found.collect()
        }
        Item::Function(_) | Item::Rust(_) => Vec::new(),
    });
    let leads: Vec<Vec<usize>> = leads.collect();
    for i in on_circles(&leads) {
        let Item::Variable(item) = &mut module.items[i] else { continue };
        for violation in rules::check_circle(&item.name) {
            errors.on(&item.value, violation);
        }
        item.refused = true;
        module.refused = true;
    }
}

/// The nodes that lie on a cycle, in order: those of the nontrivial strongly connected components,
/// found by Kosaraju's algorithm without recursion, because a chain may be long.
fn on_circles(leads: &[Vec<usize>]) -> Vec<usize> {
    let mut finished = Vec::new();
    let mut is_seen = vec![false; leads.len()];
    for start in 0..leads.len() {
        let mut open = vec![(start, false)];
        while let Some((node, is_finished)) = open.pop() {
            if is_finished {
                finished.push(node);
            } else if !is_seen[node] {
                is_seen[node] = true;
                open.push((node, true));
                open.extend(leads[node].iter().map(|next| (*next, false)));
            }
        }
    }
    let mut back = vec![Vec::new(); leads.len()];
    for (node, leads) in leads.iter().enumerate() {
        for next in leads {
            back[*next].push(node);
        }
    }
    let mut is_left = vec![true; leads.len()];
    let mut found = Vec::new();
    for &start in finished.iter().rev() {
        let (mut component, mut open) = (Vec::new(), vec![start]);
        while let Some(node) = open.pop() {
            if std::mem::take(&mut is_left[node]) {
                component.push(node);
                open.extend(&back[node]);
            }
        }
        if component.len() > 1 || leads[start].contains(&start) {
            found.extend(component);
        }
    }
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use super::on_circles;

    #[test]
    fn nodes_on_cycles_are_those_that_reach_themselves() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % below
        };
        for _ in 0..500 {
            let count = 1 + random(9);
            let leads: Vec<Vec<usize>> =
                (0..count).map(|_| (0..random(3)).map(|_| random(count)).collect()).collect();
            let leads_back = |node: &usize| {
                let (mut seen, mut open) = (vec![false; count], leads[*node].clone());
                while let Some(next) = open.pop() {
                    if !std::mem::replace(&mut seen[next], true) {
                        open.extend(&leads[next]);
                    }
                }
                seen[*node]
            };
            let expected: Vec<usize> = (0..count).filter(leads_back).collect();
            assert_eq!(on_circles(&leads), expected, "{leads:?}");
        }
    }
}
