//! Bodies as data: an encoded body is decoded to the same, and no table makes a reader panic.

use proptest::prelude::*;
use ptx_types::ir::Body;
use ptx_types::ir::body::{
    Amount, Encoder, Immediate, OperandKind, Piece, StatementKind, Token, TokenKind,
};
use ptx_types::{Number, splice};

/// `@!%p1 ld.shared::cta.v2.f32 {%f1, _}, [ROW+#(2)];`
fn load() -> (String, Vec<u8>) {
    let mut encoder = Encoder::default();
    for (spaces, kind, text) in [
        (0, TokenKind::Sign, "@"),
        (0, TokenKind::Sign, "!"),
        (0, TokenKind::Name, "%p1"),
        (1, TokenKind::Word, "ld"),
        (0, TokenKind::Modifier, ".shared"),
        (0, TokenKind::Submodifier, "::cta"),
        (0, TokenKind::Modifier, ".v2"),
        (0, TokenKind::Modifier, ".f32"),
        (1, TokenKind::Open, "{"),
        (0, TokenKind::Name, "%f1"),
        (0, TokenKind::Comma, ","),
        (1, TokenKind::Name, "_"),
        (0, TokenKind::Close, "}"),
        (0, TokenKind::Comma, ","),
        (1, TokenKind::Open, "["),
        (0, TokenKind::Name, "ROW"),
        (0, TokenKind::Sign, "+"),
        (0, TokenKind::Constant, ""),
        (0, TokenKind::Close, "]"),
    ] {
        encoder.space(spaces);
        encoder.token(kind, text);
    }
    encoder.end(StatementKind::Instruction, ["A021", "A020"]);
    encoder.token(TokenKind::Name, "DONE");
    encoder.end(StatementKind::Label, []);
    encoder.finish()
}

#[test]
fn an_instruction_round_trips() {
    let (text, table) = load();
    let constants = [splice(8_u32)];
    let body = Body::new(&text, &table, &constants);
    let [load, label] = body.statements().collect::<Vec<_>>().try_into().expect("two statements");
    let written: String = load
        .pieces()
        .map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Number(Number::Int { magnitude, .. }) => magnitude.to_string(),
            Piece::Number(other) => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(written, "@!%p1 ld.shared::cta.v2.f32 {%f1, _}, [ROW+8];");
    assert_eq!(load.allowed().collect::<Vec<_>>(), ["A021", "A020"]);
    let instruction = load.instruction(&[Some(8)]).expect("it is one");
    assert_eq!(instruction.row.map(|row| row.opcode), Some("ld"));
    let guard = instruction.guard.expect("it has one");
    assert_eq!((guard.name.text, guard.is_negated), ("%p1", true));
    let pairs = [(".", "shared"), ("::", "cta"), (".", "v2"), (".", "f32")];
    assert_eq!(instruction.pairs(), pairs);
    let [to, from] = instruction.operands.as_slice() else { panic!("two operands") };
    assert!(matches!(&to.kind, OperandKind::Vector(all) if all.len() == 2));
    let OperandKind::Address(inner) = &from.kind else { panic!("an address") };
    let [row] = inner.as_slice() else { panic!("one part") };
    assert!(matches!(row.kind, OperandKind::Offset(name, Amount::Known(8), Some(at))
        if name.text == "ROW" && at.first == 17));
    // Without its number it is still a constant.
    let instruction = load.instruction(&[]).expect("it is one");
    let OperandKind::Address(inner) = &instruction.operands[1].kind else { panic!("an address") };
    assert!(matches!(inner[0].kind, OperandKind::Offset(_, Amount::Constant(0), _)));
    assert_eq!((label.kind(), label.text()), (StatementKind::Label, "DONE"));
}

#[test]
fn only_names_are_replaced() {
    let (text, table) = load();
    let body = Body::new(&text, &table, &[]);
    let (text, table) = body.renamed(|n, token| (n == 0 && token == 15).then_some("row_of_module"));
    let renamed = Body::new(&text, &table, &[]);
    let first = renamed.statements().next().expect("it is there");
    assert!(first.text().contains("[row_of_module+"), "{}", first.text());
    let kinds = |body: Body<'_>| -> Vec<TokenKind> {
        body.statements().flat_map(|statement| statement.tokens()).map(|token| token.kind).collect()
    };
    assert_eq!(kinds(body), kinds(renamed));
    let verbatim = Body::verbatim(".reg .b32 %r;\nret;");
    let (text, table) = verbatim.renamed(|_, _| None);
    assert_eq!(Body::new(&text, &table, &[]), verbatim);
}

#[test]
fn verbatim_text_is_read_line_by_line() {
    let body = Body::verbatim("\n    .reg .b32 %r<4>;\n    {\n\n    mov.b32 %r0, 1;\n    }\n");
    let found: Vec<_> =
        body.statements().map(|statement| (statement.kind(), statement.text())).collect();
    let expected = [
        (StatementKind::Declaration, ".reg .b32 %r<4>;"),
        (StatementKind::Open, "{"),
        (StatementKind::Verbatim, "mov.b32 %r0, 1;"),
        (StatementKind::Close, "}"),
    ];
    assert_eq!(found, expected);
}

/// The least number has no negation.
#[test]
fn a_number_that_does_not_fit_is_unknown() {
    let mut encoder = Encoder::default();
    for (kind, text) in [
        (TokenKind::Word, "mov"),
        (TokenKind::Name, "%r"),
        (TokenKind::Comma, ","),
        (TokenKind::Sign, "-"),
        (TokenKind::Constant, ""),
    ] {
        encoder.token(kind, text);
    }
    encoder.end(StatementKind::Instruction, []);
    let (text, table) = encoder.finish();
    let statement = Body::new(&text, &table, &[]).statements().next().expect("it is there");
    let instruction = statement.instruction(&[Some(i128::MIN)]).expect("it is one");
    assert!(matches!(
        instruction.operands[1].kind,
        OperandKind::Immediate(Immediate::Constant(0, Amount::Unknown))
    ));
}

proptest! {
    /// Reading terminates without a panic, whatever the table contains.
    #[test]
    fn no_table_makes_a_reader_panic(
        text in "[ -~\u{1A}äö]{0,60}",
        table in prop::collection::vec(any::<u8>(), 0..80),
        value in prop::option::of(any::<i128>()),
    ) {
        let body = Body::new(&text, &table, &[]);
        for statement in body.statements() {
            let tokens: Vec<Token<'_>> = statement.tokens().collect();
            prop_assert!(tokens.len() <= table.len());
            let _ = statement.instruction(&[value, None, value]);
            let _ = statement.declarators();
            let _ = statement.pieces().count();
            let _ = statement.allowed().count();
            let _ = statement.names().count();
        }
        let _ = body.renamed(|_, _| Some("x"));
    }
}
