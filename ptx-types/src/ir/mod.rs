//! The intermediate representation: a module of storage and functions, without spans.
//!
//! Every value borrows (`'a`), so that an expanded module is one `'static` constant and a module
//! built at run time needs no allocation of its own. The IR can say things that are wrong: the
//! [rules](crate::rules) judge it, the emitter only writes it.

pub mod family;
mod function;
mod location;
mod module;
mod order;
mod ty;
mod variable;

pub use function::{
    Directive, DirectiveKind, Function, FunctionKind, Param, Piece, Pointer, Statement,
};
pub use location::{Location, Locations, Mark, Marks};
pub use module::{LineInfo, Module, VersionCause};
pub use order::{Named, Names, Order};
pub use ty::{Extent, Field, Struct, StructKind, Type};
pub use variable::{Address, Byte, Init, Link, Linkage, Linked, Unified, Value, Variable};
pub(crate) use variable::{MANAGED_SINCE, contains, same};
