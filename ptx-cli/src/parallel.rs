//! Work on several files at once.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::input::Input;
use crate::progress::Progress;

/// The interval between progress updates.
const TICK: Duration = Duration::from_millis(100);
/// The stack size of a working thread in bytes: that of a program's main thread.
const STACK: usize = 8 << 20;

/// Works on each of the files, several in parallel, and passes on the results in order.
///
/// # Errors
/// The first error of `take`, after which no more files are begun; or no thread could be started.
pub(crate) fn for_each<T: Send>(
    inputs: &[Input],
    mut progress: Progress,
    work: impl Fn(&Input) -> T + Sync,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..workers {
            let (send, next, work) = (send.clone(), &next, &work);
            let work_on = move || {
                while let Some((n, input)) = take_next(inputs, next) {
                    if send.send((n, work(input))).is_err() {
                        return;
                    }
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work_on)?;
        }
        drop(send);
        let mut waiting: BTreeMap<usize, T> = BTreeMap::new();
        let mut taken = 0;
        while taken < inputs.len() {
            match receive.recv_timeout(TICK) {
                Ok((n, result)) => {
                    waiting.insert(n, result);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while let Some(result) = waiting.remove(&taken) {
                taken += 1;
                if let Err(error) = progress.suspended(|| take(result)) {
                    next.store(inputs.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
            if let Some(input) = inputs.get(taken) {
                progress.update(taken + waiting.len(), &input.name);
            }
        }
        Ok(())
    })
}

fn take_next<'i>(inputs: &'i [Input], next: &AtomicUsize) -> Option<(usize, &'i Input)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    Some((n, inputs.get(n)?))
}
