//! Addresses in initial values, as constant evaluation finds them: a value is evaluated in several rounds, and the
//! addresses are where its bytes differ between rounds.
#![allow(unsafe_code, reason = "it implements unsafe traits, as expanded code does")]

#[path = "../../ptx-isa/tests/panics/mod.rs"]
mod panics;

use panics::{code, text};
use ptx_types::__private::typenum::U16;
use ptx_types::__private::{
    Numbered, aligned, byte, count_links, linked, locate_links, masked, placeholder,
    placeholder_byte, rounds,
};
use ptx_types::ir::{Address, Byte, Extent, Field, Init, Link, Linked, Struct, StructKind, Type};
use ptx_types::{B32, Generic, Global, Ptr, PtxType, ScalarType};

/// The number of rounds that distinguishes up to three addresses.
const ROUNDS: usize = 5;

const fn to(symbol: &'static str, addend: i128) -> Address<'static> {
    Address { symbol, generic: false, addend }
}

const fn whole(symbol: &'static str) -> Numbered {
    Numbered { address: to(symbol, 0), byte: None, aligned: 0 }
}

const fn part(symbol: &'static str, byte: usize) -> Numbered {
    Numbered { address: to(symbol, 0), byte: Some(Byte::ALL[byte]), aligned: 0 }
}

/// The value in each round, given a function that returns the placeholder of an address by its number.
fn in_rounds<T, const R: usize>(value: impl Fn(&dyn Fn(usize) -> u64, u32) -> T) -> [T; R] {
    std::array::from_fn(|round| {
        let round = u32::try_from(round).expect("it is small");
        value(&|number| placeholder::<u64, Global>(number, round, "x", 0), round)
    })
}

/// Two places of eight bytes and two of four, with numbers beside them.
#[derive(Clone, Copy)]
#[repr(C)]
struct Mixed {
    first: u64,
    number: u32,
    small: u32,
    bytes: [u8; 8],
}

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const U64: Type<'static> = Type::Scalar(ScalarType::U64);

const fn field(name: &'static str, offset: usize, ty: &'static Type<'static>) -> Field<'static> {
    Field { name, offset, ty, pointer: None }
}

// SAFETY: the fields follow each other without gaps.
unsafe impl PtxType for Mixed {
    const TYPE: &'static Type<'static> = &Type::Struct(Struct {
        name: "Mixed",
        size: 24,
        align: 8,
        fields: &[
            field("first", 0, &U64),
            field("number", 8, &U32),
            field("small", 12, &U32),
            field("bytes", 16, &Type::Array(Extent::Known(8), &U8)),
        ],
        kind: StructKind::Fields,
    });
}

/// A struct whose PTX type has a gap. It has none in Rust, so that its bytes can be read.
#[derive(Clone, Copy)]
#[repr(C)]
struct Gap(u64, u64);

// SAFETY: all its bytes are initialised, and the rules reject it for its padding before its bytes are read.
unsafe impl PtxType for Gap {
    const TYPE: &'static Type<'static> = &Type::Struct(Struct {
        name: "Gap",
        size: 16,
        align: 8,
        fields: &[field("a", 0, &U32), field("b", 8, &U64)],
        kind: StructKind::Fields,
    });
}

/// The offset, size, symbol and byte of each link.
fn places(links: &[Link<'_>]) -> Vec<(usize, usize, String, Option<Byte>)> {
    links
        .iter()
        .map(|link| (link.at, link.size, link.address.symbol.to_owned(), link.byte))
        .collect()
}

#[test]
fn there_is_a_round_for_each_digit_of_the_numbers() {
    for (count, expected) in [(0, 3), (1, 4), (2, 5), (3, 5), (4, 6), (7, 6), (8, 7)] {
        assert_eq!(rounds(count), expected, "{count}");
    }
}

#[test]
fn a_placeholder_is_zeros_a_first_byte_ones_and_then_its_number() {
    const ONES: u64 = u64::MAX;
    for (number, expected) in [
        (1, [0, 0xff, ONES, ONES, 0, 0]),
        (2, [0, 0xff, ONES, 0, ONES, 0]),
        (3, [0, 0xff, ONES, ONES, ONES, 0]),
        (4, [0, 0xff, ONES, 0, 0, ONES]),
        (6, [0, 0xff, ONES, 0, ONES, ONES]),
    ] {
        for (round, expected) in (0..).zip(expected) {
            assert_eq!(placeholder::<u64, Global>(number, round, "x", 1), expected);
            assert_eq!(
                u64::from(placeholder::<u32, Generic>(number, round, "x", 1)),
                expected & 0xffff_ffff
            );
            let pointer: Ptr<Global, u8> = placeholder::<_, Global>(number, round, "x", 1);
            assert_eq!(pointer.address(), expected);
            assert_eq!(u64::from(placeholder_byte(number, round)), expected & 0xff);
        }
    }
}

#[test]
fn a_pointee_has_the_alignment_of_its_pointer_type() {
    let of_words = |aligned: usize| {
        code(move || {
            let _: Ptr<Global, u32> = placeholder::<_, Global>(1, 0, "x", aligned);
        })
    };
    // Zero is a multiple of every alignment: nothing is checked.
    for (aligned, expected) in
        [(0, ""), (1, "D070"), (2, "D070"), (4, ""), (6, "D070"), (8, ""), (16, "")]
    {
        assert_eq!(of_words(aligned), expected, "{aligned}");
    }
    let of_declared = |aligned: usize| {
        code(move || {
            let _: Ptr<Global, u32, U16> = placeholder::<_, Global>(1, 0, "x", aligned);
        })
    };
    for (aligned, expected) in [(8, "D070"), (16, ""), (32, "")] {
        assert_eq!(of_declared(aligned), expected, "{aligned}");
    }
    assert_eq!(
        text(|| {
            let _: Ptr<Global, [B32; 4]> = placeholder::<_, Global>(1, 0, "x", 2);
        }),
        "this address in `x` is aligned to 2 bytes, but its type promises 4: an access through it would \
         fault; align `x`, add a multiple of 4, or declare a pointer to smaller elements [D070, PTX ISA \
         5.4.5]"
    );
    // A number promises nothing.
    assert_eq!(placeholder::<u64, Global>(1, 0, "x", 1), 0);
}

#[test]
fn an_address_is_aligned_like_its_variable_or_its_offset() {
    let array = Type::Array(Extent::Known(64), &U32);
    for (ty, align, addend, expected) in [
        (&array, None, 0, 4),
        (&array, None, 1, 1),
        (&array, None, 2, 2),
        (&array, None, 4, 4),
        (&array, None, 8, 4),
        (&array, None, -2, 2),
        (&array, None, -8, 4),
        (&array, Some(16), 0, 16),
        (&array, Some(16), 8, 8),
        (&array, Some(16), 24, 8),
        (&array, Some(16), 16, 16),
        (&array, Some(16), 32, 16),
        (&array, Some(2), 4, 2),
        (&U8, None, 3, 1),
        // Nothing is known about an unknown type.
        (&Type::Unknown, None, 16, 1),
        (&Type::Unknown, Some(8), 16, 8),
    ] {
        assert_eq!(aligned(ty, align, &to("x", addend)), expected, "{ty:?} {align:?} {addend}");
    }
}

#[test]
fn a_mask_selects_one_byte_of_an_integer() {
    let value = 0x0807_0605_0403_0201_i128;
    for (index, expected) in (1..=8).enumerate() {
        let mask = 0xff_u64 << (8 * index);
        assert_eq!(masked(mask, value), expected, "{mask:#x}");
        assert_eq!(masked(mask, -1), 0xff, "{mask:#x}");
        assert_eq!(byte(mask), Byte::ALL[index], "{mask:#x}");
    }
    // A mask that selects no byte is reported elsewhere.
    for mask in [0, 0xf, 0x1ff, 0xffff, 0xff0] {
        assert_eq!(byte(mask), Byte::ALL[0], "{mask:#x}");
        assert_eq!(masked(mask, value), 1, "{mask:#x}");
    }
}

#[test]
fn addresses_are_found_where_they_are_stored() {
    let values: [Mixed; ROUNDS] = in_rounds(|address, round| Mixed {
        first: address(2),
        number: 0x0102_0304,
        small: placeholder::<u32, Global>(1, round, "x", 0),
        bytes: [7, placeholder_byte(3, round), placeholder_byte(3, round), 0, 0, 0, 0, 9],
    });
    assert_eq!(count_links(&values), 4);
    let links: [Link<'_>; 4] = locate_links(&values, &[whole("a"), whole("b"), part("c", 5)]);
    assert_eq!(
        places(&links),
        [
            (0, 8, "b".to_owned(), None),
            (12, 4, "a".to_owned(), None),
            (17, 1, "c".to_owned(), Some(Byte::ALL[5])),
            (18, 1, "c".to_owned(), Some(Byte::ALL[5])),
        ]
    );
}

#[test]
fn adjacent_addresses_are_separated_by_their_first_bytes() {
    let values: [[u64; 4]; ROUNDS] =
        in_rounds(|address, _| [address(3), address(1), 5, address(1)]);
    assert_eq!(count_links(&values), 3);
    let links: [Link<'_>; 3] = locate_links(&values, &[whole("a"), whole("b"), whole("c")]);
    assert_eq!(
        places(&links),
        [(0, 8, "c".to_owned(), None), (8, 8, "a".to_owned(), None), (24, 8, "a".to_owned(), None),]
    );
}

#[test]
fn a_value_without_addresses_has_no_links() {
    let values = [[1_u32, 2]; 3];
    assert_eq!(count_links(&values), 0);
    let links: [Link<'_>; 0] = locate_links(&values, &[]);
    assert!(links.is_empty());
}

#[test]
fn padding_is_ignored() {
    const GAP: &Gap = &Gap(1, 2);
    let values: [Gap; 4] = in_rounds(|address, _| Gap(0, address(1)));
    assert_eq!(count_links(&values), 0);
    let links: [Link<'_>; 1] = locate_links(&values, &[whole("a")]);
    let none = Link { at: 0, size: 0, address: to("", 0), byte: None };
    assert_eq!(links, [none], "none was looked for");
    assert!(matches!(linked(GAP, &[]), Init::None));
}

#[test]
fn a_value_has_its_bytes_and_its_links() {
    const VALUE: &[u32; 2] = &[1, 0x0203_0405];
    const LINKS: &[Link<'static>] = &[Link { at: 4, size: 4, address: to("x", 0), byte: None }];
    let bytes = [1, 0, 0, 0, 5, 4, 3, 2];
    assert!(matches!(linked(VALUE, &[]), Init::Bytes(found) if found == bytes));
    match linked(VALUE, LINKS) {
        Init::Linked(Linked { bytes: found, links }) => {
            assert_eq!(found, bytes);
            assert_eq!(links, LINKS);
        }
        other => panic!("{other:?}"),
    }
}

/// The code that is reported for a modified address in a value with `N` places and these numbers.
fn changed<T: PtxType, const R: usize, const N: usize>(
    values: &[T; R],
    numbered: &[Numbered],
) -> String {
    code(|| {
        let _: [Link<'_>; N] = locate_links(values, numbered);
    })
}

#[test]
fn a_modified_address_is_rejected() {
    let numbered = &[whole("a"), whole("b"), whole("c")];
    let one = |change: fn(u64) -> u64| {
        changed::<_, ROUNDS, 1>(&in_rounds(|address, _| change(address(1))), numbered)
    };
    assert_eq!(one(|address| address), "");
    for (change, what) in [
        ((|address| address.wrapping_add(1)) as fn(u64) -> u64, "a number is added"),
        (|address| !address, "the digits are others"),
        (|address| address << 8, "the first byte is lost"),
        (|address| address >> 8, "the last byte is lost"),
        (|address| address & 0xff, "one byte is left"),
        (|address| address & 0xff_ffff, "three bytes are left"),
        (|address| address & 0xffff_ffff_ffff, "six bytes are left"),
        (|address| address | 1 << 40, "a byte is not zero"),
        (|address| address & !(1 << 40), "a byte is not ones"),
        (|address| address | 1, "the first byte is not zero"),
        (|address| address & !1, "the first byte is not ones"),
    ] {
        assert_eq!(one(change), "D039", "{what}");
    }
    // Four bytes of an address are one in a `u32`, which another rule checks.
    assert_eq!(one(|address| address & 0xffff_ffff), "");
}

#[test]
fn the_rule_of_modified_addresses_suggests_a_fix() {
    let values: [u64; 4] = in_rounds(|address, _| address(1) >> 8);
    assert_eq!(
        text(|| {
            let _: [Link<'_>; 1] = locate_links(&values, &[whole("a")]);
        }),
        "the address of a variable is known only when the module is loaded, and can only be stored \
         unchanged: whole, in a `u64` or a `Ptr`, or byte by byte, as `mask(0xff, ..)`; write `addr(X) + 8` for \
         an offset [D039, PTX ISA 5.4.4]"
    );
}

#[test]
fn numbers_are_those_of_addresses() {
    let of = |number: usize| {
        let values: [u64; ROUNDS] = in_rounds(|address, _| address(number));
        changed::<_, ROUNDS, 1>(&values, &[whole("a"), whole("b")])
    };
    assert_eq!(of(0), "D039");
    assert_eq!(of(1), "");
    assert_eq!(of(2), "");
    assert_eq!(of(3), "D039", "there are two");
}

#[test]
fn there_are_as_many_places_as_were_counted() {
    let one: [[u64; 2]; 4] = in_rounds(|address, _| [address(1), 0]);
    let two: [[u64; 2]; 4] = in_rounds(|address, _| [address(1), address(1)]);
    let numbered = &[whole("a")];
    assert_eq!(changed::<_, 4, 1>(&one, numbered), "");
    assert_eq!(changed::<_, 4, 2>(&one, numbered), "D039");
    assert_eq!(changed::<_, 4, 1>(&two, numbered), "D039");
    assert_eq!(changed::<_, 4, 2>(&two, numbered), "");
}

#[test]
fn a_byte_of_an_address_is_one_byte_and_all_of_it_is_four_or_eight() {
    let all: [u64; 4] = in_rounds(|address, _| address(1));
    let half: [u32; 4] = in_rounds(|_, round| placeholder::<u32, Global>(1, round, "x", 0));
    let one: [u8; 4] = in_rounds(|_, round| placeholder_byte(1, round));
    let two: [u16; 4] = in_rounds(|address, _| (address(1) & 0xffff) as u16);
    for (is_byte, expected) in
        [(false, ["", "", "D039", "D039"]), (true, ["D039", "D039", "", "D039"])]
    {
        let numbered = &[if is_byte { part("a", 0) } else { whole("a") }];
        let found = [
            changed::<_, 4, 1>(&all, numbered),
            changed::<_, 4, 1>(&half, numbered),
            changed::<_, 4, 1>(&one, numbered),
            changed::<_, 4, 1>(&two, numbered),
        ];
        assert_eq!(found, expected, "{is_byte}");
    }
}
