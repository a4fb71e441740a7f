//! Random kernels: an instruction that is reported goes wrong whenever it runs, on every path.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{TestCaseError, TestRunner};
use ptx::text::{Kind, Parsed};

use super::module;

/// The effect of a line.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Multiplies into the accumulators that start at this register, with the left matrix in registers or not.
    Multiply {
        to: usize,
        left: bool,
    },
    Fence,
    Commit,
    Wait(usize),
    /// Stores a register.
    Read(usize),
    /// Computes a register from others.
    Write(usize),
    /// Computes a register of the left matrix.
    WriteLeft,
    /// Copies the first accumulator of a multiplication to register 8.
    Copy(usize),
    /// Jumps to this line.
    Jump(usize),
}

/// A line, and whether it is guarded.
type Line = (Step, bool);

/// Registers: of accumulators 0 to 7, a copy in 8, and the left matrix as one.
const LEFT: usize = 9;

// Not drawn by ptx-smith, whose kernels are right or have one fault: how often these are wrong, the machine below says.
fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (select(vec![0, 4]), any::<bool>()).prop_map(|(to, left)| Step::Multiply { to, left }),
        2 => Just(Step::Fence),
        3 => Just(Step::Commit),
        3 => (0..3_usize).prop_map(Step::Wait),
        2 => select(vec![0, 4, 8]).prop_map(Step::Read),
        1 => select(vec![0, 4]).prop_map(Step::Write),
        1 => Just(Step::WriteLeft),
        1 => select(vec![0, 4]).prop_map(Step::Copy),
        2 => (0..64_usize).prop_map(Step::Jump),
    ]
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    vec((step(), prop::bool::weighted(0.2)), 2..16)
}

fn text((step, is_guarded): &Line, n: usize, lines: usize) -> String {
    let guard = if *is_guarded { "@%p2 " } else { "" };
    let instruction = match step {
        Step::Multiply { to: 0, left: false } => "<mma>".to_owned(),
        Step::Multiply { to: 0, left: true } => "<mma left>".to_owned(),
        Step::Multiply { left: false, .. } => "<mma 2>".to_owned(),
        Step::Multiply { left: true, .. } => "<mma left 2>".to_owned(),
        Step::Fence => "<fence>".to_owned(),
        Step::Commit => "<commit>".to_owned(),
        Step::Wait(left) => format!("wgmma.wait_group.sync.aligned {left};"),
        Step::Read(register) => format!("st.global.f32 [%out], %f{register};"),
        Step::Write(register) => format!("add.f32 %f{register}, %f9, %f10;"),
        Step::WriteLeft => "add.u32 %r1, %r9, 1;".to_owned(),
        Step::Copy(from) => format!("mov.f32 %f8, %f{from};"),
        Step::Jump(to) => format!("bra L{};", to % lines),
    };
    format!("L{n}: {guard}{instruction}")
}

/// The state of a run.
#[derive(Default)]
struct Machine {
    /// For each register, the multiplications that use it, and whether it was written after a fence.
    registers: [(Vec<usize>, bool); 10],
    /// The groups, and the multiplications that are not in a group.
    groups: Vec<Vec<usize>>,
    open: Vec<usize>,
    /// The number of completed groups.
    over: usize,
    started: usize,
    is_fenced: bool,
}

impl Machine {
    fn is_pending(&self, register: usize) -> bool {
        let is_going_on = |it: &usize| {
            self.open.contains(it)
                || self.groups[self.over..].iter().any(|group| group.contains(it))
        };
        self.registers[register].0.iter().any(is_going_on)
    }

    /// Executes a step and returns the codes of its mistakes.
    fn does(&mut self, step: Step) -> Vec<&'static str> {
        let mut wrong = Vec::new();
        match step {
            Step::Multiply { to, left } => {
                let taken: Vec<usize> = (to..to + 4).chain(left.then_some(LEFT)).collect();
                if !self.is_fenced || taken.iter().any(|register| self.registers[*register].1) {
                    wrong.push("A078");
                }
                self.started += 1;
                for register in taken {
                    self.registers[register].0.push(self.started);
                    self.registers[register].1 &= register == LEFT;
                }
                self.open.push(self.started);
            }
            Step::Fence => {
                self.is_fenced = true;
                self.registers.iter_mut().for_each(|register| register.1 = false);
            }
            Step::Commit => self.groups.push(std::mem::take(&mut self.open)),
            Step::Wait(left) => {
                if !self.open.is_empty() && self.groups[self.over..].is_empty() {
                    wrong.push("A079");
                }
                self.over = self.over.max(self.groups.len().saturating_sub(left));
            }
            Step::Read(register) => {
                if self.is_pending(register) {
                    wrong.push("A077");
                }
            }
            Step::Write(_) | Step::WriteLeft => {
                let register = if let Step::Write(register) = step { register } else { LEFT };
                if self.is_pending(register) {
                    wrong.push("A077");
                }
                self.registers[register] = (Vec::new(), true);
            }
            Step::Copy(from) => self.registers[8] = self.registers[from].clone(),
            Step::Jump(_) => {}
        }
        wrong
    }
}

