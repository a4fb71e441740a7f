//! Integers and conditions that are known from tokens: literals, and a module's constants that are literals.

use ptx_isa::sorted::SortedMap;

use proc_macro2::TokenStream;
use syn::{BinOp, Expr, Item as RustItem, ItemConst, Lit, Stmt, Type, UnOp};

use crate::attribute::is_conditional;
use crate::group::Peel;
use crate::name::ptx_name;

/// The integer types: their names, bits and whether they are signed.
const INTEGERS: [(&str, u32, bool); 12] = [
    ("u8", 8, false),
    ("u16", 16, false),
    ("u32", 32, false),
    ("u64", 64, false),
    ("u128", 128, false),
    ("usize", 64, false),
    ("i8", 8, true),
    ("i16", 16, true),
    ("i32", 32, true),
    ("i64", 64, true),
    ("i128", 128, true),
    ("isize", 64, true),
];

/// The constants with known values, by name: integers, and conditions, of type `bool`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Integers {
    integers: SortedMap<String, i128>,
    conditions: SortedMap<String, bool>,
}

impl Integers {
    /// Adds the literal constants among `items`, which shadow earlier ones of the same name.
    pub(crate) fn with<'i>(mut self, items: impl Iterator<Item = &'i RustItem>) -> Self {
        for item in items {
            let RustItem::Const(item) = item else { continue };
            let name = ptx_name(&item.ident);
            let is_integer = bounds(&item.ty).is_some();
            let literal = is_integer.then(|| Self::default().value(&item.expr)).flatten();
            self.conditions.remove(&name);
            match literal.filter(|_| !is_conditional(&item.attrs)) {
                Some(value) => self.integers.insert(name, value),
                None => self.integers.remove(&name),
            };
        }
        self
    }

    /// Adds the constants among `items`, including those computed from others; they shadow earlier ones.
    pub(crate) fn with_computed<'i>(mut self, items: impl Iterator<Item = &'i RustItem>) -> Self {
        let mut left = Vec::new();
        for item in items {
            let RustItem::Const(item) = item else { continue };
            let name = ptx_name(&item.ident);
            self.integers.remove(&name);
            self.conditions.remove(&name);
            if (bounds(&item.ty).is_some() || is_bool(&item.ty)) && !is_conditional(&item.attrs) {
                left.push(item);
            }
        }
        loop {
            let before = left.len();
            left.retain(|item| !self.add(item));
            if left.len() == before {
                return self;
            }
        }
    }

    /// Adds a constant, if its value is known.
    fn add(&mut self, item: &ItemConst) -> bool {
        let name = ptx_name(&item.ident);
        if let Some((least, most)) = bounds(&item.ty) {
            let value = self.value(&item.expr).filter(|value| (least..=most).contains(value));
            value.map(|value| self.integers.insert(name, value)).is_some()
        } else {
            self.holds(&item.expr).map(|holds| self.conditions.insert(name, holds)).is_some()
        }
    }

    /// Those with the names that `is_wanted` selects.
    pub(crate) fn only(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let mut wanted = self.clone();
        wanted.integers.retain(|name, _| is_wanted(name));
        wanted.conditions.retain(|name, _| is_wanted(name));
        wanted
    }

    /// Sets or removes the value of a name. Returns the previous value.
    pub(crate) fn replace(&mut self, name: &str, number: Option<i128>) -> Option<i128> {
        match number {
            Some(number) => self.integers.insert(name.to_owned(), number),
            None => self.integers.remove(name),
        }
    }

    /// The value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<i128> {
        self.integers.get(name).copied()
    }

    /// Whether the condition of this name holds.
    pub(crate) fn condition(&self, name: &str) -> Option<bool> {
        // An integer of the same name, such as the counter of a loop, hides it.
        self.conditions.get(name).copied().filter(|_| self.get(name).is_none())
    }

    /// The values of a body's constants, as far as literals and these constants determine them.
    pub(crate) fn values(&self, constants: &[TokenStream]) -> Vec<Option<i128>> {
        let value = |tokens: &TokenStream| self.value(&syn::parse2::<Expr>(tokens.clone()).ok()?);
        constants.iter().map(value).collect()
    }

    /// The value of an expression. Where it would wrap, rustc computes another value, and the checks run again on that.
    pub(crate) fn value(&self, expr: &Expr) -> Option<i128> {
        match expr.peel() {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => int.base10_parse().ok(),
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => self.get(&ptx_name(path.path.get_ident()?)),
            // An argument in angle brackets.
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [Stmt::Expr(expr, None)] => self.value(expr),
                _ => None,
            },
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                self.value(&unary.expr)?.checked_neg()
            }
            Expr::Cast(cast) => {
                let ((least, most), value) = (bounds(&cast.ty)?, self.value(&cast.expr)?);
                (least..=most).contains(&value).then_some(value)
            }
            Expr::Binary(binary) => {
                let (left, right) = (self.value(&binary.left)?, self.value(&binary.right)?);
                let shift = u32::try_from(right).ok().filter(|shift| *shift < 64);
                match binary.op {
                    BinOp::Add(_) => left.checked_add(right),
                    BinOp::Sub(_) => left.checked_sub(right),
                    BinOp::Mul(_) => left.checked_mul(right),
                    BinOp::Div(_) => left.checked_div(right),
                    BinOp::Rem(_) => left.checked_rem(right),
                    BinOp::Shl(_) => left.checked_mul(1 << shift?),
                    BinOp::Shr(_) => Some(left >> shift?),
                    BinOp::BitAnd(_) => Some(left & right),
                    BinOp::BitOr(_) => Some(left | right),
                    BinOp::BitXor(_) => Some(left ^ right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a condition holds, if tokens determine it.
    pub(crate) fn holds(&self, expr: &Expr) -> Option<bool> {
        match expr.peel() {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Bool(holds) => Some(holds.value),
                _ => None,
            },
            Expr::Path(path) if path.qself.is_none() => {
                self.condition(&ptx_name(path.path.get_ident()?))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => {
                self.holds(&unary.expr).map(|holds| !holds)
            }
            Expr::Binary(binary) => {
                let both = || Some((self.holds(&binary.left)?, self.holds(&binary.right)?));
                match binary.op {
                    BinOp::And(_) => return both().map(|(one, other)| one && other),
                    BinOp::Or(_) => return both().map(|(one, other)| one || other),
                    BinOp::Eq(_) if let Some((one, other)) = both() => return Some(one == other),
                    BinOp::Ne(_) if let Some((one, other)) = both() => return Some(one != other),
                    _ => {}
                }
                let (one, other) = (self.value(&binary.left)?, self.value(&binary.right)?);
                Some(match binary.op {
                    BinOp::Eq(_) => one == other,
                    BinOp::Ne(_) => one != other,
                    BinOp::Lt(_) => one < other,
                    BinOp::Le(_) => one <= other,
                    BinOp::Gt(_) => one > other,
                    BinOp::Ge(_) => one >= other,
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

/// Whether a type is `bool`.
fn is_bool(ty: &Type) -> bool {
    matches!(ty.peel(), Type::Path(path) if path.path.is_ident("bool"))
}

/// The minimum and the maximum of an integer type.
fn bounds(ty: &Type) -> Option<(i128, i128)> {
    let Type::Path(path) = ty.peel() else { return None };
    let (_, bits, is_signed) =
        INTEGERS.iter().find(|(name, ..)| path.path.is_ident(name)).copied()?;
    Some(match (bits, is_signed) {
        (128, true) => (i128::MIN, i128::MAX),
        (128, false) => (0, i128::MAX),
        (bits, true) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        (bits, false) => (0, (1 << bits) - 1),
    })
}
