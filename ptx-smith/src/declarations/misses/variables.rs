//! Variables, except for their values.

use ptx_isa::ir::{Extent, Init, Linkage, Param, Type, Value, Variable};
use ptx_isa::{ScalarType, Space};

use super::good::{anywhere, good, good_with, inside, kernel_of};
use crate::Rng;
use crate::declarations::draft::{Body, Draft, keep, keep_all};
use crate::declarations::function::pointer;
use crate::declarations::grammar::{
    array, bytes, element, float, integer, number, numbers, scalar, shaped, sized, stored, unified,
    vector,
};

pub(super) fn illegal_name(draft: &mut Draft) {
    const NAMES: &[&str] = &[
        "a.b", "a%b", "1a", "_", "$", "%", "WARP_SZ", "%tid", "%laneid", "%ctaid", "%clock", "x-y",
        "x:y", "x@", "x?", "0x", "%%x", "~s", "a b", "%envreg3", "%pm0",
    ];
    let name = draft.rng.pick(NAMES);
    let mut variable = Variable { name, ..good(draft) };
    // ptxas accepts it with its own type, and D064 is not of the kind *refused*.
    if ptx_isa::special::is_special(name) {
        variable.ty = scalar(ScalarType::F64);
    }
    draft.add(variable);
}

pub(super) fn same_name(draft: &mut Draft) {
    let (one, other) = (seen(good(draft)), seen(good(draft)));
    let first = draft.add(one).name;
    match draft.rng.below(4) {
        0 | 1 => {
            draft.add(Variable { name: first, ..other });
        }
        2 => {
            let family = keep(Type::Family(Extent::Known(4), scalar(ScalarType::U32)));
            let family = draft.plain(Space::Global, family);
            let name = format!("{}{}", draft.add(family).name, draft.rng.below(4)).leak();
            draft.add(Variable { name, ..other });
        }
        _ => {
            let ty = sized(&mut draft.rng);
            let params = vec![Param::new("twice", ty), Param::new("twice", ty)];
            draft.function(Body { params, ..Body::kernel() });
        }
    }
}

pub(super) fn predicate_stored(draft: &mut Draft) {
    let predicate = scalar(ScalarType::Pred);
    match draft.rng.below(4) {
        0 | 1 => {
            let variable = Variable { ty: predicate, align: None, ..good(draft) };
            anywhere(draft, variable);
        }
        2 => {
            let param = Param::new(draft.name(), predicate);
            kernel_of(draft, param);
        }
        _ => {
            let space = draft.rng.pick(&[Space::Local, Space::Param]);
            let variable = draft.plain(space, predicate);
            inside(draft, variable);
        }
    }
}

pub(super) fn of_vector(draft: &mut Draft, vector: Type<'static>) {
    let rank = draft.rng.below(2);
    let ty = array(&mut draft.rng, rank, keep(vector));
    let variable = Variable { ty, align: None, ..good(draft) };
    anywhere(draft, variable);
}

pub(super) fn vector_too_wide(draft: &mut Draft) {
    let vector = loop {
        let (lanes, scalar) = (draft.rng.pick(&[2, 4]), stored(&mut draft.rng));
        if usize::from(lanes) * scalar.bytes() > 16 {
            break Type::Vector(lanes, scalar);
        }
    };
    of_vector(draft, vector);
}

pub(super) fn vector_lanes(draft: &mut Draft) {
    let vector = loop {
        let (lanes, scalar) = (draft.rng.pick(&[3, 5, 8, 16]), stored(&mut draft.rng));
        if usize::from(lanes) * scalar.bytes() <= 16 {
            break Type::Vector(lanes, scalar);
        }
    };
    of_vector(draft, vector);
}

/// Not a power of two.
pub(super) fn odd_align(rng: &mut Rng) -> usize {
    rng.pick(&[0, 3, 5, 6, 7, 12, 24, 48, 100, 192, 1000, 4097, 65_535])
}

pub(super) fn align_not_power_of_two(draft: &mut Draft) {
    let align = Some(odd_align(&mut draft.rng));
    let variable = good(draft);
    let ty = variable.ty;
    if draft.rng.one_in(3) {
        let mut param = Param::new(variable.name, ty);
        param.variable.align = align;
        kernel_of(draft, param);
    } else {
        anywhere(draft, Variable { align, ty, ..variable });
    }
}

pub(super) fn align_too_large(draft: &mut Draft) {
    let align = Some(1 << draft.rng.within(32, 40));
    let variable = Variable { align, ..seen(good(draft)) };
    draft.add(variable);
}

