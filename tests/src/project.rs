use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

use crate::root;

/// A package outside the workspace that depends on `ptx` as a user's does, with the locked releases of its
/// dependencies. All of them are built into one folder.
#[derive(Debug)]
pub struct Project {
    home: PathBuf,
}

impl Project {
    /// The line for the dependency on cudarc, with the features that `ptx` needs.
    pub const CUDARC: &str = "cudarc = { version = \"0.19\", default-features = false, features = \
        [\"std\", \"driver\", \"nvrtc\", \"fallback-dynamic-loading\", \"cuda-version-from-build-system\", \
        \"fallback-latest\"] }\n";

    /// The package of this name in `target/tests/`, with these dependencies, as lines of its manifest.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn create(name: &str, dependencies: &str) -> io::Result<Self> {
        let project = Self { home: root().join("target/tests").join(name) };
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\n{dependencies}\n[workspace]\n"
        );
        project.write("Cargo.toml", &manifest)?;
        std::fs::copy(root().join("Cargo.lock"), project.home.join("Cargo.lock"))?;
        Ok(project)
    }

    /// The package in this folder, which something else has written.
    pub fn at(home: PathBuf) -> Self {
        Self { home }
    }

    /// The line for the dependency on this `ptx`, with these features.
    pub fn ptx(features: &[&str]) -> String {
        format!("ptx = {{ path = '{}', features = {features:?} }}\n", root().display())
    }

    /// Its folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Writes one of its files, unless it already has this text: cargo does not rebuild what is unchanged.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &str, text: &str) -> io::Result<()> {
        let path = self.home.join(path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return Ok(());
        }
        std::fs::create_dir_all(path.parent().unwrap_or(&self.home))?;
        std::fs::write(path, text)
    }

    /// The folder with the programs of all of these packages.
    pub fn built() -> PathBuf {
        Self::target().join(platform()).join("debug")
    }

    /// The folder into which all of these packages are built, which is that of the crate `trybuild`, too.
    fn target() -> PathBuf {
        root().join("target/tests/trybuild")
    }

    /// The flags with which `trybuild` has cargo call rustc, for a platform that it names: with others, or without one,
    /// cargo would build the libraries once for it and once for these packages.
    const RUSTFLAGS: &str = "--cfg trybuild --verbose -A dead_code";

    /// A cargo command in the package.
    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(arguments).current_dir(&self.home);
        cargo.env("CARGO_TARGET_DIR", Self::target());
        cargo.env("CARGO_BUILD_TARGET", platform());
        cargo.env("CARGO_INCREMENTAL", "0").env("RUSTFLAGS", Self::RUSTFLAGS);
        cargo
    }

    /// Builds the package, and returns how rustc and rustdoc are told of the libraries that these lines of its manifest
    /// depend on.
    ///
    /// # Panics
    /// If cargo does not run or does not build it.
    pub fn libraries(&self, dependencies: &str) -> Vec<String> {
        let output =
            self.cargo(&["build", "--quiet", "--offline", "--message-format=json"]).output();
        let output = output.expect("cargo runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the dependencies are not built:\n{errors}");
        let dependencies: BTreeSet<String> = dependencies
            .lines()
            .filter_map(|line| line.split_once(" = "))
            .map(|(name, _)| name.replace('-', "_"))
            .collect();
        // The macro is built for the machine that compiles.
        let deps = [Self::built(), Self::target().join("debug")].map(|it| it.join("deps"));
        let mut arguments = Vec::from(deps.map(|it| format!("-Ldependency={}", it.display())));
        let messages = String::from_utf8_lossy(&output.stdout);
        for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            let Some(name) = message["target"]["name"].as_str() else { continue };
            let files = message["filenames"].as_array().into_iter().flatten();
            let library = files
                .filter_map(Value::as_str)
                .find(|file| Path::new(file).extension().is_some_and(|it| it == "rlib"));
            if let Some(library) = library
                && dependencies.contains(name)
            {
                arguments.push(format!("--extern={name}={library}"));
            }
        }
        arguments
    }
}

/// The platform of this machine.
fn platform() -> &'static str {
    static PLATFORM: OnceLock<String> = OnceLock::new();
    PLATFORM.get_or_init(|| {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output = Command::new(rustc).arg("-vV").output().expect("rustc runs");
        let output = String::from_utf8_lossy(&output.stdout);
        let host = output.lines().find_map(|line| line.strip_prefix("host: "));
        host.expect("rustc names its platform").to_owned()
    })
}
