//! What `ptx min` says of files is held against ptxas: the file with the lowest version and target assembles, and with
//! one version or one target lower it does not. `PTX_MIN_ALL=1` takes every file instead of each twelfth.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_emit::ptxas::{AssembleError, Diagnostic, Ptxas};
use ptx_isa::{Target, Version};
use ptx_text::Parsed;
use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The folders with whole PTX files, and that of compiled ones, if `tests/real/build.sh` has made them.
const FOLDERS: [&str; 8] = [
    "ptx-text/tests/orders",
    "ptx-text/tests/verdicts/right",
    "tests/by_hand",
    "tests/ptxas_agreement/broken/seeds",
    "docs/guide/src/tool.in",
    "ptx-cli/tests/cmd/check.in",
    "ptx-cli/tests/cmd/min.in",
    "target/real/ptx",
];

fn files() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in FOLDERS {
        let Ok(entries) = fs::read_dir(Path::new(ROOT).join(folder)) else { continue };
        let paths = entries.map(|entry| entry.expect("it is read").path());
        let mut found: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|it| it == "ptx")).collect();
        found.sort();
        all.append(&mut found);
    }
    // Assembling all of them takes minutes.
    let step = if std::env::var_os("PTX_MIN_ALL").is_some() { 1 } else { 12 };
    all.into_iter().step_by(step).collect()
}

