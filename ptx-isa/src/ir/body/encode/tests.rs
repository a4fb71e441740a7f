//! What an encoder writes, keeps and removes.

use alloc::format;
use alloc::vec::Vec;

use super::super::tests::{encode, lex, written};
use super::super::{Body, Piece};
use super::*;
use crate::constant::Number;
use crate::instruction::INSTRUCTIONS;

/// The opcode of the row that a body with this one instruction stores.
fn row(text: &str) -> Option<&'static str> {
    let (text, table) = written(StatementKind::Instruction, text);
    row_of(&text, &table, 0)
}

fn row_of(text: &str, table: &[u8], n: usize) -> Option<&'static str> {
    let statement = Body::new(text, table, &[]).statements().nth(n).expect("a statement");
    statement.instruction(&[]).expect("an instruction").row.map(|row| row.opcode)
}

#[test]
fn every_instruction_has_the_row_of_its_own_spelling() {
    let texts = [
        "add.u32 %a, %b, %c",
        "add.f32 %a, %b, %c",
        "@%p add.u32 %a, %b, %c",
        "ld.global.u32 %a, [%b]",
        "ld.global.nc.u32 %a, [%b]",
        "ld.shared::cta.u32 %a, [%b]",
        "nothing.u32 %a",
        "add.nothing %a, %b, %c",
        "ret",
        "bar.sync 0",
        "mov.u32 %a, %tid.x",
        "st.global.u32 [%b].x, %a",
    ];
    assert_eq!(row("ld.global.u32 %a, [%b]"), Some("ld"));
    assert_eq!(row("@%p ld.global.nc.u32 %a, [%b]"), Some("ld.global.nc"));
    assert_eq!(row("st.async.u32 [%b].nc, %a"), Some("st.async"));
    assert_eq!(row("st .async.u32 [%b], %a"), Some("st.async"));
    assert_eq!(row("st.bulk [%b].weak, %a"), Some("st.bulk"));
    assert_eq!(row("st %a.bulk"), Some("st"));
    assert_eq!(row("nothing.u32 %a"), None);
    // Words after an operand are not part of the instruction's spelling.
    assert_eq!(row("ld.global [%b].nc"), Some("ld"));
    // The row of one instruction is not reused for the next, in either order.
    let mut encoder = Encoder::default();
    let twice: Vec<_> = texts.iter().chain(texts.iter().rev()).collect();
    for text in &twice {
        encode(&mut encoder, text);
        encoder.end(StatementKind::Instruction, []);
    }
    let (text, table) = encoder.finish();
    for (n, one) in twice.iter().enumerate() {
        assert_eq!(row_of(&text, &table, n), row(one), "{one}");
    }
}

/// More spellings than any real body has.
#[test]
fn many_instructions_keep_their_own_rows() {
    let types = ["u8", "u16", "u32", "u64", "f16", "f32", "f64", "b128"];
    let texts: Vec<String> = INSTRUCTIONS
        .iter()
        .flat_map(|row| types.iter().map(move |ty| format!("{}.{ty} %a", row.opcode)))
        .collect();
    let mut encoder = Encoder::default();
    for text in &texts {
        encode(&mut encoder, text);
        encoder.end(StatementKind::Instruction, []);
    }
    let (text, table) = encoder.finish();
    let statements: Vec<_> = Body::new(&text, &table, &[]).statements().collect();
    for (statement, one) in statements.iter().zip(&texts) {
        let found = statement.instruction(&[]).expect("an instruction").row;
        assert_eq!(found.map(|row| row.opcode), row(one), "{one}");
    }
}

#[test]
fn a_constant_is_counted_wherever_it_is() {
    let mut encoder = Encoder::default();
    for _ in 0..3 {
        encoder.token(TokenKind::Constant, "");
        let mark = encoder.mark();
        encoder.token(TokenKind::Constant, "");
        encoder.take_back(mark);
        encoder.end(StatementKind::Verbatim, []);
    }
    let (text, table) = encoder.finish();
    let body = Body::new(&text, &table, &[]);
    let numbers = body.statements().flat_map(|one| one.tokens()).map(|token| token.constant);
    assert!(numbers.eq([0, 1, 2]));
}

