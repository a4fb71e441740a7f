//! Other names for registers.

use std::collections::BTreeMap;

use ptx_text::{Lexer, Piece, PieceKind};

use crate::Rng;

/// The starts and the words of new names.
const STARTS: &[&str] = &["%", "$", "%_"];
const WORDS: &[&str] = &["r", "x", "value", "Lane", "T", "at_", "i1n"];

/// The text with other names for the registers that it declares.
pub(super) fn renamed(text: &str, rng: &mut Rng) -> String {
    let pieces: Vec<Piece> = Lexer::new(text).filter(|piece| !piece.kind.is_trivia()).collect();
    let word = |piece: &Piece| &text[piece.at.range()];
    // The old names, whether they stand for several registers, and the new ones.
    let mut names: BTreeMap<&str, (bool, String)> = BTreeMap::new();
    let (mut is_declared, mut depth) = (false, 0_usize);
    for (n, piece) in pieces.iter().enumerate() {
        match word(piece) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            ".reg" => is_declared = depth == 0,
            ";" => is_declared = false,
            name if is_declared && name.starts_with('%') => {
                let has_several = pieces.get(n + 1).is_some_and(|next| word(next) == "<");
                // The number makes them differ from each other.
                let new = format!("{}{}{}_", rng.pick(STARTS), rng.pick(WORDS), names.len());
                names.insert(name, (has_several, new));
            }
            _ => {}
        }
    }
    let (mut made, mut at) = (String::new(), 0);
    for piece in pieces.iter().filter(|piece| piece.kind == PieceKind::Word) {
        let name = word(piece);
        let number = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let new = match names.get(name) {
            Some((_, new)) => new.clone(),
            None => match names.get(&name[..name.len() - number.len()]) {
                Some((true, new)) => format!("{new}{number}"),
                Some((false, _)) | None => continue,
            },
        };
        made.push_str(&text[at..piece.at.range().start]);
        made.push_str(&new);
        at = piece.at.range().end;
    }
    made + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::renamed;
    use crate::Rng;

    #[test]
    fn each_register_has_one_new_name() {
        let text = ".func (.reg .b32 %out) f() { .reg .b32 %r<2>, %x;\n// %x\nmov.b32 %r0, %r1; add.s32 %out, %x, %tid.x; }";
        let made = renamed(text, &mut Rng::new(1, 1));
        let name = |before: &str| {
            let at = made.find(before).expect("it is there") + before.len();
            let end = made[at..].find([',', ';', '<', ' ']).expect("it ends");
            made[at..at + end].to_owned()
        };
        let (several, one) = (name("{ .reg .b32 "), name("<2>, "));
        let expected = text
            .replace("%r<", &format!("{several}<"))
            .replace("%r0", &format!("{several}0"))
            .replace("%r1", &format!("{several}1"))
            .replace("%x", &one)
            .replace(&format!("// {one}"), "// %x");
        assert_eq!(made, expected);
        assert!(several != "%r" && one != "%x" && several != one);
    }
}
