//! Tests of variables, parameters and names.

use super::{Arg, Args, CONST_BYTES, Environment, NONE, too_new, wrong_target};
use crate::ident;
use crate::ir::{
    Extent, Function, FunctionKind, Init, Linkage, MANAGED_SINCE, Param, Type, Unified, Value,
    Variable, same,
};
use crate::scalar::{Class, ScalarType};
use crate::space::Space;
use crate::special::special_register;
use crate::target::Version;

/// Device functions whose last array has no length.
const UNSIZED_SINCE: Version = Version::new(6, 0);

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// Outside functions.
    Module,
    /// As a parameter of a kernel.
    Param,
    /// As a parameter of a device function, or as what it returns.
    Function,
    /// As the last of the values that a device function takes, which ptxas takes without a length.
    LastInput,
    /// In a body.
    Body,
}

impl Scope {
    /// Where input `n` of `count` of a function is declared.
    pub const fn of_input(kind: FunctionKind, n: usize, count: usize) -> Self {
        match kind {
            FunctionKind::Kernel => Self::Param,
            FunctionKind::Device if n + 1 == count => Self::LastInput,
            FunctionKind::Device => Self::Function,
        }
    }

    /// The parameters of a function and what it returns, in this order, with where each stands.
    pub fn of_signature<'a>(
        function: &Function<'a>,
    ) -> impl Iterator<Item = (&'a Param<'a>, Self)> {
        let (kind, count) = (function.kind, function.params.len());
        let inputs = function.params.iter().enumerate();
        let inputs = inputs.map(move |(n, param)| (param, Self::of_input(kind, n, count)));
        inputs.chain(function.returns.iter().map(|param| (param, Self::Function)))
    }

    /// The lowest PTX version that a declaration here needs.
    pub const fn since(self, variable: &Variable<'_>) -> Version {
        let version = if is_written_as_bits(variable, self) {
            variable.linkage.since()
        } else {
            variable.since()
        };
        match self {
            Self::LastInput if has_no_length(variable) => version.newer(UNSIZED_SINCE),
            _ => version,
        }
    }

    /// Whether it is a signature.
    const fn is_signature(self) -> bool {
        match self {
            Self::Param | Self::Function | Self::LastInput => true,
            Self::Module | Self::Body => false,
        }
    }
}

