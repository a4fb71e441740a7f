//! The messages of violations for readers of PTX, who declare nothing in Rust.

use ptx_isa::instruction::INSTRUCTIONS;
use ptx_isa::ir::{Extent, Type, Variable};
use ptx_isa::rules::{Environment, RULES, Scope, check_variable};
use ptx_isa::{ScalarType, Space};

/// The parts in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a piece of advice is PTX: a directive, a modifier, a type, a register, an operand, a number, a
/// comment, a value of the message, or an instruction.
fn is_ptx(word: &str) -> bool {
    let opcode = word.split([' ', '.', '{']).next().unwrap_or_default();
    word.starts_with(['.', '%', '[', '{', '/'])
        || word.starts_with(|first: char| first.is_ascii_digit())
        || ["call", "texmode_independent"].contains(&opcode)
        || INSTRUCTIONS.iter().any(|row| row.opcode.split('.').next() == Some(opcode))
}

#[test]
fn every_rule_advises_ptx() {
    for rule in RULES {
        let advice = rule.fix_in_ptx();
        for word in quoted(advice) {
            assert!(is_ptx(word), "{}: `{word}` is not PTX, in \"{advice}\"", rule.code);
        }
        assert!(!advice.contains("Rust"), "{}: {advice}", rule.code);
        assert_ne!(rule.fix_in_ptx, rule.fix, "{}: the fix stands twice", rule.code);
    }
}

/// The macro's message about a variable, and the message for a reader of PTX.
fn told(space: Space, ty: &Type<'_>) -> [String; 2] {
    let variable = Variable::new(space, "x", ty);
    let found = check_variable(&variable, Scope::Module, Environment::UNKNOWN);
    let [violation] = &*found else { panic!("one rule is broken, not {found:?}") };
    [violation.to_string(), violation.in_ptx().to_string()]
}

#[test]
fn the_advice_is_in_ptx_and_the_code_stands_apart() {
    let wide = Type::Vector(4, ScalarType::F64);
    let message = "`.v4 .f64` is 32 bytes, and a PTX vector holds at most 16";
    assert_eq!(
        told(Space::Global, &wide),
        [
            format!("{message}; use `V2<f64>` [D004, PTX ISA 5.4.2]"),
            format!(
                "{message}; use `.v2` for elements of 8 bytes, `.v4` for smaller ones, or an array"
            ),
        ]
    );
}

#[test]
fn advice_of_tests_is_in_ptx_too() {
    let predicate = Type::Scalar(ScalarType::Pred);
    let predicates = Type::Array(Extent::Incomplete, &predicate);
    let mut variable = Variable::new(Space::Shared, "x", &predicates);
    variable.linkage = ptx_isa::ir::Linkage::Extern;
    let found = check_variable(&variable, Scope::Module, Environment::UNKNOWN);
    let told: Vec<_> = found.iter().map(|violation| violation.in_ptx().fix()).collect();
    assert!(
        told.iter()
            .any(|fix| fix.as_str() == "store it as `.u8`, or declare `.reg .pred` in the body"),
        "{found:?}"
    );
    assert!(found.iter().any(|violation| violation.to_string().contains("store a `u8`")));
}

#[test]
fn advice_without_a_ptx_variant_is_unchanged() {
    let single = Type::Scalar(ScalarType::U32);
    let mut variable = Variable::new(Space::Global, "x", &single);
    variable.align = Some(6);
    let found = check_variable(&variable, Scope::Module, Environment::UNKNOWN);
    let [violation] = &*found else { panic!("one rule is broken, not {found:?}") };
    let in_ptx = violation.in_ptx();
    assert_eq!(in_ptx.message().as_str(), "the alignment 6 is not a power of two");
    assert_eq!(in_ptx.fix().as_str(), "write 4 or 8");
    assert_eq!(in_ptx.text().as_str(), "the alignment 6 is not a power of two; write 4 or 8");
}
