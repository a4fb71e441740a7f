//! What declarations or statements cost in `cargo check`: a crate with so many of them is checked
//! again and again, after an edit that moves every line and from nothing, and the medians are printed.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const RUNS: usize = 5;

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let mut counts = Vec::new();
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
    measure(&folder, "declarations", &counts, declarations)?;
    measure(&folder, "statements that tokens tell", &counts, |count| statements(count, false))?;
    measure(&folder, "statements that rustc judges", &counts, |count| statements(count, true))?;
    measure(&folder, "statements, half into a struct", &counts, |count| accesses(count, 2))?;
    measure(&folder, "accesses to a struct", &counts, |count| accesses(count, 1))
}

/// Checks a crate with so many of `what`.
fn measure(
    folder: &Path,
    what: &str,
    counts: &[usize],
    source: impl Fn(usize) -> String,
) -> Result<(), String> {
    let mut base = None;
    for &count in counts {
        let text = source(count);
        let (mut after_edits, mut from_nothing) = (Vec::new(), Vec::new());
        for run in 0..=RUNS {
            // The lines of all tokens change, and nothing else.
            let edit = "// Edited.\n".repeat(run % 2 + 1);
            write(&folder.join("src/lib.rs"), &(edit + &text))?;
            let time = check(folder, true)?;
            // The first has nothing to go by.
            if run > 0 {
                after_edits.push(time);
                from_nothing.push(check(folder, false)?);
            }
        }
        let times = [median(after_edits), median(from_nothing)];
        let first = *base.get_or_insert(times);
        let more = |n: usize| {
            let millis = |time: Duration| i128::try_from(time.as_millis()).unwrap_or(i128::MAX);
            millis(times[n]) - millis(first[n])
        };
        println!(
            "{count:>6} {what}: cargo check {} ms after an edit ({:+} ms), {} ms from nothing \
             ({:+} ms), medians of {RUNS}",
            times[0].as_millis(),
            more(0),
            times[1].as_millis(),
            more(1),
        );
    }
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Checks the crate, with what rustc remembers of the last time or without.
fn check(folder: &Path, is_incremental: bool) -> Result<Duration, String> {
    let start = Instant::now();
    let output = Command::new("cargo")
        .args(["check", "--offline", "--quiet"])
        .current_dir(folder)
        .env_remove("CARGO_TARGET_DIR")
        .env("CARGO_INCREMENTAL", if is_incremental { "1" } else { "0" })
        .output()
        .map_err(|error| format!("cargo does not run: {error}"))?;
    let elapsed = start.elapsed();
    if output.status.success() {
        return Ok(elapsed);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A kernel with `count` statements, half of them accesses through names and registers, whose
/// storage tokens tell, or rustc.
fn statements(count: usize, is_late: bool) -> String {
    let ty = if is_late { "Row" } else { "[f32; 4096]" };
    let mut text = format!(
        "//! Statements.\nuse ptx::prelude::*;\n\ntype Row = [f32; 4096];\n\n\
         #[ptx::module(target = sm_90a)]\npub mod storage {{\n    use super::*;\n\
         #[shared(align = 16)] static ROW: {ty};\n\
         #[kernel] pub fn k() {{ ptx! {{\n\
         .reg .b32 %r<9>; .reg .f32 %f<{}>;\n\
         mov.u32 %r0, %tid.x; mov.u32 %r1, ROW; mad.lo.u32 %r2, %r0, 16, %r1;\n",
        count + 4
    );
    for i in 0..count {
        let _ = match i % 4 {
            0 => writeln!(text, "ld.shared.f32 %f{i}, [ROW + {}];", i % 4096 * 4),
            1 => writeln!(text, "add.f32 %f{i}, %f{}, %f{};", i - 1, i - 1),
            2 => writeln!(text, "st.shared.f32 [%r2 + {}], %f{};", i % 512 * 4, i - 1),
            _ => writeln!(text, "fma.rn.f32 %f{i}, %f{}, %f0, %f1;", i - 2),
        };
    }
    text.push_str("ret; } }\n}\n");
    text
}

/// A kernel with `count` statements, one of `every` an access at a place of its own in a struct of
/// tiles and barriers, spliced in: through a register, by name, to barriers and to data.
fn accesses(count: usize, every: usize) -> String {
    let mut text = format!(
        "//! Accesses.\nuse ptx::prelude::*;\n\n\
         /// A tile.\n\
         #[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]\npub struct A;\n\n\
         /// Stages.\n#[derive(PtxType)]\n#[repr(C)]\n\
         pub struct Stages {{\n    a: [Tile<A>; 4],\n    full: [Mbarrier; {0}],\n    \
         empty: [Mbarrier; {0}],\n    sums: [f32; {0}],\n}}\n\n\
         #[ptx::module(target = sm_90a)]\npub mod storage {{\n    use super::*;\n\
         #[shared(dynamic)] static SMEM: Stages;\n\
         #[kernel] pub fn k() {{ ptx! {{\n\
         .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<{1}>;\n\
         mov.u32 %r0, SMEM;\n",
        // Tiles end where they do: at multiples of 1,024 bytes.
        (count + 1).next_multiple_of(256),
        count + 4,
    );
    for i in 0..count {
        let n = i / every;
        let _ = match (i % every, n % 4) {
            (0, 0) => writeln!(
                text,
                "mbarrier.arrive.shared.b64 %rd0, [%r0 + #(offset_of!(Stages, full) + 8 * {n})];"
            ),
            (0, 1) => writeln!(
                text,
                "ld.shared.f32 %f{i}, [SMEM + #(offset_of!(Stages, sums) + 4 * {n})];"
            ),
            (0, 2) => writeln!(
                text,
                "mbarrier.init.shared.b64 [SMEM + #(offset_of!(Stages, empty) + 8 * {n})], 1;"
            ),
            (0, _) => writeln!(
                text,
                "st.shared.f32 [%r0 + #(offset_of!(Stages, sums)) + {}], %f{};",
                4 * n,
                i - 1
            ),
            (_, _) => writeln!(text, "add.f32 %f{i}, %f0, %f1;"),
        };
    }
    text.push_str("ret; } }\n}\n");
    text
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
