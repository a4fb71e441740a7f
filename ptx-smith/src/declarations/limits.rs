//! Storage that takes about as much as there is.

use ptx_isa::ir::{Extent, Linkage, Param, Type, Variable};
use ptx_isa::rules;
use ptx_isa::{ScalarType, Space};

use super::draft::{Body, Draft, keep};
use super::grammar::scalar;

/// Parts that fill a space to about `most` bytes, each at its alignment.
fn parts(draft: &mut Draft, most: usize, count: usize) -> Vec<(usize, Option<usize>)> {
    let rng = &mut draft.rng;
    let mut left = most;
    let mut parts = Vec::new();
    for n in 0..count {
        let size = if n + 1 == count { left } else { rng.within(1, left / 2) };
        let align = rng.pick(&[None, None, Some(2), Some(8), Some(64)]);
        left -= size;
        parts.push((size, align));
    }
    let last = &mut parts[count - 1].0;
    // A little below the limit or above it; padding decides.
    *last = 1.max((*last + rng.below(9)).saturating_sub(rng.pick(&[0, 4, 4, 16, 130])));
    parts
}

fn bytes_of(size: usize) -> &'static Type<'static> {
    keep(Type::Array(Extent::Known(size), scalar(ScalarType::B8)))
}

/// Static shared memory of every kind, about as much as the limit.
pub(super) fn shared_near_limit(draft: &mut Draft) {
    let most = draft.rng.pick(&[48 * 1024, 48 * 1024, 48 * 1024, 99 * 1024, 227 * 1024]);
    let count = draft.rng.within(1, 5);
    let mut body = Body::kernel();
    for (size, align) in parts(draft, most, count) {
        let variable = Variable { align, ..draft.plain(Space::Shared, bytes_of(size)) };
        match draft.rng.below(8) {
            0..3 => body.uses.push(draft.add(variable)),
            3 | 4 => {
                let linkage = draft.rng.pick(&[Linkage::Visible, Linkage::Weak]);
                body.uses.push(draft.add(Variable { linkage, ..variable }));
            }
            5 => body.locals.push(keep(variable)),
            _ => body.idle.push(keep(variable)),
        }
    }
    draft.function(body);
}

/// Constants, about as many as the limit.
pub(super) fn const_near_limit(draft: &mut Draft) {
    let count = draft.rng.within(1, 5);
    let mut body = Body::kernel();
    for (size, align) in parts(draft, 64 * 1024, count) {
        let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak]);
        let variable = Variable { align, ..draft.plain(Space::Const, bytes_of(size)) };
        if draft.rng.one_in(4) {
            body.locals.push(keep(variable));
        } else {
            draft.add(Variable { linkage, ..variable });
        }
    }
    draft.function(body);
}

/// Parameters, about as many as the limit.
pub(super) fn params_near_limit(draft: &mut Draft) {
    let most = draft.rng.pick(&[rules::PARAM_BYTES, rules::PARAM_BYTES_BEFORE_8_1]);
    let count = draft.rng.within(1, 4);
    let mut body = Body::kernel();
    for (size, align) in parts(draft, most, count) {
        let mut param = Param::new(draft.name(), bytes_of(size));
        param.variable.align = align;
        body.params.push(param);
    }
    draft.function(body);
}
