//! `ptx explain`.
//!
//! The page of a rule is a file in `rules/`, written by hand. The facts from the tables of rules (the message,
//! the section, who enforces it, where it can be allowed) are appended to the page.

mod facts;
mod row;

use std::fmt::Write as _;
use std::io;

use serde::Serialize;

use crate::arguments::{self, OutputFormat};
use crate::finding::Kind;
use crate::json;
use crate::site;
use crate::terminal::{Status, Terminal};
use row::Row;

/// The shortest part of a name that is searched for.
const SHORTEST: usize = 4;

/// The maximum number of similar codes to suggest.
const NEAR: usize = 4;

/// The pages, by the codes of their rules, in order.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The mistakes that have a page on the site, a line for each: the code of the rule that finds it, or `-`, the name of the page,
/// and the title. `cargo test -p tests --test mistakes` writes the file.
const MISTAKES: &str = include_str!("../../rules/mistakes.txt");

/// Writes the page of a rule, or a list of all rules.
///
/// # Errors
/// It could not be written.
pub(crate) fn explain(
    command: &arguments::Explain,
    terminal: &mut Terminal<'_>,
) -> io::Result<Status> {
    let found = command.code.as_deref().map(find).transpose();
    let is_json = command.format.format() == OutputFormat::Json;
    match found {
        Ok(found) if is_json => {
            let rows = found.map_or_else(Row::all, |row| vec![row]);
            let rules = rows.into_iter().map(|row| Explained::of(row, found.is_some())).collect();
            json::write(&Document { failure: None, rules }, terminal)?;
        }
        Ok(Some(row)) => terminal.out.write_all(page(row).as_bytes())?,
        Ok(None) => terminal.out.write_all(list().as_bytes())?,
        Err(why) => {
            if is_json {
                let failure = Some(why.as_str());
                json::write(&Document { failure, rules: Vec::new() }, terminal)?;
            }
            return terminal.fail(&why);
        }
    }
    Ok(Status::Clean)
}

#[derive(Serialize)]
struct Document<'a> {
    /// Why there is no rule; `null` if there is.
    failure: Option<&'a str>,
    rules: Vec<Explained>,
}

/// A rule in JSON.
#[derive(Serialize)]
struct Explained {
    code: String,
    name: String,
    /// `refused`, `unenforced`, `hazard` or `warned`; `null` for the rules of tensor maps, whose text says what the driver does.
    kind: Option<&'static str>,
    /// The address of its page.
    page: String,
    /// The page in Markdown; `null` in a list of all rules.
    text: Option<String>,
}

impl Explained {
    fn of(row: Row, has_text: bool) -> Self {
        let kind = match row {
            Row::Declarations(rule) => Some(Kind::from(rule.kind).name()),
            Row::Maps(_) => None,
        };
        let (code, name) = (row.code().to_owned(), row.name());
        let address = site::of_rule(row.code());
        Self { code, name, kind, page: address, text: has_text.then(|| page(row)) }
    }
}

/// Every rule with its name.
fn list() -> String {
    Row::all().into_iter().fold(String::new(), |mut list, row| {
        let _ = writeln!(list, "{}  {}", row.code(), row.name());
        list
    })
}

/// The page of a rule, with the facts from the tables.
fn page(row: Row) -> String {
    let written = PAGES.iter().find(|(code, _)| *code == row.code()).map(|(_, page)| *page);
    let page = written.map_or_else(|| format!("# {}: {}\n", row.code(), row.name()), str::to_owned);
    format!("{page}{}\n## Reference\n\n{}", mistakes(row.code()), facts::of(row))
}

/// The section about the mistakes that break a rule, with their pages; empty if none is known.
fn mistakes(code: &str) -> String {
    let mut section = String::new();
    for line in MISTAKES.lines() {
        let mut words = line.splitn(3, ' ');
        if words.next() == Some(code)
            && let (Some(page), Some(title)) = (words.next(), words.next())
        {
            if section.is_empty() {
                section.push_str("\n## Mistakes\n\nptxas accepts each of these; its page has the PTX and what the GPU does:\n\n");
            }
            let _ = writeln!(section, "- [{title}]({})", site::of_mistake(page));
        }
    }
    section
}

/// The rule with this code, in upper or lower case.
fn find(code: &str) -> Result<Row, String> {
    // A code may be copied with its brackets: `[A021]`.
    let written = code.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let code = written.to_ascii_uppercase();
    let rows = Row::all();
    if let Some(row) = rows.iter().find(|row| row.code() == code) {
        return Ok(*row);
    }
    if let Some(why) = ptx_isa::rules::withdrawn(&code) {
        return Err(format!("{code} was withdrawn: {why}"));
    }
    let name = code.to_ascii_lowercase().replace(['_', '-'], " ");
    if let Some(row) = rows.iter().find(|row| row.name() == name) {
        return Err(format!("that is the name of {}; write the code", row.code()));
    }
    let is_word = name.len() >= SHORTEST;
    let named = rows.iter().filter(|row| is_word && row.name().contains(&name));
    let named: Vec<String> =
        named.take(NEAR).map(|row| format!("{} ({})", row.code(), row.name())).collect();
    if !named.is_empty() {
        return Err(format!(
            "no rule has the code `{written}`; did you mean {}?",
            named.join(" or ")
        ));
    }
    let is_near = |row: &&Row| strsim::damerau_levenshtein(row.code(), &code) == 1;
    let near = rows.iter().filter(is_near).take(NEAR);
    let near: Vec<String> = near.map(|row| format!("{} ({})", row.code(), row.name())).collect();
    Err(match &near[..] {
        [] => format!("no rule has the code `{written}`; `ptx explain` lists all rules"),
        near => format!("no rule has the code `{written}`; did you mean {}?", near.join(" or ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_found_by_its_code() {
        for (written, code) in [
            ("A021", "A021"),
            ("a021", "A021"),
            (" m014 ", "M014"),
            ("[A021]", "A021"),
            ("A021,", "A021"),
        ] {
            assert_eq!(find(written).map(Row::code).as_deref(), Ok(code));
        }
    }

    #[test]
    fn another_word_is_answered_with_the_nearest_codes() {
        let why = |code| find(code).map(Row::code).unwrap_err();
        assert!(why("A21").contains("A021 (offset misaligned)"), "{}", why("A21"));
        assert_eq!(why("offset_misaligned"), "that is the name of A021; write the code");
        assert_eq!(why("offset-misaligned"), "that is the name of A021; write the code");
        assert!(why("d057").starts_with("D057 was withdrawn: "));
        assert!(why("misaligned").contains("A021 (offset misaligned)"), "{}", why("misaligned"));
        assert_eq!(why("xyz"), "no rule has the code `xyz`; `ptx explain` lists all rules");
        assert_eq!(why(""), "no rule has the code ``; `ptx explain` lists all rules");
    }

    #[test]
    fn the_list_is_in_order() {
        let codes: Vec<&str> = Row::all().into_iter().map(Row::code).collect();
        assert!(codes.is_sorted());
        assert_eq!(list().lines().count(), codes.len());
    }
}
