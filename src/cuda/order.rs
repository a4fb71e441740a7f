//! The order of copies to variables and of launches that use them, across streams; and turns of threads.

use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicBool, Ordering};
use std::boxed::Box;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::vec::Vec;

use cudarc::driver::{CudaEvent, CudaStream, DriverError};
use ptx_types::Space;
use ptx_types::ir::{self, Init, Value};

use super::calls;
use super::context::is_captured;

/// Variables that the host can copy, by their addresses.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Used {
    These(Box<[u64]>),
    /// Any: what a kernel calls is in another module, or addresses lie in a variable that it uses.
    All,
}

impl Used {
    /// Those that a kernel uses; `None` if there is none. The kernel's module may be linked with others, and tells the
    /// address of a variable by its name.
    pub(super) fn of(
        ir: &ir::Function<'_>,
        is_linked: bool,
        address: impl Fn(&str) -> Option<u64>,
    ) -> Option<Arc<Self>> {
        let copied = |variable: &&&ir::Variable<'_>| {
            matches!(variable.space, Space::Global | Space::Const) && variable.ty.opaque().is_none()
        };
        let calls_elsewhere = is_linked && !ir.calls.is_empty();
        if calls_elsewhere || ir.uses.iter().any(|variable| has_addresses(&variable.init)) {
            return Some(Arc::new(Self::All));
        }
        let these: Box<[u64]> =
            ir.uses.iter().filter(copied).filter_map(|it| address(it.name)).collect();
        (!these.is_empty()).then(|| Arc::new(Self::These(these)))
    }

    /// Whether it has the variable.
    pub(super) fn contains(&self, variable: u64) -> bool {
        match self {
            Self::These(these) => these.contains(&variable),
            Self::All => true,
        }
    }

    /// A variable.
    pub(super) fn one(variable: u64) -> Arc<Self> {
        Arc::new(Self::These(Box::new([variable])))
    }

    /// Whether both may have a variable in common.
    fn meets(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::These(these), Self::These(others)) => {
                these.iter().any(|variable| others.contains(variable))
            }
            (Self::All, _) | (_, Self::All) => true,
        }
    }

    /// Whether it has all of the other's.
    fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::These(these), Self::These(others)) => {
                others.iter().all(|variable| these.contains(variable))
            }
            (Self::All, _) => true,
            (Self::These(_), Self::All) => false,
        }
    }
}

/// Whether the value has addresses of other variables, by which a kernel may reach them.
fn has_addresses(init: &Init<'_>) -> bool {
    match init {
        Init::None | Init::Bytes(_) | Init::Members(_) => false,
        Init::Linked(linked) => !linked.links.is_empty(),
        Init::Unknown(addresses) => !addresses.is_empty(),
        Init::Value(value) => {
            let mut found = false;
            value.each(&mut |_, value| {
                found |= matches!(value, Value::Address(_) | Value::MaskedAddress(..));
            });
            found
        }
    }
}

/// The last work of a kind that others may have to wait for.
#[derive(Debug)]
struct Work {
    /// The variables that it sets or uses.
    used: Arc<Used>,
    /// The number of the stream of a use; what sets a variable waits for what set it before, in any stream.
    stream: Option<StreamNumber>,
    /// When it was submitted, by the order's count.
    at: u64,
    event: CudaEvent,
}

#[derive(Debug, Default)]
struct State {
    /// Submissions so far.
    count: u64,
    /// For each variable, what set it last.
    sets: Vec<Work>,
    /// For each kernel and stream, the last launch.
    uses: Vec<Work>,
    /// For each variable and stream, the last copy to the host that nothing has waited for.
    gets: Vec<Work>,
}

/// The order of a module's variables: copies to a variable are ordered with each other, and with the launches that use
/// it. Launches are not ordered among themselves.
///
/// As with cudarc's buffers, nothing is recorded in a context with one stream, nor where it does not keep events.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Whether anything was recorded: then it counts, although the other streams may be gone.
    is_used: AtomicBool,
    state: Mutex<State>,
    turn: Turn,
}

/// A copy or a launch that is being submitted: others wait until it is recorded.
pub(super) struct Submission<'o> {
    order: &'o Order,
    state: MutexGuard<'o, State>,
}

