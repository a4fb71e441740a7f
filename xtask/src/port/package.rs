//! The package with the converted files as examples, and cargo's messages about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_cli::import::{Allowances, Converted, Options, Types, convert, module_name};
use ptx_text::Parsed;
use ptx_types::rules::{self, Kind};
use serde_json::Value;

use super::file::read;
use super::outcome::Finding;

/// A file as an example.
pub(super) struct Example {
    /// The name of the example.
    pub(super) target: String,
    /// The file.
    pub(super) ptx: String,
    module: String,
    allowed: Allowances,
    /// Whether accesses to elements are written as places.
    places: bool,
    pub(super) converted: Converted,
}

impl Example {
    pub(super) fn new(name: &str, ptx: String, places: bool) -> Self {
        let module = module_name(name);
        // The prefix avoids names that cargo reserves.
        let target = format!("of_{module}");
        Self {
            target,
            ptx,
            module,
            allowed: Allowances::default(),
            places,
            converted: Converted::default(),
        }
    }

    /// Converts the file, with the allowances of its items.
    pub(super) fn convert(&mut self) -> Result<(), String> {
        let parsed = Parsed::new(self.ptx.as_str());
        let options = Options {
            module: &self.module,
            allowed: &self.allowed,
            types: &Types::default(),
            places: self.places,
        };
        let converted = convert(&parsed, &options).map_err(|refused| {
            let found = refused.first();
            found.map_or_else(String::new, |found| {
                format!("line {}: {found}", parsed.position(found.range.start).line)
            })
        });
        self.converted = converted?;
        Ok(())
    }

    /// Allows the hazards among these errors in their items; returns whether one is new.
    pub(super) fn allow(&mut self, findings: &[Finding]) -> bool {
        let mut is_new = false;
        for finding in findings {
            let (Some(code), Some(line)) = (&finding.code, finding.line) else { continue };
            let is_hazard = rules::rule(code).is_some_and(|rule| rule.kind == Kind::Hazard);
            if let (true, Some(item)) = (is_hazard, self.converted.item_at(line)) {
                is_new |= self.allowed.add(item, code);
            }
        }
        is_new
    }

    /// The text of the example: a program that prints the module, which starts on the first line, like the
    /// printed text.
    pub(super) fn text(&self) -> String {
        format!(
            "{}\nuse ptx::prelude::*;\n\nfn main() {{\n    print!(\"{{}}\", {}::MODULE);\n}}\n",
            self.converted.text, self.module
        )
    }
}

/// Cargo's messages, by name of the example.
#[derive(Default)]
pub(crate) struct Built {
    pub(crate) findings: BTreeMap<String, Vec<Finding>>,
    /// The programs of the examples without errors.
    pub(crate) programs: BTreeMap<String, PathBuf>,
}

/// A package of examples that use the library.
pub(crate) struct Package {
    folder: PathBuf,
}

impl Package {
    /// Creates the package in a folder, or uses the existing one.
    pub(crate) fn create(library: &Path, folder: &Path) -> Result<Self, String> {
        for name in ["examples", "src"] {
            let path = folder.join(name);
            std::fs::create_dir_all(&path)
                .map_err(|error| format!("cannot make {}: {error}", path.display()))?;
        }
        let library = library.canonicalize().map_err(|error| {
            format!("cannot find {}: {error}; name a checkout of ptx", library.display())
        })?;
        let manifest = format!(
            r#"[package]
name = "ported"
version = "0.0.0"
edition = "2024"
publish = false

[workspace]

[dependencies]
ptx = {{ path = {:?} }}

[lints.rust]
warnings = "allow"

[profile.dev]
debug = false
incremental = false

# The macros judge: they are what takes the time.
[profile.dev.build-override]
opt-level = 2

[profile.dev.package."*"]
opt-level = 1
"#,
            library.to_string_lossy()
        );
        write(&folder.join("Cargo.toml"), &manifest)?;
        write(&folder.join("src/lib.rs"), "//! Converted files are this package's examples.\n")?;
        // Cargo maintains an existing lock file.
        for (name, is_kept) in [("rust-toolchain.toml", false), ("Cargo.lock", true)] {
            let (from, to) = (library.join(name), folder.join(name));
            if from.exists() && !(is_kept && to.exists()) {
                write(&to, &read(&from)?)?;
            }
        }
        Ok(Self { folder: folder.to_owned() })
    }

