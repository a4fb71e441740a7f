//! The directives that the IR has no place for, from the text.

use std::collections::BTreeMap;

use ptx_isa::directive::{self, Directive};
use ptx_isa::ir::body::integer;
use ptx_text::{Parsed, Piece, PieceKind};

/// The directives by the function before whose body they stand, or by nothing for the module, in the order of their text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Directives<'t>(BTreeMap<Option<&'t str>, Vec<String>>);

impl<'t> Directives<'t> {
    pub(super) fn of(parsed: &'t Parsed) -> Self {
        let mut found = Self::default();
        let text = parsed.text();
        let tokens = parsed.pieces().filter(|piece| !piece.kind.is_trivia());
        let (mut depth, mut parens) = (0_usize, 0_usize);
        let mut function = Function::None;
        let mut open: Option<String> = None;
        for Piece { kind, at } in tokens {
            let word = &text[at.range()];
            match word {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let is_end =
                matches!(word, ";" | "{") || kind == PieceKind::Dotted && !word.starts_with("..");
            if is_end && let Some(written) = open.take() {
                found.0.entry(function.name()).or_default().push(written);
            }
            match (depth, word) {
                (0, "}" | ";") => (function, parens) = (Function::None, 0),
                (0, "(") => parens += 1,
                (0, ")") => parens = parens.saturating_sub(1),
                (0, _) if is_function(word) => function = Function::Coming,
                (0, _) if is_of_text(word) => open = Some(word.to_owned()),
                (0, _)
                    if parens == 0 && kind == PieceKind::Word && function == Function::Coming =>
                {
                    function = Function::Named(word);
                }
                (0, _) => {
                    if let Some(written) = &mut open {
                        written.push(' ');
                        match integer(word) {
                            Some(number) if kind == PieceKind::Number => {
                                written.push_str(&number.to_string());
                            }
                            _ => written.push_str(word),
                        }
                    }
                }
                _ => {}
            }
        }
        found.0.values_mut().for_each(|all| all.sort());
        found
    }

    /// Those of a function, or of the module.
    pub(super) fn get(&self, function: Option<&str>) -> String {
        self.0.get(&function).map(|all| all.join(", ")).unwrap_or_default()
    }
}

fn is_of_text(word: &str) -> bool {
    Directive::from_name(word).is_some_and(Directive::is_of_text)
}

fn is_function(word: &str) -> bool {
    Directive::from_name(word).is_some_and(|it| it.kind == directive::Kind::Function)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Function<'t> {
    None,
    /// Its name comes next, perhaps after its return values.
    Coming,
    Named(&'t str),
}

impl<'t> Function<'t> {
    fn name(self) -> Option<&'t str> {
        match self {
            Self::Named(name) => Some(name),
            Self::None | Self::Coming => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_belong_to_their_functions() {
        let parsed = Parsed::new(
            ".version 8.0 .target sm_90 .address_size 64 .pragma \"one\";
            .visible .entry f(.param .u32 a) .maxntid 64 .pragma \"two\"; { .pragma \"in\"; ret; }
            .func (.reg .b32 r) g(.reg .b32 x) .abi_preserve 0x10 { ret; }",
        );
        let directives = Directives::of(&parsed);
        assert_eq!(directives.get(None), ".pragma \"one\"");
        assert_eq!(directives.get(Some("f")), ".pragma \"two\"");
        assert_eq!(directives.get(Some("g")), ".abi_preserve 16");
    }
}
