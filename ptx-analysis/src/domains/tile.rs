//! A tile that an instruction copies, and its tensor map.

use alloc::vec::Vec;

use ptx_isa::ir::body::Amount;

use crate::flow::place::Place;
use crate::values::claim::Condition;
use crate::values::location::Located;
use crate::values::number::Sum;

/// A tile copy, as far as the locations of the tile and of its map are known.
#[derive(Debug)]
pub(crate) struct CopiedTile<'a> {
    /// The index of the operand that is the tile.
    pub(crate) operand: usize,
    /// The location of the tile.
    pub(crate) tile: Located<'a>,
    /// The location of the map.
    pub(crate) map: Located<'a>,
    /// The halo in pixels.
    pub(crate) halo: Amount,
    /// The coordinate along the innermost dimension, if it is known.
    pub(crate) first: Option<Sum>,
    /// The place of the tile operand.
    pub(crate) place: Place,
    /// The place of that coordinate.
    pub(crate) value: Option<Place>,
    /// The conditions on constants under which control reaches the copy.
    pub(crate) conditions: Vec<Condition>,
}
