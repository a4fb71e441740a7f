//! Paths into declared objects, and their Rust expressions.

use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use ptx_isa::Space;
use ptx_isa::tensor::Swizzle;
use quote::quote_spanned;

use super::super::token::Name;
use crate::name::ptx_name;
use crate::tiles::Seen;

/// A variable in memory that a body declares, as a Rust type of the same layout.
pub(super) struct Local {
    pub(super) name: String,
    pub(super) ty: TokenStream,
    pub(super) space: Space,
}

/// The base of a path.
#[derive(Clone, Debug)]
pub(crate) enum Base {
    /// A variable of the module.
    Variable(Ident),
    /// A parameter or a variable of the body, with its type and its state space.
    Object(TokenStream, Space),
    /// A parameter in memory that is a pointer of this type.
    Pointer(TokenStream),
    /// A register that holds a pointer of this type.
    Register(TokenStream),
}

/// A step of a path.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Field(Ident),
    /// An element whose index is a Rust expression.
    Index(TokenStream, Span),
    /// An element whose index is in a register.
    Register(Name<'static, Span>),
}

/// A path into an object.
pub(super) struct Path {
    pub(super) base: Base,
    pub(super) name: Name<'static, Span>,
    pub(super) steps: Vec<Step>,
    /// The span of its last token.
    pub(super) end: Span,
    /// The tile that its last steps are the coordinates of an element of.
    pub(super) tile: Option<OfTile>,
}

/// The tile that a path leads into.
#[derive(Clone, Copy)]
pub(super) struct OfTile {
    /// The number of steps before the coordinates.
    pub(super) start: usize,
    /// Its swizzle.
    pub(super) swizzle: Seen,
}

/// How the swizzle becomes a part of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Swizzled {
    /// There is none.
    Not,
    /// All coordinates are constants, and so is what it changes.
    Folded,
    /// The row is a constant, and so is the pattern that is combined with the address.
    ByRow,
    /// It is computed from the address.
    Computed {
        /// Whether the column is a constant that is combined with the address afterwards, so that others of the row have
        /// everything before in common.
        column_last: bool,
    },
}

/// A number of bytes: the offset of a place, where indices in registers are 0, or the distance between the elements that
/// a step chooses from.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) base: Base,
    pub(crate) steps: Vec<Step>,
    /// The step whose elements are meant; none for the offset.
    pub(crate) apart: Option<usize>,
}

impl Path {
    /// The first steps of the path, as written.
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

/// A span at `at` whose names are hygienic.
pub(super) fn inner(at: Span) -> Span {
    Span::mixed_site().located_at(at)
}

impl Path {
    /// The first steps of the path, without their indices.
    fn form(&self, steps: usize) -> String {
        let step = |step: &Step| match step {
            Step::Field(field) => format!(".{field}"),
            Step::Index(..) | Step::Register(_) => "[_]".to_owned(),
        };
        let steps: String = self.steps[..steps].iter().map(step).collect();
        format!("{}{steps}", self.name.text)
    }

    /// A key that is the same for paths that differ only in their indices.
    pub(super) fn key(&self, space: Option<&Ident>) -> String {
        let ty = match &self.base {
            Base::Variable(_) => None,
            Base::Object(ty, _) | Base::Pointer(ty) | Base::Register(ty) => Some(ty),
        };
        let (ty, space) = (ty.map(ToString::to_string), space.map(ToString::to_string));
        format!("{} {ty:?} {space:?}", self.form(self.steps.len()))
    }

