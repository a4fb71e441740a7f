//! The parts of a declaration: types, alignments, initial values.

use ptx::ir::{
    Address, Byte, Extent, Field, FunctionKind, Init, Link, Linkage, Linked, Struct, StructKind,
    Type, Unified, Value, Variable,
};
use ptx::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Class, Domain, FilterMode, Member,
    MemberValue, Opaque, ScalarType, Space, TextureMode,
};

use crate::draft::{Draft, keep, keep_all};
use ptx_smith::Rng;

pub(crate) const fn scalar(of: ScalarType) -> &'static Type<'static> {
    &TYPES[of as usize]
}

/// Every scalar as a type.
const TYPES: [Type<'static>; ScalarType::ALL.len()] = {
    let mut types = [Type::Unknown; ScalarType::ALL.len()];
    let mut n = 0;
    while n < types.len() {
        types[n] = Type::Scalar(ScalarType::ALL[n]);
        n += 1;
    }
    types
};

/// The scalars that memory can hold: all but predicates.
pub(crate) fn stored(rng: &mut Rng) -> ScalarType {
    loop {
        let scalar = rng.pick(ScalarType::ALL);
        if scalar != ScalarType::Pred {
            return scalar;
        }
    }
}

pub(crate) fn vector(rng: &mut Rng) -> Type<'static> {
    loop {
        let (lanes, scalar) = (rng.pick(&[2, 4]), stored(rng));
        if usize::from(lanes) * scalar.bytes() <= 16 {
            return Type::Vector(lanes, scalar);
        }
    }
}

/// A struct without padding: the largest fields come first.
pub(crate) fn structure(rng: &mut Rng) -> Type<'static> {
    let align = rng.pick(&[1_usize, 2, 4, 8]);
    let mut fields = Vec::new();
    let mut at = 0;
    let mut step = align;
    while at == 0 || (at % align != 0 || rng.one_in(2)) && at < 64 {
        let ty = match step {
            1 => ScalarType::U8,
            2 => ScalarType::U16,
            4 => ScalarType::F32,
            _ => ScalarType::U64,
        };
        fields.push(Field { name: "field", offset: at, ty: scalar(ty), pointer: None });
        at += step;
        step = if at % align == 0 { align } else { rng.pick(&[step, 1.max(step / 2)]) };
    }
    Type::Struct(Struct {
        name: "Fields",
        size: at,
        align,
        fields: keep_all(fields),
        kind: StructKind::Fields,
    })
}

/// The element types of arrays.
pub(crate) fn element(rng: &mut Rng) -> &'static Type<'static> {
    match rng.below(8) {
        0..5 => scalar(stored(rng)),
        5 | 6 => keep(vector(rng)),
        _ => keep(structure(rng)),
    }
}

pub(crate) fn array(
    rng: &mut Rng,
    rank: usize,
    element: &'static Type<'static>,
) -> &'static Type<'static> {
    (0..rank).fold(element, |ty, _| keep(Type::Array(Extent::Known(rng.within(1, 5)), ty)))
}

/// Anything that memory can hold, with a size.
pub(crate) fn sized(rng: &mut Rng) -> &'static Type<'static> {
    let inner = element(rng);
    let ty = match rng.below(8) {
        0..4 => inner,
        4 | 5 => array(rng, 1, inner),
        6 => array(rng, 2, inner),
        _ => array(rng, 3, inner),
    };
    if rng.one_in(8) { keep(Type::Aligned(1 << rng.within(0, 7), ty)) } else { ty }
}

/// A declared alignment, or none.
pub(crate) fn align(rng: &mut Rng, ty: &Type<'_>) -> Option<usize> {
    let natural = ty.align().unwrap_or(1);
    match rng.below(8) {
        0..4 => None,
        4 => Some(natural),
        5 | 6 => Some(natural << rng.within(1, 7)),
        _ => Some(1.max(natural >> rng.within(1, 3))),
    }
}

pub(crate) fn unified(rng: &mut Rng) -> Unified {
    Unified { upper: rng.next(), lower: rng.next() }
}

/// Bytes that are not all zero: the text omits an initial value of zeros.
pub(crate) fn bytes(rng: &mut Rng, size: usize) -> &'static [u8] {
    let used = rng.within(1, size.max(1)).min(size);
    let mut bytes = vec![0; size];
    for byte in &mut bytes[..used] {
        *byte = rng.next().to_le_bytes()[0];
    }
    if let Some(first) = bytes.first_mut() {
        *first |= 1;
    }
    keep_all(bytes)
}

