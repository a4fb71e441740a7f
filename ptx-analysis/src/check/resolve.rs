//! The first phase: resolves the names in a body, and applies the rules that need nothing else.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::ir::body::{Declarator, Instruction, Operand, OperandKind, StatementKind};
use ptx_isa::ir::{self};
use ptx_isa::rules::{self, AddressTarget};
use ptx_isa::sorted::SortedSet;
use ptx_isa::{Space, Version};

use crate::calls::call;
use crate::calls::contents;
use crate::check::form;
use crate::check::operand_kinds;
use crate::check::operand_types;
use crate::check::spelling;
use crate::findings::report::BodyReport;
use crate::findings::unit::{Rename, Unit};
use crate::flow::effects::{Effects, Jump};
use crate::flow::labels::{Labels, OfBlocks};
use crate::flow::name_table::NameTable;
use crate::flow::node::{Node, Referent, Resolved};
use crate::flow::place::Place;
use crate::flow::storage::Memory;
use crate::names::directives::Directives;
use crate::names::jump;
use crate::names::resolver::{Listed, Resolver};
use crate::names::scope::{Meaning, Scopes};
use crate::names::storage_names;

/// The results of the first phase.
#[derive(Debug)]
pub(crate) struct Resolution<'a> {
    /// The labels and instructions, in order.
    pub(crate) nodes: Vec<Node<'a>>,
    /// The storage that operands name.
    pub(crate) memory: Memory<'a>,
    /// The parameters that are registers, with their indices.
    pub(crate) params: Vec<(usize, &'a ir::Param<'a>, usize)>,
    /// The lowest PTX version that the qualifiers in the body require.
    pub(crate) since: Option<Version>,
    /// The tokens that have different names in PTX.
    pub(crate) renames: Vec<Rename>,
    /// The places of special registers.
    pub(crate) specials: Vec<(&'a str, Place)>,
}

/// Resolves the names of a body. Returns `None` if it contains a statement that is not understood.
pub(crate) fn resolve<'a>(
    unit: Unit<'_, 'a>,
    report: &mut BodyReport<'a>,
) -> Option<Resolution<'a>> {
    let mut statements = unit.body.statements();
    let None = statements.find(|statement| statement.kind() == StatementKind::Verbatim) else {
        return None;
    };
    let mut resolver = Resolver {
        unit,
        scopes: Scopes::of(unit.function),
        declared: 0,
        seen: NameTable::default(),
        memory: Memory::default(),
        since: None,
        renames: Vec::new(),
        specials: Vec::new(),
        unknown: SortedSet::new(),
        later: None,
        listed: Listed::default(),
        directives: Directives::default(),
        reported: SortedSet::new(),
        allowed: Vec::new(),
        report,
    };
    let nodes = resolver.run();
    let mut params = Vec::new();
    for (i, param) in unit.function.params.iter().enumerate() {
        if param.variable.space == Space::Reg
            && let Referent::Register(register) = resolver.referent(param.variable.name)
        {
            params.push((i, param, register));
        }
    }
    let Resolver { memory, since, renames, specials, .. } = resolver;
    Some(Resolution { nodes, memory, params, since, renames, specials })
}

