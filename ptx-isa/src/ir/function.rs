//! Kernels and device functions.

use alloc::vec::Vec;
use core::fmt;

use super::body::Body;
use super::family::is_member;
use super::launch::ExampleLaunch;
use super::location::{DeclaredAt, Locations};
use super::ty::{Extent, Pointer, Type};
use super::variable::{Linkage, Unified, Variable};
use crate::const_ord::max;
use crate::const_str::{contains, same};
use crate::space::Space;
use crate::target::{Target, Version};

/// The size of a kernel's parameter space in bytes before PTX 8.1, or below `sm_70`.
pub const PARAM_BYTES_BEFORE_8_1: usize = 4_352;

/// A kernel (`.entry`) or a device function (`.func`).
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The name, as in the PTX text.
    pub name: &'a str,
    /// Kernel or device function.
    pub kind: FunctionKind,
    /// The linkage.
    pub linkage: Linkage,
    /// The return values of a device function; empty for kernels.
    pub returns: &'a [Param<'a>],
    /// The parameters, in order.
    pub params: &'a [Param<'a>],
    /// The performance and cluster directives, in the order they are written.
    pub directives: &'a [Directive],
    /// For a kernel, an example of a launch. PTX has no syntax for it.
    pub launch: Option<&'a ExampleLaunch<'a>>,
    /// The body; `None` for a declaration.
    pub body: Option<Body<'a>>,
    /// The module's variables that the body names; for a kernel, also those that the functions it
    /// calls name.
    pub uses: &'a [&'a Variable<'a>],
    /// The registers and storage that the body itself declares.
    pub locals: &'a [&'a Variable<'a>],
    /// The prototypes that its body declares, in order, each under the name of its label (PTX ISA 11.2.3); left out where a
    /// module is made by a macro, which compares the calls with them.
    pub prototypes: &'a [Function<'a>],
    /// `.shared` variables that the body declares and never names, and that are not among the
    /// locals: ptxas counts them, and lays them out last.
    pub idle_shared: &'a [&'a Variable<'a>],
    /// For a kernel, the variables that the functions it calls declare, with the functions'
    /// linkage: their shared memory is part of the kernel's.
    pub called_shared: &'a [&'a Variable<'a>],
    /// The special registers that the body names, `%` included.
    pub specials: &'a [&'a str],
    /// The module's functions and kernels that the body names: it calls them, or takes their
    /// address.
    pub calls: &'a [&'a str],
    /// For a device function of a Rust module, what another module needs in order to have a copy of it.
    pub sharing: Option<&'a Sharing<'a>>,
    /// The lowest PTX version that the qualifiers in the body need: `.param::entry`.
    pub body_since: Version,
    /// `.attribute(.unified(uuid1, uuid2))`, for device functions (PTX ISA 5.4.8).
    pub unified: Option<Unified>,
    /// Codes of the hazards that are allowed here.
    pub allow: &'a [&'a str],
    /// The place of its name in Rust source, if it came from there.
    pub place: Option<DeclaredAt<'a>>,
    /// The places of its statements in Rust source, if they came from there.
    pub places: &'a Locations<'a>,
    /// For statements that come from a fragment, where they are written, from the innermost fragment on.
    pub inlined: &'a Locations<'a>,
}

impl<'a> Function<'a> {
    /// A function without parameters, directives or a body.
    pub const fn new(kind: FunctionKind, name: &'a str) -> Self {
        Self {
            name,
            kind,
            linkage: Linkage::Internal,
            returns: &[],
            params: &[],
            directives: &[],
            launch: None,
            body: None,
            uses: &[],
            locals: &[],
            prototypes: &[],
            idle_shared: &[],
            called_shared: &[],
            specials: &[],
            calls: &[],
            sharing: None,
            body_since: Version::new(1, 0),
            unified: None,
            allow: &[],
            place: None,
            places: &Locations::NONE,
            inlined: &Locations::NONE,
        }
    }
}

/// What another module needs in order to have a copy of a device function. PTX has no syntax for it.
#[derive(Clone, Copy)]
pub struct Sharing<'a> {
    /// The path of the Rust module that declares it.
    pub home: &'a str,
    /// The functions that its body calls.
    pub callees: &'a [&'a Function<'a>],
}

