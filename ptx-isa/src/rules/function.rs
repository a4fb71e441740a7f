//! Tests of functions.

use super::block_barrier::WARP;
use super::directive::{GivenDirective, OtherDirective};
use super::{Arg, Args, Environment, call, too_new, wrong_target};
use crate::const_ord::max;
use crate::const_str::same;
use crate::ir::{
    Directive, DirectiveKind, Function, FunctionKind, MOST_THREADS, Param, Unified, Variable,
};
use crate::space::Space;
use crate::special::special_register;
use crate::target::{Release, STATIC_SHARED_EVERYWHERE, Target, Version};

/// The size of a kernel's parameter space in bytes, from PTX 8.1 on `sm_70` and newer (PTX ISA 5.1.6.1).
pub const PARAM_BYTES: usize = 32_764;

pub use crate::ir::PARAM_BYTES_BEFORE_8_1;

/// The size of a kernel's parameter space in bytes, for a target and a PTX version (`None` for the lowest that
/// suffices).
pub const fn max_param_bytes(target: Target, version: Option<Version>) -> usize {
    param_limit(target, version).0
}

/// The size of a kernel's parameter space in bytes, and the reason for that limit.
const fn param_limit(target: Target, version: Option<Version>) -> (usize, &'static str) {
    match (target.arch(), version) {
        (..70, _) => (PARAM_BYTES_BEFORE_8_1, "a target below sm_70"),
        (_, Some(version)) if version.is_below(Version::new(8, 1)) => {
            (PARAM_BYTES_BEFORE_8_1, "PTX before 8.1")
        }
        (_, _) => (PARAM_BYTES, "a kernel"),
    }
}

pub(super) const fn params_over_limit<'a>(
    function: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    // ptxas lays out no parameters of a kernel that is defined elsewhere.
    if !matches!(function.kind, FunctionKind::Kernel) || function.linkage.is_elsewhere() {
        return None;
    }
    let (Some(bytes), Some(target)) = (function.param_bytes(), env.target) else {
        return None;
    };
    let (most, who) = param_limit(target, env.version);
    if bytes <= most {
        return None;
    }
    Some([Arg::Str(function.name), Arg::bytes(bytes), Arg::bytes(most), Arg::Str(who)])
}

pub(super) const fn shared_over_limit<'a>(
    function: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    // All later releases have the same limit.
    const NEWEST: Release = Release::new(13, 0);
    let (Some(bytes), Some(target)) = (function.static_shared_bytes(), env.target) else {
        return None;
    };
    let most = target.max_static_shared(env.release);
    if !matches!(function.kind, FunctionKind::Kernel) || bytes <= most {
        return None;
    }
    let newest = target.max_static_shared(Some(NEWEST));
    let (opt_in, ptx) = (
        target.max_shared_opt_in(),
        "move some into `.extern .shared` memory, which is sized at launch",
    );
    let fix = if bytes > opt_in {
        Arg::Shrink(largest_shared(function), opt_in)
    } else if most == STATIC_SHARED_EVERYWHERE && bytes <= newest {
        let rust = "move some into `#[shared(dynamic)]`, which is sized at launch, or write `ptxas = 13.0` if you need no older ptxas";
        Arg::Either { rust, ptx }
    } else {
        Arg::Either { rust: "move some into `#[shared(dynamic)]`, which is sized at launch", ptx }
    };
    Some([Arg::Str(function.name), Arg::bytes(bytes), Arg::bytes(most), fix])
}

/// The name of the largest static shared variable of a function.
const fn largest_shared<'a>(function: &Function<'a>) -> &'a str {
    let lists = [function.uses, function.called_shared, function.locals, function.idle_shared];
    let (mut name, mut most, mut list) = ("", 0, 0);
    while list < lists.len() {
        let mut n = 0;
        while n < lists[list].len() {
            let variable = lists[list][n];
            if let (Space::Shared, false, Some(bytes)) =
                (variable.space, variable.is_dynamic(), variable.bytes())
                && bytes > most
            {
                (name, most) = (variable.name, bytes);
            }
            n += 1;
        }
        list += 1;
    }
    name
}

pub(super) const fn shared_over_opt_in<'a>(
    function: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    let (Some(fixed), Some(target)) = (function.static_shared_bytes(), env.target) else {
        return None;
    };
    // All dynamic variables start at the same address.
    let (mut most, mut n) = (None, 0);
    while n < function.uses.len() {
        let variable = function.uses[n];
        if let (true, Some(bytes), Some(align)) =
            (variable.is_dynamic(), variable.bytes(), variable.alignment())
            && align.is_power_of_two()
        {
            let end = fixed.next_multiple_of(align).saturating_add(bytes);
            most = match most {
                Some(most) => Some(max(most, end)),
                None => Some(end),
            };
        }
        n += 1;
    }
    let Some(most) = most else { return None };
    if most <= target.max_shared_opt_in() {
        return None;
    }
    let (all, dynamic) = (Arg::bytes(most), Arg::bytes(most - fixed));
    Some([Arg::Str(function.name), all, dynamic, Arg::bytes(target.max_shared_opt_in())])
}

