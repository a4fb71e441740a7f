//! Tests of which bodies have events.

use super::*;
use crate::flow::node::Referent;
use crate::tests::text_nodes::with_nodes;

fn are_wanted(text: &str) -> bool {
    with_nodes(text, |_| Referent::Other, |nodes| Events::wanted(nodes).is_some())
}

#[test]
fn nothing_is_noted_of_bodies_whose_threads_only_use_memory_of_their_own_block() {
    for text in [
        "L:",
        "add.u32 %r1, %r2, %r3;",
        "ld.shared.u32 %r1, [a];",
        "ld.global.u32 %r1, [%rd1];",
        "st.global.u32 [%rd1], %r1;",
        "ld.u32 %r1, [%rd1];",
        "L:\nbar.sync 0;\nld.shared.u32 %r1, [a];\n@%p1 bra L;",
    ] {
        assert!(!are_wanted(text), "{text}");
    }
}

#[test]
fn barriers_copies_and_other_blocks_are_noted() {
    for text in [
        "mbarrier.init.shared.b64 [bar], 1;",
        "mbarrier.arrive.shared.b64 %rd1, [bar];",
        "cp.async.ca.shared.global [a], [%rd1], 4;",
        "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [a], 16;",
        "ld.shared::cluster.u32 %r1, [a];",
    ] {
        assert!(are_wanted(text), "{text}");
        assert!(are_wanted(&["add.u32 %r1, %r2, %r3;\n", text].concat()), "{text}");
    }
}
