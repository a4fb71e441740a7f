//! The launch contract in a kernel's attribute.

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, Ident};

use crate::ast::Contract;
use crate::attribute::AttributeValue;
use crate::errors::Errors;
use crate::group::Peel;
use crate::integers::Integers;
use crate::name::has_name;

/// The arguments of `#[kernel(..)]` that describe launches: an example of one, and those that form a contract.
pub(crate) const WORDS: [&str; 4] = ["launch", "requires", "grid", "unsafe(safe_launch)"];

/// Whether a word describes launches, whether or not it is written correctly.
pub(crate) fn describes_launches(word: &str) -> bool {
    matches!(word, "launch" | "requires" | "grid" | "unsafe" | "safe_launch")
}

impl Contract {
    /// Whether a condition or the grid mentions `name`.
    pub(crate) fn names(&self, name: &str) -> bool {
        let expressions = self.requires.iter().chain(&self.grid);
        expressions.map(ToTokens::to_token_stream).any(|tokens| has_name(tokens, name))
    }

    /// The number of elements behind a pointer that every launch has, or has at most: from the conditions that compare
    /// `NAME.len()` with a number. `None` if another condition may grant more.
    pub fn elements(&self, name: &Ident) -> Option<usize> {
        let mut conditions = Vec::new();
        self.requires.iter().for_each(|condition| each_condition(condition, &mut conditions));
        let (mut least, mut most) = (0, usize::MAX);
        // A grid that is computed from the length may be empty, or too large, for the least one.
        let names = |expr: &Expr| has_name(expr.to_token_stream(), &name.to_string());
        let mut is_known = !self.grid.as_ref().is_some_and(names);
        for condition in &conditions {
            match compared_length(condition, name, &conditions, &self.constants) {
                Some(Length::Exactly(count)) => return Some(count),
                Some(Length::AtLeast(count)) => least = least.max(count),
                Some(Length::AtMost(count)) => most = most.min(count),
                None => is_known &= !names(condition),
            }
        }
        match (least, most) {
            (_, ..usize::MAX) => Some(most),
            (1.., _) if is_known => Some(least),
            (_, _) => None,
        }
    }
}

/// What a condition says of a number of elements.
enum Length {
    Exactly(usize),
    AtLeast(usize),
    AtMost(usize),
}

/// Collects the parts of a condition that must all hold.
fn each_condition<'c>(condition: &'c Expr, conditions: &mut Vec<&'c Expr>) {
    match condition.peel() {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            each_condition(&binary.left, conditions);
            each_condition(&binary.right, conditions);
        }
        condition => conditions.push(condition),
    }
}

/// What a condition says of `NAME.len()`, if it compares that with a number, a constant, or with what another one of the
/// conditions says is one.
fn compared_length(
    condition: &Expr,
    name: &Ident,
    conditions: &[&Expr],
    constants: &Integers,
) -> Option<Length> {
    let Expr::Binary(binary) = condition else { return None };
    let literal = |expr: &Expr| usize::try_from(constants.value(expr)?).ok();
    let text = |expr: &Expr| expr.peel().to_token_stream().to_string();
    let number = |expr: &Expr| {
        let equal = |other: &&Expr| match other {
            Expr::Binary(ExprBinary { left, op: BinOp::Eq(_), right, .. }) => {
                let is_it = |side: &Expr| text(side) == text(expr);
                let left_is = is_it(right).then(|| literal(left)).flatten();
                left_is.or_else(|| is_it(left).then(|| literal(right)).flatten())
            }
            _ => None,
        };
        literal(expr).or_else(|| conditions.iter().find_map(equal))
    };
    let (count, is_left) = if is_length(&binary.left, name) {
        (number(&binary.right)?, true)
    } else if is_length(&binary.right, name) {
        (number(&binary.left)?, false)
    } else {
        return None;
    };
    match (binary.op, is_left) {
        (BinOp::Eq(_), _) => Some(Length::Exactly(count)),
        (BinOp::Ge(_), true) | (BinOp::Le(_), false) => Some(Length::AtLeast(count)),
        (BinOp::Gt(_), true) | (BinOp::Lt(_), false) => count.checked_add(1).map(Length::AtLeast),
        (BinOp::Le(_), true) | (BinOp::Ge(_), false) => Some(Length::AtMost(count)),
        (BinOp::Lt(_), true) | (BinOp::Gt(_), false) => count.checked_sub(1).map(Length::AtMost),
        (_, _) => None,
    }
}

