//! A parser for the PTX declarations in test programs.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Body, StatementKind};
use ptx_isa::ir::{
    Address, Directive, DirectiveKind, Extent, Function, FunctionKind, Init, Linkage, Module,
    Param, Pointer, Struct, StructKind, Type, Value, Variable,
};
use ptx_isa::rules::check_redeclared;
use ptx_isa::tensor::{ElementType, Spec};

use ptx_isa::{Number, Opaque, Release, ScalarType, Space, Target, TextureMode, Version};

use super::text::{Statement, Token, encode, statements, tokens};

/// Leaks a value, so that it lives as long as the tests.
fn kept<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn kept_all<T>(values: Vec<T>) -> &'static [T] {
    Vec::leak(values)
}

/// A function, with the line of each of its statements.
pub(super) struct Read {
    pub(super) module: Module<'static>,
    pub(super) lines: Vec<(&'static str, Vec<usize>)>,
}

/// Parses a module.
pub(super) fn read(text: &str) -> Read {
    let text: &'static str = kept(text.to_string());
    let all = tokens(text);
    let mut rest = all.into_iter().peekable();
    let (mut version, mut target) = (None, Target::Sm90a);
    let mut texture_mode = TextureMode::Unified;
    let (mut variables, mut functions, mut bodies) = (Vec::new(), Vec::new(), Vec::new());
    while rest.peek().is_some() {
        let mut item: Vec<Token<'static>> = Vec::new();
        let is_function =
            |item: &[Token<'_>]| item.iter().any(|token| matches!(token.text, ".func" | ".entry"));
        let line = rest.peek().map(|token| token.line);
        let mut has_body = false;
        while let Some(token) = rest.next() {
            match token.text {
                ";" => break,
                "{" if is_function(&item) => {
                    has_body = true;
                    break;
                }
                _ => item.push(token),
            }
            let is_header = matches!(item[0].text, ".version" | ".target" | ".address_size");
            if is_header && rest.peek().is_none_or(|token| Some(token.line) != line) {
                break;
            }
        }
        match item[0].text {
            ".version" => {
                let number: String = item[1..].iter().map(|token| token.text).collect();
                version = Version::parse(&number);
            }
            ".target" => {
                target = Target::from_name(item[1].text).expect("a target");
                if item.last().is_some_and(|token| token.text == "texmode_independent") {
                    texture_mode = TextureMode::Independent;
                }
            }
            ".address_size" => {}
            _ if is_function(&item) => {
                let body = has_body.then(|| statements(&mut rest));
                let function = function(&item, body.as_deref());
                let lines: Vec<usize> =
                    body.iter().flatten().map(|(_, tokens)| tokens[0].line).collect();
                bodies.retain(|(name, _)| *name != function.name);
                bodies.push((function.name, lines));
                // A definition replaces earlier declarations that match it; a rule reports the others.
                functions.retain(|other: &Function<'_>| {
                    other.name != function.name || !check_redeclared(other, &function).is_empty()
                });
                functions.push(function);
            }
            _ => variables.extend(declared(&item)),
        }
    }
    let variables: Vec<&Variable<'_>> = variables.into_iter().map(|it| kept(it) as &_).collect();
    let names: Vec<&str> = functions.iter().map(|function| function.name).collect();
    let functions = functions.into_iter().map(|function| {
        let statements = function.body.iter().flat_map(Body::statements);
        let named: Vec<&str> = statements
            .flat_map(|it| it.names().map(|name| name.text).collect::<Vec<_>>())
            .collect();
        let uses = variables.iter().copied().filter(|it| named.contains(&it.name));
        let calls = names.iter().copied().filter(|name| named.contains(name));
        let specials = named.iter().copied().filter(|name| ptx_isa::special::is_special(name));
        let (uses, calls) = (kept_all(uses.collect()), kept_all(calls.collect()));
        let function = Function { uses, calls, specials: kept_all(specials.collect()), ..function };
        kept(function) as &_
    });
    let functions = kept_all(functions.collect());
    let variables = kept_all(variables);
    let release = Some(Release::NEWEST);
    let module = Module {
        version,
        release,
        texture_mode,
        variables,
        functions,
        ..Module::new("text", target)
    };
    Read { module, lines: bodies }
}

/// Creates a function from its first line and the statements of its body.
fn function(header: &[Token<'static>], body: Option<&[Statement<'static>]>) -> Function<'static> {
    let at = header.iter().position(|it| matches!(it.text, ".func" | ".entry"));
    let at = at.expect("it is a function");
    let is_kernel = header[at].text == ".entry";
    let kind = if is_kernel { FunctionKind::Kernel } else { FunctionKind::Device };
    let (returns, rest) = params(&header[at + 1..]);
    let (name, rest) = rest.split_first().expect("it has a name");
    let (params, rest) = params(rest);
    let mut directives = Vec::new();
    for part in rest.split_inclusive_before(|token| token.text.starts_with('.')) {
        let name = part[0].text.trim_start_matches('.');
        let kind = DirectiveKind::ALL.iter().find(|kind| kind.name() == name).expect("a directive");
        let mut values = [1; 3];
        let numbers = part[1..].iter().filter_map(|token| token.text.parse().ok());
        values.iter_mut().zip(numbers).for_each(|(value, number)| *value = number);
        directives.push(Directive { kind: *kind, values });
    }
    let mut function = Function {
        linkage: linkage(header),
        returns: kept_all(returns),
        params: kept_all(params),
        directives: kept_all(directives),
        ..Function::new(kind, name.text)
    };
    if let Some(statements) = body {
        let (text, table) = kept(encode(statements));
        let tokens = statements.iter().flat_map(|(_, tokens)| tokens);
        // The analysis does not track fractional numbers.
        let constants = tokens.filter(|token| token.text == "#").map(|_| Number::Bits(0)).collect();
        let body = Body::new(text, table, kept_all(constants));
        let is_named = |variable: &Variable<'_>| {
            let others = statements.iter().filter(|(kind, _)| *kind == StatementKind::Instruction);
            others.flat_map(|(_, tokens)| tokens).any(|token| token.text == variable.name)
        };
        let declarations = statements.iter().filter(|it| it.0 == StatementKind::Declaration);
        let all = declarations.flat_map(|(_, tokens)| declared(tokens));
        let (idle, locals): (Vec<_>, Vec<_>) =
            all.partition(|it| it.space == Space::Shared && !is_named(it));
        let each = |all: Vec<Variable<'static>>| {
            kept_all(all.into_iter().map(|variable| kept(variable) as &_).collect())
        };
        (function.locals, function.idle_shared) = (each(locals), each(idle));
        function.body = Some(body);
    }
    function
}

