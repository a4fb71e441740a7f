//! The arguments of attributes.

use std::collections::VecDeque;

use proc_macro2::{Span, TokenStream};
use ptx_isa::ir::{DirectiveKind, Linkage};
use ptx_isa::rules::AllowanceSite;
use ptx_isa::{Release, Target, TextureMode, Version};
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Ident, Lit};

use crate::ast::{Contract, Directive, ModuleArgs};
use crate::attribute::{AttributeArg, AttributeValue, attribute_args, parse_args};
use crate::contract::{self, describes_launches, parse_contract};
use crate::errors::Errors;
use crate::example;
use crate::group::Peel;
use crate::hazards::hazards;
use crate::integer::Integer;
use ptx_isa::near::{alternatives, nearest};

/// Reports an unknown argument, and returns the one that was meant in its place, if only one is as near.
pub(crate) fn unknown<'a>(
    AttributeArg { name, value }: AttributeArg,
    known: impl Iterator<Item = &'a str> + Clone,
    errors: &mut Errors,
) -> Option<AttributeArg> {
    let word = name.to_string();
    let advice = alternatives(&word, known.clone());
    errors.at(name.span(), format_args!("no argument `{word}` here; {advice}"));
    let [meant] = nearest(&word, known)[..] else { return None };
    // It would be unknown again.
    if meant == word {
        return None;
    }
    // `unsafe(safe_launch)` is more than a name.
    let is_name = meant.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_name.then(|| AttributeArg { name: Ident::new(meant, name.span()), value })
}

/// The arguments of a variable's attribute, other than its space.
#[derive(Default)]
pub(crate) struct VariableArgs {
    pub(crate) linkage: Option<Linkage>,
    pub(crate) managed: bool,
    pub(crate) unified: Option<(Integer<u64>, Integer<u64>)>,
    pub(crate) exact: bool,
    pub(crate) linkage_span: Option<Span>,
    pub(crate) align: Option<Integer>,
    pub(crate) allow: Vec<&'static str>,
}

pub(crate) fn variable_args(attr: &Attribute, shared: bool, errors: &mut Errors) -> VariableArgs {
    let mut found = VariableArgs::default();
    let mut args = VecDeque::from(attribute_args(attr, errors));
    while let Some(AttributeArg { name, value }) = args.pop_front() {
        let mut set = |linkage| {
            if found.linkage.replace(linkage).is_some() {
                errors.at(name.span(), "a symbol has one linkage; remove one of these");
            }
            found.linkage_span = Some(name.span());
        };
        match (name.to_string().as_str(), value) {
            ("align", AttributeValue::Expr(expr)) => found.align = integer(&name, expr, errors),
            ("align", _) => {
                errors.at(name.span(), "write the alignment in bytes, as in `align = 16`");
            }
            ("dynamic", AttributeValue::None) if shared => set(Linkage::Dynamic),
            ("extern", AttributeValue::None) => set(Linkage::Extern),
            ("weak", AttributeValue::None) => set(Linkage::Weak),
            ("common", AttributeValue::None) => set(Linkage::Common),
            ("managed", AttributeValue::None) => {
                found.managed = true;
                found.linkage_span = Some(name.span());
            }
            ("exact", AttributeValue::None) => found.exact = true,
            (word @ ("extern" | "weak" | "common" | "managed" | "exact"), _) => {
                errors.at(name.span(), flag(word, if shared { "shared" } else { "global" }));
            }
            ("bank", _) => errors.at(name.span(), ptx_text::body::BANKED[0]),
            ("unified", value) => {
                found.unified = unified(&name, value, errors);
                found.linkage_span = Some(name.span());
            }
            (word @ "dynamic", _) if shared => {
                set(Linkage::Dynamic);
                errors.at(name.span(), flag(word, "shared"));
            }
            ("dynamic", _) => {
                errors.at(name.span(), "only shared memory can be `dynamic`, since the launch sizes nothing else; remove `dynamic`");
            }
            ("allow", value) => {
                let codes = hazards(&name, value, AllowanceSite::Variable, errors);
                found.allow.extend(codes.into_iter().map(|(code, _)| code));
            }
            (_, value) => {
                // An argument that only `.global` takes is reported elsewhere, with the reason.
                let own: &[&str] =
                    if shared { &["dynamic"] } else { &["common", "managed", "unified"] };
                let known = ["align", "allow", "extern", "weak", "exact"].into_iter();
                let known = known.chain(own.iter().copied());
                args.extend(unknown(AttributeArg { name, value }, known, errors));
            }
        }
    }
    found
}

