//! The memory that a module's storage takes.

mod budget;
mod placed;
mod row;
mod table;

use core::fmt;

use ptx_isa::Space;
use ptx_isa::ir::{FunctionKind, Module, Variable};
use ptx_isa::rules::CONST_BYTES;

pub use budget::Budget;
use budget::padding;
pub use placed::{KernelMap, Placed, Places, Pointee};
pub use row::Row;
use table::{grouped, write_table};

/// A table of a module's storage, and its totals against the budgets of the target.
/// `Display` prints it.
#[derive(Clone, Debug)]
pub struct MemoryMap<'a> {
    /// A row for each variable, in order of declaration.
    pub rows: Vec<Row<'a>>,
    /// The totals: constant memory, global memory, and for each kernel static shared memory, dynamic
    /// shared memory if it names any, and parameters.
    pub budgets: Vec<Budget<'a>>,
    /// The constants, laid out as by ptxas.
    pub constants: Vec<Placed<'a>>,
    /// The layout of each kernel's storage.
    pub kernels: Vec<KernelMap<'a>>,
}

impl<'a> MemoryMap<'a> {
    /// The memory map of `module`.
    pub fn of(module: &Module<'a>) -> Self {
        let own = module.functions.iter().flat_map(|function| {
            let own = function.locals.iter().chain(function.idle_shared);
            let stored = own.filter(|variable| is_counted(variable));
            stored.map(|variable| Row::of(variable, Some(function.name)))
        });
        let rows = module.variables.iter().map(|variable| Row::of(variable, None)).chain(own);
        let rows = rows.collect();
        let all = || {
            let own = module.functions.iter().flat_map(|function| function.locals);
            module.variables.iter().chain(own).copied()
        };
        let global = |variable: &&Variable<'_>| variable.space == Space::Global;
        let mut budgets = vec![
            Budget {
                what: "constant memory",
                kernel: None,
                bytes: module.const_bytes(),
                counted: None,
                padding: padding(all().filter(|variable| variable.space == Space::Const)),
                limit: Some(CONST_BYTES),
                opt_in: None,
                without_opt_in: None,
            },
            Budget {
                what: "global memory",
                kernel: None,
                bytes: sum(all().filter(global)),
                counted: None,
                padding: padding(all().filter(global)),
                limit: None,
                opt_in: None,
                without_opt_in: None,
            },
        ];
        // These read every declaration of the module, so they are computed once.
        let (version, dynamic_align) = (module.version(), module.dynamic_shared_alignment());
        for function in module.functions {
            if function.kind != FunctionKind::Kernel {
                continue;
            }
            let shared =
                function.uses.iter().chain(function.locals).chain(function.idle_shared).copied();
            let shared = shared.filter(|variable| variable.space == Space::Shared);
            budgets.push(Budget {
                what: "static shared memory",
                kernel: Some(function.name),
                bytes: function.static_shared_bytes(),
                counted: None,
                padding: padding(shared.filter(|variable| !variable.is_dynamic())),
                limit: Some(module.target.max_static_shared(module.release)),
                opt_in: Some(module.target.max_shared_opt_in()),
                without_opt_in: None,
            });
            budgets.extend(Budget::of_dynamic_shared(function, module.target, dynamic_align));
            budgets.push(Budget::of_parameters(function, module.target, version));
        }
        let kernels = module.functions.iter().filter(|f| f.kind == FunctionKind::Kernel);
        let kernels =
            kernels.map(|kernel| KernelMap::of(kernel, module.target, dynamic_align)).collect();
        Self { rows, budgets, constants: placed::constants(module), kernels }
    }

    /// The layout of the constants and of the kernels' storage, as a table that prints itself.
    pub fn places(&self) -> Places<'_, 'a> {
        Places { constants: &self.constants, kernels: &self.kernels }
    }
}

/// Whether a budget counts the variable's space.
fn is_counted(variable: &Variable<'_>) -> bool {
    match variable.space {
        Space::Const | Space::Global | Space::Shared => true,
        Space::Reg | Space::Sreg | Space::Local | Space::Param | Space::Tex => false,
    }
}

/// The sum of the sizes; `None` if one is not known.
fn sum<'v>(mut variables: impl Iterator<Item = &'v Variable<'v>>) -> Option<usize> {
    variables.try_fold(0_usize, |sum, variable| Some(sum.saturating_add(variable.bytes()?)))
}

impl fmt::Display for MemoryMap<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["name", "space", "type", "extents", "bytes", "align", "linkage"];
        let mut table = vec![header.map(str::to_owned)];
        table.extend(self.rows.iter().map(|row| {
            [
                row.kernel.map_or_else(
                    || row.name.to_owned(),
                    |kernel| format!("{kernel}: {}", row.name),
                ),
                row.space.directive().to_owned(),
                row.ty.clone(),
                row.extents.clone(),
                row.bytes.map_or_else(|| "launch".to_owned(), grouped),
                row.align.to_string(),
                row.linkage.directive().unwrap_or("").to_owned(),
            ]
        }));
        write_table(f, &table, &[4, 5])?;
        writeln!(f)?;
        let mut table = Vec::new();
        for budget in &self.budgets {
            let limit = match (budget.limit, budget.opt_in) {
                (Some(limit), Some(more)) if more > limit => {
                    format!("of {} ({} with opt-in)", grouped(limit), grouped(more))
                }
                (Some(limit), _) => format!("of {}", grouped(limit)),
                (None, _) => String::new(),
            };
            table.push([
                budget.kernel.map_or_else(String::new, |kernel| format!("{kernel}:")),
                budget.what.to_owned(),
                match (budget.bytes, budget.without_opt_in) {
                    (Some(bytes), _) => grouped(bytes),
                    (None, Some(_)) => "launch".to_owned(),
                    (None, None) => "?".to_owned(),
                },
                format!("bytes {limit}").trim_end().to_owned(),
                match (budget.opt_in_needed(), budget.counted, budget.padding) {
                    (Some(needed), ..) => needed,
                    (None, Some(counted), _) => format!("the limit counts {}", grouped(counted)),
                    (None, None, 0) => String::new(),
                    (None, None, padding) => {
                        format!("alignment can add at most {}", grouped(padding))
                    }
                },
            ]);
        }
        write_table(f, &table, &[2])
    }
}
