//! Accesses to memory, where rustc decides what tokens do not tell: a table of them for each
//! function, and for each a look at its row, at the user's tokens.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::analysis::Place;
use ptx_frontend::analysis::deferred::{Deferred, DeferredKind, DeferredObject};
use ptx_frontend::ast::{Function, Module};
use ptx_frontend::body::Body;
use ptx_frontend::{CheckedBody, JUDGED_AT_ONCE, tokens_over};
use quote::{format_ident, quote};
use syn::{Attribute, Ident};

use super::about::{About, Of, Tables};
use super::demand::{demanded, demands_ir, line_of};
use super::encoded::EncodedChecks;
use super::fragment::{conditions, with_items};
use super::span::at;
use super::sum::Sums;
use super::table::Table;

/// How many constants stand in one item: each `offset_of!` among them makes rustc go through the whole of
/// it.
const NUMBERS_AT_ONCE: usize = 32;

/// The tables of a function, and what looks into them.
pub(super) struct AccessChecks {
    /// The table of the body's constants as numbers, if there is one.
    pub(super) constants: Option<Ident>,
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
    index: usize,
    (read, body): (&Body, &CheckedBody<'_>),
    module: &Module,
) -> AccessChecks {
    let Function { ident, kind, items, .. } = function;
    let analysis = &body.analysis;
    let named = |what: &str| format_ident!("__PTX_{what}_OF_{index}");
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
    let mut rows = Table::named(named("OTHERS"));
    let mut allowed = Table::named(named("ALLOWED"));
    let (mut checks, accesses) = (EncodedChecks::default(), named("ACCESSES"));
    let mut place_of = HashMap::new();
    let (mut under_conditions, mut looks) = (Vec::new(), Vec::new());
    let mut demands = Vec::new();
    let mut row_of = HashMap::new();
    let mut unsure = Vec::new();
    let table = |conditions: &[Attribute], name: &Ident, ty: TokenStream, value: TokenStream| {
        quote! {
            #(#conditions)*
            #[allow(
                deprecated, long_running_const_eval, unused, clippy::all,
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
        let key = format!("{key} {reached_key} {}", codes.join(" "));
        let row = |of: TokenStream| {
            quote! {
                #ptx::__private::Check { of: #of, allow: #allow, is_reached: #is_reached }
            }
        };
        let (judged, place) = if conditions.is_empty() {
            let number = *place_of.entry(key.clone()).or_insert_with(|| {
                match of {
                    Of::Operand([shape, object], offset) => {
                        let allow = allowed.place(codes.join(" "), || allow.clone());
                        checks.push_operand([shape, object, allow], &offset);
                    }
                    Of::Written(of) => checks.push_other(rows.place(key, || row(of))),
                }
                checks.count - 1
            });
            row_of.insert(i, number);
            if let Some(demanded) = demanded(&mut demands, check) {
                demanded.add(number, line_of(read, check));
            }
            (named(&format!("JUDGED_{}", number / JUDGED_AT_ONCE)), number % JUDGED_AT_ONCE)
        } else {
            unsure.extend(&check.allowances);
            let (own, judged) =
                (named(&format!("ACCESS_{i}")), named(&format!("JUDGED_ALONE_{i}")));
            // Under conditions, it is.
            let Of::Written(of) = of else { continue };
            let row = row(of);
            let row = with_items(items, quote!(&[#row]));
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
        let code = allowance.code;
        let check = quote!(#ptx::__private::require_needed(#code, #accesses, &[#(#among),*]));
        let place = read.allowance_at(allowance, &function.allow).map(|span| (span, span));
        let check = at(place.map(tokens_over), check);
        looks.push(quote!(#check;));
    }
    let mut all = Vec::new();
    let object_ty = quote!(#ptx::rules::access::Object<'static>);
    let shape_ty = quote!(#ptx::rules::StorageAccess<'static>);
    let allow_ty = quote!(&[&::core::primitive::str]);
    // What is spliced in may name what the function declares; the module's variables may not.
    for (of, ty, is_spliced) in [
        (&tables.objects, object_ty, false),
        (&tables.shapes, shape_ty, true),
        (&allowed, allow_ty, false),
        (&rows, check_ty.clone(), true),
    ] {
        if checks.count > 0 || !of.rows.is_empty() {
            let rows = &of.rows;
            let rows = quote!(&[#(#rows),*]);
            let rows = if is_spliced { with_items(items, rows) } else { rows };
            all.push(table(&[], &of.name, quote!(&[#ty]), rows));
        }
    }
    let constants = (checks.count > 0).then(|| named("CONSTANTS"));
    if let Some(constants) = &constants {
        let numbers = read.constants.iter().enumerate().map(|(n, expr)| {
            let number = if checks.constants.contains(&n) {
                quote!(#ptx::__private::splice_whole(#expr))
            } else {
                quote!(#ptx::splice(#expr))
            };
            at(expr, number)
        });
        let numbers: Vec<TokenStream> = numbers.collect();
        let count = numbers.len();
        // Items of the function's stand in each part.
        let at_once = if function.items.is_empty() { NUMBERS_AT_ONCE } else { count.max(1) };
        let mut parts = Vec::new();
        for (n, numbers) in numbers.chunks(at_once).enumerate() {
            let part = named(&format!("CONSTANTS_{n}"));
            let numbers = with_items(items, quote!(&[#(#numbers),*]));
            // Of the function's items, what no constant names is reported here.
            all.push(quote! {
                #[allow(deprecated, long_running_const_eval, clippy::all, clippy::pedantic)]
                const #part: &[#ptx::Number] = #numbers;
            });
            parts.push(part);
        }
        let numbers = quote!(&#ptx::rules::encoded::numbers::<#count>(&[#(#parts),*]));
        all.push(table(&[], constants, quote!(&[#ptx::Number]), numbers));
        let (bytes, count) = (Literal::byte_string(&checks.table), checks.count);
        let parts = [&tables.shapes.name, &tables.objects.name, &allowed.name, &rows.name];
        let read = quote! {
            &#ptx::rules::encoded::checks::<#count>(#bytes, #constants, #(#parts),*)
        };
        all.push(table(&[], &accesses, quote!(&[#check_ty]), read));
    }
    for from in (0..checks.count).step_by(JUDGED_AT_ONCE) {
        let name = named(&format!("JUDGED_{}", from / JUDGED_AT_ONCE));
        let judge = quote!(&#ptx::__private::judge(#accesses, #from));
        // Operands are judged far below the limit that this lint has; what is written in Rust may be long.
        let allow = (!rows.rows.is_empty()).then(|| quote!(#[allow(long_running_const_eval)]));
        all.push(quote!(#allow const #name: #judged_ty = #judge;));
    }
    let all_judged = named("JUDGED");
    if demands.iter().any(|demanded| !demanded.alike.is_empty()) {
        let numbers = 0..checks.count.div_ceil(JUDGED_AT_ONCE);
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
    AccessChecks { constants, tables: all, looks, demands: of_variables }
}

/// The look at one access.
fn look(
    ptx: &TokenStream,
    access: &TokenStream,
    read: &Body,
    check: &Deferred<'_>,
    conditions: &[Attribute],
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
