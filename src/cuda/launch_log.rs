//! The last launches of each context, for the report of a fault.

use core::ffi::c_void;
use core::fmt;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::boxed::Box;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec::Vec;

use cudarc::driver::CudaContext;
use cudarc::driver::sys::CUcontext;
use ptx_types::ir::Function;

use super::calls;
use super::environment::are_launches_blocking;
use super::fault_meaning::fault_meaning;
use super::recorded::{Kept, Pointed, RecordedLaunch, Slot};
use super::shape::{Dim, Shape};

/// The launches of a context that are kept.
const LAUNCHES: usize = 64;

/// The streams of a context that are told apart; the others count as one, whose launches only a successful wait for the
/// context confirms.
const STREAMS: usize = 64;

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

/// The launches of a context. A launch writes what is needed to describe it, and allocates nothing.
pub(super) struct Log {
    launches: Mutex<Launches>,
    /// For each place in the ring the number of the launch with which the driver is called right now; 0 if there is
    /// none.
    in_flight: [AtomicU64; LAUNCHES],
}

struct Launches {
    /// The last launches.
    ring: Box<[Entry]>,
    /// For each place in the ring the kernels of the graph, if a graph was launched and not a kernel.
    graphs: Box<[Option<GraphKernels>]>,
    /// Where the next one is written, which is the oldest one.
    next: usize,
    streams: Vec<Stream>,
    /// The fault with which the context was lost.
    fault: Option<Arc<Report>>,
}

/// The names of the kernels of a graph, in the order in which they were added.
pub(super) type GraphKernels = Arc<[&'static str]>;

/// What tells streams apart: the driver's handle. `CU_STREAM_PER_THREAD` is another stream in each thread, so the address of
/// something that each thread has takes its place.
#[inline]
fn key(handle: usize) -> usize {
    const PER_THREAD: usize = 2;
    if handle != PER_THREAD {
        return handle;
    }
    std::thread_local! {
        static HERE: u8 = const { 0 };
    }
    HERE.with(|here| core::ptr::from_ref(here).addr())
}

/// The launches of a stream.
#[derive(Clone, Copy)]
struct Stream {
    /// Its [`key`].
    key: usize,
    launched: u64,
    /// How many of them are known to have succeeded, which are the first ones.
    succeeded: u64,
}

/// A launch. What most of them have lies in as few lines of the cache as possible.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Entry {
    /// `None` if it was a graph, or was taken back.
    kernel: Option<&'static Function<'static>>,
    /// The index of the stream, and the driver's handle.
    stream: usize,
    handle: usize,
    /// Its number in the stream, from 1.
    number: u64,
    shape: Shape,
    /// The arguments, at the kernel's [slots](Slot).
    kept: Kept,
}

/// A launch that was recorded.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub(super) struct Ticket {
    /// Its place among the last launches.
    index: usize,
    stream: usize,
    number: u64,
}

