//! The orientation of a matrix in a tile.

/// The dimension of a matrix that lies along the rows of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Major {
    /// K, the dimension that the product sums over: the innermost of the tile.
    K,
    /// M or N: the matrix is the transpose of the one that K-major rows would hold.
    Mn,
}
