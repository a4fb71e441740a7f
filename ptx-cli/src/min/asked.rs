//! What ptxas adds: it knows instructions that are not known here.

use ptx_text::Parsed;

use super::header::{Header, Level};
use super::lowest::{Lowest, next_version, runs_wherever};
use super::note::note;
use super::problem::Problem;
use crate::finding::Finding;
use crate::verdict::Assembler;
use ptx_isa::Target;

/// The most versions and targets that are tried.
const MOST: usize = 80;

/// Raises the version and the target until ptxas assembles the text. Returns its errors about the text as it is, if it
/// does not assemble that either.
///
/// # Errors
/// Why ptxas could not be run.
pub(crate) fn raise(
    parsed: &Parsed,
    header: &Header,
    assembler: &Assembler,
    lowest: &mut Lowest,
) -> Result<Vec<Finding>, String> {
    let ask = |level: Level| {
        let edited = header.with(parsed.bytes(), level);
        let errors = assembler.errors(&Parsed::from_bytes(edited.bytes.clone()))?;
        let problem = |found: Finding| Problem {
            range: found.place.map_or(header.target.1.clone(), |it| edited.original(&it.range)),
            code: None,
            message: format!("ptxas {}: {}", assembler.release(), found.message),
            needed: None,
            function: None,
        };
        Ok::<_, String>(errors.into_iter().map(problem).collect::<Vec<Problem>>())
    };
    let declared = header.declared();
    let highest = Level {
        version: declared.version.newer(lowest.level.version),
        target: if runs_wherever(declared.target, lowest.level.target) {
            lowest.level.target
        } else {
            declared.target
        },
    };
    // The target first: in the declared version, which is not lower.
    for _ in 0..MOST {
        let Level { target, .. } = lowest.level;
        let level = Level { target, version: highest.version.newer(target.since()) };
        let refused = ask(level)?;
        if refused.is_empty() {
            break;
        }
        let mut above = Target::ALL.iter().copied().skip_while(|it| *it != target).skip(1);
        let Some(next) = above.find(|it| runs_wherever(*it, highest.target)) else {
            return assembler.errors(parsed).map(|found| or_first(found, parsed, refused));
        };
        lowest.for_target = refused;
        lowest.level.target = next;
        lowest.level.version = lowest.level.version.newer(next.since());
    }
    for _ in 0..MOST {
        let refused = ask(lowest.level)?;
        if refused.is_empty() {
            break;
        }
        let Some(next) = next_version(lowest.level.version).filter(|it| *it <= highest.version)
        else {
            return assembler.errors(parsed).map(|found| or_first(found, parsed, refused));
        };
        lowest.for_version = refused;
        lowest.level.version = next;
    }
    lowest.unknown.clear();
    Ok(Vec::new())
}

/// These findings, or others about the problems if there are none.
fn or_first(found: Vec<Finding>, parsed: &Parsed, problems: Vec<Problem>) -> Vec<Finding> {
    if found.is_empty() {
        problems.into_iter().map(|it| note(parsed, &it)).collect()
    } else {
        found
    }
}
