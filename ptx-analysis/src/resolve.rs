//! The first phase: what the names in a body mean, and the rules that need no more than that.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use ptx_types::ir::body::{
    Declarator, Instruction, Name, Operand, OperandKind, Statement, StatementKind,
};
use ptx_types::ir::{self, FunctionKind};
use ptx_types::rules::access::Object;
use ptx_types::rules::{self, AddressTarget};
use ptx_types::{Space, Version, special};

use crate::deferred::DeferredObject;
use crate::effects::Effects;
use crate::finding::{Problem, Undeclared};
use crate::form;
use crate::node::{Node, Referent, Resolved};
use crate::place::Place;
use crate::report::Report;
use crate::scope::{Meaning, Scopes};
use crate::storage::{Choice, Declarer, Memory};
use crate::symbols::{Symbol, is_member};
use crate::unit::{Rename, Unit, Uses, VariableUse};

/// What the first phase found out.
#[derive(Debug)]
pub(crate) struct Resolution<'a> {
    /// The labels and instructions, in order.
    pub(crate) nodes: Vec<Node<'a>>,
    /// The storage that operands name.
    pub(crate) memory: Memory<'a>,
    /// The registers that are parameters, by their numbers.
    pub(crate) params: Vec<(usize, &'a ir::Param<'a>, usize)>,
    /// What the body names outside itself.
    pub(crate) uses: Uses<'a>,
    /// The tokens that are other names in PTX.
    pub(crate) renames: Vec<Rename>,
    /// Where special registers stand.
    pub(crate) specials: Vec<(&'a str, Place)>,
}

/// Resolves the names of a body. `None` where a statement is there of which nothing is known.
pub(crate) fn resolve<'a>(unit: Unit<'_, 'a>, report: &mut Report<'a>) -> Option<Resolution<'a>> {
    let statements: Vec<Statement<'a>> = unit.body.statements().collect();
    if statements.iter().any(|statement| statement.kind() == StatementKind::Verbatim) {
        return None;
    }
    let uses =
        Uses { is_certain: true, named: vec![false; unit.declared.len()], ..Uses::default() };
    let mut resolver = Resolver {
        unit,
        scopes: Scopes::of(unit.function),
        declared: 0,
        first_declared: 0,
        memory: Memory::default(),
        uses,
        renames: Vec::new(),
        specials: Vec::new(),
        unknown: BTreeSet::new(),
        said: BTreeSet::new(),
        allowed: Vec::new(),
        report,
    };
    let nodes = resolver.run(&statements);
    let mut params = Vec::new();
    for (i, param) in unit.function.params.iter().enumerate() {
        if param.variable.space == Space::Reg
            && let Referent::Register(register) = resolver.referent(param.variable.name)
        {
            params.push((i, param, register));
        }
    }
    let Resolver { memory, uses, renames, specials, .. } = resolver;
    Some(Resolution { nodes, memory, params, uses, renames, specials })
}

pub(crate) struct Resolver<'c, 'a, 'r> {
    pub(crate) unit: Unit<'c, 'a>,
    pub(crate) scopes: Scopes<'a>,
    /// How many declarations were seen.
    declared: usize,
    /// How many were seen before the statement.
    first_declared: usize,
    pub(crate) memory: Memory<'a>,
    pub(crate) uses: Uses<'a>,
    renames: Vec<Rename>,
    specials: Vec<(&'a str, Place)>,
    /// Names that were reported: once is enough.
    unknown: BTreeSet<&'a str>,
    /// What was said of instructions that need more: the code, and the part.
    pub(crate) said: BTreeSet<(&'static str, &'a str)>,
    /// The allowances of the statement.
    pub(crate) allowed: Vec<usize>,
    pub(crate) report: &'r mut Report<'a>,
}

