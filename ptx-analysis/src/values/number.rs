//! Integers, as far as they are known.

use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::body::Amount;
use ptx_isa::rules::{Offset, gcd, signed_in};

use crate::values::constants::Constants;
use crate::values::coordinates::Coordinates;
use crate::values::launch::Affine;

/// A linear form over constants: a known number plus products of constants.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sum {
    /// The constant-free part.
    pub known: i128,
    /// The products with their coefficients.
    pub products: Vec<Product>,
}

/// A product of constants with a coefficient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Product {
    /// The coefficient.
    pub times: i128,
    /// The indices of the constants, in order.
    pub of: Vec<usize>,
}

impl Product {
    fn is_like(&self, other: &Self) -> bool {
        self.of == other.of
    }
}

impl Sum {
    /// Creates a known number.
    pub fn known(known: i128) -> Self {
        Self { known, products: Vec::new() }
    }

    /// Converts an amount; `None` if it is unknown.
    pub(crate) fn of(amount: Amount, constants: &Constants<'_>) -> Option<Self> {
        match amount {
            Amount::Known(known) => Some(Self::known(known)),
            Amount::Constant(n) => {
                let product = Product { times: 1, of: vec![constants.number(n)] };
                Some(Self { known: 0, products: vec![product] })
            }
            Amount::Unknown => None,
        }
    }

    /// Returns the number, if it is known.
    pub fn value(&self) -> Option<i128> {
        self.products.is_empty().then_some(self.known)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.value() == Some(0)
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.known = sum.known.wrapping_add(other.known);
        for product in &other.products {
            match sum.products.iter_mut().find(|mine| mine.is_like(product)) {
                Some(mine) => mine.times = mine.times.wrapping_add(product.times),
                None => sum.products.push(product.clone()),
            }
        }
        sum.products.retain(|product| product.times != 0);
        sum
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut sum = Self::known(self.known.wrapping_mul(other.known));
        let terms = |of: &Self| {
            let first = Product { times: of.known, of: Vec::new() };
            let mut all = of.products.clone();
            all.push(first);
            all
        };
        for one in terms(self) {
            for other in terms(other) {
                let mut of: Vec<usize> = one.of.iter().chain(&other.of).copied().collect();
                if of.is_empty() {
                    continue;
                }
                of.sort_unstable();
                let times = one.times.wrapping_mul(other.times);
                sum = sum.plus(&Self { known: 0, products: vec![Product { times, of }] });
            }
        }
        sum
    }

    /// Whether it has too many terms to track.
    fn is_long(&self) -> bool {
        self.products.len() > 8 || self.products.iter().any(|product| product.of.len() > 4)
    }

    fn negative(&self) -> Self {
        self.times(&Self::known(-1))
    }
}

/// Returns the range of a register of this width, read as signed or not, given the known range
/// of its value.
pub(crate) fn view(span: Option<(i128, i128)>, bits: u32, is_signed: bool) -> (i128, i128) {
    let modulus = 1_i128 << bits.clamp(1, 64);
    let first = if is_signed { -(modulus / 2) } else { 0 };
    let all = (first, first + modulus - 1);
    let Some((least, most)) = span else { return all };
    let start = least.rem_euclid(modulus);
    let start = if start > all.1 { start - modulus } else { start };
    let end = start + (most - least);
    if end <= all.1 { (start, end) } else { all }
}

/// A set of integers: `base` plus any multiple of each of `steps`.
///
/// Registers wrap: of a step, only the largest power of two that divides it
/// survives; without steps, a known number is reduced at once, as a signed one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Linear {
    /// The number with zero steps.
    pub base: Sum,
    /// The step sizes; one of them is 1 if nothing is known.
    pub steps: Vec<Sum>,
    /// The width of the register that the number went through, if it depends on constants; 0 for none.
    pub bits: u32,
    /// The number as an affine form of launch-dependent values, if it is one; it wraps as the register does.
    pub(crate) launch: Option<Rc<Affine>>,
    /// The range of the number, if known: one number in it equals the value modulo the register's
    /// width.
    pub(crate) within: Option<(i128, i128)>,
    /// Whether tests in the body prove the range.
    pub(crate) is_tested: bool,
    /// Whether it is computed from what the caller or memory decides, where the analysis asks for that.
    pub(crate) is_given: bool,
}

impl Linear {
    /// The maximum number of steps to keep.
    const MOST: usize = 6;

    pub(crate) fn exact(base: Sum) -> Self {
        let (steps, is_tested, is_given) = (Vec::new(), false, false);
        Self { base, steps, bits: 0, launch: None, within: None, is_tested, is_given }
    }

    /// Any number.
    pub(crate) fn unknown() -> Self {
        Self::multiple_of(1)
    }

