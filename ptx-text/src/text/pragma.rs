//! Pragmas (PTX ISA 12).

use ptx_isa::{Target, Version};

use super::extent::Extent;
use super::faults::SyntaxErrors;
use super::header::Header;
use super::lexer::{Lexer, PieceKind};
use crate::body::token::{Faults, Token};

/// The pragmas that stand in the body of a function, with the version and the target that ptxas wants for them; it
/// ignores pragmas that it does not know.
const OF_BODIES: &[(&str, Version, Target)] = &[
    ("used_bytes_mask", Version::new(8, 3), Target::Sm50),
    ("enable_smem_spilling", Version::new(8, 7), Target::Sm75),
    ("frequency", Version::new(9, 0), Target::Sm50),
];

/// The pragma of bodies in a string.
fn of_bodies(string: &str) -> Option<&'static (&'static str, Version, Target)> {
    let first = string.trim_matches('"').split(' ').next().unwrap_or_default();
    OF_BODIES.iter().find(|(name, ..)| *name == first)
}

/// Checks the strings of a `.pragma` outside a body.
pub(super) fn check(at: Extent, strings: &[Token<'_, Extent>], faults: &mut Faults<Extent>) {
    for each in strings.split(|token| token.is_sign(',')) {
        let [Token::Text(text, of)] = each else {
            faults.at(at, "`.pragma` takes strings, as in `.pragma \"nounroll\";` (PTX ISA 11.4)");
            return;
        };
        if let Some((name, ..)) = of_bodies(text) {
            faults.at(*of, format_args!("`{name}` is a pragma of bodies; write it in the body of the function (PTX ISA 12)"));
        }
    }
}

/// Reports the first of each pragma that needs another version or target than the text declares.
pub(super) fn check_versions(text: &str, header: &Header, errors: &mut SyntaxErrors) {
    let target = header.target.map_or(Target::Sm50, |(target, _)| target);
    let is_wrong = |&(name, since, oldest): &(&str, Version, Target)| {
        (header.is_older_than(since) || target.arch() < oldest.arch()) && text.contains(name)
    };
    if !OF_BODIES.iter().any(is_wrong) {
        return;
    }
    let mut found: Vec<&str> = Vec::new();
    let pieces = Lexer::new(text).filter(|piece| !piece.kind.is_trivia());
    let mut is_pragma = false;
    for piece in pieces {
        let word = &text[piece.at.range()];
        if piece.kind == PieceKind::Text && is_pragma {
            let pragma = of_bodies(word).filter(|(name, ..)| !found.contains(name));
            let Some(&(name, since, oldest)) = pragma else { continue };
            found.push(name);
            header.needs(name, since, piece.at, errors);
            if target.arch() < oldest.arch() {
                errors.at(piece.at, format_args!("`{name}` needs {oldest} or newer, but the target is {target}; choose a newer target (PTX ISA 12)"));
            }
        } else if word != "," {
            is_pragma = word == ".pragma";
        }
    }
}
