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
    Target::Sm70,
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
        // The oldest targets are gone from ptxas 13.
        let known = |target: &&Target| target.arch() >= 75 || ptxas.release().major < 13;
        for target in TARGETS.iter().filter(known) {
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
                let required = Row::find(opcode, &modifiers).map_or(&[][..], |row| row.required);
                let is_gone = |version: Version| {
                    required.iter().any(|required| {
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

/// Without `.sync` or `.aligned`, ptxas refuses exactly the statements whose rows require it.
#[test]
fn ptxas_refuses_statements_without_a_required_modifier() {
    let statements = legal_statements();
    for ptxas in xtask::oracles() {
        for target in [Target::Sm90a, Target::Sm100a, Target::Sm120a] {
            let lines: Vec<&str> = statements.iter().map(String::as_str).collect();
            let illegal = refused(&ptxas, target, newest(&ptxas), &lines);
            let legal = lines.iter().enumerate().filter(|(n, _)| !illegal.contains(n));
            let without = legal.flat_map(|(_, line)| {
                ["sync", "aligned"].into_iter().filter_map(move |modifier| {
                    let (spelled, operands) = line.split_at(line.find([' ', ';'])?);
                    let word = format!(".{modifier}");
                    let stands = spelled.contains(&word);
                    stands.then(|| (modifier, spelled.replacen(&word, "", 1) + operands))
                })
            });
            // What is left of `fence.sync_restrict` is a syntax error.
            let without: Vec<_> =
                without.filter(|(_, line)| !line.contains("_restrict::")).collect();
            let lines: Vec<&str> = without.iter().map(|(_, line)| line.as_str()).collect();
            let refused = refused(&ptxas, target, newest(&ptxas), &lines);
            for (n, (modifier, line)) in without.iter().enumerate() {
                let (opcode, modifiers) = split(line);
                // `bar` without `.sync` has no row.
                let Some(row) = Row::find(opcode, &modifiers) else { continue };
                let is_required = row.required.iter().any(|it| it.modifier == *modifier);
                assert_eq!(is_required, refused.contains(&n), "{line} on {target}");
            }
        }
    }
}
