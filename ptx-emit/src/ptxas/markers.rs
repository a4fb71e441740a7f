//! Line markers, as the C preprocessor writes them: `# 12 "blur.cu"`. After one, ptxas counts lines from the
//! number in it.

use std::borrow::Cow;

/// The text with its line markers replaced by spaces, which keeps its lines; `None` if it has no markers.
pub(super) fn blanked(text: &[u8]) -> Option<Vec<u8>> {
    let mut blanked = Cow::Borrowed(text);
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        let length = match byte {
            b'/' if rest.starts_with(b"//") => line(rest).len(),
            b'/' if rest.starts_with(b"/*") => 2 + behind(&rest[2..], b"*/"),
            b'"' => 1 + behind(&rest[1..], b"\""),
            b'#' if is_marker(line(rest)) => {
                let length = line(rest).len();
                blanked.to_mut()[at..at + length].fill(b' ');
                length
            }
            _ => 1,
        };
        at += length;
    }
    match blanked {
        Cow::Borrowed(_) => None,
        Cow::Owned(blanked) => Some(blanked),
    }
}

/// The rest of a line.
fn line(rest: &[u8]) -> &[u8] {
    rest.split(|byte| *byte == b'\n').next().unwrap_or_default()
}

/// The number of bytes up to the end of the first `needle`.
fn behind(rest: &[u8], needle: &[u8]) -> usize {
    let found = rest.windows(needle.len()).position(|window| window == needle);
    found.map_or(rest.len(), |at| at + needle.len())
}

/// Whether ptxas treats this as a line marker: `#`, optionally `line`, a number, the name of a file in quotes, and
/// optional numbers.
fn is_marker(line: &[u8]) -> bool {
    let rest = line.get(1..).unwrap_or_default().trim_ascii_start();
    let rest = rest.strip_prefix(b"line").unwrap_or(rest).trim_ascii_start();
    let Some(rest) = without_number(rest) else { return false };
    let name = rest.trim_ascii_start();
    if name.len() == rest.len() {
        return false;
    }
    let Some(name) = name.strip_prefix(b"\"") else { return false };
    let Some(end) = name.iter().position(|byte| *byte == b'"') else { return false };
    let mut flags = &name[end + 1..];
    while !flags.trim_ascii().is_empty() {
        let next = flags.trim_ascii_start();
        match without_number(next) {
            Some(rest) if next.len() < flags.len() => flags = rest,
            _ => return false,
        }
    }
    true
}

/// The text after the number that it starts with.
fn without_number(text: &[u8]) -> Option<&[u8]> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then(|| &text[digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The forms that ptxas 13.0 and 12.9 accept.
    #[test]
    fn markers_are_those_of_ptxas() {
        for marker in [
            "# 50 \"f.cu\"",
            "# line 50 \"f.cu\"",
            "#line50 \"f.cu\"",
            "#\t50\t\"f.cu\"",
            "# 50 \"f.cu\" 1 3 4 ",
            "# 50 \"\"\r",
        ] {
            assert!(is_marker(marker.as_bytes()), "{marker}");
        }
        for other in [
            "# 50",
            "#line 50",
            "# 50\"f.cu\"",
            "# 50 \"f.cu\"1",
            "# 50 \"f.cu\" x",
            "# 50 \"f.cu\" // c",
            "# 50 \"f.cu\" \"g.cu\"",
            "# 0x50 \"f.cu\"",
            "# 50 f.cu",
            "# 50 \"f.cu",
            "#LINE 50 \"f.cu\"",
            "#",
        ] {
            assert!(!is_marker(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn every_other_byte_stays() {
        let text =
            "// # 1 \"a\"\n/* \n# 1 \"a\"\n*/ add # 7 \"f.cu\"\r\n.pragma \"x\n# 1 \";\n# 2\nret;";
        let blanked = blanked(text.as_bytes()).expect("it has one");
        let expected = text.replace("# 7 \"f.cu\"\r", "           ");
        assert_eq!(String::from_utf8_lossy(&blanked), expected);
        assert_eq!(super::blanked(b"ret; // # 1 \"a\"\n/* "), None);
        assert_eq!(super::blanked(b"\"# 1 \"a\""), None);
    }
}
