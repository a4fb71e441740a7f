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
    /// Whether rust-analyzer serves the same Rust files: then what names in bodies mean, it says alone.
    pub(super) rust_analyzer: Option<bool>,
}

/// What is shown between the words of a text.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct InlayHints {
    /// What is known of the value that an instruction writes.
    pub(super) values: bool,
    /// The offset of a place in bytes.
    pub(super) places: bool,
}

impl Default for InlayHints {
    fn default() -> Self {
        Self { values: false, places: true }
    }
}

impl Settings {
    /// Those after a change, in which a client need not repeat what it has said of the other server.
    pub(super) fn changed(&self, value: &serde_json::Value) -> Self {
        let new = Self::of(Some(value));
        Self { rust_analyzer: new.rust_analyzer.or(self.rust_analyzer), ..new }
    }

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
        let hints = settings(serde_json::json!({"inlayHints": {"values": true}})).inlay_hints;
        assert!(hints.values && hints.places);
        let beside = settings(serde_json::json!({"rustAnalyzer": true}));
        assert_eq!(beside.rust_analyzer, Some(true));
        let changed = |value: serde_json::Value| beside.changed(&value).rust_analyzer;
        assert_eq!(changed(serde_json::json!({"ptx": {"strict": true}})), Some(true));
        assert_eq!(changed(serde_json::json!({"ptx": {"rustAnalyzer": false}})), Some(false));
    }
}
