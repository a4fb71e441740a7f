//! The rules during constant evaluation. Functions named `require_..` panic with the first violation at their caller:
//! expanded code places the call at the user's token.

use super::alignment::Demands;
use super::call::{Actual, Callee, PassedAddress};
use super::value::Misfit;
use super::{AddressTarget, Arg, Blame, Comparison, Environment, Padding, Scope, Violation, table};
pub use crate::comparison::signed_in;
use crate::constant::Number;
use crate::ir::{
    Address, Directive, Function, FunctionKind, Init, Module, Param, Type, Value, Variable,
};
use crate::scalar::ScalarType;
use crate::space::Space;

#[track_caller]
pub(super) const fn refuse(found: Option<(usize, Violation<'_>)>) {
    if let Some((_, violation)) = found {
        panic!("{}", violation.text().as_str());
    }
}

/// The first violation that nothing allows and that is an error, from `$from` on: constant evaluation has no warnings,
/// which `Module::check()` reports.
macro_rules! first {
    ($from:ident => $found:expr) => {{
        let mut $from = 0;
        loop {
            match $found {
                Some((row, violation))
                    if violation.is_allowed || !violation.rule.kind.is_error() =>
                {
                    $from = row + 1;
                }
                found => break found,
            }
        }
    }};
}

pub(super) use first;

/// Returns the first rule that a variable breaks, of those that blame this part, or of all rules.
const fn broken<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
    part: Option<Blame>,
) -> Option<(usize, Violation<'a>)> {
    first!(from => table::variable(variable, scope, env, from, part))
}

#[track_caller]
const fn refuse_param(param: &Param<'_>, part: Blame) {
    refuse(first!(from => table::param(param, from, Some(part))));
}

/// The result for a module-scope variable: the first rule that it breaks and that its tokens did not reveal.
#[derive(Clone, Copy, Debug)]
pub struct CheckedVariable<'a> {
    found: Option<Violation<'a>>,
    /// Whether it is a family although its tokens showed another type.
    is_hidden_family: bool,
}

/// Panics if the result for a variable blames its type.
#[track_caller]
pub const fn require_type(checked: CheckedVariable<'_>) {
    assert!(!checked.is_hidden_family, "{}", HIDDEN_FAMILY);
    refuse_of(checked, Blame::Type);
}

/// Panics if the result for a variable blames its declared alignment.
#[track_caller]
pub const fn require_align(checked: CheckedVariable<'_>) {
    refuse_of(checked, Blame::Align);
}

/// Panics if the result for a variable blames its initial value.
#[track_caller]
pub const fn require_value(checked: CheckedVariable<'_>) {
    refuse_of(checked, Blame::Value);
}

#[track_caller]
const fn refuse_of(checked: CheckedVariable<'_>, part: Blame) {
    if let Some(violation) = &checked.found
        && part.covers(violation.blames)
    {
        panic!("{}", violation.text().as_str());
    }
}

/// Checks a module-scope variable whose Rust type has this size and alignment in bytes, unless its type is the one that
/// was assumed when its tokens were checked. An empty assumption means that there was none.
pub const fn check_declared<'a>(
    ir: &'a Variable<'a>,
    (size, align): (usize, usize),
    env: Environment,
    assumption: &[u8],
) -> CheckedVariable<'a> {
    if !assumption.is_empty() && ir.ty.is_as_assumed(assumption, size, align) {
        return CheckedVariable { found: None, is_hidden_family: false };
    }
    // If the tokens name a family, there is no assumption, and the macro knows that it is one.
    let is_hidden_family = !assumption.is_empty() && ir.ty.family().is_some();
    CheckedVariable { found: fault_in_rust(ir, env, size, align), is_hidden_family }
}

/// Like [`check_declared`], for dynamic shared memory without a length.
pub const fn check_slice<'a>(variable: &'a Variable<'a>, env: Environment) -> CheckedVariable<'a> {
    CheckedVariable { found: fault(variable, env), is_hidden_family: false }
}

/// Returns the violation by a variable, or, if its type is otherwise correct, by its layout in Rust.
const fn fault_in_rust<'a>(
    ir: &'a Variable<'a>,
    env: Environment,
    size: usize,
    align: usize,
) -> Option<Violation<'a>> {
    match fault(ir, env) {
        Some(found) if Blame::Type.covers(found.blames) => Some(found),
        found => match host_layout(ir.ty, size, align) {
            Some((_, violation)) => Some(violation),
            None => found,
        },
    }
}

