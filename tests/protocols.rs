//! Reports about the order of barriers, copies and proxies are true: random kernels of one thread are
//! simulated along random paths, and the mistake reported at a line occurs there on every path.
//!
//! `PTX_PROTOCOL_CASES` is the number of kernels.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestError, TestRunner};
use ptx::text::Parsed;

/// The statement of a line.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Line {
    Label(usize),
    /// A jump on a condition that the analysis does not know.
    Jump(usize),
    End,
    /// `cp.async` to a tile.
    Copy(usize),
    Commit,
    Wait(u8),
    WaitAll,
    Read(usize),
    Store(usize),
    Fence,
    /// A bulk copy of a tile to global memory.
    Bulk(usize),
    CommitBulk,
    WaitBulk(u8),
    Init(usize),
    Invalidate(usize),
    Arrive(usize),
}

const LABELS: usize = 3;

// Not drawn by ptx-smith, whose kernels are right or have one fault: how often these are wrong, their simulation says.
fn line() -> impl Strategy<Value = Line> {
    prop_oneof![
        1 => Just(Line::End),
        2 => (0..2_usize).prop_map(Line::Copy),
        2 => Just(Line::Commit),
        1 => (0..3_u8).prop_map(Line::Wait),
        1 => Just(Line::WaitAll),
        3 => (0..3_usize).prop_map(Line::Read),
        3 => (1..3_usize).prop_map(Line::Store),
        1 => Just(Line::Fence),
        2 => (1..3_usize).prop_map(Line::Bulk),
        2 => Just(Line::CommitBulk),
        1 => (0..3_u8).prop_map(Line::WaitBulk),
        2 => (0..2_usize).prop_map(Line::Init),
        2 => (0..2_usize).prop_map(Line::Invalidate),
        3 => (0..2_usize).prop_map(Line::Arrive),
        4 => (0..LABELS).prop_map(Line::Jump),
    ]
}

/// Lines in which each label is defined once.
fn program() -> impl Strategy<Value = Vec<Line>> {
    let labels = proptest::collection::vec(any::<prop::sample::Index>(), LABELS);
    (proptest::collection::vec(line(), 2..14), labels).prop_map(|(mut lines, labels)| {
        for (label, place) in labels.iter().enumerate() {
            lines.insert(place.index(lines.len() + 1), Line::Label(label));
        }
        lines
    })
}

/// The lines before a program's.
const HEAD: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n\
    .shared .align 8 .b64 b0;\n.shared .align 8 .b64 b1;\n\
    .shared .align 16 .b8 t0[16];\n.shared .align 16 .b8 t1[16];\n.shared .align 16 .b8 t2[16];\n\
    .global .align 16 .b8 data[64];\n.global .b32 flag;\n\
    .entry k() {\n.reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %d;\nmov.u64 %d, data;\n";

fn text(lines: &[Line]) -> String {
    let mut text = String::from(HEAD);
    for line in lines {
        let _ = match line {
            Line::Label(label) => writeln!(text, "L{label}:"),
            Line::Jump(label) => writeln!(
                text,
                "ld.global.u32 %r0, [flag]; setp.eq.u32 %p, %r0, 1; @%p bra L{label};"
            ),
            Line::End => {
                writeln!(text, "ld.global.u32 %r0, [flag]; setp.eq.u32 %p, %r0, 1; @%p exit;")
            }
            Line::Copy(tile) => writeln!(text, "cp.async.cg.shared.global [t{tile}], [%d], 16;"),
            Line::Commit => writeln!(text, "cp.async.commit_group;"),
            Line::Wait(left) => writeln!(text, "cp.async.wait_group {left};"),
            Line::WaitAll => writeln!(text, "cp.async.wait_all;"),
            Line::Read(tile) => writeln!(text, "ld.shared.u32 %r1, [t{tile}+4];"),
            Line::Store(tile) => writeln!(text, "st.shared.u32 [t{tile}+4], 7;"),
            Line::Fence => writeln!(text, "fence.proxy.async;"),
            Line::Bulk(tile) => {
                writeln!(text, "cp.async.bulk.global.shared::cta.bulk_group [%d], [t{tile}], 16;")
            }
            Line::CommitBulk => writeln!(text, "cp.async.bulk.commit_group;"),
            Line::WaitBulk(left) => writeln!(text, "cp.async.bulk.wait_group.read {left};"),
            Line::Init(barrier) => writeln!(text, "mbarrier.init.shared.b64 [b{barrier}], 1;"),
            Line::Invalidate(barrier) => writeln!(text, "mbarrier.inval.shared.b64 [b{barrier}];"),
            Line::Arrive(barrier) => writeln!(text, "mbarrier.arrive.shared.b64 _, [b{barrier}];"),
        };
    }
    text + "ret;\n}\n"
}

/// A copy that a thread started.
#[derive(Clone, Copy, Debug)]
struct Started {
    tile: usize,
    line: usize,
}

/// The pending copies of a thread.
#[derive(Clone, Default, Debug)]
struct Groups {
    open: Vec<Started>,
    committed: Vec<Vec<Started>>,
}

impl Groups {
    fn commit(&mut self) {
        let group = std::mem::take(&mut self.open);
        self.committed.push(group);
    }

    fn wait(&mut self, left: u8) {
        let over = self.committed.len().saturating_sub(left.into());
        self.committed.drain(..over);
    }

    fn pending(&self) -> impl Iterator<Item = &Started> {
        self.open.iter().chain(self.committed.iter().flatten())
    }

    fn has(&self, tile: usize) -> bool {
        self.pending().any(|copy| copy.tile == tile)
    }
}

/// The state of a tile.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Content {
    Nothing,
    Stored,
    Fenced,
    Copied,
}