fn min(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    let output = command.arg("min").args(arguments).output().expect("it runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("it writes UTF-8"))
}

/// Whether ptxas assembles the text; if it has no devices of its target, for others that run it.
fn is_accepted(ptxas: &Ptxas, text: &[u8], target: Target, option: &str) -> bool {
    let devices = Target::ALL.iter().filter(|it| it.is_baseline() && target.runs_on(it.arch()));
    let devices: Vec<Target> = [target].into_iter().chain(devices.copied()).collect();
    for device in devices {
        match ptxas.assemble_text_with(text, device, &[option]) {
            Ok(_) => return true,
            Err(AssembleError::Refused { diagnostics, .. }) => {
                let is_unknown = |it: &Diagnostic| it.message.contains("for option 'gpu-name'");
                if !diagnostics.iter().any(is_unknown) {
                    return false;
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    false
}

/// The text with this header in place of the one whose parts are at these bytes.
fn with(text: &[u8], was: (&str, &str), version: &str, target: &str) -> Vec<u8> {
    let text = std::str::from_utf8(text).expect("it is ASCII");
    let version_at = text.find(&format!(".version {}", was.0)).expect("a version");
    let text = text[..version_at].to_owned()
        + &text[version_at..].replacen(was.0, version, 1).replacen(was.1, target, 1);
    text.into_bytes()
}

/// The version before this one.
fn below(version: Version) -> Option<Version> {
    let last = [(4, 3), (5, 1), (6, 5), (7, 8), (8, 8), (9, 0)];
    let all = last.iter().flat_map(|(major, last)| (0..=*last).map(|it| Version::new(*major, it)));
    all.take_while(|it| it.is_below(version)).last()
}

#[test]
fn ptxas_takes_the_lowest_and_nothing_below() {
    let (files, ptxas) = (files(), xtask::oracles());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let (_, json) = min(&["--json", &name]);
        let document: Value = serde_json::from_str(&json).expect("it is JSON");
        let file = &document["files"][0];
        let text = fs::read(&path).expect("it is read");
        if file["lowest"].is_null() || !text.is_ascii() {
            *counts.entry("files with errors of grammar".to_owned()).or_default() += 1;
            continue;
        }
        let header = |which: &str, part: &str| {
            file[which][part].as_str().expect("it has a header").to_owned()
        };
        let was = (header("declared", "version"), header("declared", "target"));
        let (version, target) = (header("lowest", "version"), header("lowest", "target"));
        let edited = |version: &str, target: &str| with(&text, (&was.0, &was.1), version, target);
        let of = |name: &str| Target::from_name(name).expect("it is a target");
        for ptxas in &ptxas {
            let mut count = |what: &str| {
                let what = format!("ptxas {}: {what}", ptxas.release());
                *counts.entry(what).or_default() += 1;
            };
            // Modules that name something of others are for a linker.
            let options = ["--verbose", "--compile-only"];
            let mut options = options.iter();
            let Some(option) = options.find(|it| is_accepted(ptxas, &text, of(&was.1), it)) else {
                count("does not assemble as it is");
                continue;
            };
            let lowest = edited(&version, &target);
            assert!(
                is_accepted(ptxas, &lowest, of(&target), option),
                "{name}: {version}, {target}"
            );
            count("assembles with the lowest version and target");
            let needed = Version::parse(&version).expect("it is a version");
            match below(needed) {
                None => count("the oldest version"),
                Some(below) => {
                    let lower = edited(&below.to_string(), &target);
                    match is_accepted(ptxas, &lower, of(&target), option) {
                        false => count("refuses one version lower"),
                        // ptxas takes what is new in 6.0 in 5.1 as well, in which the PTX ISA does not have it.
                        true if needed == Version::new(6, 0) => count("takes 6.0 in 5.1"),
                        true => panic!("{name}: ptxas {} takes {below}", ptxas.release()),
                    }
                }
            }
            let lowest = of(&target);
            let is_lower =
                |it: &&Target| **it != lowest && it.is_baseline() && it.arch() <= lowest.arch();
            match Target::ALL.iter().rfind(is_lower) {
                None => count("the oldest target"),
                Some(lower) => {
                    let newer = Version::parse(&was.0).expect("it is a version");
                    let newer = newer.newer(needed).newer(lower.since()).to_string();
                    let text = edited(&newer, lower.name());
                    assert!(!is_accepted(ptxas, &text, *lower, option), "{name}: takes {lower}");
                    count("refuses one target lower");
                }
            }
        }
    }
    for (what, count) in counts {
        println!("{count:4} {what}");
    }
}

/// What is not known here is asked of ptxas.
#[test]
fn ptxas_is_asked_what_is_not_known() {
    for ptxas in xtask::oracles() {
        let path = format!("{ROOT}/ptx-cli/tests/cmd/min.in/unknown.ptx");
        let (code, text) =
            min(&[&path, "--ptxas", "--ptxas-path", &ptxas.path().to_string_lossy()]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains(".version 4.0 and .target sm_50 suffice"), "{text}");
        let folder = tempfile::tempdir().expect("there is room");
        let refused = folder.path().join("refused.ptx");
        let body = ".visible .entry k() { .reg .b32 %r; add.u32 %r, %x, 1; ret; }";
        fs::write(&refused, format!(".version 8.0\n.target sm_90\n{body}")).expect("it is written");
        let refused = refused.to_string_lossy();
        let (code, text) =
            min(&[&refused, "--ptxas", "--ptxas-path", &ptxas.path().to_string_lossy()]);
        assert_eq!(code, Some(1));
        assert!(text.contains("Unknown symbol '%x'"), "{text}");
    }
}

/// `--write` changes the numbers and nothing else, and has nothing to change after that.
#[test]
fn only_the_header_is_written() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("k.ptx");
    let text = "// \u{e9}t\u{e9}? no\r\n.version\t8.7   // was 8.7\r\n.target sm_90a, debug\r\n\
        .address_size 64\r\n.visible .entry k() { ret; }\r\n.section .debug_str { .b8 0 }"
        .replace('\u{e9}', "e");
    fs::write(&path, &text).expect("it is written");
    let name = path.to_string_lossy();
    let (code, shown) = min(&["--write", &name]);
    assert_eq!(code, Some(0), "{shown}");
    let expected = text.replacen("8.7", "4.0", 1).replacen("sm_90a", "sm_50", 1);
    assert_eq!(fs::read_to_string(&path).expect("it is there"), expected);
    assert_eq!(min(&["--write", "--json", &name]).1.matches("\"is_written\": false").count(), 1);
    assert_eq!(min(&["--check", &name]).0, Some(0));
    assert_eq!(Parsed::new(expected).module().target, Target::Sm50);
}

/// Files that were cut off, or in which a byte was changed, are judged or refused, and never end the tool.
#[test]
fn mutilated_files_do_not_end_it() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("k.ptx");
    let text = fs::read(format!("{ROOT}/ptx-cli/tests/cmd/min.in/kernels.ptx")).expect("a file");
    let mut state = 0x9e37_79b9_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % below
    };
    for round in 0..60 {
        let mut mutilated = text.clone();
        match round % 3 {
            0 => mutilated.truncate(random(text.len())),
            1 => mutilated[random(text.len())] = b" .;{}%,0a\xff\n\""[random(12)],
            _ => drop(mutilated.drain(..random(60))),
        }
        fs::write(&path, &mutilated).expect("it is written");
        let name = path.to_string_lossy();
        let (code, shown) = min(&["--write", "--all", &name]);
        assert!(matches!(code, Some(0..=2)), "{code:?} {shown}");
        let after = fs::read(&path).expect("it is there");
        assert!(code == Some(0) || after == mutilated, "a file with errors is left alone");
    }
}
