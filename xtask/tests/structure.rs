//! Nothing depends on itself through others: no crate, no folder and no file of the workspace.

use std::path::Path;

use xtask::structure::{circles_of_crate, circles_of_packages, packages};

#[test]
fn no_crate_has_circles() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for package in packages(&workspace).unwrap() {
        for root in &package.roots {
            for circle in circles_of_crate(root).unwrap() {
                eprintln!("== {} {}: {circle}", package.name, root.display());
            }
        }
    }
}
