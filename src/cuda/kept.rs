//! The arguments of a launch, as they are kept in a place that other threads may read at the same time.

use core::ffi::c_void;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;
use std::boxed::Box;
use std::vec::Vec;

use ptx_types::ir::{Extent, Function, Param, StructKind, Type};

/// The words of 8 bytes that are kept of the arguments of a launch.
const WORDS: usize = 64;

/// The bytes that are kept of a value at most: those of a tensor map.
const MOST: usize = 128;

/// What an argument points to: the number of elements, below the bit of a buffer.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Pointed(u64);

impl Pointed {
    const BUFFER: u64 = 1 << 63;

    /// Nothing.
    pub const NONE: Self = Self(0);

    /// So many elements.
    #[inline]
    pub(super) const fn new(elements: u64, is_buffer: bool) -> Self {
        let elements = if elements < Self::BUFFER { elements } else { Self::BUFFER - 1 };
        Self(elements | if is_buffer { Self::BUFFER } else { 0 })
    }

    /// How many elements there are, of the type that the parameter points to.
    #[inline]
    pub(super) const fn elements(self) -> u64 {
        self.0 & !Self::BUFFER
    }

    /// Whether it is a buffer, which is borrowed for the launch.
    pub(super) const fn is_buffer(self) -> bool {
        self.0 & Self::BUFFER != 0
    }
}

/// The arguments of a launch.
#[derive(Clone, Copy)]
pub(super) struct Passed<'a> {
    /// The slots of the kernel.
    pub(super) slots: &'a [Slot],
    /// An address for each parameter.
    pub(super) params: &'a [*mut c_void],
    /// What each points to.
    pub(super) pointed: &'a [Pointed],
}

/// Arguments at the [slots] of their kernel.
pub(super) struct Kept([AtomicU64; WORDS]);

/// The bytes of the arguments, at the [places] of their parameters; padding is zero.
pub(super) type Bytes = [u8; 8 * WORDS];

impl Kept {
    /// No argument.
    pub(super) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; WORDS])
    }

    /// Keeps the arguments of a launch.
    ///
    /// # Safety
    /// The slots are those of a kernel, and there is an address for each parameter, of a value of its type.
    #[inline]
    pub(super) unsafe fn keep(&self, Passed { slots, params, pointed }: Passed<'_>) {
        let word = |slot: &Slot, n: usize| &self.0[(usize::from(slot.word) + n) % WORDS];
        for slot in slots {
            let param = usize::from(slot.param);
            // SAFETY: the slots are those of the kernel, and there are as many addresses as parameters.
            let from = unsafe { params.get_unchecked(param) }.cast_const().cast::<u8>();
            // A `match` would jump by a table, which the processor has forgotten since the last launch.
            if let Part::Any(words, rest) = slot.part {
                // SAFETY: the caller guarantees that there is a value, of which the slot says what is initialised.
                unsafe { self.keep_any(*slot, from, (words, rest)) };
                continue;
            }
            let is_half = matches!(slot.part, Part::Half);
            // SAFETY: the value has 4 bytes, or 8.
            let value = unsafe { if is_half { half(from) } else { whole(from) } };
            word(slot, 0).store(value, Relaxed);
            if matches!(slot.part, Part::Pointer) {
                let elements = pointed.get(param).map_or(0, |pointed| pointed.elements());
                word(slot, 1).store(elements, Relaxed);
            }
        }
    }

    /// Keeps so many words of an argument, and some bytes of the next one.
    ///
    /// # Safety
    /// There is a value at this address, whose bytes of the slot are initialised.
    #[inline(never)]
    unsafe fn keep_any(&self, slot: Slot, from: *const u8, (words, rest): (u8, u8)) {
        let (words, start) = (usize::from(words), usize::from(slot.word));
        let Some(to) = self.0.get(start..) else { return };
        // SAFETY: the caller guarantees it.
        unsafe {
            let from = from.add(usize::from(slot.from));
            for (n, to) in to.iter().enumerate().take(words) {
                to.store(whole(from.add(8 * n)), Relaxed);
            }
            if rest != 0
                && let Some(to) = to.get(words)
            {
                let mut word = [0; 8];
                for (n, to) in word.iter_mut().enumerate() {
                    if rest >> n & 1 == 1 {
                        *to = from.add(8 * words + n).read();
                    }
                }
                to.store(u64::from_ne_bytes(word), Relaxed);
            }
        }
    }

    /// What is kept.
    pub(super) fn bytes(&self) -> Bytes {
        let mut bytes = [0; 8 * WORDS];
        for (to, word) in bytes.chunks_exact_mut(8).zip(&self.0) {
            to.copy_from_slice(&word.load(Relaxed).to_ne_bytes());
        }
        bytes
    }
}

