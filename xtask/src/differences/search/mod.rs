//! Looks for differences in generated texts.
//!
//! Each text is given to every release of ptxas, and checked. What they disagree about is a class; the
//! first text of each class is shrunk to the smallest one of the same class.

mod class;
mod evaluate;
mod find;
mod initial;
mod shrink;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptx_emit::ptxas::Ptxas;

use super::assembler::Assemblers;
use class::Class;

pub use find::{FoundBy, find};
pub use texts::Texts;

/// Which texts are generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// What they are.
    pub texts: Texts,
    /// The seed: other texts for each.
    pub seed: u64,
    /// The number of the first text.
    pub from: usize,
    /// The number of texts.
    pub count: usize,
    /// Whether ptxas assembles with `--compile-only`, which has rules of its own.
    pub is_compile_only: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self { texts: Texts::Near, seed: 1, from: 0, count: 1_000, is_compile_only: false }
    }
}

/// The option of ptxas that texts may be assembled with.
const COMPILE_ONLY: &str = "--compile-only";

/// As arguments of the command.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { texts, seed, from, count, is_compile_only } = self;
        let texts = texts.name();
        write!(f, "--texts {texts} --seed {seed} --from {from} --count {count}")?;
        if *is_compile_only { write!(f, " {COMPILE_ONLY}") } else { Ok(()) }
    }
}

impl Config {
    /// Reads the arguments of the command, without those about ptxas.
    ///
    /// # Errors
    /// If one is unknown, or its value is missing or wrong.
    pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let (mut config, mut arguments) = (Self::default(), arguments.into_iter());
        while let Some(argument) = arguments.next() {
            if argument == COMPILE_ONLY {
                config.is_compile_only = true;
                continue;
            }
            let value = arguments.next();
            let value = value.ok_or_else(|| format!("`{argument}` has a value after it"))?;
            let wrong = || format!("`{value}` is not a value of `{argument}`");
            match argument.as_str() {
                "--texts" => config.texts = Texts::of_name(&value).ok_or_else(wrong)?,
                "--seed" => config.seed = value.parse().map_err(|_| wrong())?,
                "--from" => config.from = value.parse().map_err(|_| wrong())?,
                "--count" => config.count = value.parse().map_err(|_| wrong())?,
                _ => return Err(format!("unknown argument `{argument}`")),
            }
        }
        Ok(config)
    }

    /// The text with this number.
    fn text(&self, number: usize) -> texts::Made {
        self.texts.text(self.seed, number)
    }

    /// The numbers of the texts.
    fn numbers(&self) -> std::ops::Range<usize> {
        self.from..self.from + self.count
    }

    /// The options of ptxas.
    fn options(&self) -> Vec<String> {
        self.is_compile_only.then(|| COMPILE_ONLY.to_owned()).into_iter().collect()
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
        let again = Config { from: one.number, count: 1, ..*config };
        writeln!(to, "// {again}; in {} of the texts", one.texts).map_err(written)?;
        writeln!(to, "{}\n", one.smallest.trim_end()).map_err(written)?;
    }
    let count = config.count;
    writeln!(to, "{count} texts of seed {}: {} kinds of differences", config.seed, found.len())
        .map_err(written)
}

/// The texts of a class that are shrunk if they may differ in more than it says.
const EACH: usize = 12;

/// Searches, and returns one smallest text for each kind of difference.
///
/// # Errors
/// If a ptxas cannot be run.
pub fn search(config: &Config, ptxas: &[Ptxas]) -> Result<Vec<Found>, String> {
    let numbers = numbers_of_each(config, ptxas)?;
    let texts = numbers.iter().filter(|(class, _)| class.is_difference());
    let texts = texts.flat_map(|(class, numbers)| {
        let each = if class.is_coarse() { EACH } else { 1 };
        numbers.iter().take(each).map(move |number| (class, *number, numbers.len()))
    });
    let texts: Vec<(&Class, usize, usize)> = texts.collect();
    let mut found = in_parallel(ptxas, &config.options(), texts.len(), |assemblers, n| {
        let (class, number, texts) = texts[n];
        let smallest = smallest(class, &config.text(number), assemblers)?;
        Ok(Found { class: class.to_string(), number, texts, smallest })
    })?;
    found.sort_by(|one, other| (&one.class, one.number).cmp(&(&other.class, other.number)));
    let mut seen = BTreeSet::new();
    found.retain(|found| seen.insert((found.class.clone(), shrink::form(&found.smallest))));
    Ok(found)
}

/// The smallest text of a class that this one becomes.
fn smallest(class: &Class, made: &texts::Made, assemblers: &Assemblers) -> Result<String, String> {
    if !class.can_be_shrunk() {
        return Ok(made.text.clone());
    }
    let verdicts = class::verdicts(&made.text, assemblers)?;
    shrink::shrink(&made.text, |text| class::is_still(class, made, text, &verdicts, assemblers))
}

/// For each class, the numbers of the texts, in order.
fn numbers_of_each(
    config: &Config,
    ptxas: &[Ptxas],
) -> Result<BTreeMap<Class, Vec<usize>>, String> {
    let classes = in_parallel(ptxas, &config.options(), config.count, |assemblers, n| {
        let number = config.from + n;
        Ok((number, class::classes(&config.text(number), assemblers)?))
    })?;
    let mut numbers: BTreeMap<Class, Vec<usize>> = BTreeMap::new();
    for (number, classes) in classes {
        for class in classes {
            numbers.entry(class).or_default().push(number);
        }
    }
    Ok(numbers)
}

/// What `work` returns for each number below `count`, in their order. Each thread has assemblers of its own.
fn in_parallel<T: Send>(
    ptxas: &[Ptxas],
    options: &[String],
    count: usize,
    work: impl Fn(&Assemblers, usize) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Ok(Vec::new())));
    let finish = |result: Result<(usize, T), String>| {
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
                let assemblers = match Assemblers::new(ptxas, options.to_vec()) {
                    Ok(assemblers) => assemblers,
                    Err(why) => {
                        finish(Err(why));
                        return;
                    }
                };
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count || !finish(work(&assemblers, n).map(|one| (n, one))) {
                        break;
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
    results.sort_unstable_by_key(|(n, _)| *n);
    Ok(results.into_iter().map(|(_, one)| one).collect())
}
