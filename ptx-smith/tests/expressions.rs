//! Compares the values and the refusals of constant expressions with those of ptxas, on random expressions in initial
//! values and in operands.
//!
//! `PTX_EXPRESSIONS` is the number of expressions, and `PTX_EXPRESSIONS_SEED` selects others.

use std::collections::{BTreeMap, BTreeSet};

use ptx_emit::ptxas::{AssembleError, Ptxas};
use ptx_frontend::import::initial;
use ptx_isa::Target;
use ptx_isa::ir::body::StatementKind;
use ptx_smith::Rng;
use ptx_smith::expression::{Wanted, expression};
use ptx_text::{Kind, Parsed};

/// The number of expressions in one text.
const ROUND: usize = 500;

/// The number of disagreements that are printed.
const PRINTED: usize = 20;

const HEAD: &str = ".version 8.8\n.target sm_90\n.address_size 64\n";

const OF_INTEGERS: &[&str] =
    &[".u64", ".s64", ".b64", ".u32", ".s32", ".b32", ".u16", ".s16", ".b16", ".u8", ".s8", ".b8"];
const OF_FLOATS: &[&str] = &[".f64", ".f64", ".f64", ".f32", ".f32", ".b64", ".b32", ".b16", ".b8"];

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, not a number")),
        Err(_) => otherwise,
    }
}

/// A text with one expression on each line, and the lines that are refused.
struct Text {
    head: String,
    lines: Vec<String>,
    tail: &'static str,
}

impl Text {
    /// The text without some of its lines, which stay empty.
    fn without(&self, refused: &BTreeSet<usize>) -> String {
        let mut text = self.head.clone();
        for (n, line) in self.lines.iter().enumerate() {
            if !refused.contains(&n) {
                text.push_str(line);
            }
            text.push('\n');
        }
        text + self.tail
    }

    /// The index of the line with this number in the text, from 1.
    fn line(&self, number: usize) -> Option<usize> {
        let line = number.checked_sub(self.head.lines().count() + 1)?;
        (line < self.lines.len()).then_some(line)
    }

    /// The lines that ptxas refuses, each with whether the type of an operand is the reason, and the cubin of the
    /// others. It does not report all at once, and `crashes` are lines on which it ends with a signal.
    fn assembled(&self, ptxas: &Ptxas, crashes: &[usize]) -> (BTreeMap<usize, bool>, Vec<u8>) {
        let mut refused: BTreeMap<usize, bool> =
            crashes.iter().map(|line| (*line, false)).collect();
        loop {
            let text = self.without(&refused.keys().copied().collect());
            match ptxas.assemble_text_with(&text, Target::Sm90, &["--compile-only", "-O0"]) {
                Ok(assembled) => return (refused, assembled.cubin),
                Err(AssembleError::Refused { diagnostics, .. }) => {
                    let before = refused.len();
                    for found in &diagnostics {
                        let line = found.line.and_then(|line| self.line(line));
                        let is_of_type = found.message.contains("Arguments mismatch");
                        refused.extend(line.map(|line| (line, is_of_type)));
                    }
                    assert!(refused.len() > before, "{diagnostics:?}\n{text}");
                }
                Err(error) => panic!("{error}\n{text}"),
            }
        }
    }

    /// Whether ptxas accepts a line without the others.
    fn is_accepted_alone(&self, line: usize, ptxas: &Ptxas) -> bool {
        let others = (0..self.lines.len()).filter(|other| *other != line).collect();
        ptxas.assemble_text_with(self.without(&others), Target::Sm90, &["--compile-only"]).is_ok()
    }

    /// The lines that we refuse, with the message.
    fn refused(&self) -> BTreeMap<usize, String> {
        let parsed = Parsed::new(self.without(&BTreeSet::new()));
        let mut refused = BTreeMap::new();
        for found in parsed.check() {
            let is_refused =
                found.kind == Kind::Refused || found.kind == Kind::Syntax && found.code.is_none();
            if let (true, Some(line)) =
                (is_refused, self.line(parsed.position(found.range.start).line as usize))
            {
                refused.entry(line).or_insert(found.message);
            }
        }
        refused
    }

