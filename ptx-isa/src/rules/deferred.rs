//! The rules during constant evaluation. Each check returns what it found, which expanded code passes to
//! [`require`](crate::found::require) at the user's token.

use super::call::{Actual, Callee, PassedAddress};
use super::value::Misfit;
use super::{
    AddressTarget, Arg, Blame, Comparison, Environment, GivenDirective, Padding, Scope, Violation,
    table,
};
pub use crate::comparison::signed_in;
use crate::constant::Number;
use crate::found::Found;
use crate::ir::{Address, Function, Init, Module, Param, Type, Value, Variable};
use crate::opaque::TextureMode;
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::target::{Release, Target, Version};

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

/// A violation, and the number of its row.
type Numbered<'a> = Option<(usize, Violation<'a>)>;

pub(super) const fn found(broken: &Numbered<'_>) -> Found {
    match broken {
        Some((_, violation)) => Found::of(violation.text()),
        None => Found::NOTHING,
    }
}

/// What a check of a declaration found, by the part that it blames.
#[derive(Clone, Copy, Debug)]
pub struct CheckedDeclaration {
    /// At the type.
    pub ty: Found,
    /// At the declared alignment.
    pub align: Found,
    /// At the initial value.
    pub value: Found,
}

impl CheckedDeclaration {
    const NOTHING: Self = Self { ty: Found::NOTHING, align: Found::NOTHING, value: Found::NOTHING };
}

/// The checks of a module, for its environment.
#[derive(Clone, Copy, Debug)]
pub struct Checker(pub Environment);

impl Checker {
    /// The checks of a module with these properties.
    pub const fn new(
        target: Target,
        version: Option<Version>,
        release: Option<Release>,
        texture_mode: TextureMode,
    ) -> Self {
        let (target, texture_mode) = (Some(target), Some(texture_mode));
        Self(Environment { target, version, release, texture_mode })
    }

    /// Checks a module-scope variable whose Rust type has this size and alignment in bytes, unless its type is the one
    /// that was assumed when its tokens were checked. The assumption is empty if the tokens show a family.
    pub const fn variable(
        self,
        ir: &Variable<'_>,
        (size, align): (usize, usize),
        assumption: &[u8],
    ) -> CheckedDeclaration {
        let mut found = CheckedDeclaration::NOTHING;
        if !assumption.is_empty() && ir.ty.is_as_assumed(assumption, size, align) {
            return found;
        }
        if !assumption.is_empty() && ir.ty.family().is_some() {
            found.ty = Found::message(true, HIDDEN_FAMILY);
        } else if let Some(violation) = fault_in_rust(ir, self.0, size, align) {
            let blamed = if Blame::Align.covers(violation.blames) {
                &mut found.align
            } else if Blame::Value.covers(violation.blames) {
                &mut found.value
            } else {
                &mut found.ty
            };
            *blamed = Found::of(violation.text());
        }
        found
    }

    /// Checks the parameter or return value at this place in a function's signature, whose Rust type has this size and
    /// alignment in bytes.
    pub const fn param(
        self,
        function: &Function<'_>,
        n: usize,
        several_returns: bool,
        (size, align): (usize, usize),
    ) -> CheckedDeclaration {
        let inputs = function.params.len();
        let (param, scope) = if n < inputs {
            (&function.params[n], Scope::of_input(function.kind, n, inputs))
        } else {
            (&function.returns[n - inputs], Scope::Function)
        };
        let variable = &param.variable;
        let of_call = if matches!(scope, Scope::Param) {
            Found::NOTHING
        } else {
            let callee = Callee::new(function.linkage.is_elsewhere(), several_returns);
            found(&table::formal(param, callee, 0, Some(Blame::Type)))
        };
        let ty = Found::first(&[
            found(&broken(variable, scope, self.0, Some(Blame::Type))),
            found(&first!(from => table::param(param, from, Some(Blame::Type)))),
            of_call,
            check_layout(variable.ty, size, align),
        ]);
        let align = match variable.align {
            Some(_) => found(&broken(variable, scope, self.0, Some(Blame::Align))),
            None => Found::NOTHING,
        };
        CheckedDeclaration { ty, align, value: Found::NOTHING }
    }

    /// Checks a declaration of a body.
    pub const fn local(self, variable: &Variable<'_>) -> Found {
        Found::first(&[
            found(&broken(variable, Scope::Body, self.0, None)),
            found(&misfit(variable)),
        ])
    }

    /// Checks a number that is spliced into the initial value of a declaration of a body.
    pub const fn spliced(self, local: &Variable<'_>, number: Number) -> Found {
        let ty = match local.ty.element() {
            Type::Vector(_, scalar) => &Type::Scalar(*scalar),
            element => element,
        };
        let init = Init::Value(spliced_value(number));
        let variable = Variable { init, ..Variable::new(local.space, local.name, ty) };
        Found::first(&[
            found(&broken(&variable, Scope::Body, self.0, Some(Blame::Value))),
            found(&misfit(&variable)),
        ])
    }

