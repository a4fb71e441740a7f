//! Totals against their limits.

use ptx_isa::ir::{Function, Variable};
use ptx_isa::rules::max_param_bytes;
use ptx_isa::{Target, Version};

use super::table::grouped;

/// A total in a [`MemoryMap`](super::MemoryMap).
#[derive(Clone, Debug)]
pub struct Budget<'a> {
    /// The counted memory: `constant memory`.
    pub what: &'static str,
    /// The kernel that it is counted for; `None` for the whole module.
    pub kernel: Option<&'a str>,
    /// The bytes used. For constant and shared memory and parameters, laid out as by ptxas for the target:
    /// visible variables first, then in order of declaration, each at its alignment. For global
    /// memory, whose order ptxas chooses, the sum of the sizes. For dynamic shared memory, whose
    /// variables start at one address, the size of the largest.
    /// `None` if a size is not known: for dynamic shared memory, if the launch decides it.
    pub bytes: Option<usize>,
    /// The bytes that the limit counts, where they are not `bytes`: for parameters, with aligned offsets
    /// instead of addresses (PTX ISA 5.1.6.1).
    pub counted: Option<usize>,
    /// The maximum that alignment can add to the sum of the sizes, in any order.
    pub padding: usize,
    /// The limit in bytes; `None` for no limit. For dynamic shared memory, what static shared memory
    /// leaves of the maximum that a block can opt in to.
    pub limit: Option<usize>,
    /// The limit in bytes after an opt-in, including dynamic shared memory.
    pub opt_in: Option<usize>,
    /// For dynamic shared memory, the bytes up to which a launch needs no opt-in: what static shared
    /// memory leaves of 48 KiB. For more, the kernel's `CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`
    /// has to be set before the launch. `None` for everything else.
    pub without_opt_in: Option<usize>,
}

impl<'a> Budget<'a> {
    /// The dynamic shared memory that a launch of this kernel requests, if the kernel names any; the module
    /// aligns it to `align` bytes.
    pub(super) fn of_dynamic_shared(
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
            counted: None,
            padding: 0,
            limit: left(target.max_shared_opt_in()),
            opt_in: None,
            without_opt_in: left(Target::SHARED_WITHOUT_OPT_IN),
        })
    }

    /// The parameters of this kernel.
    pub(super) fn of_parameters(function: &Function<'a>, target: Target, version: Version) -> Self {
        let (bytes, counted) =
            (function.param_offset(target, function.params.len()), function.param_bytes());
        Self {
            what: "parameters",
            kernel: Some(function.name),
            bytes,
            counted: counted.filter(|_| counted != bytes),
            padding: padding(function.params.iter().map(|param| &param.variable)),
            limit: Some(max_param_bytes(target, Some(version))),
            opt_in: None,
            without_opt_in: None,
        }
    }

    /// The opt-in that a launch needs first, if any.
    pub(super) fn opt_in_needed(&self) -> Option<String> {
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

/// The maximum that alignment can add: padding before each variable after the first.
pub(super) fn padding<'v>(variables: impl Iterator<Item = &'v Variable<'v>>) -> usize {
    let mut aligns: Vec<usize> = variables.filter_map(Variable::alignment).collect();
    aligns.sort_unstable();
    aligns.iter().skip(1).fold(0, |sum, align| sum.saturating_add(align.saturating_sub(1)))
}
