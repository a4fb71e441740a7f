//! What is published: the manifests, and the files that are packaged.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo writes UTF-8")
}

/// The packages of the workspace.
fn packages() -> Vec<Value> {
    let text = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: Value = serde_json::from_str(&text).expect("it is JSON");
    metadata["packages"].as_array().expect("the packages").clone()
}

/// Those that are published.
fn published() -> Vec<Value> {
    // `publish = false` is an empty list of registries.
    packages().into_iter().filter(|package| package["publish"].is_null()).collect()
}

fn name(package: &Value) -> &str {
    package["name"].as_str().expect("a name")
}

fn folder(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
    manifest.parent().expect("its folder").to_owned()
}

#[test]
fn every_library_and_the_tool_are_published() {
    let names: BTreeSet<String> = published().iter().map(|it| name(it).to_owned()).collect();
    let expected = [
        "ptx",
        "ptx-analysis",
        "ptx-cli",
        "ptx-emit",
        "ptx-float",
        "ptx-frontend",
        "ptx-isa",
        "ptx-macros",
        "ptx-smith",
        "ptx-text",
        "ptx-types",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());
}

/// A build compiles a crate once for the macro and for the program if both take it with the same features, and all
/// that it depends on.
#[test]
fn the_macro_and_a_program_share_the_vocabulary_the_analysis_and_the_text() {
    let text = ["bumpalo", "ptx-analysis", "ptx-isa", "self_cell"];
    for (shared, features, needed) in [
        ("ptx-isa", &["serde"][..], &[][..]),
        ("ptx-analysis", &[], &["ptx-isa"]),
        ("ptx-text", &[], &text),
    ] {
        let package = published().into_iter().find(|package| name(package) == shared);
        let package = package.unwrap_or_else(|| panic!("{shared} is published"));
        let names: Vec<&String> =
            package["features"].as_object().expect("features").keys().collect();
        assert_eq!(names, features, "{shared}");
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        let dependencies = dependencies
            .filter(|dependency| dependency["kind"].is_null() && dependency["optional"] == false);
        let names: Vec<&str> = dependencies.map(name).collect();
        assert_eq!(names, needed, "{shared}");
    }
    // In the workspace, too, a profile of the macro's own would compile them twice.
    let root = xtask::sample::workspace().expect("the workspace");
    let config = std::fs::read_to_string(root.join(".cargo/config.toml")).expect("it is there");
    assert!(!config.contains("build-override]"), "{config}");
}

/// A program reads PTX text, and no Rust tokens. The tool writes Rust, with the names that `import!` gives.
#[test]
fn the_macro_and_the_tool_alone_need_the_parser_of_rust_tokens() {
    let needs = |package: &Value| {
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        let mut own = dependencies.filter(|dependency| dependency["kind"].is_null());
        own.any(|dependency| name(dependency) == "ptx-frontend")
    };
    let users: Vec<Value> = published().into_iter().filter(needs).collect();
    let names: BTreeSet<&str> = users.iter().map(name).collect();
    assert_eq!(names, ["ptx-cli", "ptx-macros"].into());
}

#[test]
fn manifests_say_what_the_registry_shows() {
    for package in published() {
        let name = name(&package);
        for field in ["description", "license", "repository", "homepage", "readme", "rust_version"]
        {
            assert!(package[field].is_string(), "{name} has no {field}");
        }
        let documentation = format!("https://docs.rs/{name}");
        assert_eq!(package["documentation"], Value::from(documentation), "{name}");
        for list in ["keywords", "categories"] {
            let count = package[list].as_array().map_or(0, Vec::len);
            assert!((1..=5).contains(&count), "{name} has {count} {list}");
        }
        assert_eq!(package["metadata"]["docs"]["rs"]["all-features"], Value::from(true), "{name}");
    }
}

#[test]
fn packages_have_what_belongs_there_and_nothing_else() {
    let root = xtask::sample::workspace().expect("the workspace");
    for package in published() {
        let (name, folder) = (name(&package), folder(&package));
        let list = cargo(&["package", "--list", "--allow-dirty", "--offline", "--package", name]);
        let files: BTreeSet<&Path> = list.lines().map(Path::new).collect();
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert!(files.contains(Path::new(licence)), "{name} has no {licence}");
            let read =
                |folder: &Path| std::fs::read_to_string(folder.join(licence)).expect(licence);
            assert_eq!(read(&folder), read(&root), "{name}");
        }
        for file in &files {
            let first = file.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
            let is_for_tests = file.iter().any(|part| part == "tests" || part == "tests.rs");
            let belongs = match first {
                "src" if name == "ptx-analysis" => !is_for_tests,
                "src" | "docs" | "examples" => true,
                "CHANGELOG.md" => name == "ptx",
                "build.rs" | "rules" | "templates" => name == "ptx-cli",
                "README.md"
                | "LICENSE-APACHE"
                | "LICENSE-MIT"
                | "Cargo.toml"
                | "Cargo.lock"
                | "Cargo.toml.orig"
                | ".cargo_vcs_info.json" => file.iter().count() == 1,
                _ => false,
            };
            assert!(belongs, "{} does not belong into {name}", file.display());
        }
        // A build script that is left out is only a warning of cargo, and reads files of its package.
        let script = folder.join("build.rs").exists();
        assert_eq!(files.contains(Path::new("build.rs")), script, "the build script of {name}");
        if name == "ptx-cli" {
            let pages = std::fs::read_dir(folder.join("rules")).expect("the pages of the rules");
            for page in pages.map(|entry| entry.expect("an entry").file_name()) {
                let page = Path::new("rules").join(page);
                assert!(files.contains(&*page), "{name} does not have {}", page.display());
            }
        }
        for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "rs")) {
            let text = std::fs::read_to_string(folder.join(file)).expect("it is there");
            for included in text.split("include_str!(\"").skip(1) {
                let path = included.split('"').next().expect("a path");
                let path = normal(&file.parent().expect("a folder").join(path));
                let is_there = files.contains(&*path);
                assert!(
                    is_there,
                    "{name} does not have {}, for {}",
                    path.display(),
                    file.display()
                );
            }
        }
    }
}

