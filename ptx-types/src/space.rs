//! State spaces as types (PTX ISA 5.1, tables 6 and 7).

use crate::Space;

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
        #[diagnostic::do_not_recommend]
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

#[diagnostic::do_not_recommend]
impl PointerSpace for Generic {
    const SPACE: Option<Space> = None;
}

/// In the signature of a device function, a parameter in a register: `fn f(x: Reg<f32>)` is
/// `.func f (.reg .f32 x)` (PTX ISA 5.1.6.4). It only names the place, and has no values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reg<T>(core::marker::PhantomData<T>);
