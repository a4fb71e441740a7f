//! The PTX of a random kernel.

use core::fmt::Write;

use crate::Rng;

use super::kernel::{By, Kernel, Mbarrier, Node, Parity, Place, What, Who};

/// A text, and for each of its lines, from 1, the number of the node that it is of.
pub struct Text {
    pub ptx: String,
    pub nodes: Vec<usize>,
}

/// What a text is written with.
struct Writer<'a> {
    text: Text,
    rng: &'a mut Rng,
    threads: u32,
    /// The numbers of the next node, register, predicate and label.
    node: usize,
    register: u32,
    predicate: u32,
    label: u32,
    /// How the number of a round is kept: the registers of its stage and its parity, innermost last.
    rounds: Vec<(u32, u32)>,
}

/// Writes a kernel, in one of many ways.
pub fn text(kernel: &Kernel, rng: &mut Rng) -> Text {
    let text = Text { ptx: String::new(), nodes: vec![usize::MAX] };
    let mut writer = Writer {
        text,
        rng,
        threads: kernel.threads(),
        node: 0,
        register: 10,
        predicate: 0,
        label: 0,
        rounds: Vec::new(),
    };
    let threads = writer.threads;
    let head = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 128 .b8 data[32768];\n\
         .shared .align 8 .b8 mbarriers[512];\n\
         .visible .entry kernel(.param .u64 .ptr .global .align 16 input, .param .u64 .ptr .global .align 16 output,\n\
         .param .u64 .ptr .global .align 16 copied)\n\
         .reqntid {threads}, 1, 1\n{{\n.reg .pred %p<500>;\n.reg .b32 %r<2000>;\n.reg .b64 %rd<10>;\n\
         mov.u32 %r0, %tid.x;\nmov.u32 %r1, data;\nmov.u32 %r2, mbarriers;\nand.b32 %r3, %r0, 31;\n\
         shr.u32 %r4, %r0, 5;\nld.param.u64 %rd0, [input];\nld.param.u64 %rd1, [output];\n\
         cvta.to.global.u64 %rd0, %rd0;\ncvta.to.global.u64 %rd1, %rd1;\n\
         mul.wide.u32 %rd2, %r0, 16;\nadd.u64 %rd3, %rd0, %rd2;\nld.global.u32 %r5, [%rd3];\nmov.u32 %r6, 0;\n\
         ld.param.u64 %rd5, [copied];\ncvta.to.global.u64 %rd5, %rd5;\nmul.wide.u32 %rd6, %r0, 65536;\n\
         add.u64 %rd5, %rd5, %rd6;"
    );
    for line in head.lines() {
        writer.line(usize::MAX, line);
    }
    if writer.rng.below(2) == 0 {
        writer.line(usize::MAX, "shfl.sync.idx.b32 %r4, %r4, 0, 31, -1;");
    }
    writer.nodes(&kernel.nodes);
    // What is read is used.
    writer.line(usize::MAX, "add.u64 %rd4, %rd1, %rd2;");
    writer.line(usize::MAX, "st.global.u32 [%rd4], %r6;");
    writer.line(usize::MAX, "ret;");
    writer.line(usize::MAX, "}");
    writer.text
}

impl Writer<'_> {
    fn line(&mut self, node: usize, line: &str) {
        self.text.ptx.push_str(line);
        self.text.ptx.push('\n');
        self.text.nodes.push(node);
    }

    fn register(&mut self) -> u32 {
        self.register += 1;
        self.register
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            let number = self.node;
            self.node += 1;
            match node {
                Node::Do(what) => self.does(number, *what, ""),
                Node::If(who, body) => {
                    let predicate = self.who(number, *who);
                    if let [Node::Do(what)] = body.as_slice()
                        && !matches!(what, What::Await(..))
                        && self.rng.below(2) == 0
                    {
                        let inner = self.node;
                        self.node += 1;
                        self.does(inner, *what, &format!("@%p{predicate} "));
                        continue;
                    }
                    let label = self.label;
                    self.label += 1;
                    self.line(number, &format!("@!%p{predicate} bra $end{label};"));
                    self.nodes(body);
                    self.line(number, &format!("$end{label}:"));
                }
                Node::Rounds(count, stages, body) => self.rounds(number, *count, *stages, body),
            }
        }
    }

    fn rounds(&mut self, number: usize, count: u32, stages: u32, body: &[Node]) {
        let [round, stage, parity] = [(); 3].map(|()| self.register());
        let (label, p) = (self.label, self.predicate);
        (self.label, self.predicate) = (label + 1, p + 2);
        let divides = self.rng.below(2) == 0;
        self.line(number, &format!("mov.u32 %r{round}, 0;"));
        self.line(number, &format!("mov.u32 %r{stage}, 0;"));
        self.line(number, &format!("mov.u32 %r{parity}, 0;"));
        self.line(number, &format!("$round{label}:"));
        self.rounds.push((stage, parity));
        self.nodes(body);
        self.rounds.pop();
        self.line(number, &format!("add.u32 %r{round}, %r{round}, 1;"));
        if divides {
            self.line(number, &format!("rem.u32 %r{stage}, %r{round}, {stages};"));
            self.line(number, &format!("div.u32 %r{parity}, %r{round}, {stages};"));
            self.line(number, &format!("and.b32 %r{parity}, %r{parity}, 1;"));
        } else {
            self.line(number, &format!("add.u32 %r{stage}, %r{stage}, 1;"));
            self.line(number, &format!("setp.eq.u32 %p{p}, %r{stage}, {stages};"));
            self.line(number, &format!("selp.b32 %r{stage}, 0, %r{stage}, %p{p};"));
            self.line(number, &format!("@%p{p} xor.b32 %r{parity}, %r{parity}, 1;"));
        }
        self.line(number, &format!("setp.lt.u32 %p{}, %r{round}, {count};", p + 1));
        self.line(number, &format!("@%p{} bra $round{label};", p + 1));
    }

    /// Writes what tells whether the thread is one of these, and returns its predicate.
    fn who(&mut self, number: usize, who: Who) -> u32 {
        let p = self.predicate;
        self.predicate += 1;
        let compared = match who {
            Who::Thread(n) => format!("setp.eq.u32 %p{p}, %r0, {n};"),
            Who::Warp(n) => format!("setp.eq.u32 %p{p}, %r4, {n};"),
            Who::WarpsBelow(n) => format!("setp.lt.u32 %p{p}, %r4, {n};"),
            Who::WarpsFrom(n) if self.rng.below(2) == 0 => {
                format!("setp.ge.u32 %p{p}, %r0, {};", n * 32)
            }
            Who::WarpsFrom(n) => format!("setp.ge.u32 %p{p}, %r4, {n};"),
            Who::ThreadsBelow(n) => format!("setp.lt.u32 %p{p}, %r0, {n};"),
            Who::Lane(n) => format!("setp.eq.u32 %p{p}, %r3, {n};"),
            Who::Elected => format!("elect.sync _|%p{p}, -1;"),
        };
        self.line(number, &compared);
        p
    }

    /// Writes the address of a word, and returns its register.
    fn address(&mut self, number: usize, place: Place) -> u32 {
        let (address, index) = (self.register(), self.register());
        let threads = self.threads;
        let counted = match place.by {
            By::Thread => format!("mov.u32 %r{index}, %r0;"),
            By::Mirror => format!("sub.u32 %r{index}, {}, %r0;", threads - 1),
            By::After(n) => format!("add.u32 %r{index}, %r0, {n};"),
            By::Lane => format!("mov.u32 %r{index}, %r3;"),
            By::Pair => format!("xor.b32 %r{index}, %r0, 1;"),
            By::One => format!("mov.u32 %r{index}, 0;"),
        };
        self.line(number, &counted);
        self.line(number, &format!("mad.lo.u32 %r{address}, %r{index}, 4, %r1;"));
        self.line(number, &format!("add.u32 %r{address}, %r{address}, {};", place.base));
        if place.is_staged
            && let Some((stage, _)) = self.rounds.last().copied()
        {
            self.line(number, &format!("mad.lo.u32 %r{address}, %r{stage}, 1024, %r{address};"));
        }
        address
    }

    fn mbarrier(&mut self, number: usize, mbarrier: Mbarrier) -> String {
        let first = mbarrier.first * 8;
        match self.rounds.last().copied().filter(|_| mbarrier.is_staged) {
            Some((stage, _)) => {
                let address = self.register();
                self.line(number, &format!("mad.lo.u32 %r{address}, %r{stage}, 8, %r2;"));
                format!("[%r{address}+{first}]")
            }
            None if self.rng.below(2) == 0 => format!("[%r2+{first}]"),
            None => format!("[mbarriers+{first}]"),
        }
    }

    fn does(&mut self, number: usize, what: What, guard: &str) {
        let mut line = guard.to_owned();
        let written = match what {
            What::Store(place) => {
                let address = self.address(number, place);
                let value = self.register();
                self.line(number, &format!("mad.lo.u32 %r{value}, %r0, 256, {number};"));
                let value = if self.rng.below(2) == 0 { value } else { 5 };
                write!(line, "st.shared.u32 [%r{address}], %r{value};")
            }
            What::Load(place) => {
                let (address, value) = (self.address(number, place), self.register());
                self.line(number, &format!("{guard}ld.shared.u32 %r{value}, [%r{address}];"));
                write!(line, "xor.b32 %r6, %r6, %r{value};")
            }
            What::Add(place) => {
                let address = self.address(number, place);
                write!(line, "red.shared.add.u32 [%r{address}], %r5;")
            }
            What::CopyWord(place) => {
                let address = self.address(number, place);
                write!(line, "cp.async.ca.shared.global [%r{address}], [%rd3], 4;")
            }
            What::Commit => write!(line, "cp.async.commit_group;"),
            What::WaitGroups(count) => write!(line, "cp.async.wait_group {count};"),
            What::ArriveOnCopies(mbarrier) => {
                let at = self.mbarrier(number, mbarrier);
                write!(line, "cp.async.mbarrier.arrive.noinc.shared.b64 {at};")
            }
            What::BulkLoad(place, bytes, mbarrier) => {
                let address = self.address(number, place);
                let at = self.mbarrier(number, mbarrier);
                write!(
                    line,
                    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r{address}], [%rd0], {bytes}, {at};"
                )
            }
            What::BulkStore(place, bytes) => {
                let address = self.address(number, place);
                // Each goes to other bytes.
                self.line(number, "add.u64 %rd5, %rd5, 1024;");
                write!(
                    line,
                    "cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%r{address}], {bytes};"
                )
            }
            What::BulkCommit => write!(line, "cp.async.bulk.commit_group;"),
            What::BulkWait(left) => write!(line, "cp.async.bulk.wait_group.read {left};"),
            What::ProxyFence => write!(line, "fence.proxy.async;"),
            What::Init(mbarrier, count) => {
                let at = self.mbarrier(number, mbarrier);
                write!(line, "mbarrier.init.shared.b64 {at}, {count};")
            }
            What::Invalidate(mbarrier) => {
                let at = self.mbarrier(number, mbarrier);
                write!(line, "mbarrier.inval.shared.b64 {at};")
            }
            What::Arrive(mbarrier) => {
                let at = self.mbarrier(number, mbarrier);
                write!(line, "mbarrier.arrive.shared.b64 _, {at};")
            }
            What::Expect(mbarrier, bytes) => {
                let at = self.mbarrier(number, mbarrier);
                write!(line, "mbarrier.arrive.expect_tx.shared.b64 _, {at}, {bytes};")
            }
            What::Await(mbarrier, parity) => {
                let at = self.mbarrier(number, mbarrier);
                let (p, label) = (self.predicate, self.label);
                (self.predicate, self.label) = (p + 1, label + 1);
                let parity = match (parity, self.rounds.last().copied()) {
                    (Parity::Round(is_other), None) => u32::from(is_other).to_string(),
                    (Parity::Fixed(n), _) => n.to_string(),
                    (Parity::Round(false), Some((_, parity))) => format!("%r{parity}"),
                    (Parity::Round(true), Some((_, parity))) => {
                        let other = self.register();
                        self.line(number, &format!("xor.b32 %r{other}, %r{parity}, 1;"));
                        format!("%r{other}")
                    }
                };
                self.line(number, &format!("$wait{label}:"));
                self.line(
                    number,
                    &format!("mbarrier.try_wait.parity.shared.b64 %p{p}, {at}, {parity};"),
                );
                write!(line, "@!%p{p} bra $wait{label};")
            }
            What::Barrier(id, None) => write!(line, "bar.sync {id};"),
            What::Barrier(id, Some(count)) => write!(line, "bar.sync {id}, {count};"),
            What::BarrierArrive(id, count) => write!(line, "bar.arrive {id}, {count};"),
            What::WarpBarrier => write!(line, "bar.warp.sync -1;"),
            What::Exit => write!(line, "ret;"),
        };
        written.expect("a string takes all text");
        self.line(number, &line);
    }
}
