//! Declarations of registers, and uses of registers in an array.

use proc_macro2::{Ident, Literal, Span};
use ptx_isa::ScalarType;
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::{Expr, Type};

use super::super::token::{Delimiter, Name, join};
use super::super::tree::Tree;
use super::around::Written;
use super::instruction::{code, named};
use super::register::{Kind, Members, Register, near_types, vector};
use super::writing::Forms;
use crate::foreign::{foreign, is_known_pointer, not_a_type, refuse_foreign};

impl Forms<'_> {
    /// Rewrites `let %i, %j: u32;`, given the tokens after `let`.
    pub(super) fn typed_registers(&mut self, at: Span, tokens: &[Tree]) -> Option<Vec<Tree>> {
        let colon = tokens.iter().position(|token| token.is_sign(':'));
        let Some((names, [colon, ty @ ..])) = colon.map(|colon| tokens.split_at(colon)) else {
            self.refuse_untyped(at, tokens);
            return None;
        };
        let names = match names {
            [Tree::Word(word, at), names @ ..] if word == "mut" => {
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
        // `let %x: u32, %y: f32;`
        if let Some(comma) = ty.iter().position(|token| token.is_sign(','))
            && let Some((name, [colon, ..])) = join(&ty[comma + 1..])
            && colon.is_sign(':')
        {
            let name = name.text.into_owned();
            self.refuse(
                ty[comma + 1].start(),
                format_args!("a `let` has one type; write another for `{name}`"),
            );
            return None;
        }
        let mut ty_at = ty.first().unwrap_or(colon).start();
        let (mut ty, mut members) = match syn::parse2::<Type>(self.rust(ty)) {
            Ok(Type::Array(array)) => {
                let len = self.length(&array.len);
                ty_at = array.elem.span();
                (Some(*array.elem), Some((len, array.len.to_token_stream())))
            }
            Ok(ty) => (Some(ty), None),
            Err(_) => (None, None),
        };
        if let Some(ty) = ty.as_mut().filter(|ty| Kind::of(ty).is_some()) {
            let types = self.around.types;
            refuse_foreign(ty, types, &mut |word, message| self.refuse(word.span(), message));
        }
        let kind = ty.as_ref().and_then(Kind::of).unwrap_or_else(|| {
            let foreign = ty.as_ref().and_then(foreign);
            let lanes = foreign.as_ref().map(|(_, meant)| meant).or(ty.as_ref()).and_then(vector);
            self.refuse_type(ty_at, ty.as_ref(), foreign.as_ref(), lanes.as_ref());
            // Avoids follow-up errors at the uses.
            if let (None, Some((lanes, _))) = (&members, &lanes) {
                let len = Literal::i128_unsuffixed(*lanes).into_token_stream();
                members = Some((Some(*lanes), len));
            }
            Kind { scalar: "b32", integer: Some((32, false)), pointer: None }
        });
        if let (Some(ty), Some(pointer)) = (&ty, &kind.pointer)
            && !is_known_pointer(ty)
        {
            let text = pointer.to_string();
            self.pointers.entry(text).or_insert_with(|| (pointer.clone(), false));
        }
        let mut out = code(&format!(".reg.{}", kind.scalar), at);
        for (n, name) in names.split(|token| token.is_sign(',')).enumerate() {
            let Some((Name { text, at: place }, [])) = join(name) else {
                let at = name.first().map_or(at, Tree::start);
                self.refuse(at, "a register has a name, as `%i`; the length of an array belongs to its type, as in `let %t: [u32; 4];`");
                return None;
            };
            if n > 0 {
                out.push(Tree::Sign(',', place.0));
            }
            out.extend(name.iter().cloned());
            if let Some((len, tokens)) = &members {
                let count = match len {
                    Some(len) => Tree::Number(len.to_string(), place.1),
                    None => self.constant(tokens.clone(), place),
                };
                out.extend([Tree::Sign('<', place.1), count, Tree::Sign('>', place.1)]);
            }
            self.registers.declare(Register {
                name: text.into_owned(),
                members: members.as_ref().map_or(Members::One, |(len, _)| Members::of(*len)),
                integer: kind.integer,
                pointer: kind.pointer.clone(),
            });
        }
        out.push(Tree::Sign(';', at));
        Some(out)
    }

    /// Reports a `let` without a type, given its place and the tokens after it.
    fn refuse_untyped(&mut self, at: Span, tokens: &[Tree]) {
        let found = join(tokens);
        let at = found.as_ref().and_then(|(_, rest)| rest.first()).map_or(at, Tree::start);
        let name = found.map_or("%i".into(), |(name, _)| name.text);
        match tokens.iter().find(|token| token.is_sign('=')) {
                Some(equals) => self.refuse(equals.start(), format_args!("a register is declared with a type and without a value; write `let {name}: u32;`, and an instruction for the value, as in `mov.u32 {name}, 0;`")),
                None => self.refuse(at, format_args!("registers with a Rust type are declared as `let {name}: u32;`")),
            }
    }

    /// Reports a type that registers cannot have, given the type that is meant, if it is one of another language, and
    /// the lanes of a vector.
    fn refuse_type(
        &mut self,
        at: Span,
        ty: Option<&Type>,
        foreign: Option<&(Ident, Type)>,
        vector: Option<&(i128, String)>,
    ) {
        if let Some((lanes, element)) = vector {
            self.refuse(at, format_args!("a vector is in {lanes} registers; declare an array of them, `let %x: [{element}; {lanes}];`, and write `{{%x[0..{lanes}]}}`"));
        } else if let Some((word, meant)) = foreign {
            self.refuse(at, not_a_type(word, &meant.to_token_stream().to_string()));
        } else if let Some((word, near)) = ty.and_then(near_types) {
            self.refuse(at, format_args!("`{word}` is not a type; did you mean {near}?"));
        } else {
            self.refuse(at, "a register holds a number, `bool` or a `Ptr<..>`, and an array of registers an array of these: write `let %i: u32;`, or its type in PTX, `.reg .b32 %i;`");
        }
    }

    fn length(&mut self, len: &Expr) -> Option<i128> {
        self.counts.integer(&len.to_token_stream())
    }

    /// Rewrites a `.reg` declaration, in which arrays become families.
    pub(super) fn registers_declared(&mut self, tokens: &[Tree]) -> Vec<Tree> {
        let mut out = Vec::new();
        let (mut rest, mut integer) = (tokens, None);
        while let [dot, Tree::Word(word, _), after @ ..] = rest {
            if !dot.is_sign('.') {
                break;
            }
            let bits = word.get(1..).and_then(|bits| bits.parse().ok());
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
                [Tree::Group(Delimiter::Bracket, inner, open, close)] if !inner.is_empty() => {
                    let number = self.number(inner);
                    let count = match number {
                        Some(number) => Tree::Number(number.to_string(), *open),
                        None => {
                            let tokens = self.rust(inner);
                            self.constant(tokens, (*open, *close))
                        }
                    };
                    out.extend([Tree::Sign('<', *open), count, Tree::Sign('>', *close)]);
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
            self.registers.declare(Register {
                name: text.into_owned(),
                members,
                integer,
                pointer: None,
            });
            let [comma, after @ ..] = next else { return out };
            out.push(comma.clone());
            rest = after;
        }
        out.extend(rest.iter().cloned());
        out
    }

    /// Recognises `%d[3]` or `%d[0..8]` at the start of `tokens`. Returns the replacement and the tokens that follow.
    pub(super) fn register<'t>(&mut self, tokens: &'t [Tree]) -> Option<Written<'t>> {
        if !matches!(tokens.first(), Some(Tree::Sign('%' | '$', _) | Tree::Word(..))) {
            return None;
        }
        let (name, [Tree::Group(Delimiter::Bracket, inner, open, _), after @ ..]) = join(tokens)?
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
            self.refuse(*open, format_args!("which register of `{array}` this is has to be known while the macro runs: a literal, an integer constant of this module that is made of literals, the counter of a loop, or a range of these, as in `{{{array}[0..8]}}`"));
            return Some((Vec::new(), after));
        };
        let Some(left) = self.left.checked_sub(numbers.len()) else {
            self.refuse(*open, "the loops of this body name too many registers");
            return Some((Vec::new(), after));
        };
        self.left = left;
        let mut out = Vec::new();
        for (n, number) in numbers.iter().enumerate() {
            if *number < 0 || members.is_some_and(|members| *number >= members) {
                let (array, members) = (&name.text, members.unwrap_or_default());
                let at = open.start();
                if !self.beyond.insert((at.line, at.column)) {
                    self.is_refused = true;
                    break;
                }
                self.refuse(*open, format_args!("`{array}` has {members} registers, and this is number {number}; they count from 0"));
                break;
            }
            if n > 0 {
                out.push(Tree::Sign(',', *open));
            }
            out.extend(named(&format!("{}{number}", name.text), name.at));
        }
        Some((out, after))
    }
}
