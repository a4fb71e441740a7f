//! Follows a kernel in its launch, once for each value of its parameters, and reports what is wrong in all runs.

use alloc::boxed::Box;
use alloc::vec::Vec;

use ptx_isa::ir::{self, Directive, DirectiveKind, FunctionKind};
use ptx_isa::rules;
use ptx_isa::rules::Blame;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::block_barrier::BlockBarrier;
use ptx_isa::rules::copy::{Copied, Transactions};
use ptx_isa::rules::protocol::{Disorder, Misuse};
use ptx_isa::rules::reload::Reload;
use ptx_isa::rules::trace::{AccessedBy, Accessor, Trace, TraceFault};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::findings::finding::{Problem, Stop};
use crate::findings::report::BodyReport;
use crate::findings::unit::{Traced, Unit};
use crate::flow::effects::{Action, Jump};
use crate::flow::node::Node;
use crate::flow::place::Place;
use crate::flow::storage::Storage;
use crate::flow::together::Together;
use crate::order::address::{Byte, Layout};
use crate::order::blame;
use crate::order::fault::{Fault, Key, Kind, Lost};
use crate::order::joins::Joins;
use crate::order::launch::{Launch, buffer};
use crate::order::machine::Machine;
use crate::order::memory::Access;
use crate::order::program::steps;
use crate::order::step::{Does, Step, is_followed};
use crate::order::warp::{MULTIPLICATIONS, TENSOR_LOADS, TENSOR_STORES, Warp};
use crate::values::launch::Block;
use crate::values::launches::Launches;

/// The part of the effort after which no more values are tried if nothing is wrong with the first ones.
const PART_OF_FIRST: usize = 8;

/// The values to try, besides the usual ones, where accesses without an order depend on them: a smaller pitch may be less
/// than the number of columns that the threads of a block access.
const GREAT: [u64; 2] = [16_448, 16_445];

/// The value that what does not depend on one is run with.
const ANY: u64 = 4;

/// The most threads of a block.
const MOST_OF_BLOCK: u64 = 1024;

/// The most blocks of a cluster.
const MOST_OF_CLUSTER: u64 = 16;

/// The most threads of a cluster that are followed.
const MOST_THREADS: u64 = 16 * 1024;

/// What a run found, and how often each of its warps executed each step.
struct Run {
    /// The value of the parameters.
    tried: u64,
    faults: SortedMap<Key, Fault>,
    executed: Vec<Box<[u32]>>,
    lost: Option<(usize, Lost)>,
    /// Whether memory was accessed outside of what it is in.
    is_beyond: bool,
}

impl Run {
    /// Whether what it found may depend on a number that runs try.
    fn depends_on_tried(&self) -> bool {
        self.faults.values().any(depends_on_tried)
    }
}

/// Whether a fault is about accesses to memory whose places depend on a number that runs try.
fn depends_on_tried(fault: &Fault) -> bool {
    fault.accesses.is_some_and(|(one, other)| (one.bases | other.bases) != 0)
}

/// The blocks of a kernel whose launch is not known.
const USUAL: [u64; 3] = [128, 32, 1024];

/// The part of the effort that a launch is worth that is not known.
const PART_OF_USUAL: usize = 8;

/// What each launch of a kernel gets of the steps in which threads are followed.
#[derive(Clone, Copy)]
struct Share {
    /// The most steps of warps.
    steps: usize,
    /// Whether they are fewer than without other kernels in the module.
    is_part: bool,
}

impl Share {
    /// The share of each of so many launches, which are known or not.
    fn of(traced: &Traced<'_>, is_known: bool, launches: usize) -> Self {
        let alone = if is_known { traced.effort } else { traced.effort / PART_OF_USUAL };
        let part = traced.part.get() / launches.max(1);
        Self { steps: alone.min(part), is_part: part < alone }
    }
}

