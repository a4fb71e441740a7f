//! What is known of the number in a register.

use std::rc::Rc;

use proc_macro2::TokenStream;
use ptx_types::rules::{Held, gcd};

use super::memory::Amount;

/// A Rust constant in a body.
#[derive(Clone, Debug)]
pub struct Constant {
    /// The expression.
    pub tokens: TokenStream,
    /// Its text: equal texts in one body are equal constants.
    text: String,
}

/// A number that tokens or Rust constants tell: products of constants, added up.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sum {
    /// The part without constants.
    pub known: i128,
    /// The products, each with what it is multiplied by.
    pub products: Vec<Product>,
}

/// A product of Rust constants and a number.
#[derive(Clone, Debug)]
pub struct Product {
    /// The number.
    pub times: i128,
    /// The constants, sorted by their text.
    pub of: Vec<Rc<Constant>>,
}

impl PartialEq for Product {
    fn eq(&self, other: &Self) -> bool {
        self.times == other.times && self.is_like(other)
    }
}

impl Product {
    fn is_like(&self, other: &Self) -> bool {
        self.of.len() == other.of.len()
            && self.of.iter().zip(&other.of).all(|(one, other)| one.text == other.text)
    }
}

impl Sum {
    /// This number.
    pub fn known(known: i128) -> Self {
        Self { known, products: Vec::new() }
    }

    /// An amount; `None` where nothing tells it.
    pub(super) fn of(amount: &Amount) -> Option<Self> {
        match amount {
            Amount::Known(known) => Some(Self::known(*known)),
            Amount::Splice(tokens) => {
                let constant = Constant { tokens: tokens.clone(), text: tokens.to_string() };
                let product = Product { times: 1, of: vec![Rc::new(constant)] };
                Some(Self { known: 0, products: vec![product] })
            }
            Amount::Unknown => None,
        }
    }

    /// The number, if tokens tell it.
    pub fn value(&self) -> Option<i128> {
        self.products.is_empty().then_some(self.known)
    }

    pub(super) fn is_zero(&self) -> bool {
        self.value() == Some(0)
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        sum.known = sum.known.saturating_add(other.known);
        for product in &other.products {
            match sum.products.iter_mut().find(|mine| mine.is_like(product)) {
                Some(mine) => mine.times = mine.times.saturating_add(product.times),
                None => sum.products.push(product.clone()),
            }
        }
        sum.products.retain(|product| product.times != 0);
        sum
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut sum = Self::known(self.known.saturating_mul(other.known));
        let terms = |of: &Self| {
            let first = Product { times: of.known, of: Vec::new() };
            let mut all = of.products.clone();
            all.push(first);
            all
        };
        for one in terms(self) {
            for other in terms(other) {
                let mut of: Vec<Rc<Constant>> = one.of.iter().chain(&other.of).cloned().collect();
                if of.is_empty() {
                    continue;
                }
                of.sort_by(|a, b| a.text.cmp(&b.text));
                let times = one.times.saturating_mul(other.times);
                sum = sum.plus(&Self { known: 0, products: vec![Product { times, of }] });
            }
        }
        sum
    }

    /// Whether it is too long to be followed on.
    fn is_long(&self) -> bool {
        self.products.len() > 8 || self.products.iter().any(|product| product.of.len() > 4)
    }

    fn negative(&self) -> Self {
        self.times(&Self::known(-1))
    }
}

/// A whole number: `base`, and any multiple of each of `steps` added to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Linear {
    /// The number for no steps.
    pub base: Sum,
    /// What is added any number of times; one of them 1 where nothing is known.
    pub steps: Vec<Sum>,
}

impl Linear {
    /// The most steps that are kept.
    const MOST: usize = 6;

    pub(super) fn exact(base: Sum) -> Self {
        Self { base, steps: Vec::new() }
    }

    /// Any number.
    pub(super) fn unknown() -> Self {
        Self { base: Sum::default(), steps: vec![Sum::known(1)] }
    }

    /// A multiple of a number.
    pub(super) fn multiple_of(step: i128) -> Self {
        Self { base: Sum::default(), steps: vec![Sum::known(step)] }
    }

