//! Random kernels: patterns that are right, one after the other, with a few random changes.

use ptx_interpreter::Choices;

/// The number of bytes of a stage of a ring.
pub(crate) const STAGE: u32 = 1024;

/// Threads of a block.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Who {
    Thread(u32),
    Warp(u32),
    WarpsBelow(u32),
    WarpsFrom(u32),
    ThreadsBelow(u32),
    Lane(u32),
    /// One lane of each warp.
    Elected,
}

/// Which of the words of an array a thread accesses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum By {
    Thread,
    /// The word of the thread as far from the last one as this is from the first.
    Mirror,
    /// The word so many after that of the thread.
    After(u32),
    Lane,
    /// The word of the other lane of a pair.
    Pair,
    One,
}

/// A word of the data: in the stage of the round, if it is in a ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Place {
    pub(crate) base: u32,
    pub(crate) by: By,
    pub(crate) is_staged: bool,
}

/// An mbarrier: that of the stage of the round, if it is in a ring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Mbarrier {
    pub(crate) first: u32,
    pub(crate) is_staged: bool,
}

/// The parity of the phase that is awaited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Parity {
    Fixed(u32),
    /// That of the round in its ring, or the other one.
    Round(bool),
}

/// What threads do.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum What {
    Store(Place),
    Load(Place),
    Add(Place),
    CopyWord(Place),
    Commit,
    WaitGroups(u32),
    ArriveOnCopies(Mbarrier),
    BulkLoad(Place, u32, Mbarrier),
    BulkStore(Place, u32),
    BulkCommit,
    BulkWait(u32),
    ProxyFence,
    Init(Mbarrier, u32),
    Invalidate(Mbarrier),
    Arrive(Mbarrier),
    Expect(Mbarrier, u32),
    Await(Mbarrier, Parity),
    Barrier(u32, Option<u32>),
    BarrierArrive(u32, u32),
    WarpBarrier,
    Exit,
}

/// A part of a kernel.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Node {
    Do(What),
    If(Who, Vec<Node>),
    /// So many rounds over so many stages.
    Rounds(u32, u32, Vec<Node>),
}

/// A kernel of a block of so many warps.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) warps: u32,
    pub(crate) nodes: Vec<Node>,
}

impl Kernel {
    pub(crate) const fn threads(&self) -> u32 {
        self.warps * 32
    }

    /// A kernel by these choices, and how many changes were made to what is right.
    pub(crate) fn random(choices: &mut Choices) -> (Self, usize) {
        let warps = 2 + below(choices, 3);
        let mut draft = Draft { choices, warps, base: 0, barriers: 0, nodes: Vec::new() };
        for _ in 0..=below(draft.choices, 2) {
            draft.pattern();
            if draft.choices.once_in(4) {
                draft.base = 0;
            }
        }
        // Some warps end early, and the others still meet.
        if draft.choices.once_in(6) {
            let from = 1 + below(draft.choices, 3);
            draft.nodes.extend([If(Who::WarpsFrom(from), vec![Do(Exit)]), ALL]);
        }
        let mut nodes = draft.nodes;
        let changes = choices.of(&[1, 1, 0, 1, 2]);
        for _ in 0..changes {
            let count = count(&nodes);
            let at = choices.below(count);
            change(&mut nodes, at, choices, warps);
        }
        (Self { warps, nodes }, changes)
    }
}

fn below(choices: &mut Choices, count: usize) -> u32 {
    u32::try_from(choices.below(count)).unwrap_or_default()
}

/// What patterns are added to.
struct Draft<'a> {
    choices: &'a mut Choices,
    warps: u32,
    /// The first byte of the data, and the first mbarrier, that nothing uses.
    base: u32,
    barriers: u32,
    nodes: Vec<Node>,
}

use Node::{Do, If, Rounds};
use What::{
    Add, Arrive, ArriveOnCopies, Await, Barrier, BarrierArrive, BulkCommit, BulkLoad, BulkStore,
    BulkWait, Commit, CopyWord, Exit, Expect, Init, Invalidate, Load, ProxyFence, Store,
    WaitGroups, WarpBarrier,
};

/// The barrier of the whole block.
const ALL: Node = Do(Barrier(0, None));

