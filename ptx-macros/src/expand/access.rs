//! Memory accesses that rustc judges because the tokens are not enough: a table of them for each
//! function, and for each access a check of its row, at the user's tokens.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::analysis::Place;
use ptx_frontend::analysis::deferred::{Deferred, DeferredKind, DeferredObject};
use ptx_frontend::ast::{Function, Module};
use ptx_frontend::body::Body;
use ptx_frontend::{CheckedBody, JUDGED_AT_ONCE, tokens_over};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Ident};

use super::about::{About, Of, Tables};
use super::demand::{demanded, demands_ir, line_of};
use super::encoded::EncodedChecks;
use super::fragment::{allow_deprecated, conditions, with_items};
use super::span::{Inside, at};
use super::sum::Sums;
use super::table::Table;

/// The number of constants in one item: each `offset_of!` among them makes rustc process the whole
/// item.
const NUMBERS_AT_ONCE: usize = 32;

/// The tables of a function, and the checks that read them, each an item inside the function.
pub(super) struct AccessChecks {
    /// The table of the body's constants as numbers, if there is one.
    pub(super) constants: Option<Ident>,
    /// Items beside the function.
    pub(super) tables: Vec<TokenStream>,
    /// A check of each access, and of each allowance that may be unneeded.
    pub(super) looks: Vec<TokenStream>,
    /// The demands of accesses on the module's variables, each with the variable's index.
    pub(super) demands: Vec<(usize, TokenStream)>,
}

