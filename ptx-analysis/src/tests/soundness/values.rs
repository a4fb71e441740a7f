//! Whether the abstract value of a register admits its concrete value.

use ptx_interpreter::WINDOWS;
use ptx_isa::rules::{AddressKind, LaunchCondition};

use crate::values::address::KnownAddress;
use crate::values::claim::{Claim, Claims, Truth};
use crate::values::coordinates::Coordinates;
use crate::values::launch::{self, Fixed};
use crate::values::number::Linear;
use crate::values::value::AbstractValue;

/// The concrete values in an execution.
pub(crate) struct Facts<'f> {
    /// The addresses of storage, by index.
    pub(crate) bases: &'f [i128],
    /// The values of special registers.
    pub(crate) special: &'f dyn Fn(Fixed) -> Option<i128>,
    /// The ranges claimed for them.
    pub(crate) coordinates: &'f Coordinates,
    /// The values of registers, by index; `None` if unwritten.
    pub(crate) registers: &'f dyn Fn(usize) -> Option<i128>,
}

/// The contents of a register: its width, 1 for a predicate, and its value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) bits: u32,
    pub(crate) value: i128,
}

impl Facts<'_> {
    /// Whether an abstract value admits the contents of a register.
    pub(crate) fn allow(&self, known: &AbstractValue, held: Held) -> bool {
        let Held { bits, value } = held;
        match known {
            AbstractValue::LowestBits(addresses) => self.lowest_bits(addresses, value),
            AbstractValue::Truth(truth) => {
                self.is_true(truth, value) && (truth.mask < 0 || value & truth.mask == value)
            }
            // A predicate has one bit.
            AbstractValue::Number(number) if bits == 1 => {
                number.value().is_none_or(|number| (number != 0) == (value != 0))
            }
            AbstractValue::Number(number) => self.allows(number, held),
            AbstractValue::Address(address) if address.kind == AddressKind::Own => {
                let value = value - self.bases[address.storage];
                // Then the block is not specified.
                let blocks = if address.rank.is_some() { &WINDOWS[..] } else { &WINDOWS[..1] };
                let in_block = |window: u64| Held { value: value - i128::from(window), ..held };
                blocks.iter().any(|window| self.allows(&address.offset, in_block(*window)))
            }
            // The addresses of other kinds are not specified.
            AbstractValue::Address(_)
            | AbstractValue::Anything
            | AbstractValue::Descriptor(..)
            | AbstractValue::Truncated(_) => true,
        }
    }

    fn allows(&self, linear: &Linear, Held { bits, value }: Held) -> bool {
        let modulus = 1_i128 << bits;
        let step = linear.steps.iter().map(|step| step.value().expect("no splices"));
        let step = step.fold(0_u128, |all, step| gcd(all, step.unsigned_abs()));
        let apart = (value - linear.base.value().expect("no splices")).rem_euclid(modulus);
        let is_linear =
            if step == 0 { apart == 0 } else { apart.unsigned_abs().is_multiple_of(step) };
        let launched = linear.launch.as_ref().and_then(|sum| {
            let (least, most) = self.coordinates.range_of(sum)?;
            let terms = sum.terms().map(|(of, times)| Some((self.special)(of)? * times));
            let number = terms.sum::<Option<i128>>()? + sum.added();
            Some((least..=most).contains(&number) && (value - number).rem_euclid(modulus) == 0)
        });
        let is_within = linear
            .within
            .is_none_or(|(least, most)| (value - least).rem_euclid(modulus) <= most - least);
        is_linear && is_within && launched.unwrap_or(true)
    }

    /// Whether facts hold; `None` means that they cannot.
    fn hold(&self, claims: &Claims) -> bool {
        claims.as_ref().is_some_and(|claims| claims.iter().all(|claim| self.holds(claim)))
    }

    pub(crate) fn holds(&self, claim: &Claim) -> bool {
        match claim {
            Claim::Aligned { storage, offset, to, .. } => match (offset.value(), to) {
                (Some(offset), Some(to)) => {
                    let modulus = 1 << 32;
                    let address = (self.bases[*storage] + offset).rem_euclid(modulus);
                    address % to.min(&modulus) == 0
                }
                // The registers it was computed from may have changed.
                (_, _) => true,
            },
            Claim::Launch(condition) => decides(condition, self.special),
            Claim::Constants(_) => true,
            Claim::Bound(bound) => {
                let (least, most) = bound.range;
                let modulus = 1 << bound.bits;
                (self.registers)(bound.register)
                    .is_none_or(|value| (value - least).rem_euclid(modulus) <= most - least)
            }
        }
    }

    fn is_true(&self, truth: &Truth, value: i128) -> bool {
        self.hold(truth.claims(value == 0))
    }

    fn lowest_bits(&self, addresses: &[KnownAddress], value: i128) -> bool {
        let all = addresses.iter().try_fold(0, |all, address| {
            let offset = address.offset.value().filter(|_| address.kind == AddressKind::Own)?;
            Some(all | (self.bases[address.storage] + offset))
        });
        all.is_none_or(|all| (all ^ value) & 1 == 0)
    }
}

/// Whether a launch condition holds.
pub(crate) fn decides(
    condition: &LaunchCondition,
    special: &dyn Fn(Fixed) -> Option<i128>,
) -> bool {
    let side = |terms: &mut dyn Iterator<Item = (&'static str, i128)>| {
        let mut sum = 0;
        for (name, times) in terms {
            sum += special(launch::register(name)?)? * times;
        }
        Some(sum)
    };
    let sides = side(&mut condition.left()).zip(side(&mut condition.right()));
    sides.is_none_or(|(left, right)| condition.comparison().holds(left, right + condition.plus()))
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
