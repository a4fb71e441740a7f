//! Tests of the order in which blocks are visited, of what is lost and of budgets, on the registers that are written.

use super::*;
use crate::flow::node::Referent;
use crate::tests::text_nodes::with_nodes;

/// The registers that some path has written, in the nodes that were followed.
#[derive(Default)]
struct Written<const SWEEPS: bool>(Vec<usize>);

impl<'a, const SWEEPS: bool> Domain<'a> for Written<SWEEPS> {
    type State = SortedSet<usize>;

    const SWEEPS: bool = SWEEPS;

    fn size(state: &Self::State) -> usize {
        state.len()
    }

    fn jumps(&mut self, _: &Resolved<'a>, state: &Self::State) -> Option<Self::State> {
        Some(state.clone())
    }

    fn after(
        &mut self,
        at: usize,
        resolved: &Resolved<'a>,
        mut state: Self::State,
    ) -> Option<Self::State> {
        self.0.push(at);
        state.extend(&resolved.written);
        resolved.continues().then_some(state)
    }

    fn join(
        &mut self,
        known: &mut Self::State,
        path: &Self::State,
        _: u8,
        effort: &mut Effort,
    ) -> Change {
        effort.spend(1);
        let before = known.len();
        known.extend(path);
        if known.len() == before { Change::None } else { Change::Changed }
    }
}

fn with<T>(text: &str, read: impl FnOnce(&[Node<'_>]) -> T) -> T {
    let referent = |name: &str| match name.strip_prefix("%r").and_then(|n| n.parse().ok()) {
        Some(number) => Referent::Register(number),
        None => Referent::Other,
    };
    with_nodes(&text.replace("; ", ";\n").replace(": ", ":\n"), referent, read)
}

/// The registers that are written before each node that is reached, and the order of the nodes that were followed.
fn solved<const SWEEPS: bool>(text: &str) -> (Vec<(usize, Vec<usize>)>, Vec<usize>) {
    with(text, |nodes| {
        let effort = Effort::of(0, (0, 1000));
        let domain = Written::<SWEEPS>::default();
        let (before, is_widened, mut domain) =
            Solver::new(nodes, domain, SortedSet::new(), effort).solve().expect("enough effort");
        assert!(!is_widened);
        let order = core::mem::take(&mut domain.0);
        let mut all = Vec::new();
        each_reached(nodes, &mut domain, before, |at, _, state| {
            all.push((at, state.iter().copied().collect()));
        });
        (all, order)
    })
}

#[test]
fn blocks_are_visited_in_sweeps_or_from_the_first() {
    // The block at node 2 leads back to the one at node 0, and to the one at node 5.
    let text = "L: mov.u32 %r1, 4; K: mov.u32 %r2, 4; @%p bra L; M: ret;";
    let written = [(1, vec![1, 2]), (3, vec![1, 2]), (4, vec![1, 2]), (6, vec![1, 2])];
    let (all, order) = solved::<true>(text);
    assert_eq!(all, written);
    assert_eq!(order, [1, 3, 4, 6, 1, 3, 4]);
    let (all, order) = solved::<false>(text);
    assert_eq!(all, written);
    assert_eq!(order, [1, 3, 4, 1, 3, 4, 6]);
}

#[test]
fn what_control_does_not_reach_has_no_state() {
    let (all, order) = solved::<false>("bra M; mov.u32 %r1, 4; L: mov.u32 %r2, 4; M: ret; ret;");
    assert_eq!(all, [(0, Vec::new()), (5, Vec::new())]);
    assert_eq!(order, [0, 5]);
    assert_eq!(solved::<true>(""), (Vec::new(), Vec::new()));
}

#[test]
fn without_effort_nothing_is_followed() {
    with("mov.u32 %r1, 4; L: ret;", |nodes| {
        let none = Effort::of(0, (0, 0));
        let mut solver = Solver::new(nodes, Written::<true>::default(), SortedSet::new(), none);
        assert_eq!(solver.next(0), None);
        solver.follow(0);
        assert!(solver.before[1].is_none());
        solver.lead_anywhere([1].into());
        assert!(!solver.spread());
        assert!(solver.before[1].is_none());
        assert!(solver.solve().is_none());
    });
}

#[test]
fn copies_of_large_states_are_paid_for() {
    // Five steps to follow the nodes and to get to the label, and two for the state with two registers: at the label
    // and after it.
    let text = "mov.u32 %r1, 4; mov.u32 %r2, 4; L: ret;";
    let is_enough = |steps| {
        with(text, |nodes| {
            let effort = Effort::of(0, (0, steps));
            Solver::new(nodes, Written::<true>::default(), SortedSet::new(), effort)
                .solve()
                .is_some()
        })
    };
    assert_eq!([8, 9, 10].map(is_enough), [false, false, true]);
}
