//! Where hazards can be allowed: on their subject, and a few in further places.

use ptx_isa::rules::{AllowanceSite, Kind, RULES, Rule};

fn codes(site: AllowanceSite) -> Vec<&'static str> {
    RULES.iter().filter(|rule| rule.is_allowed_on(site)).map(|rule| rule.code).collect()
}

#[test]
fn only_hazards_and_warnings_can_be_allowed_and_each_somewhere() {
    let sites = [
        AllowanceSite::Variable,
        AllowanceSite::Param,
        AllowanceSite::Function,
        AllowanceSite::Local,
        AllowanceSite::Statement,
    ];
    for rule in RULES {
        let can_be = sites.into_iter().any(|site| rule.is_allowed_on(site));
        assert_eq!(can_be, matches!(rule.kind, Kind::Hazard | Kind::Warned), "{}", rule.code);
        assert!(
            !rule.is_allowed_on(AllowanceSite::Map),
            "{} is not a rule of tensor maps",
            rule.code
        );
    }
}

#[test]
fn a_function_allows_the_hazards_of_its_statements() {
    let of_function = codes(AllowanceSite::Function);
    assert!(codes(AllowanceSite::Statement).iter().all(|code| of_function.contains(code)));
}

#[test]
fn declarations_allow_their_own_hazards_and_those_of_all_accesses() {
    let accesses = ["A034", "A022", "A036"];
    let variable = ["D006", "D071", "D075", "D073", "D024", "D040", "D034", "D072", "D074", "D070"];
    assert_eq!(codes(AllowanceSite::Variable), [variable.as_slice(), &accesses].concat());
    assert_eq!(codes(AllowanceSite::Param), [["D071", "D021", "D077"], accesses].concat());
    assert_eq!(codes(AllowanceSite::Local), [["D006", "D024", "D040"], accesses].concat());
}

#[test]
fn functions_allow_hazards_outside_statements() {
    let of_statement = codes(AllowanceSite::Statement);
    let mut alone = codes(AllowanceSite::Function);
    alone.retain(|code| !of_statement.contains(code));
    let of_declarations = ["D006", "D071", "D024", "D040", "D021", "D077"];
    let is_own = |rule: &&Rule| {
        matches!(rule.subject, "function" | "directive")
            && matches!(rule.kind, Kind::Hazard | Kind::Warned)
    };
    let own: Vec<&str> = RULES.iter().filter(is_own).map(|rule| rule.code).collect();
    assert!(own.contains(&"F019") && own.contains(&"F030"), "{own:?}");
    assert_eq!(alone, [of_declarations.as_slice(), &own].concat());
}
