//! Variables (PTX ISA 5.4).

use super::location::DeclaredAt;
use super::ty::{Extent, StructKind, Type};
use crate::const_ord::max;
use crate::const_str::contains;
use crate::opaque::Assignment;
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::target::Version;

/// A variable declaration (PTX ISA 5.4.1).
#[derive(Clone, Copy, Debug)]
pub struct Variable<'a> {
    /// The name, as in the PTX text.
    pub name: &'a str,
    /// The state space.
    pub space: Space,
    /// The linkage. `.extern .shared` is dynamic shared memory.
    pub linkage: Linkage,
    /// The declared alignment in bytes; `None` for the natural one.
    pub align: Option<usize>,
    /// The type.
    pub ty: &'a Type<'a>,
    /// The initial value.
    pub init: Init<'a>,
    /// Whether host and device share it: `.attribute(.managed)` (PTX ISA 5.4.8).
    pub managed: bool,
    /// `.attribute(.unified(uuid1, uuid2))`: the same address on the host and all devices, read-only
    /// (PTX ISA 5.4.8).
    pub unified: Option<Unified>,
    /// Codes of the hazards that are allowed here.
    pub allow: &'a [&'a str],
    /// The place of its name in Rust source, if it came from there; for what a body declares, the
    /// body's table has it.
    pub place: Option<DeclaredAt<'a>>,
}

