//! Bodies, which are unchanged except for names and comments.

use std::fmt::Write as _;

use super::names::Names;
use super::source::{Lexer, PieceKind};

/// Writes a body line by line, without its comments and `.loc`.
pub(super) fn write_body(body: &str, names: &Names<'_>, out: &mut String) {
    let (mut kept, mut is_location) = (String::with_capacity(body.len()), false);
    for piece in Lexer::new(body) {
        let text = &body[piece.at.range()];
        is_location = text == ".loc" || (is_location && !text.contains('\n'));
        match piece.kind {
            PieceKind::Space => kept.push_str(text),
            kind if kind.is_trivia() => {
                kept.push(' ');
                kept.extend(text.chars().filter(|c| *c == '\n'));
            }
            _ if is_location => {}
            PieceKind::Word => kept.push_str(names.of_word(text)),
            _ => kept.push_str(text),
        }
    }
    for line in kept.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "            {}", line.replace('\t', " "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_locations_go() {
        let mut names = Names::default();
        names.of_param("x$");
        let mut out = String::new();
        let body = "// a\n\tld.u32\t%r1, [x$]; // b\n.loc 1 2 3\n/* c;\n*/ .pragma \"// x$\";\nmov.u32 %r1, %tid.x;";
        write_body(body, &names, &mut out);
        let lines: Vec<&str> = out.lines().map(str::trim).collect();
        let kept = ["ld.u32 %r1, [x_S_];", ".pragma \"// x$\";", "mov.u32 %r1, %tid.x;"];
        assert_eq!(lines, kept);
    }
}
