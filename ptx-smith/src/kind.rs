//! The kinds of PTX that are made.

use clap::ValueEnum;
use ptx_isa::{Target, Version};

use crate::barriers::{self, Kernel};
use crate::bodies::{self, Variant};
use crate::declarations;
use crate::expression::{self, Wanted};
use crate::fault::{self, Fault, Mutant};
use crate::maps::{self, Written};
use crate::module::{self, Options};
use crate::statement::Statement;
use crate::valid::is_valid;
use crate::{Rng, shrink, signature};

/// A kind of PTX, as the command names it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, ValueEnum)]
pub enum Kind {
    /// Whole modules, which are valid.
    Modules,
    /// Modules with one to three declarations in random forms.
    Declarations,
    /// Kernels whose threads wait for each other at barriers, and all of which end; for `sm_90` and newer.
    Barriers,
    /// Kernels that compute, with branches, loops, calls and exchanges in a cluster, and all of which end; for `sm_80` and
    /// newer.
    Bodies,
    /// Kernels with random parameters and no body.
    Signatures,
    /// Tensor maps as JSON, with the rules that they break, if any, and the bytes.
    Maps,
    /// Modules that break one rule, which a comment at the head names.
    Mutants,
    /// A variable whose value is a constant expression (PTX ISA 4.5).
    Expressions,
}

/// What was made for one number.
#[derive(Clone, Debug)]
pub struct Case {
    /// The text: a PTX file.
    pub text: String,
    /// Its statements, as far as they were drawn by the instruction table.
    pub statements: Vec<Statement>,
    /// Whether what reads it has to refuse it.
    pub is_refused: bool,
    /// The codes of the rules that it breaks; of a mutant, the one that it is made for.
    pub rules: Vec<&'static str>,
    /// What is wrong with it, for a mutant.
    pub fault: Option<&'static Fault>,
    /// The rule and the message about it, for a mutant.
    pub verdict: Option<String>,
}

impl Kind {
    /// The name, as on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether it is JSON, and not PTX.
    pub fn is_json(self) -> bool {
        self == Self::Maps
    }

    /// What kernels with barriers are written for.
    const BARRIERS_NEED: (Version, Target) = (Version::new(8, 0), Target::Sm90);

    /// Why options exclude the kind, if they do.
    pub fn refusal(self, options: Options) -> Option<String> {
        if let (Some(target), Some(version)) = (options.target, options.version)
            && version.is_below(target.since())
        {
            return Some(format!("{target} needs PTX {}, and not {version}", target.since()));
        }
        let (version, target) = match self {
            Self::Barriers => Self::BARRIERS_NEED,
            Self::Bodies => Variant::Plain.needs(),
            Self::Modules
            | Self::Declarations
            | Self::Signatures
            | Self::Maps
            | Self::Mutants
            | Self::Expressions => return None,
        };
        (!options.have(version, target))
            .then(|| format!("these kernels need PTX {version} and {target}, or newer"))
    }

    /// The case with this number.
    pub fn draw(self, seed: u64, number: usize, options: Options) -> Case {
        match self {
            Self::Modules => {
                let module = module::draw(seed, number, options);
                Case { statements: module.statements, ..Case::valid(module.text) }
            }
            Self::Declarations => Case::valid(declarations::module(seed, number, options)),
            Self::Barriers => {
                let mut rng = Rng::new(seed, number);
                let kernel = Kernel::right(&mut rng);
                let text = barriers::text(&kernel, &mut rng).ptx;
                let (_, items) = text.split_once(".address_size 64\n").unwrap_or(("", &text));
                let (version, least) = Self::BARRIERS_NEED;
                let (version, target) = options.of_least(version, least);
                let head = format!(".version {version}\n.target {target}\n.address_size 64\n");
                Case::valid(format!("{head}{items}"))
            }
            Self::Bodies => Case::valid(bodies::module(&mut Rng::new(seed, number), options)),
            Self::Signatures => {
                let mut rng = Rng::new(seed, number);
                let target = options.some_target(&mut rng);
                Case::valid(signature::module(&mut rng, target, options.version))
            }
            Self::Maps => {
                let target = options.target.unwrap_or(Target::Sm90a);
                let Written { text, is_refused, rules } = maps::written(seed, number, target);
                Case { is_refused, rules, ..Case::valid(text) }
            }
            Self::Mutants => {
                let Mutant { text, statements, fault, verdict } =
                    fault::mutant(seed, number, options);
                Case {
                    text,
                    statements,
                    is_refused: true,
                    rules: vec![fault.code],
                    fault: Some(fault),
                    verdict: Some(verdict),
                }
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
        Self {
            text,
            statements: Vec::new(),
            is_refused: false,
            rules: Vec::new(),
            fault: None,
            verdict: None,
        }
    }

    /// The smallest text that has the same fault, or is valid if this one is, and of which `fails` is true; of a tensor map,
    /// its own text.
    pub fn shrunk(&self, mut fails: impl FnMut(&str) -> bool) -> String {
        if self.text.starts_with('{') {
            return self.text.clone();
        }
        // What reads a file looks for its head first.
        let has_head = |text: &str| text.contains(".version") && text.contains(".target");
        shrink::shrink(&self.text, |text| {
            let stays = has_head(text) == has_head(&self.text)
                && match self.fault {
                    Some(fault) => fault.found(text).is_some(),
                    None => is_valid(text),
                };
            stays && fails(text)
        })
    }
}
