//! There are no dependency cycles between the crates, folders and files of the workspace. [`xtask::structure`]
//! defines what counts as a use.

use std::path::Path;

use xtask::structure::{Package, arrows_of_crate, cycles_of_crate, cycles_of_packages, packages};

fn workspace() -> Vec<Package> {
    packages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap()
}

#[test]
fn no_crate_needs_itself() {
    let cycles = cycles_of_packages(&workspace());
    assert!(cycles.is_empty(), "{cycles:#?}");
}

#[test]
fn no_file_and_no_folder_needs_itself() {
    let mut cycles = Vec::new();
    for package in workspace() {
        for root in &package.roots {
            let found = cycles_of_crate(root).unwrap();
            cycles.extend(found.iter().map(|cycle| format!("{}: {cycle}", package.name)));
        }
    }
    assert!(cycles.is_empty(), "these need each other:\n{}", cycles.join("\n"));
}

/// The analysis depends only on the IR and its rules: not on Rust tokens or text, and it prints
/// nothing.
#[test]
fn the_analysis_needs_the_vocabulary_alone() {
    let packages = workspace();
    let analysis = packages.iter().find(|package| package.name == "ptx-analysis");
    let analysis = analysis.expect("the crate is there");
    assert_eq!(analysis.needs, ["ptx-isa"]);
    let folder = analysis.roots[0].parent().expect("it stands in a folder");
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let files = std::fs::read_dir(path).expect("it can be read");
            let files = files.map(|file| file.expect("it can be read").path());
            open.extend(files.filter(|file| file.file_stem().is_some_and(|stem| stem != "tests")));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        for word in ["core::fmt", "format!", "write!", "println!", "panic!", "std::"] {
            assert!(!text.contains(word), "{} has {word}", path.display());
        }
    }
}

/// The rooms of the analysis, each with those that it uses, which stand before it.
const ROOMS: [(&str, &[&str]); 9] = [
    ("flow", &[]),
    ("values", &["flow"]),
    ("findings", &["flow", "values"]),
    ("names", &["findings", "flow"]),
    ("calls", &["findings", "flow", "names", "values"]),
    ("domains", &["findings", "flow", "values"]),
    ("accesses", &["domains", "findings", "flow", "names", "values"]),
    ("order", &["findings", "flow", "values"]),
    ("check", &["accesses", "calls", "domains", "findings", "flow", "names", "order", "values"]),
];

#[test]
fn rooms_of_the_analysis_use_those_listed_and_no_others() {
    let packages = workspace();
    let analysis = packages.iter().find(|package| package.name == "ptx-analysis");
    let arrows = arrows_of_crate(&analysis.expect("the crate is there").roots[0]).unwrap();
    let mut before: Vec<&str> = Vec::new();
    for (room, expected) in ROOMS {
        assert!(expected.iter().all(|room| before.contains(room)), "{room} stands too early");
        before.push(room);
        let uses = arrows.get(&format!("crate::{room}")).cloned().unwrap_or_default();
        let names: Vec<&str> = uses.keys().map(|name| name.trim_start_matches("crate::")).collect();
        assert_eq!(names, expected, "what {room} uses: {uses:#?}");
    }
    let others = arrows.keys().filter(|name| !before.contains(&name.trim_start_matches("crate::")));
    assert_eq!(others.collect::<Vec<_>>(), Vec::<&String>::new(), "these are not rooms");
}

/// Writes a crate of these files, and returns its cycles.
fn cycles_of(name: &str, files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let cycles = cycles_of_crate(&folder.join("lib.rs")).unwrap();
    cycles.into_iter().map(|cycle| cycle.members).collect()
}

#[test]
fn cycles_are_seen_through_imports_reexports_and_macros() {
    let found = cycles_of(
        "seen",
        &[
            // `crate::A` is a re-export, which leads to `a.rs`; the list of re-exports is not a use.
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
fn folders_have_cycles_that_their_files_have_not() {
    let found = cycles_of(
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
fn what_leads_one_way_is_not_a_cycle() {
    let found = cycles_of(
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

/// Those who write kernels read these first: a file with kernels and the host code that launches them has at most 300 lines, 400 for
/// attention, and the parts that kernels share at most 200.
#[test]
fn kernels_at_the_limit_are_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/limits");
    let files: [(&[&str], usize); 7] = [
        (&["product/whole.rs", "product/launch.rs"], 300),
        (&["product/blocks.rs", "product/launch.rs"], 300),
        (&["product/mod.rs"], 200),
        (&["attention/kernels.rs", "attention/launch.rs"], 400),
        (&["attention/mod.rs"], 200),
        (&["rows.rs"], 300),
        (&["transpose.rs"], 300),
    ];
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    for (names, most) in files {
        let lines: usize = names.iter().map(|name| read(name).lines().count()).sum();
        assert!(lines <= most, "{names:?} have {lines} lines");
    }
    for part in ["", "product", "attention"] {
        for file in std::fs::read_dir(folder.join(part)).expect("it can be read") {
            let path = file.expect("it can be read").path();
            let name = path.strip_prefix(&folder).expect("in the folder").to_str().expect("UTF-8");
            let is_rust = path.extension().is_some_and(|extension| extension == "rs");
            if is_rust && ["#[kernel", "#[ptx::fragment"].iter().any(|it| read(name).contains(it)) {
                assert!(
                    files.iter().any(|(names, _)| names.contains(&name)),
                    "{name} is not counted"
                );
            }
        }
    }
}
