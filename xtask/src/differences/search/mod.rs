//! Looks for differences in generated texts.
//!
//! Each text is given to every release of ptxas, and checked. What they disagree about is a [class](class::Class); the
//! first text of each class is shrunk to the smallest one of the same class.

mod class;
mod initial;
mod shrink;
mod texts;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptx_emit::ptxas::Ptxas;

use super::assembler::Assembler;
use class::Class;

/// Which texts are generated.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// The seed: other texts for each.
    pub seed: u64,
    /// The number of the first text.
    pub from: usize,
    /// The number of texts.
    pub count: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { seed: 1, from: 0, count: 1_000 }
    }
}

/// A text on which ptxas and the rules, or releases of ptxas, disagree.
#[derive(Clone, Debug)]
pub struct Found {
    /// What they disagree about.
    pub class: String,
    /// The number of the first generated text with it.
    pub number: usize,
    /// How many texts have it.
    pub texts: usize,
    /// The smallest text with it.
    pub smallest: String,
}

/// Searches, and writes what is found.
///
/// # Errors
/// If a ptxas cannot be run, or the output cannot be written to.
pub fn run(config: &Config, ptxas: &[Ptxas], to: &mut impl Write) -> Result<(), String> {
    let written = |error: std::io::Error| error.to_string();
    let found = search(config, ptxas)?;
    for one in &found {
        writeln!(to, "== {}", one.class).map_err(written)?;
        let (number, seed, texts) = (one.number, config.seed, one.texts);
        writeln!(to, "// --seed {seed} --from {number} --count 1; in {texts} of the texts")
            .map_err(written)?;
        writeln!(to, "{}\n", one.smallest.trim_end()).map_err(written)?;
    }
    let count = config.count;
    writeln!(to, "{count} texts of seed {}: {} kinds of differences", config.seed, found.len())
        .map_err(written)
}

/// Searches, and returns one smallest text for each kind of difference.
///
/// # Errors
/// If a ptxas cannot be run.
pub fn search(config: &Config, ptxas: &[Ptxas]) -> Result<Vec<Found>, String> {
    let first = first_of_each(config, ptxas)?;
    let firsts: Vec<(Class, (usize, usize))> = first.into_iter().collect();
    let mut found = in_parallel(ptxas, firsts.len(), |assemblers, n| {
        let (class, (number, count)) = &firsts[n];
        let text = texts::text(config.seed, *number);
        let smallest =
            shrink::shrink(&text, |text| Ok(class::classes(text, assemblers)?.contains(class)))?;
        let class = class.to_string();
        Ok(Found { class, number: *number, texts: *count, smallest })
    })?;
    found.sort_by(|one, other| one.class.cmp(&other.class));
    Ok(found)
}

/// For each class, the number of the first text, and how many there are.
fn first_of_each(
    config: &Config,
    ptxas: &[Ptxas],
) -> Result<BTreeMap<Class, (usize, usize)>, String> {
    let classes = in_parallel(ptxas, config.count, |assemblers, n| {
        let number = config.from + n;
        Ok((number, class::classes(&texts::text(config.seed, number), assemblers)?))
    })?;
    let mut first: BTreeMap<Class, (usize, usize)> = BTreeMap::new();
    for (number, classes) in classes {
        for class in classes {
            let (least, count) = first.entry(class).or_insert((number, 0));
            *least = number.min(*least);
            *count += 1;
        }
    }
    Ok(first)
}

/// What `work` returns for each number below `count`, in no particular order. Each thread has assemblers of its own.
fn in_parallel<T: Send>(
    ptxas: &[Ptxas],
    count: usize,
    work: impl Fn(&[Assembler], usize) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Ok(Vec::new())));
    let finish = |result: Result<T, String>| {
        let mut results = results.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match (&mut *results, result) {
            (Ok(all), Ok(result)) => all.push(result),
            (Ok(_), Err(why)) => *results = Err(why),
            (Err(_), _) => return false,
        }
        results.is_ok()
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                let assemblers: Result<Vec<Assembler>, String> =
                    ptxas.iter().map(|ptxas| Assembler::new(ptxas.path())).collect();
                let assemblers = match assemblers {
                    Ok(assemblers) => assemblers,
                    Err(why) => {
                        finish(Err(why));
                        return;
                    }
                };
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count || !finish(work(&assemblers, n)) {
                        break;
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}
