//! Hazards that are allowed in items.

use std::collections::{BTreeMap, BTreeSet};

/// The hazards that are allowed in the items of a module.
#[derive(Clone, Debug, Default)]
pub struct Allowances {
    /// The codes, by Rust name of the item.
    by_item: BTreeMap<String, BTreeSet<String>>,
}

impl Allowances {
    /// Allows a hazard in an item; returns whether it is new.
    pub fn add(&mut self, item: &str, code: &str) -> bool {
        self.by_item.entry(item.to_owned()).or_default().insert(code.to_owned())
    }

    /// The codes that are allowed in an item, if any.
    pub(super) fn of(&self, item: &str) -> Option<impl Iterator<Item = &str>> {
        self.by_item.get(item).map(|codes| codes.iter().map(String::as_str))
    }
}
