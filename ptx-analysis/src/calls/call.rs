//! Checks calls against the rules.

use ptx_isa::ir::body::{Immediate, Instruction, Name, Operand, OperandKind};
use ptx_isa::ir::{DirectiveKind, Function, FunctionKind, Param};
use ptx_isa::rules;
use ptx_isa::rules::call::{Actual, Counts};
use ptx_isa::{Space, special};

use crate::findings::deferred::{DeferredActual, DeferredArgument};
use crate::flow::effects::{Call, named_function};
use crate::flow::expression::Expression;
use crate::flow::place::Place;
use crate::names::directives::Directive;
use crate::names::jump::{self, Parts};
use crate::names::resolver::Resolver;
use crate::names::scope::Meaning;

/// Returns the module function that a call certainly names, and its arguments.
pub(crate) fn called<'a>(
    resolver: &Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) -> Option<Call<'a>> {
    let name = named_function(instruction)?;
    // If a register has that name, the call is indirect.
    if resolver.scopes.find(name.text).is_some() {
        return None;
    }
    let symbols = resolver.unit.symbols;
    let [symbol] = symbols.functions.get(name.text)?.as_slice() else { return None };
    let is_name = |operand: &Operand<'_>| matches!(operand.kind, OperandKind::Name(_));
    let after = instruction.operands.iter().skip_while(|operand| !is_name(operand)).nth(1);
    let passed = match after.map(|operand| &operand.kind) {
        Some(OperandKind::Arguments(inner)) => inner.as_slice(),
        Some(_) | None => &[],
    };
    let place = |operand: &Operand<'_>| Place::new(statement, operand.at.unwrap_or(name.at()));
    let arguments = passed.iter().map(|operand| (Expression::of(operand), place(operand)));
    let (index, function) = (symbol.index, symbol.ir);
    let returns = symbols.returning.contains(&index);
    Some(Call { index, function, arguments: arguments.collect(), returns })
}

/// Whether it is a call of a function that never returns.
pub(crate) fn never_returns(
    resolver: &Resolver<'_, '_, '_>,
    instruction: &Instruction<'_>,
) -> bool {
    let Some(name) = named_function(instruction) else { return false };
    // If a register has that name, the call is indirect.
    if resolver.scopes.find(name.text).is_some() {
        return false;
    }
    let found = resolver.unit.symbols.functions.get(name.text);
    let is_noreturn =
        |directive: &ptx_isa::ir::Directive| directive.kind == DirectiveKind::NoReturn;
    found.is_some_and(|all| all.iter().all(|it| it.ir.directives.iter().any(is_noreturn)))
}

/// Checks `call (r), f, (a, b);`, `call f, (a, b);`, `call f;` or `call (r), %r, (a, b), prototype;`.
pub(crate) fn check_call<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    instruction: &Instruction<'a>,
) {
    let Some(parts) = jump::parts(resolver, statement, instruction) else { return };
    let Parts { callee: name, prototype, .. } = parts;
    let (function, symbols) = (resolver.unit.function, resolver.unit.symbols);
    let symbol = |name: &str| match symbols.functions.get(name)?.as_slice() {
        [symbol] => Some((Some(symbol.index), symbol.ir)),
        _ => None,
    };
    let is_register = match resolver.scopes.find(name.text) {
        Some(Meaning::Declared(variable, _)) => variable.space == Space::Reg,
        Some(Meaning::Param(n)) => function.params[n].variable.space == Space::Reg,
        Some(Meaning::Return(n)) => function.returns[n].variable.space == Space::Reg,
        // What could not be parsed may declare one.
        Some(Meaning::Other) if !resolver.scopes.is_label(name.text) => {
            return;
        }
        Some(Meaning::Other) | None => false,
    };
    if !is_register {
        if jump::check_direct(resolver, statement, name, prototype)
            && let Some(callee) = symbol(name.text)
        {
            check_against(resolver, statement, parts, name, callee);
        }
        return;
    }
    match jump::check_indirect(resolver, statement, name, prototype) {
        Some((at, Directive::Prototype(n))) => {
            if let Some(callee) = function.prototypes.get(n) {
                check_against(resolver, statement, parts, at, (None, callee));
            }
        }
        Some((at, Directive::Calls(names))) => {
            // One error is enough, and a kernel among them is not called.
            let mut callees = names.into_iter().filter_map(symbol);
            let _ = callees.find(|(index, callee)| {
                callee.kind == FunctionKind::Device
                    && !check_against(resolver, statement, parts, at, (*index, callee))
            });
        }
        Some((_, Directive::Branches)) | None => {}
    }
}

