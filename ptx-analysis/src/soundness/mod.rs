//! What the analysis says is held against what an interpreter does, on programs by chance: every number
//! in a register is one that the fixpoint allows, every place that the run says is gone to is gone to by
//! that thread and in that round, and every finding is an access that goes wrong.
//!
//! `PTX_SOUNDNESS_CASES` is the number of programs.

extern crate std;

mod executed;
mod measured;
mod subject;
pub(crate) mod values;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestError, TestRunner};
use ptx_types::rule::Arg;

use crate::finding::{Broken, Problem};
use crate::interpreter::{Access, Array, Choices, REGISTERS, Thread, kernel, wild};
use crate::launch::Block;
use executed::Chance;
use subject::{Claimed, Subject};
use values::{Facts, Held, decides};

/// What directives say of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Directive {
    Required,
    Most,
    None,
}

/// A program, and how it is launched.
#[derive(Clone, Debug)]
struct Case {
    choices: Vec<u16>,
    block: [u32; 3],
    /// What the directives say of the block: `.reqntid`, `.maxntid`, nothing.
    directive: Directive,
    /// Whether it is a device function, of whose callers nothing is known.
    is_device: bool,
    /// Whether control goes from anywhere to anywhere.
    is_wild: bool,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let choices = prop::collection::vec(any::<u16>(), 0..400);
    let block = prop::sample::select(alloc::vec![[8, 1, 1], [4, 2, 1], [33, 1, 1]]);
    let directive = prop_oneof![
        6 => Just(Directive::Required),
        1 => Just(Directive::Most),
        1 => Just(Directive::None),
    ];
    let kinds = (directive, prop::bool::weighted(0.1), prop::bool::weighted(0.15));
    (choices, block, kinds, any::<u64>()).prop_map(|(choices, block, kinds, seed)| {
        let (directive, is_device, is_wild) = kinds;
        // A device function has no directives.
        let directive = if is_device { Directive::None } else { directive };
        Case { choices, block, directive, is_device, is_wild, seed }
    })
}

/// What was seen.
#[derive(Default, Debug)]
struct Seen {
    programs: usize,
    values: usize,
    reaches: usize,
    findings: usize,
    /// The findings that single executions come by.
    by_execution: usize,
    /// Statements that surely go out of bounds, and those of them that are found.
    wrong: usize,
    found: usize,
}

impl Case {
    fn chance(&self) -> Chance {
        let (block, grid) = (self.block, [5, 1, 1]);
        Chance { block, grid, number_of_block: [0; 3], seed: self.seed }
    }

    fn declared(&self) -> Block {
        let extents = self.block.map(i128::from);
        match self.directive {
            Directive::Required => Block::Exactly(extents),
            Directive::Most => Block::AtMost(extents.iter().product()),
            Directive::None => Block::Unknown,
        }
    }
}

/// Checks all that is said of a program.
fn check(case: &Case, seen: &mut Seen) -> Result<(), String> {
    let mut choices = Choices::given(case.choices.clone());
    let text = if case.is_wild { wild(&mut choices) } else { kernel(&mut choices) };
    check_text(&text, case, seen)
}

fn check_text(text: &str, case: &Case, seen: &mut Seen) -> Result<(), String> {
    let with_text = |problem: String| {
        let Case { block, directive, is_device, seed, .. } = case;
        let launch = format!(
            "block {block:?}, directive: {directive:?}, device function: {is_device}, seed {seed}"
        );
        format!("{problem}\n{launch}\n{}", numbered(text))
    };
    seen.programs += 1;
    let encoded = crate::interpreter::encode(text);
    let mut subject = Subject::of(&encoded, case.declared(), case.is_device).map_err(with_text)?;
    check_values(case, &mut subject, seen).map_err(with_text)?;
    check_reaches(case, &mut subject, seen).map_err(with_text)?;
    check_findings(case, &subject, seen).map_err(with_text)
}

/// A program with the numbers of its labels and instructions.
fn numbered(text: &str) -> String {
    let is_node = |line: &&str| !line.starts_with('.');
    let lines = text.lines().filter(is_node).enumerate();
    lines.map(|(n, line)| format!("{n:3} {line}")).collect::<Vec<String>>().join("\n")
}

/// How often values are looked at before a node.
const VISITS: usize = 4;

