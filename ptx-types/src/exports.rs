//! The crate's exports, apart from those of [`types`](crate::types).

pub use crate::address::{Code, Holds};
pub use crate::halves::types::*;
pub use crate::handle::{DeviceFunction, Kernel, Variable};
pub use crate::tensor::{MapType, Mbarrier, TensorMap, Tile};
pub use crate::texture::{SamplerRef, SurfRef, TexRef};
pub use ptx_float::__private::{packed_types::*, small_floats::*};
pub use ptx_float::{Cvt, Dense, Pack, Packed, Padded, Rounding, SmallFloat};
