//! What a module breaks.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use ptx_analysis::ModuleFinding;
use ptx_frontend::text::{Kind, Parsed};
use ptx_types::ir::{self, Function, Location};
use ptx_types::rules::{self, Rule};

/// A rule that a module breaks, and where: what [`Module::check`](crate::Module::check) finds. `Display`
/// reads as the compile error does.
#[derive(Clone, Debug)]
pub struct Finding<'a>(Found<'a>);

#[derive(Clone, Debug)]
enum Found<'a> {
    /// In the IR.
    Module(Box<ModuleFinding<'a>>),
    /// In the text that a module was imported from.
    Text { rule: &'static Rule, message: String, place: Option<Location<&'a str>> },
}

impl<'a> Finding<'a> {
    pub(crate) fn of_module(found: ModuleFinding<'a>) -> Self {
        Self(Found::Module(Box::new(found)))
    }

    /// The rule.
    pub fn rule(&self) -> &'static Rule {
        match &self.0 {
            Found::Module(found) => found.rule(),
            Found::Text { rule, .. } => rule,
        }
    }

    /// Whose declaration broke it, by its name; `None` in a text, where the place says it.
    pub fn subject(&self) -> Option<&str> {
        match &self.0 {
            Found::Module(found) => Some(found.violation().subject),
            Found::Text { .. } => None,
        }
    }

    /// The function in whose body it is, and the number of the statement there, from 0; `None` of a
    /// declaration or of the module, and in a text, where the place says it.
    pub fn statement(&self) -> Option<(&'a Function<'a>, usize)> {
        match &self.0 {
            Found::Module(found) => found.statement(),
            Found::Text { .. } => None,
        }
    }

    /// Where it stands: in Rust source the statement, if it came out of Rust; in a file of PTX what is blamed.
    pub fn location(&self) -> Option<Location<&'a str>> {
        match &self.0 {
            Found::Module(found) => found.location(),
            Found::Text { place, .. } => *place,
        }
    }
}

impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Found::Module(found) => found.violation().fmt(f),
            Found::Text { message, .. } => f.write_str(message),
        }
    }
}

impl core::error::Error for Finding<'_> {}

/// Whether the statements of a module stand in its text alone, as of one that was imported.
pub(crate) fn is_text_alone(module: &ir::Module<'_>) -> bool {
    let mut bodies = module.functions.iter().filter_map(|function| function.body);
    bodies.any(|body| body.statements().next().is_none())
}

/// What the text of a module breaks, beside the hazards that its declarations are allowed: they are those of
/// the whole file.
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
        if found.kind == Kind::Hazard && is_allowed(rule.code) {
            return None;
        }
        let at = parsed.position(found.range.start);
        let place = file.map(|file| Location { file, line: at.line, column: at.column });
        let message = format!("{found} [{}, PTX ISA {}]", rule.code, rule.source);
        Some(Finding(Found::Text { rule, message, place }))
    });
    found.collect()
}

/// The file in which the declarations of a module stand.
fn file_of<'a>(module: &ir::Module<'a>) -> Option<&'a str> {
    let functions = module.functions.iter().map(|function| function.place);
    let variables = module.variables.iter().map(|variable| variable.place);
    let place = functions.chain(variables).flatten().find_map(|place| place.location())?;
    Some(place.file)
}