impl Order {
    /// Begins a submission to a stream; `None` if it needs no order.
    #[inline]
    fn begin(&self, stream: &CudaStream) -> Result<Option<Submission<'_>>, DriverError> {
        let context = stream.context();
        // `CU_STREAM_PER_THREAD` is another stream in each thread.
        let has_streams = context.is_in_multi_stream_mode()
            || self.is_used.load(Ordering::Relaxed)
            || stream.cu_stream().addr() == 2;
        if !has_streams || !context.is_event_tracking() || is_captured(stream)? {
            return Ok(None);
        }
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(Submission { order: self, state }))
    }

    /// Lets the stream wait for what set the variables that a kernel uses. The kernel is launched before the submission is
    /// [recorded](Submission::used).
    pub(super) fn launch(
        &self,
        stream: &CudaStream,
        used: &Used,
    ) -> Result<Option<Submission<'_>>, DriverError> {
        let Some(submission) = self.begin(stream)? else { return Ok(None) };
        let State { sets, gets, .. } = &*submission.state;
        for it in sets.iter().chain(gets).filter(|it| it.used.meets(used)) {
            stream.wait(&it.event)?;
        }
        Ok(Some(submission))
    }

    /// Lets the stream wait for what set some variables, and for what has used them since.
    pub(super) fn copy(
        &self,
        stream: &CudaStream,
        variables: &Used,
    ) -> Result<Option<Submission<'_>>, DriverError> {
        let Some(submission) = self.begin(stream)? else { return Ok(None) };
        let State { sets, uses, gets, .. } = &*submission.state;
        let mut since = None;
        for set in sets.iter().filter(|set| set.used.meets(variables)) {
            stream.wait(&set.event)?;
            // What set all of them has waited for what had used them.
            if set.used.covers(variables) {
                since = since.max(Some(set.at));
            }
        }
        let later = uses.iter().chain(gets).filter(|it| Some(it.at) > since);
        for it in later.filter(|it| it.used.meets(variables)) {
            stream.wait(&it.event)?;
        }
        Ok(Some(submission))
    }

    /// Waits until no other thread holds the variables, and holds them.
    pub(super) fn hold(&self) -> Held<'_> {
        self.turn.take();
        Held { turn: &self.turn, not_send: PhantomData }
    }

    /// The same as [`hold`](Self::hold), if no other thread holds them.
    pub(super) fn try_hold(&self) -> Option<Held<'_>> {
        self.turn.try_take().then(|| Held { turn: &self.turn, not_send: PhantomData })
    }

    /// Waits until no other thread holds the variables, and leaves it so that one may.
    pub(super) fn wait_for_turn(&self) {
        drop(self.hold());
    }
}

impl Submission<'_> {
    /// Records that the stream uses variables.
    pub(super) fn used(
        &mut self,
        stream: &CudaStream,
        used: &Arc<Used>,
    ) -> Result<(), DriverError> {
        let State { count, uses, .. } = &mut *self.state;
        // What has ended is not waited for: streams that are gone leave nothing behind.
        if uses.len() >= 64 {
            uses.retain(|it| !it.event.is_complete());
        }
        record(uses, count, stream, used, Some(StreamNumber::of(stream)))?;
        self.order.is_used.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Records that the stream copies variables to the host.
    pub(super) fn got(&mut self, stream: &CudaStream, used: &Arc<Used>) -> Result<(), DriverError> {
        let State { count, gets, .. } = &mut *self.state;
        gets.retain(|it| !it.event.is_complete());
        record(gets, count, stream, used, Some(StreamNumber::of(stream)))?;
        self.order.is_used.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Records that the stream sets variables.
    pub(super) fn set(&mut self, stream: &CudaStream, used: &Arc<Used>) -> Result<(), DriverError> {
        let State { count, sets, .. } = &mut *self.state;
        record(sets, count, stream, used, None)?;
        self.order.is_used.store(true, Ordering::Relaxed);
        Ok(())
    }
}

/// Records the stream's work as the last of its kind.
fn record(
    all: &mut Vec<Work>,
    count: &mut u64,
    stream: &CudaStream,
    used: &Arc<Used>,
    number: Option<StreamNumber>,
) -> Result<(), DriverError> {
    *count += 1;
    let at = *count;
    if let Some(known) = all.iter_mut().find(|it| it.stream == number && it.used == *used) {
        if matches!(number, Some(StreamNumber::Handle(_))) {
            // The work may be that of another stream, after which the event would not come.
            stream.wait(&known.event)?;
        }
        known.at = at;
        return known.event.record(stream);
    }
    let event = stream.record_event(None)?;
    all.push(Work { used: Arc::clone(used), stream: number, at, event });
    Ok(())
}

/// What tells streams apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StreamNumber {
    /// A number that no other stream of the process has, also later.
    Unique(u64),
    /// The driver's handle, which it uses again after the stream: drivers before CUDA 12.0 have no numbers.
    Handle(usize),
}

impl StreamNumber {
    fn of(stream: &CudaStream) -> Self {
        let handle = stream.cu_stream().cast();
        let mut number = 0;
        // SAFETY: the stream exists, and a number is written.
        let asked = calls::stream_id().map(|ask| unsafe { ask(handle, &raw mut number) });
        if asked == Ok(0) { Self::Unique(number) } else { Self::Handle(handle.addr()) }
    }
}

