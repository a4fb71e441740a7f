//! Text tables.

use core::fmt::{self, Write as _};

/// A number with a comma after every three digits.
pub(super) fn grouped(number: usize) -> String {
    let mut text = ptx_isa::Text::<64>::new();
    text.push_int(i128::try_from(number).unwrap_or(i128::MAX), true);
    text.as_str().to_owned()
}

/// Writes the cells in columns; the columns with these indices are numbers.
pub(super) fn write_table<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    table: &[[String; N]],
    right: &[usize],
) -> fmt::Result {
    let widths: [usize; N] = core::array::from_fn(|column| {
        table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    for row in table {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            if widths[column] == 0 {
                continue;
            }
            if !line.is_empty() {
                line.push_str("  ");
            }
            let width = widths[column];
            if right.contains(&column) {
                write!(line, "{cell:>width$}")?;
            } else {
                write!(line, "{cell:<width$}")?;
            }
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}
