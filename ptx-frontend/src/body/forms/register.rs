//! Registers: with Rust types, and arrays of them.

use proc_macro2::{Literal, Span, TokenStream};
use ptx_types::{ScalarType, Space};
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::{Expr, GenericArgument, PathArguments, Type};

use super::super::token::{Delimiter, Name, Token, join};
use super::{Around, Forms, Written};
use crate::group::Peel;
use crate::name::ptx_name;

/// The registers that are declared so far.
#[derive(Default)]
pub(super) struct Registers(Vec<Register>);

/// A register, or an array of them.
#[derive(Clone)]
pub(super) struct Register {
    pub(super) name: String,
    members: Members,
    /// Its bits, and whether they are signed; `None` of what is no integer.
    pub(super) integer: Option<(u32, bool)>,
    /// The pointer type that it was declared with.
    pub(super) pointer: Option<TokenStream>,
}

/// How many registers a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    /// One.
    One,
    /// As many as a number behind it says.
    Of(i128),
    /// As many as a Rust constant says.
    Unknown,
}

impl Members {
    fn of(number: Option<i128>) -> Self {
        number.map_or(Self::Unknown, Self::Of)
    }
}

/// What a Rust type is in a register.
struct Kind {
    /// The type in PTX.
    scalar: &'static str,
    integer: Option<(u32, bool)>,
    pointer: Option<TokenStream>,
}

impl Registers {
    /// The registers among parameters and what is returned.
    pub(super) fn of(around: Around<'_>) -> Self {
        let all = around.params.iter().chain(around.returns);
        let registers = all.filter(|param| param.space == Space::Reg).map(|param| {
            let kind = Kind::of(&param.ty);
            Register {
                name: ptx_name(&param.ident),
                members: Members::One,
                integer: kind.as_ref().and_then(|kind| kind.integer),
                pointer: kind.and_then(|kind| kind.pointer),
            }
        });
        Self(registers.collect())
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// The register that a name is, or the array of which it is one.
    pub(super) fn find(&self, name: &str) -> Option<&Register> {
        let is_member = |register: &Register| {
            let number = name.strip_prefix(register.name.as_str());
            register.members != Members::One
                && number.is_some_and(|number| {
                    !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
                })
        };
        self.0.iter().rev().find(|register| {
            register.name == name && register.members == Members::One || is_member(register)
        })
    }

    /// The array with a name.
    fn array(&self, name: &str) -> Option<&Register> {
        self.0
            .iter()
            .rev()
            .find(|register| register.name == name && register.members != Members::One)
    }
}

impl Kind {
    /// What a Rust type is in a register, if it is anything.
    fn of(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty.peel() else { return None };
        let last = path.path.segments.last()?;
        let plain = |scalar, integer| Some(Self { scalar, integer, pointer: None });
        match last.ident.to_string().as_str() {
            "bool" => plain("pred", None),
            "f32" | "F32" => plain("f32", None),
            "f64" | "F64" => plain("f64", None),
            "u16" | "U16" => plain("u16", Some((16, false))),
            "u32" | "U32" => plain("u32", Some((32, false))),
            "u64" | "U64" | "usize" => plain("u64", Some((64, false))),
            "i16" | "S16" => plain("s16", Some((16, true))),
            "i32" | "S32" => plain("s32", Some((32, true))),
            "i64" | "S64" | "isize" => plain("s64", Some((64, true))),
            "f16" | "bf16" | "B16" => plain("b16", Some((16, false))),
            "B32" => plain("b32", Some((32, false))),
            "B64" => plain("b64", Some((64, false))),
            "B128" => plain("b128", None),
            "Ptr" => {
                let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
                let Some(GenericArgument::Type(space)) = list.args.first() else { return None };
                let Type::Path(space) = space.peel() else { return None };
                let space = space.path.segments.last()?.ident.to_string();
                let (scalar, bits) = if space == "Shared" { ("b32", 32) } else { ("b64", 64) };
                let pointer = Some(ty.to_token_stream());
                Some(Self { scalar, integer: Some((bits, false)), pointer })
            }
            // Of packed types and small floats a register has the bits.
            name => {
                let (bits, _) = ScalarType::from_rust_name(name)?.initialised();
                plain(&bits[1..], None)
            }
        }
    }
}

impl Forms<'_> {
    /// `let %i, %j: u32;`: what stands behind `let`.
    pub(super) fn typed_registers(
        &mut self,
        at: Span,
        tokens: &[Token<Span>],
    ) -> Option<Vec<Token<Span>>> {
        let colon = tokens.iter().position(|token| token.is_sign(':'));
        let Some((names, [colon, ty @ ..])) = colon.map(|colon| tokens.split_at(colon)) else {
            self.refuse(at, "registers with a Rust type are declared as `let %i, %j: u32;`");
            return None;
        };
        let names = match names {
            [Token::Word(word, at), names @ ..] if word == "mut" => {
                self.refuse(*at, "any instruction may write a register; remove the `mut`");
                names
            }
            names => names,
        };
        let end = ty.iter().position(|token| token.is_sign('=')).unwrap_or(ty.len());
        let (ty, value) = ty.split_at(end);
        if let [equals, ..] = value {
            self.refuse(equals.start(), "a register is declared without a value; write an instruction for it, as in `mov.u32 %i, 0;`");
        }
        let mut ty_at = ty.first().unwrap_or(colon).start();
        let (ty, mut members) = match syn::parse2::<Type>(self.rust(ty)) {
            Ok(Type::Array(array)) => {
                let len = self.length(&array.len);
                ty_at = array.elem.span();
                (Some(*array.elem), Some((len, array.len.to_token_stream())))
            }
            Ok(ty) => (Some(ty), None),
            Err(_) => (None, None),
        };
        let kind = ty.as_ref().and_then(Kind::of).unwrap_or_else(|| {
            let lanes = ty.as_ref().and_then(vector);
            self.refuse_type(ty_at, lanes.as_ref());
            // What uses them is not reported, too.
            if let (None, Some((lanes, _))) = (&members, &lanes) {
                members =
                    Some((Some(*lanes), Literal::i128_unsuffixed(*lanes).into_token_stream()));
            }
            Kind { scalar: "b32", integer: Some((32, false)), pointer: None }
        });
        let mut out = code(&format!(".reg.{}", kind.scalar), at);
        for (n, name) in names.split(|token| token.is_sign(',')).enumerate() {
            let Some((Name { text, at: place }, [])) = join(name) else {
                let at = name.first().map_or(at, Token::start);
                self.refuse(at, "a register has a name, as `%i`");
                return None;
            };
            if n > 0 {
                out.push(Token::Sign(',', place.0));
            }
            out.extend(name.iter().cloned());
            if let Some((len, tokens)) = &members {
                let count = match len {
                    Some(len) => Token::Number(len.to_string(), place.1),
                    None => self.constant(tokens.clone(), place),
                };
                out.extend([Token::Sign('<', place.1), count, Token::Sign('>', place.1)]);
            }
            self.registers.0.push(Register {
                name: text,
                members: members.as_ref().map_or(Members::One, |(len, _)| Members::of(*len)),
                integer: kind.integer,
                pointer: kind.pointer.clone(),
            });
        }
        out.push(Token::Sign(';', at));
        Some(out)
    }