pub(super) const fn illegal_name<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match ident::fault(variable.name) {
        Some(fault) if !is_name_taken(variable, scope, fault) => {
            Some([Arg::Str(variable.name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn name_taken_by_ptxas<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match ident::fault(variable.name) {
        Some(fault) if is_name_taken(variable, scope, fault) => {
            Some([Arg::Str(variable.name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE])
        }
        Some(_) | None => None,
    }
}

/// Whether ptxas takes a name that is none: a special register's where that is hidden or declared
/// again, `_` as a parameter of a kernel, and none at all.
const fn is_name_taken(variable: &Variable<'_>, scope: Scope, fault: ident::Fault) -> bool {
    match (fault, scope) {
        (ident::Fault::SpecialRegister, Scope::Param | Scope::Function | Scope::LastInput)
        | (ident::Fault::SpecialRegister | ident::Fault::Empty, Scope::Body) => true,
        (ident::Fault::SpecialRegister, Scope::Module) => {
            let (Type::Scalar(scalar), Some(register)) =
                (variable.ty, special_register(variable.name))
            else {
                return false;
            };
            let is_bits = matches!(scalar.class(), Class::Bits);
            matches!(variable.space, Space::Global)
                && variable.linkage.is_exported()
                && is_bits
                && !register.is_vector
                && scalar.bytes() == register.ty.bytes()
        }
        (ident::Fault::Lone, Scope::Param) => same(variable.name, "_"),
        (ident::Fault::Empty, Scope::Module) => variable.space.is_module_scope(),
        (_, _) => false,
    }
}

pub(super) const fn same_name<'a>(name: &'a str, earlier: &'a str) -> Option<Args<'a>> {
    if same(name, earlier) { Some([Arg::Str(name), NONE, NONE, NONE]) } else { None }
}

pub(super) const fn predicate_stored<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match variable.ty.scalar() {
        Some(ScalarType::Pred)
            if !matches!(variable.space, Space::Reg)
                && !is_predicate_hidden(variable, scope, env) =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

/// Whether the text does not name the element: bytes stand for the vectors of a signature, and for
/// whatever dynamic shared memory is made of.
const fn is_element_hidden(variable: &Variable<'_>, scope: Scope) -> bool {
    let is_param = scope.is_signature() && !matches!(variable.space, Space::Reg);
    is_param && matches!(variable.ty.element(), Type::Vector(..)) || variable.is_dynamic()
}

/// Whether ptxas sees bytes for predicates, which are none: it has to take no length, too.
const fn is_predicate_hidden(variable: &Variable<'_>, scope: Scope, env: Environment) -> bool {
    is_bytes_in_text(variable, scope) && is_length_hidden(variable, scope, env)
}

pub(super) const fn hidden_type<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    let is_pred = matches!(variable.ty.scalar(), Some(ScalarType::Pred));
    let (why, fix) = if is_pred && is_predicate_hidden(variable, scope, env) {
        ("predicates live in registers only", "store a `u8`, or declare `.reg .pred` in the body")
    } else if variable.ty.family().is_some() && variable.is_dynamic() {
        ("the launch sizes one variable, not several", "declare an array")
    } else if misses_extent(variable) && is_length_hidden(variable, scope, env) {
        ("its elements cannot be counted", "write the number of elements")
    } else {
        return None;
    };
    Some([Arg::Str(variable.name), Arg::Type(variable.ty), Arg::Str(why), Arg::Str(fix)])
}

pub(super) const fn vector_too_wide<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(lanes, scalar)
            if *lanes as usize * scalar.bytes() > 16 && !is_bytes_in_text(variable, scope) =>
        {
            let bytes = *lanes as usize * scalar.bytes();
            let instead = match (scalar.bytes(), scalar) {
                (8, ScalarType::F64) => "`V2<f64>`",
                (8, ScalarType::U64) => "`V2<u64>`",
                (8, ScalarType::S64) => "`V2<i64>`",
                (8, ScalarType::F32x2) => "`V2<F32x2>`",
                (8, _) => "`V2<B64>`",
                (16, _) => "an array, `[B128; N]`",
                (_, _) => "`V4`",
            };
            Some([Arg::Type(variable.ty.element()), Arg::Bytes(bytes), Arg::Str(instead), NONE])
        }
        _ => None,
    }
}

pub(super) const fn vector_lanes<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(2 | 4, _) => None,
        Type::Vector(lanes, _) if !is_bytes_in_text(variable, scope) => {
            Some([Arg::Type(variable.ty.element()), Arg::Int(*lanes as i128), NONE, NONE])
        }
        _ => None,
    }
}

/// The powers of two around an alignment that is none.
pub(super) const fn around(align: usize) -> (Arg<'static>, Arg<'static>) {
    if align == 0 {
        return (Arg::Int(1), Arg::Int(2));
    }
    let below = 1usize << align.ilog2();
    (Arg::Int(below as i128), Arg::Int(below as i128 * 2))
}

pub(super) const fn align_not_power_of_two<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let of_type = match variable.ty.element() {
        Type::Struct(layout) => Some(layout.align),
        _ => None,
    };
    let align = match variable.align {
        Some(align) => Some(align),
        None => of_type,
    };
    match align {
        Some(align) if !align.is_power_of_two() => {
            let (below, above) = around(align);
            Some([Arg::Int(align as i128), below, above, NONE])
        }
        _ => None,
    }
}

pub(super) const fn align_too_large<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.align {
        Some(align) if align.is_power_of_two() && align > 1 << 31 => {
            Some([Arg::Int(align as i128), NONE, NONE, NONE])
        }
        Some(_) | None => None,
    }
}

pub(super) const fn predicate_vector<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(_, ScalarType::Pred) if matches!(variable.space, Space::Reg) => {
            Some([Arg::Type(variable.ty), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn align_below_natural<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.align, variable.ty.align()) {
        (Some(align), Some(natural))
            if align.is_power_of_two() && align < natural && !variable.allows("D006") =>
        {
            let (align, natural) = (Arg::Int(align as i128), Arg::Int(natural as i128));
            Some([align, natural, Arg::Type(variable.ty.element()), NONE])
        }
        _ => None,
    }
}

pub(super) const fn extent_zero<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    zero_extent(variable, scope, env, false)
}

pub(super) const fn extent_zero_taken<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    zero_extent(variable, scope, env, true)
}

/// An extent of zero, which ptxas takes or not.
const fn zero_extent<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
    is_taken: bool,
) -> Option<Args<'a>> {
    if let (true, Some((Extent::Known(0), _))) = (is_taken, variable.ty.family()) {
        return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
    }
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        // As the first before a value, or of external shared memory, a zero is as good as none.
        let is_open = has_values(variable)
            || matches!(variable.space, Space::Shared) && variable.linkage.is_elsewhere();
        // The extents of structs are one extent of bytes.
        let is_counted = is_open && (n == 0 || matches!(variable.ty.element(), Type::Struct(_)));
        if matches!(extent, Extent::Known(0))
            && (is_counted || is_length_hidden(variable, scope, env)) == is_taken
        {
            return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
        }
        n += 1;
    }
    None
}

