//! Text tables.

use std::fmt::Write as _;

/// The rows in columns; the columns with these indices are numbers.
pub(crate) fn write_table<R: AsRef<[String]>>(table: &[R], right: &[usize]) -> String {
    let columns = table.first().map_or(0, |row| row.as_ref().len());
    let width = |column: usize| {
        table.iter().map(|row| row.as_ref()[column].chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in table {
        let mut line = String::new();
        for (column, cell) in row.as_ref().iter().enumerate() {
            let width = widths[column];
            let gap = if column == 0 { "" } else { "  " };
            // Writing to a `String` cannot fail.
            let _ = if right.contains(&column) {
                write!(line, "{gap}{cell:>width$}")
            } else {
                write!(line, "{gap}{cell:<width$}")
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
