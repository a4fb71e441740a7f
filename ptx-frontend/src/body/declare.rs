//! Declarations and directives in a body (PTX ISA 5.4 and 11).

use proc_macro2::{Delimiter, Span};
use ptx_types::{ScalarType, Space};

use super::operand::{self, Place, Writer, join};
use super::token::{Token, delimiters};
use super::{Count, Declaration, Event, Family, Literal};
use crate::errors::Errors;
use crate::near::alternatives;

/// Directives that are no declarations: how their operands name things.
const DIRECTIVES: &[&str] = &["pragma", "branchtargets", "calltargets", "callprototype"];

/// What to do about `.const[2]`.
pub(crate) const BANKED: &str = "constant memory has no banks since PTX 2.2: declare the data in the module with `#[constant]`, or pass a pointer, `Ptr<Const, T>`, as a parameter (PTX ISA 5.1.3.1)";

/// Reads a statement that starts with a dot.
pub(super) fn parse(tokens: &[Token], writer: &mut Writer, errors: &mut Errors) -> Option<()> {
    let [_, Token::Word(word, span), rest @ ..] = tokens else {
        errors.at(tokens.first()?.span(), "a directive has to follow the dot, as in `.reg`");
        return None;
    };
    if let Some(space) = Space::from_name(word) {
        return parse_variables(space, rest, writer, errors);
    }
    match word.as_str() {
        "pragma" | "branchtargets" | "calltargets" => {
            writer.put(&format!(".{word} "));
            operand::parse(rest, writer, Place::Statement, errors)?;
        }
        "callprototype" => {
            writer.put(".callprototype ");
            verbatim(rest, writer);
        }
        "extern" | "visible" | "weak" | "common" => {
            errors.at(*span, format_args!("`.{word}` has no place in a body: storage that is declared in a kernel belongs to it; declare the variable in the module"));
            return None;
        }
        "loc" | "file" => {
            errors.at(*span, format_args!("`.{word}` has to end at a line break, which a Rust macro cannot see; write `line_info = true` in `#[ptx::module(..)]` instead"));
            return None;
        }
        _ => {
            let spaces = Space::ALL.iter().filter(|space| space.is_body_scope());
            let known = spaces.map(|space| space.name()).chain(DIRECTIVES.iter().copied());
            let advice = alternatives(word, known.collect::<Vec<_>>().into_iter());
            errors.at(*span, format_args!("a body has no directive `.{word}`; {advice}"));
            return None;
        }
    }
    writer.put(";");
    Some(())
}

/// `.reg .b64 %rd<4>, x;` from behind the space.
fn parse_variables(
    space: Space,
    mut rest: &[Token],
    writer: &mut Writer,
    errors: &mut Errors,
) -> Option<()> {
    if let (Space::Const, [Token::Group(Delimiter::Bracket, _, open, _), ..]) = (space, rest) {
        errors.at(*open, BANKED);
        return None;
    }
    writer.put(space.directive());
    let (mut align, mut lanes) = (None, 1);
    let (scalar, ty_span) = loop {
        let [dot, Token::Word(word, span), after @ ..] = rest else {
            let span = rest.first().map_or_else(Span::call_site, Token::span);
            errors.at(
                span,
                format_args!(
                    "a type has to follow `{}`, as in `{} .b32 x`",
                    space.directive(),
                    space.directive()
                ),
            );
            return None;
        };
        if !dot.is_punct('.') {
            errors.at(dot.span(), "a type has to stand here, as in `.b32`");
            return None;
        }
        rest = after;
        writer.put(" ");
        writer.mark(dot.span());
        writer.put(".");
        writer.put(word);
        match (word.as_str(), rest) {
            ("align", [count @ (Token::Number(..) | Token::Splice(..)), after @ ..]) => {
                writer.put(" ");
                align = Some((parse_count(count, writer, errors)?, count.span()));
                rest = after;
            }
            ("align", _) => {
                errors.at(*span, "an alignment in bytes has to follow `.align`");
                return None;
            }
            ("v2", _) => lanes = 2,
            ("v4", _) => lanes = 4,
            _ => break (parse_scalar(word, *span, errors)?, *span),
        }
    };
    writer.put(" ");
    loop {
        rest = parse_variable(space, align.as_ref(), lanes, scalar, ty_span, rest, writer, errors)?;
        match rest {
            [] => break,
            [comma, after @ ..] if comma.is_punct(',') => {
                writer.put(", ");
                rest = after;
            }
            [other, ..] => {
                errors.at(
                    other.span(),
                    "write `,` before another name, or `;` after the declaration",
                );
                return None;
            }
        }
    }
    writer.put(";");
    Some(())
}

