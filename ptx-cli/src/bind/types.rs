//! The arguments of `import!` that say what it does by itself.

use std::fmt::Write as _;

use proc_macro2::Ident;
use ptx_frontend::import::{Declared, Function, Param, Variable};
use ptx_frontend::ptx_name;
use ptx_isa::ir::{Extent, Type};
use ptx_isa::{ScalarType, Space};

use crate::import::{WIDTH, pointer_type, rust_type};

/// Types of the crate `half`, which a user's `ptx` may not have.
const HALVES: [&str; 4] = ["f16", "bf16", "F16x2", "Bf16x2"];

/// `ptx::import!(..);`, after the types that it needs, with the names and the types of what is declared.
pub(super) fn invocation(
    module: &str,
    path: &str,
    shown: &str,
    declared: &Declared<'_>,
    allowed: &[&str],
) -> String {
    let names: Vec<String> = names(declared).collect();
    let types: Vec<String> = types(declared).collect();
    let mut text = String::new();
    if types.iter().any(|line| is_of_prelude(line)) {
        text.push_str("use ptx::prelude::*;\n\n");
    }
    let _ = writeln!(
        text,
        "ptx::import!(\n    /// The kernels and variables of `{shown}`.\n    pub mod {module} = {path:?},"
    );
    for (key, list) in [("names", names), ("types", types)] {
        if !list.is_empty() {
            let _ = writeln!(text, "    {key}(\n{}    ),", list.concat());
        }
    }
    if !allowed.is_empty() {
        let _ = writeln!(text, "    allow({}),", allowed.join(", "));
    }
    text + ");\n"
}

/// Whether a line of `types(..)` names a type that Rust does not know by itself.
fn is_of_prelude(line: &str) -> bool {
    let mut types = line.split([':', '=']).skip(1).map(|ty| ty.trim_start_matches([' ', '[']));
    types.any(|ty| ty.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The names that differ from those in PTX.
fn names(declared: &Declared<'_>) -> impl Iterator<Item = String> {
    let variables = declared.variables.iter().map(|found| (found.ir.name, &found.ident));
    let functions = declared.functions.iter().map(|found| (found.ir.name, &found.ident));
    let differs = |(ptx, ident): &(&str, &Ident)| ptx_name(ident) != *ptx;
    variables.chain(functions).filter(differs).map(|(ptx, ident)| {
        let is_name = syn::parse_str::<Ident>(ptx).is_ok();
        let ptx = if is_name { ptx.to_owned() } else { format!("{ptx:?}") };
        format!("        {ptx} = {ident},\n")
    })
}

/// The types of variables, and the signatures of kernels and functions.
fn types(declared: &Declared<'_>) -> impl Iterator<Item = String> {
    let variables = declared.variables.iter().filter_map(variable);
    variables.chain(declared.functions.iter().map(function))
}

fn variable(found: &Variable<'_>) -> Option<String> {
    let ty = found.ir.ty;
    let has_size = !ty.extents().any(|extent| extent == Extent::Incomplete);
    let ty = written(ty).filter(|_| has_size && ty.opaque().is_none())?;
    Some(format!("        {} = {ty},\n", found.ident))
}

fn function(found: &Function<'_>) -> String {
    let params: Vec<String> = found
        .params
        .iter()
        .map(|param| format!("{}: {}", param.ident, param_type(param)))
        .collect();
    let line = format!("        fn {}({}),\n", found.ident, params.join(", "));
    if line.len() <= WIDTH + 1 {
        return line;
    }
    let params = params.join(
        ",
            ",
    );
    format!("        fn {}(\n            {params},\n        ),\n", found.ident)
}

/// The type of a parameter; `_` for one that has none of the same alignment in Rust.
fn param_type(param: &Param<'_>) -> String {
    let variable = &param.ir.variable;
    if let Some(pointer) = &param.ir.pointer {
        return pointer_type(pointer);
    }
    let is_plain = variable.space != Space::Reg
        && variable.align.is_none_or(|align| variable.ty.align() == Some(align))
        && variable.ty.extents().all(|extent| extent.known().is_some());
    written(variable.ty).filter(|_| is_plain).unwrap_or_else(|| "_".to_owned())
}

fn written(ty: &Type<'_>) -> Option<String> {
    let is_half = ty.scalar().and_then(ScalarType::rust_name);
    rust_type(ty).ok().filter(|_| is_half.is_none_or(|name| !HALVES.contains(&name)))
}
