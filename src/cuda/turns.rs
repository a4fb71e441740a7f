//! Turns at the variables of several modules.

use super::borrows::{Borrows, NotFree, OwnBorrow};
use super::order::Order;

/// A module whose variables some work uses.
pub(super) trait Uses {
    /// The order of its variables, and whose turn it is to set them.
    fn order(&self) -> &Order;

    /// What the host borrows of it.
    fn borrows(&self) -> &Borrows;

    /// Whether the work sets variables.
    fn sets(&self) -> bool;
}

/// What another thread has.
enum Busy<'m> {
    Turn(&'m Order),
    Borrowed(&'m Borrows),
    Own,
}

/// Submits work once no other thread holds variables that it sets, and the host borrows none that it uses: until it is
/// submitted, both stay so.
///
/// Nothing is locked while this waits. A thread that has what this waits for may need the other modules before it gives
/// that back.
pub(super) fn in_turn<M: Uses, R>(
    modules: &[M],
    submit: &mut dyn FnMut() -> R,
) -> Result<R, OwnBorrow> {
    if modules.iter().any(|module| module.borrows().are_own()) {
        return Err(OwnBorrow);
    }
    loop {
        match enter(modules, submit) {
            Ok(result) => return Ok(result),
            Err(Busy::Turn(order)) => order.wait_for_turn(),
            Err(Busy::Borrowed(borrows)) => borrows.wait_for_return(),
            Err(Busy::Own) => return Err(OwnBorrow),
        }
    }
}

/// Takes the turns at all modules, or none. The modules are in the same order for all threads.
fn enter<'m, M: Uses, R>(modules: &'m [M], submit: &mut dyn FnMut() -> R) -> Result<R, Busy<'m>> {
    let Some((module, others)) = modules.split_first() else { return Ok(submit()) };
    let (order, borrows) = (module.order(), module.borrows());
    let _held = if module.sets() { Some(order.try_hold().ok_or(Busy::Turn(order))?) } else { None };
    let submitted = borrows.try_submit().map_err(|why| match why {
        NotFree::Own => Busy::Own,
        NotFree::OtherThread => Busy::Borrowed(borrows),
    });
    let _submitted = submitted?;
    enter(others, submit)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::sync::{Arc, Barrier};
    use std::time::Duration;
    use std::vec::Vec;

    use super::*;

    struct Module {
        order: Order,
        borrows: Borrows,
        is_set: bool,
    }

    impl Uses for Arc<Module> {
        fn order(&self) -> &Order {
            &self.order
        }

        fn borrows(&self) -> &Borrows {
            &self.borrows
        }

        fn sets(&self) -> bool {
            self.is_set
        }
    }

    fn two(is_set: bool) -> Vec<Arc<Module>> {
        let module = || Module { order: Order::default(), borrows: Borrows::new(true), is_set };
        std::vec![Arc::new(module()), Arc::new(module())]
    }

    /// Fails if a thread does not come to its end.
    fn ends(done: &Receiver<()>) {
        // A thread that panics is gone as well.
        let end = done.recv_timeout(Duration::from_secs(20));
        assert_ne!(end, Err(RecvTimeoutError::Timeout), "two threads wait for each other");
        assert_eq!(end, Ok(()), "a thread panicked");
    }

    /// A thread that has borrowed a variable of one module uses the other module before it gives the variable back.
    #[test]
    fn work_that_waits_for_one_module_does_not_lock_the_others() {
        for (borrowed, is_set) in [(0, false), (1, false), (0, true), (1, true)] {
            let modules = two(is_set);
            let (begin, (finished, done)) = (Arc::new(Barrier::new(2)), channel());
            let host = {
                let (modules, begin, finished) =
                    (modules.clone(), Arc::clone(&begin), finished.clone());
                move || {
                    let held = modules[borrowed].order.hold();
                    let borrow = modules[borrowed].borrows.borrow(8).expect("it is free");
                    begin.wait();
                    std::thread::sleep(Duration::from_millis(100));
                    drop(modules[1 - borrowed].borrows.submit(|_| true));
                    drop(modules[1 - borrowed].order.hold());
                    drop((borrow, held));
                    finished.send(()).expect("the test waits");
                }
            };
            let graph = move || {
                begin.wait();
                assert_eq!(in_turn(&modules, &mut || 7), Ok(7));
                finished.send(()).expect("the test waits");
            };
            std::thread::spawn(host);
            std::thread::spawn(graph);
            ends(&done);
            ends(&done);
        }
    }

    #[test]
    fn work_that_sets_variables_waits_for_whoever_holds_them() {
        let modules = two(true);
        let (finished, done) = channel();
        let held = modules[1].order.hold();
        let graph = {
            let modules = modules.clone();
            move || {
                assert_eq!(in_turn(&modules, &mut || 7), Ok(7));
                finished.send(()).expect("the test waits");
            }
        };
        std::thread::spawn(graph);
        let early = done.recv_timeout(Duration::from_millis(100));
        assert_eq!(early, Err(RecvTimeoutError::Timeout));
        // The thread itself does not wait.
        assert_eq!(in_turn(&modules, &mut || 8), Ok(8));
        drop(held);
        ends(&done);
    }

    #[test]
    fn work_with_a_variable_that_its_thread_has_borrowed_is_refused() {
        let modules = two(true);
        let borrow = modules[1].borrows.borrow(8).expect("it is free");
        assert_eq!(in_turn(&modules, &mut || 7), Err(OwnBorrow));
        drop(borrow);
        assert_eq!(in_turn(&modules, &mut || 7), Ok(7));
    }
}
