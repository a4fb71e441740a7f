//! Something for each family of names, found by the names of members.

use alloc::collections::{BTreeMap, BTreeSet};

use ptx_types::ir::family::member_number;

/// Something for each of many families, by their names.
#[derive(Debug)]
pub(crate) struct Families<'a, T> {
    of: BTreeMap<&'a str, T>,
    /// How long their names are.
    lengths: BTreeSet<usize>,
}

impl<T> Default for Families<'_, T> {
    fn default() -> Self {
        Self { of: BTreeMap::new(), lengths: BTreeSet::new() }
    }
}

impl<'a, T: Default> Families<'a, T> {
    /// What there is for a family, which is made if there is nothing.
    pub(crate) fn of(&mut self, family: &'a str) -> &mut T {
        self.lengths.insert(family.len());
        self.of.entry(family).or_default()
    }

    /// What there is for each family that could have a member by this name, with its number there.
    pub(crate) fn with_member(&self, name: &str) -> impl Iterator<Item = (&T, usize)> {
        // A family's own name may end in digits, too: `r1` is the second of `r`, `r12` the third of `r1`.
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        self.lengths.range(name.len() - digits..name.len()).filter_map(move |length| {
            let family = &name[..*length];
            Some((self.of.get(family)?, member_number(name, family)?))
        })
    }
}
