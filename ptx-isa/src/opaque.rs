//! Textures, samplers and surfaces: the opaque types (PTX ISA 5.3).

/// Declares the [`Opaque`] enum, one row for each type.
macro_rules! opaques {
    ($($(#[$doc:meta])* $Opaque:ident $name:literal;)*) => {
        /// An opaque type (PTX ISA 5.3).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Opaque {
            $($(#[$doc])* $Opaque,)*
        }

        impl Opaque {
            /// Every opaque type.
            pub const ALL: &'static [Self] = &[$(Self::$Opaque),*];

            /// PTX's name for the type, without a dot: `texref`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Opaque => $name,)* }
            }

            /// The type that a variable is declared with, dot included: `.texref`.
            pub const fn declared(self) -> &'static str {
                match self { $(Self::$Opaque => concat!(".", $name),)* }
            }

            /// The corresponding Rust type: `TexRef`.
            pub const fn rust_name(self) -> &'static str {
                match self { $(Self::$Opaque => stringify!($Opaque),)* }
            }

            /// The opaque type with this name, without a dot.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|opaque| opaque.name() == name)
            }

            /// The opaque type with this Rust type name.
            pub fn from_rust_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|opaque| opaque.rust_name() == name)
            }
        }
    };
}

opaques! {
    /// A texture, which includes its sampler in unified mode: `.texref`.
    TexRef "texref";
    /// A sampler; independent mode only: `.samplerref`.
    SamplerRef "samplerref";
    /// A surface: `.surfref`.
    SurfRef "surfref";
}

/// Whether a texture and its sampler are one handle or two (PTX ISA 5.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TextureMode {
    /// One `.texref` for both; the default.
    #[default]
    Unified,
    /// A `.texref` and a `.samplerref`: `.target sm_90, texmode_independent`.
    Independent,
}

/// Whether a member applies to a type in a mode, according to tables 10 and 11.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Applies {
    /// The tables list its values.
    Yes,
    /// The tables list it as "ignored".
    Ignored,
    /// The tables list it as "N/A".
    No,
}

/// The values that a member takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// A number of elements, textures, levels or samples.
    Count,
    /// 0 or 1.
    Flag,
    /// A value of table 12.
    ChannelType,
    /// A value of table 13.
    ChannelOrder,
    /// `nearest` or `linear`.
    Filter,
    /// `wrap`, `mirror`, `clamp_ogl`, `clamp_to_edge` or `clamp_to_border`.
    Address,
}

