//! The packages of a workspace, from cargo's metadata.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A package of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// The packages that it needs to build; those for its tests, examples and benches do not count.
    pub needs: Vec<String>,
    /// The root files of its libraries, procedural macros and programs.
    pub roots: Vec<PathBuf>,
}

/// The packages of the workspace in this folder.
///
/// # Errors
/// If cargo does not provide the metadata.
pub fn packages(workspace: &Path) -> Result<Vec<Package>, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace)
        .output()
        .map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata: {error}"))?;
    Ok(list(&metadata["packages"]).map(package).collect())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn package(value: &Value) -> Package {
    let is_needed = |dependency: &&Value| dependency["kind"].as_str() != Some("dev");
    let is_shipped = |target: &&Value| {
        let mut kinds = list(&target["kind"]).filter_map(Value::as_str);
        kinds.any(|kind| matches!(kind, "lib" | "proc-macro" | "bin"))
    };
    Package {
        name: text(&value["name"]),
        needs: list(&value["dependencies"])
            .filter(is_needed)
            .map(|dependency| text(&dependency["name"]))
            .collect(),
        roots: list(&value["targets"])
            .filter(is_shipped)
            .map(|target| PathBuf::from(text(&target["src_path"])))
            .collect(),
    }
}
