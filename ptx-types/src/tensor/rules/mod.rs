//! The rules of tensor maps, in one table.
//!
//! A rule is a row: a code, who says so (the driver's manual, the PTX ISA, an observation of the
//! driver: they differ in places, and then each has its row), the targets that it holds for, the
//! field that it blames, a message, a fix, and a test that is a `const fn`.

use alloc::vec::Vec;
use core::fmt;

use super::spec::{Mode, Spec, Tensor};
use crate::target::Target;
use crate::text::Text;

mod padded;
mod spec;
mod table;
mod tensor;

pub use table::RULES;

/// What the rules' observations were made with.
pub const OBSERVED: &str = "sm_90, driver API 13.0";

/// A field of a [`Spec`] or a [`Tensor`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// The type of the elements.
    Element,
    /// The rank.
    Rank,
    /// The mode.
    Mode,
    /// An extent of the box, by dimension.
    Box(usize),
    /// The row of `tile::gather4` and `tile::scatter4`.
    Row,
    /// The box, or the pixels, as a whole.
    Tile,
    /// A traversal stride, by dimension.
    ElementStride(usize),
    /// The interleave.
    Interleave,
    /// The swizzle.
    Swizzle,
    /// What fills the outside.
    OobFill,
    /// A lower corner, by spatial dimension, W first.
    Lower(usize),
    /// An upper corner, by spatial dimension, W first.
    Upper(usize),
    /// The channels of a pixel.
    ChannelsPerPixel,
    /// The pixels of a column.
    PixelsPerColumn,
    /// The global address.
    Address,
    /// An extent of the tensor, by dimension.
    Dim(usize),
    /// A stride of the tensor in bytes: 0 for that of dimension 1.
    Stride(usize),
}

impl Field {
    /// The name in a declaration or in [`Tensor`], without an index.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Rank => "rank",
            Self::Mode => "mode",
            Self::Box(_) | Self::Tile => "box",
            Self::Row => "row",
            Self::ElementStride(_) => "element_strides",
            Self::Interleave => "interleave",
            Self::Swizzle => "swizzle",
            Self::OobFill => "oob",
            Self::Lower(_) => "lower",
            Self::Upper(_) => "upper",
            Self::ChannelsPerPixel => "channels_per_pixel",
            Self::PixelsPerColumn => "pixels_per_column",
            Self::Address => "address",
            Self::Dim(_) => "dims",
            Self::Stride(_) => "strides",
        }
    }

    /// The index, where the field is an array.
    pub const fn index(self) -> Option<usize> {
        match self {
            Self::Box(i)
            | Self::ElementStride(i)
            | Self::Lower(i)
            | Self::Upper(i)
            | Self::Dim(i)
            | Self::Stride(i) => Some(i),
            Self::Element
            | Self::Rank
            | Self::Mode
            | Self::Row
            | Self::Tile
            | Self::Interleave
            | Self::Swizzle
            | Self::OobFill
            | Self::ChannelsPerPixel
            | Self::PixelsPerColumn
            | Self::Address => None,
        }
    }

    /// How many indices the field has.
    const fn count(self) -> usize {
        match self {
            Self::Box(_) | Self::ElementStride(_) | Self::Dim(_) => 5,
            Self::Stride(_) => 4,
            Self::Lower(_) | Self::Upper(_) => 3,
            Self::Element
            | Self::Rank
            | Self::Mode
            | Self::Row
            | Self::Tile
            | Self::Interleave
            | Self::Swizzle
            | Self::OobFill
            | Self::ChannelsPerPixel
            | Self::PixelsPerColumn
            | Self::Address => 1,
        }
    }

    /// The field with this index, under the name that it has in the mode.
    const fn at(self, index: usize, mode: &Mode) -> Self {
        match (self, mode) {
            (Self::Box(_), Mode::Gather4 { .. } | Mode::Scatter4 { .. }) => Self::Row,
            (
                Self::Box(_),
                Mode::Im2col { .. } | Mode::Im2colW { .. } | Mode::Im2colW128 { .. },
            ) => Self::ChannelsPerPixel,
            (Self::Tile, Mode::Im2col { .. } | Mode::Im2colW { .. } | Mode::Im2colW128 { .. }) => {
                Self::PixelsPerColumn
            }
            (Self::Box(_), Mode::Tiled { .. }) => Self::Box(index),
            (Self::ElementStride(_), _) => Self::ElementStride(index),
            (Self::Lower(_), _) => Self::Lower(index),
            (Self::Upper(_), _) => Self::Upper(index),
            (Self::Dim(_), _) => Self::Dim(index),
            (Self::Stride(_), _) => Self::Stride(index),
            (
                Self::Element
                | Self::Rank
                | Self::Mode
                | Self::Row
                | Self::Tile
                | Self::Interleave
                | Self::Swizzle
                | Self::OobFill
                | Self::ChannelsPerPixel
                | Self::PixelsPerColumn
                | Self::Address,
                _,
            ) => self,
        }
    }

    const fn push(self, text: &mut Text<1024>) {
        text.push_str("`");
        text.push_str(self.name());
        if let Some(index) = self.index() {
            text.push_str("[");
            text.push_int(index as i128, false);
            text.push_str("]");
        }
        text.push_str("`");
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index() {
            Some(index) => write!(f, "{}[{index}]", self.name()),
            None => f.write_str(self.name()),
        }
    }
}

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

