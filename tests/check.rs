//! `Module::check` finds at run time what the macro finds: every program of `ui-tests/a*.rs` that breaks an
//! access rule is built with a key that suppresses the errors, and its modules are checked.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tests::{Project, root};

/// A program, and the codes of its compile errors.
struct Program {
    name: String,
    text: String,
    codes: BTreeSet<String>,
}

/// The programs that break an access rule, such as `a021_offset_misaligned.rs`.
fn programs() -> Vec<Program> {
    let folder = root().join("ui-tests");
    let files = std::fs::read_dir(&folder).expect("the folder exists");
    let is_access = |name: &str| {
        let Some(rest) = name.strip_suffix(".rs").and_then(|name| name.strip_prefix('a')) else {
            return false;
        };
        rest.chars().take(3).all(|c| c.is_ascii_digit())
    };
    let names = files.map(|file| file.expect("the entry can be read").file_name().into_string());
    let mut names: Vec<String> = names.flatten().filter(|name| is_access(name)).collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let read =
                |name: &str| std::fs::read_to_string(folder.join(name)).expect("the file exists");
            let name = name.trim_end_matches(".rs").to_owned();
            let errors = read(&format!("{name}.stderr"));
            let starts = errors.match_indices(", PTX ISA").map(|(at, _)| &errors[..at]);
            let codes = starts.filter_map(|before| before.rsplit('[').next());
            let codes = codes.filter(|code| code.starts_with('A')).map(str::to_owned).collect();
            Program { text: read(&format!("{name}.rs")), name, codes }
        })
        .collect()
}

/// The program as a module that reports nothing at compile time, and prints its codes when it runs.
fn unjudged(program: &Program) -> String {
    const ATTRIBUTE: &str = "#[ptx::module(";
    let modules = program.text.split(ATTRIBUTE).skip(1).map(|rest| {
        let name = rest.split("mod ").nth(1).expect("a module follows");
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("it has a name")
    });
    let checks: String = modules.fold(String::new(), |mut checks, module| {
        let _ = write!(checks, "found.extend(codes(&{module}::MODULE)); ");
        checks
    });
    let text = program.text.replace(ATTRIBUTE, "#[ptx::module(__unjudged, ");
    assert!(text.contains("fn main() {}"), "{}", program.name);
    // `cargo xtask mutants` compares the messages.
    let codes = "fn codes(module: &ptx::Module<'static>) -> Vec<&'static str> { \
                 module.check().iter().map(|finding| { eprintln!(\"{finding}\"); finding.rule().code })\
                 .collect() }";
    let found = format!(
        "pub fn found() -> Vec<&'static str> {{ let mut found = Vec::new(); {checks}found }} {codes}"
    );
    text.replace("fn main() {}", &found)
}

/// Builds all of them as one program, and runs it.
fn run(programs: &[Program]) -> String {
    let project = Project::create("unjudged", &Project::ptx(&[])).expect("files can be written");
    let write = |path: &str, text: &str| project.write(path, text).expect("a file can be written");
    let mut main = String::from("#![allow(warnings)]\n");
    let mut calls = String::new();
    for program in programs {
        let Program { name, .. } = program;
        write(&format!("src/{name}.rs"), &unjudged(program));
        let _ = writeln!(main, "mod {name};");
        let _ = writeln!(calls, "println!(\"{name} {{}}\", {name}::found().join(\" \"));");
    }
    write("src/main.rs", &format!("{main}fn main() {{\n{calls}}}\n"));
    let output = project.cargo(&["run", "--quiet", "--offline"]).output().expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the programs do not build or run:\n{errors}");
    String::from_utf8(output.stdout).expect("codes are text")
}

/// Rules that only `check()` finds broken in a program, with the reason.
const AT_RUN_TIME: &[(&str, &str, &str)] = &[(
    "a034_wrong_type",
    "A080",
    "the formats of variables whose type only rustc knows are followed at run time alone",
)];

#[test]
fn a_module_at_run_time_breaks_the_rules_that_its_macro_reports() {
    let programs = programs();
    assert!(programs.len() > 50, "too few programs: {}", programs.len());
    let printed = run(&programs);
    let found: BTreeMap<&str, BTreeSet<String>> = printed
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            let name = words.next().unwrap_or_default();
            let codes = words.filter(|code| code.starts_with('A')).map(str::to_owned);
            (name, codes.collect())
        })
        .collect();
    let differ: Vec<String> = programs
        .iter()
        .filter(|program| {
            let at_run_time = AT_RUN_TIME.iter().filter(|(name, ..)| *name == program.name);
            let mut codes = program.codes.clone();
            codes.extend(at_run_time.map(|(_, code, _)| (*code).to_owned()));
            found.get(program.name.as_str()) != Some(&codes)
        })
        .map(|program| {
            let found = found.get(program.name.as_str());
            format!("{}: the macro reports {:?}, check() {found:?}", program.name, program.codes)
        })
        .collect();
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
