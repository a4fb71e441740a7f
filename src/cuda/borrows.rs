//! What the host borrows of a module's managed memory.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::ThreadId;
use std::vec::Vec;

/// The variables of a module that the host borrows: nothing that uses one of them is submitted meanwhile.
#[derive(Debug)]
pub(super) struct Borrows {
    /// Whether the module has managed variables; the host borrows no others.
    has_managed: bool,
    borrowed: Mutex<Vec<Borrowed>>,
    is_returned: Condvar,
}

/// A variable by its address, and the thread that borrows it.
#[derive(Debug, PartialEq, Eq)]
struct Borrowed {
    thread: ThreadId,
    variable: u64,
}

/// Work that is being submitted: until this is dropped, the host borrows nothing.
#[must_use]
pub(super) struct Submitted<'b> {
    _none_begins: MutexGuard<'b, Vec<Borrowed>>,
}

/// A borrow by this thread, which ends when it is dropped.
pub(super) struct Borrow<'b> {
    borrows: &'b Borrows,
    borrowed: Borrowed,
}

/// This thread borrows the variable itself, so waiting would not end.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OwnBorrow;

/// Why work is not submitted at once.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NotFree {
    /// This thread borrows a variable.
    Own,
    /// Another one does.
    OtherThread,
}

impl Borrows {
    pub(super) fn new(has_managed: bool) -> Self {
        Self { has_managed, borrowed: Mutex::default(), is_returned: Condvar::new() }
    }

    /// Waits until no other thread borrows a variable that the work uses. Nothing is borrowed until the result is
    /// dropped, when the work is submitted; `None` in a module without managed variables.
    #[inline]
    pub(super) fn submit(
        &self,
        uses: impl Fn(u64) -> bool,
    ) -> Result<Option<Submitted<'_>>, OwnBorrow> {
        if !self.has_managed {
            return Ok(None);
        }
        self.wait_for(uses).map(|none_begins| Some(Submitted { _none_begins: none_begins }))
    }

    /// The same as [`submit`](Self::submit) for work that may use all variables, without waiting.
    pub(super) fn try_submit(&self) -> Result<Option<Submitted<'_>>, NotFree> {
        if !self.has_managed {
            return Ok(None);
        }
        let borrowed = self.borrowed.lock().unwrap_or_else(PoisonError::into_inner);
        match borrowed.first() {
            None => Ok(Some(Submitted { _none_begins: borrowed })),
            Some(_) if are_own(&borrowed) => Err(NotFree::Own),
            Some(_) => Err(NotFree::OtherThread),
        }
    }

    /// Waits until no other thread borrows a variable, and leaves it so that one may.
    pub(super) fn wait_for_return(&self) {
        drop(self.wait_for(|_| true));
    }

    /// Whether this thread borrows a variable.
    pub(super) fn are_own(&self) -> bool {
        self.has_managed && are_own(&self.borrowed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Borrows a variable, once no other thread does.
    pub(super) fn borrow(&self, variable: u64) -> Result<Borrow<'_>, OwnBorrow> {
        let mut borrowed = self.wait_for(|other| other == variable)?;
        let thread = std::thread::current().id();
        borrowed.push(Borrowed { thread, variable });
        Ok(Borrow { borrows: self, borrowed: Borrowed { thread, variable } })
    }

    fn wait_for(
        &self,
        uses: impl Fn(u64) -> bool,
    ) -> Result<MutexGuard<'_, Vec<Borrowed>>, OwnBorrow> {
        let mut borrowed = self.borrowed.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let Some(by) = borrowed.iter().find(|it| uses(it.variable)) else {
                return Ok(borrowed);
            };
            if by.thread == std::thread::current().id() {
                return Err(OwnBorrow);
            }
            borrowed = self.is_returned.wait(borrowed).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Whether one of them is this thread's.
fn are_own(borrowed: &[Borrowed]) -> bool {
    !borrowed.is_empty() && {
        let own = std::thread::current().id();
        borrowed.iter().any(|it| it.thread == own)
    }
}

impl Drop for Borrow<'_> {
    fn drop(&mut self) {
        let mut borrowed = self.borrows.borrowed.lock().unwrap_or_else(PoisonError::into_inner);
        borrowed.retain(|it| *it != self.borrowed);
        drop(borrowed);
        self.borrows.is_returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::{Borrows, OwnBorrow};
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_thread_does_not_submit_what_it_borrows() {
        let borrows = Borrows::new(true);
        let first = borrows.borrow(8).expect("nothing is borrowed");
        assert_eq!(borrows.submit(|it| it == 8).err(), Some(OwnBorrow));
        assert_eq!(borrows.borrow(8).err(), Some(OwnBorrow));
        assert!(borrows.submit(|it| it == 16).is_ok_and(|submitted| submitted.is_some()));
        let second = borrows.borrow(16).expect("it is another variable");
        drop(first);
        assert!(borrows.submit(|it| it == 8).is_ok());
        assert_eq!(borrows.submit(|it| it == 16).err(), Some(OwnBorrow));
        drop(second);
        assert!(borrows.submit(|_| true).is_ok());
        assert!(Borrows::new(false).submit(|_| true).is_ok_and(|submitted| submitted.is_none()));
    }

    #[test]
    fn other_threads_wait() {
        let borrows = Borrows::new(true);
        let is_returned = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let borrow = borrows.borrow(8).expect("nothing is borrowed");
            let other = scope.spawn(|| {
                let submitted = borrows.submit(|it| it == 8).expect("it waits");
                assert!(submitted.is_some() && is_returned.load(Ordering::SeqCst));
            });
            std::thread::yield_now();
            is_returned.store(true, Ordering::SeqCst);
            drop(borrow);
            other.join().expect("it sees the end of the borrow");
        });
    }
}
