//! What the names in a body mean.

use std::collections::HashMap;

use ptx_isa::ir::body::{Statement, StatementKind, TokenKind};
use ptx_isa::ir::family::{base_of, member_number};
use ptx_isa::ir::{Function, Site, Variable};
use ptx_isa::{Space, Text};

use super::declaration::{Description, parameter};

/// The kind of something that a function declares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Kind {
    Register,
    Label,
    Storage,
    Param,
}

impl Kind {
    /// The word for it in messages.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Label => "label",
            Self::Storage => "variable",
            Self::Param => "parameter",
        }
    }

    /// The sign that replaces its name.
    pub(super) const fn sign(self) -> char {
        match self {
            Self::Register => '\u{1}',
            Self::Label => '\u{2}',
            Self::Storage => '\u{3}',
            Self::Param => '\u{4}',
        }
    }
}

/// Something that a function declares: each member of a family for itself, if the body names it.
#[derive(Clone, Debug)]
pub(super) struct Entity<'a> {
    pub(super) name: &'a str,
    pub(super) kind: Kind,
    /// What it is, apart from its name.
    pub(super) what: String,
    /// The symbols of the module that its initial value names.
    pub(super) values: Vec<usize>,
    /// The declaration; `None` for labels.
    pub(super) site: Option<Site>,
    /// Whether a statement names it.
    pub(super) is_named: bool,
}

/// A family of registers or variables: the entity that each member is like.
#[derive(Clone, Copy)]
struct Family {
    count: Option<usize>,
    like: usize,
}

/// The names of a block.
#[derive(Default)]
struct Block<'a> {
    names: HashMap<&'a str, usize>,
    families: HashMap<&'a str, Vec<Family>>,
}

/// The names of a function in the blocks that are open.
pub(super) struct Names<'s, 'a> {
    pub(super) entities: Vec<Entity<'a>>,
    blocks: Vec<Block<'a>>,
    /// The labels of each block, in the order in which blocks are opened, which are known from its start.
    labels: Vec<Vec<&'a str>>,
    opened: usize,
    /// The symbols of the module.
    symbols: &'s HashMap<&'a str, usize>,
}

impl<'s, 'a> Names<'s, 'a> {
    pub(super) fn of(
        index: usize,
        function: &Function<'a>,
        statements: &[Statement<'a>],
        symbols: &'s HashMap<&'a str, usize>,
    ) -> Self {
        let mut names = Self {
            entities: Vec::new(),
            blocks: Vec::new(),
            labels: labels_of_blocks(statements),
            opened: 0,
            symbols,
        };
        names.open();
        let params = function
            .params
            .iter()
            .enumerate()
            .map(|(param, it)| (it, Site::Param { function: index, param }));
        let returns = function.returns.iter().enumerate();
        let returns = returns.map(|(n, it)| (it, Site::Return { function: index, index: n }));
        for (param, site) in params.chain(returns) {
            let what = parameter(param);
            names.declare(Entity {
                name: param.variable.name,
                kind: Kind::Param,
                what,
                values: Vec::new(),
                site: Some(site),
                is_named: false,
            });
        }
        names
    }

    /// Opens a block.
    pub(super) fn open(&mut self) {
        self.blocks.push(Block::default());
        let labels = self.labels.get_mut(self.opened).map(std::mem::take).unwrap_or_default();
        self.opened += 1;
        for name in labels {
            self.declare(Entity {
                name,
                kind: Kind::Label,
                what: String::new(),
                values: Vec::new(),
                site: None,
                is_named: false,
            });
        }
    }

    /// Closes a block.
    pub(super) fn close(&mut self) {
        if self.blocks.len() > 1 {
            self.blocks.pop();
        }
    }

    fn declare(&mut self, entity: Entity<'a>) {
        let name = entity.name;
        self.entities.push(entity);
        if let Some(block) = self.blocks.last_mut() {
            block.names.insert(name, self.entities.len() - 1);
        }
    }

    /// Declares a variable of the body.
    pub(super) fn declare_variable(&mut self, variable: &Variable<'a>, site: Site) {
        let unit = variable.unit();
        let (kind, what, values): (_, _, Vec<usize>) = if variable.space == Space::Reg {
            let mut ty = Text::<128>::new();
            ty.push_type(unit.ty.element());
            (Kind::Register, ty.as_str().to_owned(), Vec::new())
        } else {
            let what = Description::of(&unit);
            let values = what.symbols.iter().filter_map(|name| self.symbols.get(name)).copied();
            (Kind::Storage, what.text(), values.collect())
        };
        let name = variable.name;
        let entity = Entity { name, kind, what, values, site: Some(site), is_named: false };
        let Some((count, _)) = variable.ty.family() else { return self.declare(entity) };
        // It stands for its members, and has no name itself.
        self.entities.push(entity);
        let family = Family { count: count.known(), like: self.entities.len() - 1 };
        if let Some(block) = self.blocks.last_mut() {
            block.families.entry(name).or_default().push(family);
        }
    }

    /// The symbol of the module with this name.
    pub(super) fn symbol(&self, name: &str) -> Option<usize> {
        self.symbols.get(name).copied()
    }

    /// The entity that a name means here; `None` if the function does not declare it.
    pub(super) fn find(&mut self, name: &'a str) -> Option<usize> {
        let base = base_of(name);
        for at in (0..self.blocks.len()).rev() {
            let block = &self.blocks[at];
            if let Some(entity) = block.names.get(name) {
                return Some(*entity);
            }
            let Some(families) = base.and_then(|base| block.families.get(base)) else { continue };
            let number = member_number(name, base.unwrap_or_default());
            let has = |family: &&Family| match (family.count, number) {
                (Some(count), Some(number)) => number < count,
                (_, number) => number.is_some(),
            };
            if let Some(family) = families.iter().find(has) {
                let entity = Entity { name, ..self.entities[family.like].clone() };
                self.entities.push(entity);
                let member = self.entities.len() - 1;
                self.blocks[at].names.insert(name, member);
                return Some(member);
            }
        }
        None
    }
}

/// The labels in each block, in the order in which blocks are opened; the first is the body.
fn labels_of_blocks<'a>(statements: &[Statement<'a>]) -> Vec<Vec<&'a str>> {
    let (mut labels, mut open) = (vec![Vec::new()], vec![0]);
    for statement in statements {
        match statement.kind() {
            StatementKind::Open => {
                open.push(labels.len());
                labels.push(Vec::new());
            }
            StatementKind::Close if open.len() > 1 => drop(open.pop()),
            StatementKind::Label => {
                let name = statement.tokens().find(|token| token.kind == TokenKind::Name);
                if let (Some(name), Some(block)) = (name, open.last()) {
                    labels[*block].push(name.text);
                }
            }
            _ => {}
        }
    }
    labels
}
