//! The rules of tensor maps, in one table.
//!
//! A rule is a row: a code, who says so (the driver's manual, the PTX ISA, an observation of the
//! driver: they differ in places, and then each has its row), the targets that it holds for, the
//! field that it blames, a message, a fix, and a test that is a `const fn`.

use core::fmt;

use crate::target::Target;
use crate::text::Text;

mod field;
mod padded;
mod spec;
mod table;
mod tensor;
mod verdict;

pub use field::Field;
pub use table::RULES;
pub use verdict::Verdict;

/// What the rules' observations were made with.
pub const OBSERVED: &str = "sm_90, driver API 13.0";

/// What a rule is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// The declaration alone.
    Spec,
    /// The declaration and the tensor.
    Tensor,
}

/// What a driver was observed to do with a map that breaks a rule: see [`OBSERVED`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observed {
    /// It refuses it; and how it goes another way than the documents, or nothing.
    Refused(&'static str),
    /// It takes it, or is not told.
    Taken,
    /// Nothing: `sm_90` has no such maps.
    Unseen,
}

/// The targets that a rule holds for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Targets {
    /// All of them.
    All,
    /// Architectures below this one: 100 for those before `sm_100`.
    Below(u16),
    /// All but one.
    AllBut(Target),
    /// One alone.
    Only(Target),
    /// All but the family- and architecture-specific ones from `sm_100f` to below `sm_120`.
    OutsideFamilies,
}

impl Targets {
    /// Whether the rule holds for this target; where it is not known, only what holds for all does.
    pub const fn hold(self, target: Option<Target>) -> bool {
        match (self, target) {
            (Self::All, _) => true,
            (_, None) => false,
            (Self::Below(arch), Some(target)) => target.arch() < arch,
            (Self::AllBut(one), Some(target)) => one as u8 != target as u8,
            (Self::Only(one), Some(target)) => one as u8 == target as u8,
            (Self::OutsideFamilies, Some(target)) => {
                target.is_baseline() || target.arch() < 100 || target.arch() >= 120
            }
        }
    }
}

/// One row of the rule table.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// A code that never changes: `M005`.
    pub code: &'static str,
    /// A name for people: `box_out_of_range`.
    pub name: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// The parameter under which the driver's manual has it, if it does.
    pub manual: Option<&'static str>,
    /// Where the PTX ISA has it, if it does: a section or an instruction.
    pub ptx: Option<&'static str>,
    /// What the driver was observed to do: see [`OBSERVED`].
    pub observed: Observed,
    /// The targets that it holds for.
    pub targets: Targets,
    /// The field that it blames; of an array, with index 0.
    pub blames: Field,
    /// What is wrong, with `{f}` where the field goes and `{0}`.. where the values go.
    pub message: &'static str,
    /// What to write instead.
    pub fix: &'static str,
}

impl Rule {
    /// Whether a document forbids it: the driver's manual or the PTX ISA.
    pub const fn is_forbidden(&self) -> bool {
        self.manual.is_some() || self.ptx.is_some()
    }

    /// Whether the driver was observed to refuse it.
    pub const fn is_refused(&self) -> bool {
        matches!(self.observed, Observed::Refused(_))
    }
}

/// The rule with this code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.code == code)
}

/// A value in a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arg {
    /// Nothing.
    None,
    /// A word.
    Str(&'static str),
    /// A number.
    Int(i128),
    /// A number of bytes, printed with commas.
    Bytes(u64),
    /// An address, printed in hexadecimal.
    Address(u64),
    /// A number with its unit: `10 bytes`.
    Size(u64, &'static str),
}

/// The values of a message: `{0}` to `{3}`.
pub type Args = [Arg; 4];

const NONE: Arg = Arg::None;

/// A number in a message.
const fn int(value: u64) -> Arg {
    Arg::Int(value as i128)
}

/// A broken rule.
#[derive(Clone, Copy, Debug)]
pub struct Violation {
    /// The rule.
    pub rule: &'static Rule,
    /// The field that breaks it.
    pub field: Field,
    /// The values in its message.
    pub args: Args,
}

impl Violation {
    /// The message, the fix, the code and who says so, as compile errors print them.
    pub const fn text(&self) -> Text<1024> {
        let mut text = Text::new();
        self.push(&mut text, self.rule.message);
        text.push_str("; ");
        self.push(&mut text, self.rule.fix);
        text.push_str(" [");
        text.push_str(self.rule.code);
        if let Some(parameter) = self.rule.manual {
            text.push_str(", driver manual: ");
            text.push_str(parameter);
        }
        if let Some(section) = self.rule.ptx {
            text.push_str(", PTX ISA ");
            text.push_str(section);
        }
        text.push_str(match (self.rule.observed, self.rule.is_forbidden()) {
            (Observed::Refused(_), true) => "]",
            (Observed::Refused(_), false) => ", refused by the driver alone]",
            (Observed::Taken, _) => "; the driver takes it]",
            (Observed::Unseen, _) => "; not tried with a driver]",
        });
        text
    }

    const fn push(&self, text: &mut Text<1024>, template: &str) {
        let bytes = template.as_bytes();
        let (mut from, mut i) = (0, 0);
        while i < bytes.len() {
            if bytes[i] == b'{' {
                text.push_range(template, from, i);
                if bytes[i + 1] == b'f' {
                    self.field.push(text);
                } else {
                    match self.args[(bytes[i + 1] - b'0') as usize] {
                        Arg::None => {}
                        Arg::Str(word) => text.push_str(word),
                        Arg::Int(value) => text.push_int(value, false),
                        Arg::Bytes(count) => text.push_int(count as i128, true),
                        Arg::Address(address) => push_hex(text, address),
                        Arg::Size(count, unit) => {
                            text.push_int(count as i128, true);
                            text.push_str(" ");
                            text.push_str(unit);
                        }
                    }
                }
                i += 3;
                from = i;
            } else {
                i += 1;
            }
        }
        text.push_range(template, from, i);
    }
}

const fn push_hex(text: &mut Text<1024>, value: u64) {
    const DIGITS: &str = "0123456789abcdef";
    text.push_str("0x");
    let mut shift = 64;
    while shift > 0 {
        shift -= 4;
        if value >> shift != 0 || shift == 0 {
            let digit = (value >> shift & 15) as usize;
            text.push_range(DIGITS, digit, digit + 1);
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}
