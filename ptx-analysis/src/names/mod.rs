//! Resolves the names in a body, and checks what jumps and directives name.

pub(crate) mod directives;
mod families;
pub(crate) mod jump;
pub(crate) mod resolver;
pub(crate) mod scope;
pub(crate) mod storage_names;
