//! The lowest version and target in which nothing is refused that is not refused anyway.

use ptx_isa::ir::Module;
use ptx_isa::rules::check_module_alone;
use ptx_isa::{Target, Version};
use ptx_text::Parsed;

use super::header::{Header, Level};
use super::problem::{Needed, Problem, is_syntax_refused, problems};

/// What a text needs.
#[derive(Clone, Debug)]
pub(crate) struct Lowest {
    pub(crate) level: Level,
    /// What is refused for lower targets, in the order of the text.
    pub(crate) for_target: Vec<Problem>,
    /// The target of a family that suffices and runs on more devices, but that the declared version does not have.
    pub(crate) family: Option<Target>,
    /// What is refused in lower versions.
    pub(crate) for_version: Vec<Problem>,
    /// Words that are not known, so that it is not known what they need.
    pub(crate) unknown: Vec<Problem>,
}

/// Why nothing is the lowest.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    /// What is needed on the way.
    pub(crate) needs: Vec<Problem>,
}

/// Finds what a text needs.
///
/// # Errors
/// No target has all that it needs.
pub(crate) fn lowest(parsed: &Parsed, header: &Header) -> Result<Lowest, Conflict> {
    let declared = header.declared();
    let known = problems(parsed, header, declared);
    let is_new = |found: &Problem| !known.iter().any(|known| known.is_same(found));
    let mut unknown: Vec<Problem> =
        known.iter().filter(|found| found.is_unknown_word()).cloned().collect();
    let mut note_unknown = |found: &Problem| {
        if !unknown.iter().any(|unknown| unknown.range == found.range) {
            unknown.push(found.clone());
        }
    };
    let (target, for_target) = target(declared, |level| {
        let mut found = problems(parsed, header, level);
        found.retain(|found| is_new(found) || found.needed.is_some());
        found.extract_if(.., |found| found.is_unknown_word()).for_each(|it| note_unknown(&it));
        found
    })?;
    let runs_on_more = |it: &Target| {
        runs_wherever(*it, target) && !it.is_baseline() && it.since() > declared.version
    };
    let mut families = Target::ALL.iter().copied().filter(|it| *it != target);
    let family =
        families.find(|it| runs_on_more(it) && !for_target.iter().any(|need| lacks(*it, need)));
    let mut version = Target::ALL[0].since();
    let mut for_version: Vec<Problem> = Vec::new();
    loop {
        // The grammar is asked alone, since its errors do not say what would help.
        while let Some(next) = next_version(version).filter(|next| *next <= declared.version)
            && is_syntax_refused(parsed, header, Level { version, target })
        {
            let level = Level { version, target };
            for_version.retain(|found| found.needed.is_some());
            for_version
                .extend(problems(parsed, header, level).into_iter().filter(|it| it.code.is_none()));
            version = next;
        }
        let mut found = problems(parsed, header, Level { version, target });
        found
            .extract_if(.., |found| found.is_unknown_word())
            .filter(is_new)
            .for_each(|it| note_unknown(&it));
        let needed = found.iter().filter_map(|found| match found.needed {
            Some(Needed::Version(needed)) => Some(needed),
            _ => None,
        });
        let next = match needed.max() {
            Some(needed) => Some(needed),
            None => {
                found.retain(|found| is_new(found) && found.needed.is_none());
                (!found.is_empty())
                    .then(|| next_version(version))
                    .flatten()
                    .filter(|next| *next <= declared.version)
            }
        };
        let Some(next) = next.filter(|next| *next > version) else { break };
        for found in found {
            if !for_version.iter().any(|known| known.is_same(&found)) {
                for_version.push(found);
            }
        }
        version = next;
    }
    for_version.retain(|found| match found.needed {
        Some(Needed::Version(needed)) => needed == version,
        Some(Needed::Targets(_)) => false,
        None => true,
    });
    // What the target needs comes after what statements need.
    for_version.sort_by_key(|found| (found.is_of_target(), found.range.start));
    for (function, range, opcode) in parsed.unknown_instructions() {
        if !unknown.iter().any(|found| found.range.start == range.start) {
            let message = format!("what `{opcode}` needs is not known");
            unknown.push(Problem {
                range,
                message,
                code: None,
                needed: None,
                function: Some(function),
            });
        }
    }
    unknown.sort_by_key(|found| found.range.start);
    Ok(Lowest { level: Level { version, target }, for_target, family, for_version, unknown })
}

/// The lowest target, and what is refused for those below.
fn target(
    declared: Level,
    mut problems: impl FnMut(Level) -> Vec<Problem>,
) -> Result<(Target, Vec<Problem>), Conflict> {
    let candidates = candidates(declared);
    let mut needs: Vec<Problem> = Vec::new();
    let mut at = 0;
    let mut last = Vec::new();
    while let Some(target) = candidates.get(at) {
        let version = declared.version.newer(target.since());
        let mut found = problems(Level { version, target: *target });
        found.retain(|found| !matches!(found.needed, Some(Needed::Version(_))));
        if found.is_empty() {
            break;
        }
        for found in &found {
            if !needs.iter().any(|known| known.is_same(found)) {
                needs.push(found.clone());
            }
        }
        last = found;
        at += 1;
        while candidates.get(at).is_some_and(|it| needs.iter().any(|need| lacks(*it, need))) {
            at += 1;
        }
    }
    needs.sort_by_key(|found| found.range.start);
    let Some(target) = candidates.get(at).copied() else { return Err(Conflict { needs }) };
    if at == 0 {
        return Ok((target, Vec::new()));
    }
    // Those that nothing below has, or else those that only the last one lacked.
    let is_top = |need: &Problem| candidates[..at].iter().all(|it| lacks(*it, need));
    let mut top: Vec<Problem> = needs.iter().filter(|need| is_top(need)).cloned().collect();
    if top.is_empty() {
        top = needs.into_iter().filter(|need| lacks(candidates[at - 1], need)).collect();
    }
    Ok((target, if top.is_empty() { last } else { top }))
}