/// The state of a barrier's memory.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Barrier {
    Never,
    Valid,
    Invalid,
}

/// What happens on a path.
#[derive(Default)]
struct Walk {
    /// For each line number, what goes wrong there: the codes of each visit.
    wrong: BTreeMap<usize, Vec<Vec<&'static str>>>,
    /// For each write to the source of a bulk copy, the line numbers of both: whether the copy is pending at each
    /// visit to the write that is the first one after the copy.
    overwrites: BTreeMap<(usize, usize), Vec<bool>>,
}

/// Executes a program, taking its jumps as `jumps` lists them, and records what goes wrong.
fn walk(lines: &[Line], jumps: &[bool]) -> Walk {
    let mut seen = Walk::default();
    let (mut copies, mut bulk) = (Groups::default(), Groups::default());
    let mut tiles = [Content::Nothing; 3];
    let mut barriers = [Barrier::Never; 2];
    let mut ever = [false; 2];
    // For each line, the bulk copies of what it writes that were started after its last execution.
    let mut since: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); lines.len()];
    let (mut at, mut jumps) = (0, jumps.iter());
    while let Some(line) = lines.get(at) {
        let mut found = Vec::new();
        let number = at;
        at += 1;
        match *line {
            Line::Label(_) => continue,
            Line::Jump(label) => {
                let Some(jumps) = jumps.next() else { return seen };
                if *jumps {
                    at = lines
                        .iter()
                        .position(|it| *it == Line::Label(label))
                        .expect("a known label");
                }
                continue;
            }
            Line::End => match jumps.next() {
                Some(false) => continue,
                Some(true) | None => return seen,
            },
            Line::Copy(tile) => {
                copies.open.push(Started { tile, line: number });
                if bulk.has(tile) {
                    found.push("A071");
                }
                tiles[tile] = Content::Copied;
            }
            Line::Commit => copies.commit(),
            Line::Wait(left) => copies.wait(left),
            Line::WaitAll => copies = Groups::default(),
            Line::Read(tile) => {
                if copies.has(tile) || tiles[tile] == Content::Nothing {
                    found.push("A070");
                }
            }
            Line::Store(tile) => {
                if bulk.has(tile) {
                    found.push("A071");
                }
                tiles[tile] = Content::Stored;
            }
            Line::Fence => {
                for tile in &mut tiles {
                    if *tile == Content::Stored {
                        *tile = Content::Fenced;
                    }
                }
            }
            Line::Bulk(tile) => {
                if matches!(tiles[tile], Content::Stored | Content::Nothing) {
                    found.push("A072");
                }
                bulk.open.push(Started { tile, line: number });
                let writes =
                    |line: &Line| matches!(line, Line::Copy(to) | Line::Store(to) if *to == tile);
                for (since, _) in since.iter_mut().zip(lines).filter(|(_, line)| writes(line)) {
                    since.insert(number);
                }
            }
            Line::CommitBulk => bulk.commit(),
            Line::WaitBulk(left) => bulk.wait(left),
            Line::Init(barrier) => {
                if barriers[barrier] == Barrier::Valid {
                    found.push("A064");
                }
                (barriers[barrier], ever[barrier]) = (Barrier::Valid, true);
            }
            Line::Invalidate(barrier) => barriers[barrier] = Barrier::Invalid,
            Line::Arrive(barrier) => {
                found.extend((barriers[barrier] == Barrier::Invalid).then_some("A065"));
                found.extend((!ever[barrier]).then_some("A066"));
            }
        }
        for copy in std::mem::take(&mut since[number]) {
            let is_pending = bulk.pending().any(|it| it.line == copy);
            seen.overwrites.entry((number, copy)).or_default().push(is_pending);
        }
        seen.wrong.entry(number).or_default().push(found);
    }
    seen
}