impl fmt::Debug for Sharing<'_> {
    /// Writes the names of functions, which may call each other.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let callees: Vec<&str> = self.callees.iter().map(|function| function.name).collect();
        f.debug_struct("Sharing").field("home", &self.home).field("callees", &callees).finish()
    }
}

/// The kind of a [`Function`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FunctionKind {
    /// Launched from the host: `.entry`.
    Kernel,
    /// Called from device code: `.func`.
    Device,
}

impl FunctionKind {
    /// The directive, dot included.
    pub const fn directive(self) -> &'static str {
        match self {
            Self::Kernel => ".entry",
            Self::Device => ".func",
        }
    }
}

/// A parameter: a variable in `.param` space, and its pointee (PTX ISA 5.1.6).
#[derive(Clone, Copy, Debug)]
pub struct Param<'a> {
    /// The declaration.
    pub variable: Variable<'a>,
    /// What the parameter points to, if it is a pointer.
    pub pointer: Option<Pointer<'a>>,
    /// Whether a kernel promises only to read through this pointer or tensor map: `#[readonly]`.
    /// PTX has no syntax for it; the host may share the memory that it points to.
    pub readonly: bool,
    /// The number of elements behind the pointer that the contract of the kernel grants: 64 for
    /// `requires(to.len() >= 64)`. PTX has no syntax for it.
    pub elements: Option<usize>,
}

impl<'a> Param<'a> {
    /// A parameter of this type that is not a pointer.
    pub const fn new(name: &'a str, ty: &'a Type<'a>) -> Self {
        Self {
            variable: Variable::new(Space::Param, name, ty),
            pointer: None,
            readonly: false,
            elements: None,
        }
    }
}

/// A directive of a function with its values: `.maxntid 256, 1, 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Directive {
    /// The directive.
    pub kind: DirectiveKind,
    /// Its values; only the first [`DirectiveKind::arity`] are used, and a missing dimension is 1.
    pub values: [u32; 3],
}

impl Directive {
    /// The product of its values, or `u64::MAX` if that is greater.
    pub const fn product(&self) -> u64 {
        let (mut product, mut n) = (1_u64, 0);
        while n < self.kind.arity() {
            product = product.saturating_mul(self.values[n] as u64);
            n += 1;
        }
        product
    }
}