/// A part of an argument, and where it is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// The number of the parameter.
    param: u16,
    /// Where it starts in the argument, in bytes.
    from: u8,
    /// The first word that it is kept in.
    word: u8,
    part: Part,
}

/// What is kept of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All of it, 4 bytes.
    Half,
    /// All of it, 8 bytes.
    Word,
    /// A pointer, and the number of elements in the next word.
    Pointer,
    /// So many words, and of the next one the bytes whose bits are set: bit 0 is the first one.
    Any(u8, u8),
}

impl Part {
    /// So many words and bytes at the start of an argument.
    fn of(words: u8, rest: u8) -> Self {
        const HALF: u8 = 0x0f;
        match (words, rest) {
            (0, HALF) => Self::Half,
            (1, 0) => Self::Word,
            _ => Self::Any(words, rest),
        }
    }
}

/// The word at this address.
///
/// # Safety
/// There are 8 bytes, which are initialised.
#[inline]
unsafe fn whole(from: *const u8) -> u64 {
    // SAFETY: the caller guarantees it.
    u64::from_ne_bytes(unsafe { from.cast::<[u8; 8]>().read() })
}

/// The word that starts with the 4 bytes at this address.
///
/// # Safety
/// They are there, and are initialised.
#[inline]
unsafe fn half(from: *const u8) -> u64 {
    // SAFETY: the caller guarantees it.
    let [a, b, c, d] = unsafe { from.cast::<[u8; 4]>().read() };
    u64::from_ne_bytes([a, b, c, d, 0, 0, 0, 0])
}

/// Where an argument is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The first byte, a multiple of 8.
    pub(super) at: usize,
    /// The bytes of the argument that are kept; 0 if there was no room, or the size is unknown.
    pub(super) bytes: usize,
    /// Whether it is a pointer: the number of elements follows its 8 bytes.
    pub(super) is_pointer: bool,
}

/// The places of the arguments of a kernel, one for each parameter.
pub(super) fn places(kernel: &Function<'_>) -> Vec<Place> {
    let mut at = 0;
    let place = |param: &Param<'_>| {
        let is_pointer = param.pointer.is_some();
        let bytes = param.variable.bytes().unwrap_or(0).min(MOST);
        let end = at + bytes.next_multiple_of(8) + if is_pointer { 8 } else { 0 };
        if end > 8 * WORDS || (is_pointer && bytes != 8) {
            return Place { at: 0, bytes: 0, is_pointer: false };
        }
        let first = core::mem::replace(&mut at, end);
        Place { at: first, bytes, is_pointer }
    };
    kernel.params.iter().map(place).collect()
}

/// What is kept of the arguments of a kernel, and where.
pub(super) fn slots(kernel: &Function<'_>) -> Box<[Slot]> {
    let mut slots = Vec::<Slot>::new();
    for (n, (param, place)) in kernel.params.iter().zip(places(kernel)).enumerate() {
        let Ok(number) = u16::try_from(n) else { break };
        let word = |n: usize| small(place.at / 8 + n);
        if place.is_pointer {
            slots.push(Slot { param: number, from: 0, word: word(0), part: Part::Pointer });
            continue;
        }
        if let Type::Scalar(_) = param.variable.ty {
            let part = Part::of(small(place.bytes / 8), (1 << (place.bytes % 8)) - 1);
            slots.push(Slot { param: number, from: 0, word: word(0), part });
            continue;
        }
        let mut has_value = [false; MOST];
        mark(param.variable.ty, &mut has_value[..place.bytes]);
        // The first word of a part, how many words it has, and which bytes of the next one.
        let mut parts: Vec<(usize, u8, u8)> = Vec::new();
        for (n, bytes) in has_value[..place.bytes].chunks(8).enumerate() {
            let mask = bytes.iter().rev().fold(0, |mask, has| mask << 1 | u8::from(*has));
            let (words, rest) = if mask == u8::MAX { (1, 0) } else { (0, mask) };
            match parts.last_mut() {
                _ if mask == 0 => {}
                Some((first, before, last @ 0)) if *first + usize::from(*before) == n => {
                    (*before, *last) = (*before + words, rest);
                }
                _ => parts.push((n, words, rest)),
            }
        }
        slots.extend(parts.into_iter().map(|(first, words, rest)| {
            let part = if first == 0 { Part::of(words, rest) } else { Part::Any(words, rest) };
            Slot { param: number, from: small(8 * first), word: word(first), part }
        }));
    }
    slots.into_boxed_slice()
}

