//! Hazards that can be allowed, by the codes of their rules.

use ptx_isa::rules::{self, AllowanceSite, Kind, Rule};

/// Whether a rule concerns a declaration in a body.
fn is_of_locals(rule: &Rule) -> bool {
    rule.is_allowed_on(AllowanceSite::Local) && !rule.is_allowed_on(AllowanceSite::Statement)
}

/// Whether the rule with this code concerns a declaration in a body.
pub fn is_of_declarations(code: &str) -> bool {
    rules::rule(code).is_some_and(is_of_locals)
}

/// Whether a declaration can allow the hazard with this code, for itself or for accesses to it.
pub fn is_allowed_on_declarations(code: &str) -> bool {
    rules::rule(code).is_some_and(|rule| rule.is_allowed_on(AllowanceSite::Local))
}

/// Whether a rule concerns an instruction.
pub fn is_of_statements(rule: &Rule) -> bool {
    rule.is_allowed_on(AllowanceSite::Statement)
}

/// The code of a rule that a statement can allow, or else the reason why it cannot.
pub fn statement_hazard(rule: &Rule) -> Result<&'static str, String> {
    if is_of_statements(rule) || is_of_locals(rule) {
        Ok(rule.code)
    } else {
        Err(not_allowed(rule))
    }
}

/// The rule with this code. If there is none, this is reported, and the rule is that whose code was probably meant.
pub fn named(code: &str, report: impl FnOnce(String)) -> Option<&'static Rule> {
    rules::rule(code).or_else(|| {
        report(no_hazard(code));
        meant(code)
    })
}

/// The message for a code that does not name a rule.
pub fn no_hazard(code: &str) -> String {
    match rules::withdrawn(code) {
        Some(why) => format!("`{code}` was withdrawn: {why}; remove the allowance"),
        None => match meant(code) {
            Some(meant) => {
                format!("no rule is called `{code}`; did you mean `{}`?", meant.code)
            }
            None => format!(
                "no rule is called `{code}`; an error ends with the code of its rule, as in `[A021, ..]`"
            ),
        },
    }
}

/// The rule that was probably meant: `A034` for `A34`, `a034` and `a34`.
pub fn meant(word: &str) -> Option<&'static Rule> {
    let mut chars = word.chars();
    let letter = chars.next()?.to_ascii_uppercase();
    let number: u16 = chars.as_str().parse().ok()?;
    rules::rule(&format!("{letter}{number:03}"))
}

/// The reason why a rule cannot be allowed at this place.
pub fn not_allowed(rule: &Rule) -> String {
    let code = rule.code;
    match rule.kind {
        Kind::Refused => format!("`{code}` cannot be allowed: ptxas or the driver refuses it too"),
        Kind::Unenforced => format!("`{code}` cannot be allowed: the PTX ISA forbids it"),
        Kind::Hazard | Kind::Warned => {
            format!("`{code}` cannot be allowed here, since nothing here can break it")
        }
    }
}
