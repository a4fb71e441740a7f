//! The cost of statements in bodies for `cargo check`: a crate with kernels in the style of nvcc's output is
//! checked from scratch, with another commit and with this checkout in turn, and the CPU time and the peak
//! memory of its largest process are printed.

use std::fmt::Write as _;
use std::path::Path;

use xtask::sample::{Features, Sample, check_out, workspace};
use xtask::usage::Usage;

/// The number of statements of each kernel in a module with several.
const KERNEL: usize = 1000;

/// The start of a kernel.
const HEAD: &str = "\
    ld.param.u64 %rd1, [src];
    ld.param.u64 %rd2, [dst];
    ld.param.u32 %r3, [n];
    ld.param.u32 %r4, [stride];
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
    mad.lo.s32 %r5, %r2, 256, %r1;
    mov.f32 %f1, 0f00000000;
    mov.f32 %f2, 0fFF800000;
";

/// An iteration of an unrolled loop, with an inner loop that is not unrolled, modelled on nvcc's output for a
/// kernel that reads rows of floats, reduces them in shared memory and writes halves. `{p+1}` is the first
/// unused predicate, and so on: compilers write each register once.
const UNROLLED: &str = "\
    $L__BB0_{l}:
    setp.ge.s32 %p{p+1}, %r{r}, %r3;
    @%p{p+1} bra $L__BB0_{l+2};
    mul.wide.s32 %rd{d+1}, %r{r}, 4;
    add.s64 %rd{d+2}, %rd3, %rd{d+1};
    ld.global.nc.v4.f32 {%f{f+1}, %f{f+2}, %f{f+3}, %f{f+4}}, [%rd{d+2}];
    ld.global.nc.f32 %f{f+5}, [%rd{d+2}+16];
    ld.global.nc.f32 %f{f+6}, [%rd{d+2}+-4];
    shr.s32 %r{r+1}, %r{r}, 31;
    shr.u32 %r{r+2}, %r{r+1}, 29;
    add.s32 %r{r+3}, %r{r}, %r{r+2};
    and.b32 %r{r+4}, %r{r+3}, 1016;
    sub.s32 %r{r+5}, %r{r}, %r{r+4};
    mad.lo.s32 %r{r+6}, %r{r+5}, %r4, %r1;
    mov.u32 %r{r+7}, rows;
    shl.b32 %r{r+8}, %r{r+4}, 2;
    add.s32 %r{r+9}, %r{r+7}, %r{r+8};
    st.shared.f32 [%r{r+9}], %f{f+1};
    st.shared.f32 [%r{r+9}+4], %f{f+2};
    st.shared.f32 [%r{r+9}+8], %f{f+3};
    st.shared.f32 [%r{r+9}+12], %f{f+4};
    bar.sync 0;
    ld.shared.f32 %f{f+7}, [%r{r+9}+16];
    fma.rn.f32 %f{f+8}, %f{f+5}, %f{f+7}, %f1;
    ld.shared.f32 %f{f+9}, [%r{r+9}+20];
    fma.rn.f32 %f{f+10}, %f{f+6}, %f{f+9}, %f{f+8};
    ld.shared.f32 %f{f+11}, [%r{r+9}+24];
    fma.rn.f32 %f{f+12}, %f{f+5}, %f{f+11}, %f{f+10};
    ld.shared.v4.f32 {%f{f+13}, %f{f+14}, %f{f+15}, %f{f+16}}, [rows+{16i}];
    fma.rn.f32 %f{f+17}, %f{f+13}, %f{f+6}, %f{f+12};
    fma.rn.f32 %f{f+18}, %f{f+14}, 0f3FB8AA3B, %f{f+17};
    fma.rn.f32 %f{f+19}, %f{f+15}, %f{f+6}, %f{f+18};
    mul.f32 %f{f+20}, %f{f+16}, 0f3F317218;
    ex2.approx.ftz.f32 %f{f+21}, %f{f+20};
    add.f32 %f{f+22}, %f{f+19}, %f{f+21};
    max.f32 %f{f+23}, %f{f+22}, %f2;
    mov.u32 %r{r+10}, %r{r+5};
    $L__BB0_{l+1}:
    mul.wide.u32 %rd{d+3}, %r{r+10}, 8;
    add.s64 %rd{d+4}, %rd4, %rd{d+3};
    ld.global.v2.u32 {%r{r+11}, %r{r+12}}, [%rd{d+4}];
    xor.b32 %r{r+13}, %r{r+11}, %r{r+12};
    add.s32 %r{r+10}, %r{r+10}, 32;
    setp.lt.u32 %p{p+2}, %r{r+10}, %r{r+13};
    @%p{p+2} bra $L__BB0_{l+1};
    shfl.sync.bfly.b32 %r{r+14}|%p{p+3}, %r{r+13}, 16, 31, -1;
    mov.b32 %f{f+24}, %r{r+14};
    add.f32 %f{f+25}, %f{f+23}, %f{f+24};
    setp.gt.f32 %p{p+4}, %f{f+25}, 0f00000000;
    selp.f32 %f{f+26}, %f{f+25}, %f{f+23}, %p{p+4};
    cvt.rn.f16.f32 %rs{h+1}, %f{f+26};
    mov.b32 %r{r+15}, {%rs{h+1}, %rs{h+1}};
    shl.b64 %rd{d+5}, %rd{d+1}, 1;
    cvt.s64.s32 %rd{d+6}, %r{r+6};
    add.s64 %rd{d+7}, %rd{d+5}, %rd{d+6};
    and.b64 %rd{d+8}, %rd{d+7}, -16;
    add.s64 %rd{d+9}, %rd4, %rd{d+8};
    @%p{p+4} st.global.v4.u32 [%rd{d+9}], {%r{r+15}, %r{r+15}, %r{r+14}, %r{r+13}};
    st.global.f32 [%rd{d+9}+16], %f{f+26};
    mov.u32 %r{r+16}, %tid.x;
    or.b32 %r{r+17}, %r{r+16}, %r{r+6};
    min.s32 %r{r+18}, %r{r+17}, %r{r+12};
    max.s32 %r{r+19}, %r{r+18}, 0;
    mov.b64 {%r{r+20}, %r{r+21}}, %rd{d+9};
    add.s32 %r{r+22}, %r{r}, 256;
