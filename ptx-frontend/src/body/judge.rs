//! The rules of what a body does with names: initial values, accesses, calls.

use core::cmp::Reverse;

use ptx_types::ir::{FunctionKind, Param};
use ptx_types::rules::access::{Access, Object, Opcode};
use ptx_types::rules::call::{Actual, Counts};
use ptx_types::rules::form::{Coordinates, Form};
use ptx_types::rules::instruction::{Needs, Used};
use ptx_types::{Space, Version, ir, rules, special};

use super::flow::Referent;
use super::names::{Resolver, Thing};
use super::{
    Argument, ArgumentKind, Call, Declaration, DeferredActual, DeferredArgument, FormEvent,
    Literal, Name,
};
use crate::check::lower_declaration;
use crate::errors::Errors;

impl<'a: 'b, 'b> Resolver<'_, 'a, 'b> {
    /// The addresses in the initial value of a declaration.
    pub(super) fn check_value(&mut self, declaration: &Declaration, errors: &mut Errors) {
        let holder = lower_declaration(declaration, self.context.lowering);
        for (value, _) in declaration.leaves() {
            let Literal::Address { name, generic, addend, .. } = value else { continue };
            let symbols = self.context.symbols;
            let symbol = match self.lookup(&name.text) {
                Some(Thing::Declared(other, _)) if other.name.text != declaration.name.text => {
                    match other.space {
                        Space::Reg => rules::AddressTarget::Local("register"),
                        _ => {
                            let other = lower_declaration(other, self.context.lowering);
                            rules::AddressTarget::Variable(other)
                        }
                    }
                }
                Some(Thing::Declared(..)) => {
                    rules::AddressTarget::Local("variable that starts here")
                }
                Some(Thing::Param(_) | Thing::Return(_)) => {
                    rules::AddressTarget::Local("parameter")
                }
                Some(Thing::Other) => rules::AddressTarget::Local("label"),
                None => match symbols.variable(&name.text) {
                    Some((symbol, _)) => rules::AddressTarget::Variable(symbol.ir),
                    None => match symbols.functions.get(&name.text).and_then(|all| all.first()) {
                        Some(symbol) => {
                            self.taken.push(symbol.index);
                            rules::AddressTarget::Function(symbol.ir.kind, symbol.ir.linkage)
                        }
                        // Reported as a name that nothing declares.
                        None => continue,
                    },
                },
            };
            let address = ir::Address { symbol: &name.text, generic: *generic, addend: *addend };
            for violation in rules::check_address(&address, symbol, holder) {
                errors.on(name.tokens(), violation);
            }
        }
    }

    pub(super) fn check_form(&mut self, form: &FormEvent, name: &Name, errors: &mut Errors) {
        let form = match form {
            FormEvent::SubSpace(window) => {
                self.needs(window.since());
                Form::SubSpace(*window)
            }
            FormEvent::SubWord(ty) => Form::SubWord(ty),
            FormEvent::Texture => match self.lookup(&name.text) {
                Some(Thing::Declared(declaration, _)) if declaration.space == Space::Reg => {
                    Form::IndirectTexture
                }
                _ => return,
            },
            FormEvent::Result if self.lookup(&name.text).is_none() => {
                Form::SpecialWritten(&name.text)
            }
            FormEvent::Result => return,
            FormEvent::Element(element) => match self.lookup(&name.text) {
                Some(Thing::Declared(declaration, _))
                    if declaration.space == Space::Reg && declaration.lanes == 1 =>
                {
                    Form::Element(&name.text, element, special::is_special(&name.text))
                }
                _ => return,
            },
            FormEvent::Index(bracket) => match self.referent(&name.text) {
                Referent::Storage(storage)
                    if self.storages[storage].object().indexed_bytes() == Some(0) =>
                {
                    Form::Index(&name.text)
                }
                Referent::Storage(_) => return,
                // A comma is missing, in other words.
                Referent::Register(_) | Referent::Other => {
                    errors.at(*bracket, "two operands stand side by side; write `,` between operands, or `;` after the statement");
                    return;
                }
            },
            FormEvent::Coordinates(what, says, wanted, given) => {
                Form::Coordinates(Coordinates { what, says, wanted: *wanted, given: *given })
            }
            FormEvent::CvtaConst => match self.context.symbols.constant_pointer {
                Some(param) => Form::CvtaConst(param),
                None => return,
            },
            FormEvent::Needs(needed) => {
                self.check_needs(needed, name, errors);
                return;
            }
            FormEvent::Unknown(near) => {
                self.check_used(Used::Unknown { name: &name.text, near }, "A030", name, errors);
                return;
            }
        };
        for violation in rules::check_form(form, self.context.env) {
            errors.on(name.tokens(), violation);
        }
    }

    /// The rules of what parts of an instruction need; of each rule, the part that needs most.
    fn check_needs(&mut self, needed: &[(&str, Needs)], name: &Name, errors: &mut Errors) {
        for (_, needs) in needed {
            self.needs(needs.since);
        }
        let newest = needed.iter().max_by_key(|(_, needs)| needs.since);
        let narrowest = needed.iter().max_by_key(|(_, needs)| {
            (!needs.only.is_empty(), Reverse(needs.only.len()), needs.min_arch)
        });
        for (part, code) in [(newest, "A028"), (narrowest, "A029")] {
            if let Some((part, needs)) = part {
                self.check_used(Used::Known { name: part, needs: *needs }, code, name, errors);
            }
        }
    }

