//! Functions: parameters, directives and calls.

use super::choice::Choices;
use super::choice::Says::{Allowed, Depends};
use super::words::{
    ALIGNMENTS, DECLARED, EXTENTS, LINKAGES, NAMES, NUMBERS, OTHER_TYPES, SPACES, TYPES,
};

/// Two kernels with parameters.
pub(super) fn kernels(choices: &mut Choices) -> String {
    let mut text = String::new();
    if choices.one_in(3) {
        let name = choices.word(&["x"], NAMES);
        text = format!(".visible .global .u32 {name};\n");
    }
    let linkage = choices.word(&["", ".visible "], &[LINKAGES]);
    let name = choices.weighted(2, &["a"], NAMES);
    let names = ["p", "q", "r", "s"];
    let count = choices.usual(&["1", "22", "333", "4444"]).len();
    let all: Vec<String> = names[..count].iter().map(|name| parameter(choices, name)).collect();
    let body = body(choices);
    let (other, all) = (choices.word(&["b"], NAMES), all.join(", "));
    format!("{text}{linkage}.entry {name}({all}) {body}\n.entry {other}() {{ ret; }}\n")
}

fn parameter(choices: &mut Choices, name: &'static str) -> String {
    let name = choices.weighted(3, &[name], &[DECLARED]);
    match choices.usual(&["plain", "plain", "pointer", "bytes"]) {
        "pointer" => {
            let space = choices.word(&[".global", ".shared", ".local", ".const"], &[SPACES]);
            let align = choices.word(&["8", "16"], ALIGNMENTS);
            format!(".param .u64 .ptr {space} .align {align} {name}")
        }
        "bytes" => {
            let align = choices.word(&["8", "16"], ALIGNMENTS);
            let count = choices.word(&["16", "24"], &[NUMBERS]);
            format!(".param .align {align} .b8 {name}[{count}]")
        }
        _ => {
            let space = choices.word(&[".param"], &[SPACES]);
            let ty = choices.word(TYPES, &[OTHER_TYPES]);
            let extent = choices.word(&[""], &[EXTENTS]);
            format!("{space} {ty} {name}{extent}")
        }
    }
}

/// A body with a `.param` of its own, which is stored to outside of a call, or an empty one.
fn body(choices: &mut Choices) -> String {
    if choices.one_in(2) {
        return "{ ret; }".to_owned();
    }
    let (name, ty) =
        (choices.weighted(4, &["q0"], &[DECLARED]), choices.usual(&["u32", "b32", "u64"]));
    let number = choices.word(&["1"], &[NUMBERS]);
    format!("{{ .param .{ty} {name}; st.param.{ty} [{name}], {number}; ret; }}")
}

/// A kernel with directives.
pub(super) fn directives(choices: &mut Choices) -> String {
    let usual: &[&str] = &[
        ".reqntid 32, 2, 1",
        ".maxntid 64",
        ".minnctapersm 2",
        ".maxnreg 32",
        ".reqnctapercluster 2, 1, 1",
        ".maxclusterrank 4",
    ];
    let others = &[
        ".noreturn",
        ".explicitcluster",
        ".blocksareclusters",
        ".maxnctapersm 2",
        ".abi_preserve 8",
        ".pragma \"nounroll\";",
        ".reqntid 32",
    ];
    let mut all = Vec::new();
    for _ in 0..choices.usual(&["1", "22"]).len() {
        let directive = choices.word(usual, &[(Depends, others)]);
        let name = directive.split(' ').next().unwrap_or_default();
        // Each number may be at a bound; the last one is alone.
        let numbers = match choices.usual(&["whole", "one", "two", "three"]) {
            "one" => Some(vec![choices.weighted(2, &["2"], &[NUMBERS])]),
            "two" if name.contains("nt") || name.contains("percluster") => {
                Some(vec!["2", choices.weighted(2, &["2"], &[NUMBERS])])
            }
            "three" if name.contains("ntid") || name.contains("percluster") => {
                Some(vec!["2", "1", choices.weighted(2, &["2"], &[NUMBERS])])
            }
            _ => None,
        };
        let takes_one = directive.contains(' ') && !directive.contains('"');
        let directive = match numbers {
            Some(numbers) if takes_one && !all.iter().any(|it: &String| it.starts_with(name)) => {
                format!("{name} {}", numbers.join(", "))
            }
            _ => directive.to_owned(),
        };
        let has_name = |it: &String| it.split(' ').next() == directive.split(' ').next();
        // Two limits of the block, or of the cluster, exclude each other.
        let is_of_block = |it: &str| it.contains("ntid");
        let is_of_cluster = |it: &str| it.contains("cluster");
        let clashes = [is_of_block, is_of_cluster];
        let clashes = clashes.iter().any(|is| is(&directive) && all.iter().any(|it| is(it)));
        if !all.iter().any(has_name) && !clashes {
            all.push(directive);
        }
    }
    // Blocks per multiprocessor are counted for a block of a known size.
    if all.iter().any(|it| it.starts_with(".minnctapersm"))
        && !all.iter().any(|it| it.contains("ntid"))
    {
        all.push(".maxntid 64".to_owned());
    }
    format!(".visible .entry k() {} {{ ret; }}\n", all.join(" "))
}

/// A device function with a parameter, and a kernel that calls it or does not.
pub(super) fn call(choices: &mut Choices) -> String {
    let ty = choices.word(
        &[".b32", ".u32", ".f32", ".b64", ".s64", ".f64"],
        &[(Allowed, &[".u16", ".s16", ".u8", ".s8", ".b16", ".b8"]), OTHER_TYPES],
    );
    let (declared, passed) = if choices.one_in(3) {
        let align = choices.weighted(2, &["8", "16"], ALIGNMENTS);
        let count = choices.word(&["16", "32"], &[NUMBERS, (Allowed, &["256"])]);
        let name = choices.word(&["p"], NAMES);
        (
            format!(".param .align {align} .b8 {name}[{count}]"),
            format!(".param .align {align} .b8 q[{count}];"),
        )
    } else {
        let name = choices.word(&["p"], NAMES);
        let ty_passed = choices.word(&["same"], &[(Depends, TYPES)]);
        let ty_passed = if ty_passed == "same" { ty } else { ty_passed };
        (format!(".param {ty} {name}"), format!(".param {ty_passed} q;"))
    };
    let linkage = choices.usual(&["", "", ".visible ", ".extern "]);
    let end = if linkage == ".extern " { ";" } else { "{ ret; }" };
    let call = match choices.usual(&["call", "call", ""]) {
        "call" if linkage != ".extern " => format!("{passed} call f, (q);"),
        _ => String::new(),
    };
    format!("{linkage}.func f({declared}) {end}\n.visible .entry k() {{ {call} ret; }}\n")
}
