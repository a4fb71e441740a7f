//! Hazards that items are allowed.

use std::collections::{BTreeMap, BTreeSet};

/// The hazards that the items of a module are allowed.
#[derive(Clone, Debug, Default)]
pub struct Allowances {
    /// The codes, by the names of the items in Rust.
    by_item: BTreeMap<String, BTreeSet<String>>,
}

impl Allowances {
    /// Allows an item a hazard; whether it was not allowed before.
    pub fn add(&mut self, item: &str, code: &str) -> bool {
        self.by_item.entry(item.to_owned()).or_default().insert(code.to_owned())
    }

    /// The codes that an item is allowed, if there are any.
    pub(super) fn of(&self, item: &str) -> Option<impl Iterator<Item = &str>> {
        self.by_item.get(item).map(|codes| codes.iter().map(String::as_str))
    }
}
