//! The other targets of a module.
//!
//! The host's side is that of the first one. So what the host sees is the same for each: kernels, but for their bodies, and variables, but
//! for their values. A kernel may be missing on some targets; the host is told so when it asks for it.

use bumpalo::Bump;
use proc_macro2::{Span, TokenStream};
use ptx_isa::Space;
use ptx_isa::ir::{DirectiveKind, FunctionKind};
use quote::{ToTokens, quote};
use syn::Type;

use crate::ast::{Function, Item, Module, Variable};
use crate::check::{Checked, OtherKernel, check_module};
use crate::errors::Errors;
use crate::group::Peel;
use crate::parse::from_inside;

/// The paths of the fragments that a module needs for any of its targets.
pub(crate) fn wanted(
    module: &mut Module,
    item: &TokenStream,
    parse: impl Fn(usize, TokenStream, &mut Errors) -> Option<Module>,
) -> Vec<TokenStream> {
    let mut paths = core::mem::take(&mut module.wanted);
    for target in 1..module.args.targets.len() {
        // What is wrong with it is reported when it is checked.
        let other = parse(target, item.clone(), &mut Errors::default());
        for path in other.into_iter().flat_map(|other| other.wanted) {
            if !paths.iter().any(|known| known.to_string() == path.to_string()) {
                paths.push(path);
            }
        }
    }
    paths
}

/// Checks a module for its other targets, and that the host sees the same on each.
pub(crate) fn check_others<'a>(
    checked: &mut Checked<'a>,
    item: &TokenStream,
    parse: impl Fn(usize, TokenStream, &mut Errors) -> Option<Module>,
    arena: &'a Bump,
    errors: &mut Errors,
) {
    let count = checked.module.args.targets.len();
    if count < 2 {
        return;
    }
    let moved = in_body(item);
    for target in 1..count {
        let mut found = Errors::default();
        let module = parse(target, moved.clone(), &mut found);
        let other = module.map(|module| check_module(module, arena, &mut found));
        errors.append_new(found);
        checked.others.extend(other);
    }
    if errors.is_empty() {
        let mut partial = Vec::new();
        for other in &checked.others {
            compare(checked, other, &mut partial, errors);
        }
        partial.sort_unstable();
        partial.dedup();
        checked.partial = partial;
        let written = |target| parse(target, item.clone(), &mut Errors::default());
        checked.other_kernels = other_kernels(checked, written, errors);
    }
    leave_out_used(checked);
}

/// The kernels that the first target lacks, each from the first that has it, with which the others are compared.
fn other_kernels(
    checked: &Checked<'_>,
    written: impl Fn(usize) -> Option<Module>,
    errors: &mut Errors,
) -> Vec<OtherKernel> {
    let mut found: Vec<OtherKernel> = Vec::new();
    for (n, other) in checked.others.iter().enumerate() {
        let mut items_as_written = None;
        let items = other.module.items.iter().enumerate();
        for (m, item) in items.filter(|(_, item)| may_be_missing(item)) {
            let Item::Function(function) = item else { continue };
            if find(&checked.module, item).is_some() {
                continue;
            }
            if let Some(known) = found.iter().find(|known| known.function.name == function.name) {
                let first = &checked.others[known.other];
                let targets = (target(&first.module), target(&other.module));
                let had = errors.len();
                if let Some(Item::Function(one)) = first.module.items.get(known.item) {
                    compare_kernels(one, function, Moved::Both, &targets, errors);
                }
                if errors.len() == had {
                    compare_lengths((first, known.item), (other, m), &targets, errors);
                }
                continue;
            }
            // What the host sees is not in a module inside.
            let items = items_as_written.get_or_insert_with(|| {
                written(n + 1).map(|module| module.items).unwrap_or_default()
            });
            let is_it = |item: &Item| item.function().is_some_and(|it| it.name == function.name);
            let Some(place) = items.iter().position(is_it) else { continue };
            if let Item::Function(function) = items.swap_remove(place) {
                found.push(OtherKernel { other: n, item: m, function });
            }
        }
    }
    found
}

/// A `mod` whose items are moved to a module inside it.
fn in_body(item: &TokenStream) -> TokenStream {
    let mut tokens: Vec<_> = item.clone().into_iter().collect();
    if let Some(proc_macro2::TokenTree::Group(body)) = tokens.last_mut() {
        let mut moved = proc_macro2::Group::new(body.delimiter(), from_inside(body.stream()));
        moved.set_span(body.span());
        *body = moved;
    }
    tokens.into_iter().collect()
}

