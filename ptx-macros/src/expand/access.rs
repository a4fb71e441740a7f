//! Accesses to memory, where rustc decides what tokens do not tell: a table of them for each
//! function, and for each a look at its row, at the user's tokens.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use ptx_frontend::analysis::Place;
use ptx_frontend::analysis::deferred::{Deferred, DeferredKind, DeferredObject};
use ptx_frontend::ast::{Function, Module};
use ptx_frontend::body::Body;
use ptx_frontend::{CheckedBody, JUDGED_AT_ONCE, tokens_over};
use quote::{format_ident, quote};
use syn::{Attribute, Ident};

use super::about::{About, Tables};
use super::demand::{demanded, demands_ir, line_of};
use super::fragment::conditions;
use super::span::at;
use super::sum::Sums;
use super::table::Table;

/// The tables of a function, and what looks into them.
pub(super) struct AccessChecks {
    /// Items beside the function.
    pub(super) tables: Vec<TokenStream>,
    /// A look at each access, and at each allowance that nothing may need.
    pub(super) looks: Vec<TokenStream>,
    /// What accesses need of the module's variables, each by its index.
    pub(super) demands: Vec<(usize, TokenStream)>,
}

/// Checks of each access, at its name and at its number.
pub(super) fn access_checks(
    ptx: &TokenStream,
    function: &Function,
    (read, body): (&Body, &CheckedBody<'_>),
    module: &Module,
) -> AccessChecks {
    let Function { ident, kind, items, .. } = function;
    let analysis = &body.analysis;
    let name = ptx_frontend::ptx_name(ident);
    let named = |what: &str| format_ident!("__PTX_{what}_OF_{name}", span = ident.span());
    let mut tables = Tables {
        sums: Sums { ptx, constants: &read.constants },
        ident,
        kind: *kind,
        module,
        body,
        locals: body.split_declarations().0,
        objects: Table::named(named("OBJECTS")),
        shapes: Table::named(named("SHAPES")),
    };
    let mut rows = Table::named(named("ACCESSES"));
    let (mut under_conditions, mut looks) = (Vec::new(), Vec::new());
    let mut demands = Vec::new();
    let mut row_of = HashMap::new();
    let mut unsure = Vec::new();
    let table = |conditions: &[&Attribute], name: &Ident, ty: TokenStream, value: TokenStream| {
        quote! {
            #(#conditions)*
            #[allow(
                deprecated, long_running_const_eval, non_upper_case_globals, unused, clippy::all,
                clippy::pedantic
            )]
            const #name: #ty = #value;
        }
    };
    let check_ty = quote!(#ptx::__private::Check<'static>);
    let judged_ty = quote!(&#ptx::__private::Judged<'static>);
    for (i, check) in analysis.deferred.iter().enumerate() {
        let codes = check.allowances.iter().map(|i| analysis.allowances[*i].code);
        let codes: Vec<&str> = codes.collect();
        let allow = quote!(&[#(#codes),*]);
        let Some(About { of, key, conditions }) = tables.check(check) else { continue };
        let (is_reached, reached_key) = tables.sums.conditions(&check.conditions);
        let row = quote! {
            #ptx::__private::Check { of: #of, allow: #allow, is_reached: #is_reached }
        };
        let key = format!("{key} {reached_key}");
        let (judged, place) = if conditions.is_empty() {
            let number = rows.place(format!("{key} {}", codes.join(" ")), || row);
            row_of.insert(i, number);
            if let Some(demanded) = demanded(&mut demands, check) {
                demanded.add(number, line_of(read, check));
            }
            (named(&format!("JUDGED_{}", number / JUDGED_AT_ONCE)), number % JUDGED_AT_ONCE)
        } else {
            unsure.extend(&check.allowances);
            let (own, judged) =
                (named(&format!("ACCESS_{i}")), named(&format!("JUDGED_ALONE_{i}")));
            let row = quote!({ #(#items)* &[#row] });
            under_conditions.push(table(&conditions, &own, quote!(&[#check_ty]), row));
            let judge = quote!(&#ptx::__private::judge(#own, 0));
            under_conditions.push(table(&conditions, &judged, judged_ty.clone(), judge));
            if let Some(demanded) = demanded(&mut demands, check) {
                let row = (judged.clone(), line_of(read, check), conditions.clone());
                demanded.conditional.push(row);
            }
            (judged, 0)
        };
        looks.push(look(ptx, &quote!(#judged, #place), read, check, &conditions));
    }
    for (i, allowance) in analysis.allowances.iter().enumerate() {
        let among =
            analysis.deferred.iter().enumerate().filter(|(_, it)| it.allowances.contains(&i));
        let among: Vec<usize> = among.filter_map(|(n, _)| row_of.get(&n).copied()).collect();
        if allowance.is_needed || among.is_empty() || unsure.contains(&i) {
            continue;
        }
        let (code, rows) = (allowance.code, &rows.name);
        let check = quote!(#ptx::__private::require_needed(#code, #rows, &[#(#among),*]));
        let place = read.allowance_at(allowance, &function.allow).map(|span| (span, span));
        let check = at(place.map(tokens_over), check);
        looks.push(quote!(#check;));
    }
    let mut all = Vec::new();
    let object_ty = quote!(#ptx::rules::access::Object<'static>);
    let shape_ty = quote!(#ptx::rules::StorageAccess<'static>);
    // What is spliced in may name what the function declares; the module's variables may not.
    let items = quote!(#(#items)*);
    for (of, ty, items) in [
        (&tables.objects, object_ty, &TokenStream::new()),
        (&tables.shapes, shape_ty, &items),
        (&rows, check_ty, &items),
    ] {
        if !of.rows.is_empty() {
            let rows = &of.rows;
            all.push(table(&[], &of.name, quote!(&[#ty]), quote!({ #items &[#(#rows),*] })));
        }
    }
    for from in (0..rows.rows.len()).step_by(JUDGED_AT_ONCE) {
        let (name, rows) = (named(&format!("JUDGED_{}", from / JUDGED_AT_ONCE)), &rows.name);
        let judge = quote!(&#ptx::__private::judge(#rows, #from));
        all.push(table(&[], &name, judged_ty.clone(), judge));
    }
    let all_judged = named("JUDGED");
    if demands.iter().any(|demanded| !demanded.alike.is_empty()) {
        let numbers = 0..rows.rows.len().div_ceil(JUDGED_AT_ONCE);
        let each = numbers.map(|number| named(&format!("JUDGED_{number}")));
        let all_ty = quote!(&[#judged_ty]);
        all.push(table(&[], &all_judged, all_ty, quote!(&[#(#each),*])));
    }
    all.extend(under_conditions);
    let mut of_variables = Vec::new();
    let of_function = conditions(&function.attrs);
    for demanded in demands {
        let (object, accesses) = (&demanded.object, demanded.tokens(&all_judged, &of_function));
        match object {
            DeferredObject::Variable(used) => of_variables.push((used.index, accesses)),
            _ => {
                let Some((ir, _)) = tables.object(object) else { continue };
                let early = body.demanded.iter().find(|(demanded, _)| demanded == object);
                let early = demands_ir(ptx, early.map(|(_, demands)| *demands));
                let check = quote!(#ptx::__private::require_alignment(#ir, #early, &[#accesses]));
                let check = match object {
                    DeferredObject::Pointee(i) => at(&function.params[*i].ty, check),
                    DeferredObject::Param(i) => at(&function.params[*i].ident, check),
                    DeferredObject::Return(i) => at(&function.returns[*i].ident, check),
                    DeferredObject::Declaration(n) => {
                        at(tokens_over(read.source.declarations[*n].aligned_at()), check)
                    }
                    DeferredObject::Variable(_) => check,
                };
                looks.push(quote!(#check;));
            }
        }
    }
    AccessChecks { tables: all, looks, demands: of_variables }
}

/// The look at one access.
fn look(
    ptx: &TokenStream,
    access: &TokenStream,
    read: &Body,
    check: &Deferred<'_>,
    conditions: &[&Attribute],
) -> TokenStream {
    let part = |part: &str, place: Place| {
        let part = format_ident!("{part}");
        let part = quote!(#ptx::rules::Blame::#part);
        let place = read.at(place).map(tokens_over);
        at(place, quote!(#ptx::__private::require_access(#access, #part)))
    };
    let of_name = part("Name", check.place);
    let of_value = check.value.map(|place| {
        let which = match check.kind {
            DeferredKind::Operand(_) => "Offset",
            DeferredKind::Copy(_)
            | DeferredKind::Transactions(..)
            | DeferredKind::Count { .. }
            | DeferredKind::Descriptor(..) => "Value",
        };
        part(which, place)
    });
    let of_value = of_value.map(|check| quote!(#check;));
    let looks = quote!(#of_name; #of_value);
    if conditions.is_empty() { looks } else { quote!(#(#conditions)* const _: () = { #looks };) }
}
