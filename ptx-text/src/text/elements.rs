//! The elements of initial values, and their locations.

use ptx_isa::ir::{Init, Value, Variable};

use super::extent::Extent;
use super::lexer::PieceKind;
use super::reader::Reader;

/// The elements of the initial value that was asked for last, which are mostly asked for in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Elements<'a> {
    /// The start of the value.
    value: u32,
    /// The elements that are addresses, by their index, and the symbols in them.
    addresses: Vec<(usize, &'a str)>,
    /// The element that was found last, its first token, and whether it is a list.
    last: Option<(usize, Extent, bool)>,
}

impl<'a> Elements<'a> {
    /// The elements of the value of a variable, which starts here.
    pub(super) fn of(&mut self, variable: &Variable<'a>, start: u32) -> &mut Self {
        if self.value != start {
            *self = Self { value: start, ..Self::default() };
            if let Init::Value(value) = variable.init {
                value.each(&mut |n, value| {
                    if let Value::Address(address) | Value::MaskedAddress(_, address) = value {
                        self.addresses.push((n, address.symbol));
                    }
                });
            }
        }
        self
    }

    /// The location of the symbol in an address, by its index among those in the value.
    pub(super) fn address(&mut self, text: &str, address: usize) -> Option<Extent> {
        self.element(text, self.addresses.get(address)?.0)
    }

    /// The location of a constant expression or of the symbol in an address, or the first token of a list.
    pub(super) fn element(&mut self, text: &str, element: usize) -> Option<Extent> {
        let at = self.first_token(text, element)?;
        if let Ok(named) = self.addresses.binary_search_by_key(&element, |(n, _)| *n) {
            return Some(word(text, at, self.addresses[named].1).unwrap_or(at));
        }
        let is_list = self.last.is_some_and(|(.., is_list)| is_list);
        Some(if is_list { at } else { Extent::over((at, last_token(text, at))) })
    }

    /// The location of the first token of an element: of its mask, if it has one.
    pub(super) fn first_token(&mut self, text: &str, element: usize) -> Option<Extent> {
        let earlier = self.last.filter(|(number, ..)| *number <= element);
        let (_, at, _) = match earlier {
            Some(last) if last.0 == element => last,
            earlier => *self.last.insert(find(text, self.value, earlier, element)?),
        };
        Some(at)
    }
}

/// The element with this index, which counts as [`Value::each`] does, found from an earlier one or from the start of
/// the value.
fn find(
    text: &str,
    value: u32,
    earlier: Option<(usize, Extent, bool)>,
    element: usize,
) -> Option<(usize, Extent, bool)> {
    let (from, mut next, mut is_start) = match earlier {
        Some((number, at, is_list)) => (at.end, number + 1, is_list),
        None => (value, 0, true),
    };
    let mut reader = Reader::from(text, from);
    loop {
        let piece = reader.token()?.piece;
        match (piece.kind, reader.text(piece.at)) {
            (PieceKind::Sign, ";") => return None,
            (PieceKind::Sign, ",") => is_start = true,
            (PieceKind::Close(_), _) => is_start = false,
            (_, token) if is_start => {
                is_start = token == "{";
                if next == element {
                    return Some((element, piece.at, is_start));
                }
                next += 1;
            }
            _ => {}
        }
    }
}

/// The last token of the element that starts with a token.
fn last_token(text: &str, first: Extent) -> Extent {
    let mut reader = Reader::from(text, first.start);
    let (mut depth, mut last) = (0_usize, first);
    while let Some(token) = reader.token() {
        match (token.piece.kind, reader.text(token.piece.at)) {
            (PieceKind::Sign, "," | ";") if depth == 0 => break,
            (PieceKind::Open(_), _) => depth += 1,
            (PieceKind::Close(_), _) => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => break,
            },
            _ => {}
        }
        last = token.piece.at;
    }
    last
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
