//! Kernels that load their registers from one buffer, compute, and store them into another.

use std::fmt::Write as _;

use ptx_isa::{Target, Version};

use super::choices::Choices;
use super::programs::{Features, computing, computing_function, exchanging};
use super::signatures::{CALLEES, Callee, Formal};
use crate::Rng;
use crate::module::Options;

/// What a kernel does besides computing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// Nothing.
    Plain,
    /// It calls functions.
    Calls,
    /// The blocks of a cluster exchange numbers.
    Clusters,
}

/// The extents of a block.
pub const BLOCK: [u32; 3] = [20, 2, 2];

/// The number of threads of a block.
pub const THREADS: usize = 80;

/// The registers that are loaded and stored: their names, their bits, and how many there are.
pub const SHOWN: [(&str, u32, usize); 4] =
    [("%r", 32, 6), ("%d", 64, 4), ("%h", 16, 3), ("%p", 1, 4)];

/// The number of words of 64 bits that a thread loads, and of those that it stores.
pub const WORDS: usize = 6 + 4 + 3 + 4;

/// The names of the registers that are loaded and stored, each with its bits.
pub fn shown() -> impl Iterator<Item = (String, u32)> {
    SHOWN
        .into_iter()
        .flat_map(|(name, bits, count)| (0..count).map(move |n| (format!("{name}{n}"), bits)))
}

impl Variant {
    /// The number of blocks in a cluster and in the grid.
    pub fn blocks(self) -> (u32, u32) {
        if self == Self::Clusters { (2, 4) } else { (1, 1) }
    }

    /// The number of threads in all blocks.
    pub fn threads(self) -> usize {
        THREADS * self.blocks().1 as usize
    }

    /// The PTX version and the target that it needs.
    pub const fn needs(self) -> (Version, Target) {
        match self {
            Self::Clusters => (Version::new(8, 0), Target::Sm90),
            Self::Plain | Self::Calls => (Version::new(7, 6), Target::Sm80),
        }
    }
}

/// The bodies of a kernel, which loads its registers, computes and stores them, and of the functions that it calls: one
/// statement a line. The kernel's parameters are `from` and `to`.
pub fn launched(choices: &mut Choices, variant: Variant) -> Vec<String> {
    let mut text = String::from(
        ".reg .b32 %r<16>;\n.reg .b64 %d<8>;\n.reg .b16 %h<3>;\n.reg .pred %p<8>;\n.reg .b64 %rd<4>;\n\
        .param .b32 pa;\n.param .b64 pb;\n.param .b32 pz;\n",
    );
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    if variant == Variant::Clusters {
        line(format!(".shared .align 8 .b8 S[{}];", THREADS * 2 * 8));
    }
    line(
        "mov.u32 %r0, %tid.z;\nmov.u32 %r1, %ntid.y;\nmov.u32 %r2, %tid.y;\n\
        mad.lo.u32 %r0, %r0, %r1, %r2;\n\
        mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;"
            .into(),
    );
    if variant == Variant::Clusters {
        // The thread's number within the cluster, and zeroed words for all threads.
        line(format!(
            "mov.u32 %r15, %cluster_ctarank;\nmad.lo.u32 %r15, %r15, {THREADS}, %r0;\n\
            mov.u32 %r9, S;\nshl.b32 %r10, %r0, 3;\nadd.u32 %r9, %r9, %r10;\nmov.b64 %d0, 0;\n\
            st.shared.b64 [%r9], %d0;\nst.shared.b64 [%r9+{}], %d0;\n\
            mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r0, %r1, {THREADS}, %r0;",
            THREADS * 8
        ));
    }
    line(format!("mul.wide.u32 %rd0, %r0, {};", WORDS * 8));
    line(
        "ld.param.u64 %rd1, [from];\nadd.u64 %rd1, %rd1, %rd0;\n\
        ld.param.u64 %rd2, [to];\nadd.u64 %rd2, %rd2, %rd0;"
            .into(),
    );
    for ((name, bits), n) in shown().zip(0..) {
        let at = n * 8;
        line(match bits {
            1 => format!("ld.global.u32 %r9, [%rd1+{at}];\nsetp.lt.s32 {name}, %r9, 0;"),
            bits => format!("ld.global.b{bits} {name}, [%rd1+{at}];"),
        });
    }
    let computed = match variant {
        Variant::Plain => computing(choices, Features::default()),
        Variant::Calls => computing(choices, Features { calls: true, clusters: false }),
        Variant::Clusters => exchanging(choices, THREADS),
    };
    line(format!("{computed}END:"));
    for ((name, bits), n) in shown().zip(0..) {
        let at = n * 8;
        line(match bits {
            1 => format!("selp.u32 %r9, 1, 0, {name};\nst.global.u32 [%rd2+{at}], %r9;"),
            bits => format!("st.global.b{bits} [%rd2+{at}], {name};"),
        });
    }
    line("ret;".into());
    let mut bodies = vec![text];
    if variant == Variant::Calls {
        bodies.extend(CALLEES.iter().map(|callee| computing_function(choices, callee)));
    }
    bodies
}

