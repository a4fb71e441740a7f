//! A module of which every rule was asked.

use ptx_types::rules::alignment::Demands;

use super::body::CheckedBody;
use super::unused::AllUnused;
use crate::ast::{Item, Module};
use crate::body::Body;

/// A module of which every rule was asked, as far as tokens tell.
pub struct Checked<'a> {
    /// The module.
    pub module: Module,
    /// The bodies of its items, in order.
    pub bodies: Vec<Option<CheckedBody<'a>>>,
    /// What accesses demand of variables, as far as tokens tell it, where rustc knows of more.
    pub demanded: Vec<(usize, Demands)>,
    /// Whether a function returns several values, for which ptxas gives up the common way of calling.
    pub several_returns: bool,
    /// What nothing uses; nothing is said of it where something is wrong.
    pub unused: AllUnused,
}

impl<'a> Checked<'a> {
    /// The body of an item, as it was read and as it was analysed.
    pub fn body(&self, item: usize) -> Option<(&Body, &CheckedBody<'a>)> {
        let Item::Function(function) = self.module.items.get(item)? else { return None };
        Some((function.body.as_ref()?, self.bodies.get(item)?.as_ref()?))
    }
}
