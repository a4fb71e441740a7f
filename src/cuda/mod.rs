//! The driver's side of tensor maps (feature `cuda`).
//!
//! [`encode`] has the driver make a descriptor and returns its refusal beside every rule that the
//! map breaks; [`verify_against_driver`] compares the encoder of [`tensor`](crate::tensor) with it;
//! [`Over`] makes a map of a declared type over a buffer of cudarc's, which it borrows.
//!
//! The driver's library is looked for when the first call is made. Where there is none, or one too
//! old for a call, an error says so: nothing here panics. Calls need a current context, which
//! cudarc's `CudaContext` makes of itself; they are work of the host alone.

mod bound;
mod calls;
mod encode;
mod verify;

pub use bound::{Access, BoundMap, Loads, MapBuilder, OutOfBuffer, Over, Stores};
pub use calls::{Call, CallError, current_target, driver_release};
pub use encode::{Answer, EncodeError, Refusal, ask, encode, replace_address};
pub use verify::{Mismatch, verify_against_driver};
