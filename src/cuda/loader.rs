//! The handles of a loaded module, each compared with its declaration.

use std::sync::Arc;
use std::vec::Vec;

use ptx_types::ir::{self, FunctionKind, Linkage};
use ptx_types::{StateSpace, Variable};

use super::calls;
use super::difference::Difference;
use super::facts::{Facts, KernelType, attribute};
use super::launch::LoadedKernel;
use super::launch_error::{LaunchError, Reason};
use super::module::LoadedModule;
use super::variable::LoadedVariable;
use crate::Module;

/// Makes the handles of a module, and collects the differences.
#[doc(hidden)]
#[derive(Debug)]
pub struct Loader {
    module: Arc<LoadedModule>,
    /// The module for the target that is loaded.
    declaration: &'static Module<'static>,
    /// The module with all its targets.
    all: &'static Module<'static>,
    differences: Vec<Difference>,
}

/// A kernel of a module by its name.
fn kernel_of(module: &Module<'static>, name: &str) -> Option<&'static ir::Function<'static>> {
    let mut functions = module.functions.iter().copied();
    functions.find(|function| function.name == name && function.kind == FunctionKind::Kernel)
}

/// The declaration of a kernel that not every target of a module has, for the first one that has it.
#[doc(hidden)]
pub fn declared(
    module: &'static Module<'static>,
    name: &'static str,
) -> &'static ir::Function<'static> {
    static NONE: ir::Function<'static> = ir::Function::new(FunctionKind::Kernel, "");
    // The macro has found it in one of them.
    module.each_target().find_map(|module| kernel_of(module, name)).unwrap_or(&NONE)
}

impl Loader {
    pub(super) fn new(
        module: Arc<LoadedModule>,
        declaration: &'static Module<'static>,
        all: &'static Module<'static>,
    ) -> Self {
        Self { module, declaration, all, differences: Vec::new() }
    }

    /// Every difference that was found.
    pub(super) fn differences(self) -> Vec<Difference> {
        self.differences
    }

    /// The module.
    pub fn module(&self) -> Arc<LoadedModule> {
        Arc::clone(&self.module)
    }

    /// The handle of a kernel.
    pub fn kernel<K: KernelType>(&mut self) -> LoadedKernel<K, K::Safety> {
        let ir = self.declared(K::declaration());
        let function = match self.module.function(ir.name) {
            Ok(function) => function,
            Err(refusal) => {
                self.differences.push(Difference::NoKernel { kernel: ir.name, refusal });
                return LoadedKernel::new(Facts::absent(Arc::clone(&self.module), ir));
            }
        };
        let facts = Facts::of(Arc::clone(&self.module), ir, function);
        if !self.module.origin.is_of_text() {
            self.compare_kernel(&facts);
        }
        if let Err(difference) = facts.opt_in() {
            self.differences.push(difference);
        }
        LoadedKernel::new(facts)
    }

    /// The handle of a kernel that not every target has.
    ///
    /// # Errors
    /// The target that is loaded has not.
    pub fn kernel_of_target<K: KernelType>(
        &mut self,
    ) -> Result<LoadedKernel<K, K::Safety>, LaunchError> {
        let kernel = K::declaration().name;
        if kernel_of(self.declaration, kernel).is_some() {
            return Ok(self.kernel());
        }
        let with = self.all.each_target().filter(|module| kernel_of(module, kernel).is_some());
        let targets = with.map(|module| module.target).collect();
        let loaded = self.declaration.target;
        Err(LaunchError::new(kernel, Reason::OtherTarget { targets, loaded }))
    }

    /// The declaration of a kernel for the target that is loaded, which may differ from that for the first one.
    fn declared(&self, first: &'static ir::Function<'static>) -> &'static ir::Function<'static> {
        let functions = self.declaration.functions;
        functions.iter().find(|function| function.name == first.name).copied().unwrap_or(first)
    }