";

/// The same for kernels whose launch is declared, so that their threads are followed: they exchange rows in shared memory,
/// and no address or branch depends on what is loaded.
const EXCHANGE: &str = "\
    mul.wide.s32 %rd{d+1}, %r{r}, 16;
    add.s64 %rd{d+2}, %rd3, %rd{d+1};
    ld.global.nc.v4.f32 {%f{f+1}, %f{f+2}, %f{f+3}, %f{f+4}}, [%rd{d+2}];
    shl.b32 %r{r+1}, %r1, 4;
    mov.u32 %r{r+2}, rows;
    add.s32 %r{r+3}, %r{r+2}, %r{r+1};
    st.shared.v4.f32 [%r{r+3}], {%f{f+1}, %f{f+2}, %f{f+3}, %f{f+4}};
    bar.sync 0;
    xor.b32 %r{r+4}, %r{r+1}, 512;
    add.s32 %r{r+5}, %r{r+2}, %r{r+4};
    ld.shared.v4.f32 {%f{f+13}, %f{f+14}, %f{f+15}, %f{f+16}}, [%r{r+5}];
    bar.sync 0;
    fma.rn.f32 %f{f+17}, %f{f+13}, %f{f+1}, %f1;
    fma.rn.f32 %f{f+18}, %f{f+14}, 0f3FB8AA3B, %f{f+17};
    fma.rn.f32 %f{f+19}, %f{f+15}, %f{f+3}, %f{f+18};
    mul.f32 %f{f+20}, %f{f+16}, 0f3F317218;
    ex2.approx.ftz.f32 %f{f+21}, %f{f+20};
    add.f32 %f{f+22}, %f{f+19}, %f{f+21};
    max.f32 %f{f+23}, %f{f+22}, %f2;
    mov.b32 %r{r+13}, %f{f+23};
    shfl.sync.bfly.b32 %r{r+14}|%p{p+3}, %r{r+13}, 16, 31, -1;
    mov.b32 %f{f+24}, %r{r+14};
    add.f32 %f{f+25}, %f{f+23}, %f{f+24};
    setp.gt.f32 %p{p+4}, %f{f+25}, 0f00000000;
    selp.f32 %f{f+26}, %f{f+25}, %f{f+23}, %p{p+4};
    mul.wide.s32 %rd{d+3}, %r{r}, 4;
    add.s64 %rd{d+4}, %rd4, %rd{d+3};
    st.global.f32 [%rd{d+4}], %f{f+26};
    add.s32 %r{r+22}, %r{r}, 65536;
