//! `ptx map`: bank conflicts of known patterns, maps there and back, and bytes that are not maps.

use std::process::Command;

use serde_json::Value;

fn map(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    let output = command.arg("map").args(arguments).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it writes UTF-8"))
}

/// What the public documents say of accesses: where, the access in their words, its arguments, and the wavefronts that it takes.
/// Where they give a degree of conflict instead, that of a word for each lane is the number of wavefronts.
type Public = (&'static str, &'static str, &'static str, u64);

/// "CUDA Programming Guide" of NVIDIA, 2.2.4.2, figures 13 to 16; all these pages as they were stored on 2026-11-28.
const GUIDE: &str =
    "https://docs.nvidia.com/cuda/cuda-programming-guide/02-basics/writing-cuda-kernels.html";
/// An answer under the post "An Efficient Matrix Transpose in CUDA Fortran" of NVIDIA.
const TRANSPOSE: &str =
    "https://forums.developer.nvidia.com/t/an-efficient-matrix-transpose-in-cuda-fortran/148389";
/// Counters of Nsight Compute for `LDS.128` in two layouts, in NVIDIA's forum: the one without conflicts took
/// 35,377,920 wavefronts for 8,844,480 instructions.
const MEASURED: &str = "https://forums.developer.nvidia.com/t/clarification-bank-conflicts-metric-vs-wavefronts-for-shared-memory-lds-128/359822";
/// An answer about `.v4` in NVIDIA's forum.
const VECTORS: &str =
    "https://forums.developer.nvidia.com/t/shared-memory-bank-conflict-reordering/339143";
/// A tutorial on `ldmatrix` that counts wavefronts with Nsight Compute: eight times the ideal number, and the ideal one with a swizzle.
const LDMATRIX: &str =
    "https://kernelengineering.vizuara.ai/a/tc-kernel-2-fragments-swizzling.html";

/// Each row is one that the source itself counts. Figure 14 of the guide draws its lanes at random: the expressions here are others of
/// the same kind, and the part in the middle is missing.
const PUBLIC: &[Public] = &[
    (GUIDE, "13, left: stride of one 32-bit word, no conflict", "--row-bytes 4 --row lane", 1),
    (GUIDE, "13, middle: stride of two, two-way", "--row-bytes 8 --row lane", 2),
    (GUIDE, "13, right: stride of three, no conflict", "--row-bytes 12 --row lane", 1),
    (GUIDE, "14, left: a permutation, no conflict", "--row-bytes 4 --row (lane*5+7)%32", 1),
    (
        GUIDE,
        "14, right: lanes that read the same words, broadcasts",
        "--row-bytes 4 --row lane/5*3",
        1,
    ),
    (GUIDE, "15, left: a column of float[32][32], 32-way", "--row-bytes 128 --row lane", 32),
    (GUIDE, "15, right: a row of float[32][32], no conflict", "--row-bytes 128 --column lane*4", 1),
    (GUIDE, "16: a column of float[32][33], no conflict", "--row-bytes 132 --row lane", 1),
    (GUIDE, "16: a row of float[32][33], no conflict", "--row-bytes 132 --column lane*4", 1),
    (TRANSPOSE, "words 0, 32, 64, 96, ..: 32-way", "--row-bytes 4 --row lane*32", 32),
    (TRANSPOSE, "words 0, 33, 66, 99, ..: no conflict", "--row-bytes 4 --row lane*33", 1),
    (MEASURED, "float4, one after the other", "--row-bytes 16 --width 16 --row lane", 4),
    (
        VECTORS,
        "v4, 32 lanes from banks 0 to 3: 32 cycles",
        "--row-bytes 512 --width 16 --row lane",
        32,
    ),
    (
        LDMATRIX,
        "8 rows of 8 halves in four banks: 8-way",
        "--lanes 8 --row-bytes 128 --width 16 --row lane",
        8,
    ),
    (
        LDMATRIX,
        "8 rows of 8 halves, swizzled",
        "--lanes 8 --swizzle 128B --row-bytes 128 --width 16 --row lane",
        1,
    ),
];

/// Returns what the tool says of an access, as JSON.
fn conflicts(access: &str) -> Value {
    let mut arguments = vec!["conflicts", "--json"];
    arguments.extend(access.split(' '));
    let (code, json) = map(&arguments);
    assert_eq!(code, Some(0), "{access}");
    serde_json::from_str(&json).expect("it is JSON")
}

#[test]
fn conflicts_are_those_of_public_examples() {
    for (source, name, access, expected) in PUBLIC {
        assert_eq!(conflicts(access)["wavefronts"].as_u64(), Some(*expected), "{source}: {name}");
    }
}

/// An access that is often described: its name, its arguments, and the wavefronts that it takes and would take without conflicts.
type Example = (&'static str, &'static str, (u64, u64));

/// Patterns that introductions to shared memory and to `ldmatrix` explain: strides, broadcasts, transposition with and
/// without padding, vectors, and tiles with the swizzles of PTX ISA 5.5.7. The counts were worked out by hand from 32 banks of
/// 4 bytes, and not measured.
const EXAMPLES: &[Example] = &[
    ("stride of one word", "--row-bytes 4 --row lane", (1, 1)),
    ("stride of two words: two-way", "--row-bytes 8 --row lane", (2, 1)),
    ("stride of three words", "--row-bytes 12 --row lane", (1, 1)),
    ("a permutation", "--row-bytes 4 --row lane^5", (1, 1)),
    ("several lanes read one word", "--row-bytes 4 --row lane/8", (1, 1)),
    ("all lanes read one word: a broadcast", "--row-bytes 4", (1, 1)),
    ("bytes of the same words", "--row-bytes 1 --width 1 --row lane", (1, 1)),
    ("halves of the same words", "--row-bytes 2 --width 2 --row lane", (1, 1)),
    ("transposition, tile[32][32]", "--row-bytes 128 --row lane", (32, 1)),
    ("transposition, tile[32][33]", "--row-bytes 132 --row lane", (1, 1)),
    ("transposition of 16 columns", "--row-bytes 64 --row lane", (16, 1)),
    ("doubles, one after the other", "--row-bytes 8 --width 8 --row lane", (2, 2)),
    ("a column of doubles", "--row-bytes 256 --width 8 --row lane", (32, 2)),
    ("a column of doubles, padded", "--row-bytes 264 --width 8 --row lane", (2, 2)),
    ("float4, one after the other", "--row-bytes 16 --width 16 --row lane", (4, 4)),
    (
        "ldmatrix, rows of 128 bytes",
        "--row-bytes 128 --width 16 --row lane%8 --column lane/8*16",
        (32, 4),
    ),
    (
        "ldmatrix, rows of 64 bytes",
        "--row-bytes 64 --width 16 --row lane%8 --column lane/8*16",
        (16, 4),
    ),
    ("ldmatrix, rows of 32 bytes", "--row-bytes 32 --width 16 --row lane", (8, 4)),
    ("ldmatrix, padded rows", "--row-bytes 144 --width 16 --row lane%8 --column lane/8*16", (4, 4)),
    (
        "ldmatrix, 128-byte swizzle",
        "--swizzle 128B --row-bytes 128 --width 16 --row lane%8 --column lane/8*16",
        (4, 4),
    ),
    (
        "ldmatrix, 64-byte swizzle",
        "--swizzle 64B --row-bytes 64 --width 16 --row lane%8 --column lane/8*16",
        (4, 4),
    ),
    ("ldmatrix, 32-byte swizzle", "--swizzle 32B --row-bytes 32 --width 16 --row lane", (4, 4)),
    ("a column of words, 128-byte swizzle", "--swizzle 128B --row-bytes 128 --row lane", (4, 1)),
];

#[test]
fn conflicts_are_those_worked_out_by_hand() {
    for (name, access, expected) in EXAMPLES {
        let document = conflicts(access);
        let number = |key: &str| document[key].as_u64().expect("a number");
        assert_eq!((number("wavefronts"), number("ideal")), *expected, "{name}");
        let is_free = number("wavefronts") == number("ideal");
        let phases = document["phases"].as_array().expect("phases");
        let is_listed = phases.iter().any(|it| it["conflicts"] != Value::Array(Vec::new()));
        assert_eq!(is_free, !is_listed, "{name}");
    }
}

const ENCODE: &str = "encode --element bf16 --address 0x7f0000001000";

#[test]
fn what_is_encoded_is_decoded() {
    for rest in [
        "--dims 4096,1024 --box 64,128 --swizzle 128B --l2-promotion 256B --fill nan",
        "--dims 64 --box 64",
        "--dims 64,7,3,2,9 --strides 256,4096,16384,65536 --box 16,2,1,1,3 --swizzle 32B",
    ] {
        let (code, hex) = map(&format!("{ENCODE} {rest}").split(' ').collect::<Vec<_>>());
        assert_eq!(code, Some(0), "{rest}");
        let (code, json) = map(&["decode", "--json", hex.trim()]);
        assert_eq!(code, Some(0), "{rest}");
        let document: Value = serde_json::from_str(&json).expect("it is JSON");
        let list = |key: &str| {
            let all = document[key].as_array().expect("a list");
            all.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let (dims, box_dims) = (format!("--dims {} ", list("dims")), list("box"));
        assert!(format!("{rest} ").contains(&dims), "{rest}: {dims}");
        assert!(format!("{rest} ").contains(&format!("--box {box_dims} ")), "{rest}: {box_dims}");
    }
}

/// Bytes of a map that were changed are another map, or refused; and no bytes end the tool.
#[test]
fn changed_bytes_are_read_or_refused() {
    let arguments = format!("{ENCODE} --dims 4096,1024 --box 64,128 --swizzle 128B");
    let (_, hex) = map(&arguments.split(' ').collect::<Vec<_>>());
    let hex = hex.trim();
    let mut refused = 0;
    for at in (0..hex.len()).step_by(3) {
        for digit in ["0", "7", "f"] {
            let changed = format!("{}{digit}{}", &hex[..at], &hex[at + 1..]);
            let (code, _) = map(&["decode", &changed]);
            assert!(matches!(code, Some(0 | 1)), "{changed}");
            refused += usize::from(code == Some(1));
        }
        let (code, _) = map(&["decode", &hex[..at]]);
        assert_eq!(code, Some(2), "{at} digits");
    }
    assert!(refused > 100, "{refused}");
}
