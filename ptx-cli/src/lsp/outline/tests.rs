//! The outline has the names that the front end has.

use std::path::Path;

use ptx_isa::ir::FunctionKind;
use ptx_text::Parsed;

use super::{DefinitionKind, Outline, scan};

/// Every `.ptx` file below a folder.
fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            files(&path, found);
        } else if path.extension().is_some_and(|it| it == "ptx") {
            found.push(path);
        }
    }
}

/// The names that an outline declares, by function and kind.
fn of_outline(text: &str, outline: &Outline) -> Vec<String> {
    let mut names = Vec::new();
    for definition in &outline.definitions {
        let function = outline.scopes[definition.scope].function;
        let function = function.map(|it| &outline.definitions[outline.functions[it].definition]);
        let function = function.map_or("", |function| &text[function.at.clone()]);
        let kind = match definition.kind {
            DefinitionKind::Variable(space) => space.name(),
            DefinitionKind::Register => "reg",
            other => other.name(),
        };
        names.push(format!("{function} {kind} {}", &text[definition.at.clone()]));
    }
    names.sort();
    // A function may be declared several times.
    names.dedup();
    names
}

/// The same, as the front end has them.
fn of_parsed(parsed: &Parsed) -> Vec<String> {
    let module = parsed.module();
    let mut names = Vec::new();
    for variable in module.variables {
        names.push(format!(" {} {}", variable.space.name(), variable.name));
    }
    for function in module.functions {
        let kind = match function.kind {
            FunctionKind::Kernel => "kernel",
            FunctionKind::Device => "function",
        };
        names.push(format!(" {kind} {}", function.name));
        for param in function.params.iter().chain(function.returns) {
            if param.variable.name != "_" {
                names.push(format!("{} parameter {}", function.name, param.variable.name));
            }
        }
        for local in function.locals.iter().chain(function.idle_shared) {
            names.push(format!("{} {} {}", function.name, local.space.name(), local.name));
        }
        let statements = function.body.iter().flat_map(ptx_isa::ir::Body::statements);
        for label in statements.filter(|it| it.kind() == ptx_isa::ir::body::StatementKind::Label) {
            names.push(format!("{} label {}", function.name, label.text().trim_end_matches(':')));
        }
    }
    names.sort();
    // A function may be declared several times.
    names.dedup();
    names
}

#[test]
fn the_names_are_those_of_the_front_end() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    files(&root, &mut found);
    assert!(found.len() > 50, "{}", found.len());
    let mut compared = 0;
    for path in found {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // What the front end does not read, it leaves out.
        let parsed = Parsed::new(text.as_str());
        if text.len() > 1 << 17 || !parsed.syntax().is_empty() {
            continue;
        }
        compared += 1;
        assert_eq!(of_outline(&text, &scan(&text)), of_parsed(&parsed), "{}", path.display());
    }
    assert!(compared > 30, "{compared}");
}

#[test]
fn a_statement_without_an_end_ends_where_the_next_line_starts_one() {
    let text = ".entry k()\n{\n.reg .b32 %r<3>\nadd.u32 %r1, %r2,\nmov.u32 %r2, 1\nL:\n@%p bra L\nret;\n}\n";
    let outline = scan(text);
    let statements = outline.statements.iter().map(|it| &text[outline.range_of(it)]);
    let expected = [
        ".entry k()",
        "{",
        ".reg .b32 %r<3>",
        "add.u32 %r1, %r2,",
        "mov.u32 %r2, 1",
        "L:",
        "@%p bra L",
        "ret",
        "}",
    ];
    assert_eq!(statements.collect::<Vec<_>>(), expected);
}
