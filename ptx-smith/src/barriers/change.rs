//! Changes to kernels that are right.

use crate::Rng;

use super::kernel::{By, Node, Parity, What, Who, below};
use Node::{Do, If, Rounds};
use What::{
    Add, Arrive, ArriveOnCopies, Await, Barrier, BarrierArrive, BulkCommit, BulkLoad, BulkStore,
    BulkWait, Commit, CopyWord, Exit, Expect, Init, Invalidate, Load, ProxyFence, Store,
    WaitGroups, WarpBarrier,
};

/// The number of nodes.
pub(super) fn count(nodes: &[Node]) -> usize {
    let inner = |node: &Node| match node {
        Do(_) => 0,
        If(_, body) | Rounds(_, _, body) => count(body),
    };
    nodes.iter().map(|node| 1 + inner(node)).sum()
}

/// Changes the node with this number; returns the number that is left if there are fewer.
pub(super) fn change(nodes: &mut Vec<Node>, at: usize, rng: &mut Rng, warps: u32) -> Option<usize> {
    let mut left = at;
    for n in 0..nodes.len() {
        if left == 0 {
            change_here(nodes, n, rng, warps);
            return None;
        }
        left -= 1;
        if let If(_, body) | Rounds(_, _, body) = &mut nodes[n] {
            left = change(body, left, rng, warps)?;
        }
    }
    Some(left)
}

fn change_here(nodes: &mut Vec<Node>, n: usize, rng: &mut Rng, warps: u32) {
    match rng.below(6) {
        0 | 1 => {
            nodes.remove(n);
        }
        2 => {
            let node = nodes[n].clone();
            nodes.insert(n, node);
        }
        3 if n + 1 < nodes.len() => nodes.swap(n, n + 1),
        4 => match &mut nodes[n] {
            If(_, body) => {
                let body = core::mem::take(body);
                nodes.splice(n..=n, body);
            }
            Do(what) => {
                let warp = below(rng, warps as usize);
                let of_warps = [Who::Warp(warp), Who::WarpsBelow(warp), Who::WarpsFrom(1)];
                // A warp has waited for its copies when all of its threads have: the analysis asks no more.
                let who = match what {
                    Commit | WaitGroups(_) => rng.pick(&of_warps),
                    _ if rng.below(2) == 0 => rng.pick(&[Who::Thread(0), Who::Lane(1)]),
                    _ => rng.pick(&of_warps),
                };
                let node = nodes[n].clone();
                nodes[n] = If(who, vec![node]);
            }
            Rounds(count, ..) => *count += 1,
        },
        _ => change_number(&mut nodes[n], rng),
    }
}

fn change_number(node: &mut Node, rng: &mut Rng) {
    let is_up = rng.below(2) == 0;
    let step = |number: u32, by: u32| {
        if is_up { number + by } else { number.saturating_sub(by) }
    };
    match node {
        Rounds(count, ..) => *count = step(*count, 1).max(1),
        If(who, _) => {
            *who = match *who {
                Who::Thread(n) => Who::Thread(step(n, 32)),
                Who::Warp(n) => Who::Warp(step(n, 1)),
                Who::WarpsBelow(n) => Who::WarpsBelow(step(n, 1)),
                Who::WarpsFrom(n) => Who::WarpsFrom(step(n, 1)),
                Who::ThreadsBelow(n) => Who::ThreadsBelow(step(n, 1)),
                Who::Lane(_) | Who::Elected => Who::Thread(0),
            };
        }
        Do(what) => match what {
            Store(place) | Load(place) | Add(place) | CopyWord(place) => {
                place.by = rng.pick(&[By::Thread, By::Mirror, By::After(1), By::One, By::Lane]);
            }
            WaitGroups(count) | BulkWait(count) => *count = step(*count, 1),
            BulkLoad(_, bytes, _) | BulkStore(_, bytes) | Expect(_, bytes) => {
                *bytes = step(*bytes, 16).max(16);
            }
            Init(_, count) => *count = step(*count, 1).max(1),
            Await(_, parity) => {
                *parity = match *parity {
                    Parity::Fixed(n) => Parity::Fixed(1 - n),
                    Parity::Round(is_other) => Parity::Round(!is_other),
                };
            }
            Barrier(id, _) => *id = step(*id, 1),
            BarrierArrive(_, count) => *count = step(*count, 32).max(64),
            Commit | ArriveOnCopies(_) | BulkCommit | ProxyFence | Invalidate(_) | Arrive(_)
            | WarpBarrier | Exit => {}
        },
    }
}