/// `%rd<4>` or `x[16] = {1, 2}`
#[allow(clippy::too_many_arguments)] // what a list of names shares
fn parse_variable<'t>(
    space: Space,
    align: Option<&(Count, Span)>,
    lanes: u8,
    scalar: ScalarType,
    ty_span: Span,
    tokens: &'t [Token],
    writer: &mut Writer,
    errors: &mut Errors,
) -> Option<&'t [Token]> {
    let Some((name, mut rest)) = join(tokens) else {
        let span = tokens.first().map_or(ty_span, Token::span);
        errors.at(span, "a name has to follow the type, as in `.reg .b32 %r<4>`");
        return None;
    };
    writer.mark(name.start);
    writer.put(&name.text);
    let mut family = Family::No;
    if let [open, count, close, after @ ..] = rest
        && open.is_punct('<')
        && close.is_punct('>')
    {
        writer.put("<");
        family = Family::Of(parse_count(count, writer, errors)?);
        writer.put(">");
        rest = after;
    }
    let mut extents = Vec::new();
    while let [Token::Group(Delimiter::Bracket, inner, ..), after @ ..] = rest {
        writer.put("[");
        extents.push(match inner.as_slice() {
            [] => Count::Missing,
            [count] => parse_count(count, writer, errors)?,
            [_, second, ..] => {
                errors.at(
                    second.span(),
                    "an extent is one number; write `#( expr )` for a Rust constant",
                );
                return None;
            }
        });
        writer.put("]");
        rest = after;
    }
    let mut value = None;
    if let [equals, after @ ..] = rest
        && equals.is_punct('=')
    {
        writer.put(" = ");
        let end = after.iter().position(|token| token.is_punct(',')).unwrap_or(after.len());
        let span = after.first().map_or(equals.span(), Token::span);
        value = Some((literal(&after[..end]), span));
        operand::parse(&after[..end], writer, Place::Value, errors)?;
        rest = &after[end..];
    }
    // The first extent may be left to the value.
    if let (Some(extent @ Count::Missing), Some((Literal::List(values), _))) =
        (extents.first_mut(), &value)
    {
        *extent = Count::Known(values.len());
    }
    writer.event(Event::Declare(Declaration {
        name,
        family,
        space,
        align: align.cloned(),
        lanes,
        scalar,
        ty_span,
        extents,
        value,
        allow: Vec::new(),
    }));
    Some(rest)
}

fn parse_scalar(word: &str, span: Span, errors: &mut Errors) -> Option<ScalarType> {
    let named = ScalarType::from_name(word);
    if let Some(scalar) = named.filter(|scalar| scalar.is_fundamental()) {
        return Some(scalar);
    }
    let known = ScalarType::ALL.iter().copied().filter(|scalar| scalar.is_fundamental());
    let known = known.map(ScalarType::name);
    let advice = match (word, named) {
        ("v3", _) => "a declared vector is `.v2` or `.v4`; three elements are a `.v4` whose fourth is padding (PTX ISA 5.4.2)".to_owned(),
        ("v8" | "v1" | "v16", _) => "a declared vector is `.v2` or `.v4`".to_owned(),
        (_, Some(scalar)) => format!("`{word}` values are declared as `{}` (PTX ISA 5.2.3, 5.2.4)", scalar.declared()),
        ("e2m1" | "e2m3" | "e3m2" | "ue8m0", None) => format!("`{word}` values are packed: declare a `.b8` or `.b16` of two (PTX ISA 5.2.3)"),
        ("texref" | "samplerref" | "surfref", _) => format!("a `.{word}` is a variable of the module or a parameter of a kernel (PTX ISA 5.3); declare it there"),
        _ => alternatives(word, known.collect::<Vec<_>>().into_iter()),
    };
    errors.at(span, format_args!("storage cannot be declared with `.{word}`; {advice}"));
    None
}

fn parse_count(token: &Token, writer: &mut Writer, errors: &mut Errors) -> Option<Count> {
    match token {
        Token::Number(number, span) => {
            let count = parse_number(number, *span, errors)?;
            writer.put(number);
            Some(Count::Known(count))
        }
        Token::Splice(tokens, start, end) => {
            operand::splice(tokens, (*start, *end), writer, errors)?;
            Some(Count::Splice(tokens.clone()))
        }
        Token::Word(word, _) if word == "WARP_SZ" => {
            writer.put(word);
            Some(Count::Known(32))
        }
        other => {
            errors.at(
                other.span(),
                "a number has to stand here; write `#( expr )` for a Rust constant",
            );
            None
        }
    }
}

/// Reads a PTX integer, and reports what is none.
fn parse_number(text: &str, span: Span, errors: &mut Errors) -> Option<usize> {
    let parsed = integer(text).and_then(|number| usize::try_from(number).ok());
    if parsed.is_none() {
        errors.at(
            span,
            format_args!(
                "`{text}` is no PTX integer; write decimal digits, `0x`, `0b` or octal ones"
            ),
        );
    }
    parsed
}

