//! Memory accesses that rustc judges because the tokens are not enough: a table of them for each
//! function, and for each access a check of its row, at the user's tokens.

use ptx_frontend::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::analysis::Place;
use ptx_frontend::analysis::deferred::{Deferred, DeferredKind, DeferredObject};
use ptx_frontend::ast::{Function, Module};
use ptx_frontend::body::Body;
use ptx_frontend::{CHECKED_AT_ONCE, CheckedBody, tokens_over};
use quote::{quote, quote_spanned};
use syn::{Attribute, Ident};

use super::about::{About, Of, Tables};
use super::demand::{Demanded, demanded, demands_ir, line_of};
use super::encoded::EncodedChecks;
use super::late::Late;
use super::own_items::OwnItems;
use super::parts::with_items;
use super::sum::Sums;
use super::table::Table;

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
    /// The results of an instance's accesses.
    pub(super) results: TokenStream,
    /// Where these are in the source, each with its number.
    pub(super) sources: Vec<(String, usize)>,
}

/// What the deferred checks of a body come to.
struct Rows {
    /// The checks that are written in Rust.
    others: Table,
    /// The sets of allowances.
    allowed: Table,
    checks: EncodedChecks,
    /// The number of each check that is the same as an earlier one.
    number_of: SortedMap<String, usize>,
    /// The numbers of the deferred checks without conditions, by their indices.
    numbers: SortedMap<usize, usize>,
    /// The tables of the checks under conditions.
    under_conditions: Vec<TokenStream>,
    /// The allowances of the checks under conditions.
    unsure: Vec<usize>,
    /// The demands on declarations.
    demands: Vec<Demanded>,
    /// Where the checks of an instance are in the source, each with its number.
    sources: Vec<(String, usize)>,
}