/// Follows a path with these choices; a reported line has to go wrong whenever it runs. Returns how often one
/// did.
fn follow(lines: &[Line], choices: &[bool], reported: &[(usize, &str)]) -> Result<usize, String> {
    let (mut machine, mut at, mut seen) = (Machine::default(), 0, 0);
    for runs in choices {
        let Some((step, is_guarded)) = lines.get(at) else { break };
        at += 1;
        if *is_guarded && !runs {
            continue;
        }
        let wrong = machine.does(*step);
        for (line, code) in reported {
            if *line == at - 1 {
                seen += 1;
                if !wrong.contains(code) {
                    return Err(format!("{code} in line {line} runs right"));
                }
            }
        }
        if let Step::Jump(to) = step {
            at = to % lines.len();
        }
    }
    Ok(seen)
}

/// The lines with findings, and their codes.
fn reported(text: &str, first: usize) -> Result<Vec<(usize, &'static str)>, String> {
    let found = Parsed::new(text.to_owned()).check();
    if let Some(found) = found.iter().find(|found| found.kind == Kind::Syntax) {
        return Err(format!("{found:?}"));
    }
    let line = |at: usize| text[..at].matches('\n').count();
    let ours = found.iter().filter_map(|found| {
        let code = found.code.filter(|code| ("A076"..="A079").contains(code))?;
        Some((line(found.range.start) - first, code))
    });
    Ok(ours.collect())
}

/// The line of the first step in the text of a module.
const FIRST: usize = 8;

/// Runs cases, and returns how often a reported line was reached and went wrong.
fn run<T: std::fmt::Debug>(
    strategy: impl Strategy<Value = T>,
    check: impl Fn(&T) -> Result<usize, String>,
) -> usize {
    let config =
        ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() };
    let seen = Cell::new(0);
    let result = TestRunner::new(config).run(&strategy, |case| {
        seen.set(seen.get() + check(&case).map_err(TestCaseError::fail)?);
        Ok(())
    });
    if let Err(problem) = result {
        panic!("{problem}");
    }
    seen.get()
}

#[test]
fn reported_multiplications_go_wrong_on_every_path() {
    let paths = vec(vec(any::<bool>(), 40), 24);
    let seen = run((lines(), paths), |(lines, paths)| {
        let texts = lines.iter().enumerate();
        let body: Vec<String> = texts.map(|(n, line)| text(line, n, lines.len())).collect();
        let text = module(".maxntid 128", &body.join("\n"));
        let reported = reported(&text, FIRST)?;
        let mut seen = 0;
        for path in paths {
            seen +=
                follow(lines, path, &reported).map_err(|problem| format!("{problem}\n{text}"))?;
        }
        Ok(seen)
    });
    assert!(seen > 1_000, "{seen}");
}

/// A warp's action in one line.
#[derive(Clone, Copy, Debug)]
enum At {
    /// It arrives at a barrier, with its own number or this one, for this many warps or for all, and perhaps
    /// waits.
    Barrier { number: Option<usize>, warps: Option<usize>, waits: bool },
    /// It jumps to this line.
    Jump(usize),
}

/// The warps that execute a line: one, those below 2, an unknown set, or all.
#[derive(Clone, Copy, Debug)]
enum Which {
    One(usize),
    Lower,
    Some,
    All,
}

/// The warps of the block.
const WARPS: usize = 4;

