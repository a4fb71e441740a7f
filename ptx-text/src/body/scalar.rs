//! The types of declarations (PTX ISA 5.2).

use ptx_isa::near::dotted;
use ptx_isa::{Opaque, ScalarType, Space};

use super::token::Faults;

/// The types of other languages, with those of PTX.
const FOREIGN: &[(&str, &str)] = &[
    ("i8", "s8"),
    ("i16", "s16"),
    ("i32", "s32"),
    ("i64", "s64"),
    ("char", "s8"),
    ("short", "s16"),
    ("int", "s32"),
    ("uint", "u32"),
    ("long", "s64"),
    ("half", "f16"),
    ("float", "f32"),
    ("double", "f64"),
    ("byte", "b8"),
    ("bool", "pred"),
];

/// The advice for an unknown type.
pub(crate) fn type_meant(word: &str) -> String {
    if let Some((_, meant)) = FOREIGN.iter().find(|(name, _)| *name == word) {
        return format!("did you mean `.{meant}`?");
    }
    let known = ScalarType::ALL.iter().copied().filter(|scalar| scalar.is_fundamental());
    let known: Vec<&str> = known.map(ScalarType::name).collect();
    dotted(word, known.into_iter())
}

const TYPES_OF_INSTRUCTIONS: &[&str] = &[
    "e4m3", "e5m2", "e4m3x2", "e5m2x2", "e2m1x2", "e2m3x2", "e3m2x2", "ue8m0x2", "e4m3x4",
    "e5m2x4", "e2m1x4", "e2m3x4", "e3m2x4", "u16x2", "s16x2", "f32x2",
];

/// Whether a type without its dot is one of instructions, which ptxas knows in declarations, too.
pub(crate) fn is_type_of_instructions(word: &str) -> bool {
    TYPES_OF_INSTRUCTIONS.contains(&word)
}

/// Whether a word without its dot is a type of variables or of instructions.
pub(crate) fn is_type(word: &str) -> bool {
    ScalarType::from_name(word).is_some()
        || is_type_of_instructions(word)
        || Opaque::from_name(word).is_some()
}

pub(super) fn parse_scalar<P>(word: &str, at: P, faults: &mut Faults<P>) -> Option<ScalarType> {
    let named = ScalarType::from_name(word);
    if let Some(scalar) = named.filter(|scalar| scalar.is_fundamental()) {
        return Some(scalar);
    }
    let advice = match (word, named) {
        ("v3", _) => "a declared vector is `.v2` or `.v4`; three elements are a `.v4` whose fourth is padding (PTX ISA 5.4.2)".to_owned(),
        ("v8" | "v1" | "v16", _) => "a declared vector is `.v2` or `.v4`".to_owned(),
        (_, Some(scalar)) => format!("`{word}` values are declared as `{}` (PTX ISA 5.2.3, 5.2.4)", scalar.declared()),
        ("e2m1" | "e2m3" | "e3m2" | "ue8m0", None) => format!("`{word}` values are packed: declare a `.b8` or `.b16` of two (PTX ISA 5.2.3)"),
        ("texref" | "samplerref" | "surfref", _) => format!("a `.{word}` is a variable of the module or a parameter of a kernel (PTX ISA 5.3); declare it there"),
        _ if Space::from_name(word).is_some() => "a variable has one state space; remove one".to_owned(),
        _ => type_meant(word),
    };
    faults.at(at, format_args!("storage cannot be declared with `.{word}`; {advice}"));
    None
}
