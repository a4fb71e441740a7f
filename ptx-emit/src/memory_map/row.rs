//! A variable in a memory map.

use ptx_isa::Space;
use ptx_isa::ir::{Extent, Linkage, Variable};

/// A variable in a [`MemoryMap`](super::MemoryMap).
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// The name.
    pub name: &'a str,
    /// The kernel whose body declares it; `None` for a variable of the module.
    pub kernel: Option<&'a str>,
    /// The state space.
    pub space: Space,
    /// The element type, as in the PTX text.
    pub ty: String,
    /// The extents, as in the PTX text.
    pub extents: String,
    /// Size in bytes; `None` if the launch decides it.
    pub bytes: Option<usize>,
    /// Alignment in bytes.
    pub align: usize,
    /// The linkage.
    pub linkage: Linkage,
}

impl<'a> Row<'a> {
    pub(super) fn of(variable: &Variable<'a>, kernel: Option<&'a str>) -> Self {
        let mut ty = ptx_isa::Text::<128>::new();
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
