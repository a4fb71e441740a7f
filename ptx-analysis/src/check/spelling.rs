//! Checks the words of instructions: opcodes, modifiers, and what follows an operand.

use ptx_isa::instruction::{COMPLETE, Row, WordKind, is_part_of_opcodes, meant};
use ptx_isa::ir::body::{Instruction, Name, Operand, TokenRange};
use ptx_isa::rules::form::Form;
use ptx_isa::rules::instruction::Used;
use ptx_isa::rules::misplaced::{Misplaced, Wanted};
use ptx_isa::{ScalarType, Space, Version, special};

use crate::flow::place::Place;
use crate::names::resolver::Resolver;
use crate::names::scope::Meaning;

/// Suggests corrections for an opcode and modifiers that are spelled like known ones; names the intended instruction
/// if each has exactly one candidate.
pub(crate) fn check_words<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) -> Option<Instruction<'a>> {
    let mut corrected: Option<Instruction<'a>> = None;
    let first = (WordKind::Opcode, instruction.opcode);
    let modifiers = instruction.modifiers.iter().map(|modifier| {
        (if modifier.is_sub { WordKind::Submodifier } else { WordKind::Modifier }, modifier.word)
    });
    for (n, (kind, word)) in core::iter::once(first).chain(modifiers).enumerate() {
        let found = meant(kind, word);
        let at = TokenRange::one(instruction.opcode_at.first + n);
        let Some(likeliest) = found.first() else {
            if is_of_no_version(resolver, kind, word) {
                let wanted = Wanted::Word(kind);
                let found = Misplaced { name: word, is: "", wanted };
                resolver.check_misplaced(found, Place::new(statement, at));
                corrected.get_or_insert_with(|| instruction.clone());
                // The modifiers are those of an instruction that is not known.
                if n == 0 {
                    break;
                }
            }
            continue;
        };
        let nth = |n: usize| kind.number(found.get(n).copied().unwrap_or_default());
        let used = Used::Misspelt { kind, word, meant: [nth(0), nth(1), nth(2)] };
        if resolver.check_used(used, word, Place::new(statement, at)) {
            continue;
        }
        let corrected = corrected.get_or_insert_with(|| instruction.clone());
        match (found.len(), n.checked_sub(1)) {
            (1, None) => corrected.opcode = likeliest,
            (1, Some(n)) => corrected.modifiers[n].word = likeliest,
            _ => {}
        }
    }
    let mut corrected = corrected?;
    corrected.row = Row::find(corrected.opcode, &corrected.pairs());
    Some(corrected)
}

/// Whether no version up to the declared one has a word, which no allowance lets pass.
fn is_of_no_version(resolver: &mut Resolver<'_, '_, '_>, kind: WordKind, word: &str) -> bool {
    let is_complete = |version: Version| !COMPLETE.is_below(version);
    let is_complete = resolver.unit.environment.version.is_some_and(is_complete);
    if kind.understands(word) || kind == WordKind::Submodifier || !is_complete && !is_space(word) {
        return false;
    }
    let allowed = resolver.report.allowances_with(&resolver.allowed);
    !resolver.report.is_allowed("A084", &allowed) && !resolver.report.is_allowed("A030", &allowed)
}

/// Whether a word is a state space, of which no version gets more.
fn is_space(word: &str) -> bool {
    Space::from_name(word).is_some()
}

/// Checks that the parts of an opcode stand before the types and state spaces of the instruction, and once:
/// `mad.wide.u32`.
pub(crate) fn check_parts<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    let modifiers = &instruction.modifiers;
    let is_late = |n: &usize| {
        let (before, word) = (&modifiers[..*n], modifiers[*n].word);
        let has_submodifier = modifiers.get(n + 1).is_some_and(|next| next.is_sub);
        let ends_opcode = |word: &str| is_space(word) || ScalarType::from_name(word).is_some();
        is_part_of_opcodes(word)
            && !modifiers[*n].is_sub
            && !has_submodifier
            && before.iter().any(|it| !it.is_sub && (it.word == word || ends_opcode(it.word)))
    };
    if let Some(n) = (0..modifiers.len()).find(is_late) {
        let place = Place::new(statement, instruction.modifier_at(n));
        let found = Misplaced { name: modifiers[n].word, is: "", wanted: Wanted::PartOfOpcode };
        resolver.check_misplaced(found, place);
    }
}

/// Checks that an element is selected from a vector, not from a scalar.
pub(crate) fn check_element<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    name: Name<'a>,
) {
    /// The elements of vectors (PTX ISA 5.4.2, 6.5.2).
    const ELEMENTS: &[&str] = &["x", "y", "z", "w", "r", "g", "b", "a"];
    // The bytes and halves of a video instruction (PTX ISA 9.7.19).
    let is_part = |word: &str| {
        let digits = word.strip_prefix(['b', 'h']).unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    if !name.element.is_empty() && !ELEMENTS.contains(&name.element) && !is_part(name.element) {
        let place = Place::new(statement, TokenRange::one(name.token + 1));
        report_suffix(resolver, place, name.element);
    } else if ELEMENTS.contains(&name.element)
        && let Some(Meaning::Declared(declared, _)) = resolver.scopes.find(name.text)
        && declared.space == Space::Reg
        && matches!(declared.ty.element(), ptx_isa::ir::Type::Scalar(_))
    {
        let hides = special::is_special(name.text);
        let place = Place::new(statement, name.whole_at());
        resolver.check_form(Form::Element(name.text, name.element, hides), place);
    }
}

/// Checks the modifiers after an operand, of which there is one: `[X].unified`.
pub(crate) fn check_suffix<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    operand: &Operand<'a>,
) {
    let modifiers = &operand.modifiers;
    let other = modifiers.iter().position(|modifier| modifier.word != "unified");
    if let (Some(at), Some(n)) = (operand.at, other) {
        // They end the operand.
        let at = TokenRange::one((at.last + 1 + n).saturating_sub(modifiers.len()));
        report_suffix(resolver, Place::new(statement, at), modifiers[n].word);
    }
}

fn report_suffix<'a>(resolver: &mut Resolver<'_, 'a, '_>, place: Place, word: &'a str) {
    let found = Misplaced { name: word, is: "", wanted: Wanted::NoSuffix };
    resolver.check_misplaced(found, place);
}