impl Draft<'_> {
    fn threads(&self) -> u32 {
        self.warps * 32
    }

    /// Takes bytes of the data, at most half of them.
    fn array(&mut self, bytes: u32) -> u32 {
        if self.base + bytes > 12 * STAGE {
            self.base = 0;
        }
        let base = self.base;
        self.base += bytes;
        base
    }

    /// Takes mbarriers.
    fn mbarriers(&mut self, count: u32) -> u32 {
        self.barriers += count;
        self.barriers - count
    }

    /// Words that the threads of a block access, never two the same, but for those that all access.
    fn words(&mut self) -> By {
        let half = self.threads() / 2;
        self.choices.of(&[
            By::Mirror,
            By::After(32),
            By::After(1),
            By::Thread,
            By::After(half),
            By::One,
        ])
    }

    fn pattern(&mut self) {
        match self.choices.below(12) {
            0 => self.exchange(),
            1 => self.tree(),
            2 => self.copies(),
            3 => self.copies_and_mbarrier(),
            4 => self.bulk_load(),
            5 => self.bulk_store(),
            6 => self.named(),
            7 => self.in_warps(),
            8 => self.ring_of_stores(),
            9 => self.sums(),
            _ => self.ring(),
        }
        self.nodes.push(ALL);
    }

    fn exchange(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: false };
        let read = self.words();
        let body = vec![Do(Store(place(By::Thread))), ALL, Do(Load(place(read))), ALL];
        let rounds = below(self.choices, 4);
        self.nodes.extend(if rounds > 1 { vec![Rounds(rounds, 2, body)] } else { body });
    }

    /// A sum in a tree.
    fn tree(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: false };
        self.nodes.extend([Do(Store(place(By::Thread))), ALL]);
        for half in [self.threads() / 2, 16] {
            self.nodes.push(If(
                Who::ThreadsBelow(half),
                vec![
                    Do(Load(place(By::After(half)))),
                    Do(Load(place(By::Thread))),
                    Do(Store(place(By::Thread))),
                ],
            ));
            self.nodes.push(ALL);
        }
        self.nodes.push(Do(Load(place(By::One))));
    }

    fn sums(&mut self) {
        let base = self.array(STAGE);
        let place = |by| Place { base, by, is_staged: false };
        self.nodes.extend([
            If(Who::Warp(0), vec![Do(Store(place(By::Thread)))]),
            ALL,
            Do(Add(place(By::Lane))),
            Do(Add(place(By::One))),
            ALL,
            Do(Load(place(By::Lane))),
        ]);
    }

    /// `cp.async` in rounds, one group ahead.
    fn copies(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let read = self.words();
        let rounds = 2 + below(self.choices, 3);
        self.nodes.push(Rounds(
            rounds,
            2,
            vec![
                Do(CopyWord(place(By::Thread))),
                Do(Commit),
                Do(WaitGroups(0)),
                ALL,
                Do(Load(place(read))),
                ALL,
            ],
        ));
    }

    fn start(&mut self, first: u32, counts: &[u32]) {
        let inits = counts.iter().zip(first..).map(|(count, n)| Do(Init(only(n), *count)));
        self.nodes.push(If(Who::Thread(0), inits.collect()));
        self.nodes.push(ALL);
    }

    fn copies_and_mbarrier(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: false };
        let first = self.mbarriers(1);
        let threads = self.threads();
        self.start(first, &[threads]);
        let read = self.words();
        let body = vec![
            Do(CopyWord(place(By::Thread))),
            Do(ArriveOnCopies(only(first))),
            Do(Await(only(first), Parity::Round(false))),
            Do(Load(place(read))),
            ALL,
        ];
        self.nodes.push(Rounds(1 + below(self.choices, 3), 1, body));
    }

    fn bulk_load(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: false };
        let first = self.mbarriers(1);
        self.start(first, &[1]);
        let bytes = self.threads() * 4;
        let one = self.one();
        let read = self.words();
        self.nodes.extend([
            If(
                one,
                vec![
                    Do(Expect(only(first), bytes)),
                    Do(BulkLoad(place(By::One), bytes, only(first))),
                ],
            ),
            Do(Await(only(first), Parity::Fixed(0))),
            Do(Load(place(read))),
        ]);
        if self.choices.once_in(3) {
            self.nodes.extend([ALL, If(Who::Thread(0), vec![Do(Invalidate(only(first)))])]);
        }
    }

    fn one(&mut self) -> Who {
        let thread = below(self.choices, 2) * 32;
        self.choices.of(&[Who::Thread(0), Who::Thread(thread)])
    }

    fn bulk_store(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let bytes = self.threads() * 4;
        let one = self.one();
        let stages = 1 + below(self.choices, 2);
        let left = stages - 1;
        self.nodes.push(Rounds(
            1 + below(self.choices, 4),
            stages,
            vec![
                Do(Store(place(By::Thread))),
                Do(ProxyFence),
                ALL,
                If(
                    one,
                    vec![Do(BulkStore(place(By::One), bytes)), Do(BulkCommit), Do(BulkWait(left))],
                ),
                ALL,
            ],
        ));
        self.nodes.extend([If(one, vec![Do(BulkWait(0))]), ALL]);
    }

    fn named(&mut self) {
        let base = self.array(STAGE);
        let place = |by| Place { base, by, is_staged: false };
        let (threads, id) = (self.threads(), 1 + below(self.choices, 3));
        let read = self.words();
        let producers = 1 + below(self.choices, 2).min(self.warps - 2);
        let body = |work, wait| vec![Do(work), Do(wait)];
        let load = if read == By::One { Load(place(By::One)) } else { Load(place(By::Lane)) };
        self.nodes.extend([
            If(
                Who::WarpsBelow(producers),
                body(Store(place(By::Thread)), BarrierArrive(id, threads)),
            ),
            If(Who::WarpsFrom(producers), body(Barrier(id, Some(threads)), load)),
        ]);
    }

    /// What lanes of one warp exchange.
    fn in_warps(&mut self) {
        let base = self.array(STAGE);
        let place = |by| Place { base, by, is_staged: false };
        self.nodes.extend([
            Do(Store(place(By::Thread))),
            Do(WarpBarrier),
            Do(Load(place(By::Pair))),
            Do(WarpBarrier),
        ]);
    }

    /// A ring that one lane fills by bulk copies.
    fn ring(&mut self) {
        let stages = 1 + below(self.choices, 3);
        let base = self.array(stages * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let first = self.mbarriers(2 * stages);
        let (full, empty) = (staged(first), staged(first + stages));
        let consumers = self.warps - 1;
        let is_by_lane = self.choices.below(2) == 0;
        let arrivals = if is_by_lane { consumers } else { consumers * 32 };
        let mut counts = vec![1; stages as usize];
        counts.extend(vec![arrivals; stages as usize]);
        self.start(first, &counts);
        let bytes = self.threads() * 4;
        let rounds = below(self.choices, 6) + 1;
        let arrive = if is_by_lane {
            If(self.choices.of(&[Who::Lane(0), Who::Elected]), vec![Do(Arrive(empty))])
        } else {
            Do(Arrive(empty))
        };
        let fill = Rounds(
            rounds,
            stages,
            vec![
                Do(Await(empty, Parity::Round(true))),
                Do(Expect(full, bytes)),
                Do(BulkLoad(place(By::One), bytes, full)),
            ],
        );
        let one = self.choices.of(&[Who::Lane(0), Who::Elected]);
        let take = Rounds(
            rounds,
            stages,
            vec![
                Do(Await(full, Parity::Round(false))),
                Do(Load(place(By::Thread))),
                Do(WarpBarrier),
                arrive,
            ],
        );
        self.nodes.extend([
            If(Who::Warp(0), vec![If(one, vec![fill])]),
            If(Who::WarpsFrom(1), vec![take]),
        ]);
    }

    /// A ring that a warp fills by stores.
    fn ring_of_stores(&mut self) {
        let stages = 1 + below(self.choices, 3);
        let base = self.array(stages * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let first = self.mbarriers(2 * stages);
        let (full, empty) = (staged(first), staged(first + stages));
        let mut counts = vec![32; stages as usize];
        counts.extend(vec![(self.warps - 1) * 32; stages as usize]);
        self.start(first, &counts);
        let rounds = below(self.choices, 6) + 1;
        let fill = vec![
            Do(Await(empty, Parity::Round(true))),
            Do(Store(place(By::Lane))),
            Do(Arrive(full)),
        ];
        let read = self.choices.of(&[By::Lane, By::Pair, By::One]);
        let read = if read == By::Pair { By::Lane } else { read };
        let take =
            vec![Do(Await(full, Parity::Round(false))), Do(Load(place(read))), Do(Arrive(empty))];
        self.nodes.extend([
            If(Who::Warp(0), vec![Rounds(rounds, stages, fill)]),
            If(Who::WarpsFrom(1), vec![Rounds(rounds, stages, take)]),
        ]);
    }
}

const fn only(first: u32) -> Mbarrier {
    Mbarrier { first, is_staged: false }
}

const fn staged(first: u32) -> Mbarrier {
    Mbarrier { first, is_staged: true }
}

/// The number of nodes.
fn count(nodes: &[Node]) -> usize {
    let inner = |node: &Node| match node {
        Do(_) => 0,
        If(_, body) | Rounds(_, _, body) => count(body),
    };
    nodes.iter().map(|node| 1 + inner(node)).sum()
}

/// Changes the node with this number; returns the number that is left if there are fewer.
fn change(nodes: &mut Vec<Node>, at: usize, choices: &mut Choices, warps: u32) -> Option<usize> {
    let mut left = at;
    for n in 0..nodes.len() {
        if left == 0 {
            change_here(nodes, n, choices, warps);
            return None;
        }
        left -= 1;
        if let If(_, body) | Rounds(_, _, body) = &mut nodes[n] {
            left = change(body, left, choices, warps)?;
        }
    }
    Some(left)
}

fn change_here(nodes: &mut Vec<Node>, n: usize, choices: &mut Choices, warps: u32) {
    match choices.below(6) {
        0 | 1 => {
            nodes.remove(n);
        }
        2 => {
            let node = nodes[n].clone();
            nodes.insert(n, node);
        }
        3 if n + 1 < nodes.len() => nodes.swap(n, n + 1),
        4 => match &mut nodes[n] {
            If(_, body) => {
                let body = core::mem::take(body);
                nodes.splice(n..=n, body);
            }
            Do(what) => {
                let warp = below(choices, warps as usize);
                let of_warps = [Who::Warp(warp), Who::WarpsBelow(warp), Who::WarpsFrom(1)];
                // A warp has waited for its copies when all of its threads have: the analysis asks no more.
                let who = match what {
                    Commit | WaitGroups(_) => choices.of(&of_warps),
                    _ if choices.below(2) == 0 => choices.of(&[Who::Thread(0), Who::Lane(1)]),
                    _ => choices.of(&of_warps),
                };
                let node = nodes[n].clone();
                nodes[n] = If(who, vec![node]);
            }
            Rounds(count, ..) => *count += 1,
        },
        _ => change_number(&mut nodes[n], choices),
    }
}

fn change_number(node: &mut Node, choices: &mut Choices) {
    let is_up = choices.below(2) == 0;
    let step = |number: u32, by: u32| {
        if is_up { number + by } else { number.saturating_sub(by) }
    };
    match node {
        Rounds(count, ..) => *count = step(*count, 1).max(1),
        If(who, _) => {
            *who = match *who {
                Who::Thread(n) => Who::Thread(step(n, 32)),
                Who::Warp(n) => Who::Warp(step(n, 1)),
                Who::WarpsBelow(n) => Who::WarpsBelow(step(n, 1)),
                Who::WarpsFrom(n) => Who::WarpsFrom(step(n, 1)),
                Who::ThreadsBelow(n) => Who::ThreadsBelow(step(n, 1)),
                Who::Lane(_) | Who::Elected => Who::Thread(0),
            };
        }
        Do(what) => match what {
            Store(place) | Load(place) | Add(place) | CopyWord(place) => {
                place.by = choices.of(&[By::Thread, By::Mirror, By::After(1), By::One, By::Lane]);
            }
            WaitGroups(count) | BulkWait(count) => *count = step(*count, 1),
            BulkLoad(_, bytes, _) | BulkStore(_, bytes) | Expect(_, bytes) => {
                *bytes = step(*bytes, 16).max(16);
            }
            Init(_, count) => *count = step(*count, 1).max(1),
            Await(_, parity) => {
                *parity = match *parity {
                    Parity::Fixed(n) => Parity::Fixed(1 - n),
                    Parity::Round(is_other) => Parity::Round(!is_other),
                };
            }
            Barrier(id, _) => *id = step(*id, 1),
            BarrierArrive(_, count) => *count = step(*count, 32).max(64),
            Commit | ArriveOnCopies(_) | BulkCommit | ProxyFence | Invalidate(_) | Arrive(_)
            | WarpBarrier | Exit => {}
        },
    }
}
