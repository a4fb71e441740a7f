//! A module under construction: one declaration, and its context.

use ptx::ir::{
    Directive, Extent, Function, FunctionKind, Linkage, Module, Param, Type, Unified, Variable,
};
use ptx::special::SpecialRegister;
use ptx::{Release, Space, Target, TextureMode, Version};

use ptx_smith::Rng;

/// Cases live until the process ends, so that the IR can borrow from them anywhere.
pub(crate) fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

pub(crate) fn keep_all<T>(values: Vec<T>) -> &'static [T] {
    values.leak()
}

/// One generated case.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) target: Target,
    pub(crate) version: Option<Version>,
    pub(crate) mode: TextureMode,
    pub(crate) variables: Vec<&'static Variable<'static>>,
    pub(crate) functions: Vec<&'static Function<'static>>,
}

impl Case {
    /// Runs `judge` on the module for `release`.
    pub(crate) fn with<T>(
        &self,
        release: Option<Release>,
        judge: impl FnOnce(&Module<'_>) -> T,
    ) -> T {
        judge(&Module {
            version: self.version,
            release,
            texture_mode: self.mode,
            variables: &self.variables,
            functions: &self.functions,
            ..Module::new("m", self.target)
        })
    }

    /// The version in its text.
    pub(crate) fn written_version(&self) -> Version {
        self.version.unwrap_or_else(|| self.with(None, lowest_version))
    }

    /// Whether it can share a file with others: a function with several returns disables the ABI for the whole
    /// file.
    pub(crate) fn is_sociable(&self) -> bool {
        // ptxas counts arrays of opaque types and families of bodies towards no budget, and the values of an array
        // without elements.
        let is_counted_otherwise = |v: &Variable<'_>| {
            v.space == Space::Const
                && (v.ty.family().is_some() || v.ty.opaque().is_some() || v.bytes() == Some(0))
        };
        let mut locals = self.functions.iter().flat_map(|function| function.locals);
        let has_one = self.variables.iter().any(|v| is_counted_otherwise(v))
            || locals.any(|v| is_counted_otherwise(v));
        !has_one && self.functions.iter().all(|function| function.returns.len() < 2)
    }

    /// Whether ptxas must not link: this is necessary for unified symbols, and for external arrays whose length
    /// is defined elsewhere.
    pub(crate) fn is_for_linker(&self) -> bool {
        let far = |variable: &&Variable<'_>| {
            variable.unified.is_some()
                || variable.linkage.is_elsewhere()
                    && variable.space != Space::Shared
                    && variable.ty.extent(0).is_some_and(|extent| extent == Extent::Incomplete)
        };
        self.variables.iter().any(far)
            || self.functions.iter().any(|function| function.unified.is_some())
    }
}

/// As a method, it is for one lifetime alone.
fn lowest_version(module: &Module<'_>) -> Version {
    module.lowest_version()
}

/// A case under construction, and the random numbers that it is made from.
pub(crate) struct Draft {
    pub(crate) rng: Rng,
    pub(crate) case: Case,
    number: usize,
    names: usize,
}

impl Draft {
    pub(crate) fn new(seed: u64, number: usize) -> Self {
        let case = Case {
            target: Target::Sm90,
            version: None,
            mode: TextureMode::Unified,
            variables: Vec::new(),
            functions: Vec::new(),
        };
        Self { rng: Rng::new(seed, number), case, number, names: 0 }
    }

    /// A name that is unique among the declarations of all cases.
    pub(crate) fn name(&mut self) -> &'static str {
        let (number, n) = (self.number, self.names);
        self.names += 1;
        // The last character is not a digit, so that it can name a family.
        let (before, after) = self.rng.pick(&[
            ("x", "a"),
            ("x", "_"),
            ("_", "z"),
            ("$", "b"),
            ("%", "c"),
            ("Ab$", "$"),
        ]);
        format!("{before}{number}_{n}{after}").leak()
    }

    /// A variable of the module.
    pub(crate) fn add(&mut self, variable: Variable<'static>) -> &'static Variable<'static> {
        let variable = keep(variable);
        self.case.variables.push(variable);
        variable
    }

    /// A plain variable with a unique name.
    pub(crate) fn plain(&mut self, space: Space, ty: &'static Type<'static>) -> Variable<'static> {
        Variable::new(space, self.name(), ty)
    }

    /// A function of the module.
    pub(crate) fn function(&mut self, draft: Body) -> &'static Function<'static> {
        let mut name = self.name();
        while draft.unified.is_some() && name.starts_with('%') {
            name = self.name();
        }
        self.named_function(name, draft)
    }

    /// A function of the module with this name.
    pub(crate) fn named_function(
        &mut self,
        name: &'static str,
        draft: Body,
    ) -> &'static Function<'static> {
        let kernel = draft.kind == FunctionKind::Kernel;
        let linkage = match draft.linkage {
            Some(linkage) => linkage,
            None if kernel => self.rng.pick(&[
                Linkage::Visible,
                Linkage::Visible,
                Linkage::Internal,
                Linkage::Weak,
            ]),
            None => self.rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak]),
        };
        let function = keep(draft.finish(name, linkage));
        self.case.functions.push(function);
        function
    }

    /// A function that does nothing, to take the address of.
    pub(crate) fn empty(&mut self, kind: FunctionKind) -> &'static Function<'static> {
        self.function(Body::new(kind))
    }
}

