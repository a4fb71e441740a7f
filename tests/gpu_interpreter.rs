//! Compares the interpreter that verifies the analysis with a GPU: random programs leave the same values in
//! their registers, including programs whose blocks exchange numbers within a cluster and programs that call
//! functions. Needs the feature `cuda` and a driver.
//!
//! `PTX_INTERPRETER_SEED` is the number of the first program.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

mod device;

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::fmt::Write as _;

use cudarc::driver::{LaunchConfig, PushKernelArg as _};
use cudarc::nvrtc::Ptx;
use device::gpu;
use ptx_interpreter::measured::{self, MEASURED, measuring, source, summed};
use ptx_interpreter::{
    CALLEES, Callee, Choices, Definition, End, Features, Formal, Launch, Load, Program, Store,
    Thread, block_of, computing, computing_function, encode, exchanging, mixed,
};
use ptx_types::ir::body::Body;
use ptx_types::{Space, Target};

/// The number of programs, and how many of them share one text.
const PROGRAMS: u64 = 600;
const AT_ONCE: u64 = 50;

/// The threads of a block.
const BLOCK: [u32; 3] = [20, 2, 2];
const THREADS: usize = 80;

/// What a program does in addition to computing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    /// It calls functions.
    Calls,
    /// The blocks of a cluster exchange numbers.
    Clusters,
}

impl Kind {
    fn of(program: u64) -> Self {
        match program / AT_ONCE % 3 {
            0 => Self::Plain,
            1 => Self::Calls,
            _ => Self::Clusters,
        }
    }

    /// The number of blocks in a cluster and in the grid.
    fn blocks(self) -> (u32, u32) {
        if self == Self::Clusters { (2, 4) } else { (1, 1) }
    }

    /// The number of threads in all blocks.
    fn threads(self) -> usize {
        THREADS * self.blocks().1 as usize
    }

    fn target(self) -> Target {
        if self == Self::Clusters { Target::Sm90 } else { Target::Sm80 }
    }
}

/// The registers that are compared: 32, 64 and 16 bits, predicates.
const SHOWN: [(&str, u32, usize); 4] = [("%r", 32, 6), ("%d", 64, 4), ("%h", 16, 3), ("%p", 1, 4)];

/// The number of words that a thread starts with, and of those that it leaves.
const WORDS: usize = 6 + 4 + 3 + 4;

/// The interpreter's addresses of the parameters and of the buffers that they point to.
const PARAMS: [(&str, u64, u64); 2] = [("from", 0x100, 1 << 32), ("to", 0x108, 1 << 40)];

/// The names of the registers that are compared.
fn shown() -> impl Iterator<Item = (String, u32)> {
    SHOWN
        .into_iter()
        .flat_map(|(name, bits, count)| (0..count).map(move |n| (format!("{name}{n}"), bits)))
}

