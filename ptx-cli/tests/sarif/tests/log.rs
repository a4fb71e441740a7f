//! A SARIF log has no missing and no unknown properties: the types of the standard write back exactly what they read.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use serde_sarif::sarif::Sarif;

#[test]
fn logs_are_those_of_the_standard() {
    let tool = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--manifest-path"])
        .arg(tool.canonicalize().expect("the tool is there"))
        .args(["--", "check", "--format", "sarif"])
        .args(["hazards.ptx", "syntax.ptx", "refused.ptx", "allowed.ptx", "absent.ptx"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../cmd/check.in"))
        .output()
        .expect("cargo runs");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    let written: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let log: Sarif = serde_json::from_slice(&output.stdout).expect("it is a log");
    assert_eq!(serde_json::to_value(&log).expect("it can be written"), written);
}
