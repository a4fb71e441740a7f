//! What is needed, shown as findings are.

use ptx_text::Parsed;

use super::problem::Problem;
use crate::finding::{Finding, Kind, Level, Place};

/// What a statement needs, at its place.
pub(crate) fn note(parsed: &Parsed, problem: &Problem) -> Finding {
    finding(parsed, problem, Level::Note, None)
}

/// The same, as an error.
pub(crate) fn error(parsed: &Parsed, problem: &Problem, help: Option<&str>) -> Finding {
    finding(parsed, problem, Level::Error, help)
}

fn finding(parsed: &Parsed, problem: &Problem, level: Level, help: Option<&str>) -> Finding {
    Finding {
        place: Some(Place::of(parsed, problem.range.clone())),
        other: None,
        // A kind without an explanation: what is needed is not wrong.
        kind: Kind::NotFollowed,
        level,
        code: None,
        message: problem.message.clone(),
        help: help.map(str::to_owned),
        ptxas: Vec::new(),
    }
}