/// The functions with these bodies, the kernel as the last; a suffix tells their names from those of others.
pub fn items(bodies: &[String], variant: Variant, suffix: &str) -> String {
    let mut text = String::new();
    let mut write = |head: String, body: &str| {
        let body = calling(body, suffix);
        let body = body.lines().fold(String::new(), |all, line| {
            let margin = if line.ends_with(':') { "" } else { "    " };
            all + margin + line + "\n"
        });
        // Writing to a `String` does not fail.
        let _ = writeln!(text, "{head}\n{{\n{body}}}");
    };
    for (Callee { name, returns, params }, body) in CALLEES.iter().zip(bodies.iter().skip(1)) {
        let (returns, params) = (declared(returns), declared(params));
        write(format!(".func ({returns}) {name}{suffix} ({params})"), body);
    }
    let [x, y, z] = BLOCK;
    let cluster = if variant == Variant::Clusters { " .reqnctapercluster 2" } else { "" };
    let directives = format!(".reqntid {x}, {y}, {z}{cluster}");
    let head = format!(".visible .entry k{suffix}(.param .u64 from, .param .u64 to) {directives}");
    write(head, bodies.first().map_or("", String::as_str));
    text
}

/// Declarations of parameters or results.
fn declared(formals: &[Formal]) -> String {
    let declare = |(name, bits): &Formal| {
        let space = if name.starts_with('%') { "reg" } else { "param" };
        format!(".{space} .b{bits} {name}")
    };
    formals.iter().map(declare).collect::<Vec<_>>().join(", ")
}

/// A body that calls functions with a suffix to their names.
fn calling(body: &str, suffix: &str) -> String {
    let rename = |body: String, Callee { name, .. }: &Callee| {
        body.replace(&format!(", {name}, ("), &format!(", {name}{suffix}, ("))
    };
    CALLEES.iter().fold(body.to_owned(), rename)
}

/// The variants that a target and a PTX version have.
fn variants(options: Options) -> Vec<Variant> {
    let has = |variant: &Variant| {
        let (version, target) = variant.needs();
        options.have(version, target)
    };
    [Variant::Plain, Variant::Calls, Variant::Clusters].into_iter().filter(has).collect()
}

/// A module with a kernel, and comments that say how to launch it.
pub(crate) fn module(rng: &mut Rng, options: Options) -> String {
    let variants = variants(options);
    let variant = if variants.is_empty() { Variant::Plain } else { rng.pick(&variants) };
    let (lowest, least) = variant.needs();
    let (version, target) = options.of_least(lowest, least);
    let bodies = launched(&mut Choices::Seeded(rng.next()), variant);
    let bodies: Vec<String> = bodies.iter().map(|body| specified(body)).collect();
    let (_, blocks) = variant.blocks();
    let threads = variant.threads();
    format!(
        "// {blocks} {} of {THREADS} threads: each loads {WORDS} words of 64 bits from its place in `from`, of which a register\n\
        // takes the lowest bits, and stores the results to its place in `to`, {threads} * {} bytes each.\n\
        .version {version}\n.target {target}\n.address_size 64\n\n{}",
        if blocks == 1 { "block" } else { "blocks" },
        WORDS * 8,
        items(&bodies, variant, "")
    )
}

/// A body whose bit fields have positions and lengths up to 255, beyond which PTX ISA 9.7.1 does not say what they are.
fn specified(body: &str) -> String {
    let mut made = String::new();
    for line in body.lines() {
        let guarded = line.split_once(' ').filter(|_| line.starts_with('@'));
        let opcode = guarded.map_or(line, |(_, instruction)| instruction);
        let is_field = opcode.starts_with("bfe.") || opcode.starts_with("bfi.");
        let parts: Vec<&str> = line.trim_end_matches(';').rsplitn(3, ", ").collect();
        match parts.as_slice() {
            [length, position, rest] if is_field => {
                let mut bounded = |operand: &str, scratch: &str| {
                    if !operand.starts_with('%') {
                        return operand.to_owned();
                    }
                    let _ = writeln!(made, "and.b32 {scratch}, {operand}, 255;");
                    scratch.to_owned()
                };
                let position = bounded(position, "%r9");
                let length = bounded(length, "%r10");
                let _ = writeln!(made, "{rest}, {position}, {length};");
            }
            _ => {
                let _ = writeln!(made, "{line}");
            }
        }
    }
    made
}
