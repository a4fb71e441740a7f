//! A page of Markdown: its fenced blocks, what is said of each in a comment before it, its links and its headings.

use std::ops::Range;

/// A fenced block.
#[derive(Debug)]
pub(crate) struct Block {
    /// What stands behind the opening fence: `rust,no_run`.
    pub(crate) info: String,
    /// The lines between the fences.
    pub(crate) text: String,
    /// Where these lines are in the page.
    pub(crate) range: Range<usize>,
    /// The comment on the line before: `output`, or `error: OLD => NEW`.
    pub(crate) comment: Option<String>,
}

/// The fenced blocks of a page.
pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let (mut open, mut comment, mut at) = (None, None, 0);
    for line in page.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match (open.take(), line.strip_prefix("```")) {
            (None, Some(info)) => open = Some((info.trim().to_owned(), at)),
            (None, None) => comment = comment_of(line),
            (Some((info, from)), Some(_)) => blocks.push(Block {
                info,
                text: page[from..start].to_owned(),
                range: from..start,
                comment: comment.take(),
            }),
            (inside, None) => open = inside,
        }
    }
    assert!(open.is_none(), "a block has no end");
    assert!(!page.contains(" ```"), "a block that is not at the start of its line is not tested");
    blocks
}

/// What an HTML comment that fills a line says.
fn comment_of(line: &str) -> Option<String> {
    let inside = line.trim().strip_prefix("<!--")?.strip_suffix("-->")?;
    Some(inside.trim().to_owned())
}

/// A program without the `# ` before lines that readers do not see.
pub(crate) fn unhidden(text: &str) -> String {
    let shown = |line: &str| match line.trim_end() {
        "#" => "\n".to_owned(),
        _ => line.strip_prefix("# ").unwrap_or(line).to_owned(),
    };
    text.split_inclusive('\n').map(shown).collect()
}

/// The lines of a page that are not inside of a fenced block.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_inside = false;
    page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_inside ^= is_fence;
        !is_inside && !is_fence
    })
}

/// The targets of the links of a page.
pub(crate) fn links(page: &str) -> Vec<&str> {
    let targets = |line: &'_ str| -> Vec<Range<usize>> {
        let starts = line.match_indices("](").map(|(at, _)| at + 2);
        starts.filter_map(|at| Some(at..at + line[at..].find(')')?)).collect()
    };
    prose(page).flat_map(|line| targets(line).into_iter().map(move |range| &line[range])).collect()
}

/// The anchors of the headings of a page, as GitHub and mdBook make them.
pub(crate) fn anchors(page: &str) -> Vec<String> {
    let headings = prose(page).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[test]
fn blocks_have_their_comments() {
    let page = "text\n\n<!-- output -->\n```text\n1\n```\n\n```rust,no_run\n# use x;\n#[y]\n```\n";
    let found = blocks(page);
    let [output, program] = found.as_slice() else { panic!("two blocks in {found:?}") };
    assert_eq!((output.info.as_str(), output.comment.as_deref()), ("text", Some("output")));
    assert_eq!(&page[output.range.clone()], "1\n");
    assert_eq!((program.info.as_str(), program.comment.as_deref()), ("rust,no_run", None));
    assert_eq!(unhidden(&program.text), "use x;\n#[y]\n");
}

#[test]
fn links_and_anchors() {
    let page = "# The tool `ptx`\n[a](b.md) and [c](#d)\n```text\n[e](f)\n```\n## C++, and more\n";
    assert_eq!(links(page), ["b.md", "#d"]);
    assert_eq!(anchors(page), ["the-tool-ptx", "c-and-more"]);
}
