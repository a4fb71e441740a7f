//! Checks what guards, jumps, calls and directives name.

use ptx_isa::instruction::{Control, Row};
use ptx_isa::ir::body::{
    Immediate, Instruction, Name, Operand, OperandKind, Statement, TokenRange,
};
use ptx_isa::ir::{FunctionKind, Type};
use ptx_isa::rules::misplaced::{Misplaced, Wanted};
use ptx_isa::{Class, Space, special};

use crate::flow::node::Referent;
use crate::flow::place::Place;
use crate::names::directives::Directive;
use crate::names::resolver::Resolver;
use crate::names::scope::Meaning;

const BRA: &str = "bra L;";
const BRX: &str = "brx.idx %r, P;";
const CALL: &str = "call (r), f, (a);";

/// The parts of a call.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'o, 'a> {
    pub(crate) receivers: &'o [Operand<'a>],
    /// The function, or a register with its address.
    pub(crate) callee: Name<'a>,
    pub(crate) args: &'o [Operand<'a>],
    pub(crate) prototype: Option<Name<'a>>,
}

/// Checks the guard of an instruction, and a jump.
pub(crate) fn check_jump<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    if let Some(guard) = instruction.guard {
        check_guard(resolver, statement, guard.name);
    }
    let Some(row) = instruction.row else { return };
    let place = Place::new(statement, instruction.opcode_at);
    match row.control {
        Control::Jump => {
            check_modifiers(resolver, statement, (instruction, row), &["uni"]);
            let Some(target) = only(resolver, place, (row, BRA), &instruction.operands, 1) else {
                return;
            };
            check_label(resolver, statement, &target[0], Wanted::Label);
        }
        Control::JumpAnywhere => {
            check_modifiers(resolver, statement, (instruction, row), &["uni", "idx"]);
            let Some(both) = only(resolver, place, (row, BRX), &instruction.operands, 2) else {
                return;
            };
            check_index(resolver, statement, &both[0]);
            check_list(resolver, statement, &both[1]);
        }
        Control::Call => check_modifiers(resolver, statement, (instruction, row), &["uni"]),
        Control::Next | Control::Ends | Control::Returns => {}
    }
}

/// Checks a directive: whether it has a label, and what it lists.
pub(crate) fn check_directive<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    n: usize,
    statement: &Statement<'a>,
) {
    let Some(is_named) = resolver.directives.add(statement) else { return };
    let Some(directive) = statement.tokens().next() else { return };
    if !is_named {
        let found = Misplaced { name: directive.text, is: "", wanted: Wanted::LabelBefore };
        resolver.check_misplaced(found, Place::new(n, TokenRange::one(0)));
    }
    for name in statement.names() {
        let (is, wanted) = match directive.text {
            ".branchtargets" => (described(resolver, name.text), Wanted::BranchTarget),
            _ if is_function(resolver, name.text) => (None, Wanted::CallTarget),
            _ => (described_or_label(resolver, name.text), Wanted::CallTarget),
        };
        if let Some(is) = is {
            let found = Misplaced { name: name.text, is, wanted };
            resolver.check_misplaced(found, Place::new(n, name.whole_at()));
        }
    }
}

/// Returns the parts of a call, if it has the form of one; what has another form is reported.
pub(crate) fn parts<'o, 'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &'o Instruction<'a>,
) -> Option<Parts<'o, 'a>> {
    let (receivers, rest) = arguments(&instruction.operands);
    let place = Place::new(statement, instruction.opcode_at);
    let row = instruction.row?;
    let Some((callee, rest)) = rest.split_first() else {
        let wanted = Wanted::Operand(row.opcode, CALL);
        resolver.check_misplaced(Misplaced { name: "", is: "", wanted }, place);
        return None;
    };
    let at = |operand: &Operand<'_>| operand.at.map_or(place, |at| Place::new(statement, at));
    let not_a_name = |resolver: &mut Resolver<'_, 'a, '_>, operand: &Operand<'a>, wanted| {
        let found = Misplaced { name: "", is: "is not a name", wanted };
        resolver.check_misplaced(found, at(operand));
        None
    };
    let Some(name) = plain(callee) else {
        return not_a_name(resolver, callee, Wanted::Callee);
    };
    let (args, rest) = arguments(rest);
    let prototype = match rest {
        [] => None,
        [prototype] => match plain(prototype) {
            Some(name) => Some(name),
            None => return not_a_name(resolver, prototype, Wanted::Prototype),
        },
        [_, other, ..] => {
            let wanted = Wanted::Nothing(row.opcode, CALL);
            resolver.check_misplaced(Misplaced { name: "", is: "", wanted }, at(other));
            return None;
        }
    };
    Some(Parts { receivers, callee: name, args, prototype })
}