/// Declares the [`Linkage`] enum, one row per linkage.
macro_rules! linkages {
    ($($(#[$doc:meta])* $Linkage:ident $directive:expr, since: ($major:literal, $minor:literal);)*) => {
        /// The visibility of a symbol, and how it resolves against others of its name (PTX ISA
        /// 11.6).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Linkage {
            $($(#[$doc])* $Linkage,)*
        }

        impl Linkage {
            /// Every linkage.
            pub const ALL: &'static [Self] = &[$(Self::$Linkage),*];

            /// The directive, dot included; nothing for internal linkage.
            pub const fn directive(self) -> Option<&'static str> {
                match self { $(Self::$Linkage => $directive,)* }
            }

            /// The lowest PTX version that has it.
            pub const fn since(self) -> Version {
                match self { $(Self::$Linkage => Version::new($major, $minor),)* }
            }
        }
    };
}

linkages! {
    /// Visible in this PTX module only; the driver still finds it by name.
    Internal None, since: (1, 0);
    /// Visible in other PTX modules: `.visible`.
    Visible Some(".visible"), since: (1, 0);
    /// Defined elsewhere: `.extern`.
    Extern Some(".extern"), since: (1, 0);
    /// Shared memory whose size the launch decides, `.extern` in PTX; in another space, and for a
    /// function, the same as [`Extern`](Self::Extern).
    Dynamic Some(".extern"), since: (1, 0);
    /// Visible, and overridden by a symbol of the same name that is not weak: `.weak`.
    Weak Some(".weak"), since: (3, 1);
    /// Visible, and merged with the symbols of its name in other modules: `.common`; `.global`
    /// only.
    Common Some(".common"), since: (5, 0);
}

impl Linkage {
    /// Whether ptxas lays the symbol out with the visible ones, before the internal ones.
    pub const fn is_exported(self) -> bool {
        match self {
            Self::Visible | Self::Weak | Self::Common | Self::Extern | Self::Dynamic => true,
            Self::Internal => false,
        }
    }

    /// Whether the definition is in another module: `.extern`.
    pub const fn is_elsewhere(self) -> bool {
        match self {
            Self::Extern | Self::Dynamic => true,
            Self::Internal | Self::Visible | Self::Weak | Self::Common => false,
        }
    }
}

/// The PTX version that has `.attribute(.managed)`; it needs `sm_30`, older than any target here.
pub(crate) const MANAGED_SINCE: Version = Version::new(4, 0);

/// The identifier of a unified function or variable: `.attribute(.unified(uuid1, uuid2))`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unified {
    /// The upper 64 bits.
    pub upper: u64,
    /// The lower 64 bits.
    pub lower: u64,
}

impl Unified {
    /// The PTX version that has it.
    pub const SINCE: Version = Version::new(8, 0);

    /// The lowest architecture that has it.
    pub const MIN_ARCH: u16 = 90;
}

/// The initial value of a variable (PTX ISA 5.4.4).
#[derive(Clone, Copy, Debug)]
pub enum Init<'a> {
    /// None; `.global` and `.const` variables start as zero.
    None,
    /// The bytes of the value, little endian, as many as the size of the type.
    Bytes(&'a [u8]),
    /// Bytes, and the addresses among them.
    Linked(Linked<'a>),
    /// The members of an opaque type (PTX ISA 5.3).
    Members(&'a [Assignment]),
    /// Literals, as source text or a program wrote them.
    Value(Value<'a>),
    /// A Rust expression that the front end cannot evaluate, and the addresses in it; rustc settles it later.
    Unknown(&'a [Address<'a>]),
}

impl Init<'_> {
    /// The lowest PTX version that the addresses in it need.
    pub const fn since(&self) -> Version {
        match self {
            Self::Linked(linked) => {
                let (mut since, mut n) = (Version::new(1, 0), 0);
                while n < linked.links.len() {
                    let link = &linked.links[n];
                    let masked = link.byte.is_some() || link.size < 4;
                    since = since.newer(link.address.since());
                    since = if masked { since.newer(Byte::SINCE.0) } else { since };
                    n += 1;
                }
                since
            }
            Self::Value(value) => value.since(),
            Self::None | Self::Bytes(_) | Self::Members(_) | Self::Unknown(_) => Version::new(1, 0),
        }
    }
}

impl Value<'_> {
    /// The number of elements of a list; `None` for anything else.
    pub const fn elements(&self) -> Option<usize> {
        match self {
            Self::List(values) => Some(values.len()),
            Self::Integers(values) => Some(values.len()),
            Self::Floats(values) => Some(values.len()),
            Self::Int(_)
            | Self::Float(_)
            | Self::Address(_)
            | Self::MaskedAddress(..)
            | Self::MaskedInt(..) => None,
        }
    }

    /// The element of a list with this number, from 0; of anything else, the value itself.
    ///
    /// # Panics
    ///
    /// If the list has no such element.
    pub const fn element(&self, index: usize) -> Self {
        match self {
            Self::List(values) => values[index],
            Self::Integers(values) => Self::Int(values[index]),
            Self::Floats(values) => Self::Float(values[index]),
            Self::Int(_)
            | Self::Float(_)
            | Self::Address(_)
            | Self::MaskedAddress(..)
            | Self::MaskedInt(..) => *self,
        }
    }

    /// Calls `visit` with the value and with each value in its lists, in the order in which they are written, and its
    /// index, which [`Site::Element`](super::Site::Element) has. The numbers in [`Integers`](Self::Integers) and
    /// [`Floats`](Self::Floats) count, and are not visited. Returns how many there are.
    pub fn each(&self, visit: &mut impl FnMut(usize, &Self)) -> usize {
        self.each_from(0, visit)
    }

    /// The same, where the value itself has this index; returns the one after all that is in it.
    fn each_from(&self, index: usize, visit: &mut impl FnMut(usize, &Self)) -> usize {
        visit(index, self);
        match self {
            Self::List(values) => {
                values.iter().fold(index + 1, |next, value| value.each_from(next, visit))
            }
            other => index + 1 + other.elements().unwrap_or_default(),
        }
    }

    /// The lowest PTX version that the addresses in it need.
    const fn since(&self) -> Version {
        match self {
            Self::Int(_) | Self::Float(_) | Self::Integers(_) | Self::Floats(_) => {
                Version::new(1, 0)
            }
            Self::Address(address) => address.since(),
            Self::MaskedAddress(_, address) => address.since().newer(Byte::SINCE.0),
            Self::MaskedInt(..) => Byte::SINCE.1,
            Self::List(values) => {
                let (mut since, mut n) = (Version::new(1, 0), 0);
                while n < values.len() {
                    since = since.newer(values[n].since());
                    n += 1;
                }
                since
            }
        }
    }
}

impl Address<'_> {
    /// The lowest PTX version that has it.
    pub const fn since(&self) -> Version {
        if self.generic { Version::new(3, 1) } else { Version::new(1, 0) }
    }
}

