//! What `ptx new` creates builds, passes its tests and says what it needs, on a machine without CUDA; and it is as tidy as a
//! new project should be.
//!
//! The library is that of the workspace. With `PTX_PACKAGES`, a folder with unpacked packages, it is what would be published:
//! `.ci/packages` makes target/package, which `.ci/run` names.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tests::Project;

const TEMPLATES: [&str; 4] = ["kernel", "tensor-map", "imported", "floats"];

/// The tool.
fn ptx(arguments: &[&str], folder: &Path) -> (bool, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_ptx")).args(arguments).current_dir(folder).output();
    written(&output.expect("it runs"))
}

/// Whether a program succeeded, and what it wrote.
fn written(output: &Output) -> (bool, String) {
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), text.into_owned())
}

/// What has cargo take the libraries from here instead of from the registry.
fn patches() -> Vec<String> {
    let patch = |name: &str, path: &Path| {
        let path = toml::Value::from(path.to_str().expect("the path is UTF-8"));
        format!("--config=patch.crates-io.{name}.path={path}")
    };
    let Some(packages) = std::env::var_os("PTX_PACKAGES") else {
        return vec![patch("ptx", tests::root())];
    };
    let packages =
        std::fs::read_dir(tests::root().join(packages)).expect("`PTX_PACKAGES` is there");
    let version = concat!("-", env!("CARGO_PKG_VERSION"));
    let packages = packages.map(|entry| entry.expect("an entry").path()).filter_map(|path| {
        let name = path.file_name()?.to_str()?.strip_suffix(version)?.to_owned();
        path.is_dir().then(|| patch(&name, &path))
    });
    packages.collect()
}

/// Creates a project of a template outside of the workspace, whose settings of rustfmt would be taken for its own.
fn create(home: &Path, template: &str) -> Project {
    let name = format!("new-{template}");
    let (is_created, text) = ptx(&["new", &name, "--template", template], home);
    assert!(is_created, "{text}");
    let project = Project::at(home.join(name));
    // The locked releases, which are there without a network.
    let lock = std::fs::read_to_string(tests::root().join("Cargo.lock")).expect("it is there");
    project.write("Cargo.lock", &lock).expect("there is room");
    project
}

#[test]
fn projects_build_and_pass_their_tests() {
    let home = tempfile::tempdir().expect("there is room");
    let patches = patches();
    let patches: Vec<&str> = patches.iter().map(String::as_str).collect();
    for template in TEMPLATES {
        let project = create(home.path(), template);
        let cargo = |command: &str| {
            let mut cargo = project.cargo(&[command, "--offline"]);
            // A machine with neither CUDA nor a ptxas.
            cargo.args(&patches).env_remove("PTX_REQUIRE_PTXAS").env_remove("PTXAS");
            written(&cargo.output().expect("cargo runs"))
        };
        let (passes, text) = cargo("test");
        assert!(passes, "{template}: {text}");
        // The module's own test, and the launch.
        assert!(text.contains("test result: ok. 2 passed"), "{template}: {text}");
        let (ran, text) = cargo("run");
        let is_explained = text.contains("a launch needs NVIDIA's driver and a GPU of compute")
            && text.contains("`cargo test` checks the kernel");
        assert!(ran || is_explained, "{template}: {text}");
        if !ran {
            eprintln!("NOT RUN: the program of `--template {template}` needs a GPU");
        }
    }
}

#[test]
fn projects_are_formatted_and_have_no_lints() {
    let home = tempfile::tempdir().expect("there is room");
    // Built once for all: the project with the same library.
    let library = Project::ptx(&["cuda"]);
    let built = Project::create("created", &library).expect("there is room");
    built.write("src/lib.rs", "").expect("there is room");
    let libraries = built.libraries(&library);
    for template in TEMPLATES {
        let project = create(home.path(), template);
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command.args(arguments).args(if program == "clippy-driver" {
                &libraries[..]
            } else {
                &[]
            });
            command.env("CARGO_MANIFEST_DIR", project.home()).current_dir(project.home());
            let (is_clean, text) = written(&command.output().expect("it runs"));
            assert!(is_clean, "{template}: {text}");
        };
        run("rustfmt", &["--check", "--edition=2024", "src/main.rs"]);
        let lints =
            ["src/main.rs", "--edition=2024", "--emit=metadata", "-Dwarnings", "-Dclippy::all"];
        run("clippy-driver", &[&lints[..], &["--crate-name=created", "--out-dir=."]].concat());
        run("clippy-driver", &[&lints[..], &["--test", "--out-dir=."]].concat());
        let (is_formatted, text) = ptx(&["fmt", "--check", "src/kernels.rs"], project.home());
        assert!(is_formatted, "{template}: {text}");
    }
}

/// The imported kernel is that of the example, which tests run on a GPU.
#[test]
fn the_imported_file_is_that_of_the_example() {
    let home = tempfile::tempdir().expect("there is room");
    let project = create(home.path(), "imported");
    let [file, example] =
        [project.home().join("kernels/saxpy.ptx"), tests::root().join("examples/import.ptx")]
            .map(|path| std::fs::read_to_string(path).expect("it is there"));
    assert_eq!(file, example);
}

#[test]
fn manifests_name_the_library_that_is_asked_for() {
    let home = tempfile::tempdir().expect("there is room");
    let root = tests::root().to_str().expect("the path is UTF-8");
    let git = "https://github.com/ptx-rs/ptx";
    for (name, options, expected) in [
        ("registry", vec![], vec![("version", "0.1")]),
        ("path", vec!["--path", root], vec![("path", root)]),
        ("git", vec!["--git", git], vec![("git", git)]),
    ] {
        let (is_created, text) = ptx(&[&["new", name], &options[..]].concat(), home.path());
        assert!(is_created, "{text}");
        let manifest: PathBuf = home.path().join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("it is there");
        let manifest: toml::Table = manifest.parse().expect("it is TOML");
        let library = manifest["dependencies"]["ptx"].as_table().expect("a table");
        for (key, value) in expected {
            assert_eq!(library[key].as_str(), Some(value), "{name}");
        }
        assert_eq!(library.len(), 2, "{name}: the other is its features");
        assert_eq!(manifest["package"]["name"].as_str(), Some(name));
    }
}
