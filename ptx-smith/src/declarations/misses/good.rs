//! Parts of declarations that break no rule.

use ptx_isa::Space;
use ptx_isa::ir::{Init, Linkage, Param, Type, Variable};

use crate::declarations::draft::{Body, Draft};
use crate::declarations::grammar::{align, sized};

/// An arbitrary variable of the module.
pub(super) fn good(draft: &mut Draft) -> Variable<'static> {
    let rng = &mut draft.rng;
    let space = rng.pick(&[Space::Global, Space::Const, Space::Shared]);
    let ty = sized(rng);
    let (align, linkage) = (
        align(rng, ty).filter(|align| Some(*align) >= ty.align()),
        rng.pick(&[Linkage::Internal, Linkage::Visible]),
    );
    Variable { align, linkage, ..draft.plain(space, ty) }
}

/// A variable that has a value, or can have one.
pub(super) fn good_with(
    draft: &mut Draft,
    ty: &'static Type<'static>,
    init: Init<'static>,
) -> Variable<'static> {
    let space = draft.rng.pick(&[Space::Global, Space::Const]);
    let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible]);
    Variable { linkage, init, ..draft.plain(space, ty) }
}

/// Declares the variable in the module or in a body.
pub(super) fn anywhere(draft: &mut Draft, variable: Variable<'static>) {
    if draft.rng.one_in(3) {
        inside(draft, Variable { linkage: Linkage::Internal, ..variable });
    } else {
        draft.add(variable);
    }
}

pub(super) fn inside(draft: &mut Draft, variable: Variable<'static>) {
    let body = Body::of_local(&mut draft.rng, variable);
    draft.function(body);
}

pub(super) fn kernel_of(draft: &mut Draft, param: Param<'static>) {
    draft.function(Body { params: vec![param], ..Body::kernel() });
}

pub(super) fn anything(draft: &mut Draft) {
    let variable = good(draft);
    anywhere(draft, variable);
}
