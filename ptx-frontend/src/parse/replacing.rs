//! Tokens of an instance: arguments in place of parameters, and symbols of instances in place of the names of generic items.

use std::cell::RefCell;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use ptx_isa::ScalarType;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;

use crate::instance::Argument;
use crate::integers::Integers;
use crate::name::ptx_name;
use crate::suffix::suffix;

/// An item that has instances.
#[derive(Clone)]
pub(super) enum GenericItem {
    /// A function, with this number of parameters.
    Function(usize),
    /// A variable, with this number of parameters.
    Variable(usize),
    /// A type of Rust, which names parameters of its module, and may be generic itself.
    Type,
    /// A constant of Rust.
    Constant,
    /// A function of Rust.
    Call,
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
        use GenericItem::{Call, Constant, Type};
        matches!(self.names.get(name), Some(Type | Constant | Call))
    }

    /// Whether this name means the same instance wherever it stands in Rust: that of anything but a function.
    pub(super) fn is_in_rust(&self, name: &str) -> bool {
        use GenericItem::{Constant, Type, Variable};
        matches!(self.names.get(name), Some(Type | Constant | Variable(_)))
    }
}

/// The names of a function's parameters.
pub(super) fn params_of(signature: &syn::Signature) -> impl Iterator<Item = &Ident> {
    signature.inputs.iter().filter_map(|param| match param {
        syn::FnArg::Typed(param) => match &*param.pat {
            syn::Pat::Ident(param) => Some(&param.ident),
            _ => None,
        },
        syn::FnArg::Receiver(_) => None,
    })
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
    /// The arguments of one of our attributes, in which names before `=` and `(..)` are keys.
    Arguments,
    /// PTX.
    Body,
    /// Operands in brackets, braces or parentheses, in which a dot is that of a field, and `%` may be a remainder.
    Index,
}

impl Code {
    /// Whether it is PTX.
    fn is_ptx(self) -> bool {
        matches!(self, Self::Body | Self::Index)
    }
}