    /// The lines that both accept, after comparing what is refused, and their cubin.
    fn compared(&self, ptxas: &Ptxas, wrong: &mut Vec<String>) -> (BTreeSet<usize>, Vec<u8>) {
        let ours = self.refused();
        let crashes = ours.iter().filter(|(_, message)| message.contains("the quotient"));
        let crashes: Vec<usize> = crashes.map(|(line, _)| *line).collect();
        let (theirs, cubin) = self.assembled(ptxas, &crashes);
        let mut both = BTreeSet::new();
        for (n, line) in self.lines.iter().enumerate() {
            match (ours.get(&n), theirs.get(&n)) {
                (None, None) => {
                    both.insert(n);
                }
                // Other rules are about the types of operands.
                (Some(_), Some(_)) | (None, Some(true)) => {}
                (Some(message), None) => {
                    wrong.push(format!("{line}\n    refused here alone: {message}"));
                }
                // An overflow makes ptxas find another one in what follows.
                (None, Some(false)) if self.is_accepted_alone(n, ptxas) => {}
                (None, Some(false)) => wrong.push(format!("{line}\n    refused by ptxas alone")),
            }
        }
        (both, cubin)
    }
}

/// Compares expressions in initial values.
fn compare_values(rng: &mut Rng, count: usize, ptxas: &Ptxas, wrong: &mut Vec<String>) -> usize {
    let lines = (0..count).map(|n| {
        let wanted = if rng.one_in(4) { Wanted::Float } else { Wanted::Integer };
        let meant = if rng.one_in(12) { Wanted::Integer } else { wanted };
        let ty = rng.pick(if meant == Wanted::Integer { OF_INTEGERS } else { OF_FLOATS });
        format!(".global {ty} x{n} = {};", expression(rng, wanted))
    });
    let text = Text { head: HEAD.to_owned(), lines: lines.collect(), tail: "" };
    let (both, cubin) = text.compared(ptxas, wrong);
    let theirs = xtask::cubin::initial_values(&cubin).expect("a cubin can be read");
    let all: BTreeSet<usize> = (0..count).filter(|n| !both.contains(n)).collect();
    let parsed = Parsed::new(text.without(&all));
    let ours: BTreeMap<&str, Vec<u8>> = parsed
        .module()
        .variables
        .iter()
        .filter_map(|variable| Some((variable.name, initial(variable)?.bytes)))
        .collect();
    for n in &both {
        let name = format!("x{n}");
        let (ours, theirs) = (ours.get(&*name), theirs.get(&name));
        if ours.is_none() || ours != theirs {
            wrong.push(format!(
                "{}\n    {ours:02x?} here, and ptxas computes {theirs:02x?}",
                text.lines[*n]
            ));
        }
    }
    both.len()
}

