//! The last launches of each context, for the report of a fault.

use core::cell::{Cell, RefCell};
use core::fmt;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::vec::Vec;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUcontext;
use ptx_types::ir::Function;

use super::calls;
use super::environment::are_launches_blocking;
use super::fault_meaning::fault_meaning;
use super::kept::Passed;
use super::launch_ring::{LAUNCHES, Launched, Ring, StreamOf, Ticket};
use super::recorded::RecordedLaunch;
use super::shape::Shape;

/// The first fault of a context, and the launches that may have caused it.
#[derive(Debug)]
pub(super) struct Report {
    /// The driver's number, a `CUresult`.
    pub(super) code: u32,
    /// The launches that are not known to have succeeded, oldest first.
    pub(super) launches: Vec<RecordedLaunch>,
    /// How many there were before these, of which nothing is kept.
    pub(super) before: u64,
    /// Whether there is one, and no other was running.
    pub(super) is_certain: bool,
}

/// The launches of a context. A launch writes what is needed to describe it to its thread's [ring](Ring), and neither locks
/// nor allocates anything.
pub(super) struct Log {
    /// No other log has it, also later.
    number: u64,
    /// Whether several threads have launched: only then, launches are ordered by their times.
    has_times: AtomicBool,
    start: Instant,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The launches of each thread. They stay, also after the thread.
    rings: Vec<Arc<Ring>>,
    graphs: Vec<KnownGraph>,
    /// How many graphs there were.
    last_graph: usize,
    /// The fault with which the context was lost.
    fault: Option<Arc<Report>>,
}

struct KnownGraph {
    number: usize,
    kernels: GraphKernels,
    /// Whether it can be launched.
    exists: bool,
}

/// The names of the kernels of a graph, in the order in which they were added.
type GraphKernels = Arc<[&'static str]>;

/// A graph, as the record of launches knows it.
pub(super) struct GraphOf {
    log: Arc<Log>,
    number: usize,
}

/// What has been launched in a stream before a wait.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    /// What tells the stream apart.
    key: usize,
    /// The launches of each ring.
    launched: Vec<u64>,
    /// Whether the context was lost.
    was_lost: bool,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

std::thread_local! {
    /// The number of the log in which this thread launched last, and its ring there.
    static LAST: Cell<(u64, *const Ring)> = const { Cell::new((0, core::ptr::null())) };

    /// The rings that this thread has taken, with the numbers of their logs.
    static RINGS: Rings = const { Rings(RefCell::new(Vec::new())) };
}

struct Rings(RefCell<Vec<(u64, Arc<Ring>)>>);

impl Drop for Rings {
    fn drop(&mut self) {
        LAST.set((0, core::ptr::null()));
        for (_, ring) in self.0.get_mut() {
            ring.give_back();
        }
    }
}

/// What tells streams apart: the driver's handle. `CU_STREAM_PER_THREAD` is another stream in each thread, so a number of the
/// thread takes its place.
#[inline]
fn key(handle: usize) -> usize {
    const PER_THREAD: usize = 2;
    if handle == PER_THREAD { key_of_thread() } else { handle }
}

/// A number that is not a handle, and which no other thread has.
#[cold]
fn key_of_thread() -> usize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    std::thread_local! {
        static NUMBER: Cell<usize> = const { Cell::new(0) };
    }
    if NUMBER.get() == 0 {
        NUMBER.set(THREADS.fetch_add(1, Relaxed) + 1);
    }
    usize::MAX - NUMBER.get()
}

/// The logs of all contexts: the driver's handle, its number for the context, and the log.
static LOGS: Mutex<Vec<(usize, u64, Arc<Log>)>> = Mutex::new(Vec::new());

