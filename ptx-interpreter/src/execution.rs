//! Execution of a program by threads.

use alloc::vec::Vec;

use super::blocks::{block_of, window_of};
use super::decode::{Access as Accessing, Action, Actual, Source};
use super::frame::Frame;
use super::integer::Integer;
use super::program::{
    Access, At, Code, End, Execution, Launch, Load, Moment, NamedBlock, Program, Rounds, Store,
    Thread,
};

/// The reason that a thread stops executing.
enum Pause {
    /// It waits for the other threads.
    Waits,
    Ends(End),
}

impl Program<'_> {
    /// Executes it as one thread, which never waits.
    pub fn run(
        &self,
        launch: &Launch<'_>,
        thread: Thread,
        mut observe: impl FnMut(Moment<'_>),
    ) -> Execution {
        let mut running = Running::of(self, launch, thread);
        loop {
            if let Pause::Ends(end) = running.resume(&mut observe) {
                return running.done(end);
            }
        }
    }

    /// Executes it as threads that wait for each other at barriers.
    pub fn run_together(
        &self,
        launch: &Launch<'_>,
        threads: impl Iterator<Item = Thread>,
    ) -> Vec<Execution> {
        let mut open: Vec<_> =
            threads.map(|thread| Running::of(self, launch, thread)).enumerate().collect();
        let mut done = Vec::new();
        while !open.is_empty() {
            let mut waiting = Vec::new();
            for (n, mut thread) in open {
                match thread.resume(&mut |_| {}) {
                    Pause::Waits => waiting.push((n, thread)),
                    Pause::Ends(end) => done.push((n, thread.done(end))),
                }
            }
            open = waiting;
        }
        done.sort_by_key(|(n, _)| *n);
        done.into_iter().map(|(_, done)| done).collect()
    }
}

/// A thread that is executing a program.
struct Running<'s, 'a> {
    program: &'s Program<'a>,
    launch: &'s Launch<'s>,
    thread: Thread,
    /// The frame of the current function, and those of its callers.
    frame: Frame<'a>,
    callers: Vec<Frame<'a>>,
    step: usize,
    /// The carry flag.
    carry: bool,
    accesses: Vec<Access>,
    named: Vec<NamedBlock>,
}

impl<'s, 'a> Running<'s, 'a> {
    fn of(program: &'s Program<'a>, launch: &'s Launch<'s>, thread: Thread) -> Self {
        Self {
            program,
            launch,
            thread,
            frame: Frame::of(0, &program.functions[0]),
            callers: Vec::new(),
            step: 0,
            carry: false,
            accesses: Vec::new(),
            named: Vec::new(),
        }
    }

    /// Returns the record of the finished execution.
    fn done(self, end: End) -> Execution {
        let Self { accesses, named, frame, callers, .. } = self;
        let launched = callers.into_iter().next().unwrap_or(frame);
        Execution { accesses, named, registers: launched.registers, end }
    }

    fn code(&self) -> &'s Code<'a> {
        &self.program.functions[self.frame.function]
    }

