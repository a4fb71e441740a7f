//! Tokens of an instance: arguments in place of parameters, and symbols of instances in place of the names of generic items.

use std::cell::RefCell;

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, Span, TokenStream, TokenTree};
use ptx_isa::ScalarType;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;

use crate::instance::Argument;
use crate::name::ptx_name;
use crate::suffix::suffix;

/// An item that has instances.
#[derive(Clone)]
pub(super) enum GenericItem {
    /// A function, with this number of parameters.
    Function(usize),
    /// A variable, with this number of parameters.
    Variable(usize),
    /// One of Rust, which names parameters of its module, and may be generic itself.
    Rust,
}

/// The generic items of a module.
#[derive(Clone, Default)]
pub(crate) struct Generic {
    pub(super) names: SortedMap<String, GenericItem>,
    /// The number of parameters that they have from their module.
    pub(super) of_module: usize,
}

impl Generic {
    /// Whether an item of Rust that has instances has this name.
    pub(super) fn is_of_rust(&self, name: &str) -> bool {
        matches!(self.names.get(name), Some(GenericItem::Rust))
    }

    /// Whether this name means the same instance wherever it stands in Rust: that of anything but a function.
    pub(super) fn is_in_rust(&self, name: &str) -> bool {
        matches!(self.names.get(name), Some(GenericItem::Rust | GenericItem::Variable(_)))
    }

    /// Without the items that have these names.
    fn without(&self, names: impl IntoIterator<Item = String>) -> Self {
        let mut rest = self.clone();
        for name in names {
            rest.names.remove(&name);
        }
        rest
    }

    /// Without the items whose names the parameters of a function hide.
    pub(super) fn without_params(&self, signature: &syn::Signature) -> Self {
        let name = |param: &syn::FnArg| match param {
            syn::FnArg::Typed(param) => match &*param.pat {
                syn::Pat::Ident(param) => Some(ptx_name(&param.ident)),
                _ => None,
            },
            syn::FnArg::Receiver(_) => None,
        };
        self.without(signature.inputs.iter().filter_map(name))
    }
}

/// What tokens are, and so what a name in them can mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    /// Rust, where what PTX declares has no meaning without `::<..>`.
    Rust,
    /// A variable, whose value names variables and functions.
    Variable,
    /// A function, with Rust in its block before the body.
    Function,
    /// PTX.
    Body,
}

/// The parameters to replace by arguments.
pub(crate) struct Replacing<'r> {
    pub(super) by: &'r SortedMap<String, Argument>,
    pub(super) generic: &'r Generic,
    /// What the arguments for the module's parameters add to symbols; empty outside of instances.
    pub(super) of_module: Vec<String>,
    /// The symbols in the result, and what the user wrote for each.
    pub(super) written: RefCell<Vec<(String, String)>>,
}

