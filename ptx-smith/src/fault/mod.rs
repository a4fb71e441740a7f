//! Modules with one stated fault: a small file that breaks a rule, in a random module that breaks none. The file is one of
//! many for the rule: types, state spaces, numbers and names of registers are drawn.

mod registers;
mod template;

use std::sync::OnceLock;

use ptx_isa::rules::{self, Kind};
use ptx_isa::{Target, Version};
use ptx_text::{Diagnostic, Following, Parsed};

use crate::Rng;
use crate::declarations::misses;
use crate::module::{self, OLDEST, Options};
use crate::statement::Statement;
use template::Template;

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

/// The files that break a rule.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The code of the rule.
    pub code: &'static str,
    /// The code of a rule that is broken with it everywhere.
    pub also: Option<&'static str>,
    /// Whether it is only reported on request: `ptx check --strict`.
    pub is_strict: bool,
    /// The smallest file.
    pub text: String,
    /// The forms of the files.
    forms: Vec<Template>,
}

/// How often a file is drawn and put into a module.
const TRIES: usize = 3;

/// How many other faults are tried where a target or a PTX version is given that one does not have.
const OTHERS: usize = 16;

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
            let mut all: Vec<Self> = Vec::new();
            for part in FAULTS.split("\n=== ").skip(1) {
                let (head, text) = part.split_once('\n').unwrap_or((part, ""));
                let mut words = head.split(' ');
                let code = words.next().unwrap_or_default();
                let form = Template::parse(text);
                match all.last_mut().filter(|last| last.code == code) {
                    Some(last) => last.forms.push(form),
                    None => all.push(Self {
                        code,
                        also: words.skip_while(|word| *word != "also").nth(1),
                        is_strict: head.ends_with(" strict"),
                        text: form.first(),
                        forms: vec![form],
                    }),
                }
            }
            all
        })
    }

    /// One of the files: declarations that break the rule, if it is about declarations, or a form of `faults.txt`, whose types,
    /// state spaces, numbers and names of registers are random.
    pub fn draw(&self, rng: &mut Rng) -> String {
        if rng.one_in(2)
            && let Some(text) = misses::text(rng, self.code)
            && self.found(&text).is_some()
        {
            return text;
        }
        let text = match self.forms.as_slice() {
            [] => return self.text.clone(),
            [form] => form.draw(rng),
            several => several[rng.below(several.len())].draw(rng),
        };
        if rng.one_in(2) { registers::renamed(&text, rng) } else { text }
    }

    /// Whether the files differ in more than the names of registers.
    pub fn varies(&self) -> bool {
        self.forms.len() > 1 || self.forms.iter().any(Template::varies)
    }

    /// Whether an assembler refuses it.
    pub fn is_refused(&self) -> bool {
        rules::rule(self.code).is_some_and(|rule| rule.kind == Kind::Refused)
    }

    /// What is wrong with a text, if it is this fault and nothing else.
    pub fn found(&self, text: &str) -> Option<Diagnostic> {
        let following = Following { is_strict: self.is_strict, ..Following::default() };
        let found = Parsed::new(text).check_launched(following);
        // An error of the grammar has no code.
        let is_other = |found: &Diagnostic| {
            found.code.is_none_or(|code| code != self.code && Some(code) != self.also)
        };
        let known = |found: &&Diagnostic| !matches!(found.kind, ptx_text::Kind::NotFollowed);
        if found.iter().filter(known).any(is_other) {
            return None;
        }
        found.into_iter().find(|found| found.code == Some(self.code))
    }
}

/// A file in parts: its head, what follows it, its version and its target.
fn parts(text: &str) -> Option<(&str, &str, Version, Target)> {
    let items = text.find(".address_size 64\n")? + ".address_size 64\n".len();
    let (head, items) = text.split_at(items);
    let directive = |name: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().split([' ', ',']).next()
    };
    let version = Version::parse(directive(".version")?)?;
    let target = Target::from_name(directive(".target")?)?;
    Some((head, items, version, target))
}

/// One of the faults that may be drawn.
fn one(rng: &mut Rng, options: &Options) -> &'static Fault {
    let all: Vec<&'static Fault> = Fault::all()
        .iter()
        .filter(|fault| options.rule.is_none_or(|code| fault.code == code))
        .filter(|fault| !options.only_refused || fault.is_refused())
        .collect();
    if all.is_empty() { &Fault::all()[0] } else { rng.pick(&all) }
}

/// The fault with this number, where neither a target nor a PTX version is given.
pub fn drawn(seed: u64, number: usize, options: Options) -> &'static Fault {
    one(&mut Rng::new(seed, number), &options)
}

/// A text with the given target and PTX version, or at least one that the target has.
fn with_head(text: String, options: Options) -> String {
    let Some((head, items, version, target)) = parts(&text) else { return text };
    let (new_version, new_target) = options.of_least(version, target);
    if (new_target, new_version) == (target, version) {
        return text;
    }
    let head = head
        .replacen(&format!(".version {version}"), &format!(".version {new_version}"), 1)
        .replacen(&format!(".target {target}"), &format!(".target {new_target}"), 1);
    head + items
}

/// A text, the statements around the fault, and what is wrong.
type Broken = (String, Vec<Statement>, Diagnostic);

/// The fault in a module.
fn embedded(rng: &mut Rng, fault: &Fault, number: usize, options: Options) -> Option<Broken> {
    let file = with_head(fault.draw(rng), options);
    let (head, items, version, target) = parts(&file)?;
    let is_known = !version.is_below(target.since().newer(OLDEST));
    if !is_known || module::newest().is_below(version) {
        return None;
    }
    let given = Options { target: Some(target), version: Some(version), ..options };
    let around = module::draw(rng.next(), number, given);
    let is_first = rng.one_in(2);
    let (first, second) = if is_first { (items, around.items()) } else { (around.items(), items) };
    let text = format!("{head}\n{first}{second}");
    let found = fault.found(&text)?;
    Some((text, around.statements, found))
}

/// The fault alone.
fn alone(rng: &mut Rng, fault: &Fault, options: Options) -> Option<Broken> {
    let text = with_head(fault.draw(rng), options);
    let found = fault.found(&text)?;
    Some((text, Vec::new(), found))
}

/// The fault in a module, or alone, where what is wrong is in the head, or counts everything in the file.
fn broken(rng: &mut Rng, fault: &Fault, number: usize, options: Options) -> Option<Broken> {
    (0..TRIES)
        .find_map(|_| embedded(rng, fault, number, options))
        .or_else(|| alone(rng, fault, options))
}

/// The module with this number and a fault.
pub(crate) fn mutant(seed: u64, number: usize, options: Options) -> Mutant {
    let mut rng = Rng::new(seed, number);
    let first = one(&mut rng, &options);
    let is_given = options.target.is_some() || options.version.is_some();
    let others = if is_given && options.rule.is_none() { OTHERS } else { 0 };
    let mut fault = first;
    let mut made = broken(&mut rng, fault, number, options);
    // Not every fault is one for every target.
    for _ in 0..others {
        if made.is_some() {
            break;
        }
        fault = one(&mut rng, &options);
        made = broken(&mut rng, fault, number, options);
    }
    if made.is_none() {
        fault = first;
        let free = Options { target: None, version: None, ..options };
        made = broken(&mut rng, fault, number, free);
    }
    let (text, statements, found) = match made {
        Some((text, statements, found)) => (text, statements, Some(found)),
        None => (fault.text.clone(), Vec::new(), fault.found(&fault.text)),
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
