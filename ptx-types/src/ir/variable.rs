//! Variables (PTX ISA 5.4).

use super::ty::{Extent, Type};
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
    /// Codes of the hazards that are allowed here.
    pub allow: &'a [&'a str],
}

/// Declares the [`Linkage`] enum, one row a linkage.
macro_rules! linkages {
    ($($(#[$doc:meta])* $Linkage:ident $directive:expr, since: ($major:literal, $minor:literal);)*) => {
        /// Who can see a symbol, and what happens to others of its name (PTX ISA 11.6).
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

            /// The variant's own name.
            pub const fn variant(self) -> &'static str {
                match self { $(Self::$Linkage => stringify!($Linkage),)* }
            }

            /// The lowest PTX version that has it.
            pub const fn since(self) -> Version {
                match self { $(Self::$Linkage => Version::new($major, $minor),)* }
            }
        }
    };
}

linkages! {
    /// This module alone; the host cannot find it.
    Internal None, since: (1, 0);
    /// Other modules and the host: `.visible`.
    Visible Some(".visible"), since: (1, 0);
    /// Defined elsewhere: `.extern`.
    Extern Some(".extern"), since: (1, 0);
    /// Visible, and gives way to a symbol of its name that is not weak: `.weak`.
    Weak Some(".weak"), since: (3, 1);
    /// Visible, and one with the symbols of its name in other modules: `.common`; `.global` only.
    Common Some(".common"), since: (5, 0);
}

impl Linkage {
    /// Whether ptxas lays the symbol out with the visible ones, before the internal ones.
    pub const fn is_exported(self) -> bool {
        match self {
            Self::Visible | Self::Weak | Self::Common => true,
            Self::Internal | Self::Extern => false,
        }
    }
}

/// The PTX version that has `.attribute(.managed)`; it needs `sm_30`, older than any target here.
pub(crate) const MANAGED_SINCE: Version = Version::new(4, 0);

/// The initial value of a variable (PTX ISA 5.4.4).
#[derive(Clone, Copy, Debug)]
pub enum Init<'a> {
    /// None was written; `.global` and `.const` start as zero.
    None,
    /// The bytes of the value, little endian, as many as the type has.
    Bytes(&'a [u8]),
    /// Literals, as a text or a program wrote them.
    Value(Value<'a>),
    /// A Rust expression that the front end cannot evaluate; rustc settles it later.
    Unknown,
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
}

impl<'a> Variable<'a> {
    /// A variable without an alignment, an initial value or allowances of its own.
    pub const fn new(space: Space, name: &'a str, ty: &'a Type<'a>) -> Self {
        let (linkage, align, init) = (Linkage::Internal, None, Init::None);
        Self { name, space, linkage, align, ty, init, managed: false, allow: &[] }
    }

    /// Size in bytes; `None` for dynamic shared memory without a length, and where the type is
    /// unknown.
    pub const fn bytes(&self) -> Option<usize> {
        self.ty.size()
    }

    /// The alignment in bytes that the text asks for, which is the declared one or else the
    /// natural one; `None` where the type is unknown.
    pub const fn alignment(&self) -> Option<usize> {
        match (self.align, self.ty) {
            (Some(align), Type::Aligned(inner, _)) if *inner > align => Some(*inner),
            (Some(align), _) => Some(align),
            (None, ty) => ty.align(),
        }
    }

    /// Whether the text declares the type that carries its values, not the type itself: PTX
    /// initialises neither `.f16` nor `.b128` (PTX ISA 5.4.4).
    pub const fn is_carried(&self) -> bool {
        !matches!(self.init, Init::None)
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

    /// The lowest PTX version that the whole declaration needs.
    pub const fn since(&self) -> Version {
        let version = self.type_needs().0.newer(self.linkage.since());
        if self.managed { version.newer(MANAGED_SINCE) } else { version }
    }

    /// Whether this is dynamic shared memory, whose size the launch decides (PTX ISA 5.1.7).
    pub const fn is_dynamic(&self) -> bool {
        matches!((self.space, self.linkage), (Space::Shared, Linkage::Extern))
    }

    /// Whether the hazard with this code is allowed here.
    pub const fn allows(&self, code: &str) -> bool {
        let mut i = 0;
        while i < self.allow.len() {
            if same(self.allow[i], code) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether the first extent is left to the initial value: `x[] = {1, 2}`.
    pub const fn is_counted_by_value(&self) -> bool {
        matches!(self.ty, Type::Array(Extent::Incomplete, _)) && !matches!(self.init, Init::None)
    }
}

/// `==` for strings in constant code.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
