//! What the crate has with the feature `types`, beside what [`types`](crate::types) has.

pub use crate::address::{Code, Holds};
pub use crate::float::values::types::*;
pub use crate::float::{Cvt, Dense, Padded, Rounding, SmallFloat};
pub use crate::halves::types::*;
pub use crate::handle::{DeviceFunction, Kernel, Variable};
pub use crate::packed::*;
pub use crate::tensor::{MapType, Mbarrier, TensorMap, Tile};
pub use crate::texture::{SamplerRef, SurfRef, TexRef};

/// What expanded code needs of it.
pub mod private {
    /// What the prelude names of these.
    pub mod packed_types {
        pub use crate::halves::types::*;
        pub use crate::packed::types::*;
    }
    /// What the prelude names of these.
    pub mod small_floats {
        pub use crate::float::values::types::*;
    }
    pub use crate::address::{
        Numbered, aligned, byte, count_links, linked, locate_links, masked, placeholder,
        placeholder_byte,
    };
    pub use crate::halves::half;
    pub use crate::rules::deferred::*;
    pub use crate::tensor::deferred::*;
    pub use crate::types::value::{ByAddress, ByValue, Typed};
    pub use typenum;
}
