//! What the analysis knows of the values of registers, in words.

use std::ops::Range;

use ptx_text::{KnownNumber, KnownValue};

use super::document::Document;

/// What is said of an instruction that is never executed.
pub(super) const UNREACHED: &str = "never reached";

/// The values that the function around an offset writes, each with the register that gets it.
pub(super) fn around(document: &Document, offset: usize) -> Vec<(Range<usize>, String)> {
    let Some((_, function)) = document.outline.function_at(offset) else { return Vec::new() };
    let Some(definition) = document.outline.definitions.get(function.definition) else {
        return Vec::new();
    };
    let Some(parsed) = document.parsed() else { return Vec::new() };
    let name = document.slice(definition.at.clone());
    let mut functions = parsed.module().functions.iter();
    let Some(index) = functions.position(|it| it.name == name && it.body.is_some()) else {
        return Vec::new();
    };
    let values = parsed.values(index).into_iter();
    values.filter_map(|(at, value)| Some((at, words(&value)?))).collect()
}

/// A value in words: `%tid.x + 4`, `0 to 63`, `` `row` + 8``; `None` if nothing is known.
fn words(value: &KnownValue<'_>) -> Option<String> {
    match value {
        KnownValue::Unreached => Some(UNREACHED.to_owned()),
        KnownValue::Unknown => None,
        KnownValue::Number(number) => number_words(number),
        KnownValue::Address { of, is_pointee, offset } => {
            let base = if *is_pointee { format!("what {of} points to") } else { (*of).to_owned() };
            Some(match (offset.range, number_words(offset)) {
                (Some((0, 0)), _) => base,
                (Some((least, most)), _) if least == most && least < 0 => {
                    format!("{base} - {}", least.unsigned_abs())
                }
                (_, Some(offset)) => format!("{base} + {offset}"),
                (_, None) => format!("{base} + something"),
            })
        }
    }
}

/// A number in words; `None` if nothing is known of it.
fn number_words(number: &KnownNumber) -> Option<String> {
    let mut words = Vec::new();
    if !number.terms.is_empty() {
        let term = |(of, times): &(&str, i128)| match times {
            1 => (*of).to_owned(),
            times => format!("{times} * {of}"),
        };
        let mut terms: Vec<String> = number.terms.iter().map(term).collect();
        if number.plus != 0 {
            terms.push(number.plus.to_string());
        }
        words.push(terms.join(" + "));
    }
    match number.range {
        Some((least, most)) if least == most => return Some(least.to_string()),
        Some((least, most)) => words.push(format!("{least} to {most}")),
        None => {}
    }
    // What a sum is a multiple of, it says itself.
    if number.step > 1 && number.terms.is_empty() {
        words.push(match number.remainder {
            0 => format!("a multiple of {}", number.step),
            rest => format!("{rest} after a multiple of {}", number.step),
        });
    }
    (!words.is_empty()).then(|| words.join(", "))
}
