//! `pub mod blur = "kernels.ptx", names(_Z4rowsPf = rows), types(rows.src = Ptr<Global, f32>), allow(A034)`

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, Path, Token, Type, Visibility, parenthesized, token};

use super::identifiers::{is_keyword, is_never};
use super::signature::{Signature, readonly};
use super::word::{Word, expect};
use crate::errors::Errors;
use crate::parse::refuse_type;
use ptx_isa::near::alternatives;
use ptx_text::codes::{named, not_allowed};

/// The arguments of `import!`.
pub struct Arguments {
    /// The attributes of the module, including documentation.
    pub attrs: Vec<Attribute>,
    /// The visibility of the module.
    pub vis: Visibility,
    /// The name of the module; `None` if it follows from the file name.
    pub ident: Option<Ident>,
    /// The path of the file, as an expression.
    pub path: Expr,
    /// `names(..)`: different names in Rust.
    pub renames: Vec<Rename>,
    /// `types(..)`: the Rust types of variables and parameters.
    pub types: Vec<TypeOf>,
    /// `types(fn ..)`: the Rust signatures of kernels and functions.
    pub signatures: Vec<Signature>,
    /// `allow(..)`: the hazards allowed for the whole file, with the span of each code.
    pub allow: Vec<(&'static str, Span)>,
    /// `crate = path`: the path of `ptx`, if it differs from the one in `Cargo.toml`.
    pub krate: Option<Path>,
}

/// `_Z4rowsPf = rows`
pub struct Rename {
    /// The name in PTX.
    pub from: Word,
    /// The name in Rust.
    pub to: Ident,
}

/// `rows.src = #[readonly] Ptr<Global, f32>`
pub struct TypeOf {
    /// A variable, or a function.
    pub symbol: Word,
    /// The parameter, if the symbol is a function.
    pub param: Option<Word>,
    /// The span of `#[readonly]`, if it is present.
    pub readonly: Option<Span>,
    /// The Rust type.
    pub ty: Type,
}

/// An entry of `types(..)`.
enum Typed {
    Of(Box<TypeOf>),
    Signature(Signature),
}

impl Parse for Typed {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![static]) {
            return Err(input.error("a variable is given without `static`: `VARIABLE = [f32; 5]`"));
        }
        if input.peek(Token![fn]) || input.peek(Token![#]) {
            input.parse().map(Self::Signature)
        } else {
            input.parse().map(Box::new).map(Self::Of)
        }
    }
}

impl Parse for Rename {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let from: Word = input.parse()?;
        let advice = format!("write its name in Rust: `{} = name`", from.text);
        expect::<Token![=]>(input, &advice)?;
        if !input.peek(Ident::peek_any) {
            return Err(input.error(advice));
        }
        let to = Ident::parse_any(input)?;
        let word = to.to_string();
        if is_never(&word) {
            let message = format!("`{word}` cannot be the name of an item; write another one");
            return Err(syn::Error::new(to.span(), message));
        }
        if is_keyword(&word) {
            let message = format!("`{word}` is a keyword; write `r#{word}`, or another name");
            return Err(syn::Error::new(to.span(), message));
        }
        Ok(Self { from, to })
    }
}

impl Parse for TypeOf {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let symbol: Word = input.parse()?;
        let param = if input.parse::<Option<Token![.]>>()?.is_some() {
            Some(input.parse::<Word>()?)
        } else {
            None
        };
        let advice = if input.peek(token::Paren) {
            format!("a signature starts with `fn`: `fn {}(..)`", symbol.text)
        } else {
            "write its type in Rust: `VARIABLE = [f32; 5]`, `kernel.parameter = Config`".to_owned()
        };
        expect::<Token![=]>(input, &advice)?;
        let readonly = readonly(input)?;
        Ok(Self { symbol, param, readonly, ty: input.parse()? })
    }
}

/// The keys that may follow the path.
pub const KEYS: [&str; 4] = ["allow", "names", "types", "crate"];