    fn compare_kernel(&mut self, facts: &Facts) {
        let kernel = facts.ir.name;
        let mut differs = |difference| self.differences.push(difference);
        if let Some(declared) = facts.ir.static_shared_bytes()
            && let Some(loaded) = facts.attribute(attribute::SHARED_BYTES)
            && declared != loaded
            // If the kernel has dynamic shared memory too, the size is rounded up to where that starts.
            && self.declaration.dynamic_shared_offset(facts.ir) != Some(loaded)
        {
            differs(Difference::StaticShared { kernel, declared, loaded });
        }
        if let Some(declared) = facts.most_threads()
            && let Some(loaded) = facts.attribute(attribute::MAX_THREADS)
            && (loaded as u64) < declared
        {
            differs(Difference::Threads { kernel, declared, loaded });
        }
        let Ok(info) = calls::param_info() else { return };
        let placed = |n: usize| {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: the function belongs to a loaded module; two numbers are written.
            let code = unsafe { info(facts.function, n, &raw mut offset, &raw mut size) };
            (code == 0).then_some((offset, size))
        };
        let declared = facts.ir.params.len();
        // A driver may not report a parameter that has the name of a kernel (D077).
        let found: Vec<(usize, usize)> = (0..declared).map_while(placed).collect();
        for (param, (_, loaded)) in facts.ir.params.iter().zip(&found) {
            let parameter = param.variable.name;
            if let Some(declared) = param.variable.bytes()
                && declared != *loaded
            {
                differs(Difference::ParameterSize { kernel, parameter, declared, loaded: *loaded });
            }
        }
        if let Some((n, declared)) = misplaced(facts.ir, &found) {
            let parameter = facts.ir.params[n].variable.name;
            differs(Difference::ParameterOffset {
                kernel,
                parameter,
                declared,
                loaded: found[n].0,
            });
        }
        if placed(declared).is_some() {
            differs(Difference::MoreParameters { kernel, declared });
        }
    }

    /// The handle of a variable, in the space of the declaration or in `Managed`.
    pub fn variable<L, H, S: StateSpace, T: ?Sized + 'static>(
        &mut self,
        variable: &'static Variable<S, T>,
    ) -> LoadedVariable<L, H, T> {
        let (name, ir) = (variable.name(), variable.ir());
        let found = self.module.global(name);
        let is_one = ir.ty.family().is_none() && ir.ty.opaque().is_none();
        match (found, ir.bytes()) {
            (Some((_, loaded)), Some(declared)) if is_one && declared != loaded => {
                self.differences.push(Difference::VariableSize {
                    variable: name,
                    declared,
                    loaded,
                });
            }
            // The compiler leaves out variables that are private and unused.
            (None, _) if is_one && ir.linkage != Linkage::Internal => {
                self.differences.push(Difference::NoVariable { variable: name });
            }
            _ => {}
        }
        let address = found.map(|(address, _)| address);
        LoadedVariable::new(Arc::clone(&self.module), variable, address)
    }
}

/// The first parameter whose offset differs from the declared one, and its declared offset. The alignments are
/// those of addresses in constant memory, where the parameter space starts at an offset that
/// differs between architectures: at 0x210 on `sm_90`.
fn misplaced(ir: &ir::Function<'_>, found: &[(usize, usize)]) -> Option<(usize, usize)> {
    let fits = |start: usize| {
        found.iter().enumerate().all(|(n, (loaded, _))| {
            ir.param_offset_from(start, n).is_none_or(|declared| declared == *loaded)
        })
    };
    if (0..128).map(|step| 16 * step).any(fits) {
        return None;
    }
    found.iter().enumerate().find_map(|(n, (loaded, _))| {
        let declared = ir.param_offset_from(0, n)?;
        (declared != *loaded).then_some((n, declared))
    })
}

#[cfg(test)]
mod tests {
    use super::misplaced;
    use ptx_types::ScalarType::{B8, U8, U32, U64};
    use ptx_types::Space;
    use ptx_types::ir::{Extent, Function, FunctionKind, Param, Type, Variable};

    const BYTES: &Type<'static> = &Type::Array(Extent::Known(128), &Type::Scalar(B8));

    fn function<'a>(params: &'a [Param<'static>]) -> Function<'a> {
        Function { params, ..Function::new(FunctionKind::Kernel, "k") }
    }

    /// A pointer, a map and a byte, at the offsets where ptxas 13.0 puts them on three architectures.
    #[test]
    fn maps_are_aligned_in_constant_memory() {
        let map = Variable { align: Some(64), ..Variable::new(Space::Param, "map", BYTES) };
        let params = [
            Param::new("pointer", &Type::Scalar(U64)),
            Param { variable: map, ..Param::new("map", BYTES) },
            Param::new("byte", &Type::Scalar(U8)),
        ];
        let function = function(&params);
        for map_at in [48, 32, 64] {
            let found = [(0, 8), (map_at, 128), (map_at + 128, 1)];
            assert_eq!(misplaced(&function, &found), None);
        }
        assert_eq!(misplaced(&function, &[(0, 8), (40, 128), (168, 1)]), Some((1, 64)));
        assert_eq!(misplaced(&function, &[(0, 8), (64, 128), (193, 1)]), Some((2, 192)));
    }

    #[test]
    fn a_wider_parameter_moves_those_behind_it() {
        let params = [Param::new("a", &Type::Scalar(U64)), Param::new("b", &Type::Scalar(U32))];
        let function = function(&params);
        assert_eq!(misplaced(&function, &[(0, 8), (8, 4)]), None);
        assert_eq!(misplaced(&function, &[(0, 4), (4, 4)]), Some((1, 8)));
        assert_eq!(misplaced(&function, &[]), None);
    }
}