    /// Reports at `name` that an instruction breaks the rule with this code, if it does.
    fn check_used(&mut self, used: Used<'_>, code: &str, name: &Name, errors: &mut Errors) {
        let allowed = self.allowed.clone();
        for violation in rules::check_instruction(used, self.context.env) {
            // Of several that need the same, one error is enough.
            if violation.rule.code == code && self.said.insert(violation.to_string()) {
                self.report(violation, name, &allowed, errors);
            }
        }
    }

    /// Notes that the body needs a PTX version.
    fn needs(&mut self, version: Version) {
        self.since = Some(self.since.map_or(version, |since| since.newer(version)));
    }

    pub(super) fn check_access(&mut self, access: Access, name: &Name, errors: &mut Errors) {
        let storage = match self.referent(&name.text) {
            Referent::Storage(storage) => storage,
            Referent::Register(_) => return,
            Referent::Other => {
                if self.lookup(&name.text).is_none() {
                    let found = self.context.symbols.functions.get(&name.text);
                    self.taken.extend(found.into_iter().flatten().map(|symbol| symbol.index));
                }
                return;
            }
        };
        let object = self.storages[storage].object();
        if let (Opcode::Address, Object::Return(_)) = (access.opcode, object) {
            self.needs(Version::new(6, 0));
        }
        for violation in rules::check_access(access, object, self.context.env) {
            let allowed = self.allowed.clone();
            self.report(violation, name, &allowed, errors);
        }
    }

    pub(super) fn check_call(&mut self, call: &Call, errors: &mut Errors) {
        let name = &call.name;
        // A register of that name makes it an indirect call.
        if self.lookup(&name.text).is_some() {
            self.calls_indirectly = true;
            return;
        }
        let symbols = self.context.symbols;
        let Some([callee]) = symbols.functions.get(&name.text).map(Vec::as_slice) else { return };
        let (index, callee) = (callee.index, callee.ir);
        let counts = Counts {
            params: callee.params.len(),
            args: call.args.len(),
            returns: callee.returns.len(),
            receivers: call.receivers.len(),
        };
        let is_kernel = callee.kind == FunctionKind::Kernel;
        let found = rules::check_call(&name.text, counts, is_kernel);
        let is_sound = found.is_empty();
        for violation in found {
            errors.on(name.tokens(), violation);
        }
        if !is_sound {
            return;
        }
        let passed = callee.params.iter().zip(&call.args).enumerate();
        for (formal, (param, argument)) in passed {
            self.check_argument((index, false, formal), param, argument, errors);
        }
        let received = callee.returns.iter().zip(&call.receivers).enumerate();
        for (formal, (param, argument)) in received {
            self.check_argument((index, true, formal), param, argument, errors);
        }
    }

    fn check_argument(
        &mut self,
        (function, is_return, formal): (usize, bool, usize),
        param: &Param<'_>,
        argument: &Argument,
        errors: &mut Errors,
    ) {
        let is_known = param.variable.ty.is_known();
        let mut late = None;
        let actual = match &argument.kind {
            ArgumentKind::Int | ArgumentKind::Float | ArgumentKind::Splice(_) if is_return => {
                Actual::Other("a constant")
            }
            ArgumentKind::Int => {
                late = (!is_known).then_some(DeferredActual::Int);
                Actual::Int
            }
            ArgumentKind::Float => {
                late = (!is_known).then_some(DeferredActual::Float);
                Actual::Float
            }
            ArgumentKind::Splice(expr) => {
                late = Some(DeferredActual::Splice(expr.clone()));
                Actual::Unknown
            }
            ArgumentKind::Sink if is_return => Actual::Unknown,
            ArgumentKind::Sink => Actual::Other("`_`, which has no value"),
            ArgumentKind::Other => Actual::Unknown,
            ArgumentKind::Name => match self.lookup(&argument.place.text) {
                Some(Thing::Declared(found, n)) => {
                    let ir = self.lower(found);
                    if found.has_splice() || !is_known {
                        late = Some(DeferredActual::Declaration(n));
                    }
                    match found.space {
                        Space::Reg => Actual::Register(ir),
                        Space::Param => Actual::LocalParam(ir),
                        _ => Actual::Other("a variable in memory"),
                    }
                }
                Some(Thing::Param(i)) => own(&self.context.function.params[i]),
                Some(Thing::Return(i)) => own(&self.context.function.returns[i]),
                Some(Thing::Other) => Actual::Unknown,
                None if special::is_special(&argument.place.text) => {
                    Actual::Other("a special register")
                }
                None => match self.context.symbols.variable(&argument.place.text) {
                    Some(_) => Actual::Other("a variable in memory"),
                    None => Actual::Unknown,
                },
            },
        };
        for violation in rules::check_argument(param, actual) {
            errors.on(argument.place.tokens(), violation);
            late = None;
        }
        if let Some(actual) = late {
            let name = argument.place.clone();
            self.arguments.push(DeferredArgument { function, is_return, formal, actual, name });
        }
    }
}

/// What a parameter of the calling function is as an argument.
fn own<'a>(param: &'a Param<'a>) -> Actual<'a> {
    match param.variable.space {
        Space::Reg => Actual::Register(&param.variable),
        _ => Actual::Other("a parameter of the caller, which cannot be passed on as it is"),
    }
}
