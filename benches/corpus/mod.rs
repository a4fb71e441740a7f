//! The texts that PTX readers are measured with.

mod cpu;

use std::fmt::Write as _;
use std::path::Path;

pub(crate) use cpu::CpuTime;

/// The output of compilers, as `tests/real/build.sh` left it, with its name; without it, a generated module that
/// looks similar.
pub(crate) fn corpus() -> (&'static str, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = root.map(|folder| folder.join("target/real/ptx")).find(|folder| folder.is_dir());
    let Some(folder) = found else { return ("generated", vec![generated()]) };
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    let mut paths: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|it| it == "ptx")).collect();
    paths.sort();
    let texts = paths.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    ("compiled", texts.collect())
}

/// The total length in bytes.
pub(crate) fn bytes(texts: &[String]) -> u64 {
    texts.iter().map(|text| text.len() as u64).sum()
}

/// Kernels as nvcc writes them, 2 MB.
fn generated() -> String {
    let mut text =
        String::from("//\n// Generated\n//\n\n.version 8.7\n.target sm_90a\n.address_size 64\n\n");
    for kernel in 0..600 {
        let _ = write!(
            text,
            "\t// .globl\tscale{kernel}\n.visible .entry scale{kernel}(\n\
             \t.param .u64 .ptr .align 1 scale{kernel}_param_0,\n\t.param .u32 scale{kernel}_param_1\n)\n\
             .maxntid 256, 1, 1\n{{\n\t.reg .pred \t%p<3>;\n\t.reg .b32 \t%r<80>;\n\t.reg .b64 \t%rd<80>;\n\n\
             \tld.param.u64 \t%rd1, [scale{kernel}_param_0];\n\
             \tld.param.u32 \t%r1, [scale{kernel}_param_1];\n\tcvta.to.global.u64 \t%rd2, %rd1;\n\
             \tmov.u32 \t%r2, %tid.x;\n\tsetp.ge.u32 \t%p1, %r2, %r1;\n\t@%p1 bra \t$L__BB{kernel}_2;\n\n",
        );
        for n in 3..60 {
            let _ = write!(
                text,
                "\tmul.wide.u32 \t%rd{n}, %r{}, 4;\n\tadd.s64 \t%rd{n}, %rd2, %rd{n};\n\
                 \tld.global.u32 \t%r{n}, [%rd{n}+4];\n",
                n - 1,
            );
        }
        let _ =
            write!(text, "\tst.global.u32 \t[%rd2], %r59;\n\n$L__BB{kernel}_2:\n\tret;\n\n}}\n");
    }
    text
}
