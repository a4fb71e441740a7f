//! The arguments of `#[tensor_map]`, and the combinations that are not allowed.

use proc_macro2::{Span, TokenStream};
use ptx_isa::Target;
use ptx_isa::rules::AllowanceSite;
use ptx_isa::tensor::{Spec, rules};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, LitInt, LitStr, Path, Token, token};

use super::element::Element;
use crate::errors::Errors;
use crate::group::Peel;
use crate::integer::literal;
use ptx_isa::near::alternatives;

/// All arguments: those that describe the map, and those about its declaration.
fn arguments() -> impl Iterator<Item = &'static str> + Clone {
    Spec::ARGUMENTS.into_iter().chain(["target", "allow", "crate"])
}

/// The modes by name, with the arguments that each requires besides the element.
const MODES: [(&str, &[&str]); 6] = [
    ("tile", &["box"]),
    ("tile::gather4", &["row"]),
    ("tile::scatter4", &["row"]),
    ("im2col", &["lower", "upper", "channels_per_pixel", "pixels_per_column"]),
    ("im2col::w", &["rank", "lower", "upper", "channels_per_pixel", "pixels_per_column"]),
    ("im2col::w::128", &["rank", "lower", "upper", "channels_per_pixel"]),
];

/// The arguments that only some modes have.
const OF_MODES: [&str; 7] =
    ["box", "row", "lower", "upper", "channels_per_pixel", "pixels_per_column", "rank"];

/// `name = value`, or `allow(M009)`.
struct MapArg {
    name: Ident,
    value: MapArgValue,
}

enum MapArgValue {
    Expr(Expr),
    /// `im2col::w::128`, which is not a Rust path.
    Mode(String, TokenStream),
    Crate(Path),
    List(Vec<Ident>),
}

impl Parse for MapArg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = Ident::parse_any(input)?;
        if input.peek(token::Paren) {
            let inner;
            syn::parenthesized!(inner in input);
            let list = inner.call(Punctuated::<Ident, Token![,]>::parse_terminated)?;
            return Ok(Self { name, value: MapArgValue::List(list.into_iter().collect()) });
        }
        input.parse::<Token![=]>()?;
        let value = if name == "crate" {
            MapArgValue::Crate(input.call(Path::parse_mod_style)?)
        } else if name == "mode" {
            let (mut text, mut tokens) = (String::new(), TokenStream::new());
            loop {
                if input.peek(LitStr) {
                    // The words are written without quotes.
                    let quoted: LitStr = input.parse()?;
                    text += &quoted.value();
                    quoted.to_tokens(&mut tokens);
                } else if input.peek(LitInt) {
                    let number: LitInt = input.parse()?;
                    text += number.base10_digits();
                    number.to_tokens(&mut tokens);
                } else {
                    let word = Ident::parse_any(input)?;
                    text += &word.to_string();
                    word.to_tokens(&mut tokens);
                }
                if !input.peek(Token![::]) {
                    break MapArgValue::Mode(text, tokens);
                }
                input.parse::<Token![::]>()?.to_tokens(&mut tokens);
                text += "::";
            }
        } else {
            MapArgValue::Expr(input.parse()?)
        };
        Ok(Self { name, value })
    }
}

/// The arguments as written, before the mode gives them a meaning.
#[derive(Default)]
pub(super) struct Written {
    pub(super) krate: Option<Path>,
    pub(super) target: Option<Target>,
    pub(super) allow: Vec<&'static str>,
    pub(super) mode: Option<(String, TokenStream)>,
    values: Vec<(Ident, Expr)>,
}

impl Written {
    pub(super) fn get(&self, name: &str) -> Option<&Expr> {
        self.values.iter().find(|(written, _)| written == name).map(|(_, value)| value)
    }

    /// A word from a list, or the default if it is left out.
    pub(super) fn word<T: Copy>(
        &self,
        name: &str,
        default: T,
        known: impl Iterator<Item = &'static str> + Clone,
        read: impl Fn(&str) -> Option<T>,
        errors: &mut Errors,
    ) -> T {
        let Some(value) = self.get(name) else { return default };
        let word = match value.peel() {
            // `Swizzle::B128` is accepted as well.
            Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            other => Some(other.to_token_stream().to_string()),
        };
        let word = word.unwrap_or_default();
        read(&word).unwrap_or_else(|| {
            let advice = alternatives(&word, known);
            errors.on(value, format_args!("no {name} is called `{word}`; {advice}"));
            default
        })
    }

