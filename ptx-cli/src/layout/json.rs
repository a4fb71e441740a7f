//! A memory map as one JSON document.

use ptx_emit::{Budget, KernelMap, MemoryMap, Placed, Pointee, Row};
use ptx_isa::Space;
use ptx_isa::ir::Module;
use serde::Serialize;

use crate::json;

#[derive(Serialize)]
struct Document<'m> {
    file: &'m str,
    target: &'static str,
    ptx_version: String,
    budgets: Vec<Total<'m>>,
    /// Every variable that a budget counts.
    variables: Vec<Variable<'m>>,
    /// The layout of the constants.
    constants: Vec<Place<'m>>,
    kernels: Vec<Kernel<'m>>,
}

#[derive(Serialize)]
struct Total<'m> {
    what: &'static str,
    /// `null` for the whole module.
    kernel: Option<&'m str>,
    /// `null` if the launch decides.
    bytes: Option<usize>,
    /// What the limit counts, where it is not `bytes`: parameters, with aligned offsets.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<usize>,
    /// The maximum that alignment can add, in any order.
    padding: usize,
    /// `null` for no limit.
    limit: Option<usize>,
    limit_with_opt_in: Option<usize>,
    /// For dynamic shared memory, the bytes up to which a launch needs no opt-in.
    without_opt_in: Option<usize>,
}

#[derive(Serialize)]
struct Variable<'m> {
    name: &'m str,
    /// The function whose body declares it; `null` for a variable of the module.
    function: Option<&'m str>,
    space: &'static str,
    #[serde(rename = "type")]
    ty: &'m str,
    extents: &'m str,
    /// `null` if the launch decides.
    bytes: Option<usize>,
    align: usize,
    /// `null` if it is internal to the module.
    linkage: Option<&'static str>,
}

#[derive(Serialize)]
struct Place<'m> {
    /// In bytes; `null` if it is not known.
    offset: Option<usize>,
    #[serde(flatten)]
    variable: Variable<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points_to: Option<Leads>,
}

#[derive(Serialize)]
struct Leads {
    /// `null` for a generic address.
    space: Option<&'static str>,
    /// `null` if nothing is promised.
    align: Option<usize>,
}

#[derive(Serialize)]
struct Kernel<'m> {
    name: &'m str,
    /// The address of the first parameter in constant bank 0.
    param_base: usize,
    /// Their offsets count from the first.
    parameters: Vec<Place<'m>>,
    static_shared: Vec<Place<'m>>,
    dynamic_shared: Vec<Place<'m>>,
    /// Per thread.
    local: Vec<Variable<'m>>,
}

/// The document.
pub(super) fn document(
    file: &str,
    module: &Module<'_>,
    map: &MemoryMap<'_>,
) -> serde_json::Result<String> {
    json::document(&Document {
        file,
        target: module.target.name(),
        ptx_version: module.version().to_string(),
        budgets: map.budgets.iter().map(total).collect(),
        variables: map.rows.iter().map(variable).collect(),
        constants: places(&map.constants),
        kernels: map.kernels.iter().map(kernel).collect(),
    })
}

fn total<'m>(budget: &'m Budget<'_>) -> Total<'m> {
    Total {
        what: budget.what,
        kernel: budget.kernel,
        bytes: budget.bytes,
        counted: budget.counted,
        padding: budget.padding,
        limit: budget.limit,
        limit_with_opt_in: budget.opt_in,
        without_opt_in: budget.without_opt_in,
    }
}

fn variable<'m>(row: &'m Row<'_>) -> Variable<'m> {
    Variable {
        name: row.name,
        function: row.kernel,
        space: row.space.directive(),
        ty: &row.ty,
        extents: &row.extents,
        bytes: row.bytes,
        align: row.align,
        linkage: row.linkage.directive(),
    }
}

fn places<'m>(all: &'m [Placed<'_>]) -> Vec<Place<'m>> {
    all.iter()
        .map(|placed| Place {
            offset: placed.offset,
            variable: variable(&placed.variable),
            points_to: placed.points_to.map(leads),
        })
        .collect()
}

fn leads(pointee: Pointee) -> Leads {
    Leads { space: pointee.space.map(Space::directive), align: pointee.align }
}

fn kernel<'m>(kernel: &'m KernelMap<'_>) -> Kernel<'m> {
    Kernel {
        name: kernel.name,
        param_base: kernel.param_base,
        parameters: places(&kernel.parameters),
        static_shared: places(&kernel.shared),
        dynamic_shared: places(&kernel.dynamic_shared),
        local: kernel.local.iter().map(variable).collect(),
    }
}
