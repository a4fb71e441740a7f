//! Typed handles, which the declarations of a module become.

use core::fmt;
use core::marker::PhantomData;

use ptx_isa::__private::{CheckedDeclaration, Checker};

use crate::Target;
use crate::ir::{self, DeclaredAt, Extent, Init, Linkage, Type, Unified};
use crate::texture::assignments_of;
use crate::types::value::{PtxType, Typed};
use crate::{Space, StateSpace};

/// A variable of a module, as Rust code sees it: its declaration and initial value, and their types.
/// `T` is unsized (`[E]`) for dynamic shared memory without a length.
///
/// Every getter is a `const fn`, and a handle is a `static` that constant code can read.
pub struct Variable<S: StateSpace, T: ?Sized + 'static> {
    ir: ir::Variable<'static>,
    initial: Option<&'static T>,
    space: PhantomData<fn() -> S>,
}

impl<S: StateSpace, T: ?Sized + 'static> Variable<S, T> {
    /// Creates a handle without an initial value; for expanded code.
    #[doc(hidden)]
    pub const fn __new(
        name: &'static str,
        linkage: Linkage,
        place: DeclaredAt<'static>,
        typed: Typed<T>,
    ) -> Self {
        Self::made(name, linkage, place, typed.ty, Init::None, None)
    }

    /// Creates a handle in one step: rustc evaluates each step again for each declaration.
    const fn made(
        name: &'static str,
        linkage: Linkage,
        place: DeclaredAt<'static>,
        ty: &'static Type<'static>,
        init: Init<'static>,
        initial: Option<&'static T>,
    ) -> Self {
        Self {
            ir: ir::Variable {
                name,
                space: S::SPACE,
                linkage,
                align: None,
                ty,
                init,
                managed: false,
                unified: None,
                allow: &[],
                place: Some(place),
            },
            initial,
            space: PhantomData,
        }
    }

    /// Sets the declared alignment in bytes.
    #[doc(hidden)]
    pub const fn __aligned(mut self, align: usize) -> Self {
        self.ir.align = Some(align);
        self
    }

    /// Makes the variable managed: host and device share it.
    #[doc(hidden)]
    pub const fn __managed(mut self) -> Self {
        self.ir.managed = true;
        self
    }

    /// Sets the unified identifier.
    #[doc(hidden)]
    pub const fn __unified(mut self, upper: u64, lower: u64) -> Self {
        self.ir.unified = Some(Unified { upper, lower });
        self
    }

    /// Sets the codes of the hazards that are allowed.
    #[doc(hidden)]
    pub const fn __allow(mut self, allow: &'static [&'static str]) -> Self {
        self.ir.allow = allow;
        self
    }

    /// The name in the PTX text, with which the host looks up the variable.
    pub const fn name(&self) -> &'static str {
        self.ir.name
    }

    /// The state space.
    pub const fn space(&self) -> Space {
        S::SPACE
    }

    /// The whole type.
    pub const fn ty(&self) -> &'static Type<'static> {
        self.ir.ty
    }

    /// The innermost element type of the arrays: a scalar, a vector or a struct.
    pub const fn element(&self) -> &'static Type<'static> {
        self.ir.ty.element()
    }

    /// The extents in elements, outermost first; empty for a scalar.
    pub fn extents(&self) -> impl Iterator<Item = Extent> {
        self.ir.ty.extents()
    }

    /// The alignment in bytes: the declared alignment, or else the natural alignment.
    pub const fn align(&self) -> usize {
        match self.ir.alignment() {
            Some(align) => align,
            None => 1,
        }
    }

    /// The PTX modules that can name the variable; the driver finds it by name whatever its linkage.
    pub const fn linkage(&self) -> Linkage {
        self.ir.linkage
    }

    /// The initial value; `None` if none was written (`.global` and `.const` variables are then zero,
    /// `.shared` variables undefined).
    pub const fn initial(&self) -> Option<&'static T> {
        self.initial
    }

    /// The declaration.
    pub const fn ir(&self) -> &ir::Variable<'static> {
        &self.ir
    }
}

impl<S: StateSpace, T: 'static> Variable<S, T> {
    /// Creates a handle with an initial value. The bytes of a type with padding cannot be read: it gets none,
    /// and a rule rejects it.
    #[doc(hidden)]
    pub const fn __initialised(
        name: &'static str,
        linkage: Linkage,
        place: DeclaredAt<'static>,
        typed: Typed<T>,
        value: &'static T,
    ) -> Self {
        let init = if typed.ty.opaque().is_some() {
            Init::Members(assignments_of(typed, value))
        } else if typed.ty.has_padding() {
            Init::None
        } else {
            Init::Bytes(typed.bytes_of(value))
        };
        Self::made(name, linkage, place, typed.ty, init, Some(value))
    }

    /// Checks the variable, unless its type is the one that was assumed when its tokens were checked.
    #[doc(hidden)]
    pub const fn __checked(&self, checker: Checker, assumption: &[u8]) -> CheckedDeclaration {
        checker.variable(&self.ir, (size_of::<T>(), align_of::<T>()), assumption)
    }

    /// Sets an initial value that holds addresses.
    #[doc(hidden)]
    pub const fn __linked(mut self, value: &'static T, init: Init<'static>) -> Self {
        self.ir.init = init;
        self.initial = Some(value);
        self
    }
}

