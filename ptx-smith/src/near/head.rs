//! The head of a module.

use ptx_isa::{Target, Version};

use super::choice::Choices;
use super::choice::Says::{Depends, Forbidden};

const VERSIONS: &[&str] = &[
    "3.0", "4.0", "5.0", "6.0", "6.2", "7.0", "7.1", "7.2", "7.3", "7.4", "7.8", "8.0", "8.1",
    "8.3", "8.4", "8.6", "8.7", "9.0",
];

const TARGETS: &[&str] = &[
    "sm_50",
    "sm_70",
    "sm_75",
    "sm_80",
    "sm_86",
    "sm_87",
    "sm_88",
    "sm_89",
    "sm_90",
    "sm_100",
    "sm_100a",
    "sm_103",
    "sm_110",
    "sm_120",
    "sm_121",
    "sm_90b",
    "sm_90x",
    "sm_90f",
    "sm_80a",
    "sm_9",
    "sm_090a",
    "compute_90",
];

const MODES: &[&str] = &[
    ", texmode_independent",
    ", texmode_unified",
    ", debug",
    ", map_f64_to_f32",
    ", sm_80",
    ", sm_90a",
];

/// What modules need of their head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Needs {
    /// A recent version.
    Recent,
    /// Nothing: it may be old.
    Nothing,
    /// Texture mode: either.
    Mode,
}

/// A version, a target and perhaps a texture mode.
pub(super) fn head(choices: &mut Choices, needs: Needs) -> String {
    let usual = if needs == Needs::Nothing {
        choices.usual(&[
            "8.8 sm_90a",
            "8.8 sm_90a",
            "7.0 sm_80",
            "7.2 sm_80",
            "6.0 sm_70",
            "4.0 sm_50",
        ])
    } else {
        "8.8 sm_90a"
    };
    let (version, target) = usual.split_once(' ').unwrap_or(("8.8", "sm_90a"));
    let modes: &[&str] = if needs == Needs::Mode { &["", ", texmode_independent"] } else { &[""] };
    let version = choices.weighted(2, &[version], &[(Depends, VERSIONS)]);
    let target = choices.weighted(2, &[target], &[(Depends, TARGETS)]);
    let mode = choices.weighted(2, modes, &[(Depends, MODES)]);
    (choices.version, choices.mode) = (version, mode);
    if let (Some(given), Some(known)) = (Version::parse(version), Target::from_name(target))
        && given.is_below(known.since())
    {
        choices.note(Forbidden("A version that does not have the target"));
    }
    format!(".version {version}\n.target {target}{mode}\n.address_size 64\n")
}
