//! State spaces (PTX ISA 5.1, tables 6 and 7).

/// Declares the [`Space`] enum, one row for each state space.
macro_rules! spaces {
    ($($(#[$doc:meta])* $Space:ident $ptx:literal, initialisable: $init:literal, at_module: $module:literal, in_body: $body:literal;)*) => {
        /// A PTX state space (PTX ISA 5.1, table 6).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Space {
            $($(#[$doc])* $Space,)*
        }

        impl Space {
            /// Every state space, in the order of table 6.
            pub const ALL: &'static [Self] = &[$(Self::$Space),*];

            /// The directive, dot included: `.global`.
            pub const fn directive(self) -> &'static str {
                match self { $(Self::$Space => concat!(".", $ptx),)* }
            }

            /// The name without its dot: `global`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Space => $ptx,)* }
            }

            /// Whether a variable in this space can have an initial value (PTX ISA 5.1, table 7).
            pub const fn is_initialisable(self) -> bool {
                match self { $(Self::$Space => $init,)* }
            }

            /// Whether a variable in this space can be declared outside functions.
            pub const fn is_module_scope(self) -> bool {
                match self { $(Self::$Space => $module,)* }
            }

            /// Whether a variable in this space can be declared in a function body.
            pub const fn is_body_scope(self) -> bool {
                match self { $(Self::$Space => $body,)* }
            }

            /// The space with this name, without a dot.
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($ptx => Some(Self::$Space),)*
                    _ => None,
                }
            }
        }
    };
}

spaces! {
    /// Registers, per thread. Not addressable.
    Reg "reg", initialisable: false, at_module: false, in_body: true;
    /// Special registers: predefined and read-only.
    Sreg "sreg", initialisable: false, at_module: false, in_body: false;
    /// Constant memory: read-only for kernels, at most 64 KiB for static variables.
    Const "const", initialisable: true, at_module: true, in_body: true;
    /// Global memory, shared by all threads of a context.
    Global "global", initialisable: true, at_module: true, in_body: true;
    /// Memory private to each thread.
    Local "local", initialisable: false, at_module: false, in_body: true;
    /// Kernel and function parameters.
    Param "param", initialisable: false, at_module: false, in_body: true;
    /// Shared memory, per CTA, visible to the whole cluster.
    Shared "shared", initialisable: false, at_module: true, in_body: true;
    /// Texture memory. Deprecated: `.tex .u32 t;` is now written `.global .texref t;`.
    Tex "tex", initialisable: false, at_module: false, in_body: false;
}

/// A set of state spaces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spaces(u8);

impl Spaces {
    /// No state space.
    pub const NONE: Self = Self(0);
    /// Every state space.
    pub const ALL: Self = Self(u8::MAX);

    /// The set of those in this one that a test selects.
    #[must_use]
    pub fn filter(self, mut keeps: impl FnMut(Space) -> bool) -> Self {
        let kept = Space::ALL.iter().filter(|space| self.has(**space) && keeps(**space));
        Self(kept.fold(0, |bits, space| bits | 1 << *space as u8))
    }

    /// Whether it contains this state space.
    pub const fn has(self, space: Space) -> bool {
        self.0 & 1 << space as u8 != 0
    }

    /// The bits, one for each state space in the order of [`Space::ALL`].
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with these bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }
}