/// Makes the checks of each access, at its tokens.
pub(super) fn access_checks(
    ptx: &TokenStream,
    function: &Function,
    index: usize,
    (read, body): (&Body, &CheckedBody<'_>),
    module: &Module,
) -> AccessChecks {
    let Function { ident, kind, items, .. } = function;
    let inside = Inside::new(ident.span(), function.end, ptx);
    let of_function = conditions(&function.attrs);
    // The attributes of each check.
    let before = allow_deprecated(module);
    let before = inside.moved(quote!(#(#of_function)* #before));
    let check_of = |check: TokenStream| inside.moved(quote!(#before const _: () = { #check; };));
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
    // For a constant, rustc would validate everything that it refers to, including the locations of declarations,
    // and so judge everything again whenever a line moves; for a static, it does not.
    let table = |conditions: &[Attribute], name: &Ident, ty: TokenStream, value: TokenStream| {
        inside.moved(quote! {
            #(#of_function)*
            #(#conditions)*
            #[allow(
                deprecated, long_running_const_eval, unused, clippy::all,
                clippy::pedantic
            )]
            static #name: #ty = #value;
        })
    };
    let check_ty = quote!(#ptx::__private::Check<'static>);
    let judged_ty = quote!(#ptx::__private::Judged<'static>);
    let accesses_ty = quote!(#ptx::rules::encoded::Accesses<'static>);
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
        let (judged, row) = if conditions.is_empty() {
            let number = *place_of.entry(key.clone()).or_insert_with(|| {
                match of {
                    Of::Operand([shape, object], offset) => {
                        let allow = allowed.place(codes.join(" "), || allow.clone());
                        checks.push_operand([shape, object, allow], &offset);
                    }
                    Of::Written(of) => checks.push_other(rows.place(key, || row(of))),
                }
                checks.starts.len() - 1
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
            // An access under conditions is always written in Rust.
            let Of::Written(of) = of else { continue };
            let row = row(of);
            let row = with_items(items, quote!(&[#row]));
            let row = quote! {
                #ptx::rules::encoded::Accesses {
                    table: &[0, 0], constants: &[], operands: &[], allowed: &[], others: #row,
                }
            };
            under_conditions.push(table(&conditions, &own, accesses_ty.clone(), row));
            let judge = quote!(#ptx::__private::judge(&#own, 0, 1));
            under_conditions.push(table(&conditions, &judged, judged_ty.clone(), judge));
            if let Some(demanded) = demanded(&mut demands, check) {
                let row = (judged.clone(), line_of(read, check), conditions.clone());
                demanded.conditional.push(row);
            }
            (judged, 0)
        };
        looks.push(look(&inside, &judged, row, &before, read, check, &conditions));
    }
    for (i, allowance) in analysis.allowances.iter().enumerate() {
        let among =
            analysis.deferred.iter().enumerate().filter(|(_, it)| it.allowances.contains(&i));
        let among = among.filter_map(|(n, _)| row_of.get(&n).map(|number| checks.starts[*number]));
        let among: Vec<usize> = among.collect();
        if allowance.is_needed || among.is_empty() || unsure.contains(&i) {
            continue;
        }
        let code = allowance.code;
        let check = quote!(#ptx::__private::require_needed(#code, &#accesses, &[#(#among),*]));
        let place = read.allowance_at(allowance, &function.allow).map(|span| (span, span));
        looks.push(check_of(at(place.map(tokens_over), check)));
    }
    let mut all = Vec::new();
    let object_ty = quote!(#ptx::rules::access::Object<'static>);
    let shape_ty = quote!(#ptx::rules::StorageAccess<'static>);
    // Spliced expressions may name what the function declares; the module's variables may not.
    for (of, ty, is_spliced) in [
        (&tables.objects, object_ty, false),
        (&tables.shapes, shape_ty, true),
        (&rows, check_ty.clone(), true),
    ] {
        if !of.rows.is_empty() {
            let rows = &of.rows;
            let rows = quote!(&[#(#rows),*]);
            let rows = if is_spliced { with_items(items, rows) } else { rows };
            all.push(table(&[], &of.name, quote!(&[#ty]), rows));
        }
    }
    let constants = (!checks.starts.is_empty()).then(|| named("CONSTANTS"));
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
        // The function's own items are repeated in each part.
        let at_once = if function.items.is_empty() { NUMBERS_AT_ONCE } else { count.max(1) };
        let mut parts = Vec::new();
        for (n, numbers) in numbers.chunks(at_once).enumerate() {
            let part = inside.name(&named(&format!("CONSTANTS_{n}")).to_string());
            let (ty, first) = (inside.path(&["Number"]), inside.first);
            let numbers = quote_spanned!(first=> &[#(#numbers),*]);
            let numbers = with_items(items, numbers);
            let numbers = if items.is_empty() { numbers } else { inside.moved(numbers) };
            // rustc reports the function's items that no constant names here.
            all.push(inside.item(quote_spanned! {first=>
                #(#of_function)*
                #[allow(deprecated, long_running_const_eval, clippy::all, clippy::pedantic)]
                const #part: &[#ty] = #numbers
            }));
            parts.push(part);
        }
        let numbers = quote!(&#ptx::rules::encoded::numbers::<#count>(&[#(#parts),*]));
        all.push(inside.moved(quote! {
            #(#of_function)*
            #[allow(deprecated, long_running_const_eval, unused, clippy::all, clippy::pedantic)]
            const #constants: &[#ptx::Number] = #numbers;
        }));
        let (bytes, allowed) = (Literal::byte_string(&checks.table), &allowed.rows);
        let or_nothing = |rows: usize, name: &Ident| {
            if rows == 0 { quote!(&[]) } else { quote!(#name) }
        };
        let (operands, count) = (named("OPERANDS"), checks.places.len());
        if count > 0 {
            let (shapes, objects) = (&tables.shapes.name, &tables.objects.name);
            let (bytes, encoded) =
                (Literal::byte_string(&checks.operands), quote!(#ptx::rules::encoded));
            let rows = quote!(&#encoded::operands::<#count>(#bytes, #shapes, #objects));
            all.push(table(&[], &operands, quote!(&[#encoded::Operand<'static>]), rows));
        }
        let others = or_nothing(rows.rows.len(), &rows.name);
        let operands = or_nothing(count, &operands);
        let read = quote! {
            #ptx::rules::encoded::Accesses {
                table: #bytes,
                constants: #constants,
                operands: #operands,
                allowed: &[#(#allowed),*],
                others: #others,
            }
        };
        all.push(table(&[], &accesses, accesses_ty, read));
    }
    for (n, starts) in checks.starts.chunks(JUDGED_AT_ONCE).enumerate() {
        let (name, from, count) = (named(&format!("JUDGED_{n}")), starts[0], starts.len());
        let judge = quote!(#ptx::__private::judge(&#accesses, #from, #count));
        // Operands stay far below this lint's limit; checks written in Rust may be long.
        let allow = (!rows.rows.is_empty()).then(|| quote!(#[allow(long_running_const_eval)]));
        all.push(inside.moved(quote!(#(#of_function)* #allow static #name: #judged_ty = #judge;)));
    }
    let all_judged = named("JUDGED");
    if demands.iter().any(|demanded| !demanded.alike.is_empty()) {
        let numbers = 0..checks.starts.len().div_ceil(JUDGED_AT_ONCE);
        let each = numbers.map(|number| named(&format!("JUDGED_{number}")));
        let all_ty = quote!(&[&#judged_ty]);
        all.push(table(&[], &all_judged, all_ty, quote!(&[#(&#each),*])));
    }
    all.extend(under_conditions);
    let mut of_variables = Vec::new();
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
                    DeferredObject::FieldPointee(..) | DeferredObject::Variable(_) => check,
                };
                looks.push(check_of(check));
            }
        }
    }
    AccessChecks { constants, tables: all, looks, demands: of_variables }
}

/// The check of one access, row `n` of the results.
fn look(
    inside: &Inside,
    judged: &Ident,
    n: usize,
    before: &TokenStream,
    read: &Body,
    check: &Deferred<'_>,
    conditions: &[Attribute],
) -> TokenStream {
    let (first, judged, n) = (inside.first, inside.name(&judged.to_string()), inside.number(n));
    let part = |part: &str, place: Place| {
        let part = inside.path(&["rules", "Blame", part]);
        let arguments = quote_spanned!(first=> &#judged, #n, #part);
        inside.call(read.at(place).unwrap_or((first, first)), "require_access", arguments)
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
    let looks = of_name.chain(of_value.into_iter().flatten()).collect();
    if conditions.is_empty() {
        return inside.check(before, looks);
    }
    inside.moved(quote!(#before const _: () = { #(#conditions)* const _: () = { #looks }; };))
}
