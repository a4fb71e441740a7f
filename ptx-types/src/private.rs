//! Items that expanded code needs.

/// The types that the prelude re-exports.
pub mod packed_types {
    pub use crate::halves::types::*;
    pub use ptx_float::__private::packed_types::*;
}
pub use crate::address::{
    Numbered, aligned, byte, count_links, linked, locate_links, masked, placeholder,
    placeholder_byte,
};
pub use crate::constant::*;
pub use crate::halves::half;
pub use crate::place::{Place, Places, elements, index, place, place_in, pointee, pointee_in};
pub use crate::types::padding::{gaps, zeros};
pub use crate::types::value::{ByAddress, ByValue, Typed};
pub use ptx_float::__private::small_floats;
pub use ptx_isa::__private::*;
pub use typenum;
