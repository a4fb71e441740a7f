//! Expands checked declarations to typed items.

mod about;
mod access;
#[cfg(feature = "cuda")]
mod arguments;
mod assembles;
mod assumed;
#[cfg(test)]
mod budget;
#[cfg(feature = "cuda")]
mod contract;
mod demand;
mod derive;
mod documentation;
mod editor;
mod encoded;
mod facade;
mod fragment;
mod function;
mod import;
mod instances;
mod late;
#[cfg(feature = "cuda")]
mod launch;
mod local;
mod mentions;
mod module;
mod number;
mod object;
mod operand;
mod own_items;
mod padded;
mod parts;
mod place;
mod prototype;
mod signature;
mod span;
mod sum;
mod table;
mod tensor_map;
mod text;
mod ty;
mod variable;
mod variant;

pub(crate) use assembles::expand_assembles;
pub(crate) use derive::expand_derive;
pub(crate) use editor::{Editor, with_errors};
pub(crate) use fragment::expand_defined;
pub(crate) use import::expand_import;
pub(crate) use module::expand_module;
pub(crate) use padded::expand_padded;
pub(crate) use tensor_map::expand_tensor_maps;
