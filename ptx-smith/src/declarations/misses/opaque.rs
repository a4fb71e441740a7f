//! Textures, samplers and surfaces.

use ptx_isa::ir::{FunctionKind, Init, Linkage, Param, Type, Variable};
use ptx_isa::{Applies, Assignment, Member, MemberValue, Opaque, Space, TextureMode};

use super::good::{inside, kernel_of};
use crate::declarations::draft::{Body, Draft, keep, keep_all};
use crate::declarations::grammar::assignment;

pub(super) fn opaque_misplaced(draft: &mut Draft) {
    let ty = keep(Type::Opaque(draft.rng.pick(&[Opaque::TexRef, Opaque::SurfRef])));
    match draft.rng.below(3) {
        0 => {
            let space = draft.rng.pick(&[Space::Const, Space::Shared]);
            let variable = draft.plain(space, ty);
            draft.add(variable);
        }
        1 => {
            let space = draft.rng.pick(&[Space::Global, Space::Param, Space::Local, Space::Const]);
            let variable = draft.plain(space, ty);
            inside(draft, variable);
        }
        _ => {
            let params = vec![Param::new(draft.name(), ty)];
            draft.function(Body { params, ..Body::new(FunctionKind::Device) });
        }
    }
}

pub(super) fn member_not_applicable(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let mode = rng.pick(&[TextureMode::Unified, TextureMode::Independent]);
    let opaque = match mode {
        TextureMode::Unified => rng.pick(&[Opaque::TexRef, Opaque::SurfRef]),
        TextureMode::Independent => rng.pick(Opaque::ALL),
    };
    let lacking: Vec<Member> = Member::ALL
        .iter()
        .copied()
        .filter(|member| member.applies(opaque, mode) == Applies::No)
        .collect();
    let member = rng.pick(&lacking);
    let init = Init::Members(keep_all(vec![assignment(rng, member)]));
    draft.case.mode = mode;
    let variable = Variable { init, ..draft.plain(Space::Global, keep(Type::Opaque(opaque))) };
    draft.add(variable);
}

pub(super) fn members_too_many(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let count = rng.within(14, 20);
    let members: Vec<Assignment> = (0..count)
        .map(|_| Assignment {
            member: Member::Width,
            value: MemberValue::Int(i128::from(rng.next() >> 40)),
        })
        .collect();
    let init = Init::Members(keep_all(members));
    let ty = keep(Type::Opaque(rng.pick(&[Opaque::TexRef, Opaque::SurfRef])));
    draft.case.mode = rng.pick(&[TextureMode::Unified, TextureMode::Independent]);
    let variable = Variable { init, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

pub(super) fn sampler_in_unified_mode(draft: &mut Draft) {
    let ty = keep(Type::Opaque(Opaque::SamplerRef));
    if draft.rng.one_in(3) {
        let param = Param::new(draft.name(), ty);
        kernel_of(draft, param);
    } else {
        let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak]);
        let variable = Variable { linkage, ..draft.plain(Space::Global, ty) };
        draft.add(variable);
    }
}

pub(super) fn opaque_common(draft: &mut Draft) {
    let opaque = draft.rng.pick(Opaque::ALL);
    draft.case.mode = TextureMode::Independent;
    let ty = keep(Type::Opaque(opaque));
    let variable = draft.plain(Space::Global, ty);
    draft.add(Variable { linkage: Linkage::Common, ..variable });
}
