//! Encodes descriptors with the driver.

use core::fmt;

use ptx_types::count::Count;
use ptx_types::tensor::{Descriptor, MAX_RANK, Mode, Spec, Tensor, Verdict};
use thiserror::Error;

use super::calls::{self, Call, CallError};
use super::fault::{Fault, fault_of_current};
use super::fault_meaning::{code_of, fault_meaning};
use super::refusal::Refusal;

/// A tensor that does not lie within its buffer.
#[derive(Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "the tensor ends {needed} bytes after its first element, and the buffer has {available}; \
     `dims` or `strides` are too large"
)]
pub struct OutOfBuffer {
    /// The bytes from the tensor's first byte to its last.
    pub needed: u64,
    /// The size of the buffer in bytes.
    pub available: u64,
}

/// Why a map could not be encoded.
#[derive(Clone, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The call cannot be made.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The context of the stream cannot be used.
    #[error("the context of the stream cannot be used: {0}")]
    Context(cudarc::driver::DriverError),
    /// An earlier kernel has failed, and the context is lost.
    #[error(transparent)]
    Fault(Fault),
    /// The driver refuses the map.
    #[error("{refusal}{}", Explanation(.refusal, .verdict))]
    Refused {
        /// The driver's answer.
        #[source]
        refusal: Refusal,
        /// Every rule that the map breaks, as an explanation.
        verdict: Verdict,
    },
    /// The driver has no number for the swizzle, and was not called.
    #[error("the driver has no number for the swizzle `{swizzle}`:\n{verdict}")]
    NoNumber {
        /// The swizzle's name.
        swizzle: &'static str,
        /// Every rule that the map breaks.
        verdict: Verdict,
    },
    /// A document forbids the map, and the driver was not called.
    #[error("a document forbids the map:\n{verdict}")]
    Forbidden {
        /// Every rule that the map breaks.
        verdict: Verdict,
    },
    /// The tensor does not lie within its buffer.
    #[error(transparent)]
    OutOfBuffer(#[from] OutOfBuffer),
    /// A number of values does not match the map's rank.
    #[error("`{what}` has {}, but a map of rank {rank} takes {}", Count(*.got, "value"), .rank.saturating_sub(*.less))]
    Dimensions {
        /// `dims` or `strides`.
        what: &'static str,
        /// How many values there are.
        got: usize,
        /// The rank of the map.
        rank: usize,
        /// The difference between the rank and the expected number: 1 for strides.
        less: usize,
    },
    /// A stride of an array that no map has.
    #[error(
        "the array has a stride of {stride} elements; in a map, that of the innermost dimension is 1, and the others are \
         not negative and whole bytes"
    )]
    Stride {
        /// The stride in elements.
        stride: isize,
    },
    /// The buffer's elements have another size than the map's.
    #[error(
        "the buffer's elements take {got} bytes, but those of the map, `{element}`, take {expected}"
    )]
    ElementSize {
        /// The map's element type.
        element: &'static str,
        /// The bytes of one of its elements.
        expected: usize,
        /// The bytes of one of the buffer's elements.
        got: usize,
    },
    /// The map may store, but its buffer is only borrowed shared.
    #[error("`{0}` stores, but the buffer is borrowed for reading; use `over_mut`")]
    Stores(&'static str),
}

ptx_types::__debug_as_message!(OutOfBuffer, EncodeError);

impl From<cudarc::driver::DriverError> for EncodeError {
    fn from(error: cudarc::driver::DriverError) -> Self {
        fault_of_current(code_of(error)).map_or(Self::Context(error), Self::Fault)
    }
}

/// The rules that explain a refusal.
struct Explanation<'a>(&'a Refusal, &'a Verdict);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(refusal, verdict) = self;
        if !refusal.is_about_the_map() {
            return Ok(());
        }
        if verdict.is_accepted() {
            f.write_str(", and no known rule explains it")?;
        }
        if verdict.is_clean() { Ok(()) } else { write!(f, ":\n{verdict}") }
    }
}

/// The driver's answer for a map, and the verdict of the rules.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The descriptor that it wrote, or its refusal.
    pub descriptor: Result<Descriptor, Refusal>,
    /// Every rule that the map breaks, for the GPU of the current context. A map that the driver accepts may
    /// be [forbidden](Verdict::is_allowed) all the same.
    pub verdict: Verdict,
}

/// Returns the driver's descriptor or refusal and the rules' verdict, each independent of
/// the other.
///
/// # Errors
/// The driver cannot be called: the call is missing, or has no number for the swizzle.
pub fn ask(spec: &Spec, tensor: &Tensor) -> Result<Answer, EncodeError> {
    let descriptor = match call(spec, tensor) {
        Ok(descriptor) => Ok(descriptor),
        Err(Failure::Refused(refusal)) if fault_meaning(refusal.code).is_none() => Err(refusal),
        Err(failure) => return Err(failure.explain(spec, tensor)),
    };
    Ok(Answer { descriptor, verdict: spec.check_tensor(tensor, calls::current_target()) })
}

/// Encodes a descriptor with the driver.
///
/// A map that the driver accepts is encoded even if a document forbids it: [`ask`] returns both answers.
///
/// # Errors
/// The driver's refusal, with every rule that the map breaks; [`EncodeError::Forbidden`] if the tensor has more
/// dimensions than the map, which the driver could not see; or why the driver cannot be called.
pub fn encode(spec: &Spec, tensor: &Tensor) -> Result<Descriptor, EncodeError> {
    if spec.rank > 0 && tensor.rank() > spec.rank {
        let verdict = spec.check_tensor(tensor, calls::current_target());
        return Err(EncodeError::Forbidden { verdict });
    }
    call(spec, tensor).map_err(|failure| failure.explain(spec, tensor))
}