/// A PTX integer: decimal, `0x`, `0b` or octal, with an optional `U` (PTX ISA 4.5.1).
pub(super) fn integer(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches('U');
    if let Some(hex) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        i128::from_str_radix(hex, 16).ok()
    } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
        i128::from_str_radix(binary, 2).ok()
    } else if digits.len() > 1 && digits.starts_with('0') {
        i128::from_str_radix(digits, 8).ok()
    } else {
        digits.parse().ok()
    }
}

/// A PTX floating-point number: decimal, or the bits behind `0f` or `0d` (PTX ISA 4.5.2).
fn float(text: &str) -> Option<f64> {
    let hex = |prefix: [&str; 2]| text.strip_prefix(prefix[0]).or(text.strip_prefix(prefix[1]));
    if let Some(bits) = hex(["0f", "0F"]).filter(|bits| bits.len() == 8) {
        return u32::from_str_radix(bits, 16).ok().map(|bits| f32::from_bits(bits).into());
    }
    if let Some(bits) = hex(["0d", "0D"]).filter(|bits| bits.len() == 16) {
        return u64::from_str_radix(bits, 16).ok().map(f64::from_bits);
    }
    text.contains(['.', 'e', 'E']).then(|| text.parse().ok()).flatten()
}

/// An initial value, as far as it is made of literals.
fn literal(tokens: &[Token]) -> Literal {
    match tokens {
        [Token::Group(Delimiter::Brace, inner, open, _)] => {
            let mut values: Vec<&[Token]> = inner.split(|token| token.is_punct(',')).collect();
            if values.last().is_some_and(|last| last.is_empty()) {
                values.pop();
            }
            let place = |value: &[Token]| value.first().map_or(*open, Token::span);
            Literal::List(values.into_iter().map(|value| (literal(value), place(value))).collect())
        }
        [Token::Splice(tokens, ..)] => match operand::spliced_integer(tokens) {
            Some(value) => Literal::Int(value),
            None => Literal::Splice(tokens.clone()),
        },
        [Token::Number(text, _)] => match (integer(text), float(text)) {
            (Some(value), _) => Literal::Int(value),
            (None, Some(value)) => Literal::Float(value),
            (None, None) => Literal::Other,
        },
        [dot, Token::Number(text, _)] if dot.is_punct('.') => {
            format!("0.{text}").parse().map_or(Literal::Other, Literal::Float)
        }
        [minus, rest @ ..] if minus.is_punct('-') => match literal(rest) {
            Literal::Int(value) => Literal::Int(-value),
            Literal::Float(value) => Literal::Float(-value),
            Literal::List(_)
            | Literal::Address { .. }
            | Literal::MaskedInt(..)
            | Literal::Splice(_)
            | Literal::Other => Literal::Other,
        },
        _ => address(tokens).unwrap_or(Literal::Other),
    }
}

/// An address in an initial value: `x`, `generic(x)+8`, `0xff00(x)`.
fn address(tokens: &[Token]) -> Option<Literal> {
    if let [Token::Number(mask, _), Token::Group(Delimiter::Parenthesis, inner, ..)] = tokens {
        let mask = u64::try_from(integer(mask)?).ok()?;
        return match literal(inner) {
            Literal::Address { name, generic, addend, mask: None } => {
                Some(Literal::Address { name, generic, addend, mask: Some(mask) })
            }
            Literal::Int(value) => Some(Literal::MaskedInt(mask, value)),
            _ => None,
        };
    }
    let (name, rest) = join(tokens)?;
    let (generic, name, rest) = match rest {
        [Token::Group(Delimiter::Parenthesis, inner, ..), after @ ..] if name.text == "generic" => {
            let (name, []) = join(inner)? else { return None };
            (true, name, after)
        }
        rest => (false, name, rest),
    };
    let addend = match rest {
        [] => 0,
        [plus, rest @ ..] if plus.is_punct('+') => match literal(rest) {
            Literal::Int(value) => value,
            _ => return None,
        },
        _ => return None,
    };
    Some(Literal::Address { name, generic, addend, mask: None })
}

/// Writes a call prototype's tokens with a space before each dot that starts a word.
fn verbatim(tokens: &[Token], writer: &mut Writer) {
    let mut tight = true;
    for token in tokens {
        match token {
            Token::Word(text, _) | Token::Number(text, _) | Token::Text(text, _) => {
                if !tight {
                    writer.put(" ");
                }
                writer.put(text);
                tight = false;
            }
            Token::Punct(c, _) => {
                if *c == '.' && !tight {
                    writer.put(" ");
                }
                writer.put(c.encode_utf8(&mut [0; 4]));
                if *c == ',' {
                    writer.put(" ");
                }
                tight = true;
            }
            Token::Group(delimiter, inner, ..) => {
                let (open, close) = delimiters(*delimiter);
                if !tight && *delimiter == Delimiter::Parenthesis {
                    writer.put(" ");
                }
                writer.put(open);
                verbatim(inner, writer);
                writer.put(close);
                tight = false;
            }
            Token::Splice(tokens, ..) => {
                writer.splice(tokens.clone());
                tight = false;
            }
        }
    }
}
