//! Initial values.

use ptx_isa::ir::{Address, Byte, Extent, FunctionKind, Init, Link, Linked, Type, Value, Variable};
use ptx_isa::{ScalarType, Space};

use super::good::{anywhere, good, good_with, inside};
use crate::declarations::draft::{Draft, keep, keep_all};
use crate::declarations::grammar::{
    array, element, number, scalar, shaped, sized, stored, structure, vector,
};

pub(super) fn plain_address(symbol: &'static str) -> Address<'static> {
    Address { symbol, generic: false, addend: 0 }
}

/// A variable with this address in its value, in one of the possible forms.
pub(super) fn holder(draft: &mut Draft, address: Address<'static>) {
    let rng = &mut draft.rng;
    let (wide, narrow) = (scalar(ScalarType::U64), scalar(ScalarType::U8));
    let (ty, init) = match rng.below(4) {
        0 => (wide, Init::Value(Value::Address(address))),
        1 => {
            let values = keep_all(vec![Value::Address(address), Value::Int(3)]);
            (keep(Type::Array(Extent::Known(2), wide)), Init::Value(Value::List(values)))
        }
        2 => {
            let mask = rng.pick(&Byte::ALL).mask();
            (narrow, Init::Value(Value::MaskedAddress(mask, address)))
        }
        _ => {
            let links = keep_all(vec![Link { at: 0, size: 8, address, byte: None }]);
            (wide, Init::Linked(Linked { bytes: &[0; 8], links }))
        }
    };
    let variable = good_with(draft, ty, init);
    draft.add(variable);
}

pub(super) fn address_of_nothing(draft: &mut Draft) {
    let generic = draft.rng.one_in(2);
    let addend = draft.rng.pick(&[0, 0, 8, -8]);
    let symbol = match draft.rng.below(3) {
        0 | 1 => draft.name(),
        // A family has members, but no address itself.
        _ => {
            let ty = keep(Type::Family(Extent::Known(3), scalar(ScalarType::U32)));
            let family = draft.plain(Space::Global, ty);
            let base = draft.add(family).name;
            if draft.rng.one_in(2) { base } else { format!("{base}3").leak() }
        }
    };
    holder(draft, Address { symbol, generic, addend });
}

pub(super) fn function_is_generic(draft: &mut Draft) {
    let kind = draft.rng.pick(&[FunctionKind::Device, FunctionKind::Kernel]);
    let symbol = draft.empty(kind).name;
    holder(draft, Address { generic: true, ..plain_address(symbol) });
}

pub(super) fn offset_of_function(draft: &mut Draft) {
    let kind = draft.rng.pick(&[FunctionKind::Device, FunctionKind::Kernel]);
    let symbol = draft.empty(kind).name;
    let addend = draft.rng.pick(&[4, 8, -4, 1 << 40]);
    holder(draft, Address { addend, ..plain_address(symbol) });
}

pub(super) fn address_space(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let target = draft.plain(Space::Shared, ty);
    let symbol = draft.add(target).name;
    let generic = draft.rng.one_in(3);
    holder(draft, Address { generic, ..plain_address(symbol) });
}

/// A variable in global memory whose address is taken.
pub(super) fn target_of(draft: &mut Draft) -> &'static str {
    let target = draft.plain(Space::Global, scalar(ScalarType::U64));
    draft.add(target).name
}

pub(super) fn address_type(draft: &mut Draft) {
    let address = plain_address(target_of(draft));
    let rng = &mut draft.rng;
    let masked = rng.one_in(3);
    let of = loop {
        let of = stored(rng);
        let takes = match of {
            ScalarType::U8 => masked,
            ScalarType::U32 | ScalarType::U64 => true,
            _ => false,
        };
        if !takes {
            break of;
        }
    };
    let value = if masked {
        Value::MaskedAddress(rng.pick(&Byte::ALL).mask(), address)
    } else {
        Value::Address(address)
    };
    let rank = rng.below(2);
    let ty = array(rng, rank, scalar(of));
    let value = shaped(rng, ty, &mut |_, _| value);
    let variable = good_with(draft, ty, Init::Value(value));
    draft.add(variable);
}

pub(super) fn mask_not_a_byte(draft: &mut Draft) {
    const MASKS: &[u64] =
        &[0, 1, 0xF, 0x1FF, 0xFFFF, 0xFF0, 0xFE, 0x100, 0x00FF_00FF, 0x1FE, u64::MAX];
    let address = plain_address(target_of(draft));
    let mask = draft.rng.pick(MASKS);
    add_masked_byte(draft, mask, address);
}

/// Addresses that need PTX 7.1 or 7.2.
pub(super) fn new_address(draft: &mut Draft) {
    let address = plain_address(target_of(draft));
    let mask = draft.rng.pick(&Byte::ALL).mask();
    add_masked_byte(draft, mask, address);
}

/// Adds a byte whose value is that of an address or a number under a mask.
fn add_masked_byte(draft: &mut Draft, mask: u64, address: Address<'static>) {
    let value = if draft.rng.one_in(2) {
        Value::MaskedAddress(mask, address)
    } else {
        Value::MaskedInt(mask, 1234)
    };
    let variable = good_with(draft, scalar(ScalarType::U8), Init::Value(value));
    draft.add(variable);
}

pub(super) fn address_cycle(draft: &mut Draft) {
    let length = draft.rng.within(1, 4);
    let names: Vec<&'static str> = (0..length).map(|_| draft.name()).collect();
    for (n, name) in names.iter().enumerate() {
        let address = plain_address(names[(n + 1) % length]);
        let init = Init::Value(Value::Address(address));
        let variable = good_with(draft, scalar(ScalarType::U64), init);
        draft.add(Variable { name, ..variable });
    }
}

pub(super) fn family_initialised(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = scalar(stored(rng));
    let ty = keep(Type::Family(Extent::Known(rng.within(1, 9)), inner));
    let init = Init::Value(shaped(rng, inner, &mut number));
    let variable = good_with(draft, ty, init);
    anywhere(draft, variable);
}

pub(super) fn family_of_arrays(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = if rng.one_in(4) {
        keep(structure(rng))
    } else {
        let (rank, element) = (rng.within(1, 2), element(rng));
        array(rng, rank, element)
    };
    let ty = keep(Type::Family(Extent::Known(rng.within(1, 9)), inner));
    let variable = Variable { ty, align: None, ..good(draft) };
    anywhere(draft, variable);
}

pub(super) fn param_type(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let ty = if rng.one_in(3) { *scalar(ScalarType::F16x2) } else { vector(rng) };
    let local = draft.plain(Space::Param, keep(ty));
    inside(draft, local);
}

pub(super) fn local_param_over_aligned(draft: &mut Draft) {
    let ty = scalar(stored(&mut draft.rng));
    let align = Some(1 << draft.rng.within(8, 20));
    let local = Variable { align, ..draft.plain(Space::Param, ty) };
    inside(draft, local);
}