/// Whether some bulk copy is pending whenever one of these paths comes from it to this line; also if no path comes
/// from a copy to the line.
fn overwrites(walks: &[Walk], number: usize) -> bool {
    let mut copies: BTreeMap<usize, bool> = BTreeMap::new();
    for ((_, copy), pending) in
        walks.iter().flat_map(|walk| walk.overwrites.range((number, 0)..(number + 1, 0)))
    {
        *copies.entry(*copy).or_insert(true) &= pending.iter().all(|it| *it);
    }
    copies.is_empty() || copies.values().any(|is_always| *is_always)
}

/// The totals over all programs.
#[derive(Debug, Default)]
struct Seen {
    /// The number of findings for each code.
    found: BTreeMap<&'static str, usize>,
    /// The number of lines that go wrong on every visit, for each code.
    wrong: BTreeMap<&'static str, usize>,
}

fn check(lines: &[Line], ways: &[Vec<bool>], seen: &mut Seen) -> Result<(), String> {
    let text = text(lines);
    let parsed = Parsed::new(text.clone());
    let all: Vec<Walk> = ways.iter().map(|jumps| walk(lines, jumps)).collect();
    let first_line = HEAD.lines().count();
    let mut reported: Vec<(usize, &'static str)> = Vec::new();
    for found in parsed.check() {
        let Some(code) = found.code else { return Err(format!("{found:?}\n{text}")) };
        let line = parsed.position(found.range.start).line as usize;
        reported.push((line - 1 - first_line, code));
    }
    for (number, code) in &reported {
        *seen.found.entry(*code).or_default() += 1;
        // The first visit decides for the others.
        let is_wrong_at_first = |walk: &Walk| {
            let times = walk.wrong.get(number);
            times.is_none_or(|it| it.first().is_some_and(|codes| codes.contains(code)))
        };
        let goes_wrong = match *code {
            "A071" => overwrites(&all, *number),
            _ => all.iter().all(is_wrong_at_first),
        };
        if !goes_wrong {
            return Err(format!("line {number} is right, and {code} is reported\n{text}"));
        }
    }
    for number in 0..lines.len() {
        for code in ["A064", "A065", "A066", "A070", "A071", "A072"] {
            let mut times = all.iter().filter_map(|walk| walk.wrong.get(&number)).peekable();
            let is_wrong = |times: &Vec<Vec<&'static str>>| {
                times.first().is_some_and(|codes| codes.contains(&code))
            };
            if times.peek().is_some() && times.all(is_wrong) {
                *seen.wrong.entry(code).or_default() += 1;
            }
        }
    }
    Ok(())
}

