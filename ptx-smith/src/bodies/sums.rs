//! Random multi-word sums: numbers in several registers, with a carry from each to the
//! next.

use super::computations::{number, register};
use super::writer::Writer;

impl Writer<'_> {
    /// Emits a chain of instructions with carries.
    pub(super) fn sum(&mut self) {
        let bits = self.choices.of(&[32, 64, 32]);
        let subtracts = self.choices.below(3) == 0;
        let last = 1 + self.choices.below(3);
        for n in 0..=last {
            let sign = self.choices.of(&["u", "s"]);
            let (to, one) = (register(self.choices, bits), register(self.choices, bits));
            let other = if self.choices.below(3) == 0 {
                number(self.choices, bits)
            } else {
                register(self.choices, bits)
            };
            let takes = if n == 0 { "" } else { "c" };
            let carries = if n == last { "" } else { ".cc" };
            let line = match self.choices.below(3) {
                _ if subtracts => {
                    format!("sub{takes}{carries}.{sign}{bits} {to}, {one}, {other};")
                }
                0 => {
                    let half = self.choices.of(&["lo", "hi"]);
                    let third = register(self.choices, bits);
                    format!(
                        "mad{takes}.{half}{carries}.{sign}{bits} {to}, {one}, {other}, {third};"
                    )
                }
                _ => format!("add{takes}{carries}.{sign}{bits} {to}, {one}, {other};"),
            };
            self.line(line);
        }
    }
}