/// A function under construction.
pub(crate) struct Body {
    pub(crate) kind: FunctionKind,
    pub(crate) linkage: Option<Linkage>,
    pub(crate) returns: Vec<Param<'static>>,
    pub(crate) params: Vec<Param<'static>>,
    pub(crate) directives: Vec<Directive>,
    pub(crate) unified: Option<Unified>,
    /// Whether it is a declaration.
    pub(crate) is_elsewhere: bool,
    /// Names the variables of the module, so that ptxas counts them.
    pub(crate) uses: Vec<&'static Variable<'static>>,
    pub(crate) locals: Vec<&'static Variable<'static>>,
    /// Shared variables that are declared and not named.
    pub(crate) idle: Vec<&'static Variable<'static>>,
    pub(crate) special: Option<(&'static str, &'static SpecialRegister)>,
    pub(crate) calls: Option<&'static Function<'static>>,
}

impl Body {
    pub(crate) fn new(kind: FunctionKind) -> Self {
        Self {
            kind,
            linkage: None,
            returns: Vec::new(),
            params: Vec::new(),
            directives: Vec::new(),
            unified: None,
            is_elsewhere: false,
            uses: Vec::new(),
            locals: Vec::new(),
            idle: Vec::new(),
            special: None,
            calls: None,
        }
    }

    /// A kernel.
    pub(crate) fn kernel() -> Self {
        Self::new(FunctionKind::Kernel)
    }

    /// A kernel or a device function that declares this.
    pub(crate) fn of_local(rng: &mut Rng, local: Variable<'static>) -> Self {
        let kind = rng.pick(&[FunctionKind::Kernel, FunctionKind::Kernel, FunctionKind::Device]);
        let mut body = Self::new(kind);
        if local.space == Space::Shared {
            body.idle.push(keep(local));
        } else {
            body.locals.push(keep(local));
        }
        body
    }

    /// A kernel that names these.
    pub(crate) fn of_uses(uses: Vec<&'static Variable<'static>>) -> Self {
        Self { uses, ..Self::kernel() }
    }

    /// The statements, one per line.
    fn statements(&self) -> String {
        let mut statements = vec![".reg .b64 %address;".to_owned()];
        for local in self.locals.iter().chain(&self.idle) {
            statements.push(declaration(local));
        }
        let named = self.locals.iter().filter(|local| local.space == Space::Shared);
        for variable in self.uses.iter().chain(named) {
            statements.push(format!("mov.b64 %address, {};", variable.name));
        }
        if let Some((name, register)) = self.special {
            let (ty, element) = (register.ty.name(), if register.is_vector { ".x" } else { "" });
            statements.push(format!(".reg .{ty} %special;"));
            statements.push(format!("mov.{ty} %special, {name}{element};"));
        }
        if let Some(callee) = self.calls {
            statements.push(format!("call {};", callee.name));
        }
        statements.push("ret;".to_owned());
        statements.join("\n")
    }

    fn finish(self, name: &'static str, linkage: Linkage) -> Function<'static> {
        let statements = self.statements();
        let called = self.calls.into_iter();
        let called_shared = called.clone().flat_map(|callee| callee.locals).copied().collect();
        Function {
            linkage,
            returns: keep_all(self.returns),
            params: keep_all(self.params),
            directives: keep_all(self.directives),
            body: if self.is_elsewhere {
                None
            } else {
                Some(ptx::ir::Body::verbatim(statements.leak()))
            },
            uses: keep_all(self.uses),
            locals: keep_all(self.locals),
            idle_shared: keep_all(self.idle),
            called_shared: keep_all(called_shared),
            specials: keep_all(self.special.iter().map(|(name, _)| *name).collect()),
            calls: keep_all(called.map(|callee| callee.name).collect()),
            unified: self.unified,
            ..Function::new(self.kind, name)
        }
    }
}

/// The text of a declaration in a module.
fn declaration(variable: &Variable<'_>) -> String {
    let module = Module { variables: &[variable], ..Module::new("m", Target::Sm90) };
    let text = ptx::Module::new(module).to_string();
    let header = ".address_size 64\n";
    let at = text.find(header).map_or(0, |at| at + header.len());
    text[at..].trim().to_owned()
}
