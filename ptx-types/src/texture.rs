//! Textures, samplers and surfaces as Rust values: the references of PTX ISA 5.3.

#![allow(
    unsafe_code,
    reason = "it makes the promises of unsafe traits, and reads a value as what it is transparent to"
)]

use core::fmt;

use crate::ir::Type;
use crate::types::value::{PtxType, Typed};
use crate::{
    AddressMode, Assignment, ChannelOrder, ChannelType, FilterMode, Member, MemberValue, Opaque,
};

/// The number of members plus one, so that a duplicate is recorded.
const MOST: usize = 16;

/// The members that an initial value of an opaque type assigns, in order.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
struct Assignments {
    list: [Assignment; MOST],
    len: usize,
}

impl Assignments {
    const NONE: Self = Self {
        list: [Assignment { member: Member::Width, value: MemberValue::Int(0) }; MOST],
        len: 0,
    };

    const fn as_slice(&self) -> &[Assignment] {
        self.list.split_at(self.len).0
    }

    const fn with(mut self, member: Member, value: MemberValue) -> Self {
        if self.len < MOST {
            self.list[self.len] = Assignment { member, value };
            self.len += 1;
        }
        self
    }
}

/// The members that a value of one of the three types below assigns.
pub(crate) const fn assignments_of<T>(typed: Typed<T>, value: &T) -> &[Assignment] {
    assert!(typed.ty.opaque().is_some() && size_of::<T>() == size_of::<Assignments>());
    // SAFETY: the only opaque types with a `PtxType` are those below, all transparent wrappers.
    unsafe { &*core::ptr::from_ref(value).cast::<Assignments>() }.as_slice()
}

macro_rules! references {
    ($($(#[$doc:meta])* $Ref:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// Only `#[global]` variables and kernel parameters can have this type. The methods assign
        /// members; rule O002 checks that the type has them in the module's texture mode.
        #[derive(Clone, Copy, PartialEq, Eq)]
        #[repr(transparent)]
        pub struct $Ref(Assignments);

        impl $Ref {
            /// A reference with no member assigned.
            pub const fn new() -> Self {
                Self(Assignments::NONE)
            }

            /// The members assigned, in order.
            pub const fn assignments(&self) -> &[Assignment] {
                self.0.as_slice()
            }

            /// `width`: elements in the first dimension.
            pub const fn width(self, elements: u32) -> Self {
                Self(self.0.with(Member::Width, MemberValue::Int(elements as i128)))
            }

            /// `height`: elements in the second dimension.
            pub const fn height(self, elements: u32) -> Self {
                Self(self.0.with(Member::Height, MemberValue::Int(elements as i128)))
            }

            /// `depth`: elements in the third dimension.
            pub const fn depth(self, elements: u32) -> Self {
                Self(self.0.with(Member::Depth, MemberValue::Int(elements as i128)))
            }

            /// `channel_data_type`: a value of table 12.
            pub const fn channel_data_type(self, ty: ChannelType) -> Self {
                Self(self.0.with(Member::ChannelDataType, MemberValue::Int(ty.value() as i128)))
            }

            /// `channel_order`: a value of table 13.
            pub const fn channel_order(self, order: ChannelOrder) -> Self {
                Self(self.0.with(Member::ChannelOrder, MemberValue::Int(order.value() as i128)))
            }

            /// `normalized_coords`: whether coordinates range from 0.0 to 1.0.
            pub const fn normalized_coords(self, yes: bool) -> Self {
                Self(self.0.with(Member::NormalizedCoords, MemberValue::Int(yes as i128)))
            }

            /// `force_unnormalized_coords`: whether the sampler overrides that.
            pub const fn force_unnormalized_coords(self, yes: bool) -> Self {
                Self(self.0.with(Member::ForceUnnormalizedCoords, MemberValue::Int(yes as i128)))
            }

            /// `filter_mode`: how values between elements are computed.
            pub const fn filter_mode(self, mode: FilterMode) -> Self {
                Self(self.0.with(Member::FilterMode, MemberValue::Filter(mode)))
            }

            /// `addr_mode_0`: the addressing outside the texture in the first dimension.
            pub const fn addr_mode_0(self, mode: AddressMode) -> Self {
                Self(self.0.with(Member::AddrMode0, MemberValue::Address(mode)))
            }

            /// `addr_mode_1`: the addressing outside the texture in the second dimension.
            pub const fn addr_mode_1(self, mode: AddressMode) -> Self {
                Self(self.0.with(Member::AddrMode1, MemberValue::Address(mode)))
            }

            /// `addr_mode_2`: the addressing outside the texture in the third dimension.
            pub const fn addr_mode_2(self, mode: AddressMode) -> Self {
                Self(self.0.with(Member::AddrMode2, MemberValue::Address(mode)))
            }

            /// `array_size`: the number of textures or surfaces in an array.
            pub const fn array_size(self, count: u32) -> Self {
                Self(self.0.with(Member::ArraySize, MemberValue::Int(count as i128)))
            }

            /// `num_mipmap_levels`: the number of levels of a mipmapped texture.
            pub const fn num_mipmap_levels(self, count: u32) -> Self {
                Self(self.0.with(Member::NumMipmapLevels, MemberValue::Int(count as i128)))
            }

            /// `num_samples`: the number of samples of a multi-sample texture.
            pub const fn num_samples(self, count: u32) -> Self {
                Self(self.0.with(Member::NumSamples, MemberValue::Int(count as i128)))
            }

            /// `memory_layout`: whether the layout is linear.
            pub const fn memory_layout(self, linear: bool) -> Self {
                Self(self.0.with(Member::MemoryLayout, MemberValue::Int(linear as i128)))
            }
        }

        impl Default for $Ref {
            fn default() -> Self {
                Self::new()
            }
        }

        impl fmt::Debug for $Ref {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($Ref))?;
                f.debug_map()
                    .entries(self.assignments().iter().map(|each| (each.member, each.value)))
                    .finish()
            }
        }

        // SAFETY: the bytes of opaque types are never read: their `TYPE` has no size, and
        // a declaration takes the assignments, of which this is a transparent wrapper.
        unsafe impl PtxType for $Ref {
            const TYPE: &'static Type<'static> = &Type::Opaque(Opaque::$Ref);
        }
    )*};
}

references! {
    /// A texture, `.texref`, which includes its sampler in unified mode (PTX ISA 5.3).
    TexRef;
    /// A sampler, `.samplerref`; independent mode only (PTX ISA 5.3).
    SamplerRef;
    /// A surface, `.surfref` (PTX ISA 5.3).
    SurfRef;
}
