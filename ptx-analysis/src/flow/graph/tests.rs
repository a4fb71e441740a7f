//! Tests of reachability, and of which conditions exclude each other.

use super::*;
use crate::flow::node::Referent;
use crate::tests::text_nodes::with_nodes;

const ALL: [Comparison; 6] = [
    Comparison::Equal,
    Comparison::NotEqual,
    Comparison::Less,
    Comparison::LessOrEqual,
    Comparison::Greater,
    Comparison::GreaterOrEqual,
];

/// Creates a comparison of a launch-dependent register.
fn condition(register: &'static str, comparison: Comparison, with: i128) -> LaunchCondition {
    LaunchCondition::new(&[(register, 1)], comparison, &[], with).expect("it is one register")
}

fn holds(value: i128, comparison: Comparison, with: i128) -> bool {
    match comparison {
        Comparison::Equal => value == with,
        Comparison::NotEqual => value != with,
        Comparison::Less => value < with,
        Comparison::LessOrEqual => value <= with,
        Comparison::Greater => value > with,
        Comparison::GreaterOrEqual => value >= with,
    }
}

#[test]
fn conditions_exclude_each_other_where_both_hold_for_no_number() {
    let numbers = || ALL.into_iter().flat_map(|it| (-3..=3).map(move |with| (it, with)));
    for (one, first) in numbers() {
        for (other, second) in numbers() {
            let both = |it: &i128| holds(*it, one, first) && holds(*it, other, second);
            let is_possible = (-10..=10).any(|it| both(&it));
            let x = condition("%tid.x", one, first);
            let found = exclude(&x, &condition("%tid.x", other, second));
            assert_eq!(found, !is_possible, "{one:?} {first}, {other:?} {second}");
            // Nothing is known about another register.
            assert!(!exclude(&x, &condition("%tid.y", other, second)));
        }
    }
}

#[test]
fn conditions_on_other_sums_do_not_exclude_each_other() {
    let of = |left: &[_], right: &[_], plus| {
        LaunchCondition::new(left, Comparison::Equal, right, plus).expect("it is short")
    };
    let (x, y, twice) = (("%tid.x", 1), ("%tid.y", 1), ("%tid.x", 2));
    assert!(exclude(&of(&[x], &[y], 0), &of(&[x], &[y], 1)));
    for other in [of(&[x], &[], 1), of(&[y], &[y], 1), of(&[twice], &[y], 1), of(&[y], &[x], 1)] {
        assert!(!exclude(&of(&[x], &[y], 0), &other), "{other:?}");
    }
}

/// A loop with two exits:
///
/// ```text
/// 0 L:  1 @%p1 bra M;  2 add  3 @%p2 exit;  4 bra L;  5 M:  6 nothing  7 ret;  8 add
/// ```
const LOOP: &str = "L:\n@%p1 bra M;\nadd.u32 %r1, %r1, 1;\n@%p2 exit;\nbra L;\nM:\nadd.u32 %r1, %r1, 1;\nret;\n\
     add.u32 %r1, %r1, 1;";