pub(super) const fn directive_too_new<'a>(
    directive: GivenDirective<'a>,
    _: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    let OtherDirective { name, since, .. } = directive.described();
    too_new(Arg::Str(name), since, env)
}

pub(super) const fn directive_wrong_target<'a>(
    directive: GivenDirective<'a>,
    _: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    let OtherDirective { name, min_arch, .. } = directive.described();
    wrong_target(Arg::Str(name), min_arch, env)
}

pub(super) const fn directive_zero<'a>(
    directive: GivenDirective<'a>,
    _: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    let GivenDirective::Known(directive) = directive else { return None };
    if directive.product() != 0 || directive.kind.is_of_cluster() {
        return None;
    }
    Some([Arg::Directive(directive.kind), Arg::None, Arg::None, Arg::None])
}

/// A launch has to match these values exactly, so none succeeds beyond what the hardware has. Other directives are bounds
/// or wishes, and greater values have no effect.
pub(super) const fn directive_out_of_range<'a>(
    directive: GivenDirective<'a>,
    _: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    let GivenDirective::Known(directive) = directive else { return None };
    let (kind, product) = (directive.kind, directive.product());
    // ptxas accepts an empty cluster, and `.maxclusterrank 0`, which bounds nothing.
    let is_empty = product == 0 && kind.is_of_cluster();
    if kind.is_exact() && (product > kind.most() || is_empty) {
        return Some(beyond(kind, product));
    }
    // No block has more threads than that in the other dimensions either, which are as many as it has in all.
    let ([.., z], [.., most]) = (directive.values, MOST_THREADS);
    if matches!(kind, DirectiveKind::ReqNTid) && z > most {
        let (z, most) = (Arg::Int(z as i128), Arg::Int(most as i128));
        return Some([Arg::Directive(kind), z, most, Arg::Str(" in z")]);
    }
    None
}

pub(super) const fn directive_ignored<'a>(
    directive: GivenDirective<'a>,
    _: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    let GivenDirective::Known(directive) = directive else { return None };
    let (kind, product) = (directive.kind, directive.product());
    if kind.is_exact() || product <= kind.most() {
        return None;
    }
    Some(beyond(kind, product))
}

const fn beyond<'a>(kind: DirectiveKind, product: u64) -> Args<'a> {
    let (value, most) = (Arg::Int(product as i128), Arg::Int(kind.most() as i128));
    [Arg::Directive(kind), value, most, Arg::Str("")]
}

pub(super) const fn directives_conflict<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    const PAIRS: &[(DirectiveKind, DirectiveKind)] = &[
        (DirectiveKind::MaxNTid, DirectiveKind::ReqNTid),
        (DirectiveKind::ReqNCtaPerCluster, DirectiveKind::MaxClusterRank),
    ];
    let mut i = 0;
    while i < PAIRS.len() {
        if has(function, PAIRS[i].0) && has(function, PAIRS[i].1) {
            let names = (Arg::Directive(PAIRS[i].0), Arg::Directive(PAIRS[i].1));
            return Some([names.0, names.1, Arg::None, Arg::None]);
        }
        i += 1;
    }
    None
}

pub(super) const fn minnctapersm_alone<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    let sized = has(function, DirectiveKind::MaxNTid) || has(function, DirectiveKind::ReqNTid);
    if has(function, DirectiveKind::MinNCtaPerSm) && !sized {
        return Some([Arg::None; 4]);
    }
    None
}

/// ptxas counts whole warps.
pub(super) const fn minnctapersm_too_great<'a>(
    directive: GivenDirective<'a>,
    function: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    let GivenDirective::Known(directive) = directive else { return None };
    let (DirectiveKind::MinNCtaPerSm, Some(target)) = (directive.kind, env.target) else {
        return None;
    };
    let sizes = (find(function, DirectiveKind::MaxNTid), find(function, DirectiveKind::ReqNTid));
    let ((Some(block), None) | (None, Some(block))) = sizes else { return None };
    let (blocks, threads) = (directive.product(), block.product());
    let (most_threads, most_blocks) = target.most_resident();
    // A block without threads, and one that does not fit at all, have another fault.
    let by_threads = match threads.div_ceil(WARP).saturating_mul(WARP) {
        0 => return None,
        taken => most_threads / taken,
    };
    let most = if by_threads < most_blocks { by_threads } else { most_blocks };
    if most == 0 || blocks <= most || blocks > directive.kind.most() {
        return None;
    }
    let (blocks, threads) = (Arg::Int(blocks as i128), Arg::Int(threads as i128));
    Some([blocks, threads, Arg::Str(target.name()), Arg::Int(most as i128)])
}

