//! Modules with one stated fault: a smallest file that breaks a rule, in a random module that breaks none.

use std::sync::OnceLock;

use ptx_isa::rules::{self, Kind};
use ptx_isa::{Target, Version};
use ptx_text::{Diagnostic, Following, Parsed};

use crate::Rng;
use crate::module::{self, OLDEST, Options};
use crate::statement::Statement;

/// The files.
const FAULTS: &str = include_str!("faults.txt");

/// Rules that no PTX file breaks, each with the reason.
pub const NOT_IN_TEXT: &[(&[&str], &str)] = &[
    (
        &["A023", "A026", "A027", "A037", "A038", "A039", "A040", "A042", "A048", "A060"],
        "PTX has no types for tensor maps, tiles and barriers, which are bytes there",
    ),
    (&["A050", "A051"], "the elements of matrices have no types in PTX"),
    (&["A102", "A103"], "they are about names that differ between Rust and PTX"),
    (&["C007"], "the parameters of device functions are not pointers in PTX"),
    (&["D015"], "the grammar has no vectors of such lengths"),
    (&["D016", "D066", "D068", "D023", "D022"], "they are about types of Rust"),
    (&["D021", "D070", "D076"], "they are about pointers and promises of Rust"),
    (&["D059"], "whether a number is exact is decided where Rust has it"),
    (&["D069", "F019"], "dynamic shared memory has no value and no extent in PTX"),
    (&["D071", "D072", "D073", "D074"], "PTX has no values for tensor maps"),
    (&["D075"], "it is about a module of Rust that another one uses"),
    (&["T004"], "a file names no release of ptxas"),
];

/// A smallest file that breaks a rule.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The code of the rule.
    pub code: &'static str,
    /// The code of a rule that is broken with it everywhere.
    pub also: Option<&'static str>,
    /// Whether it is only reported on request: `ptx check --strict`.
    pub is_strict: bool,
    /// The file.
    pub text: &'static str,
}

/// A module with a fault.
pub(crate) struct Mutant {
    pub(crate) text: String,
    pub(crate) statements: Vec<Statement>,
    pub(crate) fault: &'static Fault,
    /// The rule, and what is wrong.
    pub(crate) verdict: String,
}

impl Fault {
    /// All faults, ordered by code.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Fault>> = OnceLock::new();
        ALL.get_or_init(|| {
            let parts = FAULTS.split("\n=== ").skip(1);
            let parts = parts.filter_map(|part| part.split_once('\n'));
            let read = |(head, text): (&'static str, &'static str)| {
                let mut words = head.split(' ');
                let code = words.next().unwrap_or_default();
                let is_strict = head.ends_with(" strict");
                let also = words.skip_while(|word| *word != "also").nth(1);
                Self { code, also, is_strict, text }
            };
            parts.map(read).collect()
        })
    }

    /// Whether an assembler refuses it.
    pub fn is_refused(&self) -> bool {
        rules::rule(self.code).is_some_and(|rule| rule.kind == Kind::Refused)
    }

    /// What is wrong with a text, if it is this fault and nothing else.
    pub fn found(&self, text: &str) -> Option<Diagnostic> {
        let following = Following { is_strict: self.is_strict, ..Following::default() };
        let found = Parsed::new(text).check_launched(following);
        let is_other =
            |found: &Diagnostic| found.code != Some(self.code) && found.code != self.also;
        let known = |found: &&Diagnostic| !matches!(found.kind, ptx_text::Kind::NotFollowed);
        if found.iter().filter(known).any(is_other) {
            return None;
        }
        found.into_iter().find(|found| found.code == Some(self.code))
    }

    /// The text between its head and its end, with the head, the version and the target.
    fn parts(&self) -> Option<(String, &'static str, Version, Target)> {
        let items = self.text.find(".address_size 64\n")? + ".address_size 64\n".len();
        let (head, items) = self.text.split_at(items);
        let directive = |name: &str| {
            let line = head.lines().find_map(|line| line.strip_prefix(name))?;
            line.trim().split([' ', ',']).next()
        };
        let version = Version::parse(directive(".version")?)?;
        let target = Target::from_name(directive(".target")?)?;
        Some((head.to_owned(), items, version, target))
    }
}

/// The faults that may be drawn.
fn candidates(rng: &mut Rng, options: &Options) -> &'static Fault {
    let all: Vec<&'static Fault> = Fault::all()
        .iter()
        .filter(|fault| options.rule.is_none_or(|code| fault.code == code))
        .filter(|fault| !options.only_refused || fault.is_refused())
        .collect();
    if all.is_empty() { &Fault::all()[0] } else { rng.pick(&all) }
}

/// The fault with this number.
pub fn drawn(seed: u64, number: usize, options: Options) -> &'static Fault {
    candidates(&mut Rng::new(seed, number), &options)
}

/// The module with this number and a fault.
pub(crate) fn mutant(seed: u64, number: usize, options: Options) -> Mutant {
    let mut rng = Rng::new(seed, number);
    let fault = candidates(&mut rng, &options);
    let embedded = (0..3).find_map(|_| {
        let (head, items, version, target) = fault.parts()?;
        let is_known = !version.is_below(target.since().newer(OLDEST));
        if !is_known || module::newest().is_below(version) {
            return None;
        }
        let given = Options { target: Some(target), version: Some(version), ..options };
        let around = module::draw(rng.next(), number, given);
        let is_first = rng.one_in(2);
        let (first, second) =
            if is_first { (items, around.items()) } else { (around.items(), items) };
        let text = format!("{head}\n{first}{second}");
        let found = fault.found(&text)?;
        Some((text, around.statements, found))
    });
    let (text, statements, found) = match embedded {
        Some((text, statements, found)) => (text, statements, Some(found)),
        // What is wrong is in the head, or counts everything in the file.
        None => (fault.text.to_owned(), Vec::new(), fault.found(fault.text)),
    };
    let message = found.map(|found| found.message.replace('\n', " ")).unwrap_or_default();
    let kind = rules::rule(fault.code).map_or("", |rule| name(rule.kind));
    Mutant { text, statements, fault, verdict: format!("{} ({kind}): {message}", fault.code) }
}

/// The name of a kind of rules.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Refused => "refused",
        Kind::Unenforced => "unenforced",
        Kind::Hazard => "hazard",
        Kind::Warned => "warned",
    }
}