    /// The places of the path's form, as a Rust constant with this name.
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
        let before = self.tile.map_or(self.steps.len(), |tile| tile.start);
        let given = self.steps.len() - before;
        for (n, step) in self.steps.iter().enumerate() {
            match step {
                step if n >= before => {
                    let (at, form) = (step.at(), self.form(n));
                    let n = n - before;
                    indices.push(quote_spanned!(at=> __PTX::__private::coordinate(&#place, #form, #n, #given)));
                }
                Step::Field(field) => {
                    // Without an index, a pointer leads to its first element.
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
                    // The first element is at the start of the array.
                    if n + 1 < self.steps.len() {
                        place = quote_spanned!(at=> __PTX::__private::elements(#place));
                    }
                }
            }
        }
        let here = inner(at);
        if let Some(OfTile { swizzle, .. }) = self.tile {
            let seen = match swizzle {
                Seen::Swizzle(swizzle) => {
                    let swizzle = Ident::new(&format!("{swizzle:?}"), here);
                    quote_spanned!(at=> ::core::option::Option::Some(__PTX::tensor::Swizzle::#swizzle))
                }
                Seen::Nothing => quote_spanned!(at=> ::core::option::Option::None),
            };
            let of = quote_spanned!(at=> __PTX::__private::swizzle_of(&#place, #seen));
            return quote_spanned! {here=>
                const #name: __PTX::__private::TilePlaces = __PTX::__private::TilePlaces {
                    places: __PTX::__private::Places {
                        first: #place.offset(), indices: &[#(#indices),*],
                    },
                    swizzle: #of,
                };
            };
        }
        quote_spanned! {here=>
            const #name: __PTX::__private::Places = __PTX::__private::Places {
                first: #place.offset(), indices: &[#(#indices),*],
            };
        }
    }

    /// The offset in bytes from the start of the object, computed from the places of the path's form; that of a tile's
    /// element is where it would be without the swizzle.
    pub(super) fn offset(&self, places: &Ident) -> TokenStream {
        self.offset_of(places, self.steps.len())
    }

    /// The offset of the element of a tile that is the first of its row.
    pub(super) fn row_offset(&self, places: &Ident) -> TokenStream {
        self.offset_of(places, self.steps.len().saturating_sub(1))
    }

    /// The offset in bytes where the element of a tile is.
    pub(super) fn swizzled_offset(&self, places: &Ident) -> TokenStream {
        let offset = self.offset(places);
        quote_spanned!(inner(self.name.at.0)=> #places.swizzled(#offset))
    }

    /// How the swizzle becomes a part of the address.
    pub(super) fn swizzled(&self) -> Swizzled {
        let Some(OfTile { start, swizzle }) = self.tile else { return Swizzled::Not };
        let is_register = |step: &Step| matches!(step, Step::Register(_));
        let Some((column, rows)) = self.steps[start..].split_last() else { return Swizzled::Not };
        if swizzle == Seen::Swizzle(Swizzle::None) {
            return Swizzled::Not;
        }
        // Otherwise the column may change the bits that the pattern depends on.
        let is_apart = swizzle != Seen::Nothing;
        match (rows.iter().any(is_register), is_register(column)) {
            (false, false) => Swizzled::Folded,
            (false, true) if is_apart => Swizzled::ByRow,
            (_, is_column) => Swizzled::Computed { column_last: is_apart && !is_column },
        }
    }

    /// The offset in bytes, counting this many steps.
    fn offset_of(&self, places: &Ident, steps: usize) -> TokenStream {
        let at = inner(self.name.at.0);
        let of = |places: &Ident| match self.tile {
            Some(_) => quote_spanned!(places.span()=> #places.places),
            None => quote_spanned!(places.span()=> #places),
        };
        let mut start = places.clone();
        start.set_span(at);
        let start = of(&start);
        let mut offset = quote_spanned!(at=> #start.first);
        let indices = self.steps[..steps].iter().filter(|step| !matches!(step, Step::Field(_)));
        for (n, step) in indices.enumerate() {
            if let Step::Index(index, at) = step {
                let index = match index.clone().into_iter().next() {
                    Some(TokenTree::Literal(_)) if index.clone().into_iter().count() == 1 => {
                        index.clone()
                    }
                    _ => quote_spanned!(*at=> __PTX::__private::to_i128(#index)),
                };
                // An error in the index is reported at the index.
                let mut places = places.clone();
                places.set_span(*at);
                let places = of(&places);
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

    /// The number of bytes of [`Self::offset`], or of [`Self::stride`] for a step.
    pub(super) fn bytes(&self, apart: Option<usize>) -> Bytes {
        Bytes { base: self.base.clone(), steps: self.steps.clone(), apart }
    }

    /// The distance in bytes between the elements that a register index selects.
    pub(super) fn stride(&self, step: usize, places: &Ident) -> TokenStream {
        let is_index = |step: &&Step| !matches!(step, Step::Field(_));
        let n = self.steps[..step].iter().filter(is_index).count();
        let n = Literal::usize_unsuffixed(n);
        // An error about the elements is reported at the index.
        let (mut places, at) = (places.clone(), self.steps[step].at());
        places.set_span(at);
        match self.tile {
            Some(_) => quote_spanned!(at=> #places.places.stride(#n)),
            None => quote_spanned!(at=> #places.stride(#n)),
        }
    }
}

/// Whether the constant of a place starts at the variable with this name.
pub(crate) fn is_place_of(constant: &TokenStream, name: &str) -> bool {
    let mut tokens = constant.clone().into_iter();
    let is_it = |token: &TokenTree| match token {
        TokenTree::Group(group) => match &group.stream().into_iter().collect::<Vec<_>>()[..] {
            [TokenTree::Punct(and), TokenTree::Ident(variable)] => {
                and.as_char() == '&' && ptx_name(variable) == name
            }
            _ => is_place_of(&group.stream(), name),
        },
        _ => false,
    };
    tokens.any(|token| is_it(&token))
}

/// The constant of a place, with a value that does not depend on the variable where it starts.
pub(crate) fn unknown_place(constant: &TokenStream) -> TokenStream {
    let is_value =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '=');
    let start: Vec<TokenTree> =
        constant.clone().into_iter().take_while(|it| !is_value(it)).collect();
    // `const NAME: Type`
    let ty = start.iter().skip(3);
    quote::quote!(#(#start)* = <#(#ty)*>::UNKNOWN;)
}

impl Step {
    /// The span of the step.
    fn at(&self) -> Span {
        match self {
            Self::Field(field) => field.span(),
            Self::Index(_, at) => *at,
            Self::Register(name) => name.at.0,
        }
    }
}
