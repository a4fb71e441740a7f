//! Names (PTX ISA 4.4).

/// The fault of an invalid name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// The name is empty.
    Empty,
    /// It has a character that PTX names cannot contain.
    Character,
    /// It is a lone `_`, `$` or `%`.
    Lone,
    /// It starts with a digit.
    Digit,
    /// It is a word that PTX reserves.
    Reserved,
    /// It is a special register.
    SpecialRegister,
}

impl Fault {
    /// Why it is not a valid name, to follow a colon.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it is empty",
            Self::Character => "a name has only ASCII letters, digits, `_` and `$`",
            Self::Lone => "a second character must follow the first",
            Self::Digit => "a name cannot start with a digit",
            Self::Reserved => "PTX reserves the word",
            Self::SpecialRegister => "it is a special register",
        }
    }

    /// How to fix it.
    pub const fn fix(self) -> &'static str {
        match self {
            Self::Empty => "write a name",
            Self::Character => "use only these",
            Self::Lone => "write a longer name",
            Self::Digit => "start it with a letter",
            Self::Reserved | Self::SpecialRegister => "choose another name",
        }
    }
}

/// The fault of `name` as the name of a variable, function, parameter, register or label; `None` if it
/// is valid.
pub const fn fault(name: &str) -> Option<Fault> {
    let bytes = name.as_bytes();
    if bytes.is_empty() {
        return Some(Fault::Empty);
    }
    let mut i = 0;
    while i < bytes.len() {
        let follows = bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'_' | b'$');
        if !(follows || i == 0 && bytes[0] == b'%') {
            return Some(Fault::Character);
        }
        i += 1;
    }
    if bytes[0].is_ascii_digit() {
        return Some(Fault::Digit);
    }
    if bytes.len() == 1 && matches!(bytes[0], b'_' | b'$' | b'%') {
        return Some(Fault::Lone);
    }
    if crate::special::is_special(name) {
        return Some(Fault::SpecialRegister);
    }
    if is_reserved(name) {
        return Some(Fault::Reserved);
    }
    None
}

/// Words that ptxas reserves wherever a name can occur.
const RESERVED: &[&str] = &["WARP_SZ"];

const fn is_reserved(name: &str) -> bool {
    let mut i = 0;
    while i < RESERVED.len() {
        if crate::const_str::same(RESERVED[i], name) {
            return true;
        }
        i += 1;
    }
    false
}
