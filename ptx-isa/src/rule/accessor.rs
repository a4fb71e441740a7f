//! Who accesses a byte, in messages about two accesses.

use crate::text::Text;

/// Who accesses a byte, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accessor {
    /// The thread in its block.
    pub thread: u64,
    /// The rank of the block, if there are several.
    pub block: Option<u64>,
    /// Whether the thread itself does it.
    pub by: AccessedBy,
    /// Whether it writes.
    pub writes: bool,
    /// The line of the instruction, from 1; 0 if it is not known.
    pub line: u32,
    /// How often the thread has executed the instruction, with this time; 0 if it is not known, and if nothing is executed
    /// twice.
    pub round: u32,
    /// Whether it is the instruction that is blamed.
    pub is_here: bool,
}

/// What accesses a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessedBy {
    /// A thread.
    Thread,
    /// An asynchronous copy that a thread starts.
    Copy,
    /// A multiplication of matrices that a thread starts.
    Multiplication,
}

impl Accessor {
    /// Appends the first of two: `thread 0 writes`.
    pub(crate) const fn push_first(self, text: &mut Text<1024>) {
        match self.by {
            AccessedBy::Thread => {}
            AccessedBy::Copy => text.push_str("a copy that "),
            AccessedBy::Multiplication => text.push_str("a multiplication that "),
        }
        text.push_str("thread ");
        text.push_int(self.thread as i128, false);
        if let Some(block) = self.block {
            text.push_str(" of block ");
            text.push_int(block as i128, false);
        }
        if !matches!(self.by, AccessedBy::Thread) {
            text.push_str(" starts");
        }
        if self.round > 0 {
            text.push_str(" in iteration ");
            text.push_int(self.round as i128, false);
        }
        text.push_str(if self.writes { " writes" } else { " reads" });
    }

    /// Appends the second of two: `thread 32 reads it on line 43`.
    pub(crate) const fn push_second(self, text: &mut Text<1024>) {
        self.push_first(text);
        text.push_str(" it");
        if self.is_here {
            text.push_str(" here, too");
        } else if self.line > 0 {
            text.push_str(" on line ");
            text.push_int(self.line as i128, false);
        } else {
            text.push_str(" elsewhere");
        }
    }
}
