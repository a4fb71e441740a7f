//! What a file declares, under names and types of Rust.

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;
use ptx_types::ir;
use syn::Ident;

use super::arguments::{Arguments, Rename, TypeOf};
use super::around;
use super::identifiers::{self, TAKEN};
use super::signature::{Signature, SignatureParam};
use super::word::Word;
use crate::args::kernel_args;
use crate::ast::Contract;
use crate::errors::Errors;
use crate::name::ptx_name;
use crate::near::{alternatives, list, near};

/// What a file declares: each symbol once, its definition before what only declares it.
#[derive(Default)]
pub struct Declared<'m> {
    /// The variables, in order.
    pub variables: Vec<Variable<'m>>,
    /// The kernels and functions, in order.
    pub functions: Vec<Function<'m>>,
}

/// A variable of the file.
pub struct Variable<'m> {
    /// Its declaration.
    pub ir: &'m ir::Variable<'m>,
    /// Its name in Rust.
    pub ident: Ident,
    /// What the user says that it is.
    pub given: Option<Given>,
}

/// A kernel or function of the file.
pub struct Function<'m> {
    /// Its declaration.
    pub ir: &'m ir::Function<'m>,
    /// Its name in Rust.
    pub ident: Ident,
    /// The parameters, in order.
    pub params: Vec<Param>,
    /// What the user says of launches.
    pub contract: Contract,
}

/// A parameter of a kernel or function.
pub struct Param {
    /// Its name in Rust.
    pub ident: Ident,
    /// What the user says that it is.
    pub given: Option<Given>,
}

/// A type that the user gives what PTX has as bytes, bits or an address.
pub struct Given {
    /// The type.
    pub ty: syn::Type,
    /// Where `#[readonly]` stands, if it does.
    pub readonly: Option<Span>,
}

/// Names what a file declares, and gives it the types that the user says. `file` is what messages call it,
/// and `at` where its path stands.
pub(super) fn declared<'m>(
    module: &'m ir::Module<'m>,
    arguments: &Arguments,
    (file, at): (&str, Span),
    errors: &mut Errors,
) -> Declared<'m> {
    let at = Span::call_site().located_at(at);
    let (variables, functions) = (each_variable(module), each_function(module));
    let of_variables = variables.iter().map(|ir| ir.name);
    let symbols: Vec<&str> =
        of_variables.chain(functions.iter().map(|function| function.name)).collect();
    let renamed = renamed(&symbols, &arguments.renames, file, errors);
    let names = identifiers::of_symbols(&symbols, &renamed);
    let ident = |name: &str| syn::parse_str::<Ident>(&identifiers::written(name));
    let ident = |name: &str| {
        let mut ident = ident(name).unwrap_or_else(|_| Ident::new("__ptx_unnamed", at));
        ident.set_span(at);
        ident
    };
    let mut found = Declared {
        variables: variables
            .into_iter()
            .map(|ir| Variable { ir, ident: ident(&names[ir.name]), given: None })
            .collect(),
        functions: functions
            .into_iter()
            .map(|ir| Function {
                ir,
                ident: ident(&names[ir.name]),
                params: identifiers::of_params(
                    ir.name,
                    ir.params.iter().map(|param| param.variable.name),
                )
                .iter()
                .map(|name| Param { ident: ident(name), given: None })
                .collect(),
                contract: Contract::default(),
            })
            .collect(),
    };
    for signature in &arguments.signatures {
        found.sign(signature, file, errors);
    }
    for given in &arguments.types {
        found.give(given, file, errors);
    }
    found
}

/// The variables of a module, each name once.
fn each_variable<'m>(module: &'m ir::Module<'m>) -> Vec<&'m ir::Variable<'m>> {
    let is_defined = |ir: &ir::Variable<'_>| !ir.linkage.is_elsewhere();
    each(module.variables, |ir| ir.name, is_defined)
}

/// The functions of a module, each name once.
fn each_function<'m>(module: &'m ir::Module<'m>) -> Vec<&'m ir::Function<'m>> {
    each(module.functions, |ir| ir.name, |ir| ir.body.is_some())
}