/// The integer after a key, or `None` for a literal of another kind.
fn integer(name: &Ident, expr: Expr, errors: &mut Errors) -> Option<Integer> {
    if let Expr::Lit(lit) = expr.peel()
        && !matches!(lit.lit, Lit::Int(_))
    {
        let advice = match &lit.lit {
            Lit::Str(text) if text.value().trim().parse::<u32>().is_ok() => {
                format!("write `{name} = {}`", text.value().trim())
            }
            _ => format!("write one, as in `{name} = 16`"),
        };
        errors.on(lit, format_args!("`{name}` takes an integer; {advice}"));
        return None;
    }
    Some(Integer::new(expr))
}

/// The message for a value after a word that does not take one.
fn flag(word: &str, attribute: &str) -> String {
    format!("`{word}` takes no value; write `#[{attribute}({word})]`")
}

/// Parses the two halves of `unified`.
fn unified(
    name: &Ident,
    value: AttributeValue,
    errors: &mut Errors,
) -> Option<(Integer<u64>, Integer<u64>)> {
    if let AttributeValue::List(list) = value
        && let Ok([upper, lower]) = <[Expr; 2]>::try_from(list)
    {
        return Some((Integer::new(upper), Integer::new(lower)));
    }
    errors.at(name.span(), "write the identifier as two halves of 64 bits, as in `unified(0x1f, 0x2e)` (PTX ISA 5.4.8)");
    None
}

