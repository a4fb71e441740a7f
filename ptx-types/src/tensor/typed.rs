//! Tensor maps as types: the map, its tile in shared memory, and the barrier that a copy completes.

#![allow(unsafe_code, reason = "it makes the promises of unsafe traits")]

use core::fmt;
use core::marker::PhantomData;

use bytemuck::{Pod, Zeroable};
use typenum::{U64, U128, Unsigned};

use super::descriptor::{Descriptor, encode_unchecked};
use ptx_isa::__private::require_tensor;

use crate::Generic;
use crate::ScalarType;
use crate::Target;
use crate::ir::{Extent, Field, Struct, StructKind, Type};
use crate::tensor::{Spec, Tensor};
use crate::types::aligned::Alignment;
use crate::types::pointer::Ptr;
use crate::types::value::PtxType;

/// A type that stands for a tensor map (PTX ISA 5.5), as `#[tensor_map(..)]` declares it.
///
/// Generic code can require properties of a map with bounds:
///
/// ```
/// use ptx_types::tensor::MapType;
/// use typenum::{U2, U128};
///
/// /// Bytes of four stages of a matrix's tiles, each at its swizzle's boundary.
/// const fn stages<M: MapType<Rank = U2, SwizzleSpan = U128>>() -> usize {
///     4 * M::STRIDE
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor map",
    label = "not a tensor map",
    note = "declare one: `#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)] pub struct A;`"
)]
///
/// # Safety
/// `Storage` has as many bytes as [`Spec::tile_stride`], without padding, and `Align` is
/// [`Spec::tile_alignment`].
pub unsafe trait MapType: 'static {
    /// The declaration.
    const SPEC: Spec;
    /// The name of the type.
    const NAME: &'static str;
    /// The codes of the rules that the declaration may break: `allow(M013)`.
    const ALLOWED: &'static [&'static str];
    /// The bytes of a tile in shared memory.
    const BYTES: usize = Self::SPEC.tile_bytes();
    /// The bytes from one tile to the next in an array.
    const STRIDE: usize = Self::SPEC.tile_stride();
    /// The bytes by which a copy of one tile completes the transaction of its barrier.
    const TRANSACTION_BYTES: usize = Self::SPEC.transaction_bytes();
    /// The host type of an element: `bf16`; bytes for elements smaller than one.
    type Element: PtxType;
    /// The number of dimensions: `U1` to `U5`.
    type Rank: Unsigned;
    /// The bytes within which the swizzle moves chunks: `U0` without one.
    type SwizzleSpan: Unsigned;
    /// The alignment of a tile in shared memory, in bytes.
    type Align: Alignment;
    /// The alignment of the tensor's first byte in global memory, in bytes.
    type BaseAlign: Unsigned + 'static;
    /// A type as large as the distance between tiles in an array.
    #[doc(hidden)]
    type Storage: Copy + Send + Sync + 'static;

    /// The offset of the byte that would be at this offset of the tile without the swizzle.
    fn swizzle(offset: usize) -> usize {
        Self::SPEC.swizzle(offset)
    }
}

/// The alignment of a [`TensorMap`]: `U64`, or `U128`, which the headers of newer drivers require.
#[diagnostic::on_unimplemented(
    message = "a tensor map is aligned to 64 or 128 bytes",
    label = "not one of these",
    note = "write `U64` or `U128`"
)]
pub trait MapAlign: Alignment {}

#[diagnostic::do_not_recommend]
impl MapAlign for U64 {}
#[diagnostic::do_not_recommend]
impl MapAlign for U128 {}

/// A tensor map: 128 bytes that `cp.async.bulk.tensor` reads (PTX ISA 5.5.8). As a parameter of a
/// kernel it is `.param .align 64 .b8 name[128]`.
#[repr(C)]
pub struct TensorMap<M, A: MapAlign = U64> {
    align: [A::Marker; 0],
    bytes: [u8; 128],
    of: PhantomData<fn() -> M>,
}

impl<M: MapType, A: MapAlign> TensorMap<M, A> {
    /// The map with the bytes of a descriptor, which must have been encoded for this declaration:
    /// this is not checked.
    pub const fn from_descriptor(descriptor: &Descriptor) -> Self {
        Self { align: [], bytes: *descriptor.as_bytes(), of: PhantomData }
    }

    /// The bytes of the descriptor.
    pub const fn descriptor(&self) -> Descriptor {
        Descriptor::from_bytes(self.bytes)
    }

