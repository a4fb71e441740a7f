//! Writes the copy of the workspace with its mutants, leaves out those that do not compile, and builds the
//! tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::plan::{Binary, Plan};
use super::rewrite::{Rewritten, rewrite};
use super::sites::Mutant;
use super::tree;

/// The fast tests that run the mutated code, by package: all unit tests of the libraries, and these.
const TESTS: [(&str, &[&str]); 7] = [
    (
        "ptx-float",
        &[
            "float",
            "float_arrays",
            "float_blocks",
            "float_bytes",
            "float_dense",
            "float_edges",
            "float_patterns",
            "float_rounded",
            "float_text",
            "float_tiles",
            "float_variants",
            "float_vec",
        ],
    ),
    (
        "ptx-isa",
        &[
            "advice_in_ptx",
            "allowed",
            "checks",
            "copies",
            "copy_rules",
            "declared_types",
            "declared_values",
            "dynamic_shared",
            "fix_numbers",
            "held",
            "initial_values",
            "limits",
            "modules",
            "operand_content",
            "operand_places",
            "tensor_banks",
            "tensor_choices",
            "tensor_matrix",
            "tensor_mma",
            "tensor_rules",
            "tensor_swizzle",
        ],
    ),
    (
        "ptx-types",
        &[
            "body",
            "deferred",
            "initial_addresses",
            "static_maps",
            "tensor_checked",
            "tensor_descriptor",
            "tensor_edges",
            "tensor_memory_edges",
            "tensor_model",
            "tensor_model_bytes",
            "tensor_model_edges",
            "tensor_model_values",
            "tensor_typed",
            "variable_rules",
        ],
    ),
    ("ptx-analysis", &[]),
    ("ptx-text", &["changes", "findings", "text"]),
    ("ptx-frontend", &["chains", "contracts"]),
    (
        "tests",
        &[
            "bytes",
            "chapter5",
            "edges",
            "formats",
            "forms",
            "golden",
            "instruction_needs",
            "instructions",
            "layout",
            "mistakes",
            "packed",
            "padded",
            "places",
            "ports",
            "protocols",
            "rules",
            "storage",
            "tensor_maps",
            "text_errors",
            "textures",
            "together",
            "transactions",
        ],
    ),
];

/// The packages that are optimised, because they run for each mutant.
const HOT: [&str; 8] = [
    "ptx-float",
    "ptx-isa",
    "ptx-types",
    "ptx-analysis",
    "ptx-text",
    "ptx-frontend",
    "mutant-switch",
    "proptest",
];

/// The tests of all packages or of one.
fn asked(
    package: Option<&str>,
) -> impl Iterator<Item = &'static (&'static str, &'static [&'static str])> {
    TESTS.iter().filter(move |(name, _)| package.is_none_or(|package| package == *name))
}

/// A cargo command for the crates with mutants and those that test them, or for one of them.
fn cargo(tree: &Path, command: &str, package: Option<&str>) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(tree).arg(command).args(["--message-format", "json"]);
    cargo.env_remove("CARGO_MANIFEST_DIR");
    for (package, _) in asked(package) {
        cargo.args(["--package", package]);
    }
    if asked(package).any(|(package, _)| *package == "ptx-float") {
        // Without them, no test reaches the files that need other crates.
        cargo.args(["--features", "ptx-float/rayon,ptx-float/ndarray,ptx-float/serde"]);
    }
    for package in HOT {
        cargo.args(["--config", &format!("profile.dev.package.{package}.opt-level=1")]);
    }
    cargo
        .env("CARGO_TARGET_DIR", tree::home().join("build"))
        .env("RUSTC_BOOTSTRAP", "mutant_switch")
        .env("RUSTFLAGS", "--cap-lints allow")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    cargo
}

/// All mutants by file, including those that do not compile.
pub(super) fn all() -> Result<Vec<Mutant>, String> {
    let mut found = Vec::new();
    for file in tree::mutated_files()? {
        let text = std::fs::read_to_string(tree::workspace().join(&file))
            .map_err(|error| format!("{file}: {error}"))?;
        found.extend(super::sites::mutants(&file, &text)?);
    }
    Ok(found)
}

/// The files of the copy, with all mutants that are not left out.
fn write_mutants(
    tree: &Path,
    mutants: &[Mutant],
    left_out: &BTreeSet<u32>,
) -> Result<BTreeMap<String, Rewritten>, String> {
    let mut by_file: BTreeMap<&str, Vec<(u32, &Mutant)>> = BTreeMap::new();
    for file in tree::mutated_files()? {
        by_file.insert(Box::leak(file.into_boxed_str()), Vec::new());
    }
    for (id, mutant) in (0..).zip(mutants) {
        if !left_out.contains(&id) {
            by_file.entry(&mutant.file).or_default().push((id, mutant));
        }
    }
    let mut files = BTreeMap::new();
    for (file, mutants) in by_file {
        let text = std::fs::read_to_string(tree::workspace().join(file))
            .map_err(|error| format!("{file}: {error}"))?;
        let rewritten = rewrite(&text, &mutants);
        tree::write(&tree.join(file), rewritten.text.as_bytes())?;
        files.insert(file.to_owned(), rewritten);
    }
    Ok(files)
}

