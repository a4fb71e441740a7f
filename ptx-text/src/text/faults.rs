//! Syntax errors in a text.

use std::collections::HashMap;
use std::fmt::Display;

use super::boundary::Defect;
use super::extent::Extent;
use super::number::meant;
use crate::body::token::{BrokenRule, ByPtxas, Faults};

/// The advice about `#define`.
pub(super) const PREPROCESSOR: &str = "ptxas runs no preprocessor, and takes lines such as `# 12 \"blur.cu\"` alone; run the text through one, or remove the line";

/// The number of listed errors: all of them for a short text, and for a long one as many as the memory limit has
/// room for.
pub(super) const fn most_listed(text: &str) -> usize {
    1000 + text.len() / 64
}

/// The syntax errors, in the order in which they were found. A text may repeat the same error everywhere, so each
/// message is stored once, and the number of errors is limited by the memory that a text may take.
#[derive(Debug)]
pub(super) struct SyntaxErrors {
    most: usize,
    /// The number of errors that ptxas reports as well.
    refused: usize,
    /// The location of the first error that was not kept.
    dropped: Option<Extent>,
    found: Vec<(Extent, u32)>,
    messages: Vec<Message>,
    numbers: HashMap<Message, u32>,
}

/// A message about a syntax error.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Message {
    pub(super) text: Box<str>,
    pub(super) by_ptxas: ByPtxas,
    pub(super) rule: Option<BrokenRule>,
}

impl SyntaxErrors {
    /// An empty list for a text.
    pub(super) fn of(text: &str) -> Self {
        Self {
            most: most_listed(text),
            refused: 0,
            dropped: None,
            found: Vec::new(),
            messages: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    pub(super) fn at(&mut self, at: Extent, message: impl Display) {
        self.note(at, message, ByPtxas::Refused, None);
    }

    /// Reports syntax that is not PTX although ptxas accepts it.
    pub(super) fn accepted(&mut self, at: Extent, message: impl Display) {
        self.note(at, message, ByPtxas::Accepted, None);
    }

    fn note(
        &mut self,
        at: Extent,
        message: impl Display,
        by_ptxas: ByPtxas,
        rule: Option<BrokenRule>,
    ) {
        self.refused += usize::from(by_ptxas == ByPtxas::Refused);
        if self.found.len() >= self.most {
            self.dropped.get_or_insert(at);
            return;
        }
        let message = Message { text: message.to_string().into_boxed_str(), by_ptxas, rule };
        let next = u32::try_from(self.messages.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(message).or_insert_with_key(|message| {
            self.messages.push(message.clone());
            next
        });
        self.found.push((at, number));
    }

    /// The number of errors so far that ptxas reports as well.
    pub(super) const fn refused(&self) -> usize {
        self.refused
    }

    /// Adds faults from the grammar of statements.
    pub(super) fn extend(&mut self, faults: Faults<Extent>) {
        for fault in faults.into_found() {
            self.note(fault.at, fault.message, fault.by_ptxas, fault.rule);
        }
    }

    pub(super) fn defect(&mut self, defect: Defect, text: &str) {
        match defect {
            Defect::Unclosed(delimiter, at) => {
                let (opens, closes) = delimiter.signs();
                self.at(at, format_args!("nothing closes this `{opens}`; write `{closes}`"));
            }
            Defect::Unopened(delimiter, at) => {
                let (opens, closes) = delimiter.signs();
                self.at(
                    at,
                    format_args!("this `{closes}` closes nothing; remove it, or write `{opens}`"),
                );
            }
            Defect::TooDeep(at) => {
                self.at(at, "more than 64 groups are nested here; write fewer");
            }
            Defect::TooLong(what, at) => {
                self.at(at, format_args!("this statement has too many {what}; write several"));
            }
            Defect::Number(at) => {
                let text = shortened(text);
                let advice = meant(&text);
                self.at(
                    at,
                    format_args!("`{text}` is not a number of PTX; write {advice} (PTX ISA 4.5)"),
                );
            }
            Defect::Operator(at) => {
                self.at(at, "a space is before the second character of this operator; remove it");
            }
            Defect::OpenText(at) => self.at(at, "nothing ends this string; write `\"`"),
            Defect::Separator(what, at) => {
                self.at(
                    at,
                    format_args!(
                        "{what} are separated by commas; write `,`, or nothing after the last"
                    ),
                );
            }
        }
    }

    /// Reports that there are more errors, if there are.
    pub(super) fn finish(&mut self) {
        if let Some(at) = self.dropped {
            let count = self.found.len();
            self.most = count + 1;
            self.at(at, format_args!("more is wrong from here on than the {count} errors of grammar that are listed; correct those first"));
        }
    }

    /// The location and message of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Extent, &Message)> {
        self.found.iter().map(|(at, number)| (*at, &self.messages[*number as usize]))
    }
}

/// A piece of text, shortened for a message.
pub(super) fn shortened(text: &str) -> std::borrow::Cow<'_, str> {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}..", &text[..end]).into(),
        None => text.into(),
    }
}

impl Defect {
    /// The location to report it at.
    pub(super) const fn at(self) -> Extent {
        match self {
            Self::Unclosed(_, at)
            | Self::Unopened(_, at)
            | Self::TooDeep(at)
            | Self::TooLong(_, at)
            | Self::Number(at)
            | Self::OpenText(at)
            | Self::Separator(_, at)
            | Self::Operator(at) => at,
        }
    }
}
