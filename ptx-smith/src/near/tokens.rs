//! Unusual tokens: characters between them, tokens that are missing, moved, repeated or inserted.

use ptx_text::{Lexer, PieceKind};

use crate::Rng;

use super::choice::Choices;
use super::choice::Says::{self, Allowed, Depends, Forbidden};

/// How often tokens are unusual, compared with one choice of the grammar.
const WEIGHT: usize = 5;

/// Characters in place of a space, or in addition to it.
const BETWEEN: &[(Says, &[&str])] = &[
    (Allowed, &["\t", "\n", "\r", "\u{b}", "\u{c}", " /* c */ ", " // c\n"]),
    (
        Forbidden("A control character as a space"),
        &["\u{1}", "\u{4}", "\u{8}", "\u{e}", "\u{10}", "\u{1a}", "\u{1b}", "\u{1f}", "\u{7f}"],
    ),
    (
        Depends,
        &[
            "\0",
            " // caf\u{e9}\n",
            " /* \u{3b1} */ ",
            "\u{a0}",
            "\u{feff}",
            " \\ ",
            " # ",
            " ; ",
            " , ",
            " @ ",
            " $ ",
        ],
    ),
];

/// Directives and statements, in places for others.
const INSERTED: &[&str] = &[
    ".target sm_90a",
    ".version 8.8",
    ".address_size 64",
    ".pragma \"nounroll\";",
    ".loc 1 1 1",
    ".file 1 \"a\"",
    ".visible",
    ".align 16",
    ".reg .b32 %added;",
    ".global .b32 added;",
    ".param .b32 added;",
    "{ }",
    "added:",
    "ret;",
];

/// The module, with tokens changed if that is an unusual choice.
pub(super) fn changed(head: &str, items: &str, choices: &mut Choices) -> String {
    let text = format!("{head}{items}");
    let Some(rng) = choices.is_unusual(WEIGHT) else { return text };
    let (text, says) = once(head, items, rng);
    if !rng.one_in(4) {
        choices.note(says);
        return text;
    }
    let (again, _) = once(head, &text[head.len()..], rng);
    choices.note(Depends);
    again
}

/// The module with a change, and what the PTX ISA says of that.
fn once(head: &str, items: &str, rng: &mut Rng) -> (String, Says) {
    let pieces: Vec<_> = Lexer::new(items).filter(|piece| !piece.kind.is_trivia()).collect();
    let tokens: Vec<&str> = pieces.iter().map(|piece| &items[piece.at.range()]).collect();
    if tokens.len() < 4 {
        return (format!("{head}{items}"), Depends);
    }
    let at = rng.below(tokens.len() - 3);
    let bytes = |n: usize| pieces[n].at.range();
    let mut said = Depends;
    let with = |range: core::ops::Range<usize>, by: &str| {
        [head, &items[..range.start], by, &items[range.end..]].concat()
    };
    let text = match rng.below(12) {
        0..4 => {
            // Between two items of the module, or between two tokens.
            let ends = items.match_indices('\n').map(|(n, _)| n + 1);
            let ends: Vec<usize> =
                ends.filter(|n| !items[*n..].starts_with(['{', '}', ' '])).collect();
            let place = if rng.one_in(4) && !ends.is_empty() {
                let end = rng.pick(&ends);
                end..end
            } else {
                bytes(at).end..bytes(at + 1).start
            };
            let (says, words) = rng.pick(BETWEEN);
            let word = rng.pick(words);
            said = says;
            with(place, word)
        }
        4 => {
            // Without a space, a number and a name would be one token.
            let glued = (0..tokens.len() - 1).filter(|n| {
                pieces[*n].kind == PieceKind::Number && pieces[*n + 1].kind == PieceKind::Word
            });
            let glued: Vec<usize> = glued.collect();
            let (n, says) = match glued.as_slice() {
                [] => (at, Depends),
                some => (rng.pick(some), Forbidden("A number and a name without a space")),
            };
            said = says;
            with(bytes(n).end..bytes(n + 1).start, "")
        }
        5 | 6 => with(bytes(at).start..bytes(at + rng.below(2)).end, ""),
        7 => with(bytes(at).start..bytes(at).start, &format!("{} ", tokens[at])),
        8 | 9 => {
            // A token or two, one or two tokens on.
            let (count, by) = rng.pick(&[(1, 1), (2, 1), (1, 2)]);
            let moved = tokens[at..at + count].join(" ");
            let passed = tokens[at + count..at + count + by].join(" ");
            with(bytes(at).start..bytes(at + count + by - 1).end, &format!("{passed} {moved}"))
        }
        10 => with(bytes(at).start..bytes(at).start, &format!("{} ", rng.pick(INSERTED))),
        _ => {
            let semicolons: Vec<usize> =
                (0..tokens.len()).filter(|n| matches!(tokens[*n], ";" | "," | "{" | "}")).collect();
            match semicolons.as_slice() {
                [] => format!("{head}{items}"),
                some => with(bytes(rng.pick(some)), ""),
            }
        }
    };
    (text, said)
}
