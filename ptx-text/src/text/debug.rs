//! Debug information: the origin of a text (PTX ISA 11.5).

use ptx_isa::ir::body::integer;
use std::collections::HashSet;

use ptx_isa::{Space, Version};

use super::boundary::Defect;
use super::directive::is_directive_of_function;
use super::faults::{SyntaxErrors, shortened};
use super::header::{DIRECTIVES, Header};
use super::lexer::{Lexer, Piece, PieceKind};
use super::number::is_number;
use super::reader::{Lexed, Reader};
use crate::body::{DIRECTIVES_OF_BODIES, is_type, wrapped};

/// The version in which ptxas takes the places of inlined functions, and labels in sections.
const SINCE: Version = Version::new(7, 0);

/// The version in which it takes the difference of two labels in a section.
const DIFFERENCE_SINCE: Version = Version::new(7, 5);

/// Parses `.file 1 "blur.cu", 1700000000, 1234` (PTX ISA 11.5.4). Returns its number.
pub(super) fn read_file(reader: &mut Reader<'_>, errors: &mut SyntaxErrors) -> Option<i128> {
    let directive = reader.token()?;
    let number = reader.peek().and_then(|next| integer(reader.text(next.piece.at)));
    let mut is_read = reader.numbers(1) && reader.string();
    while is_read && reader.next_is(",") {
        reader.token();
        is_read = reader.numbers(1);
    }
    let is_open = reader.peek().is_some_and(|next| next.piece.kind == PieceKind::OpenText);
    if !is_read && !is_open {
        errors.at(
            directive.piece.at,
            "`.file` takes a number and a name, as in `.file 1 \"blur.cu\"` (PTX ISA 11.5.4)",
        );
    }
    number.filter(|_| is_read)
}

/// Parses `.section .debug_info { .b8 1, 2 .. }` (PTX ISA 11.5.3): debug data, which has no semicolons.
/// Its labels join those of the sections before it.
pub(super) fn read_section<'t>(
    reader: &mut Reader<'t>,
    labels: &mut HashSet<&'t str>,
    header: &Header,
    errors: &mut SyntaxErrors,
) {
    let Some(directive) = reader.token() else { return };
    let name = reader.peek().filter(|next| next.piece.kind == PieceKind::Dotted);
    if let Some(name) = name {
        let word = reader.text(name.piece.at);
        if is_word_of_ptx(&word[1..]) {
            errors.at(name.piece.at, format_args!("`{word}` has a meaning of its own, and names no section; write another name, as in `.section .debug_str`"));
        }
        reader.token();
    }
    let is_named = name.is_some();
    if !is_named || !reader.next_is("{") {
        errors.at(
            directive.piece.at,
            "expected a name that starts with a dot and data in braces, as in `.section .debug_str { .b8 0 }` (PTX ISA 11.5.3)",
        );
        return;
    }
    reader.token();
    let (mut data, mut is_wrong, mut bits) = (Data::Item, false, 64);
    loop {
        let Some(Lexed { piece, .. }) = reader.token() else {
            errors.at(directive.piece.at, "nothing closes this section; write `}` after it");
            return;
        };
        let text = reader.text(piece.at);
        if matches!(piece.kind, PieceKind::Close(_)) && text == "}" {
            if !is_wrong && !data.is_whole() {
                errors.at(piece.at, "the data before this `}` has no end; write the number or the label that is missing");
            }
            return;
        }
        match data.then(piece.kind, text) {
            Some(next) => {
                if !is_wrong {
                    check_datum(&piece, text, (data, next, bits), errors);
                }
                if next == Data::Label && labels.is_empty() {
                    header.needs(text, SINCE, piece.at, errors);
                }
                if next == Data::Minus {
                    header.needs("-", DIFFERENCE_SINCE, piece.at, errors);
                }
                if next == Data::Label && !labels.insert(text) {
                    let text = shortened(text);
                    errors.at(
                        piece.at,
                        format_args!(
                            "another label of the sections is called `{text}`; write another name"
                        ),
                    );
                }
                if next == Data::Type {
                    bits = text[2..].parse().unwrap_or(64);
                }
                data = next;
            }
            None if is_wrong => {}
            None => {
                is_wrong = true;
                let text = shortened(text);
                errors.at(piece.at, format_args!("`{text}` has no meaning here in debug data, which is labels, and `.b8`, `.b16`, `.b32` or `.b64` with numbers or with the address of a label after them (PTX ISA 11.5.3)"));
            }
        }
    }
}

/// Checks a number or an address in data of this size, which leads from one state to the next.
fn check_datum(
    piece: &Piece,
    text: &str,
    (data, next, bits): (Data, Data, u32),
    errors: &mut SyntaxErrors,
) {
    if matches!(next, Data::Address(_)) && bits < 32 {
        errors.at(piece.at, format_args!("an address does not fit in {bits} bits; write it after `.b32` or `.b64` (PTX ISA 11.5.3)"));
    }
    if piece.kind != PieceKind::Number {
        return;
    }
    match wrapped(text) {
        _ if !is_number(text) => errors.defect(Defect::Number(piece.at), text),
        None => {
            let text = shortened(text);
            errors.at(
                piece.at,
                format_args!(
                    "`{text}` does not fit in 64 bits; write the intended number (PTX ISA 4.5.1)"
                ),
            );
        }
        Some(0) if data == Data::Sign && bits < 64 => {
            errors.at(piece.at, "there is no negative zero; write 0");
        }
        Some(number) if next == Data::Number && !fits(number, data == Data::Sign, bits) => {
            errors.at(
                piece.at,
                format_args!(
                    "this number does not fit in {bits} bits; write a smaller one, or a wider type"
                ),
            );
        }
        Some(_) => {}
    }
}