pub(super) fn initialiser_space(draft: &mut Draft) {
    let space =
        draft.rng.pick(&[Space::Shared, Space::Shared, Space::Local, Space::Reg, Space::Param]);
    let ty = match space {
        Space::Reg | Space::Param => scalar(stored(&mut draft.rng)),
        _ => sized(&mut draft.rng),
    };
    let init = if draft.rng.one_in(2) {
        Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1)))
    } else {
        Init::Value(shaped(&mut draft.rng, ty, &mut |rng, scalar| match number(rng, scalar) {
            Value::Int(_) => Value::Int(1),
            _ => Value::Float(1.5),
        }))
    };
    let variable = Variable { init, ..draft.plain(space, ty) };
    if space == Space::Shared { anywhere(draft, variable) } else { inside(draft, variable) }
}

pub(super) fn extent_zero(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = element(rng);
    let empty = keep(Type::Array(Extent::Known(0), inner));
    let rank = rng.below(3);
    let ty = if rng.one_in(2) {
        array(rng, rank, empty)
    } else {
        keep(Type::Array(Extent::Known(0), array(rng, rank, inner)))
    };
    let variable = Variable { ty, align: None, ..good(draft) };
    if draft.rng.one_in(5) {
        let param = Param::new(variable.name, variable.ty);
        kernel_of(draft, param);
    } else {
        anywhere(draft, variable);
    }
}

pub(super) fn const_variable_over_limit(draft: &mut Draft) {
    let size = 65_536 + draft.rng.pick(&[1, 2, 100, 4096, 1 << 20]);
    let ty = keep(Type::Array(Extent::Known(size), scalar(ScalarType::U8)));
    let variable = seen(good_with(draft, ty, Init::None));
    let variable = Variable { space: Space::Const, ..variable };
    draft.add(variable);
}

pub(super) fn const_over_limit(draft: &mut Draft) {
    let mut left = 65_536 + draft.rng.within(1, 4000);
    while left > 0 {
        let size = draft.rng.within(1, 30_000).min(left);
        let ty = keep(Type::Array(Extent::Known(size), scalar(ScalarType::U8)));
        let variable = seen(good_with(draft, ty, Init::None));
        draft.add(Variable { space: Space::Const, ..variable });
        left -= size;
    }
}

pub(super) fn extent_missing(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = loop {
        let inner = element(rng);
        if !matches!(inner, Type::Struct(_)) {
            break inner;
        }
    };
    let open = keep(Type::Array(Extent::Incomplete, inner));
    let ty = if rng.one_in(3) { array(rng, 1, open) } else { open };
    if ty.extent(0) == Some(Extent::Incomplete) && draft.rng.one_in(4) {
        let param = Param::new(draft.name(), ty);
        kernel_of(draft, param);
    } else {
        let variable = Variable { ty, align: None, ..good(draft) };
        anywhere(draft, variable);
    }
}

/// A scalar that needs a version.
pub(super) fn wide_scalar(draft: &mut Draft) {
    let scalar = scalar(ScalarType::B128);
    let is_family = draft.rng.one_in(4);
    let ty = if is_family { keep(Type::Family(Extent::Known(2), scalar)) } else { scalar };
    if is_family {
        let variable = draft.plain(Space::Global, ty);
        draft.add(variable);
    } else {
        in_memory(draft, ty);
    }
}

/// A scalar that needs a target.
pub(super) fn new_scalar(draft: &mut Draft) {
    let of = draft.rng.pick(&[ScalarType::B128, ScalarType::F16x2]);
    let rank = if of == ScalarType::F16x2 { draft.rng.below(3) } else { 0 };
    let ty = array(&mut draft.rng, rank, scalar(of));
    in_memory(draft, ty);
}

/// Declares it as a variable, a parameter or a register.
pub(super) fn in_memory(draft: &mut Draft, ty: &'static Type<'static>) {
    match draft.rng.below(4) {
        0 if ty.rank() == 0 => {
            let register = draft.plain(Space::Reg, ty);
            inside(draft, register);
        }
        1 if ty.scalar() == Some(ScalarType::B128) => {
            let param = Param::new(draft.name(), ty);
            kernel_of(draft, param);
        }
        _ => {
            let variable = Variable { ty, align: None, ..good(draft) };
            anywhere(draft, variable);
        }
    }
}

pub(super) fn initialiser_of_extern(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let init = if draft.rng.one_in(2) {
        Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1)))
    } else {
        numbers(&mut draft.rng, ty)
    };
    let variable = good_with(draft, ty, init);
    draft.add(Variable { linkage: Linkage::Extern, ..variable });
}

pub(super) fn space_not_here(draft: &mut Draft) {
    let ty = scalar(stored(&mut draft.rng));
    match draft.rng.below(6) {
        0 | 1 => {
            let space =
                draft.rng.pick(&[Space::Reg, Space::Local, Space::Param, Space::Sreg, Space::Tex]);
            let variable = draft.plain(space, ty);
            draft.add(variable);
        }
        2 | 3 => {
            let space = draft.rng.pick(&[Space::Sreg, Space::Tex]);
            let variable = draft.plain(space, ty);
            inside(draft, variable);
        }
        _ => {
            let variable = draft.plain(Space::Reg, ty);
            kernel_of(draft, Param { variable, pointer: None, readonly: false, elements: None });
        }
    }
}

