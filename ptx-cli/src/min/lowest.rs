//! The lowest version and target in which nothing is refused that is not refused anyway.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ptx_isa::ir::{Function, FunctionKind, Module};
use ptx_isa::rules::check_module_alone;
use ptx_isa::{Target, Version};
use ptx_text::Parsed;

use super::header::{Header, Level};
use super::problem::{Identity, Needed, Problem, Targets, Variant};

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

/// Problems, each once.
#[derive(Default)]
struct Distinct {
    all: Vec<Problem>,
    known: HashSet<Identity>,
}

impl Distinct {
    fn add(&mut self, problem: Problem) {
        if self.known.insert(problem.identity()) {
            self.all.push(problem);
        }
    }

    fn retain(&mut self, is_kept: impl Fn(&Problem) -> bool) {
        self.all.retain(is_kept);
        self.known = self.all.iter().map(Problem::identity).collect();
    }
}

/// Finds what a text needs.
///
/// # Errors
/// No target has all that it needs.
pub(crate) fn lowest(parsed: &Parsed, header: &Header) -> Result<Lowest, Conflict> {
    let declared = header.declared();
    let at = |level| Variant::of(parsed, header, level);
    let known = at(declared).problems();
    let identities: HashSet<Identity> = known.iter().map(Problem::identity).collect();
    let is_new = |found: &Problem| !identities.contains(&found.identity());
    let mut unknown = Unknown::default();
    known.iter().filter(|it| it.is_unknown_word()).for_each(|it| unknown.note(it.clone()));
    let (target, for_target) = target(declared, |level| {
        let mut found = if level == declared { known.clone() } else { at(level).problems() };
        found.retain(|found| is_new(found) || found.needed.is_some());
        found.extract_if(.., |found| found.is_unknown_word()).for_each(|it| unknown.note(it));
        found
    })?;
    let runs_on_more = |it: &Target| {
        runs_wherever(*it, target) && !it.is_baseline() && it.since() > declared.version
    };
    let mut families = Target::ALL.iter().copied().filter(|it| *it != target);
    let family =
        families.find(|it| runs_on_more(it) && !for_target.iter().any(|need| lacks(*it, need)));
    let mut version = Target::ALL[0].since();
    let mut for_version = Distinct::default();
    loop {
        let mut variant = at(Level { version, target });
        // The errors of the grammar do not say what would help.
        if variant.is_syntax_refused()
            && let Some((last, next)) = first_accepted(version, declared.version, |version| {
                at(Level { version, target }).is_syntax_refused()
            })
        {
            let found = at(Level { version: last, target }).problems();
            for_version.retain(|found| found.needed.is_some());
            found.into_iter().filter(|it| it.code.is_none()).for_each(|it| for_version.add(it));
            version = next;
            variant = at(Level { version, target });
        }
        let mut found = variant.problems();
        found
            .extract_if(.., |found| found.is_unknown_word())
            .filter(is_new)
            .for_each(|it| unknown.note(it));
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
            for_version.add(found);
        }
        version = next;
    }
    let mut for_version = for_version.all;
    for_version.retain(|found| match found.needed {
        Some(Needed::Version(needed)) => needed == version,
        Some(Needed::Targets(_)) => false,
        None => true,
    });
    // What the target needs comes after what statements need.
    for_version.sort_by_key(|found| (found.is_of_target(), found.range.start));
    for (function, range, opcode) in parsed.unknown_instructions() {
        let message = format!("what `{opcode}` needs is not known");
        let function = Some(function);
        if !unknown.starts.contains(&range.start) {
            unknown.note(Problem { range, message, code: None, needed: None, function });
        }
    }
    let mut unknown = unknown.all;
    unknown.sort_by_key(|found| found.range.start);
    Ok(Lowest { level: Level { version, target }, for_target, family, for_version, unknown })
}

/// What is not known, once for each place.
#[derive(Default)]
struct Unknown {
    all: Vec<Problem>,
    places: HashSet<Range<usize>>,
    starts: HashSet<usize>,
}

impl Unknown {
    fn note(&mut self, problem: Problem) {
        if self.places.insert(problem.range.clone()) {
            self.starts.insert(problem.range.start);
            self.all.push(problem);
        }
    }
}

