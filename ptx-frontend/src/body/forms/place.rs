//! Paths into declared objects, and what they are in Rust.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use super::super::token::Name;

/// What a body declares in memory, as a Rust type of the same layout.
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: TokenStream,
}

/// What a path starts at.
pub(super) enum Base {
    /// A variable of the module.
    Variable(Ident),
    /// A parameter, or what the body declares, of this type.
    Object(TokenStream),
    /// A parameter in memory that is a pointer of this type.
    Pointer(TokenStream),
    /// A register that holds a pointer of this type.
    Register(TokenStream),
}

/// A step of a path.
pub(super) enum Step {
    Field(Ident),
    /// An element whose number Rust knows.
    Index(TokenStream, Span),
    /// An element whose number is in a register.
    Register(Name<Span>),
}

/// A path into an object.
pub(super) struct Path {
    pub(super) base: Base,
    pub(super) name: Name<Span>,
    pub(super) steps: Vec<Step>,
    /// Where it ends.
    pub(super) end: Span,
}

impl Path {
    /// How far it is from the start of its object, in bytes: a constant of Rust.
    pub(super) fn offset(&self, space: Option<&Ident>) -> TokenStream {
        let place = place(self, self.steps.len(), space);
        quote_spanned!(inner(self.name.at.0)=> #place.offset())
    }

    /// How far the elements of the array are apart that a register chooses among, in bytes.
    pub(super) fn stride(&self, step: usize, space: Option<&Ident>) -> TokenStream {
        let place = place(self, step + 1, space);
        quote_spanned!(inner(self.name.at.0)=> #place.stride())
    }

    /// So many steps of it, as they are written.
    pub(super) fn text(&self, steps: usize) -> String {
        let step = |step: &Step| match step {
            Step::Field(field) => format!(".{field}"),
            Step::Index(index, _) => format!("[{index}]"),
            Step::Register(index) => format!("[{}]", index.text),
        };
        let steps: String = self.steps[..steps].iter().map(step).collect();
        format!("{}{steps}", self.name.text)
    }
}

/// Where what the macro writes stands, with names of its own.
pub(super) fn inner(at: Span) -> Span {
    Span::mixed_site().located_at(at)
}

/// The place that so many steps of a path lead to, in Rust.
fn place(path: &Path, steps: usize, space: Option<&Ident>) -> TokenStream {
    let at = path.name.at.0;
    let mut place = match (&path.base, space) {
        (Base::Variable(name), Some(space)) => {
            quote_spanned!(at=> __PTX::__private::place_in::<__PTX::#space, _, _>(&#name))
        }
        (Base::Variable(name), None) => quote_spanned!(at=> __PTX::__private::place(&#name)),
        (Base::Object(ty), _) => quote_spanned!(at=> __PTX::__private::Place::<#ty>::START),
        (Base::Pointer(ty) | Base::Register(ty), Some(space)) => {
            quote_spanned!(at=> __PTX::__private::pointee_in::<__PTX::#space, #ty>())
        }
        (Base::Pointer(ty) | Base::Register(ty), None) => {
            quote_spanned!(at=> __PTX::__private::pointee::<#ty>())
        }
    };
    let is_pointer = matches!(path.base, Base::Pointer(_) | Base::Register(_));
    for (n, step) in path.steps[..steps].iter().enumerate() {
        match step {
            Step::Field(field) => {
                // Of what a pointer leads to without an index, the first.
                if is_pointer && n == 0 {
                    place = quote_spanned!(at=> __PTX::__private::elements(#place));
                }
                let at = inner(field.span());
                place = quote_spanned! {at=> {
                    let place = #place;
                    let object = place.object();
                    let start = object.as_ptr();
                    let place = unsafe { place.field(start, &raw const (*start).#field) };
                    place
                }};
            }
            Step::Index(index, span) => {
                let of = path.text(n);
                place = quote_spanned! {*span=>
                    __PTX::__private::element(#place, #of, __PTX::__private::to_i128(#index))
                };
            }
            Step::Register(index) => {
                place = quote_spanned!(index.at.0=> __PTX::__private::elements(#place));
            }
        }
    }
    place
}