pub(super) fn value_shape(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let one = |rng: &mut Rng, ty| shaped(rng, ty, &mut number);
    let of = scalar(stored(rng));
    let (ty, value) = match rng.below(6) {
        // A list for a scalar.
        0 => (of, Value::List(keep_all(vec![one(rng, of)]))),
        // A number for an array.
        1 => (array(rng, 1, of), one(rng, of)),
        // More values than elements.
        2 => {
            let count = rng.within(1, 5);
            let ty = keep(Type::Array(Extent::Known(count), of));
            (ty, Value::List(keep_all((0..=count).map(|_| one(rng, of)).collect())))
        }
        // A vector with too many or too few values.
        3 | 4 => {
            let ty = keep(vector(rng));
            let Type::Vector(lanes, scalar) = *ty else { return };
            let count = rng.pick(&[1, lanes + 1, 3]);
            let count = if count == lanes { 1 } else { count };
            (ty, Value::List(keep_all((0..count).map(|_| number(rng, scalar)).collect())))
        }
        // A missing nested list.
        _ => (array(rng, 2, of), Value::List(keep_all(vec![one(rng, of)]))),
    };
    let variable = good_with(draft, ty, Init::Value(value));
    anywhere(draft, variable);
}

pub(super) fn inexact_kind(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let (of, value) = match rng.below(5) {
        0 => (rng.pick(&[ScalarType::F32, ScalarType::F64]), Value::MaskedInt(0xFF, 5)),
        1 | 2 => (rng.pick(&[ScalarType::F32, ScalarType::F64]), integer(rng, ScalarType::S32)),
        _ => {
            const INTEGERS: &[ScalarType] = &[
                ScalarType::U8,
                ScalarType::U16,
                ScalarType::U32,
                ScalarType::U64,
                ScalarType::S8,
                ScalarType::S16,
                ScalarType::S32,
                ScalarType::S64,
            ];
            (rng.pick(INTEGERS), float(rng))
        }
    };
    let rank = rng.below(3);
    let ty = array(rng, rank, scalar(of));
    let value = shaped(rng, ty, &mut |_, _| value);
    let variable = good_with(draft, ty, Init::Value(value));
    anywhere(draft, variable);
}

pub(super) fn pointer_not_power_of_two(draft: &mut Draft) {
    let align = Some(odd_align(&mut draft.rng));
    let pointer = ptx_isa::ir::Pointer { align, ..pointer(&mut draft.rng) };
    let param =
        Param { pointer: Some(pointer), ..Param::new(draft.name(), scalar(ScalarType::U64)) };
    kernel_of(draft, param);
}

pub(super) fn outside_global(draft: &mut Draft) -> Variable<'static> {
    let space = draft.rng.pick(&[Space::Const, Space::Shared]);
    Variable { space, ..good(draft) }
}

pub(super) fn common_outside_global(draft: &mut Draft) {
    let variable = outside_global(draft);
    draft.add(Variable { linkage: Linkage::Common, ..variable });
}

pub(super) fn managed_outside_global(draft: &mut Draft) {
    let variable = seen(outside_global(draft));
    if draft.rng.one_in(4) {
        anywhere(draft, Variable { managed: true, ..variable });
    } else {
        draft.add(Variable { managed: true, ..variable });
    }
}

pub(super) fn unified_outside_global(draft: &mut Draft) {
    let variable = seen(outside_global(draft));
    let unified = Some(unified(&mut draft.rng));
    draft.add(Variable { unified, ..variable });
}

pub(super) fn common(draft: &mut Draft) {
    let variable = good(draft);
    draft.add(Variable { space: Space::Global, linkage: Linkage::Common, ..variable });
}

pub(super) fn managed(draft: &mut Draft) {
    let variable = seen(good(draft));
    draft.add(Variable { space: Space::Global, managed: true, ..variable });
}

/// A variable that the host can find.
pub(super) fn seen(variable: Variable<'static>) -> Variable<'static> {
    match variable.linkage {
        Linkage::Internal => Variable { linkage: Linkage::Visible, ..variable },
        _ => variable,
    }
}

pub(super) fn unified_variable(draft: &mut Draft) {
    let (variable, unified) = (good(draft), Some(unified(&mut draft.rng)));
    draft.add(Variable { space: Space::Global, unified, ..variable });
}

pub(super) fn predicate_vector(draft: &mut Draft) {
    let lanes = draft.rng.pick(&[2, 4]);
    let register = draft.plain(Space::Reg, keep(Type::Vector(lanes, ScalarType::Pred)));
    inside(draft, register);
}
