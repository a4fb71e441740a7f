//! The last launches of one thread in a context, which it writes without a lock while others may read.

use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, fence};
use std::boxed::Box;
use std::vec::Vec;

use ptx_types::ir::Function;

use super::kept::{Kept, Passed};
use super::recorded::RecordedLaunch;
use super::shape::{Dim, Shape};

/// The launches that are kept.
pub(super) const LAUNCHES: usize = 64;

/// The streams that are told apart.
const STREAMS: usize = 64;

/// The key of all other streams, which no stream has: only a wait for the context confirms their launches.
const OTHERS: usize = usize::MAX;

/// The last launches of the thread that has taken it, and how many there were in each stream.
///
/// A launch changes nothing by an atomic instruction that reads and writes: it would wait until the driver's writes of the
/// launch before have reached the GPU.
#[repr(C, align(64))]
pub(super) struct Ring {
    /// How many launches have been recorded, with one that is being written.
    begun: AtomicUsize,
    /// How many of them are written.
    written: AtomicUsize,
    /// How many streams there are, and which the last launch was in.
    count: AtomicUsize,
    last: AtomicUsize,
    // The first is in the same line of the cache.
    streams: [Stream; STREAMS + 1],
    is_taken: AtomicBool,
    entries: Box<[Entry; LAUNCHES]>,
}

/// The launches in a stream.
struct Stream {
    /// What tells it apart.
    key: AtomicUsize,
    launched: AtomicU64,
    /// How many of them the driver has accepted, or refused.
    submitted: AtomicU64,
    /// How many of them are known to have succeeded, which are the first ones. The log's lock is held to write it.
    succeeded: AtomicU64,
}

/// A launch. What most of them have lies in as few lines of the cache as possible.
#[repr(C, align(64))]
struct Entry {
    /// Null if it was a graph.
    kernel: AtomicPtr<Function<'static>>,
    /// The bytes of dynamic shared memory; of a graph its number.
    dynamic: AtomicUsize,
    /// The driver's handle of the stream.
    handle: AtomicUsize,
    /// What [`Numbers`] packs; 0 if the launch was taken back.
    numbers: AtomicU64,
    /// When it was recorded, if several threads launch.
    time: AtomicU64,
    /// The extents of the grid and the block.
    extents: [AtomicU64; 3],
    /// The arguments.
    kept: Kept,
    /// The extents of the cluster, if there is one.
    cluster: [AtomicU64; 2],
}

/// The number of a launch in its stream, from 1, the index of the stream, and whether there is a cluster.
#[derive(Clone, Copy)]
struct Numbers {
    number: u64,
    stream: usize,
    has_cluster: bool,
}

impl Numbers {
    #[inline]
    const fn pack(self) -> u64 {
        self.number << 8 | (self.has_cluster as u64) << 7 | self.stream as u64
    }

    const fn unpack(word: u64) -> Self {
        let stream = (word & 0x7f) as usize;
        Self { number: word >> 8, stream, has_cluster: word & 0x80 != 0 }
    }
}

/// A stream of a launch.
#[derive(Clone, Copy)]
pub(super) struct StreamOf {
    /// What tells it apart.
    pub(super) key: usize,
    /// The driver's handle.
    pub(super) handle: usize,
}

/// A launch that was recorded.
#[derive(Clone, Copy)]
#[must_use]
pub(super) struct Ticket<'r> {
    ring: &'r Ring,
    /// Whether the ring is given back once the driver has answered.
    is_lent: bool,
    /// Its place among the last launches.
    place: usize,
    stream: usize,
    number: u64,
}

/// A launch that is kept.
pub(super) enum Launched {
    Kernel(RecordedLaunch),
    /// A graph by its number, and the driver's handle of the stream.
    Graph(usize, usize),
}

impl Ring {
    /// A ring that the caller has taken.
    #[allow(clippy::large_stack_arrays, reason = "it is made once for each thread, in place")]
    pub(super) fn new() -> Self {
        Self {
            begun: AtomicUsize::new(0),
            written: AtomicUsize::new(0),
            count: AtomicUsize::new(0),
            last: AtomicUsize::new(0),
            is_taken: AtomicBool::new(true),
            streams: [const { Stream::new() }; STREAMS + 1],
            entries: Box::new([const { Entry::new() }; LAUNCHES]),
        }
    }

    /// Takes it, if no thread has it. The log's lock is held, so that no other thread takes it.
    pub(super) fn try_take(&self) -> bool {
        let is_free = !self.is_taken.load(Acquire);
        if is_free {
            self.is_taken.store(true, Relaxed);
        }
        is_free
    }

    /// Gives it back: the thread does not launch with it any more.
    pub(super) fn give_back(&self) {
        self.is_taken.store(false, Release);
    }