    /// Writes these examples, given by name and text, and builds them with cargo.
    pub(crate) fn build(
        &self,
        examples: impl Iterator<Item = (String, String)>,
    ) -> Result<Built, String> {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(&self.folder).env_remove("CARGO_TARGET_DIR");
        cargo.args(["build", "--keep-going", "--message-format=json", "--quiet"]);
        let mut targets = Vec::new();
        for (target, text) in examples {
            let path = self.folder.join("examples").join(format!("{target}.rs"));
            write(&path, &text)?;
            cargo.args(["--example", &target]);
            targets.push(target);
        }
        let output = cargo.output().map_err(|error| format!("cargo does not run: {error}"))?;
        let mut built = Built::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            let name = message["target"]["name"]
                .as_str()
                .filter(|name| targets.iter().any(|target| target == name));
            let Some(name) = name else { continue };
            if message["reason"] == "compiler-message" {
                let found = finding(&message["message"]);
                built.findings.entry(name.to_owned()).or_default().extend(found);
            } else if let Some(program) = message["executable"].as_str() {
                built.programs.insert(name.to_owned(), PathBuf::from(program));
            }
        }
        built.findings.retain(|_, findings| !findings.is_empty());
        let is_silent = |target: &&String| {
            !built.findings.contains_key(*target) && !built.programs.contains_key(*target)
        };
        if let Some(target) = targets.iter().find(is_silent) {
            let stderr = String::from_utf8_lossy(&output.stderr);
            return Err(format!(
                "cargo does not build `{target}`, and reports no error:\n{stderr}"
            ));
        }
        Ok(built)
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    // Cargo does not rebuild unchanged files.
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// An error among the messages of rustc.
fn finding(message: &Value) -> Option<Finding> {
    let text = message["message"].as_str()?;
    if message["level"] != "error" || text.starts_with("aborting due to") {
        return None;
    }
    let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    let primary = spans.iter().find(|span| span["is_primary"] == true);
    let line = primary.and_then(|span| usize::try_from(span["line_start"].as_u64()?).ok());
    let blamed = primary.and_then(|span| span["text"][0]["text"].as_str()).unwrap_or_default();
    // A check in constant evaluation has its message in a label.
    let labels = spans.iter().filter_map(|span| span["label"].as_str());
    let mut texts = std::iter::once(text).chain(labels);
    let (message, code) =
        texts.find_map(|text| Some((text, code(text)?))).map_or((text, None), |(text, code)| {
            (text.trim_start_matches("evaluation panicked: "), Some(code.to_owned()))
        });
    Some(Finding { code, message: message.to_owned(), line, text: blamed.trim().to_owned() })
}

/// The code in `[A021, PTX ISA 6.4.1]`.
fn code(message: &str) -> Option<&str> {
    let mut words = message.split('[').skip(1).filter_map(|part| part.get(..4));
    words.find(|word| rules::rule(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_constants_are_found_in_their_labels() {
        let message = serde_json::json!({
            "message": "evaluation panicked: late",
            "level": "error",
            "spans": [
                { "is_primary": true, "line_start": 9, "text": [{ "text": "  ld.u32 %r1, [a];" }] },
                { "is_primary": false, "label": "evaluation panicked: `a` ends [A020, PTX ISA 6.4.1]" },
            ],
        });
        let found = Finding {
            code: Some("A020".to_owned()),
            message: "`a` ends [A020, PTX ISA 6.4.1]".to_owned(),
            line: Some(9),
            text: "ld.u32 %r1, [a];".to_owned(),
        };
        assert_eq!(finding(&message), Some(found));
        assert_eq!(finding(&serde_json::json!({ "message": "unused", "level": "warning" })), None);
        assert_eq!(code("`%r1` of [a, b] [X999]"), None);
    }
}
