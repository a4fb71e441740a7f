//! The results of bodies can be computed: every thread ends, and stores a defined number to each of its words.
//!
//! `PTX_BODIES` is the number of kernels, and `PTX_SMITH_SEED` selects others.

use ptx_interpreter::{Buffers, Definition, Program};
use ptx_isa::Target;
use ptx_smith::bodies::{BLOCK, THREADS, WORDS, mixed};
use ptx_smith::module::Options;
use ptx_smith::{Case, Kind};
use ptx_text::Parsed;

/// The number of kernels without the variable.
const COUNT: usize = 150;

fn number<T: std::str::FromStr>(variable: &str, otherwise: T) -> T {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is {text}, not a number")),
        Err(_) => otherwise,
    }
}

fn drawn(n: usize) -> Case {
    Kind::Bodies.draw(number("PTX_SMITH_SEED", 1), n, Options::default())
}

/// What is wrong with a kernel, if anything, and whether its blocks are in clusters.
fn wrong(text: &str) -> (Option<String>, bool) {
    let parsed = Parsed::new(text);
    let found = parsed.check();
    let error = found.iter().find(|found| found.kind.is_error());
    let functions = &parsed.module().functions;
    let names: Vec<[Vec<&str>; 2]> = functions
        .iter()
        .map(|it| {
            [it.returns, it.params].map(|all| all.iter().map(|it| it.variable.name).collect())
        })
        .collect();
    // The kernel is the last, and a launch starts the first.
    let mut definitions: Vec<Definition<'_>> = functions
        .iter()
        .zip(&names)
        .map(|(it, [returns, params])| Definition {
            name: it.name,
            returns,
            params: if it.name == "k" { &[] } else { params },
            body: it.body.expect("it has a body"),
        })
        .collect();
    definitions.reverse();
    let is_in_cluster = text.contains(".reqnctapercluster");
    let (blocks, cluster) = if is_in_cluster { (4, 2) } else { (1, 1) };
    let launch = Buffers { block: BLOCK, blocks, cluster };
    let left = launch.run(&Program::of_functions(&definitions), &mixed);
    let words = blocks as usize * THREADS * WORDS;
    let problem = match (error, left) {
        (Some(error), _) => Some(format!("{:?} {error}", error.code)),
        (None, Err(end)) => Some(format!("a thread ends: {end:?}")),
        (None, Ok(left)) => {
            let is_whole = left.len() == words && left.keys().copied().eq(0..words as u64);
            (!is_whole).then(|| format!("{} of {words} words are stored", left.len()))
        }
    };
    (problem, is_in_cluster)
}

#[test]
fn every_kernel_is_valid_and_every_result_is_defined() {
    let count = number("PTX_BODIES", COUNT);
    let mut clusters = 0;
    for n in 0..count {
        let Case { text, .. } = drawn(n);
        let (problem, is_in_cluster) = wrong(&text);
        assert_eq!(problem, None, "in {n}:\n{text}");
        clusters += usize::from(is_in_cluster);
    }
    assert!(clusters * 10 > count && clusters * 2 < count, "{clusters} of {count} have clusters");
}

#[test]
fn every_ptxas_assembles_them() {
    for ptxas in xtask::oracles() {
        for n in 0..number("PTX_BODIES", COUNT) / 10 {
            let Case { text, .. } = drawn(n);
            if let Err(error) = ptxas.assemble_text(&text, Target::Sm90) {
                panic!("ptxas {} refuses {n}: {error}\n{text}", ptxas.release());
            }
        }
    }
}
