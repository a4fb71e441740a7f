//! Hazards that may be allowed, by the codes of their rules.

use ptx_types::rules::{self, Kind, Rule};

/// What a statement may be allowed: what its instruction does.
const OF_STATEMENTS: &[&str] = &[
    "access",
    "operand",
    "copy",
    "form",
    "transactions",
    "completed",
    "count",
    "descriptor",
    "instruction",
    "alignment",
];

/// What a declaration may be allowed of all accesses to it.
const OF_ACCESSES: &[&str] = &["A022", "A034", "A036"];

/// What a declaration in a body may be allowed of itself.
const OF_DECLARATIONS: &[&str] = &["D006", "D024", "D040"];

/// Whether a rule is about accesses to a declaration, which may allow it for all of them.
pub fn is_of_accesses(rule: &Rule) -> bool {
    OF_ACCESSES.contains(&rule.code)
}

/// Whether a rule is about what a declaration in a body says.
pub fn is_of_declarations(code: &str) -> bool {
    OF_DECLARATIONS.contains(&code)
}

/// Whether a declaration may be allowed to break a rule, or accesses to it may.
pub fn is_allowed_on_declarations(code: &str) -> bool {
    is_of_declarations(code) || OF_ACCESSES.contains(&code)
}

/// Whether a rule is about what an instruction does.
pub fn is_of_statements(rule: &Rule) -> bool {
    rule.kind == Kind::Hazard && OF_STATEMENTS.contains(&rule.subject)
}

/// The rule that a statement is allowed to break, by its code; else what is wrong with that.
pub fn statement_hazard(code: &str) -> Result<&'static str, String> {
    match rules::rule(code) {
        Some(rule) if is_of_statements(rule) || is_of_declarations(rule.code) => Ok(rule.code),
        Some(rule) => Err(not_allowed(rule)),
        None => Err(no_hazard(code)),
    }
}

/// What is wrong with a code that names no rule.
pub fn no_hazard(code: &str) -> String {
    match rules::withdrawn(code) {
        Some(why) => format!("`{code}` was withdrawn: {why}; remove the allowance"),
        None => format!(
            "there is no hazard `{code}`; the code of one stands in its error, as in `[A021, ..]`"
        ),
    }
}

/// Why a rule cannot be allowed where it was.
pub fn not_allowed(rule: &Rule) -> String {
    let code = rule.code;
    match rule.kind {
        Kind::Refused => format!("`{code}` cannot be allowed: ptxas or the driver refuses it too"),
        Kind::Unenforced => format!("`{code}` cannot be allowed: the PTX ISA forbids it"),
        Kind::Hazard => format!("`{code}` cannot be allowed here, where nothing can break it"),
    }
}