impl Replacing<'_> {
    /// The tokens of a Rust item.
    pub(crate) fn in_rust(&self, tokens: TokenStream) -> TokenStream {
        self.replaced(tokens, Code::Rust)
    }

    /// The tokens of a variable.
    pub(super) fn in_variable(&self, tokens: TokenStream) -> TokenStream {
        self.replaced(tokens, Code::Variable)
    }

    /// The tokens of a function, with its body.
    pub(super) fn in_function(&self, tokens: TokenStream) -> TokenStream {
        self.replaced(tokens, Code::Function)
    }

    fn replaced(&self, tokens: TokenStream, code: Code) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::with_capacity(tokens.len());
        let mut n = 0;
        while let Some(token) = tokens.get(n) {
            n += 1;
            match token {
                TokenTree::Ident(ident) => {
                    let (before, rest) = (Before::of(&out, ident, code), &tokens[n..]);
                    match (self.by.get(&ptx_name(ident)), before) {
                        (Some(argument), Before::Dot) if code == Code::Body => {
                            out.push(match argument.scalar {
                                Some(scalar) => {
                                    let suffix = suffix(scalar, opcode(&out).as_deref());
                                    Ident::new(suffix, ident.span()).into()
                                }
                                None => token.clone(),
                            });
                        }
                        (Some(argument), Before::Nothing) if !is_declared(rest) => {
                            out.extend(at(&argument.tokens, ident.span()));
                        }
                        (Some(_), _) => out.push(token.clone()),
                        (None, _) => match self.instance(ident, (before, code), rest) {
                            Some((symbol, length)) => {
                                out.push(symbol.into());
                                n += length;
                            }
                            None => out.push(token.clone()),
                        },
                    }
                }
                TokenTree::Group(group) => {
                    let inner = self.in_group(group, &out, code);
                    let mut inner = Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    out.push(inner.into());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => out.push(token.clone()),
            }
        }
        out.into_iter().collect()
    }

    /// The contents of a group behind these tokens.
    fn in_group(&self, group: &Group, before: &[TokenTree], code: Code) -> TokenStream {
        let is_body = matches!(before, [.., TokenTree::Ident(name), TokenTree::Punct(sign)]
            if name == "ptx" && sign.as_char() == '!');
        if is_body {
            let mut labels = SortedSet::new();
            labels_of(group.stream(), &mut labels);
            let inner = Replacing {
                by: self.by,
                generic: &self.generic.without(labels),
                of_module: self.of_module.clone(),
                written: RefCell::default(),
            };
            let tokens = inner.replaced(group.stream(), Code::Body);
            self.written.borrow_mut().append(&mut inner.written.borrow_mut());
            return tokens;
        }
        let is_splice = matches!(before, [.., TokenTree::Punct(sign)] if sign.as_char() == '#');
        // Before its `ptx!`, a function has Rust.
        let is_block = code == Code::Function && group.delimiter() == Delimiter::Brace;
        let code = if code == Code::Body && is_splice || is_block { Code::Rust } else { code };
        self.replaced(group.stream(), code)
    }

    /// The symbol of the instance that a name means, with the tokens behind it, and the number of those that belong to it.
    fn instance(
        &self,
        ident: &Ident,
        (before, code): (Before, Code),
        rest: &[TokenTree],
    ) -> Option<(Ident, usize)> {
        let item = self.generic.names.get(&ptx_name(ident))?;
        let of_module = self.of_module.as_slice();
        let turbofish = turbofish(rest).filter(|_| before != Before::Dot);
        let (given, length) = match (turbofish, item) {
            (Some((arguments, length)), GenericItem::Function(_) | GenericItem::Variable(_)) => {
                (arguments_of(self.replaced(arguments, code)), length)
            }
            (None, GenericItem::Function(_)) if code == Code::Rust => return None,
            (None, _) | (_, GenericItem::Rust) => {
                let is_alone = matches!(before, Before::Nothing | Before::Own);
                // A field of the same name; in Rust, what is compared with traits stands so, too.
                let is_field = code != Code::Rust && is_declared(rest);
                if of_module.is_empty() || !is_alone || is_field {
                    return None;
                }
                (Vec::new(), 0)
            }
        };
        // What is not said is that of the same instance of the module.
        let is_short = match item {
            GenericItem::Function(count) | GenericItem::Variable(count) => {
                given.len() + of_module.len() == *count
            }
            GenericItem::Rust => true,
        };
        let own = if is_short { of_module } else { &[] };
        let symbol = symbol(ident, own.iter().chain(&given).map(String::as_str))?;
        let spelled: TokenStream = rest[..length].iter().cloned().collect();
        let written = format!("{ident}{spelled}").replace(' ', "").replace(',', ", ");
        self.written.borrow_mut().push((symbol.to_string(), written));
        Some((symbol, length))
    }
}

/// What stands before a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing that decides what it means.
    Nothing,
    /// A single dot.
    Dot,
    /// `self::`
    Own,
    /// Another path.
    Path,
    /// `%`, of a register.
    Register,
    /// `fn` and the like: what follows is declared, and is reached by a path.
    Keyword,
}

impl Before {
    fn of(tokens: &[TokenTree], name: &Ident, code: Code) -> Self {
        let sign = |n: usize| match tokens.len().checked_sub(n).and_then(|at| tokens.get(at)) {
            Some(TokenTree::Punct(punct)) => punct.as_char(),
            _ => ' ',
        };
        match (sign(2), sign(1)) {
            (':', ':') => match tokens {
                [.., TokenTree::Ident(word), _, _] if word == "self" => Self::Own,
                _ => Self::Path,
            },
            // The end of a range does not belong to what comes before.
            ('.', '.') => Self::Nothing,
            (_, '.') => Self::Dot,
            (_, '%') if code == Code::Body && is_next_to(tokens, name) => Self::Register,
            _ if code == Code::Rust && is_behind_keyword(tokens) => Self::Keyword,
            _ => Self::Nothing,
        }
    }
}

/// Whether a name stands right behind these tokens: `%x` is a register, and `a % B` is a number.
fn is_next_to(tokens: &[TokenTree], name: &Ident) -> bool {
    tokens.last().is_some_and(|last| last.span().end() == name.span().start())
}