    /// A multiple of a number.
    pub(crate) fn multiple_of(step: i128) -> Self {
        Self { steps: vec![Sum::known(step)], ..Self::exact(Sum::default()) }
    }

    /// An affine form of launch-dependent values.
    pub(crate) fn of(sum: Affine) -> Self {
        match sum.value() {
            Some(value) => Self::exact(Sum::known(value)),
            None => Self { launch: Some(Rc::new(sum)), ..Self::unknown() },
        }
    }

    /// The value of a special register.
    pub(crate) fn special(name: &str, element: &str) -> Self {
        Self { launch: Affine::special(name, element).map(Rc::new), ..Self::unknown() }
    }

    /// Returns the number as an affine form of launch-dependent values, including a known number.
    pub(crate) fn affine(&self) -> Option<Affine> {
        match (&self.launch, self.value()) {
            (Some(affine), _) => Some((**affine).clone()),
            (None, value) => value.map(Affine::number),
        }
    }

    /// Attaches the number's affine form.
    fn made_of(self, affine: Option<Affine>) -> Self {
        let launch = affine.filter(|_| !self.is_exact()).map(Rc::new);
        Self { launch, ..self }
    }

    /// Attaches the affine form of `other`, which is the same sum.
    fn made_of_both(self, other: &Self) -> Self {
        let launch = other.launch.clone().filter(|_| !self.is_exact());
        Self { launch, ..self }
    }

    /// Returns the minimum and the maximum; one number in this range equals the register.
    pub(crate) fn span(&self) -> Option<(i128, i128)> {
        self.value().map(|value| (value, value)).or(self.within)
    }

    /// Restricts the number to a range.
    pub(crate) fn between(self, span: Option<(i128, i128)>) -> Self {
        let is_narrow = |span: &(i128, i128)| {
            span.1.checked_sub(span.0).is_some_and(|width| width < 1 << 64)
                && span.0.checked_abs().is_some_and(|least| least < 1 << 100)
        };
        let within = span.filter(is_narrow).filter(|_| !self.is_exact());
        Self { within, ..self }
    }

    /// Records whether tests in the body prove the range.
    pub(crate) fn tested(self, is_tested: bool) -> Self {
        Self { is_tested, ..self }
    }

    /// Drops the range.
    pub(crate) fn anywhere(self) -> Self {
        Self { within: None, is_tested: false, ..self }
    }

    fn with(base: Sum, steps: impl IntoIterator<Item = Sum>, bits: u32) -> Self {
        let (mut known, mut kept) = (None, Vec::<Sum>::new());
        for step in steps {
            match step.value() {
                Some(0) => {}
                Some(value) => {
                    let zeros = value.trailing_zeros();
                    known = Some(known.map_or(zeros, |known: u32| known.min(zeros)));
                }
                None if kept.contains(&step) || kept.contains(&step.negative()) => {}
                None => kept.push(step),
            }
        }
        let is_long = base.is_long() || kept.iter().any(Sum::is_long);
        if known == Some(0) || kept.len() > Self::MOST || is_long {
            return Self::unknown();
        }
        kept.extend(known.filter(|zeros| *zeros < 64).map(|zeros| Sum::known(1 << zeros)));
        Self { steps: kept, bits, ..Self::exact(base) }
    }

    /// Returns the narrower of two widths; 0 means none.
    fn narrower(one: u32, other: u32) -> u32 {
        match (one, other) {
            (0, bits) | (bits, 0) => bits,
            (one, other) => one.min(other),
        }
    }

    /// Returns the number as an offset, if it is known.
    pub fn offset(&self) -> Option<Offset> {
        let (step, unknown) = self.step();
        Some(Offset { base: self.base.value().filter(|_| unknown.is_empty())?, step })
    }

    /// Whether it contains no Rust constants.
    pub(crate) fn is_without_constants(&self) -> bool {
        self.base.value().is_some() && self.steps.iter().all(|step| step.value().is_some())
    }