/// Returns the violation by a variable that its tokens did not reveal; violations by its type come first.
const fn fault<'a>(variable: &'a Variable<'a>, env: Environment) -> Option<Violation<'a>> {
    let mut first = None;
    let mut from = 0;
    while let Some((row, violation)) = table::variable(variable, Scope::Module, env, from, None) {
        from = row + 1;
        if violation.is_allowed {
            continue;
        }
        if Blame::Type.covers(violation.blames) {
            return Some(violation);
        }
        if first.is_none()
            && (Blame::Align.covers(violation.blames) || Blame::Value.covers(violation.blames))
        {
            first = Some(violation);
        }
    }
    match (first, misfit(variable)) {
        (None, Some((_, violation))) => Some(violation),
        (first, _) => first,
    }
}

/// Returns the first violation by an element of the initial value of a variable.
const fn misfit<'a>(variable: &Variable<'a>) -> Option<(usize, Violation<'a>)> {
    match Misfit::first(variable) {
        Some(misfit) => first!(from => table::element(misfit, from, None)),
        None => None,
    }
}

/// The message about a type that turns out to be a family although its tokens did not show it.
const HIDDEN_FAMILY: &str = "a family names its members where it is declared, so an alias cannot stand for it; write `Family<T, N>` here";

/// Panics if a type is a family although its tokens did not show it.
#[track_caller]
pub const fn require_no_family(ty: &Type<'_>) {
    assert!(ty.family().is_none(), "{}", HIDDEN_FAMILY);
}

/// Panics if a parameter or a return value breaks a rule that blames its type.
#[track_caller]
pub const fn require_param(param: &Param<'_>, scope: Scope, callee: Callee, env: Environment) {
    refuse(broken(&param.variable, scope, env, Some(Blame::Type)));
    refuse_param(param, Blame::Type);
    if !matches!(scope, Scope::Param) {
        refuse(table::formal(param, callee, 0, Some(Blame::Type)));
    }
}

/// Panics if a parameter breaks a rule that blames its declared alignment.
#[track_caller]
pub const fn require_param_align(param: &Param<'_>, scope: Scope, env: Environment) {
    refuse(broken(&param.variable, scope, env, Some(Blame::Align)));
}

/// Panics if a parameter breaks a rule that blames one of its attributes.
#[track_caller]
pub const fn require_param_attribute(param: &Param<'_>) {
    refuse_param(param, Blame::Linkage);
}

/// Panics if a declaration of a body breaks a rule.
#[track_caller]
pub const fn require_local(variable: &Variable<'_>, env: Environment) {
    refuse(broken(variable, Scope::Body, env, None));
    refuse(misfit(variable));
}

/// Panics with the message if the Rust constants satisfy the condition under which it applies.
#[track_caller]
pub const fn refuse_where(holds: bool, message: &str) {
    assert!(!holds, "{}", message);
}

/// The step for repeated additions of `value` in registers, which wrap: the power of two that divides it, or 0 for
/// zero.
pub const fn to_step(value: i128) -> u64 {
    match value.trailing_zeros() {
        zeros @ 0..64 => 1 << zeros,
        64.. => 0,
    }
}

/// A sum in registers, which wrap at fewer bits.
pub const fn plus(one: i128, other: i128) -> i128 {
    one.wrapping_add(other)
}

/// A product in registers, which wrap at fewer bits.
pub const fn times(one: i128, other: i128) -> i128 {
    one.wrapping_mul(other)
}

/// The demands of accesses on a declaration, as the tokens show them.
pub const fn demands(
    count: usize,
    most: usize,
    least: usize,
    are_typed: bool,
    line: u32,
) -> Demands {
    Demands { count, most, least, are_typed, line }
}

/// See [`Comparison::holds_in`].
pub const fn holds(
    one: i128,
    comparison: Comparison,
    other: i128,
    bits: u32,
    is_signed: bool,
) -> bool {
    comparison.holds_in(one, other, bits, is_signed)
}

/// A number that does not fit becomes the maximum; `require_u32` reports it.
#[allow(clippy::cast_possible_truncation)] // compared below
pub const fn to_u32(value: usize) -> u32 {
    let number = value as u32;
    if number as usize == value { number } else { u32::MAX }
}

/// Panics if a number that is spliced into the initial value of a declaration of a body breaks a rule.
#[track_caller]
pub const fn require_spliced(
    name: &str,
    space: Space,
    scalar: ScalarType,
    number: Number,
    env: Environment,
) {
    let ty = &Type::Scalar(scalar);
    let init = Init::Value(spliced_value(number));
    let variable = Variable { init, ..Variable::new(space, name, ty) };
    refuse(broken(&variable, Scope::Body, env, Some(Blame::Value)));
    refuse(misfit(&variable));
}