// Not drawn by ptx-smith, whose kernels all end: the warps of these may wait forever.
fn at() -> impl Strategy<Value = (At, Which)> {
    let number = prop_oneof![3 => (1..3_usize).prop_map(Some), 1 => Just(None)];
    let warps = prop_oneof![6 => (1..=5_usize).prop_map(Some), 1 => Just(None)];
    let barrier = (number, warps, prop::bool::weighted(0.75)).prop_map(|(number, warps, waits)| {
        // An arrival without a wait must give the count.
        At::Barrier { number, warps, waits: waits || warps.is_none() }
    });
    let step = prop_oneof![4 => barrier, 1 => (0..64_usize).prop_map(At::Jump)];
    let which = prop_oneof![
        2 => (0..WARPS).prop_map(Which::One),
        2 => Just(Which::Lower),
        1 => Just(Which::Some),
        2 => Just(Which::All),
    ];
    (step, which)
}

fn barrier_text((at, which): &(At, Which), n: usize, lines: usize) -> String {
    let (before, guard) = match which {
        Which::One(warp) => (format!("setp.eq.u32 %p3, %r2, {warp}; "), "@%p3 "),
        Which::Lower => ("setp.lt.u32 %p3, %r1, 64; ".to_owned(), "@%p3 "),
        Which::Some => (String::new(), "@%p2 "),
        Which::All => (String::new(), ""),
    };
    let instruction = match at {
        At::Barrier { number, warps, waits } => {
            let name = if *waits { "bar.sync" } else { "bar.arrive" };
            let number = number.map_or("%r3".to_owned(), |number| number.to_string());
            let count = warps.map_or(String::new(), |warps| format!(", {}", warps * 32));
            format!("{name} {number}{count};")
        }
        At::Jump(to) => format!("bra L{};", to % lines),
    };
    format!("L{n}: {before}{guard}{instruction}")
}

/// The state of a barrier of the block.
#[derive(Clone, Default)]
struct Barrier {
    /// The number of warps that it waits for, once one has arrived.
    count: usize,
    arrived: usize,
    waiting: Vec<usize>,
}

/// Runs the warps in this order; a warp that waits at a reported barrier must not continue. Returns how often one
/// waited there.
fn run_warps(
    lines: &[(At, Which)],
    order: &[usize],
    some: [bool; WARPS],
    reported: &[(usize, &str)],
) -> Result<usize, String> {
    let mut barriers = vec![Barrier::default(); 8];
    let (mut places, mut waits) = ([0; WARPS], [false; WARPS]);
    let mut seen = 0;
    for &warp in order {
        let Some((at, which)) = lines.get(places[warp]).filter(|_| !waits[warp]) else { continue };
        let line = places[warp];
        places[warp] += 1;
        let does = match which {
            Which::One(one) => warp == *one,
            Which::Lower => warp < 2,
            Which::Some => some[warp],
            Which::All => true,
        };
        match at {
            _ if !does => {}
            At::Jump(to) => places[warp] = to % lines.len(),
            At::Barrier { number, warps, waits: stays } => {
                let barrier = &mut barriers[number.unwrap_or(warp + 1)];
                let count = warps.unwrap_or(WARPS);
                if barrier.arrived > 0 && barrier.count != count {
                    // An illegal instruction ends the kernel.
                    return Ok(seen);
                }
                barrier.count = count;
                barrier.arrived += 1;
                let is_reported = reported.iter().any(|(at, _)| *at == line);
                seen += usize::from(is_reported);
                if *stays {
                    waits[warp] = true;
                    barrier.waiting.push(warp);
                }
                if barrier.arrived == count {
                    for warp in std::mem::take(barrier).waiting {
                        waits[warp] = false;
                        let line = places[warp] - 1;
                        if reported.iter().any(|(at, _)| *at == line) {
                            return Err(format!("warp {warp} continues past line {line}"));
                        }
                    }
                }
            }
        }
    }
    Ok(seen)
}

#[test]
fn no_warp_passes_a_barrier_reported_as_incomplete() {
    let order = vec(vec(0..WARPS, 120), 12);
    let some = any::<[bool; WARPS]>();
    let seen = run((vec(at(), 1..9), order, some), |(lines, orders, some)| {
        let texts = lines.iter().enumerate();
        let body: Vec<String> = texts.map(|(n, at)| barrier_text(at, n, lines.len())).collect();
        let numbers = "shr.u32 %r2, %r1, 5; add.u32 %r3, %r2, 1;\n";
        let text = module(".reqntid 128", &(numbers.to_owned() + &body.join("\n")));
        let reported = reported(&text, FIRST + 1)?;
        let mut seen = 0;
        for order in orders {
            seen += run_warps(lines, order, *some, &reported)
                .map_err(|problem| format!("{problem}\n{reported:?}\n{text}"))?;
        }
        Ok(seen)
    });
    assert!(seen > 1_000, "{seen}");
}
