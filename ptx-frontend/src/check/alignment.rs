//! Declarations whose alignment is too small for the accesses to them: one error for each, reported once
//! all bodies are analysed.

use std::collections::{HashMap, HashSet};

use proc_macro2::TokenStream;
use ptx_analysis::deferred::{DeferredObject, Demanded};
use ptx_isa::ir::FunctionKind;
use ptx_isa::rules;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::alignment::{Alignment, Demands};
use quote::ToTokens;

use super::checked::Checked;
use super::lower::{lower_signature, lower_variable};
use super::place::tokens_over;
use crate::ast::Item;
use crate::errors::Errors;
use crate::integer::Integer;
use crate::types::Lowering;

/// Reports such declarations, as far as tokens show. Where rustc knows of more accesses to a declaration, it
/// reports all of them together, and nothing is reported here.
pub(super) fn check_alignments(
    checked: &mut Checked<'_>,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) {
    let mut of_variables: Vec<(usize, Demands)> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for i in 0..checked.module.items.len() {
        let (Item::Function(item), Some(body)) = (&checked.module.items[i], &checked.bodies[i])
        else {
            continue;
        };
        let Some(read) = item.body.as_ref().filter(|_| !body.analysis.demands.is_empty()) else {
            continue;
        };
        let mut own: Vec<(DeferredObject, Demands)> = Vec::new();
        for Demanded { object, demand, accesses, place } in &body.analysis.demands {
            let line = read.at(*place).map_or(0, |(start, _)| start.start().line);
            let line = u32::try_from(line).unwrap_or(0);
            if let DeferredObject::Variable(used) = object {
                let place = *places.entry(used.index).or_insert(of_variables.len());
                if place == of_variables.len() {
                    of_variables.push((used.index, Demands::NONE));
                }
                let (_, demands) = &mut of_variables[place];
                *demands = demands.with(*demand, *accesses, line);
            } else {
                add(&mut own, object.clone(), |demands| demands.with(*demand, *accesses, line));
            }
        }
        let signature = lower_signature(item, lowering);
        let mut demanded = Vec::new();
        for (object, demands) in own {
            if body.analysis.defers_alignment_of(|other| *other == object) {
                demanded.push((object, demands));
                continue;
            }
            let (ir, tokens) = match &object {
                DeferredObject::Param(n) => {
                    let param = &signature.params[*n];
                    let ir = match signature.kind {
                        FunctionKind::Kernel => Object::EntryParam(param),
                        FunctionKind::Device => Object::Input(&param.variable),
                    };
                    let param = &item.params[*n];
                    (ir, aligned_tokens(param.align.as_ref(), &param.ident))
                }
                DeferredObject::Pointee(n) => {
                    let ir = Object::Pointee(&signature.params[*n]);
                    (ir, item.params[*n].ty.to_token_stream())
                }
                DeferredObject::Return(n) => {
                    let ir = Object::Return(&signature.returns[*n].variable);
                    let returned = &item.returns[*n];
                    (ir, aligned_tokens(returned.align.as_ref(), &returned.ident))
                }
                DeferredObject::Declaration(n) => {
                    let Some(declaration) = read.source.declarations.get(*n) else { continue };
                    (Object::Variable(body.declared[*n]), tokens_over(declaration.aligned_at()))
                }
                // The front end does not know the fields of structs.
                DeferredObject::FieldPointee(..) | DeferredObject::Variable(_) => continue,
            };
            report(Alignment { object: ir, demands }, &tokens, errors);
        }
        if let Some(body) = &mut checked.bodies[i] {
            body.demanded = demanded;
        }
    }
    let deferred = checked.bodies.iter().flatten().flat_map(|body| &body.analysis.deferred);
    let deferred = deferred.filter_map(|check| match check.perhaps_misaligned()? {
        DeferredObject::Variable(used) => Some(used.index),
        DeferredObject::Param(_)
        | DeferredObject::Pointee(_)
        | DeferredObject::FieldPointee(..)
        | DeferredObject::Return(_)
        | DeferredObject::Declaration(_) => None,
    });
    let deferred: HashSet<usize> = deferred.collect();
    for (index, demands) in of_variables {
        if deferred.contains(&index) {
            checked.demanded.push((index, demands));
            continue;
        }
        let Item::Variable(item) = &checked.module.items[index] else { continue };
        let ir = lower_variable(item, lowering);
        let tokens = aligned_tokens(item.align.as_ref(), &item.ident);
        report(Alignment { object: Object::Variable(ir), demands }, &tokens, errors);
    }
}

fn add<T: PartialEq>(all: &mut Vec<(T, Demands)>, of: T, with: impl FnOnce(Demands) -> Demands) {
    match all.iter_mut().find(|(other, _)| *other == of) {
        Some((_, demands)) => *demands = with(*demands),
        None => all.push((of, with(Demands::NONE))),
    }
}

/// The tokens to report: the declared alignment, or else the name.
fn aligned_tokens(align: Option<&Integer>, ident: &syn::Ident) -> TokenStream {
    align.map_or_else(|| ident.to_token_stream(), ToTokens::to_token_stream)
}

fn report(alignment: Alignment<'_>, tokens: &TokenStream, errors: &mut Errors) {
    for violation in rules::check_alignment(alignment) {
        errors.on(tokens, violation);
    }
}
