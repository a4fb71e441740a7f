//! Maps PTX names to Rust names.
//!
//! A PTX name that is valid in Rust is kept. `$` and `%` become `_`, a keyword gets `r#`, and a mangled C++
//! symbol gets the name that it has in C++, as long as no other symbol has the same name.

use ptx_isa::sorted::{SortedMap, SortedSet};

use super::cpp;

/// Words that cannot be Rust names even if they are raw.
const NEVER: &[&str] = &["self", "Self", "super", "crate", "_"];

/// Whether a word is a Rust name only if it is raw: `type`.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    // `gen` is a keyword since edition 2024, which syn leaves to rustc.
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic());
    is_word && !is_never(word) && (word == "gen" || syn::parse_str::<syn::Ident>(word).is_err())
}

/// Whether a word cannot be a Rust name even if it is raw: `self`.
pub(super) fn is_never(word: &str) -> bool {
    NEVER.contains(&word)
}

/// Whether a PTX name is valid in Rust, and is kept.
pub(super) fn stays(ptx: &str) -> bool {
    identifier(ptx) == ptx && cpp::names(ptx).is_none()
}

/// The name that the module itself uses.
pub(super) const TAKEN: &str = "MODULE";

/// A PTX name with characters that Rust accepts.
pub(super) fn identifier(ptx: &str) -> String {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut name = ptx.replace(|c| !is_of_name(c), "_");
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    if is_never(&name) || name == TAKEN {
        name.push('_');
    }
    name
}

/// The name of a module for a file name.
pub(super) fn module(stem: &str) -> String {
    let name = identifier(stem);
    if is_keyword(&name) { name + "_" } else { name }
}

/// A name in Rust syntax: a keyword is raw.
pub(super) fn written(name: &str) -> String {
    if is_keyword(name) { format!("r#{name}") } else { name.to_owned() }
}

/// The Rust names of these symbols, all of them distinct, without the `r#` of raw ones. Renamed symbols have the
/// names that they were given.
pub(super) fn of_symbols<'p>(
    symbols: &[&'p str],
    renamed: &SortedMap<&str, String>,
) -> SortedMap<&'p str, String> {
    let mut names: SortedMap<&str, String> = SortedMap::new();
    let mut taken: SortedSet<String> = SortedSet::new();
    let mut claim = |ptx: &'p str, name: String, taken: &mut SortedSet<String>| {
        taken.insert(name.clone());
        names.insert(ptx, name);
    };
    let mut mangled = Vec::new();
    let mut changed = Vec::new();
    for &ptx in symbols {
        let name = identifier(ptx);
        if let Some(name) = renamed.get(ptx) {
            claim(ptx, name.clone(), &mut taken);
        } else if let Some(of_cpp) = cpp::names(ptx) {
            mangled.push((ptx, of_cpp));
        } else if name == ptx {
            claim(ptx, name, &mut taken);
        } else {
            changed.push((ptx, name));
        }
    }
    // The shorter name if it is unique, or else the longer one, or else the mangled one.
    let mut open = mangled;
    for level in 0..2 {
        let mut claims: SortedMap<String, usize> = SortedMap::new();
        for (_, names) in &open {
            *claims.entry(names[level].clone()).or_default() += 1;
        }
        open.retain(|(ptx, names)| {
            let name = &names[level];
            let is_its_own = claims.get(name) == Some(&1) && !taken.contains(name);
            if is_its_own {
                claim(ptx, name.clone(), &mut taken);
            }
            !is_its_own
        });
    }
    changed.extend(open.into_iter().map(|(ptx, _)| (ptx, identifier(ptx))));
    for (ptx, mut name) in changed {
        while taken.contains(&name) {
            name.push('_');
        }
        claim(ptx, name, &mut taken);
    }
    names
}

/// The Rust names of a function's parameters, without the prefix of the function's name that nvcc
/// and Triton write: `param_0` for `_Z5scalePff_param_0`.
pub(super) fn of_params<'p>(
    function: &str,
    params: impl IntoIterator<Item = &'p str>,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (n, ptx) in params.into_iter().enumerate() {
        let own = ptx.strip_prefix(function).and_then(|rest| rest.strip_prefix('_'));
        let own = own.filter(|own| !own.is_empty()).unwrap_or(ptx);
        let mut name = if own == "_" { format!("unnamed{n}") } else { identifier(own) };
        while found.contains(&name) {
            name.push('_');
        }
        found.push(name);
    }
    found
}

#[cfg(test)]
mod tests {
    use ptx_isa::sorted::SortedMap;

    use super::{module, of_params, of_symbols, written};

    fn names(symbols: &[&str], renamed: &[(&'static str, &str)]) -> Vec<String> {
        let renamed: SortedMap<&str, String> =
            renamed.iter().map(|(ptx, rust)| (*ptx, (*rust).to_owned())).collect();
        let names = of_symbols(symbols, &renamed);
        symbols.iter().map(|ptx| written(&names[ptx])).collect()
    }

    #[test]
    fn valid_rust_names_are_kept() {
        assert_eq!(
            names(&["rows", "Rows", "_x", "type", "gen"], &[]),
            ["rows", "Rows", "_x", "r#type", "r#gen"]
        );
    }

    #[test]
    fn invalid_characters_become_underscores() {
        assert_eq!(
            names(&["$str", "%p", "a$b", "a_b", "self", "MODULE", "$_0"], &[]),
            ["_str", "_p", "a_b_", "a_b", "self_", "MODULE_", "__0"]
        );
    }

    #[test]
    fn mangled_symbols_have_their_cpp_names() {
        assert_eq!(
            names(
                &[
                    "_Z5scalePff",
                    "_ZN3net5layer7forwardEPKf",
                    "_Z7reduce6IfLi128EEvPKT_PS0_j",
                    "_Z7reduce6IdLi512EEvPKT_PS0_j",
                    "_Z4swapPiS_",
                    "_Z4swapPfS_",
                    "_Z4typev",
                    "_ZNSt3fooD1Ev",
                    "_Z5plainv",
                    "plain",
                    "_Z1",
                    "_ZN12_GLOBAL__N_15localEPi",
                ],
                &[]
            ),
            [
                "scale",
                "net_layer_forward",
                "reduce6_float_128",
                "reduce6_double_512",
                "_Z4swapPiS_",
                "_Z4swapPfS_",
                "r#type",
                "_ZNSt3fooD1Ev",
                "_Z5plainv",
                "plain",
                "_Z1",
                "local",
            ]
        );
    }

    #[test]
    fn renamed_symbols_have_only_the_new_name() {
        assert_eq!(
            names(&["_Z5scalePff", "$f", "b"], &[("b", "scale"), ("$f", "g")]),
            ["_Z5scalePff", "g", "scale"]
        );
    }

    #[test]
    fn parameters_leave_out_the_name_of_their_function() {
        let params = ["_Z5scalePff_param_0", "_Z5scalePff_", "n", "_", "a$b", "a_b", "param_0"];
        assert_eq!(
            of_params("_Z5scalePff", params),
            ["param_0", "_Z5scalePff_", "n", "unnamed3", "a_b", "a_b_", "param_0_"]
        );
    }

    #[test]
    fn files_become_modules() {
        for (stem, name) in [
            ("kernels", "kernels"),
            ("nvcc-sm_80", "nvcc_sm_80"),
            ("2d", "_2d"),
            ("match", "match_"),
        ] {
            assert_eq!(module(stem), name);
        }
    }
}