#[test]
fn reported_mistakes_of_order_happen() {
    let cases = std::env::var("PTX_PROTOCOL_CASES").ok().and_then(|cases| cases.parse().ok());
    let config = ProptestConfig {
        cases: cases.unwrap_or(1_500),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let ways = proptest::collection::vec(proptest::collection::vec(any::<bool>(), 12), 60);
    let seen = RefCell::new(Seen::default());
    let result = TestRunner::new(config).run(&(program(), ways), |(lines, ways)| {
        check(&lines, &ways, &mut seen.borrow_mut()).map_err(TestCaseError::fail)
    });
    let seen = seen.into_inner();
    println!("{seen:?}");
    match result {
        Ok(()) => {}
        Err(TestError::Fail(problem, _)) => panic!("{problem}"),
        Err(problem) => panic!("{problem}"),
    }
    // Each rule reports something, and finds many of the lines that always go wrong.
    for code in ["A064", "A065", "A066", "A070", "A071", "A072"] {
        assert!(seen.found.get(code).is_some_and(|found| *found > 0), "{code}: {seen:?}");
    }
}

/// The copy before the loop is waited for, that of the loop is not: the write of the next iteration is wrong.
#[test]
fn a_write_is_judged_for_each_copy() {
    let lines = [
        Line::Bulk(1),
        Line::CommitBulk,
        Line::Label(0),
        Line::WaitBulk(0),
        Line::Store(1),
        Line::Bulk(1),
        Line::Jump(0),
        Line::Label(1),
        Line::Label(2),
    ];
    let mut seen = Seen::default();
    let ways = [vec![false], vec![true, false], vec![true, true]];
    assert_eq!(check(&lines, &ways, &mut seen), Ok(()));
    assert_eq!(seen.found.get("A071"), Some(&1));
    let walk = walk(&lines, &ways[1]);
    assert_eq!(walk.overwrites, BTreeMap::from([((4, 0), vec![false]), ((4, 5), vec![true])]));
}

/// The start of the bodies below: a block of 128 threads, of which `%p0` selects the first.
const BLOCK: &str = ".version 8.6\n.target sm_90a\n.address_size 64\n\
    .shared .align 8 .b64 full;\n.shared .align 8 .b64 empty;\n.shared .align 128 .b8 tile[1024];\n\
    .global .align 128 .b8 src[4096];\n\
    .visible .entry k() .reqntid 128 CLUSTER {\n\
    .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>; .reg .f32 %f<9>;\n\
    mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; mov.u32 %r1, tile; mov.u32 %r4, 0; mov.u32 %r9, 0;\n\
    mov.u32 %r2, %cluster_ctarank; mov.u64 %d4, full; cvta.shared.u64 %d4, %d4; mov.u64 %d1, src;\n";

/// Bodies, whether their block is one of two in a cluster, and the code of their mistake.
const FOUND: &[(&str, bool, &str)] = &[
    (
        "A063",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; mbarrier.arrive.shared.b64 _, [full]; mbarrier.try_wait.parity.shared.b64 %p1, [full], 0;",
    ),
    (
        "A064",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; @%p0 mbarrier.init.shared.b64 [full], 2;",
    ),
    (
        "A065",
        false,
        "@%p0 bra I; bra J; I: mbarrier.init.shared.b64 [full], 1; J: bar.sync 0; @%p0 mbarrier.inval.shared.b64 [full]; bar.sync 0; mbarrier.arrive.shared.b64 _, [full];",
    ),
    ("A066", false, "mbarrier.arrive.shared.b64 _, [full];"),
    (
        "A066",
        false,
        "mbarrier.arrive.shared.b64 _, [full]; @%p0 mbarrier.init.shared.b64 [full], 1;",
    ),
    (
        "A067",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; @%p0 mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        "A067",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 129; bar.sync 0; mbarrier.arrive.shared.b64 %d1, [full]; W: mbarrier.test_wait.shared.b64 %p1, [full], %d1; @%p1 bra D; bra W; D:",
    ),
    (
        "A067",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 65; bar.sync 0; setp.lt.u32 %p2, %r0, 64; @!%p2 bra N; mbarrier.arrive.shared.b64 _, [full]; N: W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    // A copy without a barrier completes nothing.
    (
        "A067",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.wait_all; @%p0 mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        "A068",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; mov.u64 %d1, src; @!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 1; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
    (
        "A069",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        "A070",
        false,
        "mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; bar.sync 0; ld.shared.f32 %f1, [%r1];",
    ),
    (
        "A070",
        false,
        "mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.wait_group 0; ld.shared.f32 %f1, [tile];",
    ),
    (
        "A070",
        false,
        "mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; cp.async.wait_group 1; bar.sync 0; ld.shared.f32 %f1, [tile+8];",
    ),
    (
        "A070",
        false,
        "mov.u32 %r9, 0; L: mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; cp.async.wait_group 1; bar.sync 0; ld.shared.f32 %f1, [tile+8]; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L;",
    ),
    (
        "A071",
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; @%p0 cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; bar.sync 0; st.shared.f32 [%r1], 0f00000000;",
    ),
    (
        "A071",
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; mov.u32 %r9, 0; L: st.shared.u32 [%r1], %r0; fence.proxy.async; bar.sync 0; @!%p0 bra N; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; N: bar.sync 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L; @%p0 cp.async.bulk.wait_group 0;",
    ),
    (
        "A072",
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0; bar.sync 0; @!%p0 bra N; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; N:",
    ),
    (
        "A073",
        true,
        "mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; ld.shared::cluster.u32 %r4, [%r3]; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        "A073",
        true,
        "mapa.shared::cluster.u32 %r3, %r1, 1; ld.shared::cluster.u32 %r4, [%r3]; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        "A074",
        true,
        "mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; barrier.cluster.arrive; barrier.cluster.wait; ld.shared::cluster.u32 %r4, [%r3];",
    ),
    // A barrier of the block does not order other blocks.
    (
        "A073",
        true,
        "xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; bar.sync 0; ld.shared::cluster.u32 %r4, [%r3]; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        "A074",
        true,
        "xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; barrier.cluster.arrive; barrier.cluster.wait; ld.shared::cluster.u32 %r4, [%r3]; bar.sync 0;",
    ),
    // An arrival does not wait.
    (
        "A073",
        true,
        "xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; barrier.cluster.arrive; ld.shared::cluster.u32 %r4, [%r3]; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    // The parity is in a register, and 1 in the first iteration.
    (
        "A068",
        false,
        "mov.u32 %r8, 1; @%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; L: @!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], %r8; @!%p1 bra W; ld.shared.f32 %f1, [tile]; bar.sync 0; xor.b32 %r8, %r8, 1; add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 4; @%p3 bra L;",
    ),
    (
        "A067",
        false,
        "mov.u32 %r8, 0; @%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; L: @%p0 mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], %r8; @!%p1 bra W; xor.b32 %r8, %r8, 1; add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 4; @%p3 bra L;",
    ),
    // Nothing waits for the copy.
    (
        "A085",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; bar.sync 0; ld.shared.f32 %f1, [tile];",
    ),
    (
        "A085",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; bar.sync 0; ld.shared.f32 %f1, [%r1+4]; ld.shared.f32 %f2, [tile];",
    ),
    // Another copy reads what nothing waits for.
    (
        "A085",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; L: @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; bar.sync 0; @%p0 cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; @%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L;",
    ),
    // The wait is for another barrier.
    (
        "A085",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; @%p0 mbarrier.init.shared.b64 [empty], 128; bar.sync 0; mbarrier.arrive.shared.b64 _, [empty]; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [empty], 0; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
    // The only arrival is missing, with the bytes that it has to expect.
    (
        "A053",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
    // The fence makes no other thread wait.
    (
        "A069",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; fence.mbarrier_init.release.cluster; mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; ",
    ),
    (
        "A109",
        false,
        "st.shared.f32 [tile+8], 0f00000000; mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; ld.shared.f32 %f1, [tile+8];",
    ),
    // The bytes are read before they are copied.
    (
        "A109",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; ld.shared.f32 %f1, [tile]; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full];",
    ),
    // The bytes may be those of the store.
    (
        "A109",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; st.shared.u32 [tile+64], 1; bar.sync 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; ld.shared.f32 %f1, [tile+64];",
    ),
    // The others may test before the first arrival.
    (
        "A109",
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; @%p0 mbarrier.arrive.shared.b64 _, [full]; mov.u64 %d1, src; @!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 1; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
];

/// Correct bodies, and whether their block is one of two in a cluster.
const QUIET: &[(bool, &str)] = &[
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; @%p0 mbarrier.inval.shared.b64 [full]; @%p0 mbarrier.init.shared.b64 [full], 2;",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 64; bar.sync 0; setp.lt.u32 %p2, %r0, 64; @%p2 mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; mov.u64 %d1, src; @!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; @%p0 mbarrier.init.shared.b64 [empty], 128; bar.sync 0; mov.u64 %d1, src; mov.u32 %r2, 0; L: @!%p0 bra W; V: xor.b32 %r3, %r2, 1; mbarrier.try_wait.parity.shared.b64 %p1, [empty], %r3; @!%p1 bra V; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], %r2; @!%p1 bra W; ld.shared.f32 %f1, [tile]; mbarrier.arrive.shared.b64 _, [empty]; xor.b32 %r2, %r2, 1; add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, 10; @%p3 bra L;",
    ),
    (
        false,
        "mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; ld.shared.f32 %f1, [tile+8];",
    ),
    (
        false,
        "mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.wait_all; bar.sync 0; ld.shared.f32 %f1, [tile+8];",
    ),
    (
        false,
        "mov.u32 %r9, 0; mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; L: cp.async.ca.shared.global [%r1+512], [%d1], 4; cp.async.commit_group; cp.async.wait_group 1; bar.sync 0; ld.shared.f32 %f1, [tile+8]; bar.sync 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L;",
    ),
    (
        false,
        "mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; @%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; cp.async.mbarrier.arrive.noinc.shared.b64 [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; ld.shared.f32 %f1, [tile+8];",
    ),
    (
        false,
        "setp.lt.u32 %p5, %r0, 32; @!%p5 bra C; mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.wait_all; bar.sync 1, 128; bra E; C: bar.sync 1, 128; ld.shared.f32 %f1, [tile+8]; E:",
    ),
    (
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; mov.u32 %r9, 0; L: st.shared.u32 [%r1], %r0; fence.proxy.async; bar.sync 0; @!%p0 bra N; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; N: bar.sync 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L; @%p0 cp.async.bulk.wait_group 0;",
    ),
    (
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0; fence.proxy.async; bar.sync 0; @!%p0 bra N; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; N: bar.sync 0; st.shared.u32 [%r1], 7;",
    ),
    (
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0; bar.sync 0; @!%p0 bra N; fence.proxy.async.shared::cta; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; N:",
    ),
    (
        true,
        "mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; st.shared.u32 [tile], 1; barrier.cluster.arrive; barrier.cluster.wait; ld.shared::cluster.u32 %r4, [%r3]; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        true,
        "mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; @%p0 mbarrier.init.shared.b64 [full], 128; barrier.cluster.arrive; barrier.cluster.wait; ld.shared::cluster.u32 %r4, [%r3]; mapa.u64 %d5, %d4, %r2; mbarrier.arrive.release.cluster.b64 _, [%d5]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0; bar.sync 0; setp.eq.u32 %p5, %r0, 32; @!%p5 bra N; fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; N: @%p5 cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r1], 3;",
    ),
    (
        false,
        "setp.lt.u32 %p5, %r0, 32; @%p5 bra Q; mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; st.shared.u32 [%r1], %r0; fence.proxy.async; bar.arrive 1, 128; bra E; Q: bar.sync 1, 128; mov.u64 %d1, src; @!%p0 bra E; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; E:",
    ),
    (
        false,
        "setp.ge.u32 %p5, %r0, 64; @%p5 bra Q; @%p0 mbarrier.init.shared.b64 [full], 128; Q: bar.sync 0; mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 256; bar.sync 0; mbarrier.arrive.shared.b64 _, [full], 2; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 256; bar.sync 0; cp.async.mbarrier.arrive.shared.b64 [full]; mbarrier.arrive.shared.b64 _, [full]; L: mbarrier.test_wait.parity.shared.b64 %p1, [full], 0; @%p1 bra E; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 9; @%p2 bra L; E:",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 256; bar.sync 0; L: mbarrier.arrive.shared.b64 _, [full]; add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 2; @%p2 bra L; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    (
        true,
        "mov.u32 %r2, %cluster_ctarank; xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; barrier.cluster.arrive; barrier.cluster.wait; @%p0 ld.shared::cluster.u32 %r4, [%r3]; fence.acq_rel.cluster; barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (
        true,
        "mov.u32 %r2, %cluster_ctarank; setp.eq.u32 %p5, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, 1; @%p5 bra E; bra F; E: ld.shared::cluster.u32 %r4, [%r3]; F: barrier.cluster.arrive; barrier.cluster.wait;",
    ),
    (true, "mapa.shared::cluster.u32 %r3, %r1, %r2; ld.shared::cluster.u32 %r4, [%r3];"),
    (
        false,
        "mov.u32 %r9, 0; mov.u64 %d1, src; mul.wide.u32 %d2, %r0, 4; add.u64 %d1, %d1, %d2; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; L: cp.async.wait_group 0; bar.sync 0; ld.shared.f32 %f1, [tile+8]; bar.sync 0; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L; cp.async.wait_all;",
    ),
    (
        false,
        "mov.u64 %d1, src; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; mov.u32 %r9, 0; L: @%p0 cp.async.bulk.wait_group.read 0; bar.sync 0; st.shared.u32 [%r1], %r0; fence.proxy.async; bar.sync 0; @!%p0 bra N; cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 1024; cp.async.bulk.commit_group; N: add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 9; @%p4 bra L; @%p0 cp.async.bulk.wait_group 0;",
    ),
    (
        false,
        "mov.u64 %d1, src; mov.u64 %d2, src+1024; mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 4, %r1; setp.gt.u32 %p5, %r0, 300; @%p5 bra N; ld.global.u32 %r9, [%d1]; setp.eq.u32 %p6, %r9, 1; @!%p6 bra Q; fence.proxy.async; @%p0 cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile], 1024; Q: @%p6 bra N; st.shared.u32 [%r1], 7; N: @%p0 cp.async.bulk.commit_group; @%p0 cp.async.bulk.wait_group 0;",
    ),
    (
        false,
        "@!%p0 bra W; mov.u64 %d1, src; mbarrier.init.shared.b64 [full], 1; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: bar.sync 0; V: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra V; ld.shared.f32 %f1, [tile];",
    ),
    // The wait is in another branch for the same threads.
    (
        false,
        "setp.lt.u32 %p5, %r0, 64; @!%p5 bra N; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.commit_group; N: @!%p5 bra C; cp.async.wait_group 0; bar.arrive 1, 128; bra E; C: bar.sync 1, 128; ld.shared.f32 %f1, [tile+8]; E:",
    ),
    // One warp waits for the copies of all warps, which a barrier counts.
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; cp.async.ca.shared.global [%r1], [%d1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [full]; setp.lt.u32 %p5, %r0, 32; @!%p5 bra C; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; C: bar.sync 0; ld.shared.f32 %f1, [tile+8];",
    ),
    // Waiting for parity 1 before any copy means "the slot is free".
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; V: mbarrier.try_wait.parity.shared.b64 %p1, [full], 1; @!%p1 bra V; @!%p0 bra W; mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
    // Tested once to save time, and then waited for.
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 128; bar.sync 0; mbarrier.arrive.shared.b64 _, [full]; mbarrier.try_wait.parity.shared.b64 %p2, [full], 0; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
    // Taking an address in another block accesses nothing there.
    (
        true,
        "xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; mapa.shared::cluster.u32 %r4, %r3, 0;",
    ),
    // A flag in global memory that the other block polls.
    (
        true,
        "xor.b32 %r2, %r2, 1; mapa.shared::cluster.u32 %r3, %r1, %r2; barrier.cluster.arrive; barrier.cluster.wait; setp.ne.u32 %p2, %r2, 0; @%p2 bra Q; ld.shared::cluster.u32 %r4, [%r3]; st.global.u32 [%d1], %r4; bra E; Q: ld.volatile.global.u32 %r5, [%d1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra Q; E:",
    ),
    // One warp waits for the others.
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; setp.lt.u32 %p5, %r0, 32; @!%p5 bra C; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W; C: bar.sync 0; ld.shared.f32 %f1, [tile];",
    ),
    (
        false,
        "@%p0 mbarrier.init.shared.b64 [full], 1; bar.sync 0; @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024; @%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 1024, [full]; mov.u32 %r8, full; W: mbarrier.try_wait.parity.shared.b64 %p1, [%r8], 0; @!%p1 bra W; ld.shared.f32 %f1, [tile];",
    ),
    (
        true,
        "@%p0 mbarrier.init.shared.b64 [full], 128; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait; mbarrier.arrive.shared.b64 _, [full]; W: mbarrier.try_wait.parity.shared.b64 %p1, [full], 0; @!%p1 bra W;",
    ),
];

/// The codes that are reported for a body.
fn reported(is_cluster: bool, body: &str) -> Vec<String> {
    let block = BLOCK.replace("CLUSTER", if is_cluster { ".reqnctapercluster 2" } else { "" });
    let parsed = Parsed::new(format!("{block}{body}\nret;\n}}\n"));
    let found = parsed.check();
    found
        .iter()
        .map(|found| found.code.map_or(found.message.clone(), ToString::to_string))
        .collect()
}

#[test]
fn mistakes_are_found_and_correct_bodies_are_not_reported() {
    let mut wrong = Vec::new();
    for (code, is_cluster, body) in FOUND {
        let codes = reported(*is_cluster, body);
        if !codes.iter().map(String::as_str).eq(code.split(' ')) {
            wrong.push(format!("{code}, not {codes:?}: {body}"));
        }
    }
    for (is_cluster, body) in QUIET {
        let codes = reported(*is_cluster, body);
        if !codes.is_empty() {
            wrong.push(format!("{codes:?} of what runs right: {body}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
