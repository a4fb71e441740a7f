//! Runs a random kernel: its warps step by step in a random order, its copies at random times, with a vector clock for
//! each warp and for what runs beside it. It knows nothing of PTX text, nor of the analysis.

use std::collections::{BTreeMap, BTreeSet};

use ptx_smith::bodies::Choices;

use ptx_smith::barriers::{By, Kernel, Mbarrier, Node, Parity, Place, STAGE, What, Who};

/// What has happened before, for each component.
type Clock = BTreeMap<u32, u32>;

fn join(into: &mut Clock, from: &Clock) {
    for (component, time) in from {
        let known = into.entry(*component).or_default();
        *known = (*known).max(*time);
    }
}

/// A clock, and the part of it that a proxy fence has made visible to asynchronous copies.
#[derive(Clone, Default, Debug)]
struct Past {
    all: Clock,
    fenced: Clock,
}

impl Past {
    fn join(&mut self, from: &Self) {
        join(&mut self.all, &from.all);
        join(&mut self.fenced, &from.fenced);
    }
}

/// What went wrong in a run.
#[derive(Clone, Default, Debug)]
pub(crate) struct Outcome {
    /// The nodes of two accesses that nothing orders, the lesser one first.
    pub(crate) races: BTreeSet<(usize, usize)>,
    /// Nodes that use an mbarrier or a barrier as it must not be.
    pub(crate) misused: BTreeSet<usize>,
    /// Barriers that only some threads of a warp execute.
    pub(crate) doubtful: BTreeSet<usize>,
    /// Bulk copies into shared memory for which no thread has waited when the block ends.
    pub(crate) unawaited: BTreeSet<usize>,
    /// Nodes that expect bytes on an mbarrier of which others than those have come when the block ends.
    pub(crate) unsettled: BTreeSet<usize>,
    /// The nodes at which threads wait forever.
    pub(crate) stuck: BTreeSet<usize>,
    /// In which phase of its barrier each arrival and each wait is over, by its node, its step and its thread; `None` for a
    /// wait that never is.
    pub(crate) counted: BTreeMap<(usize, usize, u32), Option<u32>>,
    pub(crate) executed: BTreeSet<usize>,
}

impl Outcome {
    pub(crate) fn is_right(&self) -> bool {
        self.races.is_empty() && self.misused.is_empty() && self.stuck.is_empty()
    }
}

/// A step of some threads, with its addresses and parities.
struct Step {
    node: usize,
    what: What,
    threads: u128,
    stage: u32,
    parity: u32,
}

/// The steps of all threads, in the order of the program.
fn steps(kernel: &Kernel) -> Vec<Step> {
    let mut steps = Vec::new();
    let all = if kernel.threads() == 128 { u128::MAX } else { (1 << kernel.threads()) - 1 };
    let mut node = 0;
    unroll(&kernel.nodes, all, (0, 0), &mut node, &mut steps);
    steps
}

fn unroll(
    nodes: &[Node],
    threads: u128,
    round: (u32, u32),
    number: &mut usize,
    to: &mut Vec<Step>,
) {
    for node in nodes {
        let this = *number;
        *number += 1;
        match node {
            Node::Do(what) => {
                let (stage, parity) = round;
                to.push(Step { node: this, what: *what, threads, stage, parity });
            }
            Node::If(who, body) => unroll(body, threads & threads_of(*who), round, number, to),
            Node::Rounds(count, stages, body) => {
                let first = *number;
                for n in 0..*count {
                    *number = first;
                    unroll(body, threads, (n % stages, n / stages % 2), number, to);
                }
            }
        }
    }
}

fn threads_of(who: Who) -> u128 {
    let is_one = |thread: u32| match who {
        Who::Thread(n) => thread == n,
        Who::Warp(n) => thread / 32 == n,
        Who::WarpsBelow(n) => thread / 32 < n,
        Who::WarpsFrom(n) => thread / 32 >= n,
        Who::ThreadsBelow(n) => thread < n,
        Who::Lane(n) => thread % 32 == n,
        Who::Elected => thread.is_multiple_of(32),
    };
    (0..128).filter(|thread| is_one(*thread)).fold(0, |all, thread| all | 1 << thread)
}