/// What happened to the threads of a kernel in the last of its launches, and what is wrong in all of them.
pub(crate) struct Followed {
    steps: Vec<Step>,
    layout: Layout,
    launch: Launch,
    share: Share,
    warps: Vec<Warp>,
    found: Vec<Fault>,
    /// Where the threads were lost in all runs, and why.
    lost: Option<(usize, Lost)>,
    /// Whether the launch is declared or given.
    is_known: bool,
    /// Whether that is so, and all threads came to their ends in all runs, or to where they wait forever.
    pub(crate) is_whole: bool,
}

/// Follows the threads of a kernel in its launches.
pub(crate) fn follow<'a>(
    unit: Unit<'_, 'a>,
    nodes: &[Node<'a>],
    (storages, registers): (&[Storage<'a>], usize),
) -> Option<Followed> {
    let traced = unit.traced?;
    if unit.function.kind != FunctionKind::Kernel {
        return None;
    }
    let launches = launches(unit, traced, storages);
    if launches.is_empty() {
        return None;
    }
    let given = given(traced);
    let of_buffer = |storage: &Storage<'_>| buffer(given, unit.function.params, storage);
    let layout = Layout::of(storages, given.and_then(|launch| launch.dynamic), of_buffer);
    let steps = steps(unit.body, nodes, storages, &layout, (unit.constants.values, unit.symbols));
    let is_any = |step: &Step| is_followed(step) || step.is_aligned;
    if steps.len() != nodes.len() || !steps.iter().any(is_any) {
        return None;
    }
    let joins = Joins::of(&steps);
    let mut found: Option<SortedMap<Key, Fault>> = None;
    let mut warps = Vec::new();
    let meets = |step: &Step| matches!(step.does, Does::ClusterArrive(_) | Does::ClusterWait);
    let (mut followed, mut lost) = (None, None);
    let calls = steps.iter().any(|step| matches!(step.does, Does::Changes));
    let is_known = matches!(unit.block, Block::Exactly(_));
    // A launch may put blocks in clusters that declare none: others may arrive then.
    let is_declared = |it: &Directive| it.kind == DirectiveKind::ReqNCtaPerCluster;
    let has_cluster = given.is_some() || traced.directives.iter().any(is_declared);
    let is_alone = has_cluster || !steps.iter().any(Step::is_of_cluster);
    let mut is_whole = is_known && !calls;
    let share = Share::of(traced, is_known, launches.len());
    for mut launch in launches {
        if !steps.iter().any(meets) {
            launch.follow_grid();
        }
        launch.note_tried(&steps, &joins);
        let (tried, first) = if launch.of_tried.is_empty() {
            (alloc::vec![ANY], 1)
        } else {
            launch.of_tried.values(&steps)
        };
        let mut runs: Vec<Run> = Vec::new();
        let (most, mut spent) = (share.steps / PART_OF_FIRST, 0);
        let of_run = share.steps / tried.len();
        let usual = tried.len();
        for (n, value) in tried.into_iter().chain(GREAT).enumerate() {
            if n >= usual && !runs.iter().any(Run::depends_on_tried) {
                break;
            }
            let is_right = runs.iter().all(|run| run.faults.is_empty());
            if runs.len() >= first && spent >= most && is_right {
                break;
            }
            launch.tried = value;
            let mut machine = Machine::new((&steps, &joins), &layout, &launch, (registers, of_run));
            machine.run();
            spent += of_run - machine.effort;
            warps = core::mem::take(&mut machine.warps);
            let Machine { mut faults, executed, lost, is_beyond, .. } = machine;
            // How far apart accesses are that depend on different parameters, or on several, such as a pitch and a radius, is
            // not known: all of them are the same number in a run.
            faults.0.retain(|_, fault| {
                fault.accesses.is_none_or(|(one, other)| {
                    let of_step = |it: Access| launch.of_tried.base(&steps[it.step], it.operand);
                    of_step(one) == of_step(other) && (one.bases | other.bases).count_ones() <= 1
                })
            });
            // Blocks of other extents may write what these do not.
            if !matches!(unit.block, Block::Exactly(_)) {
                faults.0.retain(|_, fault| !matches!(fault.kind, Kind::NeverWritten));
            }
            runs.push(Run { tried: value, faults: faults.0, executed, lost, is_beyond });
        }
        traced.part.set(traced.part.get().saturating_sub(spent));
        let great = runs.split_off(usual.min(runs.len()));
        // That other kernels of the module leave it fewer steps must not make it report more.
        let is_cut = |run: &Run| share.is_part && matches!(run.lost, Some((_, Lost::Effort)));
        is_whole &= runs.iter().all(|run| run.lost.is_none() || is_cut(run));
        lost = runs.iter().map(|run| run.lost).min().flatten();
        // Numbers with which threads leave what they access are not meant.
        if runs.iter().any(|run| !run.is_beyond) {
            runs.retain(|run| !run.is_beyond);
        }
        let mut in_launch = in_all(&runs, &steps);
        in_launch.retain(|key, fault| {
            !depends_on_tried(fault) || is_of_great((*key, fault), &runs, &great)
        });
        let is_of_mbarrier = |kind: Kind| {
            !matches!(kind, Kind::NeverMet(..) | Kind::ClusterNeverMet(..)) && kind.is_misfit()
        };
        if !is_alone {
            in_launch.retain(|_, fault| !is_of_mbarrier(fault.kind));
        }
        if !launch.of_tried.is_one_count(&steps) {
            in_launch.retain(|_, fault| !fault.kind.is_misfit());
        }
        if let Some(before) = found {
            in_launch
                .retain(|key, fault| before.get(key).is_some_and(|it| it.kind.errs_as(fault.kind)));
        }
        let is_done = in_launch.is_empty();
        found = Some(in_launch);
        followed = Some(launch);
        if is_done {
            break;
        }
    }
    let mut found: Vec<Fault> =
        found.iter().flat_map(SortedMap::values).map(|it| it.to_cause()).collect();
    let of_fault = |fault: &Fault| [fault.step, fault.other()].map(|step| steps[step].statement());
    for fault in &mut found {
        let [one, other] = of_fault(fault);
        if other > one {
            fault.accesses = fault.accesses.map(|(one, other)| (other, one));
            fault.step = fault.accesses.map_or(fault.step, |(one, _)| one.step);
        }
    }
    // The number of arrivals is told before what else is wrong where an mbarrier is initialised.
    found.sort_by_key(|it| {
        let [one, other] = of_fault(it);
        (one, !matches!(it.kind, Kind::TooFewArrivals(..)), other)
    });
    let launch = followed?;
    Some(Followed { steps, layout, launch, share, warps, found, lost, is_known, is_whole })
}

impl Followed {
    /// Whether an access of a step and another one are not ordered.
    pub(crate) fn is_unordered(&self, step: usize) -> bool {
        let is_here = |it: &&Fault| [it.step, it.other()].contains(&step);
        self.found.iter().filter(is_here).any(|it| it.kind == Kind::Unordered)
    }

    /// Reports what is wrong, and what was not followed.
    pub(crate) fn report<'a>(
        self,
        (traced, nodes): (&Traced<'_>, &[Node<'a>]),
        (body, storages): (ir::Body<'_>, &[Storage<'a>]),
        report: &mut BodyReport<'a>,
    ) {
        let Self { steps, layout, launch, share, warps, found, lost, is_known, .. } = self;
        let of = (&warps[..], &launch);
        let writer = Writer { steps: &steps, storages, layout: &layout, of, line: traced.line };
        // What waits forever has a cause, which may have been found already.
        let has_cause = steps.iter().any(|step| {
            is_followed(step) && !is_plain(step) && report.has_finding(step.statement())
        });
        let is_cause = |it: &Fault| matches!(it.kind, Kind::OtherCount(..) | Kind::Invalidated);
        let has_cause = has_cause || found.iter().any(is_cause);
        let is_early = found.iter().any(|it| matches!(it.kind, Kind::FirstParity));
        // More threads may start a copy than should, so that copies overlap, too.
        let of_bytes = |it: &Fault| matches!(it.kind, Kind::OtherBytes(..) | Kind::NotExpected);
        let brings_other = found.iter().any(of_bytes);
        let is_told = |fault: &Fault| {
            let steps = [&steps[fault.step], &steps[fault.other()]];
            steps.iter().any(|it| report.has_finding(it.statement()))
        };
        // What comes after one access without an order has one cause, which may have been found already.
        let told = found.iter().filter(|fault| fault.accesses.is_some() && is_told(fault));
        let mut causes: SortedSet<usize> = told.map(|it| steps[it.other()].statement()).collect();
        let mut pairs: Vec<Pair> = Vec::new();
        let is_undecided = |fault: &Fault| matches!(fault.kind, Kind::Undecided(..));
        let is_other = |it: &Fault| {
            !is_undecided(it) && !it.kind.follows() && !matches!(it.kind, Kind::Unenforced)
        };
        let has_other = found.iter().any(is_other);
        // Whether a wait ends that depends on who is in which phase may be different in another schedule.
        let mut undecided = found.iter().filter(|fault| is_undecided(fault)).map(|it| it.step);
        let undecided = undecided.next();
        for fault in found {
            // In which phase something counts may depend on what else is wrong, and on what comes before.
            let is_led_to = is_undecided(&fault) && (has_other || undecided != Some(fault.step));
            if is_led_to || undecided.is_some() && fault.kind.follows() {
                continue;
            }
            let (step, other) = (&steps[fault.step], &steps[fault.other()]);
            let is_told = [step, other].iter().any(|it| report.has_finding(it.statement()));
            let is_of = |is: fn(&Access) -> bool| {
                fault.accesses.is_some_and(|(one, other)| is(&one) || is(&other))
            };
            let is_of_copy = is_of(|it| it.agent != it.warp);
            let is_of_copies = is_of_copy && !is_of(|it| it.agent == it.warp || it.multiplies);
            if is_told
                || brings_other && is_of_copies
                || has_cause && (fault.kind.follows() || is_of_copy)
                || is_early && fault.kind.follows()
            {
                continue;
            }
            // What today's GPUs hide does not cause what goes wrong on them.
            let is_enforced = !matches!(fault.kind, Kind::Unenforced);
            if fault.accesses.is_some() && is_enforced && !causes.insert(other.statement()) {
                continue;
            }
            if let (Kind::Unordered, Some(accesses)) = (fault.kind, fault.accesses) {
                let pair = Pair::of(accesses);
                if pairs.iter().any(|told| told.has_barrier_of(&pair, nodes)) {
                    continue;
                }
                pairs.push(pair);
            }
            let own = match &nodes[fault.step] {
                Node::Instruction(resolved) => &resolved.allowed[..],
                Node::Label(_) | Node::Nothing => &[],
            };
            for violation in writer.violations(&fault) {
                let has_finding = |subject| report.has_finding_of(violation.rule.code, subject);
                let is_known = match fault.kind {
                    Kind::NotInitialised => has_finding(Some(violation.subject)),
                    // What makes one mbarrier known does so for those that were initialised with it.
                    Kind::NotPublished => has_finding(None),
                    _ => false,
                };
                if is_known {
                    continue;
                }
                let operand = fault.accesses.map_or(0, |(one, _)| one.operand);
                let of_other = fault.accesses.map_or(0, |(_, two)| two.operand);
                let second = (fault.other() != fault.step).then(|| other.place(of_other));
                let value = violation.rule.blames == Blame::Value;
                let gives = value || matches!(fault.kind, Kind::OtherCount(..));
                let count = gives.then(|| count(&nodes[fault.step])).flatten();
                let count = count.or_else(|| blame::number(fault.kind, body, step.statement()));
                let place = count.unwrap_or_else(|| step.place(operand));
                report.report_both(&violation, (place, second), own);
            }
        }
        // What depends on something unknown is told to who gives a launch.
        let is_told = |why| given(traced).is_some() || is_known && matches!(why, Lost::Effort);
        if let Some((step, why)) = lost.filter(|(_, why)| is_told(*why)) {
            let stop = match why {
                Lost::Effort if share.is_part => Stop::Part(share.steps),
                Lost::Effort => Stop::Steps(share.steps),
                Lost::Unknown => Stop::Unknown,
            };
            report.find(steps[step].place(0), Problem::NotFollowed(stop));
        }
    }
}

