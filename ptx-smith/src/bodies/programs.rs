//! Random programs with the structure of kernels: counted loops, branches on threads, on constants
//! and on unknown values, and accesses of arrays.

use super::choices::Choices;
use super::clusters::SPECIALS;
use super::computations::{
    COMPARISONS, NARROW, PREDICATES, WIDE, WORDS, computation, number, predicate,
};
use super::signatures::{ACTUALS, CALLEES, Callee};
use super::writer::{ARRAYS, Array, DEEPEST, SHARED, Writer};

/// Optional features of programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// They access other blocks of the cluster.
    pub clusters: bool,
    /// They call functions, which use the same shared arrays.
    pub calls: bool,
}

/// Returns the body of a program that accesses memory, one statement per line.
pub fn kernel(choices: &mut Choices, features: Features) -> String {
    let mut writer = Writer::new(choices, true);
    writer.is_in_cluster = features.clusters;
    writer.callees = if features.calls { &CALLEES } else { &[] };
    for array in ARRAYS {
        let Array { name, space, align, bytes } = array;
        if !features.calls || space != "shared" {
            writer.line(format!(".{space} .align {align} .b8 {name}[{bytes}];"));
        }
    }
    writer.registers();
    writer.actuals();
    writer.start();
    let count = 2 + writer.choices.below(8);
    writer.statements(count);
    writer.line("exit;".into());
    writer.finish()
}

/// Returns the body of a called function, which accesses shared memory.
pub fn function(choices: &mut Choices, callee: &Callee, features: Features) -> String {
    let mut writer = Writer::new(choices, true);
    writer.is_in_cluster = features.clusters;
    writer.arrays = &SHARED;
    called(writer, callee)
}

/// Returns the body of a called function that only computes.
pub fn computing_function(choices: &mut Choices, callee: &Callee) -> String {
    called(Writer::new(choices, false), callee)
}

fn called(mut writer: Writer<'_>, callee: &Callee) -> String {
    (writer.is_called, writer.callees) = (true, callee.callees());
    writer.registers();
    writer.actuals();
    writer.start_of(callee);
    let count = 1 + writer.choices.below(5);
    writer.statements(count);
    writer.result(callee, 1);
    writer.line("ret;".into());
    writer.finish()
}