/// Whether a target is known not to have what a problem needs.
fn lacks(target: Target, need: &Problem) -> bool {
    matches!(&need.needed, Some(Needed::Targets(targets)) if !targets.contains(&target))
}

/// The targets in the order in which they are tried: those that run wherever the declared one does and that its
/// version supports, and then, if that declares too little, all others.
fn candidates(declared: Level) -> Vec<Target> {
    let is_fit = |target: &Target| {
        runs_wherever(*target, declared.target) && target.since() <= declared.version
    };
    let (mut first, rest): (Vec<Target>, Vec<Target>) =
        Target::ALL.iter().copied().partition(is_fit);
    first.extend(rest);
    first
}

/// Whether code for a target runs on every device that runs code for another one.
pub(crate) fn runs_wherever(target: Target, other: Target) -> bool {
    let runs = |arch: u16| !other.runs_on(arch) || target.runs_on(arch);
    (target.is_baseline() || !other.is_baseline()) && Target::ALL.iter().all(|it| runs(it.arch()))
}

/// The version after this one; `None` if none is known.
pub(crate) fn next_version(version: Version) -> Option<Version> {
    let exists = |version: Version| {
        let module = Module { version: Some(version), ..Module::new("", Target::ALL[0]) };
        check_module_alone(&module).is_empty()
    };
    let next = Version::new(version.major, version.minor.saturating_add(1));
    let next = if exists(next) { next } else { Version::new(version.major.saturating_add(1), 0) };
    // Of newer versions nothing is known.
    (next < Version::new(9, 10)).then_some(next)
}

/// What a kernel needs, with the functions that it calls.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) level: Level,
}

/// What each kernel needs; empty if the text has errors.
pub(crate) fn kernels(parsed: &Parsed, header: &Header) -> Vec<Kernel> {
    use ptx_isa::ir::FunctionKind;
    let declared = header.declared();
    let module = parsed.module();
    let oldest = Level { version: Target::ALL[0].since(), target: Target::ALL[0] };
    let mut runs: Vec<(Target, Vec<Problem>)> = Vec::new();
    let mut problems_for = |target: Target| -> Vec<Problem> {
        if let Some((_, found)) = runs.iter().find(|(known, _)| *known == target) {
            return found.clone();
        }
        let found = problems(parsed, header, Level { target, ..oldest });
        runs.push((target, found.clone()));
        found
    };
    let mut kernels = Vec::new();
    for (n, function) in module.functions.iter().enumerate() {
        if function.kind != FunctionKind::Kernel {
            continue;
        }
        let mut reached = vec![n];
        let mut next = 0;
        while let Some(function) = reached.get(next).map(|n| module.functions[*n]) {
            let called = |callee: &&str| module.functions.iter().position(|it| it.name == *callee);
            for callee in function.calls.iter().filter_map(called) {
                if !reached.contains(&callee) {
                    reached.push(callee);
                }
            }
            next += 1;
        }
        let is_here = |found: &Problem| found.function.is_some_and(|n| reached.contains(&n));
        let needs = |found: &Problem, target| is_here(found) && lacks(target, found);
        let all = problems_for(oldest.target);
        let candidates = candidates(declared);
        let fits = |target: &&Target| !all.iter().any(|found| needs(found, **target));
        let Some(target) = candidates.iter().find(fits).copied() else { continue };
        let versions = problems_for(target).into_iter().filter(is_here);
        let version = versions.filter_map(|found| match found.needed {
            Some(Needed::Version(version)) => Some(version),
            _ => None,
        });
        let version = version.fold(target.since(), Version::newer);
        kernels.push(Kernel { name: function.name.to_owned(), level: Level { version, target } });
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_target_runs_wherever_the_declared_one_does() {
        let below = |target| {
            let below = Target::ALL.iter().filter(|it| runs_wherever(**it, target));
            below.map(|it| it.name()).collect::<Vec<_>>()
        };
        assert_eq!(below(Target::Sm53), ["sm_50", "sm_52", "sm_53"]);
        assert!(below(Target::Sm90a).ends_with(&["sm_89", "sm_90", "sm_90a"]));
        assert!(below(Target::Sm103a).ends_with(&["sm_103", "sm_103f", "sm_103a"]));
        assert!(below(Target::Sm103a).contains(&"sm_100f"));
        assert!(!below(Target::Sm103a).contains(&"sm_100a"));
        assert!(!below(Target::Sm120).iter().any(|it| it.ends_with(['a', 'f'])));
    }

    #[test]
    fn versions_follow_each_other() {
        let mut all = vec![Version::new(4, 0)];
        while let Some(next) = next_version(*all.last().expect("there is one")) {
            all.push(next);
        }
        let all: Vec<String> = all.iter().map(Version::to_string).collect();
        assert_eq!(all[..6], ["4.0", "4.1", "4.2", "4.3", "5.0", "5.1"]);
        assert!(all.iter().any(|it| it == "8.8") && all.iter().all(|it| it != "8.9"));
    }
}