/// The arguments of `#[kernel(maxntid = 256, allow(D021))]` or `#[device(returns(sum))]`.
#[derive(Default)]
pub(crate) struct FunctionArgs {
    pub(crate) directives: Vec<Directive>,
    pub(crate) allow: Vec<(&'static str, Span)>,
    pub(crate) is_extern: bool,
    pub(crate) linkage: Option<Linkage>,
    /// The names of the returned values, and the attributes of each.
    pub(crate) returns: Vec<(Ident, Vec<Attribute>)>,
    pub(crate) unified: Option<(Integer<u64>, Integer<u64>, Span)>,
    /// The launch contract of a kernel.
    pub(crate) contract: Contract,
    /// The example of a launch of a kernel.
    pub(crate) launch: Option<example::Parts>,
}

pub(crate) fn kernel_args(attr: &Attribute, errors: &mut Errors) -> FunctionArgs {
    let mut found = FunctionArgs::default();
    let mut of_launches = Vec::new();
    let mut args = VecDeque::from(attribute_args(attr, errors));
    while let Some(AttributeArg { name, value }) = args.pop_front() {
        let word = name.to_string();
        match (word.as_str(), &value) {
            ("allow", _) => {
                found.allow.extend(hazards(&name, value, AllowanceSite::Function, errors));
                continue;
            }
            ("weak", AttributeValue::None) => {
                found.linkage = Some(Linkage::Weak);
                continue;
            }
            ("extern", AttributeValue::None) => {
                found.is_extern = true;
                continue;
            }
            (word @ ("weak" | "extern"), _) => {
                found.is_extern |= word == "extern";
                errors.at(name.span(), flag(word, "kernel"));
                continue;
            }
            ("launch", _) => {
                found.launch = example::parse(&name, value, errors);
                of_launches.push(name);
                continue;
            }
            (word, _) if describes_launches(word) => {
                parse_contract(&name, value, &mut found.contract, errors);
                of_launches.push(name);
                continue;
            }
            _ => {}
        }
        let Some(kind) = directive_kind(&word) else {
            if word == "maxnctapersm" {
                errors.at(
                    name.span(),
                    "`.maxnctapersm` was removed in PTX 2.1; write `minnctapersm`",
                );
            } else {
                let of_kernels = DirectiveKind::ALL.iter().filter(|kind| kind.is_of_kernels());
                let known = of_kernels.map(|kind| kind.name());
                let known = known.chain(["allow", "weak", "extern"]).chain(contract::WORDS);
                args.extend(unknown(AttributeArg { name, value }, known, errors));
            }
            continue;
        };
        found.directives.extend(directive(kind, &name, value, errors));
    }
    if found.is_extern {
        for name in &of_launches {
            errors.at(name.span(), format_args!("`{name}` describes launches and belongs where the kernel is defined, and this one is defined elsewhere; remove it"));
        }
        found.contract = Contract::default();
        found.launch = None;
    }
    let place =
        |directive: &Directive| DirectiveKind::ALL.iter().position(|kind| *kind == directive.kind);
    found.directives.sort_by_key(place);
    found.directives.dedup_by_key(|directive| directive.kind);
    found
}

fn directive_kind(word: &str) -> Option<DirectiveKind> {
    DirectiveKind::ALL.iter().copied().find(|kind| kind.name() == word)
}

/// Parses a directive and its values, `maxntid = (16, 16)`.
fn directive(
    kind: DirectiveKind,
    name: &Ident,
    value: AttributeValue,
    errors: &mut Errors,
) -> Option<Directive> {
    let given: Vec<Expr> = match value {
        AttributeValue::Expr(Expr::Tuple(tuple)) => tuple.elems.into_iter().collect(),
        AttributeValue::Expr(Expr::Array(array)) => array.elems.into_iter().collect(),
        AttributeValue::Expr(expr) => vec![expr],
        AttributeValue::None | AttributeValue::Path(_) | AttributeValue::List(_) => Vec::new(),
    };
    let mut values = Vec::new();
    if kind.arity() == 0 {
        if let Some(value) = given.first() {
            errors.on(value, format_args!("`{name}` takes no value; write `{name}` alone"));
        }
    } else if given.is_empty() || given.len() > kind.arity() {
        let example = if kind.arity() == 1 { "32" } else { "(16, 16, 1)" };
        errors.at(
            name.span(),
            format_args!("`{name}` takes 1 to {} values, as in `{name} = {example}`", kind.arity()),
        );
        return None;
    } else {
        values.extend(given.into_iter().map_while(|value| integer(name, value, errors)));
        if values.is_empty() {
            return None;
        }
    }
    Some(Directive { kind, values, span: name.span(), refused: false })
}

pub(crate) fn device_args(attr: &Attribute, errors: &mut Errors) -> FunctionArgs {
    let mut found = FunctionArgs::default();
    let mut args = VecDeque::from(attribute_args(attr, errors));
    while let Some(AttributeArg { name, value }) = args.pop_front() {
        match (name.to_string().as_str(), value) {
            ("extern", AttributeValue::None) => found.is_extern = true,
            ("weak", AttributeValue::None) => found.linkage = Some(Linkage::Weak),
            ("noreturn", AttributeValue::None) => found.directives.push(Directive {
                kind: DirectiveKind::NoReturn,
                values: Vec::new(),
                span: name.span(),
                refused: false,
            }),
            (word @ ("extern" | "weak" | "noreturn"), _) => {
                found.is_extern |= word == "extern";
                errors.at(name.span(), flag(word, "device"));
            }
            ("allow", value) => found.allow.extend(hazards(&name, value, AllowanceSite::Function, errors)),
            ("unified", value) => {
                let halves = unified(&name, value, errors);
                found.unified = halves.map(|(upper, lower)| (upper, lower, name.span()));
            }
            ("returns", AttributeValue::List(list)) => {
                for expr in list {
                    match &expr {
                        Expr::Path(path) if path.path.get_ident().is_some() => {
                            let ident = path.path.get_ident().cloned();
                            found.returns.extend(ident.map(|ident| (ident, path.attrs.clone())));
                        }
                        _ => errors.on(&expr, "a returned value needs a name, as in `returns(sum)`"),
                    }
                }
            }
            ("returns", _) => errors.at(
                name.span(),
                "name the returned values as the body writes them, as in `returns(sum, carry)`",
            ),
            (word, _) if describes_launches(word) => errors.at(
                name.span(),
                format_args!("`{word}` describes launches, and a device function is called, not launched; remove it"),
            ),
            (word, value) => {
                // What only a kernel has breaks a rule (F036).
                if let Some(kind) = directive_kind(word) {
                    found.directives.extend(directive(kind, &name, value, errors));
                    continue;
                }
                let known = ["extern", "returns", "weak", "noreturn", "unified", "allow"];
                args.extend(unknown(AttributeArg { name, value }, known.into_iter(), errors));
            }
        }
    }
    found
}

const LINE_INFO: &str = "write `line_info = true`, for text that names the Rust lines of its statements, or `line_info = false`";

/// Parses the arguments of `#[ptx::module(target = sm_90a, version = 8.6)]`.
pub(crate) fn module_args(tokens: TokenStream, errors: &mut Errors) -> ModuleArgs {
    let mut args = ModuleArgs::default();
    let before = errors.len();
    let mut has_target = false;
    let mut given = VecDeque::from(parse_args(tokens, "target", errors));
    while let Some(AttributeArg { name, value }) = given.pop_front() {
        match (name.to_string().as_str(), value) {
            ("target", AttributeValue::Expr(expr)) => {
                if has_target {
                    errors.at(name.span(), "write either `target = ..` or `targets = [..]`");
                }
                has_target = true;
                args.target = target(&expr, errors);
                args.targets.extend(args.target.map(|target| (target, expr.span())));
            }
            ("targets", AttributeValue::Expr(Expr::Array(array))) if !array.elems.is_empty() => {
                if has_target {
                    errors.at(name.span(), "write either `target = ..` or `targets = [..]`");
                }
                has_target = true;
                for expr in &array.elems {
                    let Some(found) = target(expr, errors) else { continue };
                    if args.targets.iter().any(|(target, _)| *target == found) {
                        errors.on(expr, format_args!("`{found}` is in the list already"));
                    } else {
                        args.targets.push((found, expr.span()));
                    }
                }
                args.target = args.targets.first().map(|(target, _)| *target);
            }
            ("targets", _) => {
                errors.at(
                    name.span(),
                    "write the targets of the module, as in `targets = [sm_80, sm_90a]`",
                );
            }
            ("version", AttributeValue::Expr(expr)) => {
                let read = number(&expr).and_then(|text| Version::parse(&text));
                match read {
                    Some(version) => {
                        args.version = Some((version, expr.span()));
                    }
                    None => errors.on(&expr, "a PTX version is two numbers, as in `version = 8.6`"),
                }
            }
            ("ptxas", AttributeValue::Expr(expr)) => {
                match number(&expr).and_then(|text| Release::parse(&text)) {
                    Some(release) => args.release = Some(release),
                    None => {
                        errors.on(&expr, "a release of ptxas is two numbers, as in `ptxas = 13.0`");
                    }
                }
            }
            ("texmode", AttributeValue::Expr(Expr::Path(path)))
                if path.path.is_ident("unified") =>
            {
                args.texture_mode = TextureMode::Unified;
            }
            ("texmode", AttributeValue::Expr(Expr::Path(path)))
                if path.path.is_ident("independent") =>
            {
                args.texture_mode = TextureMode::Independent;
            }
            ("texmode", _) => errors.at(
                name.span(),
                "write `texmode = unified` or `texmode = independent` (PTX ISA 5.3)",
            ),
            ("line_info", AttributeValue::Expr(expr)) => match boolean(&expr) {
                Some(value) => args.line_info = value,
                None => errors.on(&expr, LINE_INFO),
            },
            ("line_info", _) => errors.at(name.span(), LINE_INFO),
            ("crate", AttributeValue::Path(path)) => args.krate = Some(path),
            ("crate", _) => {
                errors.at(name.span(), "write the path of the library, as in `crate = ::ptx`");
            }
            ("__unchecked", AttributeValue::None) => args.is_unchecked = true,
            ("target" | "version" | "ptxas", _) => {
                errors.at(name.span(), format_args!("write a value, as in `{name} = ..`"));
            }
            (word, AttributeValue::None) if Target::from_name(word).is_some() => {
                errors.at(name.span(), format_args!("write `target = {word}`"));
            }
            (_, value) => {
                let known =
                    ["target", "targets", "version", "ptxas", "texmode", "line_info", "crate"];
                given.extend(unknown(AttributeArg { name, value }, known.into_iter(), errors));
            }
        }
    }
    args.has_target = has_target || errors.len() > before;
    args
}

pub(crate) fn target(expr: &Expr, errors: &mut Errors) -> Option<Target> {
    let word = match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Group(group) => return target(&group.expr, errors),
        Expr::Lit(lit) => match &lit.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    };
    let found = word.as_deref().and_then(Target::from_name);
    if found.is_none() {
        let word = word.unwrap_or_else(|| quote::quote!(#expr).to_string());
        let advice = Target::meant(&word, &[]);
        errors.on(expr, format_args!("no target is called `{word}`; {advice}"));
    }
    found
}

fn boolean(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Bool(value) => Some(value.value),
            _ => None,
        },
        Expr::Group(group) => boolean(&group.expr),
        _ => None,
    }
}

/// The text of a number, for example `8.6`.
fn number(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Float(float) => Some(float.to_string()),
            Lit::Int(int) => Some(format!("{int}.0")),
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Group(group) => number(&group.expr),
        _ => None,
    }
}