/// Every rule that a map breaks, at once.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    violations: Vec<Violation>,
}

impl Verdict {
    /// Every violation, in the table's order.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// What a document forbids: the driver's manual or the PTX ISA.
    pub fn manual(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.rule.is_forbidden())
    }

    /// What the driver was observed to refuse: see [`OBSERVED`].
    pub fn driver(&self) -> impl Iterator<Item = &Violation> {
        self.violations.iter().filter(|violation| violation.rule.is_refused())
    }

    /// Whether no document forbids it.
    pub fn is_allowed(&self) -> bool {
        self.manual().next().is_none()
    }

    /// Whether the driver takes it, as far as observed.
    pub fn is_accepted(&self) -> bool {
        self.driver().next().is_none()
    }

    /// Whether no rule is broken.
    pub fn is_clean(&self) -> bool {
        self.violations.is_empty()
    }
}

impl fmt::Display for Verdict {
    /// A violation a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, violation) in self.violations.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{violation}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Verdict {}

impl Spec {
    /// Every rule that the declaration alone breaks, for a target if it is known.
    pub fn check(&self, target: Option<Target>) -> Verdict {
        Verdict { violations: all(|from| table::spec(self, target, from)).collect() }
    }

    /// Every rule that the declaration breaks, alone or with this tensor.
    pub fn check_tensor(&self, tensor: &Tensor, target: Option<Target>) -> Verdict {
        let mut verdict = self.check(target);
        verdict.violations.extend(all(|from| table::tensor(self, tensor, target, from)));
        verdict
    }

    /// The first rule that the declaration alone breaks; [`check`](Self::check) for constant code.
    pub const fn first_violation(&self, target: Option<Target>) -> Option<Violation> {
        match table::spec(self, target, 0) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }

    /// The first rule that the declaration breaks, alone or with this tensor;
    /// [`check_tensor`](Self::check_tensor) for constant code.
    pub const fn first_violation_with(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
    ) -> Option<Violation> {
        if let Some(violation) = self.first_violation(target) {
            return Some(violation);
        }
        match table::tensor(self, tensor, target, 0) {
            Some((_, violation)) => Some(violation),
            None => None,
        }
    }
}

impl Spec {
    /// The first rule that the map breaks of those that the driver was observed to enforce.
    pub const fn first_refusal(
        &self,
        tensor: &Tensor,
        target: Option<Target>,
    ) -> Option<Violation> {
        let mut from = 0;
        while let Some((at, violation)) = table::spec(self, target, from) {
            if violation.rule.is_refused() {
                return Some(violation);
            }
            from = at + 1;
        }
        from = 0;
        while let Some((at, violation)) = table::tensor(self, tensor, target, from) {
            if violation.rule.is_refused() {
                return Some(violation);
            }
            from = at + 1;
        }
        None
    }
}

/// All that `next` gives, each from behind the one before.
fn all(next: impl Fn(usize) -> Option<(usize, Violation)>) -> impl Iterator<Item = Violation> {
    let mut from = 0;
    core::iter::from_fn(move || {
        let (at, violation) = next(from)?;
        from = at + 1;
        Some(violation)
    })
}
