//! The effects of access mistakes on a GPU, each in a separate process, because a fault destroys the context.
//! Needs the feature `cuda` and a driver; the programs are for `sm_90a`.
//!
//! The programs are assembled from text, because declarations with these mistakes do not compile; cudarc loads
//! and launches them.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

#[allow(dead_code)] // some items are only for the documentation
#[path = "mistakes/access.rs"]
mod access;
mod device;

use std::collections::BTreeSet;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use access::{Access, Arg, Does, Map, accesses, fault, harmless, list};
use cudarc::driver::{
    CudaContext, CudaStream, DevicePtr as _, DeviceRepr, DriverError, LaunchConfig, PushKernelArg,
    sys,
};
use cudarc::nvrtc::Ptx;
use device::gpu;
use half::bf16;
use ptx::Target;
use ptx::prelude::*;
use ptx::tensor::{Spec, Tensor, encode};

#[tensor_map(element = u16, box = [64, 32])]
struct Plain;
#[tensor_map(element = u16, box = [64, 32], swizzle = B128)]
struct Swizzled;
#[tensor_map(element = u16, box = [64, 128])]
struct Tall;
#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
struct Left;
#[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
struct Right;

/// The variable with the number of the program that a child process runs.
const PROGRAM: &str = "PTX_MISTAKE";

/// The variable that says which of a program a child process runs, `right` or `wrong`; it runs both without it.
const ONLY: &str = "PTX_MISTAKE_ONLY";

/// The time limit for a process.
const PATIENCE: Duration = Duration::from_secs(30);

/// The initial contents of the results.
const POISON: u32 = 0xcccc_cccc;

/// The observed behaviour of a program.
#[derive(Debug, PartialEq)]
enum Done {
    /// The driver returned this error.
    Fault(u32),
    /// A wait did not end. These words were output before.
    GaveUp(Vec<u32>),
    /// It ended with this output.
    Ended(Vec<u32>),
    /// Its process did not end, or printed nothing.
    Lost,
}

#[test]
fn mistakes_behave_as_documented() {
    let programs: Vec<&Access> = accesses().chain(harmless()).collect();
    if let Ok(number) = std::env::var(PROGRAM) {
        let number: usize = number.parse().expect("a number");
        return child(programs[number]);
    }
    if gpu().is_none() {
        return;
    }
    let mut others = Vec::new();
    let mut seen = [0; 3];
    for (number, access) in programs.iter().enumerate() {
        let [right, wrong] = run(number);
        let (found, agrees) = describe(access, &right, &wrong);
        let mark = if agrees { "" } else { "NOT AS WRITTEN: " };
        println!("{:2}. {}: {mark}{found}", number + 1, access.title);
        if !agrees {
            others.push(access.title);
        }
        match wrong {
            Done::Fault(_) => seen[0] += 1,
            Done::GaveUp(_) | Done::Lost => seen[1] += 1,
            Done::Ended(_) => seen[2] += 1,
        }
    }
    let [faults, hangs, ends] = seen;
    println!("{} programs: {faults} fault, {hangs} wait forever, {ends} end", programs.len());
    // The GPU still works.
    assert!(matches!(run(0)[0], Done::Ended(_)));
    assert!(others.is_empty(), "the behaviour differs: {others:#?}");
}

/// The rules that the meaning of a fault names are those whose mistakes end with it. This test needs no driver.
#[test]
fn faults_name_the_rules_of_their_mistakes() {
    for code in [700, 715, 716, 719] {
        let meaning = ptx::cuda::fault_meaning(code).expect("it has a meaning");
        assert_eq!(meaning.name, fault(code));
        let caused =
            accesses().filter(|access| matches!(access.does, Does::Fault(it) if it == code));
        let rules: BTreeSet<String> =
            caused.filter_map(|access| access.ours.map(rule_of)).collect();
        assert_eq!(meaning.rules.to_vec(), rules.iter().collect::<Vec<_>>(), "{}", meaning.name);
    }
}

/// The code of the rule in our error for a mistake: `[A021, PTX ISA ..]` at the end of its message.
fn rule_of(ours: access::Ours) -> String {
    let path = tests::root().join(format!("ui-tests/{}.stderr", ours.ui));
    let text = std::fs::read_to_string(path).expect("the file is there");
    let mut errors = text.split("\nerror");
    let error = errors.find(|error| error.contains(ours.excerpt)).expect("it has the excerpt");
    let (_, code) = error.split_once(" [").expect("a code");
    code.chars().take(4).collect()
}

/// Describes the observed behaviour, and returns whether it is the documented one.
fn describe(access: &Access, right: &Done, wrong: &Done) -> (String, bool) {
    let Done::Ended(expected) = right else {
        return (format!("without the mistake {right:?}, with it {wrong:?}"), false);
    };
    let right_agrees = expected.starts_with(access.right_shows);
    let (found, wrong_agrees) = match wrong {
        Done::Fault(code) => (
            format!("{} ({code})", fault(*code)),
            matches!(access.does, Does::Fault(written) if written == *code),
        ),
        Done::GaveUp(words) => {
            let first = &words[..words.len().min(4)];
            (format!("a wait never ends; {}", list(first)), matches!(access.does, Does::Hangs))
        }
        Done::Lost => ("its process was killed".to_owned(), false),
        Done::Ended(words) => {
            let differ = words.iter().zip(expected).filter(|(a, b)| a != b).count();
            let agrees = match access.does {
                Does::Shows(written) => words.starts_with(written),
                Does::Differs(written) => differ == written,
                Does::Fault(_) | Does::Hangs => false,
            };
            let first = &words[..words.len().min(4)];
            (format!("{differ} of {} words differ; {}", words.len(), list(first)), agrees)
        }
    };
    let first = &expected[..expected.len().min(4)];
    (format!("{found}; without the mistake {}", list(first)), right_agrees && wrong_agrees)
}

