//! The values of long lists.

use bumpalo::Bump;
use ptx_isa::ScalarType;
use ptx_isa::ir::Value;

use super::reader::list::List;
use crate::body::token::{Elements, Written};
use crate::body::{Literal, element, lower_literal};

/// What a list consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integers,
    Floats,
    Mixed,
}

/// The value of a list of such scalars.
pub(super) fn values<'a>(
    text: &str,
    written: Written,
    scalar: ScalarType,
    arena: &'a Bump,
) -> Value<'a> {
    let list: &dyn Elements<()> = &List::new(text, written);
    let count = written.elements;
    match kind(list, scalar) {
        Kind::Integers => {
            let values = arena.alloc_slice_fill_copy(count, 0);
            fill(list, scalar, values, |literal| match literal {
                Literal::Int(value) => *value,
                _ => 0,
            });
            Value::Integers(values)
        }
        Kind::Floats => {
            let values = arena.alloc_slice_fill_copy(count, 0.0);
            fill(list, scalar, values, |literal| match literal {
                Literal::Float(value) => *value,
                _ => 0.0,
            });
            Value::Floats(values)
        }
        Kind::Mixed => {
            let values = arena.alloc_slice_fill_copy(count, Value::Int(0));
            let nested = |written, scalar| self::values(text, written, scalar, arena);
            fill(list, scalar, values, |literal| lower_literal(literal, scalar, arena, &nested));
            Value::List(values)
        }
    }
}

fn kind(list: &dyn Elements<()>, scalar: ScalarType) -> Kind {
    let mut kind = None;
    let is_plain = list.each(&mut |tokens, _| {
        let found = match element(tokens, scalar) {
            Literal::Int(_) => Kind::Integers,
            Literal::Float(_) => Kind::Floats,
            _ => return None,
        };
        (*kind.get_or_insert(found) == found).then_some(())
    });
    kind.filter(|_| is_plain.is_some()).unwrap_or(Kind::Mixed)
}

/// Stores what `of` makes of each element.
fn fill<T>(
    list: &dyn Elements<()>,
    scalar: ScalarType,
    values: &mut [T],
    of: impl Fn(&Literal<()>) -> T,
) {
    let mut values = values.iter_mut();
    list.each(&mut |tokens, _| {
        *values.next()? = of(&element(tokens, scalar));
        Some(())
    });
}