    /// Executes statements until the thread ends or waits.
    fn resume(&mut self, observe: &mut impl FnMut(Moment<'_>)) -> Pause {
        loop {
            let at = (self.frame.function, self.frame.at);
            let Some(node) = self.code().nodes.get(at.1) else {
                if self.returns() {
                    continue;
                }
                return Pause::Ends(End::Done);
            };
            if self.step >= self.launch.steps {
                return Pause::Ends(End::Limit);
            }
            self.count_rounds();
            observe(Moment { at, registers: &self.frame.registers });
            self.step += 1;
            self.frame.at += 1;
            let runs = match node.guard {
                None => true,
                Some((predicate, is_negated)) => match self.frame.registers[predicate] {
                    Some(value) => (value & 1 != 0) != is_negated,
                    None => return Pause::Ends(End::Undefined),
                },
            };
            if !runs {
                continue;
            }
            match &node.action {
                Action::Nothing => {}
                Action::Waits => return Pause::Waits,
                Action::Branch(target) => self.frame.at = *target,
                Action::Ends => return Pause::Ends(End::Done),
                Action::Returns => {
                    if !self.returns() {
                        return Pause::Ends(End::Done);
                    }
                }
                Action::Unknown => return Pause::Ends(End::Unknown(at)),
                action => {
                    if self.execute(action, at).is_none() {
                        return Pause::Ends(End::Unknown(at));
                    }
                }
            }
        }
    }

    fn count_rounds(&mut self) {
        let at = self.frame.at;
        let loops = &self.code().loops;
        for (round, (label, end)) in self.frame.rounds.iter_mut().zip(loops) {
            if at == *label {
                *round += 1;
            } else if at < *label || at > *end {
                *round = 0;
            }
        }
    }

    fn rounds(&self) -> Rounds {
        let rounds = self.code().loops.iter().zip(&self.frame.rounds);
        let inside = rounds.filter(|(_, round)| **round > 0);
        inside.map(|((label, _), round)| (*label, *round)).collect()
    }

    /// Executes a call or an action without control flow; `None` if the called function does not exist.
    fn execute(&mut self, action: &'s Action<'a>, at: At) -> Option<()> {
        match action {
            Action::Compute { to, from, operation } => {
                let values: Option<Vec<u64>> = from.iter().map(|it| self.value(it)).collect();
                let value = values.map(|values| operation(&values));
                let window = from.iter().map(|it| self.frame.window(it)).max().unwrap_or(0);
                for to in to {
                    self.frame.write(to.register, value.map(|value| to.part(value)), window);
                }
            }
            Action::Carry { to, from, operation, writes } => {
                let values: Option<Vec<u64>> = from.iter().map(|it| self.value(it)).collect();
                let result = values.map(|values| operation(&values, self.carry));
                if let Some(to) = to {
                    self.frame.write(*to, result.map(|(value, _)| value), 0);
                }
                if *writes {
                    self.carry = result.is_some_and(|(_, carry)| carry);
                }
            }
            Action::Generic { to, from, space, is_to } => {
                let window = (self.launch.window)(*space);
                let address = self.value(from).map(|address| {
                    if *is_to { address.wrapping_sub(window) } else { address.wrapping_add(window) }
                });
                self.frame.write(*to, address, self.frame.window(from));
            }
            Action::Remote { to, address, rank, width } => {
                let rank = self.value(rank).map(|rank| Integer::unsigned(32).number(rank));
                let window = rank.map(|rank| window_of(rank, self.launch.cluster));
                let was = self.frame.window(address);
                let address = self.value(address).zip(window).map(|(address, window)| {
                    width.number(address.wrapping_sub(was).wrapping_add(window))
                });
                self.frame.write(*to, address, window.unwrap_or(0));
                if let Some(rank) = rank {
                    let (thread, rounds) = (self.thread, self.rounds());
                    self.named.push(NamedBlock { at, thread, rank, rounds });
                }
            }
            Action::Rank { to, from } => {
                let own = u64::from(self.rank());
                let rank = self.value(from).map(|address| block_of(address).0.unwrap_or(own));
                self.frame.write(*to, rank, 0);
            }
            Action::Call { function, to, from } => return self.call(function, to, from),
            Action::Access(access) => self.access(access, at),
            Action::Nothing
            | Action::Waits
            | Action::Branch(_)
            | Action::Ends
            | Action::Returns
            | Action::Unknown => {}
        }
        Some(())
    }

    fn call(&mut self, function: &str, to: &'s [Actual<'a>], from: &'s [Actual<'a>]) -> Option<()> {
        let number = self.program.functions.iter().position(|code| code.name == function)?;
        let callee = &self.program.functions[number];
        if to.len() != callee.returns.len() || from.len() != callee.params.len() {
            return None;
        }
        let mut frame = Frame::of(number, callee);
        for (formal, actual) in callee.params.iter().zip(from) {
            let (value, window) = match actual {
                Actual::Param(name) => (self.frame.params.get(name).copied(), 0),
                Actual::Source(source) => (self.value(source), self.frame.window(source)),
            };
            frame.set(formal, value, window, callee);
        }
        self.callers.push(core::mem::replace(&mut self.frame, frame));
        Some(())
    }

    /// Returns to the caller, after the call; `false` if there is no caller.
    fn returns(&mut self) -> bool {
        let callee = self.code();
        let Some(frame) = self.callers.pop() else { return false };
        let frame = core::mem::replace(&mut self.frame, frame);
        let caller = self.code();
        let call = caller.nodes.get(self.frame.at - 1).map(|node| &node.action);
        if let Some(Action::Call { to, .. }) = call {
            for (formal, actual) in callee.returns.iter().zip(to) {
                let value = frame.named(formal, callee);
                match actual {
                    Actual::Param(name) => self.frame.set(name, value, 0, caller),
                    Actual::Source(Source::Register(to)) => self.frame.write(*to, value, 0),
                    Actual::Source(_) => {}
                }
            }
        }
        true
    }

    fn access(&mut self, access: &'s Accessing<'a>, at: At) {
        let Accessing { operands, to, from, element, param } = access;
        let values: Vec<Option<u64>> =
            from.iter().map(|it| Some(element.number(self.value(it)?))).collect();
        // The parameters of a kernel are in memory.
        if let Some(name) = param {
            if let [value] = values.as_slice() {
                let code = self.code();
                self.frame.set(name, *value, 0, code);
                return;
            }
            if let (Some(value), [Some(to)]) = (self.frame.params.get(name), to.as_slice()) {
                let value = Some(element.write((*value).into()));
                self.frame.write(*to, value, 0);
                return;
            }
        }
        for (operand, bracket) in operands.iter().enumerate() {
            let Some(address) = self.value(&bracket.address) else { continue };
            let (address, width) = (bracket.width.number(address), bracket.width.bits);
            let (thread, bytes, rounds) = (self.thread, bracket.bytes, self.rounds());
            let window = self.frame.window(&bracket.address);
            let access = Access { at, operand, thread, address, window, width, bytes, rounds };
            self.accesses.push(access);
        }
        let address = operands
            .first()
            .and_then(|bracket| Some(bracket.width.number(self.value(&bracket.address)?)));
        let bytes = element.bits / 8;
        let nth = |n: u64| Some(address?.wrapping_add(n * u64::from(bytes)));
        let (thread, step) = (self.thread, self.step);
        for (to, n) in to.iter().zip(0..) {
            let loaded = nth(n).map(|address| {
                let load = Load { thread, step, address, bytes };
                element.write(i128::from((self.launch.load)(load)))
            });
            if let Some(to) = to {
                self.frame.write(*to, loaded, 0);
            }
        }
        for (value, n) in values.into_iter().zip(0..) {
            if let (Some(address), Some(value)) = (nth(n), value) {
                (self.launch.store)(Store { thread, address, bytes, value });
            }
        }
    }

    fn value(&self, source: &Source<'_>) -> Option<u64> {
        match source {
            Source::Register(register) => self.frame.registers[*register],
            Source::Number(number) => Some(*number),
            Source::Symbol(name) => self.launch.symbols.get(name).copied(),
            Source::Special(name, element) => Some(self.special(name, element).into()),
            Source::Not(inner) => self.value(inner).map(|value| !value & 1),
            Source::Sum(inner, added) => self.value(inner).map(|value| value.wrapping_add(*added)),
        }
    }

    /// Returns the rank of the block in its cluster.
    fn rank(&self) -> u32 {
        self.thread.block[0] % self.launch.cluster
    }

    fn special(&self, name: &str, element: &str) -> u32 {
        let Launch { block: threads, grid, cluster, .. } = self.launch;
        let Thread { number, block } = self.thread;
        let linear = number[0] + threads[0] * (number[1] + threads[1] * number[2]);
        let dimension = match element {
            "y" => 1,
            "z" => 2,
            _ => 0,
        };
        let along = if dimension == 0 { *cluster } else { 1 };
        match name {
            "%tid" => number[dimension],
            "%ntid" => threads[dimension],
            "%ctaid" => block[dimension],
            "%nctaid" => grid[dimension],
            "%laneid" => linear % 32,
            "%warpid" => linear / 32,
            "%nwarpid" => threads.iter().product::<u32>().div_ceil(32),
            "%lanemask_eq" => 1 << (linear % 32),
            "%lanemask_lt" => (1 << (linear % 32)) - 1,
            // Without a declared cluster, each block is a cluster.
            "%cluster_ctarank" => self.rank(),
            "%cluster_nctarank" => *cluster,
            "%cluster_ctaid" => block[dimension] % along,
            "%cluster_nctaid" => along,
            "%clusterid" => block[dimension] / along,
            "%nclusterid" => grid[dimension] / along,
            "%is_explicit_cluster" => u32::from(*cluster > 1),
            _ => 0,
        }
    }
}
