//! What has to hold of any bytes that are read as PTX text.
//!
//! The targets of libFuzzer call these functions, and so does the test that runs the corpus through them on
//! every change.

use ptx::text::{Diagnostic, Lexer, Parsed};
use ptx::{Module, ir};

/// Every byte is in one piece.
pub fn lexer(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let mut end = 0;
    for piece in Lexer::new(text) {
        let range = piece.at.range();
        assert_eq!(range.start, end, "a piece starts where the last one ends");
        assert!(range.end > range.start, "a piece is not empty");
        assert!(text.get(range.clone()).is_some(), "a piece does not part a character");
        end = range.end;
    }
    assert_eq!(end, text.len(), "the pieces are the whole text");
}

/// The bytes that come in are those that come out, whatever was read can be used, and of a text without
/// errors of grammar what the IR prints reads back without any.
pub fn parser(bytes: &[u8]) {
    let parsed = Parsed::from_bytes(bytes.to_vec());
    assert_eq!(parsed.bytes(), bytes);
    assert_eq!(parsed.text().len(), bytes.len(), "the places in the text are those in the bytes");
    assert_eq!(parsed.to_string(), parsed.text());
    are_in_bounds(&parsed, parsed.syntax());
    let module = Module::new(*parsed.module());
    let _ = module.memory_map().to_string();
    assert_eq!(module.to_string(), parsed.text());
    let written = Module::new(ir::Module { source: None, ..*parsed.module() }).to_string();
    let again = Parsed::new(written);
    if parsed.syntax().is_empty() {
        assert!(again.syntax().is_empty(), "{:?} in {}", again.syntax(), again.text());
    }
    let _ = Module::new(*again.module()).memory_map().to_string();
}

/// Whatever was read can be judged, and each finding has a place.
pub fn analysis(bytes: &[u8]) {
    let parsed = Parsed::from_bytes(bytes.to_vec());
    are_in_bounds(&parsed, &parsed.check());
    let _ = Module::new(*parsed.module()).check().iter().map(ToString::to_string).count();
}

fn are_in_bounds(parsed: &Parsed, diagnostics: &[Diagnostic]) {
    let mut last = 0;
    for diagnostic in diagnostics {
        let range = diagnostic.range.clone();
        assert!(parsed.text().get(range.clone()).is_some(), "{diagnostic:?} is not in the text");
        assert!(range.start >= last, "{diagnostic:?} does not stand in order");
        last = range.start;
        let position = parsed.position(range.start);
        assert!(position.line > 0 && position.column > 0);
        assert!(!diagnostic.to_string().is_empty());
    }
}