/// Compares a call with what it calls, a function of the module with its index or a prototype, and blames this name.
/// Returns whether it fits.
fn check_against<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    Parts { receivers, args, .. }: Parts<'_, 'a>,
    name: Name<'a>,
    (index, callee): (Option<usize>, &'a Function<'a>),
) -> bool {
    let missing = callee.params.get(args.len()).filter(|_| index.is_some());
    let counts = Counts {
        params: callee.params.len(),
        args: args.len(),
        returns: callee.returns.len(),
        receivers: receivers.len(),
        missing: missing.map(|param| param.variable.name),
    };
    let is_kernel = callee.kind == FunctionKind::Kernel;
    let found = rules::check_call(callee.name, counts, is_kernel);
    let is_sound = found.is_empty();
    for violation in found {
        resolver.report.refuse(&violation, Place::new(statement, name.at()));
    }
    if !is_sound {
        return false;
    }
    let params = callee.params.iter().zip(args).map(|pair| (false, pair)).enumerate();
    let returns = callee.returns.iter().zip(receivers).map(|pair| (true, pair)).enumerate();
    let mut fits = true;
    for (formal, (is_return, (param, argument))) in params.chain(returns) {
        fits &= check_argument(resolver, statement, (index, is_return, formal), param, argument);
    }
    fits
}

/// Compares an argument with its parameter, and returns whether it fits.
fn check_argument<'a>(
    resolver: &mut Resolver<'_, 'a, '_>,
    statement: usize,
    (function, is_return, formal): (Option<usize>, bool, usize),
    param: &'a Param<'a>,
    argument: &Operand<'a>,
) -> bool {
    let Some(at) = argument.at else { return true };
    let place = Place::new(statement, at);
    let is_known = param.variable.ty.is_known();
    let mut deferred = None;
    let actual = match &argument.kind {
        OperandKind::Immediate(
            Immediate::Integer(_)
            | Immediate::Expression(_)
            | Immediate::Float(_)
            | Immediate::Constant(..),
        ) if is_return => Actual::Other("a constant"),
        OperandKind::Immediate(Immediate::Integer(_) | Immediate::Expression(_)) => {
            deferred = (!is_known).then_some(DeferredActual::Int);
            Actual::Int
        }
        OperandKind::Immediate(Immediate::Float(_)) => {
            deferred = (!is_known).then_some(DeferredActual::Float);
            Actual::Float
        }
        OperandKind::Immediate(Immediate::Constant(number, _)) => {
            match resolver.unit.body.constants().get(*number) {
                Some(ptx_isa::Number::F32(_) | ptx_isa::Number::F64(_)) => Actual::Float,
                Some(_) => Actual::Int,
                None => {
                    deferred = Some(DeferredActual::Constant(*number));
                    Actual::Unknown
                }
            }
        }
        OperandKind::Name(name) if name.element.is_empty() => match name.text {
            "_" if is_return => Actual::Unknown,
            "_" => Actual::Other("`_`, which has no value"),
            text => match resolver.scopes.find(text) {
                Some(Meaning::Declared(found, n)) => {
                    let is_deferred = resolver.unit.declared[n].is_deferred;
                    if is_deferred || !is_known {
                        deferred = Some(DeferredActual::Declaration(n));
                    }
                    match found.space {
                        Space::Reg => Actual::Register(found),
                        // Its extents or its alignment are not known.
                        Space::Param if is_deferred => Actual::Unknown,
                        Space::Param => Actual::LocalParam(found),
                        _ => Actual::Other("a variable in memory"),
                    }
                }
                Some(Meaning::Param(i)) => own(&resolver.unit.function.params[i]),
                Some(Meaning::Return(i)) => own(&resolver.unit.function.returns[i]),
                Some(Meaning::Other) => Actual::Unknown,
                None if special::is_special(text) => Actual::Other("a special register"),
                None => match resolver.unit.symbols.variable(text) {
                    Some(_) => Actual::Other("a variable in memory"),
                    None => Actual::Unknown,
                },
            },
        },
        _ => Actual::Unknown,
    };
    let found = rules::check_argument(param, actual);
    let fits = found.is_empty();
    for violation in found {
        resolver.report.refuse(&violation, place);
        deferred = None;
    }
    if let (Some(actual), Some(function)) = (deferred, function) {
        let argument = DeferredArgument { function, is_return, formal, actual, place };
        resolver.report.arguments.push(argument);
    }
    fits
}

/// Returns a parameter of the calling function as an argument.
fn own<'a>(param: &'a Param<'a>) -> Actual<'a> {
    match param.variable.space {
        Space::Reg => Actual::Register(&param.variable),
        _ => Actual::Other("a parameter of the caller, which cannot be passed on as it is"),
    }
}