#[test]
fn nothing_is_left_of_removed_text() {
    let mut plain = Encoder::default();
    encode(&mut plain, "ld.global.u32 %a, [%b]");
    plain.end(StatementKind::Instruction, ["A001"]);
    let expected = plain.finish();
    let end = |mut encoder: Encoder| {
        encoder.end(StatementKind::Instruction, ["A001"]);
        encoder.finish()
    };
    // Part of a statement is removed, from each of its tokens on, and then the rest is written
    // again.
    let all = lex("ld.global.u32 %a, [%b]");
    for kept in 0..=all.len() {
        let mut encoder = Encoder::default();
        let mut mark = encoder.mark();
        for (i, (spaces, kind, text)) in all.iter().enumerate() {
            if i == kept {
                mark = encoder.mark();
            }
            encoder.space(*spaces);
            encoder.token(*kind, text);
        }
        if kept == all.len() {
            mark = encoder.mark();
            encode(&mut encoder, ".volatile #");
        }
        encoder.space(3);
        encoder.take_back(mark);
        for (i, (spaces, kind, text)) in all.iter().enumerate().skip(kept) {
            // A modifier that is written again belongs to the instruction only if it is written
            // right after the opcode.
            if i == kept && *kind == TokenKind::Modifier {
                encoder.take_back_all();
                encode(&mut encoder, "ld.global.u32 %a, [%b]");
                break;
            }
            encoder.space(*spaces);
            encoder.token(*kind, text);
        }
        assert_eq!(end(encoder), expected, "{kept}");
    }
    // All of a statement is removed, and everything since an earlier one.
    let mut encoder = Encoder::default();
    encode(&mut encoder, "nothing #");
    encoder.take_back_all();
    encode(&mut encoder, "ld.global.u32 %a, [%b]");
    assert_eq!(end(encoder), expected);
    let mut encoder = Encoder::default();
    let start = encoder.ended();
    encode(&mut encoder, "nothing #");
    encoder.end(StatementKind::Instruction, []);
    encode(&mut encoder, "add.u32");
    encoder.return_to(start);
    encode(&mut encoder, "ld.global.u32 %a, [%b]");
    assert_eq!(end(encoder), expected);
    // After `take`, the encoder writes a new body.
    let mut encoder = Encoder::default();
    encode(&mut encoder, "ret");
    encoder.end(StatementKind::Instruction, []);
    encode(&mut encoder, "unfinished #");
    let (text, _) = encoder.take();
    assert_eq!(text, "ret;");
    encode(&mut encoder, "ld.global.u32 %a, [%b]");
    assert_eq!(end(encoder), expected);
}

#[test]
fn spaces_are_counted_up_to_fifteen() {
    for (spaces, kept) in [(0, 0), (1, 1), (13, 13), (14, 14), (15, 15), (16, 15), (255, 15)] {
        let mut encoder = Encoder::default();
        encoder.token(TokenKind::Word, "a");
        encoder.space(spaces);
        encoder.token(TokenKind::Name, "b");
        encoder.end(StatementKind::Instruction, []);
        let (text, table) = encoder.finish();
        assert_eq!(text, format!("a{}b;", " ".repeat(kept)));
        let statement = Body::new(&text, &table, &[]).statements().next().expect("a statement");
        let found: Vec<_> = statement.tokens().map(|token| (token.text, token.spaces)).collect();
        assert_eq!(found, [("a", 0), ("b", u8::try_from(kept).expect("few"))]);
    }
}

#[test]
fn every_kind_of_statement_is_read_with_its_allowances() {
    let kinds = [
        StatementKind::Declaration,
        StatementKind::Instruction,
        StatementKind::Directive,
        StatementKind::Label,
        StatementKind::Open,
        StatementKind::Close,
        StatementKind::Verbatim,
    ];
    let mut encoder = Encoder::default();
    for allowed in [&[][..], &["A001"], &["A001", "B22"]] {
        for kind in kinds {
            encoder.token(TokenKind::Name, "x");
            encoder.token(TokenKind::Constant, "");
            encoder.end(kind, allowed.iter().copied());
        }
    }
    let (text, table) = encoder.finish();
    let constants: Vec<Number> =
        (0..21).map(|magnitude| Number::Int { negative: false, magnitude }).collect();
    let body = Body::new(&text, &table, &constants);
    let mut count = 0;
    for (n, statement) in body.statements().enumerate() {
        let allowed = [&[][..], &["A001"], &["A001", "B22"]][n / 7];
        assert_eq!(
            (statement.kind(), statement.allowed().collect::<Vec<_>>()),
            (kinds[n % 7], allowed.to_vec())
        );
        let pieces: Vec<_> = statement.pieces().collect();
        assert_eq!(pieces[..2], [Piece::Text("x"), Piece::Number(constants[n])]);
        let constant = statement.tokens().map(|token| token.constant).max();
        assert_eq!(constant, Some(n));
        count += 1;
    }
    assert_eq!(count, 21);
    // A constant without a value is zero.
    let unknown = Body::new(&text, &table, &[]).statements().next().expect("a statement");
    let zero = Number::Int { negative: false, magnitude: 0 };
    assert_eq!(unknown.pieces().nth(1), Some(Piece::Number(zero)));
}
