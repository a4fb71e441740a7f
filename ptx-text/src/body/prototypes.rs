//! The prototypes of a body, in the IR (PTX ISA 11.2.3).

use bumpalo::Bump;
use ptx_isa::ir::body::{Body, Statement, StatementKind, Token, TokenKind, integer};
use ptx_isa::ir::{Extent as Count, Function, FunctionKind, Param, Type, Variable};
use ptx_isa::{ScalarType, Space};

/// The prototypes that a body declares, in order. A part that has no meaning is unknown, and was reported.
pub fn prototypes<'a>(body: Body<'a>, arena: &'a Bump) -> &'a [Function<'a>] {
    let (mut found, mut label) = (Vec::new(), "");
    for statement in body.statements() {
        match statement.kind() {
            StatementKind::Label => label = statement.text(),
            StatementKind::Directive => found.extend(prototype(&statement, label, arena)),
            StatementKind::Open
            | StatementKind::Close
            | StatementKind::Declaration
            | StatementKind::Instruction
            | StatementKind::Verbatim => {}
        }
    }
    arena.alloc_slice_copy(&found)
}

fn prototype<'a>(
    statement: &Statement<'a>,
    label: &'a str,
    arena: &'a Bump,
) -> Option<Function<'a>> {
    let tokens: Vec<Token<'a>> = statement.tokens().collect();
    let (directive, rest) = tokens.split_first()?;
    if directive.text != ".callprototype" {
        return None;
    }
    let (returns, rest) = params(rest, label, arena);
    // The name, `_`.
    let (params, _) = params(rest.split_first().map_or(&[], |(_, rest)| rest), label, arena);
    Some(Function { returns, params, ..Function::new(FunctionKind::Device, label) })
}

/// Reads parameters in parentheses, and returns the tokens that follow.
fn params<'s, 'a>(
    tokens: &'s [Token<'a>],
    label: &'a str,
    arena: &'a Bump,
) -> (&'a [Param<'a>], &'s [Token<'a>]) {
    let mut depth = 0_usize;
    let mut is_end = |token: &Token<'_>| {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    let Some(end) = tokens.iter().position(&mut is_end) else { return (&[], tokens) };
    if !tokens[0].opens("(") {
        return (&[], tokens);
    }
    let each = tokens[1..end].split(|token| token.kind == TokenKind::Comma);
    let each: Vec<&[Token<'a>]> = each.filter(|each| !each.is_empty()).collect();
    let params = each.into_iter().map(|each| param(each, label, arena));
    (arena.alloc_slice_fill_iter(params), &tokens[end + 1..])
}

/// Reads `.param .align 8 .b8 _[16]`, which has the name of the prototype if it has none.
fn param<'a>(tokens: &[Token<'a>], label: &'a str, arena: &'a Bump) -> Param<'a> {
    let (mut space, mut align, mut lanes) = (Space::Param, None, 1);
    let mut ty: &'a Type<'a> = &Type::Unknown;
    let (mut name, mut rest) = (label, tokens);
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let number = after.first().and_then(|token| integer(token.text));
        let number = number.and_then(|number| usize::try_from(number).ok());
        match first.text {
            ".reg" => space = Space::Reg,
            // Behind the type, ptxas ignores it.
            ".align" if matches!(ty, Type::Unknown) => align = number,
            ".v2" => lanes = 2,
            ".v4" => lanes = 4,
            "[" => {
                let count = match (number, after.first()) {
                    (Some(count @ 1..), _) => Count::Known(count),
                    (_, Some(token)) if token.text == "WARP_SZ" => Count::Known(32),
                    (Some(0), _) => Count::Incomplete,
                    (None, Some(token)) if token.text == "]" => Count::Incomplete,
                    (None, _) => Count::Unknown,
                };
                ty = arena.alloc(Type::Array(count, ty));
            }
            word if first.kind == TokenKind::Modifier => {
                let scalar = ScalarType::from_name(&word[1..]).filter(|it| it.is_fundamental());
                ty = match (scalar, lanes) {
                    (Some(scalar), 1) => Type::of_scalar(scalar),
                    (Some(scalar), lanes) => arena.alloc(Type::Vector(lanes, scalar)),
                    (None, _) => ty,
                };
            }
            word if matches!(first.kind, TokenKind::Word | TokenKind::Name) && word != "_" => {
                name = word;
            }
            _ => {}
        }
    }
    let mut variable = Variable::new(space, name, ty);
    // What the type asks for is unknown with it.
    variable.align = align.filter(|_| !matches!(ty, Type::Unknown));
    Param { variable, ..Param::new(name, ty) }
}