";

/// What the kernels of a measurement are like.
#[derive(Clone, Copy)]
struct Kernels {
    attribute: &'static str,
    iteration: &'static str,
}

impl Kernels {
    const COMPILED: Self = Self { attribute: "kernel", iteration: UNROLLED };
    const LAUNCHED: Self = Self { attribute: "kernel(reqntid = 256)", iteration: EXCHANGE };
}

pub(crate) fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut counts, mut commit, mut kernels) = (Vec::new(), None, Kernels::COMPILED);
    while let Some(argument) = arguments.next() {
        if argument == "--before" {
            commit = Some(arguments.next().ok_or("`--before` is followed by a commit")?);
            continue;
        }
        if argument == "--launched" {
            kernels = Kernels::LAUNCHED;
            continue;
        }
        if argument == "--print" {
            let count = arguments.next().and_then(|count| count.parse().ok());
            let count = count.ok_or("`--print` is followed by a count")?;
            print!("{}", krate(1, &module(kernels, count, usize::MAX)));
            return Ok(());
        }
        counts.push(argument.parse().map_err(|_| format!("`{argument}` is not a count"))?);
    }
    if counts.is_empty() {
        counts = vec![10_000, 40_000, 120_000];
    }
    let workspace = workspace()?;
    let folder = workspace.join("target/body-cost");
    let mut packages = Vec::new();
    if let Some(commit) = &commit {
        packages.push(package(&folder, "before", &check_out(&workspace, commit)?)?);
    }
    packages.push(package(&folder, "now", &workspace)?);
    // Build the common dependencies first.
    check_all(&packages, &krate(1, &module(kernels, 0, 1)), false)?;
    let none = check_all(&packages, &krate(1, &module(kernels, 0, 1)), false)?;
    for count in counts {
        for (what, most) in [("one body", usize::MAX), ("kernels of 1,000", KERNEL)] {
            let usages = check_all(&packages, &krate(1, &module(kernels, count, most)), false)?;
            for ((package, usage), none) in packages.iter().zip(usages).zip(&none) {
                let count_each = u64::try_from(count.max(1)).unwrap_or(u64::MAX);
                let cpu = usage.cpu.saturating_sub(none.cpu).as_micros();
                let bytes = usage.memory.saturating_sub(none.memory);
                println!(
                    "{count:>7} statements in {what}, {:>6}: {:.2} s and {} MiB; in excess of none, per \
                     statement: {} us and {} bytes",
                    package.name,
                    usage.cpu.as_secs_f64(),
                    usage.memory >> 20,
                    cpu / u128::from(count_each),
                    bytes / count_each,
                );
            }
        }
    }
    edit(&packages, kernels)
}

/// Checks crates of one module and of six after an edit in a body.
fn edit(packages: &[Package], kernels: Kernels) -> Result<(), String> {
    let body = module(kernels, KERNEL, KERNEL);
    for modules in [0, 1, 6] {
        let text = krate(modules, &body);
        check_all(packages, &text, true)?;
        // Change one number in the first body.
        let usages = check_all(packages, &text.replacen(", 256, %r1;", ", 512, %r1;", 1), true)?;
        for (package, usage) in packages.iter().zip(usages) {
            println!(
                "{modules:>7} modules of {KERNEL} statements, after an edit in one, {:>6}: {} ms",
                package.name,
                usage.cpu.as_millis(),
            );
        }
    }
    Ok(())
}

