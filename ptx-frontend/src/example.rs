//! The example of a launch in a kernel's attribute: `launch(block = 128, grid = 4, n = 1000, dst.len() = 1000)`.

use proc_macro2::Span;
use ptx_isa::ir::DirectiveKind;
use ptx_isa::near::alternatives;
use syn::{Expr, ExprAssign, Ident};

use crate::ast::{Directive, ExampleLaunch, Param};
use crate::attribute::AttributeValue;
use crate::errors::Errors;
use crate::group::Peel;
use crate::integer::Integer;

/// The words of a launch that are not names of parameters.
const WORDS: [&str; 4] = ["block", "grid", "cluster", "dynamic"];

const FORM: &str = "write an example of a launch, as in `launch(block = 128, grid = 4, dynamic = 4096, n = 1000, \
     dst.len() = 1000, src = [1, 2])`: all but `block` may be left out, `n`, `dst` and `src` are parameters, and brackets are \
     around the words of 32 bits that `src` points to";

/// The parts that an argument `launch` names, in order: a word or a parameter, whether its length is meant, and the value.
pub(crate) struct Parts {
    span: Span,
    all: Vec<(Ident, bool, Expr)>,
}

/// Parses the argument.
pub(crate) fn parse(name: &Ident, value: AttributeValue, errors: &mut Errors) -> Option<Parts> {
    let AttributeValue::List(list) = value else {
        errors.at(name.span(), FORM);
        return None;
    };
    let mut all: Vec<(Ident, bool, Expr)> = Vec::new();
    for expr in list {
        let part = match expr.peel() {
            Expr::Assign(ExprAssign { left, right, .. }) => {
                named(left).map(|(name, is_length)| (name, is_length, (**right).clone()))
            }
            _ => None,
        };
        match part {
            None => errors.on(&expr, FORM),
            Some((name, ..)) if all.iter().any(|(other, ..)| *other == name) => {
                errors.at(name.span(), format_args!("`{name}` is given twice; remove one"));
            }
            Some(part) => all.push(part),
        }
    }
    Some(Parts { span: name.span(), all })
}

/// Returns what stands before `=`: a name, and whether its length is meant.
fn named(left: &Expr) -> Option<(Ident, bool)> {
    match left.peel() {
        Expr::Path(path) => Some((path.path.get_ident()?.clone(), false)),
        Expr::MethodCall(call) if call.method == "len" && call.args.is_empty() => {
            let (name, is_length) = named(&call.receiver)?;
            (!is_length).then_some((name, true))
        }
        _ => None,
    }
}

impl Parts {
    /// Returns the launch of a kernel with these parameters and directives.
    pub(crate) fn of_kernel(
        self,
        params: &[Param],
        directives: &[Directive],
        errors: &mut Errors,
    ) -> Option<ExampleLaunch> {
        let declared = |kind| directives.iter().find(|it| it.kind == kind);
        let has_block = declared(DirectiveKind::ReqNTid).is_some();
        let mut found = ExampleLaunch::default();
        for (name, is_length, value) in self.all {
            let word = name.to_string();
            let extents = match word.as_str() {
                _ if is_length => None,
                "block" => Some((&mut found.block, Some(&THREADS))),
                "grid" => Some((&mut found.grid, None)),
                "cluster" => Some((&mut found.cluster, Some(&BLOCKS))),
                _ => None,
            };
            if let Some((extents, limits)) = extents {
                if let Some(Limits { exact, .. }) = limits
                    && declared(*exact).is_some()
                {
                    let directive = exact.name();
                    errors.at(
                        name.span(),
                        format_args!("`{directive}` says how large a {name} is; remove `{name}`"),
                    );
                    continue;
                }
                *extents = dimensions(&name, &value, errors);
                if let (Some(limits), Some(all)) = (limits, product(extents)) {
                    let most = declared(limits.most).and_then(|it| product(&it.values));
                    limits.check((&value, all), most, errors);
                }
            } else if word == "dynamic" && !is_length {
                found.dynamic = Some(Integer::new(value));
            } else if params.iter().any(|param| param.ident == name) {
                match value.peel() {
                    Expr::Array(_) if is_length => errors.on(
                        &value,
                        format_args!("a length is one number; give the words that `{name}` points to as `{name} = [..]`"),
                    ),
                    Expr::Repeat(_) => {
                        errors.on(&value, "list all words, as in `[0, 0, 0]`");
                    }
                    Expr::Array(array) => {
                        let words = array.elems.iter().cloned().map(Integer::new).collect();
                        found.contents.push((name, words));
                    }
                    _ => found.params.push((name, is_length, Integer::new(value))),
                }
            } else {
                let params: Vec<String> = params.iter().map(|it| it.ident.to_string()).collect();
                let known = params.iter().map(String::as_str).chain(WORDS);
                let advice = alternatives(&word, known);
                errors.at(
                    name.span(),
                    format_args!("the kernel has no parameter `{name}`; {advice}"),
                );
            }
        }
        if found.block.is_empty() && !has_block {
            errors.at(
                self.span,
                "a launch needs the number of threads of a block, as in `launch(block = 128)`, or `reqntid`",
            );
            return None;
        }
        Some(found)
    }
}

/// What a kernel may declare about the extents of its blocks or clusters.
struct Limits {
    /// The directive that gives them.
    exact: DirectiveKind,
    /// The directive that gives the most.
    most: DirectiveKind,
    /// Of what there are so many.
    of: &'static str,
}

const THREADS: Limits = Limits {
    exact: DirectiveKind::ReqNTid,
    most: DirectiveKind::MaxNTid,
    of: "threads in a block",
};

const BLOCKS: Limits = Limits {
    exact: DirectiveKind::ReqNCtaPerCluster,
    most: DirectiveKind::MaxClusterRank,
    of: "blocks in a cluster",
};

impl Limits {
    /// Reports extents that no launch of the kernel can have, if it declares this many at most.
    fn check(&self, (value, all): (&Expr, u128), declared: Option<u128>, errors: &mut Errors) {
        let of = self.of;
        let most = u128::from(self.exact.most());
        if let Some(declared) = declared.filter(|declared| all > *declared) {
            let directive = self.most.name();
            errors.on(
                value,
                format_args!(
                    "these are {all} {of}, and `{directive}` allows {declared}; write fewer"
                ),
            );
        } else if all > most {
            errors.on(
                value,
                format_args!(
                    "these are {all} {of}, and no target has more than {most}; write fewer"
                ),
            );
        }
    }
}

/// Returns the product of extents that are literals.
fn product(extents: &[Integer]) -> Option<u128> {
    extents.iter().try_fold(1_u128, |all, extent| all.checked_mul(extent.known()?))
}

/// Returns the values for up to three dimensions.
fn dimensions(name: &Ident, value: &Expr, errors: &mut Errors) -> Vec<Integer> {
    let all: Vec<Integer> = match value.peel() {
        Expr::Tuple(tuple) => tuple.elems.iter().cloned().map(Integer::new).collect(),
        _ => vec![Integer::new(value.clone())],
    };
    if !(1..=3).contains(&all.len()) {
        errors.on(value, format_args!("`{name}` is one number, or a tuple of two or three"));
        return vec![Integer::new(syn::parse_quote!(1))];
    }
    if let Some(zero) = all.iter().find(|extent| extent.known() == Some(0)) {
        errors.on(zero, format_args!("`{name}` is at least 1 along each dimension"));
    }
    all
}
