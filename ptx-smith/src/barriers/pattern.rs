//! Patterns that are right.

use crate::Rng;

use super::kernel::{By, Mbarrier, Node, Parity, Place, STAGE, What, Who, below};
use Node::{Do, If, Rounds};
use What::{
    Add, Arrive, ArriveOnCopies, Await, Barrier, BarrierArrive, BulkCommit, BulkLoad, BulkStore,
    BulkWait, Commit, CopyWord, Expect, Init, Invalidate, Load, ProxyFence, Store, WaitGroups,
    WarpBarrier,
};

/// What patterns are added to.
pub(super) struct Draft<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) warps: u32,
    /// The first byte of the data, and the first mbarrier, that nothing uses.
    pub(super) base: u32,
    pub(super) barriers: u32,
    pub(super) nodes: Vec<Node>,
}

/// The barrier of the whole block.
pub(super) const ALL: Node = Do(Barrier(0, None));

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
        self.rng.pick(&[
            By::Mirror,
            By::After(32),
            By::After(1),
            By::Thread,
            By::After(half),
            By::One,
        ])
    }

    pub(super) fn pattern(&mut self) {
        match self.rng.below(12) {
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
        let rounds = below(self.rng, 4);
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
        let rounds = 2 + below(self.rng, 3);
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
        self.nodes.push(Rounds(1 + below(self.rng, 3), 1, body));
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
        if self.rng.one_in(3) {
            self.nodes.extend([ALL, If(Who::Thread(0), vec![Do(Invalidate(only(first)))])]);
        }
    }

    fn one(&mut self) -> Who {
        let thread = below(self.rng, 2) * 32;
        self.rng.pick(&[Who::Thread(0), Who::Thread(thread)])
    }

    fn bulk_store(&mut self) {
        let base = self.array(2 * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let bytes = self.threads() * 4;
        let one = self.one();
        let stages = 1 + below(self.rng, 2);
        let left = stages - 1;
        self.nodes.push(Rounds(
            1 + below(self.rng, 4),
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
        let (threads, id) = (self.threads(), 1 + below(self.rng, 3));
        let read = self.words();
        let producers = 1 + below(self.rng, 2).min(self.warps - 2);
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
        let stages = 1 + below(self.rng, 3);
        let base = self.array(stages * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let first = self.mbarriers(2 * stages);
        let (full, empty) = (staged(first), staged(first + stages));
        let consumers = self.warps - 1;
        let is_by_lane = self.rng.below(2) == 0;
        let arrivals = if is_by_lane { consumers } else { consumers * 32 };
        let mut counts = vec![1; stages as usize];
        counts.extend(vec![arrivals; stages as usize]);
        self.start(first, &counts);
        let bytes = self.threads() * 4;
        let rounds = below(self.rng, 6) + 1;
        let arrive = if is_by_lane {
            If(self.rng.pick(&[Who::Lane(0), Who::Elected]), vec![Do(Arrive(empty))])
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
        let one = self.rng.pick(&[Who::Lane(0), Who::Elected]);
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
        let stages = 1 + below(self.rng, 3);
        let base = self.array(stages * STAGE);
        let place = |by| Place { base, by, is_staged: true };
        let first = self.mbarriers(2 * stages);
        let (full, empty) = (staged(first), staged(first + stages));
        let mut counts = vec![32; stages as usize];
        counts.extend(vec![(self.warps - 1) * 32; stages as usize]);
        self.start(first, &counts);
        let rounds = below(self.rng, 6) + 1;
        let fill = vec![
            Do(Await(empty, Parity::Round(true))),
            Do(Store(place(By::Lane))),
            Do(Arrive(full)),
        ];
        let read = self.rng.pick(&[By::Lane, By::Pair, By::One]);
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
