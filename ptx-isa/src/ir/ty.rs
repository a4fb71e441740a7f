//! Storage types and their layout.

use core::fmt;

use crate::const_ord::max;
use crate::map::Spec;
use crate::opaque::Opaque;
use crate::scalar::ScalarType;
use crate::space::Space;

/// The type of a variable or parameter, from the outside in: an array of vectors, a struct.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type<'a> {
    /// A scalar.
    Scalar(ScalarType),
    /// A vector of this many scalars; 2 and 4 are legal (PTX ISA 5.4.2).
    Vector(u8, ScalarType),
    /// A structure, flattened to aligned bytes (PTX ISA 5.1.6.4).
    Struct(Struct<'a>),
    /// An array (PTX ISA 5.4.3).
    Array(Extent, &'a Type<'a>),
    /// A type with at least this alignment in bytes (PTX ISA 5.4.5).
    Aligned(usize, &'a Type<'a>),
    /// A texture, sampler or surface (PTX ISA 5.3), which has no layout of its own.
    Opaque(Opaque),
    /// This many variables with numbered names (PTX ISA 5.4.6); only ever the outermost type.
    Family(Extent, &'a Type<'a>),
    /// A Rust type that the front end cannot look into; rustc settles it later.
    Unknown,
}

impl Type<'static> {
    /// A scalar type, as a reference.
    pub const fn of_scalar(scalar: ScalarType) -> &'static Self {
        const SCALARS: &[Type<'static>] = &{
            let mut all = [Type::Unknown; ScalarType::ALL.len()];
            let mut n = 0;
            while n < all.len() {
                all[ScalarType::ALL[n] as usize] = Type::Scalar(ScalarType::ALL[n]);
                n += 1;
            }
            all
        };
        &SCALARS[scalar as usize]
    }
}

/// The extent of one array dimension, in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// This many elements.
    Known(usize),
    /// No extent was written: `x[]`.
    Incomplete,
    /// A Rust constant that the front end cannot evaluate; rustc settles it later.
    Unknown,
}

impl Extent {
    /// The number of elements, if it is known.
    pub const fn known(self) -> Option<usize> {
        match self {
            Self::Known(count) => Some(count),
            Self::Incomplete | Self::Unknown => None,
        }
    }
}

/// A structure: a name, a layout in bytes, and its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Struct<'a> {
    /// The Rust name.
    pub name: &'a str,
    /// Size in bytes, a multiple of the alignment.
    pub size: usize,
    /// Alignment in bytes.
    pub align: usize,
    /// The fields in order of their offsets.
    pub fields: &'a [Field<'a>],
    /// The meaning of its bytes, for instructions that treat them as more than bytes.
    pub kind: StructKind<'a>,
}

impl Type<'_> {
    /// The names of the elements of a vector (PTX ISA 6.4.3).
    pub const LANES: [&'static str; 4] = ["x", "y", "z", "w"];
}

impl Struct<'static> {
    /// An `mbarrier` object, 8 bytes (PTX ISA 9.7.13, `mbarrier`).
    pub const MBARRIER: Self = Self {
        name: "Mbarrier",
        size: 8,
        align: 8,
        fields: &[Field {
            name: "state",
            offset: 0,
            ty: &Type::Scalar(ScalarType::B64),
            pointer: None,
        }],
        kind: StructKind::Mbarrier,
    };
}

/// The meaning of the bytes of a [`Struct`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructKind<'a> {
    /// The values of its fields.
    Fields,
    /// A tensor map (PTX ISA 5.5.8).
    TensorMap(&'a Spec),
    /// The tile that a tensor map copies, in shared memory (PTX ISA 5.5.3).
    Tile(&'a Spec),
    /// An `mbarrier` object (PTX ISA 9.7.13, `mbarrier`), written as a `.b64`.
    Mbarrier,
}

/// A field of a [`Struct`].
#[derive(Clone, Copy)]
pub struct Field<'a> {
    /// The field's name; a number for a tuple struct.
    pub name: &'a str,
    /// Offset in bytes from the start of the structure.
    pub offset: usize,
    /// The field's type.
    pub ty: &'a Type<'a>,
    /// What the field points to, if it is a pointer and this is known. It is a function because a
    /// struct may point to itself. It is not part of the layout, and two fields that differ only in
    /// it are equal.
    pub pointer: Option<fn() -> Pointer<'static>>,
}

/// The target of a pointer; for a kernel parameter its `.ptr` attribute (PTX ISA 5.1.6.3).
#[derive(Clone, Copy, Debug)]
pub struct Pointer<'a> {
    /// The space that it points into; `None` for a generic address.
    pub space: Option<Space>,
    /// The declared alignment of the pointee in bytes; `None` for its natural one.
    pub align: Option<usize>,
    /// The pointee.
    pub pointee: &'a Type<'a>,
}

impl Pointer<'_> {
    /// The alignment of the pointee in bytes; `None` where the type is unknown.
    pub const fn alignment(&self) -> Option<usize> {
        match self.align {
            Some(align) => Some(align),
            None => self.pointee.align(),
        }
    }
}

