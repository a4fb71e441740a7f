//! A buffer in front of any `fmt::Write`.

use core::fmt;

/// The bytes that are buffered before they are written.
const CAPACITY: usize = 4096;

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// The decimal digits of each byte, and their number.
const BYTES: [([u8; 4], usize); 256] = {
    let mut table = [([0; 4], 0); 256];
    let mut value = 0;
    while value < 256 {
        let digits = [HEX[value / 100], HEX[value / 10 % 10], HEX[value % 10]];
        let len = if value >= 100 { 3 } else { 1 + (value >= 10) as usize };
        let mut i = 0;
        while i < len {
            table[value].0[i] = digits[3 - len + i];
            i += 1;
        }
        table[value].1 = len;
        value += 1;
    }
    table
};

/// Buffers text on the stack, keeps track of the line and the column, and writes out full buffers.
pub(crate) struct Out<'w, W: fmt::Write> {
    inner: &'w mut W,
    buffer: [u8; CAPACITY],
    len: usize,
    line: usize,
    /// The buffer position where the line starts, minus the part of the line that was already written.
    line_start: isize,
}

impl<'w, W: fmt::Write> Out<'w, W> {
    pub(crate) fn new(inner: &'w mut W) -> Self {
        Self { inner, buffer: [0; CAPACITY], len: 0, line: 1, line_start: 0 }
    }

    /// The number of the line being written, from 1.
    pub(crate) fn line(&self) -> usize {
        self.line
    }

    /// The number of bytes in the line so far.
    #[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss)] // both far below `isize::MAX`
    pub(crate) fn column(&self) -> usize {
        (self.len as isize - self.line_start) as usize
    }

    /// Writes text without line breaks.
    #[inline]
    pub(crate) fn put(&mut self, text: &str) -> fmt::Result {
        let bytes = text.as_bytes();
        if bytes.len() > CAPACITY - self.len {
            return self.put_slow(text);
        }
        self.buffer[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
        Ok(())
    }

    #[cold]
    #[allow(clippy::cast_possible_wrap)] // a string's length
    fn put_slow(&mut self, text: &str) -> fmt::Result {
        self.flush()?;
        if text.len() > CAPACITY {
            self.line_start -= text.len() as isize;
            return self.inner.write_str(text);
        }
        self.put(text)
    }

    /// Ends the line.
    #[allow(clippy::cast_possible_wrap)] // at most CAPACITY
    pub(crate) fn end_line(&mut self) -> fmt::Result {
        self.put("\n")?;
        self.line += 1;
        self.line_start = self.len as isize;
        Ok(())
    }

    /// Ends the line and starts one that is indented by four columns per level.
    pub(crate) fn indent(&mut self, levels: usize) -> fmt::Result {
        for _ in 0..levels {
            self.put("    ")?;
        }
        Ok(())
    }

    /// Writes an integer in decimal.
    #[inline]
    pub(crate) fn put_int(&mut self, value: impl itoa::Integer) -> fmt::Result {
        self.put(itoa::Buffer::new().format(value))
    }

    /// Writes a byte in decimal. Tables of bytes are long: this takes one copy of a fixed size.
    #[inline]
    pub(crate) fn put_byte(&mut self, value: u8) -> fmt::Result {
        let (digits, len) = BYTES[value as usize];
        if self.len + digits.len() > CAPACITY {
            self.flush()?;
        }
        self.buffer[self.len..self.len + digits.len()].copy_from_slice(&digits);
        self.len += len;
        Ok(())
    }

    /// Writes the low `digits` hexadecimal digits of `bits`, in upper case.
    #[inline]
    pub(crate) fn put_hex(&mut self, bits: u128, digits: usize) -> fmt::Result {
        let mut text = [0; 32];
        for (i, digit) in text[..digits].iter_mut().enumerate() {
            *digit = HEX[(bits >> (4 * (digits - 1 - i)) & 15) as usize];
        }
        self.put(core::str::from_utf8(&text[..digits]).unwrap_or_default())
    }

    /// Writes the buffered text.
    #[allow(clippy::cast_possible_wrap)] // at most CAPACITY
    pub(crate) fn flush(&mut self) -> fmt::Result {
        let text = core::str::from_utf8(&self.buffer[..self.len]).map_err(|_| fmt::Error)?;
        self.inner.write_str(text)?;
        self.line_start -= self.len as isize;
        self.len = 0;
        Ok(())
    }
}
