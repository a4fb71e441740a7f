//! The interpreter that the analysis is held against, against a GPU: programs by chance leave the same
//! in their registers. Needs the feature `cuda` and a driver.
//!
//! `PTX_INTERPRETER_SEED` starts from another program than the first.

extern crate alloc;

mod device;
#[path = "../ptx-analysis/src/interpreter/mod.rs"]
mod interpreter;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use cudarc::driver::{LaunchConfig, PushKernelArg as _};
use cudarc::nvrtc::Ptx;
use device::gpu;
use interpreter::measured::{self, MEASURED, measuring, source, summed};
use interpreter::{Choices, End, Launch, Load, Program, Thread, computing, encode, mixed};
use ptx_types::Target;
use ptx_types::ir::body::Body;

/// How many programs there are, and how many of them are one text.
const PROGRAMS: u64 = 600;
const AT_ONCE: u64 = 50;

/// The threads of the only block.
const BLOCK: [u32; 3] = [20, 2, 2];
const THREADS: usize = 80;

/// The registers that are compared: 32, 64 and 16 bits, predicates.
const SHOWN: [(&str, u32, usize); 4] = [("%r", 32, 6), ("%d", 64, 4), ("%h", 16, 3), ("%p", 1, 4)];

/// How many words a thread starts with, and leaves.
const WORDS: usize = 6 + 4 + 3 + 4;

/// Where the parameters and what they point to lie, for the interpreter.
const PARAMS: [(&str, u64, u64); 2] = [("from", 0x100, 1 << 32), ("to", 0x108, 1 << 40)];

/// The registers that are compared, by their names.
fn shown() -> impl Iterator<Item = (String, u32)> {
    SHOWN
        .into_iter()
        .flat_map(|(name, bits, count)| (0..count).map(move |n| (format!("{name}{n}"), bits)))
}

/// A program as the body of a kernel: what its registers start with, what it does, what they end with.
fn body(number: u64) -> String {
    let mut text = String::from(
        ".reg .b32 %r<16>;\n.reg .b64 %d<8>;\n.reg .b16 %h<3>;\n.reg .pred %p<8>;\n.reg .b64 %rd<4>;\n\
        mov.u32 %r0, %tid.z;\nmov.u32 %r1, %ntid.y;\nmov.u32 %r2, %tid.y;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n\
        mov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\nmad.lo.u32 %r0, %r0, %r1, %r2;\n",
    );
    let bytes = WORDS * 8;
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
    text += &computing(&mut choices);
    text += "END:\n";
    for ((name, bits), n) in shown().zip(0..) {
        let at = n * 8;
        let line = match bits {
            1 => format!("selp.u32 %r9, 1, 0, {name};\nst.global.u32 [%rd2+{at}], %r9;\n"),
            bits => format!("st.global.b{bits} [%rd2+{at}], {name};\n"),
        };
        text += &line;
    }
    text + "ret;\n"
}

/// What a thread starts with: small numbers, and any.
fn start(program: u64, thread: usize, word: usize) -> u64 {
    let number = mixed(mixed(program << 32 | (thread * WORDS + word) as u64));
    match number >> 61 {
        0 => number & 31,
        1 => (number & 31).wrapping_neg(),
        2 => number & 0xff | 0x7fff_ff00,
        _ => number,
    }
}

/// What a thread leaves, by the interpreter.
fn interpreted(program: &Program<'_>, number: u64, thread: Thread) -> Result<Vec<u64>, End> {
    let symbols: BTreeMap<&str, u64> = PARAMS.map(|(name, at, _)| (name, at)).into();
    let load = |load: Load| {
        if let Some((.., address)) = PARAMS.iter().find(|(_, at, _)| *at == load.address) {
            return *address;
        }
        let word = usize::try_from((load.address - PARAMS[0].2) / 8).expect("small");
        start(number, word / WORDS, word % WORDS)
    };
    let launch = Launch {
        block: BLOCK,
        grid: [1; 3],
        symbols: &symbols,
        window: &|_| 0,
        load: &load,
        steps: 100_000,
    };
    let mut last = Vec::new();
    let execution = program.run(&launch, thread, |moment| last = moment.registers.to_vec());
    if execution.end != End::Done {
        return Err(execution.end);
    }
    let value = |(name, bits): (String, u32)| {
        let at = program.registers().iter().position(|it| *it == name)?;
        Some(last[at]? & (u64::MAX >> (64 - bits)))
    };
    Ok(shown().map(|shown| value(shown).unwrap_or_default()).collect())
}

fn threads() -> impl Iterator<Item = Thread> {
    let [x, y, z] = BLOCK;
    let at = move |n: u32| [n % x, n / x % y, n / x / y];
    (0..x * y * z).map(move |n| Thread { number: at(n), block: [0; 3] })
}

/// Some programs, as PTX.
fn text(programs: impl Iterator<Item = u64>) -> String {
    let mut text = String::from(".version 7.6\n.target sm_80\n.address_size 64\n");
    for number in programs {
        let body = body(number);
        writeln!(text, ".visible .entry k{number}(.param .u64 from, .param .u64 to)\n{{\n{body}}}")
            .expect("a string");
    }
    text
}

/// The number of the first program.
fn first() -> u64 {
    std::env::var("PTX_INTERPRETER_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

#[test]
fn ptxas_takes_the_programs() -> Result<(), Box<dyn Error>> {
    for ptxas in xtask::oracles() {
        ptxas.assemble_text(&text(first()..first() + AT_ONCE), Target::Sm80)?;
    }
    Ok(())
}

#[test]
fn the_interpreter_does_what_a_gpu_does() -> Result<(), Box<dyn Error>> {
    // What it does itself is seen without a GPU, too.
    let mut expected = Vec::new();
    for number in first()..first() + PROGRAMS {
        let encoded = encode(&body(number));
        let body = Body::new(&encoded.0, &encoded.1, &[]);
        let program = Program::of(&body, &[]);
        let mut words = Vec::new();
        for thread in threads() {
            let left = interpreted(&program, number, thread);
            words.extend(left.map_err(|end| format!("program {number} ends as {end:?}"))?);
        }
        expected.push(words);
    }
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: BLOCK.into(), shared_mem_bytes: 0 };
    let (mut differ, mut compared) = (Vec::new(), 0);
    let at_once = usize::try_from(AT_ONCE)?;
    for (part, expected) in (first()..).step_by(at_once).zip(expected.chunks(at_once)) {
        let module = context.load_module(Ptx::from_src(text(part..part + AT_ONCE)))?;
        for (number, expected) in (part..).zip(expected) {
            let words = (0..THREADS).flat_map(|thread| (0..WORDS).map(move |word| (thread, word)));
            let words: Vec<u64> = words.map(|(thread, word)| start(number, thread, word)).collect();
            let from = stream.clone_htod(&words)?;
            let mut to = stream.alloc_zeros::<u64>(words.len())?;
            let kernel = module.load_function(&format!("k{number}"))?;
            let mut launch = stream.launch_builder(&kernel);
            launch.arg(&from).arg(&mut to);
            // SAFETY: it takes two buffers, of which each thread has its own words.
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
        println!("{}", body(number.parse()?));
    }
    assert!(differ.is_empty(), "{} of {PROGRAMS} programs differ", differ.len());
    println!("{PROGRAMS} programs of {THREADS} threads: {compared} registers are equal");
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
        // SAFETY: it takes a buffer, of which each thread has its own words.
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
