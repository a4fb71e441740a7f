//! Compares the types of operands in the instruction table with ptxas: in every statement that it accepts, each
//! operand is replaced by registers of all types and by numbers, and what ptxas accepts has no finding.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ptx::emit::ptxas::{AssembleError, Diagnostic, Ptxas, Severity};
use ptx::instruction::{INSTRUCTIONS, OperandForm, OperandType, Row};
use ptx::text::Parsed;
use ptx::{Target, Version};

use super::forms::FORMS;
use super::statements::STATEMENTS;
use super::{newest, step};

/// The types of registers.
const TYPES: &[&str] = &[
    "pred", "b8", "b16", "b32", "b64", "b128", "u8", "u16", "u32", "u64", "s8", "s16", "s32",
    "s64", "f16", "f16x2", "f32", "f64",
];

/// Numbers in place of an operand.
const NUMBERS: &[&str] =
    &["1", "-1", "1+1", "(2-1)", "1.0", "0f3F800000", "0d3FF0000000000000", "1.0+1.0"];

/// Those among them that are integers.
const INTEGERS: &[&str] = &["1", "-1", "1+1", "(2-1)"];

/// The operands of rows whose types the table does not have: by opcode, with the index of the operand.
const NOT_IN_TABLE: &[(&str, usize)] = &[
    // Both 32 and 64 bits.
    ("isspacep", 1),
    ("st.bulk", 1),
    // A number of bytes, or a predicate.
    ("cp.async", 3),
    // The last operand is a predicate, and the one before it may be missing.
    ("bar.red", 2),
    ("barrier.red", 2),
    ("bar.cta.red", 2),
    ("barrier.cta.red", 2),
    // The mask of a multicast after offsets, or a policy.
    ("cp.async.bulk.tensor", 4),
    // A mask of lanes in a vector, or a predicate.
    ("tcgen05.mma", 4),
    ("tcgen05.mma.ws", 4),
    ("tcgen05.mma.sp", 5),
    ("tcgen05.mma.ws.sp", 5),
    ("tcgen05.mma", 6),
    ("tcgen05.mma.sp", 7),
    ("txq", 2),
];