/// Replaces the address in a descriptor with the driver.
///
/// The driver checks at most the alignment of the address: the alignment that the map's element type and
/// interleave need beyond that is not in the descriptor.
///
/// # Errors
/// The driver's refusal, or why it cannot be called.
pub fn replace_address(descriptor: &Descriptor, address: u64) -> Result<Descriptor, EncodeError> {
    let replace = calls::replace()?;
    let mut replaced = *descriptor;
    // SAFETY: it writes within the 128 bytes, which are aligned, and does not dereference the address.
    let code = unsafe { replace(&raw mut replaced, to_pointer(address)) };
    match Refusal::of(Call::ReplaceAddress, code) {
        Ok(()) => Ok(replaced),
        Err(refusal) => Err(fault_of_current(refusal.code).map_or(
            EncodeError::Refused { refusal, verdict: Verdict::default() },
            EncodeError::Fault,
        )),
    }
}

/// Why a call failed, before the rules are checked.
enum Failure {
    Call(CallError),
    NoNumber,
    Refused(Refusal),
}

impl Failure {
    fn explain(self, spec: &Spec, tensor: &Tensor) -> EncodeError {
        let verdict = || spec.check_tensor(tensor, calls::current_target());
        match self {
            Self::Call(error) => EncodeError::Call(error),
            Self::NoNumber => {
                EncodeError::NoNumber { swizzle: spec.swizzle.name(), verdict: verdict() }
            }
            Self::Refused(refusal) => match fault_of_current(refusal.code) {
                Some(fault) => EncodeError::Fault(fault),
                None => EncodeError::Refused { refusal, verdict: verdict() },
            },
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::Call(error)
    }
}

/// The rank passed to the driver in place of a larger one: it is invalid too, and the arrays are this
/// long.
const NO_RANK: u32 = 6;

/// An array of [`NO_RANK`] elements, for calls that read as many as the rank before they refuse it.
fn padded<T: Copy, const N: usize>(values: [T; N], padding: T) -> [T; NO_RANK as usize] {
    const { assert!(N <= NO_RANK as usize && MAX_RANK < NO_RANK as usize) }
    let mut array = [padding; NO_RANK as usize];
    array[..N].copy_from_slice(&values);
    array
}

/// A device address as a pointer; the driver takes it as a number.
fn to_pointer(address: u64) -> *mut core::ffi::c_void {
    // A 32-bit host has no addresses this large.
    core::ptr::without_provenance_mut(usize::try_from(address).unwrap_or(usize::MAX))
}

fn call(spec: &Spec, tensor: &Tensor) -> Result<Descriptor, Failure> {
    let swizzle = spec.swizzle.driver().ok_or(Failure::NoNumber)?;
    let mut descriptor = Descriptor::from_bytes([0; 128]);
    let map = &raw mut descriptor;
    let (element, rank) = (spec.element.driver(), spec.rank.min(NO_RANK));
    let address = to_pointer(tensor.address);
    let (dims, strides) = (padded(tensor.dims, 1), padded(tensor.strides, 0));
    let (dims, strides) = (dims.as_ptr(), strides.as_ptr());
    let element_strides = padded(spec.element_strides, 1);
    let element_strides = element_strides.as_ptr();
    let interleave = spec.interleave.driver();
    let (promotion, fill) = (spec.l2_promotion.driver(), spec.oob_fill.driver());
    let (call, code) = match spec.mode {
        Mode::Tiled { .. } | Mode::Gather4 { .. } | Mode::Scatter4 { .. } => {
            let tiled = calls::tiled()?;
            let extents = padded(spec.mode.box_dims().unwrap_or_default(), 1);
            // SAFETY: it reads as many values as the rank, which the arrays have, writes the
            // 128 bytes, which are aligned, and does not dereference the address.
            let code = unsafe {
                tiled(
                    map,
                    element,
                    rank,
                    address,
                    dims,
                    strides,
                    extents.as_ptr(),
                    element_strides,
                    interleave,
                    swizzle,
                    promotion,
                    fill,
                )
            };
            (Call::EncodeTiled, code)
        }
        Mode::Im2col { lower, upper, channels_per_pixel, pixels_per_column } => {
            let im2col = calls::im2col()?;
            let (lower, upper) = (padded(lower, 0), padded(upper, 0));
            // SAFETY: as above; it reads two corner values fewer than the rank.
            let code = unsafe {
                im2col(
                    map,
                    element,
                    rank,
                    address,
                    dims,
                    strides,
                    lower.as_ptr(),
                    upper.as_ptr(),
                    channels_per_pixel,
                    pixels_per_column,
                    element_strides,
                    interleave,
                    swizzle,
                    promotion,
                    fill,
                )
            };
            (Call::EncodeIm2col, code)
        }
        Mode::Im2colW { lower, upper, channels_per_pixel, pixels_per_column }
        | Mode::Im2colW128 { lower, upper, channels_per_pixel, pixels_per_column } => {
            let wide = calls::wide()?;
            let wide_mode = u32::from(matches!(spec.mode, Mode::Im2colW128 { .. }));
            // SAFETY: as above.
            let code = unsafe {
                wide(
                    map,
                    element,
                    rank,
                    address,
                    dims,
                    strides,
                    lower,
                    upper,
                    channels_per_pixel,
                    pixels_per_column,
                    element_strides,
                    interleave,
                    wide_mode,
                    swizzle,
                    promotion,
                    fill,
                )
            };
            (Call::EncodeIm2colWide, code)
        }
    };
    Refusal::of(call, code).map_err(Failure::Refused)?;
    Ok(descriptor)
}
