//! The types that the user gives to variables, kernels and functions: `types(..)`.

use std::collections::HashSet;

use proc_macro2::Span;
use ptx_types::ir;
use syn::Ident;

use super::arguments::{Arguments, TypeOf};
use super::around;
use super::declared::{Declared, Function, Given, Param};
use super::renamed::unknown;
use super::signature::{Signature, SignatureParam};
use super::word::Word;
use crate::args::kernel_args;
use crate::ast::Contract;
use crate::errors::Errors;
use crate::name::ptx_name;
use ptx_types::count::Count;
use ptx_types::near::alternatives;

/// Applies the types that the user gives to the declarations of a file. `file` is its name in messages.
pub(super) fn give(
    found: &mut Declared<'_>,
    arguments: &Arguments,
    file: &str,
    errors: &mut Errors,
) {
    let mut signed: HashSet<&str> = HashSet::new();
    for signature in &arguments.signatures {
        found.sign(signature, file, &mut signed, errors);
    }
    for given in &arguments.types {
        found.give(given, file, errors);
    }
}

impl<'m> Declared<'m> {
    /// The message about a name that the file does not declare.
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

    /// Applies a signature: the names and types of the parameters of a kernel or function, and the launch contract
    /// of a kernel.
    fn sign(
        &mut self,
        signature: &Signature,
        file: &str,
        signed: &mut HashSet<&'m str>,
        errors: &mut Errors,
    ) {
        let Signature { attrs, symbol: Word { text, span }, params } = signature;
        let is_it =
            |found: &&mut Function<'m>| found.ir.name == text || ptx_name(&found.ident) == *text;
        let Some(function) = self.functions.iter_mut().find(is_it) else {
            let said = self.unknown(text, file);
            errors.at(*span, said);
            return;
        };
        if !signed.insert(function.ir.name) {
            let said = format!("`{text}` has two signatures here; remove one of them");
            errors.at(*span, said);
            return;
        }
        let mut has_contract = false;
        for attr in attrs {
            if !attr.path().is_ident("kernel") || function.ir.kind != ir::FunctionKind::Kernel {
                errors.on(
                    attr,
                    "only `#[kernel(requires(..), grid = .., unsafe(safe_launch))]` is allowed here, before a kernel",
                );
                continue;
            }
            if has_contract {
                errors.on(attr, "`#[kernel]` is given twice; write one with the whole contract");
                continue;
            }
            has_contract = true;
            let said = kernel_args(attr, errors);
            if said.is_extern
                || said.linkage.is_some()
                || !said.directives.is_empty()
                || !said.allow.is_empty()
            {
                errors.on(
                    attr,
                    "here, `#[kernel]` takes only `requires(..)`, `grid = ..` and `unsafe(safe_launch)`; the file determines the rest",
                );
            }
            function.contract = said.contract;
            let Contract { requires, grid, .. } = &mut function.contract;
            requires.iter_mut().chain(grid).for_each(around::of_expr);
        }
        let (declared, written) = (function.params.len(), params.len());
        if declared != written {
            errors.at(
                *span,
                format_args!(
                    "`{text}` has {}, and here it has {written}",
                    Count(declared, "parameter")
                ),
            );
        }
        name(&mut function.params, params, errors);
        let variables: Vec<&Ident> = self.variables.iter().map(|found| &found.ident).collect();
        for (n, param) in function.params.iter().enumerate() {
            let name = ptx_name(&param.ident);
            if function.contract.names(&name)
                && variables.iter().any(|ident| ptx_name(ident) == name)
            {
                let at = params.get(n).and_then(|param| param.ident.as_ref());
                errors.at(
                    at.map_or(*span, Ident::span),
                    format_args!("a condition on `{name}` could mean the variable of `{file}` too; rename the parameter here"),
                );
            }
        }
        for (param, SignatureParam { readonly, ty, .. }) in function.params.iter_mut().zip(params) {
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

    /// Applies a type to a variable or a parameter.
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

/// Applies the parameter names of a signature.
fn name(params: &mut [Param], said: &[SignatureParam], errors: &mut Errors) {
    // The names from the file that are kept.
    let kept = params.iter().zip(said.iter().map(Some).chain(std::iter::repeat(None)));
    let kept = kept.filter(|(_, said)| said.is_none_or(|said| said.ident.is_none()));
    let mut taken: HashSet<String> = kept.map(|(param, _)| ptx_name(&param.ident)).collect();
    for (param, SignatureParam { ident, .. }) in params.iter_mut().zip(said) {
        let Some(ident) = ident else { continue };
        if !taken.insert(ptx_name(ident)) {
            errors.at(
                ident.span(),
                format_args!("two parameters are named `{ident}`; choose another name"),
            );
        }
        param.ident = ident.clone();
    }
}

fn set(found: &mut Option<Given>, given: Given, name: &str, at: Span, errors: &mut Errors) {
    if found.is_some() {
        errors.at(at, format_args!("`{name}` has two types here; remove one of them"));
    }
    *found = Some(given);
}