/// The last version that is refused, and the first after it, up to the last one. The first is refused; `None` if none comes
/// after it.
fn first_accepted(
    first: Version,
    last: Version,
    is_refused: impl Fn(Version) -> bool,
) -> Option<(Version, Version)> {
    let versions = std::iter::successors(Some(first), |it| next_version(*it));
    let versions: Vec<Version> = versions.take_while(|it| *it <= last).collect();
    let (_, later) = versions.split_first()?;
    let refused = later.partition_point(|it| is_refused(*it)).min(later.len().checked_sub(1)?);
    Some((versions[refused], later[refused]))
}

/// The lowest target, and what is refused for those below.
fn target(
    declared: Level,
    mut problems: impl FnMut(Level) -> Vec<Problem>,
) -> Result<(Target, Vec<Problem>), Conflict> {
    let candidates = candidates(declared);
    let mut needs = Distinct::default();
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
            needs.add(found.clone());
        }
        last = found;
        at += 1;
        let suffices = |it: &Target| !needs.all.iter().any(|need| lacks(*it, need));
        while candidates.get(at).is_some_and(|it| !suffices(it)) {
            at += 1;
        }
    }
    let mut needs = needs.all;
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
    matches!(&need.needed, Some(Needed::Targets(targets)) if !targets.has(target))
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
    let functions = parsed.module().functions;
    let callers = callers(functions);
    let oldest = Level { version: Target::ALL[0].since(), target: Target::ALL[0] };
    let problems = |target| Variant::of(parsed, header, Level { target, ..oldest }).problems();
    let targets = spread(
        (&callers, vec![Targets::ALL; functions.len()]),
        problems(oldest.target).iter().filter_map(|found| match found.needed {
            Some(Needed::Targets(targets)) => Some((found.function?, targets)),
            _ => None,
        }),
        Targets::and,
    );
    let candidates = candidates(header.declared());
    let lowest = |n: usize| candidates.iter().copied().find(|it| targets[n].has(*it));
    let mut versions: Vec<(Target, Vec<Version>)> = Vec::new();
    let mut kernels = Vec::new();
    for (n, function) in functions.iter().enumerate() {
        if function.kind != FunctionKind::Kernel {
            continue;
        }
        let Some(target) = lowest(n) else { continue };
        let known = versions.iter().position(|(known, _)| *known == target).unwrap_or_else(|| {
            let found = problems(target);
            let needed = found.iter().filter_map(|found| match found.needed {
                Some(Needed::Version(version)) => Some((found.function?, version)),
                _ => None,
            });
            let own = vec![target.since(); functions.len()];
            versions.push((target, spread((&callers, own), needed, Version::newer)));
            versions.len() - 1
        });
        let level = Level { version: versions[known].1[n], target };
        kernels.push(Kernel { name: function.name.to_owned(), level });
    }
    kernels
}

/// For each function, those that call it.
fn callers(functions: &[&Function<'_>]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for (n, function) in functions.iter().enumerate() {
        numbers.entry(function.name).or_insert(n);
    }
    let mut callers = vec![Vec::new(); functions.len()];
    for (n, function) in functions.iter().enumerate() {
        for callee in function.calls.iter().filter_map(|callee| numbers.get(callee)) {
            callers[*callee].push(n);
        }
    }
    callers
}

/// What each function needs with those that it calls, by what each needs itself.
fn spread<T: Copy + PartialEq>(
    (callers, mut all): (&[Vec<usize>], Vec<T>),
    own: impl Iterator<Item = (usize, T)>,
    both: impl Fn(T, T) -> T,
) -> Vec<T> {
    let mut changed = Vec::new();
    for (function, needed) in own {
        if let Some(all) = all.get_mut(function) {
            *all = both(*all, needed);
            changed.push(function);
        }
    }
    while let Some(callee) = changed.pop() {
        for caller in &callers[callee] {
            let needed = both(all[*caller], all[callee]);
            if needed != all[*caller] {
                all[*caller] = needed;
                changed.push(*caller);
            }
        }
    }
    all
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
