//! The version and the target of a text, and the same text with others.

use std::ops::Range;

use ptx_isa::{Target, Version};
use ptx_text::{Parsed, PieceKind};

/// Where a text declares its version and its target.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) version: (Version, Range<usize>),
    pub(crate) target: (Target, Range<usize>),
}

impl Header {
    /// Reads the header of a text without syntax errors.
    ///
    /// # Errors
    /// The target has no row in the table.
    pub(crate) fn of(parsed: &Parsed) -> Result<Self, String> {
        let mut tokens = parsed.pieces().filter(|piece| !piece.kind.is_trivia()).peekable();
        let (mut version, mut target, mut other) = (None, None, None);
        while let Some(piece) = tokens.next() {
            match &parsed.text()[piece.at.range()] {
                ".version" => {
                    let Some(number) = tokens.next() else { break };
                    let range = number.at.range();
                    version =
                        version.or(Version::parse(&parsed.text()[range.clone()]).zip(Some(range)));
                }
                ".target" => {
                    while let Some(word) = tokens.next() {
                        let range = word.at.range();
                        let name = &parsed.text()[range.clone()];
                        match Target::from_name(name) {
                            Some(found) => (target, other) = (Some((found, range)), None),
                            None if name.starts_with("sm_") || name.starts_with("compute_") => {
                                other = Some(name);
                            }
                            None => {}
                        }
                        let is_list = |piece: &ptx_text::Piece| {
                            piece.kind == PieceKind::Sign && &parsed.text()[piece.at.range()] == ","
                        };
                        if tokens.next_if(is_list).is_none() {
                            break;
                        }
                    }
                }
                ".address_size" => {
                    tokens.next();
                }
                _ => break,
            }
        }
        match (version, target, other) {
            (Some(version), Some(target), None) => Ok(Self { version, target }),
            (_, _, Some(other)) => Err(format!(
                "`{other}` is not one of the targets known here, which are {} and newer ones",
                Target::ALL[0]
            )),
            (_, _, None) => Err("its version or its target could not be read".to_owned()),
        }
    }

    /// What the text declares.
    pub(crate) fn declared(&self) -> Level {
        Level { version: self.version.0, target: self.target.0 }
    }

    /// The text with another version and target; everything else stays, byte for byte.
    pub(crate) fn with(&self, bytes: &[u8], level: Level) -> Edited {
        let version = (self.version.1.clone(), level.version.to_string());
        let target = (self.target.1.clone(), level.target.name().to_owned());
        let mut edits = [version, target];
        edits.sort_by_key(|(range, _)| range.start);
        let (mut text, mut from) = (Vec::with_capacity(bytes.len() + 8), 0);
        for (range, new) in &edits {
            text.extend_from_slice(&bytes[from..range.start]);
            text.extend_from_slice(new.as_bytes());
            from = range.end;
        }
        text.extend_from_slice(&bytes[from..]);
        Edited { bytes: text, edits: edits.map(|(range, new)| (range, new.len())) }
    }
}

/// A version and a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    pub(crate) version: Version,
    pub(crate) target: Target,
}

/// A text with another header.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) bytes: Vec<u8>,
    /// The ranges that were replaced, and the lengths of what stands there now.
    edits: [(Range<usize>, usize); 2],
}

impl Edited {
    /// The range in the original text.
    pub(crate) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.offset(range.start)..self.offset(range.end)
    }

    fn offset(&self, at: usize) -> usize {
        let (mut grown, mut shrunk) = (0, 0);
        for (range, length) in &self.edits {
            let start = range.start + grown - shrunk;
            if at < start {
                break;
            }
            if at < start + length {
                return (at - start + range.start).min(range.end);
            }
            grown += length;
            shrunk += range.len();
        }
        at + shrunk - grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "// .version 1.0\n.version 8.0 // 8.0\n.target debug, sm_90a\n.entry k() { ret; }";

    #[test]
    fn only_the_version_and_the_target_change() {
        let header = Header::of(&Parsed::new(TEXT)).expect("it has both");
        let level = Level { version: Version::new(12, 10), target: Target::Sm100f };
        let edited = header.with(TEXT.as_bytes(), level);
        let text = String::from_utf8(edited.bytes.clone()).expect("it is UTF-8");
        assert_eq!(text, TEXT.replacen("on 8.0", "on 12.10", 1).replacen("sm_90a", "sm_100f", 1));
        for word in ["// .v", "// 8", ".target", "debug", ".entry", "ret"] {
            let (new, old) = (text.find(word), TEXT.find(word));
            let (new, old) = (new.expect("it is there"), old.expect("it is there"));
            assert_eq!(edited.original(&(new..new + 2)), old..old + 2, "{word}");
        }
        assert_eq!(header.with(TEXT.as_bytes(), header.declared()).bytes, TEXT.as_bytes());
    }

    #[test]
    fn a_target_without_a_row_is_named() {
        let error = Header::of(&Parsed::new(".version 4.0\n.target sm_30\n")).expect_err("old");
        assert!(error.contains("`sm_30`") && error.contains("sm_50"), "{error}");
    }
}
