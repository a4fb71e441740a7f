//! Memory accesses, as the constants of expanded code check them: many at once, each reported at its own
//! location, and their combined requirements on declarations.

mod panics;

use panics::found::{code, text};
use ptx_isa::__private::{CHECKED_AT_ONCE, Check, Checked, Checks, Found, check_alignment};
use ptx_isa::instruction::{Direction, Role};
use ptx_isa::ir::{Extent, Param, Struct, StructKind, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::alignment::Demands;
use ptx_isa::rules::copy::{BarrierCount, Counted};
use ptx_isa::rules::encoded::{
    Accesses, operands, push_access, push_constant, push_demanded, push_operand, push_other,
};
use ptx_isa::rules::{AccessForm, Blame, Computed, Offset, Reached, Settled, StorageAccess, Via};
use ptx_isa::{Number, NumberFormat, ScalarType, Space, Spaces};

const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const WORDS: Type<'static> = Type::Array(Extent::Known(16), &U32);
const BARRIER: Type<'static> = Type::Struct(Struct {
    name: "Mbarrier",
    size: 8,
    align: 8,
    fields: &[],
    kind: StructKind::Mbarrier,
});
/// 64 bytes that are aligned to 4.
const X: Variable<'static> = Variable::new(Space::Global, "x", &WORDS);
/// A barrier.
const B: Variable<'static> = Variable::new(Space::Global, "b", &BARRIER);
/// A parameter.
const P: Param<'static> = Param::new("p", &U32);

/// A load of this many bytes of a type, with which the program computes, by name, aligned to its size.
const fn load(bytes: usize, ty: Option<ScalarType>) -> StorageAccess<'static> {
    let computed = match ty {
        Some(ScalarType::F32) => Some(Computed::Numbers(NumberFormat::F32)),
        _ => None,
    };
    let form = AccessForm {
        role: Role::Data,
        direction: Direction::Read,
        space: Some(Space::Global),
        names_space: true,
        nameable: Spaces::ALL,
        sub_space: None,
        ty,
        may_be_nothing: false,
        unified: None,
        tensor: None,
        isa_align: None,
    };
    StorageAccess {
        form,
        bytes: Some(bytes),
        align: Some(bytes),
        via: Via::Name,
        offset: Offset::exact(0),
        settled: Settled { computed, ..Settled::NOTHING },
        only_where: None,
        reached: None,
    }
}

const fn in_space(space: Space, access: StorageAccess<'static>) -> StorageAccess<'static> {
    StorageAccess { form: AccessForm { space: Some(space), ..access.form }, ..access }
}

const STORE: StorageAccess<'static> = {
    let access = in_space(Space::Param, load(4, None));
    StorageAccess { form: AccessForm { direction: Direction::Write, ..access.form }, ..access }
};

/// An access in only one thread.
const THREAD_5: Reached<'static> =
    Reached { thread: Some([5, 0, 0]), round: None, is_nearest: false };

const SHAPES: &[StorageAccess<'static>] = &[
    load(4, None),
    load(8, None),
    load(16, Some(ScalarType::F32)),
    in_space(Space::Shared, load(4, None)),
    STORE,
    StorageAccess { reached: Some(&THREAD_5), ..load(16, Some(ScalarType::F32)) },
    load(16, None),
];

/// The indices of an operand: its shape and its object.
const OPERANDS: &[(usize, usize)] =
    &[(0, 0), (1, 1), (2, 0), (3, 0), (4, 2), (5, 0), (6, 0), (1, 0)];
const WORD: usize = 0;
const OF_BARRIER: usize = 1;
const FLOATS: usize = 2;
const IN_SHARED: usize = 3;
const TO_PARAM: usize = 4;
const OF_THREAD_5: usize = 5;
const SIXTEEN: usize = 6;
const EIGHT: usize = 7;

/// The allowed hazards.
const ALLOWED: &[&[&str]] = &[&[], &["A020"], &["A034"], &["A022"], &["A021", "A020"]];
const NOTHING: usize = 0;
const A020: usize = 1;
const A034: usize = 2;
const A022: usize = 3;
const A020_AND_A021: usize = 4;

/// An access: an operand, its offset, and the allowed hazards; or a check that is written in Rust.
#[derive(Clone, Copy)]
enum Row {
    Operand(usize, i128, usize),
    Other(usize),
}
use Row::{Operand, Other};

