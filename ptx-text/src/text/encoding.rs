//! Characters that are not ASCII, and NUL bytes: ptxas accepts them nowhere.

use core::iter;

use super::extent::Extent;

/// A character of a text, or a byte of one that is not UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Foreign {
    Character(char),
    Byte(u8),
}

impl Foreign {
    const fn length(self) -> usize {
        match self {
            Self::Character(character) => character.len_utf8(),
            Self::Byte(_) => 1,
        }
    }

    /// The character that replaces it while the text is parsed: a name that contains it remains one name, and
    /// separators still separate. A single byte is interpreted as Latin-1.
    fn substitute(self) -> char {
        let character = match self {
            Self::Character(character) => character,
            Self::Byte(byte) => char::from(byte),
        };
        if character.is_alphanumeric() { '_' } else { ' ' }
    }
}

/// The parts of a text that are not ASCII or a NUL byte, and their offsets.
fn foreign(bytes: &[u8]) -> impl Iterator<Item = (usize, Foreign)> {
    let mut start = 0;
    bytes.utf8_chunks().flat_map(move |chunk| {
        let (valid, invalid) = (start, start + chunk.valid().len());
        start = invalid + chunk.invalid().len();
        let characters =
            chunk.valid().char_indices().filter(|(_, found)| !found.is_ascii() || *found == '\0');
        let characters = characters.map(move |(at, found)| (valid + at, Foreign::Character(found)));
        let bytes = chunk.invalid().iter().enumerate();
        characters.chain(bytes.map(move |(at, byte)| (invalid + at, Foreign::Byte(*byte))))
    })
}

/// The ASCII character that is meant by another one: word processors and web pages replace some.
fn meant(character: char) -> Option<char> {
    Some(match character {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201C}' | '\u{201D}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(character) - 0xFEE0)?,
        _ if character.is_whitespace() => ' ',
        _ => return None,
    })
}

/// The text to parse, in which each byte keeps its offset; `None` if the text is ASCII without a NUL byte.
pub(super) fn substituted(bytes: &[u8]) -> Option<String> {
    if bytes.is_ascii() && !bytes.contains(&0) {
        return None;
    }
    let mut text = String::with_capacity(bytes.len());
    let mut ascii = 0;
    for (at, foreign) in foreign(bytes) {
        text.extend(bytes[ascii..at].iter().copied().map(char::from));
        match foreign {
            Foreign::Character(character) if let Some(meant) = meant(character) => {
                text.push(meant);
                text.extend(iter::repeat_n(' ', foreign.length() - 1));
            }
            _ => text.extend(iter::repeat_n(foreign.substitute(), foreign.length())),
        }
        ascii = at + foreign.length();
    }
    text.extend(bytes[ascii..].iter().copied().map(char::from));
    Some(text)
}

/// Whether a text is UTF-16, which cannot be parsed at all.
pub(super) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xFE])
        || bytes.starts_with(&[0xFE, 0xFF])
        || matches!(bytes, [0, b'.' | b'/', 0, _, ..] | [b'.' | b'/', 0, _, 0, ..])
}

/// What is wrong with a text that is not ASCII or has a NUL byte, at the first such character: ptxas reads no further.
pub(super) fn fault(bytes: &[u8]) -> Option<(Extent, String)> {
    let extent = |start: usize, length: usize| {
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Extent { start: number(start), end: number(start + length) }
    };
    if is_utf16(bytes) {
        return Some((
            extent(0, 2),
            "this is UTF-16, and ptxas takes ASCII alone; save it as ASCII".to_owned(),
        ));
    }
    let mut found = foreign(bytes);
    let (at, first) = found.next()?;
    let others = match found.count() {
        0 => String::new(),
        1 => " (and 1 more after it)".to_owned(),
        count => format!(" (and {count} more after it)"),
    };
    let message = match first {
        Foreign::Character('\0') => {
            format!("this is a NUL byte, where ptxas takes the text to end; remove it{others}")
        }
        Foreign::Character(character) => {
            let mark = if character == '\u{FEFF}' { ", a byte order mark," } else { "" };
            let shown = character.escape_debug();
            let advice = match meant(character) {
                Some(' ') => "write a space".to_owned(),
                Some(meant) => format!("write `{meant}`"),
                None => "remove it".to_owned(),
            };
            format!(
                "`{shown}`{mark} is not ASCII, and ptxas takes no other characters, not even in comments; {advice}{others}"
            )
        }
        Foreign::Byte(byte) => format!(
            "the byte {byte:#04x} is not UTF-8, and ptxas takes ASCII alone, also in comments; remove it{others}"
        ),
    };
    Some((extent(at, first.length()), message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Parsed;

    const HEAD: &str = ".version 8.0\n.target sm_80\n.address_size 64\n";

    /// The diagnostics for these bytes below a header.
    fn messages(body: &[u8]) -> Vec<String> {
        let parsed = Parsed::from_bytes([HEAD.as_bytes(), body].concat());
        let place = |at: usize| parsed.position(at);
        parsed
            .check()
            .iter()
            .map(|found| format!("{}: {found}", place(found.range.start)))
            .collect()
    }

    #[test]
    fn only_the_first_character_is_reported() {
        assert_eq!(
            messages("// caf\u{e9}\n// \u{2019}\n".as_bytes()),
            [
                "4:7: `\u{e9}` is not ASCII, and ptxas takes no other characters, not even in comments; remove it (and 1 more after it)"
            ]
        );
        assert_eq!(
            messages(b".global .u32 x; // caf\xe9 \xff"),
            [
                "4:23: the byte 0xe9 is not UTF-8, and ptxas takes ASCII alone, also in comments; remove it (and 1 more after it)"
            ]
        );
    }

    #[test]
    fn invisible_characters_are_named() {
        let first = |body: &str| messages(body.as_bytes()).remove(0);
        assert!(first(".global\u{a0}.u32 x;").starts_with("4:8: `\\u{a0}` is not ASCII, "));
        let parsed = Parsed::new(format!("\u{feff}{HEAD}"));
        let found = parsed.check();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].message.starts_with("`\\u{feff}`, a byte order mark, is not ASCII, "));
    }

    /// The encoding is the cause of any other error.
    #[test]
    fn names_and_spaces_are_parsed_all_the_same() {
        for body in [
            &b".visible .entry sc\xe4le(.param .u64 src)\n{\n\t.reg .b64 %d;\n\tld.param.u64 %d, [src];\n\tret;\n}\n"[..],
            ".func sc\u{e4}le()\n{\n\tcall sc\u{e4}le;\n\tret;\u{a0}\u{200b}\n}\n".as_bytes(),
            "\u{a0}.global\u{2003}.u32 \u{3b1};".as_bytes(),
        ] {
            let messages = messages(body);
            assert_eq!(messages.len(), 1, "{messages:?}");
        }
    }

    #[test]
    fn utf16_is_recognised() {
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let text = format!("\u{feff}{HEAD}.global .u32 x;");
            let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
            let parsed = Parsed::from_bytes(bytes);
            let messages: Vec<String> = parsed.check().iter().map(ToString::to_string).collect();
            assert_eq!(messages, ["this is UTF-16, and ptxas takes ASCII alone; save it as ASCII"]);
            assert_eq!(parsed.syntax().len(), 1);
        }
    }

    #[test]
    fn every_byte_keeps_its_offset() {
        let bytes = b"a\xffb\xc3\xa9\xe2\x80\x99\xe2\x80c";
        assert_eq!(substituted(bytes).as_deref(), Some("a_b__'  _ c"));
        assert_eq!(substituted(b"ascii"), None);
    }
}