/// A program: the body of a kernel, which loads its registers, runs the statements and stores the registers;
/// and the bodies of the functions that it calls.
fn bodies(number: u64) -> Vec<String> {
    let kind = Kind::of(number);
    let mut text = String::from(
        ".reg .b32 %r<16>;\n.reg .b64 %d<8>;\n.reg .b16 %h<3>;\n.reg .pred %p<8>;\n.reg .b64 %rd<4>;\n\
        .param .b32 pa;\n.param .b64 pb;\n.param .b32 pz;\n",
    );
    if kind == Kind::Clusters {
        writeln!(text, ".shared .align 8 .b8 S[{}];", THREADS * 2 * 8).expect("a string");
    }
    text += "mov.u32 %r0, %tid.z;\nmov.u32 %r1, %ntid.y;\nmov.u32 %r2, %tid.y;\n\
        mad.lo.u32 %r0, %r0, %r1, %r2;\n\
        mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n";
    let bytes = WORDS * 8;
    if kind == Kind::Clusters {
        // The thread's number within the cluster, and zeroed words for all threads.
        writeln!(
            text,
            "mov.u32 %r15, %cluster_ctarank;\nmad.lo.u32 %r15, %r15, {THREADS}, %r0;\n\
            mov.u32 %r9, S;\nshl.b32 %r10, %r0, 3;\nadd.u32 %r9, %r9, %r10;\nmov.b64 %d0, 0;\n\
            st.shared.b64 [%r9], %d0;\nst.shared.b64 [%r9+{}], %d0;\n\
            mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r0, %r1, {THREADS}, %r0;",
            THREADS * 8
        )
        .expect("a string");
    }
    writeln!(text, "mul.wide.u32 %rd0, %r0, {bytes};").expect("a string");
    text += "ld.param.u64 %rd1, [from];\nadd.u64 %rd1, %rd1, %rd0;\n\
        ld.param.u64 %rd2, [to];\nadd.u64 %rd2, %rd2, %rd0;\n";
    for ((name, bits), n) in shown().zip(0..) {
        let at = n * 8;
        let line = match bits {
            1 => format!("ld.global.u32 %r9, [%rd1+{at}];\nsetp.lt.s32 {name}, %r9, 0;\n"),
            bits => format!("ld.global.b{bits} {name}, [%rd1+{at}];\n"),
        };
        text += &line;
    }
    let mut choices = Choices::Seeded(mixed(number));
    text += &match kind {
        Kind::Plain => computing(&mut choices, Features::default()),
        Kind::Calls => computing(&mut choices, Features { calls: true, clusters: false }),
        Kind::Clusters => exchanging(&mut choices, THREADS),
    }
    // ptxas compiles this differently in loops: see docs/measurements.md.
    .replace("mad.hi.", "mad.lo.");
    text += "END:\n";
    for ((name, bits), n) in shown().zip(0..) {
        let at = n * 8;
        let line = match bits {
            1 => format!("selp.u32 %r9, 1, 0, {name};\nst.global.u32 [%rd2+{at}], %r9;\n"),
            bits => format!("st.global.b{bits} [%rd2+{at}], {name};\n"),
        };
        text += &line;
    }
    let mut bodies = vec![text + "ret;\n"];
    if kind == Kind::Calls {
        bodies.extend(CALLEES.iter().map(|callee| computing_function(&mut choices, callee)));
    }
    bodies
}

/// The initial words of a thread: small and arbitrary numbers.
fn start(program: u64, thread: usize, word: usize) -> u64 {
    let number = mixed(mixed(program << 32 | (thread * WORDS + word) as u64));
    match number >> 61 {
        0 => number & 31,
        1 => (number & 31).wrapping_neg(),
        2 => number & 0xff | 0x7fff_ff00,
        _ => number,
    }
}

/// The interpreter's start of the shared window among generic addresses.
const WINDOW: u64 = 1 << 44;

/// The words that the threads leave, according to the interpreter.
fn interpreted(number: u64) -> Result<Vec<u64>, End> {
    let encoded: Vec<_> = bodies(number).iter().map(|body| encode(body)).collect();
    let names = |formals: &[Formal]| formals.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    let formals = CALLEES.map(|callee| (names(callee.returns), names(callee.params)));
    let mut definitions = Vec::new();
    for (n, (text, table)) in encoded.iter().enumerate() {
        let body = Body::new(text, table, &[]);
        definitions.push(match n.checked_sub(1) {
            None => Definition { name: "k", returns: &[], params: &[], body },
            Some(n) => {
                let (returns, params) = &formals[n];
                Definition { name: CALLEES[n].name, returns, params, body }
            }
        });
    }
    let program = Program::of_functions(&definitions);
    let symbols: BTreeMap<&str, u64> =
        PARAMS.map(|(name, at, _)| (name, at)).into_iter().chain([("S", 0x400)]).collect();
    let (cluster, blocks) = Kind::of(number).blocks();
    // Shared memory, by block number and address.
    let memory: RefCell<HashMap<(u32, u64), u8>> = RefCell::default();
    let shared = |thread: Thread, address: u64| {
        let address = if address >= WINDOW { address - WINDOW } else { address };
        let own = thread.block[0] % cluster;
        let (rank, at) = block_of(address);
        let rank = rank.map_or(own, |rank| u32::try_from(rank).expect("a rank"));
        (address < 1 << 32).then_some((thread.block[0] - own + rank, at))
    };
    let load = |load: Load| {
        if let Some((.., address)) = PARAMS.iter().find(|(_, at, _)| *at == load.address) {
            return *address;
        }
        if let Some((block, at)) = shared(load.thread, load.address) {
            let byte = |n: u32| memory.borrow()[&(block, at + u64::from(n))];
            return (0..load.bytes).rev().fold(0, |all, n| all << 8 | u64::from(byte(n)));
        }
        let word = usize::try_from((load.address - PARAMS[0].2) / 8).expect("small");
        start(number, word / WORDS, word % WORDS)
    };
    let store = |store: Store| {
        if let Some((block, at)) = shared(store.thread, store.address) {
            let bytes = store.value.to_le_bytes().into_iter().zip(0..u64::from(store.bytes));
            memory.borrow_mut().extend(bytes.map(|(byte, n)| ((block, at + n), byte)));
        }
    };
    let launch = Launch {
        grid: [blocks, 1, 1],
        cluster,
        symbols: &symbols,
        window: &|space| if space == Space::Shared { WINDOW } else { 0 },
        load: &load,
        store: &store,
        steps: 1_000_000,
        ..Launch::of_block(BLOCK)
    };
    let mut left = Vec::new();
    for execution in program.run_together(&launch, threads(blocks)) {
        if execution.end != End::Done {
            return Err(execution.end);
        }
        left.extend(shown().map(|(name, bits)| {
            let at = program.registers(0).iter().position(|it| *it == name);
            let value = at.and_then(|at| execution.registers[at]).unwrap_or_default();
            value & (u64::MAX >> (64 - bits))
        }));
    }
    Ok(left)
}

