//! The advice in messages is followed: the resulting text no longer breaks that rule, and breaks no rule that was not
//! reported before.

/// A kernel with some registers, and with these declarations, parameters, directives and statements.
macro_rules! kernel {
    ($declared:literal, ($($params:literal)?), $body:literal $(, $directives:literal)?) => {
        concat!(
            $declared, "\n.visible .entry k(", $($params,)? ")", $(" ", $directives,)? " {\n",
            ".reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;\n",
            $body, "\nret;\n}"
        )
    };
}

mod bodies;
mod declarations;
mod orders;

use std::collections::BTreeSet;

use ptx_text::Parsed;

/// A text that breaks a rule, and the advice in the message.
struct Case {
    /// The rule.
    code: &'static str,
    /// The module, without `.version`, `.target` and `.address_size` if it has none.
    text: &'static str,
    /// The advice, or the part of it that the test follows.
    advice: &'static str,
    /// Ways to follow it: each is a list of replacements.
    ways: &'static [&'static [(&'static str, &'static str)]],
}

/// The module as a whole.
fn module(text: &str) -> String {
    if text.contains(".version") {
        return text.to_owned();
    }
    format!(".version 8.7\n.target sm_90a\n.address_size 64\n{text}")
}

/// The codes of all findings.
fn codes(parsed: &Parsed) -> BTreeSet<&'static str> {
    parsed.check().iter().filter_map(|found| found.code).collect()
}

fn parsed(text: &str) -> Parsed {
    let parsed = Parsed::new(text.to_owned());
    assert!(parsed.syntax().is_empty(), "{text}\n{:#?}", parsed.syntax());
    parsed
}

fn follow(cases: &[Case]) {
    for Case { code, text, advice, ways } in cases {
        let text = module(text);
        let before = parsed(&text);
        let found = before.check();
        let of_rule: Vec<_> = found.iter().filter(|found| found.code == Some(code)).collect();
        let is_advised =
            |help: &Option<String>| help.as_ref().is_some_and(|help| help.contains(advice));
        assert!(
            of_rule.iter().any(|found| is_advised(&found.help)),
            "{code} does not advise `{advice}`: {found:#?}\n{text}"
        );
        assert!(!ways.is_empty(), "{code}: no way to follow it");
        for way in *ways {
            let mut fixed = text.clone();
            for (from, to) in *way {
                assert_eq!(fixed.matches(from).count(), 1, "{code}: `{from}` in\n{fixed}");
                fixed = fixed.replacen(from, to, 1);
            }
            let after = codes(&parsed(&fixed));
            assert!(!after.contains(code), "{code} is broken still by\n{fixed}");
            let more: Vec<_> = after.difference(&codes(&before)).copied().collect();
            assert!(more.is_empty(), "{code}: `{advice}` breaks {more:?}\n{fixed}");
        }
    }
}

#[test]
fn advice_on_declarations_breaks_no_other_rule() {
    follow(declarations::CASES);
}

#[test]
fn advice_on_bodies_breaks_no_other_rule() {
    follow(bodies::CASES);
}

#[test]
fn advice_on_orders_breaks_no_other_rule() {
    follow(orders::CASES);
}
