//! The PTX version and the targets that support a statement.

use ptx_isa::instruction::{Needs, OperandForm, Row, needs};
use ptx_isa::rules::access::SubSpace;
use ptx_isa::{Target, Version};

/// The modifiers in the head of a statement, each with its separator.
pub(crate) fn modifiers(head: &str) -> (&str, Vec<(&str, &str)>) {
    let mut words = head.split('.');
    let opcode = words.next().unwrap_or_default();
    // `bar.red` is the opcode `bar` with a modifier, and `tcgen05.wait::ld` has two words.
    let modifiers = words.flat_map(|word| {
        let parts = word.split("::").enumerate();
        parts.map(|(n, part)| (if n == 0 { "." } else { "::" }, part))
    });
    (opcode, modifiers.collect())
}

/// The operands of a statement, split at the commas between them.
pub(crate) fn operands(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, sign) in text.char_indices() {
        match sign {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || !found.is_empty() {
        found.push(last);
    }
    found
}

fn form(operand: &str) -> OperandForm {
    match operand {
        "_" => OperandForm::Discarded,
        _ if operand.contains('|') => OperandForm::WithPredicate,
        _ if operand.trim_start_matches('!').starts_with("%pred") => OperandForm::Predicate,
        _ => OperandForm::Any,
    }
}

/// What the parts of a statement need, for a row, the head and the operands.
fn parts(row: &'static Row, head: &str, operands: &[&str]) -> Vec<(&'static str, Needs)> {
    let (opcode, modifiers) = modifiers(head);
    needs(Some(row), opcode, &modifiers, |n| operands.get(n).map(|operand| form(operand)))
}

const SUB_SPACES: &[SubSpace] =
    &[SubSpace::Entry, SubSpace::Func, SubSpace::Cta, SubSpace::Cluster];

/// The lowest PTX version in which a target has a statement; `None` if it does not have it.
pub(crate) fn lowest(
    row: &'static Row,
    head: &str,
    operands: &[&str],
    target: Target,
) -> Option<Version> {
    let parts = parts(row, head, operands);
    let spaces: Vec<SubSpace> =
        SUB_SPACES.iter().copied().filter(|space| head.contains(space.name())).collect();
    let has_all = parts.iter().all(|(_, needs)| needs.has(target))
        && spaces.iter().all(|space| target.arch() >= space.min_arch());
    let versions = parts.iter().map(|(_, needs)| needs.since_on(Some(target)));
    let versions = versions.chain(spaces.iter().map(|space| space.since()));
    has_all.then(|| versions.fold(target.since(), Version::newer))
}
