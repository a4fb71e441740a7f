//! Programs by chance that have the structure of kernels: counted loops, branches on threads, constants
//! and what nobody knows, and accesses of arrays.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::choices::Choices;
use super::computations::{
    COMPARISONS, NARROW, PREDICATES, WIDE, WORDS, computation, number, predicate, register, test,
};

/// An array that programs access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Array {
    pub(crate) name: &'static str,
    pub(crate) space: &'static str,
    pub(crate) align: usize,
    pub(crate) bytes: usize,
}

/// The arrays that programs access.
pub(crate) const ARRAYS: [Array; 4] = [
    Array { name: "A", space: "shared", align: 16, bytes: 512 },
    Array { name: "B", space: "shared", align: 4, bytes: 128 },
    Array { name: "C", space: "local", align: 8, bytes: 64 },
    Array { name: "E", space: "shared", align: 16, bytes: 1024 },
];

/// How many registers there are of each kind: 32, 64 and 16 bits, predicates.
pub(crate) const REGISTERS: [(&str, &str, usize); 4] =
    [("%r", "b32", 16), ("%d", "b64", 8), ("%h", "b16", NARROW), ("%p", "pred", 8)];

/// The most loops that lie in each other.
const DEEPEST: usize = 2;

/// A program in the making.
pub(crate) struct Writer<'c> {
    choices: &'c mut Choices,
    lines: Vec<String>,
    labels: usize,
    /// The loops around: the counter of each, and whether that is an address.
    loops: Vec<Counter>,
    /// Whether it accesses memory and ends threads, besides computing.
    is_kernel: bool,
}

/// The counter of a loop.
#[derive(Clone, Copy, PartialEq)]
struct Counter {
    register: usize,
    /// The array into which it points, if it does.
    array: Option<Array>,
    /// The label behind the loop.
    end: usize,
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The body of a program that accesses memory, one statement a line.
pub(crate) fn kernel(choices: &mut Choices) -> String {
    let mut writer = Writer::new(choices, true);
    for array in ARRAYS {
        let Array { name, space, align, bytes } = array;
        writer.line(format!(".{space} .align {align} .b8 {name}[{bytes}];"));
    }
    writer.registers();
    writer.start();
    let count = 2 + writer.choices.below(8);
    writer.statements(count);
    writer.line("exit;".into());
    writer.finish()
}

/// The same with jumps from anywhere to anywhere: perhaps it never ends.
pub(crate) fn wild(choices: &mut Choices) -> String {
    let text = kernel(choices);
    let is_declared = |line: &&str| line.starts_with('.');
    let start = text.lines().take_while(is_declared).count();
    // Who jumps between conversions of addresses converts what is converted.
    let plain = |line: &str| match line.rsplit_once(" %d6, ") {
        Some((opcode, from)) if opcode.starts_with("cvta.") => format!("mov.b64 %d6, {from}"),
        _ if line.starts_with("cvta.to") => "mov.b64 %d4, %d6;".into(),
        _ => line.into(),
    };
    let mut lines: Vec<String> = text.lines().map(plain).collect();
    // Behind what registers start with.
    let start = start + WORDS + WIDE + NARROW + PREDICATES;
    // Jumps pass over what gives the others something to start with.
    let words = (WORDS..14).map(|n| format!("mov.b32 %r{n}, {n};"));
    let wide = (WIDE..7).map(|n| format!("mov.b64 %d{n}, {n};"));
    let predicates = (PREDICATES..6).map(|n| format!("setp.eq.u32 %p{n}, %r0, {n};"));
    lines.splice(start..start, words.chain(wide).chain(predicates));
    let start = start + 14 - WORDS + 7 - WIDE + 6 - PREDICATES;
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

/// The statements of a program that computes with what its registers hold, and has no memory.
pub(crate) fn computing(choices: &mut Choices) -> String {
    let mut writer = Writer::new(choices, false);
    let count = 6 + writer.choices.below(12);
    writer.statements(count);
    writer.finish()
}

impl<'c> Writer<'c> {
    fn new(choices: &'c mut Choices, is_kernel: bool) -> Self {
        Self { choices, lines: Vec::new(), labels: 0, loops: Vec::new(), is_kernel }
    }

    fn finish(self) -> String {
        self.lines.into_iter().map(|line| line + "\n").collect()
    }

    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    fn registers(&mut self) {
        for (name, ty, count) in REGISTERS {
            self.line(format!(".reg .{ty} {name}<{count}>;"));
        }
    }

    fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// Gives every register something to start with.
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

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            self.statement();
        }
    }

