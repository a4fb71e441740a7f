//! What is wrong with a body.

use alloc::boxed::Box;
use alloc::rc::Rc;

use ptx_types::rule::Args;
use ptx_types::rules::{Blame, Reached, Rule, Violation};

use crate::place::Place;
use ptx_types::rules::LaunchCondition;

/// Something that is wrong with a body, and where.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// Where.
    pub place: Place,
    /// What.
    pub problem: Problem<'a>,
}

/// What is wrong.
#[derive(Clone, Debug)]
pub enum Problem<'a> {
    /// A rule is broken.
    Rule(Box<Broken<'a>>),
    /// The rule of instructions with an operand in brackets that the table does not have.
    UnknownInstruction(Box<Broken<'a>>),
    /// Nothing declares this name.
    Undeclared(Box<Undeclared<'a>>),
    /// A name of the module is another in PTX, and the body has something of its own by that name.
    Hidden {
        /// The name as the body has it.
        name: &'a str,
        /// The name in PTX.
        ptx_name: Box<str>,
    },
    /// What looks like the element of an array is a name and an address side by side.
    SideBySide,
    /// The allowance with this number is of no use.
    Unneeded(usize),
}

impl Problem<'_> {
    /// Keeps one of those that there is no room for: the first, and an error rather than a warning.
    pub(crate) fn keep_one<T>(kept: &mut Option<T>, other: T, problem: impl Fn(&T) -> &Self) {
        let is_warning = |it: &T| matches!(problem(it), Problem::Unneeded(_));
        if kept.as_ref().is_none_or(|kept| is_warning(kept) && !is_warning(&other)) {
            *kept = Some(other);
        }
    }
}

/// A broken rule.
#[derive(Clone, Debug)]
pub struct Broken<'a> {
    /// The rule.
    pub rule: &'static Rule,
    /// Whose declaration broke it.
    pub subject: &'a str,
    /// The part that breaks it.
    pub blames: Blame,
    /// The values in its message.
    pub args: Args<'a>,
    /// The condition under which alone control gets there, as far as one is known.
    pub only_where: Option<Rc<LaunchCondition>>,
    /// Which execution breaks it, where others do not.
    pub reached: Option<Reached<'a>>,
}

impl Broken<'_> {
    /// As a violation, which prints itself.
    pub fn violation(&self) -> Violation<'_> {
        Violation {
            rule: self.rule,
            subject: self.subject,
            blames: self.blames,
            args: self.args,
            only_where: self.only_where.as_deref(),
            reached: self.reached.as_ref(),
        }
    }
}

/// A name that nothing declares, and what there is instead.
#[derive(Clone, Debug)]
pub struct Undeclared<'a> {
    /// The name.
    pub name: &'a str,
    /// Whether a later statement declares it.
    pub is_later: bool,
    /// What the function declares that can be seen from there, labels included; nothing where there is too
    /// much for as many undeclared names.
    pub visible: Rc<[&'a str]>,
    /// The families of it, each with how many members it has, if that is known.
    pub families: Rc<[(&'a str, Option<usize>)]>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_kept_and_an_error_rather_than_a_warning() {
        let kept = |all: &[Problem<'static>]| {
            let mut kept = None;
            for (n, problem) in all.iter().enumerate() {
                Problem::keep_one(&mut kept, (n, problem), |(_, problem)| *problem);
            }
            kept.map(|(n, _)| n)
        };
        let (warning, error) = (|| Problem::Unneeded(0), || Problem::SideBySide);
        assert_eq!(kept(&[]), None);
        assert_eq!(kept(&[warning()]), Some(0));
        assert_eq!(kept(&[error()]), Some(0));
        assert_eq!(kept(&[warning(), warning()]), Some(0));
        assert_eq!(kept(&[error(), error()]), Some(0));
        assert_eq!(kept(&[error(), warning()]), Some(0));
        assert_eq!(kept(&[warning(), error(), error(), warning()]), Some(1));
    }
}