/// An access to a word.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Access {
    component: u32,
    time: u32,
    node: usize,
    warp: u32,
    thread: u32,
    kind: AccessKind,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum AccessKind {
    Read,
    Write,
    Add,
    /// A copy with `cp.async`, which is not of another proxy.
    Copied,
    /// A bulk copy.
    BulkRead,
    BulkWrite,
}

#[derive(Clone, Default, Debug)]
struct Phases {
    count: u32,
    pending: u32,
    bytes: i64,
    phase: u32,
    arrived: Past,
    over: Past,
    /// Who initialised it, and when.
    init: (u32, u32),
    /// The nodes that expect bytes.
    expects: BTreeSet<usize>,
}

#[derive(Default)]
struct Meeting {
    /// How many phases were over before.
    phase: u32,
    arrived: u32,
    past: Past,
    needs: Option<u32>,
    waiting: Vec<u32>,
}

/// What runs beside the threads.
enum Beside {
    Copy {
        thread: u32,
        node: usize,
        word: u32,
        time: u32,
        past: Past,
    },
    Load {
        node: usize,
        words: (u32, u32),
        mbarrier: u32,
        component: u32,
        past: Past,
    },
    /// A part of a load has come: an H100 counts them one by one.
    Part {
        bytes: u32,
        mbarrier: u32,
        past: Past,
    },
    Read {
        thread: u32,
        node: usize,
        words: (u32, u32),
        time: u32,
        past: Past,
    },
    /// An arrival when all earlier copies of a thread are over.
    Arrival {
        thread: u32,
        after: u32,
        mbarrier: u32,
        step: (usize, usize),
        past: Past,
    },
}

/// The groups of copies of a thread: the times of their last copies.
#[derive(Clone, Default)]
struct Groups {
    last: u32,
    committed: Vec<u32>,
    /// The times of the copies that are not over.
    open: BTreeSet<u32>,
}

struct Machine<'a> {
    kernel: &'a Kernel,
    steps: Vec<Step>,
    at: Vec<usize>,
    has_ended: Vec<bool>,
    /// The step at which each thread has left the kernel.
    left: Vec<usize>,
    pasts: Vec<Past>,
    words: BTreeMap<u32, Vec<Access>>,
    phases: BTreeMap<u32, Phases>,
    barriers: BTreeMap<u32, Meeting>,
    copies: Vec<Groups>,
    stores: Vec<Groups>,
    beside: Vec<Beside>,
    /// The nodes of the bulk loads.
    loads: Vec<usize>,
    /// The warp that went on last.
    last: u32,
    outcome: Outcome,
}

/// When what runs beside the threads happens, and whether a warp goes on for as long as it can.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Pace {
    AtRandom,
    AtOnce,
    /// When no thread can go on.
    Late,
    /// When no thread can go on; and a warp goes on for as long as it can.
    InTurns,
}

/// Runs a kernel in a schedule by these choices.
pub(crate) fn run(kernel: &Kernel, pace: Pace, choices: &mut Choices) -> Outcome {
    let threads = kernel.threads() as usize;
    let mut machine = Machine {
        kernel,
        steps: steps(kernel),
        at: vec![0; threads],
        has_ended: vec![false; threads],
        left: vec![usize::MAX; threads],
        pasts: vec![Past::default(); kernel.warps as usize],
        words: BTreeMap::new(),
        phases: BTreeMap::new(),
        barriers: BTreeMap::new(),
        copies: vec![Groups::default(); threads],
        stores: vec![Groups::default(); threads],
        beside: Vec::new(),
        loads: Vec::new(),
        last: 0,
        outcome: Outcome::default(),
    };
    for thread in 0..threads {
        machine.settle(thread);
    }
    while machine.go_on(pace, choices) {}
    for (component, node) in (LOADS..).zip(&machine.loads) {
        if machine.pasts.iter().all(|past| !past.all.contains_key(&component)) {
            machine.outcome.unawaited.insert(*node);
        }
    }
    machine.phases.values().for_each(|phases| phases.settle(&mut machine.outcome));
    machine.outcome
}

/// The components of a clock: warps, and beside each thread its copies and its bulk stores, and each bulk load.
const COPIES: u32 = 100;
const STORES: u32 = 300;
const LOADS: u32 = 500;

