//! `ptx` without its feature `half`: fewer dependencies, everything but `f16` and `bf16`, and errors that name
//! the missing feature.

use serde_json::Value;
use tests::{Project, root};

/// A crate that needs no feature.
const PLAIN: &str = "\
use ptx::prelude::*;

#[tensor_map(element = f32, box = [32, 64], swizzle = B128)]
pub struct Map;

#[derive(PtxType)]
#[repr(C)]
pub struct Stages { tiles: [Tile<Map>; 2], full: [Mbarrier; 128] }

#[ptx::module(target = sm_90a)]
pub mod plain {
    use super::*;

    #[global]
    pub static COUNT: u32 = 1;
    #[global]
    static SCALES: [E4M3; 2] = E4M3::from_f32_array([1.0, 2.0]);
    #[constant]
    static PACKED: E5M2x4;
    #[shared(dynamic)]
    static SMEM: Stages;

    #[kernel]
    pub fn fill(rows: Ptr<Global, V4<f32>>, map: TensorMap<Map>) {
        ptx! {
            .reg .f16 %h;
            .reg .b16 %bits, %copy;
            mov.b16 %bits, 0x3C00;
            mov.b16 %h, %bits;
            mov.b16 %copy, %h;
            ret;
        }
    }
}
";

/// A type of `half` in each position, one declaration per line.
const HALVES: &str = "\
use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
pub struct Map;

#[derive(PtxType)]
#[repr(C)]
pub struct Pair { first: f16 }

#[ptx::module(target = sm_90a)]
pub mod halves {
    use super::*;

    #[global]
    pub static ONE: f16 = f16::from_f32_const(1.0);
    #[shared]
    static VECTOR: V4<bf16>;
    #[shared]
    static ARRAY: [f16; 4];
    #[constant]
    static PACKED: F16x2;

    #[kernel]
    pub fn fill(rows: Ptr<Global, f16>) {
        ptx! { ret; }
    }
}
";

fn project(name: &str) -> Project {
    let ptx = format!("ptx = {{ path = '{}', default-features = false }}\n", root().display());
    let project = Project::create(name, &ptx).unwrap();
    project.write("src/lib.rs", PLAIN).unwrap();
    project
}

#[test]
fn the_crates_that_it_needs_are_left_out() {
    let tree = project("without_half_tree");
    let output = tree.cargo(&["tree", "--offline", "--prefix=none"]).output().unwrap();
    let tree = String::from_utf8(output.stdout).unwrap();
    assert!(tree.contains("ptx-types v") && tree.contains("syn v3."), "{tree}");
    for name in ["half v", "zerocopy", "syn v2.", "bytemuck_derive"] {
        assert!(!tree.lines().any(|line| line.starts_with(name)), "`{name}` is in\n{tree}");
    }
}

#[test]
fn checks_and_texts_at_run_time_cost_nothing_without_their_features() {
    let project = project("without_check_tree");
    let arguments = ["tree", "--offline", "--prefix=none", "--edges=normal,no-proc-macro"];
    let needed = |features: &[&str]| {
        let output = project.cargo(&[&arguments[..], features].concat()).output().unwrap();
        let tree = String::from_utf8(output.stdout).unwrap();
        let is_there = |name: &str| tree.lines().any(|line| line.starts_with(name));
        assert!(is_there("ptx-types v"), "{tree}");
        ["ptx-text v", "ptx-analysis v"].map(is_there)
    };
    assert_eq!(needed(&[]), [false, false]);
    assert_eq!(needed(&["--features=ptx/check"]), [true, true]);
}

#[test]
fn only_types_that_need_the_feature_are_reported_at_the_users_tokens() {
    let project = project("without_half");
    let errors = errors(&project);
    assert!(errors.is_empty(), "{errors:#?}");

    project.write("src/lib.rs", HALVES).unwrap();
    let mut errors = self::errors(&project);
    errors.sort();
    errors.dedup();
    let message = "`f16` and `bf16` are types of the crate `half`, but `ptx` is built without its feature `half`";
    for (_, _, found) in &errors {
        assert_eq!(found, message);
    }
    let places: Vec<(u64, &str)> =
        errors.iter().map(|(line, text, _)| (*line, text.as_str())).collect();
    let expected = [
        (3, "bf16"),
        (8, "f16"),
        (15, "f16"),
        (17, "V4<bf16>"),
        (19, "[f16; 4]"),
        (21, "F16x2"),
        (21, "PACKED"),
        (24, "Ptr<Global, f16>"),
    ];
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    assert_eq!(places, expected);
}

/// The errors of a check: line, tokens and message.
fn errors(project: &Project) -> Vec<(u64, String, String)> {
    let output = project.cargo(&["check", "--offline", "--message-format=json"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let values = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let messages = values.filter(|value| value["reason"] == "compiler-message");
    let errors = messages.map(|value| value["message"].clone()).filter(|message| {
        // The last message gives the number of errors.
        message["level"] == "error" && message["spans"].get(0).is_some()
    });
    errors
        .map(|message| {
            let spans = message["spans"].as_array().unwrap();
            let span = spans.iter().find(|span| span["is_primary"] == true).unwrap();
            let line = &span["text"][0];
            let column = |key: &str| usize::try_from(line[key].as_u64().unwrap()).unwrap() - 1;
            let tokens =
                &line["text"].as_str().unwrap()[column("highlight_start")..column("highlight_end")];
            let text = message["message"].as_str().unwrap();
            (span["line_start"].as_u64().unwrap(), tokens.to_owned(), text.to_owned())
        })
        .collect()
}
