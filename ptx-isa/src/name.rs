//! Names that are displayed and parsed: element types, swizzles, targets.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::near::alternatives;

/// The error of text that cannot be parsed, with a suggestion of what to write instead.
#[derive(Clone, PartialEq, Eq)]
pub struct ParseError {
    message: String,
}

crate::__debug_as_message!(ParseError);

impl ParseError {
    #[doc(hidden)]
    pub fn new(message: String) -> Self {
        Self { message }
    }

    /// The error for an unknown name, which may be an alias from another library.
    pub(crate) fn unknown(
        kind: &str,
        found: &str,
        names: &[&'static str],
        aliases: &[(&str, &'static str)],
    ) -> Self {
        let bare = bare(found);
        let alias = aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(bare));
        let mut alike = names.iter().copied().filter(|name| folded(name).eq(folded(bare)));
        let meant = alias.map(|(_, name)| *name).or_else(|| alike.next());
        let instead = match meant {
            Some(name) => format!("did you mean `{name}`?"),
            None => alternatives(found, names.iter().copied()),
        };
        Self::new(format!("`{found}` is not {kind}: {instead}"))
    }
}

/// A name without the prefix that the driver's header, Python or a compiler gives it.
fn bare(name: &str) -> &str {
    const BEFORE: [&str; 8] = [
        "CU_TENSOR_MAP_DATA_TYPE_",
        "CU_TENSOR_MAP_INTERLEAVE_",
        "CU_TENSOR_MAP_L2_PROMOTION_",
        "CU_TENSOR_MAP_FLOAT_OOB_FILL_",
        "CU_TENSOR_MAP_",
        "torch.",
        "jnp.",
        "compute_",
    ];
    BEFORE.iter().find_map(|before| name.strip_prefix(before)).unwrap_or(name)
}

/// The letters and digits of a name, in lower case; for a target without the common prefix.
fn folded(name: &str) -> impl Iterator<Item = char> {
    let is_target = name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("sm"));
    let name = if is_target { &name[2..] } else { name };
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase())
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for ParseError {}

/// Implements `Display` and `FromStr` for an enum by its list of names, `NAMES`, and its function `from_name`.
/// The aliases are names from other libraries: they are not accepted, and the error suggests ours.
macro_rules! named {
    ($Enum:ident, $kind:literal, [$($alias:literal => $name:literal),* $(,)?]) => {
        /// The name in a declaration.
        impl core::fmt::Display for $Enum {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for $Enum {
            type Err = $crate::name::ParseError;

            /// Parses the name in a declaration; the error suggests the name that may have been meant.
            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::from_name(name).ok_or_else(|| {
                    $crate::name::ParseError::unknown($kind, name, Self::NAMES, &[$(($alias, $name)),*])
                })
            }
        }

        $crate::__as_text!($Enum, $kind);
    };
}
pub(crate) use named;

/// Serialises a type as its text, with the feature `serde` of the crate that expands it.
///
/// It is not covered by semantic versioning.
#[doc(hidden)]
#[macro_export]
macro_rules! __as_text {
    ($Type:ident, $kind:literal) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $Type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $Type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                from.deserialize_str($crate::__private::Visitor($kind, core::marker::PhantomData))
            }
        }
    };
}

/// Deserialises text as a `T`.
#[cfg(feature = "serde")]
pub struct Visitor<T>(pub &'static str, pub core::marker::PhantomData<T>);

#[cfg(feature = "serde")]
impl<T: core::str::FromStr<Err = ParseError>> serde::de::Visitor<'_> for Visitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
