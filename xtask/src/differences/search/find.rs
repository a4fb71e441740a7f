//! Looks for the entries among generated texts.

use std::collections::BTreeSet;

use ptx_emit::ptxas::Ptxas;

use super::super::assembler::Assemblers;
use super::super::entry::{Entry, Kind};
use super::class::{self, Class, Findings};
use super::texts::Made;
use super::{COMPILE_ONLY, Config, in_parallel, shrink};

/// The most texts that are assembled to find an entry.
const MOST: usize = 150;

/// The text that finds an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoundBy {
    /// One among the texts.
    Text(Config),
    /// The one that is recorded, which is not among the texts.
    Recorded,
    /// None.
    Nothing,
}

/// What is known of a text without ptxas.
struct Sketch {
    number: usize,
    /// The names of what `ptx check` finds.
    names: BTreeSet<String>,
    /// The types of variables with initial bytes.
    types: BTreeSet<String>,
    forbidden: Option<String>,
    is_legal: bool,
    length: usize,
}

impl Sketch {
    fn of(number: usize, made: &Made) -> Self {
        let findings = Findings::of(&made.text);
        let names = findings.as_ref().map_or_else(BTreeSet::new, Findings::names);
        Self {
            number,
            names,
            types: findings.as_ref().map_or_else(BTreeSet::new, Findings::types),
            forbidden: made.forbidden.clone(),
            is_legal: made.is_legal,
            length: made.text.len(),
        }
    }

    /// Whether a text may be as different as an entry.
    fn may_be_as(&self, entry: &Self, kind: Kind) -> bool {
        let is_alike =
            self.names.is_superset(&entry.names) && self.names.is_empty() == entry.names.is_empty();
        match kind {
            Kind::Refused => self.is_legal && is_alike,
            Kind::Meaning if entry.names.is_empty() => self.types.is_superset(&entry.types),
            Kind::Accepted if entry.names.is_empty() && entry.types.is_empty() => {
                self.forbidden == entry.forbidden
            }
            _ => is_alike,
        }
    }
}

impl Entry {
    /// The file, of which the PTX ISA says what its kind tells.
    fn made(&self) -> Made {
        Made {
            text: self.text(),
            is_legal: self.kind == Kind::Refused,
            forbidden: (self.kind == Kind::Accepted).then(|| self.title.clone()),
        }
    }

    fn is_compile_only(&self) -> bool {
        self.options.iter().any(|option| option == COMPILE_ONLY)
    }
}

impl Config {
    /// Whether the text of another search is among these.
    fn includes(&self, other: &Self) -> bool {
        *other == Self { from: other.from, count: other.count, ..*self }
            && self.numbers().contains(&other.from)
    }

    /// Whether one of the texts is of a class of this file, with these releases; `None` if they do not differ about it.
    ///
    /// # Errors
    /// If a ptxas cannot be run.
    pub fn finds(&self, entry: &Entry, ptxas: &[Ptxas]) -> Result<Option<bool>, String> {
        let assemblers = Assemblers::new(ptxas, self.options())?;
        let wanted = class::classes(&entry.made(), &assemblers)?;
        if wanted.is_empty() {
            return Ok(None);
        }
        for number in self.numbers() {
            if !class::classes(&self.text(number), &assemblers)?.is_disjoint(&wanted) {
                return Ok(Some(true));
            }
        }
        Ok(Some(false))
    }
}

/// The texts that show the entries. A text is as different as an entry if ptxas, its releases, the rules and the PTX ISA
/// disagree about both in the same way. Where that is true of several entries, or says little, the text also has all tokens
/// of the file in their order, but for names and numbers.
///
/// # Errors
/// If a ptxas cannot be run, or `tell` fails, which is told of each entry.
pub fn find(
    config: &Config,
    entries: &[Entry],
    ptxas: &[Ptxas],
    tell: impl Fn(&Entry, FoundBy) -> Result<(), String> + Sync,
) -> Result<Vec<FoundBy>, String> {
    let options = config.options();
    let mut sketches = in_parallel(ptxas, &options, config.count, |_, n| {
        let number = config.from + n;
        Ok(Sketch::of(number, &config.text(number)))
    })?;
    // The simplest first.
    sketches.sort_by_key(|sketch| (sketch.names.len(), sketch.length, sketch.number));
    let classes = in_parallel(ptxas, &options, entries.len(), |assemblers, n| {
        let is_other = entries[n].is_compile_only() != config.is_compile_only;
        if is_other { Ok(BTreeSet::new()) } else { class::classes(&entries[n].made(), assemblers) }
    })?;
    let is_shared = |class: &Class| classes.iter().filter(|all| all.contains(class)).count() > 1;
    in_parallel(ptxas, &options, entries.len(), |assemblers, n| {
        let search = Search { config, entry: &entries[n], wanted: &classes[n], assemblers };
        let found = search.run(&sketches, &is_shared)?;
        tell(&entries[n], found)?;
        Ok(found)
    })
}