fn threads(blocks: u32) -> impl Iterator<Item = Thread> {
    let [x, y, z] = BLOCK;
    let at = move |n: u32| [n % x, n / x % y, n / x / y];
    (0..blocks).flat_map(move |block| {
        (0..x * y * z).map(move |n| Thread { number: at(n), block: [block, 0, 0] })
    })
}

/// The PTX of several programs of one kind.
fn text(programs: impl Iterator<Item = u64>) -> String {
    let mut text = String::new();
    for number in programs {
        let kind = Kind::of(number);
        if text.is_empty() {
            let head = if kind == Kind::Clusters { (8, 0, 90) } else { (7, 6, 80) };
            let (major, minor, sm) = head;
            text = format!(".version {major}.{minor}\n.target sm_{sm}\n.address_size 64\n");
        }
        let mut bodies = bodies(number).into_iter();
        let kernel = bodies.next().unwrap_or_default();
        for (callee, body) in CALLEES.iter().zip(bodies) {
            let Callee { name, returns, params } = callee;
            let declared = |formals: &[Formal]| {
                let declare = |(name, bits): &Formal| {
                    let space = if name.starts_with('%') { "reg" } else { "param" };
                    format!(".{space} .b{bits} {name}")
                };
                formals.iter().map(declare).collect::<Vec<_>>().join(", ")
            };
            let (returns, params, body) =
                (declared(returns), declared(params), calling(&body, number));
            writeln!(text, ".func ({returns}) {name}{number} ({params})\n{{\n{body}}}")
                .expect("a string");
        }
        let directive = if kind == Kind::Clusters { " .reqnctapercluster 2" } else { "" };
        let kernel = calling(&kernel, number);
        writeln!(
            text,
            ".visible .entry k{number}(.param .u64 from, .param .u64 to){directive}\n{{\n{kernel}}}"
        )
        .expect("a string");
    }
    text
}

/// The body of a program, with its functions renamed so that they can stand beside those of others.
fn calling(body: &str, number: u64) -> String {
    let rename = |body: String, callee: &Callee| {
        let name = callee.name;
        body.replace(&format!(", {name}, ("), &format!(", {name}{number}, ("))
    };
    CALLEES.iter().fold(body.to_owned(), rename)
}

/// The number of the first program of a kind.
fn first() -> u64 {
    let seed = std::env::var("PTX_INTERPRETER_SEED").ok();
    let first: u64 = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    first / AT_ONCE * AT_ONCE
}

#[test]
fn ptxas_accepts_the_programs() -> Result<(), Box<dyn Error>> {
    for ptxas in xtask::oracles() {
        for first in (first()..).step_by(usize::try_from(AT_ONCE)?).take(3) {
            ptxas.assemble_text(text(first..first + AT_ONCE), Kind::of(first).target())?;
        }
    }
    Ok(())
}

