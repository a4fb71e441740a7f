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
    /// An element with an address that was found, and the number of addresses before it.
    address: (usize, usize),
}

impl Last {
    /// The location of the element of an initial value that a rule blames: the address with this number, or else the
    /// first value that does not fit.
    pub(super) fn blamed(
        &mut self,
        text: &str,
        start: u32,
        variable: &Variable<'_>,
        address: Option<usize>,
    ) -> Option<Extent> {
        let Init::Value(value) = variable.init else { return None };
        if self.value != start {
            // After the `{`.
            *self = Self { value: start, element: (0, start + 1), address: (0, 0) };
        }
        let path = match address {
            Some(address) => self.path_to(value, address)?,
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

    /// The numbers of the elements that lead to an address.
    fn path_to(&mut self, value: Value<'_>, address: usize) -> Option<Vec<usize>> {
        let Some(count) = value.elements() else { return symbol_of(&value).map(|_| Vec::new()) };
        if address < self.address.1 {
            self.address = (0, 0);
        }
        let (first, mut before) = self.address;
        for n in first..count {
            let element = value.element(n);
            let within = addresses(&element);
            if address < before + within {
                self.address = (n, before);
                let mut path = vec![n];
                path.extend(Self::default().path_to(element, address - before)?);
                return Some(path);
            }
            before += within;
        }
        None
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

/// The number of addresses in a value.
fn addresses(value: &Value<'_>) -> usize {
    match value {
        Value::List(values) => values.iter().map(addresses).sum(),
        leaf => usize::from(symbol_of(leaf).is_some()),
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
