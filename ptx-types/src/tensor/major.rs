//! How a matrix lies in a tile.

/// Which dimension of a matrix lies along the rows of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Major {
    /// K, the dimension that the product sums over: the innermost of the tile.
    K,
    /// M or N: the matrix is the transpose of what a tile of K-major rows would be.
    Mn,
}
