//! The entries of a cache: what they are found by, and their bytes.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::string::String;
use std::vec::Vec;
use std::{format, fs};

use ptx_emit::Fingerprint;

use crate::cuda::load_error::LoadOptions;

/// The start of each entry; the number at its end is the version of the format.
const MAGIC: [u8; 8] = *b"ptxcubn1";

/// The magic bytes, the lengths of key and cubin, and the fingerprint of both, each number in 8 bytes, the least
/// significant first.
const HEADER_BYTES: usize = 32;

/// Everything that machine code depends on. An entry contains it, so that entries of the same name are told apart.
#[derive(Clone, Debug)]
pub(super) struct Key(String);

impl Key {
    /// The key of this text, compiled by this compiler with these options for a device of this architecture. The driver is
    /// described by whatever changes with it.
    pub(super) fn new(
        text: &str,
        (arch, driver): (u16, &str),
        compiler: &str,
        options: LoadOptions,
    ) -> Self {
        let LoadOptions { optimization_level, max_registers, line_info, debug } = options;
        Self(format!(
            "arch {arch}, compiler {compiler}, -O {optimization_level:?}, registers {max_registers:?}, \
             lines {line_info}, debug {debug}, driver {driver}\n{text}"
        ))
    }

    /// The name of the entry's file.
    pub(super) fn file_name(&self) -> String {
        let Self(key) = self;
        format!("{}-{:x}.{EXTENSION}", Fingerprint::of_text(key), key.len())
    }

    /// The bytes of the entry with this cubin.
    pub(super) fn entry(&self, cubin: &[u8]) -> Vec<u8> {
        let key = self.0.as_bytes();
        let mut entry = Vec::with_capacity(HEADER_BYTES + key.len() + cubin.len());
        entry.extend(MAGIC);
        entry.extend((key.len() as u64).to_le_bytes());
        entry.extend((cubin.len() as u64).to_le_bytes());
        entry.extend([0; 8]);
        entry.extend(key);
        entry.extend(cubin);
        let fingerprint = Fingerprint::of_bytes(&entry[HEADER_BYTES..]).to_bits();
        entry[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&fingerprint.to_le_bytes());
        entry
    }

    /// Reads the cubin of the entry in this file; `None` if that is of another key, is damaged, or is not an entry.
    pub(super) fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let found = fs::metadata(path)?;
        if !found.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path)?;
        let mut header = [0; HEADER_BYTES];
        file.read_exact(&mut header)?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&header[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let (key, cubin, fingerprint) = (number(8), number(16), number(24));
        let bytes = (HEADER_BYTES as u64).checked_add(key).and_then(|it| it.checked_add(cubin));
        // What is not an entry may be too large for the memory.
        if header[..8] != MAGIC || key != self.0.len() as u64 || bytes != Some(found.len()) {
            return Ok(None);
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        let is_whole = Some((content.len() + HEADER_BYTES) as u64) == bytes
            && Fingerprint::of_bytes(&content).to_bits() == fingerprint
            && content.starts_with(self.0.as_bytes());
        Ok(is_whole.then(|| content.split_off(self.0.len())))
    }
}

/// The end of an entry's name.
pub(super) const EXTENSION: &str = "ptxcubin";
