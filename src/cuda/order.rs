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
use super::module::LoadedModule;

/// The variables that a kernel uses and the host can copy, by their addresses.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Used {
    These(Box<[u64]>),
    /// It may use any: what it calls is in another module, or addresses lie in a variable that it uses.
    All,
}

impl Used {
    /// Those of a kernel; `None` if there is none.
    pub(super) fn of(module: &LoadedModule, ir: &ir::Function<'_>) -> Option<Arc<Self>> {
        let copied = |variable: &&&ir::Variable<'_>| {
            matches!(variable.space, Space::Global | Space::Const) && variable.ty.opaque().is_none()
        };
        let calls_elsewhere = module.linked.len() > 1 && !ir.calls.is_empty();
        if calls_elsewhere || ir.uses.iter().any(|variable| has_addresses(&variable.init)) {
            return Some(Arc::new(Self::All));
        }
        let found = ir.uses.iter().filter(copied).filter_map(|it| module.global(it.name));
        let these: Box<[u64]> = found.map(|(address, _)| address).collect();
        (!these.is_empty()).then(|| Arc::new(Self::These(these)))
    }

    pub(super) fn contains(&self, variable: u64) -> bool {
        match self {
            Self::These(these) => these.contains(&variable),
            Self::All => true,
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

/// Work that others may have to wait for.
#[derive(Debug)]
struct Recorded {
    event: CudaEvent,
    /// When it was submitted, by the order's count.
    at: u64,
}

/// The last copy to a variable.
#[derive(Debug)]
struct Set {
    variable: u64,
    last: Recorded,
}

/// The last launch of a kernel in a stream, or the last copy from a variable.
#[derive(Debug)]
struct Use {
    used: Arc<Used>,
    stream: u64,
    last: Recorded,
}

#[derive(Debug, Default)]
struct State {
    /// Copies and launches so far.
    count: u64,
    sets: Vec<Set>,
    uses: Vec<Use>,
}

impl State {
    fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }
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
        let has_streams = context.is_in_multi_stream_mode() || self.is_used.load(Ordering::Relaxed);
        if !has_streams || !context.is_event_tracking() || is_captured(stream)? {
            return Ok(None);
        }
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(Submission { order: self, state }))
    }

    /// Lets the stream wait for the last copies to what a kernel uses. It is launched before the submission is
    /// [recorded](Submission::used).
    pub(super) fn launch(
        &self,
        stream: &CudaStream,
        used: &Used,
    ) -> Result<Option<Submission<'_>>, DriverError> {
        let Some(submission) = self.begin(stream)? else { return Ok(None) };
        for set in submission.state.sets.iter().filter(|set| used.contains(set.variable)) {
            stream.wait(&set.last.event)?;
        }
        Ok(Some(submission))
    }

    /// Lets the stream wait for the last copy to a variable, and for the launches that have used it since.
    pub(super) fn copy(
        &self,
        stream: &CudaStream,
        variable: u64,
    ) -> Result<Option<Submission<'_>>, DriverError> {
        let Some(submission) = self.begin(stream)? else { return Ok(None) };
        let set = submission.state.sets.iter().find(|set| set.variable == variable);
        if let Some(set) = set {
            stream.wait(&set.last.event)?;
        }
        // The last copy has waited for what was launched before it.
        let since = set.map_or(0, |set| set.last.at);
        for used in &submission.state.uses {
            if used.last.at > since && used.used.contains(variable) {
                stream.wait(&used.last.event)?;
            }
        }
        Ok(Some(submission))
    }

    /// Waits until no other thread holds the variables, and holds them.
    pub(super) fn hold(&self) -> Held<'_> {
        self.turn.take();
        Held { turn: &self.turn, not_send: PhantomData }
    }
}

impl Submission<'_> {
    /// Records that the stream uses variables.
    pub(super) fn used(mut self, stream: &CudaStream, used: &Arc<Used>) -> Result<(), DriverError> {
        let id = stream_id(stream);
        let at = self.state.next();
        let known =
            self.state.uses.iter_mut().find(|known| known.stream == id && known.used == *used);
        if let Some(known) = known {
            known.last.at = at;
            return known.last.event.record(stream);
        }
        self.order.is_used.store(true, Ordering::Relaxed);
        // What has ended is not waited for: streams that are gone leave nothing behind.
        let ended = |it: &Use| it.last.event.is_complete();
        if self.state.uses.len() >= 64 {
            self.state.uses.retain(|it| !ended(it));
        }
        let last = Recorded { event: stream.record_event(None)?, at };
        self.state.uses.push(Use { used: Arc::clone(used), stream: id, last });
        Ok(())
    }

    /// Records that the stream sets a variable.
    pub(super) fn set(mut self, stream: &CudaStream, variable: u64) -> Result<(), DriverError> {
        let at = self.state.next();
        if let Some(set) = self.state.sets.iter_mut().find(|set| set.variable == variable) {
            set.last.at = at;
            return set.last.event.record(stream);
        }
        self.order.is_used.store(true, Ordering::Relaxed);
        let last = Recorded { event: stream.record_event(None)?, at };
        self.state.sets.push(Set { variable, last });
        Ok(())
    }
}

/// A number of the stream that no other has, also after it: handles are used again.
fn stream_id(stream: &CudaStream) -> u64 {
    let handle = stream.cu_stream().cast();
    let mut id = 0;
    // SAFETY: the stream exists, and a number is written.
    let asked = calls::stream_id().map(|ask| unsafe { ask(handle, &raw mut id) });
    // Drivers before CUDA 12.0 have no numbers.
    if asked == Ok(0) { id } else { handle.addr() as u64 }
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
        let own = std::thread::current().id();
        let mut holder = self.holder.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &mut *holder {
                None => {
                    *holder = Some((own, 1));
                    return;
                }
                Some((thread, times)) if *thread == own => {
                    *times += 1;
                    return;
                }
                Some(_) => {
                    holder = self.is_free.wait(holder).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
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
/// ```
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
    use super::Order;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::vec::Vec;

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
