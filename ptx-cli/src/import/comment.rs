//! Comments of PTX in Rust.

/// What a comment of a PTX file is for.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Comment<'t> {
    /// Lines for people.
    Words(Vec<String>),
    /// `// ptx: allow(A034)`: the codes.
    Allowance(&'t str),
    /// `// ptx: launch(..)`.
    Launch,
    /// What compilers write for other tools: `// .globl k`, `// -- Begin function k`.
    Tools,
}

/// The meaning of a comment with its slashes.
pub(super) fn comment(text: &str) -> Comment<'_> {
    let inner = match text.strip_prefix("/*") {
        Some(rest) => rest.strip_suffix("*/").unwrap_or(rest),
        None => text.trim_start_matches('/'),
    };
    let start = inner.trim_start_matches('*').trim();
    if let Some(note) = start.strip_prefix("ptx:") {
        let note = note.trim_start();
        let list = note.strip_prefix("allow").and_then(|rest| rest.trim_start().strip_prefix('('));
        return match list.and_then(|list| list.split_once(')')) {
            Some((codes, _)) => Comment::Allowance(codes.trim()),
            None => Comment::Launch,
        };
    }
    let is_note = start.ends_with("has been demoted") || start.starts_with("-- ");
    if is_note || start.starts_with(".globl") {
        return Comment::Tools;
    }
    let line = |line: &str| {
        let line = line.trim();
        let line = if text.starts_with("/*") { line.trim_start_matches('*') } else { line };
        plain(line.trim())
    };
    let lines: Vec<String> = inner.split('\n').map(line).collect();
    let is_empty = |line: &String| line.is_empty();
    if text.starts_with("/*") {
        let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |at| at + 1);
        return Comment::Words(lines[first..last].to_vec());
    }
    // A line of slashes is a rule.
    if lines.iter().all(is_empty) && text.len() > 2 {
        return Comment::Tools;
    }
    Comment::Words(lines)
}

/// The comment as one of Rust: neither documentation nor nested, and without what rustc refuses in comments.
pub(super) fn of_rust(text: &str) -> String {
    let text = plain(text);
    match text.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")) {
        Some(inner) => {
            let inner = inner.replace("/*", "/ *");
            let space = if inner.starts_with(['*', '!', '/']) { " " } else { "" };
            format!("/*{space}{inner}*/")
        }
        None => {
            let words = text.strip_prefix("//").unwrap_or(&text);
            let space = if words.starts_with(['/', '!']) { " " } else { "" };
            format!("//{space}{}", words.trim_end())
        }
    }
}

/// A text without characters that change the direction of others, and without carriage returns.
fn plain(text: &str) -> String {
    let is_hidden = |c: char| matches!(c, '\r' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{200E}' | '\u{200F}');
    text.chars().filter(|c| !is_hidden(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_for_people_or_for_tools() {
        let words = |lines: &[&str]| Comment::Words(lines.iter().map(|&it| it.into()).collect());
        for (text, expected) in [
            ("// the rows", words(&["the rows"])),
            ("//", words(&[""])),
            ("/*\n * one\n *\n * two\n */", words(&["one", "", "two"])),
            ("// .globl\tk", Comment::Tools),
            ("// -- Begin function k", Comment::Tools),
            ("// _ZZ1kvE3row has been demoted", Comment::Tools),
            ("////////", Comment::Tools),
            ("// ptx: allow(A034, A022)", Comment::Allowance("A034, A022")),
            ("// ptx: launch(block = 32)", Comment::Launch),
        ] {
            assert_eq!(comment(text), expected, "{text}");
        }
    }

    #[test]
    fn rust_takes_them_for_comments() {
        for (text, rust) in [
            ("/// a\r", "// / a"),
            ("//! a", "// ! a"),
            ("/** a /* b */", "/* * a / * b */"),
            ("/**/", "/**/"),
            ("/*/ a */", "/* / a */"),
            ("// \u{202E}a", "// a"),
        ] {
            assert_eq!(of_rust(text), rust);
        }
    }
}