/// Returns the launch that is given, and not declared.
const fn given<'t>(traced: &Traced<'t>) -> Option<&'t crate::values::launches::Launch> {
    match traced.following.launches {
        Launches::Given(launch) => Some(launch),
        Launches::Declared | Launches::Usual => None,
    }
}

/// Returns the launches in which the threads of a kernel are followed.
fn launches<'a>(unit: Unit<'_, 'a>, traced: &Traced<'_>, storages: &[Storage<'a>]) -> Vec<Launch> {
    let extents = |kind| {
        let directive = traced.directives.iter().find(|it| it.kind == kind);
        directive.map(|directive| directive.values.map(|n| u64::from(n).max(1)))
    };
    let given = given(traced);
    let given_cluster = given.and_then(|launch| launch.cluster).map(|it| it.map(u64::from));
    let cluster = extents(DirectiveKind::ReqNCtaPerCluster).or(given_cluster).unwrap_or([1; 3]);
    let cluster = cluster.map(|blocks| blocks.max(1));
    let blocks: Vec<[u64; 3]> = match (unit.block, traced.following.launches) {
        (Block::Exactly(extents), _) => {
            alloc::vec![extents.map(|n| u64::try_from(n).unwrap_or(1).max(1))]
        }
        (block, Launches::Usual | Launches::Given(_)) => {
            let most = u64::try_from(block.most_threads()).unwrap_or(1);
            let limit = matches!(block, Block::AtMost(_)).then_some(most);
            let usual = limit.into_iter().chain(USUAL.into_iter().filter(|it| Some(*it) != limit));
            usual.filter(|threads| *threads <= most).map(|n| [n, 1, 1]).collect()
        }
        (_, Launches::Declared) => Vec::new(),
    };
    let is_small = |block: &[u64; 3]| {
        let all = block.iter().chain(&cluster).try_fold(1_u64, |all, n| all.checked_mul(*n));
        all.is_some_and(|threads| threads <= MOST_THREADS)
            && cluster.iter().product::<u64>() <= MOST_OF_CLUSTER
            && block.iter().product::<u64>() <= MOST_OF_BLOCK
    };
    let given = (given, traced.following.is_strict);
    let launch = |block| Launch::new(block, cluster, (storages, unit.function.params), given);
    blocks.into_iter().filter(is_small).map(launch).collect()
}

