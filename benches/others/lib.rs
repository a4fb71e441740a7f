//! Other readers of PTX text, measured on the same files: run `cargo bench` in this folder.
