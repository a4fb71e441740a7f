//! The name of a package.

/// What cargo refuses as the name of a new package, and rustc as that of a crate, apart from keywords.
const RESERVED: &[(&str, &str)] = &[
    ("build", "cargo has a folder of this name next to the programs that it builds"),
    ("deps", "cargo has a folder of this name next to the programs that it builds"),
    ("examples", "cargo has a folder of this name next to the programs that it builds"),
    ("incremental", "cargo has a folder of this name next to the programs that it builds"),
    ("test", "a crate of Rust has this name"),
    ("core", "a crate of Rust has this name"),
    ("std", "a crate of Rust has this name"),
    ("alloc", "a crate of Rust has this name"),
    ("proc_macro", "a crate of Rust has this name"),
    ("proc-macro", "a crate of Rust has this name"),
    ("ptx", "the library that it depends on has this name"),
];

/// Whether a package can have this name.
///
/// # Errors
/// Why it cannot.
pub(super) fn check(name: &str) -> Result<(), String> {
    let refused = |why: &str| {
        Err(format!("`{name}` cannot be the name of a package: {why}; choose another name"))
    };
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if let Some(other) = name.chars().find(|c| !is_part(*c)) {
        return refused(&format!(
            "`{}` is not an ASCII letter, a digit, `_` or `-`",
            other.escape_debug()
        ));
    }
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return refused("it does not start with a letter");
    }
    if syn::parse_str::<syn::Ident>(&name.replace('-', "_")).is_err() || name == "gen" {
        return refused("it is a keyword of Rust");
    }
    match RESERVED.iter().find(|(reserved, _)| *reserved == name) {
        Some((_, why)) => refused(why),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn names_of_packages() {
        for name in ["blur", "my-blur", "my_blur2", "B"] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for (name, why) in [
            ("", "does not start with a letter"),
            ("2d", "does not start with a letter"),
            ("-x", "does not start with a letter"),
            ("_", "does not start with a letter"),
            ("a b", "` ` is not an ASCII letter"),
            ("größe", "`ö` is not an ASCII letter"),
            ("a\n", "`\\n` is not an ASCII letter"),
            ("fn", "keyword"),
            ("gen", "keyword"),
            ("test", "a crate of Rust"),
            ("deps", "cargo has a folder"),
            ("ptx", "the library"),
        ] {
            let error = check(name).expect_err(name);
            assert!(error.contains(why), "{error}");
        }
    }
}