/// A literal initial value, nested like the type's dimensions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A list in braces: the elements of an array or vector.
    List(&'a [Value<'a>]),
    /// A list of integers only, which may have millions.
    Integers(&'a [i128]),
    /// A list of floating-point numbers only.
    Floats(&'a [f64]),
    /// An address: `generic(x)+8`.
    Address(Address<'a>),
    /// One byte of an address: `0xff00(x+4)`.
    MaskedAddress(u64, Address<'a>),
    /// One byte of an integer: `0xff00(131187)`.
    MaskedInt(u64, i128),
}

/// The address of a variable or function in an initial value (PTX ISA 5.4.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address<'a> {
    /// The name of the variable or function.
    pub symbol: &'a str,
    /// Whether it is a generic address, `generic(x)`, rather than one in the symbol's own space.
    pub generic: bool,
    /// The bytes added to it.
    pub addend: i128,
}

/// One of the eight bytes of an address or integer, as a mask selects it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Byte(u8);

impl Byte {
    /// The eight bytes, lowest first.
    pub const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// The PTX versions that introduced masks of addresses and masks of integers, as every ptxas
    /// has them; the ISA gives 7.3 for the latter.
    pub const SINCE: (Version, Version) = (Version::new(7, 1), Version::new(7, 2));

    /// The byte that a mask selects; `None` if it is not exactly one of the eight.
    pub const fn of_mask(mask: u64) -> Option<Self> {
        let index = mask.trailing_zeros() / 8;
        if index < 8 && mask == 0xFF << (8 * index) {
            Some(Self::ALL[index as usize])
        } else {
            None
        }
    }

    /// The mask: `0xff00` for byte 1.
    pub const fn mask(self) -> u64 {
        0xFF << (8 * self.0)
    }

    /// The index of the byte, the lowest being 0.
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// The bytes of a value, and the addresses among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Linked<'a> {
    /// As many bytes as the size of the type, little endian; zero where an address is stored.
    pub bytes: &'a [u8],
    /// The addresses, in the order of their places.
    pub links: &'a [Link<'a>],
}

/// A place in an initial value that holds an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link<'a> {
    /// Where it starts, in bytes from the start of the variable.
    pub at: usize,
    /// Its size in bytes: 8, 4 in a `.u32`, or 1 for one byte of an address.
    pub size: usize,
    /// The address.
    pub address: Address<'a>,
    /// The byte that a mask selects; `None` for all of it.
    pub byte: Option<Byte>,
}

impl Variable<'static> {
    /// A register, the most common declaration of a body: short to write, and quick for rustc to
    /// check.
    #[doc(hidden)]
    pub const fn register(name: &'static str, scalar: ScalarType) -> Self {
        Self::new(Space::Reg, name, Type::of_scalar(scalar))
    }
}

impl<'a> Variable<'a> {
    /// A variable without a declared alignment, an initial value or allowances.
    pub const fn new(space: Space, name: &'a str, ty: &'a Type<'a>) -> Self {
        Self {
            name,
            space,
            linkage: Linkage::Internal,
            align: None,
            ty,
            init: Init::None,
            managed: false,
            unified: None,
            allow: &[],
            place: None,
        }
    }

    /// The member `name` of a family (PTX ISA 5.4.6), or a variable like this one under that name.
    pub const fn member(&self, name: &'a str) -> Self {
        let ty = match self.ty.family() {
            Some((_, ty)) => ty,
            None => self.ty,
        };
        Self { name, ty, ..*self }
    }

    /// The variable that ptxas sees: any member of a family, or the variable itself.
    pub const fn unit(&self) -> Self {
        self.member(self.name)
    }

    /// The variable, with the linkage of the function that declares it.
    pub const fn declared_by(&self, function: Linkage) -> Self {
        Self { linkage: function, ..*self }
    }

    /// Size in bytes; `None` for dynamic shared memory without a length, and where the type is
    /// unknown.
    pub const fn bytes(&self) -> Option<usize> {
        match (self.ty, &self.init) {
            (Type::Array(Extent::Incomplete, _), Init::Bytes(bytes)) => Some(bytes.len()),
            (Type::Array(Extent::Incomplete, _), Init::Linked(linked)) => Some(linked.bytes.len()),
            (Type::Array(Extent::Incomplete, element), Init::Value(value)) => {
                match (element.size(), value.elements()) {
                    (Some(size), Some(count)) => Some(size.saturating_mul(count)),
                    _ => None,
                }
            }
            (ty, _) => ty.size(),
        }
    }