    fn with(base: Sum, steps: impl IntoIterator<Item = Sum>) -> Self {
        let (mut known, mut kept) = (0_u64, Vec::<Sum>::new());
        for step in steps {
            match step.value() {
                Some(0) => {}
                Some(value) => {
                    known = gcd(known, u64::try_from(value.unsigned_abs()).unwrap_or(1));
                }
                None if kept.contains(&step) || kept.contains(&step.negative()) => {}
                None => kept.push(step),
            }
        }
        if known == 1 || kept.len() > Self::MOST || base.is_long() || kept.iter().any(Sum::is_long)
        {
            return Self::unknown();
        }
        if known > 0 {
            kept.push(Sum::known(i128::from(known)));
        }
        Self { base, steps: kept }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.steps.is_empty()
    }

    /// The number, if tokens tell it.
    pub(super) fn value(&self) -> Option<i128> {
        if self.is_exact() { self.base.value() } else { None }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let steps = self.steps.iter().chain(&other.steps).cloned();
        Self::with(self.base.plus(&other.base), steps)
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        self.plus(&other.times(&Self::exact(Sum::known(-1))))
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut steps = Vec::new();
        for step in &self.steps {
            steps.push(step.times(&other.base));
            steps.extend(other.steps.iter().map(|other| step.times(other)));
        }
        steps.extend(other.steps.iter().map(|step| step.times(&self.base)));
        Self::with(self.base.times(&other.base), steps)
    }

    /// One of both.
    pub(super) fn or(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let apart = self.base.plus(&other.base.negative());
        let steps = self.steps.iter().chain(&other.steps).cloned().chain([apart]);
        Self::with(self.base.clone(), steps)
    }

    /// The number with bits changed that this one has: what is added is a multiple of the lowest.
    pub(super) fn with_bits_of(&self, bits: &Self) -> Self {
        let step = bits.known_step();
        let step = if step == 0 { return self.clone() } else { 1_u64 << step.trailing_zeros() };
        self.plus(&Self::multiple_of(i128::from(step)))
    }

    /// What divides the number, as far as tokens tell: 0 for zero.
    fn known_step(&self) -> u64 {
        let parts = self.steps.iter().chain([&self.base]);
        let value = |sum: &Sum| sum.value().map_or(1, i128::unsigned_abs);
        parts.fold(0, |all, sum| gcd(all, u64::try_from(value(sum)).unwrap_or(1)))
    }

    /// The same number in so many bits, read as signed.
    pub(super) fn wrapped(mut self, bits: u32) -> Self {
        if let (Some(known), 1..=64) = (self.base.value(), bits) {
            let modulus = 1_i128 << bits;
            let rest = known.rem_euclid(modulus);
            self.base.known = if rest >= modulus / 2 { rest - modulus } else { rest };
        }
        self
    }
}

/// An address, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Address {
    /// What it is an address of, by its index among what the body names.
    pub(super) storage: usize,
    /// Whether it is of what that points to.
    pub(super) is_pointee: bool,
    /// What kind of address it is.
    pub(super) held: Held,
    /// How far from the start it is, in bytes.
    pub(super) offset: Linear,
}

/// What a register holds.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fact {
    /// A number.
    Number(Linear),
    /// An address.
    Address(Address),
    /// A field of a matrix descriptor: the address of a tile, and other bits.
    Descriptor(Address, Cut, Sum),
    /// Anything, perhaps made of addresses.
    Anything,
}

/// What of an address a matrix descriptor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// Its lowest 18 bits.
    Masked,
    /// The same without the lowest four.
    Shifted,
}

impl Fact {
    pub(super) fn unknown() -> Self {
        Self::Number(Linear::unknown())
    }

    /// What is known of one of both.
    pub(super) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => Self::Number(one.or(other)),
            (Self::Address(one), Self::Address(other)) => match one.or(other) {
                Some(address) => Self::Address(address),
                None => Self::Anything,
            },
            (Self::Descriptor(one, cut, bits), Self::Descriptor(other, other_cut, other_bits))
                if cut == other_cut && bits == other_bits =>
            {
                match one.or(other) {
                    Some(address) => Self::Descriptor(address, *cut, bits.clone()),
                    None => Self::Anything,
                }
            }
            (Self::Number(_) | Self::Address(_) | Self::Descriptor(..) | Self::Anything, _) => {
                Self::Anything
            }
        }
    }
}

impl Address {
    fn or(&self, other: &Self) -> Option<Self> {
        let is_same = self.storage == other.storage && self.is_pointee == other.is_pointee;
        let held = if self.held == other.held { self.held } else { Held::Unsure };
        let offset = || self.offset.or(&other.offset);
        is_same.then(|| Self { held, offset: offset(), ..self.clone() })
    }

    pub(super) fn plus(&self, number: &Linear) -> Self {
        Self { offset: self.offset.plus(number), ..self.clone() }
    }
}
