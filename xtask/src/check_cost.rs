//! What declarations or statements cost in `cargo check`: a crate with so many of them is checked
//! again and again after a touch, and the median time is printed.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 7;

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let mut counts = Vec::new();
    let (what, source): (_, fn(usize) -> String) = match arguments.first().map(String::as_str) {
        Some("--statements") => ("statements", statements),
        Some(_) | None => ("declarations", declarations),
    };
    let arguments = arguments.strip_prefix(&["--statements".to_owned()]).unwrap_or(arguments);
    for argument in arguments {
        counts.push(argument.parse::<usize>().map_err(|_| format!("`{argument}` is no count"))?);
    }
    if counts.is_empty() {
        counts = vec![0, 100, 1000];
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = workspace.join("target/check-cost");
    std::fs::create_dir_all(folder.join("src")).map_err(|error| error.to_string())?;
    let manifest = format!(
        "[package]\nname = \"check-cost\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nptx = {{ path = \"{}\" }}\n\n[workspace]\n",
        workspace.canonicalize().map_err(|error| error.to_string())?.display()
    );
    write(&folder.join("Cargo.toml"), &manifest)?;
    let mut base = None;
    for count in counts {
        write(&folder.join("src/lib.rs"), &source(count))?;
        check(&folder)?;
        let mut times = Vec::new();
        for _ in 0..RUNS {
            write(&folder.join("src/lib.rs"), &source(count))?;
            times.push(check(&folder)?);
        }
        times.sort_unstable();
        let median = times[RUNS / 2];
        let first = *base.get_or_insert(median);
        println!(
            "{count:>6} {what}: cargo check {:>5} ms (median of {RUNS}, {} to {}), {:+} ms",
            median.as_millis(),
            times[0].as_millis(),
            times[RUNS - 1].as_millis(),
            i128::from(u64::try_from(median.as_millis()).unwrap_or(u64::MAX))
                - i128::from(u64::try_from(first.as_millis()).unwrap_or(u64::MAX)),
        );
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn check(folder: &Path) -> Result<Duration, String> {
    let start = Instant::now();
    let output = Command::new("cargo")
        .args(["check", "--offline", "--quiet"])
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    let elapsed = start.elapsed();
    if output.status.success() {
        return Ok(elapsed);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A module with `count` declarations of the usual kinds.
fn declarations(count: usize) -> String {
    let mut text = String::from(
        "//! Declarations.\nuse ptx::prelude::*;\n\n\
         #[ptx::module(target = sm_90a)]\npub mod storage {\n    use super::*;\n",
    );
    for i in 0..count {
        let _ = match i % 5 {
            0 => writeln!(text, "    #[global] pub static V{i}: u32 = {i};"),
            1 => writeln!(
                text,
                "    #[constant] pub static V{i}: [f32; 4] = [0.5, 1.0, {i}.0, 2.0];"
            ),
            2 => writeln!(text, "    #[shared(align = 16)] static V{i}: [V4<f32>; 8];"),
            3 => writeln!(
                text,
                "    #[global] pub static V{i}: [[i16; 3]; 2] = [[1, 2, 3], [-1, 0, {}]];",
                i % 30000
            ),
            _ => writeln!(text, "    /// Documented.\n    #[global] pub static V{i}: V2<f64>;"),
        };
    }
    text.push_str("}\n");
    text
}

/// A kernel with `count` statements of the usual kinds.
fn statements(count: usize) -> String {
    let mut text = String::from(
        "//! Statements.\nuse ptx::prelude::*;\n\n\
         #[ptx::module(target = sm_90a)]\npub mod body {\n    use super::*;\n\
         #[shared] static S: [f32; 64];\n\
         #[kernel] pub fn kernel(p: Ptr<Global, f32>) { ptx! {\n\
         .reg .b64 %rd<4>; .reg .f32 %f<8>; .reg .pred %p<2>;\nld.param.u64 %rd1, [p];\n",
    );
    for i in 0..count {
        let _ = match i % 4 {
            0 => writeln!(text, "ld.global.f32 %f1, [%rd1 + {}];", i % 64 * 4),
            1 => writeln!(text, "fma.rn.f32 %f2, %f1, %f1, %f2;"),
            2 => writeln!(text, "@%p1 st.shared.f32 [S + #({} * 4)], %f2;", i % 64),
            _ => writeln!(text, "mov.b64 %rd2, %rd1;"),
        };
    }
    text.push_str("ret;\n} }\n}\n");
    text
}
