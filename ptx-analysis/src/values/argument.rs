//! Arguments of calls, independent of the calling body.

use alloc::rc::Rc;
use alloc::vec::Vec;

use ptx_isa::rules::AddressKind;
use ptx_isa::rules::access::Object;

use crate::flow::node::Referent;
use crate::flow::object::DeferredObject;
use crate::flow::storage::{Choice, Memory, Storage};
use crate::values::address::KnownAddress;
use crate::values::coordinates::Coordinates;
use crate::values::number::Linear;
use crate::values::value::AbstractValue;

/// The argument for a parameter, as far as it is meaningful to the callee.
#[derive(Clone, Debug)]
pub(crate) struct Argument<'a>(Passed<'a>);

/// A call that threads certainly reach: threads that every launch of a kernel has.
#[derive(Clone, Debug)]
pub(crate) struct MustCall<'a> {
    /// The threads.
    pub(crate) coordinates: Coordinates,
    /// The arguments that they pass.
    pub(crate) arguments: Vec<Argument<'a>>,
}

/// How a function is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Called<'a> {
    /// The arguments common to all calls, if all calls are known; otherwise empty.
    pub(crate) passed: Vec<Argument<'a>>,
    /// The calls that threads certainly reach.
    pub(crate) must_calls: Vec<MustCall<'a>>,
}

#[derive(Clone, Debug)]
enum Passed<'a> {
    /// A number without Rust constants, whose numbering differs in other bodies.
    Number(Linear),
    /// An address in a module variable or a variable of the calling body, or in a parameter's pointee.
    Address(Rc<Choice<'a>>, Address),
    /// Anything.
    Anything,
}

/// An address without its storage.
#[derive(Clone, Debug)]
struct Address {
    kind: AddressKind,
    offset: Linear,
    bits: u32,
    is_pointee: bool,
}

impl<'a> Argument<'a> {
    /// Nothing is known about it.
    pub(crate) const UNKNOWN: Self = Self(Passed::Anything);

    /// Converts a value in a body with this storage.
    pub(crate) fn of(value: &AbstractValue, storages: &[Storage<'a>]) -> Self {
        match value {
            AbstractValue::Number(number) if number.is_without_constants() => {
                Self(Passed::Number(number.clone()))
            }
            AbstractValue::Address(KnownAddress {
                storage,
                is_pointee,
                kind,
                offset,
                bits,
                rank: None,
            }) if offset.is_without_constants() => {
                let offset = offset.clone();
                let (kind, bits, is_pointee) = (*kind, *bits, *is_pointee);
                let address = Address { kind, offset, bits, is_pointee };
                match storages[*storage].choices.as_slice() {
                    [choice] if is_passed(choice, is_pointee) => {
                        let is_own = !matches!(choice.id, DeferredObject::Variable(_));
                        let choice = Choice { is_foreign: is_own, ..choice.clone() };
                        Self(Passed::Address(Rc::new(choice), address))
                    }
                    [..] => Self::UNKNOWN,
                }
            }
            _ => Self::UNKNOWN,
        }
    }

    /// Returns what holds for both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        match (&self.0, &other.0) {
            (Passed::Number(one), Passed::Number(other)) => Self(Passed::Number(one.join(other))),
            (Passed::Address(choice, one), Passed::Address(other_choice, other))
                if choice.is_same(other_choice)
                    && one.bits == other.bits
                    && one.is_pointee == other.is_pointee =>
            {
                let kind = if one.kind == other.kind { one.kind } else { AddressKind::Unsure };
                let offset = one.offset.join(&other.offset);
                Self(Passed::Address(Rc::clone(choice), Address { kind, offset, ..*one }))
            }
            (_, _) => Self::UNKNOWN,
        }
    }

    /// Returns the corresponding value in the callee's body.
    pub(crate) fn value(&self, memory: &mut Memory<'a>) -> AbstractValue {
        match &self.0 {
            Passed::Number(number) => AbstractValue::Number(number.clone()),
            Passed::Address(choice, Address { kind, offset, bits, is_pointee }) => {
                let storage = if choice.is_foreign {
                    memory.foreign(choice)
                } else {
                    match memory.storage([(**choice).clone()].into()) {
                        Referent::Storage(storage) => storage,
                        Referent::Register(_) | Referent::Other => return AbstractValue::unknown(),
                    }
                };
                AbstractValue::Address(KnownAddress {
                    storage,
                    is_pointee: *is_pointee,
                    kind: *kind,
                    offset: offset.clone(),
                    bits: *bits,
                    rank: None,
                })
            }
            Passed::Anything => AbstractValue::unknown(),
        }
    }
}

/// Whether knowledge about this storage is meaningful to a callee.
fn is_passed(choice: &Choice<'_>, is_pointee: bool) -> bool {
    let is_there = match choice.id {
        DeferredObject::Variable(_) => true,
        DeferredObject::Declaration(_) => !matches!(choice.object, Object::LocalParam(_)),
        DeferredObject::Param(_) => choice.at(is_pointee).0.pointer().is_some(),
        DeferredObject::FieldPointee(..) => is_pointee,
        DeferredObject::Return(_) | DeferredObject::Pointee(_) => false,
    };
    is_there && !choice.is_deferred
}