/// What has been launched in a stream before a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    key: usize,
    launched: u64,
    /// Whether the context was lost.
    was_lost: bool,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
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
        let launches = Launches {
            ring: std::vec![Entry::NONE; LAUNCHES].into_boxed_slice(),
            graphs: std::vec![None; LAUNCHES].into_boxed_slice(),
            next: 0,
            streams: Vec::with_capacity(STREAMS + 1),
            fault: None,
        };
        let in_flight = [const { AtomicU64::new(0) }; LAUNCHES];
        Self { launches: Mutex::new(launches), in_flight }
    }

    fn launches(&self) -> MutexGuard<'_, Launches> {
        // Each change is whole before anything can panic.
        self.launches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a launch in the stream with this handle, before the driver is called: afterwards, a lock would wait until the
    /// driver's writes have reached the GPU.
    ///
    /// # Safety
    /// There is an address for each slot, which are those of the kernel, and each points to a value of its parameter's
    /// type.
    #[inline]
    pub(super) unsafe fn record(
        &self,
        kernel: &'static Function<'static>,
        slots: &[Slot],
        shape: Shape,
        handle: usize,
        params: &[*mut c_void],
        pointed: &[Pointed],
    ) -> Ticket {
        let mut launches = self.launches();
        let ticket = launches.begin(handle);
        let entry = &mut launches.ring[ticket.index];
        entry.kernel = Some(kernel);
        entry.shape = shape;
        // SAFETY: the caller guarantees it.
        unsafe { entry.kept.keep(slots, params, pointed) };
        self.in_flight[ticket.index].store(ticket.number, Relaxed);
        ticket
    }

    /// The same for a graph of these kernels.
    pub(super) fn record_graph(&self, kernels: &GraphKernels, handle: usize) -> Ticket {
        let mut launches = self.launches();
        let ticket = launches.begin(handle);
        launches.ring[ticket.index].kernel = None;
        launches.graphs[ticket.index] = Some(Arc::clone(kernels));
        self.in_flight[ticket.index].store(ticket.number, Relaxed);
        ticket
    }

    /// Notes that the driver has accepted a launch.
    #[inline]
    pub(super) fn submitted(&self, ticket: Ticket) {
        self.in_flight[ticket.index].store(0, Release);
    }

    /// Takes a launch back that the driver has refused.
    #[cold]
    pub(super) fn retract(&self, ticket: Ticket) {
        let Ticket { index, stream, number } = ticket;
        self.submitted(ticket);
        let mut launches = self.launches();
        let entry = &mut launches.ring[index];
        if (entry.stream, entry.number) == (stream, number) {
            entry.kernel = None;
            launches.graphs[index] = None;
        }
        let stream = &mut launches.streams[stream];
        // Another thread may have launched in this stream since; then it counts as one of which nothing is kept.
        if stream.launched == number {
            stream.launched -= 1;
        }
    }

    /// Takes a launch back that the driver has refused with this number, and says whether it is the launch that failed: where
    /// the driver waits for each, all before have succeeded.
    #[cold]
    pub(super) fn refused(&self, ticket: Ticket, code: u32) -> bool {
        let has_failed =
            fault_meaning(code).is_some() && are_launches_blocking() && !self.is_lost();
        if has_failed {
            self.all_succeeded_but(ticket);
        } else {
            self.retract(ticket);
        }
        has_failed
    }

    /// Notes that everything that was recorded has succeeded, except for this launch.
    #[cold]
    pub(super) fn all_succeeded_but(&self, ticket: Ticket) {
        self.submitted(ticket);
        let mut launches = self.launches();
        launches.all_over();
        launches.streams[ticket.stream].succeeded = ticket.number - 1;
    }

    /// What has been launched so far in the stream with this handle.
    pub(super) fn mark(&self, handle: usize) -> Mark {
        let key = key(handle);
        let launches = self.launches();
        let known = launches.streams.iter().position(|known| known.key == key);
        let launched = known.map_or(0, |stream| self.submitted_in(&launches, stream));
        Mark { key, launched, was_lost: launches.fault.is_some() }
    }

    /// The number of the last launch in a stream before which the driver has accepted all.
    fn submitted_in(&self, launches: &Launches, stream: usize) -> u64 {
        let of_stream = launches.ring.iter().zip(&self.in_flight).filter_map(|(entry, number)| {
            let number = number.load(Acquire);
            (entry.stream == stream && number != 0).then(|| number - 1)
        });
        of_stream.fold(launches.streams[stream].launched, u64::min)
    }

    /// Notes that everything before the marks has succeeded.
    pub(super) fn succeeded(&self, marks: &[Mark]) {
        let mut launches = self.launches();
        if marks.iter().any(|mark| mark.was_lost) {
            // The context was reset since then, or its handle belongs to another one.
            launches.fault = None;
            launches.all_over();
        }
        for mark in marks {
            let known = launches.streams.iter_mut().find(|known| known.key == mark.key);
            if let Some(stream) = known {
                stream.succeeded = stream.succeeded.max(mark.launched);
            }
        }
    }

    /// What has been launched in each stream so far.
    pub(super) fn marks(&self) -> Vec<Mark> {
        let launches = self.launches();
        let was_lost = launches.fault.is_some();
        let mark = |(n, stream): (usize, &Stream)| {
            let launched = self.submitted_in(&launches, n);
            Mark { key: stream.key, launched, was_lost }
        };
        launches.streams.iter().enumerate().map(mark).collect()
    }

    /// Whether the context is known to be lost.
    pub(super) fn is_lost(&self) -> bool {
        self.launches().fault.is_some()
    }

    /// The fault with which the context was lost, and whether that was known. A fault that leaves the context intact is
    /// not kept.
    pub(super) fn report(&self, code: u32, loses_context: bool) -> (Arc<Report>, bool) {
        let mut launches = self.launches();
        if let Some(fault) = &launches.fault {
            return (Arc::clone(fault), true);
        }
        let (last, before) = launches.open();
        let report = Arc::new(Report { code, launches: last, before, is_certain: false });
        if loses_context {
            launches.fault = Some(Arc::clone(&report));
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
            self.launches().fault = Some(Arc::clone(&report));
        }
        report
    }
}

