//! The chapters that the guide does not have itself.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// Where links from the guide to files of the repository lead, which are not all in the book.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// The pages of `docs/`, in the order of the book, with the titles that the table of contents has.
const PAGES: &[(&str, &str)] = &[
    ("rules", "The rules"),
    ("tensor-rules", "The rules of tensor maps"),
    ("mistakes", "Mistakes that ptxas accepts"),
    ("diagnostics", "Forty mistakes in six tools"),
    ("coverage", "Coverage of the PTX ISA"),
    ("differences", "Where ptxas and the PTX ISA differ"),
    ("ptxas", "ptxas beyond its manual"),
    ("tensor-maps", "Tensor copies beyond their manual"),
    ("measurements", "Measurements"),
];

#[path = "mistakes.rs"]
mod mistakes;

/// Adds the chapters, and has the links of all chapters lead to them.
///
/// # Errors
/// A page cannot be read, or the tool does not run.
pub(crate) fn add(items: &mut Vec<Value>) -> Result<(), Box<dyn Error>> {
    for item in items.iter_mut() {
        in_guide(item);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let rules = rules()?;
    items.push(json!({ "PartTitle": "Reference" }));
    for (name, title) in PAGES {
        let text = fs::read_to_string(root.join(format!("docs/{name}.md")))?;
        let rules = rules.iter().filter(|rule| match *name {
            "rules" => !rule.code.starts_with('M'),
            "tensor-rules" => rule.code.starts_with('M'),
            _ => false,
        });
        let below: Vec<Value> =
            rules.map(|rule| chapter(&rule.title, &rule.page, &rule.path(), &[])).collect();
        let text = of_docs(&text);
        let path = format!("reference/{name}.md");
        items.push(if *name == "mistakes" {
            let (index, pages) = mistakes::pages(&text)?;
            let pages = pages.iter().map(|page| chapter(page.title, &page.text, &page.path, &[]));
            chapter(title, &index, &path, &pages.collect::<Vec<_>>())
        } else {
            chapter(title, &text, &path, &below)
        });
    }
    Ok(())
}

/// A chapter, as mdbook has it.
fn chapter(title: &str, content: &str, path: &str, below: &[Value]) -> Value {
    json!({ "Chapter": {
        "name": title,
        "content": content,
        "number": null,
        "sub_items": below,
        "path": path,
        "source_path": null,
        "parent_names": [],
    } })
}

/// A rule.
struct Rule {
    code: String,
    /// The code and the name.
    title: String,
    page: String,
}

impl Rule {
    fn path(&self) -> String {
        format!("rules/{}.md", self.code)
    }
}

/// All rules, with what the tool prints about them.
fn rules() -> Result<Vec<Rule>, Box<dyn Error>> {
    let list = explain(&[])?;
    let rules = list.lines().map(|line| {
        let code = line.split(' ').next().unwrap_or_default().to_owned();
        let page = explain(&[&code])?;
        let title = page.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        Ok(Rule { code, title, page })
    });
    rules.collect()
}

/// What `ptx explain` prints.
fn explain(arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut command = vec!["ptx", "explain"];
    command.extend(arguments);
    let arguments = <ptx_cli::Arguments as clap::Parser>::try_parse_from(command)?;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = ptx_cli::Terminal::of_program(&mut out, &mut err, clap::ColorChoice::Never);
    ptx_cli::run(&arguments, &mut terminal)?;
    if out.is_empty() {
        return Err(String::from_utf8(err)?.into());
    }
    Ok(String::from_utf8(out)?)
}

/// Links of the guide to pages of `docs/` and of rules lead to those of the book.
fn in_guide(item: &mut Value) {
    // Others are separators and titles of parts.
    let Some(chapter) = item.get_mut("Chapter") else { return };
    let Some(path) = chapter["path"].as_str() else { return };
    let up = "../".repeat(path.matches('/').count());
    if let Some(content) = chapter["content"].as_str() {
        let mut content = content.to_owned();
        for (name, _) in PAGES {
            let page = format!("]({REPOSITORY}docs/{name}.md");
            content = content.replace(&page, &format!("]({up}reference/{name}.md"));
        }
        content =
            content.replace(&format!("]({REPOSITORY}ptx-cli/rules/"), &format!("]({up}rules/"));
        chapter["content"] = Value::from(content);
    }
    for below in chapter["sub_items"].as_array_mut().into_iter().flatten() {
        in_guide(below);
    }
}

/// Links of a page of `docs/` lead to pages of the book, or else to the repository.
fn of_docs(text: &str) -> String {
    let mut parts = text.split("](");
    let mut rewritten = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rewritten.push_str("](");
        rewritten.push_str(&of_link(part));
    }
    rewritten
}

/// A text that starts with the target of a link.
fn of_link(text: &str) -> String {
    let mut pages = PAGES.iter().map(|(name, _)| format!("{name}.md"));
    if text.starts_with('#') || text.split(')').next().is_some_and(|target| target.contains("://"))
    {
        return text.to_owned();
    }
    if let Some(rule) = text.strip_prefix("../ptx-cli/rules/") {
        return format!("../rules/{rule}");
    }
    if let Some(chapter) = text.strip_prefix("guide/src/") {
        return format!("../{chapter}");
    }
    if pages.any(|page| text.starts_with(&page)) {
        return text.to_owned();
    }
    match text.strip_prefix("../") {
        Some(path) => format!("{REPOSITORY}{path}"),
        None => format!("{REPOSITORY}docs/{text}"),
    }
}
