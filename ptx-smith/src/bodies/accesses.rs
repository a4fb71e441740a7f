//! Random array accesses, at addresses computed as kernels compute them.

use super::computations::{WORDS, number};
use super::writer::{Array, Counter, Writer};

impl Writer<'_> {
    /// Computes an index from the thread, from counters, or from any register.
    pub(super) fn index(&mut self) {
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
                // A ring buffer index: advance by one, and wrap at the end.
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

    /// Accesses an array.
    pub(super) fn access(&mut self) {
        let pointer = self.loops.iter().rev().find(|counter| counter.array.is_some()).copied();
        let (array, address) = match pointer {
            Some(Counter { register, array: Some(array), .. }) if self.choices.below(2) == 0 => {
                (array, format!("%r{register}"))
            }
            Some(_) | None if self.is_called && self.choices.below(3) == 0 => {
                let arrays = self.arrays;
                (arrays[0], self.passed_address())
            }
            Some(_) | None => self.address(),
        };
        let is_shared = array.space == "shared";
        let is_mapped = self.is_in_cluster && is_shared && self.choices.below(2) == 0;
        let address = if is_mapped { self.mapped(&address) } else { address };
        let added = self.choices.of(&[0, 0, 4, 16, 60, 2, 128, 508, -4]);
        let added = if added < 0 { format!("{added}") } else { format!("+{added}") };
        let address = if added == "+0" { address } else { address + &added };
        let guard = if self.choices.once_in(4) { self.guard() + " " } else { String::new() };
        // An address in another block is not in this block's window.
        let is_right = is_mapped && !self.choices.once_in(8);
        let space = if is_right { "shared::cluster" } else { array.space };
        let to = self.choices.below(WORDS - 1) + 1;
        // A generic address has no state space.
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

    /// Computes an address in an array.
    pub(super) fn address(&mut self) -> (Array, String) {
        let arrays = self.arrays;
        let array = self.choices.of(arrays);
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
                // Converts to a generic address, or also back again.
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
}