    fn statement(&mut self) {
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
                self.line(format!("{guard} {computation}"));
            }
            6 => self.branch(),
            7 | 8 if self.loops.len() < DEEPEST => self.counted_loop(),
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

    fn guard(&mut self) -> String {
        let not = self.choices.of(&["", "!"]);
        format!("@{not}{}", predicate(self.choices))
    }

    /// A comparison that matters: of the thread, of a counter, of anything.
    fn test(&mut self) -> String {
        let to = predicate(self.choices);
        let (comparison, sign) = (self.choices.of(&COMPARISONS), self.choices.of(&["u", "s"]));
        let bound = self.choices.of(&[0, 1, 2, 4, 5, 7, 8, 16, 31, 32]);
        match (self.choices.below(5), self.loops.last().copied()) {
            (4, _) => {
                let of = self.source();
                self.line(format!("add.s32 %r9, {of}, -{bound};"));
                let bound = self.choices.of(&[0, 1, 4, 8]);
                format!("setp.{comparison}.{sign}32 {to}, %r9, {bound};")
            }
            (0, _) => format!("setp.{comparison}.{sign}32 {to}, %r0, {bound};"),
            (1, Some(counter)) => {
                format!("setp.{comparison}.{sign}32 {to}, %r{}, {bound};", counter.register)
            }
            (2, Some(counter)) => {
                format!("setp.{comparison}.{sign}32 {to}, %r{}, %r0;", counter.register)
            }
            _ => test(self.choices),
        }
    }

    /// Statements that some threads leave out.
    fn branch(&mut self) {
        let label = self.label();
        if self.choices.below(2) == 0 {
            let test = self.test();
            self.line(test);
        }
        let guard = self.guard();
        // Out of a loop, or over some statements.
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
    }

    /// An index that is made of the thread, of counters, or of anything, in a register of the program.
    fn index(&mut self) {
        let to = 1 + self.choices.below(WORDS - 1);
        let from = self.source();
        match self.choices.below(6) {
            0 => {
                let by = self.choices.of(&[4, 2, 8, 16, 12]);
                self.line(format!("mad.lo.s32 %r{to}, {from}, {by}, %r0;"));
            }
            1 => {
                let by = 1 + self.choices.below(5);
                self.line(format!("shl.b32 %r{to}, {from}, {by};"));
            }
            2 => {
                let mask = self.choices.of(&[3, 7, 15, 31, 12, 28, 0xffff]);
                self.line(format!("and.b32 %r{to}, {from}, {mask};"));
            }
            3 => {
                let by = self.choices.of(&[1, 4, 16, -1, -4]);
                self.line(format!("add.s32 %r{to}, {from}, {by};"));
            }
            4 => {
                // A ring: one on, and back to the start at the end.
                let end = self.choices.of(&[4, 2, 3, 8]);
                self.line(format!("add.u32 %r{to}, %r{to}, 1;"));
                self.line(format!("setp.eq.u32 %p3, %r{to}, {end};"));
                self.line(format!("selp.b32 %r{to}, 0, %r{to}, %p3;"));
            }
            _ => {
                let by = self.choices.of(&[4, 8, 16, 32]);
                self.line(format!("rem.u32 %r{to}, {from}, {by};"));
            }
        }
    }

    /// A register that is an index, perhaps.
    fn source(&mut self) -> String {
        let counter = self.loops.iter().rev().find(|counter| counter.array.is_none()).copied();
        match (self.choices.below(4), counter) {
            (0, _) | (1, None) => "%r0".into(),
            (1 | 2, Some(counter)) => format!("%r{}", counter.register),
            (_, _) => register(self.choices, 32),
        }
    }