impl Entry {
    const NONE: Self = Self {
        kernel: None,
        stream: 0,
        handle: 0,
        number: 0,
        shape: Shape { grid: Dim([0; 3]), block: Dim([0; 3]), cluster: None, dynamic: 0 },
        kept: Kept::NONE,
    };
}

impl Launches {
    /// The place for a launch in the stream with this handle, that of the oldest one.
    #[inline]
    fn begin(&mut self, handle: usize) -> Ticket {
        let stream = self.stream(key(handle));
        self.streams[stream].launched += 1;
        let number = self.streams[stream].launched;
        let index = self.next;
        self.next = (index + 1) % LAUNCHES;
        let entry = &mut self.ring[index];
        (entry.stream, entry.handle, entry.number) = (stream, handle, number);
        Ticket { index, stream, number }
    }

    /// The index of a stream.
    #[inline]
    fn stream(&mut self, key: usize) -> usize {
        if let Some(known) = self.streams.iter().position(|known| known.key == key) {
            return known;
        }
        if self.streams.len() < STREAMS {
            self.streams.push(Stream { key, launched: 0, succeeded: 0 });
            return self.streams.len() - 1;
        }
        if self.streams.len() == STREAMS {
            // No stream has this key.
            self.streams.push(Stream { key: usize::MAX, launched: 0, succeeded: 0 });
        }
        STREAMS
    }

    /// Notes that nothing that was launched is still to fail.
    fn all_over(&mut self) {
        for stream in &mut self.streams {
            stream.succeeded = stream.launched;
        }
    }

    /// The launches that are not known to have succeeded, oldest first, as far as they are kept; and how many there were
    /// before.
    fn open(&self) -> (Vec<RecordedLaunch>, u64) {
        let all: u64 = self.streams.iter().map(|stream| stream.launched - stream.succeeded).sum();
        let (newer, older) = (0..self.next, self.next..LAUNCHES);
        let kept = older.chain(newer).filter_map(|index| self.recorded(index));
        let kept: Vec<RecordedLaunch> = kept.collect();
        let before = all.saturating_sub(kept.len() as u64);
        (kept, before)
    }

    /// The launch at this place, if it is not known to have succeeded.
    fn recorded(&self, index: usize) -> Option<RecordedLaunch> {
        let entry = self.ring.get(index)?;
        let stream = self.streams.get(entry.stream)?;
        if entry.number <= stream.succeeded {
            return None;
        }
        match (entry.kernel, self.graphs.get(index)?) {
            (Some(kernel), _) => {
                Some(RecordedLaunch::new(kernel, entry.shape, entry.handle, &entry.kept))
            }
            (None, Some(kernels)) => Some(RecordedLaunch::graph(kernels, entry.handle)),
            (None, None) => None,
        }
    }
}
