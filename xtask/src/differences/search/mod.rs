//! Looks for differences in generated texts.
//!
//! Each text is given to every release of ptxas, and checked. What they disagree about is a class; the
//! first text of each class is shrunk to the smallest one of the same class.

mod class;
mod initial;
mod shrink;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptx_emit::ptxas::Ptxas;

use super::assembler::Assembler;
use super::entry::Entry;
use super::outcome;
use class::Class;

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
}

impl Default for Config {
    fn default() -> Self {
        Self { texts: Texts::Changes, seed: 1, from: 0, count: 1_000 }
    }
}

/// As arguments of the command.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { texts, seed, from, count } = self;
        let texts = texts.name();
        write!(f, "--texts {texts} --seed {seed} --from {from} --count {count}")
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

    /// Whether one of the texts is as different as this file, with these releases; `None` if they do not differ about
    /// it.
    ///
    /// # Errors
    /// If a ptxas cannot be run.
    pub fn finds(&self, entry: &Entry, ptxas: &[Ptxas]) -> Result<Option<bool>, String> {
        let assemblers = assemblers(ptxas)?;
        let wanted = class::classes(&entry.text(), &assemblers)?;
        if wanted.is_empty() {
            return Ok(None);
        }
        for number in (self.from..).take(self.count) {
            let classes = class::classes(&self.texts.text(self.seed, number), &assemblers)?;
            if !classes.is_disjoint(&wanted) {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }

    /// The numbers of the texts, with the rules that each breaks.
    pub(super) fn broken_rules(&self) -> Vec<(usize, BTreeSet<String>)> {
        let numbers = (self.from..).take(self.count);
        let codes = |number| outcome::codes(self.texts.text(self.seed, number).as_bytes());
        numbers.map(|number| (number, codes(number))).collect()
    }

    /// The search for the first of these texts about which releases and rules disagree as about this file. Only texts
    /// that break the rules that the file breaks are assembled, and if it breaks none, those that break none, and not many.
    ///
    /// # Errors
    /// If a ptxas cannot be run.
    pub(super) fn first(
        &self,
        texts: &[(usize, BTreeSet<String>)],
        entry: &Entry,
        ptxas: &[Ptxas],
    ) -> Result<Option<Self>, String> {
        let assemblers = assemblers(ptxas)?;
        let codes = outcome::codes(&entry.module);
        let wanted = class::classes(&entry.text(), &assemblers)?;
        let is_alike = |broken: &BTreeSet<String>| {
            broken.is_superset(&codes) && broken.is_empty() == codes.is_empty()
        };
        let smallest = |text: &str, class: &Class| -> Result<String, String> {
            let has = |text: &str| Ok(class::classes(text, &assemblers)?.contains(class));
            Ok(shrink::form(&shrink::shrink(text, has)?))
        };
        let form = match wanted.first() {
            Some(class) if class.is_coarse() => smallest(&entry.text(), class)?,
            _ => String::new(),
        };
        let mut shrunk = 0;
        for (number, _) in texts.iter().filter(|(_, broken)| is_alike(broken)).take(MOST) {
            let text = self.texts.text(self.seed, *number);
            let classes = class::classes(&text, &assemblers)?;
            let Some(class) = classes.intersection(&wanted).next() else { continue };
            if class.is_coarse() {
                shrunk += 1;
                if shrunk > FEW {
                    break;
                }
                if smallest(&text, class)? != form {
                    continue;
                }
            }
            return Ok(Some(Self { from: *number, count: 1, ..*self }));
        }
        Ok(None)
    }
}

fn assemblers(ptxas: &[Ptxas]) -> Result<Vec<Assembler>, String> {
    ptxas.iter().map(|ptxas| Assembler::new(ptxas.path())).collect()
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

/// The most texts that are assembled to find a file.
const MOST: usize = 60;

/// The most texts that are shrunk to find a file.
const FEW: usize = 3;

/// The texts of a class that are shrunk if they may differ in more than it says.
const EACH: usize = 12;

/// Searches, and returns one smallest text for each kind of difference.
///
/// # Errors
/// If a ptxas cannot be run.
pub fn search(config: &Config, ptxas: &[Ptxas]) -> Result<Vec<Found>, String> {
    let numbers = numbers_of_each(config, ptxas)?;
    let texts = numbers.iter().flat_map(|(class, numbers)| {
        let each = if class.is_coarse() { EACH } else { 1 };
        numbers.iter().take(each).map(move |number| (class, *number, numbers.len()))
    });
    let texts: Vec<(&Class, usize, usize)> = texts.collect();
    let mut found = in_parallel(ptxas, texts.len(), |assemblers, n| {
        let (class, number, texts) = texts[n];
        let text = config.texts.text(config.seed, number);
        let smallest =
            shrink::shrink(&text, |text| Ok(class::classes(text, assemblers)?.contains(class)))?;
        let class = class.to_string();
        Ok(Found { class, number, texts, smallest })
    })?;
    found.sort_by(|one, other| (&one.class, one.number).cmp(&(&other.class, other.number)));
    let mut seen = BTreeSet::new();
    found.retain(|found| seen.insert((found.class.clone(), shrink::form(&found.smallest))));
    Ok(found)
}

/// For each class, the numbers of the texts, in order.
fn numbers_of_each(
    config: &Config,
    ptxas: &[Ptxas],
) -> Result<BTreeMap<Class, Vec<usize>>, String> {
    let mut classes = in_parallel(ptxas, config.count, |assemblers, n| {
        let number = config.from + n;
        let text = config.texts.text(config.seed, number);
        Ok((number, class::classes(&text, assemblers)?))
    })?;
    classes.sort_by_key(|(number, _)| *number);
    let mut numbers: BTreeMap<Class, Vec<usize>> = BTreeMap::new();
    for (number, classes) in classes {
        for class in classes {
            numbers.entry(class).or_default().push(number);
        }
    }
    Ok(numbers)
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
                let assemblers = match assemblers(ptxas) {
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
