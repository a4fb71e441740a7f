//! What each command takes for a very large file: `PTX_LARGE=100000000 cargo test --release -p ptx-cli --test large --
//! --ignored --nocapture` prints a table.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ptx_text::{Parsed, PieceKind};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Kernels that are written by hand, and those that a compiler made of others.
const KERNELS: [&str; 6] = [
    "tests/by_hand/gemm.ptx",
    "tests/by_hand/softmax.ptx",
    "tests/by_hand/ring.ptx",
    "tests/by_hand/fp8.ptx",
    "tests/by_hand/quickstart.ptx",
    "tests/import/blur.ptx",
];

const HEADER: &str = ".version 8.7\n.target sm_90a\n.address_size 64\n";

/// The commands that read PTX; the file follows.
const COMMANDS: [&[&str]; 9] = [
    &["check"],
    &["fmt", "--check"],
    &["min"],
    &["min", "--all"],
    &["stats"],
    &["layout"],
    &["import"],
    &["bind"],
    &["diff"],
];

/// The most bytes of memory for each byte of text, those that reading it may take; `diff` reads two.
const MOST: usize = 60;

/// The memory that the tool takes besides, and more of it where the threads of a kernel are followed, for so many steps.
const BEFORE: usize = 32 << 20;
const FOLLOWED: usize = 256 << 20;

/// The most time for a megabyte, without optimization and on a busy machine.
const LIMIT: Duration = Duration::from_mins(1);

/// A file with copies of kernels, each with names of its own.
fn copies(bytes: usize) -> String {
    let read = |path: &&str| {
        Parsed::new(fs::read_to_string(Path::new(ROOT).join(path)).expect("it is there"))
    };
    let all: Vec<Parsed> = KERNELS.iter().map(read).collect();
    let mut text = HEADER.to_owned();
    for (n, parsed) in (0..).zip(all.iter().cycle()) {
        if text.len() >= bytes {
            break;
        }
        let module = parsed.module();
        let names = module.variables.iter().map(|it| it.name);
        let names: HashSet<&str> = names.chain(module.functions.iter().map(|it| it.name)).collect();
        let mut in_header = false;
        for piece in parsed.pieces() {
            let word = &parsed.text()[piece.at.range()];
            match word {
                ".version" | ".target" | ".address_size" => in_header = true,
                _ if in_header => in_header = !word.contains('\n'),
                _ if piece.kind == PieceKind::Word && names.contains(word) => {
                    let _ = write!(text, "{word}_{n}");
                }
                _ => text.push_str(word),
            }
        }
        text.push('\n');
    }
    text
}

/// A file with one kernel.
fn one_body(bytes: usize) -> String {
    let mut text = format!(
        "{HEADER}.visible .entry k(.param .u64 p, .param .u32 n)\n{{\n    .reg .pred %p<4>;\n    \
        .reg .b32 %r<64>;\n    .reg .b64 %rd<8>;\n    .reg .f32 %f<16>;\n    ld.param.u64 %rd1, [p];\n    \
        cvta.to.global.u64 %rd1, %rd1;\n    ld.param.u32 %r1, [n];\n    mov.u32 %r2, %tid.x;\n    \
        mov.f32 %f1, 0f00000000;\n"
    );
    let mut n = 0;
    while text.len() < bytes {
        let _ = write!(
            text,
            "    mad.lo.s32 %r3, %r2, {n}, %r1;\n    mul.wide.u32 %rd2, %r3, 4;\n    \
            add.s64 %rd3, %rd1, %rd2;\n    ld.global.f32 %f2, [%rd3+{}];\n    \
            fma.rn.f32 %f1, %f1, %f2, %f2;\n    setp.lt.s32 %p1, %r3, {n};\n    @%p1 bra $L_{n};\n    \
            add.s32 %r3, %r3, 1;\n    st.global.f32 [%rd3], %f1;\n$L_{n}:\n",
            n % 64 * 4
        );
        n += 1;
    }
    text + "    ret;\n}\n"
}

/// The CPU time and the most memory of a process, and whether it ended well.
fn cost(mut child: Child, limit: Duration) -> (Duration, usize, bool) {
    let id = child.id();
    let of = |file: &str| fs::read_to_string(format!("/proc/{id}/{file}"));
    let (mut time, mut memory) = (Duration::ZERO, 0);
    let end = Instant::now() + limit;
    loop {
        // The twelfth and the thirteenth field after the name, in hundredths of a second.
        let stat = of("stat").unwrap_or_default();
        let fields = stat.rsplit(')').next().into_iter().flat_map(str::split_whitespace);
        let ticks: u64 = fields.skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
        time = time.max(Duration::from_millis(ticks * 10));
        let status = of("status").unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|it| it.trim().strip_suffix(" kB")?.parse::<usize>().ok());
        memory = memory.max(peak.unwrap_or_default() * 1024);
        match child.try_wait().expect("it runs") {
            Some(status) => return (time, memory, matches!(status.code(), Some(0 | 1))),
            None if Instant::now() > end => {
                child.kill().expect("it runs");
                child.wait().expect("it ends");
                return (time, memory, false);
            }
            None => sleep(Duration::from_millis(2)),
        }
    }
}

#[test]
#[ignore = "it takes minutes"]
fn each_command_takes_a_large_file() {
    let bytes = std::env::var("PTX_LARGE").ok().and_then(|it| it.parse().ok()).unwrap_or(1_000_000);
    let megabytes = u32::try_from(bytes / 1_000_000).expect("it is less").max(1);
    let folder = tempfile::tempdir().expect("there is room");
    let mut wrong = Vec::new();
    for (what, text) in [("copies of kernels", copies(bytes)), ("one body", one_body(bytes))] {
        let path = folder.path().join("large.ptx");
        fs::write(&path, &text).expect("there is room");
        println!("\n| {what}, {} bytes | CPU time | memory |\n| --- | ---: | ---: |", text.len());
        for command in COMMANDS {
            let second = (command == ["diff"]).then_some(&path);
            let child = Command::new(env!("CARGO_BIN_EXE_ptx"))
                .args(command)
                .arg(&path)
                .args(second)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts");
            let (time, memory, is_right) = cost(child, LIMIT * megabytes);
            let name = command.join(" ");
            println!("| `ptx {name}` | {:.1} s | {} MB |", time.as_secs_f64(), memory / 1_000_000);
            let files = 1 + usize::from(second.is_some());
            let before = if command == ["check"] { FOLLOWED } else { BEFORE };
            if !is_right || memory > MOST * files * text.len() + before {
                wrong.push(format!("{name} of {what}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
