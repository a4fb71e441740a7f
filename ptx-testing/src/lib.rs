//! Generators and mutators of PTX for tests: what they make depends on nothing but a seed and the number of the case.

pub mod expression;
pub mod files;
pub mod mutant;
mod rng;

pub use rng::Rng;
