//! Items outside every function that are not directives.

use super::boundary::Ended;
use super::extent::Extent;
use super::faults::{SyntaxErrors, shortened};
use super::header::DIRECTIVES;
use crate::body::token::Token;
use ptx_isa::Space;

/// What is known of the item before.
#[derive(Debug, Default)]
pub(super) struct Stray {
    /// Whether it is a statement of a body that has lost its function, which was reported.
    pub(super) is_body: bool,
    /// Its semicolon, if it is the declaration of a function.
    pub(super) declared: Option<Extent>,
}

impl Stray {
    /// Reports an item whose first token, after a linkage if there is one, is not a directive.
    pub(super) fn report(
        &mut self,
        (first, is_linked): (Option<&Token<'_, Extent>>, bool),
        (at, text): (Extent, &str),
        ended: Ended,
        errors: &mut SyntaxErrors,
    ) {
        match first {
            Some(Token::Sign(';', _)) if !is_linked => {
                errors.at(at, "PTX has no empty statement; remove the `;`");
            }
            // One error is enough for all statements of the body.
            _ if self.is_body => {}
            Some(Token::Word(word, _)) if is_directive(word) => {
                errors.at(at, format_args!("a directive starts with a dot; write `.{word}`"));
            }
            None if let (Ended::Open(_), Some(semicolon)) = (ended, self.declared) => {
                errors.at(semicolon, "this `;` ends the function before its body; remove it");
            }
            _ => {
                if let Some(meant) = cuda(text) {
                    errors.at(at, format_args!("`{text}` is CUDA C++; in PTX, write {meant}"));
                    return;
                }
                let text = shortened(text);
                errors.at(at, format_args!("`{text}` is outside every function, where directives such as `.global` and `.entry` stand; move it into a body"));
                self.is_body = true;
            }
        }
    }
}

/// Whether a word is a directive of a module or a state space, without its dot.
fn is_directive(word: &str) -> bool {
    DIRECTIVES.contains(&word) || Space::from_name(word).is_some()
}

/// The directives for a qualifier of CUDA C++.
fn cuda(word: &str) -> Option<&'static str> {
    Some(match word {
        "__global__" => "`.visible .entry`",
        "__device__" => "`.func` or `.global`",
        "__constant__" => "`.const`",
        "__shared__" => "`.shared`",
        _ => return None,
    })
}
