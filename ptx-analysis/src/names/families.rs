//! A map from families of names, searched by the names of their members.

use ptx_isa::sorted::{SortedMap, SortedSet};

use ptx_isa::ir::family::member_number;

/// A map from families to values.
#[derive(Debug)]
pub(crate) struct Families<'a, T> {
    of: SortedMap<&'a str, T>,
    /// The lengths of the family names.
    lengths: SortedSet<usize>,
}

impl<T> Default for Families<'_, T> {
    fn default() -> Self {
        Self { of: SortedMap::new(), lengths: SortedSet::new() }
    }
}

impl<'a, T: Default> Families<'a, T> {
    /// Returns the value of a family, and inserts a default if it has none.
    pub(crate) fn of(&mut self, family: &'a str) -> &mut T {
        self.lengths.insert(family.len());
        self.of.entry(family).or_default()
    }

    /// Returns the name and the value of each family that could have a member of this name, with the member's index.
    pub(crate) fn with_member<'n>(
        &self,
        name: &'n str,
    ) -> impl Iterator<Item = (&'n str, &T, usize)> {
        // A family name may itself end in digits: `r1` is member 1 of `r`, and `r12` is member 2 of `r1`.
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        self.lengths.range(name.len() - digits..name.len()).filter_map(move |length| {
            let family = &name[..*length];
            Some((family, self.of.get(family)?, member_number(name, family)?))
        })
    }
}
