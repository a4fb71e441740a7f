//! The names in a body, as Rust that declares and uses them.
//!
//! Nothing here needs a body to be right: it is read while it is typed. Registers, `%row`, and the names of Rust, `row`,
//! do not shadow one another, so each kind has a function of its own.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    FnArg, ForeignItem, GenericParam, Item, ItemFn, ItemMod, Pat, ReturnType, Signature, Stmt, Type,
};

use super::parameters;
use super::reader::{Names, Reader, is};
use crate::expand::parts::conditions;

/// The items of the bodies in a module.
pub(super) fn of_module(arguments: TokenStream, module: TokenStream) -> TokenStream {
    let Ok(ItemMod { content: Some((_, items)), .. }) = syn::parse2(module) else {
        return TokenStream::new();
    };
    let storage = items.iter().filter_map(|item| match item {
        Item::Static(item) => Some((item.ident.to_string(), (*item.ty).clone())),
        // Without a value, it is not an item of Rust.
        Item::Verbatim(tokens) => match syn::parse2(tokens.clone()).ok()? {
            ForeignItem::Static(item) => Some((item.ident.to_string(), (*item.ty).clone())),
            _ => None,
        },
        _ => None,
    });
    let storage: HashMap<String, Type> = storage.collect();
    let mut generic = parameters::generic(arguments);
    // Each instance of the module has such items of its own.
    if !generic.is_empty() {
        for item in &items {
            if matches!(item, Item::Const(_) | Item::Type(_)) {
                generic.extend(quote!(#item));
            }
        }
    }
    let functions = items.iter().filter_map(|item| match item {
        Item::Fn(item) => names(item, &[], &generic, &storage),
        _ => None,
    });
    functions.collect()
}

/// The items of the body of a function that stands alone.
pub(super) fn of_function(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let Ok(function) = syn::parse2(function) else { return TokenStream::new() };
    let generic = parameters::generic(arguments.clone());
    let returned = parameters::returned(arguments);
    names(&function, &returned, &generic, &HashMap::new()).unwrap_or_default()
}

fn names(
    function: &ItemFn,
    returned: &[Ident],
    generic: &TokenStream,
    storage: &HashMap<String, Type>,
) -> Option<TokenStream> {
    let body = function.block.stmts.iter().find_map(|statement| match statement {
        Stmt::Macro(call) if call.mac.path.segments.last()?.ident == "ptx" => {
            Some(call.mac.tokens.clone())
        }
        _ => None,
    })?;
    let items = function.block.stmts.iter().filter(|it| matches!(it, Stmt::Item(_)));
    let own = function.attrs.iter().filter_map(|attr| Some(&attr.meta.require_list().ok()?.tokens));
    let (mut returned, mut all) = (returned.to_vec(), generic.clone());
    for arguments in own {
        all.extend(parameters::generic(arguments.clone()));
        returned.extend(parameters::returned(arguments.clone()));
    }
    all.extend(items.map(|item| quote!(#item)));
    let items = all;
    let mut generics = function.sig.generics.clone();
    for param in &mut generics.params {
        let attrs = match param {
            GenericParam::Lifetime(param) => &mut param.attrs,
            GenericParam::Type(param) => &mut param.attrs,
            GenericParam::Const(param) => &mut param.attrs,
        };
        attrs.clear();
    }
    let parameters = signature(&function.sig, &returned);
    let declared = parameters.iter().map(|(name, ty)| quote!(let #name: #ty;));
    let declared: TokenStream = declared.collect();
    let parameters = parameters.iter().map(|(name, ty)| (name.to_string(), ty.clone())).collect();
    let mut reader = Reader { storage, parameters, registers: Vec::new() };
    let Names { rust, registers } = reader.block(body);
    let (conditions, bounds) = (conditions(&function.attrs), &generics.where_clause);
    Some(quote! {
        #(#conditions)*
        #[allow(warnings)]
        const _: () = {
            struct Label;
            fn __ptx_names #generics () #bounds { #items #declared #rust }
            fn __ptx_registers #generics () #bounds { #items #registers }
        };
    })
}

/// The parameters of a function, and what it returns: `returned` or `returned_0`, unless it has another name.
fn signature(signature: &Signature, returned: &[Ident]) -> Vec<(Ident, Type)> {
    let mut all = Vec::new();
    for input in &signature.inputs {
        if let FnArg::Typed(input) = input
            && let Pat::Ident(pattern) = &*input.pat
        {
            all.push((pattern.ident.clone(), (*input.ty).clone()));
        }
    }
    match &signature.output {
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(several) => {
                all.extend(several.elems.iter().enumerate().map(|(n, ty)| {
                    let usual = || format_ident!("returned_{n}", span = ty.span());
                    (returned.get(n).cloned().unwrap_or_else(usual), ty.clone())
                }));
            }
            ty => {
                let usual = || Ident::new("returned", ty.span());
                all.push((returned.first().cloned().unwrap_or_else(usual), ty.clone()));
            }
        },
        ReturnType::Default => {}
    }
    all
}

impl Reader<'_> {
    fn block(&mut self, tokens: TokenStream) -> Names {
        let outside = self.registers.len();
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut names = Names::default();
        // A jump may come before its label.
        for n in 0..tokens.len() {
            if let (Some(label), true) =
                (label(&tokens[n..]), n == 0 || ends_statement(&tokens[n - 1]))
            {
                names.rust.extend(quote!(let #label: Label;));
            }
        }
        let mut rest = tokens.as_slice();
        while let Some(first) = rest.first() {
            let block = rest.iter().position(|token| is_block(token) || is(token, ';'));
            let header = block.filter(|end| is_block(&rest[*end])).map(|end| &rest[..end]);
            if label(rest).is_some() {
                rest = &rest[2..];
            } else if is(first, '$') {
                rest = &rest[1..];
            } else if let (true, Some(header)) = (is_word(first, &["for", "if", "else"]), header) {
                let TokenTree::Group(content) = &rest[header.len()] else { break };
                let Names { rust, registers } = self.block(content.stream());
                let header_tokens = header.iter().cloned().collect::<TokenStream>();
                names.rust.extend(quote!(#header_tokens { #rust }));
                names.registers.extend(quote!({ #registers }));
                rest = &rest[header.len() + 1..];
            } else if is_block(first) {
                let TokenTree::Group(content) = first else { break };
                let Names { rust, registers } = self.block(content.stream());
                names.rust.extend(quote!({ #rust }));
                names.registers.extend(quote!({ #registers }));
                rest = &rest[1..];
            } else {
                let end = rest.iter().position(|token| is(token, ';')).unwrap_or(rest.len());
                self.statement(&rest[..end], &mut names);
                rest = rest.get(end + 1..).unwrap_or_default();
            }
        }
        self.registers.truncate(outside);
        names
    }

    fn statement(&mut self, tokens: &[TokenTree], names: &mut Names) {
        let mut rest = tokens;
        if rest.first().is_some_and(|token| is(token, '@')) {
            let is_mark = |token: &&TokenTree| matches!(token, TokenTree::Punct(_));
            let guard = rest.iter().take_while(is_mark).count() + 1;
            let guard = guard.min(rest.len());
            self.operands(&rest[1..guard], names);
            rest = &rest[guard..];
        }
        if self.declaration(rest, names) {
            return;
        }
        // The opcode: a word, and words after `.` and `::`.
        let mut after = usize::from(matches!(rest.first(), Some(TokenTree::Ident(_))));
        while rest.get(after).is_some_and(|token| is(token, '.') || is(token, ':')) {
            let marks = rest[after..].iter().take_while(|it| is(it, '.') || is(it, ':')).count();
            after = (after + marks + 1).min(rest.len());
        }
        self.operands(&rest[after..], names);
    }
}

/// The label that a statement starts with.
fn label(tokens: &[TokenTree]) -> Option<&Ident> {
    let [TokenTree::Ident(name), colon, rest @ ..] = tokens else { return None };
    (is(colon, ':') && !rest.first().is_some_and(|token| is(token, ':'))).then_some(name)
}

fn ends_statement(token: &TokenTree) -> bool {
    is(token, ';') || is(token, '$') || is(token, ':') || is_block(token)
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_word(token: &TokenTree, words: &[&str]) -> bool {
    matches!(token, TokenTree::Ident(ident) if words.iter().any(|word| ident == word))
}
