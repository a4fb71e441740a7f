//! A tile that an instruction copies, and its map.

use alloc::vec::Vec;

use ptx_types::ir::body::Amount;

use crate::claim::Condition;
use crate::location::Located;
use crate::number::Sum;
use crate::place::Place;

/// A copy of a tile, as far as it is known where it is and where its map is.
#[derive(Debug)]
pub(crate) struct CopiedTile<'a> {
    /// The number of the operand that is the tile.
    pub(crate) operand: usize,
    /// Where the tile is.
    pub(crate) tile: Located<'a>,
    /// Where the map is.
    pub(crate) map: Located<'a>,
    /// The halo in pixels.
    pub(crate) halo: Amount,
    /// The coordinate along the innermost dimension, where it is known.
    pub(crate) first: Option<Sum>,
    /// Where the tile stands in the body.
    pub(crate) place: Place,
    /// Where that coordinate stands.
    pub(crate) value: Option<Place>,
    /// What constants have to be for control to get there.
    pub(crate) conditions: Vec<Condition>,
}