pub(super) const fn noreturn_returns<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    if has(function, DirectiveKind::NoReturn) && !function.returns.is_empty() {
        return Some([Arg::Str(function.name), Arg::None, Arg::None, Arg::None]);
    }
    None
}

pub(super) const fn has(function: &Function<'_>, kind: DirectiveKind) -> bool {
    find(function, kind).is_some()
}

const fn find(function: &Function<'_>, kind: DirectiveKind) -> Option<Directive> {
    let mut i = 0;
    while i < function.directives.len() {
        if function.directives[i].kind as u8 == kind as u8 {
            return Some(function.directives[i]);
        }
        i += 1;
    }
    None
}

pub(super) const fn special_too_new(name: &str, env: Environment) -> Option<Args<'_>> {
    match special_register(name) {
        Some(register) => too_new(Arg::Str(name), register.since, env),
        None => None,
    }
}

pub(super) const fn special_wrong_target(name: &str, env: Environment) -> Option<Args<'_>> {
    match special_register(name) {
        Some(register) => wrong_target(Arg::Str(name), register.min_arch, env),
        None => None,
    }
}

pub(super) const fn several_param_returns<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    if function.returns.len() < 2 {
        return None;
    }
    let mut n = 0;
    while n < function.returns.len() {
        if !matches!(function.returns[n].variable.space, Space::Reg) {
            let count = Arg::Int(function.returns.len() as i128);
            return Some([Arg::Str(function.name), count, Arg::None, Arg::None]);
        }
        n += 1;
    }
    None
}

pub(super) const fn unified_function_too_new<'a>(
    function: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    if function.unified.is_none() {
        return None;
    }
    too_new(Arg::Str(function.name), Unified::SINCE, env)
}

pub(super) const fn unified_function_wrong_target<'a>(
    function: &Function<'a>,
    env: Environment,
) -> Option<Args<'a>> {
    if function.unified.is_none() {
        return None;
    }
    wrong_target(Arg::Str(function.name), Unified::MIN_ARCH, env)
}

pub(super) const fn unified_narrow_parameter<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    if function.unified.is_none() {
        return None;
    }
    match first_narrow(function.params) {
        Some(param) => Some(narrow(function, param)),
        None => match first_narrow(function.returns) {
            Some(param) => Some(narrow(function, param)),
            None => None,
        },
    }
}

const fn narrow<'a>(function: &Function<'a>, param: &Param<'a>) -> Args<'a> {
    let ty = Arg::Type(param.variable.ty);
    [Arg::Str(function.name), Arg::Str(param.variable.name), ty, Arg::None]
}

const fn first_narrow<'a, 'p>(params: &'p [Param<'a>]) -> Option<&'p Param<'a>> {
    let mut n = 0;
    while n < params.len() {
        if call::narrow(&params[n]).is_some() {
            return Some(&params[n]);
        }
        n += 1;
    }
    None
}

pub(super) const fn unified_function_name<'a>(
    function: &Function<'a>,
    _: Environment,
) -> Option<Args<'a>> {
    match (function.unified, function.name.as_bytes()) {
        (Some(_), [b'%', ..]) => Some([Arg::Str(function.name), Arg::None, Arg::None, Arg::None]),
        (_, _) => None,
    }
}

/// ptxas also looks up the names of parameters among the functions. It never uses the names in a declaration
/// without a body, and a `.reg` is not in the parameter space. A kernel that is the only function defined in its module
/// is laid out before the name is in the way.
pub(super) const fn param_named_like_function<'a>(
    variable: &Variable<'a>,
    owner: &Function<'a>,
    function: &Function<'a>,
    is_alone: bool,
) -> Option<Args<'a>> {
    // The name of a family differs from those of its members.
    if !matches!(variable.space, Space::Param)
        || variable.ty.family().is_some()
        || owner.body.is_none()
        || !same(variable.name, function.name)
    {
        return None;
    }
    let what = match (function.kind, same(owner.name, function.name)) {
        (FunctionKind::Kernel, true) if is_alone => return None,
        (FunctionKind::Kernel, true) => "its own kernel",
        (FunctionKind::Kernel, false) => "a kernel of this module",
        (FunctionKind::Device, true) => "its own function",
        (FunctionKind::Device, false) => "a function of this module",
    };
    Some([Arg::Str(variable.name), Arg::Str(what), Arg::None, Arg::None])
}
