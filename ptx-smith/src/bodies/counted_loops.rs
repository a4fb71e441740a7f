//! Random counted loops, up and down, over an index or an address.

use super::computations::register;
use super::writer::{Counter, Writer};

impl Writer<'_> {
    /// Emits a loop with its own counter that terminates.
    pub(super) fn counted_loop(&mut self, body: &mut dyn FnMut(&mut Self)) {
        let (label, depth) = (self.label(), self.loops.len());
        let (i, bound, p) = (6 + depth, 11 + depth, 4 + depth);
        let deep = depth > 0 || self.is_called;
        let rounds = 1 + self.choices.below(if deep { 8 } else { 40 });
        let mut step = self.choices.of(&[1, 1, 4, 2, 3, 16, 128]);
        let mut first = self.choices.of(&[0, 0, 1, 4, -4, 16]);
        // If the counter wraps, the loop may take long to terminate; this is not run on a GPU.
        if self.is_kernel && self.choices.once_in(5) {
            step = self.choices.of(&[1 << 26, 1 << 29, 1 << 30, 1]);
            first = self.choices.of(&[0, i32::MAX - 20, i32::MIN + 3, -4]);
        }
        let sign = self.choices.of(&["s", "u"]);
        // A counter that may be negative, which never terminates with some comparisons.
        let risky = if self.is_kernel && self.choices.once_in(4) { sign } else { "s" };
        let counter = Counter { register: i, array: None, end: label };
        let length = i32::try_from(rounds).unwrap_or(1).wrapping_mul(step);
        let last = first.wrapping_add(length);
        let kind = self.choices.below(if self.is_kernel { 10 } else { 8 });
        // The counter is updated and compared after the body, or compared before it.
        match kind {
            0 | 1 => {
                let how = self.choices.of(&["lt", "le", "ne"]);
                self.line(format!("mov.u32 %r{i}, {first};"));
                self.round(counter, label, body);
                self.line(format!("add.s32 %r{i}, %r{i}, {step};"));
                self.line(format!("setp.{how}.{risky}32 %p{p}, %r{i}, {last};"));
            }
            2 => {
                let how = self.choices.of(&["ge", "gt", "eq"]);
                self.line(format!("mov.u32 %r{i}, {first};"));
                self.line(format!("L{label}:"));
                self.line(format!("setp.{how}.{risky}32 %p{p}, %r{i}, {last};"));
                self.line(format!("@%p{p} bra E{label};"));
                self.inside(counter, body);
                self.line(format!("add.s32 %r{i}, %r{i}, {step};"));
                self.line(format!("bra L{label};"));
                self.line(format!("E{label}:"));
                return;
            }
            3 => {
                let how = self.choices.of(&["gt", "ge", "ne"]);
                let low = first;
                self.line(format!("mov.u32 %r{i}, {last};"));
                self.round(counter, label, body);
                self.line(format!("add.s32 %r{i}, %r{i}, -{step};"));
                self.line(format!("setp.{how}.{risky}32 %p{p}, %r{i}, {low};"));
            }
            4 => {
                let at = self.choices.below(8);
                self.line(format!("mov.u32 %r{i}, {};", 1 << at));
                self.round(counter, label, body);
                self.line(format!("shr.u32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.ne.u32 %p{p}, %r{i}, 0;"));
            }
            5 => {
                let start = self.choices.of(&["%r0", "%r1", "%laneid"]);
                let mask = if deep { 7 } else { 31 };
                self.line(format!("mov.u32 %r{i}, {start};"));
                self.line(format!("and.b32 %r{i}, %r{i}, {mask};"));
                self.round(counter, label, body);
                self.line(format!("add.u32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.{}.{sign}32 %p{p}, %r{i}, {};", "lt", mask + 1));
            }
            6 => {
                // Up to an unknown number, or to the thread index.
                let until = register(self.choices, 32);
                let mask = if deep { 7 } else { 31 };
                self.line(format!("and.b32 %r{bound}, {until}, {mask};"));
                self.line(format!("mov.u32 %r{i}, 0;"));
                self.round(counter, label, body);
                self.line(format!("add.u32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.le.{sign}32 %p{p}, %r{i}, %r{bound};"));
            }
            7 => {
                // The counter is multiplied.
                self.line(format!("mov.u32 %r{i}, 1;"));
                self.round(counter, label, body);
                self.line(format!("shl.b32 %r{i}, %r{i}, 1;"));
                self.line(format!("setp.lt.{sign}32 %p{p}, %r{i}, {};", 1 << (rounds % 10)));
            }
            _ => {
                // From one address up to another.
                let arrays = self.arrays;
                let array = self.choices.of(arrays);
                let stride = self.choices.of(&[4, 16, 8, 32, 12]);
                let how = self.choices.of(&["lt", "ne", "le"]);
                let length = stride * rounds;
                self.line(format!("mov.u32 %r{i}, {};", array.name));
                self.line(format!("add.u32 %r{bound}, %r{i}, {length};"));
                if self.choices.once_in(3) {
                    self.line(format!("mad.lo.u32 %r{i}, %r0, 4, %r{i};"));
                    self.line(format!("add.u32 %r{bound}, %r{i}, {length};"));
                }
                self.round(Counter { array: Some(array), ..counter }, label, body);
                self.line(format!("add.u32 %r{i}, %r{i}, {stride};"));
                self.line(format!("setp.{how}.u32 %p{p}, %r{i}, %r{bound};"));
            }
        }
        self.line(format!("@%p{p} bra L{label};"));
        self.line(format!("E{label}:"));
    }

    /// Emits the label and the body.
    fn round(&mut self, counter: Counter, label: usize, body: &mut dyn FnMut(&mut Self)) {
        self.line(format!("L{label}:"));
        self.inside(counter, body);
    }

    fn inside(&mut self, counter: Counter, body: &mut dyn FnMut(&mut Self)) {
        let around = self.branches.len();
        self.loops.push(counter);
        body(self);
        self.loops.pop();
        self.branches.truncate(around);
    }
}