/// Keeps of the unused names what is unused for every target, and once.
fn leave_out_used(checked: &mut Checked<'_>) {
    let name = |module: &Module, item: usize| {
        module.items.get(item).and_then(Item::name).map(str::to_owned)
    };
    let Checked { module, unused, others, .. } = checked;
    unused.variables.retain(|item| {
        others.iter().all(|other| {
            let items = other.module.items.iter().enumerate();
            let mut same = items.filter(|(n, it)| {
                matches!(it, Item::Variable(_)) && name(&other.module, *n) == name(module, *item)
            });
            same.all(|(n, _)| other.unused.variables.contains(&n))
        })
    });
    let shared: Vec<(usize, usize)> =
        module.items.iter().filter_map(Item::function).map(|it| line(it.ident.span())).collect();
    for other in others {
        other.unused.variables.clear();
        let names = core::mem::take(&mut other.unused.names);
        let is_own = |item: &usize| {
            let function = other.module.items.get(*item).and_then(Item::function);
            function.is_some_and(|it| !shared.contains(&line(it.ident.span())))
        };
        other.unused.names = names.into_iter().filter(|(item, _)| is_own(item)).collect();
    }
}

fn line(span: Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column)
}

/// Compares what the host sees of a module on two of its targets, and lists the kernels that the second lacks.
fn compare(
    first: &Checked<'_>,
    other: &Checked<'_>,
    partial: &mut Vec<usize>,
    errors: &mut Errors,
) {
    let targets = (target(&first.module), target(&other.module));
    let swapped = (targets.1.clone(), targets.0.clone());
    let mut reported = Vec::new();
    for (n, item) in first.module.items.iter().enumerate().filter(|(_, item)| is_seen(item)) {
        let Some((m, same)) = find(&other.module, item) else {
            if may_be_missing(item) {
                partial.push(n);
            } else {
                missing(item, &swapped, &mut reported, errors);
            }
            continue;
        };
        let had = errors.len();
        match (item, same) {
            (Item::Function(one), Item::Function(other)) => {
                compare_kernels(one, other, Moved::Second, &targets, errors);
            }
            (Item::Variable(one), Item::Variable(other)) => {
                compare_variables(one, other, &targets, errors);
            }
            _ => {}
        }
        if errors.len() == had {
            compare_lengths((first, n), (other, m), &targets, errors);
        }
    }
    for item in other.module.items.iter().filter(|item| is_seen(item)) {
        if !may_be_missing(item) && find(&first.module, item).is_none() {
            missing(item, &targets, &mut reported, errors);
        }
    }
}

