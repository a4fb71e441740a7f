//! Modules out of texts, as far as these tests write them.

use ptx_isa::ir::body::{Body, Encoder, StatementKind, TokenKind};
use ptx_isa::ir::{Extent, Function, FunctionKind, Module, Param, Type, Variable};
use ptx_isa::{ScalarType, Space, Target};

/// A function: its name, the parameters of a device function, and the statements of its body.
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) kind: FunctionKind,
    pub(crate) params: Vec<String>,
    pub(crate) body: String,
}

impl Source {
    /// A kernel that takes a pointer, `p`.
    pub(crate) fn kernel(body: impl Into<String>) -> Self {
        let (name, params) = ("k".into(), vec!["p".into()]);
        Self { name, kind: FunctionKind::Kernel, params, body: body.into() }
    }

    /// A device function.
    pub(crate) fn device(name: impl Into<String>, body: impl Into<String>) -> Self {
        let name = name.into();
        Self { name, kind: FunctionKind::Device, params: Vec::new(), body: body.into() }
    }
}

/// The module of some functions, which is never given back: it lives as long as the test.
pub(crate) fn module(functions: &'static [Source]) -> Module<'static> {
    let functions: Vec<&Function<'_>> = functions.iter().map(|it| leak(function(it))).collect();
    Module { functions: leak(functions), ..Module::new("hostile", Target::Sm90a) }
}

fn leak<T>(it: T) -> &'static T {
    Box::leak(Box::new(it))
}

fn function(source: &'static Source) -> Function<'static> {
    const B64: &Type<'_> = &Type::Scalar(ScalarType::B64);
    let params: Vec<Param<'_>> = source.params.iter().map(|name| Param::new(name, B64)).collect();
    let (mut encoder, mut locals) = (Encoder::default(), Vec::new());
    let mut rest = source.body.as_str();
    while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
        rest = &rest[start..];
        let (kind, end) = match (rest.as_bytes()[0], rest.find([':', ';', '\n'])) {
            (b'{', _) => (StatementKind::Open, 1),
            (b'}', _) => (StatementKind::Close, 1),
            (b'.', end) => (StatementKind::Declaration, end.unwrap_or(rest.len())),
            (_, Some(end)) if rest[end..].starts_with(":\n") => (StatementKind::Label, end),
            (_, _) => (StatementKind::Instruction, rest.find(';').unwrap_or(rest.len())),
        };
        let (text, behind) = rest.split_at(end);
        if kind == StatementKind::Declaration {
            locals.push(leak(variable(text)));
        }
        tokens(text, &mut encoder);
        encoder.end(kind, []);
        rest = behind.strip_prefix([':', ';']).unwrap_or(behind);
    }
    let (text, table) = encoder.finish();
    Function {
        params: leak(params),
        body: Some(Body::new(leak(text), leak(table), &[])),
        locals: leak(locals),
        ..Function::new(source.kind, &source.name)
    }
}

/// `.reg .b32 name<count>`
fn variable(text: &'static str) -> Variable<'static> {
    let mut words = text.split(' ');
    let space = words.next().and_then(|word| Space::from_name(&word[1..])).expect("a space");
    let scalar = words.next().and_then(|word| ScalarType::from_name(&word[1..])).expect("a type");
    let (name, count) =
        words.next().map(|name| name.split_once('<').unwrap_or((name, ""))).unwrap();
    let ty = leak(Type::Scalar(scalar));
    let ty = match count.trim_end_matches('>').parse() {
        Ok(count) => leak(Type::Family(Extent::Known(count), ty)),
        Err(_) => ty,
    };
    Variable::new(space, name, ty)
}

fn tokens(mut rest: &str, encoder: &mut Encoder) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = |text: &str| text.find(|c| !is_word(c)).unwrap_or(text.len());
    let mut is_opcode = true;
    while let Some(first) = rest.chars().next() {
        let (kind, length) = match first {
            ' ' => {
                rest = &rest[1..];
                continue;
            }
            ',' => (TokenKind::Comma, 1),
            '.' if is_opcode => (TokenKind::Word, 1 + word(&rest[1..])),
            '.' => (TokenKind::Modifier, 1 + word(&rest[1..])),
            '%' => (TokenKind::Name, 1 + word(&rest[1..])),
            '[' | '{' | '(' => (TokenKind::Open, 1),
            ']' | '}' | ')' => (TokenKind::Close, 1),
            first if first.is_ascii_digit() => (TokenKind::Number, word(rest)),
            first if is_word(first) && is_opcode && rest.len() > word(rest) => {
                (TokenKind::Word, word(rest))
            }
            first if is_word(first) => (TokenKind::Name, word(rest)),
            _ => (TokenKind::Sign, 1),
        };
        is_opcode &= kind != TokenKind::Word;
        encoder.token(kind, &rest[..length]);
        rest = &rest[length..];
    }
}