/// Parses the arguments of `import!`.
pub(super) fn parse(input: TokenStream, errors: &mut Errors) -> Option<Arguments> {
    let parsed = Parser::parse2(|input: ParseStream<'_>| parse_all(input, errors), input);
    match parsed {
        Ok(arguments) => Some(arguments),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}

fn parse_all(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Arguments> {
    let attrs = input.call(Attribute::parse_outer)?;
    let vis: Visibility = input.parse()?;
    let ident = if input.parse::<Option<Token![mod]>>()?.is_some() {
        let ident = input.parse()?;
        let advice = format!("write the file of the module: `mod {ident} = \"kernels.ptx\"`");
        expect::<Token![=]>(input, &advice)?;
        Some(ident)
    } else if !attrs.is_empty() || !matches!(vis, Visibility::Inherited) {
        return Err(
            input.error("write `mod` and the name of the module: `pub mod name = \"kernels.ptx\"`")
        );
    } else {
        None
    };
    if input.is_empty() {
        return Err(syn::Error::new(
            Span::call_site(),
            "name a file of PTX: `ptx::import!(\"kernels.ptx\")`",
        ));
    }
    let mut arguments = Arguments {
        attrs,
        vis,
        ident,
        path: input.parse()?,
        renames: Vec::new(),
        types: Vec::new(),
        signatures: Vec::new(),
        allow: Vec::new(),
        krate: None,
    };
    let mut seen: Vec<String> = Vec::new();
    while !input.is_empty() {
        expect::<Token![,]>(input, "write `,` before the arguments after the file")?;
        if input.is_empty() {
            break;
        }
        parse_key(input, &mut arguments, &mut seen, errors)?;
    }
    Ok(arguments)
}

/// Parses `types(..)`, `names(..)`, `allow(..)` or `crate = ..`.
fn parse_key(
    input: ParseStream<'_>,
    arguments: &mut Arguments,
    seen: &mut Vec<String>,
    errors: &mut Errors,
) -> syn::Result<()> {
    if input.peek(Token![mod]) || input.peek(Token![pub]) {
        return Err(
            input.error("the name of the module comes first: `pub mod name = \"kernels.ptx\"`")
        );
    }
    if !input.peek(Ident::peek_any) {
        return Err(input.error("write `allow(..)`, `names(..)`, `types(..)` or `crate = ..`"));
    }
    let key = Ident::parse_any(input)?;
    let word = key.to_string();
    if seen.contains(&word) {
        errors.at(key.span(), format_args!("`{word}` is given twice; remove one"));
    }
    match word.as_str() {
        "crate" => {
            expect::<Token![=]>(input, "write the path to `ptx`: `crate = path`")?;
            arguments.krate = Some(input.call(Path::parse_mod_style)?);
        }
        "allow" => {
            let codes = parse_list::<Expr>(
                &key,
                "the codes of rules, as in `allow(A034)`; an error ends with the code of its rule",
                input,
            )?;
            for code in &codes {
                allow(code, &mut arguments.allow, errors);
            }
        }
        "names" => {
            let advice = "other names in Rust: `names(_Z5scalePff = scale)`";
            arguments.renames.extend(parse_list::<Rename>(&key, advice, input)?);
        }
        "types" => {
            let advice = "types in Rust: `types(TAPS = [f32; 5], rows.config = Config)`";
            for typed in parse_list::<Typed>(&key, advice, input)? {
                match typed {
                    Typed::Of(mut of) => {
                        refuse_type(&mut of.ty, errors);
                        arguments.types.push(*of);
                    }
                    Typed::Signature(mut signature) => {
                        // A refused type leaves the one in PTX.
                        for ty in signature.params.iter_mut().map(|param| &mut param.ty) {
                            if ty.as_mut().is_some_and(|ty| refuse_type(ty, errors)) {
                                *ty = None;
                            }
                        }
                        arguments.signatures.push(signature);
                    }
                }
            }
        }
        _ => {
            let advice = alternatives(&word, KEYS.into_iter());
            let message = format!("no argument `{word}` here; {advice}");
            return Err(syn::Error::new(key.span(), message));
        }
    }
    seen.push(word);
    Ok(())
}

fn parse_list<T: Parse>(key: &Ident, advice: &str, input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    if !input.peek(token::Paren) {
        return Err(syn::Error::new(key.span(), format!("write {advice}")));
    }
    let list;
    parenthesized!(list in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&list)?.into_iter().collect())
}

/// Parses a hazard that is allowed for the whole file.
fn allow(expr: &Expr, allowed: &mut Vec<(&'static str, Span)>, errors: &mut Errors) {
    let word = match expr {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    };
    let Some(word) = word else {
        errors.on(
            expr.to_token_stream(),
            "a rule is named by its code, as in `allow(A034)`; an error ends with it",
        );
        return;
    };
    let code = word.to_string();
    match named(&code, |message| errors.at(word.span(), message)) {
        Some(rule) if allowed.iter().any(|(code, _)| *code == rule.code) => {
            errors.at(word.span(), format_args!("`{code}` is allowed twice here; remove one"));
        }
        Some(rule) if rule.allowed.is_anywhere() => allowed.push((rule.code, word.span())),
        Some(rule) => errors.at(word.span(), not_allowed(rule)),
        None => {}
    }
}