/// Compares whether launches of a kernel give the length of a slice in dynamic shared memory.
fn compare_lengths(
    (first, n): (&Checked<'_>, usize),
    (other, m): (&Checked<'_>, usize),
    targets: &(String, String),
    errors: &mut Errors,
) {
    let (one, two) = (takes_length(first, n), takes_length(other, m));
    let Some(item) = other.module.items.get(m).filter(|_| one != two) else { return };
    let (with, without) = if one { (&targets.0, &targets.1) } else { (&targets.1, &targets.0) };
    errors.at(
        span(item),
        format_args!("`{}` uses a slice in dynamic shared memory for {with} and none for {without}; a launch gives its length on each target or on none", item.name().unwrap_or_default()),
    );
}

/// The target of a module, for messages.
fn target(module: &Module) -> String {
    module.args.target.map_or_else(String::new, |target| format!("`{target}`"))
}

/// Whether a loaded module has a handle for the item.
fn is_seen(item: &Item) -> bool {
    match item {
        Item::Function(item) => item.kind == FunctionKind::Kernel && item.body.is_some(),
        Item::Variable(item) => matches!(item.space, Space::Global | Space::Const),
        Item::Rust(_) => false,
    }
}

/// Whether a target may lack the item: a kernel. The instances of a generic one are one method of the loaded module.
fn may_be_missing(item: &Item) -> bool {
    matches!(item, Item::Function(_)) && is_seen(item) && item.instance().is_none()
}

fn find<'m>(module: &'m Module, item: &Item) -> Option<(usize, &'m Item)> {
    let mut items = module.items.iter().enumerate().filter(|(_, item)| is_seen(item));
    items.find(|(_, other)| other.name() == item.name())
}

fn span(item: &Item) -> Span {
    match item {
        Item::Function(item) => item.ident.span(),
        Item::Variable(item) => item.ident.span(),
        Item::Rust(_) => Span::call_site(),
    }
}

/// Reports an item that the target before has not.
fn missing(
    item: &Item,
    (without, with): &(String, String),
    reported: &mut Vec<String>,
    errors: &mut Errors,
) {
    // The instances of a generic one are missing together.
    let family = item.instance().map(|instance| instance.family.ident.to_string());
    let name = family.unwrap_or_else(|| item.name().unwrap_or_default().to_owned());
    if reported.contains(&name) {
        return;
    }
    let what = match item {
        Item::Function(_) => "a loaded module has each generic kernel",
        Item::Variable(_) | Item::Rust(_) => {
            "a loaded module has each variable in `.global` and `.const`"
        }
    };
    errors.at(
        span(item),
        format_args!("`{name}` is declared for {with} and not for {without}, and {what} on every target; declare it once more, with `#[target({})]`", without.trim_matches('`')),
    );
    reported.push(name);
}

fn compare_variables(
    one: &Variable,
    other: &Variable,
    (first, second): &(String, String),
    errors: &mut Errors,
) {
    let tokens = |it: &Variable| {
        let (vis, ty) = (&it.vis, &it.ty);
        quote!(#vis #ty)
    };
    if (one.space, one.managed) != (other.space, other.managed)
        || !is_same(tokens(one), tokens(other))
    {
        errors.at(
            other.ident.span(),
            format_args!("`{}` is another variable for {second} than for {first}; the attribute, the visibility and the type are the same for each target, and the value may differ", other.name),
        );
    }
}

/// Whether these tokens of the first target are those of another one.
fn is_same(one: impl ToTokens, other: impl ToTokens) -> bool {
    Moved::Second.is_same(one, other)
}

/// Which of two declarations were moved to a module inside.
#[derive(Clone, Copy)]
enum Moved {
    /// The one that is not for the first target.
    Second,
    /// Both are for others.
    Both,
}

impl Moved {
    /// Whether the tokens of both are the same.
    fn is_same(self, one: impl ToTokens, other: impl ToTokens) -> bool {
        let one = match self {
            Self::Second => from_inside(one.to_token_stream()),
            Self::Both => one.to_token_stream(),
        };
        one.to_string() == other.to_token_stream().to_string()
    }
}

fn compare_kernels(
    one: &Function,
    other: &Function,
    moved: Moved,
    (first, second): &(String, String),
    errors: &mut Errors,
) {
    let name = &other.name;
    let mut differs = |at: Span, message: &str| {
        errors.at(at, format_args!("`{name}` {message} for {second} than for {first}; the host launches it in one way on each target"));
    };
    let params = |function: &Function| {
        let params = function.params.iter().map(|param| {
            let (ident, ty) = (&param.ident, &param.ty);
            let align = param.align.as_ref().map(|align| quote!(#align));
            let readonly = param.readonly.is_some();
            quote!(#ident: #ty, #align, #readonly;)
        });
        params.collect::<TokenStream>()
    };
    let contract = |function: &Function| {
        let (requires, grid) = (&function.contract.requires, &function.contract.grid);
        let is_vouched = function.contract.vouched.is_some();
        quote!(#(#requires,)*; #grid; #is_vouched)
    };
    let at = other.ident.span();
    if !moved.is_same(params(one), params(other)) {
        differs(at, "has other parameters");
    } else if !moved.is_same(contract(one), contract(other)) {
        differs(at, "has another `requires(..)`, `grid` or `unsafe(safe_launch)`");
    } else if !moved.is_same(&one.vis, &other.vis) {
        differs(at, "has another visibility");
    }
    let of_launches =
        [DirectiveKind::ReqNTid, DirectiveKind::ReqNCtaPerCluster, DirectiveKind::ExplicitCluster];
    for kind in of_launches {
        let has = |function: &Function| function.directives.iter().any(|it| it.kind == kind);
        let (with, without) = match (has(one), has(other)) {
            (true, false) => (first, second),
            (false, true) => (second, first),
            _ => continue,
        };
        errors.at(
            at,
            format_args!("`{name}` has `{}` for {with} and not for {without}; its value may differ, but a launch relies on it on each target or on none", kind.name()),
        );
    }
}

/// Whether the launch of a kernel gives the length of a slice in dynamic shared memory.
fn takes_length(checked: &Checked<'_>, item: usize) -> bool {
    let uses = checked.body(item).into_iter().flat_map(|(_, body)| &body.uses);
    let mut variables = uses.filter_map(|used| checked.module.variable(used.index));
    variables.any(|variable| {
        variable.space == Space::Shared && matches!(variable.ty.peel(), Type::Slice(_))
    })
}
