//! Demangles C++ names.

use cpp_demangle::{DemangleOptions, Symbol};

/// The C++ name of a symbol with underscores for characters that names cannot contain, without and with its template
/// arguments: `scale` for `_Z5scalePff`; `reduce` and `reduce_float_128` for `_Z6reduceIfLi128EEvPT_`. `None`
/// for a symbol that is not mangled, or whose name cannot stand by itself, such as a destructor.
pub(super) fn names(symbol: &str) -> Option<[String; 2]> {
    if !symbol.starts_with("_Z") {
        return None;
    }
    let options =
        DemangleOptions::new().no_params().no_return_type().hide_expression_literal_types();
    let name = Symbol::new(symbol).ok()?.demangle_with_options(&options).ok()?;
    let name = name.replace("(anonymous namespace)::", "");
    let mut short = String::new();
    let mut depth = 0_usize;
    for c in name.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => short.push(c),
            _ => {}
        }
    }
    // Lambdas and operators do not have a name.
    let is_named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':');
    let is_name = short.chars().all(is_named) && short.starts_with(|c: char| !c.is_ascii_digit());
    (is_name && depth == 0).then(|| [joined(&short), joined(&name)])
}

/// The words of a name joined by underscores, without the namespaces that nvcc generates for `static`
/// items.
fn joined(name: &str) -> String {
    let words = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_made = |word: &str| word.starts_with("_INTERNAL_") || word.starts_with("_GLOBAL__N_");
    words.filter(|word| !word.is_empty() && !is_made(word)).collect::<Vec<_>>().join("_")
}
