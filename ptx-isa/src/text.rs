//! Text built in constant code.

use core::fmt;

use crate::ir::{Extent, Type};

/// A string of at most `N` bytes that constant code can build; text that does not fit ends in `...`.
#[derive(Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

impl<const N: usize> Text<N> {
    /// The empty text.
    pub const fn new() -> Self {
        Self { bytes: [0; N], len: 0 }
    }

    /// The text so far.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "(text cut inside a character)",
        }
    }

    /// Appends a string.
    pub const fn push_str(&mut self, text: &str) {
        self.push_range(text, 0, text.len());
    }

    /// Appends `text[from..to]`, which must lie on character boundaries.
    pub(crate) const fn push_range(&mut self, text: &str, from: usize, to: usize) {
        let bytes = text.as_bytes();
        if self.len + (to - from) + 3 > N {
            let mut dots = 0;
            while dots < 3 && self.len < N {
                self.bytes[self.len] = b'.';
                self.len += 1;
                dots += 1;
            }
            return;
        }
        let mut i = from;
        while i < to {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
    }

    /// Appends a number in hexadecimal with these digits, and zeros before it up to this many.
    pub(crate) const fn push_hex(&mut self, value: u64, least: u32, digits: &str) {
        let mut left = u64::BITS / 4;
        while left > 0 {
            left -= 1;
            if left < least || value >> (4 * left) != 0 {
                let digit = (value >> (4 * left) & 15) as usize;
                self.push_range(digits, digit, digit + 1);
            }
        }
    }

    /// Appends a number in decimal, with a comma between groups of three digits if `grouped`.
    pub const fn push_int(&mut self, value: i128, grouped: bool) {
        let mut digits = [0u8; 64];
        let mut at = digits.len();
        let mut rest = value.unsigned_abs();
        let mut count = 0;
        loop {
            if grouped && count > 0 && count % 3 == 0 {
                at -= 1;
                digits[at] = b',';
            }
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            count += 1;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            at -= 1;
            digits[at] = b'-';
        }
        if let Ok(text) = core::str::from_utf8(digits.split_at(at).1) {
            self.push_str(text);
        }
    }

    /// Appends a type as PTX writes it: `.v4 .f64`, `.u32 [4][2]`; a struct by its Rust name.
    pub const fn push_type(&mut self, ty: &Type<'_>) {
        match ty.element() {
            Type::Scalar(scalar) => self.push_scalar(scalar.name()),
            Type::Vector(lanes, scalar) => {
                self.push_str(".v");
                self.push_int(*lanes as i128, false);
                self.push_str(" ");
                self.push_scalar(scalar.name());
            }
            Type::Struct(layout) => self.push_str(layout.name),
            Type::Opaque(opaque) => self.push_scalar(opaque.name()),
            Type::Unknown | Type::Array(..) | Type::Aligned(..) | Type::Family(..) => {
                self.push_str("?");
            }
        }
        let mut n = 0;
        while let Some(extent) = ty.extent(n) {
            if n == 0 {
                self.push_str(" ");
            }
            self.push_str("[");
            match extent {
                Extent::Known(count) => self.push_int(count as i128, false),
                Extent::Incomplete => {}
                Extent::Unknown => self.push_str("?"),
            }
            self.push_str("]");
            n += 1;
        }
    }

    const fn push_scalar(&mut self, name: &str) {
        self.push_str(".");
        self.push_str(name);
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}