impl<'a> Resolver<'_, 'a, '_> {
    fn run(&mut self, statements: &[Statement<'a>]) -> Vec<Node<'a>> {
        let mut nodes = Vec::new();
        for name in self.unit.assumed {
            self.scopes.assume(name);
        }
        self.declare_labels(0, statements);
        for (n, statement) in statements.iter().enumerate() {
            match statement.kind() {
                StatementKind::Open => {
                    self.scopes.open();
                    self.declare_labels(n + 1, &statements[n + 1..]);
                }
                StatementKind::Close => self.scopes.close(),
                StatementKind::Label => nodes.push(Node::Label(statement.text())),
                StatementKind::Declaration => {
                    self.first_declared = self.declared;
                    for declarator in statement.declarators() {
                        self.declare(n, &declarator, statements);
                    }
                }
                StatementKind::Directive => {
                    for name in statement.names() {
                        self.use_name(n, name, statements);
                    }
                }
                StatementKind::Instruction => {
                    if let Some(instruction) = statement.instruction(self.unit.constants.values) {
                        self.allowed = self.report.allow(n, statement.allowed());
                        nodes.push(Node::Instruction(self.instruction(
                            n,
                            &instruction,
                            statements,
                        )));
                    }
                }
                StatementKind::Verbatim => {}
            }
        }
        nodes
    }

    /// Declares the labels of the block that starts here: they may be used before they stand.
    fn declare_labels(&mut self, first: usize, statements: &[Statement<'a>]) {
        let mut depth = 0_usize;
        for (n, statement) in statements.iter().enumerate() {
            match statement.kind() {
                StatementKind::Open => depth += 1,
                StatementKind::Close if depth == 0 => return,
                StatementKind::Close => depth -= 1,
                StatementKind::Label if depth == 0 => {
                    let name = statement.text();
                    if !self.scopes.declare_label(name) {
                        let place = Place::new(first + n, ir::body::TokenRange::one(0));
                        self.report_twice(name, place);
                    }
                }
                _ => {}
            }
        }
    }

    fn report_twice(&mut self, name: &'a str, place: Place) {
        for violation in rules::check_duplicate(name, name) {
            self.report.refuse(violation, place);
        }
    }

    fn declare(
        &mut self,
        statement: usize,
        declarator: &Declarator<'a>,
        statements: &[Statement<'a>],
    ) {
        for name in &declarator.initial {
            self.use_name(statement, *name, statements);
        }
        let number = self.declared;
        self.declared += 1;
        let Some(declared) = self.unit.declared.get(number) else { return };
        let name = declarator.name;
        if !self.scopes.declare(name.text, declared.variable, number) {
            self.report_twice(name.text, Place::new(statement, name.at()));
        }
        self.check_initial(statement, declared.variable, declarator);
    }

    /// The addresses in the initial value of a declaration.
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
                        Some(symbol) => {
                            self.uses.taken.push(symbol.index);
                            AddressTarget::Function(symbol.ir.kind, symbol.ir.linkage)
                        }
                        // Reported as a name that nothing declares.
                        None => continue,
                    },
                },
            };
            for violation in rules::check_address(&address, target, holder) {
                self.report.refuse(violation, place);
            }
        }
    }

    fn instruction(
        &mut self,
        n: usize,
        instruction: &Instruction<'a>,
        statements: &[Statement<'a>],
    ) -> Resolved<'a> {
        if let Some(guard) = &instruction.guard {
            self.use_name(n, guard.name, statements);
        }
        form::check_instruction(self, n, instruction);
        let effects = Effects::of(instruction, n);
        form::check_widths(self, &effects);
        let mut names: Vec<(&'a str, Referent)> = Vec::new();
        let mut all = Vec::new();
        effects.each_name(&mut |name| all.push(name.text));
        for name in all {
            if !names.iter().any(|(other, _)| *other == name) {
                names.push((name, self.referent(name)));
            }
        }
        for operand in &instruction.operands {
            self.use_operand(n, operand, statements);
        }
        Resolved { effects, names, allowed: core::mem::take(&mut self.allowed) }
    }

    /// The names in an operand are used.
    fn use_operand(&mut self, n: usize, operand: &Operand<'a>, statements: &[Statement<'a>]) {
        match &operand.kind {
            OperandKind::Name(name) | OperandKind::Offset(name, ..) => {
                form::check_element(self, n, *name);
                self.use_name(n, *name, statements);
            }
            OperandKind::Element(name, index) => {
                form::check_index(self, n, *name);
                self.use_name(n, *name, statements);
                self.use_operand(n, index, statements);
            }
            OperandKind::Pair(one, other) => {
                for name in [*one, *other] {
                    form::check_element(self, n, name);
                    self.use_name(n, name, statements);
                }
            }
            OperandKind::Not(inner) => self.use_operand(n, inner, statements),
            OperandKind::Address(inner)
            | OperandKind::Vector(inner)
            | OperandKind::Arguments(inner) => {
                inner.iter().for_each(|operand| self.use_operand(n, operand, statements));
            }
            OperandKind::Other(names) => {
                for name in names {
                    form::check_element(self, n, *name);
                    self.use_name(n, *name, statements);
                }
            }
            OperandKind::Immediate(_) => {}
        }
    }

    /// Finds what a name means that the body does not declare, and its name in PTX if that is
    /// another.
    fn use_name(&mut self, statement: usize, name: Name<'a>, statements: &[Statement<'a>]) {
        let text = name.text;
        for (declared, named) in self.unit.declared.iter().zip(&mut self.uses.named) {
            *named |= declared.variable.name == text;
        }
        if text == "_" || text == "WARP_SZ" || self.scopes.find(text).is_some() {
            return;
        }
        let place = Place::new(statement, name.whole_at());
        if special::is_special(text) {
            self.specials.push((text, place));
            return;
        }
        let symbols = self.unit.symbols;
        if let Some((found, ptx_name)) = symbols.variables(text) {
            self.uses.is_certain &= found.len() == 1;
            let uses = found.iter().map(|symbol| VariableUse {
                index: symbol.index,
                member: symbol.ir.ty.family().map(|_| ptx_name.clone()),
            });
            self.uses.variables.extend(uses);
            self.rename(statement, name, ptx_name, place);
        } else if let Some(found) = symbols.functions.get(text) {
            self.uses.functions.extend(found.iter().map(|symbol| symbol.index));
            if let Some(symbol) = found.first() {
                self.rename(statement, name, symbol.name.clone(), place);
            }
        } else if self.unknown.insert(text) {
            self.report_unknown(statement, text, place, statements);
        }
    }

    /// Notes what a name is called in PTX, and reports it if the body declares something by that name.
    fn rename(&mut self, statement: usize, name: Name<'a>, ptx_name: String, place: Place) {
        if self.scopes.find(&ptx_name).is_some() {
            let problem = Problem::Hidden { name: name.text, ptx_name: ptx_name.clone() };
            self.report.find(place, problem);
        }
        if ptx_name != name.text {
            self.renames.push(Rename { statement, token: name.token, name: ptx_name });
        }
    }

    fn report_unknown(
        &mut self,
        at: usize,
        name: &'a str,
        place: Place,
        statements: &[Statement<'a>],
    ) {
        let (mut is_later, mut number) = (false, self.declared);
        if let Some(StatementKind::Declaration) = statements.get(at).map(Statement::kind) {
            number = self.first_declared;
        }
        for declarator in statements.iter().skip(at).flat_map(Statement::declarators) {
            let declared = self.unit.declared.get(number).map(|declared| declared.variable);
            let is_family = declared.is_some_and(|variable| variable.ty.family().is_some());
            let is_meant = if is_family {
                is_member(name, declarator.name.text, None)
            } else {
                declarator.name.text == name
            };
            is_later |= number >= self.declared && is_meant;
            number += 1;
        }
        let (visible, families) = self.scopes.visible();
        let undeclared = Undeclared { name, is_later, visible, families };
        self.report.find(place, Problem::Undeclared(undeclared));
    }

    /// Notes that the body needs a PTX version.
    pub(crate) fn needs(&mut self, version: Version) {
        self.uses.since = Some(self.uses.since.map_or(version, |since| since.newer(version)));
    }

    /// What a name in an operand stands for.
    pub(crate) fn referent(&mut self, name: &'a str) -> Referent {
        let function = self.unit.function;
        let choices = match self.scopes.find(name) {
            Some(Meaning::Param(i)) if function.params[i].variable.space == Space::Reg => {
                return self.memory.register(Declarer::Param(i), name);
            }
            Some(Meaning::Return(i)) if function.returns[i].variable.space == Space::Reg => {
                return self.memory.register(Declarer::Return(i), name);
            }
            Some(Meaning::Declared(variable, n)) if variable.space == Space::Reg => {
                return self.memory.register(Declarer::Declaration(n), name);
            }
            Some(Meaning::Param(i)) => {
                let param = &function.params[i];
                let object = match function.kind {
                    FunctionKind::Kernel => Object::EntryParam(param),
                    FunctionKind::Device => Object::Input(&param.variable),
                };
                vec![Choice::of_param(object, Some(param), DeferredObject::Param(i))]
            }
            Some(Meaning::Return(i)) => {
                let object = Object::Return(&function.returns[i].variable);
                vec![Choice::of_param(object, None, DeferredObject::Return(i))]
            }
            Some(Meaning::Declared(variable, n)) => {
                let object = match (variable.space, variable.ty.family()) {
                    (Space::Param, _) => Object::LocalParam(variable),
                    (_, Some(_)) => Object::Member(variable, variable.name),
                    (_, None) => Object::Variable(variable),
                };
                vec![Choice {
                    object,
                    param: None,
                    id: DeferredObject::Declaration(n),
                    is_deferred: self.unit.declared[n].is_deferred,
                    is_aligned: true,
                }]
            }
            Some(Meaning::Other) => return Referent::Other,
            None => {
                let Some((found, ptx_name)) = self.unit.symbols.variables(name) else {
                    return Referent::Other;
                };
                let choice = |symbol: &Symbol<&'a ir::Variable<'a>>| {
                    let is_family = symbol.ir.ty.family().is_some();
                    let member = is_family.then(|| ptx_name.clone());
                    Choice {
                        object: if is_family {
                            Object::Member(symbol.ir, name)
                        } else {
                            Object::Variable(symbol.ir)
                        },
                        param: None,
                        id: DeferredObject::Variable(VariableUse { index: symbol.index, member }),
                        is_deferred: found.len() > 1,
                        is_aligned: !symbol.is_alignment_deferred,
                    }
                };
                found.iter().map(choice).collect()
            }
        };
        self.memory.storage(choices)
    }
}