impl<'a> Resolver<'_, 'a, '_> {
    fn run(&mut self) -> Vec<Node<'a>> {
        let (mut nodes, mut labels) = (Vec::new(), Labels::new());
        let mut of_blocks = OfBlocks::of(self.unit.body.statements());
        for name in self.unit.assumed {
            self.scopes.assume(name);
        }
        self.declare_labels(&mut of_blocks);
        for (n, statement) in self.unit.body.statements().enumerate() {
            match statement.kind() {
                StatementKind::Open => {
                    labels.open();
                    self.directives.open();
                    self.scopes.open();
                    self.declare_labels(&mut of_blocks);
                }
                StatementKind::Close => {
                    labels.close();
                    self.directives.close();
                    self.scopes.close();
                }
                StatementKind::Label => {
                    self.directives.note(Some(statement.text()));
                    let node = Node::Label(statement.text());
                    labels.note(&node);
                    nodes.push(node);
                }
                StatementKind::Declaration => {
                    self.directives.note(None);
                    for declarator in statement.declarators() {
                        self.declare(n, &declarator);
                    }
                }
                StatementKind::Directive => {
                    for name in statement.names() {
                        self.use_name(n, name);
                    }
                    jump::check_directive(self, n, &statement);
                }
                StatementKind::Instruction => {
                    self.directives.note(None);
                    if let Some(instruction) = statement.instruction(self.unit.constants.values) {
                        self.allowed = self.report.allow(n, statement.allowed());
                        let resolved = self.instruction(n, &instruction);
                        let node = if resolved.effects.is_nothing() {
                            Node::Nothing
                        } else {
                            Node::Instruction(Box::new(resolved))
                        };
                        labels.note(&node);
                        nodes.push(node);
                    }
                }
                StatementKind::Verbatim => {}
            }
        }
        labels.link(&mut nodes);
        nodes
    }

    /// Declares the labels of the block that starts here: they may be used before their position.
    fn declare_labels(&mut self, labels: &mut OfBlocks<'a>) {
        for (n, name) in labels.next_block() {
            if !self.scopes.declare_label(name) {
                self.report_twice(name, Place::new(n, ir::body::TokenRange::one(0)));
            }
        }
    }

    fn declare(&mut self, statement: usize, declarator: &Declarator<'a>) {
        for name in &declarator.initial {
            self.use_name(statement, *name);
        }
        let number = self.declared;
        self.declared += 1;
        let name = declarator.name;
        let Some(declared) = self.unit.declared.get(number) else {
            // The front end left out the declaration.
            self.scopes.assume(name.text);
            return;
        };
        if !self.scopes.declare(name.text, declared.variable, number) {
            self.report_twice(name.text, Place::new(statement, name.at()));
        }
        self.check_initial(statement, declared.variable, declarator);
    }

    /// Checks the addresses in the initial value of a declaration.
    fn check_initial(
        &mut self,
        statement: usize,
        holder: &'a ir::Variable<'a>,
        declarator: &Declarator<'a>,
    ) {
        let mut addresses = Vec::new();
        holder.init.for_each_address(&mut |address| addresses.push(*address));
        for address in addresses {
            let place = declarator.initial.iter().find(|name| name.text == address.symbol);
            let Some(place) = place.map(|name| Place::new(statement, name.at())) else { continue };
            let symbols = self.unit.symbols;
            let target = match self.scopes.find(address.symbol) {
                Some(Meaning::Declared(other, _)) if other.name != holder.name => match other.space
                {
                    Space::Reg => AddressTarget::Local("register"),
                    _ => AddressTarget::Variable(other),
                },
                Some(Meaning::Declared(..)) => AddressTarget::Local("variable that starts here"),
                Some(Meaning::Param(_) | Meaning::Return(_)) => AddressTarget::Local("parameter"),
                Some(Meaning::Other) => AddressTarget::Local("label"),
                None => match symbols.variable(address.symbol) {
                    Some((symbol, _)) => AddressTarget::Variable(symbol.ir),
                    None => match symbols.functions.get(address.symbol).and_then(|it| it.first()) {
                        Some(_) => AddressTarget::Function,
                        // This is reported as an undeclared name.
                        None => continue,
                    },
                },
            };
            for violation in rules::check_address(&address, target, holder) {
                self.report.refuse(&violation, place);
            }
        }
    }

    fn instruction(&mut self, n: usize, instruction: &Instruction<'a>) -> Resolved<'a> {
        if let Some(guard) = &instruction.guard {
            self.use_name(n, guard.name);
        }
        let corrected = spelling::check_words(self, n, instruction);
        let instruction = corrected.as_ref().unwrap_or(instruction);
        if corrected.is_none() && operand_kinds::check_operand_kinds(self, n, instruction) {
            self.report.leave(n);
        }
        form::check_instruction(self, n, instruction, corrected.is_some());
        storage_names::check_names(self, n, instruction);
        if corrected.is_none() {
            spelling::check_parts(self, n, instruction);
            jump::check_jump(self, n, instruction);
            operand_types::check_operand_types(self, n, instruction);
        }
        let mut effects = Effects::of(instruction, n);
        if effects.calls && call::never_returns(self, instruction) {
            effects.jump = Jump::Ends;
        }
        if effects.calls {
            effects.set_call(call::called(self, n, instruction));
        }
        form::check_widths(self, &effects);
        let allowed = core::mem::take(&mut self.allowed);
        let mut resolved = Resolved::new(effects, allowed, |name| self.referent(name));
        contents::note_written(&mut resolved, &self.memory.storages);
        for operand in &instruction.operands {
            self.use_operand(n, operand);
        }
        resolved
    }

    /// Marks the names in an operand as used.
    fn use_operand(&mut self, n: usize, operand: &Operand<'a>) {
        spelling::check_suffix(self, n, operand);
        match &operand.kind {
            OperandKind::Name(name) | OperandKind::Offset(name, ..) => {
                spelling::check_element(self, n, *name);
                self.use_name(n, *name);
            }
            OperandKind::Element(name, index) => {
                form::check_index(self, n, *name);
                self.use_name(n, *name);
                self.use_operand(n, index);
            }
            OperandKind::Pair(one, other) => {
                for name in [*one, *other] {
                    spelling::check_element(self, n, name);
                    self.use_name(n, name);
                }
            }
            OperandKind::Not(inner) => self.use_operand(n, inner),
            OperandKind::Address(inner)
            | OperandKind::Vector(inner)
            | OperandKind::Arguments(inner) => {
                for operand in inner {
                    self.use_operand(n, operand);
                }
            }
            OperandKind::Other(names) => {
                for name in names {
                    spelling::check_element(self, n, *name);
                    self.use_name(n, *name);
                }
            }
            OperandKind::Immediate(_) => {}
        }
    }
}