    /// Checks a directive of a function.
    pub const fn directive(self, function: &Function<'_>, n: usize) -> Found {
        let directive = GivenDirective::Known(function.directives[n]);
        found(&first!(from => table::directive(directive, function, self.0, from, None)))
    }

    /// Checks a function for the rules that blame its name.
    pub const fn function(self, function: &Function<'_>) -> Found {
        found(&first!(from => table::function(function, self.0, from, Some(Blame::Name))))
    }

    /// Checks a module as a whole.
    pub const fn module(self, module: &Module<'_>) -> Found {
        found(&table::module(module, 0, None))
    }

    /// Checks an address in the initial value of `holder`.
    pub const fn address<'a>(
        self,
        address: &Address<'a>,
        target: &'a Variable<'a>,
        holder: &Variable<'a>,
    ) -> Found {
        let target = AddressTarget::Variable(target);
        found(&first!(from => table::address(address, target, holder, from, None)))
    }

    /// Checks that a mask selects one byte.
    pub const fn mask(self, mask: u64) -> Found {
        let ty = &Type::Scalar(ScalarType::U8);
        let init = Init::Value(Value::MaskedInt(mask, 0));
        let probe = Variable { init, ..Variable::new(Space::Global, "", ty) };
        found(&misfit(&probe))
    }

    /// Checks a register or a `.param` variable that is passed to a function.
    pub const fn argument<'a>(self, formal: &Param<'a>, actual: &'a Variable<'a>) -> Found {
        let actual = match actual.space {
            Space::Reg => Actual::Register(actual),
            _ => Actual::LocalParam(actual),
        };
        found(&table::argument(formal, actual, 0, None))
    }

    /// Checks a number that is passed to a function.
    pub const fn number_argument(self, formal: &Param<'_>, number: Number) -> Found {
        let actual = match number {
            Number::Int { .. } | Number::Bits(_) => Actual::Int,
            Number::F32(_) | Number::F64(_) => Actual::Float,
        };
        found(&table::argument(formal, actual, 0, None))
    }

    /// Checks an address of this object in this state space that is passed to a function.
    pub const fn address_argument(self, formal: &Param<'_>, name: &str, space: Space) -> Found {
        let name = Arg::Str(name);
        found(&table::passed(PassedAddress { formal, name, space }, 0, None))
    }
}

/// Returns the first rule that a variable breaks, of those that blame this part, or of all rules.
const fn broken<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
    part: Option<Blame>,
) -> Numbered<'a> {
    first!(from => table::variable(variable, scope, env, from, part))
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
const fn misfit<'a>(variable: &Variable<'a>) -> Numbered<'a> {
    match Misfit::first(variable) {
        Some(misfit) => first!(from => table::element(misfit, from, None)),
        None => None,
    }
}

/// The message about a type that turns out to be a family although its tokens did not show it.
const HIDDEN_FAMILY: &str = "a family names its members where it is declared, so an alias cannot stand for it; write `Family<T, N>` here";

/// Checks the attributes of a parameter.
pub const fn check_attribute(param: &Param<'_>) -> Found {
    found(&first!(from => table::param(param, from, Some(Blame::Linkage))))
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

/// A number that does not fit becomes the maximum; `check_u32` reports it.
#[allow(clippy::cast_possible_truncation)] // compared below
pub const fn to_u32(value: usize) -> u32 {
    let number = value as u32;
    if number as usize == value { number } else { u32::MAX }
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

/// Checks that Rust's layout of a type, with `size` bytes aligned to `align`, is that of PTX. A type whose layout
/// another rule refuses is left to that rule.
pub const fn check_layout(ty: &Type<'_>, size: usize, align: usize) -> Found {
    found(&host_layout(ty, size, align))
}

const fn host_layout<'a>(ty: &'a Type<'a>, size: usize, align: usize) -> Numbered<'a> {
    let Some(found) = table::layout(ty, size, align, "", 0, None) else { return None };
    let probe = Variable::new(Space::Global, "", ty);
    let env = Environment::UNKNOWN;
    match broken(&probe, Scope::Module, env, Some(Blame::Type)) {
        Some(_) => None,
        None => Some(found),
    }
}

/// Checks that field `n` of a derived struct starts where the field before it ends, or, for `n` past the last field,
/// that the struct ends where its last field does.
pub const fn check_padding(ty: &Type<'_>, n: usize) -> Found {
    match ty {
        Type::Struct(layout) => found(&table::padding(&Padding::before_field(layout, n), 0, None)),
        _ => Found::NOTHING,
    }
}

/// Checks that the target of an address in an initial value has the alignment that the value's type guarantees.
pub const fn check_pointed(symbol: &str, aligned: usize, promised: usize) -> Found {
    found(&table::pointed(symbol, aligned, promised, 0, None))
}