    /// An access of an array.
    fn access(&mut self) {
        let pointer = self.loops.iter().rev().find(|counter| counter.array.is_some()).copied();
        let (array, address) = match pointer {
            Some(Counter { register, array: Some(array), .. }) if self.choices.below(2) == 0 => {
                (array, format!("%r{register}"))
            }
            Some(_) | None => self.address(),
        };
        let added = self.choices.of(&[0, 0, 4, 16, 60, 2, 128, 508, -4]);
        let added = if added < 0 { format!("{added}") } else { format!("+{added}") };
        let address = if added == "+0" { address } else { address + &added };
        let guard = if self.choices.once_in(4) { self.guard() + " " } else { String::new() };
        let space = array.space;
        let to = self.choices.below(WORDS - 1) + 1;
        // A generic address is of no space.
        let space = if address.starts_with("%d6") { String::new() } else { format!("{space}.") };
        let line = match self.choices.below(8) {
            0..3 => format!("st.{space}b32 [{address}], %r{to};"),
            3 => format!("ld.{space}u32 %r{to}, [{address}];"),
            4 => format!("st.{space}v4.b32 [{address}], {{%r0, %r1, %r2, %r3}};"),
            5 => format!("st.{space}b64 [{address}], %d0;"),
            6 => format!("ld.{space}v2.u32 {{%r4, %r5}}, [{address}];"),
            _ => format!("ld.{space}s8 %r{to}, [{address}];"),
        };
        self.line(format!("{guard}{line}"));
    }

    /// An address in an array.
    fn address(&mut self) -> (Array, String) {
        let array = self.choices.of(&ARRAYS);
        let name = array.name;
        let stride = self.choices.of(&[4, 16, 8, 32, 1, 12, 64]);
        match self.choices.below(7) {
            0 => {
                let index = self.source();
                self.line(format!("mov.u32 %r10, {name};"));
                self.line(format!("mad.lo.u32 %r10, {index}, {stride}, %r10;"));
                (array, "%r10".into())
            }
            1 => {
                let (one, other) = (self.source(), self.source());
                self.line(format!("mov.u32 %r10, {name};"));
                self.line(format!("mad.lo.s32 %r10, {one}, {stride}, %r10;"));
                self.line(format!("shl.b32 %r9, {other}, 2;"));
                self.line("add.s32 %r10, %r10, %r9;".into());
                (array, "%r10".into())
            }
            2 => {
                let index = self.source();
                let mask = self.choices.of(&[31, 15, 7, 127, 0x7c]);
                self.line(format!("and.b32 %r9, {index}, {mask};"));
                self.line(format!("mov.u32 %r10, {name};"));
                self.line(format!("mad.lo.u32 %r10, %r9, {stride}, %r10;"));
                (array, "%r10".into())
            }
            3 => {
                let index = self.source();
                let sign = self.choices.of(&["u", "s"]);
                self.line(format!("mov.u64 %d4, {name};"));
                self.line(format!("mul.wide.{sign}32 %d5, {index}, {stride};"));
                self.line("add.s64 %d4, %d4, %d5;".into());
                (array, "%d4".into())
            }
            4 => {
                let index = self.source();
                let number = number(self.choices, 32);
                self.line(format!("mov.u32 %r10, {name};"));
                self.line(format!("mad.lo.u32 %r9, {index}, {stride}, {number};"));
                self.line("add.u32 %r10, %r10, %r9;".into());
                (array, "%r10".into())
            }
            5 => {
                // There and back again, or as far as to a generic one.
                let (index, space) = (self.source(), array.space);
                self.line(format!("mov.u64 %d6, {name};"));
                self.line(format!("cvta.{space}.u64 %d6, %d6;"));
                self.line(format!("mul.wide.u32 %d5, {index}, {stride};"));
                self.line("add.s64 %d6, %d6, %d5;".into());
                if self.choices.below(2) == 0 {
                    return (array, "%d6".into());
                }
                self.line(format!("cvta.to.{space}.u64 %d4, %d6;"));
                (array, "%d4".into())
            }
            _ => (array, name.into()),
        }
    }