/// Whether a declaration of Rust starts at the end of these tokens.
fn is_behind_keyword(tokens: &[TokenTree]) -> bool {
    let is_star =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '*');
    match tokens {
        [.., before, TokenTree::Ident(word)] if word == "const" => !is_star(before),
        [.., TokenTree::Ident(word)] => word == "const" || word == "fn" || word == "type",
        _ => false,
    }
}

/// Whether a name with these tokens behind it is a field, a parameter or a label.
fn is_declared(rest: &[TokenTree]) -> bool {
    let is =
        |n: usize| matches!(rest.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is(0) && !is(1)
}

/// The names of a body that a colon follows: labels, and registers that are declared without `%`.
fn labels_of(tokens: TokenStream, labels: &mut SortedSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (n, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(name)
                if is_declared(&tokens[n + 1..])
                    && Before::of(&tokens[..n], name, Code::Body) == Before::Nothing =>
            {
                labels.insert(ptx_name(name));
            }
            TokenTree::Group(group) => labels_of(group.stream(), labels),
            _ => {}
        }
    }
}

/// The name of an instance: `reduce_f32_128`; `None` if an argument cannot be a part of a name.
pub(super) fn symbol<'n>(name: &Ident, arguments: impl Iterator<Item = &'n str>) -> Option<Ident> {
    let mut text = ptx_name(name);
    for argument in arguments {
        text.push('_');
        text.push_str(argument);
    }
    syn::parse_str::<Ident>(&text).ok().map(|_| Ident::new(&text, name.span()))
}

/// The opcode of the last of some statements, if it has one.
fn opcode(statements: &[TokenTree]) -> Option<String> {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let start = statements.iter().rposition(is_end).map_or(0, |end| end + 1);
    let statement = &statements[start..];
    let is = |token: Option<&TokenTree>, signs: &[char]| matches!(token, Some(TokenTree::Punct(punct)) if signs.contains(&punct.as_char()));
    // A dot starts a declaration; a label, an attribute or a guard precedes the opcode.
    let mut n = 0;
    loop {
        match statement.get(n)? {
            TokenTree::Ident(_)
                if is(statement.get(n + 1), &[':']) && !is(statement.get(n + 2), &[':']) =>
            {
                n += 2;
            }
            TokenTree::Ident(word) => return Some(word.to_string()),
            TokenTree::Punct(sign) if sign.as_char() == '#' => n += 2,
            TokenTree::Punct(sign) if sign.as_char() == '@' => {
                n += 1;
                while is(statement.get(n), &['!', '%', '$']) {
                    n += 1;
                }
                n += 1;
            }
            TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => return None,
        }
    }
}

/// The tokens of an argument, with this span.
fn at(tokens: &TokenStream, span: Span) -> impl Iterator<Item = TokenTree> {
    tokens.clone().into_iter().map(move |mut token| {
        token.set_span(span);
        token
    })
}

/// The contents of `::<..>` at the start of some tokens, and the number of its tokens.
fn turbofish(tokens: &[TokenTree]) -> Option<(TokenStream, usize)> {
    let is = |n: usize, sign: char| matches!(tokens.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    if !(is(0, ':') && is(1, ':') && is(2, '<')) {
        return None;
    }
    let end = tokens
        .iter()
        .position(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '>'))?;
    Some((tokens[3..end].iter().cloned().collect(), end + 1))
}

/// The parts of a symbol for the arguments in angle brackets.
fn arguments_of(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().flat_map(unwrapped).collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let name = |part: &[TokenTree]| match part {
        [TokenTree::Punct(minus), TokenTree::Literal(number)]
            if minus.as_char() == '-' && minus.spacing() == Spacing::Alone =>
        {
            format!("m{number}")
        }
        part => part.last().map(last_word).unwrap_or_default(),
    };
    tokens.split(is_comma).filter(|part| !part.is_empty()).map(name).collect()
}

/// The tokens of an argument that is in braces, or that comes through a `macro_rules!`.
fn unwrapped(token: TokenTree) -> Vec<TokenTree> {
    match token {
        TokenTree::Group(group)
            if matches!(group.delimiter(), Delimiter::None | Delimiter::Brace) =>
        {
            group.stream().into_iter().flat_map(unwrapped).collect()
        }
        token => vec![token],
    }
}

fn last_word(token: &TokenTree) -> String {
    match token {
        TokenTree::Literal(literal) => number(literal),
        other => {
            let word = other.to_string();
            ScalarType::from_rust_name(&word).map_or(word, |scalar| scalar.name().to_owned())
        }
    }
}

/// The digits of a number.
fn number(literal: &Literal) -> String {
    let int = syn::parse2::<syn::LitInt>(literal.to_token_stream());
    int.map_or_else(|_| literal.to_string(), |int| int.base10_digits().to_owned())
}
