//! One judge: the same rules are broken, as often, whoever asks. Every program of `ui-tests` whose errors are of
//! rules is built with a key that suppresses them; its modules are checked as values, and as PTX text. Where the three
//! differ, `check/differences.txt` has the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tests::{Project, root};

/// How often each rule is broken.
type Codes = BTreeMap<String, usize>;

/// A program, and what its compile errors say.
struct Program {
    name: String,
    text: String,
    codes: Codes,
}

/// The codes in messages such as `.. [A021, PTX ISA 9.7]`.
fn codes_in(errors: &str) -> Codes {
    let mut codes = Codes::new();
    for (at, _) in errors.match_indices(", PTX ISA") {
        if let Some(code) = errors[..at].rsplit('[').next() {
            *codes.entry(code.to_owned()).or_default() += 1;
        }
    }
    codes
}

/// Whether all errors of a compilation are of rules.
fn are_of_rules(errors: &str) -> bool {
    let mut blocks = errors.split("\n\n").filter(|block| block.starts_with("error")).peekable();
    blocks.peek().is_some() && blocks.all(|block| !codes_in(block).is_empty())
}

/// Programs whose errors are in the Rust types and constants that their modules use, with the reason.
const IN_RUST: &[(&str, &str)] = &[
    ("d023_struct_pads", "a struct that derives `PtxType` is judged without a module"),
    ("d041_mask_not_a_byte", "a byte of an address is a constant of Rust"),
    ("d070_pointer_misaligned", "so is an address that its type promises to be aligned"),
    ("d014_integer_out_of_range", "a literal out of range is rustc's to report"),
    ("six_mistakes", "it has one, too"),
    ("loops_written_out", "the index in a place is a constant of Rust"),
];

/// The programs with modules whose errors are of rules alone.
fn programs() -> Vec<Program> {
    let folder = root().join("ui-tests");
    let files = std::fs::read_dir(&folder).expect("the folder exists");
    let names = files.map(|file| file.expect("the entry can be read").file_name().into_string());
    let mut names: Vec<String> = names.flatten().collect();
    names.sort();
    let names = names.iter().filter_map(|name| name.strip_suffix(".rs"));
    let programs = names.map(|name| {
        let read =
            |name: &str| std::fs::read_to_string(folder.join(name)).expect("the file exists");
        let errors = read(&format!("{name}.stderr"));
        let text = read(&format!("{name}.rs"));
        let is_in_rust = IN_RUST.iter().any(|(in_rust, _)| *in_rust == name);
        let is_compared = are_of_rules(&errors) && text.contains(ATTRIBUTE) && !is_in_rust;
        is_compared.then(|| Program { name: name.to_owned(), text, codes: codes_in(&errors) })
    });
    programs.flatten().collect()
}

const ATTRIBUTE: &str = "#[ptx::module(";

/// Prints the codes of a module as a value and as text, and the messages for `cargo xtask mutants`.
const PRINTED: &str = r#"
pub fn print(name: &str, module: &ptx::Module<'static>) {
    let show = |asked: &str, codes: &[&str]| println!("{name} {asked} {}", codes.join(" "));
    let found = module.check();
    found.iter().for_each(|finding| eprintln!("{finding}"));
    let codes: Vec<&str> = found.iter().map(|finding| finding.rule().code).collect();
    show("value", &codes);
    let mut text = String::new();
    if std::fmt::Write::write_fmt(&mut text, format_args!("{module}")).is_err() {
        println!("{name} without-text");
        return;
    }
    let parsed = ptx::text::Parsed::new(&*text);
    let found = parsed.check();
    if std::env::var_os("PTX_CHECK_TEXT").is_some() {
        println!("{text}");
        found.iter().for_each(|found| println!("{found}"));
    }
    let codes: Vec<&str> = found.iter().map(|found| found.code.unwrap_or("none")).collect();
    show("text", &codes);
}
"#;