fn each<'m, T>(
    all: &[&'m T],
    name: impl Fn(&'m T) -> &'m str,
    is_defined: impl Fn(&T) -> bool,
) -> Vec<&'m T> {
    let mut found: Vec<&'m T> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for &ir in all {
        match places.get(name(ir)) {
            Some(&place) if is_defined(ir) => found[place] = ir,
            Some(_) => {}
            None => {
                places.insert(name(ir), found.len());
                found.push(ir);
            }
        }
    }
    found
}

/// The names that the user gives, by those in PTX.
fn renamed<'p>(
    symbols: &[&'p str],
    renames: &[Rename],
    file: &str,
    errors: &mut Errors,
) -> HashMap<&'p str, String> {
    let mut renamed: HashMap<&'p str, String> = HashMap::new();
    if renames.is_empty() {
        return renamed;
    }
    let names = identifiers::of_symbols(symbols, &HashMap::new());
    let mut given: HashSet<String> = HashSet::new();
    for Rename { from, to } in renames {
        let text = &from.text;
        let is_it = |ptx: &&&str| **ptx == text.as_str();
        let by_name = || symbols.iter().find(|ptx| names[**ptx] == *text);
        let Some(ptx) = symbols.iter().find(is_it).or_else(by_name) else {
            let known = symbols.iter().flat_map(|ptx| [*ptx, names[ptx].as_str()]);
            errors.at(from.span, unknown(text, known.collect(), file));
            continue;
        };
        let name = ptx_name(to);
        if name == TAKEN {
            errors.at(to.span(), "`MODULE` is the module itself here; choose another name");
        } else if renamed.contains_key(ptx) {
            errors.at(from.span, format_args!("`{text}` is named twice; leave one of them out"));
        } else if given.insert(name.clone()) {
            renamed.insert(ptx, name);
        } else {
            errors.at(to.span(), format_args!("two symbols are named `{to}`; choose another name"));
        }
    }
    renamed
}

/// What is said of a name that is none of the file's.
fn unknown(name: &str, known: Vec<&str>, file: &str) -> String {
    if known.is_empty() {
        return format!("`{file}` declares nothing that could be named `{name}`");
    }
    // A file may declare thousands.
    let near = near(name, known.iter().copied());
    match (near.is_empty(), known.len()) {
        (false, _) => format!("`{file}` declares no `{name}`; did you mean {}?", list(near)),
        (true, 0..=16) => {
            let mut all = known;
            all.sort_unstable();
            all.dedup();
            format!("`{file}` declares no `{name}`; it declares {}", list(all))
        }
        (true, _) => format!("`{file}` declares no `{name}`"),
    }
}

impl<'m> Declared<'m> {
    /// What is said of a name that is none of the file's.
    fn unknown(&self, name: &str, file: &str) -> String {
        let variables = self.variables.iter().map(|found| (found.ir.name, &found.ident));
        let functions = self.functions.iter().map(|found| (found.ir.name, &found.ident));
        let names: Vec<[String; 2]> = variables
            .chain(functions)
            .map(|(ptx, ident)| [ptx.to_owned(), ptx_name(ident)])
            .collect();
        let known = names.as_flattened().iter().map(String::as_str).collect();
        unknown(name, known, file)
    }