const OBJECTS: &[Object<'static>] =
    &[Object::Variable(&X), Object::Variable(&B), Object::EntryParam(&P)];

/// Checks that are written in Rust, which control reaches or not.
fn checks(is_reached: bool) -> [Check<'static>; 4] {
    const ARRIVALS: BarrierCount =
        BarrierCount { of: Counted::Arrivals, value: 0, by_copies: true };
    let of = |of| Check { of, allow: &[], is_reached };
    [
        of(Checked::Count(ARRIVALS)),
        of(Checked::Operand(&SHAPES[0], &OBJECTS[0], Offset::exact(64))),
        of(Checked::Operand(&SHAPES[3], &OBJECTS[0], Offset::exact(64))),
        of(Checked::Operand(&SHAPES[6], &OBJECTS[0], Offset::exact(0))),
    ]
}

/// A table of exactly these rows, and where each starts.
fn table(rows: &[Row]) -> (&'static Accesses<'static>, Vec<usize>) {
    let mut table = Vec::new();
    for (shape, object) in OPERANDS {
        push_operand([*shape, *object], &mut table);
    }
    let operands = operands::<8>(&table, SHAPES, OBJECTS);
    let (mut table, mut starts) = (Vec::new(), Vec::new());
    for row in rows {
        starts.push(table.len());
        match *row {
            Operand(operand, offset, allow) => {
                push_access([operand, allow], &mut table);
                push_constant(0, 0, offset, &mut table).expect("small");
            }
            Other(place) => push_other(place, &mut table),
        }
    }
    // As in expanded code, where all of this is constant.
    let accesses = Accesses {
        table: table.leak(),
        constants: &[Number::Int { negative: false, magnitude: 0 }],
        operands: Vec::from(operands).leak(),
        allowed: ALLOWED,
        others: [checks(true), checks(false)].concat().leak(),
    };
    (Box::leak(Box::new(accesses)), starts)
}

/// The result of checking these rows at once.
fn checked(rows: &[Row]) -> Checks<'static> {
    table(rows).0.checks(0, rows.len())
}

/// The code that is reported for access `n` of these rows at this part.
fn reported(rows: &[Row], n: usize, part: Blame) -> String {
    code(found(&checked(rows), n, part))
}

fn found(checked: &Checks<'_>, n: usize, part: Blame) -> Found {
    match part {
        Blame::Name => checked.name(n),
        Blame::Offset => checked.offset(n),
        _ => checked.value(n),
    }
}

#[test]
fn each_access_is_reported_at_its_wrong_part() {
    let rows = [
        Operand(WORD, 0, NOTHING),
        Operand(WORD, 64, NOTHING),
        Operand(WORD, 62, NOTHING),
        Operand(WORD, 2, NOTHING),
        Operand(IN_SHARED, 0, NOTHING),
        Operand(OF_BARRIER, 0, NOTHING),
        Operand(FLOATS, 0, NOTHING),
        Operand(TO_PARAM, 0, NOTHING),
        Other(0),
        Operand(WORD, 60, NOTHING),
    ];
    let expected = [
        ("", Blame::Name),
        ("A020", Blame::Offset),
        ("A020", Blame::Offset),
        ("A021", Blame::Offset),
        ("A018", Blame::Name),
        ("A023", Blame::Name),
        ("A034", Blame::Name),
        ("A001", Blame::Name),
        ("A047", Blame::Value),
        ("", Blame::Name),
    ];
    for (n, (code, blamed)) in expected.into_iter().enumerate() {
        for part in [Blame::Name, Blame::Offset, Blame::Value] {
            let expected = if part == blamed { code } else { "" };
            assert_eq!(reported(&rows, n, part), expected, "{n}: {part:?}");
        }
    }
}

#[test]
fn accesses_are_judged_from_any_place_on() {
    let rows = [
        Operand(WORD, 64, NOTHING),
        Operand(IN_SHARED, 0, NOTHING),
        Operand(WORD, 0, NOTHING),
        Operand(WORD, 2, NOTHING),
    ];
    let (accesses, starts) = table(&rows);
    let checked = accesses.checks(starts[1], 3);
    for (n, part, expected) in
        [(0, Blame::Name, "A018"), (1, Blame::Name, ""), (2, Blame::Offset, "A021")]
    {
        assert_eq!(code(found(&checked, n, part)), expected);
    }
}