    /// Reports a Rust type that no register has.
    fn refuse_type(&mut self, at: Span, vector: Option<&(i128, String)>) {
        if let Some((lanes, element)) = vector {
            self.refuse(at, format_args!("a vector is in {lanes} registers; declare an array of them, `let %x: [{element}; {lanes}];`, and write `{{%x[0..{lanes}]}}`"));
        } else {
            self.refuse(at, "a register holds a number, `bool` or a `Ptr<..>`, and an array of registers an array of these: write `let %i: u32;`, or its type in PTX, `.reg .b32 %i;`");
        }
    }

    fn length(&mut self, len: &Expr) -> Option<i128> {
        self.counts.integer(&len.to_token_stream())
    }

    /// A `.reg` declaration, in which arrays become families.
    pub(super) fn registers_declared(&mut self, tokens: &[Token<Span>]) -> Vec<Token<Span>> {
        let mut out = Vec::new();
        let (mut rest, mut integer) = (tokens, None);
        while let [dot, Token::Word(word, _), after @ ..] = rest {
            if !dot.is_sign('.') {
                break;
            }
            let bits = word[1..].parse().ok();
            if let (Some(_), Some(bits)) = (ScalarType::from_name(word), bits) {
                let is_integer = matches!(&word[..1], "u" | "s" | "b");
                integer = is_integer.then_some((bits, word.starts_with('s')));
            }
            out.extend(rest[..2].iter().cloned());
            rest = after;
        }
        while let Some((Name { text, .. }, after)) = join(rest) {
            out.extend(rest[..rest.len() - after.len()].iter().cloned());
            let end = after.iter().position(|token| token.is_sign(',')).unwrap_or(after.len());
            let (count, next) = after.split_at(end);
            let members = match count {
                [Token::Group(Delimiter::Bracket, inner, open, close)] if !inner.is_empty() => {
                    let number = self.number(inner);
                    let count = match number {
                        Some(number) => Token::Number(number.to_string(), *open),
                        None => {
                            let tokens = self.rust(inner);
                            self.constant(tokens, (*open, *close))
                        }
                    };
                    out.extend([Token::Sign('<', *open), count, Token::Sign('>', *close)]);
                    Members::of(number)
                }
                [less, inner @ .., greater] if less.is_sign('<') && greater.is_sign('>') => {
                    let inner: Vec<_> = inner.iter().map(|token| self.counted(token)).collect();
                    let number = self.number(&inner);
                    out.push(less.clone());
                    out.extend(inner);
                    out.push(greater.clone());
                    Members::of(number)
                }
                other => {
                    out.extend(other.iter().cloned());
                    Members::One
                }
            };
            self.registers.0.push(Register { name: text, members, integer, pointer: None });
            let [comma, after @ ..] = next else { return out };
            out.push(comma.clone());
            rest = after;
        }
        out.extend(rest.iter().cloned());
        out
    }