fn logs() -> MutexGuard<'static, Vec<(usize, u64, Arc<Log>)>> {
    LOGS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    /// The log of a context.
    pub(super) fn of(context: &CudaContext) -> Arc<Self> {
        Self::at(context.cu_ctx())
    }

    /// The log of the context with this handle.
    pub(super) fn at(context: CUcontext) -> Arc<Self> {
        let handle = context.addr();
        let mut logs = logs();
        let number = calls::context_number(context.cast());
        if let Some((_, known, log)) = logs.iter_mut().find(|(known, ..)| *known == handle) {
            // The driver gives the handle of a context that was destroyed to another one.
            if let Some(number) = number
                && number != *known
            {
                *known = number;
                *log = Arc::new(Self::new());
            }
            return Arc::clone(log);
        }
        let log = Arc::new(Self::new());
        logs.push((handle, number.unwrap_or_default(), Arc::clone(&log)));
        log
    }

    pub(super) fn new() -> Self {
        static LOGS: AtomicU64 = AtomicU64::new(0);
        Self {
            number: LOGS.fetch_add(1, Relaxed) + 1,
            has_times: AtomicBool::new(false),
            start: Instant::now(),
            known: Mutex::default(),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Each change is whole before anything can panic.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ring of this thread, and whether it is given back after the launch.
    #[inline]
    fn ring(&self) -> (&Ring, bool) {
        match LAST.get() {
            // SAFETY: it is a ring of this log, which keeps its rings.
            (number, ring) if number == self.number => (unsafe { &*ring }, false),
            _ => self.other_ring(),
        }
    }

    /// The same, if this thread has not launched in this log, or not last.
    #[inline(never)]
    fn other_ring(&self) -> (&Ring, bool) {
        let found = RINGS.try_with(|Rings(rings)| {
            let mut rings = rings.borrow_mut();
            if let Some((_, ring)) = rings.iter().find(|(number, _)| *number == self.number) {
                return Arc::as_ptr(ring);
            }
            // Those of logs that are gone.
            rings.retain(|(_, ring)| Arc::strong_count(ring) > 1);
            let ring = self.take_ring();
            let found = Arc::as_ptr(&ring);
            rings.push((self.number, ring));
            found
        });
        let is_lent = found.is_err();
        let ring = found.unwrap_or_else(|_| {
            // The thread ends, and would not give it back.
            Arc::as_ptr(&self.take_ring())
        });
        if !is_lent {
            LAST.set((self.number, ring));
        }
        // SAFETY: it is a ring of this log, which keeps its rings.
        (unsafe { &*ring }, is_lent)
    }

    /// A ring that no other thread has.
    fn take_ring(&self) -> Arc<Ring> {
        let mut known = self.known();
        if let Some(ring) = known.rings.iter().find(|ring| ring.try_take()) {
            return Arc::clone(ring);
        }
        let ring = Arc::new(Ring::new());
        known.rings.push(Arc::clone(&ring));
        self.has_times.store(known.rings.len() > 1, Relaxed);
        ring
    }

    /// The time of a launch, if it is compared with those of other threads.
    #[inline]
    fn time(&self) -> u64 {
        if self.has_times.load(Relaxed) { self.elapsed() } else { 0 }
    }

    #[inline(never)]
    fn elapsed(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Records a launch in the stream with this handle, before the driver is called.
    ///
    /// # Safety
    /// The slots are those of the kernel, and there is an address for each parameter, of a value of its type.
    #[inline]
    pub(super) unsafe fn record(
        &self,
        kernel: &'static Function<'static>,
        shape: Shape,
        handle: usize,
        passed: Passed<'_>,
    ) -> Ticket<'_> {
        let (ring, is_lent) = self.ring();
        let stream = StreamOf { key: key(handle), handle };
        // SAFETY: the caller guarantees it.
        let ticket = unsafe { ring.record(kernel, shape, stream, passed, self.time()) };
        ticket.lent(is_lent)
    }

    /// Takes a launch back that the driver has refused with this number, and says whether it is the launch that failed: where
    /// the driver waits for each, all before have succeeded.
    #[cold]
    pub(super) fn refused(&self, ticket: Ticket<'_>, code: u32) -> bool {
        let has_failed =
            fault_meaning(code).is_some() && are_launches_blocking() && !self.is_lost();
        if has_failed {
            self.all_succeeded_but(ticket);
        } else {
            ticket.retract();
        }
        has_failed
    }

    /// Notes that everything that was recorded has succeeded, except for this launch.
    #[cold]
    pub(super) fn all_succeeded_but(&self, ticket: Ticket<'_>) {
        let known = self.known();
        known.all_succeeded();
        ticket.has_failed();
        drop(known);
        ticket.submitted();
    }

    /// What has been launched so far in the stream with this handle.
    pub(super) fn mark(&self, handle: usize) -> Mark {
        self.known().mark(key(handle))
    }

    /// What has been launched in each stream so far.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let known = self.known();
        let mut keys: Vec<usize> = known.rings.iter().flat_map(|ring| ring.keys()).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().map(|key| known.mark(key)).collect()
    }

    /// Notes that everything before the marks has succeeded.
    pub(super) fn succeeded(&self, marks: &[Mark]) {
        let mut known = self.known();
        if marks.iter().any(|mark| mark.was_lost) {
            // The context was reset since then, or its handle belongs to another one.
            known.fault = None;
            known.all_succeeded();
        }
        for Mark { key, launched, .. } in marks {
            for (ring, launched) in known.rings.iter().zip(launched) {
                ring.succeeded_in(*key, *launched);
            }
        }
    }

    /// Whether the context is known to be lost.
    pub(super) fn is_lost(&self) -> bool {
        self.known().fault.is_some()
    }

    /// The fault with which the context was lost, and whether that was known. A fault that leaves the context intact is
    /// not kept.
    pub(super) fn report(&self, code: u32, loses_context: bool) -> (Arc<Report>, bool) {
        let mut known = self.known();
        if let Some(fault) = &known.fault {
            return (Arc::clone(fault), true);
        }
        let (launches, before) = known.open();
        let report = Arc::new(Report { code, launches, before, is_certain: false });
        if loses_context {
            known.fault = Some(Arc::clone(&report));
        }
        (report, false)
    }

    /// The same, where only this launch can have caused it.
    pub(super) fn report_of(
        &self,
        code: u32,
        loses_context: bool,
        launch: RecordedLaunch,
    ) -> Arc<Report> {
        let launches = std::vec![launch];
        let report = Arc::new(Report { code, launches, before: 0, is_certain: true });
        if loses_context {
            self.known().fault = Some(Arc::clone(&report));
        }
        report
    }
}

