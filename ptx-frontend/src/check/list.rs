//! The values of lists in bodies, each checked at its place.

use bumpalo::Bump;
use proc_macro2::Span;
use ptx_isa::ir::{self, Init, Type};
use ptx_isa::rules::{self, Environment, Rule, Scope};
use ptx_text::body::lower_literal;

use crate::body::{Declaration, Literal, no_list};
use crate::errors::Errors;

/// The errors about the values of a list in a body that break a rule by themselves, each at its place.
pub(super) fn check_list(
    declaration: &Declaration<Span>,
    ir: &ir::Variable<'_>,
    rule: &'static Rule,
    env: Environment,
    errors: &mut Errors,
) {
    let Some((Literal::List(_), _)) = declaration.value else { return };
    let (arena, ty) = (Bump::new(), Type::Scalar(declaration.scalar));
    for (leaf, span) in declaration.leaves() {
        let init = Init::Value(lower_literal(leaf, declaration.scalar, &arena, &no_list));
        let probe = ir::Variable { ty: &ty, align: None, init, ..*ir };
        for violation in rules::check_variable(&probe, Scope::Body, env) {
            if violation.rule.code == rule.code {
                errors.at(span, violation);
            }
        }
    }
}