/// Whether ptxas takes this number, with a minus sign or without, for data of this size: it drops the upper 32 bits of
/// one without.
const fn fits(number: u64, is_negative: bool, bits: u32) -> bool {
    match (is_negative, bits) {
        (true, 64) => number < 1 << 63,
        (true, bits) => number <= 1 << (bits - 1),
        (false, bits) => bits >= 32 || number & 0xFFFF_FFFF < 1 << bits,
    }
}

/// Whether this is a type, a state space or a directive, which ptxas does not take for the name of a section.
fn is_word_of_ptx(word: &str) -> bool {
    is_type(word) && word != "tf32"
        || Space::from_name(word).is_some_and(|space| space != Space::Sreg)
        || is_directive_of_function(word)
        // `.section .version` is one.
        || DIRECTIVES.contains(&word) && word != "version"
        || DIRECTIVES_OF_BODIES.contains(&word)
        || matches!(word, "align" | "ptr" | "attribute" | "loc")
        || matches!(word, "v2" | "v4" | "s2" | "s4" | "u2" | "u4")
}

/// Checks what `.loc 1 12 3, function_name $L__info_string0, inlined_at 1 30 5` refers to (PTX ISA 11.5.2): a label
/// that the text has, and the place of an earlier `.loc`.
pub(super) fn check_inlined(text: &str, header: &Header, errors: &mut SyntaxErrors) {
    if !text.contains("function_name") {
        return;
    }
    let mut is_first = true;
    let pieces: Vec<Piece> = Lexer::new(text).filter(|piece| !piece.kind.is_trivia()).collect();
    let word = |n: usize| pieces.get(n).map_or("", |piece: &Piece| &text[piece.at.range()]);
    let labels: HashSet<&str> =
        (0..pieces.len()).filter(|n| word(n + 1) == ":").map(word).collect();
    let mut places: HashSet<[Option<i128>; 3]> = HashSet::new();
    for (n, piece) in pieces.iter().enumerate() {
        let [file, line, column] = [1, 2, 3].map(|after| integer(word(n + after)));
        // ptxas keeps the number of a file in 16 bits.
        let place = [file.map(|file| file & 0xFFFF), line, column];
        match &text[piece.at.range()] {
            ".loc" => drop(places.insert(place)),
            "function_name" if core::mem::take(&mut is_first) && header.is_older_than(SINCE) => {
                header.needs("function_name", SINCE, piece.at, errors);
            }
            "function_name" if !labels.contains(word(n + 1)) => {
                let label = shortened(word(n + 1));
                errors.at(piece.at, format_args!("no section has the label `{label}`; write it before the name of the function, in `.section .debug_str`"));
            }
            "inlined_at" if !places.contains(&place) => {
                errors.at(piece.at, "no `.loc` before this has the place that the function was inlined at; write one with these numbers");
            }
            _ => {}
        }
    }
}

/// The last thing read in the data of a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Data {
    /// Nothing yet, or a complete label or datum.
    Item,
    /// The name of a label, without its colon.
    Label,
    /// A type, which numbers or an address must follow.
    Type,
    /// A comma between numbers.
    Comma,
    /// The sign of a number.
    Sign,
    /// A number.
    Number,
    /// A label or a section used as an address, and whether it is a section.
    Address(bool),
    /// `+` after an address.
    Plus,
    /// `-` after a label.
    Minus,
}

impl Data {
    /// Whether the data may end in this state.
    const fn is_whole(self) -> bool {
        matches!(self, Self::Item | Self::Number | Self::Address(_))
    }

    /// The state after this token, or `None` if the token is not valid here.
    fn then(self, kind: PieceKind, text: &str) -> Option<Self> {
        // What is not a number is reported as one.
        let is_number = kind == PieceKind::Number
            && (text.bytes().all(|byte| byte.is_ascii_digit())
                || integer(text).is_some()
                || !is_number(text));
        match (self, kind) {
            (Self::Type | Self::Comma, _) if text == "-" => Some(Self::Sign),
            (Self::Type | Self::Comma | Self::Sign, _) if is_number => Some(Self::Number),
            (_, PieceKind::Word) if matches!(text, "_" | "WARP_SZ") => None,
            (Self::Type, PieceKind::Word) => Some(Self::Address(false)),
            (Self::Type, PieceKind::Dotted) => {
                (!is_word_of_ptx(&text[1..])).then_some(Self::Address(true))
            }
            (Self::Number, _) if text == "," => Some(Self::Comma),
            (Self::Address(_), _) if text == "+" => Some(Self::Plus),
            (Self::Address(false), _) if text == "-" => Some(Self::Minus),
            (Self::Plus, _) if is_number => Some(Self::Item),
            (Self::Minus, PieceKind::Word) => Some(Self::Item),
            (Self::Label, _) if text == ":" => Some(Self::Item),
            (whole, PieceKind::Word) if whole.is_whole() => Some(Self::Label),
            (whole, PieceKind::Dotted) if whole.is_whole() => {
                matches!(text, ".b8" | ".b16" | ".b32" | ".b64").then_some(Self::Type)
            }
            (_, _) => None,
        }
    }
}