/// Every value of a register is one that it may have, and what is proven holds.
fn check_values(case: &Case, subject: &mut Subject<'_>, seen: &mut Seen) -> Result<(), String> {
    let known = subject.known();
    let widths = subject.widths();
    // Another block of the grid, too.
    let chances = [case.chance(), Chance { number_of_block: [3, 0, 0], ..case.chance() }];
    for (n, chance) in chances.into_iter().enumerate() {
        let threads: Vec<Thread> = chance.threads().collect();
        let last = threads.len() - 1;
        let places = if n == 0 { [0, last / 2, last] } else { [1, 1, 1] };
        for place in places {
            let thread = threads[place];
            let mut problem = None;
            let mut visits = alloc::vec![0; subject.program.len()];
            let bases: Vec<i128> = subject.storages(chance);
            let special = |of| chance.special(thread, of);
            let coordinates = subject.coordinates;
            chance.run(&subject.program, thread, |moment| {
                let visit = visits[moment.node];
                visits[moment.node] += 1;
                if problem.is_some() || visit >= VISITS && !visit.is_multiple_of(13) {
                    return;
                }
                let node = moment.node;
                let Some(state) = &known[node] else {
                    problem =
                        Some(format!("control never gets to {node}, and {thread:?} is there"));
                    return;
                };
                let held = |number| {
                    let register = widths.iter().position(|(of, _)| *of == Some(number))?;
                    let (_, bits) = widths[register];
                    Some(i128::from(moment.registers[register]?) & ((1 << bits) - 1))
                };
                let facts = Facts {
                    bases: &bases,
                    special: &special,
                    coordinates: &coordinates,
                    registers: &held,
                };
                if let Some(claim) = state.claims.iter().find(|claim| !facts.holds(claim)) {
                    problem = Some(format!("{claim:?} before {node}, not for {thread:?}"));
                    return;
                }
                for (register, (number, bits)) in widths.iter().enumerate() {
                    let (Some(value), Some(number)) = (moment.registers[register], number) else {
                        continue;
                    };
                    seen.values += 1;
                    let value = i128::from(value) & ((1 << bits) - 1);
                    let known = state.get(*number);
                    let held = Held { bits: *bits, value };
                    if !known.is_some_and(|known| facts.allow(known, held)) {
                        let name = subject.program.registers()[register];
                        problem = Some(format!(
                            "{name} is {value} before {node} for {thread:?}, and {known:?}"
                        ));
                        return;
                    }
                }
            });
            if let Some(problem) = problem {
                return Err(problem);
            }
        }
    }
    Ok(())
}

/// Every place that is said to be gone to is gone to.
fn check_reaches(case: &Case, subject: &mut Subject<'_>, seen: &mut Seen) -> Result<(), String> {
    let chance = case.chance();
    let (accesses, are_done) = chance.all(&subject.program)?;
    for claimed in subject.reaches() {
        seen.reaches += 1;
        let Claimed { node, operand, storage, reach, within } = &claimed;
        let name = subject.names[*storage];
        let is_it = |access: &&Access| {
            access.node == *node
                && access.operand == *operand
                && chance.offset(access, name) == Some(reach.offset)
                && reach.thread.is_none_or(|thread| access.thread.number.map(i128::from) == thread)
                && reach.round.is_none_or(|round| access.rounds.contains(&round))
        };
        let happens = match within {
            None => accesses.iter().any(|access| is_it(&access)),
            // Each thread that comes to the loop does it.
            Some(label) => {
                let is_inside = |thread| {
                    let mut is_inside = false;
                    chance
                        .run(&subject.program, thread, |moment| is_inside |= moment.node == *label);
                    is_inside
                };
                chance.threads().filter(|thread| is_inside(*thread)).all(|thread| {
                    accesses.iter().filter(|access| access.thread == thread).any(|it| is_it(&it))
                })
            }
        };
        if !happens && are_done {
            return Err(format!("{claimed:?} of `{name}` does not happen"));
        }
    }
    Ok(())
}

