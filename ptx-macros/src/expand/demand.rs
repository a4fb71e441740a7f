//! The alignment that deferred accesses may need of their targets.

use ptx_frontend::sorted::SortedMap;

use proc_macro2::{Literal, TokenStream};
use ptx_frontend::Demands;
use ptx_frontend::analysis::deferred::{Deferred, DeferredKind, DeferredObject};
use ptx_frontend::body::Body;
use ptx_frontend::encoded::push_demanded;
use quote::quote;
use syn::{Attribute, Ident};

/// A declaration, and the deferred accesses that may need more alignment than it has.
pub(super) struct Demanded {
    pub(super) object: DeferredObject,
    /// Equal accesses: their index among the results, their number, and the line of the
    /// first.
    pub(super) groups: Vec<[usize; 3]>,
    /// The position of each index in `groups`.
    places: SortedMap<usize, usize>,
    /// Accesses under conditions: the result, its row, and the conditions.
    pub(super) conditional: Vec<(Ident, [usize; 3], Vec<Attribute>)>,
}

impl Demanded {
    /// Adds an access whose result has this index, or what the swizzle of its tile needs besides, which is not
    /// counted again.
    pub(super) fn add(&mut self, place: usize, line: usize, accesses: usize) {
        match self.places.get(&place) {
            Some(n) => {
                let [_, known, first] = self.groups[*n];
                self.groups[*n] = [place, known + accesses, first.min(line)];
            }
            None => {
                self.places.insert(place, self.groups.len());
                self.groups.push([place, accesses, line]);
            }
        }
    }

    /// Writes the rows of `AccessGroup`; `all` names all results of the function.
    pub(super) fn tokens(&self, all: &Ident, of_function: &[Attribute]) -> TokenStream {
        let table = |rows: &[[usize; 3]]| {
            let mut table = Vec::new();
            for row in rows {
                push_demanded(*row, &mut table);
            }
            Literal::byte_string(&table)
        };
        let mut tokens = TokenStream::new();
        if !self.groups.is_empty() {
            let table = table(&self.groups);
            tokens.extend(quote!(#(#of_function)* (#all, #table),));
        }
        for (checked, row, conditions) in &self.conditional {
            let table = table(&[*row]);
            tokens.extend(quote!(#(#of_function)* #(#conditions)* (&[&#checked], #table),));
        }
        tokens
    }
}

/// The alignments that the tokens of accesses demand.
pub(super) fn demands_ir(demands: Option<Demands>) -> TokenStream {
    let Demands { count, most, least, are_typed, line } = demands.unwrap_or(Demands::NONE);
    quote!((#count, #most, #least, #are_typed, #line))
}

/// The demands on the target of `check`, which may need more alignment than the target has, and the number of accesses
/// that the check adds.
pub(super) fn demanded<'d>(
    all: &'d mut Vec<Demanded>,
    check: &Deferred<'_>,
) -> Option<(&'d mut Demanded, usize)> {
    let object = check.maybe_misaligned()?;
    let accesses = usize::from(matches!(check.kind, DeferredKind::Operand(_)));
    let found = all.iter().position(|demanded| demanded.object == *object);
    let found = found.unwrap_or_else(|| {
        all.push(Demanded {
            object: object.clone(),
            groups: Vec::new(),
            places: SortedMap::new(),
            conditional: Vec::new(),
        });
        all.len() - 1
    });
    Some((all.get_mut(found)?, accesses))
}

/// The line of the name in an access.
pub(super) fn line_of(body: &Body, check: &Deferred<'_>) -> usize {
    body.at(check.place).map_or(0, |(start, _)| start.start().line)
}
