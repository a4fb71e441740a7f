//! Modules.

use super::function::{Function, dynamic_offset, lay_out_const};
use super::variable::{Unified, Variable};
use crate::rules::Scope;
use crate::special::special_register;
use crate::target::{Release, Target, Version};
use crate::texture::TextureMode;

/// A PTX module: a target, storage and functions.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a> {
    /// The name, for people; PTX modules have none.
    pub name: &'a str,
    /// The target architecture.
    pub target: Target,
    /// The PTX version asked for; `None` for the lowest that suffices.
    pub version: Option<Version>,
    /// The oldest release of ptxas that the module is for; `None` for any.
    pub release: Option<Release>,
    /// Whether textures and samplers are one handle or two (PTX ISA 5.3).
    pub texture_mode: TextureMode,
    /// Whether the text names the Rust lines of its statements, `.file` and `.loc` (PTX ISA 11.5),
    /// for debuggers and profilers.
    pub line_info: Option<LineInfo<'a>>,
    /// The module's variables.
    pub variables: &'a [&'a Variable<'a>],
    /// The module's functions.
    pub functions: &'a [&'a Function<'a>],
}

/// How the text names Rust files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineInfo<'a> {
    /// The folder that is written before relative paths; empty to leave them as they are.
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
            variables: &[],
            functions: &[],
        }
    }

    /// The PTX version of the text: the one asked for, or the lowest that the target and the
    /// declarations need. What the bodies' instructions need, ptxas says.
    pub const fn version(&self) -> Version {
        match self.version {
            Some(version) => version,
            None => self.lowest_version(),
        }
    }

    /// The lowest PTX version that the target and the declarations need.
    pub const fn lowest_version(&self) -> Version {
        let mut version = self.target.since();
        let mut i = 0;
        while i < self.variables.len() {
            version = version.newer(self.variables[i].since());
            i += 1;
        }
        let mut i = 0;
        while i < self.functions.len() {
            let function = self.functions[i];
            let mut n = 0;
            while n < function.params.len() {
                let scope = Scope::of_input(function.kind, n, function.params.len());
                version = version.newer(scope.since(&function.params[n].variable));
                n += 1;
            }
            n = 0;
            while n < function.returns.len() {
                version = version.newer(Scope::Function.since(&function.returns[n].variable));
                n += 1;
            }
            n = 0;
            while n < function.locals.len() {
                version = version.newer(function.locals[n].since());
                n += 1;
            }
            n = 0;
            while n < function.idle_shared.len() {
                version = version.newer(function.idle_shared[n].since());
                n += 1;
            }
            n = 0;
            while n < function.directives.len() {
                version = version.newer(function.directives[n].kind.since());
                n += 1;
            }
            n = 0;
            while n < function.specials.len() {
                if let Some(register) = special_register(function.specials[n]) {
                    version = version.newer(register.since);
                }
                n += 1;
            }
            version = version.newer(function.body_since);
            if function.unified.is_some() {
                version = version.newer(Unified::SINCE);
            }
            if let Some(bytes) = function.param_bytes()
                && bytes > crate::rules::PARAM_BYTES_BEFORE_8_1
            {
                version = version.newer(Version::new(8, 1));
            }
            i += 1;
        }
        version
    }

    /// The size in bytes of everything in `.const`, as ptxas lays it out: visible variables, then
    /// the others, then those of the bodies, in order of declaration, each at its alignment. `None`
    /// where a type is unknown.
    pub const fn const_bytes(&self) -> Option<usize> {
        lay_out_const(self.variables, self.functions)
    }

    /// Where dynamic shared memory of a kernel starts, in bytes: behind its static shared memory, at
    /// the greatest alignment of all dynamic variables of the module, as ptxas has it, whichever of
    /// them the kernel names; without any, the end of the static. `None` where a type is unknown.
    pub const fn dynamic_shared_offset(&self, kernel: &Function<'_>) -> Option<usize> {
        match kernel.static_shared_bytes() {
            Some(fixed) => dynamic_offset(fixed, self.variables),
            None => None,
        }
    }
}