/// The registers and variables that the statements name.
const HEAD: &str = "\
.address_size 64
.shared .align 128 .b8 xs[4096]; .global .align 128 .b8 xg[4096]; .const .align 64 .b8 xc[128];
.global .texref xt; .global .surfref xu;
.func ff () { ret; }
.visible .entry k (.param .u64 xp) {
.local .align 16 .b8 xl[64];
";

/// The rules about the types of operands.
const TYPE_RULES: &[&str] = &["A097", "A098"];

/// A statement with another register or number in place of an operand.
struct Changed {
    line: String,
    row: &'static str,
    /// The index of the operand; `None` for the statement itself.
    operand: Option<usize>,
    /// What stands there.
    given: &'static str,
    /// Whether the operand is a vector.
    is_vector: bool,
}

/// The statements of the requirements, with the names and registers that this test declares.
fn of_requirements() -> impl Iterator<Item = String> {
    let types = BTreeMap::from([
        ('p', "pred"),
        ('b', "b8"),
        ('h', "b16"),
        ('r', "b32"),
        ('d', "b64"),
        ('f', "f32"),
        ('g', "f64"),
        ('q', "b128"),
    ]);
    STATEMENTS.iter().map(move |statement| {
        let mut line = (*statement).to_owned();
        for range in registers(statement).into_iter().rev() {
            let register = &statement[range.clone()];
            let letter = register.chars().nth(1).expect("a letter");
            let number = register.get(2..).filter(|number| !number.is_empty()).unwrap_or("0");
            line.replace_range(range, &format!("%{}_{number}", types[&letter]));
        }
        for name in ["g", "s", "c", "l", "t", "u", "p"] {
            line = line.replace(&format!("[{name}"), &format!("[x{name}"));
        }
        line.replace(" g;", " xg;").replace(" f,", " ff,")
    })
}

/// The statements of the forms.
fn of_forms() -> impl Iterator<Item = String> {
    /// The registers of a type: its own, or bits.
    fn declared(ty: &str) -> &str {
        match ty {
            "bf16" => "b16",
            "bf16x2" => "b32",
            ty => ty,
        }
    }
    FORMS.iter().flat_map(|(form, types)| {
        let one = types.is_empty().then(|| (*form).to_owned());
        let each = types.split_whitespace().map(|ty| {
            let wide = match ty {
                "u16" => "u32",
                "s16" => "s32",
                "s32" => "s64",
                _ => "u64",
            };
            let form = form.replace("%#", &format!("%{}_", declared(ty)));
            form.replace("%W", &format!("%{wide}_")).replace('#', ty)
        });
        one.into_iter().chain(each)
    })
}

/// The places of the registers of a statement.
fn registers(statement: &str) -> Vec<Range<usize>> {
    let starts = statement.match_indices('%').map(|(start, _)| start);
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let range = |start: usize| {
        let rest = &statement[start + 1..];
        start..start + 1 + rest.find(is_end).unwrap_or(rest.len())
    };
    starts.map(range).collect()
}

/// The number of commas between operands, not in braces and brackets.
fn commas(text: &str) -> usize {
    let (mut depth, mut commas) = (0_usize, 0);
    for sign in text.chars() {
        match sign {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    commas
}

/// The form of an operand of a statement.
pub(crate) fn form(statement: &str, n: usize) -> Option<OperandForm> {
    let mut rest = statement.split_once(' ')?.1.trim_end_matches(';');
    let end = |text: &str| {
        let ends = text.match_indices(',').map(|(end, _)| end);
        ends.chain([text.len()]).find(|end| {
            let count = |signs: &str| text[..*end].chars().filter(|it| signs.contains(*it)).count();
            count("{[(") == count("}])")
        })
    };
    for _ in 0..n {
        rest = rest.get(end(rest)? + 1..)?.trim_start();
    }
    let operand = &rest[..end(rest)?];
    Some(match operand {
        "_" => OperandForm::Discarded,
        _ if operand.contains('|') => OperandForm::WithPredicate,
        _ if operand.trim_start_matches('!').starts_with("%p") => OperandForm::Predicate,
        _ => OperandForm::Any,
    })
}

/// The registers of each operand, by its index; those of a vector together.
fn operands(statement: &str) -> Vec<(usize, Vec<Range<usize>>)> {
    let mut found: Vec<(usize, Vec<Range<usize>>)> = Vec::new();
    let mut last = (0, 0);
    for range in registers(statement) {
        let before = &statement[..range.start];
        let count = |sign: &str| before.matches(sign).count();
        let is_address = count("[") > count("]");
        let is_vector = count("{") > count("}");
        let vectors = count("{");
        if is_address && !is_vector {
            continue;
        }
        let commas = commas(before);
        match found.last_mut() {
            Some((_, ranges)) if is_vector && last == (commas, vectors) => ranges.push(range),
            _ => found.push((commas, vec![range])),
        }
        last = (commas, vectors);
    }
    found
}

fn changed(statement: &str) -> Vec<Changed> {
    let (opcode, modifiers) = super::split(statement);
    let row = Row::find(opcode, &modifiers).expect("a row").opcode;
    let mut all = Vec::new();
    for (operand, ranges) in operands(statement) {
        let is_vector = statement[..ranges[0].start].ends_with(['{']) || ranges.len() > 1;
        let start = statement[..ranges[0].start].chars().last();
        let end = statement[ranges[0].end..].chars().next();
        let is_pair = [start, end].contains(&Some('|')) || start == Some('!');
        let registers = TYPES.iter().map(|ty| (*ty, format!("%{ty}_7")));
        let numbers = NUMBERS.iter().filter(|_| !is_pair).map(|number| (*number, (*number).into()));
        for (given, text) in registers.chain(numbers) {
            let mut line = statement.to_owned();
            for range in ranges.iter().rev() {
                line.replace_range(range.clone(), &text);
            }
            all.push(Changed { line, row, operand: Some(operand), given, is_vector });
        }
    }
    all
}

fn head(target: Target, version: Version) -> String {
    // Older versions have none of these.
    let is_there = |ty: &&&str| **ty != "b128" || !version.is_below(Version::new(8, 3));
    let registers = TYPES.iter().filter(is_there).map(|ty| format!(".reg .{ty} %{ty}_<9>; "));
    format!(".version {version}\n.target {target}\n{HEAD}{}\n", registers.collect::<String>())
}

/// The statements of both lists.
pub(crate) fn legal_statements() -> Vec<String> {
    of_requirements().chain(of_forms()).collect()
}

/// The statements that ptxas refuses in a version, by their indices.
pub(crate) fn refused(
    ptxas: &Ptxas,
    target: Target,
    version: Version,
    lines: &[&str],
) -> BTreeSet<usize> {
    let head = head(target, version);
    let first = head.lines().count() + 1;
    let mut refused = BTreeSet::new();
    let mut next = 0;
    // ptxas stops at a fatal error.
    loop {
        let text = format!("{head}{}\nret;\n}}\n", lines[next..].join("\n"));
        let diagnostics = match ptxas.assemble_text(&text, target) {
            Ok(_) => return refused,
            Err(AssembleError::Refused { diagnostics, .. }) => diagnostics,
            Err(error) => panic!("{error}"),
        };
        let statement = |it: &Diagnostic| Some(next + it.line?.checked_sub(first)?);
        refused.extend(diagnostics.iter().filter_map(statement));
        let mut fatal = diagnostics.iter().filter(|it| it.severity == Severity::Fatal);
        let Some(last) = fatal.find_map(statement) else { return refused };
        next = last + 1;
    }
}

/// The statements with a finding of one of these rules, by their indices.
pub(crate) fn found(target: Target, lines: &[&str], codes: &[&str]) -> BTreeMap<usize, String> {
    let head = head(target, Version::new(9, 0));
    let text = format!("{head}{}\nret;\n}}\n", lines.join("\n"));
    let first = head.lines().count();
    let findings = Parsed::new(text.clone()).check().into_iter();
    let findings =
        findings.filter(|found| matches!(found.code, Some(code) if codes.contains(&code)));
    let line = |at: usize| text[..at].matches('\n').count() - first;
    findings.map(|found| (line(found.range.start), found.message)).collect()
}

/// Whether ptxas takes other kinds of registers than the ISA has in this place, so that the table knows only sizes.
fn has_only_sizes(changed: &Changed) -> bool {
    let loose = ["f16x2", "bf16", "tf32", "x4", "x2", "wmma", "mma", "multimem", "fns"];
    changed.is_vector
        || changed.given == "f16x2"
        || loose
            .iter()
            .any(|word| changed.line.split([' ', '%']).next().is_some_and(|it| it.contains(word)))
}

#[test]
fn ptxas_agrees_with_the_types_of_operands() {
    let statements = legal_statements();
    for ptxas in xtask::oracles() {
        let mut wrong = Vec::new();
        let version = newest(&ptxas);
        let step = step(&ptxas);
        let (mut count, mut shown) = (0, BTreeSet::new());
        let mut left: Vec<&str> = statements.iter().map(String::as_str).collect();
        for target in [Target::Sm90a, Target::Sm103a] {
            let illegal = refused(&ptxas, target, version, &left);
            let nth = |n: usize| left[n];
            let legal = (0..left.len()).filter(|n| !illegal.contains(n)).map(nth);
            let legal: Vec<&str> = legal.collect();
            // On another target, only statements that this one does not have are new.
            left = illegal.iter().copied().map(nth).collect();
            wrong.extend(found(target, &legal, TYPE_RULES).into_values());
            let all = legal.iter().step_by(step).flat_map(|line| changed(line));
            let all: Vec<Changed> = all.collect();
            shown.extend(all.iter().map(|changed| changed.row));
            count += all.len();
            for part in all.chunks(1000) {
                let lines: Vec<&str> = part.iter().map(|changed| changed.line.as_str()).collect();
                let (refused, found) =
                    (refused(&ptxas, target, version, &lines), found(target, &lines, TYPE_RULES));
                for (n, changed) in part.iter().enumerate() {
                    let key = (changed.row, changed.operand.unwrap_or_default());
                    let is_known = !NOT_IN_TABLE.contains(&key);
                    let is_width = changed.given.starts_with('b');
                    // Of some places that take no integer, and of `movmatrix`, the table does not say so.
                    let is_unsaid = INTEGERS.contains(&changed.given)
                        || changed.row == "movmatrix" && NUMBERS.contains(&changed.given);
                    let is_exact = !is_unsaid && is_known && (is_width || !has_only_sizes(changed));
                    match (refused.contains(&n), found.get(&n)) {
                        (false, Some(message)) => {
                            wrong.push(format!(
                                "ptxas accepts {} ({target}): {message}",
                                changed.line
                            ));
                        }
                        (true, None) if is_exact => {
                            wrong.push(format!("ptxas refuses {} ({target})", changed.line));
                        }
                        (_, _) => {}
                    }
                }
            }
        }
        let number = wrong.len();
        wrong.truncate(40);
        assert!(
            wrong.is_empty(),
            "{}: {number} of {count}:\n{}",
            ptxas.release(),
            wrong.join("\n")
        );
        let is_typed = |ty: &OperandType| !matches!(ty, OperandType::Any | OperandType::Address);
        let missing = INSTRUCTIONS
            .iter()
            .filter(|row| row.operands.iter().flat_map(|(_, types)| *types).any(is_typed));
        let missing: Vec<&str> =
            missing.map(|row| row.opcode).filter(|opcode| !shown.contains(opcode)).collect();
        assert!(step > 1 || missing.is_empty(), "no statement has the operands of {missing:?}");
    }
}