    /// Records a launch of a kernel at this time, in the thread that has taken the ring.
    ///
    /// # Safety
    /// The slots are those of the kernel, and there is an address for each parameter, of a value of its type.
    #[inline]
    pub(super) unsafe fn record(
        &self,
        kernel: &'static Function<'static>,
        shape: Shape,
        stream: StreamOf,
        passed: Passed<'_>,
        time: u64,
    ) -> Ticket<'_> {
        let kernel = core::ptr::from_ref(kernel).cast_mut();
        let has_cluster = shape.cluster.is_some();
        self.write(kernel, (shape.dynamic, has_cluster), stream, time, |entry| {
            let (Dim([x, y, z]), Dim([block_x, block_y, block_z])) = (shape.grid, shape.block);
            let words = [pair(x, y), pair(z, block_x), pair(block_y, block_z)];
            for (to, word) in entry.extents.iter().zip(words) {
                to.store(word, Relaxed);
            }
            if let Some(Dim([x, y, z])) = shape.cluster {
                entry.cluster[0].store(pair(x, y), Relaxed);
                entry.cluster[1].store(pair(z, 0), Relaxed);
            }
            // SAFETY: the caller guarantees it.
            unsafe { entry.kept.keep(passed) };
        })
    }

    /// The same for the graph with this number.
    #[inline]
    pub(super) fn record_graph(&self, graph: usize, stream: StreamOf, time: u64) -> Ticket<'_> {
        self.write(core::ptr::null_mut(), (graph, false), stream, time, |_| {})
    }

    /// Writes a launch in the place of the oldest one.
    #[inline]
    fn write(
        &self,
        kernel: *mut Function<'static>,
        (dynamic, has_cluster): (usize, bool),
        StreamOf { key, handle }: StreamOf,
        time: u64,
        rest: impl FnOnce(&Entry),
    ) -> Ticket<'_> {
        let before = self.begun.load(Relaxed);
        self.begun.store(before + 1, Relaxed);
        // Who reads anything of what follows in this place can see that the launch that was there before is gone.
        fence(Release);
        let stream = self.stream(key);
        let number = self.streams[stream].launched.load(Relaxed) + 1;
        self.streams[stream].launched.store(number, Relaxed);
        let place = before % LAUNCHES;
        let entry = &self.entries[place];
        entry.kernel.store(kernel, Relaxed);
        entry.dynamic.store(dynamic, Relaxed);
        entry.handle.store(handle, Relaxed);
        entry.numbers.store(Numbers { number, stream, has_cluster }.pack(), Relaxed);
        entry.time.store(time, Relaxed);
        rest(entry);
        self.written.store(before + 1, Release);
        Ticket { ring: self, is_lent: false, place, stream, number }
    }

    /// The index of a stream.
    #[inline]
    fn stream(&self, key: usize) -> usize {
        let last = self.last.load(Relaxed);
        match self.streams.get(last) {
            Some(stream) if stream.key.load(Relaxed) == key => last,
            _ => self.other_stream(key),
        }
    }

    /// The index of a stream that is not that of the last launch.
    #[inline(never)]
    fn other_stream(&self, key: usize) -> usize {
        let count = self.count.load(Relaxed);
        let index = self.streams[..count].iter().position(|it| it.key.load(Relaxed) == key);
        let index = index.unwrap_or_else(|| {
            let (index, key) = if count < STREAMS { (count, key) } else { (STREAMS, OTHERS) };
            self.streams[index].key.store(key, Relaxed);
            self.count.store(index + 1, Release);
            index
        });
        self.last.store(index, Relaxed);
        index
    }

    /// The streams so far, with their keys.
    fn streams(&self) -> impl Iterator<Item = (usize, &Stream)> {
        let streams = &self.streams[..self.count.load(Acquire)];
        streams.iter().map(|stream| (stream.key.load(Relaxed), stream))
    }

    /// What tells the streams apart in which there were launches.
    pub(super) fn keys(&self) -> impl Iterator<Item = usize> {
        self.streams().map(|(key, _)| key)
    }

    /// The number of the last launch in a stream before which the driver has accepted all.
    pub(super) fn submitted_in(&self, key: usize) -> u64 {
        let stream = self.streams().find(|(known, _)| *known == key);
        stream.map_or(0, |(_, stream)| stream.submitted.load(Acquire))
    }

    /// Notes that so many launches in a stream have succeeded. The log's lock is held.
    pub(super) fn succeeded_in(&self, key: usize, launches: u64) {
        if let Some((_, stream)) = self.streams().find(|(known, _)| *known == key) {
            let before = stream.succeeded.load(Relaxed);
            stream.succeeded.store(before.max(launches), Relaxed);
        }
    }

    /// Notes that nothing that was launched is still to fail. The log's lock is held.
    pub(super) fn all_succeeded(&self) {
        for (_, stream) in self.streams() {
            stream.succeeded.store(stream.launched.load(Relaxed), Relaxed);
        }
    }

    /// How many launches are not known to have succeeded, and those of them that are kept, oldest first, with their
    /// times. The log's lock is held.
    pub(super) fn open(&self) -> (u64, Vec<(u64, Launched)>) {
        let written = self.written.load(Acquire);
        let open = |(_, stream): (usize, &Stream)| {
            stream.launched.load(Relaxed).saturating_sub(stream.succeeded.load(Relaxed))
        };
        let all = self.streams().map(open).sum();
        let kept = written.saturating_sub(LAUNCHES)..written;
        (all, kept.filter_map(|n| self.launch(n)).collect())
    }

    /// The launch with this number in the ring, if it is kept, and not known to have succeeded.
    fn launch(&self, n: usize) -> Option<(u64, Launched)> {
        let entry = &self.entries[n % LAUNCHES];
        let kernel = entry.kernel.load(Relaxed);
        let dynamic = entry.dynamic.load(Relaxed);
        let handle = entry.handle.load(Relaxed);
        let numbers = Numbers::unpack(entry.numbers.load(Relaxed));
        let time = entry.time.load(Relaxed);
        let extents = entry.extents.each_ref().map(|it| it.load(Relaxed));
        let cluster = entry.cluster.each_ref().map(|it| it.load(Relaxed));
        let kept = entry.kept.bytes();
        // Whatever was read of a later launch in this place was written after that was counted.
        fence(Acquire);
        if self.begun.load(Relaxed) > n + LAUNCHES {
            return None;
        }
        if numbers.number <= self.streams.get(numbers.stream)?.succeeded.load(Relaxed) {
            return None;
        }
        // SAFETY: nothing has been written since, and what is there is null, or was a reference.
        let launched = match unsafe { kernel.as_ref() } {
            None => Launched::Graph(dynamic, handle),
            Some(kernel) => {
                let cluster = numbers.has_cluster.then_some(cluster);
                let shape = shape(extents, cluster, dynamic);
                Launched::Kernel(RecordedLaunch::new(kernel, shape, handle, &kept))
            }
        };
        Some((time, launched))
    }

    /// Whether a graph is among the launches that are kept.
    pub(super) fn has_graph(&self, graph: usize) -> bool {
        self.entries.iter().any(|entry| {
            entry.kernel.load(Relaxed).is_null() && entry.dynamic.load(Relaxed) == graph
        })
    }
}