/// Checks what a call through a register names, and returns the directive with what it may call.
pub(crate) fn check_indirect<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    callee: Name<'a>,
    prototype: Option<Name<'a>>,
) -> Option<(Name<'a>, Directive<'a>)> {
    let place = Place::new(statement, callee.whole_at());
    let is_pointer = |ty: &Type<'_>| is_integer(ty, &[4, 8]);
    if register(resolver, callee).is_some_and(|ty| !is_pointer(ty)) {
        let is = "is a register of another type";
        resolver
            .check_misplaced(Misplaced { name: callee.text, is, wanted: Wanted::Pointer }, place);
        return None;
    }
    let Some(prototype) = prototype else {
        let wanted = Wanted::SomePrototype;
        resolver.check_misplaced(Misplaced { name: callee.text, is: "", wanted }, place);
        return None;
    };
    let is = match resolver.directives.find(prototype.text) {
        Some(directive @ (Directive::Calls(_) | Directive::Prototype(_))) => {
            return Some((prototype, directive.clone()));
        }
        Some(Directive::Branches) => Some("names a `.branchtargets`"),
        None if resolver.scopes.is_label(prototype.text) => Some("names no directive before this"),
        // An array may hold the addresses of the functions.
        None if register(resolver, prototype).is_none()
            && !is_function(resolver, prototype.text) =>
        {
            None
        }
        None => described(resolver, prototype.text),
    };
    if let Some(is) = is {
        let found = Misplaced { name: prototype.text, is, wanted: Wanted::Prototype };
        resolver.check_misplaced(found, Place::new(statement, prototype.whole_at()));
    }
    None
}

/// Checks that a call without a register names a function, and no prototype. Returns whether it does.
pub(crate) fn check_direct<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    callee: Name<'a>,
    prototype: Option<Name<'a>>,
) -> bool {
    let (name, at, is, wanted) = match (is_function(resolver, callee.text), prototype) {
        (true, None) => return true,
        (true, Some(prototype)) => (callee.text, prototype, "", Wanted::NoPrototype),
        (false, _) => {
            let Some(is) = described_or_label(resolver, callee.text) else { return false };
            (callee.text, callee, is, Wanted::Callee)
        }
    };
    resolver.check_misplaced(Misplaced { name, is, wanted }, Place::new(statement, at.whole_at()));
    false
}

/// Returns the operands, if there are as many as this.
fn only<'o, 'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    place: Place,
    (row, form): (&'static Row, &'static str),
    operands: &'o [Operand<'a>],
    count: usize,
) -> Option<&'o [Operand<'a>]> {
    let (wanted, place) = match operands.get(count) {
        Some(other) => (
            Wanted::Nothing(row.opcode, form),
            other.at.map_or(place, |at| Place::new(place.statement, at)),
        ),
        None if operands.len() < count => (Wanted::Operand(row.opcode, form), place),
        None => return Some(operands),
    };
    resolver.check_misplaced(Misplaced { name: "", is: "", wanted }, place);
    None
}

/// Splits arguments in parentheses off the start of some operands.
fn arguments<'o, 'a>(operands: &'o [Operand<'a>]) -> (&'o [Operand<'a>], &'o [Operand<'a>]) {
    match operands {
        [Operand { kind: OperandKind::Arguments(inner), .. }, rest @ ..] => (inner, rest),
        rest => (&[], rest),
    }
}

/// Returns the name that an operand is.
fn plain<'a>(operand: &Operand<'a>) -> Option<Name<'a>> {
    match operand.kind {
        OperandKind::Name(name) if name.element.is_empty() => Some(name),
        _ => None,
    }
}

fn check_guard<'a>(resolver: &mut Resolver<'_, 'a, '_>, statement: usize, name: Name<'a>) {
    // A name of storage is an address, of which another rule speaks (A093).
    let is_storage = matches!(resolver.referent(name.text), Referent::Storage(_));
    if is_storage || register(resolver, name).is_some() || special::is_special(name.text) {
        return;
    }
    let is = match name.text {
        "_" | "WARP_SZ" => Some("is not a register"),
        text => described_or_label(resolver, text),
    };
    if let Some(is) = is {
        let found = Misplaced { name: name.text, is, wanted: Wanted::Predicate };
        resolver.check_misplaced(found, Place::new(statement, name.whole_at()));
    }
}

fn check_modifiers<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    (instruction, row): (&Instruction<'a>, &'static Row),
    known: &[&str],
) {
    let other = instruction.modifiers.iter().position(|it| !known.contains(&it.word));
    if let Some(n) = other {
        let wanted = Wanted::Modifier(row.opcode);
        let found = Misplaced { name: instruction.modifiers[n].word, is: "", wanted };
        resolver.check_misplaced(found, Place::new(statement, instruction.modifier_at(n)));
    }
}

/// Checks that an operand is a label, and not that of a directive.
fn check_label<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    operand: &Operand<'a>,
    wanted: Wanted,
) {
    let Some(at) = operand.at else { return };
    let (name, is) = match plain(operand) {
        Some(name) if resolver.directives.find(name.text).is_some() => {
            (name.text, Some("names a directive"))
        }
        Some(name) => (name.text, described(resolver, name.text)),
        None => match &operand.kind {
            OperandKind::Name(name) if described(resolver, name.text).is_some() => {
                (name.text, described(resolver, name.text))
            }
            _ => ("", Some("is not a name")),
        },
    };
    if let Some(is) = is {
        resolver.check_misplaced(Misplaced { name, is, wanted }, Place::new(statement, at));
    }
}

