//! The layout of storage.

use core::fmt;

use ptx_isa::ir::{Extent, Function, Module, Param, Variable};
use ptx_isa::{Space, Target};

use super::row::Row;
use super::table::{grouped, write_table};

/// A variable, and its offset in its memory.
#[derive(Clone, Debug)]
pub struct Placed<'a> {
    /// The variable.
    pub variable: Row<'a>,
    /// The offset in bytes from the start of the memory; `None` if the type of an earlier variable is unknown.
    pub offset: Option<usize>,
    /// For a pointer parameter, the declared properties of its target.
    pub points_to: Option<Pointee>,
}

/// The declared target of a pointer parameter (PTX ISA 5.1.6.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pointee {
    /// The state space; `None` for a generic address.
    pub space: Option<Space>,
    /// The alignment in bytes; `None` if nothing is promised.
    pub align: Option<usize>,
}

/// The layout of a kernel's storage.
#[derive(Clone, Debug)]
pub struct KernelMap<'a> {
    /// The kernel.
    pub name: &'a str,
    /// Its parameters; their offsets count from the first.
    pub parameters: Vec<Placed<'a>>,
    /// The address of the first parameter in constant bank 0, in bytes.
    pub param_base: usize,
    /// The static shared memory of a block, laid out as by ptxas: its own, that of the module that it names, and that
    /// of the functions that it calls.
    pub shared: Vec<Placed<'a>>,
    /// The dynamic shared memory that it names, all of which starts after the static.
    pub dynamic_shared: Vec<Placed<'a>>,
    /// The variables that its body declares in local memory; ptxas decides their layout.
    pub local: Vec<Row<'a>>,
}

impl<'a> KernelMap<'a> {
    /// The map of `kernel`, in a module for this target whose dynamic shared memory is aligned to
    /// `dynamic_align` bytes.
    pub(super) fn of(kernel: &Function<'a>, target: Target, dynamic_align: Option<usize>) -> Self {
        let own = Some(kernel.name);
        let at = dynamic_align.and_then(|align| kernel.dynamic_shared_offset(align));
        let dynamic = kernel.uses.iter().filter(|variable| variable.is_dynamic());
        let locals = kernel.locals.iter().filter(|variable| variable.space == Space::Local);
        Self {
            name: kernel.name,
            parameters: kernel
                .params
                .iter()
                .enumerate()
                .map(|(n, param)| Placed::parameter(kernel, target, n, param))
                .collect(),
            param_base: kernel.param_base(target),
            shared: lay_out(static_shared(kernel)),
            dynamic_shared: dynamic
                .map(|variable| Placed {
                    variable: Row::of(variable, None),
                    offset: at,
                    points_to: None,
                })
                .collect(),
            local: locals.map(|variable| Row::of(variable, own)).collect(),
        }
    }
}

impl<'a> Placed<'a> {
    fn parameter(kernel: &Function<'a>, target: Target, n: usize, param: &Param<'a>) -> Self {
        Self {
            variable: Row::of(&param.variable, Some(kernel.name)),
            offset: kernel.param_offset(target, n),
            points_to: param
                .pointer
                .map(|pointer| Pointee { space: pointer.space, align: pointer.alignment() }),
        }
    }
}

/// The static shared variables of a kernel, each with the function that declares it, in the order that
/// [`Function::static_shared_bytes`] describes.
fn static_shared<'f, 'a>(kernel: &'f Function<'a>) -> Vec<(&'f Variable<'a>, Option<&'a str>)> {
    let module_then_called = |visible: bool| {
        let named = kernel.uses.iter().map(|variable| (*variable, None));
        let called = kernel.called_shared.iter().map(|variable| (*variable, None));
        let both = named.chain(called);
        both.filter(move |(variable, _)| variable.linkage.is_exported() == visible)
    };
    let own = |variables: &'f [&'a Variable<'a>]| {
        variables.iter().map(|variable| (*variable, Some(kernel.name)))
    };
    let mut order: Vec<_> = module_then_called(true).collect();
    if kernel.linkage.is_exported() {
        order.extend(own(kernel.locals));
    }
    order.extend(module_then_called(false));
    if !kernel.linkage.is_exported() {
        order.extend(own(kernel.locals));
    }
    order.extend(own(kernel.idle_shared));
    order.retain(|(variable, _)| variable.space == Space::Shared && is_here(variable));
    order
}

