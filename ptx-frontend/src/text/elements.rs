//! The elements of initial values, and their locations.

use ptx_isa::ir::{Init, Value, Variable};
use ptx_isa::rules;

use super::extent::Extent;
use super::lexer::PieceKind;
use super::reader::Reader;

/// The element that was found last: the elements of one list are looked up in order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Last {
    /// The start of the initial value.
    value: u32,
    /// The number of the element, and its start.
    element: (usize, u32),
}

impl Last {
    /// The location of the element of an initial value that a rule blames: the address of this symbol, the very string
    /// of the IR, or else the first value that does not fit.
    pub(super) fn blamed(
        &mut self,
        text: &str,
        start: u32,
        variable: &Variable<'_>,
        symbol: Option<&str>,
    ) -> Option<Extent> {
        let Init::Value(value) = variable.init else { return None };
        if self.value != start {
            // After the `{`.
            *self = Self { value: start, element: (0, start + 1) };
        }
        let path = match symbol {
            Some(symbol) => self.path_to(value, symbol)?,
            None => rules::unfit_element(variable),
        };
        let mut found = value;
        for n in &path {
            let is_element = found.elements().is_some_and(|count| *n < count);
            found = if is_element { found.element(*n) } else { Value::Int(0) };
        }
        let at = self.place(text, start, &path)?;
        Some(match symbol_of(&found) {
            Some(symbol) => word(text, at, symbol).unwrap_or(at),
            None => at,
        })
    }

    /// The numbers of the elements that lead to the address of a symbol.
    fn path_to(&self, value: Value<'_>, symbol: &str) -> Option<Vec<usize>> {
        let is_it = |value: &Value<'_>| {
            symbol_of(value).is_some_and(|found| core::ptr::eq(found.as_ptr(), symbol.as_ptr()))
        };
        let Some(count) = value.elements() else { return is_it(&value).then(Vec::new) };
        let last = self.element.0.min(count);
        (last..count).chain(0..last).find_map(|n| {
            let mut path = vec![n];
            let element = value.element(n);
            match element {
                Value::List(_) => path.extend(Self::default().path_to(element, symbol)?),
                leaf if !is_it(&leaf) => return None,
                _ => {}
            }
            Some(path)
        })
    }

    /// The location of the first token of the element that these numbers lead to.
    fn place(&mut self, text: &str, start: u32, path: &[usize]) -> Option<Extent> {
        let Some((first, inner)) = path.split_first() else {
            return Some(Reader::from(text, start).token()?.piece.at);
        };
        if *first < self.element.0 {
            self.element = (0, start + 1);
        }
        let (known, from) = self.element;
        let mut reader = Reader::from(text, from);
        skip(&mut reader, first - known)?;
        self.element = (*first, u32::try_from(reader.mark().at()).ok()?);
        for n in inner {
            reader.token()?;
            skip(&mut reader, *n)?;
        }
        Some(reader.token()?.piece.at)
    }
}

/// Skips this many elements.
fn skip(reader: &mut Reader<'_>, mut count: usize) -> Option<()> {
    let mut depth = 0_usize;
    while count > 0 {
        let next = reader.token()?.piece;
        match next.kind {
            PieceKind::Open(_) => depth += 1,
            PieceKind::Close(_) => depth = depth.checked_sub(1)?,
            PieceKind::Sign if depth == 0 && reader.text(next.at) == "," => count -= 1,
            _ => {}
        }
    }
    Some(())
}

/// The symbol in an address.
const fn symbol_of<'a>(value: &Value<'a>) -> Option<&'a str> {
    match value {
        Value::Address(address) | Value::MaskedAddress(_, address) => Some(address.symbol),
        Value::Int(_)
        | Value::Float(_)
        | Value::Integers(_)
        | Value::Floats(_)
        | Value::MaskedInt(..)
        | Value::List(_) => None,
    }
}

/// The location of a word in the element that starts with a token: `generic(x)`, `0xff(x)`.
fn word(text: &str, start: Extent, word: &str) -> Option<Extent> {
    /// The number of tokens before it.
    const MOST: usize = 4;
    let mut reader = Reader::from(text, start.start);
    (0..MOST)
        .map_while(|_| reader.token())
        .find(|token| text.get(token.piece.at.range()) == Some(word))
        .map(|token| token.piece.at)
}
