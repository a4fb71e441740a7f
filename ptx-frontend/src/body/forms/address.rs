//! Places in declared objects: `[SMEM.full[2]]`.

use proc_macro2::{Ident, Literal, Span};
use ptx_isa::{ScalarType, Space};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;

use super::super::token::{Delimiter, Name, join};
use super::super::tree::Tree;
use super::place::{Base, Local, OfTile, Path, Step, Swizzled, inner};
use super::register::is_pointer;
use super::writing::Forms;
use crate::group::Peel;
use crate::name::{identifier, ptx_name};
use crate::tiles::{Seen, pointee};

impl Forms<'_> {
    /// Rewrites the contents of brackets, in which a place becomes a name and an offset.
    pub(super) fn address(&mut self, tokens: &[Tree]) -> Vec<Tree> {
        let starts_path = |rest: &[Tree]| match rest {
            [dot, Tree::Word(..), ..] => dot.is_sign('.'),
            [Tree::Group(Delimiter::Bracket, ..), ..] => true,
            _ => false,
        };
        let Some((name, rest)) = join(tokens).filter(|(_, rest)| starts_path(rest)) else {
            return self.operands(tokens);
        };
        if let Some((register, rest)) = self.register(tokens) {
            let tokens: Vec<_> = register.into_iter().chain(rest.iter().cloned()).collect();
            return self.address(&tokens);
        }
        if self.is_element(&name.text, rest) {
            return self.operands(tokens);
        }
        let start = &tokens[..tokens.len() - rest.len()];
        let Some((path, rest)) = self.path(name, rest) else { return tokens.to_vec() };
        if path.steps.iter().any(|step| matches!(step, Step::Register(_))) {
            let text = path.text(path.steps.len());
            self.refuse(path.name.at.0, format_args!("the address of `{text}` depends on a register, and an address in brackets is a name or a register plus a constant; compute it first, as in `lea.shared.u32 %address, {text};`"));
            return tokens.to_vec();
        }
        if matches!(path.base, Base::Pointer(_)) {
            let (name, text) = (&path.name.text, path.text(path.steps.len()));
            self.refuse(path.name.at.0, format_args!("`{name}` is a parameter that holds an address, and `[{name}]` accesses the parameter itself; load the address first: `lea.global.u64 %address, {text};`"));
            return tokens.to_vec();
        }
        let end = rest.iter().position(|token| token.is_sign(',')).unwrap_or(rest.len());
        let (more, others) = rest.split_at(end);
        let places = self.places(&path, None);
        let mut offset = match path.swizzled() {
            Swizzled::Not => path.offset(&places),
            Swizzled::Folded | Swizzled::ByRow | Swizzled::Computed { .. } => {
                path.swizzled_offset(&places)
            }
        };
        if let [sign, more @ ..] = more {
            let at = inner(sign.start());
            let Some(more) = self.expression(more, sign.start()) else { return tokens.to_vec() };
            let more = quote_spanned!(at=> __PTX::__private::to_i128(#more));
            let more = match sign {
                Tree::Sign('-', _) => quote_spanned!(at=> __PTX::__private::times(-1, #more)),
                Tree::Sign('+', _) => more,
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
        out.push(Tree::Sign('+', at.0));
        let constant = self.constant(offset, at);
        out.push(constant);
        let others = self.operands(others);
        out.extend(others);
        out
    }

    /// The name of the constant that holds the places of a path's form.
    pub(super) fn places(&mut self, path: &Path, space: Option<&Ident>) -> Ident {
        let (key, at) = (path.key(space), inner(path.name.at.0));
        if let Some((_, name, _)) = self.places.iter().find(|(of, ..)| *of == key) {
            return Ident::new(&name.to_string(), at);
        }
        let name = Ident::new(&format!("__PTX_PLACES_{}", self.places.len()), at);
        let item = path.places(&name, space);
        self.places.push((key, name.clone(), item));
        name
    }

    /// Whether this is an element of a vector register.
    fn is_element(&self, name: &str, rest: &[Tree]) -> bool {
        let [_, Tree::Word(element, _), after @ ..] = rest else { return false };
        let is_one = matches!(element.as_str(), "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a");
        let is_last = match after {
            [next, ..] => next.is_sign('+') || next.is_sign('-') || next.is_sign(','),
            [] => true,
        };
        let register = self.registers.find(name);
        let is_register = register.map_or_else(|| name.starts_with('%'), |it| it.pointer.is_none());
        is_one && is_last && is_register
    }

    /// Parses a path after its name. Returns it and the tokens that follow.
    pub(super) fn path<'t>(
        &mut self,
        name: Name<'_, Span>,
        tokens: &'t [Tree],
    ) -> Option<(Path, &'t [Tree])> {
        let base = self.base(&name)?;
        let (mut steps, mut rest, mut end) = (Vec::new(), tokens, name.at.1);
        loop {
            match rest {
                [dot, Tree::Word(field, at), after @ ..] if dot.is_sign('.') => {
                    let Some(field) = identifier(field, *at) else {
                        self.refuse(*at, format_args!("`{field}` is not the name of a field"));
                        return None;
                    };
                    steps.push(Step::Field(field));
                    (rest, end) = (after, *at);
                }
                [Tree::Group(Delimiter::Bracket, inner, open, close), after @ ..] => {
                    let at = inner.first().map_or(*open, Tree::start);
                    match inner.as_slice() {
                        [] => {
                            self.refuse(
                                *open,
                                "an element needs a number; write it in the brackets",
                            );
                            return None;
                        }
                        [Tree::Word(word, _)]
                            if !self.counts.is_counter(word)
                                && self.registers.find(word).is_some() =>
                        {
                            steps.push(Step::Register(Name {
                                text: word.clone().into(),
                                at: (at, at),
                            }));
                        }
                        [percent, ..] if percent.is_sign('%') => {
                            let Some((index, [])) = join(inner) else {
                                self.refuse(at, "an index is one register or a Rust constant; compute it in a register before, also from a special register: `mov.u32 %i, %tid.x;`");
                                return None;
                            };
                            steps.push(Step::Register(index.into_owned()));
                        }
                        _ => {
                            let index = self.rust(inner);
                            let index = match self.counts.integer(&index) {
                                Some(number) => {
                                    let mut literal = Literal::i128_unsuffixed(number);
                                    literal.set_span(at);
                                    quote!(#literal)
                                }
                                None => self.expression(inner, at)?,
                            };
                            steps.push(Step::Index(index, at));
                        }
                    }
                    (rest, end) = (after, *close);
                }
                _ => {
                    let tile = self.tile(&base, &steps);
                    return Some((Path { base, name: name.into_owned(), steps, end, tile }, rest));
                }
            }
        }
    }

    /// The tile that a path leads into, as far as tokens show it.
    fn tile(&self, base: &Base, steps: &[Step]) -> Option<OfTile> {
        let tiles = self.around.tiles;
        let parsed;
        let mut is_sure = true;
        let (mut ty, mut is_each) = match base {
            Base::Variable(name) => {
                is_sure = !tiles.is_several(name);
                (tiles.variable(name)?, false)
            }
            Base::Object(ty, _) => {
                parsed = syn::parse2::<Type>(ty.clone()).ok()?;
                (&parsed, false)
            }
            Base::Pointer(ty) | Base::Register(ty) => {
                parsed = syn::parse2::<Type>(ty.clone()).ok()?;
                (pointee(&parsed)?, true)
            }
        };
        for (n, step) in steps.iter().enumerate() {
            ty = match (step, ty.peel()) {
                (Step::Field(name), of) => {
                    let name_of = |path: &syn::TypePath| path.path.get_ident().cloned();
                    let of = if let Type::Path(path) = of { name_of(path) } else { None };
                    is_sure &= of.is_none_or(|of| !tiles.is_several(&of));
                    tiles.field(ty, name)?
                }
                (Step::Index(..) | Step::Register(_), _) if is_each => ty,
                (Step::Index(..) | Step::Register(_), Type::Array(array)) => &array.elem,
                (Step::Index(..) | Step::Register(_), Type::Slice(slice)) => &slice.elem,
                (Step::Index(..) | Step::Register(_), _) => {
                    let swizzle = tiles.tile(ty)?;
                    let swizzle = if is_sure { swizzle } else { Seen::Nothing };
                    let is_index = |step: &Step| !matches!(step, Step::Field(_));
                    return steps[n..].iter().all(is_index).then_some(OfTile { start: n, swizzle });
                }
            };
            is_each = false;
        }
        None
    }

    /// Resolves the base of a path.
    fn base(&mut self, name: &Name<'_, Span>) -> Option<Base> {
        let text = &*name.text;
        if let Some(register) = self.registers.find(text) {
            if let Some(pointer) = &register.pointer {
                if let Some((_, is_used)) = self.pointers.get_mut(&pointer.to_string()) {
                    *is_used = true;
                }
                return Some(Base::Register(pointer.clone()));
            }
            self.refuse(name.at.0, format_args!("the type that `{text}` points to is unknown; declare it as `let {text}: Ptr<Global, T>;`, or write the offset in bytes after it, `[{text} + 8]`"));
            return None;
        }
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == text) {
            return Some(Base::Object(local.ty.clone(), local.space));
        }
        if let Some(input) = self.around.inputs.iter().find(|it| ptx_name(it.ident) == text) {
            let ty = input.ty.to_token_stream();
            let is_pointer = is_pointer(input.ty);
            return Some(if is_pointer {
                Base::Pointer(ty)
            } else {
                Base::Object(ty, Space::Param)
            });
        }
        if text.contains(['%', '$']) {
            self.refuse(name.at.0, format_args!("`{text}` is not declared before this; declare it as `let {text}: Ptr<Global, T>;`"));
            return None;
        }
        let Some(variable) = identifier(text, name.at.0) else {
            self.refuse(name.at.0, format_args!("`{text}` is not the name of a variable"));
            return None;
        };
        Some(Base::Variable(variable))
    }

    /// Records the variables in memory that a declaration declares.
    pub(super) fn note_local(&mut self, tokens: &[Tree]) {
        let (mut rest, mut lanes, mut bytes, mut memory) = (tokens, 1_usize, None, None);
        while let [dot, Tree::Word(word, _), after @ ..] = rest {
            if !dot.is_sign('.') {
                break;
            }
            rest = after;
            match word.as_str() {
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "align" => rest = rest.get(1..).unwrap_or_default(),
                word => match (Space::from_name(word), ScalarType::from_name(word)) {
                    (Some(space), _) => memory = Some(space),
                    (None, Some(scalar)) => bytes = Some(scalar.bytes()),
                    (None, None) => {}
                },
            }
        }
        let Some((bytes, space)) = bytes.zip(memory) else { return };
        while let Some((name, after)) = join(rest) {
            let (mut extents, mut tail) = (Vec::new(), after);
            while let [Tree::Group(Delimiter::Bracket, inner, ..), next @ ..] = tail {
                let extent = self.rust(inner);
                extents.push(self.counts.replaced(extent));
                tail = next;
            }
            let bytes = Literal::usize_unsuffixed(bytes * lanes);
            let mut ty = quote!([u8; #bytes]);
            for extent in extents.iter().rev() {
                ty = quote!([#ty; #extent]);
            }
            self.locals.push(Local { name: name.text.into_owned(), ty, space });
            match tail.iter().position(|token| token.is_sign(',')) {
                Some(comma) => rest = &tail[comma + 1..],
                None => return,
            }
        }
    }
}