    /// The elements of an array.
    pub(super) fn list(&self, name: &str, errors: &mut Errors) -> Vec<Expr> {
        match self.get(name).map(Peel::peel) {
            None => Vec::new(),
            Some(Expr::Array(array)) => array.elems.iter().cloned().collect(),
            Some(Expr::Repeat(repeat)) => match literal::<usize>(&repeat.len) {
                // Another rule rejects more dimensions than these.
                Some(count) => vec![(*repeat.expr).clone(); count.min(MOST_REPEATED)],
                None => {
                    errors.on(
                        &repeat.len,
                        format_args!("the length of `{name}` is the number of dimensions, which the macro has to see; write a literal here, or the values one by one"),
                    );
                    Vec::new()
                }
            },
            Some(other) => {
                errors.on(
                    other,
                    format_args!("write `{name}` as an array with a value for each dimension, the innermost first"),
                );
                Vec::new()
            }
        }
    }

    pub(super) fn one(&self, name: &str) -> Expr {
        self.get(name).cloned().unwrap_or_else(|| syn::parse_quote!(1))
    }
}

/// The maximum number of values that `[64; 100]` expands to: more than a tensor has dimensions.
const MOST_REPEATED: usize = 6;

/// The arguments of a map whose mode is known.
pub(super) struct MapArguments {
    pub(super) written: Written,
    /// The name of the mode.
    pub(super) mode: &'static str,
    pub(super) element: Element,
}

/// What is known about a map with errors, so that its uses do not cause further errors.
#[derive(Clone, Copy, Default)]
pub(super) struct Partial {
    pub(super) element: Option<Element>,
    pub(super) rank: Option<u32>,
}

/// Parses the arguments of the struct whose name is at `name`; `None` if some are wrong.
pub(super) fn parse(
    tokens: TokenStream,
    name: Span,
    errors: &mut Errors,
) -> (Option<MapArguments>, Partial) {
    let args = match Punctuated::<MapArg, Token![,]>::parse_terminated.parse2(tokens) {
        Ok(args) => args,
        Err(error) => {
            errors.push(error);
            return (None, Partial::default());
        }
    };
    let before = errors.len();
    let written = sort(args, errors);
    let mode = match &written.mode {
        None => Some(&MODES[0]),
        Some((name, tokens)) => {
            let known = MODES.iter().map(|(mode, _)| *mode);
            MODES.iter().find(|(mode, _)| mode == name).or_else(|| {
                let advice = alternatives(name, known);
                errors.on(tokens, format_args!("no mode is called `{name}`; {advice}"));
                None
            })
        }
    };
    if let Some((mode, needs)) = mode {
        // What is missing may be there under a misspelt name.
        if errors.len() == before {
            require(&written, mode, needs, name, errors);
        }
        refuse_lists(&written, mode, errors);
    }
    let element = element(&written, errors);
    let rank = match written.get("box").map(Peel::peel) {
        Some(Expr::Array(list)) => u32::try_from(list.elems.len()).ok(),
        Some(Expr::Repeat(repeat)) => literal(&repeat.len),
        _ => written.get("rank").and_then(literal),
    };
    let partial = Partial { element, rank };
    let (Some((mode, _)), Some(element)) = (mode, element) else { return (None, partial) };
    ((errors.len() == before).then_some(MapArguments { written, mode, element }), partial)
}

/// Sorts the arguments by name, and reports unknown ones.
fn sort(args: Punctuated<MapArg, Token![,]>, errors: &mut Errors) -> Written {
    let mut written = Written::default();
    let mut names: Vec<Ident> = Vec::new();
    for MapArg { name, value } in args {
        let word = name.to_string();
        if names.contains(&name) {
            errors.at(name.span(), format_args!("`{name}` is given twice; remove one"));
        }
        names.push(name.clone());
        match (word.as_str(), value) {
            ("crate", MapArgValue::Crate(path)) => written.krate = Some(path),
            ("mode", MapArgValue::Mode(text, tokens)) => written.mode = Some((text, tokens)),
            ("allow", MapArgValue::List(codes)) => written.allow = allowed(&codes, errors),
            ("allow", _) => errors.at(name.span(), "name the rules, as in `allow(M009)`"),
            ("target", MapArgValue::Expr(expr)) => {
                written.target = crate::args::target(&expr, errors);
            }
            (word, MapArgValue::Expr(expr)) if arguments().any(|argument| argument == word) => {
                written.values.push((name, expr));
            }
            (word, _) if arguments().any(|argument| argument == word) => {
                errors.at(name.span(), format_args!("write `{word} = ..`"));
            }
            (word, _) => {
                let advice = alternatives(word, arguments());
                errors.at(name.span(), format_args!("no argument `{word}` here; {advice}"));
            }
        }
    }
    written
}

