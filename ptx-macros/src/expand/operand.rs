//! Accesses to memory, where rustc decides what tokens do not tell: a table of them for each
//! function, and for each a look at its row, at the user's tokens.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use ptx_frontend::ast::{Function, Item, Module};
use ptx_frontend::body::{
    Amount, Body, Condition, Declaration, DeferredCheck, DeferredCopied, DeferredDescriptor,
    DeferredKind, DeferredObject, DeferredOperand, Family, Linear, Sum,
};
use ptx_frontend::{AddressKind, FunctionKind, JUDGED_AT_ONCE, Settled};
use quote::{format_ident, quote};
use syn::{Attribute, Ident};

use super::demand::{demanded, demands_ir, line_of};
use super::fragment::{conditions, option};
use super::function::{local_of, split_locals, used_ir};
use super::span::at;
use super::variant::variant;

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
    body: &Body,
    module: &Module,
) -> AccessChecks {
    let Function { ident, kind, items, .. } = function;
    let name = ptx_frontend::ptx_name(ident);
    let named = |what: &str| format_ident!("__PTX_{what}_OF_{name}", span = ident.span());
    let mut tables = Tables {
        ptx,
        ident,
        kind: *kind,
        module,
        declarations: body.declarations().collect(),
        locals: split_locals(body).0,
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
    for (i, check) in body.checks.iter().enumerate() {
        let codes = check.allowances.iter().map(|i| body.allowances[*i].code);
        let codes: Vec<&str> = codes.collect();
        let allow = quote!(&[#(#codes),*]);
        let Some(Checked { of, key, conditions }) = tables.check(check) else { continue };
        let (is_reached, reached_key) = tables.conditions(&check.conditions);
        let row = quote! {
            #ptx::__private::Check { of: #of, allow: #allow, is_reached: #is_reached }
        };
        let key = format!("{key} {reached_key}");
        let (judged, place) = if conditions.is_empty() {
            let number = rows.place(format!("{key} {}", codes.join(" ")), || row);
            row_of.insert(i, number);
            if let Some(demanded) = demanded(&mut demands, check) {
                demanded.add(number, line_of(check));
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
                let row = (judged.clone(), line_of(check), conditions.clone());
                demanded.conditional.push(row);
            }
            (judged, 0)
        };
        looks.push(look(ptx, &quote!(#judged, #place), check, &conditions));
    }
    for (i, allowance) in body.allowances.iter().enumerate() {
        let among = body.checks.iter().enumerate().filter(|(_, it)| it.allowances.contains(&i));
        let among: Vec<usize> = among.filter_map(|(n, _)| row_of.get(&n).copied()).collect();
        if allowance.is_needed || among.is_empty() || unsure.contains(&i) {
            continue;
        }
        let (code, rows) = (allowance.code, &rows.name);
        let check = quote!(#ptx::__private::require_needed(#code, #rows, &[#(#among),*]));
        let mut place = proc_macro2::Punct::new('.', proc_macro2::Spacing::Alone);
        place.set_span(allowance.span);
        let check = at(place, check);
        looks.push(quote!(#check;));
    }
    let mut all = Vec::new();
    let object_ty = quote!(#ptx::rules::access::Object<'static>);
    let shape_ty = quote!(#ptx::rules::Operand<'static>);
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
                        at(tables.declarations[*n].aligned_at(), check)
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
    check: &DeferredCheck,
    conditions: &[&Attribute],
) -> TokenStream {
    let part = |part: &str, place: &ptx_frontend::body::Name| {
        let part = format_ident!("{part}");
        let part = quote!(#ptx::rules::Blame::#part);
        at(place.tokens(), quote!(#ptx::__private::require_access(#access, #part)))
    };
    let of_name = part("Name", &check.name);
    let of_value = check.value.as_ref().map(|place| {
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

/// A table whose rows stand once.
struct Table {
    /// The constant's name.
    name: Ident,
    rows: Vec<TokenStream>,
    /// Where each row is, by a text that equal rows have.
    places: HashMap<String, usize>,
}

impl Table {
    fn named(name: Ident) -> Self {
        Self { name, rows: Vec::new(), places: HashMap::new() }
    }

    /// The place of the row with this key, which is written if it is the first. Keys are made of data,
    /// since a macro prints tokens slowly.
    fn place(&mut self, key: String, row: impl FnOnce() -> TokenStream) -> usize {
        let next = self.rows.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.rows.push(row());
        }
        place
    }
}

/// What a check is about, and under which conditions there is something.
struct Checked<'m> {
    of: TokenStream,
    /// A text that equal checks have.
    key: String,
    conditions: Vec<&'m Attribute>,
}

struct Tables<'m> {
    ptx: &'m TokenStream,
    ident: &'m Ident,
    kind: FunctionKind,
    module: &'m Module,
    declarations: Vec<&'m Declaration>,
    locals: Vec<&'m Declaration>,
    objects: Table,
    shapes: Table,
}

impl<'m> Tables<'m> {
    fn check(&mut self, check: &DeferredCheck) -> Option<Checked<'m>> {
        let ptx = self.ptx;
        let (of, conditions) = match &check.kind {
            DeferredKind::Operand(operand) => {
                let (object, conditions) = self.object(&operand.object)?;
                let (base, step) = self.linear(&operand.offset);
                let shape = format!(
                    "{} {:?} {:?} {}",
                    operand.memory.key(),
                    operand.via,
                    operand.settled,
                    operand.only_where
                );
                let key = format!("{shape} at {} of {:?}", operand.offset.key(), operand.object);
                let place = self.shapes.place(shape, || operand_ir(ptx, operand));
                let shapes = &self.shapes.name;
                let of = quote! {
                    #ptx::__private::Checked::Operand(
                        &#shapes[#place], &#object, #ptx::rules::Offset { base: #base, step: #step },
                    )
                };
                return Some(Checked { of, key, conditions });
            }
            DeferredKind::Copy(copy) => {
                let (tile, mut conditions) = self.place(&copy.tile.0, &copy.tile.1)?;
                let (map, of_map) = self.place(&copy.map.0, &copy.map.1)?;
                conditions.extend(of_map);
                let halo = self.halo(&copy.halo);
                let first = option(copy.first.as_ref().map(|first| self.sum(first)));
                let of = quote! {
                    #ptx::__private::Checked::Copy(#ptx::rules::copy::TensorCopy {
                        tile: #tile, map: #map, halo: #halo, first: #first,
                    })
                };
                (of, conditions)
            }
            DeferredKind::Transactions(expected, copied) => {
                let expected = self.sum(expected);
                let (mut all, mut conditions) = (Vec::new(), Vec::new());
                for copied in copied {
                    all.push(match copied {
                        DeferredCopied::Bytes(bytes) => {
                            let bytes = self.sum(bytes);
                            quote!(#ptx::rules::copy::Copied::Bytes(#bytes))
                        }
                        DeferredCopied::Tile(object, offset, halo) => {
                            let (place, of_tile) = self.place(object, offset)?;
                            conditions.extend(of_tile);
                            let halo = self.halo(halo);
                            quote!(#ptx::rules::copy::Copied::Tile(#place, #halo))
                        }
                    });
                }
                let of = quote! {
                    #ptx::__private::Checked::Transactions(#ptx::rules::copy::Transactions {
                        expected: #expected, copied: &[#(#all),*],
                    })
                };
                (of, conditions)
            }
            DeferredKind::Count { of, count, by_copies } => {
                let (of, value) = (variant(of), self.sum(count));
                let of = quote! {
                    #ptx::__private::Checked::Count(#ptx::rules::copy::BarrierCount {
                        of: #ptx::rules::copy::Counted::#of, value: #value, by_copies: #by_copies,
                    })
                };
                (of, Vec::new())
            }
            DeferredKind::Descriptor(descriptor) => {
                let DeferredDescriptor { tile, bits, is_transposed, element, rows } = &**descriptor;
                let (tile, conditions) = self.place(&tile.0, &tile.1)?;
                let bits = self.sum(bits);
                let major = format_ident!("{}", if *is_transposed { "Mn" } else { "K" });
                let of = quote! {
                    #ptx::__private::Checked::Descriptor(#ptx::rules::copy::TileDescriptor {
                        tile: #tile,
                        bits: #ptx::__private::to_mask(#bits),
                        major: #ptx::tensor::Major::#major,
                        element: #element,
                        rows: #rows,
                    })
                };
                (of, conditions)
            }
        };
        Some(Checked { key: of.to_string(), of, conditions })
    }

    /// The offset and the object.
    fn place(
        &mut self,
        object: &DeferredObject,
        offset: &Linear,
    ) -> Option<(TokenStream, Vec<&'m Attribute>)> {
        let ptx = self.ptx;
        let (object, conditions) = self.object(object)?;
        let (base, step) = self.linear(offset);
        let place = quote!((#ptx::rules::Offset { base: #base, step: #step }, #object));
        Some((place, conditions))
    }

    fn object(&mut self, late: &DeferredObject) -> Option<(TokenStream, Vec<&'m Attribute>)> {
        let (ptx, ident) = (self.ptx, self.ident);
        let (conditions, object) = match late {
            DeferredObject::Variable(used) => match self.module.items.get(used.index) {
                Some(Item::Variable(variable)) if !variable.refused => {
                    let object = used_ir(ptx, used, &variable.ident);
                    (conditions(&variable.attrs), quote!(Variable(#object)))
                }
                Some(Item::Variable(_) | Item::Function(_) | Item::Rust(_)) | None => return None,
            },
            DeferredObject::Param(i) => {
                let param = quote!(#ident().ir().params[#i]);
                let object = match self.kind {
                    FunctionKind::Kernel => quote!(EntryParam(&#param)),
                    FunctionKind::Device => quote!(Input(&#param.variable)),
                };
                (Vec::new(), object)
            }
            DeferredObject::Pointee(i) => (Vec::new(), quote!(Pointee(&#ident().ir().params[#i]))),
            DeferredObject::Return(i) => {
                (Vec::new(), quote!(Return(&#ident().ir().returns[#i].variable)))
            }
            DeferredObject::Declaration(n) => {
                let declared = self.declarations[*n];
                let local = local_of(ident, &self.locals, declared)?;
                let name = &declared.name.text;
                let object = match declared.family {
                    Family::No => local,
                    Family::Of(_) => quote!(&const { #ptx::ir::Variable::member(#local, #name) }),
                };
                (Vec::new(), quote!(Variable(#object)))
            }
        };
        let object = quote!(#ptx::rules::access::Object::#object);
        let object = if conditions.is_empty() {
            let place = self.objects.place(format!("{late:?}"), || object);
            let objects = &self.objects.name;
            quote!(#objects[#place])
        } else {
            object
        };
        Some((object, conditions))
    }

    /// Whether conditions on Rust constants hold, and a text that equal ones have.
    fn conditions(&self, conditions: &[Condition]) -> (TokenStream, String) {
        let ptx = self.ptx;
        let key = conditions.iter().map(Condition::key).collect();
        let holds = conditions.iter().map(|condition| {
            let Condition { one, comparison, other, bits, is_signed } = condition;
            let comparison = variant(comparison);
            // Registers may hold the bits of other numbers, of which nothing is known.
            let are_whole = one.products.iter().chain(&other.products).flat_map(|product| {
                product.of.iter().map(|constant| {
                    let expr = &constant.tokens;
                    at(expr, quote!(#ptx::__private::is_whole(#expr)))
                })
            });
            let whole = format_ident!("whole");
            let (one, other) = (self.sum_by(one, &whole), self.sum_by(other, &whole));
            quote! {
                #(#are_whole &&)* #ptx::__private::holds(
                    #one, #ptx::rules::Comparison::#comparison, #other, #bits, #is_signed,
                )
            }
        });
        let all = holds.reduce(|all, next| quote!(#all && #next));
        (all.unwrap_or_else(|| quote!(true)), key)
    }

    fn amount(&self, amount: &Amount) -> TokenStream {
        let ptx = self.ptx;
        match amount {
            Amount::Known(value) => quote!(#value),
            Amount::Splice(expr) => at(expr, quote!(#ptx::__private::to_i128(#expr))),
            Amount::Unknown => quote!(0),
        }
    }

    fn halo(&self, amount: &Amount) -> TokenStream {
        let (ptx, value) = (self.ptx, self.amount(amount));
        quote!(#ptx::__private::to_u32(#ptx::__private::to_usize(#value)))
    }

    fn sum(&self, sum: &Sum) -> TokenStream {
        self.sum_by(sum, &format_ident!("to_i128"))
    }

    /// A sum, of which this function makes a number of each constant.
    fn sum_by(&self, sum: &Sum, number: &Ident) -> TokenStream {
        let (ptx, known) = (self.ptx, sum.known);
        let products = sum.products.iter().map(|product| {
            let times = product.times;
            let factors = product.of.iter().map(|constant| {
                let expr = &constant.tokens;
                at(expr, quote!(#ptx::__private::#number(#expr)))
            });
            let first = (times != 1).then(|| quote!(#times));
            let product = first.into_iter().chain(factors);
            product.reduce(|all, factor| quote!(#ptx::__private::times(#all, #factor)))
        });
        let first = (known != 0 || sum.products.is_empty()).then(|| quote!(#known));
        let all = first.into_iter().chain(products.flatten());
        all.reduce(|all, product| quote!(#ptx::__private::plus(#all, #product)))
            .unwrap_or_else(|| quote!(0))
    }

    /// The known part, and what is added any number of times.
    fn linear(&self, linear: &Linear) -> (TokenStream, TokenStream) {
        let ptx = self.ptx;
        let step = linear.steps.iter().fold(None, |all: Option<TokenStream>, step| {
            let step = match step.value() {
                Some(value) => {
                    let value = u64::try_from(value.unsigned_abs()).unwrap_or(1);
                    quote!(#value)
                }
                None => {
                    let sum = self.sum(step);
                    quote!(#ptx::__private::to_step(#sum))
                }
            };
            Some(match all {
                Some(all) => quote!(#ptx::rules::gcd(#all, #step)),
                None => step,
            })
        });
        let (base, bits) = (self.sum(&linear.base), linear.bits);
        let base = if bits == 0 { base } else { quote!(#ptx::__private::signed_in(#base, #bits)) };
        (base, step.unwrap_or_else(|| quote!(0)))
    }
}

/// An operand, but for where it starts.
fn operand_ir(ptx: &TokenStream, operand: &DeferredOperand) -> TokenStream {
    let DeferredOperand { memory, settled, only_where, .. } = operand;
    let settled = if *settled == Settled::default() {
        quote!(#ptx::rules::Settled::NOTHING)
    } else {
        let Settled { is_tile, is_aligned, is_zero } = *settled;
        quote! {
            #ptx::rules::Settled {
                is_tile: #is_tile, is_aligned: #is_aligned, is_zero: #is_zero,
            }
        }
    };
    let role = variant(&memory.role);
    let direction = variant(&memory.direction);
    let space = memory.space.map(|space| variant(&space)).map(|space| quote!(#ptx::Space::#space));
    let (space, names_space) = (option(space), memory.names_space);
    let size = |amount: &Amount| {
        option(match amount {
            Amount::Known(value) => usize::try_from(*value).ok().map(|value| quote!(#value)),
            Amount::Splice(expr) => Some(at(expr, quote!(#ptx::__private::to_usize(#expr)))),
            Amount::Unknown => None,
        })
    };
    let (bytes, align) = (size(&memory.bytes), size(&memory.align));
    let ty = option(memory.ty.map(|ty| {
        let ty = variant(&ty);
        quote!(#ptx::ScalarType::#ty)
    }));
    let tensor = option(memory.tensor.map(|tensor| {
        let (rank, mode) = (tensor.rank, variant(&tensor.mode));
        let direction = variant(&tensor.direction);
        quote! {
            #ptx::rules::TensorAccess {
                rank: #rank,
                mode: #ptx::rules::TensorMode::#mode,
                direction: #ptx::rules::instruction::Direction::#direction,
            }
        }
    }));
    let via = match &operand.via {
        None => quote!(Name),
        Some((name, held)) => {
            let held = match held {
                AddressKind::Own => quote!(Own),
                AddressKind::In(space) => {
                    let space = variant(space);
                    quote!(In(#ptx::Space::#space))
                }
                AddressKind::Generic => quote!(Generic),
                AddressKind::Unsure => quote!(Unsure),
            };
            quote!(Register(#name, #ptx::rules::AddressKind::#held))
        }
    };
    quote! {
        #ptx::rules::Operand {
            role: #ptx::rules::instruction::Role::#role,
            direction: #ptx::rules::instruction::Direction::#direction,
            space: #space,
            names_space: #names_space,
            bytes: #bytes,
            align: #align,
            ty: #ty,
            tensor: #tensor,
            via: #ptx::rules::Via::#via,
            offset: #ptx::rules::Offset::UNKNOWN,
            settled: #settled,
            only_where: #only_where,
        }
    }
}