impl PartialEq for Field<'_> {
    fn eq(&self, other: &Self) -> bool {
        let Self { name, offset, ty, pointer: _ } = self;
        (*name, *offset, *ty) == (other.name, other.offset, other.ty)
    }
}

impl Eq for Field<'_> {}

impl fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, offset, ty, pointer: _ } = self;
        let mut field = f.debug_struct("Field");
        field.field("name", name).field("offset", offset).field("ty", ty).finish()
    }
}

impl Struct<'_> {
    /// The bytes of padding before field `n`, or at the end if `n` is past the last; 0 where a size
    /// is unknown.
    pub const fn gap_before(&self, n: usize) -> usize {
        let end = if n == 0 {
            0
        } else {
            let before = &self.fields[n - 1];
            match before.ty.size() {
                Some(size) => before.offset + size,
                None => return 0,
            }
        };
        let start = if n < self.fields.len() { self.fields[n].offset } else { self.size };
        start.saturating_sub(end)
    }
}

impl<'a> Type<'a> {
    /// Size in bytes, 0 for opaque types; `None` where a part is unknown or an extent is missing.
    /// Saturates at `usize::MAX`, which the rules always refuse.
    pub const fn size(&self) -> Option<usize> {
        match self {
            Self::Scalar(scalar) => Some(scalar.bytes()),
            Self::Vector(lanes, scalar) => Some(*lanes as usize * scalar.bytes()),
            Self::Struct(layout) => Some(layout.size),
            Self::Aligned(_, ty) => ty.size(),
            Self::Array(extent, element) | Self::Family(extent, element) => {
                match (*extent, element.size()) {
                    (Extent::Known(count), Some(size)) => Some(count.saturating_mul(size)),
                    (Extent::Known(_), None) | (Extent::Incomplete | Extent::Unknown, _) => None,
                }
            }
            // Their layout is hidden: ptxas counts them as no bytes.
            Self::Opaque(_) => Some(0),
            Self::Unknown => None,
        }
    }

    /// Natural alignment in bytes: a scalar's size, a vector's whole size, an array's element's.
    /// `None` where it is unknown. See PTX ISA 5.4.5.
    pub const fn align(&self) -> Option<usize> {
        match self {
            Self::Scalar(scalar) => Some(scalar.bytes()),
            Self::Vector(lanes, scalar) => Some(*lanes as usize * scalar.bytes()),
            Self::Struct(layout) => Some(layout.align),
            Self::Array(_, element) | Self::Family(_, element) => element.align(),
            Self::Aligned(align, ty) => match ty.align() {
                Some(natural) => Some(max(natural, *align)),
                None => None,
            },
            // The alignment that it has as a parameter.
            Self::Opaque(_) => Some(4),
            Self::Unknown => None,
        }
    }

    /// The scalar, vector, or struct with a meaning beyond its fields that covers this byte, and
    /// the byte's offset into it; `None` if there is none.
    pub const fn at(&self, at: usize) -> Option<(&Type<'a>, usize)> {
        match self {
            Self::Array(_, inner) | Self::Family(_, inner) => match inner.size() {
                Some(0) | None => None,
                Some(size) => inner.at(at % size),
            },
            Self::Aligned(_, inner) => inner.at(at),
            Self::Struct(layout) => {
                if !matches!(layout.kind, StructKind::Fields) {
                    return Some((self, at));
                }
                let mut i = 0;
                while i < layout.fields.len() {
                    let field = &layout.fields[i];
                    i += 1;
                    // A field ends where the next one begins.
                    let is_past = i < layout.fields.len() && at >= layout.fields[i].offset;
                    if !is_past
                        && at >= field.offset
                        && let Some(size) = field.ty.size()
                        && at < field.offset.saturating_add(size)
                    {
                        return field.ty.at(at - field.offset);
                    }
                }
                None
            }
            Self::Scalar(_) | Self::Vector(..) => Some((self, at)),
            Self::Opaque(_) | Self::Unknown => None,
        }
    }

