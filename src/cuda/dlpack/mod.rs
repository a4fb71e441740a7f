//! Tensors of other libraries by [DLPack](https://dmlc.github.io/dlpack/latest/), the structs in which PyTorch,
//! CuPy, JAX and others hand their memory to each other, without a copy.
//!
//! [`import`] borrows their memory as a [`BorrowedTensor`], which a launch takes as it takes a `CudaSlice`, [`import_readonly`] and
//! [`import_strided`] what is only read, the latter with gaps between the elements; [`export`] gives a
//! `CudaSlice` away, which lives until the other library drops its tensor.
//!
//! In Python, a tensor is handed over in a capsule, `x.__dlpack__()`. Its pointer, `PyCapsule_GetPointer(capsule,
//! name)`, is what is imported here: a [`DLManagedTensor`] if its name is `dltensor`, and a
//! [`DLManagedTensorVersioned`] if it is `dltensor_versioned`. Whoever takes the tensor renames the capsule to
//! `used_dltensor` or `used_dltensor_versioned`, so that it is taken once. `tests/dlpack` of the repository does all of
//! this with PyTorch.

#![allow(clippy::doc_markdown, reason = "PyTorch and CuPy are names")]

mod export;
mod import;
mod structs;

pub use export::{ExportError, export};
pub use import::{BorrowedTensor, ImportError, import, import_readonly, import_strided};
pub use structs::{
    DLDataType, DLDevice, DLElement, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion,
    DLTensor, Managed, VERSION,
};
