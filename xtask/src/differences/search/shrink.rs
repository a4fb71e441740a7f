//! Shrinks a text to the smallest one with a property.

use ptx_text::{Lexer, PieceKind};

/// The most texts that are tried.
const MOST: usize = 4_000;

/// The text without the lines and then the tokens that the property does not need.
///
/// # Errors
/// If the property cannot be tested.
pub(super) fn shrink(
    text: &str,
    mut has: impl FnMut(&str) -> Result<bool, String>,
) -> Result<String, String> {
    let mut left = MOST;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut text = without_parts(&lines, &mut left, &mut has)?;
    loop {
        let shorter = without_parts(&tokens(&text), &mut left, &mut has)?;
        if shorter.len() == text.len() || left == 0 {
            return Ok(shorter);
        }
        text = shorter;
    }
}

/// The text without its head, with `_` for names, `0` for numbers, `0.0`, `0f0` and the like by their notation, and `.u32` for types of integers: what texts have in
/// common that differ in these.
pub(super) fn form(text: &str) -> String {
    let pieces: Vec<(PieceKind, &str)> = Lexer::new(text)
        .filter(|piece| !piece.kind.is_trivia())
        .map(|piece| (piece.kind, &text[piece.at.range()]))
        .collect();
    let is_head = |(_, token): &(PieceKind, &str)| matches!(*token, ".version" | ".target");
    let start = pieces.iter().rposition(is_head).map_or(0, |at| (at + 2).min(pieces.len()));
    let mut form = Vec::new();
    for (n, (kind, token)) in pieces.iter().enumerate().skip(start) {
        // An instruction has its modifiers after it.
        let is_instruction = pieces.get(n + 1).is_some_and(|(kind, _)| *kind == PieceKind::Dotted);
        form.push(match kind {
            PieceKind::Word if !is_instruction => "_",
            PieceKind::Number => number(token),
            PieceKind::Dotted if is_integer(token) => ".u32",
            _ => token,
        });
    }
    form.join(" ")
}

/// A number of the same notation.
fn number(token: &str) -> &'static str {
    let lower = token.to_ascii_lowercase();
    match lower.get(..2) {
        Some("0f") => "0f0",
        Some("0d") => "0d0",
        Some("0x") => "0",
        _ if lower.contains(['.', 'e']) => "0.0",
        _ if lower.ends_with('u') => "0U",
        _ => "0",
    }
}

/// Whether a modifier is a type of integers or bits of a usual width.
fn is_integer(modifier: &str) -> bool {
    let width = modifier.strip_prefix('.').and_then(|name| name.strip_prefix(['u', 's', 'b']));
    width.is_some_and(|width| matches!(width, "8" | "16" | "32" | "64"))
}

/// The tokens, each with the space before it.
fn tokens(text: &str) -> Vec<&str> {
    let (mut tokens, mut start) = (Vec::new(), 0);
    for piece in Lexer::new(text) {
        let range = piece.at.range();
        if !text[range.clone()].trim().is_empty() {
            tokens.push(&text[start..range.end]);
            start = range.end;
        }
    }
    tokens.push(&text[start..]);
    tokens
}

/// The parts without runs that are not needed, in shorter and shorter runs.
fn without_parts(
    parts: &[&str],
    left: &mut usize,
    has: &mut impl FnMut(&str) -> Result<bool, String>,
) -> Result<String, String> {
    let mut kept = parts.to_vec();
    let mut run = kept.len().div_ceil(2);
    while run > 0 && *left > 0 {
        let (mut at, before) = (0, kept.len());
        while at < kept.len() && *left > 0 {
            let end = (at + run).min(kept.len());
            let without = [&kept[..at], &kept[end..]].concat();
            *left -= 1;
            if has(&without.concat())? {
                kept = without;
            } else {
                at = end;
            }
        }
        // Single parts may need others that are gone now.
        if run > 1 || kept.len() == before {
            run /= 2;
        }
    }
    Ok(kept.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_have_no_names_and_numbers() {
        let text = ".version 8.0\n.target sm_90\n.global .texref t;\nred.global.add.u32 [t], 1;";
        assert_eq!(form(text), ".global .texref _ ; red .global .add .u32 [ _ ] , 0 ;");
        assert_eq!(form(".global .b16 x;"), form(".global .s64 y;"));
        assert_eq!(form("= 0f3F800000 + 0x1F - 5U * 1e3;"), "= 0f0 + 0 - 0U * 0.0 ;");
        assert_eq!(form(".target"), "");
    }

    #[test]
    fn what_is_not_needed_goes() {
        let text = ".version 8.0\n.target sm_90\n.global .u32 a, b = 5;\n.entry k() { ret; }\n";
        let smallest = shrink(text, |text| Ok(text.contains("b = 5") && text.contains(".version")));
        assert_eq!(smallest.expect("it is tested"), ".version b = 5");
        shrink(text, |_| Err("no".to_owned())).expect_err("it is not tested");
    }
}
