//! The names in the operands of an instruction.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use ptx_frontend::special_register;
use quote::quote;
use syn::{GenericArgument, PathArguments, Type};

use super::reader::{Names, Reader, is};

impl Reader<'_> {
    pub(super) fn operands(&self, tokens: &[TokenTree], names: &mut Names) {
        let mut n = 0;
        while let Some(token) = tokens.get(n) {
            let (before, next) = (n.checked_sub(1).map(|n| &tokens[n]), tokens.get(n + 1));
            n += 1;
            match (token, next) {
                (TokenTree::Punct(mark), Some(TokenTree::Group(splice)))
                    if mark.as_char() == '#' && splice.delimiter() == Delimiter::Parenthesis =>
                {
                    names.rust.extend(quote!(let _ = #splice;));
                    n += 1;
                }
                // After a value, `%` is a remainder.
                (TokenTree::Punct(mark), Some(TokenTree::Ident(name)))
                    if mark.as_char() == '%' && !before.is_some_and(is_value) =>
                {
                    n += 1 + self.register(name, &tokens[n + 1..], names);
                }
                (TokenTree::Punct(mark), Some(TokenTree::Ident(_))) if mark.as_char() == '.' => {
                    n += 1;
                }
                (TokenTree::Ident(name), _) if name != "_" => {
                    n += self.name(name, &tokens[n..], names);
                }
                (TokenTree::Group(group), _) => self.inside(group, names),
                _ => {}
            }
        }
    }

    fn inside(&self, group: &Group, names: &mut Names) {
        self.operands(&group.stream().into_iter().collect::<Vec<_>>(), names);
    }

    /// A register, and what of the tokens after it belongs to it.
    fn register(&self, name: &Ident, after: &[TokenTree], names: &mut Names) -> usize {
        let text = name.to_string();
        let known = self.registers.iter().rev().find(|register| register.is_named(true, &text));
        if known.is_none() && special_register(&format!("%{text}")).is_some() {
            return 0;
        }
        let local = known.map_or_else(|| name.clone(), |known| known.at(name));
        names.registers.extend(quote!(let _ = &#local;));
        let mut fields = TokenStream::new();
        let length = self.place(
            known.and_then(|known| pointee(known.ty.as_ref()?)),
            true,
            after,
            names,
            &mut fields,
        );
        names.registers.extend(fields);
        length
    }

    /// A name of Rust, or of a register without `%`, and what of the tokens after it belongs to it.
    fn name(&self, name: &Ident, after: &[TokenTree], names: &mut Names) -> usize {
        let text = name.to_string();
        let mut path = quote!(#name);
        let mut length = 0;
        while let [first, second, TokenTree::Ident(next), ..] = &after[length..]
            && is(first, ':')
            && is(second, ':')
        {
            path.extend(quote!(::#next));
            length += 3;
        }
        let known = self.registers.iter().rev().find(|register| register.is_named(false, &text));
        if let (Some(known), 0) = (known, length) {
            let local = known.at(name);
            path = quote!(#local);
        }
        names.rust.extend(quote!(let _ = &#path;));
        let (ty, is_pointer) = match (known, self.parameters.get(&text), self.storage.get(&text)) {
            _ if length > 0 => (None, false),
            (Some(known), ..) => (known.ty.as_ref().and_then(pointee), true),
            // A structure that is passed by value has its fields itself.
            (None, Some(ty), _) => pointee(ty).map_or((Some(ty), false), |ty| (Some(ty), true)),
            (None, None, ty) => (ty, false),
        };
        let mut fields = TokenStream::new();
        length += self.place(ty, is_pointer, &after[length..], names, &mut fields);
        names.rust.extend(fields);
        length
    }

    /// The steps of a place: `[stage].full[0]`. A pointer's first index leads to another of what it points at.
    fn place(
        &self,
        ty: Option<&Type>,
        is_pointer: bool,
        after: &[TokenTree],
        names: &mut Names,
        fields: &mut TokenStream,
    ) -> usize {
        let (mut steps, mut n, mut has_fields) = (TokenStream::new(), 0, false);
        loop {
            match &after[n..] {
                [TokenTree::Group(index), ..] if index.delimiter() == Delimiter::Bracket => {
                    self.inside(index, names);
                    if n > 0 || !is_pointer {
                        steps.extend(quote!([0]));
                    }
                    n += 1;
                }
                [dot, TokenTree::Ident(field), ..] if is(dot, '.') => {
                    steps.extend(quote!(.#field));
                    has_fields = true;
                    n += 2;
                }
                _ => break,
            }
        }
        if let (Some(ty), true) = (ty, has_fields) {
            fields
                .extend(quote!({ let __ptx_place: &#ty = loop {}; let _ = &__ptx_place #steps; }));
        }
        n
    }
}

fn is_value(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_))
}

/// What a `Ptr<Space, T>` points at.
fn pointee(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.get(1)? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}