/// The first sentence of a crate's page and of its README.
#[test]
fn the_first_line_of_each_page_says_for_whom_it_is() {
    for package in published() {
        let (name, folder) = (name(&package), folder(&package));
        let page = std::fs::read_to_string(folder.join("src/lib.rs")).expect("it is there");
        let page = page.lines().next().expect("a line").trim_start_matches("//! ");
        let is_addressed = |line: &str| line.starts_with("For ") || line.contains(" for ");
        assert!(is_addressed(page), "{name}: {page}");
        if name != "ptx" {
            let readme = std::fs::read_to_string(folder.join("README.md")).expect("it is there");
            let first = readme.lines().nth(2).expect("a line");
            assert!(is_addressed(first), "{name}: {first}");
        }
    }
}

/// `tests` and `benches` list their files, because cargo looks for those of a package in another folder.
#[test]
fn every_test_and_benchmark_is_a_target() {
    for package in packages() {
        let kind = match name(&package) {
            "tests" => "test",
            "benches" => "bench",
            _ => continue,
        };
        let folder = folder(&package);
        let targets = package["targets"].as_array().expect("the targets").iter();
        let targets = targets.filter(|target| target["kind"][0] == kind);
        let targets: BTreeSet<PathBuf> =
            targets.filter_map(|target| target["src_path"].as_str()).map(PathBuf::from).collect();
        let entries = std::fs::read_dir(&folder).expect("a folder").flatten();
        let files: BTreeSet<PathBuf> = entries
            .map(|entry| entry.path())
            .map(|path| if path.is_dir() { path.join("main.rs") } else { path })
            .filter(|path| path.is_file() && path.extension().is_some_and(|it| it == "rs"))
            .collect();
        assert_eq!(
            files,
            targets,
            "the files, and those that {}/Cargo.toml lists",
            folder.display()
        );
        assert!(!files.is_empty());
    }
}

/// What a stranger runs first, `cargo run --example quickstart`, compiles little.
#[test]
fn examples_need_few_crates() {
    let tree = cargo(&["tree", "--offline", "--package", "ptx", "--prefix", "none", "--no-dedupe"]);
    let crates: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(" (").next()).collect();
    assert!((10..=45).contains(&crates.len()), "{} crates: {crates:#?}", crates.len());
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if normal.pop() => {}
            part => normal.push(part),
        }
    }
    normal
}

/// `cargo binstall` looks for the archives that `.ci/archive` makes, in the releases of the tags that are built.
#[test]
fn archives_have_the_names_that_binstall_looks_for() {
    let tool = packages().into_iter().find(|package| name(package) == "ptx-cli").expect("the tool");
    let expected = serde_json::json!({
        "pkg-url": "{ repo }/releases/download/v{ version }/ptx-{ target }.tgz",
        "pkg-fmt": "tgz",
        "bin-dir": "ptx-{ target }/{ bin }{ binary-ext }",
    });
    assert_eq!(tool["metadata"]["binstall"], expected);
    let root = xtask::sample::workspace().expect("the workspace");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it is there");
    let script = read(".ci/archive");
    assert!(script.contains("\nname=ptx-$target\n"), "{script}");
    assert!(script.contains("-czf \"$folder.tgz\" -C target/archives \"$name\""), "{script}");
    assert!(read(".github/workflows/release.yml").contains("tags: [\"v*\"]"));
}

/// The lowest toolchain that is promised is the one that every check runs with.
#[test]
fn the_minimum_rust_version_is_the_one_that_is_tested() {
    let root = xtask::sample::workspace().expect("the workspace");
    let toolchain = std::fs::read_to_string(root.join("rust-toolchain.toml")).expect("it is there");
    let channel =
        toolchain.lines().find_map(|line| line.strip_prefix("channel = \"")).expect("it is pinned");
    let channel = channel.trim_end_matches('"');
    for package in published() {
        let promised = package["rust_version"].as_str().expect("it is promised");
        let lowest =
            format!("{promised}{}", if promised.split('.').count() == 2 { ".0" } else { "" });
        assert_eq!(lowest, channel, "{}", name(&package));
    }
    let output = Command::new(env!("CARGO")).arg("--version").output().expect("cargo runs");
    let running = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    assert_eq!(running.split(' ').nth(1), Some(channel), "the tests run with {running}");
}