/// Returns the faults of runs that no run lacks that executes both steps as often.
fn in_all(runs: &[Run], steps: &[Step]) -> SortedMap<Key, Fault> {
    let mut found = SortedMap::new();
    for run in runs {
        for (key, fault) in &run.faults {
            let has = |run: &Run| run.faults.contains_key(key);
            if !found.contains_key(key) && is_in_all(runs, (*key, fault), has, &[]) {
                found.insert(*key, *fault);
            }
        }
    }
    // At which barrier it shows that arrivals do not fit may depend on how many there are.
    let is_misfit = |fault: &Fault| fault.kind.is_misfit();
    if !found.values().any(is_misfit) {
        let counted: Vec<usize> =
            (0..steps.len()).filter(|at| steps[*at].does.is_counted()).collect();
        let has = |run: &Run| run.faults.values().any(is_misfit);
        let all = runs.iter().flat_map(|run| &run.faults);
        let misfits = all.filter(|(key, fault)| {
            is_misfit(fault) && is_in_all(runs, (**key, fault), has, &counted)
        });
        // What nothing decides is the cause of the others.
        let first = misfits.min_by_key(|(_, fault)| fault.kind.follows());
        found.extend(first.map(|(key, fault)| (*key, *fault)));
    }
    found
}

/// Whether a fault of runs whose places depend on the number that is tried is there with great ones, too.
fn is_of_great((key, fault): (Key, &Fault), runs: &[Run], great: &[Run]) -> bool {
    let has = |run: &&Run| run.faults.contains_key(&key);
    // What fits shared memory is not so great.
    if !matches!(fault.byte, Some(Byte::Shared(..))) {
        return great.iter().any(|run| !run.is_beyond && has(&run));
    }
    let greatest = runs.iter().filter(has).map(|run| run.tried).max();
    !runs.iter().any(|run| Some(run.tried) > greatest && run.lost.is_none())
}