/// Every finding is an access that goes wrong, as its message says.
fn check_findings(case: &Case, subject: &Subject<'_>, seen: &mut Seen) -> Result<(), String> {
    let chance = case.chance();
    let (accesses, are_done) = chance.all(&subject.program)?;
    let analysis = subject.analyse();
    let mut found = Vec::new();
    for finding in &analysis.findings {
        let Problem::Rule(broken) = &finding.problem else {
            return Err(format!("the program is not one: {finding:?}"));
        };
        if !matches!(broken.rule.code, "A020" | "A021") {
            continue;
        }
        let node = subject.node_of(finding.place.statement);
        found.push(node);
        seen.findings += 1;
        let of_node: Vec<&Access> = accesses.iter().filter(|access| access.node == node).collect();
        let wrong = |access: &&&Access| is_wrong(access, broken, chance);
        let happens = match &broken.reached {
            // Every execution does it that comes there, under the condition if there is one.
            None => of_node.iter().all(|access| {
                let special = |of| chance.special(access.thread, of);
                let is_meant = broken.only_where.as_ref().is_none_or(|it| decides(it, &special));
                !is_meant || wrong(&access)
            }),
            Some(reached) => {
                seen.by_execution += 1;
                let is_it = |access: &&&Access| {
                    let thread = access.thread.number.map(i128::from);
                    let label = |label| subject.node_named(label);
                    reached.thread.is_none_or(|it| it == thread)
                        && reached.round.is_none_or(|(name, round)| {
                            access
                                .rounds
                                .iter()
                                .any(|it| Some(it.0) == label(name) && it.1 == round)
                        })
                };
                of_node.iter().any(|access| is_it(&access) && wrong(&access))
                    || of_node.is_empty() && reached.thread.is_none()
            }
        };
        if !happens && are_done {
            let violation = broken.violation();
            return Err(format!("at node {node}, and that does not happen: {violation}"));
        }
    }
    if case.directive == Directive::Required && are_done {
        let other = Chance { seed: chance.seed ^ 0x5555, ..chance };
        let third = Chance { seed: chance.seed ^ 0x1234_5678, ..chance };
        let mut sure: Option<Vec<usize>> = None;
        for chance in [chance, other, third] {
            let (accesses, _) = chance.all(&subject.program)?;
            let mut wrong: Vec<usize> =
                accesses.iter().filter(|it| is_outside(it, chance)).map(|it| it.node).collect();
            wrong.sort_unstable();
            wrong.dedup();
            sure = Some(match sure {
                None => wrong,
                Some(sure) => sure.into_iter().filter(|node| wrong.contains(node)).collect(),
            });
        }
        let sure = sure.unwrap_or_default();
        seen.wrong += sure.len();
        seen.found += sure.iter().filter(|node| found.contains(node)).count();
    }
    Ok(())
}

/// Whether an access is what a finding says it is.
fn is_wrong(access: &Access, broken: &Broken<'_>, chance: Chance) -> bool {
    let Some(offset) = chance.offset(access, broken.subject) else { return false };
    match (broken.rule.code, broken.args) {
        ("A020", [_, Arg::Str(how), Arg::Int(at), Arg::Int(end)]) => {
            let last = offset + i128::from(access.bytes);
            if how.starts_with("ends") {
                last == at && last > end
            } else {
                offset == at && (offset < 0 || last > end)
            }
        }
        ("A020", _) => {
            let array = crate::interpreter::ARRAYS.iter().find(|it| it.name == broken.subject);
            array.is_some_and(|array| {
                offset < 0 || offset + i128::from(access.bytes) > array.bytes as i128
            })
        }
        (_, [_, Arg::Int(at), Arg::Int(align), _]) => {
            // Of what goes to several places it names one that stands for them.
            let is_there = broken.reached.is_none() || offset == at;
            is_there && align > 0 && offset.rem_euclid(align) != 0
        }
        (_, _) => false,
    }
}

/// Whether an access goes beyond the array near which it is.
fn is_outside(access: &Access, chance: Chance) -> bool {
    crate::interpreter::ARRAYS.iter().any(|array| {
        let size = i128::try_from(array.bytes).unwrap_or_default();
        chance.offset(access, array.name).is_some_and(|offset| {
            let is_near = (-(1 << 20)..1 << 20).contains(&offset);
            is_near && (offset < 0 || offset + i128::from(access.bytes) > size)
        })
    })
}

