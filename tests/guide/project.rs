//! The programs of the pages as a package: all that compile are modules of one binary, and each that does not is a
//! binary of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;
use tests::{Project as Package, root};

/// Programs by their names.
#[derive(Debug, Default)]
pub(crate) struct Project {
    right: BTreeMap<String, String>,
    /// They compile, and their modules may break rules.
    edited: BTreeMap<String, String>,
    wrong: BTreeMap<String, String>,
}

/// A project that was built.
#[derive(Debug)]
pub(crate) struct Built {
    binary: PathBuf,
    errors: BTreeMap<String, String>,
}

impl Project {
    /// A program that compiles.
    pub(crate) fn add_right(&mut self, name: &str, text: String) {
        assert!(self.right.insert(name.to_owned(), text).is_none(), "two programs are {name}");
    }

    /// A program that compiles although a rule may be broken in it, which it prints.
    pub(crate) fn add_edited(&mut self, name: &str, text: String) {
        assert!(self.edited.insert(name.to_owned(), text).is_none(), "two programs are {name}");
    }

    /// A program that does not.
    pub(crate) fn add_wrong(&mut self, name: &str, text: String) {
        assert!(self.wrong.insert(name.to_owned(), text).is_none(), "two programs are {name}");
    }

    /// Builds all of them. What does not compile has its errors; what should and does not is a panic with them.
    /// Without a network and without the crates that it needs, nothing is built, which is a failure if
    /// `PTX_REQUIRE_PTXAS` is set.
    pub(crate) fn build(&self) -> Option<Built> {
        let package = self.write().expect("files can be written");
        let output = package
            .cargo(&["build", "--quiet", "--bins", "--keep-going", "--message-format=json"])
            .output()
            .expect("cargo runs");
        let mut errors = BTreeMap::<String, String>::new();
        let messages = String::from_utf8_lossy(&output.stdout);
        for message in messages.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            if let Some((name, text)) = error_of(&message) {
                let all = errors.entry(name).or_default();
                if !all.is_empty() {
                    all.push('\n');
                }
                writeln!(all, "{}", text.trim_end()).expect("a string takes all");
            }
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        let no_network = ["failed to download", "failed to get", "Could not resolve host"];
        if std::env::var_os("PTX_REQUIRE_PTXAS").is_none()
            && no_network.iter().any(|failure| stderr.contains(failure))
        {
            eprintln!("NOT RUN: the programs of the guide need crates that cannot be downloaded");
            return None;
        }
        let unexpected: Vec<_> =
            errors.iter().filter(|(name, _)| !self.wrong.contains_key(*name)).collect();
        assert!(unexpected.is_empty(), "a page's program does not compile: {unexpected:#?}");
        let binary = Package::built().join(format!("guide{}", std::env::consts::EXE_SUFFIX));
        assert!(!errors.is_empty() || output.status.success(), "{stderr}");
        Some(Built { binary, errors })
    }

    fn write(&self) -> std::io::Result<Package> {
        let package = Package::create("guide", &(Package::ptx(&["cuda"]) + Package::CUDARC))?;
        // What a page no longer has is no program.
        match std::fs::remove_dir_all(package.home().join("src/bin")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // What the chapters import.
        let imports = [
            ("examples/import.ptx", "saxpy.ptx"),
            ("tests/import/triton.ptx", "vadd.ptx"),
            ("tests/import/pyptx.ptx", "row_max.ptx"),
        ];
        for (from, to) in imports {
            std::fs::copy(root().join(from), package.home().join(to))?;
        }
        // As pyptx writes it without `ptx.bar.sync(0)`.
        let row_max = std::fs::read_to_string(package.home().join("row_max.ptx"))?;
        package.write("row_max_unordered.ptx", &row_max.replace("\tbar.sync 0;\n", ""))?;
        let mut main = String::new();
        for (name, text) in self.right.iter().chain(&self.edited) {
            let mut text = text.clone();
            text.push_str(
                "\npub fn run() { assert_eq!(std::process::Termination::report(main()), ",
            );
            text.push_str("std::process::ExitCode::SUCCESS) }\npub fn modules() {\n");
            let is_right = self.right.contains_key(name);
            for module in modules_of(&text).into_iter().filter(|_| is_right) {
                writeln!(text, "assert!({module}::MODULE.check().is_empty());").expect("it does");
                writeln!(text, "print!(\"{{}}\\0\", {module}::MODULE);").expect("it does");
            }
            text.push_str("}\n");
            package.write(&format!("src/{name}.rs"), &text)?;
            writeln!(main, "#[allow(warnings)] mod {name};").expect("a string takes all");
        }
        main.push_str("fn main() { let words: Vec<_> = std::env::args().skip(1).collect();\n");
        main.push_str("match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {\n");
        for name in self.right.keys().chain(self.edited.keys()) {
            writeln!(main, "[{name:?}] => {name}::run(),").expect("a string takes all");
            writeln!(main, "[{name:?}, \"modules\"] => {name}::modules(),").expect("it does");
        }
        main.push_str("_ => panic!(\"there is no program {words:?}\"),\n} }\n");
        package.write("src/main.rs", &main)?;
        for (name, text) in &self.wrong {
            package.write(&format!("src/bin/{name}.rs"), text)?;
        }
        Ok(package)
    }
}

impl Built {
    /// What rustc says of a program that does not compile; nothing of one that does.
    pub(crate) fn errors(&self, name: &str) -> &str {
        self.errors.get(name).map_or("", String::as_str)
    }

    /// Runs a program, which has to succeed, and gives what it prints, as if it was the reader's.
    pub(crate) fn run(&self, name: &str) -> String {
        self.printed(&[name]).replace(&format!("src/{name}.rs"), "src/main.rs")
    }

    /// The PTX of the modules that a program declares and imports, none of which breaks a rule.
    pub(crate) fn modules(&self, name: &str) -> Vec<String> {
        let printed = self.printed(&[name, "modules"]);
        printed.split_terminator('\0').map(str::to_owned).collect()
    }

    fn printed(&self, arguments: &[&str]) -> String {
        let output = Command::new(&self.binary)
            .args(arguments)
            .current_dir(root())
            .output()
            .expect("it runs");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?} fails:\n{errors}");
        String::from_utf8(output.stdout).expect("it prints UTF-8")
    }
}

/// The names of the modules that a program declares under `#[ptx::module]` or imports.
fn modules_of(text: &str) -> Vec<String> {
    let starts = ["#[ptx::module", "ptx::import!("].map(|start| text.match_indices(start));
    let name = |at: usize| {
        let (_, behind) = text[at..].split_once("mod ").expect("it is a `mod`");
        behind.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    starts.into_iter().flatten().map(|(at, _)| name(at)).collect()
}

/// The binary that an error is about, and the error as a reader would see it.
fn error_of(message: &Value) -> Option<(String, String)> {
    let name = message["target"]["name"].as_str()?;
    let message = &message["message"];
    let text = message["rendered"].as_str()?;
    let is_summary = message["spans"].as_array().is_some_and(Vec::is_empty)
        && text.starts_with("error: aborting due to");
    let path = format!("src/bin/{name}.rs");
    (message["level"] == "error" && !is_summary)
        .then(|| (name.to_owned(), text.replace(&path, "src/main.rs")))
}
