//! Tensor maps that borrow their buffers.

use core::fmt;
use core::marker::PhantomData;

use super::calls::current_target;
use super::encode::{EncodeError, OutOfBuffer, encode};
use super::nodes::GraphNumber;
use super::overlap::Written;
use cudarc::driver::{
    CudaEvent, CudaStream, DevicePtr, DevicePtrMut, DeviceRepr, LaunchArgs, PushKernelArg,
    SyncOnDrop,
};
use ptx_types::tensor::{Descriptor, Direction, MapType, Mode, Spec, Tensor, Verdict, describe};

/// The map only loads: its buffer is borrowed shared.
#[derive(Clone, Copy, Debug)]
pub enum Loads {}

/// The map may store: its buffer is borrowed exclusively.
#[derive(Clone, Copy, Debug)]
pub enum Stores {}

/// Maps of a declared type over buffers.
///
/// ```no_run
/// use ptx::prelude::*;
///
/// /// Tiles of 16 x 8 floats.
/// #[tensor_map(element = f32, box = [16, 8])]
/// pub struct A;
///
/// #[ptx::module(target = sm_90a)]
/// pub mod tiles {
///     use super::*;
///
///     #[kernel(reqntid = 32)]
///     pub fn load(a: TensorMap<A>) {
///         ptx! { ret; }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let context = ptx::cuda::context(0)?;
/// let stream = context.default_stream();
/// let tiles = ptx::cuda::load::<tiles::Loaded>(&context)?;
/// let matrix = stream.alloc_zeros::<f32>(64 * 32)?;
/// let map = A::over(&matrix, &stream).dims([64, 32]).encode()?;
/// unsafe { tiles.load().grid(8).launch(&stream, (&map,))? };
/// # Ok(())
/// # }
/// ```
///
/// The buffer outlives the map, and holds elements of its type:
///
/// ```compile_fail,E0505
/// # use cudarc::driver::{CudaSlice, CudaStream};
/// # use ptx::cuda::Over as _;
/// # use ptx::prelude::*;
/// # #[tensor_map(element = f32, box = [16])]
/// # struct A;
/// # fn f(buffer: CudaSlice<f32>, stream: &CudaStream) {
/// let map = A::over(&buffer, stream).dims([16]).encode();
/// drop(buffer);
/// drop(map);
/// # }
/// ```
///
/// ```compile_fail,E0277
/// # use cudarc::driver::{CudaSlice, CudaStream};
/// # use ptx::cuda::Over as _;
/// # use ptx::prelude::*;
/// # #[tensor_map(element = f32, box = [16])]
/// # struct A;
/// # fn f(buffer: CudaSlice<u32>, stream: &CudaStream) {
/// let map = A::over(&buffer, stream).dims([16]).encode();
/// # }
/// ```
pub trait Over: MapType + Sized {
    /// A map that loads from this buffer, in work on this stream.
    ///
    /// The stream waits for earlier writes to the buffer, as it does when cudarc
    /// is given the buffer itself.
    fn over<'a, B: DevicePtr<Self::Element>>(
        buffer: &'a B,
        stream: &'a CudaStream,
    ) -> MapBuilder<'a, Self, Loads> {
        let available = buffer.num_bytes();
        let (address, access) = buffer.device_ptr(stream);
        MapBuilder::new(address, available, access, stream, GraphNumber::NONE)
    }

    /// A map that may also store into this buffer, in work on this stream.
    fn over_mut<'a, B: DevicePtrMut<Self::Element>>(
        buffer: &'a mut B,
        stream: &'a CudaStream,
    ) -> MapBuilder<'a, Self, Stores> {
        let available = buffer.num_bytes();
        let (address, access) = buffer.device_ptr_mut(stream);
        MapBuilder::new(address, available, access, stream, GraphNumber::NONE)
    }
}

impl<M: MapType> Over for M {}

