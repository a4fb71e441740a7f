//! Records the arguments of calls, and checks them.

use alloc::string::ToString;
use alloc::vec::Vec;

use ptx_isa::Space;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::call::{PassedAddress, PassedName};
use ptx_isa::rules::{self, AddressKind};

use crate::domains::checker::InstructionChecker;
use crate::findings::deferred::{DeferredActual, DeferredArgument};
use crate::flow::effects::Call;
use crate::flow::expression::Expression;
use crate::flow::node::{Referent, Resolved};
use crate::flow::place::Place;
use crate::flow::storage::may_point;
use crate::values::argument::Argument;
use crate::values::claim;
use crate::values::fixpoint::Setting;
use crate::values::state::State;
use crate::values::value::AbstractValue;

impl<'a> InstructionChecker<'_, '_, 'a> {
    /// Records the arguments of a call, and checks them.
    pub(crate) fn call(&mut self, call: &Call<'a>, resolved: &Resolved<'a>, state: &State) {
        let params = call.function.params;
        // If Rust constants decide whether control reaches the call, it may never happen.
        let is_certain =
            params.len() == call.arguments.len() && claim::conditions(&state.claims).is_empty();
        if !is_certain {
            let unknown = params.iter().map(|_| Argument::UNKNOWN).collect();
            self.report.calls.push((call.index, unknown));
            return;
        }
        let mut passed = Vec::new();
        for (formal, (value, place)) in call.arguments.iter().enumerate() {
            let value = argument(value, resolved, state, self.setting);
            passed.push(Argument::of(&value, self.setting.storages));
            self.passed_name((call, formal), *place, resolved, state);
            if let Some(address) = self.address_in(&value) {
                self.passed((call, formal), address, *place, resolved);
            }
        }
        self.report.calls.push((call.index, passed));
    }

    /// Checks a register or a `.param` variable that is passed.
    fn passed_name(
        &mut self,
        (call, formal): (&Call<'a>, usize),
        place: Place,
        resolved: &Resolved<'a>,
        state: &State,
    ) {
        let (Expression::Name(name), _) = &call.arguments[formal] else { return };
        let register = match resolved.find(name.text) {
            Some(Referent::Register(register)) => Some(register),
            Some(Referent::Storage(storage)) => self.setting.storages[storage].content,
            Some(Referent::Other) | None => None,
        };
        let needed = self.unit.symbols.needed.get(&call.index);
        let passed = PassedName {
            name: name.text,
            formal: &call.function.params[formal],
            function: call.function.name,
            is_set: register.is_none_or(|register| state.get(register).is_some()),
            is_needed: needed.is_some_and(|needed| needed.contains(&formal)),
        };
        for violation in rules::check_passed_name(passed) {
            self.report.report(&violation, place, &resolved.allowed);
        }
    }

    /// Checks a passed address of this object in this state space.
    fn passed(
        &mut self,
        (call, formal): (&Call<'a>, usize),
        (object, space): (Object<'a>, Space),
        place: Place,
        resolved: &Resolved<'a>,
    ) {
        let param = &call.function.params[formal];
        let address = PassedAddress { formal: param, name: object.declared(), space };
        for violation in rules::check_passed(address) {
            self.report.report(&violation, place, &resolved.allowed);
        }
        let allowances = self.report.allowances_with(&resolved.allowed);
        // The allowance counts as needed, because nothing proves otherwise.
        if self.unit.defers
            && may_point(param)
            && param.pointer.is_none()
            && !self.report.is_allowed(rules::PASSED.code, &allowances)
        {
            let actual = DeferredActual::Address(object.name().to_string(), space);
            let (function, is_return) = (call.index, false);
            let argument = DeferredArgument { function, is_return, formal, actual, place };
            self.report.arguments.push(argument);
        }
    }

    /// Returns the storage that an address is in, or the parameter that holds the pointer, and the state space,
    /// if the address belongs to it. The contents of `.param` may be copied elsewhere.
    fn address_in(&self, value: &AbstractValue) -> Option<(Object<'a>, Space)> {
        let AbstractValue::Address(address) = value else { return None };
        let storage = &self.setting.storages[address.storage];
        let space = if address.is_pointee { storage.points_to() } else { storage.space() };
        let is_own = address.kind == AddressKind::Own;
        let space = space.filter(|space| is_own && *space != Space::Param)?;
        Some((storage.object(), space))
    }
}

/// Returns the passed value; for a `.param` variable, its contents.
fn argument<'a>(
    value: &Expression<'a>,
    resolved: &Resolved<'a>,
    state: &State,
    setting: Setting<'_, 'a>,
) -> AbstractValue {
    let evaluator = setting.evaluator(resolved, state);
    if let Expression::Name(name) = value
        && let Some(Referent::Storage(storage)) = resolved.find(name.text)
    {
        let content = setting.storages[storage].content;
        return content.map_or_else(AbstractValue::unknown, |content| evaluator.held_in(content));
    }
    evaluator.value(value)
}

/// Returns the arguments of a call in an execution that reaches it.
pub(crate) fn arguments<'a>(
    call: &Call<'a>,
    resolved: &Resolved<'a>,
    state: &State,
    setting: Setting<'_, 'a>,
) -> Vec<Argument<'a>> {
    let of = |(value, _): &(Expression<'a>, Place)| {
        Argument::of(&argument(value, resolved, state, setting), setting.storages)
    };
    call.arguments.iter().map(of).collect()
}
