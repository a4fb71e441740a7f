//! Rule A084 against the real ptxas: no word that ptxas knows is taken for a misspelt one, and what is refused, ptxas
//! refuses.

use std::collections::BTreeSet;

use ptx::Target;
use ptx::ptxas::Ptxas;
use ptx::text::Parsed;
use ptx_types::instruction::{WordKind, meant};

/// The words that the grammar of ptxas has for other things than modifiers.
const OF_THE_GRAMMAR: &[&str] = &["file", "loc", "reg"];

/// Every how many words is asked about.
const STEP: usize = 61;

/// Words that differ from a word in one place.
fn neighbours(word: &str) -> impl Iterator<Item = String> {
    let letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    (0..=word.len()).flat_map(move |at| {
        let (before, after) = word.split_at(at);
        let rest = after.get(1..);
        let shorter = rest.map(|rest| format!("{before}{rest}"));
        let others = letters.chars().flat_map(move |letter| {
            let longer = format!("{before}{letter}{after}");
            [Some(longer), rest.map(|rest| format!("{before}{letter}{rest}"))].into_iter().flatten()
        });
        shorter.into_iter().chain(others)
    })
}

/// Those of some words that ptxas does not know, in an instruction for each.
fn unknown(
    ptxas: &Ptxas,
    words: &[String],
    instruction: fn(&str) -> String,
    prefix: &str,
) -> BTreeSet<String> {
    let lines: String = words.iter().map(|word| instruction(word)).collect();
    let text = format!(
        ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{{\n.reg .b32 %r<4>;\n{lines}ret;\n}}\n"
    );
    let found = ptxas.assemble_text_with(&text, Target::Sm90a, &["--compile-only"]);
    let found = found.map_or_else(|error| error.to_string(), |_| String::new());
    assert!(!found.contains("syntax error"), "{found}");
    found
        .split(prefix)
        .skip(1)
        .filter_map(|rest| Some(rest.split('\'').next()?.to_owned()))
        .collect()
}

fn check(kind: WordKind, instruction: fn(&str) -> String, prefix: &str) {
    let oracles = xtask::oracles();
    let Some(ptxas) = oracles.first() else { return };
    let all: BTreeSet<String> = kind.words().iter().flat_map(|word| neighbours(word)).collect();
    let is_asked = |word: &String| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && !OF_THE_GRAMMAR.contains(&word.as_str())
            && !meant(kind, word).is_empty()
    };
    let asked: Vec<String> = all.into_iter().step_by(STEP).filter(is_asked).collect();
    assert!(asked.len() > 500, "{} words are asked about", asked.len());
    let unknown = unknown(ptxas, &asked, instruction, prefix);
    let known: Vec<&String> = asked.iter().filter(|word| !unknown.contains(*word)).collect();
    assert!(known.is_empty(), "ptxas knows {known:?}");
}

#[test]
fn no_modifier_of_ptxas_is_refused() {
    check(
        WordKind::Modifier,
        |word| format!("add.{word}.u32 %r0, %r1, %r2;\n"),
        "Unknown modifier '.",
    );
}

#[test]
fn no_opcode_of_ptxas_is_refused() {
    check(
        WordKind::Opcode,
        |word| format!("{word}.u32 %r0, %r1, %r2;\n"),
        "Not a name of any known instruction: '",
    );
}

/// The statements that the tests know ptxas to take are written with known words.
#[test]
fn statements_that_ptxas_takes_have_known_words() {
    let mut count = 0;
    for line in
        include_str!("syntax/statements.txt").lines().filter(|line| !line.starts_with(['~', '!']))
    {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{line}\nret;\n}}\n"
        );
        let refused =
            Parsed::new(text.as_str()).check().iter().any(|found| found.code == Some("A084"));
        assert!(!refused || line.contains("addd"), "{line}");
        count += 1;
    }
    assert!(count > 50, "{count} statements");
}
