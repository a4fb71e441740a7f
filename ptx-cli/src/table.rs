//! Text tables.

use std::fmt::Write as _;

/// The rows in columns; the columns with these indices are numbers.
pub(crate) fn write_table<const N: usize>(table: &[[String; N]], right: &[usize]) -> String {
    let widths: [usize; N] = std::array::from_fn(|column| {
        table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    let mut text = String::new();
    for row in table {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
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
