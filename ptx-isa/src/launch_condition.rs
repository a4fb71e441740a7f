//! Conditions on the launch under which control reaches an instruction.

use crate::comparison::Comparison;
use crate::text::Text;

/// The most special registers on one side of a condition.
const MOST: usize = 4;

/// A condition on values that the launch determines, without which control does not reach an
/// instruction: `%tid.x + 16 * %ctaid.x < %ntid.x + 4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct LaunchCondition {
    left: Side,
    comparison: Comparison,
    right: Side,
    plus: i128,
}

/// A sum of special registers, each with its factor; a factor of 0 ends it.
type Side = [(&'static str, i128); MOST];

impl LaunchCondition {
    /// The condition that a sum of special registers on the left, each with its factor, compares this way
    /// with a sum on the right plus a number; `None` if a side has more than four terms.
    pub const fn new(
        left: &[(&'static str, i128)],
        comparison: Comparison,
        right: &[(&'static str, i128)],
        plus: i128,
    ) -> Option<Self> {
        match (side(left), side(right)) {
            (Some(left), Some(right)) => Some(Self { left, comparison, right, plus }),
            (_, _) => None,
        }
    }

    /// The special registers on the left, each with its factor.
    pub fn left(&self) -> impl Iterator<Item = (&'static str, i128)> {
        terms(&self.left)
    }

    /// The comparison of the two sides.
    pub const fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// The special registers on the right, each with its factor.
    pub fn right(&self) -> impl Iterator<Item = (&'static str, i128)> {
        terms(&self.right)
    }

    /// The number that is added on the right.
    pub const fn plus(&self) -> i128 {
        self.plus
    }

    /// Appends the condition to a message.
    pub(crate) const fn push(&self, text: &mut Text<1024>) {
        push_side(text, &self.left, 0);
        text.push_str(" ");
        text.push_str(self.comparison.symbol());
        text.push_str(" ");
        push_side(text, &self.right, self.plus);
    }
}

const fn side(terms: &[(&'static str, i128)]) -> Option<Side> {
    if terms.len() > MOST {
        return None;
    }
    let (mut side, mut i) = ([("", 0); MOST], 0);
    while i < terms.len() {
        side[i] = terms[i];
        i += 1;
    }
    Some(side)
}

fn terms(side: &Side) -> impl Iterator<Item = (&'static str, i128)> {
    side.iter().copied().take_while(|(_, times)| *times != 0)
}

const fn push_side(text: &mut Text<1024>, terms: &Side, plus: i128) {
    let mut i = 0;
    while i < MOST && terms[i].1 != 0 {
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
    if plus != 0 || i == 0 {
        push_sign(text, i == 0, plus < 0);
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
