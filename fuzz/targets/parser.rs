//! `cargo fuzz run --sanitizer none parser`

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ptx_fuzz::parser(bytes));
