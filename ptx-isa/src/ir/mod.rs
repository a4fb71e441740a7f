//! The intermediate representation: a module of storage and functions, without spans.
//!
//! Every value borrows (`'a`), so that an expanded module is one `'static` constant and a module
//! built at run time needs no allocation of its own. The IR can represent invalid modules: the
//! [rules](crate::rules) check it, the emitter only prints it.

mod assumed;
pub mod body;
mod copies;
pub mod family;
mod function;
mod launch;
mod location;
mod module;
mod order;
mod scope;
mod site;
mod ty;
mod variable;

pub use body::Body;
pub use copies::{Outside, with_functions, with_variables};
pub(crate) use copies::{has_name, is_same_function, is_same_variable};
pub use function::{
    Directive, DirectiveKind, Function, FunctionKind, MOST_THREADS, PARAM_BYTES_BEFORE_8_1, Param,
    Sharing,
};
pub use launch::{ExampleLaunch, Passed};
pub use location::{DeclaredAt, Location, Locations, Mark, Marks};
pub use module::{LineInfo, Module, VersionCause};
pub use order::{Named, Names, Order, cycles};
pub use scope::Scope;
pub(crate) use scope::{UNSIZED_SINCE, is_element_hidden, is_written_as_bits};
pub use site::{Site, Sources};
pub use ty::{Extent, Field, Pointer, Struct, StructKind, Type};
pub(crate) use variable::MANAGED_SINCE;
pub use variable::{Address, Byte, Init, Link, Linkage, Linked, Unified, Value, Variable};

#[cfg(test)]
mod tests;
