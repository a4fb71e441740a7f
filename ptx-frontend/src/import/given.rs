//! The types that the user gives to variables, kernels and functions: `types(..)`.

use ptx_isa::sorted::SortedSet;

use proc_macro2::Span;
use ptx_isa::ir;
use syn::Ident;

use super::arguments::{Arguments, TypeOf};
use super::around;
use super::declared::{Declared, Function, Given, Param, Variable};
use super::renamed::{meant, unknown};
use super::signature::{Signature, SignatureParam};
use super::word::Word;
use crate::args::kernel_args;
use crate::ast::Contract;
use crate::errors::Errors;
use crate::name::ptx_name;
use ptx_isa::count::Count;
use ptx_isa::near::alternatives;

/// Applies the types that the user gives to the declarations of a file. `file` is its name in messages.
pub(super) fn give(
    found: &mut Declared<'_>,
    arguments: &Arguments,
    file: &str,
    errors: &mut Errors,
) {
    let mut signed: SortedSet<&str> = SortedSet::new();
    for signature in &arguments.signatures {
        found.sign(signature, arguments, file, &mut signed, errors);
    }
    for given in &arguments.types {
        found.give(given, arguments, file, errors);
    }
}

/// A parameter that is written, but not in the file.
const EXTRA: &ir::Param<'static> = &ir::Param::new("", &ir::Type::Scalar(ptx_isa::ScalarType::U32));

/// The position of the only function that a misspelt name stands for, unless the user writes that function's name,
/// too.
fn meant_function(name: &str, functions: &[Function<'_>], arguments: &Arguments) -> Option<usize> {
    let names: Vec<String> = functions.iter().map(|found| ptx_name(&found.ident)).collect();
    let both = functions.iter().zip(&names).map(|(found, name)| [found.ir.name, name.as_str()]);
    let [ptx, rust] = meant(name, both)?;
    let is_written = |word: &Word| [ptx, rust].contains(&word.text.as_str());
    let mut words = arguments.signatures.iter().map(|signature| &signature.symbol);
    if words.any(is_written) {
        return None;
    }
    functions.iter().position(|found| found.ir.name == ptx)
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
        arguments: &Arguments,
        file: &str,
        signed: &mut SortedSet<&'m str>,
        errors: &mut Errors,
    ) {
        let Signature { attrs, symbol: Word { text, span }, params } = signature;
        let is_it = |found: &Function<'m>| found.ir.name == text || ptx_name(&found.ident) == *text;
        let found = self.functions.iter().position(is_it);
        let is_misspelt = found.is_none();
        if is_misspelt {
            let is_it =
                |found: &Variable<'m>| found.ir.name == text || ptx_name(&found.ident) == *text;
            if self.variables.iter().any(is_it) {
                errors.at(
                    *span,
                    format_args!(
                        "`{text}` is a variable, and has no parameters; write `{text} = ..`"
                    ),
                );
                return;
            }
            let message = self.unknown(text, file);
            errors.at(*span, message);
        }
        let found = found.or_else(|| meant_function(text, &self.functions, arguments));
        let Some(function) = found.and_then(|place| self.functions.get_mut(place)) else { return };
        if !signed.insert(function.ir.name) {
            if is_misspelt {
                return;
            }
            let message = format!("`{text}` has two signatures here; remove one of them");
            errors.at(*span, message);
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
            let args = kernel_args(attr, errors);
            if args.is_extern
                || args.linkage.is_some()
                || !args.directives.is_empty()
                || !args.allow.is_empty()
                || args.launch.is_some()
            {
                errors.on(
                    attr,
                    "here, `#[kernel]` takes only `requires(..)`, `grid = ..` and `unsafe(safe_launch)`; the file determines the rest",
                );
            }
            function.contract = args.contract;
            let Contract { requires, grid, .. } = &mut function.contract;
            requires.iter_mut().chain(grid).for_each(around::of_expr);
        }
        let (declared, written) = (function.params.len(), params.len());
        if declared != written && !is_misspelt {
            errors.at(
                *span,
                format_args!(
                    "`{text}` has {}, and here it has {written}",
                    Count(declared, "parameter")
                ),
            );
        }
        function.refused = is_misspelt || declared != written;
        // What the host passes fits the parameters that are written.
        function.params.truncate(written);
        for SignatureParam { ident, .. } in &params[function.params.len()..] {
            let ident = ident.clone().unwrap_or_else(|| Ident::new("__ptx_unnamed", *span));
            function.params.push(Param { ir: EXTRA, ident, given: None });
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

    /// Applies a type to the only symbol that a misspelt name stands for, so that its uses are not errors, too.
    fn give_meant(
        &mut self,
        given: &TypeOf,
        arguments: &Arguments,
        file: &str,
        errors: &mut Errors,
    ) {
        let TypeOf { symbol: Word { text, span }, param, readonly, ty } = given;
        let (variables, functions) = (self.variables.iter(), self.functions.iter());
        let names: Vec<[String; 2]> = match param {
            None => {
                variables.map(|found| [found.ir.name.to_owned(), ptx_name(&found.ident)]).collect()
            }
            Some(_) => {
                functions.map(|found| [found.ir.name.to_owned(), ptx_name(&found.ident)]).collect()
            }
        };
        let both = names.iter().map(|[ptx, rust]| [ptx.as_str(), rust.as_str()]);
        let Some([ptx, rust]) = meant(text, both) else { return };
        let mut words = arguments.types.iter().map(|other| &other.symbol);
        let is_written = |word: &Word| [ptx, rust].contains(&word.text.as_str());
        let is_signed = arguments.signatures.iter().any(|other| is_written(&other.symbol));
        if words.any(is_written) || is_signed {
            return;
        }
        let given = TypeOf {
            symbol: Word { text: ptx.to_owned(), span: *span },
            param: param.as_ref().map(|word| Word { text: word.text.clone(), span: word.span }),
            readonly: *readonly,
            ty: ty.clone(),
        };
        self.give(&given, arguments, file, errors);
    }

    /// Applies a type to a variable or a parameter.
    fn give(&mut self, given: &TypeOf, arguments: &Arguments, file: &str, errors: &mut Errors) {
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
            self.give_meant(given, arguments, file, errors);
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
        let ptx = function.params.iter().map(|param| param.ir.variable.name);
        let place =
            names.iter().zip(ptx).position(|(name, ptx)| *name == param.text || ptx == param.text);
        let Some(place) = place else {
            let advice = if names.is_empty() {
                "it has none".to_owned()
            } else {
                alternatives(&param.text, names.iter().map(String::as_str))
            };
            // A parameter that is left out of a signature has been reported.
            if !function.refused {
                let message = format!("`{text}` has no parameter `{}`; {advice}", param.text);
                errors.at(param.span, message);
            }
            return;
        };
        let found = &mut function.params[place].given;
        set(found, Given { ty, readonly }, &param.text, param.span, errors);
    }
}

/// Applies the parameter names of a signature.
fn name(params: &mut [Param<'_>], names: &[SignatureParam], errors: &mut Errors) {
    // The names from the file that are kept.
    let kept = params.iter().zip(names.iter().map(Some).chain(std::iter::repeat(None)));
    let kept = kept.filter(|(_, name)| name.is_none_or(|name| name.ident.is_none()));
    let mut taken: SortedSet<String> = kept.map(|(param, _)| ptx_name(&param.ident)).collect();
    for (param, SignatureParam { ident, .. }) in params.iter_mut().zip(names) {
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