/// Whether an expression is `NAME.len()`.
fn is_length(expr: &Expr, name: &Ident) -> bool {
    let Expr::MethodCall(call) = expr.peel() else { return false };
    let is_name = matches!(call.receiver.peel(), Expr::Path(path) if path.path.is_ident(name));
    is_name && call.method == "len" && call.args.is_empty()
}

/// Parses an argument for which [`describes_launches`] holds, other than `launch`, into `contract`.
pub(crate) fn parse_contract(
    name: &Ident,
    value: AttributeValue,
    contract: &mut Contract,
    errors: &mut Errors,
) {
    match name.to_string().as_str() {
        "requires" => parse_requires(name, value, contract, errors),
        "grid" => parse_grid(name, value, contract, errors),
        "unsafe" => parse_unsafe(name, value, contract, errors),
        _ => errors.at(
            name.span(),
            "write `unsafe(safe_launch)`: it is your promise, which nothing checks, that every launch that meets the contract is sound",
        ),
    }
}

fn parse_requires(
    name: &Ident,
    value: AttributeValue,
    contract: &mut Contract,
    errors: &mut Errors,
) {
    match value {
        AttributeValue::List(conditions) if !conditions.is_empty() => {
            contract.requires.extend(conditions);
        }
        AttributeValue::List(_) => errors.at(
            name.span(),
            "this has no condition; write what every launch must meet, as in `requires(n % 4 == 0)`, or remove `requires`",
        ),
        AttributeValue::None | AttributeValue::Expr(_) | AttributeValue::Path(_) => errors.at(
            name.span(),
            "write the conditions in parentheses, as in `requires(n % 4 == 0, dst.len() >= n)`",
        ),
    }
}

fn parse_grid(name: &Ident, value: AttributeValue, contract: &mut Contract, errors: &mut Errors) {
    let AttributeValue::Expr(grid) = value else {
        errors.at(
            name.span(),
            "write the number of blocks as an expression of the parameters, as in `grid = n.div_ceil(256)`",
        );
        return;
    };
    let found = match ungrouped(&grid) {
        Expr::Tuple(tuple) => tuple.elems.len(),
        Expr::Array(_) => {
            errors.on(
                &grid,
                "the number of blocks is one value, or a tuple of one for each dimension; write parentheses in place of the brackets",
            );
            return;
        }
        _ => 1,
    };
    if (1..=3).contains(&found) {
        contract.grid = Some(grid);
    } else {
        errors.on(
            &grid,
            format_args!(
                "a grid has 1 to 3 dimensions, and this gives {found} values; write `grid = (width.div_ceil(16), height.div_ceil(16))`"
            ),
        );
    }
}

fn parse_unsafe(name: &Ident, value: AttributeValue, contract: &mut Contract, errors: &mut Errors) {
    const WRITE: &str = "write `unsafe(safe_launch)`";
    let words = match value {
        AttributeValue::List(words) if !words.is_empty() => words,
        AttributeValue::List(_)
        | AttributeValue::None
        | AttributeValue::Expr(_)
        | AttributeValue::Path(_) => {
            errors.at(name.span(), format_args!("`unsafe` says what you vouch for; {WRITE}"));
            return;
        }
    };
    for word in words {
        match ungrouped(&word) {
            Expr::Path(path) if path.path.is_ident("safe_launch") => {
                if contract.vouched.is_some() {
                    errors.on(&word, "`safe_launch` is given twice; remove one");
                }
                contract.vouched = Some(path.span());
            }
            _ => errors.on(&word, format_args!("only `safe_launch` can be vouched for; {WRITE}")),
        }
    }
}

/// The expression without the invisible groups that `macro_rules!` adds.
fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        expr => expr,
    }
}
