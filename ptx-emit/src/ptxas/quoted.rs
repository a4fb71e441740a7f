//! The tokens that ptxas quotes in its messages.

use ptx_isa::Number;
use ptx_isa::ir::body::{Piece, Pieces, StatementKind};
use ptx_isa::ir::{Function, Location, Mark, Module};

use crate::out::Out;
use crate::value::write_number;

/// The texts in single quotes in a message: `Unknown symbol 'x'`.
pub(super) fn quoted(message: &str) -> impl Iterator<Item = &str> {
    message.split('\'').skip(1).step_by(2).filter(|text| !text.is_empty())
}

/// The location of the statement's token that a message quotes; if it quotes none, of the first token.
pub(super) fn statement_place<'a>(
    function: &Function<'a>,
    statement: usize,
    message: &str,
) -> Option<Location<&'a str>> {
    let marks = function.places.marks().skip_while(|mark| mark.statement < statement);
    let marks: Vec<Mark<'_>> = marks.take_while(|mark| mark.statement == statement).collect();
    let first = marks.first()?.place;
    let statement = function.body?.statements().nth(statement)?;
    match statement.kind() {
        StatementKind::Label | StatementKind::Open | StatementKind::Close => return Some(first),
        StatementKind::Declaration
        | StatementKind::Instruction
        | StatementKind::Directive
        | StatementKind::Verbatim => {}
    }
    let tokens: Vec<String> =
        marks.iter().map(|mark| token(statement.pieces(), mark.offset)).collect();
    let find = |is: &dyn Fn(&str) -> bool| tokens.iter().position(|token| is(token));
    let found = quoted(message).filter_map(|quoted| {
        find(&|token| token == quoted)
            .or_else(|| find(&|token| token.trim_start_matches(['.', ':']) == quoted))
            // ptxas quotes `setmaxnreg` as `'setmaxnreg.inc'`.
            .or_else(|| find(&|token| is_start(quoted, token)))
    });
    // If both the instruction and its operand are quoted, the operand is at fault.
    Some(found.max().and_then(|index| marks.get(index)).map_or(first, |mark| mark.place))
}

/// The first statement with the instruction that a remark is about, in the function with this index, or
/// else in any function: ptxas quotes some instructions, and reports others only as `serialized`.
pub(super) fn remarked(
    module: &Module<'_>,
    function: Option<usize>,
    message: &str,
) -> Option<(usize, usize)> {
    let mut opcodes = quoted(message).chain(message.split(' ').filter(|word| word.contains('.')));
    opcodes.find_map(|opcode| {
        let functions = module.functions.iter().enumerate();
        let mut functions = functions.filter(|(n, _)| function.is_none_or(|named| named == *n));
        functions.find_map(|(n, function)| {
            let mut statements = function.body?.statements();
            let found = statements.position(|statement| {
                statement.kind() == StatementKind::Instruction
                    && statement.pieces().any(|piece| match piece {
                        Piece::Text(text) => begins(text, opcode),
                        Piece::Number(_) => false,
                    })
            });
            Some((n, found?))
        })
    })
}

/// Whether a statement's text has this opcode, after its guard if it has one.
fn begins(text: &str, opcode: &str) -> bool {
    let opcode_of = |text: &str| is_start(text, opcode) || text == opcode;
    let unguarded = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(' ').map_or("", |(_, rest)| rest),
        None => text,
    };
    unguarded.split([' ', ';']).next().is_some_and(opcode_of)
}

fn is_start(quoted: &str, token: &str) -> bool {
    let rest = quoted.strip_prefix(token).filter(|_| !token.is_empty());
    rest.is_some_and(|rest| rest.starts_with(['.', ':']))
}

/// The token that starts at an offset; a number from Rust is one byte of the offset.
fn token(pieces: Pieces<'_>, offset: usize) -> String {
    let mut start = 0;
    for piece in pieces {
        let length = match piece {
            Piece::Text(text) => text.len(),
            Piece::Number(_) => 1,
        };
        if offset < start + length {
            return match piece {
                Piece::Text(text) => word(text.get(offset - start..).unwrap_or_default()),
                Piece::Number(value) => number(value),
            };
        }
        start += length;
    }
    String::new()
}

/// A word, with its leading punctuation.
fn word(text: &str) -> String {
    let is_start = |c: char| matches!(c, '.' | ':' | '%');
    let body = text.trim_start_matches(is_start);
    let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let length = body.find(|c| !is_inside(c)).unwrap_or(body.len());
    text[..text.len() - body.len() + length].to_owned()
}

fn number(value: Number) -> String {
    let mut text = String::new();
    let mut out = Out::new(&mut text);
    // Writing to a `String` cannot fail.
    let _ = write_number(&mut out, value).and_then(|()| out.flush());
    text
}
