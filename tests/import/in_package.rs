//! A path that starts at the folder of the package, and not at that of this file.

ptx::import!(pub mod untyped = "import/blur.ptx");
