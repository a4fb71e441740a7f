//! A text and what was read out of it.

use bumpalo::Bump;
use ptx_types::ir;
use self_cell::self_cell;

use super::faults::Complaints;
use super::module::{self, ReadModule};

/// A text, and what was read out of it.
pub struct Parsed(Cell);

struct Owner {
    text: String,
    arena: Bump,
}

struct Read<'a> {
    module: ReadModule<'a>,
    ir: ir::Module<'a>,
    complaints: Complaints,
}

self_cell! {
    struct Cell {
        owner: Owner,
        #[covariant]
        dependent: Read,
    }
}

impl Parsed {
    /// Reads a text.
    pub fn new(text: impl Into<String>) -> Self {
        let owner = Owner { text: text.into(), arena: Bump::new() };
        Self(Cell::new(owner, |owner| {
            let mut complaints = Complaints::default();
            let module = module::read(&owner.text, &owner.arena, &mut complaints);
            let ir = ir::Module {
                version: module.version.0,
                source: Some(&owner.text),
                variables: module::variables(&module.variables, &owner.arena),
                ..ir::Module::new("", module.target.0)
            };
            Read { module, ir, complaints }
        }))
    }

    /// The IR.
    pub fn module(&self) -> &ir::Module<'_> {
        &self.0.borrow_dependent().ir
    }
}

impl Parsed {
    /// TEMP
    pub fn temp(&self) -> Vec<(std::ops::Range<usize>, String)> {
        self.0.borrow_dependent().complaints.iter().map(|(at, m)| (at.range(), m.to_owned())).collect()
    }
}