/// The codes of rules that no driver enforces, which can therefore be allowed.
fn allowed(codes: &[Ident], errors: &mut Errors) -> Vec<&'static str> {
    let mut found = Vec::new();
    for code in codes {
        match rules::rule(&code.to_string()) {
            Some(rule) if rule.is_allowed_on(AllowanceSite::Map) => found.push(rule.code),
            Some(rule) => errors.at(
                code.span(),
                format_args!("`{}` cannot be allowed: such a map cannot be encoded", rule.code),
            ),
            None => {
                let known = rules::RULES.iter().map(|rule| rule.code);
                let advice = alternatives(&code.to_string(), known);
                errors.at(code.span(), format_args!("no rule is called `{code}`; {advice}"));
            }
        }
    }
    found
}

/// Reports the arguments that the mode requires but that are missing, and those that belong to another mode.
fn require(written: &Written, mode: &str, needs: &[&str], name: Span, errors: &mut Errors) {
    if written.get("element").is_none() {
        errors.at(name, "a tensor map needs the type of its elements: write `element = bf16`");
    }
    for need in needs {
        if written.get(need).is_none() {
            let example = match *need {
                "box" => "box = [64, 128]",
                "row" => "row = 64",
                "rank" => "rank = 4",
                "lower" if mode == "im2col" => "lower = [-1, -1]",
                "upper" if mode == "im2col" => "upper = [-1, -1]",
                "lower" => "lower = -1",
                "upper" => "upper = 0",
                "channels_per_pixel" => "channels_per_pixel = 64",
                _ => "pixels_per_column = 128",
            };
            errors.at(
                name,
                format_args!(
                    "a tensor map of the mode `{mode}` needs a `{need}`: write `{example}`"
                ),
            );
        }
    }
    for (argument, _) in &written.values {
        let word = argument.to_string();
        if OF_MODES.contains(&word.as_str()) && !needs.contains(&word.as_str()) {
            let of: Vec<&str> = MODES
                .iter()
                .filter(|(_, needs)| needs.contains(&word.as_str()))
                .map(|(mode, _)| *mode)
                .collect();
            errors.at(
                argument.span(),
                format_args!(
                    "`{mode}` has no `{word}`, which belongs to {}; remove it, or write another mode",
                    ptx_isa::near::list(of)
                ),
            );
        }
    }
}

/// Reports an array in place of a number.
fn refuse_lists(written: &Written, mode: &str, errors: &mut Errors) {
    for (name, value) in &written.values {
        let word = name.to_string();
        let is_list = match word.as_str() {
            "box" | "element_strides" => true,
            "lower" | "upper" => mode == "im2col",
            _ => false,
        };
        if !is_list && matches!(value.peel(), Expr::Array(_) | Expr::Repeat(_)) {
            errors.on(
                value,
                format_args!("`{word}` of `{mode}` is one value: write it without brackets"),
            );
        }
    }
}

fn element(written: &Written, errors: &mut Errors) -> Option<Element> {
    let value = written.get("element")?;
    let word = value.to_token_stream().to_string();
    let found = Element::from_name(&word);
    if found.is_none() {
        let forms = match word.as_str() {
            "E2M1" => Some("`b4x16` as it lies in global memory, or `b4x16_p64` padded"),
            "E2M3" | "E3M2" => Some("`b6x16_p32` to load, or `b6p2x16` to store"),
            _ => None,
        };
        match forms {
            Some(forms) => errors.on(
                value,
                format_args!(
                    "a map copies `{word}` in groups of 16: write {forms} (PTX ISA 5.5.1.1)"
                ),
            ),
            None => {
                let advice = alternatives(&word, Element::names());
                errors.on(value, format_args!("tensor maps have no elements `{word}`; {advice}"));
            }
        }
    }
    found
}