/// The turn of a thread, which may take it again.
#[derive(Debug, Default)]
struct Turn {
    /// Who has it, and how often.
    holder: Mutex<Option<(ThreadId, usize)>>,
    is_free: Condvar,
}

impl Turn {
    fn take(&self) {
        let mut holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        while !take(&mut holder) {
            holder = self.is_free.wait(holder).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes it if no other thread has it.
    fn try_take(&self) -> bool {
        take(&mut self.holder.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn give_back(&self) {
        let mut holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *holder {
            Some((_, times)) if *times > 1 => *times -= 1,
            _ => {
                *holder = None;
                self.is_free.notify_one();
            }
        }
    }
}

/// Takes a turn for this thread, if no other has it.
fn take(holder: &mut Option<(ThreadId, usize)>) -> bool {
    let own = std::thread::current().id();
    match holder {
        None => *holder = Some((own, 1)),
        Some((thread, times)) if *thread == own => *times += 1,
        Some(_) => return false,
    }
    true
}

/// Holds the variables of a module for this thread: other threads that set one of them wait until it is dropped.
///
/// What [`set`](super::LoadedVariable::set) returns. Streams order copies and launches, but not what several threads do:
/// between the `set` of one thread and its launch, another may set the variable. Where threads share a module, keep this
/// until the launch:
///
/// ```no_run
/// # use cudarc::driver::{CudaSlice, CudaStream};
/// # use ptx::prelude::*;
/// # #[ptx::module(target = sm_80)]
/// # mod scale {
/// #     use super::*;
/// #     #[constant]
/// #     pub static FACTOR: f32 = 1.0;
/// #     #[kernel(reqntid = 32, requires(data.len() >= n), grid = n.div_ceil(32), unsafe(safe_launch))]
/// #     pub fn scale(data: Ptr<Global, f32>, n: u32) {
/// #         ptx! { ret; }
/// #     }
/// # }
/// # fn each(module: &scale::Loaded, stream: &CudaStream, data: &mut CudaSlice<f32>, x: f32) -> Result<(), Box<dyn std::error::Error>> {
/// let held = module.FACTOR.set(stream, &x)?;
/// module.scale().launch(stream, (data, 1000))?; // with this thread's factor
/// drop(held);
/// # Ok(())
/// # }
/// # fn main() {}
/// ```
///
/// A launch of a [graph](super::capture) that sets variables waits for a thread that holds them, too.
///
/// A thread may hold the variables of a module several times. It holds those of two modules in the same order as other
/// threads do, or they may wait for each other.
pub struct Held<'m> {
    turn: &'m Turn,
    /// Another thread cannot give the turn back.
    not_send: PhantomData<*const ()>,
}

impl fmt::Debug for Held<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Held")
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.turn.give_back();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// A stream that has the handle of an earlier one does not take the place of its unfinished work.
    #[test]
    fn handles_of_streams_are_used_again() -> Result<(), DriverError> {
        let Ok(context) = crate::cuda::context(0) else {
            std::eprintln!("NOT RUN: there is no GPU");
            return Ok(());
        };
        let (earlier, later) = (context.new_stream()?, context.new_stream()?);
        let (mut uses, mut count, used) = (Vec::new(), 0, Used::one(8));
        let number = Some(StreamNumber::Handle(0x10));
        // SAFETY: it is freed below, after the work with it.
        let memory = unsafe { cudarc::driver::result::malloc_sync(1 << 30)? };
        for _ in 0..20 {
            // SAFETY: there are as many bytes.
            unsafe {
                cudarc::driver::result::memset_d8_async(memory, 0, 1 << 30, earlier.cu_stream())?;
            }
        }
        record(&mut uses, &mut count, &earlier, &used, number)?;
        let end = earlier.record_event(None)?;
        record(&mut uses, &mut count, &later, &used, number)?;
        assert_eq!(uses.len(), 1);
        assert!(!end.is_complete(), "the work is too short for this test");
        uses[0].event.synchronize()?;
        assert!(end.is_complete());
        // SAFETY: nothing uses it any more.
        unsafe { cudarc::driver::result::free_sync(memory) }
    }

    #[test]
    fn a_thread_may_hold_twice_and_others_wait() {
        let order = Order::default();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        for _ in 0..1000 {
                            let outer = order.hold();
                            let inner = order.hold();
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                            drop(inner);
                            std::thread::yield_now();
                            assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                            drop(outer);
                        }
                    })
                })
                .collect();
            for thread in threads {
                thread.join().expect("no thread sees another inside");
            }
        });
    }
}