/// The initial value that a number becomes when it is spliced.
#[allow(clippy::cast_possible_wrap)] // only values that are out of every range wrap
pub const fn spliced_value(number: Number) -> Value<'static> {
    match number {
        Number::Int { negative: true, magnitude } => Value::Int((magnitude as i128).wrapping_neg()),
        Number::Int { negative: false, magnitude } | Number::Bits(magnitude) => {
            Value::Int(magnitude as i128)
        }
        Number::F32(bits) => Value::Float(f32::from_bits(bits) as f64),
        Number::F64(bits) => Value::Float(f64::from_bits(bits)),
    }
}

/// Panics if a directive breaks a rule.
#[track_caller]
pub const fn require_directive(directive: Directive, env: Environment) {
    // Whether it may be on this kind of function, the tokens have shown (F036).
    let is_of_kernels = directive.kind.is_of_kernels();
    let kind = if is_of_kernels { FunctionKind::Kernel } else { FunctionKind::Device };
    let function = Function::new(kind, "");
    refuse(first!(from => table::directive(directive, &function, env, from, None)));
}

/// Panics if a function breaks a rule that blames its name.
#[track_caller]
pub const fn require_function(function: &Function<'_>, env: Environment) {
    refuse(first!(from => table::function(function, env, from, Some(Blame::Name))));
}

/// Panics if a module as a whole breaks a rule.
#[track_caller]
pub const fn require_module(module: &Module<'_>) {
    refuse(table::module(module, 0, None));
}

/// Panics if Rust's layout of a type, with `size` bytes aligned to `align`, differs from that of PTX. A type whose
/// layout another rule refuses is left to that rule.
#[track_caller]
pub const fn require_layout(ty: &Type<'_>, size: usize, align: usize) {
    refuse(host_layout(ty, size, align));
}

const fn host_layout<'a>(
    ty: &'a Type<'a>,
    size: usize,
    align: usize,
) -> Option<(usize, Violation<'a>)> {
    let Some(found) = table::layout(ty, size, align, "", 0, None) else { return None };
    let probe = Variable::new(Space::Global, "", ty);
    let env = Environment::UNKNOWN;
    match broken(&probe, Scope::Module, env, Some(Blame::Type)) {
        Some(_) => None,
        None => Some(found),
    }
}

/// Panics if field `n` of a derived struct does not start where the field before it ends, or, for `n` past the
/// last field, if the struct does not end where its last field does.
#[track_caller]
pub const fn require_no_padding(ty: &Type<'_>, n: usize) {
    if let Type::Struct(layout) = ty {
        refuse(table::padding(&Padding::before_field(layout, n), 0, None));
    }
}

/// Panics if an address in the initial value of `holder` breaks a rule.
#[track_caller]
pub const fn require_address<'a>(
    address: &Address<'a>,
    target: &'a Variable<'a>,
    holder: &Variable<'a>,
) {
    let target = AddressTarget::Variable(target);
    refuse(first!(from => table::address(address, target, holder, from, None)));
}

/// Panics if the target of an address in an initial value has a lower alignment than the value's type guarantees.
#[track_caller]
pub const fn require_pointed(symbol: &str, aligned: usize, promised: usize) {
    refuse(table::pointed(symbol, aligned, promised, 0, None));
}

/// Panics unless a mask selects one byte.
#[track_caller]
pub const fn require_mask(mask: u64) {
    let ty = &Type::Scalar(ScalarType::U8);
    let init = Init::Value(Value::MaskedInt(mask, 0));
    let probe = Variable { init, ..Variable::new(Space::Global, "", ty) };
    refuse(misfit(&probe));
}

/// Panics if an integer that is passed to a function breaks a rule.
#[track_caller]
pub const fn require_int_argument(formal: &Param<'_>) {
    refuse(table::argument(formal, Actual::Int, 0, None));
}

/// Panics if a floating-point number that is passed to a function breaks a rule.
#[track_caller]
pub const fn require_float_argument(formal: &Param<'_>) {
    refuse(table::argument(formal, Actual::Float, 0, None));
}

/// Panics if a Rust constant that is passed to a function breaks a rule.
#[track_caller]
pub const fn require_spliced_argument(formal: &Param<'_>, number: Number) {
    match number {
        Number::Int { .. } | Number::Bits(_) => require_int_argument(formal),
        Number::F32(_) | Number::F64(_) => require_float_argument(formal),
    }
}

/// Panics if an address of this object in this state space breaks a rule when it is passed to a function.
#[track_caller]
pub const fn require_passed(formal: &Param<'_>, name: &str, space: Space) {
    let name = Arg::Str(name);
    refuse(table::passed(PassedAddress { formal, name, space }, 0, None));
}

/// Panics if an argument of a call breaks a rule.
#[track_caller]
pub const fn require_argument<'a>(formal: &Param<'a>, actual: &'a Variable<'a>) {
    let actual = match actual.space {
        Space::Reg => Actual::Register(actual),
        _ => Actual::LocalParam(actual),
    };
    refuse(table::argument(formal, actual, 0, None));
}
