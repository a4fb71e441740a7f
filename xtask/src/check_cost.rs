//! The cost of declarations or statements for `cargo check`: a crate with a given number of them is checked
//! repeatedly, after an edit that moves every line and from scratch, and the medians of the CPU time are
//! printed; with `--against`, another commit takes turns with this one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xtask::sample::{Features, Sample, check_out, workspace};
use xtask::usage::Usage;

const RUNS: usize = 5;

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (mut counts, mut against) = (Vec::new(), None);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--against" {
            against = Some(arguments.next().ok_or("`--against` takes a commit")?);
        } else {
            let count = argument.parse::<usize>();
            counts.push(count.map_err(|_| format!("`{argument}` is not a count"))?);
        }
    }
    if counts.is_empty() {
        counts = vec![100, 1000];
    }
    let workspace = workspace()?;
    let folder = workspace.join("target/check-cost");
    let mut crates = vec![Crate::new(folder.join("here"), &workspace, "here")?];
    if let Some(commit) = against {
        let source = check_out(&workspace, commit)?;
        crates.push(Crate::new(folder.join("that"), &source, commit)?);
    }
    measure(&crates, "declarations", &counts, declarations)?;
    measure(&crates, "statements that tokens tell", &counts, |count| statements(count, false))?;
    measure(&crates, "statements that rustc judges", &counts, |count| statements(count, true))?;
    measure(&crates, "statements, half into a struct", &counts, |count| accesses(count, 2))?;
    measure(&crates, "accesses to a struct", &counts, |count| accesses(count, 1))
}

/// A crate that depends on `ptx` of one commit.
struct Crate {
    sample: Sample,
    name: String,
}

impl Crate {
    fn new(folder: PathBuf, ptx: &Path, name: &str) -> Result<Self, String> {
        let sample = Sample::create(folder, ptx, Features::Default)?;
        Ok(Self { sample, name: name.to_owned() })
    }

    /// Measures the CPU time of a text after an edit and from scratch.
    fn times(&self, text: &str, times: &mut [Vec<Duration>; 2], run: usize) -> Result<(), String> {
        // Only the lines of the tokens change.
        let edit = "// Edited.\n".repeat(run % 2 + 1);
        self.sample.write_source(&(edit + text))?;
        let time = self.check(true)?;
        // The first check has no incremental state.
        if run > 0 {
            times[0].push(time);
            times[1].push(self.check(false)?);
        }
        Ok(())
    }

    fn check(&self, is_incremental: bool) -> Result<Duration, String> {
        Ok(Usage::of(&mut self.sample.check(is_incremental))?.cpu)
    }
}

/// Checks crates without `what`, and with a given number of it, in turn.
fn measure(
    crates: &[Crate],
    what: &str,
    counts: &[usize],
    source: impl Fn(usize) -> String,
) -> Result<(), String> {
    let mut bases = vec![[0; 2]; crates.len()];
    for &count in [0].iter().chain(counts) {
        let text = source(count);
        let mut times: Vec<[Vec<Duration>; 2]> =
            crates.iter().map(|_| Default::default()).collect();
        for run in 0..=RUNS {
            for (krate, times) in crates.iter().zip(&mut times) {
                krate.times(&text, times, run)?;
            }
        }
        let mut first = None;
        for ((krate, times), base) in crates.iter().zip(times).zip(&mut bases) {
            let times = times.map(|times| median(times).as_millis());
            if count == 0 {
                *base = times;
                continue;
            }
            let more = [0, 1].map(|n| times[n].saturating_sub(base[n]));
            print!(
                "{count:>6} {what}, {}: {} ms after an edit, {} ms from scratch",
                krate.name, more[0], more[1]
            );
            let of = first.get_or_insert(more);
            #[allow(clippy::cast_precision_loss)] // of milliseconds
            let share = |n: usize| of[n] as f64 / (more[n] as f64).max(1.0);
            if krate.name == crates[0].name {
                println!();
            } else {
                println!("; here {:.2} and {:.2} of it", share(0), share(1));
            }
        }
    }
    Ok(())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// A kernel with `count` statements, half of them accesses through names and registers, whose type the macro
/// knows from the tokens, or only rustc.
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

/// A kernel with `count` statements, one of `every` an access to a different place in a struct of tiles and
/// barriers, spliced in: through a register, by name, to barriers and to data.
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
        // The ends of the tiles are multiples of 1,024 bytes.
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
