//! Debug data: where a text comes from (PTX ISA 11.5).

use super::faults::{Complaints, shortened};
use super::lexer::PieceKind;
use super::reader::{Lexed, Reader};

/// `.file 1 "blur.cu", 1700000000, 1234` (PTX ISA 11.5.4).
pub(super) fn read_file(reader: &mut Reader<'_>, complaints: &mut Complaints) {
    let Some(directive) = reader.token() else { return };
    let mut is_read = reader.numbers(1) && reader.string();
    while is_read && reader.next_is(",") {
        reader.token();
        is_read = reader.numbers(1);
    }
    if !is_read {
        complaints.at(
            directive.piece.at,
            "`.file` takes a number and a name, as in `.file 1 \"blur.cu\"` (PTX ISA 11.5.4)",
        );
    }
}

/// `.section .debug_info { .b8 1, 2 .. }` (PTX ISA 11.5.3): debug data, which has no semicolons.
pub(super) fn read_section(reader: &mut Reader<'_>, complaints: &mut Complaints) {
    let Some(directive) = reader.token() else { return };
    let is_named = reader
        .peek()
        .is_some_and(|next| matches!(next.piece.kind, PieceKind::Dotted | PieceKind::Word));
    if is_named {
        reader.token();
    }
    if !is_named || !reader.next_is("{") {
        complaints.at(
            directive.piece.at,
            "a name and its data in braces have to follow, as in `.section .debug_str { .b8 0 }` (PTX ISA 11.5.3)",
        );
        return;
    }
    reader.token();
    let mut is_wrong = false;
    loop {
        let Some(Lexed { piece, .. }) = reader.token() else {
            complaints.at(directive.piece.at, "nothing closes this section; write `}` behind it");
            return;
        };
        let text = reader.text(piece.at);
        let is_data = match piece.kind {
            // What data starts with has a dot, and so has the start of another section, which it names.
            PieceKind::Word | PieceKind::Number | PieceKind::Dotted => true,
            PieceKind::Sign => matches!(text, "," | ":" | "+" | "-"),
            PieceKind::Close(_) if text == "}" => return,
            _ => false,
        };
        if !is_data && !is_wrong {
            is_wrong = true;
            let text = shortened(text);
            complaints.at(piece.at, format_args!("`{text}` has no meaning in debug data: `.b8`, `.b32` or `.b64`, and numbers or labels behind it (PTX ISA 11.5.3)"));
        }
    }
}
