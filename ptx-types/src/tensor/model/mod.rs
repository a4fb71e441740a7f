//! A model of `cp.async.bulk.tensor` on the CPU (PTX ISA 5.5.3 to 5.5.7).
//!
//! [`load`] copies from global to shared memory, [`store`] and [`reduce`] copy back. Global memory
//! is a slice of bytes that starts with the tensor's first element, and shared memory one that
//! starts with the tile, at a given shared address, because swizzles permute addresses.
//!
//! The model was compared with one `sm_90` GPU, byte for byte; `docs/tensor-maps.md` has the
//! findings. The modes that need a newer GPU follow the manual only: `tile::gather4`,
//! `tile::scatter4`, `im2col::w`, `im2col::w::128`, elements smaller than a byte, and the swizzles
//! of 96 bytes and of atoms larger than 16 bytes.
//!
//! ```
//! use ptx_types::tensor::model::{Operands, load};
//! use ptx_types::tensor::{ElementType, Spec, Tensor};
//!
//! // A box of 16 x 2 bytes from a matrix of 32 x 4; half of the second row is outside.
//! let spec = Spec::tiled_unchecked(ElementType::U8, 2, [16, 2, 0, 0, 0]);
//! let tensor = Tensor::dense(0, ElementType::U8, [32, 4, 1, 1, 1]);
//! let matrix: Vec<u8> = (0..128).collect();
//! let mut tile = [0xff; 32];
//! let loaded = load(&spec, &tensor, &Operands::new(&[16, 3]), &matrix, &mut tile, 0x400)?;
//! assert_eq!(loaded.transaction_bytes(), 32);
//! assert_eq!(tile[..16], matrix[112..128]);
//! assert_eq!(tile[16..], [0; 16]);
//! # Ok::<(), ptx_types::tensor::model::CopyError>(())
//! ```

mod check;
mod error;
mod load;
mod reduce;
mod reduction;
mod shared;
mod store;
mod values;
mod walk;

pub use check::Operands;
pub use error::{Access, CopyError};
pub use load::{Loaded, load};
pub use reduce::reduce;
pub use reduction::Reduction;
pub use store::store;

/// A number of bytes as a `usize`; saturates on a 32-bit host.
fn size(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
