//! Small texts of large ones.

use crate::Rng;

use super::parts::{Parts, Place};

/// The text with at most a few functions, whose bodies are cut: mutants of declarations need no long bodies.
pub fn trimmed(text: &str, rng: &mut Rng) -> String {
    /// The size up to which a text stays as it is, in bytes.
    const SMALL: usize = 2_500;
    if text.len() <= SMALL {
        return text.to_owned();
    }
    let parts = Parts::of(text);
    let functions = parts.functions().len();
    let kept = rng.below(functions.max(1));
    let more = rng.within(0, 2);
    let (mut made, mut function) = (String::new(), 0);
    for item in &parts.items {
        let source = parts.source(&item.tokens);
        if !item.is_function {
            if source.len() <= SMALL {
                made.push_str(source);
                made.push('\n');
            }
            continue;
        }
        function += 1;
        let Some(open) = item.body else {
            made.push_str(source);
            made.push('\n');
            continue;
        };
        if function <= kept || function > kept + 1 + more {
            continue;
        }
        made.push_str(parts.source(&(item.tokens.start..open)));
        made.push_str("\n{\n");
        let inside = parts.statements.iter();
        let mut left = 8_usize;
        for statement in inside.filter(|it| item.tokens.contains(&it.start)) {
            let source = parts.source(statement);
            let is_declaration = parts.places[statement.start] == Place::Local;
            // What stands after a label or names one may need other statements.
            let is_alone =
                !source.contains(':') && !source.contains("bra") && source.ends_with(';');
            if is_declaration && !source.starts_with(".loc") || is_alone && left > 0 {
                left = left.saturating_sub(usize::from(!is_declaration));
                made.push_str("    ");
                made.push_str(source);
                made.push('\n');
            }
        }
        made.push_str("    ret;\n}\n");
    }
    made
}
