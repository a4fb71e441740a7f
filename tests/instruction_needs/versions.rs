//! Compares the PTX version that is inferred for each statement on each target with the lowest one in which ptxas
//! accepts it there.

use std::collections::BTreeSet;

use ptx::{Target, Version};
use ptx_emit::ptxas::Ptxas;

use super::operands::{legal_statements, refused};
use super::{VERSIONS, needed, newest};

/// The targets between which requirements differ, from the first whose versions ptxas reads all statements in.
const TARGETS: &[Target] = &[
    Target::Sm86,
    Target::Sm89,
    Target::Sm90,
    Target::Sm90a,
    Target::Sm100,
    Target::Sm100a,
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
                let Some(lowest) = lowest.map(|lowest| versions[lowest]) else { continue };
                let needed = needed(line);
                let inferred = needed.iter().fold(target.since(), |version, (_, needs)| {
                    version.newer(needs.since_on(Some(*target)))
                });
                if inferred != lowest {
                    wrong.push(format!("{line} on {target}: PTX {inferred}, not {lowest}"));
                }
            }
        }
        let number = wrong.len();
        assert!(wrong.is_empty(), "{}: {number}\n{}", ptxas.release(), wrong.join("\n"));
    }
}