impl<S: StateSpace, T: PtxType> Variable<S, T> {
    /// The size in bytes, which a launch requests for dynamic shared memory; 0 for opaque types, whose size
    /// is not known.
    pub const fn bytes(&self) -> usize {
        match T::TYPE.size() {
            Some(bytes) => bytes,
            None => size_of::<T>(),
        }
    }
}

impl<S: StateSpace, T: PtxType> Variable<S, [T]> {
    /// The size of `len` elements in bytes, which a launch requests.
    pub const fn bytes(&self, len: usize) -> usize {
        len.saturating_mul(size_of::<T>())
    }
}

impl<S: StateSpace, T: ?Sized + 'static> fmt::Debug for Variable<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.ir, f)
    }
}

/// A kernel of a module, as Rust code sees it. `Args` is the tuple of its parameters' types.
pub struct Kernel<Args> {
    ir: &'static ir::Function<'static>,
    args: PhantomData<fn(Args)>,
}

impl<Args> Kernel<Args> {
    /// Creates a handle; for expanded code.
    #[doc(hidden)]
    pub const fn __new(ir: &'static ir::Function<'static>) -> Self {
        Self { ir, args: PhantomData }
    }

    /// The name in the PTX text, with which the host looks up the kernel.
    pub const fn name(self) -> &'static str {
        self.ir.name
    }

    /// The parameters, in order.
    pub const fn params(self) -> &'static [ir::Param<'static>] {
        self.ir.params
    }

    /// The offset in bytes of parameter `n` from the first, where [ptxas places it for this
    /// target](ir::Function::param_offset).
    pub const fn param_offset(self, target: Target, n: usize) -> Option<usize> {
        if n < self.ir.params.len() { self.ir.param_offset(target, n) } else { None }
    }

    /// The size of the parameters in bytes, as the limit of the parameter space counts them (PTX ISA 5.1.6.1).
    pub const fn param_bytes(self) -> usize {
        match self.ir.param_bytes() {
            Some(bytes) => bytes,
            None => 0,
        }
    }

    /// The static shared memory in bytes of the variables that the kernel uses.
    pub const fn static_shared_bytes(self) -> usize {
        match self.ir.static_shared_bytes() {
            Some(bytes) => bytes,
            None => 0,
        }
    }

    /// The dynamic shared memory in bytes that a launch must request: the size of the largest dynamic
    /// variable that the kernel, or a function that it calls, uses, since all of them start at the
    /// same address. `Some(0)` if there are none; `None` if one is a slice (`[T]`), whose length
    /// the launch determines (see [`Variable::bytes`]).
    pub const fn dynamic_shared_bytes(self) -> Option<usize> {
        self.ir.dynamic_shared_bytes()
    }

    /// The declaration.
    pub const fn ir(self) -> &'static ir::Function<'static> {
        self.ir
    }
}

impl<Args> Clone for Kernel<Args> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Args> Copy for Kernel<Args> {}

impl<Args> fmt::Debug for Kernel<Args> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.ir, f)
    }
}

/// A device function of a module, as Rust code sees it. `Args` is the tuple of its parameters'
/// types, and `Returned` the type that it returns.
pub struct DeviceFunction<Args, Returned> {
    ir: &'static ir::Function<'static>,
    types: PhantomData<fn(Args) -> Returned>,
}

impl<Args, Returned> DeviceFunction<Args, Returned> {
    /// Creates a handle; for expanded code.
    #[doc(hidden)]
    pub const fn __new(ir: &'static ir::Function<'static>) -> Self {
        Self { ir, types: PhantomData }
    }

    /// The name in the PTX text.
    pub const fn name(self) -> &'static str {
        self.ir.name
    }

    /// The parameters, in order; each is marked as a `.param` or a register.
    pub const fn params(self) -> &'static [ir::Param<'static>] {
        self.ir.params
    }

    /// The return values, in order.
    pub const fn returns(self) -> &'static [ir::Param<'static>] {
        self.ir.returns
    }

    /// The declaration.
    pub const fn ir(self) -> &'static ir::Function<'static> {
        self.ir
    }
}

impl<Args, Returned> Clone for DeviceFunction<Args, Returned> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Args, Returned> Copy for DeviceFunction<Args, Returned> {}

impl<Args, Returned> fmt::Debug for DeviceFunction<Args, Returned> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.ir, f)
    }
}