const fn has_values(variable: &Variable<'_>) -> bool {
    match variable.init {
        Init::Value(Value::List(values)) => !values.is_empty(),
        Init::Bytes(bytes) => !bytes.is_empty(),
        Init::Linked(linked) => !linked.bytes.is_empty(),
        Init::None | Init::Value(_) | Init::Members(_) | Init::Unknown => false,
    }
}

/// Whether ptxas asks for no length: the text of dynamic shared memory has none, and the last array
/// that a device function takes needs none.
const fn is_length_hidden(variable: &Variable<'_>, scope: Scope, env: Environment) -> bool {
    let is_unsized_known = match env.version {
        Some(version) => !version.is_below(UNSIZED_SINCE),
        None => true,
    };
    let is_last = matches!((scope, variable.space), (Scope::LastInput, Space::Param));
    is_last && is_unsized_known || variable.is_dynamic()
}

/// Whether the text of a parameter has brackets without a length.
const fn has_no_length(variable: &Variable<'_>) -> bool {
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        if matches!(extent, Extent::Known(0) | Extent::Incomplete) {
            return true;
        }
        n += 1;
    }
    false
}

/// Whether the text has bytes in the place of vectors: there are no vectors in `.param` of
/// signatures, and dynamic shared memory is bytes. Their alignment still is one.
const fn is_bytes_in_text(variable: &Variable<'_>, scope: Scope) -> bool {
    let has_alignment = match variable.alignment() {
        Some(align) => align.is_power_of_two(),
        None => false,
    };
    is_element_hidden(variable, scope) && has_alignment
}

pub(super) const fn vector_as_bytes<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.element() {
        Type::Vector(lanes, scalar)
            if is_bytes_in_text(variable, scope)
                && (*lanes as usize * scalar.bytes() > 16 || !matches!(*lanes, 2 | 4)) =>
        {
            Some([Arg::Str(variable.name), Arg::Type(variable.ty.element()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn extent_missing<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if misses_extent(variable) && !is_length_hidden(variable, scope, env) {
        return Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]);
    }
    None
}

/// Whether an extent is left out that nothing else tells.
const fn misses_extent(variable: &Variable<'_>) -> bool {
    let mut n = 0;
    while let Some(extent) = variable.ty.extent(n) {
        let first_may =
            n == 0 && (variable.is_counted_by_value() || variable.linkage.is_elsewhere());
        if matches!(extent, Extent::Incomplete) && !first_may {
            return true;
        }
        n += 1;
    }
    false
}

pub(super) const fn const_variable_over_limit<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.space, variable.bytes()) {
        (Space::Const, Some(bytes)) if bytes > CONST_BYTES => {
            Some([Arg::Str(variable.name), Arg::Bytes(bytes), Arg::Bytes(CONST_BYTES), NONE])
        }
        _ => None,
    }
}

/// Whether ptxas asks whether there is the type yet: of arrays of `.b128` and of vectors of `.f16x2`
/// it does not.
const fn is_asked_for(variable: &Variable<'_>) -> bool {
    match variable.ty.element() {
        Type::Scalar(ScalarType::B128) => variable.ty.rank() == 0,
        Type::Vector(_, ScalarType::F16x2) => false,
        _ => true,
    }
}

/// Whether the text declares other bits, which every version has: there are no parameters of type
/// `.f16x2`.
const fn is_written_as_bits(variable: &Variable<'_>, scope: Scope) -> bool {
    let is_param = scope.is_signature() && !matches!(variable.space, Space::Reg);
    let is_pair = matches!(variable.ty.scalar(), Some(ScalarType::F16x2));
    is_param && is_pair || is_element_hidden(variable, scope)
}

pub(super) const fn type_too_new<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if is_asked_for(variable) && !is_written_as_bits(variable, scope) {
        return too_new(Arg::Type(variable.ty.element()), variable.type_needs().0, env);
    }
    None
}

pub(super) const fn array_type_too_new<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if is_asked_for(variable) || is_written_as_bits(variable, scope) {
        return None;
    }
    too_new(Arg::Type(variable.ty.element()), variable.type_needs().0, env)
}

pub(super) const fn type_wrong_target<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if is_asked_for(variable) && !is_written_as_bits(variable, scope) {
        return wrong_target(Arg::Type(variable.ty.element()), variable.type_needs().1, env);
    }
    None
}

pub(super) const fn array_type_wrong_target<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if is_asked_for(variable) || is_written_as_bits(variable, scope) {
        return None;
    }
    wrong_target(Arg::Type(variable.ty.element()), variable.type_needs().1, env)
}

