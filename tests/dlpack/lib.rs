//! A library that Python loads, for `run.py`: it takes tensors from PyTorch and gives it some, by DLPack.

#![allow(unsafe_code, reason = "it is called from Python")]
#![allow(clippy::doc_markdown, reason = "PyTorch is a name")]
#![allow(missing_docs, reason = "it is a test")]

use std::error::Error;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::OnceLock;

use cudarc::driver::sys::CUstream;
use ptx::cuda::dlpack::{
    DLElement, DLManagedTensor, DLManagedTensorVersioned, Managed, export, import, import_strided,
};
use ptx::cuda::{BorrowedStream, Checked, borrow_stream, context, load};
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod scale {
    use super::*;

    #[kernel(
        reqntid = 128,
        requires(data.len() >= n),
        grid = n.div_ceil(128),
        unsafe(safe_launch)
    )]
    pub fn scale(data: Ptr<Global, f32>, factor: f32, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %block, %n;
            .reg .b64 %at;
            .reg .f32 %x, %factor;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 128, %i;
            ld.param.u32 %n, [n];
            setp.ge.u32 %p, %i, %n;
            @%p ret;
            ld.param.u64 %at, [data];
            mad.wide.u32 %at, %i, 4, %at;
            ld.global.f32 %x, [%at];
            ld.param.f32 %factor, [factor];
            mul.f32 %x, %x, %factor;
            st.global.f32 [%at], %x;
            ret;
        }
    }
}

/// PyTorch's stream with this handle; the test uses a single one.
fn stream(raw: *mut c_void) -> Result<&'static BorrowedStream, Box<dyn Error>> {
    struct Shared(BorrowedStream);
    static STREAM: OnceLock<Shared> = OnceLock::new();
    if STREAM.get().is_none() {
        let context = context(0)?;
        // SAFETY: PyTorch keeps its streams until the process ends.
        let stream = unsafe { borrow_stream(&context, raw as CUstream)? };
        let _ = STREAM.set(Shared(stream));
    }
    Ok(&STREAM.get().ok_or("no stream")?.0)
}

fn scaled<M: Managed + 'static>(
    tensor: *mut c_void,
    raw: *mut c_void,
    factor: f32,
) -> Result<(), Box<dyn Error>> {
    let stream = stream(raw)?;
    let tensor = NonNull::new(tensor.cast::<M>()).ok_or("no tensor")?;
    // SAFETY: Python gives a tensor that nobody else has taken, of the stream's.
    let mut tensor = unsafe { import::<f32, M>(tensor, stream)? };
    let scale = load::<scale::Loaded>(stream.context())?;
    let n = Checked(tensor.len());
    Ok(scale.scale().launch(stream, (&mut *tensor, factor, n))?)
}

fn len<T: DLElement, M: Managed + 'static>(
    tensor: *mut c_void,
    raw: *mut c_void,
) -> Result<i64, Box<dyn Error>> {
    let tensor = NonNull::new(tensor.cast::<M>()).ok_or("no tensor")?;
    // SAFETY: as above.
    let tensor = unsafe { import::<T, M>(tensor, stream(raw)?)? };
    Ok(i64::try_from(tensor.shape().iter().product::<usize>())?)
}

/// The sum of a tensor in any layout.
fn sum<M: Managed + 'static>(tensor: *mut c_void, raw: *mut c_void) -> Result<f64, Box<dyn Error>> {
    let stream = stream(raw)?;
    let tensor = NonNull::new(tensor.cast::<M>()).ok_or("no tensor")?;
    // SAFETY: as above; nothing writes to the gaps.
    let tensor = unsafe { import_strided::<f32, M>(tensor, stream)? };
    let values = stream.clone_dtoh(&*tensor)?;
    let mut places = vec![0_usize];
    for (dim, stride) in tensor.shape().iter().zip(tensor.strides()) {
        let stride = usize::try_from(*stride)?;
        places = places.iter().flat_map(|at| (0..*dim).map(move |n| at + n * stride)).collect();
    }
    Ok(places.iter().map(|at| f64::from(values[*at])).sum())
}

fn made<M: Managed>(raw: *mut c_void) -> Result<*mut c_void, Box<dyn Error>> {
    let context = context(0)?;
    let own = context.new_stream()?;
    let numbers: Vec<f32> = (0_u16..1000).map(f32::from).collect();
    let mut buffer = own.clone_htod(&numbers)?;
    // On a stream of ours, which PyTorch's waits for.
    let scale = load::<scale::Loaded>(&context)?;
    scale.scale().launch(&own, (&mut buffer, 2.0, 1000))?;
    let tensor: NonNull<M> =
        export(buffer, &[10, 100], stream(raw)?).map_err(|(error, _)| error)?;
    Ok(tensor.as_ptr().cast())
}

fn told<T>(outcome: Result<T, Box<dyn Error>>, otherwise: T) -> T {
    outcome.unwrap_or_else(|error| {
        println!("refused: {error}");
        otherwise
    })
}

/// Multiplies a tensor of `float32` in place; 0 if it was taken.
///
/// # Safety
/// The tensor is a `DLManagedTensor`, or versioned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_scale(
    tensor: *mut c_void,
    versioned: bool,
    stream: *mut c_void,
    factor: f32,
) -> i32 {
    let scaled =
        if versioned { scaled::<DLManagedTensorVersioned> } else { scaled::<DLManagedTensor> };
    told(scaled(tensor, stream, factor).map(|()| 0), 1)
}

/// The sum of a tensor of `float32` in any layout; NaN if it was not taken.
///
/// # Safety
/// The tensor is a `DLManagedTensor`, or versioned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_sum(tensor: *mut c_void, versioned: bool, stream: *mut c_void) -> f64 {
    let sum = if versioned { sum::<DLManagedTensorVersioned> } else { sum::<DLManagedTensor> };
    told(sum(tensor, stream), f64::NAN)
}

/// The elements of a tensor of the type with this number, -1 if it was not taken.
///
/// # Safety
/// The tensor is a `DLManagedTensor`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ptx_len(tensor: *mut c_void, number: i32, stream: *mut c_void) -> i64 {
    let len = match number {
        0 => len::<f32, DLManagedTensor>,
        1 => len::<f16, DLManagedTensor>,
        2 => len::<bf16, DLManagedTensor>,
        3 => len::<E4M3, DLManagedTensor>,
        4 => len::<E5M2, DLManagedTensor>,
        5 => len::<i64, DLManagedTensor>,
        _ => len::<u8, DLManagedTensor>,
    };
    told(len(tensor, stream), -1)
}

/// A tensor of 10 x 100 `float32`, the even numbers; null if it cannot be made.
#[unsafe(no_mangle)]
pub extern "C" fn ptx_made(versioned: bool, stream: *mut c_void) -> *mut c_void {
    let made = if versioned { made::<DLManagedTensorVersioned> } else { made::<DLManagedTensor> };
    told(made(stream), std::ptr::null_mut())
}