/// A number below 128.
fn small(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// Marks the bytes that each value of a type has, of those that start with the first one: padding stays as it is.
fn mark(ty: &Type<'_>, bytes: &mut [bool]) {
    let fill = |bytes: &mut [bool], size: usize| {
        let size = size.min(bytes.len());
        bytes[..size].fill(true);
    };
    match ty {
        Type::Scalar(scalar) => fill(bytes, scalar.bytes()),
        Type::Vector(count, scalar) => fill(bytes, usize::from(*count) * scalar.bytes()),
        Type::Array(Extent::Known(count), element) => {
            if let Some(size @ 1..) = element.size() {
                bytes.chunks_mut(size).take(*count).for_each(|bytes| mark(element, bytes));
            }
        }
        Type::Aligned(_, inner) => mark(inner, bytes),
        Type::Struct(of) if matches!(of.kind, StructKind::TensorMap(_)) => fill(bytes, of.size),
        Type::Struct(of) => {
            for field in of.fields {
                let Some(bytes) = bytes.get_mut(field.offset..) else { continue };
                match field.pointer {
                    Some(_) => fill(bytes, 8),
                    None => mark(field.ty, bytes),
                }
            }
        }
        Type::Array(..) | Type::Opaque(_) | Type::Family(..) | Type::Unknown => {}
    }
}

#[cfg(test)]
mod tests {
    use ptx_types::ScalarType;
    use ptx_types::ir::{Field, FunctionKind, Struct};

    use super::*;

    const U8: &Type<'static> = &Type::Scalar(ScalarType::U8);
    const U16: &Type<'static> = &Type::Scalar(ScalarType::U16);
    const U32: &Type<'static> = &Type::Scalar(ScalarType::U32);
    const U64: &Type<'static> = &Type::Scalar(ScalarType::U64);

    const fn field(
        name: &'static str,
        offset: usize,
        ty: &'static Type<'static>,
    ) -> Field<'static> {
        Field { name, offset, ty, pointer: None }
    }

    /// `(u8, [u16; 2], u64, u32)`, with padding after the first, the second and the last.
    static PADDED: Type<'static> = Type::Struct(Struct {
        name: "Padded",
        size: 24,
        align: 8,
        fields: &[
            field("a", 0, U8),
            field("b", 2, &Type::Array(Extent::Known(2), U16)),
            field("c", 8, U64),
            field("d", 16, U32),
        ],
        kind: StructKind::Fields,
    });

    #[repr(C)]
    struct Padded(u8, [u16; 2], u64, u32);

    fn kept(params: &'static [Param<'static>], values: &[*const c_void]) -> Bytes {
        let kernel = Function { params, ..Function::new(FunctionKind::Kernel, "kernel") };
        let values: Vec<*mut c_void> = values.iter().map(|value| value.cast_mut()).collect();
        let pointed = std::vec![Pointed::NONE; values.len()];
        let kept = Kept::new();
        let passed = Passed { slots: &slots(&kernel), params: &values, pointed: &pointed };
        // SAFETY: the tests pass values of the parameters' types.
        unsafe { kept.keep(passed) };
        kept.bytes()
    }

    /// Miri finds out whether padding is read.
    #[test]
    fn padding_is_left_out() {
        let value = Padded(1, [2, 3], 0x0405_0607_0809_0a0b, 0x0c0d_0e0f);
        let all = [(&raw const value).cast()];
        let bytes = kept(const { &[Param::new("padded", &PADDED)] }, &all);
        let mut expected = [0; 24];
        expected[0] = 1;
        expected[2..4].copy_from_slice(&2_u16.to_ne_bytes());
        expected[4..6].copy_from_slice(&3_u16.to_ne_bytes());
        expected[8..16].copy_from_slice(&value.2.to_ne_bytes());
        expected[16..20].copy_from_slice(&value.3.to_ne_bytes());
        assert_eq!(bytes[..24], expected);
        assert!(bytes[24..].iter().all(|byte| *byte == 0));
    }

    #[test]
    fn values_of_each_size_are_kept_from_a_multiple_of_eight_on() {
        const PARAMS: &[Param<'static>] = &[
            Param::new("a", U8),
            Param::new("b", &Type::Array(Extent::Known(5), U16)),
            Param::new("c", U32),
            Param::new("d", U64),
        ];
        let (a, b, c, d) = (1_u8, [2_u16; 5], 3_u32, 4_u64);
        let values = [
            (&raw const a).cast(),
            (&raw const b).cast(),
            (&raw const c).cast(),
            (&raw const d).cast(),
        ];
        let bytes = kept(PARAMS, &values);
        let words: Vec<u64> =
            bytes.chunks(8).map(|word| u64::from_ne_bytes(word.try_into().unwrap())).collect();
        assert_eq!(words[..5], [1, 0x0002_0002_0002_0002, 2, 3, 4]);
        assert!(words[5..].iter().all(|word| *word == 0));
        let kernel = Function { params: PARAMS, ..Function::new(FunctionKind::Kernel, "kernel") };
        let parts: Vec<Part> = slots(&kernel).iter().map(|slot| slot.part).collect();
        assert_eq!(parts, [Part::Any(0, 1), Part::Any(1, 3), Part::Half, Part::Word]);
    }
}