/// The program as a module that reports nothing at compile time.
fn unchecked(program: &Program) -> String {
    let modules = program.text.split(ATTRIBUTE).skip(1).map(|rest| {
        let name = rest.split("mod ").nth(1).expect("a module follows");
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("it has a name")
    });
    let checks: String = modules.fold(String::new(), |mut checks, module| {
        let _ = write!(checks, "crate::print({:?}, &{module}::MODULE); ", program.name);
        checks
    });
    let text = program.text.replace(ATTRIBUTE, "#[ptx::module(__unchecked, ");
    assert!(text.contains("fn main() {}"), "{}", program.name);
    text.replace("fn main() {}", &format!("pub fn print() {{ {checks} }}"))
}

/// What the modules of a program break as values and as text.
#[derive(Default)]
struct Found {
    value: Codes,
    text: Codes,
    /// The number of its modules that have no text.
    without_text: usize,
}

/// Builds all of them as one program, and runs it.
fn run(programs: &[Program]) -> BTreeMap<String, Found> {
    let project = Project::create("unchecked", &Project::ptx(&[])).expect("files can be written");
    let write = |path: &str, text: &str| project.write(path, text).expect("a file can be written");
    let mut main = String::from("#![allow(warnings)]\n");
    let mut calls = String::new();
    for program in programs {
        let Program { name, .. } = program;
        write(&format!("src/{name}.rs"), &unchecked(program));
        let _ = writeln!(main, "mod {name};");
        let _ = writeln!(calls, "{name}::print();");
    }
    write("src/main.rs", &format!("{main}{PRINTED}fn main() {{\n{calls}}}\n"));
    let output = project.cargo(&["run", "--quiet", "--offline"]).output().expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the programs do not build or run:\n{errors}");
    let printed = String::from_utf8(output.stdout).expect("codes are text");
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for line in printed.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(asked)) = (words.next(), words.next()) else { continue };
        let of_program = found.entry(name.to_owned()).or_default();
        let codes = match asked {
            "value" => &mut of_program.value,
            "text" => &mut of_program.text,
            _ => {
                of_program.without_text += 1;
                continue;
            }
        };
        words.for_each(|code| *codes.entry(code.to_owned()).or_default() += 1);
    }
    found
}

/// Where the three differ: `a021_offset_misaligned: A021 2 in the macro, 1 in check(), 1 in text`.
fn differences(programs: &[Program], found: &BTreeMap<String, Found>) -> BTreeSet<String> {
    let none = Found::default();
    let mut lines = BTreeSet::new();
    for Program { name, codes, .. } in programs {
        let Found { value, text, without_text } = found.get(name).unwrap_or(&none);
        if *without_text > 0 {
            lines.insert(format!("{name}: {without_text} modules without text"));
        }
        let all: BTreeSet<&String> = codes.keys().chain(value.keys()).chain(text.keys()).collect();
        for code in all {
            let [in_macro, in_value, in_text] =
                [codes, value, text].map(|codes| codes.get(code).copied().unwrap_or(0));
            if in_macro != in_value || in_value != in_text {
                lines.insert(format!(
                    "{name}: {code} {in_macro} in the macro, {in_value} in check(), {in_text} in text"
                ));
            }
        }
    }
    lines
}

#[test]
fn macros_values_and_texts_break_the_same_rules() {
    let programs = programs();
    assert!(programs.len() > 190, "too few programs: {}", programs.len());
    let found = run(&programs);
    let differ = differences(&programs, &found);
    let listed = include_str!("differences.txt").lines();
    let listed: BTreeSet<String> = listed
        .filter(|line| line.contains(": ") && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    let new: Vec<&str> = differ.difference(&listed).map(String::as_str).collect();
    let gone: Vec<&str> = listed.difference(&differ).map(String::as_str).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new:\n{}\ngone:\n{}",
        new.join("\n"),
        gone.join("\n")
    );
}
