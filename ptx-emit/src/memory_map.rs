//! What a module's storage takes.

use core::fmt::{self, Write as _};

use ptx_types::ir::{Extent, Function, FunctionKind, Linkage, Module, Variable};
use ptx_types::rules::{CONST_BYTES, max_param_bytes};
use ptx_types::{Space, Target};

/// A table of a module's storage, and its totals against the budgets of the target.
/// `Display` prints it.
#[derive(Clone, Debug)]
pub struct MemoryMap<'a> {
    /// A row for each variable, in order of declaration.
    pub rows: Vec<Row<'a>>,
    /// The totals: constant memory, global memory, and for each kernel static shared memory, dynamic
    /// shared memory where it names some, and parameters.
    pub budgets: Vec<Budget<'a>>,
}

/// A variable in a [`MemoryMap`].
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The name.
    pub name: &'a str,
    /// The kernel whose body declares it; `None` for the module's own.
    pub kernel: Option<&'a str>,
    /// The state space.
    pub space: Space,
    /// The element type, as in the PTX text.
    pub ty: String,
    /// The extents, as in the PTX text.
    pub extents: String,
    /// Size in bytes; `None` where the launch decides.
    pub bytes: Option<usize>,
    /// Alignment in bytes.
    pub align: usize,
    /// The linkage.
    pub linkage: Linkage,
}

/// A total in a [`MemoryMap`].
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    /// What is counted: `constant memory`.
    pub what: &'static str,
    /// The kernel that it is counted for; `None` for the whole module.
    pub kernel: Option<&'a str>,
    /// The bytes taken. In constant and shared memory and for parameters, as ptxas lays them out:
    /// visible variables first, then in order of declaration, each at its alignment. In global
    /// memory, whose order ptxas chooses, the sum of the sizes. In dynamic shared memory, whose
    /// variables start at one address, the size of the largest.
    /// `None` where a size is not known: of dynamic shared memory, where the launch decides it.
    pub bytes: Option<usize>,
    /// The most that alignment can add to the sum of the sizes, in any order.
    pub padding: usize,
    /// The bytes there are; `None` for no limit. Of dynamic shared memory, what static shared memory
    /// leaves of the most that a block can opt in to.
    pub limit: Option<usize>,
    /// The bytes there are after an opt-in, with dynamic shared memory.
    pub opt_in: Option<usize>,
    /// Of dynamic shared memory, the bytes up to which a launch needs no opt-in: what static shared
    /// memory leaves of 48 KiB. For more, `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES` of the
    /// kernel has to be set to them before the launch. `None` of all else.
    pub without_opt_in: Option<usize>,
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
                padding: padding(all().filter(|variable| variable.space == Space::Const)),
                limit: Some(CONST_BYTES),
                opt_in: None,
                without_opt_in: None,
            },
            Budget {
                what: "global memory",
                kernel: None,
                bytes: sum(all().filter(global)),
                padding: padding(all().filter(global)),
                limit: None,
                opt_in: None,
                without_opt_in: None,
            },
        ];
        // Every declaration of the module is asked for these.
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
                padding: padding(shared.filter(|variable| !variable.is_dynamic())),
                limit: Some(module.target.max_static_shared(module.release)),
                opt_in: Some(module.target.max_shared_opt_in()),
                without_opt_in: None,
            });
            budgets.extend(Budget::of_dynamic_shared(function, module.target, dynamic_align));
            budgets.push(Budget {
                what: "parameters",
                kernel: Some(function.name),
                bytes: function.param_bytes(),
                padding: padding(function.params.iter().map(|param| &param.variable)),
                limit: Some(max_param_bytes(module.target, Some(version))),
                opt_in: None,
                without_opt_in: None,
            });
        }
        Self { rows, budgets }
    }
}

impl<'a> Budget<'a> {
    /// What a launch of this kernel asks for, if the kernel names dynamic shared memory, which the module
    /// aligns to so many bytes.
    fn of_dynamic_shared(
        function: &Function<'a>,
        target: Target,
        align: Option<usize>,
    ) -> Option<Self> {
        if !function.has_dynamic_shared() {
            return None;
        }
        let offset = align.and_then(|align| function.dynamic_shared_offset(align));
        let left = |of: usize| Some(of.saturating_sub(offset?));
        Some(Self {
            what: "dynamic shared memory",
            kernel: Some(function.name),
            bytes: function.dynamic_shared_bytes(),
            padding: 0,
            limit: left(target.max_shared_opt_in()),
            opt_in: None,
            without_opt_in: left(Target::SHARED_WITHOUT_OPT_IN),
        })
    }

    /// What a launch has to do first, if anything.
    fn opt_in_needed(&self) -> Option<String> {
        const OPT_IN: &str = "needs the opt-in CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES";
        match (self.bytes, self.without_opt_in, self.limit) {
            (Some(bytes), Some(most), _) if bytes > most => Some(OPT_IN.to_owned()),
            (None, Some(most), Some(limit)) if limit > most => {
                Some(format!("more than {} {OPT_IN}", grouped(most)))
            }
            (_, _, _) => None,
        }
    }
}

impl<'a> Row<'a> {
    fn of(variable: &Variable<'a>, kernel: Option<&'a str>) -> Self {
        let mut ty = ptx_types::Text::<128>::new();
        ty.push_type(variable.ty.element());
        let extents = variable.ty.extents().map(|extent| match extent {
            Extent::Known(count) => format!("[{count}]"),
            Extent::Incomplete | Extent::Unknown => "[]".to_owned(),
        });
        Self {
            name: variable.name,
            kernel,
            space: variable.space,
            ty: ty.as_str().to_owned(),
            extents: extents.collect(),
            bytes: variable.bytes(),
            align: variable.alignment().unwrap_or(1),
            linkage: variable.linkage,
        }
    }
}

/// Whether a budget counts what is in the variable's space.
fn is_counted(variable: &Variable<'_>) -> bool {
    match variable.space {
        Space::Const | Space::Global | Space::Shared => true,
        Space::Reg | Space::Sreg | Space::Local | Space::Param | Space::Tex => false,
    }
}

/// The most that alignment can add: each variable after the first may have to wait for its own.
fn padding<'v>(variables: impl Iterator<Item = &'v Variable<'v>>) -> usize {
    let mut aligns: Vec<usize> = variables.filter_map(Variable::alignment).collect();
    aligns.sort_unstable();
    aligns.iter().skip(1).fold(0, |sum, align| sum.saturating_add(align.saturating_sub(1)))
}

/// The sum of the sizes; `None` where one is not known.
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
                match (budget.opt_in_needed(), budget.padding) {
                    (Some(needed), _) => needed,
                    (None, 0) => String::new(),
                    (None, padding) => format!("alignment can add at most {}", grouped(padding)),
                },
            ]);
        }
        write_table(f, &table, &[2])
    }
}

/// A number with a comma between each three digits.
fn grouped(number: usize) -> String {
    let mut text = ptx_types::Text::<64>::new();
    text.push_int(i128::try_from(number).unwrap_or(i128::MAX), true);
    text.as_str().to_owned()
}

fn write_table<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    table: &[[String; N]],
    right: &[usize],
) -> fmt::Result {
    let widths: [usize; N] = core::array::from_fn(|column| {
        table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
    });
    for row in table {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            if widths[column] == 0 {
                continue;
            }
            if !line.is_empty() {
                line.push_str("  ");
            }
            let width = widths[column];
            if right.contains(&column) {
                write!(line, "{cell:>width$}")?;
            } else {
                write!(line, "{cell:<width$}")?;
            }
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}
