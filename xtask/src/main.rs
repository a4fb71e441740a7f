//! Development tasks: see `lib.rs`.
fn main() {}
