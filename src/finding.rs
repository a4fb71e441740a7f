//! Findings: the rules that a module breaks.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use ptx_analysis::check_module;
use ptx_text::{Kind, Parsed};
use ptx_types::ir::{self, Function, Location, Site, Sources};
use ptx_types::rules::{self, Rule, Violation};

/// A rule that a module breaks, and where; [`Module::check`](crate::Module::check) returns these. `Display` is one
/// line, the [location](Self::location) and the [message](Self::message): `src/kernel.rs:12:17: ..`.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    found: Origin<'a>,
    /// The number of other statements that were written from the same tokens, as by a loop, and break the rule.
    others: usize,
}

#[derive(Clone, Debug)]
enum Origin<'a> {
    /// A finding in the IR.
    Module(Box<InModule<'a>>),
    /// A finding in the text that a module was imported from.
    Text { rule: &'static Rule, message: String, place: Option<Location<&'a str>> },
}

/// A finding in the IR of a module.
#[derive(Clone, Debug)]
struct InModule<'a> {
    violation: Violation<'a>,
    site: Site,
    place: Option<Location<&'a str>>,
    functions: &'a [&'a Function<'a>],
}

impl InModule<'_> {
    /// Where the statement is written, if it comes from a fragment.
    fn inlined(&self) -> String {
        let statement = self.site.statement();
        let function = |(function, statement)| {
            let function = self.functions.get::<usize>(function)?;
            Some(function.inlined.in_words(statement))
        };
        statement.and_then(function).unwrap_or_default()
    }
}

impl<'a> Finding<'a> {
    fn of_module(
        (site, violation): (Site, Violation<'a>),
        functions: &'a [&'a Function<'a>],
        sources: &mut Sources<'a>,
    ) -> Self {
        let place = sources.location(site);
        let found = InModule { violation, site, place, functions };
        Self { found: Origin::Module(Box::new(found)), others: 0 }
    }

    /// The rule.
    pub fn rule(&self) -> &'static Rule {
        match &self.found {
            Origin::Module(found) => found.violation.rule,
            Origin::Text { rule, .. } => rule,
        }
    }

    /// Whether it is an error rather than a warning.
    pub fn is_error(&self) -> bool {
        self.rule().kind.is_error()
    }

    /// The name of the declaration that breaks the rule; `None` in a text, where [`location`](Self::location) shows it.
    pub fn subject(&self) -> Option<&str> {
        match &self.found {
            Origin::Module(found) => Some(found.violation.subject),
            Origin::Text { .. } => None,
        }
    }

    /// The function whose body breaks the rule, and the index of the statement, from 0; `None` if a declaration or
    /// the module breaks it, and in a text, where [`location`](Self::location) shows it.
    pub fn statement(&self) -> Option<(&'a Function<'a>, usize)> {
        match &self.found {
            Origin::Module(found) => {
                let (function, statement) = found.site.statement()?;
                Some((found.functions.get(function).copied()?, statement))
            }
            Origin::Text { .. } => None,
        }
    }

    /// What breaks the rule, by its place in the IR; `None` in a text, where [`location`](Self::location) shows it.
    pub fn site(&self) -> Option<Site> {
        match &self.found {
            Origin::Module(found) => Some(found.site),
            Origin::Text { .. } => None,
        }
    }

    /// The location: in Rust source, that of the offending token or declaration; in a PTX file, that of the offending
    /// token. `None` for what a module that was built by hand breaks.
    pub fn location(&self) -> Option<Location<&'a str>> {
        match &self.found {
            Origin::Module(found) => found.place,
            Origin::Text { place, .. } => *place,
        }
    }

    /// The text of the compile error: what is wrong, what to write, the code of the rule and the section of the PTX ISA.
    pub fn message(&self) -> String {
        match &self.found {
            Origin::Module(found) => {
                format!("{}{}{}", found.violation, found.inlined(), self.others())
            }
            Origin::Text { message, .. } => message.clone(),
        }
    }

    /// What to add to the message about the other statements.
    fn others(&self) -> String {
        match self.others {
            0 => String::new(),
            1 => "; the same holds for 1 more statement expanded from here".to_owned(),
            others => format!("; the same holds for {others} more statements expanded from here"),
        }
    }
}

/// The findings in a module's IR without those in statements that were written from the same tokens as one before, such
/// as those of the rounds of a loop: the first one counts them.
pub(crate) fn of_ir<'a>(module: &ir::Module<'a>) -> Vec<Finding<'a>> {
    let mut sources = Sources::of(module);
    let found = check_module(module).into_iter();
    let found = found.map(|found| Finding::of_module(found, module.functions, &mut sources));
    let mut kept: Vec<Finding<'a>> = Vec::new();
    let mut firsts: BTreeMap<(&str, &str, u32, u32), usize> = BTreeMap::new();
    for finding in found {
        if let (Some(_), Some(Location { file, line, column })) =
            (finding.statement(), finding.location())
        {
            let first =
                *firsts.entry((finding.rule().code, file, line, column)).or_insert(kept.len());
            if let Some(first) = kept.get_mut(first) {
                first.others += 1;
                continue;
            }
        }
        kept.push(finding);
    }
    kept
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(location) = self.location() {
            write!(f, "{location}: ")?;
        }
        f.write_str(&self.message())
    }
}

impl core::error::Error for Finding<'_> {}

/// Whether the module's statements exist only as text, as in an imported module.
pub(crate) fn is_text_alone(module: &ir::Module<'_>) -> bool {
    let mut bodies = module.functions.iter().filter_map(|function| function.body);
    bodies.any(|body| body.statements().next().is_none())
}

/// The findings in a module's text, without the hazards that any declaration allows: each declaration has the
/// allowances of the whole file.
pub(crate) fn of_text<'a>(module: &ir::Module<'a>, text: &str) -> Vec<Finding<'a>> {
    let parsed = Parsed::new(text);
    let is_allowed = |code| {
        let mut variables = module.variables.iter();
        let mut functions = module.functions.iter();
        variables.any(|variable| variable.allows(code))
            || functions.any(|function| function.allows(code))
    };
    let file = file_of(module);
    let found = parsed.check().into_iter().filter_map(|found| {
        let rule = found.code.filter(|_| found.kind != Kind::Unneeded).and_then(rules::rule)?;
        if rule.allowed.is_anywhere() && is_allowed(rule.code) {
            return None;
        }
        let at = parsed.position(found.range.start);
        let place = file.map(|file| Location { file, line: at.line, column: at.column });
        Some(Finding { found: Origin::Text { rule, message: found.to_string(), place }, others: 0 })
    });
    found.collect()
}

/// The file that contains the module's declarations.
fn file_of<'a>(module: &ir::Module<'a>) -> Option<&'a str> {
    let functions = module.functions.iter().map(|function| function.place);
    let variables = module.variables.iter().map(|variable| variable.place);
    let place = functions.chain(variables).flatten().find_map(|place| place.location())?;
    Some(place.file)
}
