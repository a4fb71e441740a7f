//! Names (PTX ISA 4.4).

/// What is wrong with a name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Fault {
    /// It has no characters.
    Empty,
    /// It has a character that PTX names cannot have.
    Character,
    /// It is a lone `_`, `$` or `%`.
    Lone,
    /// It starts with a digit.
    Digit,
    /// PTX uses the word itself.
    Reserved,
    /// It is a special register.
    SpecialRegister,
}

impl Fault {
    /// Why it is none, to stand behind a colon.
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

    /// What to do about it.
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

/// What is wrong with `name` as the name of a variable, function, parameter, register or label;
/// nothing if it is legal.
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

/// Words that ptxas takes for itself wherever a name could stand.
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