/// A number for a scalar.
pub(crate) fn number(rng: &mut Rng, scalar: ScalarType) -> Value<'static> {
    match scalar.class() {
        Class::Float => float(rng),
        Class::Bits if scalar == ScalarType::B64 && rng.one_in(4) => float(rng),
        Class::Bits | Class::Signed | Class::Unsigned | Class::Predicate => integer(rng, scalar),
    }
}

pub(crate) fn float(rng: &mut Rng) -> Value<'static> {
    const ODD: &[f64] = &[
        0.0,
        -0.0,
        1.5,
        -2.25,
        0.1,
        65_519.0,
        65_520.0,
        1e-45,
        1e39,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        f64::MAX,
    ];
    Value::Float(rng.pick(ODD))
}

pub(crate) fn integer(rng: &mut Rng, scalar: ScalarType) -> Value<'static> {
    let (least, most) = scalar.integer_range().unwrap_or((0, 1));
    let most = i128::try_from(most).unwrap_or(i128::MAX);
    Value::Int(match rng.below(8) {
        0 => 0,
        1 => 1,
        2 => least,
        3 => most,
        // Out of its range, but accepted.
        4 if scalar.bytes() <= 4 => most + 1,
        5 if scalar.bytes() <= 4 => least - 1,
        _ => (i128::from(rng.next() % 256) - 128).clamp(least, most),
    })
}

/// A literal of the shape of `ty`, with scalars from `leaf`.
pub(crate) fn shaped(
    rng: &mut Rng,
    ty: &Type<'_>,
    leaf: &mut dyn FnMut(&mut Rng, ScalarType) -> Value<'static>,
) -> Value<'static> {
    match ty {
        Type::Scalar(scalar) => leaf(rng, *scalar),
        Type::Vector(lanes, scalar) => {
            let lanes = (0..*lanes).map(|_| leaf(rng, *scalar));
            Value::List(keep_all(lanes.collect()))
        }
        // Arrays of structs are one list of bytes.
        Type::Array(..) if matches!(ty.element(), Type::Struct(_)) => {
            let count = rng.within(1, ty.size().unwrap_or(1).clamp(1, 64));
            let values = (0..count).map(|_| integer(rng, ScalarType::U8));
            Value::List(keep_all(values.collect()))
        }
        Type::Array(extent, element) => {
            let count = match extent {
                Extent::Known(count) if rng.one_in(3) => rng.within(1, 1.max(*count)),
                Extent::Known(count) => *count,
                Extent::Incomplete | Extent::Unknown => rng.within(1, 4),
            };
            let values = (0..count).map(|_| shaped(rng, element, leaf));
            Value::List(keep_all(values.collect()))
        }
        Type::Aligned(_, inner) => shaped(rng, inner, leaf),
        Type::Struct(layout) => {
            let count = rng.within(1, layout.size.max(1));
            let values = (0..count).map(|_| integer(rng, ScalarType::U8));
            Value::List(keep_all(values.collect()))
        }
        Type::Opaque(_) | Type::Family(..) | Type::Unknown => Value::Int(0),
    }
}

pub(crate) fn numbers(rng: &mut Rng, ty: &Type<'_>) -> Init<'static> {
    if ty.rank() > 0 && matches!(ty.element(), Type::Struct(_)) {
        return Init::Bytes(bytes(rng, ty.size().unwrap_or(1)));
    }
    Init::Value(shaped(rng, ty, &mut number))
}

/// The address of a variable or function that the case declares.
pub(crate) fn address(draft: &mut Draft) -> Address<'static> {
    let (symbol, bytes) = match draft.rng.below(8) {
        0..4 => {
            let space = draft.rng.pick(&[Space::Global, Space::Global, Space::Const]);
            let ty = sized(&mut draft.rng);
            let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak]);
            let target = Variable { linkage, ..draft.plain(space, ty) };
            let target = draft.add(target);
            (target.name, target.bytes().unwrap_or(1))
        }
        4 | 5 => {
            let family = keep(Type::Family(Extent::Known(12), scalar(ScalarType::U32)));
            let target = draft.plain(Space::Global, family);
            let target = draft.add(target);
            let member = draft.rng.below(12);
            (&*format!("{}{member}", target.name).leak(), 4)
        }
        6 => (draft.empty(FunctionKind::Device).name, 0),
        _ => (draft.empty(FunctionKind::Kernel).name, 0),
    };
    let rng = &mut draft.rng;
    let addend = match rng.below(4) {
        _ if bytes == 0 => 0,
        0 | 1 => 0,
        2 => i128::try_from(rng.below(bytes)).unwrap_or(0),
        // Out of bounds: a hazard.
        _ => rng.pick(&[-4, 4096, 1 << 32]),
    };
    Address { symbol, generic: bytes > 0 && rng.one_in(2), addend }
}