fn check_index<'a>(resolver: &mut Resolver<'_, 'a, '_>, statement: usize, operand: &Operand<'a>) {
    let Some(at) = operand.at else { return };
    let (name, is) = match &operand.kind {
        OperandKind::Name(name) | OperandKind::Offset(name, ..) => {
            let is = match register(resolver, *name) {
                Some(ty) if is_integer(ty, &[4]) => None,
                Some(_) => Some("is a register of another type"),
                None => described_or_label(resolver, name.text),
            };
            (name.text, is)
        }
        OperandKind::Immediate(Immediate::Float(_)) => ("", Some("is a floating-point number")),
        OperandKind::Immediate(_) => ("", None),
        OperandKind::Element(..)
        | OperandKind::Not(_)
        | OperandKind::Pair(..)
        | OperandKind::Address(_)
        | OperandKind::Vector(_)
        | OperandKind::Arguments(_)
        | OperandKind::Other(_) => ("", Some("is not a register")),
    };
    if let Some(is) = is {
        let found = Misplaced { name, is, wanted: Wanted::Index };
        resolver.check_misplaced(found, Place::new(statement, at));
    }
}

fn check_list<'a>(resolver: &mut Resolver<'_, 'a, '_>, statement: usize, operand: &Operand<'a>) {
    let Some(at) = operand.at else { return };
    let (name, is) = match plain(operand) {
        Some(name) => match resolver.directives.find(name.text) {
            Some(Directive::Branches) => return,
            Some(Directive::Calls(_) | Directive::Prototype(_)) => {
                (name.text, Some("names another directive"))
            }
            None if resolver.scopes.is_label(name.text) => {
                (name.text, Some("names no directive before this"))
            }
            None => (name.text, described(resolver, name.text)),
        },
        None => ("", Some("is not a name")),
    };
    if let Some(is) = is {
        let found = Misplaced { name, is, wanted: Wanted::List };
        resolver.check_misplaced(found, Place::new(statement, at));
    }
}

/// Returns the type of a register; of one in a family, that of each; of an element, that of the element.
fn register<'a>(resolver: &Resolver<'_, 'a, '_>, name: Name<'a>) -> Option<&'a Type<'a>> {
    let variable = resolver.declared_register(name)?;
    let ty = variable.ty.family().map_or(variable.ty, |(_, each)| each);
    Some(match ty {
        Type::Vector(_, scalar) if !name.element.is_empty() => Type::of_scalar(*scalar),
        ty => ty,
    })
}

/// Whether it is a type of integers or bits of one of these sizes, or not known.
fn is_integer(ty: &Type<'_>, sizes: &[usize]) -> bool {
    match ty {
        Type::Scalar(scalar) => {
            matches!(scalar.class(), Class::Bits | Class::Signed | Class::Unsigned)
                && scalar.is_fundamental()
                && sizes.contains(&scalar.bytes())
        }
        Type::Aligned(_, inner) => is_integer(inner, sizes),
        Type::Unknown => true,
        Type::Vector(..)
        | Type::Array(..)
        | Type::Family(..)
        | Type::Struct(_)
        | Type::Opaque(_) => false,
    }
}

fn is_function(resolver: &Resolver<'_, '_, '_>, name: &str) -> bool {
    // In PTX text, a label hides no function.
    let is_hidden = resolver.scopes.find(name).is_some()
        && !(resolver.unit.is_ptx && resolver.scopes.is_label(name));
    !is_hidden && resolver.unit.symbols.functions.contains_key(name)
}

/// Returns what a name is that is not a label, if that is known.
fn described(resolver: &Resolver<'_, '_, '_>, name: &str) -> Option<&'static str> {
    let function = resolver.unit.function;
    let of = |space| if space == Space::Reg { "is a register" } else { "is a variable" };
    match resolver.scopes.find(name) {
        Some(Meaning::Declared(variable, _)) => Some(of(variable.space)),
        Some(Meaning::Param(n)) => Some(of_param(function.params[n].variable.space)),
        Some(Meaning::Return(n)) => Some(of_param(function.returns[n].variable.space)),
        Some(Meaning::Other) => None,
        None if special::is_special(name) => Some("is a special register"),
        None => {
            let symbols = resolver.unit.symbols;
            let function = symbols.functions.get(name).and_then(|found| found.first());
            match function.map(|symbol| symbol.ir.kind) {
                Some(FunctionKind::Kernel) => Some("is a kernel"),
                Some(FunctionKind::Device) => Some("is a function"),
                None => symbols.variables(name).map(|_| "is a variable"),
            }
        }
    }
}

fn of_param(space: Space) -> &'static str {
    if space == Space::Reg { "is a register" } else { "is a parameter" }
}

fn described_or_label(resolver: &Resolver<'_, '_, '_>, name: &str) -> Option<&'static str> {
    if resolver.scopes.is_label(name) { Some("is a label") } else { described(resolver, name) }
}
