//! The execution of an instruction that breaks a rule, where others do not.

use crate::text::Text;

/// The thread and the iteration of a loop in which an instruction breaks a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reached<'a> {
    /// The thread's index in its block, along each dimension, if the fault depends on the thread.
    pub thread: Option<[i128; 3]>,
    /// The label of the innermost loop and the number of the iteration, from 1, if the fault depends on it.
    pub round: Option<(&'a str, i128)>,
    /// Whether this is the nearest of several places that all break the rule.
    pub is_nearest: bool,
}

impl Reached<'_> {
    /// Whether a message has anything to add.
    pub(crate) const fn is_told(&self) -> bool {
        self.thread.is_some() || self.round.is_some() || self.is_nearest
    }

    /// Appends it to a message.
    pub(crate) const fn push(&self, text: &mut Text<1024>) {
        if let Some([x, y, z]) = self.thread {
            text.push_str("by thread ");
            if y == 0 && z == 0 {
                text.push_int(x, false);
            } else {
                text.push_str("(");
                text.push_int(x, false);
                text.push_str(", ");
                text.push_int(y, false);
                text.push_str(", ");
                text.push_int(z, false);
                text.push_str(")");
            }
        }
        if let Some((label, round)) = self.round {
            if self.thread.is_some() {
                text.push_str(", ");
            }
            text.push_str("in iteration ");
            text.push_int(round, false);
            text.push_str(" of the loop at `");
            text.push_str(label);
            text.push_str("`");
        }
        if self.is_nearest {
            text.push_str("the nearest of several places");
        }
    }
}
