//! Random programs: compares findings with the contents of registers on each path.

extern crate std;

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write as _;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use ptx_isa::rules;
use ptx_isa::rules::format::{ByteFormat, NumberRole, REGISTER_BYTES, UsedNumbers};
use ptx_isa::{NumberFormat, PackedNumbers};

use super::found;

const PROGRAMS: u32 = 2000;
const REGISTERS: usize = 4;
/// The maximum number of branches in a program.
const BRANCHES: u32 = 4;

/// One or more instructions on 32-bit registers.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// Converts to numbers of a format: two halves or one number.
    Converts(usize, NumberFormat),
    Moves(usize, usize),
    /// Packs one half from each of two registers, the upper ones if the flag is set.
    Packs(usize, [(usize, bool); 2]),
    /// Shifts by this many bytes, left or right.
    Shifts(usize, usize, usize, bool),
    Permutes(usize, [usize; 2], u16),
    Mixes(usize, usize),
    /// May skip some of the following instructions.
    Skips(usize),
}

// Numbers of several formats in one register, which this test follows byte by byte: the bodies of ptx-smith compute with
// integers.
fn does() -> impl Strategy<Value = Does> {
    let register = || 0..REGISTERS;
    let formats = [NumberFormat::F16, NumberFormat::Bf16, NumberFormat::F32];
    prop_oneof![
        4 => (register(), prop::sample::select(formats.to_vec()))
            .prop_map(|(to, format)| Does::Converts(to, format)),
        2 => (register(), register()).prop_map(|(to, from)| Does::Moves(to, from)),
        3 => (register(), [(register(), any::<bool>()), (register(), any::<bool>())])
            .prop_map(|(to, from)| Does::Packs(to, from)),
        1 => (register(), register(), 0..4_usize, any::<bool>())
            .prop_map(|(to, from, bytes, is_left)| Does::Shifts(to, from, bytes, is_left)),
        2 => (register(), [register(), register()], prop::sample::select(vec![
            0x3210, 0x5410, 0x7632, 0x1054, 0x3254, 0x9210, 0x0123, 0x7654, 0x2103,
        ]))
            .prop_map(|(to, from, selector)| Does::Permutes(to, from, selector)),
        1 => (register(), register()).prop_map(|(to, from)| Does::Mixes(to, from)),
        2 => (1..4_usize).prop_map(Does::Skips),
    ]
}

type Bytes = [ByteFormat; REGISTER_BYTES];

impl Does {
    fn write(self, at: usize, text: &mut String) {
        let _ = match self {
            Self::Converts(to, NumberFormat::F32) => {
                writeln!(text, "add.f32 %f1, %f2, %f3;\nmov.b32 %r{to}, %f1;")
            }
            Self::Converts(to, format) => {
                let name = format.packed_name(2);
                writeln!(text, "cvt.rn.{name}.f32 %r{to}, %f2, %f3;")
            }
            Self::Moves(to, from) => writeln!(text, "mov.b32 %r{to}, %r{from};"),
            Self::Packs(to, [(one, upper), (other, other_upper)]) => writeln!(
                text,
                "mov.b32 {{%rs0, %rs1}}, %r{one};\nmov.b32 {{%rs2, %rs3}}, %r{other};\n\
                 mov.b32 %r{to}, {{%rs{}, %rs{}}};",
                usize::from(upper),
                2 + usize::from(other_upper)
            ),
            Self::Shifts(to, from, bytes, is_left) => {
                let opcode = if is_left { "shl.b32" } else { "shr.u32" };
                writeln!(text, "{opcode} %r{to}, %r{from}, {};", bytes * 8)
            }
            Self::Permutes(to, [one, other], selector) => {
                writeln!(text, "prmt.b32 %r{to}, %r{one}, %r{other}, {selector};")
            }
            Self::Mixes(to, from) => writeln!(text, "xor.b32 %r{to}, %r{from}, %r9;"),
            Self::Skips(count) => {
                writeln!(text, "setp.eq.u32 %p1, %r9, {at};\n@%p1 bra L{};", at + 1 + count)
            }
        };
    }

