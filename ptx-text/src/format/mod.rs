//! One style for PTX: of whole texts, and of the bodies in Rust files.
//!
//! Each statement is on a line of its own and indented by four columns for each scope, with one blank after its guard,
//! its opcode and each comma: a column of operands would move with every longer opcode, and a change of one line would change
//! others. Labels stand out by one level. A line of more than 100 columns is broken after a comma. Comments stay where they are.
//!
//! Only white space changes: what ptxas makes of the text, and every token of it, is the same.

mod layout;
mod out;
mod rust;
mod spacing;
mod statement;
mod token;

pub use rust::{RustPiece, RustPieceKind, Unreadable, bodies, draft_bodies, pieces};

use crate::text::{Diagnostic, Parsed};
use layout::Layout;
use spacing::Language;

/// Formats PTX text. Line breaks become those of Unix.
///
/// # Errors
/// The errors of syntax: what is not PTX is not formatted.
///
/// ```
/// let text = ".version 8.0 .target sm_80 .address_size 64
/// .visible .entry k(){.reg .b32 %r<2>;
///   add.u32 %r0,%r1,%r1 ; ret; // done
/// }";
/// let formatted = ptx_text::format::text(text).unwrap();
/// assert_eq!(
///     formatted,
///     "\
/// .version 8.0
/// .target sm_80
/// .address_size 64
/// .visible .entry k()
/// {
///     .reg .b32 %r<2>;
///     add.u32 %r0, %r1, %r1;
///     ret;  // done
/// }
/// "
/// );
/// ```
pub fn text(text: &str) -> Result<String, Vec<Diagnostic>> {
    parsed(&Parsed::new(text)).map_err(<[_]>::to_vec)
}

/// Formats a text that was parsed.
///
/// # Errors
/// The errors of its syntax.
pub fn parsed(parsed: &Parsed) -> Result<String, &[Diagnostic]> {
    match parsed.syntax() {
        [] => {
            let text = parsed.text();
            Ok(Layout::new(text, token::of_ptx(text), Language::Ptx, 0).finish())
        }
        errors => Err(errors),
    }
}

/// Formats the bodies of a Rust file; all else stays as it is, byte for byte.
///
/// # Errors
/// A string or a comment has no end, or the braces of a body do not match.
///
/// ```
/// let source = "fn f() {\n    ptx! {\n  add.u32   %r0,%r1,#(N+1);\n    }\n}\n";
/// let formatted = ptx_text::format::rust(source).unwrap();
/// assert_eq!(formatted, "fn f() {\n    ptx! {\n        add.u32 %r0, %r1, #(N+1);\n    }\n}\n");
/// ```
pub fn rust(source: &str) -> Result<String, Unreadable> {
    let (mut formatted, mut end) = (String::with_capacity(source.len()), 0);
    for at in bodies(source)? {
        formatted.push_str(&source[end..at.start]);
        let start = source[..at.start].rfind('\n').map_or(0, |line| line + 1);
        let line = &source[start..at.start];
        let indentation = line.len() - line.trim_start().len();
        formatted.push_str(&body(&source[at.clone()], indentation, line.len()));
        end = at.end;
    }
    formatted.push_str(&source[end..]);
    Ok(formatted)
}

/// Formats one of the [`bodies`] of a Rust file, with its braces: its line is indented by `indentation` columns, and the
/// body starts at `column`. One that is on a single line stays there if it fits. One with repetitions of
/// `macro_rules!`, `$( .. )*`, stays as it is.
pub fn body(body: &str, indentation: usize, column: usize) -> String {
    let tokens = rust::Tokens::of_body(body);
    let is_left = |token: token::Token| match token.kind {
        token::Kind::Unclosed => true,
        token::Kind::Sign => &body[token.at] == "$",
        _ => false,
    };
    let inner = body.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    if inner.is_none_or(|inner| inner.trim().is_empty()) || tokens.clone().any(is_left) {
        return body.to_owned();
    }
    let formatted = Layout::new(body, tokens, Language::Rust, indentation).finish();
    if !body.contains('\n') {
        let line = formatted.lines().map(str::trim_start).collect::<Vec<_>>().join(" ");
        if column + line.len() <= out::WIDTH {
            return line;
        }
    }
    if body.contains("\r\n") { formatted.replace('\n', "\r\n") } else { formatted }
}
