//! The listings in Rust of the rules' pages, `ptx-cli/rules/CODE.md`, as programs: what rustc knows of the types decides
//! there. Each fix compiles, and `Module::check` finds nothing in it; each example of `rust,late` is built with a
//! key that reports nothing, and `Module::check` finds its code and no other. A listing of `rust,host` is a function that
//! makes a tensor map, which fails with the code, and with nothing in a fix. `ptx-cli/tests/pages` judges the rest.

#[path = "../ptx-cli/tests/pages/page.rs"]
#[allow(dead_code)] // what is for the other test
mod page;

use std::fmt::Write as _;

use page::{Block, Page};
use tests::{Project, root};

const ATTRIBUTE: &str = "#[ptx::module(";

/// What the functions of `rust,host` return: rules that a tensor map breaks, or a map that breaks none.
const BROKEN: &str = "
trait Broken {
    fn codes(self) -> Vec<&'static str>;
}
impl Broken for ptx::tensor::Verdict {
    fn codes(self) -> Vec<&'static str> {
        self.violations().iter().map(|it| it.rule.code).collect()
    }
}
impl Broken for ptx::tensor::Spec {
    fn codes(self) -> Vec<&'static str> { Vec::new() }
}
impl Broken for ptx::tensor::Tensor {
    fn codes(self) -> Vec<&'static str> { Vec::new() }
}
impl<T: Broken> Broken for Result<T, ptx::tensor::MapError> {
    fn codes(self) -> Vec<&'static str> {
        match self {
            Ok(made) => made.codes(),
            Err(error) => error.verdict().expect(\"rules are broken\").clone().codes(),
        }
    }
}
";

/// Behind the fence of a listing that a program runs.
const HOST: &str = "rust,host";

/// A listing as a Rust module.
struct Program {
    name: String,
    text: String,
    /// The code of the rule that it breaks; empty of a fix.
    code: String,
}

impl Program {
    fn new(page: &Page, n: usize, block: &Block, section: &str) -> Self {
        let is_broken = section == "Example";
        let text = if block.info == HOST { of_host(block) } else { of_modules(block, is_broken) };
        let code = if is_broken { page.code.clone() } else { String::new() };
        let kind = if is_broken { "example" } else { "fix" };
        Self { name: format!("{}_{kind}_{n}", page.code.to_ascii_lowercase()), text, code }
    }

    /// Those of a page.
    fn all(page: &Page) -> Vec<Self> {
        let mut all = Vec::new();
        for (section, infos) in [("Example", ["rust,late", HOST]), ("Fix", ["rust", HOST])] {
            let blocks = page.blocks(section);
            let blocks = blocks.iter().filter(|block| infos.contains(&block.info.as_str()));
            all.extend(blocks.enumerate().map(|(n, block)| Self::new(page, n, block, section)));
        }
        all
    }
}

/// The module of a listing that makes a tensor map: a function without arguments.
fn of_host(block: &Block) -> String {
    let name = block.text.split("\nfn ").nth(1).and_then(|rest| rest.split_once("()"));
    let name = name.expect("it has a function without arguments").0;
    format!(
        "use crate::Broken as _;\n{}\npub fn found() -> Vec<&'static str> {{ {name}().codes() }}\n",
        block.text
    )
}

/// The module of a listing with the items of a module, or with whole modules.
fn of_modules(block: &Block, is_broken: bool) -> String {
    let module = if block.text.contains(ATTRIBUTE) {
        block.text.clone()
    } else {
        format!(
            "{ATTRIBUTE}target = sm_90a)]\nmod example {{\n    use super::*;\n{}}}\n",
            block.text
        )
    };
    let names = module.split(ATTRIBUTE).skip(1).map(|rest| {
        let name = rest.split("mod ").nth(1).expect("a module follows");
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next().expect("it has a name")
    });
    let found = names.fold(String::new(), |found, name| {
        found + &format!("found.extend({name}::MODULE.check().iter().map(|it| it.rule().code));\n")
    });
    let unchecked = format!("{ATTRIBUTE}__unchecked, ");
    let module = if is_broken { module.replace(ATTRIBUTE, &unchecked) } else { module };
    format!(
        "use ptx::prelude::*;\n{module}\npub fn found() -> Vec<&'static str> {{\n\
             let mut found = Vec::new();\n{found}found\n}}\n"
    )
}

/// Builds one program of all of them, and runs it.
fn run(programs: &[Program]) -> String {
    let project = Project::create("pages", &Project::ptx(&[])).expect("files can be written");
    let write = |path: &str, text: &str| project.write(path, text).expect("a file can be written");
    let mut main = String::from("#![allow(warnings)]\n") + BROKEN;
    let mut calls = String::new();
    for Program { name, text, .. } in programs {
        write(&format!("src/{name}.rs"), text);
        let _ = writeln!(main, "mod {name};");
        let _ = writeln!(calls, "println!(\"{name} {{}}\", {name}::found().join(\" \"));");
    }
    write("src/main.rs", &format!("{main}fn main() {{\n{calls}}}\n"));
    let output = project.cargo(&["run", "--quiet", "--offline"]).output().expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "the programs do not build or run:\n{errors}");
    String::from_utf8(output.stdout).expect("codes are text")
}

#[test]
fn examples_break_the_rule_and_fixes_compile() {
    let pages = Page::all(&root().join("ptx-cli/rules"));
    let programs: Vec<Program> = pages.iter().flat_map(Program::all).collect();
    assert!(!programs.is_empty(), "where are the pages?");
    let printed = run(&programs);
    let mut wrong = Vec::new();
    for program in &programs {
        let line =
            printed.lines().find_map(|line| line.strip_prefix(&format!("{} ", program.name)));
        let mut codes: Vec<&str> = line.expect("it was run").split_whitespace().collect();
        codes.dedup();
        let expected: Vec<&str> = program.code.split_whitespace().collect();
        if codes != expected {
            wrong.push(format!("{}: check() finds {codes:?}", program.name));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