impl Machine<'_> {
    /// Moves a thread to its next step.
    fn settle(&mut self, thread: usize) {
        while self.at[thread] < self.steps.len()
            && self.steps[self.at[thread]].threads >> thread & 1 == 0
        {
            self.at[thread] += 1;
        }
        if self.at[thread] == self.steps.len() {
            self.has_ended[thread] = true;
        }
    }

    fn advance(&mut self, thread: u32) {
        self.at[thread as usize] += 1;
        self.settle(thread as usize);
    }

    fn advance_all(&mut self, threads: &[u32]) {
        for thread in threads {
            self.advance(*thread);
        }
    }

    /// The threads of a warp that have not ended.
    fn live(&self, warp: u32) -> Vec<u32> {
        (warp * 32..warp * 32 + 32).filter(|thread| !self.has_ended[*thread as usize]).collect()
    }

    /// Does something; returns false if all is over, or nothing can go on.
    fn go_on(&mut self, pace: Pace, choices: &mut Choices) -> bool {
        let mut ready: Vec<Vec<u32>> = Vec::new();
        for warp in 0..self.kernel.warps {
            let live = self.live(warp);
            let mut steps: Vec<usize> =
                live.iter().map(|thread| self.at[*thread as usize]).collect();
            steps.sort_unstable();
            steps.dedup();
            // The threads that are furthest behind and can go on.
            let groups = steps.iter().map(|step| {
                live.iter().copied().filter(|thread| self.at[*thread as usize] == *step).collect()
            });
            ready.extend(groups.into_iter().find(|group: &Vec<u32>| self.can_go_on(group, &live)));
        }
        let mut beside: Vec<usize> =
            (0..self.beside.len()).filter(|n| self.can_happen(*n)).collect();
        match pace {
            Pace::AtOnce if !beside.is_empty() => ready.clear(),
            Pace::Late | Pace::InTurns if !ready.is_empty() => beside.clear(),
            Pace::AtRandom | Pace::AtOnce | Pace::Late | Pace::InTurns => {}
        }
        if pace == Pace::InTurns
            && let Some(same) = ready.iter().find(|group| group[0] / 32 == self.last)
        {
            ready = vec![same.clone()];
        }
        let count = ready.len() * 2 + beside.len().min(2);
        if count == 0 {
            for thread in 0..self.kernel.threads() {
                if !self.has_ended[thread as usize] {
                    let node = self.steps[self.at[thread as usize]].node;
                    self.outcome.stuck.insert(node);
                    let at = self.at[thread as usize];
                    if matches!(self.steps[at].what, What::Await(..)) {
                        self.outcome.counted.insert((node, at, thread), None);
                    }
                    let is_barrier = matches!(self.steps[at].what, What::Barrier(..));
                    let mut others = self.live(thread / 32).into_iter();
                    if is_barrier && others.any(|other| self.at[other as usize] != at) {
                        self.outcome.doubtful.insert(node);
                    }
                }
            }
            return false;
        }
        let chosen = choices.below(count);
        if chosen < ready.len() * 2 {
            let mut group = ready[chosen / 2].clone();
            let what = self.steps[self.at[group[0] as usize]].what;
            // Threads of a warp may arrive one after the other.
            let is_arrival = matches!(what, What::Arrive(_) | What::Expect(..));
            if is_arrival && pace == Pace::AtRandom && choices.below(4) == 0 {
                group.truncate(1 + choices.below(group.len()));
            }
            self.last = group[0] / 32;
            self.execute(&group);
        } else {
            let chosen = beside[choices.below(beside.len())];
            let beside = self.beside.swap_remove(chosen);
            self.happen(beside);
        }
        true
    }

    fn can_happen(&self, n: usize) -> bool {
        match &self.beside[n] {
            Beside::Arrival { thread, after, .. } => {
                self.copies[*thread as usize].open.range(..=*after).next().is_none()
            }
            Beside::Copy { .. }
            | Beside::Load { .. }
            | Beside::Read { .. }
            | Beside::Part { .. } => true,
        }
    }

    fn can_go_on(&self, group: &[u32], live: &[u32]) -> bool {
        let step = &self.steps[self.at[group[0] as usize]];
        match step.what {
            What::Await(mbarrier, parity) => {
                let parity = match parity {
                    Parity::Fixed(n) => n,
                    Parity::Round(is_other) => step.parity ^ u32::from(is_other),
                };
                let phases = self.phases.get(&number(mbarrier, step.stage));
                phases.is_none_or(|phases| phases.phase & 1 != parity)
            }
            What::WaitGroups(left) => group.iter().all(|thread| {
                let groups = &self.copies[*thread as usize];
                groups.open.range(..=groups.until(left)).next().is_none()
            }),
            What::BulkWait(left) => group.iter().all(|thread| {
                let groups = &self.stores[*thread as usize];
                groups.open.range(..=groups.until(left)).next().is_none()
            }),
            What::Barrier(id, _) => {
                let warp = group[0] / 32;
                let is_waiting =
                    self.barriers.get(&id).is_some_and(|it| it.waiting.contains(&warp));
                group.len() == live.len() && !is_waiting
            }
            What::BarrierArrive(..) | What::WarpBarrier => group.len() == live.len(),
            _ => true,
        }
    }

    fn word(&self, place: Place, thread: u32, stage: u32) -> u32 {
        let index = match place.by {
            By::Thread => thread,
            By::Mirror => self.kernel.threads() - 1 - thread,
            By::After(n) => thread + n,
            By::Lane => thread % 32,
            By::Pair => thread ^ 1,
            By::One => 0,
        };
        (place.base + if place.is_staged { stage * STAGE } else { 0 }) / 4 + index
    }

    /// An access to a word after what has happened.
    fn access(&mut self, word: u32, access: Access, past: &Past) {
        let mut found = Vec::new();
        let before = self.words.entry(word).or_default();
        for other in before.iter() {
            use AccessKind::{Add, BulkRead, Copied, Read, Write};
            let is_read = |kind| matches!(kind, Read | BulkRead);
            if is_read(other.kind) && is_read(access.kind)
                || other.kind == Add && access.kind == Add
            {
                continue;
            }
            // A thread copies the same word again.
            if (other.kind, access.kind) == (Copied, Copied) && other.thread == access.thread {
                continue;
            }
            let pair = (other.node.min(access.node), other.node.max(access.node));
            if past.all.get(&other.component).is_none_or(|time| *time < other.time) {
                let is_generic = |kind| matches!(kind, Read | Write | Add);
                // Lanes of one warp are in lockstep.
                if !(other.warp == access.warp && is_generic(other.kind) && is_generic(access.kind))
                {
                    found.push(pair);
                }
            } else if matches!(other.kind, Write | Add | Copied)
                && access.kind == BulkRead
                && past.fenced.get(&other.component).is_none_or(|time| *time < other.time)
            {
                found.push(pair);
            }
        }
        before.push(access);
        self.outcome.races.extend(found);
    }

    fn happen(&mut self, beside: Beside) {
        match beside {
            Beside::Copy { thread, node, word, time, past } => {
                let component = COPIES + thread;
                let (warp, kind) = (thread / 32, AccessKind::Copied);
                self.access(word, Access { component, time, node, warp, thread, kind }, &past);
                self.copies[thread as usize].open.remove(&time);
            }
            Beside::Read { thread, node, words, time, past } => {
                let component = STORES + thread;
                let (warp, kind) = (thread / 32, AccessKind::BulkRead);
                for word in words.0..words.1 {
                    self.access(word, Access { component, time, node, warp, thread, kind }, &past);
                }
                self.stores[thread as usize].open.remove(&time);
            }
            Beside::Load { node, words, mbarrier, component, past } => {
                let kind = AccessKind::BulkWrite;
                for word in words.0..words.1 {
                    let access = Access { component, time: 1, node, warp: 99, thread: 999, kind };
                    self.access(word, access, &past);
                }
                let mut past = past;
                past.all.insert(component, 1);
                let bytes = (words.1 - words.0) * 4;
                let first = bytes / 48 * 16;
                for bytes in [first, bytes - first] {
                    self.beside.push(Beside::Part { bytes, mbarrier, past: past.clone() });
                }
            }
            Beside::Part { bytes, mbarrier, past } => {
                if let Some(phases) = self.phases.get_mut(&mbarrier) {
                    phases.bytes -= i64::from(bytes);
                    phases.arrived.join(&past);
                    phases.complete();
                }
            }
            Beside::Arrival { thread, after, mbarrier, step, past } => {
                let mut past = past;
                past.all.insert(COPIES + thread, after);
                self.arrive(mbarrier, step, thread, &past);
            }
        }
    }

    fn arrive(&mut self, mbarrier: u32, (node, index): (usize, usize), thread: u32, past: &Past) {
        let Some(phases) = self.phases.get_mut(&mbarrier) else { return };
        self.outcome.counted.insert((node, index, thread), Some(phases.phase));
        phases.arrived.join(past);
        if phases.pending == 0 {
            self.outcome.misused.insert(node);
            return;
        }
        phases.pending -= 1;
        phases.complete();
    }

    /// Whether a thread may use an mbarrier; if not, its node is noted.
    fn may_use(&mut self, mbarrier: u32, node: usize, past: &Past) {
        let is_known = self.phases.get(&mbarrier).is_some_and(|phases| {
            past.all.get(&phases.init.0).is_some_and(|time| *time >= phases.init.1)
        });
        if !is_known {
            self.outcome.misused.insert(node);
        }
    }

    fn execute(&mut self, group: &[u32]) {
        let warp = group[0] / 32;
        let index = self.at[group[0] as usize];
        let (node, what, stage) = {
            let step = &self.steps[index];
            (step.node, step.what, step.stage)
        };
        self.outcome.executed.insert(node);
        // A step is later than all before it.
        let past = &mut self.pasts[warp as usize];
        let time = past.all.entry(warp).or_default();
        *time += 1;
        let time = *time;
        for thread in group.iter().copied() {
            let past = self.pasts[warp as usize].clone();
            let t = thread as usize;
            match what {
                What::Store(place) | What::Load(place) | What::Add(place) => {
                    let kind = match what {
                        What::Store(_) => AccessKind::Write,
                        What::Load(_) => AccessKind::Read,
                        _ => AccessKind::Add,
                    };
                    let word = self.word(place, thread, stage);
                    let access = Access { component: warp, time, node, warp, thread, kind };
                    self.access(word, access, &past);
                }
                What::CopyWord(place) => {
                    let word = self.word(place, thread, stage);
                    let time = self.copies[t].issue();
                    self.beside.push(Beside::Copy { thread, node, word, time, past });
                }
                What::Commit => self.copies[t].commit(),
                What::BulkCommit => self.stores[t].commit(),
                What::WaitGroups(left) => {
                    let until = self.copies[t].until(left);
                    self.pasts[warp as usize].all.insert(COPIES + thread, until);
                }
                What::BulkWait(left) => {
                    let until = self.stores[t].until(left);
                    self.pasts[warp as usize].all.insert(STORES + thread, until);
                }
                What::ArriveOnCopies(mbarrier) => {
                    let mbarrier = number(mbarrier, stage);
                    self.may_use(mbarrier, node, &past);
                    let after = self.copies[t].last;
                    let step = (node, index);
                    self.beside.push(Beside::Arrival { thread, after, mbarrier, step, past });
                }
                What::BulkLoad(place, bytes, mbarrier) => {
                    let mbarrier = number(mbarrier, stage);
                    self.may_use(mbarrier, node, &past);
                    let first = self.word(place, thread, stage);
                    let before = u32::try_from(self.loads.len()).expect("they are few");
                    let component = LOADS + before;
                    self.loads.push(node);
                    let words = (first, first + bytes / 4);
                    self.beside.push(Beside::Load { node, words, mbarrier, component, past });
                }
                What::BulkStore(place, bytes) => {
                    let first = self.word(place, thread, stage);
                    let time = self.stores[t].issue();
                    let words = (first, first + bytes / 4);
                    self.beside.push(Beside::Read { thread, node, words, time, past });
                }
                What::ProxyFence => {
                    let all = past.all;
                    join(&mut self.pasts[warp as usize].fenced, &all);
                }
                What::Init(mbarrier, count) => {
                    let mbarrier = number(mbarrier, stage);
                    if self.phases.contains_key(&mbarrier) {
                        self.outcome.misused.insert(node);
                    }
                    let phases =
                        Phases { count, pending: count, init: (warp, time), ..Phases::default() };
                    self.phases.insert(mbarrier, phases);
                }
                What::Invalidate(mbarrier) => {
                    let mbarrier = number(mbarrier, stage);
                    self.may_use(mbarrier, node, &past);
                    if let Some(phases) = self.phases.remove(&mbarrier) {
                        phases.settle(&mut self.outcome);
                    }
                }
                What::Arrive(mbarrier) | What::Expect(mbarrier, _) => {
                    let mbarrier = number(mbarrier, stage);
                    self.may_use(mbarrier, node, &past);
                    if let (What::Expect(_, bytes), Some(phases)) =
                        (what, self.phases.get_mut(&mbarrier))
                    {
                        phases.bytes += i64::from(bytes);
                        phases.expects.insert(node);
                    }
                    self.arrive(mbarrier, (node, index), thread, &past);
                }
                What::Await(mbarrier, _) => {
                    let mbarrier = number(mbarrier, stage);
                    self.may_use(mbarrier, node, &past);
                    if let Some(phases) = self.phases.get(&mbarrier) {
                        self.outcome.counted.insert((node, index, thread), Some(phases.phase));
                        self.pasts[warp as usize].join(&phases.over);
                    }
                }
                What::Barrier(..) | What::BarrierArrive(..) | What::WarpBarrier => {}
                What::Exit => {
                    self.left[t] = index;
                    self.at[t] = self.steps.len() - 1;
                }
            }
        }
        let is_for_warps =
            matches!(what, What::Barrier(..) | What::BarrierArrive(..) | What::WarpBarrier);
        // All threads of a warp execute it, or have left before.
        let passes = |thread: &u32| !group.contains(thread) && self.left[*thread as usize] > index;
        if is_for_warps && (warp * 32..warp * 32 + 32).any(|thread| passes(&thread)) {
            self.outcome.doubtful.insert(node);
        }
        match what {
            What::Barrier(id, needs) => {
                self.meet(id, needs, warp, (node, index));
                self.barriers.entry(id).or_default().waiting.push(warp);
            }
            What::BarrierArrive(id, needs) => {
                self.meet(id, Some(needs), warp, (node, index));
                self.advance_all(group);
            }
            _ => self.advance_all(group),
        }
        self.release();
    }

    /// A warp arrives at a barrier.
    fn meet(&mut self, id: u32, needs: Option<u32>, warp: u32, (node, index): (usize, usize)) {
        let past = self.pasts[warp as usize].clone();
        let barrier = self.barriers.entry(id).or_default();
        self.outcome.counted.insert((node, index, warp), Some(barrier.phase));
        if barrier.arrived > 0 && barrier.needs != needs {
            self.outcome.misused.insert(node);
        }
        barrier.needs = needs;
        barrier.arrived += 1;
        barrier.past.join(&past);
    }

    /// Lets go on who waits at barriers that are met.
    fn release(&mut self) {
        let live = (0..self.kernel.warps).filter(|warp| !self.live(*warp).is_empty()).count();
        let ids: Vec<u32> = self.barriers.keys().copied().collect();
        for id in ids {
            let barrier = &self.barriers[&id];
            let needed = barrier.needs.map_or(live, |threads| threads.div_ceil(32) as usize);
            if barrier.arrived == 0 || (barrier.arrived as usize) < needed {
                continue;
            }
            let next = Meeting { phase: barrier.phase + 1, ..Meeting::default() };
            let barrier = self.barriers.insert(id, next).expect("it is there");
            for warp in barrier.waiting {
                self.pasts[warp as usize].join(&barrier.past);
                for thread in self.live(warp) {
                    self.advance(thread);
                }
            }
        }
    }
}

/// The number of an mbarrier.
const fn number(mbarrier: Mbarrier, stage: u32) -> u32 {
    mbarrier.first + if mbarrier.is_staged { stage } else { 0 }
}

impl Phases {
    /// Notes who has expected other bytes than came.
    fn settle(&self, outcome: &mut Outcome) {
        if self.bytes != 0 {
            outcome.unsettled.extend(&self.expects);
        }
    }

    fn complete(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase += 1;
            self.pending = self.count;
            let arrived = core::mem::take(&mut self.arrived);
            self.over.join(&arrived);
        }
    }
}

impl Groups {
    fn issue(&mut self) -> u32 {
        self.last += 1;
        self.open.insert(self.last);
        self.last
    }

    fn commit(&mut self) {
        self.committed.push(self.last);
    }

    /// The last copy of all groups but so many.
    fn until(&self, left: u32) -> u32 {
        let count = self.committed.len().saturating_sub(left as usize);
        count.checked_sub(1).map_or(0, |last| self.committed[last])
    }
}