/// Declares the [`DirectiveKind`] enum, one row per directive.
macro_rules! directives {
    ($($(#[$doc:meta])* $Kind:ident $name:literal * $arity:literal, most: $most:literal, version: ($major:literal, $minor:literal), arch: $arch:literal;)*) => {
        /// A directive between a function's parameters and its body (PTX ISA 11.4).
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum DirectiveKind {
            $($(#[$doc])* $Kind,)*
        }

        impl DirectiveKind {
            /// Every directive, in the order they are written.
            pub const ALL: &'static [Self] = &[$(Self::$Kind),*];

            /// The name without its dot.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Kind => $name,)* }
            }

            /// The maximum number of values.
            pub const fn arity(self) -> usize {
                match self { $(Self::$Kind => $arity,)* }
            }

            /// The greatest value, or product of values, that any target has. ptxas ignores a greater one, unless it
            /// [is exact](Self::is_exact): then no launch succeeds.
            pub const fn most(self) -> u64 {
                match self { $(Self::$Kind => $most,)* }
            }

            /// The lowest PTX version that has it.
            pub const fn since(self) -> Version {
                match self { $(Self::$Kind => Version::new($major, $minor),)* }
            }

            /// The lowest architecture (90 for `sm_90`) that has it.
            pub const fn min_arch(self) -> u16 {
                match self { $(Self::$Kind => $arch,)* }
            }
        }
    };
}

directives! {
    /// The maximum number of threads in a block, in each dimension.
    MaxNTid "maxntid" * 3, most: 2048, version: (1, 3), arch: 10;
    /// The exact number of threads in a block, in each dimension.
    ReqNTid "reqntid" * 3, most: 1024, version: (2, 1), arch: 10;
    /// The minimum number of blocks on one multiprocessor.
    MinNCtaPerSm "minnctapersm" * 1, most: 32, version: (2, 0), arch: 20;
    /// The maximum number of registers of a thread.
    MaxNReg "maxnreg" * 1, most: 255, version: (1, 3), arch: 10;
    /// The exact number of blocks in a cluster, in each dimension.
    ReqNCtaPerCluster "reqnctapercluster" * 3, most: 16, version: (7, 8), arch: 90;
    /// The maximum number of blocks in a cluster, of any size.
    MaxClusterRank "maxclusterrank" * 1, most: 4_294_967_295, version: (7, 8), arch: 90;
    /// The launch specifies the number of blocks in a cluster.
    ExplicitCluster "explicitcluster" * 0, most: 1, version: (7, 8), arch: 90;
    /// A device function that does not return to its caller.
    NoReturn "noreturn" * 0, most: 1, version: (6, 4), arch: 30;
}

/// The maximum number of threads of a block in each dimension, for any target.
pub const MOST_THREADS: [u32; 3] = [1024, 1024, 64];

impl DirectiveKind {
    /// Whether it applies to kernels rather than device functions.
    pub const fn is_of_kernels(self) -> bool {
        !matches!(self, Self::NoReturn)
    }

    /// Whether a launch has to match its values exactly.
    pub const fn is_exact(self) -> bool {
        match self {
            Self::ReqNTid | Self::ReqNCtaPerCluster => true,
            Self::MaxNTid
            | Self::MinNCtaPerSm
            | Self::MaxNReg
            | Self::MaxClusterRank
            | Self::ExplicitCluster
            | Self::NoReturn => false,
        }
    }

    /// Whether it is about clusters of blocks.
    pub const fn is_of_cluster(self) -> bool {
        matches!(self, Self::ReqNCtaPerCluster | Self::MaxClusterRank | Self::ExplicitCluster)
    }
}

impl Function<'_> {
    /// Whether the hazard with this code is allowed here.
    pub const fn allows(&self, code: &str) -> bool {
        contains(self.allow, code)
    }

    /// The offset in bytes of parameter `n` from the first, where ptxas places them for this target:
    /// in order, each at its alignment. On `sm_70` to `sm_90a`, the address in constant bank 0 is
    /// aligned: on `sm_90`, where the first is [at 0x210](Self::param_base), one that is aligned to
    /// 64 bytes lies at offset 48; not so before `sm_90`, if they are larger than 4,352 bytes. If `n` is the number of parameters, this is the size of them all,
    /// without padding at the end. `None` where a type before it is unknown.
    pub const fn param_offset(&self, target: Target, n: usize) -> Option<usize> {
        let start = if self.has_large_params(target) { 0 } else { target.param_origin() };
        self.param_offset_from(start, n)
    }

    /// The address in constant bank 0 of the first parameter, in bytes.
    pub const fn param_base(&self, target: Target) -> usize {
        if self.has_large_params(target) { Target::LARGE_PARAM_BASE } else { target.param_base() }
    }

    /// Whether the parameters lie where `sm_70` to `sm_89` have those that older versions of PTX do not allow.
    const fn has_large_params(&self, target: Target) -> bool {
        target.arch() >= 70
            && target.arch() < 90
            && matches!(self.param_bytes(), Some(bytes) if bytes > PARAM_BYTES_BEFORE_8_1)
    }

    /// Like [`Self::param_offset`], where alignment counts this number of bytes before the first parameter. ptxas
    /// raises an alignment to that of the type.
    pub const fn param_offset_from(&self, start: usize, n: usize) -> Option<usize> {
        let mut end = start;
        let mut i = 0;
        while i < self.params.len() {
            let variable = &self.params[i].variable;
            let (Some(size), Some(align)) = (variable.bytes(), variable.alignment()) else {
                return None;
            };
            // All but scalars and arrays of them are bytes in PTX.
            let natural = match variable.ty.element() {
                Type::Scalar(scalar) => scalar.bytes(),
                _ => 1,
            };
            end = round_up(end, max(align, natural));
            if i == n {
                return Some(end - start);
            }
            end = end.saturating_add(size);
            i += 1;
        }
        Some(end - start)
    }

    /// The size in bytes of the parameters that the limit of a kernel's parameter space counts (PTX ISA
    /// 5.1.6.1): with aligned offsets, whatever the target. `None` where a type is
    /// unknown.
    pub const fn param_bytes(&self) -> Option<usize> {
        self.param_offset_from(0, self.params.len())
    }

    /// The size in bytes of the static shared memory that the body uses, as ptxas lays it out:
    /// visible variables before others, and in both groups the module's variables first, then those
    /// of called functions, then the function's own; last its own that it never names. A function's
    /// own variables are as visible as the function. `None` where a type is unknown.
    pub const fn static_shared_bytes(&self) -> Option<usize> {
        let end = lay_out(0, self.uses, Space::Shared, Some(true));
        let end = lay_out(end, self.called_shared, Space::Shared, Some(true));
        let (first, last): (&[_], &[_]) =
            if self.linkage.is_exported() { (self.locals, &[]) } else { (&[], self.locals) };
        let end = lay_out(end, first, Space::Shared, None);
        let end = lay_out(end, self.uses, Space::Shared, Some(false));
        let end = lay_out(end, self.called_shared, Space::Shared, Some(false));
        let end = lay_out(end, last, Space::Shared, None);
        known(lay_out(end, self.idle_shared, Space::Shared, None))
    }

    /// Where dynamic shared memory starts, in bytes, in a module where it has this
    /// [alignment](super::Module::dynamic_shared_alignment): after the static shared memory. `None`
    /// where a type is unknown.
    pub const fn dynamic_shared_offset(&self, alignment: usize) -> Option<usize> {
        match self.static_shared_bytes() {
            Some(fixed) => Some(round_up(fixed, alignment)),
            None => None,
        }
    }

    /// The bytes of dynamic shared memory that a launch must request: all dynamic variables that
    /// the body names start at the same address, so it is the size of the largest (PTX ISA 5.1.7).
    /// `Some(0)` if it names none. `None` where one has no length, which the launch decides, or a
    /// type is unknown.
    pub const fn dynamic_shared_bytes(&self) -> Option<usize> {
        let (mut most, mut i) = (0, 0);
        while i < self.uses.len() {
            if self.uses[i].is_dynamic() {
                match self.uses[i].bytes() {
                    Some(bytes) => most = max(most, bytes),
                    None => return None,
                }
            }
            i += 1;
        }
        Some(most)
    }

    /// Whether the body names dynamic shared memory.
    pub const fn has_dynamic_shared(&self) -> bool {
        let mut i = 0;
        while i < self.uses.len() {
            if self.uses[i].is_dynamic() {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// The alignment of dynamic shared memory in a module with these variables: see
/// [`Module::dynamic_shared_alignment`](super::Module::dynamic_shared_alignment).
pub(super) const fn dynamic_alignment(variables: &[&Variable<'_>]) -> Option<usize> {
    let (mut greatest, mut i) = (1, 0);
    while i < variables.len() {
        if variables[i].is_dynamic() {
            let Some(align) = variables[i].alignment() else { return None };
            // ptxas aligns it to 16 bytes at least.
            greatest = max(greatest, max(align, 16));
        }
        i += 1;
    }
    Some(greatest)
}

/// Where the module's constants end, in bytes, laid out as ptxas does: the module's visible ones,
/// its others, then those of the bodies. Families in bodies are left out: ptxas keeps only the
/// members that a body names. `None` where a type is unknown.
pub(super) const fn lay_out_const(
    variables: &[&Variable<'_>],
    functions: &[&Function<'_>],
) -> Option<usize> {
    let mut end = lay_out_constants(0, variables, functions, true);
    end = lay_out_constants(end, variables, functions, false);
    let mut i = 0;
    while i < functions.len() {
        let (locals, mut n) = (functions[i].locals, 0);
        while n < locals.len() {
            if locals[n].ty.family().is_none() {
                end = lay_out(end, &[locals[n]], Space::Const, None);
            }
            n += 1;
        }
        i += 1;
    }
    known(end)
}

/// Like [`lay_out`], for the module's constants; a family counts as the members that bodies name.
const fn lay_out_constants(
    end: usize,
    variables: &[&Variable<'_>],
    functions: &[&Function<'_>],
    visible: bool,
) -> usize {
    let (mut end, mut i) = (end, 0);
    while i < variables.len() {
        let variable = variables[i];
        i += 1;
        match (variable.space, variable.ty.family()) {
            (Space::Const, None) => end = lay_out(end, &[variable], Space::Const, Some(visible)),
            (Space::Const, Some(_)) => {
                let member = variable.unit();
                let mut left = named_members(variable.name, functions);
                while left > 0 {
                    end = lay_out(end, &[&member], Space::Const, Some(visible));
                    left -= 1;
                }
            }
            (_, _) => {}
        }
    }
    end
}

/// The number of members of a family that bodies name.
const fn named_members(family: &str, functions: &[&Function<'_>]) -> usize {
    let (mut count, mut i) = (0, 0);
    while i < functions.len() {
        let mut n = 0;
        while n < functions[i].uses.len() {
            let name = functions[i].uses[n].name;
            if is_member(name, family, None) && !is_named_before(name, functions, i, n) {
                count += 1;
            }
            n += 1;
        }
        i += 1;
    }
    count
}

const fn is_named_before(name: &str, functions: &[&Function<'_>], i: usize, n: usize) -> bool {
    let mut function = 0;
    while function <= i {
        let uses = functions[function].uses;
        let mut at = 0;
        while at < uses.len() && (function < i || at < n) {
            if same(uses[at].name, name) {
                return true;
            }
            at += 1;
        }
        function += 1;
    }
    false
}

/// The result of [`lay_out`] once a size is unknown.
const UNKNOWN: usize = usize::MAX;

const fn known(end: usize) -> Option<usize> {
    if end == UNKNOWN { None } else { Some(end) }
}

/// The end of the static variables in `space`, visible or not as requested, that are laid out from
/// `end`, in declaration order, each at its alignment.
const fn lay_out(
    end: usize,
    variables: &[&Variable<'_>],
    space: Space,
    visible: Option<bool>,
) -> usize {
    let (mut end, mut i) = (end, 0);
    while end != UNKNOWN && i < variables.len() {
        let variable = variables[i];
        i += 1;
        if let Some(visible) = visible
            && variable.linkage.is_exported() != visible
        {
            continue;
        }
        // An array that is defined elsewhere, without a length, takes no memory here.
        let is_far = variable.linkage.is_elsewhere()
            && matches!(variable.ty.extent(0), Some(Extent::Incomplete));
        if variable.space as u8 == space as u8 && !is_far && !variable.is_dynamic() {
            let (Some(size), Some(align)) = (variable.bytes(), variable.alignment()) else {
                return UNKNOWN;
            };
            // A declared alignment does not lower a natural one; that of a struct is that of bytes.
            let natural = match variable.ty.element() {
                Type::Scalar(scalar) if variable.is_carried() => {
                    Some(scalar.bytes() / scalar.initialised().1)
                }
                element @ (Type::Scalar(_) | Type::Vector(..)) => element.align(),
                _ => None,
            };
            let align = match natural {
                Some(natural) => max(align, natural),
                None => align,
            };
            // Each member of a family is a variable of its own; where their number is unknown, so
            // is the size.
            let members = match variable.ty.family() {
                Some((Extent::Known(members), _)) => members,
                Some((Extent::Incomplete | Extent::Unknown, _)) | None => 1,
            };
            if let Some(each) = size.checked_div(members) {
                let stride = round_up(each, align);
                end = round_up(end, align)
                    .saturating_add(stride.saturating_mul(members - 1))
                    .saturating_add(each);
            }
        }
    }
    end
}

/// `offset` rounded up to a multiple of `align`; an alignment of 0 changes nothing.
const fn round_up(offset: usize, align: usize) -> usize {
    match offset.checked_next_multiple_of(align) {
        Some(rounded) => rounded,
        None => offset,
    }
}

#[cfg(test)]
mod tests;
