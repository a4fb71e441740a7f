//! The pages of mistakes: the sections of `docs/mistakes.md`, each of which is a page of the book.

use std::error::Error;
use std::fmt::Write as _;

/// The pages, a line for each: the code of the rule, or `-`, the name of the page, and the title.
const PAGES: &str = include_str!("../../rules/mistakes.txt");

/// A page.
pub(super) struct Page<'a> {
    pub(super) title: &'a str,
    pub(super) path: String,
    pub(super) text: String,
}

/// Divides the text into an index, in which a link stands for each section of a mistake, and the pages of these.
///
/// # Errors
/// A mistake of the list has no section.
pub(super) fn pages(text: &str) -> Result<(String, Vec<Page<'_>>), Box<dyn Error>> {
    let mut index = String::new();
    let mut pages = Vec::new();
    for section in sections(text) {
        let listed = title(section).and_then(|title| {
            let mut lines = PAGES.lines().map(|line| line.splitn(3, ' '));
            lines.find_map(|mut words| {
                let (code, name) = (words.next()?, words.next()?);
                (words.next()? == title).then_some((code, name, title))
            })
        });
        let Some((code, name, title)) = listed else {
            let _ = write!(index, "\n{section}");
            continue;
        };
        let body = section.split_once('\n').map_or("", |(_, body)| body);
        let mut text = format!("# {title}\n{body}");
        if code != "-" {
            let _ = writeln!(text, "\nThe rule that finds it: [{code}](../rules/{code}.md).");
        }
        let _ = writeln!(text, "\n[All mistakes](../reference/mistakes.md)");
        let _ = writeln!(index, "- [{title}](../mistakes/{name}.md)");
        pages.push(Page { title, path: format!("mistakes/{name}.md"), text });
    }
    let count = PAGES.lines().count();
    if pages.len() != count {
        let found = pages.len();
        return Err(format!("docs/mistakes.md has {found} of the {count} mistakes").into());
    }
    Ok((index.trim_start().to_owned(), pages))
}

/// The parts of a text that start with a heading.
fn sections(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut is_code = false;
        let mut at = 0;
        for line in rest.split_inclusive('\n') {
            is_code ^= line.starts_with("```");
            if at > 0 && !is_code && line.starts_with('#') {
                break;
            }
            at += line.len();
        }
        let (section, after) = rest.split_at(at);
        rest = after;
        Some(section)
    })
}

/// The title of a section of a mistake: `## 12. Title`, `## H3. Title`.
fn title(section: &str) -> Option<&str> {
    let heading = section.lines().next()?.strip_prefix("## ")?;
    let (number, title) = heading.split_once(". ")?;
    number.trim_start_matches('H').parse::<u32>().is_ok().then_some(title)
}