/// The steps of two accesses without an order, in that of the text, and whether the second comes before the first, in an
/// earlier round of a loop.
struct Pair {
    steps: (usize, usize),
    is_back: bool,
}

impl Pair {
    fn of((one, other): (Access, Access)) -> Self {
        let (first, last) = if one.step <= other.step { (one, other) } else { (other, one) };
        Self { steps: (first.step, last.step), is_back: first.round > last.round }
    }

    /// Whether one barrier would order the accesses of both: the first ones are in a straight line, and the others, too.
    fn has_barrier_of(&self, other: &Self, nodes: &[Node<'_>]) -> bool {
        let is_straight = |node: &Node<'_>| match node {
            Node::Instruction(resolved) => matches!(resolved.effects.jump, Jump::Next),
            Node::Label(_) => false,
            Node::Nothing => true,
        };
        let is_line = |one: usize, other: usize| {
            nodes[one.min(other)..one.max(other)].iter().all(is_straight)
        };
        let (one, two) = (self.steps, other.steps);
        let is_apart = one.0.max(two.0) < one.1.min(two.1);
        self.is_back == other.is_back && is_apart && is_line(one.0, two.0) && is_line(one.1, two.1)
    }
}

/// Returns the place of the number of threads, arrivals or bytes that an instruction gives to a barrier.
fn count(node: &Node<'_>) -> Option<Place> {
    let effects = &node.instruction()?.effects;
    match (&effects.action, effects.together()) {
        (Action::Init(count) | Action::Expect(count), _) => Some(count.1),
        (_, Some(Together::Block(arrival))) => arrival.count.as_ref().map(|count| count.1),
        _ => None,
    }
}

