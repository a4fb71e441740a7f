//! Links of the pages that mdbook has written.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The fewest pages that the site has: the chapters, the rules, and the mistakes.
const FEWEST: usize = 450;

/// Checks the links of every page in a folder, and that the site has what it should have.
///
/// # Errors
/// A file cannot be read, or a link leads nowhere.
pub(crate) fn check(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut files = BTreeSet::new();
    collect(folder, folder, &mut files)?;
    let has = |start: &str, end: &str| {
        let mut names = files.iter().filter_map(|file| file.to_str());
        names.any(|name| name.starts_with(start) && name.ends_with(end))
    };
    let mut wrong = Vec::new();
    for (start, end, what) in [
        ("index", ".html", "the landing page"),
        ("searchindex", ".js", "the search: mdbook needs its feature `search`"),
        ("css/", ".css", "styles"),
    ] {
        if !has(start, end) {
            wrong.push(format!("the site does not have {what}"));
        }
    }
    let pages = files.iter().filter(|file| file.extension().is_some_and(|it| it == "html"));
    let pages: Vec<&PathBuf> = pages.collect();
    if pages.len() < FEWEST {
        wrong.push(format!("the site has {} pages, and at least {FEWEST} are meant", pages.len()));
    }
    let mut count = 0;
    for page in pages {
        // The page of all pages has the links of each, from another folder; that of errors is shown anywhere.
        if ["print.html", "404.html"].iter().any(|name| page == Path::new(name)) {
            continue;
        }
        let text = fs::read_to_string(folder.join(page))?;
        let main = text.split_once("<main>").and_then(|(_, main)| main.split_once("</main>"));
        let Some((main, _)) = main else { continue };
        for link in targets(main) {
            count += 1;
            if !leads_somewhere(folder, page, link, &files) {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(format!("links lead nowhere:\n{}", wrong.join("\n")).into());
    }
    println!("{count} links lead somewhere");
    Ok(())
}

/// The files in a folder, relative to the first.
fn collect(home: &Path, folder: &Path, files: &mut BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(home, &path, files)?;
        } else if let Ok(path) = path.strip_prefix(home) {
            files.insert(path.to_owned());
        }
    }
    Ok(())
}

/// What links and pictures of a page refer to.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    let after = |start| page.split(start).skip(1).filter_map(|rest: &str| rest.split('"').next());
    after(" href=\"").chain(after(" src=\""))
}

fn leads_somewhere(folder: &Path, page: &Path, link: &str, files: &BTreeSet<PathBuf>) -> bool {
    if link.contains("://") || link.starts_with("data:") {
        return true;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = if path.is_empty() {
        page.to_owned()
    } else {
        normal(&page.parent().unwrap_or(Path::new("")).join(path))
    };
    if !files.contains(&path) {
        return false;
    }
    let has_anchor = || {
        let text = fs::read_to_string(folder.join(&path)).unwrap_or_default();
        text.contains(&format!("id=\"{anchor}\""))
    };
    anchor.is_empty() || has_anchor()
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir if normal.pop() => {}
            part => normal.push(part),
        }
    }
    normal
}