/// The module's constants, in the order that [`Module::const_bytes`] describes.
pub(super) fn constants<'a>(module: &Module<'a>) -> Vec<Placed<'a>> {
    let own = |visible: bool| {
        let all = module.variables.iter().filter(move |v| v.linkage.is_exported() == visible);
        all.map(|variable| (*variable, None))
    };
    let of_bodies = module.functions.iter().flat_map(|function| {
        function.locals.iter().map(|variable| (*variable, Some(function.name)))
    });
    let mut order: Vec<_> = own(true).chain(own(false)).chain(of_bodies).collect();
    order.retain(|(variable, _)| variable.space == Space::Const && is_here(variable));
    lay_out(order)
}

/// Whether it is storage that this module defines, with a size.
fn is_here(variable: &Variable<'_>) -> bool {
    let is_far = variable.linkage.is_elsewhere()
        && matches!(variable.ty.extent(0), Some(Extent::Incomplete));
    !is_far && !variable.is_dynamic()
}

/// Lays out variables one after the other, each at its alignment.
fn lay_out<'a>(order: Vec<(&Variable<'a>, Option<&'a str>)>) -> Vec<Placed<'a>> {
    let mut end = Some(0_usize);
    let place = |(variable, kernel): (&Variable<'a>, Option<&'a str>)| {
        // The uses of a family decide how many of its members are allocated.
        let is_family = variable.ty.family().is_some() && variable.space == Space::Const;
        let align = variable.alignment().filter(|_| !is_family);
        let offset = end.zip(align).and_then(|(end, align)| end.checked_next_multiple_of(align));
        end = offset.zip(variable.bytes()).map(|(offset, bytes)| offset.saturating_add(bytes));
        Placed { variable: Row::of(variable, kernel), offset, points_to: None }
    };
    order.into_iter().map(place).collect()
}

/// The layout of a module's storage, as a table; `Display` prints it.
#[derive(Clone, Copy, Debug)]
pub struct Places<'m, 'a> {
    pub(super) constants: &'m [Placed<'a>],
    pub(super) kernels: &'m [KernelMap<'a>],
}

impl fmt::Display for Places<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["", "space", "offset", "bytes", "align", "name", "type"];
        let mut table = vec![header.map(str::to_owned)];
        table.extend(self.constants.iter().map(|placed| placed.cells("")));
        for kernel in self.kernels {
            let label = format!("{}:", kernel.name);
            let all = kernel.parameters.iter().chain(&kernel.shared).chain(&kernel.dynamic_shared);
            table.extend(all.map(|placed| placed.cells(&label)));
            table.extend(kernel.local.iter().map(|row| cells(row, &label, "", "")));
        }
        if table.len() == 1 {
            return Ok(());
        }
        write_table(f, &table, &[2, 3, 4])
    }
}

impl Placed<'_> {
    fn cells(&self, label: &str) -> [String; 7] {
        let offset = self.offset.map_or_else(|| "?".to_owned(), grouped);
        let pointee = self.points_to.map_or_else(String::new, |to| {
            let space = to.space.map_or("generic", Space::directive);
            let align = to.align.map_or_else(String::new, |align| format!(", .align {align}"));
            format!("to {space}{align}")
        });
        cells(&self.variable, label, &offset, &pointee)
    }
}

fn cells(row: &Row<'_>, label: &str, offset: &str, pointee: &str) -> [String; 7] {
    [
        label.to_owned(),
        row.space.directive().to_owned(),
        offset.to_owned(),
        row.bytes.map_or_else(|| "launch".to_owned(), grouped),
        row.align.to_string(),
        row.name.to_owned(),
        words(&[&row.ty, &row.extents, pointee]),
    ]
}

/// The nonempty words, separated by spaces.
fn words(all: &[&str]) -> String {
    all.iter().copied().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