/// The parameters to replace by arguments.
pub(crate) struct Replacing<'r> {
    pub(super) by: &'r SortedMap<String, Argument>,
    pub(super) generic: &'r Generic,
    /// What the arguments for the module's parameters add to symbols; empty outside of instances.
    pub(super) of_module: Vec<String>,
    /// The symbols in the result, and what the user wrote for each.
    pub(super) written: RefCell<Vec<(String, String)>>,
    /// What a body declares, and what its function takes: there, such a name does not mean an item without `::<..>`.
    pub(super) hidden: SortedSet<String>,
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
    pub(super) fn in_function(&self, item: &syn::ItemFn) -> TokenStream {
        let mut inner = self.with_hidden(params_of(&item.sig).map(ptx_name).collect());
        let tokens = inner.replaced(item.to_token_stream(), Code::Function);
        self.written.borrow_mut().append(inner.written.get_mut());
        tokens
    }

    /// The same where these names are declared.
    fn with_hidden(&self, hidden: SortedSet<String>) -> Replacing<'_> {
        Replacing {
            by: self.by,
            generic: self.generic,
            of_module: self.of_module.clone(),
            written: RefCell::default(),
            hidden,
        }
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
                    let is_opcode = code == Code::Body && is_at_start(&out) && !is_turbofish(rest);
                    if is_opcode {
                        out.push(token.clone());
                        continue;
                    }
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
                        (Some(argument), Before::Nothing)
                            if !(is_declared(rest) || code == Code::Arguments && is_key(rest)) =>
                        {
                            out.extend(at(&argument.tokens, ident.span()));
                        }
                        (Some(_), _) => out.push(token.clone()),
                        (None, _) => match self.instance(ident, (before, code), rest) {
                            Some((symbol, length)) => {
                                if before == Before::Own && code.is_ptx() {
                                    // A body names the symbols of its module without a path.
                                    out.truncate(out.len().saturating_sub(3));
                                }
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

    /// The contents of a group after these tokens.
    fn in_group(&self, group: &Group, before: &[TokenTree], code: Code) -> TokenStream {
        let is_body = matches!(before, [.., TokenTree::Ident(name), TokenTree::Punct(sign)]
            if name == "ptx" && sign.as_char() == '!');
        if is_body {
            let mut hidden = self.hidden.clone();
            labels_of(group.stream(), &mut hidden);
            let mut inner = self.with_hidden(hidden);
            let tokens = inner.replaced(group.stream(), Code::Body);
            self.written.borrow_mut().append(inner.written.get_mut());
            return tokens;
        }
        let is_behind =
            |sign: char| matches!(before, [.., TokenTree::Punct(punct)] if punct.as_char() == sign);
        let is_bracket = group.delimiter() == Delimiter::Bracket;
        let code = match code {
            Code::Body | Code::Index if is_behind('#') => Code::Rust,
            Code::Body if is_bracket || !is_block(group, before) => Code::Index,
            // Before its `ptx!`, a function has Rust.
            Code::Function if group.delimiter() == Delimiter::Brace => Code::Rust,
            Code::Rust | Code::Variable | Code::Function if is_bracket && is_behind('#') => {
                let first = group.stream().into_iter().next();
                let is_ours = |word: &Ident| OURS.iter().any(|ours| word == ours);
                match first {
                    // Those of Rust and of others name no item of a module.
                    Some(TokenTree::Ident(word)) if !is_ours(&word) => return group.stream(),
                    _ => Code::Arguments,
                }
            }
            code => code,
        };
        self.replaced(group.stream(), code)
    }

    /// The symbol of the instance that a name means, with the tokens after it, and the number of those that belong to it.
    fn instance(
        &self,
        ident: &Ident,
        (before, code): (Before, Code),
        rest: &[TokenTree],
    ) -> Option<(Ident, usize)> {
        let item = self.generic.names.get(&ptx_name(ident))?;
        let of_module = self.of_module.as_slice();
        if !matches!(before, Before::Nothing | Before::Own) {
            return None;
        }
        let turbofish = turbofish(rest);
        let is_call = matches!(rest.first(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        let (given, length) = match (item, turbofish) {
            (GenericItem::Function(_) | GenericItem::Variable(_), Some((arguments, length))) => {
                let code = if code.is_ptx() { Code::Index } else { code };
                (arguments_of(self.replaced(arguments, code))?, length)
            }
            (GenericItem::Function(_), None) if code == Code::Rust => return None,
            // A field, a parameter or a register may have the name of a function.
            (GenericItem::Call, turbofish) if !is_call && turbofish.is_none() => return None,
            _ => {
                // In an index, a constant is meant: a label has no meaning there.
                let is_of_ptx = matches!(item, GenericItem::Function(_) | GenericItem::Variable(_));
                let is_operand = code == Code::Body || code == Code::Index && is_of_ptx;
                let is_hidden = is_operand && self.hidden.contains(&ptx_name(ident));
                let is_type = matches!(item, GenericItem::Type);
                let is_key = code == Code::Arguments && is_key(rest);
                // In Rust, what is compared with traits stands before a colon, too.
                let is_field = is_declared(rest) && !(code == Code::Rust && is_type);
                if of_module.is_empty() || is_hidden || is_key || is_field {
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
            GenericItem::Type | GenericItem::Constant | GenericItem::Call => true,
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
            (_, '%')
                if code.is_ptx() && is_next_to(tokens, name) && !is_remainder(tokens, code) =>
            {
                Self::Register
            }
            _ if code == Code::Rust && follows_keyword(tokens) => Self::Keyword,
            _ => Self::Nothing,
        }
    }
}

/// The attributes whose arguments may name items of the module.
const OURS: &[&str] =
    &["kernel", "device", "global", "constant", "shared", "tensor_map", "align", "ptx"];

/// Whether the `%` at the end of these tokens is a remainder: after an operand, in an index or in what a loop or a condition
/// compares.
fn is_remainder(tokens: &[TokenTree], code: Code) -> bool {
    let is_behind_operand = matches!(
        tokens,
        [.., TokenTree::Ident(_) | TokenTree::Literal(_) | TokenTree::Group(_), _]
    );
    let word = opcode(tokens);
    let is_of_loop = matches!(word.as_deref(), Some("if" | "for"));
    is_behind_operand && (code == Code::Index || is_of_loop)
}

/// Whether a name with these tokens after it is a key among the arguments of an attribute.
fn is_key(rest: &[TokenTree]) -> bool {
    let is =
        |n: usize| matches!(rest.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == '=');
    is(0) && !is(1)
}

fn is_turbofish(rest: &[TokenTree]) -> bool {
    turbofish(rest).is_some()
}

/// Whether an opcode follows these statements.
fn is_at_start(statements: &[TokenTree]) -> bool {
    after_prefix(statements).is_some_and(<[TokenTree]>::is_empty)
}

/// Whether a group after these tokens has statements, not operands.
fn is_block(group: &Group, before: &[TokenTree]) -> bool {
    let word = opcode(before);
    group.delimiter() == Delimiter::Brace
        && word.is_none_or(|word| matches!(word.as_str(), "for" | "if" | "else"))
}

/// Whether a name stands right after these tokens: `%x` is a register, and `a % B` is a number.
fn is_next_to(tokens: &[TokenTree], name: &Ident) -> bool {
    tokens.last().is_some_and(|last| last.span().end() == name.span().start())
}

/// Whether a declaration of Rust starts at the end of these tokens.
fn follows_keyword(tokens: &[TokenTree]) -> bool {
    let is_star =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '*');
    match tokens {
        [.., before, TokenTree::Ident(word)] if word == "const" => !is_star(before),
        [.., TokenTree::Ident(word)] => word == "const" || word == "fn" || word == "type",
        _ => false,
    }
}

/// Whether a name with these tokens after it is a field, a parameter or a label.
fn is_declared(rest: &[TokenTree]) -> bool {
    let is =
        |n: usize| matches!(rest.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is(0) && !is(1)
}

/// Whether a name after these tokens of Rust is neither a member of something nor declared here.
pub(super) fn is_alone(before: &[TokenTree]) -> bool {
    let none = Ident::new("_", Span::call_site());
    matches!(Before::of(before, &none, Code::Rust), Before::Nothing | Before::Own)
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
            TokenTree::Group(group) => {
                let is_splice = matches!(tokens[..n].last(), Some(TokenTree::Punct(sign)) if sign.as_char() == '#');
                if !is_splice {
                    labels_of(group.stream(), labels);
                }
            }
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
    match after_prefix(statements)?.first()? {
        TokenTree::Ident(word) => Some(word.to_string()),
        TokenTree::Punct(_) | TokenTree::Group(_) | TokenTree::Literal(_) => None,
    }
}

/// The last of some statements without its labels, its attributes and its guard; `None` if it ends within these.
fn after_prefix(statements: &[TokenTree]) -> Option<&[TokenTree]> {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    let start = statements.iter().rposition(is_end).map_or(0, |end| end + 1);
    let statement = &statements[start..];
    let is = |token: Option<&TokenTree>, signs: &[char]| matches!(token, Some(TokenTree::Punct(punct)) if signs.contains(&punct.as_char()));
    let is_index = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Bracket);
    let mut n = 0;
    loop {
        match statement.get(n) {
            Some(TokenTree::Ident(_))
                if is(statement.get(n + 1), &[':']) && !is(statement.get(n + 2), &[':']) =>
            {
                n += 2;
            }
            Some(TokenTree::Punct(sign)) if sign.as_char() == '#' => n += 2,
            Some(TokenTree::Punct(sign)) if sign.as_char() == '@' => {
                n += 1;
                while is(statement.get(n), &['!', '%', '$']) {
                    n += 1;
                }
                n += 1;
                if is_index(statement.get(n)) {
                    n += 1;
                }
            }
            _ => return statement.get(n..),
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

/// The parts of a symbol for the arguments in angle brackets; `None` if one is not a type or a number.
fn arguments_of(tokens: TokenStream) -> Option<Vec<String>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().flat_map(unwrapped).collect();
    let is_comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',');
    let is_path = |part: &[TokenTree]| {
        part.iter().all(|token| match token {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(sign) => sign.as_char() == ':',
            TokenTree::Group(_) | TokenTree::Literal(_) => false,
        })
    };
    let name = |part: &[TokenTree]| match part {
        [number @ TokenTree::Literal(_)] => Some(last_word(number)),
        path if is_path(path) => path.last().map(last_word),
        part => {
            let expr = syn::parse2(part.iter().cloned().collect()).ok()?;
            let number = Integers::default().value(&expr)?;
            let sign = if number < 0 { "m" } else { "" };
            Some(format!("{sign}{}", number.unsigned_abs()))
        }
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
