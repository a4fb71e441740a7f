//! The differences between a file and its format, as `diff -u` writes them.

use std::io;
use std::time::Duration;

use annotate_snippets::renderer::{AnsiColor, Effects, Style};
use similar::TextDiff;

use crate::terminal::Terminal;

/// After this time, larger parts of the file are shown as changed than need be.
const PATIENCE: Duration = Duration::from_secs(5);

/// The differences; the file is named on both sides, so that `patch -p0` applies them.
pub(super) fn of(name: &str, source: &str, formatted: &str) -> String {
    let name = annotate_snippets::normalize_untrusted_str(name);
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(source, formatted);
    diff.unified_diff().header(&name, &name).to_string()
}

/// Writes the differences, in colours if the terminal has them.
pub(super) fn write(diff: &str, terminal: &mut Terminal<'_>) -> io::Result<()> {
    if !terminal.has_color {
        return terminal.out.write_all(diff.as_bytes());
    }
    for line in diff.split_inclusive('\n') {
        let style = match line.as_bytes() {
            [b'-', b'-', b'-', b' ', ..] | [b'+', b'+', b'+', b' ', ..] => {
                Style::new().effects(Effects::BOLD)
            }
            [b'@', b'@', ..] => AnsiColor::Cyan.on_default(),
            [b'-', ..] => AnsiColor::Red.on_default(),
            [b'+', ..] => AnsiColor::Green.on_default(),
            _ => Style::new(),
        };
        let text = line.trim_end_matches('\n');
        writeln!(terminal.out, "{style}{text}{style:#}")?;
    }
    Ok(())
}