/// Returns the parameters in parentheses, if any, and the remaining tokens.
fn params<'t>(tokens: &'t [Token<'static>]) -> (Vec<Param<'static>>, &'t [Token<'static>]) {
    let end = tokens.iter().position(|token| token.text == ")");
    let (Some("("), Some(end)) = (tokens.first().map(|token| token.text), end) else {
        return (Vec::new(), tokens);
    };
    let inside = &tokens[1..end];
    let each = inside.split(|token| token.text == ",").filter(|tokens| !tokens.is_empty());
    (each.map(param).collect(), &tokens[end + 1..])
}

fn param(tokens: &[Token<'static>]) -> Param<'static> {
    let variable = declared(tokens).remove(0);
    let Some(at) = tokens.iter().position(|token| token.text == ".ptr") else {
        return Param { variable, pointer: None, readonly: false, elements: None };
    };
    let behind = &tokens[at + 1..];
    let space = behind[0].text.strip_prefix('.').and_then(Space::from_name);
    let pointer =
        Pointer { space, align: number_behind(behind, ".align"), pointee: &Type::Unknown };
    let variable = Variable { align: None, ..variable };
    Param { variable, pointer: Some(pointer), readonly: false, elements: None }
}

fn number_behind(tokens: &[Token<'_>], word: &str) -> Option<usize> {
    let at = tokens.iter().position(|token| token.text == word)?;
    tokens.get(at + 1)?.text.parse().ok()
}

fn linkage(tokens: &[Token<'_>]) -> Linkage {
    match tokens[0].text {
        ".visible" => Linkage::Visible,
        ".weak" => Linkage::Weak,
        ".common" => Linkage::Common,
        ".extern" if tokens[1].text == ".shared" => Linkage::Dynamic,
        ".extern" => Linkage::Extern,
        _ => Linkage::Internal,
    }
}

/// A tensor map and its tile: 8 rows of 64 bytes.
static SPEC: Spec = Spec::tiled_unchecked(ElementType::F16, 2, [32, 8, 1, 1, 1]);

const fn structure(kind: StructKind<'static>, size: usize, align: usize) -> Type<'static> {
    Type::Struct(Struct { name: "Struct", size, align, fields: &[], kind })
}

const OF_MAP: Type<'static> = structure(StructKind::TensorMap(&SPEC), 128, 64);
const OF_TILE: Type<'static> =
    structure(StructKind::Tile(&SPEC), SPEC.tile_bytes(), SPEC.tile_alignment());

/// Returns the variables of a declaration.
fn declared(tokens: &[Token<'static>]) -> Vec<Variable<'static>> {
    let words = tokens.iter().filter_map(|token| token.text.strip_prefix('.'));
    let space = words.clone().find_map(Space::from_name).expect("a state space");
    let lanes = words.clone().find_map(|word| word.strip_prefix('v')?.parse().ok());
    let scalar = words.clone().find_map(ScalarType::from_name);
    let opaque = words.clone().find_map(|word| {
        Opaque::ALL.iter().find(|opaque| opaque.declared().trim_start_matches('.') == word)
    });
    let base = match (scalar, lanes, opaque) {
        // Only Rust can declare this.
        _ if words.clone().any(|word| word == "tensormap") => OF_MAP,
        _ if words.clone().any(|word| word == "tile") => OF_TILE,
        (Some(scalar), Some(lanes), _) => Type::Vector(lanes, scalar),
        (Some(scalar), None, _) => Type::Scalar(scalar),
        (None, _, Some(opaque)) => Type::Opaque(*opaque),
        (None, ..) => panic!("no type in {tokens:?}"),
    };
    let is_name = |token: &Token<'_>| {
        token.text.starts_with(|c: char| c.is_ascii_alphabetic() || "%_$".contains(c))
    };
    let first = tokens.iter().position(is_name).expect("a name");
    let align = number_behind(&tokens[..first], ".align");
    let mut all = Vec::new();
    for declarator in tokens[first..].split_outside_braces() {
        let initial = declarator.iter().position(|token| token.text == "=");
        let (of_name, initial) = declarator.split_at(initial.unwrap_or(declarator.len()));
        let mut ty: &'static Type<'static> = kept(base);
        let extents: Vec<(&str, Extent)> = of_name[1..]
            .iter()
            .zip(of_name.iter().skip(2))
            .filter(|(open, _)| matches!(open.text, "[" | "<"))
            .map(|(open, extent)| {
                let count = extent.text.parse().ok();
                (open.text, count.map_or(Extent::Incomplete, Extent::Known))
            })
            .collect();
        for (open, extent) in extents.into_iter().rev() {
            ty = kept(if open == "<" { Type::Family(extent, ty) } else { Type::Array(extent, ty) });
        }
        let init = match initial {
            [] => Init::None,
            [_, value @ ..] => Init::Value(value_of(value)),
        };
        let linkage = linkage(tokens);
        all.push(Variable { align, linkage, init, ..Variable::new(space, of_name[0].text, ty) });
    }
    all
}

fn value_of(tokens: &[Token<'static>]) -> Value<'static> {
    match tokens {
        [open, inside @ .., _] if open.text == "{" => {
            let values = inside.split(|token| token.text == ",").map(value_of).collect();
            Value::List(kept_all(values))
        }
        [one] => match one.text.parse() {
            Ok(number) => Value::Int(number),
            Err(_) => Value::Address(Address { symbol: one.text, generic: false, addend: 0 }),
        },
        other => panic!("the value {other:?}"),
    }
}

/// Ways to split tokens.
trait Parts<'t> {
    /// Splits before each token that satisfies the predicate.
    fn split_inclusive_before(&self, starts: impl Fn(&Token<'t>) -> bool) -> Vec<Vec<Token<'t>>>;

    /// Splits at commas outside braces.
    fn split_outside_braces(&self) -> Vec<Vec<Token<'t>>>;
}

impl<'t> Parts<'t> for [Token<'t>] {
    fn split_inclusive_before(&self, starts: impl Fn(&Token<'t>) -> bool) -> Vec<Vec<Token<'t>>> {
        let mut parts: Vec<Vec<Token<'t>>> = Vec::new();
        for token in self {
            match parts.last_mut() {
                Some(part) if !starts(token) => part.push(*token),
                _ => parts.push(vec![*token]),
            }
        }
        parts
    }

    fn split_outside_braces(&self) -> Vec<Vec<Token<'t>>> {
        let (mut parts, mut depth) = (vec![Vec::new()], 0);
        for token in self {
            match token.text {
                "," if depth == 0 => {
                    parts.push(Vec::new());
                    continue;
                }
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            parts.last_mut().expect("there is one").push(*token);
        }
        parts
    }
}