/// Returns a kernel with arbitrary jumps, which may not terminate.
pub fn wild(choices: &mut Choices, features: Features) -> String {
    let text = kernel(choices, features);
    let is_declared = |line: &&str| line.starts_with('.');
    let start = text.lines().take_while(is_declared).count();
    // A jump into a sequence of address conversions may convert an address twice, or convert something else.
    let plain = |line: &str| match line.rsplit_once(" %d6, ") {
        Some((opcode, from)) if opcode.starts_with("cvta.") => format!("mov.b64 %d6, {from}"),
        _ if line.starts_with("cvta.to") => "mov.b64 %d4, %d6;".into(),
        _ if line.starts_with("mapa.") && line.contains(", %d") => "mov.b64 %d6, %d4;".into(),
        _ if line.starts_with("mapa.") && line.contains("%r10, %r") => "mov.b32 %r9, %r10;".into(),
        _ => line.into(),
    };
    let mut lines: Vec<String> = text.lines().map(plain).collect();
    // After the initial values of registers.
    let start = start + WORDS + WIDE + NARROW + PREDICATES;
    // Jumps skip the initialisation of the other registers.
    let words = (WORDS..15).map(|n| format!("mov.b32 %r{n}, {n};"));
    let wide = (WIDE..7).map(|n| format!("mov.b64 %d{n}, {n};"));
    let predicates = (PREDICATES..6).map(|n| format!("setp.eq.u32 %p{n}, %r0, {n};"));
    let actuals = ACTUALS.into_iter().filter(|_| features.calls);
    let actuals = actuals.map(|(name, bits)| format!("st.param.b{bits} [{name}], 0;"));
    let first: Vec<String> = words.chain(wide).chain(predicates).chain(actuals).collect();
    let after = start + first.len();
    lines.splice(start..start, first);
    let start = after;
    for label in 0..=choices.below(3) {
        let at = start + choices.below(lines.len() - start);
        lines.insert(at, format!("W{label}:"));
        for _ in 0..=choices.below(2) {
            let at = start + choices.below(lines.len() - start);
            let not = choices.of(&["", "!"]);
            let guard = format!("@{not}{} ", predicate(choices));
            lines.insert(at, format!("{guard}bra W{label};"));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Returns the statements of a program that computes with its registers, and has no memory.
pub fn computing(choices: &mut Choices, features: Features) -> String {
    let mut writer = Writer::new(choices, false);
    writer.callees = if features.calls { &CALLEES } else { &[] };
    let count = 6 + writer.choices.below(12);
    writer.statements(count);
    writer.finish()
}

/// Returns a program whose threads, this many in each of two blocks, exchange what they have computed.
pub fn exchanging(choices: &mut Choices, threads: usize) -> String {
    let mut writer = Writer::new(choices, false);
    writer.is_in_cluster = true;
    let exchanges = 2 + writer.choices.below(3);
    for _ in 0..exchanges {
        let count = 1 + writer.choices.below(4);
        writer.statements(count);
        writer.exchange(threads);
    }
    writer.statements(2);
    // Shared memory only lives as long as its block.
    writer.cluster_barrier();
    writer.finish()
}

impl Writer<'_> {
    /// Initialises every register.
    fn start(&mut self) {
        self.line("mov.u32 %r0, %tid.x;".into());
        for n in 1..WORDS {
            let specials = ["%tid.y", "%ctaid.x", "%laneid", "%ntid.x", "%warpid", "%nctaid.x"];
            match self.choices.below(6) {
                0..2 => {
                    let number = number(self.choices, 32);
                    self.line(format!("mov.b32 %r{n}, {number};"));
                }
                2 => self.line(format!("ld.shared.u32 %r{n}, [A+{}];", n * 4)),
                3 if self.is_in_cluster && self.choices.below(2) == 0 => {
                    let special = self.choices.of(&SPECIALS);
                    self.line(format!("mov.u32 %r{n}, {special};"));
                }
                3 => {
                    let special = self.choices.of(&specials);
                    self.line(format!("mov.u32 %r{n}, {special};"));
                }
                4 => {
                    let by = self.choices.of(&[2, 3, 4, 8, 16, 1024]);
                    self.line(format!("mul.lo.u32 %r{n}, %r0, {by};"));
                }
                _ => {
                    let from = self.choices.below(n);
                    let number = number(self.choices, 32);
                    self.line(format!("add.u32 %r{n}, %r{from}, {number};"));
                }
            }
        }
        for n in 0..WIDE {
            let from = self.choices.below(WORDS);
            match self.choices.below(3) {
                0 => self.line(format!("cvt.u64.u32 %d{n}, %r{from};")),
                1 => self.line(format!("mul.wide.s32 %d{n}, %r{from}, {};", n + 2)),
                _ => {
                    let number = number(self.choices, 64);
                    self.line(format!("mov.b64 %d{n}, {number};"));
                }
            }
        }
        for n in 0..NARROW {
            self.line(format!("cvt.u16.u32 %h{n}, %r{n};"));
        }
        for n in 0..PREDICATES {
            let comparison = self.choices.of(&COMPARISONS);
            let from = self.choices.below(WORDS);
            let number = number(self.choices, 32);
            self.line(format!("setp.{comparison}.s32 %p{n}, %r{from}, {number};"));
        }
    }

    pub(super) fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let may_call = !self.is_called || self.loops.is_empty();
        if may_call && !self.callees.is_empty() && self.choices.once_in(6) {
            return self.call();
        }
        if self.is_in_cluster && self.choices.once_in(10) {
            return self.of_clusters();
        }
        match self.choices.below(if self.is_kernel { 14 } else { 10 }) {
            0..4 => {
                let computation = computation(self.choices);
                self.line(computation);
            }
            4 => {
                let test = self.test();
                self.line(test);
            }
            5 => {
                let computation = computation(self.choices);
                let guard = self.guard();
                // ptxas of CUDA 12.9 and 13.0 also extends the sign of the 16 bits if the guard is
                // false, which truncates the previous contents of the register.
                let is_cut = computation.starts_with("set.") && computation.contains("16 ");
                let guard = if is_cut { String::new() } else { guard + " " };
                self.line(format!("{guard}{computation}"));
            }
            6 => self.branch(),
            7 if self.choices.once_in(4) => self.sum(),
            7 | 8 if self.loops.len() < DEEPEST => self.counted_loop(&mut Self::body),
            7..10 => self.index(),
            13 if self.choices.once_in(4) => {
                let test = self.test();
                self.line(test);
                let guard = self.guard();
                let how = self.choices.of(&["exit", "ret", "trap"]);
                self.line(format!("{guard} {how};"));
            }
            _ => self.access(),
        }
    }

    /// Emits statements that some threads skip.
    fn branch(&mut self) {
        let label = self.label();
        if self.choices.below(2) == 0 {
            let test = self.test();
            self.line(test);
        }
        let guard = self.guard();
        let around = self.branches.len();
        self.branches.push((guard.trim_start_matches(['@', '!']).into(), self.loops.len()));
        // The branch leaves a loop, or skips some statements.
        if let Some(counter) = self.loops.last()
            && self.choices.once_in(5)
        {
            let end = counter.end;
            self.line(format!("{guard} bra E{end};"));
            return;
        }
        self.line(format!("{guard} bra L{label};"));
        let count = 1 + self.choices.below(3);
        self.statements(count);
        if self.choices.once_in(3) {
            let end = self.label();
            self.line(format!("bra L{end};"));
            self.line(format!("L{label}:"));
            let count = 1 + self.choices.below(2);
            self.statements(count);
            self.line(format!("L{end}:"));
        } else {
            self.line(format!("L{label}:"));
        }
        self.branches.truncate(around);
    }

    /// Emits the body of a loop.
    fn body(&mut self) {
        if self.is_kernel {
            self.access();
        }
        let count = self.choices.below(4);
        self.statements(count);
    }
}
