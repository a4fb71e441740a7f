//! Modules.

use core::fmt;

use super::function::{
    DirectiveKind, Function, PARAM_BYTES_BEFORE_8_1, dynamic_alignment, lay_out_const,
};
use super::scope::Scope;
use super::variable::{Unified, Variable};
use crate::opaque::TextureMode;
use crate::special::special_register;
use crate::target::{Release, Target, Version};

/// A PTX module: a target, storage and functions.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a> {
    /// The name, for people; PTX modules have none.
    pub name: &'a str,
    /// The target architecture.
    pub target: Target,
    /// The requested PTX version; `None` for the lowest that suffices.
    pub version: Option<Version>,
    /// The oldest release of ptxas that the module is for; `None` for any.
    pub release: Option<Release>,
    /// Whether textures and samplers are one handle or two (PTX ISA 5.3).
    pub texture_mode: TextureMode,
    /// Whether the text names the Rust lines of its statements, `.file` and `.loc` (PTX ISA 11.5),
    /// for debuggers and profilers.
    pub line_info: Option<LineInfo<'a>>,
    /// The PTX text that the module was read from. It is printed instead of the declarations, with
    /// its comments, its layout and anything that the IR cannot represent; `None` where the
    /// declarations are printed.
    pub source: Option<&'a str>,
    /// The module's variables.
    pub variables: &'a [&'a Variable<'a>],
    /// The module's functions.
    pub functions: &'a [&'a Function<'a>],
}

/// How the text names Rust files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineInfo<'a> {
    /// The folder to prepend to relative paths; empty to leave them as they are.
    pub folder: &'a str,
}

impl<'a> Module<'a> {
    /// A module without storage and functions.
    pub const fn new(name: &'a str, target: Target) -> Self {
        Self {
            name,
            target,
            version: None,
            release: None,
            texture_mode: TextureMode::Unified,
            line_info: None,
            source: None,
            variables: &[],
            functions: &[],
        }
    }

    /// The PTX version of the text: the requested one, or the lowest that the target and the
    /// declarations need. What the instructions of bodies need is left to ptxas.
    pub const fn version(&self) -> Version {
        match self.version {
            Some(version) => version,
            None => self.lowest_version(),
        }
    }

    /// The lowest PTX version that the target and the declarations need.
    pub const fn lowest_version(&self) -> Version {
        self.lowest().0
    }

    /// What requires the PTX version of the text: the first, if there are several.
    pub const fn version_cause(&self) -> VersionCause<'a> {
        match self.version {
            Some(_) => VersionCause::Asked,
            None => self.lowest().1,
        }
    }

    const fn lowest(&self) -> (Version, VersionCause<'a>) {
        let mut lowest = (self.target.since(), VersionCause::Target(self.target));
        let mut i = 0;
        while i < self.variables.len() {
            let variable = self.variables[i];
            lowest = newer(lowest, variable.since(), VersionCause::Variable(variable.name));
            i += 1;
        }
        let mut i = 0;
        while i < self.functions.len() {
            let function = self.functions[i];
            let name = function.name;
            let mut n = 0;
            while n < function.params.len() {
                let scope = Scope::of_input(function.kind, n, function.params.len());
                let since = scope.since(&function.params[n].variable);
                lowest = newer(lowest, since, VersionCause::Signature(name));
                n += 1;
            }
            n = 0;
            while n < function.returns.len() {
                let since = Scope::Function.since(&function.returns[n].variable);
                lowest = newer(lowest, since, VersionCause::Signature(name));
                n += 1;
            }
            n = 0;
            while n < function.locals.len() {
                lowest = newer(lowest, function.locals[n].since(), VersionCause::Body(name));
                n += 1;
            }
            n = 0;
            while n < function.idle_shared.len() {
                lowest = newer(lowest, function.idle_shared[n].since(), VersionCause::Body(name));
                n += 1;
            }
            n = 0;
            while n < function.directives.len() {
                let kind = function.directives[n].kind;
                lowest = newer(lowest, kind.since(), VersionCause::Directive(name, kind));
                n += 1;
            }
            n = 0;
            while n < function.specials.len() {
                let special = function.specials[n];
                if let Some(register) = special_register(special) {
                    let cause = VersionCause::SpecialRegister(name, special);
                    lowest = newer(lowest, register.since, cause);
                }
                n += 1;
            }
            lowest = newer(lowest, function.body_since, VersionCause::Body(name));
            if function.unified.is_some() {
                lowest = newer(lowest, Unified::SINCE, VersionCause::Signature(name));
            }
            if let Some(bytes) = function.param_bytes()
                && bytes > PARAM_BYTES_BEFORE_8_1
            {
                lowest = newer(lowest, Version::new(8, 1), VersionCause::Signature(name));
            }
            i += 1;
        }
        lowest
    }

    /// The size in bytes of everything in `.const`, as ptxas lays it out: visible variables, then
    /// the others, then those of the bodies, each group in declaration order, and each variable at
    /// its alignment. `None` where a type is unknown.
    pub const fn const_bytes(&self) -> Option<usize> {
        lay_out_const(self.variables, self.functions)
    }

    /// Where a kernel's dynamic shared memory starts, in bytes: after its static shared memory, at
    /// the greatest alignment of all dynamic variables in the module, as ptxas has it, whichever of
    /// them the kernel names; without any, at the end of the static shared memory. `None` where a
    /// type is unknown.
    pub const fn dynamic_shared_offset(&self, kernel: &Function<'_>) -> Option<usize> {
        match self.dynamic_shared_alignment() {
            Some(alignment) => kernel.dynamic_shared_offset(alignment),
            None => None,
        }
    }

    /// The alignment of dynamic shared memory in bytes: the greatest of all dynamic variables, and
    /// at least 16; 1 without any. `None` where a type is unknown.
    pub const fn dynamic_shared_alignment(&self) -> Option<usize> {
        dynamic_alignment(self.variables)
    }
}

/// The newer of two requirements; the first where they are equal.
const fn newer<'a>(
    found: (Version, VersionCause<'a>),
    version: Version,
    cause: VersionCause<'a>,
) -> (Version, VersionCause<'a>) {
    if found.0.is_below(version) { (version, cause) } else { found }
}

/// What requires a PTX version. `Display` names it: "`maxclusterrank` of `rows`".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum VersionCause<'a> {
    /// The module requests it: `version = 8.6`.
    Asked,
    /// The target.
    Target(Target),
    /// The variable with this name.
    Variable(&'a str),
    /// The parameters or return values of the function with this name.
    Signature(&'a str),
    /// A directive of the function with this name.
    Directive(&'a str, DirectiveKind),
    /// A special register in the body of the function with this name.
    SpecialRegister(&'a str, &'a str),
    /// The body of the function with this name.
    Body(&'a str),
}

impl fmt::Display for VersionCause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => f.write_str("`version = ..` of the module"),
            Self::Target(target) => write!(f, "the target `{target}`"),
            Self::Variable(name) => write!(f, "the variable `{name}`"),
            Self::Signature(name) => write!(f, "the parameters of `{name}`"),
            Self::Directive(name, kind) => write!(f, "`{}` of `{name}`", kind.name()),
            Self::SpecialRegister(name, register) => write!(f, "`{register}` in `{name}`"),
            Self::Body(name) => write!(f, "the body of `{name}`"),
        }
    }
}
