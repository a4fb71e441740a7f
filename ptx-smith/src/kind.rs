//! The kinds of PTX that are made.

use ptx_text::Parsed;

use crate::expression::{self, Wanted};
use crate::fault::{self, Fault, Mutant};
use crate::module::{self, Options};
use crate::statement::Statement;
use crate::{Rng, shrink};

/// A kind of PTX.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Whole modules, which are valid.
    Modules,
    /// Modules that break one rule.
    Mutants,
    /// A module with a constant expression as the value of a variable (PTX ISA 4.5).
    Expressions,
}

/// What was made for one number.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text: a PTX file.
    pub text: String,
    /// Its statements, as far as they were drawn by the instruction table.
    pub statements: Vec<Statement>,
    /// What is wrong with it, for a mutant.
    pub fault: Option<&'static Fault>,
    /// The rule and the message about it, for a mutant.
    pub verdict: Option<String>,
}

impl Kind {
    /// The case with this number.
    pub fn draw(self, seed: u64, number: usize, options: Options) -> Case {
        match self {
            Self::Modules => {
                let module = module::draw(seed, number, options);
                Case { statements: module.statements, ..Case::valid(module.text) }
            }
            Self::Mutants => {
                let Mutant { text, statements, fault, verdict } =
                    fault::mutant(seed, number, options);
                Case { text, statements, fault: Some(fault), verdict: Some(verdict) }
            }
            Self::Expressions => {
                let mut rng = Rng::new(seed, number);
                let wanted = rng.pick(&[Wanted::Integer, Wanted::Float]);
                let ty = if wanted == Wanted::Integer { "b64" } else { "f64" };
                let head = options.head(&mut rng);
                // An expression that ptxas refuses, too, is one of its own.
                let text = loop {
                    let expression = expression::expression(&mut rng, wanted);
                    let text = format!("{head}.global .{ty} VALUE = {expression};\n");
                    if is_valid(&text) {
                        break text;
                    }
                };
                Case::valid(text)
            }
        }
    }
}

impl Case {
    fn valid(text: String) -> Self {
        Self { text, statements: Vec::new(), fault: None, verdict: None }
    }

    /// The smallest text that has the same fault, or is valid if this one is, and of which `fails` is true.
    pub fn shrunk(&self, mut fails: impl FnMut(&str) -> bool) -> String {
        shrink::shrink(&self.text, |text| {
            let stays = match self.fault {
                Some(fault) => fault.found(text).is_some(),
                None => is_valid(text),
            };
            stays && fails(text)
        })
    }
}

/// Whether a text has no error.
pub fn is_valid(text: &str) -> bool {
    !Parsed::new(text).check().iter().any(|found| found.kind.is_error())
}