/// Whether a step only accesses memory.
fn is_plain(step: &Step) -> bool {
    matches!(step.does, Does::Load(..) | Does::Store(..) | Does::Access(_) | Does::Flag(..))
}

/// Whether no run executes both steps of a fault as often as one that has it, and these steps together, and does not have
/// it.
fn is_in_all(
    runs: &[Run],
    (key, fault): (Key, &Fault),
    has: impl Fn(&Run) -> bool,
    counted: &[usize],
) -> bool {
    let (one, _, other) = key;
    let (with, mut without): (Vec<&Run>, Vec<&Run>) = runs.iter().partition(|run| has(run));
    // Where there is nothing to do, kernels that cannot be followed otherwise may not be launched.
    let is_led_to = fault.is_of_end() || fault.kind.is_misfit();
    if is_led_to
        && with.iter().all(|run| run.tried == 0)
        && without.iter().any(|it| it.lost.is_some())
    {
        return false;
    }
    // A run that was not followed to its end does not show that this is not there.
    if fault.is_of_end() {
        without.retain(|run| !matches!(run.lost, Some((_, Lost::Effort))));
    }
    // Of a run that ends early, not all warps have come as far as one.
    let times = |run: &Run, step: usize| {
        let of_warps = run.executed.iter().map(|warp| warp[step]);
        (of_warps.clone().sum::<u32>(), of_warps.max().unwrap_or_default())
    };
    let total = |run: &Run| counted.iter().map(|step| u64::from(times(run, *step).0)).sum::<u64>();
    let is_as_much = |run: &Run, than: &Run| {
        [one, other].iter().all(|step| {
            let [run, than] = [run, than].map(|it| times(it, *step));
            run.0 >= than.0 && run.1 >= than.1
        }) && total(run) >= total(than)
    };
    !without.iter().any(|run| with.iter().any(|than| is_as_much(run, than)))
}

