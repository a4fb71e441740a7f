//! The fingerprint of a text.

use core::fmt::{self, Write};

use ptx_isa::ir::Module;

/// 64 bits by which one notices that a text has changed: FNV-1a of its bytes. It does not protect against texts that are made
/// to have the same one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint with these bits.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The fingerprint of the text of a module, which is not stored for that.
    pub fn of(module: &Module<'_>) -> Self {
        let mut text = Hashed::new();
        // Nothing can fail.
        let _ = crate::write::write(module, &mut text);
        Self(text.0)
    }

    /// The fingerprint of a text.
    pub const fn of_text(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// The fingerprint of these bytes.
    pub const fn of_bytes(bytes: &[u8]) -> Self {
        Self(Hashed::new().update(bytes).0)
    }
}

/// As 16 hexadecimal digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// What was written so far.
struct Hashed(u64);

impl Hashed {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    const fn update(self, bytes: &[u8]) -> Self {
        let (mut hash, mut n) = (self.0, 0);
        while n < bytes.len() {
            hash = (hash ^ bytes[n] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            n += 1;
        }
        Self(hash)
    }
}

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = Self(self.0).update(text.as_bytes()).0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptx_isa::Target;

    /// The values of FNV-1a's own documentation.
    #[test]
    fn it_is_fnv() {
        assert_eq!(Fingerprint::of_text("").to_string(), "cbf29ce484222325");
        assert_eq!(Fingerprint::of_text("foobar").to_string(), "85944171f73967e8");
    }

    #[test]
    fn that_of_a_module_is_that_of_its_text() {
        let module = Module::new("m", Target::Sm90a);
        let mut text = String::new();
        crate::write::write(&module, &mut text).expect("a string takes it");
        assert_eq!(Fingerprint::of(&module), Fingerprint::of_text(&text));
    }
}
