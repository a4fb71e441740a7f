//! Kernels of which the analysis says that they wait forever, or that they do not, on a GPU: each in a process of its own,
//! which is ended after a while; and random kernels. Needs the feature `cuda` and a driver; the kernels are for `sm_90a`.
//!
//! With `PTX_SANITIZER=racecheck` or `synccheck`, nothing is tested: what this tool of `compute-sanitizer` says of each is
//! printed.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

mod device;
#[path = "../ptx-text/tests/orders/twins.rs"]
mod twins;

use std::collections::VecDeque;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cudarc::driver::{DeviceRepr, LaunchConfig, PushKernelArg, sys};
use cudarc::nvrtc::Ptx;
use device::gpu;
use ptx::Module;
use ptx::ir::{DirectiveKind, Function, FunctionKind, Param};
use ptx_smith::Rng;
use ptx_smith::barriers::{self, Kernel};
use twins::{Twin, kernels};

/// The variable with the file and the line of the kernel that a child process runs; line 0 is the kernel as it is.
const KERNEL: &str = "PTX_ORDER";

/// The variable with the tool of `compute-sanitizer` that watches the kernels.
const TOOL: &str = "PTX_SANITIZER";

/// The time limit for a process, and for one that is watched.
const PATIENCE: Duration = Duration::from_secs(4);
const PATIENCE_WATCHED: Duration = Duration::from_secs(25);

/// The rules about threads that wait forever. What a barrier of the cluster does that not all threads arrive at (A114) is
/// not defined: most such kernels end. A phase for which other bytes come than are expected (A041, A053) may be over too
/// early, or nobody waits for it.
const WAITS: &[&str] = &["A110", "A112", "A067", "A076"];

/// The number of bytes behind each pointer: random kernels copy 65,536 for each of 128 threads.
const BYTES: usize = 1 << 23;

/// The target of kernels that do not run here.
const OTHER: &str = ".target sm_100a";

/// A parameter that points to the starts of rows, each of which has one element; what others point to is zero.
const STARTS: &str = "starts";

/// The random kernels of each kind, and those that run at once.
const RANDOM: usize = 200;
const AT_ONCE: usize = 8;

/// The name of random kernels, whose number is in place of a line.
const OF_SEED: &str = "random";

/// What a kernel does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Done {
    Ends,
    WaitsForever,
    Faults,
    /// A tool reports an error.
    Reported,
}

/// Returns all kernels that are not random.
fn files() -> Vec<(String, String)> {
    kernels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../ptx-text/tests/orders"))
}

/// Returns the random kernel of a number.
fn random(seed: usize) -> String {
    let mut rng = Rng::new(seed as u64, 0);
    let (kernel, _) = Kernel::random(&mut rng);
    barriers::text(&kernel, &mut rng).ptx
}

/// Runs the kernel that another process has named, and ends with 0 if it has no fault.
#[test]
fn run_by_others() {
    let Ok(wanted) = std::env::var(KERNEL) else { return };
    let (file, line) = wanted.split_once(':').expect("a file and a line");
    let line: usize = line.parse().expect("a number");
    if file == OF_SEED {
        launch(&random(line));
    }
    let kernels = files();
    let (_, text) = kernels.iter().find(|(name, _)| name == file).expect("a file");
    let twin = Twin::all(text).into_iter().find(|twin| twin.line == line);
    launch(twin.as_ref().map_or(text, |twin| &twin.text));
}

/// Random kernels of which only a wait that never ends is reported do not end, and those of which nothing is reported do.
#[test]
fn random_kernels_do_what_is_reported() {
    if gpu().is_none() || std::env::var_os(TOOL).is_some() {
        return;
    }
    let [mut waiting, mut right] = [const { Vec::new() }; 2];
    for seed in 0.. {
        let found = Module::parse(random(seed)).check();
        let codes: Vec<&str> = found.iter().map(|it| it.code.unwrap_or_default()).collect();
        let waits = !codes.is_empty() && codes.iter().all(|code| WAITS.contains(code));
        if codes.is_empty() && right.len() < RANDOM {
            right.push((seed, false));
        } else if waits && waiting.len() < RANDOM {
            waiting.push((seed, true));
        }
        if right.len() + waiting.len() == 2 * RANDOM {
            break;
        }
    }
    let all = Mutex::new(VecDeque::from([right, waiting].concat()));
    let others = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = all.lock().expect("none panics").pop_front();
                    let Some((seed, waits)) = next else { break };
                    let done = run(OF_SEED, seed);
                    if waits != (done == Done::WaitsForever) || done == Done::Faults {
                        let other = format!("{seed}, waits: {waits}: {done:?}");
                        others.lock().expect("none panics").push(other);
                    }
                }
            });
        }
    });
    let others = others.into_inner().expect("none panics");
    println!("{RANDOM} that wait forever, and {RANDOM} without a report; {} differ", others.len());
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn what_waits_forever_does_and_the_rest_does_not() {
    let kernels = files();
    if gpu().is_none() {
        return;
    }
    let is_watched = std::env::var_os(TOOL).is_some();
    let mut others = Vec::new();
    let [mut right, mut waiting, mut faulty, mut left_out] = [0; 4];
    for (name, text) in &kernels {
        // The maps of tensors are opaque.
        if text.contains("[128]") || text.contains(OTHER) {
            left_out += 1;
            continue;
        }
        let done = run(name, 0);
        right += 1;
        if is_watched {
            println!("{name}: {done:?}");
        } else if done != Done::Ends {
            others.push(format!("{name}: {done:?}"));
        }
        for twin in Twin::all(text) {
            let done = run(name, twin.line);
            if !is_watched && twin.codes.iter().any(|code| WAITS.contains(&code.as_str())) {
                waiting += 1;
                if done == Done::Ends {
                    others.push(format!("{name}:{}: {}: ends", twin.line, twin.marker));
                }
            } else {
                faulty += 1;
                println!("{name}:{}: {}: {done:?}", twin.line, twin.marker);
            }
        }
    }
    println!(
        "{right} kernels as they are, {waiting} that wait forever, {faulty} other mistakes; \
         {left_out} kernels with tensor maps or for another target were left out"
    );
    assert!(others.is_empty(), "{} differ: {others:#?}", others.len());
}