/// Makes the checks of each access, at its tokens.
pub(super) fn access_checks(
    ptx: &TokenStream,
    function: &Function,
    index: usize,
    (read, body): (&Body, &CheckedBody<'_>),
    module: &Module,
    late: &Late<'_>,
) -> AccessChecks {
    let own = OwnItems::new(ptx, function, index, module, late);
    let mut tables = Tables {
        sums: Sums { ptx, constants: &read.constants },
        ident: &function.ident,
        kind: function.kind,
        module,
        body,
        locals: body.locals.0.clone(),
        objects: Table::named(own.named("OBJECTS")),
        shapes: Table::named(own.named("SHAPES")),
    };
    let mut rows = Rows {
        others: Table::named(own.named("OTHERS")),
        allowed: Table::named(own.named("ALLOWED")),
        checks: EncodedChecks::default(),
        number_of: SortedMap::new(),
        numbers: SortedMap::new(),
        under_conditions: Vec::new(),
        unsure: Vec::new(),
        demands: Vec::new(),
        sources: Vec::new(),
    };
    let mut looks = Vec::new();
    for (i, check) in body.analysis.deferred.iter().enumerate() {
        if let Some((checked, row, conditions)) = rows.add(&own, &mut tables, read, (i, check)) {
            if let (Some(number), Some(_)) = (rows.numbers.get(&i), late.siblings()) {
                rows.sources.push((source(read, check), *number));
            }
            looks.push(look(&own, &checked, row, read, check, &conditions));
        }
    }
    looks.extend(rows.unneeded_allowances(&own, read, body));
    let object_ty = quote!(#ptx::rules::access::Object<'static>);
    let shape_ty = quote!(#ptx::rules::StorageAccess<'static>);
    let check_ty = quote!(#ptx::__private::Check<'static>);
    // Spliced expressions may name what the function declares; the module's variables may not.
    let mut all: Vec<TokenStream> = [
        (&tables.objects, object_ty, false),
        (&tables.shapes, shape_ty, true),
        (&rows.others, check_ty, true),
    ]
    .into_iter()
    .filter_map(|(table, ty, is_spliced)| own.rows(table, &ty, is_spliced))
    .collect();
    let constants = (!rows.checks.starts.is_empty()).then(|| own.named("CONSTANTS"));
    if let Some(constants) = &constants {
        all.extend(own.constants(constants, read, &rows.checks));
        all.extend(rows.accesses(&own, constants, &tables));
    }
    all.extend(rows.checked(&own));
    all.append(&mut rows.under_conditions);
    let mut of_variables = Vec::new();
    for demanded in &rows.demands {
        let accesses = demanded.tokens(&own.named("CHECKS"), &own.of_function);
        if let DeferredObject::Variable(used) = &demanded.object {
            of_variables.push((used.index, accesses));
        } else if let Some((ir, _)) = tables.object(&demanded.object) {
            let early = body.demanded.iter().find(|(object, _)| *object == demanded.object);
            let early = demands_ir(early.map(|(_, demands)| *demands));
            let found = quote!(#ptx::__private::check_alignment(#ir, #early, &[#accesses]));
            looks.push(own.check(&at_declaration(&demanded.object, &own, read, found)));
        }
    }
    let results = own.named("CHECKS");
    let results = late.siblings().map_or_else(|| quote!(&[]), |_| quote!(#results));
    AccessChecks {
        constants,
        tables: all,
        looks,
        demands: of_variables,
        results,
        sources: rows.sources,
    }
}

impl Rows {
    /// Adds a deferred check. Returns the table of results that contains its own, the number of the row there, and the
    /// conditions under which it exists.
    fn add(
        &mut self,
        own: &OwnItems<'_>,
        tables: &mut Tables<'_>,
        read: &Body,
        (i, check): (usize, &Deferred<'_>),
    ) -> Option<(Ident, usize, Vec<Attribute>)> {
        let ptx = own.ptx;
        let codes = check.allowances.iter().map(|i| tables.body.analysis.allowances[*i].code);
        let codes: Vec<&str> = codes.collect();
        let allow = quote!(&[#(#codes),*]);
        let About { of, key, conditions } = tables.check(check)?;
        let (is_reached, reached_key) = tables.sums.conditions(&check.conditions);
        let key = format!("{key} {reached_key} {}", codes.join(" "));
        let row = |of: TokenStream| {
            quote! {
                #ptx::__private::Check { of: #of, allow: #allow, is_reached: #is_reached }
            }
        };
        if conditions.is_empty() {
            let number = *self.number_of.entry(key.clone()).or_insert_with(|| {
                match of {
                    Of::Operand([shape, object], offset) => {
                        let allow = self.allowed.place(codes.join(" "), || allow.clone());
                        self.checks.push_operand([shape, object, allow], &offset);
                    }
                    Of::Written(of) => {
                        self.checks.push_other(self.others.place(key, || row(of)));
                    }
                }
                self.checks.starts.len() - 1
            });
            self.numbers.insert(i, number);
            if let Some((demanded, accesses)) = demanded(&mut self.demands, check) {
                demanded.add(number, line_of(read, check), accesses);
            }
            return Some((
                own.checked(number / CHECKED_AT_ONCE),
                number % CHECKED_AT_ONCE,
                conditions,
            ));
        }
        self.unsure.extend(&check.allowances);
        // An access under conditions is always written in Rust.
        let Of::Written(of) = of else { return None };
        let (name, checked) =
            (own.named(&format!("ACCESS_{i}")), own.named(&format!("CHECKS_ALONE_{i}")));
        let row = row(of);
        let row = with_items(&own.function.items, quote!(&[#row]));
        let row = quote! {
            #ptx::rules::encoded::Accesses {
                table: &[0, 0], constants: &[], operands: &[], allowed: &[], others: #row,
            }
        };
        self.under_conditions.push(own.table(&conditions, &name, &own.accesses_ty(), &row));
        let checked_accesses = quote!(#name.checks(0, 1));
        self.under_conditions.push(own.table(
            &conditions,
            &checked,
            &own.checked_ty(),
            &checked_accesses,
        ));
        if let Some((demanded, accesses)) = demanded(&mut self.demands, check) {
            let row = [0, accesses, line_of(read, check)];
            demanded.conditional.push((checked.clone(), row, conditions.clone()));
        }
        Some((checked, 0, conditions))
    }

    /// The checks that the allowances are needed.
    fn unneeded_allowances(
        &self,
        own: &OwnItems<'_>,
        read: &Body,
        body: &CheckedBody<'_>,
    ) -> Vec<TokenStream> {
        let accesses = own.named("ACCESSES");
        let deferred = || body.analysis.deferred.iter().enumerate();
        let mut checks = Vec::new();
        for (i, allowance) in body.analysis.allowances.iter().enumerate() {
            let among = deferred().filter(|(_, it)| it.allowances.contains(&i));
            let among = among.filter_map(|(n, _)| {
                self.numbers.get(&n).map(|number| self.checks.starts[*number])
            });
            let among: Vec<usize> = among.collect();
            if allowance.is_needed || self.unsure.contains(&i) {
                continue;
            }
            let code = allowance.code;
            let place = read.allowance_at(allowance, &own.function.allow).map(|span| (span, span));
            let place = place.map(tokens_over);
            if among.is_empty() {
                // The macro reports it if all instances are so.
                let ptx = own.ptx;
                own.late.knows(place, &quote!(#ptx::__private::unneeded(#code)));
                continue;
            }
            let found = quote!(#accesses.needed(#code, &[#(#among),*]));
            checks.push(own.check(&own.late.require_in_all(place, found)));
        }
        checks
    }

    /// The table of accesses, after that of their operands.
    fn accesses(
        &self,
        own: &OwnItems<'_>,
        constants: &Ident,
        tables: &Tables<'_>,
    ) -> Vec<TokenStream> {
        let ptx = own.ptx;
        let encoded = quote!(#ptx::rules::encoded);
        let mut all = Vec::new();
        let or_nothing = |rows: usize, name: &Ident| {
            if rows == 0 { quote!(&[]) } else { quote!(#name) }
        };
        let (operands, count) = (own.named("OPERANDS"), self.checks.places.len());
        if count > 0 {
            let (shapes, objects) = (&tables.shapes.name, &tables.objects.name);
            let bytes = Literal::byte_string(&self.checks.operands);
            let rows = quote!(&#encoded::operands::<#count>(#bytes, #shapes, #objects));
            all.push(own.table(&[], &operands, &quote!(&[#encoded::Operand<'static>]), &rows));
        }
        let (bytes, allowed) = (Literal::byte_string(&self.checks.table), &self.allowed.rows);
        let others = or_nothing(self.others.rows.len(), &self.others.name);
        let operands = or_nothing(count, &operands);
        let accesses = quote! {
            #encoded::Accesses {
                table: #bytes,
                constants: #constants,
                operands: #operands,
                allowed: &[#(#allowed),*],
                others: #others,
            }
        };
        all.push(own.table(&[], &own.named("ACCESSES"), &own.accesses_ty(), &accesses));
        all
    }

    /// The tables of results, and the table of those.
    fn checked(&self, own: &OwnItems<'_>) -> Vec<TokenStream> {
        let of_function = &own.of_function;
        let (accesses, checked_ty) = (own.named("ACCESSES"), own.checked_ty());
        let mut all = Vec::new();
        for (n, starts) in self.checks.starts.chunks(CHECKED_AT_ONCE).enumerate() {
            let (name, from, count) = (own.checked(n), starts[0], starts.len());
            let check = quote!(#accesses.checks(#from, #count));
            // Operands stay far below this lint's limit; checks written in Rust may be long.
            let allow =
                (!self.others.rows.is_empty()).then(|| quote!(#[allow(long_running_const_eval)]));
            let item = quote!(#(#of_function)* #allow static #name: #checked_ty = #check;);
            all.push(own.inside.moved(item));
        }
        let is_instance = own.late.siblings().is_some();
        if is_instance || self.demands.iter().any(|demanded| !demanded.groups.is_empty()) {
            let each = (0..all.len()).map(|n| own.checked(n));
            let ty = quote!(&[&#checked_ty]);
            all.push(own.table(&[], &own.named("CHECKS"), &ty, &quote!(&[#(&#each),*])));
        }
        all
    }
}

/// Blames the declaration of an object for what a check found.
fn at_declaration(
    object: &DeferredObject,
    OwnItems { late, function, .. }: &OwnItems<'_>,
    read: &Body,
    found: TokenStream,
) -> TokenStream {
    match object {
        DeferredObject::Pointee(i) => late.require(&function.params[*i].ty, found),
        DeferredObject::Param(i) => late.require(&function.params[*i].ident, found),
        DeferredObject::Return(i) => late.require(&function.returns[*i].ident, found),
        DeferredObject::Declaration(n) => {
            late.require(tokens_over(read.source.declarations[*n].aligned_at()), found)
        }
        DeferredObject::FieldPointee(..) | DeferredObject::Variable(_) => {
            late.require(TokenStream::new(), found)
        }
    }
}

/// The place of a check in the source, which is the same in all instances.
fn source(read: &Body, check: &Deferred<'_>) -> String {
    let at = read.at(check.place).map(|(start, _)| start.start());
    let at = at.map(|at| format!("{}:{}", at.line, at.column)).unwrap_or_default();
    at + &read.inside(check.place.statement)
}

/// The check of one access, row `n` of the results.
fn look(
    own: &OwnItems<'_>,
    checked: &Ident,
    n: usize,
    read: &Body,
    check: &Deferred<'_>,
    conditions: &[Attribute],
) -> TokenStream {
    let OwnItems { inside, before, .. } = own;
    let (first, checked, n) = (inside.first, inside.name(&checked.to_string()), inside.number(n));
    let part = |part: &str, place: Place| {
        let part = inside.name(part);
        let found = quote_spanned!(first=> #checked.#part(#n));
        let found = match own.late.siblings() {
            Some(siblings) if conditions.is_empty() => {
                let in_instances = inside.path(&["__private", "in_instances"]);
                let instances = inside.name(&siblings.table().to_string());
                let source = source(read, check);
                quote_spanned!(first=> #in_instances(#found, #source, #instances))
            }
            _ => found,
        };
        let fragments = read.inside(place.statement);
        let found = if fragments.is_empty() {
            found
        } else {
            quote_spanned!(first=> #found.inside(#fragments))
        };
        inside.require(read.at(place).unwrap_or((first, first)), found)
    };
    let of_name = part("name", check.place);
    let of_value = check.value.map(|place| {
        let which = match check.kind {
            DeferredKind::Operand(_) => "offset",
            DeferredKind::Copy(_)
            | DeferredKind::Transactions(..)
            | DeferredKind::Count { .. }
            | DeferredKind::Descriptor(..) => "value",
        };
        part(which, place)
    });
    let looks = of_name.chain(of_value.into_iter().flatten()).collect();
    if conditions.is_empty() {
        return inside.check(before, looks);
    }
    inside.moved(quote!(#before const _: () = { #(#conditions)* const _: () = { #looks }; };))
}