    /// Gives the parameters of a kernel or function names and types, and a kernel what is said of its
    /// launches.
    fn sign(&mut self, signature: &Signature, file: &str, errors: &mut Errors) {
        let Signature { attrs, symbol: Word { text, span }, params } = signature;
        let is_it =
            |found: &&mut Function<'m>| found.ir.name == text || ptx_name(&found.ident) == *text;
        let Some(function) = self.functions.iter_mut().find(is_it) else {
            let said = self.unknown(text, file);
            errors.at(*span, said);
            return;
        };
        for attr in attrs {
            if !attr.path().is_ident("kernel") || function.ir.kind != ir::FunctionKind::Kernel {
                errors.on(
                    attr,
                    "only `#[kernel(requires(..), grid = .., unsafe(safe_launch))]` stands here, before a kernel",
                );
                continue;
            }
            let said = kernel_args(attr, errors);
            if said.is_extern
                || said.linkage.is_some()
                || !said.directives.is_empty()
                || !said.allow.is_empty()
            {
                errors.on(
                    attr,
                    "only `requires(..)`, `grid = ..` and `unsafe(safe_launch)` are said here; the rest is the file's",
                );
            }
            function.contract = said.contract;
            let Contract { requires, grid, .. } = &mut function.contract;
            requires.iter_mut().chain(grid).for_each(around::of_expr);
        }
        let (declared, written) = (function.params.len(), params.len());
        if declared != written {
            let s = if declared == 1 { "" } else { "s" };
            errors.at(
                *span,
                format_args!("`{text}` has {declared} parameter{s}, and here it has {written}"),
            );
        }
        for (param, SignatureParam { ident, readonly, ty }) in
            function.params.iter_mut().zip(params)
        {
            if let Some(ident) = ident {
                param.ident = ident.clone();
            }
            match (ty, readonly) {
                (Some(ty), _) => {
                    param.given = Some(Given { ty: around::of_type(ty), readonly: *readonly });
                }
                (None, Some(place)) => errors.at(
                    *place,
                    "a parameter that is only read through has a type, `Ptr<Global, f32>`; write it",
                ),
                (None, None) => {}
            }
        }
    }

    /// Gives a variable or a parameter a type.
    fn give(&mut self, given: &TypeOf, file: &str, errors: &mut Errors) {
        let TypeOf { symbol: Word { text, span }, param, readonly, ty } = given;
        let (span, ty, readonly) = (*span, around::of_type(ty), *readonly);
        let is_it = |ident: &Ident, ptx: &str| ptx == text || ptx_name(ident) == *text;
        let variable = self.variables.iter_mut().find(|found| is_it(&found.ident, found.ir.name));
        if let Some(variable) = variable {
            match (param, variable.ir.ty.opaque(), variable.ir.ty.family()) {
                (Some(param), _, _) => errors.at(
                    param.span,
                    format_args!(
                        "`{text}` is a variable, and has no parameters; write `{text} = ..`"
                    ),
                ),
                (None, Some(opaque), _) => errors.at(
                    span,
                    format_args!(
                        "`{text}` is a `.{}`, which has no other type; leave it out",
                        opaque.name()
                    ),
                ),
                (None, None, Some(_)) => errors.at(
                    span,
                    format_args!(
                        "`{text}` is a family of variables, whose type is theirs; leave it out"
                    ),
                ),
                (None, None, None) => {
                    if let Some(place) = readonly {
                        errors.at(place, "only a parameter is `#[readonly]`; remove it");
                    }
                    set(&mut variable.given, Given { ty, readonly: None }, text, span, errors);
                }
            }
            return;
        }
        let function = self.functions.iter_mut().find(|found| is_it(&found.ident, found.ir.name));
        let Some(function) = function else {
            errors.at(span, self.unknown(text, file));
            return;
        };
        let names: Vec<String> =
            function.params.iter().map(|param| ptx_name(&param.ident)).collect();
        let Some(param) = param else {
            let example = names.first().map_or("n", String::as_str);
            let what = match function.ir.kind {
                ir::FunctionKind::Kernel => "kernel",
                ir::FunctionKind::Device => "function",
            };
            errors.at(
                span,
                format_args!(
                    "`{text}` is a {what}; name one of its parameters: `{text}.{example} = ..`"
                ),
            );
            return;
        };
        let ptx = function.ir.params.iter().map(|param| param.variable.name);
        let place =
            names.iter().zip(ptx).position(|(name, ptx)| *name == param.text || ptx == param.text);
        let Some(place) = place else {
            let advice = if names.is_empty() {
                "it has none".to_owned()
            } else {
                alternatives(&param.text, names.iter().map(String::as_str))
            };
            let said = format!("`{text}` has no parameter `{}`; {advice}", param.text);
            errors.at(param.span, said);
            return;
        };
        let found = &mut function.params[place].given;
        set(found, Given { ty, readonly }, &param.text, param.span, errors);
    }
}

fn set(found: &mut Option<Given>, given: Given, name: &str, at: Span, errors: &mut Errors) {
    if found.is_some() {
        errors.at(at, format_args!("`{name}` has two types here; leave one of them out"));
    }
    *found = Some(given);
}
