//! Names in Rust and in PTX.

use std::cell::RefCell;

use ptx_isa::sorted::SortedSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::{Ident, UseTree};

/// The identifier in PTX: without the `r#` of a raw identifier.
pub fn ptx_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

/// The identifier for the name of a field or a variable; `None` for a keyword that cannot name one.
pub(crate) fn identifier(name: &str, at: Span) -> Option<Ident> {
    if matches!(name, "self" | "Self" | "super" | "crate" | "_" | DOLLAR_CRATE) {
        return None;
    }
    // The lexer removes the `r#` of a raw identifier.
    let is_keyword = syn::parse_str::<Ident>(name).is_err();
    Some(if is_keyword { Ident::new_raw(name, at) } else { Ident::new(name, at) })
}

/// What the bodies of a module call a function of another module with this symbol, given whether an item of the module has
/// that name in Rust.
pub(crate) fn name_of_outside(symbol: &str, is_declared: bool) -> String {
    if is_declared { format!("{symbol}$outside") } else { symbol.to_owned() }
}

thread_local! {
    /// The `$crate`s of the module that is being read: only a `macro_rules!` can write one.
    static DOLLAR_CRATES: RefCell<Vec<Ident>> = const { RefCell::new(Vec::new()) };
}

/// The text of `$crate`.
const DOLLAR_CRATE: &str = "$crate";

/// Forgets the `$crate`s of the module before, whose spans mean nothing any more.
pub(crate) fn forget_dollar_crates() {
    DOLLAR_CRATES.take();
}

/// Keeps an identifier that cannot be made from its text.
pub(crate) fn note_dollar_crate(ident: &Ident, text: &str) {
    if text == DOLLAR_CRATE {
        DOLLAR_CRATES.with_borrow_mut(|all| all.push(ident.clone()));
    }
}

/// Whether a token is `$crate`.
pub(crate) fn is_dollar_crate(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == DOLLAR_CRATE)
}

/// A word of a body as an identifier or a keyword.
pub(crate) fn word(text: &str, at: Span) -> Ident {
    if text != DOLLAR_CRATE {
        return Ident::new(text, at);
    }
    let place = |span: Span| (span.file(), span.start());
    let is_it = |ident: &&Ident| place(ident.span()) == place(at);
    let found = DOLLAR_CRATES.with_borrow(|all| all.iter().find(is_it).cloned());
    found.unwrap_or_else(|| Ident::new("crate", at))
}

/// Whether tokens mention `name`.
pub(crate) fn has_name(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ptx_name(&ident) == name,
        TokenTree::Group(group) => has_name(group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Notes the names in some tokens.
pub(crate) fn note_names(tokens: TokenStream, found: &mut SortedSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                found.insert(ptx_name(&ident));
            }
            TokenTree::Group(group) => note_names(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Calls `found` with each name that a `use` item imports, and with `None` for a glob.
pub(crate) fn each_import(tree: &UseTree, found: &mut dyn FnMut(Option<&Ident>)) {
    match tree {
        UseTree::Path(path) => each_import(&path.tree, found),
        UseTree::Name(name) => found(Some(&name.ident)),
        UseTree::Rename(rename) => found(Some(&rename.rename)),
        UseTree::Glob(_) => found(None),
        UseTree::Group(group) => group.items.iter().for_each(|tree| each_import(tree, found)),
    }
}
