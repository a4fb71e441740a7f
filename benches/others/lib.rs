//! What other readers of PTX text take for the same files: `cargo bench` in this folder.
