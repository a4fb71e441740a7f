//! A lock for a few writes on the path of a launch.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A lock that is given back by a plain store. A `Mutex` is given back by an atomic exchange, which waits until all stores
/// before it have reached the cache. Whoever waits for it yields: it is held for some nanoseconds, except when a fault is
/// reported.
pub(super) struct Spin<T> {
    is_locked: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time reaches the value.
unsafe impl<T: Send> Sync for Spin<T> {}

/// The value of a lock, which is given back when this is dropped.
pub(super) struct Locked<'l, T> {
    lock: &'l Spin<T>,
}

impl<T> Spin<T> {
    pub(super) const fn new(value: T) -> Self {
        Self { is_locked: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline]
    pub(super) fn lock(&self) -> Locked<'_, T> {
        if self.is_locked.compare_exchange(false, true, Acquire, Relaxed).is_err() {
            self.wait();
        }
        Locked { lock: self }
    }

    #[cold]
    fn wait(&self) {
        loop {
            for _ in 0..64 {
                core::hint::spin_loop();
                if !self.is_locked.load(Relaxed)
                    && self.is_locked.compare_exchange(false, true, Acquire, Relaxed).is_ok()
                {
                    return;
                }
            }
            std::thread::yield_now();
        }
    }
}

impl<T> Deref for Locked<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: this has the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Locked<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Locked<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.lock.is_locked.store(false, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::Spin;

    #[test]
    fn one_thread_at_a_time_has_the_value() {
        let lock = Spin::new((0, 0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let mut numbers = lock.lock();
                        numbers.0 += 1;
                        assert_eq!(numbers.0, numbers.1 + 1);
                        numbers.1 += 1;
                    }
                });
            }
        });
        assert_eq!(*lock.lock(), (40_000, 40_000));
    }
}