/// A map over a buffer that is still being configured.
#[must_use]
pub struct MapBuilder<'a, M: MapType, A = Loads> {
    address: u64,
    available: usize,
    access: SyncOnDrop<'a>,
    stream: &'a CudaStream,
    /// The graph that the buffer is bound to.
    graph: GraphNumber,
    dims: Extents,
    strides: Option<Extents>,
    /// The first stride that no map has, in elements.
    wrong_stride: Option<isize>,
    tolerates_forbidden: bool,
    of: PhantomData<fn() -> (M, A)>,
}

/// A number for each dimension, up to the maximum rank of a tensor.
#[derive(Clone, Copy, Default)]
struct Extents {
    numbers: [u64; 5],
    /// How many were given, which may be too many.
    given: usize,
}

impl Extents {
    fn of(given: &[u64]) -> Self {
        let mut numbers = [0; 5];
        for (number, given) in numbers.iter_mut().zip(given) {
            *number = *given;
        }
        Self { numbers, given: given.len() }
    }

    fn known(&self) -> &[u64] {
        self.numbers.get(..self.given).unwrap_or(&self.numbers)
    }
}

impl<'a, M: MapType, A: Access> MapBuilder<'a, M, A> {
    pub(super) fn new(
        address: u64,
        available: usize,
        access: SyncOnDrop<'a>,
        stream: &'a CudaStream,
        graph: GraphNumber,
    ) -> Self {
        Self {
            address,
            available,
            access,
            stream,
            graph,
            dims: Extents::default(),
            strides: None,
            wrong_stride: None,
            tolerates_forbidden: false,
            of: PhantomData,
        }
    }

    /// The same map over so many bytes from this address, which are bound to no graph.
    pub(super) fn moved_to(mut self, address: u64, available: usize) -> Self {
        (self.address, self.available, self.graph) = (address, available, GraphNumber::NONE);
        self
    }

    /// The elements along each dimension, the innermost first: as many as the map's rank, an array or a slice of
    /// `u64`, `[64, 32]`.
    pub fn dims(mut self, dims: impl AsRef<[u64]>) -> Self {
        self.dims = Extents::of(dims.as_ref());
        self
    }

    /// The bytes from one element to the next along each dimension but the innermost: one number less than
    /// the rank. Without them, the tensor's rows are contiguous.
    pub fn strides(mut self, strides: impl AsRef<[u64]>) -> Self {
        self.strides = Some(Extents::of(strides.as_ref()));
        self.wrong_stride = None;
        self
    }

    /// Sets dimensions and strides from those of an array, the outermost first, strides in elements: what
    /// `shape()` and `strides()` of a view of the crate `ndarray` return.
    ///
    /// ```no_run
    /// # use cudarc::driver::{CudaSlice, CudaStream};
    /// # use ptx::cuda::{EncodeError, Over as _};
    /// # use ptx::prelude::*;
    /// # #[tensor_map(element = f32, box = [16, 8])]
    /// # struct A;
    /// # fn f(buffer: &CudaSlice<f32>, stream: &CudaStream) -> Result<(), EncodeError> {
    /// // 32 rows of 64 elements, the rows 128 elements apart.
    /// let map = A::over(buffer, stream).array(&[32, 64], &[128, 1]).encode()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The innermost elements are contiguous, and no stride is negative; otherwise [`encode`](Self::encode) is an
    /// `Err`.
    pub fn array(mut self, shape: &[usize], strides: &[isize]) -> Self {
        let mut dims = Extents { given: shape.len(), ..Extents::default() };
        for (dim, extent) in dims.numbers.iter_mut().zip(shape.iter().rev()) {
            *dim = *extent as u64;
        }
        let mut steps = Extents { given: strides.len().saturating_sub(1), ..Extents::default() };
        let bits = u64::from(M::SPEC.element.bits());
        let mut inner = strides.iter().rev();
        // The stride of a single element is not used.
        let is_single = shape.last().is_some_and(|dim| *dim <= 1);
        self.wrong_stride = inner.next().copied().filter(|stride| *stride != 1 && !is_single);
        for (step, stride) in steps.numbers.iter_mut().zip(inner) {
            let bits = u64::try_from(*stride).ok().and_then(|stride| stride.checked_mul(bits));
            match bits {
                Some(bits) if bits.is_multiple_of(8) => *step = bits / 8,
                Some(_) | None => self.wrong_stride = self.wrong_stride.or(Some(*stride)),
            }
        }
        self.dims = dims;
        self.strides = Some(steps);
        self
    }