#[test]
fn the_interpreter_does_what_a_gpu_does() -> Result<(), Box<dyn Error>> {
    // The interpreter itself is tested without a GPU, too.
    let mut expected = Vec::new();
    for number in first()..first() + PROGRAMS {
        let left = interpreted(number);
        expected.push(left.map_err(|end| format!("program {number} ends as {end:?}"))?);
    }
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let (mut differ, mut compared) = (Vec::new(), 0);
    let at_once = usize::try_from(AT_ONCE)?;
    for (part, expected) in (first()..).step_by(at_once).zip(expected.chunks(at_once)) {
        let module = context.load_module(Ptx::from_src(text(part..part + AT_ONCE)))?;
        let grid_dim = (Kind::of(part).blocks().1, 1, 1);
        let config = LaunchConfig { grid_dim, block_dim: BLOCK.into(), shared_mem_bytes: 0 };
        for (number, expected) in (part..).zip(expected) {
            let threads = 0..Kind::of(number).threads();
            let words = threads.flat_map(|thread| (0..WORDS).map(move |word| (thread, word)));
            let words: Vec<u64> = words.map(|(thread, word)| start(number, thread, word)).collect();
            let from = stream.clone_htod(&words)?;
            let mut to = stream.alloc_zeros::<u64>(words.len())?;
            let kernel = module.load_function(&format!("k{number}"))?;
            let mut launch = stream.launch_builder(&kernel);
            launch.arg(&from).arg(&mut to);
            // SAFETY: the kernel takes two buffers, in which each thread accesses only its own words.
            unsafe { launch.launch(config) }?;
            let left = stream.clone_dtoh(&to)?;
            compared += left.len();
            for (n, (left, expected)) in left.iter().zip(expected).enumerate() {
                if left != expected {
                    let name = shown().nth(n % WORDS).map(|(name, _)| name).unwrap_or_default();
                    differ.push(format!(
                        "program {number}, thread {}: {name} is {left:#x}, not {expected:#x}",
                        n / WORDS
                    ));
                    break;
                }
            }
        }
    }
    for difference in differ.iter().take(10) {
        println!("{difference}");
    }
    if let Some(first) = differ.first() {
        let number = first.trim_start_matches("program ").split(',').next().unwrap_or_default();
        println!("{}", bodies(number.parse()?).join("\n"));
    }
    assert!(differ.is_empty(), "{} of {PROGRAMS} programs differ", differ.len());
    println!("{PROGRAMS} programs of {THREADS} threads or more: {compared} registers are equal");
    Ok(())
}

#[test]
fn what_was_measured_is_so() -> Result<(), Box<dyn Error>> {
    let mut text = String::from(".version 7.6\n.target sm_80\n.address_size 64\n");
    for (n, (instruction, _)) in MEASURED.iter().enumerate() {
        let body = measuring(instruction);
        let bytes = measured::BYTES;
        writeln!(
            text,
            ".visible .entry k{n}(.param .u64 at)\n{{\n.reg .b32 %r<5>;\n.reg .b64 %d<9>;\n\
            ld.param.u64 %d8, [at];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %d7, %r0, {bytes};\n\
            add.u64 %d8, %d8, %d7;\n{body}st.global.b64 [%d8], %d0;\nret;\n}}"
        )?;
    }
    for ptxas in xtask::oracles() {
        ptxas.assemble_text(&text, Target::Sm80)?;
    }
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let module = context.load_module(Ptx::from_src(text))?;
    let (threads, words) = (measured::THREADS, measured::BYTES / 8);
    let block_dim = (u32::try_from(threads)?, 1, 1);
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim, shared_mem_bytes: 0 };
    let mut differ = 0;
    for ((instruction, expected), n) in MEASURED.iter().zip(0..) {
        let all = (0..threads).flat_map(|thread| (0..words).map(move |word| (thread, word)));
        let sources: Vec<u64> = all.map(|(thread, word)| source(n, thread, word)).collect();
        let mut buffer = stream.clone_htod(&sources)?;
        let kernel = module.load_function(&format!("k{n}"))?;
        let mut launch = stream.launch_builder(&kernel);
        launch.arg(&mut buffer);
        // SAFETY: the kernel takes a buffer, in which each thread accesses only its own words.
        unsafe { launch.launch(config) }?;
        let left = stream.clone_dtoh(&buffer)?;
        let found = summed(left.into_iter().step_by(usize::try_from(words)?));
        if found != *expected {
            differ += 1;
            println!("{instruction} is {found:#x}, and was {expected:#x}");
        }
    }
    assert_eq!(differ, 0);
    Ok(())
}
