//! A cache on disk of the machine code that modules were compiled to.

mod entry;
mod linkable;
mod load;
mod store;
#[cfg(test)]
mod tests;

pub use load::{load_all_cached, load_cached, load_linked_cached};
pub use store::{Cache, CacheError};
