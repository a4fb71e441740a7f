//! What a client may set.

use serde::Deserialize;

/// The options of a client: `initializationOptions`, or what `workspace/didChangeConfiguration` has for `ptx`. Unknown
/// ones are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Settings {
    /// The codes of hazards that are not shown, as `--allow` of `ptx check`.
    pub(super) allow: Vec<String>,
    /// Whether everything that is not followed is shown, as `--strict` of `ptx check`.
    pub(super) strict: bool,
    /// What is shown between the words of a text.
    pub(super) inlay_hints: InlayHints,
}

/// What is shown between the words of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct InlayHints {
    /// What is known of the value that an instruction writes.
    pub(super) values: bool,
}

impl Settings {
    /// Those in a value, which may be those of `ptx` alone, or of all servers by their names.
    pub(super) fn of(value: Option<&serde_json::Value>) -> Self {
        let value = value.map(|value| value.get("ptx").unwrap_or(value));
        let own = value.and_then(|value| Self::deserialize(value).ok());
        own.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_keeps_its_default() {
        let settings = |value: serde_json::Value| Settings::of(Some(&value));
        assert_eq!(Settings::of(None), Settings::default());
        assert_eq!(settings(serde_json::json!(null)), Settings::default());
        assert_eq!(settings(serde_json::json!({"other": 1})), Settings::default());
        let own = settings(serde_json::json!({"ptx": {"allow": ["A021"]}}));
        assert_eq!(own.allow, ["A021"]);
        assert!(settings(serde_json::json!({"inlayHints": {"values": true}})).inlay_hints.values);
    }
}