impl Known {
    /// What has been launched so far in a stream.
    fn mark(&self, key: usize) -> Mark {
        let launched = self.rings.iter().map(|ring| ring.submitted_in(key)).collect();
        Mark { key, launched, was_lost: self.fault.is_some() }
    }

    /// Notes that nothing that was launched is still to fail.
    fn all_succeeded(&self) {
        for ring in &self.rings {
            ring.all_succeeded();
        }
    }

    /// The launches that are not known to have succeeded, oldest first, as far as they are kept; and how many there were
    /// before.
    fn open(&self) -> (Vec<RecordedLaunch>, u64) {
        let (mut all, mut kept) = (0, Vec::new());
        for ring in &self.rings {
            let (of_ring, launches) = ring.open();
            all += of_ring;
            kept.extend(launches);
        }
        // Those of one thread stay in their order.
        kept.sort_by_key(|(time, _)| *time);
        let named = |(_, launched)| match launched {
            Launched::Kernel(launch) => Some(launch),
            Launched::Graph(number, handle) => {
                let graph = self.graphs.iter().find(|graph| graph.number == number)?;
                Some(RecordedLaunch::graph(&graph.kernels, handle))
            }
        };
        let mut kept: Vec<RecordedLaunch> = kept.into_iter().filter_map(named).collect();
        kept.drain(..kept.len().saturating_sub(LAUNCHES));
        let before = all.saturating_sub(kept.len() as u64);
        (kept, before)
    }
}

impl GraphOf {
    /// A graph of these kernels.
    pub(super) fn new(log: &Arc<Log>, kernels: &[&'static str]) -> Self {
        let mut known = log.known();
        let Known { rings, graphs, last_graph, .. } = &mut *known;
        graphs
            .retain(|graph| graph.exists || rings.iter().any(|ring| ring.has_graph(graph.number)));
        *last_graph += 1;
        let number = *last_graph;
        graphs.push(KnownGraph { number, kernels: kernels.into(), exists: true });
        drop(known);
        Self { log: Arc::clone(log), number }
    }

    /// Records a launch in the stream with this handle, before the driver is called.
    #[inline]
    pub(super) fn record(&self, handle: usize) -> Ticket<'_> {
        let (ring, is_lent) = self.log.ring();
        let stream = StreamOf { key: key(handle), handle };
        ring.record_graph(self.number, stream, self.log.time()).lent(is_lent)
    }
}

impl Drop for GraphOf {
    fn drop(&mut self) {
        // The name stays as long as its launches are kept.
        let mut known = self.log.known();
        for graph in known.graphs.iter_mut().filter(|graph| graph.number == self.number) {
            graph.exists = false;
        }
    }
}

#[cfg(test)]
mod tests;
