//! `cargo fuzz run --sanitizer none lexer`

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ptx_fuzz::lexer(bytes));
