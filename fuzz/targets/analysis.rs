//! `cargo fuzz run --sanitizer none analysis`

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ptx_fuzz::analysis(bytes));