/// The mutants that the compiler refuses, or its output if none is responsible.
fn refused(
    tree: &Path,
    package: Option<&str>,
    files: &BTreeMap<String, Rewritten>,
) -> Result<BTreeSet<u32>, String> {
    let output = cargo(tree, "check", package)
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    let mut blamed = BTreeSet::new();
    let mut others = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let message = &message["message"];
        if message["level"] != "error" {
            continue;
        }
        let spans = message["spans"].as_array().cloned().unwrap_or_default();
        let mut found = Vec::new();
        for is_primary in [false, true] {
            if !found.is_empty() {
                break;
            }
            for span in spans.iter().filter(|span| span["is_primary"] == is_primary) {
                let number = |key: &str| {
                    span[key].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
                };
                let Some(file) = span["file_name"].as_str().and_then(|name| files.get(name)) else {
                    continue;
                };
                let place = number("byte_start")..number("byte_end");
                found.extend(if is_primary { file.blamed(&place) } else { file.named(&place) });
            }
        }
        if found.is_empty() {
            others.push_str(message["rendered"].as_str().unwrap_or_default());
        }
        blamed.extend(found);
    }
    if blamed.is_empty() && !output.status.success() {
        return Err(format!("{others}\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(blamed)
}

/// Whether a mutant or a file is at one of these paths, or there are none.
pub(super) fn is_in(name: &str, paths: &[String]) -> bool {
    paths.is_empty() || paths.iter().any(|path| name.starts_with(path.as_str()))
}

/// Builds all that is needed to run the tests, all of them or those of one package, with every mutant at these
/// paths.
pub(super) fn build(package: Option<&str>, paths: &[String]) -> Result<Plan, String> {
    let tree = tree::copy()?;
    let mutants = all()?;
    let memory = tree::home().join("untyped.txt");
    let mut names: BTreeSet<String> =
        std::fs::read_to_string(&memory).unwrap_or_default().lines().map(str::to_owned).collect();
    let mut left_out: BTreeSet<u32> = (0..)
        .zip(&mutants)
        .filter(|(_, mutant)| names.contains(&mutant.to_string()) || !is_in(&mutant.file, paths))
        .map(|(id, _)| id)
        .collect();
    loop {
        let files = write_mutants(&tree, &mutants, &left_out)?;
        let blamed = refused(&tree, package, &files)?;
        if blamed.is_empty() {
            break;
        }
        println!("{} mutants have no type", blamed.len());
        names.extend(blamed.iter().map(|id| mutants[*id as usize].to_string()));
        left_out.extend(blamed);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        tree::write(&memory, names.join("\n").as_bytes())?;
    }
    println!("{} mutants of {}", mutants.len() - left_out.len(), mutants.len());
    let binaries = build_tests(&tree, package)?;
    let mutants = (0..)
        .zip(&mutants)
        .filter(|(id, _)| !left_out.contains(id))
        .map(|(id, mutant)| (id, mutant.to_string()))
        .collect();
    Ok(Plan { binaries, mutants })
}

fn build_tests(tree: &Path, package: Option<&str>) -> Result<Vec<Binary>, String> {
    let mut cargo = cargo(tree, "test", package);
    cargo.args(["--no-run", "--lib"]);
    for test in asked(package).flat_map(|(_, tests)| *tests) {
        cargo.args(["--test", test]);
    }
    let output = cargo.output().map_err(|error| format!("cargo does not run: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let kept = tree::home().join("tests");
    let _ = std::fs::remove_dir_all(&kept);
    std::fs::create_dir_all(&kept).map_err(|error| error.to_string())?;
    let mut binaries = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
        let Some(path) = message["executable"].as_str() else { continue };
        if message["profile"]["test"] != true {
            continue;
        }
        let manifest = message["manifest_path"].as_str().unwrap_or_default();
        let package = Path::new(manifest).parent().unwrap_or(tree);
        let crate_name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let test = message["target"]["name"].as_str().unwrap_or_default();
        let crate_name = if package == tree { "ptx" } else { &crate_name };
        let name = format!("{crate_name}-{test}");
        std::fs::copy(path, kept.join(&name)).map_err(|error| error.to_string())?;
        let _ = Command::new("strip").arg(kept.join(&name)).status();
        let folder = package.strip_prefix(tree).unwrap_or(package).to_string_lossy().into_owned();
        binaries.push(Binary { name, folder, is_compared: false });
    }
    if package.is_none() {
        binaries.push(build_programs(tree, &kept)?);
    }
    Ok(binaries)
}

/// The programs of `ui-tests/` that break access rules, as `tests/check/` builds them: they print at run time
/// what rustc reports there.
fn build_programs(tree: &Path, kept: &Path) -> Result<Binary, String> {
    let mut cargo = cargo(tree, "test", None);
    let output = cargo.args(["--test", "check"]).output();
    let output = output.map_err(|error| format!("cargo does not run: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let name = "ui-programs".to_owned();
    // In the folder of the platform.
    let platforms = std::fs::read_dir(tree.join("target/tests/trybuild"));
    let platforms = platforms.map_err(|error| error.to_string())?.flatten();
    let built = platforms.map(|platform| platform.path().join("debug/unchecked"));
    let built = built.into_iter().find(|path| path.is_file());
    let built = built.ok_or_else(|| "the test `check` has built no program".to_owned())?;
    std::fs::copy(built, kept.join(&name)).map_err(|error| error.to_string())?;
    let _ = Command::new("strip").arg(kept.join(&name)).status();
    Ok(Binary { name, folder: String::new(), is_compared: true })
}