pub(super) const fn register_array<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (scope, variable.space, variable.ty) {
        (Scope::Body, Space::Reg, Type::Array(..) | Type::Struct(_)) => {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn linkage_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    match variable.linkage.directive() {
        Some(linkage) => too_new(Arg::Str(linkage), variable.linkage.since(), env),
        None => None,
    }
}

pub(super) const fn common_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.linkage, variable.space) {
        (Linkage::Common, Space::Global) => None,
        (Linkage::Common, space) => {
            Some([Arg::Str(variable.name), Arg::Str(space.directive()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn managed_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let is_family = variable.ty.family().is_some() && !variable.is_dynamic();
    if variable.managed && !is_family && !matches!(variable.space, Space::Global) {
        let space = Arg::Str(variable.space.directive());
        return Some([Arg::Str(variable.name), space, NONE, NONE]);
    }
    None
}

pub(super) const fn family_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let is_family = variable.ty.family().is_some() && !variable.is_dynamic();
    if variable.managed && is_family && !matches!(variable.space, Space::Global) {
        let space = Arg::Str(variable.space.directive());
        return Some([Arg::Str(variable.name), space, NONE, NONE]);
    }
    None
}

pub(super) const fn managed_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if variable.managed { too_new(Arg::Str(variable.name), MANAGED_SINCE, env) } else { None }
}

pub(super) const fn space_not_here<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let (here, place) = match scope {
        Scope::Module => (variable.space.is_module_scope(), "outside a function"),
        Scope::Body => (variable.space.is_body_scope(), "in a body"),
        Scope::Param => (matches!(variable.space, Space::Param), "as a parameter of a kernel"),
        Scope::Function | Scope::LastInput => {
            (matches!(variable.space, Space::Param | Space::Reg), "as a parameter of a function")
        }
    };
    let fix = match variable.space {
        _ if here => return None,
        Space::Tex => {
            "`.tex` is gone since PTX 1.5: write `#[global] static X: TexRef;`, which is `.global .texref` (PTX ISA 5.1.8)"
        }
        Space::Sreg => "special registers are predefined: use them by name, as `%tid.x`",
        Space::Reg | Space::Local => "declare it in the body of a kernel",
        Space::Param => "declare it as a parameter of a kernel",
        Space::Const | Space::Global | Space::Shared => "declare it in the module",
    };
    Some([Arg::Str(variable.space.directive()), Arg::Str(place), Arg::Str(fix), NONE])
}

pub(super) const fn family_initialised<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let is_written = !matches!(variable.init, Init::None) && !variable.is_dynamic();
    if variable.ty.family().is_some() && is_written {
        return Some([Arg::Str(variable.name), NONE, NONE, NONE]);
    }
    None
}

pub(super) const fn family_of_arrays<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match variable.ty.family() {
        Some((_, Type::Array(..) | Type::Struct(_) | Type::Family(..)))
            if !variable.is_dynamic() =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn family_name<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    let name = variable.name.as_bytes();
    if variable.ty.family().is_some() && !name.is_empty() && name[name.len() - 1].is_ascii_digit() {
        return Some([Arg::Str(variable.name), NONE, NONE, NONE]);
    }
    None
}

pub(super) const fn unified_outside_global<'a>(
    variable: &Variable<'a>,
    _: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    if variable.unified.is_some() && !matches!(variable.space, Space::Global) {
        let space = Arg::Str(variable.space.directive());
        return Some([Arg::Str(variable.name), space, NONE, NONE]);
    }
    None
}

pub(super) const fn unified_too_new<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if variable.unified.is_none() {
        return None;
    }
    too_new(Arg::Str(variable.name), Unified::SINCE, env)
}

pub(super) const fn unified_wrong_target<'a>(
    variable: &Variable<'a>,
    _: Scope,
    env: Environment,
) -> Option<Args<'a>> {
    if variable.unified.is_none() {
        return None;
    }
    wrong_target(Arg::Str(variable.name), Unified::MIN_ARCH, env)
}

pub(super) const fn param_type<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (scope, variable.space, variable.ty) {
        (
            Scope::Body,
            Space::Param,
            Type::Scalar(ScalarType::F16x2)
            | Type::Vector(..)
            | Type::Family(_, Type::Scalar(ScalarType::F16x2) | Type::Vector(..)),
        ) => Some([Arg::Str(variable.name), Arg::Type(variable.ty), NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn local_param_over_aligned<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (scope, variable.space, variable.align) {
        (Scope::Body, Space::Param, Some(align)) if align.is_power_of_two() && align > 128 => {
            Some([Arg::Str(variable.name), Arg::Int(align as i128), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn constant_never_set<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.space, variable.linkage, variable.init) {
        (Space::Const, Linkage::Internal, Init::None)
            if !variable.allows("D057") && !scope.is_signature() =>
        {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn managed_hidden<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    _: Environment,
) -> Option<Args<'a>> {
    match (variable.linkage, scope) {
        (Linkage::Internal, Scope::Module) if variable.managed && !variable.allows("D058") => {
            Some([Arg::Str(variable.name), NONE, NONE, NONE])
        }
        _ => None,
    }
}
