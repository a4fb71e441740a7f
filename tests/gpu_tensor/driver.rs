//! The driver's encode calls.

use std::ffi::c_void;

use cudarc::driver::sys;
use ptx_types::tensor::{Descriptor, Spec, Tensor};

/// A descriptor for the driver to write.
#[repr(C, align(128))]
struct Bytes([u8; 128]);

/// The descriptor that the driver encodes.
pub(crate) fn encode(spec: &Spec, tensor: &Tensor) -> Result<Descriptor, sys::CUresult> {
    let mut bytes = Bytes([0; 128]);
    let map = (&raw mut bytes).cast::<sys::CUtensorMap>();
    let address = tensor.address as *mut c_void;
    let (dims, strides) = (tensor.dims.as_ptr(), tensor.strides.as_ptr());
    let element_strides = spec.element_strides.as_ptr();
    // SAFETY: these are values of the driver's enums, which are `repr(u32)`.
    let (element, interleave, swizzle, promotion, fill) = unsafe {
        (
            std::mem::transmute::<u32, sys::CUtensorMapDataType>(spec.element.driver()),
            std::mem::transmute::<u32, sys::CUtensorMapInterleave>(spec.interleave.driver()),
            std::mem::transmute::<u32, sys::CUtensorMapSwizzle>(
                spec.swizzle.driver().expect("a swizzle of the driver's"),
            ),
            std::mem::transmute::<u32, sys::CUtensorMapL2promotion>(spec.l2_promotion.driver()),
            std::mem::transmute::<u32, sys::CUtensorMapFloatOOBfill>(spec.oob_fill.driver()),
        )
    };
    let result = match spec.mode.box_dims() {
        // SAFETY: the arrays are long enough for the largest rank.
        Some(box_dims) => unsafe {
            sys::cuTensorMapEncodeTiled(
                map,
                element,
                spec.rank,
                address,
                dims,
                strides,
                box_dims.as_ptr(),
                element_strides,
                interleave,
                swizzle,
                promotion,
                fill,
            )
        },
        None => {
            let (lower, upper) = spec.mode.corners();
            // SAFETY: as above.
            unsafe {
                sys::cuTensorMapEncodeIm2col(
                    map,
                    element,
                    spec.rank,
                    address,
                    dims,
                    strides,
                    lower.as_ptr(),
                    upper.as_ptr(),
                    spec.mode.inner(),
                    spec.mode.pixels_per_column().unwrap_or_default(),
                    element_strides,
                    interleave,
                    swizzle,
                    promotion,
                    fill,
                )
            }
        }
    };
    if result == sys::CUresult::CUDA_SUCCESS {
        Ok(Descriptor::from_bytes(bytes.0))
    } else {
        Err(result)
    }
}