    /// A static map over a variable in global memory, as its initial value:
    /// `TensorMap::over(generic(BUFFER), [1024, 512], [2048])` with the extents in elements, the
    /// innermost first, and the strides in bytes, that of dimension 1 first. It needs no call to
    /// encode it and no parameter to pass it (PTX ISA 5.4.4, 5.5.8).
    ///
    /// Its layout is the one that was observed on `sm_90` with driver API 13.0: see
    /// [`encode`](super::encode()).
    ///
    /// # Panics
    /// If a rule of tensor maps is broken; in constants, that is an error at the caller.
    #[track_caller]
    pub const fn over<const RANK: usize, const STRIDES: usize>(
        buffer: Ptr<Generic, M::Element, M::BaseAlign>,
        dims: [u64; RANK],
        strides: [u64; STRIDES],
    ) -> Self {
        assert!(
            RANK == M::SPEC.rank as usize && STRIDES + 1 == RANK,
            "a tensor has one extent for each dimension of its map, and one stride fewer"
        );
        let mut tensor = Tensor::UNIT;
        let mut i = 0;
        while i < RANK {
            tensor.dims[i] = dims[i];
            if i < STRIDES {
                tensor.strides[i] = strides[i];
            }
            i += 1;
        }
        require_tensor(&M::SPEC, &tensor, Some(Target::Sm90a), M::ALLOWED);
        let Some(descriptor) = encode_unchecked(&M::SPEC, &tensor) else {
            panic!(
                "no layout was observed for descriptors of these elements or this swizzle; let the driver encode the map, and pass it as a parameter"
            )
        };
        Self::from_descriptor(&descriptor.with_address(buffer.address()))
    }
}

impl<M: MapType, A: MapAlign> Clone for TensorMap<M, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MapType, A: MapAlign> Copy for TensorMap<M, A> {}

impl<M: MapType, A: MapAlign> PartialEq for TensorMap<M, A> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<M: MapType, A: MapAlign> Eq for TensorMap<M, A> {}

impl<M: MapType, A: MapAlign> fmt::Debug for TensorMap<M, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TensorMap<{}> {{ {} }}", M::NAME, super::describe(&self.bytes))
    }
}

// SAFETY: 128 bytes without padding: the alignment divides 128.
unsafe impl<M: MapType, A: MapAlign> PtxType for TensorMap<M, A> {
    const TYPE: &'static Type<'static> = &Type::Struct(Struct {
        name: M::NAME,
        size: size_of::<Self>(),
        align: align_of::<Self>(),
        fields: &[Field {
            name: "descriptor",
            offset: 0,
            ty: &Type::Array(Extent::Known(128), &Type::Scalar(ScalarType::B8)),
            pointer: None,
        }],
        kind: StructKind::TensorMap(&M::SPEC),
    });
}

/// The tile of a map in shared memory: the box as a copy lays it out (PTX ISA 5.5.3, 5.5.7),
/// aligned so that the swizzle's pattern starts with it, in arrays and structs too.
///
/// Its size is the map's `STRIDE`; the map's `BYTES` are the ones that the tile covers, and its
/// `TRANSACTION_BYTES` the ones that a copy completes on its barrier. The three may differ.
#[repr(C)]
pub struct Tile<M: MapType> {
    align: [<M::Align as Alignment>::Marker; 0],
    bytes: M::Storage,
}

impl<M: MapType> Clone for Tile<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MapType> Copy for Tile<M> {}

impl<M: MapType> fmt::Debug for Tile<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tile<{}>", M::NAME)
    }
}

// SAFETY: bytes without padding: `Storage` is a multiple of the alignment, as `MapType` promises.
unsafe impl<M: MapType> PtxType for Tile<M> {
    const TYPE: &'static Type<'static> = {
        assert!(
            size_of::<Self>() == M::SPEC.tile_stride()
                && size_of::<M::Storage>() == M::SPEC.tile_stride()
                && align_of::<Self>() == M::SPEC.tile_alignment()
        );
        &Type::Struct(Struct {
            name: M::NAME,
            size: size_of::<Self>(),
            align: align_of::<Self>(),
            fields: &[Field {
                name: "tile",
                offset: 0,
                ty: &Type::Array(
                    Extent::Known(size_of::<M::Storage>()),
                    &Type::Scalar(ScalarType::B8),
                ),
                pointer: None,
            }],
            kind: StructKind::Tile(&M::SPEC),
        })
    };
}

/// A barrier that counts arrivals and bytes: 8 bytes that only the `mbarrier` instructions may
/// access (PTX ISA 9.7.13, `mbarrier`). In PTX it is a `.b64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Mbarrier(u64);

impl Mbarrier {
    /// A value for its bytes before `mbarrier.init`; it has no meaning.
    pub const UNINITIALISED: Self = Self(0);
}

// SAFETY: a transparent `u64`, for which all zeros is a valid value.
unsafe impl Zeroable for Mbarrier {}

// SAFETY: a transparent `u64`, for which every bit pattern is a valid value.
unsafe impl Pod for Mbarrier {}

// SAFETY: 8 bytes without padding.
unsafe impl PtxType for Mbarrier {
    const TYPE: &'static Type<'static> = &Type::Struct(Struct::MBARRIER);
}
