//! Compares the interpreter that verifies the analysis with a GPU: random programs leave the same values in
//! their registers, including programs whose blocks exchange numbers within a cluster and programs that call
//! functions. Needs the feature `cuda` and a driver.
//!
//! `PTX_INTERPRETER_SEED` is the number of the first program.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

mod device;

use std::error::Error;
use std::fmt::Write as _;

use cudarc::driver::{LaunchConfig, PushKernelArg as _};
use cudarc::nvrtc::Ptx;
use device::gpu;
use ptx_interpreter::measured::{self, MEASURED, measuring, source, summed};
use ptx_interpreter::{Buffers, Definition, End, Program, encode};
use ptx_smith::bodies::{
    BLOCK, CALLEES, Choices, Formal, Variant, WORDS, items, launched, mixed, shown,
};
use ptx_types::Target;
use ptx_types::ir::body::Body;

/// The number of programs, and how many of them share one text.
const PROGRAMS: u64 = 600;
const AT_ONCE: u64 = 50;

/// What a program does besides computing.
fn variant(program: u64) -> Variant {
    match program / AT_ONCE % 3 {
        0 => Variant::Plain,
        1 => Variant::Calls,
        _ => Variant::Clusters,
    }
}

/// A program: the body of a kernel, and those of the functions that it calls.
fn bodies(number: u64) -> Vec<String> {
    let mut bodies = launched(&mut Choices::Seeded(mixed(number)), variant(number));
    // ptxas compiles this differently in loops: see docs/measurements.md.
    bodies[0] = bodies[0].replace("mad.hi.", "mad.lo.");
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
    let (cluster, blocks) = variant(number).blocks();
    let launch = Buffers { block: BLOCK, blocks, cluster };
    let word = |n: u64| {
        let n = usize::try_from(n).expect("it is in the buffer");
        start(number, n / WORDS, n % WORDS)
    };
    let left = launch.run(&program, &word)?;
    let words = variant(number).threads() * WORDS;
    Ok((0..words as u64).map(|n| left[&n]).collect())
}

/// The PTX of several programs of one variant.
fn text(programs: impl Iterator<Item = u64>) -> String {
    let mut text = String::new();
    for number in programs {
        let variant = variant(number);
        if text.is_empty() {
            let (version, target) = variant.needs();
            text = format!(".version {version}\n.target {target}\n.address_size 64\n");
        }
        text += &items(&bodies(number), variant, &number.to_string());
    }
    text
}

/// The number of the first program of a variant.
fn first() -> u64 {
    let seed = std::env::var("PTX_INTERPRETER_SEED").ok();
    let first: u64 = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    first / AT_ONCE * AT_ONCE
}

#[test]
fn ptxas_accepts_the_programs() -> Result<(), Box<dyn Error>> {
    for ptxas in xtask::oracles() {
        for first in (first()..).step_by(usize::try_from(AT_ONCE)?).take(3) {
            ptxas.assemble_text(text(first..first + AT_ONCE), variant(first).needs().1)?;
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
        let grid_dim = (variant(part).blocks().1, 1, 1);
        let config = LaunchConfig { grid_dim, block_dim: BLOCK.into(), shared_mem_bytes: 0 };
        for (number, expected) in (part..).zip(expected) {
            let threads = 0..variant(number).threads();
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
    println!(
        "{PROGRAMS} programs of {} threads or more: {compared} registers are equal",
        ptx_smith::bodies::THREADS
    );
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
