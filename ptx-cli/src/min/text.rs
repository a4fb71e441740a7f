//! The result as text.

use std::fmt::Write as _;

use annotate_snippets::normalize_untrusted_str;
use ptx_isa::Target;

use super::file::{File, Outcome};
use super::header::Level;
use super::lowest::runs_wherever;
use crate::render::Rendering;

/// The result for a file.
pub(crate) fn of(file: &File, is_all: bool, rendering: &mut Rendering) -> String {
    let mut text = String::new();
    for finding in &file.errors {
        text.push_str(&rendering.finding(&file.name, finding));
    }
    let Some(Outcome { declared, lowest, for_target, family, for_version, kernels, is_written }) =
        &file.outcome
    else {
        return text;
    };
    // Writing into a `String` does not fail.
    let _ = writeln!(
        text,
        "{}: {}",
        normalize_untrusted_str(&file.name),
        summary(*declared, *lowest, *is_written, file.errors.is_empty())
    );
    for found in [for_target, for_version] {
        let shown = if is_all { found.len() } else { 1 };
        for finding in found.iter().take(shown) {
            let mut finding = finding.clone();
            if found.len() > shown {
                let more = found.len() - shown;
                finding.help = Some(format!("{more} more like this; `--all` shows them"));
            }
            text.push_str(&rendering.finding(&file.name, &finding));
        }
    }
    if is_all {
        let width = kernels.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
        for kernel in kernels {
            let Level { version, target } = kernel.level;
            let name = normalize_untrusted_str(&kernel.name);
            let _ = writeln!(text, "  {name:width$}  .version {version}  .target {target}");
        }
    }
    if let Some(note) = reach(lowest.target) {
        let _ = writeln!(text, "  {note}");
    }
    if let Some(family) = family {
        let since = family.since();
        let _ = writeln!(text, "  {family} suffices, too, and needs .version {since}");
    }
    text
}

fn summary(declared: Level, lowest: Level, is_written: bool, is_known: bool) -> String {
    let Level { version, target } = lowest;
    let both = format!(".version {version} and .target {target}");
    if !is_known {
        return format!("at least {both}, without what is not known");
    }
    let had = match (declared.version == version, declared.target == target) {
        (true, true) => return format!("{both} are the lowest, as it declares"),
        (false, true) => format!(".version {}", declared.version),
        (true, false) => format!(".target {}", declared.target),
        (false, false) => format!(".version {} and .target {}", declared.version, declared.target),
    };
    let is_enough = version <= declared.version && runs_wherever(target, declared.target);
    let verb = if is_enough { "suffice" } else { "are needed" };
    if is_written {
        format!("{both}, instead of {had}")
    } else {
        format!("{both} {verb}; it declares {had}")
    }
}

/// What does not run code for a target, if newer devices do not.
pub(crate) fn reach(target: Target) -> Option<String> {
    if target.is_baseline() {
        return None;
    }
    let mut archs: Vec<u16> = Target::ALL.iter().map(|it| it.arch()).collect();
    archs.dedup();
    archs.retain(|arch| target.runs_on(*arch));
    let archs: Vec<String> = archs.iter().map(|arch| format!("sm_{arch}")).collect();
    let archs = match archs.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => return None,
    };
    Some(format!("code for {target} is not forward compatible: it runs on {archs} only"))
}
