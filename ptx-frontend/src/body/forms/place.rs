//! Places in declared objects: `[SMEM.full[2]]`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use ptx_types::{ScalarType, Space};
use quote::{ToTokens, quote, quote_spanned};

use super::super::token::{Delimiter, Name, Token, join};
use super::{Forms, ident};
use crate::name::ptx_name;

/// What a body declares in memory, as a Rust type of the same layout.
pub(super) struct Local {
    name: String,
    ty: TokenStream,
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

impl Forms<'_> {
    /// What stands in brackets, in which a place becomes a name and an offset.
    pub(super) fn address(&mut self, tokens: &[Token<Span>]) -> Vec<Token<Span>> {
        let starts_path = |rest: &[Token<Span>]| match rest {
            [dot, Token::Word(..), ..] => dot.is_sign('.'),
            [Token::Group(Delimiter::Bracket, ..), ..] => true,
            _ => false,
        };
        let Some((name, rest)) = join(tokens).filter(|(_, rest)| starts_path(rest)) else {
            return self.operands(tokens);
        };
        if self.register(tokens).is_some() || self.is_element(&name.text, rest) {
            return self.operands(tokens);
        }
        let start = &tokens[..tokens.len() - rest.len()];
        let Some((path, rest)) = self.path(name, rest) else { return tokens.to_vec() };
        if path.steps.iter().any(|step| matches!(step, Step::Register(_))) {
            let text = path.text(path.steps.len());
            self.refuse(path.name.at.0, format_args!("where `{text}` is depends on a register, and an address in brackets is a name or a register, and a constant; compute it first, as in `lea.shared.u32 %address, {text};`"));
            return tokens.to_vec();
        }
        if matches!(path.base, Base::Pointer(_)) {
            let (name, text) = (&path.name.text, path.text(path.steps.len()));
            self.refuse(path.name.at.0, format_args!("`{name}` is a parameter that holds an address, and brackets go to the parameter itself; load the address first: `lea.global.u64 %address, {text};`"));
            return tokens.to_vec();
        }
        let end = rest.iter().position(|token| token.is_sign(',')).unwrap_or(rest.len());
        let (more, others) = rest.split_at(end);
        let mut offset = path.offset(None);
        if let [sign, more @ ..] = more {
            let at = inner(sign.start());
            let more = self.operands(more);
            let more = self.rust(&more);
            let more = quote_spanned!(at=> __PTX::__private::to_i128(#more));
            let more = match sign {
                Token::Sign('-', _) => quote_spanned!(at=> __PTX::__private::times(-1, #more)),
                Token::Sign('+', _) => more,
                other => {
                    self.refuse(
                        other.start(),
                        "an offset is added to a place: `[SMEM.full[1] + 4]`",
                    );
                    return tokens.to_vec();
                }
            };
            offset = quote_spanned!(at=> __PTX::__private::plus(#offset as i128, #more));
        }
        let at = (path.name.at.0, path.end);
        let mut out = start.to_vec();
        out.push(Token::Sign('+', at.0));
        let constant = self.constant(offset, at);
        out.push(constant);
        let others = self.operands(others);
        out.extend(others);
        out
    }

    /// Whether this is an element of a vector in a register.
    fn is_element(&self, name: &str, rest: &[Token<Span>]) -> bool {
        let [_, Token::Word(element, _), after @ ..] = rest else { return false };
        let is_one = matches!(element.as_str(), "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a");
        let is_last = match after {
            [next, ..] => next.is_sign('+') || next.is_sign('-') || next.is_sign(','),
            [] => true,
        };
        let register = self.registers.find(name);
        let is_register = register.map_or_else(|| name.starts_with('%'), |it| it.pointer.is_none());
        is_one && is_last && is_register
    }

    /// A path behind its name, and what follows.
    pub(super) fn path<'t>(
        &mut self,
        name: Name<Span>,
        tokens: &'t [Token<Span>],
    ) -> Option<(Path, &'t [Token<Span>])> {
        let base = self.base(&name)?;
        let (mut steps, mut rest, mut end) = (Vec::new(), tokens, name.at.1);
        loop {
            match rest {
                [dot, Token::Word(field, at), after @ ..] if dot.is_sign('.') => {
                    steps.push(Step::Field(ident(field, *at)));
                    (rest, end) = (after, *at);
                }
                [Token::Group(Delimiter::Bracket, inner, open, close), after @ ..] => {
                    let at = inner.first().map_or(*open, Token::start);
                    match inner.as_slice() {
                        [] => {
                            self.refuse(*open, "an element has a number; write it in the brackets");
                            return None;
                        }
                        [Token::Word(word, _)]
                            if !self.counts.is_counter(word)
                                && self.registers.find(word).is_some() =>
                        {
                            steps.push(Step::Register(Name { text: word.clone(), at: (at, at) }));
                        }
                        [percent, ..] if percent.is_sign('%') => {
                            let Some((index, [])) = join(inner) else {
                                self.refuse(at, "an index is one register or a Rust constant; compute what it is made of before");
                                return None;
                            };
                            steps.push(Step::Register(index));
                        }
                        _ => {
                            let index = self.rust(inner);
                            let index = match self.counts.integer(&index) {
                                Some(number) => {
                                    let mut literal = Literal::i128_unsuffixed(number);
                                    literal.set_span(at);
                                    quote!(#literal)
                                }
                                None => self.counts.replaced(index),
                            };
                            steps.push(Step::Index(index, at));
                        }
                    }
                    (rest, end) = (after, *close);
                }
                _ => return Some((Path { base, name, steps, end }, rest)),
            }
        }
    }

    /// What a path starts at.
    fn base(&mut self, name: &Name<Span>) -> Option<Base> {
        let text = name.text.as_str();
        if let Some(register) = self.registers.find(text) {
            if let Some(pointer) = &register.pointer {
                return Some(Base::Register(pointer.clone()));
            }
            self.refuse(name.at.0, format_args!("what `{text}` points to is not said; declare it as `let {text}: Ptr<Global, T>;`, or write the offset in bytes behind it, `[{text} + 8]`"));
            return None;
        }
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == text) {
            return Some(Base::Object(local.ty.clone()));
        }
        let mut all = self.around.params.iter().chain(self.around.returns);
        if let Some(param) = all.find(|param| ptx_name(&param.ident) == text) {
            let ty = param.ty.to_token_stream();
            let is_pointer = super::register::is_pointer(&param.ty);
            return Some(if is_pointer { Base::Pointer(ty) } else { Base::Object(ty) });
        }
        if text.contains(['%', '$']) {
            self.refuse(name.at.0, format_args!("`{text}` is declared nowhere before this; declare it as `let {text}: Ptr<Global, T>;`"));
            return None;
        }
        Some(Base::Variable(ident(text, name.at.0)))
    }

    /// Notes what a declaration declares in memory.
    pub(super) fn note_local(&mut self, tokens: &[Token<Span>]) {
        let (mut rest, mut lanes, mut bytes, mut is_memory) = (tokens, 1_usize, None, false);
        while let [dot, Token::Word(word, _), after @ ..] = rest {
            if !dot.is_sign('.') {
                break;
            }
            rest = after;
            match word.as_str() {
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "align" => rest = rest.get(1..).unwrap_or_default(),
                word => match (Space::from_name(word), ScalarType::from_name(word)) {
                    (Some(_), _) => is_memory = true,
                    (None, Some(scalar)) => bytes = Some(scalar.bytes()),
                    (None, None) => {}
                },
            }
        }
        let Some(bytes) = bytes.filter(|_| is_memory) else { return };
        while let Some((name, after)) = join(rest) {
            let (mut extents, mut behind) = (Vec::new(), after);
            while let [Token::Group(Delimiter::Bracket, inner, ..), next @ ..] = behind {
                extents.push(self.rust(inner));
                behind = next;
            }
            let bytes = Literal::usize_unsuffixed(bytes * lanes);
            let mut ty = quote!([u8; #bytes]);
            for extent in extents.iter().rev() {
                ty = quote!([#ty; #extent]);
            }
            self.locals.push(Local { name: name.text, ty });
            match behind.iter().position(|token| token.is_sign(',')) {
                Some(comma) => rest = &behind[comma + 1..],
                None => return,
            }
        }
    }
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
    fn text(&self, steps: usize) -> String {
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
fn inner(at: Span) -> Span {
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