    /// Submits the map to the driver even if a document forbids it, beyond what the declaration
    /// allows.
    pub fn tolerate_forbidden(mut self) -> Self {
        self.tolerates_forbidden = true;
        self
    }

    /// Encodes the map with the driver.
    ///
    /// The tensor has to lie within the buffer: with an interleave, dimension 0 counts slices of 16 or 32
    /// bytes; a store writes whole chunks of 16 bytes at the end of a row, which count too.
    ///
    /// # Errors
    /// If the numbers of dimensions or the sizes of elements differ; if the tensor does not lie within
    /// the buffer; if a document forbids the map, for the GPU of the current context, or the driver
    /// refuses it: with every rule that it breaks.
    pub fn encode(self) -> Result<BoundMap<'a, M, A>, EncodeError> {
        self.stream.context().bind_to_thread()?;
        let spec = &M::SPEC;
        if !A::CAN_STORE && stores(spec) {
            return Err(EncodeError::Stores(spec.mode.name()));
        }
        let (expected, got) = (spec.element.bits().div_ceil(8) as usize, size_of::<M::Element>());
        if expected != got {
            return Err(EncodeError::ElementSize { element: spec.element.name(), expected, got });
        }
        if let Some(stride) = self.wrong_stride {
            return Err(EncodeError::Stride { stride });
        }
        let tensor = self.tensor(spec)?;
        let available = self.available as u64;
        let needed = match (A::CAN_STORE, spec.extent_bytes(&tensor)) {
            // A store writes whole chunks of 16 bytes at the end of a row.
            (true, extent) => extent.checked_next_multiple_of(16).unwrap_or(u64::MAX),
            (false, extent) => extent,
        };
        if needed > available {
            return Err(OutOfBuffer { needed, available }.into());
        }
        let verdict = spec.check_tensor(&tensor, current_target());
        // A map that the driver refuses too is submitted all the same, so that the error has the driver's answer.
        let is_allowed =
            verdict.manual().all(|violation| M::ALLOWED.contains(&violation.rule.code));
        if !self.tolerates_forbidden && verdict.is_accepted() && !is_allowed {
            return Err(EncodeError::Forbidden { verdict });
        }
        let param = Param(encode(spec, &tensor)?);
        let (access, stream, graph) = (self.access, self.stream, self.graph);
        // With gaps between the rows, another map may be over these.
        let is_dense = tensor == spec.dense(tensor.address, tensor.dims);
        let written = if is_dense {
            Written::bytes(tensor.address, spec.extent_bytes(&tensor))
        } else {
            Written::NOTHING
        };
        let encoded = Encoded { param, verdict, tensor, written };
        Ok(BoundMap { encoded, stream, graph, access, of: PhantomData })
    }

    fn tensor(&self, spec: &Spec) -> Result<Tensor, EncodeError> {
        let rank = spec.rank as usize;
        let wrong = |what, got, less| EncodeError::Dimensions { what, got, rank, less };
        let mut dims = [1; 5];
        let some = self.dims.known();
        match dims.get_mut(..self.dims.given) {
            Some(dims) if self.dims.given == rank => dims.copy_from_slice(some),
            Some(_) | None => return Err(wrong("dims", self.dims.given, 0)),
        }
        let mut tensor = spec.dense(self.address, dims);
        let Some(strides) = self.strides else { return Ok(tensor) };
        match tensor.strides.get_mut(..strides.given) {
            Some(some) if strides.given + 1 == rank => some.copy_from_slice(strides.known()),
            Some(_) | None => return Err(wrong("strides", strides.given, 1)),
        }
        Ok(tensor)
    }
}

impl<M: MapType, A> fmt::Debug for MapBuilder<'_, M, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapBuilder")
            .field("spec", &M::SPEC)
            .field("address", &self.address)
            .field("available", &self.available)
            .field("dims", &self.dims.known())
            .field("strides", &self.strides.as_ref().map(Extents::known))
            .finish_non_exhaustive()
    }
}