/// A crate that is checked.
struct Package {
    name: &'static str,
    sample: Sample,
}

/// The crate, which uses the library in this folder.
fn package(folder: &Path, name: &'static str, library: &Path) -> Result<Package, String> {
    let sample = Sample::create(folder.join(name), library, Features::Default)?;
    Ok(Package { name, sample })
}

/// A crate with this many modules with this content.
fn krate(modules: usize, items: &str) -> String {
    let mut text = String::from(
        "//! Bodies.\n#![allow(unused_imports, non_upper_case_globals)]\n\nuse ptx::prelude::*;\n",
    );
    for n in 0..modules {
        let _ =
            write!(text, "\n#[ptx::module(target = sm_90a)]\npub mod kernels{n} {{\n{items}}}\n");
    }
    text
}

/// The items of a module with `count` statements, with at most `most` in each kernel.
fn module(kernels: Kernels, count: usize, most: usize) -> String {
    let mut text = String::from(
        "    use super::*;\n\n    #[shared(align = 16)]\n    static rows: [f32; 8192];\n",
    );
    let lines = kernels.iteration.lines().count();
    let copies = count / lines;
    let copies_each = most / lines;
    let (mut done, mut number) = (0, 0);
    while done < copies || number == 0 {
        let here = (copies - done).min(copies_each);
        kernel(&mut text, kernels, number, here);
        done += here;
        number += 1;
    }
    text
}

/// Writes a kernel with this many iterations.
fn kernel(text: &mut String, kernels: Kernels, number: usize, copies: usize) {
    let Kernels { attribute, iteration } = kernels;
    let of = |first: usize, each: usize| first + each * (copies + 1);
    let _ = write!(
        text,
        "\n    #[{attribute}]\n    pub fn k{number}(src: u64, dst: u64, n: u32, stride: u32) {{\n        ptx! {{\n\
         .reg .pred %p<{}>;\n.reg .b16 %rs<{}>;\n.reg .b32 %r<{}>;\n.reg .f32 %f<{}>;\n.reg .b64 %rd<{}>;\n",
        of(1, 4),
        of(1, 1),
        of(6, 22),
        of(3, 26),
        of(5, 9),
    );
    text.push_str(HEAD);
    for copy in 0..copies {
        // In braces: a register's first letter and an addend, or a number.
        let number = |place: &str| {
            let (of, added) = place.split_once('+').unwrap_or((place, "0"));
            let first = match of {
                "p" => 4 * copy,
                "h" => copy,
                "r" => 5 + 22 * copy,
                "f" => 2 + 26 * copy,
                "d" => 4 + 9 * copy,
                "l" => 2 * copy,
                // The offset of a row.
                _ => 16 * (copy % 1024),
            };
            first + added.parse::<usize>().unwrap_or_default()
        };
        let mut rest = iteration;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            match after.split_once('}') {
                Some((place, after)) if is_place(place) => {
                    text.push_str(&number(place).to_string());
                    rest = after;
                }
                // Braces of PTX.
                _ => {
                    text.push('{');
                    rest = after;
                }
            }
        }
        text.push_str(rest);
    }
    let _ = write!(text, "$L__BB0_{}:\nret;\n        }}\n    }}\n", 2 * copies);
}

fn is_place(text: &str) -> bool {
    let (of, added) = text.split_once('+').unwrap_or((text, "0"));
    matches!(of, "p" | "h" | "r" | "f" | "d" | "l" | "16i") && added.parse::<usize>().is_ok()
}

/// Checks the crates with this source, with or without rustc's incremental state.
fn check_all(packages: &[Package], text: &str, is_incremental: bool) -> Result<Vec<Usage>, String> {
    let check = |package: &Package| {
        package.sample.write_source(text)?;
        Usage::of(&mut package.sample.check(is_incremental))
    };
    packages.iter().map(check).collect()
}