impl Ticket<'_> {
    /// The same launch, which gives the ring back or not once the driver has answered.
    #[inline]
    pub(super) fn lent(self, is_lent: bool) -> Self {
        Self { is_lent, ..self }
    }

    /// Notes that the driver has accepted the launch, in the thread that has recorded it.
    #[inline]
    pub(super) fn submitted(self) {
        self.ring.streams[self.stream].submitted.store(self.number, Release);
        self.is_done();
    }

    /// Takes the launch back, which the driver has refused, in the thread that has recorded it.
    pub(super) fn retract(self) {
        self.ring.entries[self.place].numbers.store(0, Relaxed);
        self.ring.streams[self.stream].launched.store(self.number - 1, Relaxed);
        self.is_done();
    }

    /// Notes that the launches before it in its stream have succeeded, and it has not. The log's lock is held.
    pub(super) fn has_failed(self) {
        self.ring.streams[self.stream].succeeded.store(self.number - 1, Relaxed);
    }

    #[inline]
    fn is_done(self) {
        if self.is_lent {
            self.ring.give_back();
        }
    }
}

impl Stream {
    const fn new() -> Self {
        Self {
            key: AtomicUsize::new(OTHERS),
            launched: AtomicU64::new(0),
            submitted: AtomicU64::new(0),
            succeeded: AtomicU64::new(0),
        }
    }
}

impl Entry {
    const fn new() -> Self {
        Self {
            kernel: AtomicPtr::new(core::ptr::null_mut()),
            dynamic: AtomicUsize::new(0),
            handle: AtomicUsize::new(0),
            numbers: AtomicU64::new(0),
            time: AtomicU64::new(0),
            extents: [const { AtomicU64::new(0) }; 3],
            kept: Kept::new(),
            cluster: [const { AtomicU64::new(0) }; 2],
        }
    }
}

/// Two numbers in a word.
#[inline]
fn pair(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The numbers in a word.
#[allow(clippy::cast_possible_truncation)] // the halves of a word
fn halves(word: u64) -> [u32; 2] {
    [word as u32, (word >> 32) as u32]
}

/// The shape of a launch, from its words.
fn shape(extents: [u64; 3], cluster: Option<[u64; 2]>, dynamic: usize) -> Shape {
    let [[x, y], [z, block_x], [block_y, block_z]] = extents.map(halves);
    let cluster = cluster.map(|words| {
        let [[x, y], [z, _]] = words.map(halves);
        Dim([x, y, z])
    });
    Shape { grid: Dim([x, y, z]), block: Dim([block_x, block_y, block_z]), cluster, dynamic }
}
