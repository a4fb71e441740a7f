//! Compares the kinds of operands in the instruction table with ptxas: in every statement that it accepts, each operand
//! is replaced by one of another kind, and what ptxas accepts has no finding.

use std::collections::BTreeSet;

use ptx::Target;
use ptx::instruction::{OperandType, Row};

use super::operands::{found, legal_statements, refused};
use super::{newest, step};

/// The rules about the form of an instruction and its operands.
const RULES: &[&str] = &["A097", "A098", "A099", "A100"];

/// What stands in place of an operand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    /// An address without its brackets.
    Bare,
    /// A value in brackets.
    InBrackets,
    /// A value in braces.
    InBraces,
    /// Two and four of it in braces.
    Two,
    Four,
    /// The first element of a vector.
    First,
    /// A vector without its last element, and with it twice.
    Less,
    More,
    /// A value and a predicate.
    Pair,
    /// The negation of a value.
    Not,
    /// `_`, in place of the operand or of its first element.
    Sink,
    SinkInside,
    /// A number in brackets.
    Absolute,
    /// A special register.
    Special,
}

use Kind::{
    Absolute, Bare, First, Four, InBraces, InBrackets, Less, More, Not, Pair, Sink, SinkInside,
    Special, Two,
};

/// A statement with an operand of another kind.
struct Changed {
    line: String,
    kind: Kind,
    /// Whether the table knows enough about the operand to refuse it.
    is_known: bool,
}

/// The operands of a statement, and what comes before them.
fn operands(statement: &str) -> (&str, Vec<&str>) {
    let statement = statement.trim_end_matches(';');
    let Some((before, rest)) = statement.split_once(' ') else { return (statement, Vec::new()) };
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, sign) in rest.char_indices() {
        match sign {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(rest[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(rest[start..].trim());
    (before, found)
}

/// An operand of other kinds.
fn others(operand: &str) -> Vec<(Kind, String)> {
    if let Some(inner) = operand.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let bare = inner.split(',').next().unwrap_or(inner);
        return vec![(Bare, bare.to_owned()), (Sink, "_".into()), (Absolute, "[16]".into())];
    }
    if let Some(inner) = operand.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let all: Vec<&str> = inner.split(',').map(str::trim).collect();
        let vector = |elements: &[&str]| format!("{{{}}}", elements.join(", "));
        let last = all[all.len() - 1];
        let mut changed = vec![
            (First, all[0].to_owned()),
            (InBrackets, format!("[{}]", all[0])),
            (More, vector(&[&all[..], &[last]].concat())),
            (Sink, "_".into()),
            (SinkInside, vector(&[&["_"], &all[1..]].concat())),
        ];
        changed.extend((all.len() > 1).then(|| (Less, vector(&all[..all.len() - 1]))));
        return changed;
    }
    if operand.contains('|') || operand.starts_with('(') || operand == "_" {
        return Vec::new();
    }
    let mut changed = vec![
        (InBrackets, format!("[{operand}]")),
        (InBraces, format!("{{{operand}}}")),
        (Two, format!("{{{operand}, {operand}}}")),
        (Four, format!("{{{operand}, {operand}, {operand}, {operand}}}")),
        (Sink, "_".into()),
    ];
    if operand.starts_with('%') {
        changed.push((Pair, format!("{operand}|%pred_8")));
        changed.push((Not, format!("!{operand}")));
        let special = if operand.contains("64") { "%clock64" } else { "%laneid" };
        changed.push((Special, special.to_owned()));
    }
    changed
}

fn changed(statement: &str) -> Vec<Changed> {
    let (opcode, modifiers) = super::split(statement);
    let row = Row::find(opcode, &modifiers).expect("a row");
    let has = |word: &str| modifiers.iter().any(|(_, modifier)| *modifier == word);
    let listed = row.operand_types(has).unwrap_or_default().1;
    let has_policy = has("cache_hint") || has("cp_mask");
    let (before, all) = operands(statement);
    let mut found = Vec::new();
    for (n, operand) in all.iter().enumerate() {
        let ty = listed.get(n).copied().unwrap_or(OperandType::Any);
        for (kind, other) in others(operand) {
            // ptxas crashes where the type of `_` would decide.
            if kind == Sink && n == 0 && (!row.can_discard || statement.contains("bf16")) {
                continue;
            }
            let mut operands = all.clone();
            operands[n] = &other;
            let is_value = ty.is_address() == Some(false) && !has_policy;
            let is_known = match kind {
                Bare => ty.is_address() == Some(true),
                Absolute => ty == OperandType::Address && !row.opcode.starts_with("tcgen05"),
                InBrackets => is_value,
                Sink => n > 0,
                Special => is_value && n > 0,
                Not => is_value && matches!(ty, OperandType::Type(_) | OperandType::First),
                Pair => n == 0 && !row.gives_predicate,
                Less | More | First | Two | Four => is_value && row.has_lanes,
                InBraces | SinkInside => false,
            };
            let line = format!("{before} {};", operands.join(", "));
            found.push(Changed { line, kind, is_known });
        }
    }
    found
}

#[test]
fn ptxas_agrees_with_the_kinds_of_operands() {
    let statements = legal_statements();
    for ptxas in xtask::oracles() {
        let version = newest(&ptxas);
        let step = step(&ptxas);
        let (mut wrong, mut shown) = (Vec::new(), BTreeSet::new());
        let mut left: Vec<&str> = statements.iter().map(String::as_str).collect();
        for target in [Target::Sm90a, Target::Sm103a] {
            let illegal = refused(&ptxas, target, version, &left);
            let nth = |n: usize| left[n];
            let legal = (0..left.len()).filter(|n| !illegal.contains(n)).map(nth);
            let all: Vec<Changed> = legal.step_by(step).flat_map(changed).collect();
            // On another target, only statements that this one does not have are new.
            left = illegal.iter().copied().map(nth).collect();
            for part in all.chunks(1000) {
                let lines: Vec<&str> = part.iter().map(|changed| changed.line.as_str()).collect();
                let (refused, found) =
                    (refused(&ptxas, target, version, &lines), found(target, &lines, RULES));
                for (n, Changed { line, kind, is_known }) in part.iter().enumerate() {
                    match (refused.contains(&n), found.get(&n)) {
                        (false, Some(message)) => {
                            wrong.push(format!("ptxas accepts {line} ({target}): {message}"));
                        }
                        (true, None) if *is_known => {
                            wrong.push(format!("ptxas refuses {line} ({target})"));
                        }
                        (true, Some(_)) => {
                            shown.insert(*kind);
                        }
                        (_, _) => {}
                    }
                }
            }
        }
        let number = wrong.len();
        wrong.truncate(40);
        assert!(wrong.is_empty(), "{}: {number}:\n{}", ptxas.release(), wrong.join("\n"));
        assert_eq!(shown.len(), 14, "{}: only {shown:?} were refused", ptxas.release());
    }
}