fn with<T>(text: &str, read: impl FnOnce(&[Node<'_>]) -> T) -> T {
    with_nodes(text, |_| Referent::Other, read)
}

fn with_graph<T>(branches: SortedMap<usize, Outcomes>, read: impl FnOnce(Graph<'_, '_>) -> T) -> T {
    with(LOOP, |nodes| read(Graph::of(nodes, branches).expect("each jump has a label")))
}

fn reached(walk: Option<Walk>) -> (Vec<usize>, bool) {
    let walk = walk.expect("it is short");
    let all: Vec<usize> = walk.nodes().collect();
    for node in 0..20 {
        assert_eq!(walk.reaches(node), all.contains(&node), "{node}");
    }
    (all, walk.ends)
}

#[test]
fn where_a_jump_goes_is_known_by_its_label() {
    let is_known = |text: &str| with(text, |nodes| Graph::of(nodes, SortedMap::new()).is_some());
    assert!(is_known("L:\nbra L;"));
    assert!(is_known("add.u32 %r1, %r1, 1;\nret;"));
    assert!(!is_known("L:\nbra M;"));
    assert!(!is_known("L:\nbrx.idx %r1, L;"));
    assert!(with_graph(SortedMap::new(), |mut graph| graph.spend(1 << 40)).is_none());
    assert!(with_graph(SortedMap::new(), |mut graph| graph.spend(1)).is_some());
}

#[test]
fn control_goes_on_or_to_a_label_or_ends() {
    with_graph(SortedMap::new(), |graph| {
        let next = |at| graph.next(at, &[]).collect::<Vec<_>>();
        assert_eq!(next(0), [Some(1)]);
        assert_eq!(next(1), [Some(5), Some(2)]);
        assert_eq!(next(2), [Some(3)]);
        assert_eq!(next(3), [None, Some(4)]);
        assert_eq!(next(4), [Some(0)]);
        assert_eq!(next(5), [Some(6)]);
        assert_eq!(next(7), [None]);
        assert_eq!(next(8), [None]);
    });
    with("add.u32 %r1, %r1, 1;\nadd.u32 %r1, %r1, 1;", |nodes| {
        let graph = Graph::of(nodes, SortedMap::new()).expect("there is no jump");
        assert_eq!(graph.next(0, &[]).collect::<Vec<_>>(), [Some(1)]);
        assert_eq!(graph.next(1, &[]).collect::<Vec<_>>(), [None]);
    });
}

#[test]
fn what_the_launch_decides_leaves_the_other_way_out() {
    let known = |comparison| alloc::vec![Rc::new(condition("%tid.x", comparison, 4))];
    let branches = [
        (1, [Some(known(Comparison::Less)), Some(known(Comparison::GreaterOrEqual))]),
        (3, [None, Some(Vec::new())]),
    ];
    with_graph(branches.into(), |graph| {
        let next = |at, known: &[Rc<LaunchCondition>]| graph.next(at, known).collect::<Vec<_>>();
        assert_eq!(next(1, &[]), [Some(5), Some(2)]);
        assert_eq!(next(1, &known(Comparison::Less)), [Some(5)]);
        assert_eq!(next(1, &known(Comparison::GreaterOrEqual)), [Some(2)]);
        assert_eq!(next(1, &known(Comparison::NotEqual)), [Some(5), Some(2)]);
        assert_eq!(next(3, &[]), [Some(4)]);
    });
}

#[test]
fn a_walk_gets_to_what_is_open() {
    with_graph(SortedMap::new(), |mut graph| {
        let all = (0..=7).collect::<Vec<usize>>();
        assert_eq!(reached(graph.start(|_| true)), (all.clone(), true));
        assert_eq!(reached(graph.after(2, &[], |_| true)), (all, true));
        assert_eq!(reached(graph.after(5, &[], |_| true)), ([6, 7].into(), true));
        assert_eq!(reached(graph.after(8, &[], |_| true)), ([].into(), true));
        // A node that is not open is reached, but not left.
        assert_eq!(reached(graph.start(|node| node != 1)), ([0, 1].into(), false));
        assert_eq!(reached(graph.after(4, &[], |node| node != 1)), ([0, 1].into(), false));
        assert_eq!(
            reached(graph.after(1, &[], |node| node != 3 && node != 6)),
            ([2, 3, 5, 6].into(), false)
        );
    });
    let nothing = with("", |nodes| {
        let mut graph = Graph::of(nodes, SortedMap::new()).expect("there is no jump");
        reached(graph.start(|_| true))
    });
    assert_eq!(nothing, ([].into(), true));
}

#[test]
fn control_gets_to_a_node_over_all_that_stand_before_every_way() {
    with_graph(SortedMap::new(), |mut graph| {
        for (over, to, expected) in [
            (0, 7, true),
            (1, 7, true),
            (2, 7, false),
            (2, 3, true),
            (5, 6, true),
            (4, 5, false),
            (7, 6, false),
            // It is never reached, whatever is in between.
            (5, 8, true),
        ] {
            assert_eq!(graph.all_over(over, to), expected, "{over} {to}");
        }
    });
}

#[test]
fn before_a_node_are_those_that_lead_to_it() {
    with_graph(SortedMap::new(), |mut graph| {
        for (node, expected) in [
            (0, (0..=4).collect::<Vec<usize>>()),
            (3, (0..=4).collect()),
            (5, (0..=4).collect()),
            (6, (0..=5).collect()),
            (7, (0..=6).collect()),
            (8, Vec::new()),
        ] {
            assert_eq!(reached(graph.before(node)).0, expected, "{node}");
        }
        assert!(graph.before(9).is_none());
    });
}

#[test]
fn a_walk_that_takes_too_long_gets_nowhere() {
    with_graph(SortedMap::new(), |mut graph| {
        graph.spend(usize::MAX);
        assert!(graph.start(|_| true).is_none());
        assert!(graph.after(1, &[], |_| true).is_none());
        assert!(graph.before(1).is_none());
        assert!(!graph.all_over(1, 7));
    });
}