/// The search for one entry.
struct Search<'s> {
    config: &'s Config,
    entry: &'s Entry,
    wanted: &'s BTreeSet<Class>,
    assemblers: &'s Assemblers,
}

impl Search<'_> {
    fn run(
        &self,
        sketches: &[Sketch],
        is_shared: &impl Fn(&Class) -> bool,
    ) -> Result<FoundBy, String> {
        if self.entry.is_compile_only() != self.config.is_compile_only {
            return Ok(FoundBy::Recorded);
        }
        let recorded = Config::read(self.entry.found.split(' ').map(str::to_owned)).ok();
        if self.wanted.is_empty() {
            return Ok(if recorded.is_some() { FoundBy::Recorded } else { FoundBy::Nothing });
        }
        let own = Sketch::of(0, &self.entry.made());
        let is_unknown =
            own.names.is_empty() && !matches!(self.entry.kind, Kind::Meaning | Kind::Accepted);
        let mut wanted = Vec::new();
        for class in self.wanted {
            let is_vague = is_unknown || class.is_coarse() || is_shared(class);
            let has_form = class.can_be_shrunk() && is_vague;
            wanted.push((class, has_form.then(|| shrink::form(&self.entry.text()))));
        }
        let mut otherwise = FoundBy::Nothing;
        if let Some(recorded) = recorded
            && self.is_still_found(&recorded, &wanted, is_shared)?
        {
            if self.config.includes(&recorded) {
                return Ok(FoundBy::Text(recorded));
            }
            otherwise = FoundBy::Recorded;
        }
        let candidates = sketches.iter().filter(|sketch| sketch.may_be_as(&own, self.entry.kind));
        let mut assembled = 0;
        for sketch in candidates {
            let made = self.config.text(sketch.number);
            if !wanted.iter().any(|(_, form)| has_form(&made, form.as_deref())) {
                continue;
            }
            if self.is_found(&made, &wanted)? {
                return Ok(FoundBy::Text(Config { from: sketch.number, count: 1, ..*self.config }));
            }
            assembled += 1;
            if assembled == MOST {
                break;
            }
        }
        Ok(otherwise)
    }

    /// Whether what is recorded still finds the entry: its tokens matter if other entries are of its class.
    fn is_still_found(
        &self,
        recorded: &Config,
        wanted: &[(&Class, Option<String>)],
        is_shared: &impl Fn(&Class) -> bool,
    ) -> Result<bool, String> {
        let made = recorded.text(recorded.from);
        let wanted: Vec<(&Class, Option<String>)> = wanted
            .iter()
            .map(|(class, form)| (*class, form.clone().filter(|_| is_shared(class))))
            .collect();
        self.is_found(&made, &wanted)
    }

    /// Whether a text is as different as the entry.
    fn is_found(&self, made: &Made, wanted: &[(&Class, Option<String>)]) -> Result<bool, String> {
        let classes = class::classes(made, self.assemblers)?;
        let is_it = |(class, form): &(&Class, Option<String>)| {
            classes.contains(class) && has_form(made, form.as_deref())
        };
        Ok(wanted.iter().any(is_it))
    }
}

/// Whether a text has the tokens of a form, if one is asked for.
fn has_form(made: &Made, form: Option<&str>) -> bool {
    form.is_none_or(|form| is_within(form, &shrink::form(&made.text)))
}

/// Whether a form is another one without some of its tokens; linkage, which a smallest file may have for a GPU to load it,
/// does not matter.
fn is_within(form: &str, other: &str) -> bool {
    let mut others = other.split(' ');
    let mut tokens = form.split(' ').filter(|token| *token != ".visible");
    tokens.all(|token| others.any(|other| other == token))
}
