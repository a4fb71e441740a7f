//! Paths into declared objects, and what they are in Rust.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use ptx_types::Space;
use quote::quote_spanned;

use super::super::token::Name;

/// What a body declares in memory, as a Rust type of the same layout.
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: TokenStream,
    pub(super) space: Space,
}

/// What a path starts at.
pub(super) enum Base {
    /// A variable of the module.
    Variable(Ident),
    /// A parameter, or what the body declares, of this type and in this state space.
    Object(TokenStream, Space),
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
    Register(Name<'static, Span>),
}

/// A path into an object.
pub(super) struct Path {
    pub(super) base: Base,
    pub(super) name: Name<'static, Span>,
    pub(super) steps: Vec<Step>,
    /// Where it ends.
    pub(super) end: Span,
}

impl Path {
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

impl Path {
    /// So many steps of it, whatever their indices are.
    fn form(&self, steps: usize) -> String {
        let step = |step: &Step| match step {
            Step::Field(field) => format!(".{field}"),
            Step::Index(..) | Step::Register(_) => "[_]".to_owned(),
        };
        let steps: String = self.steps[..steps].iter().map(step).collect();
        format!("{}{steps}", self.name.text)
    }

    /// What it has in common with others that differ in their indices alone.
    pub(super) fn key(&self, space: Option<&Ident>) -> String {
        let ty = match &self.base {
            Base::Variable(_) => None,
            Base::Object(ty, _) | Base::Pointer(ty) | Base::Register(ty) => Some(ty),
        };
        let (ty, space) = (ty.map(ToString::to_string), space.map(ToString::to_string));
        format!("{} {ty:?} {space:?}", self.form(self.steps.len()))
    }

    /// The places of its form, as a constant of Rust that has this name.
    pub(super) fn places(&self, name: &Ident, space: Option<&Ident>) -> TokenStream {
        let at = self.name.at.0;
        let start = match (&self.base, space) {
            (Base::Variable(name), Some(space)) => {
                quote_spanned!(at=> __PTX::__private::place_in::<__PTX::#space, _, _>(&#name))
            }
            (Base::Variable(name), None) => quote_spanned!(at=> __PTX::__private::place(&#name)),
            (Base::Object(ty, _), _) => quote_spanned!(at=> __PTX::__private::Place::<#ty>::START),
            (Base::Pointer(ty) | Base::Register(ty), Some(space)) => {
                quote_spanned!(at=> __PTX::__private::pointee_in::<__PTX::#space, #ty>())
            }
            (Base::Pointer(ty) | Base::Register(ty), None) => {
                quote_spanned!(at=> __PTX::__private::pointee::<#ty>())
            }
        };
        let is_pointer = matches!(self.base, Base::Pointer(_) | Base::Register(_));
        let (mut place, mut indices) = (start, Vec::new());
        for (n, step) in self.steps.iter().enumerate() {
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
                Step::Index(..) | Step::Register(_) => {
                    let at = step.at();
                    let form = self.form(n);
                    indices.push(quote_spanned!(at=> __PTX::__private::index(&#place, #form)));
                    // The first element is where the array is.
                    if n + 1 < self.steps.len() {
                        place = quote_spanned!(at=> __PTX::__private::elements(#place));
                    }
                }
            }
        }
        let here = inner(at);
        quote_spanned! {here=>
            const #name: __PTX::__private::Places = __PTX::__private::Places {
                first: #place.offset(), indices: &[#(#indices),*],
            };
        }
    }

    /// How far it is from the start of its object, in bytes, among the places of its form.
    pub(super) fn offset(&self, places: &Ident) -> TokenStream {
        let mut offset = quote_spanned!(inner(self.name.at.0)=> #places.first);
        let indices = self.steps.iter().filter(|step| !matches!(step, Step::Field(_)));
        for (n, step) in indices.enumerate() {
            if let Step::Index(index, at) = step {
                let index = match index.clone().into_iter().next() {
                    Some(TokenTree::Literal(_)) if index.clone().into_iter().count() == 1 => {
                        index.clone()
                    }
                    _ => quote_spanned!(*at=> __PTX::__private::to_i128(#index)),
                };
                // What is wrong with the index is said there.
                let mut places = places.clone();
                places.set_span(*at);
                offset = if n == 0 {
                    quote_spanned!(*at=> #places.at(#index))
                } else {
                    let n = Literal::usize_unsuffixed(n);
                    quote_spanned!(*at=> #places.element(#offset, #n, #index))
                };
            }
        }
        offset
    }

    /// How far the elements of the array are apart that a register chooses among, in bytes.
    pub(super) fn stride(&self, step: usize, places: &Ident) -> TokenStream {
        let is_index = |step: &&Step| !matches!(step, Step::Field(_));
        let n = self.steps[..step].iter().filter(is_index).count();
        let n = Literal::usize_unsuffixed(n);
        quote_spanned!(inner(self.name.at.0)=> #places.stride(#n))
    }
}

impl Step {
    /// Where it stands.
    fn at(&self) -> Span {
        match self {
            Self::Field(field) => field.span(),
            Self::Index(_, at) => *at,
            Self::Register(name) => name.at.0,
        }
    }
}