/// Runs a kernel in a child process.
fn run(file: &str, line: usize) -> Done {
    let own = std::env::current_exe().expect("this program");
    let tool = std::env::var(TOOL).ok();
    let (mut command, patience) = match &tool {
        None => (Command::new(own), PATIENCE),
        Some(tool) => {
            let mut command = Command::new("compute-sanitizer");
            command.args(["--tool", tool, "--error-exitcode", "3"]).arg(own);
            (command, PATIENCE_WATCHED)
        }
    };
    let mut child = command
        .args(["--exact", "run_by_others", "--nocapture"])
        .env(KERNEL, format!("{file}:{line}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the process starts");
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it was started") {
            return match status.code() {
                Some(0) => Done::Ends,
                Some(3) if tool.is_some() => Done::Reported,
                _ => Done::Faults,
            };
        }
        if start.elapsed() > patience {
            let _ = child.kill();
            let _ = child.wait();
            return Done::WaitsForever;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A parameter's bytes.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bytes([u8; 8]);

// SAFETY: the type consists of bytes.
unsafe impl DeviceRepr for Bytes {}

/// The numbers of a directive, or ones.
fn extents(kernel: &Function<'_>, kind: DirectiveKind) -> (u32, u32, u32) {
    let directive = kernel.directives.iter().find(|it| it.kind == kind);
    let [x, y, z] = directive.map_or([1; 3], |directive| directive.values);
    (x.max(1), y.max(1), z.max(1))
}

/// Launches a kernel and ends the process, with 0 if it has no fault.
fn launch(text: &str) -> ! {
    let context = gpu().expect("the parent process had a GPU");
    let stream = context.default_stream();
    let parsed = Module::parse(text);
    let mut functions = parsed.module().functions.iter();
    let kernel = functions.find(|it| it.kind == FunctionKind::Kernel).expect("a kernel");
    let module = context.load_module(Ptx::from_src(text)).expect("it assembles");
    let function = module.load_function(kernel.name).expect("the kernel");
    let dynamic = if text.contains(".extern .shared") { 65_536 } else { 0 };
    let maximum = sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    function.set_attribute(maximum, dynamic).expect("so much shared memory");
    let starts: Vec<u8> = (0..64_u32).flat_map(u32::to_ne_bytes).collect();
    let buffer = |param: &Param<'_>| {
        let mut buffer = stream.alloc_zeros::<u8>(BYTES).expect("memory");
        if param.variable.name == STARTS {
            stream.memcpy_htod(&starts, &mut buffer).expect("it is smaller");
        }
        buffer
    };
    let buffers: Vec<_> = kernel.params.iter().map(buffer).collect();
    // Where some parameters are declared as pointers, the others are numbers.
    let has_pointers = kernel.params.iter().any(|param| param.pointer.is_some());
    let parameters: Vec<Bytes> = kernel
        .params
        .iter()
        .zip(&buffers)
        .map(|(param, buffer)| {
            use cudarc::driver::DevicePtr as _;
            let address = buffer.device_ptr(&stream).0;
            let scalar = param.variable.ty.scalar();
            Bytes(match scalar.map(ptx::ScalarType::bytes) {
                Some(8) if param.pointer.is_some() || !has_pointers => address.to_ne_bytes(),
                _ => 4_u64.to_ne_bytes(),
            })
        })
        .collect();
    let config = LaunchConfig {
        grid_dim: extents(kernel, DirectiveKind::ReqNCtaPerCluster),
        block_dim: extents(kernel, DirectiveKind::ReqNTid),
        shared_mem_bytes: dynamic.try_into().expect("small"),
    };
    let mut launch = stream.launch_builder(&function);
    for parameter in &parameters {
        launch.arg(parameter);
    }
    // SAFETY: none. The effect on its own process is under test.
    let launched = unsafe { launch.launch(config) };
    let is_right = launched.is_ok() && stream.synchronize().is_ok();
    std::process::exit(i32::from(!is_right));
}
