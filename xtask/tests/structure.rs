//! Nothing depends on itself through others: no crate, no folder and no file of the workspace. What
//! counts as a use, [`xtask::structure`] says.

use std::path::Path;

use xtask::structure::{Circle, Package, circles_of_crate, circles_of_packages, packages};

/// Circles that are still there: the crate, and how the names of all that are in the circle start.
/// The list is to become empty; what no circle needs any more has to leave it.
const TO_DO: &[(&str, &str)] = &[
    // The table of instructions and its rows name each other's types; it is being rewritten.
    ("ptx-types", "rules/instruction"),
    // Bodies and their analysis are becoming a crate, and the parser one of text.
    ("ptx-frontend", ""),
    // The checks of accesses and the bodies that hold them; the expansion of bodies is being rewritten.
    ("ptx-macros", "expand/"),
    ("ptx-macros", "crate::expand::"),
];

fn workspace() -> Vec<Package> {
    packages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

fn is_excused(package: &str, circle: &Circle, by: (&str, &str)) -> bool {
    package == by.0 && circle.members.iter().all(|member| member.starts_with(by.1))
}

#[test]
fn no_crate_needs_itself() {
    let circles = circles_of_packages(&workspace());
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn no_file_and_no_folder_needs_itself() {
    let (mut circles, mut needed) = (Vec::new(), Vec::new());
    for package in workspace() {
        for root in &package.roots {
            for circle in circles_of_crate(root).unwrap() {
                let excuse =
                    TO_DO.iter().find(|excuse| is_excused(&package.name, &circle, **excuse));
                match excuse {
                    Some(excuse) => needed.push(excuse),
                    None => circles.push(format!("{}: {circle}", package.name)),
                }
            }
        }
    }
    assert!(circles.is_empty(), "these need each other:\n{}", circles.join("\n"));
    let idle: Vec<_> = TO_DO.iter().filter(|excuse| !needed.contains(excuse)).collect();
    assert!(idle.is_empty(), "no circle needs these words in the list any more: {idle:?}");
}

/// Writes a crate of these files and gives its circles.
fn circles_of(name: &str, files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let circles = circles_of_crate(&folder.join("lib.rs")).unwrap();
    circles.into_iter().map(|circle| circle.members).collect()
}

#[test]
fn circles_are_seen_through_imports_reexports_and_macros() {
    let found = circles_of(
        "seen",
        &[
            // `crate::A` is a re-export, which leads to `a.rs`; the list of re-exports is no use.
            (
                "lib.rs",
                "mod a; mod b; mod c; pub use a::A; #[cfg(test)] mod tests { use crate::c; }",
            ),
            ("a.rs", "pub struct A; fn f() { assert!(crate::b::is_b()); }"),
            ("b.rs", "pub fn is_b() -> bool { let _: Option<crate::A> = None; true }"),
            ("c.rs", "//! [link](crate::a)\nuse crate::b;\nfn f() -> bool { b::is_b() }"),
        ],
    );
    assert_eq!(found, [vec!["a.rs", "b.rs"], vec!["crate::a", "crate::b"]]);
}

#[test]
fn folders_have_circles_that_their_files_have_not() {
    let found = circles_of(
        "folders",
        &[
            ("lib.rs", "mod one; mod other;"),
            ("one/mod.rs", "pub mod high; pub mod low;"),
            ("one/high.rs", "use crate::other::Middle;"),
            ("one/low.rs", "pub struct Low;"),
            ("other.rs", "use crate::one::low::Low; pub struct Middle(Low);"),
        ],
    );
    assert_eq!(found, [vec!["crate::one", "crate::other"]]);
}

#[test]
fn what_leads_one_way_is_no_circle() {
    let found = circles_of(
        "one_way",
        &[
            ("lib.rs", "mod low; mod table; mod row { pub fn row() {} } pub use table::TABLE; "),
            ("low.rs", "pub struct Low; fn table() {} fn f() { table(); }"),
            (
                "table.rs",
                "use super::row; use crate::low::*; pub static TABLE: fn() = row::row; type L = Low;",
            ),
        ],
    );
    assert_eq!(found, Vec::<Vec<String>>::new());
}
