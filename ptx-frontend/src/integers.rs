//! Integers that are known from tokens: literals, and a module's constants that are literals.

use ptx_isa::sorted::SortedMap;

use proc_macro2::TokenStream;
use syn::{BinOp, Expr, Item as RustItem, Lit, Type, UnOp};

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

/// The constants with known integer values, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Integers(SortedMap<String, i128>);

impl Integers {
    /// Adds the literal constants among `items`, which shadow earlier ones of the same name.
    pub(crate) fn with<'i>(mut self, items: impl Iterator<Item = &'i RustItem>) -> Self {
        for item in items {
            let RustItem::Const(item) = item else { continue };
            let name = ptx_name(&item.ident);
            let is_integer = bounds(&item.ty).is_some();
            let literal = is_integer.then(|| Self::default().value(&item.expr)).flatten();
            match literal.filter(|_| !is_conditional(&item.attrs)) {
                Some(value) => self.0.insert(name, value),
                None => self.0.remove(&name),
            };
        }
        self
    }

    /// Adds the constants among `items`, including those computed from others; they shadow earlier ones.
    pub(crate) fn with_computed<'i>(mut self, items: impl Iterator<Item = &'i RustItem>) -> Self {
        let mut left = Vec::new();
        for item in items {
            let RustItem::Const(item) = item else { continue };
            self.0.remove(&ptx_name(&item.ident));
            if let Some(bounds) = bounds(&item.ty).filter(|_| !is_conditional(&item.attrs)) {
                left.push((item, bounds));
            }
        }
        loop {
            let before = left.len();
            left.retain(|(item, (least, most))| match self.value(&item.expr) {
                Some(value) if (*least..=*most).contains(&value) => {
                    self.0.insert(ptx_name(&item.ident), value);
                    false
                }
                Some(_) | None => true,
            });
            if left.len() == before {
                return self;
            }
        }
    }

    /// Those with the names that `is_wanted` selects.
    pub(crate) fn only(&self, is_wanted: impl Fn(&str) -> bool) -> Self {
        let wanted = self.0.iter().filter(|(name, _)| is_wanted(name));
        Self(wanted.map(|(name, value)| (name.clone(), *value)).collect())
    }

    /// Sets or removes the value of a name. Returns the previous value.
    pub(crate) fn replace(&mut self, name: &str, number: Option<i128>) -> Option<i128> {
        match number {
            Some(number) => self.0.insert(name.to_owned(), number),
            None => self.0.remove(name),
        }
    }

    /// The value of a name.
    pub(crate) fn get(&self, name: &str) -> Option<i128> {
        self.0.get(name).copied()
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
            Expr::Path(path) if path.qself.is_none() => {
                self.0.get(&ptx_name(path.path.get_ident()?)).copied()
            }
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