/// Compares expressions in operands: the code is that of the numbers.
fn compare_operands(rng: &mut Rng, count: usize, ptxas: &Ptxas, wrong: &mut Vec<String>) -> usize {
    let head = format!(
        "{HEAD}.visible .entry k(.param .u64 p)\n{{ .reg .b64 %rd<3>; ld.param.u64 %rd1, [p];\n"
    );
    let line = |at: usize, number: &str| {
        format!("{{ mov.u64 %rd2, {number}; st.volatile.global.u64 [%rd1+{}], %rd2; }}", 8 * at)
    };
    let offset = |number: &str| {
        format!(
            "{{ ld.volatile.global.u8 %rd2, [%rd1+{number}]; st.volatile.global.u64 [%rd1], %rd2; }}"
        )
    };
    let lines: Vec<String> = (0..count)
        .map(|n| {
            let number = expression(rng, Wanted::Integer);
            if n % 2 == 0 { line(n, &number) } else { offset(&number) }
        })
        .collect();
    let text = Text { head, lines, tail: "ret; }\n" };
    let (both, cubin) = text.compared(ptxas, wrong);
    let all: BTreeSet<usize> = (0..count).filter(|n| !both.contains(n)).collect();
    let parsed = Parsed::new(text.without(&all));
    let body = parsed.module().functions[0].body.expect("it has a body");
    let instructions: Vec<_> = body
        .statements()
        .filter(|statement| statement.kind() == StatementKind::Instruction)
        .collect();
    let mut numbers =
        Text { head: text.head.clone(), lines: vec![String::new(); count], tail: text.tail };
    // The first loads the parameter, and the last returns.
    for (pair, n) in instructions[1..].chunks(2).zip(&both) {
        let instruction = pair[0].instruction(&[]).expect("an instruction");
        let known = if n % 2 == 0 {
            instruction.operands[1].amount().known()
        } else {
            match &instruction.operands[1].kind {
                ptx_isa::ir::body::OperandKind::Address(inner) => match inner[0].kind {
                    ptx_isa::ir::body::OperandKind::Offset(_, amount, _) => amount.known(),
                    _ => None,
                },
                _ => None,
            }
        };
        match known {
            Some(known) => {
                let known = known.to_string();
                numbers.lines[*n] = if n % 2 == 0 { line(*n, &known) } else { offset(&known) };
            }
            None => wrong.push(format!("{}\n    its value is not known", text.lines[*n])),
        }
    }
    let (refused, computed) = numbers.assembled(ptxas, &[]);
    assert!(refused.is_empty(), "ptxas refuses numbers: {refused:?}");
    if !xtask::cubin::are_equal(&cubin, &computed).expect("cubins can be read") {
        wrong.push(difference(&text, &numbers, &both, ptxas));
    }
    both.len()
}

/// The first expression whose code is not that of its number.
fn difference(text: &Text, numbers: &Text, both: &BTreeSet<usize>, ptxas: &Ptxas) -> String {
    let alone = |text: &Text, n: usize| {
        let others = (0..text.lines.len()).filter(|other| *other != n).collect();
        let text = text.without(&others);
        ptxas
            .assemble_text_with(&text, Target::Sm90, &["--compile-only", "-O0"])
            .map(|found| found.cubin)
    };
    for n in both {
        let (theirs, ours) = (alone(text, *n), alone(numbers, *n));
        let (theirs, ours) = (theirs.expect("ptxas accepts it"), ours.expect("ptxas accepts it"));
        if !xtask::cubin::are_equal(&theirs, &ours).expect("cubins can be read") {
            return format!("{}\n    {} here", text.lines[*n], numbers.lines[*n]);
        }
    }
    "the code differs, but that of no line alone".to_owned()
}

#[test]
fn expressions_have_the_values_and_the_refusals_of_ptxas() {
    let Some(ptxas) = xtask::oracle() else { return };
    let count = usize::try_from(number("PTX_EXPRESSIONS", 1000)).expect("a number of expressions");
    let seed = number("PTX_EXPRESSIONS_SEED", 20_261_124);
    let (mut wrong, mut accepted) = (Vec::new(), 0);
    for round in 0..count.div_ceil(ROUND) {
        let mut rng = Rng::new(seed, round);
        let compare = if round % 2 == 0 { compare_values } else { compare_operands };
        accepted += compare(&mut rng, ROUND, &ptxas, &mut wrong);
    }
    let total = count.next_multiple_of(ROUND);
    println!("{total} expressions, {accepted} accepted by both, {} differ", wrong.len());
    for difference in wrong.iter().take(PRINTED) {
        println!("{difference}");
    }
    assert!(wrong.is_empty(), "{} of {total} expressions differ", wrong.len());
    assert!(accepted * 2 > total, "only {accepted} of {total} expressions are accepted");
    assert!(accepted < total, "no expression is refused");
}
