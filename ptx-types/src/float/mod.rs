//! Small floating-point formats (PTX ISA 5.2.3) on the host, bit for bit as the GPU produces and
//! reads them.
//!
//! ```
//! use ptx_types::{Cvt, E2M1, E4M3};
//!
//! const WEIGHTS: [E4M3; 3] = E4M3::from_f32_array([0.1, -2.0, 1000.0]);
//! assert_eq!(WEIGHTS[2], E4M3::MAX); // `cvt.rn.satfinite`, as PTX has it
//! assert_eq!(WEIGHTS[0].to_f32(), 0.1015625);
//!
//! let up = E2M1::from_f32_with(2.5, Cvt::RN.satfinite());
//! assert_eq!(up.to_string(), "2");
//! ```

pub(crate) mod format;
mod rows;
pub(crate) mod values;

pub use format::{Format, Specials};
pub use values::*;