    /// `%d[3]` or `%d[0..8]` at the start of `tokens`, and what follows.
    pub(super) fn register<'t>(&mut self, tokens: &'t [Token<Span>]) -> Option<Written<'t>> {
        if !matches!(tokens.first(), Some(Token::Sign('%' | '$', _) | Token::Word(..))) {
            return None;
        }
        let (name, [Token::Group(Delimiter::Bracket, inner, open, _), after @ ..]) = join(tokens)?
        else {
            return None;
        };
        let members = match self.registers.array(&name.text)?.members {
            Members::Of(members) => Some(members),
            Members::One | Members::Unknown => None,
        };
        let numbers: Option<Vec<i128>> = match self.range(inner) {
            Some(range) => Some(range.collect()),
            None => self.number(inner).map(|number| vec![number]),
        };
        let Some(numbers) = numbers else {
            let array = &name.text;
            self.refuse(*open, format_args!("which register of `{array}` this is has to be known while the macro runs: a literal, an integer constant of this module that is a literal, the counter of a loop, or a range of these, as in `{{{array}[0..8]}}`"));
            return Some((Vec::new(), after));
        };
        let mut out = Vec::new();
        for (n, number) in numbers.iter().enumerate() {
            if *number < 0 || members.is_some_and(|members| *number >= members) {
                let (array, members) = (&name.text, members.unwrap_or_default());
                self.refuse(*open, format_args!("`{array}` has {members} registers, and this is number {number}; they count from 0"));
                break;
            }
            if n > 0 {
                out.push(Token::Sign(',', *open));
            }
            out.extend(named(&format!("{}{number}", name.text), name.at));
        }
        Some((out, after))
    }
}

/// How many elements a vector type has, and of what type.
fn vector(ty: &Type) -> Option<(i128, String)> {
    let Type::Path(path) = ty.peel() else { return None };
    let last = path.path.segments.last()?;
    let lanes = match last.ident.to_string().as_str() {
        "V2" => 2,
        "V3" => 3,
        "V4" => 4,
        _ => return None,
    };
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    let GenericArgument::Type(element) = list.args.first()? else { return None };
    Some((lanes, element.to_token_stream().to_string()))
}

/// Whether a type is a pointer's.
pub(super) fn is_pointer(ty: &Type) -> bool {
    Kind::of(ty).is_some_and(|kind| kind.pointer.is_some())
}

/// The tokens of a name.
pub(super) fn named(name: &str, (start, end): (Span, Span)) -> Vec<Token<Span>> {
    match name.strip_prefix('%') {
        Some(rest) => vec![Token::Sign('%', start), Token::Word(rest.to_owned(), end)],
        None => vec![Token::Word(name.to_owned(), end)],
    }
}

/// The tokens of an opcode or a directive with its modifiers: `mad.lo.u32`.
pub(super) fn code(text: &str, at: Span) -> Vec<Token<Span>> {
    let mut out = Vec::new();
    for (n, word) in text.split('.').enumerate() {
        if n > 0 {
            out.push(Token::Sign('.', at));
        }
        if !word.is_empty() {
            out.push(Token::Word(word.to_owned(), at));
        }
    }
    out
}