#[test]
fn allowed_rules_are_skipped_for_the_next_one() {
    for (row, part, expected) in [
        (Operand(OF_BARRIER, 4, NOTHING), Blame::Offset, "A020"),
        (Operand(OF_BARRIER, 4, A020), Blame::Name, "A023"),
        (Operand(WORD, 66, NOTHING), Blame::Offset, "A020"),
        (Operand(WORD, 66, A020), Blame::Offset, "A021"),
        (Operand(WORD, 66, A020_AND_A021), Blame::Offset, ""),
        (Operand(FLOATS, 4, NOTHING), Blame::Name, "A034"),
        (Operand(FLOATS, 4, A034), Blame::Offset, "A021"),
        (Operand(FLOATS, 0, A034), Blame::Name, ""),
        // The first rule of all.
        (Operand(TO_PARAM, 64, NOTHING), Blame::Name, "A001"),
    ] {
        assert_eq!(reported(&[row], 0, part), expected);
    }
}

#[test]
fn the_found_rule_is_reported() {
    let checked = checked(&[Operand(WORD, 66, A020)]);
    assert_eq!(
        text(checked.offset(0)),
        "offset 66 into `x` is not a multiple of 4, which this access needs; write a multiple of 4, or \
         access fewer bytes at a time [A021, PTX ISA 6.4.1]"
    );
}

#[test]
fn a_single_execution_is_only_checked_for_its_range() {
    let rows = [Operand(OF_THREAD_5, 64, NOTHING), Operand(OF_THREAD_5, 4, NOTHING)];
    assert_eq!(reported(&rows, 0, Blame::Offset), "A020");
    // It also reads integers as floats, which does not depend on who executes it.
    assert_eq!(reported(&rows, 1, Blame::Name), "");
    assert_eq!(reported(&rows, 1, Blame::Offset), "A021");
    let checked = checked(&rows);
    let found = text(checked.offset(0));
    assert!(found.contains("ends at byte 80 of `x`, which has 64 bytes (by thread 5);"), "{found}");
}

#[test]
fn unreachable_code_has_no_hazards_but_is_checked_for_form() {
    // The same checks, reached and not reached.
    for (place, part, reached, idle) in [
        (0, Blame::Value, "A047", ""),
        (1, Blame::Offset, "A020", ""),
        (2, Blame::Name, "A018", "A018"),
    ] {
        assert_eq!(reported(&[Other(place)], 0, part), reached, "{place}");
        assert_eq!(reported(&[Other(place + 4)], 0, part), idle, "{place}");
    }
}