    /// The alignment in bytes that the text requests: the declared one, or else the natural one;
    /// `None` where the type is unknown.
    pub const fn alignment(&self) -> Option<usize> {
        match (self.align, self.ty) {
            (Some(align), Type::Aligned(inner, _)) if align.is_power_of_two() => {
                Some(max(*inner, align))
            }
            (Some(align), _) => Some(align),
            (None, ty) => ty.align(),
        }
    }

    /// The alignment that ptxas compares: a requested one below the natural one has no effect.
    pub(crate) const fn least_alignment(&self) -> Option<usize> {
        match (self.alignment(), self.ty.align()) {
            (Some(align), Some(natural)) if align < natural => Some(natural),
            (align, _) => align,
        }
    }

    /// Whether the text declares a carrier type for its values instead of the type itself: PTX
    /// cannot initialise `.f16` or `.b128` variables (PTX ISA 5.4.4).
    pub const fn is_carried(&self) -> bool {
        !matches!(self.init, Init::None)
    }

    /// The size in bytes of the elements that an index after its name counts, as in `X[3]` (PTX ISA
    /// 6.4.2): the elements that the text declares. For a vector these are its scalars, and for
    /// anything written as bytes, the bytes. `None` where the type is unknown, and 0 if it is not
    /// an array.
    pub const fn indexed_bytes(&self, is_signature: bool) -> Option<usize> {
        if self.is_dynamic() {
            return Some(1);
        }
        let is_array = self.ty.rank() > 0;
        match self.ty.element() {
            Type::Unknown => None,
            Type::Scalar(scalar) => {
                let carriers = if self.is_carried() { scalar.initialised().1 } else { 1 };
                Some(if is_array || carriers > 1 { scalar.bytes() / carriers } else { 0 })
            }
            Type::Vector(..) if is_signature => Some(1),
            Type::Vector(_, scalar) => Some(if is_array { scalar.bytes() } else { 0 }),
            Type::Struct(layout)
                if matches!(layout.kind, StructKind::Mbarrier)
                    && !is_signature
                    && matches!(self.init, Init::None) =>
            {
                Some(if is_array { 8 } else { 0 })
            }
            Type::Struct(_) | Type::Aligned(..) | Type::Array(..) | Type::Family(..) => Some(1),
            Type::Opaque(_) => Some(0),
        }
    }

    /// The lowest PTX version and architecture that the declared type needs.
    pub const fn type_needs(&self) -> (Version, u16) {
        match self.ty.scalar() {
            Some(scalar) if !(self.is_carried() && scalar.has_carrier()) => {
                (scalar.since(), scalar.min_arch())
            }
            Some(_) | None => (Version::new(1, 0), 10),
        }
    }

    /// The lowest PTX version that the addresses in the initial value need.
    pub const fn init_since(&self) -> Version {
        if self.is_dynamic() {
            return Version::new(1, 0);
        }
        let version = self.init.since();
        match (self.ty.element(), self.init) {
            // The addresses in a struct are written byte by byte.
            (Type::Struct(_), Init::Linked(Linked { links: [_, ..], .. })) => {
                version.newer(Byte::SINCE.0)
            }
            _ => version,
        }
    }

    /// The lowest PTX version that the whole declaration needs.
    pub const fn since(&self) -> Version {
        let mut version = self.type_needs().0.newer(self.linkage.since());
        version = version.newer(self.init_since());
        if self.unified.is_some() {
            version = version.newer(Unified::SINCE);
        }
        if self.managed { version.newer(MANAGED_SINCE) } else { version }
    }

    /// Whether this is dynamic shared memory, whose size the launch decides (PTX ISA 5.1.7): it has
    /// that linkage, or is an external array without a length.
    pub const fn is_dynamic(&self) -> bool {
        match (self.space, self.linkage, self.ty) {
            (Space::Shared, Linkage::Dynamic, _)
            | (Space::Shared, Linkage::Extern, Type::Array(Extent::Incomplete, _)) => true,
            (_, _, _) => false,
        }
    }

    /// Whether the hazard with this code is allowed here.
    pub const fn allows(&self, code: &str) -> bool {
        contains(self.allow, code)
    }

    /// Whether the initial value determines the first extent: `x[] = {1, 2}`.
    pub const fn is_counted_by_value(&self) -> bool {
        matches!(self.ty, Type::Array(Extent::Incomplete, _)) && !matches!(self.init, Init::None)
    }
}

#[cfg(test)]
mod tests;