/// Writes faults as violations of rules.
struct Writer<'w, 'a> {
    steps: &'w [Step],
    storages: &'w [Storage<'a>],
    layout: &'w Layout,
    /// The warps, and their launch.
    of: (&'w [Warp], &'w Launch),
    line: &'w dyn Fn(Place) -> Option<u32>,
}

impl<'a> Writer<'_, 'a> {
    /// Returns what a byte is in, and its number in that.
    fn object(&self, byte: Option<Byte>) -> (Option<Object<'a>>, i64) {
        let Some((storage, is_pointee, offset)) = byte.and_then(|it| self.layout.storage(it))
        else {
            return (None, 0);
        };
        let choice = self.storages.get(storage).and_then(|storage| storage.choices.first());
        (choice.map(|choice| choice.at(is_pointee).0), offset)
    }

    fn accessor(&self, access: &Access, byte: u64) -> Accessor {
        let (warps, launch) = self.of;
        let warp = &warps[access.warp];
        let is_of = |kind: usize| warp.copies[kind].iter().any(|it| it.agent == access.agent);
        let by = if access.agent == access.warp || is_of(TENSOR_LOADS) || is_of(TENSOR_STORES) {
            AccessedBy::Thread
        } else if is_of(MULTIPLICATIONS) {
            AccessedBy::Multiplication
        } else {
            AccessedBy::Copy
        };
        Accessor {
            thread: warp.first + access.lane_at(byte),
            block: launch.number(warp.block),
            by,
            writes: access.writes,
            round: 0,
            is_here: false,
            line: (self.line)(self.steps[access.step].place(access.operand)).unwrap_or_default(),
        }
    }

    fn violations(&self, fault: &Fault) -> Vec<rules::Violation<'a>> {
        let (object, byte) = self.object(fault.byte);
        let name = object.map_or("memory", Object::name);
        let misuse = |what| rules::check_order(Misuse { name, what });
        let trace = |fault| rules::check_trace(Trace { object, fault });
        match fault.kind {
            Kind::Unordered | Kind::Unenforced => {
                let Some((one, other)) = &fault.accesses else { return Vec::new() };
                let at = fault.byte.and_then(Byte::key).unwrap_or_default();
                let is_here = one.step == other.step;
                // Where both are executed once, nobody asks for the round.
                let round = |of: &Access| if one.round.max(other.round) > 1 { of.round } else { 0 };
                let rounds = (round(one), round(other));
                let one = Accessor { round: rounds.0, ..self.accessor(one, at) };
                let other = Accessor { is_here, round: rounds.1, ..self.accessor(other, at) };
                trace(match fault.kind {
                    Kind::Unenforced => TraceFault::Unenforced(byte, one, other),
                    _ => TraceFault::Unordered(byte, one, other),
                })
            }
            Kind::NotReadOnly => match object {
                Some(object) => {
                    rules::check_reload(Reload { object, apart: 0, stored: 1, loaded: 1 })
                }
                None => Vec::new(),
            },
            Kind::NoBlock(rank, thread, block) => {
                let blocks = self.of.1.blocks();
                trace(TraceFault::NoBlock(thread, block, rank, blocks))
            }
            Kind::NoBarrier(number) => trace(TraceFault::NoBarrier(number)),
            Kind::OtherCount(number, here, there) => {
                trace(TraceFault::OtherCount(number, here, there))
            }
            Kind::NotWhole(bytes) => trace(TraceFault::NotWhole(bytes)),
            Kind::CompletesElsewhere(to, on) => trace(TraceFault::CompletesElsewhere(to, on)),
            Kind::PartialWarpgroup(first, count) => {
                trace(TraceFault::PartialWarpgroup(first, count))
            }
            Kind::Overwritten | Kind::NeverWritten => {
                let Some((access, _)) = &fault.accesses else { return Vec::new() };
                let at = fault.byte.and_then(Byte::key).unwrap_or_default();
                let accessor = self.accessor(access, at);
                trace(match fault.kind {
                    Kind::Overwritten => TraceFault::Overwritten(byte, accessor),
                    _ => TraceFault::NeverWritten(byte, accessor),
                })
            }
            Kind::NotFenced => misuse(Disorder::ProxyNotFenced),
            Kind::NotStarted => misuse(Disorder::BlockNotStarted),
            Kind::MayEnd => misuse(Disorder::BlockMayEnd),
            Kind::InitialisedTwice => misuse(Disorder::InitialisedTwice),
            Kind::Invalidated => misuse(Disorder::UsedAfterInval),
            Kind::NotInitialised => misuse(Disorder::NeverInitialised),
            Kind::NotPublished => misuse(Disorder::NotPublished),
            Kind::TooFewArrivals(expected, most) => {
                let (expected, most) = (expected.into(), most.into());
                misuse(Disorder::Arrivals { expected, most })
            }
            Kind::OtherBytes(expected, copied, _) => {
                let (expected, copied) = (expected.into(), &[Copied::Bytes(copied.into())]);
                rules::check_transactions(Transactions { expected, copied })
            }
            Kind::NotExpected => rules::check_completed(name, false),
            Kind::FirstParity => misuse(Disorder::FirstParity(1)),
            Kind::NeverOver(arrivals, bytes, phases, _) => {
                trace(TraceFault::PhaseNeverOver(arrivals, bytes, phases))
            }
            Kind::TooManyArrivals(count) => trace(TraceFault::TooManyArrivals(count)),
            Kind::NeverMet(number, come, needed) => {
                trace(TraceFault::BarrierNeverMet(number, come, needed))
            }
            Kind::NotFreed(columns) => trace(TraceFault::NotFreed(columns)),
            Kind::NoColumns(columns, held) => trace(TraceFault::NoColumns(columns, held)),
            Kind::StillLoading => trace(TraceFault::StillLoading),
            Kind::PartOfWarp(count, waits) => {
                rules::check_block_barrier(BlockBarrier { count: count.into(), most: None, waits })
            }
            Kind::Mixed(number, reduces) => trace(TraceFault::Mixed(number, reduces)),
            Kind::WaitsElsewhere(thread, block, other) => {
                trace(TraceFault::WaitsElsewhere(thread, block, other))
            }
            Kind::OddColumns(columns) => trace(TraceFault::OddColumns(columns)),
            Kind::Undecided(thread, may_be_over) => {
                trace(TraceFault::Undecided(thread, may_be_over))
            }
            Kind::Diverges(one, other) => trace(TraceFault::WarpDiverges(one.into(), other.into())),
            Kind::ClusterNeverMet(thread, block) => {
                trace(TraceFault::ClusterNeverMet(thread, block))
            }
            Kind::MaskOfAbsent(mask, lane) => trace(TraceFault::MaskOfAbsent(mask, lane)),
            Kind::MaskWithoutOwn(mask, lane) => trace(TraceFault::MaskWithoutOwn(mask, lane)),
            Kind::Outside(bytes) => {
                let Some((access, _)) = &fault.accesses else { return Vec::new() };
                let at = fault.byte.and_then(Byte::key).unwrap_or_default();
                trace(TraceFault::Outside(byte, self.accessor(access, at), bytes))
            }
        }
    }
}