/// Declares the [`Member`] enum, one row for each member, with the columns of table 10 (unified:
/// `.texref`, `.surfref`) and of table 11 (independent: `.samplerref`, `.texref`, `.surfref`).
macro_rules! members {
    ($($(#[$doc:meta])* $Member:ident $name:literal $Domain:ident, unified: $ut:ident $us:ident, independent: $is:ident $it:ident $if:ident;)*) => {
        /// A named member of an opaque type (PTX ISA 5.3, tables 10 and 11).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Member {
            $($(#[$doc])* $Member,)*
        }

        impl Member {
            /// Every member, in the order of the tables.
            pub const ALL: &'static [Self] = &[$(Self::$Member),*];

            /// The name: `addr_mode_0`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Member => $name,)* }
            }

            /// The values that it takes.
            pub const fn domain(self) -> Domain {
                match self { $(Self::$Member => Domain::$Domain,)* }
            }

            /// Whether it applies to a type in a mode, according to the tables.
            pub const fn applies(self, opaque: Opaque, mode: TextureMode) -> Applies {
                match self {
                    $(Self::$Member => match (mode, opaque) {
                        (TextureMode::Unified, Opaque::TexRef) => Applies::$ut,
                        (TextureMode::Unified, Opaque::SurfRef) => Applies::$us,
                        // Unified mode has no samplers; another rule reports them.
                        (_, Opaque::SamplerRef) => Applies::$is,
                        (TextureMode::Independent, Opaque::TexRef) => Applies::$it,
                        (TextureMode::Independent, Opaque::SurfRef) => Applies::$if,
                    },)*
                }
            }
        }
    };
}

members! {
    /// Elements in the first dimension.
    Width "width" Count, unified: Yes Yes, independent: No Yes Yes;
    /// Elements in the second dimension.
    Height "height" Count, unified: Yes Yes, independent: No Yes Yes;
    /// Elements in the third dimension.
    Depth "depth" Count, unified: Yes Yes, independent: No Yes Yes;
    /// The type of a channel's data.
    ChannelDataType "channel_data_type" ChannelType, unified: Yes Yes, independent: No Yes Yes;
    /// The channels and their order.
    ChannelOrder "channel_order" ChannelOrder, unified: Yes Yes, independent: No Yes Yes;
    /// Whether coordinates range from 0.0 to 1.0.
    NormalizedCoords "normalized_coords" Flag, unified: Yes No, independent: No Yes No;
    /// Whether the sampler overrides that.
    ForceUnnormalizedCoords "force_unnormalized_coords" Flag, unified: No No, independent: Yes No No;
    /// How values between elements are computed.
    FilterMode "filter_mode" Filter, unified: Yes No, independent: Yes Ignored No;
    /// The addressing outside the texture in the first dimension.
    AddrMode0 "addr_mode_0" Address, unified: Yes No, independent: Yes No No;
    /// The addressing outside the texture in the second dimension.
    AddrMode1 "addr_mode_1" Address, unified: Yes No, independent: Yes No No;
    /// The addressing outside the texture in the third dimension.
    AddrMode2 "addr_mode_2" Address, unified: Yes No, independent: Yes No No;
    /// The number of textures or surfaces in an array.
    ArraySize "array_size" Count, unified: Yes Yes, independent: No Yes Yes;
    /// The number of levels of a mipmapped texture.
    NumMipmapLevels "num_mipmap_levels" Count, unified: Yes No, independent: No Yes No;
    /// The number of samples of a multi-sample texture.
    NumSamples "num_samples" Count, unified: Yes No, independent: No Yes No;
    /// 1 for a linear layout, 0 for another.
    MemoryLayout "memory_layout" Flag, unified: No Yes, independent: No No Yes;
}

/// Declares an enum of PTX keywords with their values.
macro_rules! words {
    ($(#[$doc:meta])* $Enum:ident: $($(#[$row:meta])* $Word:ident $ptx:literal $value:literal;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $Enum {
            $($(#[$row])* $Word,)*
        }

        impl $Enum {
            /// Every variant.
            pub const ALL: &'static [Self] = &[$(Self::$Word),*];

            /// The name in the specification.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Word => $ptx,)* }
            }

            /// The number that PTX uses for it.
            pub const fn value(self) -> u64 {
                match self { $(Self::$Word => $value,)* }
            }
        }
    };
}

words! {
    /// How values between elements are computed (PTX ISA 5.3.2).
    FilterMode:
    /// The value of the nearest element.
    Nearest "nearest" 0;
    /// Linear interpolation.
    Linear "linear" 1;
}

words! {
    /// The addressing outside a texture (PTX ISA 5.3.2).
    AddressMode:
    /// The texture repeats.
    Wrap "wrap" 0;
    /// The texture repeats mirrored.
    Mirror "mirror" 1;
    /// Clamped as in OpenGL, which blends with the border colour.
    ClampOgl "clamp_ogl" 2;
    /// The element at the edge repeats.
    ClampToEdge "clamp_to_edge" 3;
    /// The border colour.
    ClampToBorder "clamp_to_border" 4;
}

words! {
    /// The type of a channel's data: `OpenCL`'s enumeration (PTX ISA 5.3.3, table 12).
    ChannelType:
    /// `CL_SNORM_INT8`.
    SnormInt8 "CL_SNORM_INT8" 0x10D0;
    /// `CL_SNORM_INT16`.
    SnormInt16 "CL_SNORM_INT16" 0x10D1;
    /// `CL_UNORM_INT8`.
    UnormInt8 "CL_UNORM_INT8" 0x10D2;
    /// `CL_UNORM_INT16`.
    UnormInt16 "CL_UNORM_INT16" 0x10D3;
    /// `CL_UNORM_SHORT_565`.
    UnormShort565 "CL_UNORM_SHORT_565" 0x10D4;
    /// `CL_UNORM_SHORT_555`.
    UnormShort555 "CL_UNORM_SHORT_555" 0x10D5;
    /// `CL_UNORM_INT_101010`.
    UnormInt101010 "CL_UNORM_INT_101010" 0x10D6;
    /// `CL_SIGNED_INT8`.
    SignedInt8 "CL_SIGNED_INT8" 0x10D7;
    /// `CL_SIGNED_INT16`.
    SignedInt16 "CL_SIGNED_INT16" 0x10D8;
    /// `CL_SIGNED_INT32`.
    SignedInt32 "CL_SIGNED_INT32" 0x10D9;
    /// `CL_UNSIGNED_INT8`.
    UnsignedInt8 "CL_UNSIGNED_INT8" 0x10DA;
    /// `CL_UNSIGNED_INT16`.
    UnsignedInt16 "CL_UNSIGNED_INT16" 0x10DB;
    /// `CL_UNSIGNED_INT32`.
    UnsignedInt32 "CL_UNSIGNED_INT32" 0x10DC;
    /// `CL_HALF_FLOAT`.
    HalfFloat "CL_HALF_FLOAT" 0x10DD;
    /// `CL_FLOAT`.
    Float "CL_FLOAT" 0x10DE;
}

words! {
    /// The channels and their order: `OpenCL`'s enumeration (PTX ISA 5.3.3, table 13).
    ChannelOrder:
    /// `CL_R`.
    R "CL_R" 0x10B0;
    /// `CL_A`.
    A "CL_A" 0x10B1;
    /// `CL_RG`.
    Rg "CL_RG" 0x10B2;
    /// `CL_RA`.
    Ra "CL_RA" 0x10B3;
    /// `CL_RGB`.
    Rgb "CL_RGB" 0x10B4;
    /// `CL_RGBA`.
    Rgba "CL_RGBA" 0x10B5;
    /// `CL_BGRA`.
    Bgra "CL_BGRA" 0x10B6;
    /// `CL_ARGB`.
    Argb "CL_ARGB" 0x10B7;
    /// `CL_INTENSITY`.
    Intensity "CL_INTENSITY" 0x10B8;
    /// `CL_LUMINANCE`.
    Luminance "CL_LUMINANCE" 0x10B9;
}

/// The value of a member.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemberValue {
    /// A number.
    Int(i128),
    /// A filter mode, by its keyword.
    Filter(FilterMode),
    /// An address mode, by its keyword.
    Address(AddressMode),
}

/// A member and its value: `addr_mode_0 = wrap`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Assignment {
    /// The member.
    pub member: Member,
    /// The value.
    pub value: MemberValue,
}
