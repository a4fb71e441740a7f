//! Faults, each in a process of its own: which launches an error names, and what each call says afterwards.

use std::env;
use std::error::Error;
use std::fmt::{Display, Write as _};
use std::process::Command;

use ptx::cuda::{FaultMeaning, LaunchError, Over as _, RawPtr, Reason, explain, load, synchronize};
use ptx::prelude::*;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Scale {
    factor: f32,
    shift: i16,
    #[allow(clippy::pub_underscore_fields)]
    _unused: [u8; 2],
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Place {
    at: u64,
    to: Ptr<Global, u32>,
}

#[tensor_map(element = f32, box = [16, 8])]
struct Map;

#[ptx::module(target = sm_90)]
mod kernels {
    use super::*;

    #[global]
    pub static COUNT: u32 = 0;

    #[device(extern)]
    fn __assertfail(message: u64, file: u64, line: u32, function: u64, size: u64);

    #[constant]
    static TEXT: [u8; 6] = *b"never\0";

    /// Adds one to each element.
    #[kernel(
        reqntid = 64,
        requires(to.len() >= n),
        grid = n.div_ceil(64),
        unsafe(safe_launch)
    )]
    pub fn increment(to: Ptr<Global, u32>, n: u32) {
        ptx! {
            let %i, %block, %n, %x: u32;
            let %to: u64;
            let %outside: bool;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 64, %i;
            ld.param.u32 %n, [n];
            setp.ge.u32 %outside, %i, %n;
            @%outside ret;
            ld.param.u64 %to, [to];
            mad.wide.u32 %to, %i, 4, %to;
            ld.global.u32 %x, [%to];
            add.u32 %x, %x, 1;
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// Stores a word so many bytes after the start of the buffer.
    #[kernel(reqntid = 1)]
    pub fn store(to: Ptr<Global, u32>, at: i64, value: u32) {
        ptx! {
            let %to: u64;
            let %at: i64;
            let %value: u32;
            ld.param.u64 %to, [to];
            ld.param.s64 %at, [at];
            add.s64 %to, %to, %at;
            ld.param.u32 %value, [value];
            st.global.u32 [%to], %value;
            ret;
        }
    }

    /// Stores 1 to element 10 of `part`; 2 to element 61 of `whole`, or 3 and 2 to elements 61 and 62 by the struct.
    #[kernel(reqntid = 1)]
    pub fn store_both(part: Ptr<Global, u32>, whole: Ptr<Global, u32>, place: Place) {
        ptx! {
            let %part, %whole, %at, %to: u64;
            let %is_null: bool;
            ld.param.u64 %part, [part];
            st.global.u32 [%part + 40], 1;
            ld.param.u64 %whole, [whole];
            setp.eq.u64 %is_null, %whole, 0;
            @%is_null bra STRUCT;
            st.global.u32 [%whole + 244], 2;
            ret;
        STRUCT:
            ld.param.u64 %at, [place.at];
            st.global.u32 [%at + 244], 3;
            ld.param.u64 %to, [place.to];
            st.global.u32 [%to + 248], 2;
            ret;
        }
    }

    /// The same in shared memory.
    #[kernel(reqntid = 1)]
    pub fn store_shared(at: u32) {
        ptx! {
            let %at: u32;
            ld.param.u32 %at, [at];
            st.shared.u32 [%at], 1;
            ret;
        }
    }

    /// Stores to a buffer that it promises only to read.
    #[kernel(reqntid = 1)]
    pub fn store_readonly(#[readonly] from: Ptr<Global, u32>) {
        ptx! {
            let %from: u64;
            let %low, %high: u32;
            ld.param.u64 %from, [from];
            mov.b64 {%low, %high}, %from;
            mov.b64 %from, {%low, %high};
            st.global.u32 [%from + 8], 77;
            ret;
        }
    }

    /// Ends with `trap`.
    #[kernel(reqntid = 1)]
    pub fn trap(
        scale: Scale,
        weights: V4<f32>,
        map: TensorMap<Map>,
        #[readonly] from: Ptr<Global, f64>,
    ) {
        ptx! { trap; ret; }
    }

    /// Fails an assertion.
    #[kernel(reqntid = 1)]
    pub fn assert() {
        ptx! {
            let %text: u64;
            mov.u64 %text, TEXT;
            cvta.const.u64 %text, %text;
            call __assertfail, (%text, %text, 7, %text, 1);
            ret;
        }
    }

    #[kernel(reqntid = 1)]
    pub fn nothing(n: u32) {
        ptx! { ret; }
    }
}

type Outcome = Result<(), Box<dyn Error>>;

/// The variable that says what a child process does.
const WHAT: &str = "PTX_FAULT";

/// Runs what a name stands for in a process of its own, and returns what it prints.
fn run(what: &str, variables: &[(&str, &str)]) -> String {
    let mut child = Command::new(env::current_exe().expect("this program"));
    child.args(["--exact", "faults::child", "--nocapture"]).env(WHAT, what);
    let output = child.envs(variables.iter().copied()).output().expect("the process starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = text.split_once("BEGIN\n").and_then(|(_, text)| text.split_once("END\n"));
    let Some((told, _)) = told else {
        panic!("{what}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr))
    };
    addresses_replaced(told)
}

/// The text with the same words for all addresses.
fn addresses_replaced(text: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("0x") {
        let end = after.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(after.len());
        replaced += before;
        replaced += if end > 6 { "0x.." } else { &rest[before.len()..before.len() + 2 + end] };
        rest = &after[end..];
    }
    replaced + rest
}

/// What the parent process asks for; nothing by itself.
#[test]
fn child() -> Outcome {
    let Ok(what) = env::var(WHAT) else { return Ok(()) };
    let text = told(&what)?;
    println!("\nBEGIN\n{text}END");
    // The context may be lost, and its memory with it.
    std::process::exit(0);
}

/// Waits, and writes what the GPU reports.
fn say(text: &mut String, title: &str, answer: Result<(), impl Display>) {
    let _ = match answer {
        Ok(()) => writeln!(text, "{title}: ok"),
        Err(error) => writeln!(text, "{title}: {error}"),
    };
}

fn told(what: &str) -> Result<String, Box<dyn Error>> {
    if what == "new context" {
        told("misaligned address")?;
        // Nothing holds the context any more.
        let mut text = String::new();
        say(&mut text, "context", ptx::cuda::context(0).map(|_| ()));
        return Ok(text);
    }
    let context = ptx::cuda::context(0)?;
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(100)?;
    let doubles = stream.alloc_zeros::<f64>(3)?;
    let matrix = stream.alloc_zeros::<f32>(128)?;
    let map = Map::over(&matrix, &stream).dims([16, 8]).encode()?;
    let mut text = String::new();
    // They succeed, so no error names them.
    for _ in 0..3 {
        kernels.increment().launch(&stream, (&mut to, 100))?;
    }
    synchronize(&stream)?;
    kernels.increment().launch(&stream, (&mut to, 50))?;
    if what == "misaligned address" {
        let other = context.new_stream()?;
        // SAFETY: it does nothing.
        unsafe { kernels.nothing().grid(3).launch(&other, (3,))? };
    }
    if what == "graph" {
        graph(&mut text, &kernels, &stream)?;
        return Ok(text);
    }
    // SAFETY: what goes wrong is what is tested; nothing is used after it.
    let launched = unsafe {
        match what {
            "illegal address" => kernels.store().grid(1).launch(&stream, (&mut to, 1 << 44, 7)),
            "misaligned address" => kernels.store().grid(1).launch(&stream, (&mut to, 2, 7)),
            "illegal instruction" => kernels.store_shared().grid(1).launch(&stream, (0x7fff_ff00,)),
            "trap" => {
                let scale = Scale { factor: 1.5, shift: -2, _unused: [0; 2] };
                let arguments = (scale, V4::new([1.0, 2.0, 3.0, 4.0]), &map, &doubles);
                kernels.trap().grid((2, 3)).launch(&stream, arguments)
            }
            "assertion" => kernels.assert().grid(1).launch(&stream, ()),
            "many launches" => {
                for n in 0..100 {
                    kernels.nothing().grid(1).launch(&stream, (n,))?;
                }
                kernels.store().grid(1).launch(&stream, (&mut to, 1 << 44, 7))
            }
            _ => return Err(format!("there is no {what}").into()),
        }
    };
    if launched.is_err() {
        say(&mut text, "launch", launched);
        return Ok(text);
    }
    if what == "assertion" {
        // cudarc's own calls are explained, too.
        let copied = stream.clone_dtoh(&to).map(|_| ());
        say(&mut text, "copy", copied.map_err(|error| explain(&context, error)));
        return Ok(text);
    }
    say(&mut text, "synchronize", synchronize(&stream));
    if what == "many launches" {
        // Four of 69 lines say it all.
        let lines = text.lines().enumerate().filter(|(n, _)| !(5..66).contains(n));
        text = lines.map(|(_, line)| line.to_owned() + "\n").collect();
    }
    if what == "illegal address" {
        afterwards(&mut text, &kernels, &stream, &mut to);
    }
    Ok(text)
}

/// A graph whose second kernel fails, and what its calls say.
fn graph(
    text: &mut String,
    kernels: &kernels::Loaded,
    stream: &std::sync::Arc<cudarc::driver::CudaStream>,
) -> Outcome {
    let buffer = stream.alloc_zeros::<u32>(100)?;
    let (mut graph, (mut to, node, download)) = ptx::cuda::capture(stream, |scope| {
        let mut to = scope.write(buffer)?;
        kernels.increment().capture(scope, (&mut to, 100))?;
        // SAFETY: it stores to the buffer.
        let node = unsafe { kernels.store().grid(1).capture(scope, (&mut to, 0, 7))? };
        let download = scope.download(&to)?;
        Ok((to, node, download))
    })?;
    graph.launch()?;
    assert_eq!(graph.read(&download)?[..2], [7, 1]);
    // SAFETY: what goes wrong is what is tested.
    unsafe { kernels.store().grid(1).update(&mut graph, &node, (&mut to, 1 << 44, 7))? };
    graph.launch()?;
    graph.launch()?;
    say(text, "read", graph.read(&download).map(|_| ()));
    let first = |error: ptx::cuda::GraphError| {
        error.to_string().lines().next().unwrap_or_default().to_owned()
    };
    say(text, "launch", graph.launch().map_err(first));
    say(text, "synchronize", graph.synchronize().map_err(first));
    // SAFETY: nothing is launched any more.
    let updated = unsafe { kernels.store().grid(1).update(&mut graph, &node, (&mut to, 0, 7)) };
    say(text, "update", updated.map_err(|error| first(error.into())));
    Ok(())
}

/// What each call says after the context is lost: its first line.
fn afterwards(
    text: &mut String,
    kernels: &kernels::Loaded,
    stream: &std::sync::Arc<cudarc::driver::CudaStream>,
    to: &mut cudarc::driver::CudaSlice<u32>,
) {
    let context = stream.context();
    let first = |error: &dyn Display| error.to_string().lines().next().unwrap_or("").to_owned();
    let nothing = kernels.nothing().grid(1);
    // SAFETY: nothing is launched any more.
    let launched = unsafe { nothing.launch(stream, (1,)) };
    let whole = launched.as_ref().map_err(ToString::to_string).copied();
    say(text, "launch", whole);
    say(text, "safe launch", kernels.increment().launch(stream, (to, 9)).map_err(|e| first(&e)));
    say(text, "set", kernels.COUNT.set(stream, &1).map(drop).map_err(|error| first(&error)));
    say(text, "get", kernels.COUNT.get(stream).map(|_| ()).map_err(|error| first(&error)));
    say(text, "resources", nothing.resources().map(|_| ()).map_err(|error| first(&error)));
    let loaded = load::<kernels::Loaded>(context).map(|_| ());
    say(text, "load", loaded.map_err(|error| first(&error)));
    let spec = &Map::SPEC;
    let map = ptx::cuda::encode(spec, &spec.dense(0x1000, [16, 8, 1, 1, 1])).map(|_| ());
    say(text, "encode", map.map_err(|error| first(&error)));
    say(text, "synchronize", synchronize(stream).map_err(|error| first(&error)));
}

#[test]
fn errors_name_the_launches() {
    if crate::device::gpu().is_none() {
        return;
    }
    let mut text = String::new();
    for what in [
        "illegal address",
        "misaligned address",
        "illegal instruction",
        "trap",
        "assertion",
        "many launches",
        "graph",
    ] {
        let _ = writeln!(text, "# {what}\n{}", run(what, &[]));
    }
    let _ = writeln!(text, "# new context\n{}", run("new context", &[]));
    for what in ["illegal address", "trap"] {
        let told = run(what, &[("PTX_CHECKED_LAUNCHES", "1")]);
        let _ = writeln!(text, "# {what}, checked\n{told}");
    }
    let told = run("illegal address", &[("CUDA_LAUNCH_BLOCKING", "1")]);
    let _ = writeln!(text, "# illegal address, blocking\n{told}");
    expect_test::expect_file!["faults.txt"].assert_eq(&text);
}

/// What the checks of a launch find, without a fault.
#[test]
fn checked_launches_find_what_is_written_outside_of_buffers() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut to = stream.clone_htod(&[5_u32; 100])?;
    kernels.increment().checked().launch(&stream, (&mut to, 100))?;
    assert_eq!(stream.clone_dtoh(&to)?, [6; 100]);

    let mut found = Vec::new();
    let store = kernels.store().grid(1).checked();
    for at in [400_i64, 404, -4, -4096, 4492] {
        // SAFETY: it writes into the pads of the copy.
        found.push(unsafe { store.launch(&stream, (&mut to, at, 9)) });
    }
    // A part of the buffer has pads of its own.
    let (mut low, mut high) = to.split_at_mut(50);
    // SAFETY: as above.
    found.push(unsafe { store.launch(&stream, (&mut low, 200, 9)) });
    // SAFETY: as above.
    found.push(unsafe { store.launch(&stream, (&mut high, -1 << 8, 9)) });
    // SAFETY: as above.
    found.push(unsafe { kernels.store_readonly().grid(1).checked().launch(&stream, (&to,)) });
    // SAFETY: it writes nothing.
    found.push(unsafe {
        kernels.store().grid(1).poisoned(&["too"]).launch(&stream, (&mut to, 0, 9))
    });
    assert_eq!(stream.clone_dtoh(&to)?, [6; 100], "the buffer is left as it was");
    let found: Vec<String> = found
        .into_iter()
        .map(|found| found.map_or_else(|error| error.to_string(), |()| "nothing".to_owned()))
        .collect();
    expect_test::expect_file!["checked.txt"].assert_eq(&(found.join("\n") + "\n"));

    // SAFETY: it writes into the buffer.
    unsafe { kernels.store().grid(1).poisoned(&["to"]).launch(&stream, (&mut to, 4, 9))? };
    let mut poisoned = [0xffd5_ffd5; 100];
    poisoned[1] = 9;
    assert_eq!(stream.clone_dtoh(&to)?, poisoned);
    Ok(())
}

/// A buffer of which the kernel also has another address stays in its place: what is written by that address is kept.
#[test]
fn checked_launches_keep_what_is_written_by_another_address() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let kernels = load::<kernels::Loaded>(&context)?;
    let mut data = stream.clone_htod(&[5_u32; 100])?;
    let address = {
        use cudarc::driver::DevicePtr as _;
        data.device_ptr(&stream).0
    };
    let both = kernels.store_both().grid(1).checked();
    // SAFETY: the address is that of the buffer, in which the kernel writes elements 60 and 61.
    unsafe {
        let whole = RawPtr::new(Ptr::<Global, u32>::new(address), 1);
        both.launch(&stream, (data.slice_mut(50..), whole, Place { at: 0, to: Ptr::new(0) }))?;
    }
    let values = stream.clone_dtoh(&data)?;
    assert_eq!((values[59], values[60], values[61], values[62]), (5, 1, 2, 5));
    // SAFETY: as above, by the address in the struct.
    unsafe {
        let none = RawPtr::new(Ptr::<Global, u32>::new(0), 0);
        let place = Place { at: address, to: Ptr::new(address) };
        both.launch(&stream, (data.slice_mut(50..), none, place))?;
    }
    let values = stream.clone_dtoh(&data)?;
    assert_eq!((values[60], values[61], values[62], values[63]), (1, 3, 2, 5));
    // Memory that was allocated by itself is still checked.
    let mut other = stream.alloc_zeros::<u32>(100)?;
    // SAFETY: it writes to the pads of the copy.
    let found = unsafe {
        let whole = RawPtr::new(Ptr::<Global, u32>::new(address), 1);
        both.launch(&stream, (other.slice_mut(95..), whole, Place { at: 0, to: Ptr::new(0) }))
    };
    assert!(found.is_err_and(|error| matches!(error.reason(), Reason::Strays(_))));
    Ok(())
}

/// Each of them is one of the driver's, and its rules exist.
#[test]
fn meanings_name_rules_that_exist() {
    let all: Vec<&FaultMeaning> = (0..1000).filter_map(ptx::cuda::fault_meaning).collect();
    assert!(all.len() > 10);
    for meaning in all {
        assert!(meaning.name.starts_with("CUDA_ERROR_"), "{meaning:?}");
        for code in meaning.rules {
            assert!(ptx::rules::rule(code).is_some(), "{} names {code}", meaning.name);
        }
    }
}

/// The guide has a row for each.
#[test]
fn the_guide_lists_the_meanings() {
    let page = tests::root().join("docs/guide/src/faults.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    for meaning in (0..1000).filter_map(ptx::cuda::fault_meaning) {
        let FaultMeaning { code, name, what, cause, rules, .. } = *meaning;
        let rules = if rules.is_empty() { "none".to_owned() } else { rules.join(", ") };
        let row = format!("| `{name}` ({code}) | {what}: {cause} | {rules} |");
        assert!(page.lines().any(|line| line == row), "the page lacks:\n{row}");
    }
}

/// An error is as large as before.
const _: () = assert!(size_of::<LaunchError>() <= 32);