    /// Returns the greatest common divisor of the known steps, 0 if there are none, and the steps
    /// that are not known.
    pub fn step(&self) -> (u64, Vec<&Sum>) {
        let (mut known, mut unknown) = (0, Vec::new());
        for part in &self.steps {
            match part.value() {
                Some(value) => known = gcd(known, u64::try_from(value.unsigned_abs()).unwrap_or(1)),
                None => unknown.push(part),
            }
        }
        (known, unknown)
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the number, if it is known.
    pub(crate) fn value(&self) -> Option<i128> {
        if self.is_exact() { self.base.value() } else { None }
    }

    pub(crate) fn plus(&self, other: &Self) -> Self {
        let steps = self.steps.iter().chain(&other.steps).cloned();
        let bits = Self::narrower(self.bits, other.bits);
        let affine = self.affine_with(other, Affine::plus);
        let span = self.span().zip(other.span()).and_then(|(one, other)| {
            Some((one.0.checked_add(other.0)?, one.1.checked_add(other.1)?))
        });
        let sum = Self::with(self.base.plus(&other.base), steps, bits).made_of(affine);
        sum.between(span).tested(self.is_tested || other.is_tested)
    }

    /// Combines the affine forms of both, if they exist.
    fn affine_with(
        &self,
        other: &Self,
        make: impl Fn(&Affine, &Affine) -> Option<Affine>,
    ) -> Option<Affine> {
        make(&self.affine()?, &other.affine()?)
    }

    pub(crate) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(&Self::exact(Sum::known(-1))))
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut steps = Vec::new();
        for step in &self.steps {
            steps.push(step.times(&other.base));
            steps.extend(other.steps.iter().map(|other| step.times(other)));
        }
        steps.extend(other.steps.iter().map(|step| step.times(&self.base)));
        let bits = Self::narrower(self.bits, other.bits);
        let affine = match (self.value(), other.value()) {
            (None, Some(by)) => self.launch.as_ref().and_then(|affine| affine.times(by)),
            (Some(by), None) => other.launch.as_ref().and_then(|affine| affine.times(by)),
            (_, _) => None,
        };
        let span = self.span().zip(other.span()).and_then(|(one, other)| {
            let [a, b] = [one.0.checked_mul(other.0)?, one.0.checked_mul(other.1)?];
            let [c, d] = [one.1.checked_mul(other.0)?, one.1.checked_mul(other.1)?];
            Some((a.min(b).min(c).min(d), a.max(b).max(c).max(d)))
        });
        let product = Self::with(self.base.times(&other.base), steps, bits).made_of(affine);
        product.between(span).tested(self.is_tested || other.is_tested)
    }

    /// Returns a number that covers both.
    pub(crate) fn join(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let apart = self.base.plus(&other.base.negative());
        let steps = self.steps.iter().chain(&other.steps).cloned().chain([apart]);
        let span = self.span().zip(other.span());
        let span = span.map(|(one, other)| (one.0.min(other.0), one.1.max(other.1)));
        let joined = Self::with(self.base.clone(), steps, Self::narrower(self.bits, other.bits));
        // The same sum; tests have proven different ranges.
        let joined = if self.launch == other.launch { joined.made_of_both(self) } else { joined };
        let joined = joined.between(span).tested(self.is_tested && other.is_tested);
        Self { is_given: self.is_given || other.is_given, ..joined }
    }

    /// Returns the number with the bits of `bits` changed: any multiple of its lowest bit may be added.
    pub(crate) fn with_bits_of(&self, bits: &Self) -> Self {
        match bits.known_zeros() {
            None => self.clone(),
            Some(zeros) => self.plus(&Self::multiple_of(1 << zeros)),
        }
    }

    /// Returns the number of trailing zero bits that are known; `None` for zero.
    fn known_zeros(&self) -> Option<u32> {
        let parts = self.steps.iter().chain([&self.base]);
        let zeros = parts.filter_map(|part| match part.value() {
            Some(0) => None,
            Some(value) => Some(value.trailing_zeros()),
            None => Some(0),
        });
        zeros.min()
    }

    /// Returns the number in a register of this width, read as signed.
    pub(crate) fn wrapped(self, bits: u32) -> Self {
        if !(1..=64).contains(&bits) {
            return self;
        }
        match self.value() {
            Some(value) => Self::exact(Sum::known(signed_in(value, bits))),
            None if self.is_exact() => Self { bits: Self::narrower(self.bits, bits), ..self },
            // If it wraps, it stays the same sum in a register of this width.
            None => {
                let affine = self.launch.clone().filter(|_| bits >= 32);
                let span = self.span().filter(|(least, most)| most - least < 1 << bits);
                let is_tested = self.is_tested;
                Self { launch: affine, ..self.modulo(bits) }.between(span).tested(is_tested)
            }
        }
    }

    /// Adds any multiple of the register's modulus.
    fn modulo(self, bits: u32) -> Self {
        if bits >= 64 {
            return self;
        }
        let steps = self.steps.into_iter().chain([Sum::known(1 << bits)]);
        Self::with(self.base, steps, 0)
    }

    /// Extends a number of this width to a wider register.
    pub(crate) fn extended(self, bits: u32, is_signed: bool) -> Self {
        match self.value() {
            Some(value) if is_signed => Self::exact(Sum::known(signed_in(value, bits))),
            Some(value) => Self::exact(Sum::known(value.rem_euclid(1 << bits.min(64)))),
            None => {
                let affine = self.launch.clone().filter(|affine| Coordinates::fit(affine, bits));
                let span = Some(view(self.span(), bits, is_signed));
                let is_tested = self.is_tested;
                Self { launch: affine, ..self.modulo(bits) }.between(span).tested(is_tested)
            }
        }
    }
}

#[cfg(test)]
mod tests;
