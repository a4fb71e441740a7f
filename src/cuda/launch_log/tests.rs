use core::sync::atomic::AtomicBool;
use std::string::String;
use std::thread;

use ptx_types::ScalarType;
use ptx_types::ir::{FunctionKind, Param, Type};

use super::*;
use crate::cuda::kept::{Pointed, slots};
use crate::cuda::shape::Dim;

const U32: &Type<'static> = &Type::Scalar(ScalarType::U32);

static KERNEL: Function<'static> = Function {
    params: &[Param::new("first", U32), Param::new("second", U32)],
    ..Function::new(FunctionKind::Kernel, "kernel")
};

/// A launch in the default stream, whose arguments and grid are this number.
fn launch(log: &Log, n: u32) -> Ticket<'_> {
    let shape = Shape { grid: Dim([n, 1, n]), block: Dim([32, 1, 1]), cluster: None, dynamic: 0 };
    let param = (&raw const n).cast_mut().cast();
    let (params, pointed) = ([param; 2], [Pointed::NONE; 2]);
    let passed = Passed { slots: &slots(&KERNEL), params: &params, pointed: &pointed };
    // SAFETY: both addresses are those of a `u32`.
    unsafe { log.record(&KERNEL, shape, 0, passed) }
}

/// The first arguments of the launches that a report lists.
fn listed(log: &Log) -> Vec<String> {
    let (report, _) = log.report(700, false);
    report.launches.iter().map(|launch| launch.arguments[0].1.clone()).collect()
}

#[test]
fn launches_of_threads_are_listed_in_their_order() {
    let log = Log::new();
    launch(&log, 0).submitted();
    for n in [1, 3, 5] {
        thread::scope(|scope| {
            scope.spawn(|| launch(&log, n).submitted());
        });
        launch(&log, n + 1).submitted();
    }
    assert_eq!(listed(&log), ["0", "1", "2", "3", "4", "5", "6"]);
    // What a thread has waited for was launched by others, too.
    let mark = log.mark(0);
    thread::scope(|scope| {
        scope.spawn(|| launch(&log, 7).submitted());
    });
    log.succeeded(&[mark]);
    assert_eq!(listed(&log), ["7"]);
}

#[test]
fn threads_that_have_ended_leave_their_rings_to_others() {
    let log = Log::new();
    launch(&log, 0).submitted();
    for n in 1..=100 {
        thread::scope(|scope| {
            // Its destructors have run once it is joined.
            scope.spawn(|| launch(&log, n).submitted()).join().expect("it launches");
        });
    }
    assert_eq!(log.known().rings.len(), 2);
    // The first, and the last 64 of the others: the oldest of them is left out.
    let (report, _) = log.report(700, false);
    assert_eq!((report.before, report.launches.len()), (37, 64));
}

#[test]
fn a_thread_that_launches_in_several_contexts_finds_its_rings() {
    let logs = [Log::new(), Log::new(), Log::new()];
    for n in 0..30 {
        for log in &logs {
            launch(log, n).submitted();
        }
    }
    for log in &logs {
        assert_eq!(log.known().rings.len(), 1);
        assert!(listed(log).into_iter().eq((0..30).map(|n: u32| std::format!("{n}"))));
    }
    drop(logs);
    // Rings of logs that are gone are not kept, and none takes the place of another.
    let log = Log::new();
    launch(&log, 1).submitted();
    assert_eq!(listed(&log), ["1"]);
    assert!(RINGS.with(|Rings(rings)| rings.borrow().len() == 1));
}

/// A launch in the destructor of something that a thread has.
#[test]
fn a_thread_may_launch_while_it_ends() {
    struct Last(Arc<Log>);
    impl Drop for Last {
        fn drop(&mut self) {
            launch(&self.0, 9).submitted();
        }
    }
    std::thread_local! {
        static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
    }
    let log = Arc::new(Log::new());
    for _ in 0..10 {
        let log = Arc::clone(&log);
        let thread = thread::spawn(move || {
            // It is dropped after what is used later.
            LAST.with(|last| last.replace(Some(Last(Arc::clone(&log)))));
            launch(&log, 8).submitted();
        });
        thread.join().expect("it launches");
    }
    assert_eq!(listed(&log), ["8", "9"].repeat(10));
    assert_eq!(log.known().rings.len(), 1);
}

/// While threads launch, what is listed is whole, and in the order of each.
#[test]
fn a_report_sees_no_half_of_a_launch() {
    let log = Log::new();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for thread in 0..2 {
            let (log, is_over) = (&log, &is_over);
            scope.spawn(move || {
                for n in 0.. {
                    launch(log, 2 * n + thread).submitted();
                    if is_over.load(Relaxed) {
                        break;
                    }
                }
            });
        }
        let mut seen = 0;
        while seen < 20_000 {
            let (report, _) = log.report(700, false);
            let mut last = [0; 2];
            for launch in &report.launches {
                let [(_, first), (_, second)] = &launch.arguments[..] else { panic!("{launch}") };
                assert_eq!(first, second);
                let n: u32 = first.parse().expect("a number");
                assert_eq!(launch.grid, Dim([n, 1, n]));
                let last = &mut last[n as usize % 2];
                assert!(*last <= n, "{last} before {n}");
                *last = n;
            }
            seen += report.launches.len();
            if report.launches.is_empty() {
                thread::yield_now();
            }
        }
        is_over.store(true, Relaxed);
    });
}