/// Runs a program in a child process, without the mistake and with it.
fn run(number: usize) -> [Done; 2] {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "mistakes_behave_as_documented", "--nocapture"])
        .env(PROGRAM, number.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the process starts");
    let mut output = child.stdout.take().expect("it is piped");
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = output.read_to_string(&mut text);
        text
    });
    let start = Instant::now();
    while child.try_wait().expect("it was started").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let text = reader.join().expect("it reads");
    ["right", "wrong"].map(|name| {
        let line = text.lines().find_map(|line| line.split_once(name)?.1.strip_prefix(':'));
        let mut words = line.unwrap_or_default().split_whitespace();
        let kind = words.next();
        let mut words = words.map(|word| word.parse().expect("a number"));
        match kind {
            Some("fault") => Done::Fault(words.next().expect("a code")),
            Some("gave-up") => Done::GaveUp(words.collect()),
            Some("ended") => Done::Ended(words.collect()),
            _ => Done::Lost,
        }
    })
}

/// Runs a program without the mistake and with it, and prints the results.
fn child(access: &Access) {
    let context = gpu().expect("the parent process had a GPU");
    let only = std::env::var(ONLY).ok();
    let texts = [("right", access.right_text()), ("wrong", access.text())];
    for (name, text) in
        texts.into_iter().filter(|(name, _)| only.as_deref().unwrap_or(name) == *name)
    {
        println!();
        match launch(&context, access, &text) {
            Ok(words) => {
                let how = match words[0] {
                    0 => "gave-up",
                    1 => "ended",
                    other => panic!("{name}: the kernel has not ended: {other:x}"),
                };
                let words: Vec<String> = words[1..].iter().map(ToString::to_string).collect();
                println!("{name}: {how} {}", words.join(" "));
            }
            Err(error) => println!("{name}: fault {}", error.0 as u32),
        }
    }
    // The context may be lost, and its memory with it.
    std::process::exit(0);
}

/// A parameter's bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bytes([u8; 128]);

// SAFETY: the type consists of bytes.
unsafe impl DeviceRepr for Bytes {}

/// The words that a program outputs, after the one that reports how it ended.
fn launch(
    context: &Arc<CudaContext>,
    access: &Access,
    text: &str,
) -> Result<Vec<u32>, DriverError> {
    let stream = context.default_stream();
    let module = context.load_module(Ptx::from_src(text))?;
    let kernel = module.load_function("k")?;
    let dynamic = access.launch.dynamic;
    kernel.set_attribute(
        sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        dynamic.try_into().expect("small"),
    )?;
    let numbers: Vec<u16> = (0..64 * 256).collect();
    let numbers = stream.clone_htod(&numbers)?;
    let matrix: Vec<u16> = (0..64 * 64)
        .map(|i: i16| (i / 64 * 7 + i % 64 * 3) % 13 - 6)
        .map(|value| bf16::from_f32(value.into()).to_bits())
        .collect();
    let matrix = stream.clone_htod(&matrix)?;
    let out = stream.clone_htod(&vec![POISON; 4096])?;
    let address = |of| address(of, &stream);
    let parameters: Vec<Bytes> = access
        .launch
        .args
        .iter()
        .map(|arg| match *arg {
            Arg::U32(value) => parameter(&value.to_ne_bytes()),
            Arg::U64(value) => parameter(&value.to_ne_bytes()),
            Arg::Numbers(offset) => parameter(&(address(&numbers) + offset).to_ne_bytes()),
            Arg::Map(Map::Plain) => map(&Plain::SPEC, address(&numbers), 256),
            Arg::Map(Map::Swizzled) => map(&Swizzled::SPEC, address(&numbers), 256),
            Arg::Map(Map::Tall) => map(&Tall::SPEC, address(&numbers), 256),
            Arg::Map(Map::Left) => map(&Left::SPEC, address(&matrix), 64),
            Arg::Map(Map::Right) => map(&Right::SPEC, address(&matrix), 64),
        })
        .collect();
    let config = LaunchConfig {
        grid_dim: (access.launch.blocks, 1, 1),
        block_dim: (access.launch.threads, 1, 1),
        shared_mem_bytes: dynamic,
    };
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&out);
    for parameter in &parameters {
        launch.arg(parameter);
    }
    // SAFETY: none. The effect on its own process is under test.
    unsafe { launch.launch(config) }?;
    stream.synchronize()?;
    let mut words = stream.clone_dtoh(&out)?;
    words.truncate(1 + access.shows);
    Ok(words)
}

fn address(of: &cudarc::driver::CudaSlice<u16>, stream: &CudaStream) -> u64 {
    of.device_ptr(stream).0
}

/// The driver copies as many bytes as the kernel declares.
fn parameter(value: &[u8]) -> Bytes {
    let mut bytes = [0; 128];
    bytes[..value.len()].copy_from_slice(value);
    Bytes(bytes)
}

/// A map of a matrix with 64 columns.
fn map(spec: &Spec, address: u64, rows: u64) -> Bytes {
    let tensor = Tensor { address, dims: [64, rows, 1, 1, 1], strides: [128, 0, 0, 0] };
    Bytes(*encode(spec, &tensor, Target::Sm90a).expect("a legal map").as_bytes())
}
