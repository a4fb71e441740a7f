//! Random calls, and called functions.

use super::computations::{NARROW, PREDICATES, WIDE, WORDS, number, register};
use super::signatures::{ACTUALS, Callee};
use super::writer::{REGISTERS, Writer};

impl Writer<'_> {
    /// Calls a function.
    pub(super) fn call(&mut self) {
        let callees = self.callees;
        let callee = self.choices.of(callees);
        let to = 1 + self.choices.below(WORDS - 1);
        // A 32-bit address, or any number.
        let one = match self.choices.below(if self.is_kernel { 6 } else { 3 }) {
            0 => number(self.choices, 32),
            1 | 2 => self.source(),
            _ => match self.address() {
                (_, address) if address == "%r10" => {
                    let is_mapped = self.is_in_cluster && self.choices.once_in(4);
                    if is_mapped { self.mapped(&address) } else { address }
                }
                (array, _) => {
                    self.line(format!("mov.u32 %r10, {};", array.name));
                    "%r10".into()
                }
            },
        };
        let wide = register(self.choices, 64);
        if callee.name == "h" {
            self.line(format!("mov.b32 %r13, {one};"));
            self.line("st.param.b32 [pa], %r13;".into());
            self.line(format!("st.param.b64 [pb], {wide};"));
            self.line("call (pz), h, (pa, pb);".into());
            self.line(format!("ld.param.b32 %r{to}, [pz];"));
        } else {
            let guard = if self.choices.once_in(4) { self.guard() + " " } else { String::new() };
            let other = self.source();
            self.line(format!("{guard}call (%r{to}), g, ({one}, {other}, {wide});"));
        }
    }

    /// Declares the variables that pass arguments.
    pub(super) fn actuals(&mut self) {
        if self.callees.iter().any(|callee| callee.name == "h") {
            for (name, bits) in ACTUALS {
                self.line(format!(".param .b{bits} {name};"));
            }
        }
    }

    /// Initialises every register of a function.
    pub(super) fn start_of(&mut self, callee: &Callee) {
        if callee.name == "h" {
            self.line("ld.param.b32 %r0, [ha];".into());
            self.line("ld.param.b64 %d0, [hb];".into());
            self.line("cvt.u32.u64 %r1, %d0;".into());
            self.line("mov.b32 %r8, %r0;".into());
        } else {
            self.line("mov.b32 %r0, %ra;".into());
            self.line("mov.b64 %d0, %da;".into());
            self.line("mov.b32 %r1, %rb;".into());
            self.line("mov.b32 %r8, %ra;".into());
        }
        self.result(callee, 1);
        for n in 2..WORDS {
            let by = self.choices.of(&[1, 2, 4, 16, 3]);
            let number = number(self.choices, 32);
            self.line(format!("mad.lo.u32 %r{n}, %r{}, {by}, {number};", n % 2));
        }
        for n in 1..WIDE {
            self.line(format!("mul.wide.s32 %d{n}, %r{n}, {n};"));
        }
        for n in 0..NARROW {
            self.line(format!("cvt.u16.u32 %h{n}, %r{n};"));
        }
        for n in 0..PREDICATES {
            self.line(format!("setp.lt.s32 %p{n}, %r{n}, {};", n * 4));
        }
    }

    /// Computes an address from an argument that may be one.
    pub(super) fn passed_address(&mut self) -> String {
        if self.choices.below(2) == 0 {
            return "%r8".into();
        }
        let (index, stride) = (self.source(), self.choices.of(&[4, 1, 8, 16]));
        self.line(format!("mad.lo.u32 %r10, {index}, {stride}, %r8;"));
        "%r10".into()
    }

    /// Writes the return value of a function.
    pub(super) fn result(&mut self, callee: &Callee, from: usize) {
        let line = match callee.returns {
            [(name, _)] if name.starts_with('%') => format!("mov.b32 {name}, %r{from};"),
            [(name, _), ..] => format!("st.param.b32 [{name}], %r{from};"),
            [] => return,
        };
        self.line(line);
    }

    pub(super) fn registers(&mut self) {
        for (name, ty, count) in REGISTERS {
            self.line(format!(".reg .{ty} {name}<{count}>;"));
        }
    }
}