    fn run(self, held: &mut [Bytes; REGISTERS]) {
        let unknown = [ByteFormat::Unknown; REGISTER_BYTES];
        let mut made = unknown;
        let to = match self {
            Self::Converts(to, format) => {
                for (n, byte) in made.iter_mut().take(4).enumerate() {
                    *byte = ByteFormat::Of(format, u8::try_from(n % format.bytes()).unwrap());
                }
                to
            }
            Self::Moves(to, from) => {
                made = held[from];
                to
            }
            Self::Packs(to, halves) => {
                for (n, (from, is_upper)) in halves.into_iter().enumerate() {
                    let first = if is_upper { 2 } else { 0 };
                    made[2 * n] = held[from][first];
                    made[2 * n + 1] = held[from][first + 1];
                }
                to
            }
            Self::Shifts(to, from, bytes, is_left) => {
                for (n, byte) in made.iter_mut().enumerate().take(4) {
                    let source = if is_left { n.checked_sub(bytes) } else { Some(n + bytes) };
                    let source = source.filter(|source| *source < 4);
                    *byte = source.map_or(ByteFormat::Zero, |source| held[from][source]);
                }
                to
            }
            Self::Permutes(to, [one, other], selector) => {
                let both = [&held[one][..4], &held[other][..4]].concat();
                for (n, byte) in made.iter_mut().take(4).enumerate() {
                    let chosen = usize::from(selector >> (4 * n) & 15);
                    *byte = both.get(chosen).copied().unwrap_or(ByteFormat::Unknown);
                }
                to
            }
            Self::Mixes(to, _) => to,
            Self::Skips(_) => return,
        };
        held[to] = made;
    }
}

/// Returns the contents of the first register at the end of each path.
fn ends(program: &[Does]) -> Vec<Bytes> {
    let is_branch = |does: &&Does| matches!(does, Does::Skips(_));
    let branches = program.iter().filter(is_branch).count();
    let end = |taken: usize| {
        let mut held = [[ByteFormat::Unknown; REGISTER_BYTES]; REGISTERS];
        let mut at = 0;
        while let Some(does) = program.get(at) {
            does.run(&mut held);
            at += 1;
            if let Does::Skips(count) = does {
                let before = program[..at].iter().filter(is_branch).count() - 1;
                at += if taken >> before & 1 == 1 { *count } else { 0 };
            }
        }
        held[0]
    };
    (0..1 << branches).map(end).collect()
}

/// Whether these bytes are certainly not `f16x2`.
fn is_wrong(holds: Bytes) -> bool {
    let taken = PackedNumbers { format: NumberFormat::F16, bytes: 4 };
    let role = NumberRole::Operand;
    !rules::check_numbers(UsedNumbers { name: "%r0", holds, taken, role }).is_empty()
}

#[test]
fn findings_are_wrong_on_every_path() {
    let mut runner = TestRunner::deterministic();
    let programs = prop::collection::vec(does(), 1..12);
    let (mut wrong, mut joined) = (0, 0);
    for _ in 0..PROGRAMS {
        let mut program = programs.new_tree(&mut runner).expect("a program").current();
        let mut branches = 0;
        program.retain(|does| {
            branches += u32::from(matches!(does, Does::Skips(_)));
            branches <= BRANCHES || !matches!(does, Does::Skips(_))
        });
        let mut text: String =
            (0..REGISTERS).map(|n| format!("mov.u32 %r{n}, %r9;\n")).collect::<Vec<_>>().concat();
        for at in 0..program.len() + 4 {
            let is_target = |(from, does): (usize, &Does)| matches!(does, Does::Skips(count) if from + 1 + count == at);
            if program.iter().enumerate().any(is_target) {
                writeln!(text, "L{at}:").expect("a string takes all");
            }
            if let Some(does) = program.get(at) {
                does.write(at, &mut text);
            }
        }
        text.push_str("add.f16x2 %r10, %r0, %r0;");
        let is_found = found(&text).iter().any(|found| found.starts_with("A08"));
        let ends = ends(&program);
        let may_be_right = |holds: &Bytes| !is_wrong(*holds) && !holds.contains(&ByteFormat::Zero);
        assert!(!is_found || !ends.iter().any(may_be_right), "{text}\n{ends:?}");
        // On a single path, everything is known.
        if let [end] = ends[..] {
            assert_eq!(is_found, is_wrong(end), "{text}\n{end:?}");
        } else {
            joined += u32::from(is_found);
        }
        wrong += u32::from(is_found);
    }
    assert!(wrong > PROGRAMS / 20 && joined > PROGRAMS / 50, "{wrong} and {joined} are found");
}