/// Whether the mode and the element type can be used to store.
pub(super) const fn stores(spec: &Spec) -> bool {
    matches!(spec.mode, Mode::Scatter4 { .. })
        || matches!(spec.element.direction(), Direction::Store)
}

/// A descriptor as a kernel's parameter.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Param(Descriptor);

// SAFETY: 128 bytes without padding and without host pointers.
unsafe impl DeviceRepr for Param {}

/// A descriptor, and what is known of it.
#[derive(Clone)]
pub(super) struct Encoded {
    param: Param,
    verdict: Verdict,
    tensor: Tensor,
    written: Written,
}

impl Encoded {
    pub(super) const fn descriptor(&self) -> &Descriptor {
        &self.param.0
    }
}

/// A map that borrows its buffer: shared to [load](Loads), exclusively to [store](Stores).
///
/// As an argument of a [`Launch`](super::Launch), `&map`, it passes the 128 bytes of the descriptor; cudarc's launches
/// take it the same way, `launch.arg(&map)`. Drop it after the launches that use it: other
/// streams then wait for them before they use the buffer.
pub struct BoundMap<'a, M: MapType, A = Loads> {
    encoded: Encoded,
    stream: &'a CudaStream,
    graph: GraphNumber,
    access: SyncOnDrop<'a>,
    of: PhantomData<fn() -> (M, A)>,
}

impl<'a, M: MapType, A> BoundMap<'a, M, A> {
    /// The map of a descriptor that was encoded for this buffer before.
    pub(super) const fn of(
        encoded: Encoded,
        stream: &'a CudaStream,
        access: SyncOnDrop<'a>,
    ) -> Self {
        Self { encoded, stream, graph: GraphNumber::NONE, access, of: PhantomData }
    }

    pub(super) fn encoded(&self) -> Encoded {
        self.encoded.clone()
    }

    /// The descriptor.
    pub const fn descriptor(&self) -> &Descriptor {
        self.encoded.descriptor()
    }

    /// Every rule that the map breaks: none, unless something forbidden was
    /// [tolerated](MapBuilder::tolerate_forbidden).
    pub const fn verdict(&self) -> &Verdict {
        &self.encoded.verdict
    }

    /// The stream that the map was made for.
    pub(super) const fn stream(&self) -> &CudaStream {
        self.stream
    }

    /// The graph that the buffer is bound to.
    pub(super) const fn graph(&self) -> GraphNumber {
        self.graph
    }

    /// The event that the buffer waits for before it is used elsewhere or freed, if the context keeps events; it is
    /// recorded when the map is dropped.
    pub(super) fn event(&self) -> Option<&CudaEvent> {
        match &self.access {
            SyncOnDrop::Record(Some((event, stream)))
                if stream.context().is_managing_stream_synchronization() =>
            {
                Some(event)
            }
            SyncOnDrop::Record(_) | SyncOnDrop::Sync(_) => None,
        }
    }

    /// The bytes that a kernel may write through the map, as far as its tensor has no gaps.
    pub(super) const fn written(&self) -> Written {
        self.encoded.written
    }

    /// The tensor that the map describes.
    pub const fn tensor(&self) -> &Tensor {
        &self.encoded.tensor
    }
}

impl<M: MapType, A> fmt::Debug for BoundMap<'_, M, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BoundMap {{ {} }}", describe(self.descriptor().as_bytes()))
    }
}

// SAFETY: the argument is the parameter, 128 bytes for the device, which the launch borrows.
unsafe impl<'a, 'b: 'a, M: MapType, A> PushKernelArg<&'b BoundMap<'_, M, A>> for LaunchArgs<'a> {
    fn arg(&mut self, map: &'b BoundMap<'_, M, A>) -> &mut Self {
        self.arg(&map.encoded.param)
    }
}

/// How a map accesses its buffer.
pub trait Access: sealed::Sealed {
    /// Whether it may store.
    const CAN_STORE: bool;
}

impl Access for Loads {
    const CAN_STORE: bool = false;
}

impl Access for Stores {
    const CAN_STORE: bool = true;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Loads {}
    impl Sealed for super::Stores {}
}
