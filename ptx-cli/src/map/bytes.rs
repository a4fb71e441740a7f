//! The 128 bytes of a map, from wherever they are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use crate::arguments;

/// The bytes of a map.
const LENGTH: usize = 128;

/// The most bytes of a file that is read as hexadecimal digits.
const MOST: u64 = 1 << 16;

/// Reads the bytes that a command names.
///
/// # Errors
/// They could not be read, or are not 128.
pub(crate) fn read(command: &arguments::Decode) -> Result<[u8; LENGTH], String> {
    let name = &command.bytes;
    let is_stdin = name == "-";
    let path = Path::new(name);
    if !is_stdin && !path.exists() {
        if command.at.is_some() {
            return Err(format!("`{name}` is not a file; `--at` is an offset in a file"));
        }
        let looks_like_path = name.contains(['.', '/', '\\']) || name.len() < LENGTH;
        return from_hex(name).map_err(|why| {
            if looks_like_path {
                format!("`{name}` is neither a file nor 128 bytes in hexadecimal: {why}")
            } else {
                why
            }
        });
    }
    if !is_stdin && path.is_dir() {
        return Err(format!("`{name}` is a folder; name a file in it"));
    }
    let failed = |error: io::Error| format!("cannot read `{name}`: {error}");
    let at = command.at.unwrap_or(0);
    let mut bytes = Vec::new();
    if is_stdin {
        let mut input = io::stdin().lock();
        io::copy(&mut (&mut input).take(at), &mut io::sink()).map_err(failed)?;
        input.take(MOST).read_to_end(&mut bytes).map_err(failed)?;
    } else {
        let mut file = File::open(path).map_err(failed)?;
        if at > 0 {
            file.seek(SeekFrom::Start(at)).map_err(failed)?;
        }
        file.take(MOST).read_to_end(&mut bytes).map_err(failed)?;
    }
    if command.at.is_some() {
        let found = bytes.first_chunk().copied();
        return found.ok_or_else(|| {
            format!("only {} of the 128 bytes are at {at} in `{name}`", bytes.len())
        });
    }
    if let Ok(bytes) = <[u8; LENGTH]>::try_from(bytes.as_slice()) {
        return Ok(bytes);
    }
    let text = std::str::from_utf8(&bytes).ok().filter(|text| !text.trim().is_empty());
    text.and_then(|text| from_hex(text).ok()).ok_or_else(|| {
        format!(
            "`{name}` is neither 128 bytes nor 128 bytes in hexadecimal; `--at OFFSET` reads the 128 bytes at an offset"
        )
    })
}

/// Reads bytes in hexadecimal: in order, or as little-endian words with `0x` before them. What ends with a colon is the
/// address of a line.
fn from_hex(text: &str) -> Result<[u8; LENGTH], String> {
    let mut bytes = Vec::new();
    let parts = text.split(|c: char| c.is_whitespace() || c == ',');
    for part in parts.filter(|part| !part.is_empty() && !part.ends_with(':')) {
        let (digits, is_word) = match part.strip_prefix("0x") {
            Some(digits) => (digits, digits.len() <= 16),
            None => (part, false),
        };
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hex || digits.is_empty() {
            return Err(format!(
                "`{}` is not hexadecimal",
                part.chars().take(20).collect::<String>()
            ));
        }
        if digits.len() % 2 != 0 {
            return Err(format!("{} hexadecimal digits are half a byte too many", digits.len()));
        }
        let found =
            (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
        let mut found: Vec<u8> =
            found.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        if is_word {
            found.reverse();
        }
        bytes.extend(found);
    }
    let length = bytes.len();
    bytes.try_into().map_err(|_| format!("a tensor map has 128 bytes, and these are {length}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_words_are_read() {
        let bytes: [u8; 128] = std::array::from_fn(|n| u8::try_from(n).expect("it is small"));
        let plain = bytes.map(|byte| format!("{byte:02x}")).concat();
        assert_eq!(from_hex(&plain), Ok(bytes));
        assert_eq!(from_hex(&format!("0x{plain}")), Ok(bytes));
        let words = bytes.chunks(4).enumerate().map(|(n, word)| {
            let line = if n % 4 == 0 { format!("\n0x7f{n:02}:\t") } else { String::new() };
            format!("{line}0x{:02x}{:02x}{:02x}{:02x}", word[3], word[2], word[1], word[0])
        });
        assert_eq!(from_hex(&words.collect::<Vec<_>>().join(" ")), Ok(bytes));
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, expected) in [
            ("", "and these are 0"),
            ("00", "and these are 1"),
            ("0", "half a byte"),
            ("xy", "`xy` is not hexadecimal"),
            ("\u{e9}\u{e9}", "is not hexadecimal"),
        ] {
            let error = from_hex(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
