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

/// A state space as a type: the parameter of a [`Variable`](crate::Variable) handle.
pub trait StateSpace: 'static {
    /// The state space.
    const SPACE: Space;
}

/// A space that a pointer can point into: an addressable [`StateSpace`], or [`Generic`]
/// (PTX ISA 5.1.6.3).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a state space, and the first argument of `Ptr` is one",
    label = "not a state space",
    note = "write the state space, and then what the pointer points to, as in `Ptr<Global, f32>`",
    note = "the state spaces of pointers are `Global`, `Const`, `Shared`, `Local`, and `Generic` for any"
)]
pub trait PointerSpace: 'static {
    /// The state space; `None` for generic addresses.
    const SPACE: Option<Space>;
}

macro_rules! markers {
    ($($(#[$doc:meta])* $Marker:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $Marker {}
        impl StateSpace for $Marker {
            const SPACE: Space = Space::$Marker;
        }
        impl PointerSpace for $Marker {
            const SPACE: Option<Space> = Some(Space::$Marker);
        }
    )*};
}

markers! {
    /// The `.global` state space, as a type.
    Global;
    /// The `.const` state space, as a type.
    Const;
    /// The `.shared` state space, as a type.
    Shared;
    /// The `.local` state space, as a type.
    Local;
}

/// Generic addressing, as a type: an address that may be in any space.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Generic {}

impl PointerSpace for Generic {
    const SPACE: Option<Space> = None;
}

/// In the signature of a device function, a parameter in a register: `fn f(x: Reg<f32>)` is
/// `.func f (.reg .f32 x)` (PTX ISA 5.1.6.4). It only names the place, and has no values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reg<T>(core::marker::PhantomData<T>);