    /// Calls `each` for every pointer among the fields of a struct and of the structs in it, with
    /// its offset in bytes. Those in arrays are left out.
    pub fn for_each_pointer(&self, each: &mut impl FnMut(usize, Pointer<'static>)) {
        self.pointers_from(0, each);
    }

    fn pointers_from(&self, start: usize, each: &mut impl FnMut(usize, Pointer<'static>)) {
        match self {
            Self::Aligned(_, inner) => inner.pointers_from(start, each),
            Self::Struct(Struct { fields, kind: StructKind::Fields, .. }) => {
                for field in *fields {
                    let at = start.saturating_add(field.offset);
                    match field.pointer {
                        Some(pointer) => each(at, pointer()),
                        None => field.ty.pointers_from(at, each),
                    }
                }
            }
            Self::Struct(_)
            | Self::Scalar(_)
            | Self::Vector(..)
            | Self::Array(..)
            | Self::Family(..)
            | Self::Opaque(_)
            | Self::Unknown => {}
        }
    }

    /// The field of a struct that covers this byte, and the byte's offset into it.
    pub(crate) const fn field_at(&self, at: usize) -> Option<(&'a Field<'a>, usize)> {
        match self {
            Self::Aligned(_, inner) => inner.field_at(at),
            Self::Struct(Struct { fields, kind: StructKind::Fields, .. }) => {
                let mut n = 0;
                while n < fields.len() {
                    let field = &fields[n];
                    if let Some(size) = field.ty.size()
                        && at >= field.offset
                        && at - field.offset < size
                    {
                        return Some((field, at - field.offset));
                    }
                    n += 1;
                }
                None
            }
            Self::Struct(_)
            | Self::Scalar(_)
            | Self::Vector(..)
            | Self::Array(..)
            | Self::Family(..)
            | Self::Opaque(_)
            | Self::Unknown => None,
        }
    }

    /// The innermost element of the arrays: a scalar, a vector or a struct.
    pub const fn element(&self) -> &Type<'a> {
        match self {
            Self::Array(_, ty) | Self::Aligned(_, ty) | Self::Family(_, ty) => ty.element(),
            Self::Scalar(_)
            | Self::Vector(..)
            | Self::Struct(_)
            | Self::Opaque(_)
            | Self::Unknown => self,
        }
    }

    /// The number of array dimensions.
    pub const fn rank(&self) -> usize {
        match self {
            Self::Array(_, ty) => 1 + ty.rank(),
            Self::Aligned(_, ty) | Self::Family(_, ty) => ty.rank(),
            Self::Scalar(_)
            | Self::Vector(..)
            | Self::Struct(_)
            | Self::Opaque(_)
            | Self::Unknown => 0,
        }
    }

    /// The extent of dimension `n`, where the outermost is 0.
    pub const fn extent(&self, n: usize) -> Option<Extent> {
        match self {
            Self::Array(extent, _) if n == 0 => Some(*extent),
            Self::Array(_, ty) => ty.extent(n - 1),
            Self::Aligned(_, ty) | Self::Family(_, ty) => ty.extent(n),
            Self::Scalar(_)
            | Self::Vector(..)
            | Self::Struct(_)
            | Self::Opaque(_)
            | Self::Unknown => None,
        }
    }

    /// The extents in elements, outermost first.
    pub fn extents(&self) -> impl Iterator<Item = Extent> {
        (0..).map_while(|n| self.extent(n))
    }

    /// The scalar type of the innermost element; `None` for structs and unknown types.
    pub const fn scalar(&self) -> Option<ScalarType> {
        match self.element() {
            Self::Scalar(scalar) | Self::Vector(_, scalar) => Some(*scalar),
            Self::Struct(_)
            | Self::Opaque(_)
            | Self::Unknown
            | Self::Array(..)
            | Self::Aligned(..)
            | Self::Family(..) => None,
        }
    }

    /// The opaque type of the innermost element, if it is one.
    pub const fn opaque(&self) -> Option<Opaque> {
        match self.element() {
            Self::Opaque(opaque) => Some(*opaque),
            _ => None,
        }
    }

    /// The number of members of a family, and the type of each; `None` if it is not a family.
    pub const fn family(&self) -> Option<(Extent, &'a Type<'a>)> {
        match self {
            Self::Family(count, ty) => Some((*count, ty)),
            Self::Aligned(_, ty) => ty.family(),
            _ => None,
        }
    }

    /// Whether every part is known.
    pub const fn is_known(&self) -> bool {
        match self {
            Self::Array(extent, ty) | Self::Family(extent, ty) => {
                !matches!(extent, Extent::Unknown) && ty.is_known()
            }
            Self::Aligned(_, ty) => ty.is_known(),
            Self::Scalar(_) | Self::Vector(..) | Self::Struct(_) | Self::Opaque(_) => true,
            Self::Unknown => false,
        }
    }

    /// Whether this is a struct that a user declared, aligned or not.
    pub(crate) const fn is_fields(&self) -> bool {
        match self {
            Self::Aligned(_, inner) => inner.is_fields(),
            Self::Struct(layout) => matches!(layout.kind, StructKind::Fields),
            Self::Scalar(_)
            | Self::Vector(..)
            | Self::Array(..)
            | Self::Family(..)
            | Self::Opaque(_)
            | Self::Unknown => false,
        }
    }

    /// Whether it has bytes that belong to no field.
    #[doc(hidden)]
    pub const fn has_padding(&self) -> bool {
        match self {
            Self::Scalar(_) | Self::Vector(..) | Self::Opaque(_) | Self::Unknown => false,
            Self::Array(_, element) | Self::Family(_, element) => element.has_padding(),
            Self::Aligned(align, inner) => {
                inner.has_padding()
                    || match inner.size() {
                        Some(size) => !size.is_multiple_of(*align),
                        None => false,
                    }
            }
            Self::Struct(layout) => {
                let mut n = 0;
                while n < layout.fields.len() {
                    if layout.gap_before(n) > 0 || layout.fields[n].ty.has_padding() {
                        return true;
                    }
                    n += 1;
                }
                layout.gap_before(n) > 0
            }
        }
    }
}

#[cfg(test)]
mod tests;
