//! The directives of labels: `P: .callprototype _ ();`.

use alloc::vec::Vec;

use ptx_isa::ir::body::Statement;
use ptx_isa::sorted::SortedMap;

/// A directive that a label names.
#[derive(Clone, Debug)]
pub(crate) enum Directive<'a> {
    /// `.branchtargets`
    Branches,
    /// `.calltargets`, with the names of its functions.
    Calls(Vec<&'a str>),
    /// `.callprototype`, with its number in the body.
    Prototype(usize),
}

/// The labels of the directives so far.
#[derive(Debug, Default)]
pub(crate) struct Directives<'a> {
    /// The directives by label, that of the innermost block last.
    named: SortedMap<&'a str, Vec<Directive<'a>>>,
    /// The labels in each open block, but the outermost.
    open: Vec<Vec<&'a str>>,
    /// The label that the last statement was.
    label: Option<&'a str>,
    prototypes: usize,
}

impl<'a> Directives<'a> {
    /// Notes that the last statement was this label, or no label.
    pub(crate) fn note(&mut self, label: Option<&'a str>) {
        self.label = label;
    }

    /// Opens a block.
    pub(crate) fn open(&mut self) {
        self.note(None);
        self.open.push(Vec::new());
    }

    /// Closes a block.
    pub(crate) fn close(&mut self) {
        self.note(None);
        for label in self.open.pop().into_iter().flatten() {
            if let Some(named) = self.named.get_mut(label) {
                named.pop();
            }
        }
    }

    /// Adds a directive, if it is one that needs a label, and returns whether it has one.
    pub(crate) fn add(&mut self, statement: &Statement<'a>) -> Option<bool> {
        let label = self.label.take();
        let directive = match statement.tokens().next()?.text {
            ".branchtargets" => Directive::Branches,
            ".calltargets" => Directive::Calls(statement.names().map(|name| name.text).collect()),
            ".callprototype" => {
                self.prototypes += 1;
                Directive::Prototype(self.prototypes - 1)
            }
            _ => return None,
        };
        let Some(label) = label else { return Some(false) };
        self.named.entry(label).or_default().push(directive);
        if let Some(open) = self.open.last_mut() {
            open.push(label);
        }
        Some(true)
    }

    /// Returns the directive of a label.
    pub(crate) fn find(&self, label: &str) -> Option<&Directive<'a>> {
        self.named.get(label)?.last()
    }
}
