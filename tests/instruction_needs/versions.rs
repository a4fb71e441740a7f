//! Compares the PTX version that is inferred for each statement on each target with the lowest one in which ptxas
//! accepts it there.

use std::collections::BTreeSet;

use ptx::emit::ptxas::Ptxas;
use ptx::instruction::Row;
use ptx::{Target, Version};

use super::operands::{legal_statements, refused};
use super::{VERSIONS, needed, newest, split};

/// The targets between which requirements differ.
const TARGETS: &[Target] = &[
    Target::Sm75,
    Target::Sm80,
    Target::Sm86,
    Target::Sm89,
    Target::Sm90,
    Target::Sm90a,
    Target::Sm100,
    Target::Sm100a,
    Target::Sm103a,
    Target::Sm120a,
];

/// The versions that a release of ptxas knows and that have a target, in order.
fn versions(ptxas: &Ptxas, target: Target) -> Vec<Version> {
    let newest = newest(ptxas);
    let all = VERSIONS.iter().map(|(major, minor)| Version::new(*major, *minor));
    all.filter(|version| !version.is_below(target.since()) && !newest.is_below(*version)).collect()
}

#[test]
fn the_inferred_version_is_the_lowest_that_ptxas_accepts() {
    let statements = legal_statements();
    let lines: Vec<&str> = statements.iter().map(String::as_str).collect();
    for ptxas in xtask::oracles() {
        let mut wrong = Vec::new();
        for target in TARGETS {
            let versions = versions(&ptxas, *target);
            let refused: Vec<BTreeSet<usize>> =
                versions.iter().map(|version| refused(&ptxas, *target, *version, &lines)).collect();
            for (n, line) in lines.iter().enumerate() {
                let lowest = refused.iter().position(|refused| !refused.contains(&n));
                let lowest = lowest.map(|lowest| versions[lowest]);
                let needed = needed(line);
                let inferred = needed.iter().try_fold(target.since(), |version, (_, needs)| {
                    let since = needs.since_on(Some(*target));
                    (needs.has(*target)).then(|| version.newer(since))
                });
                let (opcode, modifiers) = split(line);
                let required = Row::find(opcode, &modifiers).and_then(|row| row.required);
                let is_gone = |version: Version| {
                    required.is_some_and(|required| {
                        modifiers.iter().all(|(_, word)| *word != required.modifier)
                            && target.arch() >= required.min_arch
                            && !version.is_below(required.since)
                    })
                };
                let inferred = inferred
                    .filter(|version| !is_gone(*version) && !newest(&ptxas).is_below(*version));
                if inferred != lowest {
                    let name = |version: Option<Version>| {
                        version.map_or("never".to_owned(), |it| format!("PTX {it}"))
                    };
                    let (inferred, lowest) = (name(inferred), name(lowest));
                    wrong.push(format!("{line} on {target}: {inferred}, not {lowest}"));
                }
            }
        }
        let number = wrong.len();
        assert!(wrong.is_empty(), "{}: {number}\n{}", ptxas.release(), wrong.join("\n"));
    }
}
