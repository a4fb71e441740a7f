//! What the launch has to decide for control to get somewhere.

use crate::comparison::Comparison;
use crate::text::Text;

/// A condition on what the launch decides, under which alone control gets somewhere:
/// `%tid.x + 16 * %ctaid.x < %ntid.x + 4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaunchCondition<'a> {
    /// The special registers on the left, each taken a number of times.
    pub left: &'a [(&'a str, i128)],
    /// How both sides compare.
    pub comparison: Comparison,
    /// The special registers on the right.
    pub right: &'a [(&'a str, i128)],
    /// The number that is added on the right.
    pub plus: i128,
}

impl LaunchCondition<'_> {
    /// Appends it in words.
    pub(crate) const fn push(&self, text: &mut Text<1024>) {
        push_side(text, self.left, 0);
        text.push_str(" ");
        text.push_str(self.comparison.symbol());
        text.push_str(" ");
        push_side(text, self.right, self.plus);
    }
}

const fn push_side(text: &mut Text<1024>, terms: &[(&str, i128)], plus: i128) {
    let mut i = 0;
    while i < terms.len() {
        let (name, times) = terms[i];
        push_sign(text, i == 0, times < 0);
        if times != 1 {
            text.push_int(times.saturating_abs(), false);
            text.push_str(" * ");
        }
        text.push_str("`");
        text.push_str(name);
        text.push_str("`");
        i += 1;
    }
    if plus != 0 || terms.is_empty() {
        push_sign(text, terms.is_empty(), plus < 0);
        text.push_int(plus.saturating_abs(), false);
    }
}

const fn push_sign(text: &mut Text<1024>, is_first: bool, is_negative: bool) {
    text.push_str(match (is_first, is_negative) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    });
}