    /// A loop with a counter of its own, that ends.
    fn counted_loop(&mut self) {
        let (label, depth) = (self.label(), self.loops.len());
        let (i, bound, p) = (6 + depth, 11 + depth, 4 + depth);
        let deep = depth > 0;
        let rounds = 1 + self.choices.below(if deep { 8 } else { 40 });
        let mut step = self.choices.of(&[1, 1, 4, 2, 3, 16, 128]);
        let mut first = self.choices.of(&[0, 0, 1, 4, -4, 16]);
        // Where the counter wraps, it may take long to come to an end: no GPU waits for it.
        if self.is_kernel && self.choices.once_in(5) {
            step = self.choices.of(&[1 << 26, 1 << 29, 1 << 30, 1]);
            first = self.choices.of(&[0, i32::MAX - 20, i32::MIN + 3, -4]);
        }
        let sign = self.choices.of(&["s", "u"]);
        // Of a number that is perhaps negative, which never ends with some comparisons.
        let risky = if self.is_kernel && self.choices.once_in(4) { sign } else { "s" };
        let counter = Counter { register: i, array: None, end: label };
        let length = i32::try_from(rounds).unwrap_or(1).wrapping_mul(step);
        let last = first.wrapping_add(length);
        let kind = self.choices.below(if self.is_kernel { 10 } else { 8 });
        // Behind the body, the counter goes on and is compared; before it, it is compared.
        match kind {
            0 | 1 => {
                let how = self.choices.of(&["lt", "le", "ne"]);
                self.line(format!("mov.u32 %r{i}, {first};"));
                self.round(counter, label);
                self.line(format!("add.s32 %r{i}, %r{i}, {step};"));
                self.line(format!("setp.{how}.{risky}32 %p{p}, %r{i}, {last};"));
            }
            2 => {
                let how = self.choices.of(&["ge", "gt", "eq"]);
                self.line(format!("mov.u32 %r{i}, {first};"));
                self.line(format!("L{label}:"));
                self.line(format!("setp.{how}.{risky}32 %p{p}, %r{i}, {last};"));
                self.line(format!("@%p{p} bra E{label};"));
                self.body(counter);
                self.line(format!("add.s32 %r{i}, %r{i}, {step};"));
                self.line(format!("bra L{label};"));
                self.line(format!("E{label}:"));
                return;
            }
            3 => {
                let how = self.choices.of(&["gt", "ge", "ne"]);
                let low = first;
                self.line(format!("mov.u32 %r{i}, {last};"));
                self.round(counter, label);
                self.line(format!("add.s32 %r{i}, %r{i}, -{step};"));
                self.line(format!("setp.{how}.{risky}32 %p{p}, %r{i}, {low};"));
            }
            4 => {
                let at = self.choices.below(8);
                self.line(format!("mov.u32 %r{i}, {};", 1 << at));
                self.round(counter, label);
                self.line(format!("shr.u32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.ne.u32 %p{p}, %r{i}, 0;"));
            }
            5 => {
                let start = self.choices.of(&["%r0", "%r1", "%laneid"]);
                let mask = if deep { 7 } else { 31 };
                self.line(format!("mov.u32 %r{i}, {start};"));
                self.line(format!("and.b32 %r{i}, %r{i}, {mask};"));
                self.round(counter, label);
                self.line(format!("add.u32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.{}.{sign}32 %p{p}, %r{i}, {};", "lt", mask + 1));
            }
            6 => {
                // Up to what nobody knows, or to the thread's number.
                let until = register(self.choices, 32);
                let mask = if deep { 7 } else { 31 };
                self.line(format!("and.b32 %r{bound}, {until}, {mask};"));
                self.line(format!("mov.u32 %r{i}, 0;"));
                self.round(counter, label);
                self.line(format!("add.u32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.le.{sign}32 %p{p}, %r{i}, %r{bound};"));
            }
            7 => {
                // By multiplication.
                self.line(format!("mov.u32 %r{i}, 1;"));
                self.round(counter, label);
                self.line(format!("shl.b32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.lt.{sign}32 %p{p}, %r{i}, {};", 1 << (rounds % 10)));
            }
            _ => {
                // By an address, up to another.
                let array = self.choices.of(&ARRAYS);
                let stride = self.choices.of(&[4, 16, 8, 32, 12]);
                let how = self.choices.of(&["lt", "ne", "le"]);
                let length = stride * rounds;
                self.line(format!("mov.u32 %r{i}, {};", array.name));
                self.line(format!("add.u32 %r{bound}, %r{i}, {length};"));
                if self.choices.once_in(3) {
                    self.line(format!("mad.lo.u32 %r{i}, %r0, 4, %r{i};"));
                    self.line(format!("add.u32 %r{bound}, %r{i}, {length};"));
                }
                self.round(Counter { array: Some(array), ..counter }, label);
                self.line(format!("add.u32 %r{i}, %r{i}, {stride};"));
                self.line(format!("setp.{how}.u32 %p{p}, %r{i}, %r{bound};"));
            }
        }
        self.line(format!("@%p{p} bra L{label};"));
        self.line(format!("E{label}:"));
    }

    /// The label and the body.
    fn round(&mut self, counter: Counter, label: usize) {
        self.line(format!("L{label}:"));
        self.body(counter);
    }

    fn body(&mut self, counter: Counter) {
        self.loops.push(counter);
        if self.is_kernel {
            self.access();
        }
        let count = self.choices.below(4);
        self.statements(count);
        self.loops.pop();
    }
}
