//! Asynchronous faults: which launches may have caused one, what it means, and what to do.

use core::fmt;
use std::sync::Arc;

use cudarc::driver::sys::CUcontext;
use cudarc::driver::{CudaContext, result};

use super::fault_meaning::{FaultMeaning, fault_meaning};
use super::launch_log::{Log, Report};
use super::recorded::RecordedLaunch;

/// The failure of a kernel, which a later call reports: `Display` says what it means, lists the launches that may have
/// caused it, and says what to do.
///
/// Calls of this module report it as the `Fault` of their error; [`explain`](super::explain) makes one of an error of cudarc's calls.
/// A kernel runs after its launch has returned, and other streams run at the same time, so the driver does not say
/// which one has failed: it is one of the [launches](Self::launches), of kernels and of [graphs](super::Graph), or work that
/// `ptx::cuda` has no record of: that of cudarc or other libraries.
#[derive(Clone)]
pub struct Fault {
    report: Arc<Report>,
    meaning: &'static FaultMeaning,
    /// Whether an earlier call has reported it.
    is_known: bool,
}

ptx_types::__debug_as_message!(Fault);

impl Fault {
    /// What happened: the driver's error, and what it means.
    pub fn meaning(&self) -> &'static FaultMeaning {
        self.meaning
    }

    /// The launches of this context that are not known to have succeeded, oldest first: at most 64, the last ones.
    pub fn launches(&self) -> &[RecordedLaunch] {
        &self.report.launches
    }

    /// How many launches before these are not known to have succeeded, either.
    pub fn before(&self) -> u64 {
        self.report.before
    }

    /// Whether only one launch was running, as far as `ptx::cuda` knows, because it was
    /// [checked](super::Launch::checked).
    pub fn is_certain(&self) -> bool {
        self.report.is_certain
    }

    /// Whether an earlier call has reported this fault, since which the context is lost.
    pub fn is_known(&self) -> bool {
        self.is_known
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { report, meaning, is_known } = self;
        let FaultMeaning { code, name, what, cause, rules, loses_context } = **meaning;
        let advice = "this process can make no other on the device; start a new process";
        if *is_known {
            write!(
                f,
                "the context is lost since an earlier call reported {what} ({name}, {code}): {advice}\n  {cause}"
            )?;
        } else {
            write!(f, "the GPU reports {what} ({name}, {code}): {cause}")?;
        }
        let Report { launches, before, is_certain, .. } = &**report;
        match (&launches[..], before) {
            ([launch], 0) if *is_certain => {
                write!(f, "\n  the only launch at the time was {launch}")?;
            }
            ([], 0) => f.write_str(
                "\n  no launch of `ptx::cuda` can have caused it: all are known to have succeeded",
            )?,
            ([launch], 0) => write!(
                f,
                "\n  it was caused by {launch}; or by work that `ptx::cuda` has no record of"
            )?,
            (launches, before) => {
                let all = before + launches.len() as u64;
                write!(
                    f,
                    "\n  it was caused by one of the {all} launches since the last successful wait, or by work that \
                     `ptx::cuda` has no record of; oldest first:"
                )?;
                if *before > 0 {
                    write!(f, "\n    {before} launches of which nothing is kept")?;
                }
                for launch in launches {
                    write!(f, "\n    {launch}")?;
                }
            }
        }
        if let [first, rest @ ..] = rules {
            write!(f, "\n  rules that find such mistakes before anything runs: {first}")?;
            for rule in rest {
                write!(f, ", {rule}")?;
            }
        }
        f.write_str(if *is_certain {
            "\n  `compute-sanitizer` finds the instruction"
        } else {
            "\n  `PTX_CHECKED_LAUNCHES=1` finds the launch, and `compute-sanitizer` the instruction"
        })?;
        if loses_context && !is_known {
            write!(f, "\n  the context is lost, with all that is in its memory: {advice}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Fault {}

/// The fault that this error of the driver reports, if it is one.
#[cold]
pub(super) fn fault_of(context: &CudaContext, code: u32) -> Option<Fault> {
    fault_at(context.cu_ctx(), code)
}

/// The same for a call in the context that is current.
#[cold]
pub(super) fn fault_of_current(code: u32) -> Option<Fault> {
    fault_at(result::ctx::get_current().ok()??, code)
}

fn fault_at(context: CUcontext, code: u32) -> Option<Fault> {
    fault_in(&Log::at(context), code)
}

fn fault_in(log: &Log, code: u32) -> Option<Fault> {
    let meaning = fault_meaning(code)?;
    let (report, is_known) = log.report(code, meaning.loses_context);
    let meaning = fault_meaning(report.code).unwrap_or(meaning);
    Some(Fault { report, meaning, is_known })
}

/// The same, of a launch that ran alone.
#[cold]
pub(super) fn fault_of_launch(
    context: &CudaContext,
    code: u32,
    launch: RecordedLaunch,
) -> Option<Fault> {
    let meaning = fault_meaning(code)?;
    let report = Log::of(context).report_of(code, meaning.loses_context, launch);
    Some(Fault { report, meaning, is_known: false })
}

#[cfg(test)]
mod tests {
    use core::ffi::c_void;
    use std::string::ToString;

    use ptx_types::ir::Type;
    use ptx_types::ir::{
        Extent, Field, Function, FunctionKind, Param, Pointer, Struct, StructKind,
    };
    use ptx_types::{ScalarType, Space};

    use super::*;
    use crate::cuda::kept::{Passed, Pointed, slots};
    use crate::cuda::launch_log::GraphOf;
    use crate::cuda::launch_ring::Ticket;
    use crate::cuda::shape::{Dim, Shape};

    const U32: &Type<'static> = &Type::Scalar(ScalarType::U32);

    static KERNEL: Function<'static> = Function {
        params: &[
            Param {
                pointer: Some(Pointer { space: Some(Space::Global), align: None, pointee: U32 }),
                ..Param::new("to", &Type::Scalar(ScalarType::U64))
            },
            Param::new("n", U32),
            Param::new("scale", &Type::Scalar(ScalarType::F32)),
            Param::new("shift", &Type::Scalar(ScalarType::S16)),
            Param::new("row", &Type::Vector(4, ScalarType::F64)),
            Param::new("many", &Type::Array(Extent::Known(100), U32)),
            Param::new("pair", &PAIR),
        ],
        ..Function::new(FunctionKind::Kernel, "rows")
    };

    static PAIR: Type<'static> = Type::Struct(Struct {
        name: "Pair",
        size: 8,
        align: 4,
        fields: &[
            Field { name: "left", offset: 0, ty: U32, pointer: None },
            Field { name: "right", offset: 4, ty: &Type::Scalar(ScalarType::B16), pointer: None },
        ],
        kind: StructKind::Fields,
    });

    const SHAPE: Shape =
        Shape { grid: Dim([8, 1, 1]), block: Dim([16, 16, 1]), cluster: None, dynamic: 0 };

    /// Launches the kernel in a stream.
    fn launch(log: &Log, shape: Shape, stream: usize, n: u32) -> Ticket<'_> {
        let (to, scale, shift, row) =
            (0x7f00_0000_1000_u64, 0.5_f32, -3_i16, [1.0_f64, 2.0, 3.0, 4.5]);
        let (many, pair) = ([7_u32; 100], [5_u32, 0x0abc]);
        let params: [*const c_void; 7] = [
            (&raw const to).cast(),
            (&raw const n).cast(),
            (&raw const scale).cast(),
            (&raw const shift).cast(),
            (&raw const row).cast(),
            (&raw const many).cast(),
            (&raw const pair).cast(),
        ];
        let params = params.map(<*const c_void>::cast_mut);
        let mut pointed = [Pointed::new(0, false); 7];
        pointed[0] = Pointed::new(1000, true);
        let passed = Passed { slots: &slots(&KERNEL), params: &params, pointed: &pointed };
        // SAFETY: each address is that of a value of the parameter's type.
        let ticket = unsafe { log.record(&KERNEL, shape, stream, passed) };
        ticket.submitted();
        ticket
    }

    fn fault(log: &Log, code: u32) -> Fault {
        fault_in(log, code).unwrap()
    }

    #[test]
    fn launches_that_have_not_succeeded_are_named() {
        let log = Log::new();
        let _ = launch(&log, SHAPE, 0, 1);
        let _ = launch(&log, SHAPE, 0x5500, 2);
        let mark = log.mark(0);
        let _ = launch(&log, SHAPE, 0, 3);
        log.succeeded(&[mark]);
        let cluster = Shape { cluster: Some(Dim([2, 1, 1])), dynamic: 4096, ..SHAPE };
        let _ = launch(&log, cluster, 0, 4);
        let first = fault(&log, 716);
        assert!(!first.is_known() && first.before() == 0);
        let arguments = "scale = 0.5, shift = -3, row = [1.0, 2.0, 3.0, 4.5], many = [7, 7, 7, 7, 7, 7, 7, 7, .. 100 \
                         elements], pair = { left: 5, right: 0xabc }";
        let expected = std::format!(
            "\
the GPU reports a misaligned address (CUDA_ERROR_MISALIGNED_ADDRESS, 716): a thread accessed an address that is not a \
multiple of the size of the access, or of the alignment that the instruction requires
  it was caused by one of the 3 launches since the last successful wait, or by work that `ptx::cuda` has no record of; \
oldest first:
    `rows`, grid 8, block (16, 16), in stream 0x5500: to = 0x7f0000001000 (1000 elements), n = 2, {arguments}
    `rows`, grid 8, block (16, 16), in the default stream: to = 0x7f0000001000 (1000 elements), n = 3, {arguments}
    `rows`, grid 8, block (16, 16), cluster 2, 4096 bytes of dynamic shared memory, in the default stream: \
to = 0x7f0000001000 (1000 elements), n = 4, {arguments}
  rules that find such mistakes before anything runs: A021, A022, A036, A043
  `PTX_CHECKED_LAUNCHES=1` finds the launch, and `compute-sanitizer` the instruction
  the context is lost, with all that is in its memory: this process can make no other on the device; start a new \
process"
        );
        assert_eq!(first.to_string(), expected);

        // What comes later is about the first fault.
        let _ = launch(&log, SHAPE, 0, 5);
        let second = fault(&log, 700);
        assert!(second.is_known() && second.launches().len() == 3);
        let start = "the context is lost since an earlier call reported a misaligned address (CUDA_ERROR_MIS";
        assert!(second.to_string().starts_with(start), "{second}");
    }

    #[test]
    fn a_log_keeps_the_last_launches_and_counts_the_others() {
        let log = Log::new();
        for n in 0..1000 {
            let _ = launch(&log, SHAPE, 0, n);
        }
        let fault = fault(&log, 700);
        assert_eq!((fault.before(), fault.launches().len()), (1000 - 64, 64));
        assert_eq!(fault.launches()[0].arguments[1], ("n", "936".to_string()));
        let text = fault.to_string();
        let line = "one of the 1000 launches since the last successful wait, ";
        assert!(
            text.contains(line) && text.contains("\n    936 launches of which nothing is kept\n"),
            "{text}"
        );
    }

    #[test]
    fn streams_without_number_are_told_apart_as_far_as_there_is_room() {
        let log = Log::new();
        for stream in 0..100 {
            let _ = launch(&log, SHAPE, stream, 0);
        }
        let marks: std::vec::Vec<_> = (0..100).map(|stream| log.mark(stream)).collect();
        log.succeeded(&marks);
        // Of the others, only a wait for the context knows.
        assert_eq!(log.report(700, false).0.launches.len(), 36);
        log.succeeded(&log.marks());
        assert!(log.report(700, false).0.launches.is_empty());
    }

    /// A thread that waits for its own default stream knows nothing of that of another thread.
    #[test]
    fn default_streams_of_threads_are_told_apart() {
        const PER_THREAD: usize = 2;
        let log = Log::new();
        let _ = launch(&log, SHAPE, PER_THREAD, 1);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _ = launch(&log, SHAPE, PER_THREAD, 2);
                log.succeeded(&[log.mark(PER_THREAD)]);
            });
        });
        let launches = &log.report(700, false).0.launches;
        assert_eq!(launches.len(), 1);
        assert_eq!((launches[0].stream, &*launches[0].arguments[1].1), (PER_THREAD, "1"));
        log.succeeded(&[log.mark(PER_THREAD)]);
        assert!(log.report(700, false).0.launches.is_empty());
    }

    #[test]
    fn a_graph_is_named_by_its_kernels() {
        let log = Arc::new(Log::new());
        let _ = launch(&log, SHAPE, 0, 1);
        let graph = GraphOf::new(&log, &["rows", "columns"]);
        graph.record(0x5500).submitted();
        assert!(!log.refused(graph.record(0x5500), 1));
        // Its launch may still run once it is dropped.
        drop(graph);
        GraphOf::new(&log, &[]).record(0).submitted();
        let (report, _) = log.report(700, false);
        let texts: std::vec::Vec<_> =
            report.launches[1..].iter().map(ToString::to_string).collect();
        let expected = [
            "a graph of `rows`, `columns`, in stream 0x5500",
            "a graph without kernels, in the default stream",
        ];
        assert_eq!(texts, expected);
        assert_eq!(report.launches[1].graph.as_deref(), Some(&["rows", "columns"][..]));
        // A kernel takes the place of a graph in the record.
        for n in 0..64 {
            let _ = launch(&log, SHAPE, 0, n);
        }
        assert!(log.report(700, false).0.launches.iter().all(|launch| launch.graph.is_none()));
    }

    #[test]
    fn nothing_is_named_that_is_not_known() {
        let log = Log::new();
        let text = fault(&log, 719).to_string();
        let line =
            "\n  no launch of `ptx::cuda` can have caused it: all are known to have succeeded\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn a_launch_that_is_refused_is_not_named() {
        let log = Log::new();
        let _ = launch(&log, SHAPE, 0, 1);
        let second = launch(&log, SHAPE, 0, 2);
        second.retract();
        let third = launch(&log, SHAPE, 0, 3);
        let named = |log: &Log| -> std::vec::Vec<std::string::String> {
            let (report, _) = log.report(700, false);
            assert_eq!(report.before, 0);
            report.launches.iter().map(|launch| launch.arguments[1].1.clone()).collect()
        };
        assert_eq!(named(&log), ["1", "3"]);
        let fourth = launch(&log, SHAPE, 8, 4);
        log.all_succeeded_but(third);
        assert_eq!(named(&log), ["3"]);
        log.all_succeeded_but(fourth);
        assert_eq!(named(&log), ["4"]);
    }

    static BARE: Function<'static> = Function::new(FunctionKind::Kernel, "bare");

    /// A wait that ends before the driver is called says nothing of that launch.
    #[test]
    fn a_launch_in_flight_has_not_succeeded() {
        let log = Log::new();
        let none = Passed { slots: &[], params: &[], pointed: &[] };
        // SAFETY: it has no parameters.
        let record = || unsafe { log.record(&BARE, SHAPE, 0, none) };
        record().submitted();
        let ticket = record();
        let marks = [log.mark(0)];
        assert_eq!(log.marks(), marks);
        ticket.submitted();
        log.succeeded(&marks);
        assert_eq!(log.report(700, false).0.launches.len(), 1);
        log.succeeded(&[log.mark(0)]);
        assert!(log.report(700, false).0.launches.is_empty());
    }

    /// Values that have no room are left out, and the others stay.
    #[test]
    fn arguments_are_kept_as_far_as_there_is_room() {
        const LARGE: &Type<'static> = &Type::Array(Extent::Known(1000), U32);
        static WIDE: Function<'static> = Function {
            params: &[
                Param::new("a", LARGE),
                Param::new("b", LARGE),
                Param::new("c", LARGE),
                Param::new("d", LARGE),
                Param::new("e", LARGE),
                Param::new("n", U32),
            ],
            ..Function::new(FunctionKind::Kernel, "wide")
        };
        let log = Log::new();
        let (large, n) = ([3_u32; 1000], 9_u32);
        let mut params = [(&raw const large).cast::<c_void>().cast_mut(); 6];
        params[5] = (&raw const n).cast::<c_void>().cast_mut();
        let pointed = [Pointed::new(0, false); 6];
        let passed = Passed { slots: &slots(&WIDE), params: &params, pointed: &pointed };
        // SAFETY: each address is that of a value of the parameter's type.
        unsafe { log.record(&WIDE, SHAPE, 0, passed) }.submitted();
        let launches = &log.report(700, false).0.launches;
        let text = launches[0].to_string();
        let list = "[3, 3, 3, 3, 3, 3, 3, 3, .. 1000 elements]";
        let expected = std::format!(
            "`wide`, grid 8, block (16, 16), in the default stream: a = {list}, b = {list}, c = {list}, d = {list}, \
             e = [?, ?, ?, ?, ?, ?, ?, ?, .. 1000 elements], n = ?"
        );
        assert_eq!(text, expected);
    }
}
