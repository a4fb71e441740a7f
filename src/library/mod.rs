//! [Fragments](macro@crate::fragment) that many kernels need: `use ptx::lib::warp;`, and in a body
//! `warp::sum::<f32> %sum, %x;`.
//!
//! Each is the instructions that one would write by hand, and its page says how many. `.T` is the suffix of the type
//! in angle brackets. All lanes of a warp execute a fragment of [`warp`], and all threads of a block one of [`block`].
//!
//! ```
//! use ptx::prelude::*;
//!
//! #[ptx::module(target = sm_80)]
//! mod norm {
//!     use super::*;
//!     use ptx::lib::block;
//!
//!     #[shared]
//!     static SUMS: [f32; 4];
//!
//!     #[kernel(reqntid = 128)]
//!     pub fn sum(src: Ptr<Global, f32>, dst: Ptr<Global, f32>) {
//!         ptx! {
//!             let %i: u32;
//!             let %x: f32;
//!             let %from, %to: Ptr<Global, f32>;
//!             mov.u32         %i, %tid.x;
//!             lea.global.u64  %from, src[%i];
//!             ld.global.f32   %x, [%from];
//!             block::sum::<f32, 4> %x, %x, SUMS;
//!             lea.global.u64  %to, dst[0];
//!             st.global.f32   [%to], %x;
//!             ret;
//!         }
//!     }
//! }
//!
//! # fn main() {
//! assert!(norm::MODULE.check().is_empty());
//! # }
//! ```

pub mod address;
pub mod block;
pub mod cluster;
pub mod copy;
pub mod float;
pub mod matrix;
pub mod mbarrier;
pub mod ring;
pub mod softmax;
pub mod tile;
pub mod warp;