#[test]
fn an_allowance_is_needed_where_an_access_breaks_its_rule_or_demands_more() {
    let rows = [
        Operand(WORD, 0, NOTHING),
        Operand(OF_BARRIER, 4, A020),
        Operand(TO_PARAM, 0, NOTHING),
        Operand(SIXTEEN, 0, A022),
        Other(4 + 1),
        Operand(WORD, 2, NOTHING),
    ];
    let (accesses, starts) = table(&rows);
    let needed = |code: &str, among: &[usize]| {
        let among: Vec<_> = among.iter().map(|n| starts[*n]).collect();
        text(accesses.needed(code, &among))
    };
    let unneeded = |code: &str| format!("nothing here breaks `{code}`; remove the allowance");
    for (code, by) in [
        ("A020", &[1, 4][..]),
        ("A021", &[1, 5]),
        ("A023", &[1]),
        ("A001", &[2]),
        ("A022", &[3]),
        ("A034", &[]),
    ] {
        for n in 0..rows.len() {
            let expected = if by.contains(&n) { String::new() } else { unneeded(code) };
            assert_eq!(needed(code, &[n]), expected, "{code} by {n}");
        }
        let all = needed(code, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(all.is_empty(), !by.is_empty(), "{code}");
    }
    assert_eq!(needed("A020", &[0, 5, 1]), "", "the last of them");
    assert_eq!(needed("A020", &[]), unneeded("A020"));
}

/// Accesses that are checked sixteen at once, and rows about some of them: an index, the number of similar
/// accesses, and the line of the first.
type Demanded<'a> = (&'a [Row], &'a [[usize; 3]]);

/// The message about the alignment of `x`, with these demands known from tokens.
fn of_alignment(demands: Demands, accesses: &[Demanded<'_>]) -> String {
    let parts: Vec<(Vec<&Checks<'_>>, Vec<u8>)> = accesses
        .iter()
        .map(|(rows, demanded)| {
            let (accesses, starts) = table(rows);
            let checked = starts.chunks(CHECKED_AT_ONCE);
            let checked = checked.map(|starts| accesses.checks(starts[0], starts.len()));
            let mut table = Vec::new();
            demanded.iter().for_each(|row| push_demanded(*row, &mut table));
            (checked.map(|checked| &*Box::leak(Box::new(checked))).collect(), table)
        })
        .collect();
    let groups: Vec<_> = parts.iter().map(|(checked, table)| (&checked[..], &table[..])).collect();
    let Demands { count, most, least, are_typed, line } = demands;
    text(check_alignment(Object::Variable(&X), (count, most, least, are_typed, line), &groups))
}

/// The part of the message between the alignment and the code.
fn demanded(demands: Demands, accesses: &[Demanded<'_>]) -> String {
    let text = of_alignment(demands, accesses);
    if text.is_empty() {
        return text;
    }
    let text = text.strip_prefix("`x` is aligned to 4 bytes, but ").expect("it is");
    text.strip_suffix(" [A022, PTX ISA 6.4.1]").expect("it is").to_owned()
}

const FINE: Row = Operand(WORD, 0, NOTHING);
/// An access that needs an alignment of 8 bytes, without a type.
const NEEDS_8: Row = Operand(EIGHT, 0, NOTHING);
/// An access that needs an alignment of 16 bytes, without a type.
const NEEDS_16: Row = Operand(SIXTEEN, 0, NOTHING);
/// An access that needs an alignment of 16 bytes, and interprets them as numbers.
const TAKES_16: Row = Operand(FLOATS, 0, A034);

#[test]
fn demands_of_accesses_are_combined_at_the_declaration() {
    let none = Demands::NONE;
    for (accesses, expected) in [
        (&[][..], ""),
        (&[(&[FINE][..], &[[0, 1, 7]][..])], ""),
        (&[(&[NEEDS_16], &[])], ""),
        (&[(&[NEEDS_16], &[[0, 1, 7]])], "the access on line 7 needs 16; align it to 16 bytes"),
        (
            &[(&[TAKES_16], &[[0, 1, 7]])],
            "the access on line 7 needs 16; align it to 16 bytes, or access fewer bytes at a time",
        ),
        (
            &[(&[TAKES_16, NEEDS_16], &[[0, 1, 7], [1, 1, 9]])],
            "2 accesses need 16, the first on line 7; align it to 16 bytes",
        ),
        (
            &[(&[TAKES_16, FINE], &[[0, 3, 7], [1, 1, 9]])],
            "3 accesses need 16, the first on line 7; align it to 16 bytes, or access fewer bytes at a time",
        ),
        (
            &[(&[FINE, NEEDS_8, NEEDS_16], &[[1, 2, 12], [2, 200, 11], [0, 5, 3]])],
            "202 accesses need up to 16, the first on line 11; align it to 16 bytes",
        ),
        // With several tables, all of them count.
        (
            &[
                (&[FINE], &[[0, 1, 1]]),
                (&[NEEDS_8], &[[0, 2, 30]]),
                (&[FINE, NEEDS_8], &[[1, 1, 20]]),
            ],
            "3 accesses need 8, the first on line 20; align it to 8 bytes",
        ),
    ] {
        assert_eq!(demanded(none, accesses), expected);
    }
}

#[test]
fn demands_known_from_tokens_are_counted_too() {
    let told = Demands { count: 1, most: 8, least: 8, are_typed: true, line: 5 };
    assert_eq!(
        demanded(told, &[]),
        "the access on line 5 needs 8; align it to 8 bytes, or access fewer bytes at a time"
    );
    assert_eq!(
        demanded(told, &[(&[NEEDS_16], &[[0, 2, 7]])]),
        "3 accesses need up to 16, the first on line 5; align it to 16 bytes"
    );
}

#[test]
fn wrong_and_allowed_accesses_demand_nothing() {
    for row in [
        // Misaligned, outside, in another space, or not known to be reached.
        Operand(SIXTEEN, 8, NOTHING),
        Operand(SIXTEEN, 64, NOTHING),
        Operand(FLOATS, 0, NOTHING),
        Operand(SIXTEEN, 0, A022),
        Other(4 + 3),
    ] {
        assert_eq!(demanded(Demands::NONE, &[(&[row], &[[0, 1, 7]])]), "");
    }
    let reached = demanded(Demands::NONE, &[(&[Other(3)], &[[0, 1, 7]])]);
    assert_eq!(reached, "the access on line 7 needs 16; align it to 16 bytes");
}

#[test]
fn indices_continue_after_sixteen_accesses() {
    let demanded_at = |at: usize, place: usize| {
        let mut rows = [FINE; 40];
        rows[at] = NEEDS_16;
        demanded(Demands::NONE, &[(&rows, &[[place, 1, 7]])])
    };
    for at in [0, 1, 14, 15, 16, 17, 30, 31, 32, 35, 39] {
        for place in [0, 1, 14, 15, 16, 17, 30, 31, 32, 35, 39] {
            assert_eq!(demanded_at(at, place).is_empty(), at != place, "{at} {place}");
        }
    }
}
