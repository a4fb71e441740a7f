//! What deferred accesses may need of the alignment of what they go to.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::Demands;
use ptx_frontend::analysis::deferred::{Deferred, DeferredKind, DeferredObject};
use ptx_frontend::body::Body;
use ptx_frontend::encoded::push_demanded;
use quote::quote;
use syn::{Attribute, Ident};

/// What is declared, and deferred accesses that may need more alignment than it has.
pub(super) struct Demanded {
    pub(super) object: DeferredObject,
    /// Those that are alike: their place among what was judged, how many there are, and the line of the
    /// first.
    pub(super) alike: Vec<[usize; 3]>,
    /// Where each place is among them.
    places: HashMap<usize, usize>,
    /// Those that are there under conditions: what was judged, the line, and the conditions.
    pub(super) conditional: Vec<(Ident, usize, Vec<Attribute>)>,
}

impl Demanded {
    /// Adds an access that was judged in this place.
    pub(super) fn add(&mut self, place: usize, line: usize) {
        match self.places.get(&place) {
            Some(n) => self.alike[*n] = [place, self.alike[*n][1] + 1, self.alike[*n][2].min(line)],
            None => {
                self.places.insert(place, self.alike.len());
                self.alike.push([place, 1, line]);
            }
        }
    }

    /// As `Alike` has them, of which `all` is all that was judged of the function.
    pub(super) fn tokens(&self, all: &Ident, of_function: &[Attribute]) -> TokenStream {
        let table = |rows: &[[usize; 3]]| {
            let mut table = Vec::new();
            for row in rows {
                push_demanded(*row, &mut table);
            }
            Literal::byte_string(&table)
        };
        let mut tokens = TokenStream::new();
        if !self.alike.is_empty() {
            let table = table(&self.alike);
            tokens.extend(quote!(#(#of_function)* (#all, #table),));
        }
        for (judged, line, conditions) in &self.conditional {
            let table = table(&[[0, 1, *line]]);
            tokens.extend(quote!(#(#of_function)* #(#conditions)* (&[&#judged], #table),));
        }
        tokens
    }
}

/// What accesses demand that tokens tell.
pub(super) fn demands_ir(ptx: &TokenStream, demands: Option<Demands>) -> TokenStream {
    let Demands { count, most, least, are_typed, line } = demands.unwrap_or(Demands::NONE);
    quote!(#ptx::__private::demands(#count, #most, #least, #are_typed, #line))
}

/// The demands on what `check` goes to, which may need more alignment than that has.
pub(super) fn demanded<'d>(
    all: &'d mut Vec<Demanded>,
    check: &Deferred<'_>,
) -> Option<&'d mut Demanded> {
    let DeferredKind::Operand(operand) = &check.kind else { return None };
    if !operand.is_perhaps_misaligned {
        return None;
    }
    let found = all.iter().position(|demanded| demanded.object == operand.object);
    let found = found.unwrap_or_else(|| {
        let object = operand.object.clone();
        all.push(Demanded {
            object,
            alike: Vec::new(),
            places: HashMap::new(),
            conditional: Vec::new(),
        });
        all.len() - 1
    });
    all.get_mut(found)
}

/// The line of the name in an access.
pub(super) fn line_of(body: &Body, check: &Deferred<'_>) -> usize {
    body.at(check.place).map_or(0, |(start, _)| start.start().line)
}
