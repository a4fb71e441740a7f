//! The hazards that `--allow` names.

use ptx_isa::rules::{self, Kind, RULES, Rule};

/// The maximum number of similar codes to suggest.
const NEAR: usize = 4;

/// The hazard with this code.
///
/// # Errors
/// The code is not that of a hazard: the error explains what it is instead, and which codes are similar.
pub(crate) fn hazard(code: &str) -> Result<&'static Rule, String> {
    let code = code.trim();
    let found = RULES.iter().find(|rule| rule.code.eq_ignore_ascii_case(code));
    match found {
        Some(rule) if rule.allowed.is_anywhere() => Ok(rule),
        Some(rule) => Err(format!("{}; only hazards can be allowed", why_not(rule))),
        None => Err(unknown(code)),
    }
}

fn why_not(rule: &Rule) -> String {
    let name = rule.name.replace('_', " ");
    match rule.kind {
        Kind::Refused => format!("ptxas or the driver refuses {} ({name}), too", rule.code),
        Kind::Unenforced => format!("{} ({name}) is forbidden by the PTX ISA", rule.code),
        Kind::Hazard | Kind::Warned => format!("{} ({name}) cannot be allowed anywhere", rule.code),
    }
}

fn unknown(code: &str) -> String {
    if let Some(why) = rules::withdrawn(&code.to_ascii_uppercase()) {
        return format!("the rule was withdrawn: {why}");
    }
    let hazards = || RULES.iter().filter(|rule| rule.allowed.is_anywhere());
    if let Some(rule) = hazards().find(|rule| rule.name == code) {
        return format!("that is the name of {}; write the code", rule.code);
    }
    let is_near =
        |rule: &&Rule| strsim::damerau_levenshtein(rule.code, &code.to_ascii_uppercase()) == 1;
    let mut near: Vec<&Rule> = hazards().filter(is_near).collect();
    near.sort_by_key(|rule| rule.code);
    near.truncate(NEAR);
    if near.is_empty() {
        return "no hazard has this code; the error that reports a hazard shows its code, as in `error[A034]`"
            .to_owned();
    }
    let near: Vec<String> = near
        .iter()
        .map(|rule| format!("{} ({})", rule.code, rule.name.replace('_', " ")))
        .collect();
    format!("no hazard has this code; did you mean {}?", near.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hazard_is_named_by_its_code() {
        assert_eq!(hazard("A034").map(|rule| rule.name), Ok("wrong_type"));
        assert_eq!(hazard(" a034").map(|rule| rule.code), Ok("A034"));
    }

    #[test]
    fn hazards_and_warnings_can_be_allowed_and_nothing_else() {
        for rule in RULES {
            assert_eq!(
                hazard(rule.code).is_ok(),
                matches!(rule.kind, Kind::Hazard | Kind::Warned),
                "{}",
                rule.code
            );
        }
    }

    #[test]
    fn a_rule_that_cannot_be_allowed_is_reported_with_the_reason() {
        let why = |code| hazard(code).map(|rule| rule.code).unwrap_err();
        assert_eq!(
            why("D005"),
            "ptxas or the driver refuses D005 (align not power of two), too; only hazards can be allowed"
        );
        assert_eq!(
            why("A061"),
            "A061 (stored before nc) is forbidden by the PTX ISA; only hazards can be allowed"
        );
        assert_eq!(why("wrong_type"), "that is the name of A034; write the code");
        assert!(why("D057").starts_with("the rule was withdrawn: "));
        assert!(why("A34").contains("A034 (wrong type)"), "{}", why("A34"));
        assert!(why("everything").starts_with("no hazard has this code; the error that reports"));
    }
}
