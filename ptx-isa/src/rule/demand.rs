//! The alignment that accesses need of a declaration, as messages summarise it.

use super::language::Language;
use crate::text::Text;

/// The alignment that one access needs of its declaration, beyond what the declaration guarantees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The alignment in bytes.
    pub align: usize,
    /// Whether it accesses elements of a type, and could access fewer at a time.
    pub is_typed: bool,
}

impl Demand {
    /// The alignment in bytes that the copy of a tile needs, whatever its swizzle; nothing else that instructions access
    /// needs as much.
    pub const TILE: usize = 128;
}

/// The alignment that the accesses to one declaration need, beyond what the declaration guarantees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demands {
    /// The number of accesses.
    pub count: usize,
    /// The greatest alignment in bytes that any of them needs.
    pub most: usize,
    /// The least alignment in bytes that any of them needs.
    pub least: usize,
    /// Whether all of them access elements of a type.
    pub are_typed: bool,
    /// The line of the first one, from 1; 0 if it is unknown.
    pub line: u32,
}

impl Demands {
    /// No accesses.
    pub const NONE: Self = Self { count: 0, most: 0, least: usize::MAX, are_typed: true, line: 0 };

    /// Adds this many accesses, the first of them on this line.
    pub const fn with(self, demand: Demand, times: usize, line: u32) -> Self {
        Self {
            count: self.count + times,
            most: if demand.align > self.most { demand.align } else { self.most },
            least: if demand.align < self.least { demand.align } else { self.least },
            are_typed: self.are_typed && demand.is_typed,
            line: if self.count == 0 || line < self.line { line } else { self.line },
        }
    }
}

/// Appends the demands as a message states them: "12 accesses need 16, the first on line 31".
pub(super) const fn push_demands(text: &mut Text<1024>, demands: Demands) {
    if demands.count == 1 {
        text.push_str("the access");
        if demands.line > 0 {
            text.push_str(" on line ");
            text.push_int(demands.line as i128, false);
        }
        text.push_str(" needs ");
    } else {
        text.push_int(demands.count as i128, true);
        text.push_str(" accesses need ");
        if demands.least < demands.most {
            text.push_str("up to ");
        }
    }
    text.push_int(demands.most as i128, true);
    if demands.count > 1 && demands.line > 0 {
        text.push_str(", the first on line ");
        text.push_int(demands.line as i128, false);
    }
}

/// Appends how to satisfy the demands: "align it to 16 bytes, or access fewer bytes at a time". A tile may need a
/// greater alignment than its copy does, for its swizzle; if the map is not known, the advice covers that as well.
pub(super) const fn push_fix(text: &mut Text<1024>, demands: Demands, language: Language) {
    let is_tile = demands.most >= Demand::TILE;
    if is_tile && matches!(language, Language::Rust) {
        text.push_str("declare it `Tile<M>`, or ");
    }
    text.push_str("align it to ");
    text.push_int(demands.most as i128, true);
    text.push_str(" bytes");
    if demands.most == Demand::TILE {
        text.push_str(", or to 1,024 for a swizzled tile");
    } else if !is_tile && demands.are_typed {
        text.push_str(", or access fewer bytes at a time");
    }
}
