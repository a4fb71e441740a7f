//! The crate's exports, apart from those of [`types`](crate::types).

pub use crate::address::{Code, Holds};
pub use crate::float::values::types::*;
pub use crate::float::{Cvt, Dense, Padded, Rounding, SmallFloat};
pub use crate::halves::types::*;
pub use crate::handle::{DeviceFunction, Kernel, Variable};
pub use crate::packed::*;
pub use crate::tensor::{MapType, Mbarrier, TensorMap, Tile};
pub use crate::texture::{SamplerRef, SurfRef, TexRef};
