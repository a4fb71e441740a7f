//! Findings: what is wrong with a body.

use alloc::boxed::Box;
use alloc::rc::Rc;

use ptx_isa::ir::Site;
use ptx_isa::rules::Violation;

use crate::flow::place::Place;

/// A problem in a module, and what it is about.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The problem.
    pub problem: Problem<'a>,
    /// What it is about.
    pub site: Site,
    /// The other of two accesses in a body that it is about.
    pub other: Option<Site>,
}

impl<'a> Finding<'a> {
    /// Returns the function whose body contains the problem, by its index, and the place; `None` for a declaration or
    /// the module itself.
    pub fn body(&self) -> Option<(usize, Place)> {
        let Site::Tokens { function, statement, tokens } = self.site else { return None };
        Some((function, Place::new(statement, tokens)))
    }

    /// Returns the place of the other access in the body that contains the problem.
    pub fn other_place(&self) -> Option<Place> {
        let Some(Site::Tokens { statement, tokens, .. }) = self.other else { return None };
        Some(Place::new(statement, tokens))
    }

    /// Whether the problem is at this place of the function's body.
    pub(crate) fn is_at(&self, place: Place) -> bool {
        self.body().is_some_and(|(_, at)| at == place)
    }

    /// The rule that is violated, if that is the problem and all of its values are known without a front end.
    pub fn violation(&self) -> Option<&Violation<'a>> {
        match &self.problem {
            Problem::Rule(violation) | Problem::UnknownInstruction(violation) => Some(violation),
            Problem::Undeclared(undeclared) => Some(&undeclared.violation),
            Problem::Hidden { .. }
            | Problem::Ambiguous(_)
            | Problem::SideBySide
            | Problem::Unneeded(_)
            | Problem::NotFollowed(_) => None,
        }
    }
}

/// A kind of problem.
#[derive(Clone, Debug)]
pub enum Problem<'a> {
    /// A rule is violated.
    Rule(Box<Violation<'a>>),
    /// The rule about instructions with an operand in brackets that the instruction table does not contain.
    UnknownInstruction(Box<Violation<'a>>),
    /// Nothing declares this name.
    Undeclared(Box<Undeclared<'a>>),
    /// A module-level name has a different PTX name, and the body declares something under that PTX name.
    Hidden {
        /// The name as written in the body.
        name: &'a str,
        /// The PTX name.
        ptx_name: Box<str>,
    },
    /// Conditions choose between declarations of this name, which have several names in PTX.
    Ambiguous(&'a str),
    /// A name and an address stand side by side where an array element was probably meant: a fault of syntax, which
    /// has no rule.
    SideBySide,
    /// The allowance with this index suppresses nothing.
    Unneeded(usize),
    /// From here on, threads are not followed.
    NotFollowed(Stop),
}

/// Why threads are not followed any further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// What they do depends on something that is not known.
    Unknown,
    /// They take more than this number of steps.
    Steps(usize),
    /// They take more than this number of steps, which is the share of the kernel of those for its module.
    Part(usize),
}

impl Problem<'_> {
    /// Keeps one of the findings that exceed the limit: the first, but an error rather than a warning.
    pub(crate) fn keep_one<T>(kept: &mut Option<T>, other: T, problem: impl Fn(&T) -> &Self) {
        let is_warning =
            |it: &T| matches!(problem(it), Problem::Unneeded(_) | Problem::NotFollowed(_));
        if kept.as_ref().is_none_or(|kept| is_warning(kept) && !is_warning(&other)) {
            *kept = Some(other);
        }
    }
}

/// An undeclared name and the names that are visible in its place.
#[derive(Clone, Debug)]
pub struct Undeclared<'a> {
    /// The violation of the rule, without advice.
    pub violation: Violation<'a>,
    /// The name.
    pub name: &'a str,
    /// Whether a later statement declares it, or the module after the function.
    pub is_later: bool,
    /// The names, including labels, that the function declares and that are visible at this place; empty if the
    /// function has too many names to list for that many undeclared ones.
    pub visible: Rc<[&'a str]>,
    /// The visible families, each with its number of members if known.
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