/// A type that can hold addresses, and its value.
pub(crate) fn addresses(draft: &mut Draft) -> (&'static Type<'static>, Init<'static>) {
    let address = address(draft);
    let rng = &mut draft.rng;
    // A mask does not accept the address of a function with an offset.
    let mask = rng.pick(&Byte::ALL).mask();
    let number = i128::from(rng.next() >> 32);
    let form = rng.below(10);
    let wide = rng.pick(&[ScalarType::U64, ScalarType::U64, ScalarType::U64, ScalarType::U32]);
    let masked = rng.pick(&[ScalarType::U8, ScalarType::U8, ScalarType::U64]);
    let ty = match form {
        0 => scalar(wide),
        1 | 3 => scalar(masked),
        2 => array(rng, 1, scalar(wide)),
        4 => keep(Type::Vector(2, ScalarType::U64)),
        5 => scalar(ScalarType::U64),
        6 => array(rng, 1, scalar(ScalarType::U64)),
        7 => array(rng, 1, scalar(ScalarType::U8)),
        _ => keep(Type::Struct(Struct {
            name: "Holder",
            size: 16,
            align: 8,
            fields: &[],
            kind: StructKind::Fields,
        })),
    };
    let init = match form {
        0 | 2 | 4 => Init::Value(shaped(rng, ty, &mut |rng, _| match rng.below(3) {
            0 => Value::Int(7),
            _ => Value::Address(address),
        })),
        1 => Init::Value(Value::MaskedAddress(mask, address)),
        3 => Init::Value(Value::MaskedInt(mask, number)),
        7 => Init::Linked(linked_byte(rng, ty.size().unwrap_or(1), address)),
        _ => Init::Linked(linked(rng, ty.size().unwrap_or(8), address)),
    };
    (ty, init)
}

/// Bytes, with an address in one group of eight.
fn linked(rng: &mut Rng, size: usize, address: Address<'static>) -> Linked<'static> {
    let at = rng.below(size / 8) * 8;
    let mut bytes = bytes(rng, size).to_vec();
    bytes[at..at + 8].fill(0);
    let link = Link { at, size: 8, address, byte: None };
    Linked { bytes: keep_all(bytes), links: keep_all(vec![link]) }
}

/// Bytes, of which one is a byte of an address.
fn linked_byte(rng: &mut Rng, size: usize, address: Address<'static>) -> Linked<'static> {
    let at = rng.below(size);
    let mut bytes = bytes(rng, size).to_vec();
    bytes[at] = 0;
    let link = Link { at, size: 1, address, byte: Some(rng.pick(&Byte::ALL)) };
    Linked { bytes: keep_all(bytes), links: keep_all(vec![link]) }
}

/// The value of a member, valid or not.
fn member_value(rng: &mut Rng, domain: Domain) -> MemberValue {
    let number = |value: u64| MemberValue::Int(value.into());
    match domain {
        _ if rng.one_in(12) => number(rng.next() % 100),
        Domain::Count => number(rng.next() >> 32),
        Domain::Flag => number(rng.next() % 2),
        Domain::ChannelType => number(rng.pick(ChannelType::ALL).value()),
        Domain::ChannelOrder => number(rng.pick(ChannelOrder::ALL).value()),
        Domain::Filter => MemberValue::Filter(rng.pick(FilterMode::ALL)),
        Domain::Address => MemberValue::Address(rng.pick(AddressMode::ALL)),
    }
}

pub(crate) fn assignment(rng: &mut Rng, member: Member) -> Assignment {
    Assignment { member, value: member_value(rng, member.domain()) }
}

/// Members that an opaque type has, or that ptxas ignores.
pub(crate) fn members(rng: &mut Rng, opaque: Opaque, mode: TextureMode) -> Init<'static> {
    let had: Vec<Member> = Member::ALL
        .iter()
        .copied()
        .filter(|member| member.applies(opaque, mode) != Applies::No)
        .collect();
    let mut members = Vec::new();
    for member in &had {
        if rng.one_in(2) {
            members.push(assignment(rng, *member));
        }
    }
    if members.is_empty() || rng.one_in(4) && members.len() < had.len() {
        let member = rng.pick(&had);
        members.insert(rng.below(members.len() + 1), assignment(rng, member));
    }
    Init::Members(keep_all(members))
}
