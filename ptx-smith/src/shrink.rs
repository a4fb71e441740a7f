//! The smallest text of which something is still true.

/// The most lines that are removed at every place, not only at multiples of their number.
const SMALL: usize = 4;

/// Removes lines, as long as `holds` is true of what is left: first halves, then smaller parts, then lines, until none
/// can go. `holds` is true of `text`.
pub fn shrink(text: &str, mut holds: impl FnMut(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    loop {
        let before = lines.len();
        let mut size = lines.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < lines.len() {
                let end = (at + size).min(lines.len());
                let rest = [&lines[..at], &lines[end..]].concat();
                if !rest.is_empty() && holds(&joined(&rest)) {
                    lines = rest;
                } else {
                    // What belongs together has few lines, and starts anywhere.
                    at += if size > SMALL { size } else { 1 };
                }
            }
            size = if size > SMALL { (size / 2).max(SMALL) } else { size - 1 };
        }
        if lines.len() == before {
            return joined(&lines);
        }
    }
}

fn joined(lines: &[&str]) -> String {
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_not_needed_is_removed() {
        let text = "a\nb\nc\nd\ne\nf\ng\n";
        let holds = |text: &str| text.contains("b\n") && text.contains("f\n");
        assert_eq!(super::shrink(text, holds), "b\nf\n");
        assert_eq!(super::shrink(text, |_| false), text);
        // Three lines belong together, and five are half of the text.
        let needed = "a\nb\nc\nd\ne\nf\n";
        let holds = |text: &str| {
            text.starts_with(needed) && text.matches(['{', '-', '}']).count().is_multiple_of(3)
        };
        assert_eq!(super::shrink(&format!("{needed}{{\n-\n}}\n"), holds), needed);
    }
}
