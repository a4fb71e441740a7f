//! The reference of the site (`examples/book`): a page of a rule is what `ptx explain` prints, and links lead to pages of the site.
//! `.ci/guide` builds the site and follows every link.

#[path = "../examples/book/reference.rs"]
mod reference;

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};

/// What `ptx explain` prints.
fn explain(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    let output = command.arg("explain").args(arguments).output().expect("it runs");
    String::from_utf8(output.stdout).expect("it writes UTF-8")
}

/// The chapters of these and below them, by their paths.
fn chapters(items: &[Value], found: &mut BTreeMap<String, String>) {
    for chapter in items.iter().filter_map(|item| item.get("Chapter")) {
        let text = |field: &str| chapter[field].as_str().expect(field).to_owned();
        assert!(found.insert(text("path"), text("content")).is_none(), "two are {}", text("path"));
        chapters(chapter["sub_items"].as_array().expect("a list"), found);
    }
}

/// A book with a chapter of the guide, and the reference.
fn book() -> BTreeMap<String, String> {
    let repository = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
    let content = format!(
        "[a]({repository}docs/rules.md#x) [b]({repository}ptx-cli/rules/A040.md) [c]({repository}README.md)"
    );
    let chapter = json!({ "Chapter": {
        "name": "Editors", "content": content, "path": "tool/editors.md", "sub_items": [],
    } });
    let mut items = vec![json!("Separator"), chapter];
    reference::add(&mut items).expect("the pages are there");
    let mut found = BTreeMap::new();
    chapters(&items, &mut found);
    found
}

#[test]
fn pages_of_rules_are_what_the_tool_prints() {
    let book = book();
    let rules = explain(&[]);
    for rule in rules.lines() {
        let code = rule.split(' ').next().expect("a code");
        assert_eq!(book.get(&format!("rules/{code}.md")), Some(&explain(&[code])), "{code}");
    }
    let pages = book.keys().filter(|path| path.starts_with("rules/")).count();
    assert_eq!(pages, rules.lines().count());
    assert!(pages > 200, "{pages} rules");
}

#[test]
fn links_lead_to_pages_of_the_site() {
    let book = book();
    let of_guide = &book["tool/editors.md"];
    let repository = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
    let expected =
        format!("[a](../reference/rules.md#x) [b](../rules/A040.md) [c]({repository}README.md)");
    assert_eq!(of_guide, &expected);
    let rules = &book["reference/rules.md"];
    assert!(rules.contains("](../rules/A001.md)") && !rules.contains("ptx-cli/rules"), "{rules}");
    assert!(book["reference/mistakes.md"].starts_with("# Mistakes that ptxas accepts\n"));
}

/// Each mistake has a page, the page of its rule names it, and it names the rule.
#[test]
fn mistakes_are_pages_that_the_tool_names() {
    let book = book();
    let site = concat!(env!("CARGO_PKG_HOMEPAGE"), "/mistakes/");
    let mut named = 0;
    for (path, page) in book.iter().filter(|(path, _)| path.starts_with("rules/")) {
        for link in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let Some(name) = link.strip_prefix(site) else { continue };
            let name = name.strip_suffix(".html").expect("a page");
            let mistake = &book[&format!("mistakes/{name}.md")];
            assert!(mistake.contains(&format!("](../{path})")), "{mistake}");
            named += 1;
        }
    }
    let pages = || book.iter().filter(|(path, _)| path.starts_with("mistakes/"));
    let of_rules = pages().filter(|(_, page)| page.contains("](../rules/")).count();
    assert_eq!(named, of_rules);
    assert!(named > 130 && pages().count() > 200, "{named} of {}", pages().count());
    let index = &book["reference/mistakes.md"];
    for (path, page) in pages() {
        assert!(index.contains(&format!("](../{path})")), "{path}");
        let title = page.lines().next().and_then(|line| line.strip_prefix("# "));
        assert!(title.is_some_and(|title| index.contains(&format!("[{title}]"))), "{path}");
    }
    assert!(index.contains("\n## Apparent mistakes\n") && !index.contains("```"), "{index}");
}

/// What the tool says of a rule names its page.
#[test]
fn messages_name_pages_of_the_site() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cmd/check.in");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptx"));
    let output =
        command.args(["check", "hazards.ptx", "--format", "json"]).current_dir(folder).output();
    let document: Value =
        serde_json::from_slice(&output.expect("it runs").stdout).expect("it is one document");
    let book = book();
    let findings = document["findings"].as_array().expect("a list");
    assert!(!findings.is_empty());
    for finding in findings {
        let page = finding["page"].as_str().expect("the page of its rule");
        let path = page.strip_prefix(concat!(env!("CARGO_PKG_HOMEPAGE"), "/"));
        let path = path.and_then(|path| path.strip_suffix(".html")).expect("it is of the site");
        assert!(book.contains_key(&format!("{path}.md")), "{page}");
    }
}