/// Programs of which something was said once that does not happen, each with what it is about.
const MENDED: [(&str, bool, &str); 5] = [
    (
        "of a device function nobody knows which threads call it",
        true,
        "mov.u32 %r0, %tid.x;\nsetp.ge.u32 %p1, 0, %r0;\nmov.u32 %r10, A;\n\
         mad.lo.u32 %r10, %r0, 4, %r10;\n@%p1 st.shared.b32 [%r10], %r0;\n\
         st.shared.b32 [%r10], %r0;\nret;",
    ),
    (
        "a sum of threads wraps as the register does that holds it",
        false,
        "mov.u32 %r0, %tid.x;\nadd.u32 %r3, %r0, 2147483644;\nmov.u32 %r10, A;\n\
         mad.lo.u32 %r10, %r3, 4, %r10;\nst.shared.b32 [%r10], %r0;\nexit;",
    ),
    (
        "a loop that begins in another and ends behind it",
        false,
        "mov.u32 %r7, 1;\nsetp.eq.u32 %p1, 1, 1;\nL1:\nmov.u32 %r10, B;\nL4:\n\
         setp.gt.s32 %p5, %r7, 7;\n@%p5 bra E4;\n@!%p1 bra L1;\n\
         mad.lo.u32 %r9, %r7, 8, %r10;\nst.shared.b32 [%r9], %r7;\nadd.s32 %r7, %r7, 1;\n\
         bra L4;\nE4:\nexit;",
    ),
    (
        "a jump leaves a loop, and comes into it again behind its label",
        false,
        "mov.u32 %r6, 0;\nsetp.eq.u32 %p1, 1, 1;\nmov.u32 %r10, A;\nW0:\n@%p1 bra W1;\nL2:\n\
         mad.lo.u32 %r10, %r6, 32, %r10;\n@%p1 bra W0;\nW1:\nst.shared.b32 [%r10], %r6;\n\
         add.s32 %r6, %r6, 1;\nsetp.le.s32 %p4, %r6, 2;\n@!%p1 bra W0;\n@%p4 bra L2;\nexit;",
    ),
    (
        "some threads enter a loop behind its label",
        true,
        "mov.u32 %r0, %tid.x;\nsetp.le.s32 %p2, %r0, 0;\nmov.u32 %r6, 1;\nmov.u32 %r10, A;\n\
         @%p2 bra W0;\nL1:\nmov.u32 %r10, A;\nW0:\nmad.lo.u32 %r10, %r6, 4, %r10;\n\
         st.shared.b32 [%r10], %r6;\nshl.b32 %r6, %r6, 1;\nsetp.lt.s32 %p4, %r6, 8;\n\
         @%p4 bra L1;\nret;",
    ),
];

/// What a program begins with that does not begin by chance.
fn declarations() -> String {
    let arrays = crate::interpreter::ARRAYS.iter().map(|array| {
        let Array { name, space, align, bytes } = array;
        format!(".{space} .align {align} .b8 {name}[{bytes}];\n")
    });
    let registers = REGISTERS.iter().map(|(name, ty, n)| format!(".reg .{ty} {name}<{n}>;\n"));
    arrays.chain(registers).collect()
}

#[test]
fn what_was_wrong_is_mended() {
    let declared = declarations();
    let mut problems = Vec::new();
    for (about, is_device, text) in MENDED {
        let directive = if is_device { Directive::None } else { Directive::Required };
        let (choices, block, seed) = (Vec::new(), [8, 1, 1], 0);
        let case = Case { choices, block, directive, is_device, is_wild: true, seed };
        let text = declared.clone() + text;
        if let Err(problem) = check_text(&text, &case, &mut Seen::default()) {
            problems.push(format!("{about}: {problem}"));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Without the variable.
const CASES: u32 = 2_000;

#[test]
fn what_is_said_happens() {
    let cases = std::env::var("PTX_SOUNDNESS_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = ProptestConfig {
        cases: cases.unwrap_or(CASES),
        failure_persistence: None,
        max_shrink_iters: 1_500,
        ..ProptestConfig::default()
    };
    let seen = RefCell::new(Seen::default());
    let result = TestRunner::new(config)
        .run(&case(), |case| check(&case, &mut seen.borrow_mut()).map_err(TestCaseError::fail));
    match result {
        Ok(()) => {}
        // The smallest program says more than the choices that it is made of.
        Err(TestError::Fail(problem, _)) => panic!("{problem}"),
        Err(problem) => panic!("{problem}"),
    }
    let seen = seen.borrow();
    std::println!("{seen:?}");
    // Much of what surely goes wrong is found; how much, the figures say.
    assert!(seen.programs < 500 || seen.found * 2 > seen.wrong, "{seen:?}");
}
