//! Tensor maps that own their buffers.

use core::fmt;
use core::marker::PhantomData;

use cudarc::driver::{
    CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtr as _, DevicePtrMut as _,
};
use ptx_types::tensor::{Descriptor, MapType};

use super::bound::{BoundMap, Encoded, Loads, MapBuilder, Over, Stores, stores};
use super::encode::EncodeError;

/// A buffer together with its map of `M`, to keep in a struct. The descriptor is encoded once.
///
/// For a launch, [`loads`](Self::loads) or [`stores`](Self::stores) makes a [`BoundMap`] of it, without the driver:
///
/// ```no_run
/// use ptx::cuda::OwnedMap;
/// use ptx::prelude::*;
///
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
/// struct Model {
///     weights: OwnedMap<A>,
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let context = ptx::cuda::context(0)?;
/// # let stream = context.default_stream();
/// # let tiles = ptx::cuda::load::<tiles::Loaded>(&context)?;
/// let buffer = stream.alloc_zeros::<f32>(64 * 32)?;
/// let weights = OwnedMap::new(buffer, &stream, |map| map.dims([64, 32]));
/// let model = Model { weights: weights.map_err(|(error, _)| error)? };
/// unsafe { tiles.load().grid(8).launch(&stream, (&model.weights.loads(&stream),))? };
/// # Ok(())
/// # }
/// ```
pub struct OwnedMap<M: MapType> {
    buffer: CudaSlice<M::Element>,
    encoded: Encoded,
    of: PhantomData<fn() -> M>,
}

impl<M: MapType> OwnedMap<M> {
    /// The map of this buffer, with the dimensions that the function sets.
    ///
    /// # Errors
    /// Those of [`MapBuilder::encode`], with the buffer. The tensor must leave room for stores: whole chunks of 16 bytes at the end.
    pub fn new(
        mut buffer: CudaSlice<M::Element>,
        stream: &CudaStream,
        set: impl for<'a> FnOnce(MapBuilder<'a, M, Stores>) -> MapBuilder<'a, M, Stores>,
    ) -> Result<Self, (EncodeError, CudaSlice<M::Element>)> {
        let (address, available) = {
            let available = buffer.num_bytes();
            (buffer.device_ptr_mut(stream).0, available)
        };
        // The function may return a builder over something else, of which this has the dimensions.
        let map = set(M::over_mut(&mut buffer, stream)).moved_to(address, available);
        let encoded = map.encode().map(|map| map.encoded());
        match encoded {
            Ok(encoded) => Ok(Self { buffer, encoded, of: PhantomData }),
            Err(error) => Err((error, buffer)),
        }
    }

    /// The map for work on this stream that loads. A map whose mode or element type is only for stores does not
    /// compile.
    pub fn loads<'a>(&'a self, stream: &'a CudaStream) -> BoundMap<'a, M, Loads> {
        const { assert!(!stores(&M::SPEC), "this map is for stores: use `stores`") }
        let (_, access) = self.buffer.device_ptr(stream);
        BoundMap::of(self.encoded.clone(), stream, access)
    }

    /// The map for work on this stream that may store.
    pub fn stores<'a>(&'a mut self, stream: &'a CudaStream) -> BoundMap<'a, M, Stores> {
        let (_, access) = self.buffer.device_ptr_mut(stream);
        BoundMap::of(self.encoded.clone(), stream, access)
    }

    /// The descriptor.
    pub const fn descriptor(&self) -> &Descriptor {
        self.encoded.descriptor()
    }

    /// The buffer.
    pub fn buffer(&self) -> CudaView<'_, M::Element> {
        self.buffer.as_view()
    }

    /// The buffer, to copy into it or to write it in another launch.
    pub fn buffer_mut(&mut self) -> CudaViewMut<'_, M::Element> {
        self.buffer.as_view_mut()
    }

    /// The buffer, without the map.
    pub fn into_buffer(self) -> CudaSlice<M::Element> {
        self.buffer
    }
}

impl<M: MapType> fmt::Debug for OwnedMap<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedMap").field("len", &self.buffer.len()).finish_non_exhaustive()
    }
}
