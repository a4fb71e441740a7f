//! What the commit of a pair's multiplications lets the threads of both blocks know.

use ptx_text::{Diagnostic, Parsed};

/// The codes of what is found if block 0 of a pair commits to the blocks in a mask, each of which expects so many arrivals.
fn codes(mask: u32, arrivals: u32) -> Vec<&'static str> {
    codes_of(".reqnctapercluster 2, 1, 1", mask, arrivals)
}

/// The same with these directives.
fn codes_of(directives: &str, mask: u32, arrivals: u32) -> Vec<&'static str> {
    let text = format!(
        ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k()\n.reqntid 32, 1, 1\n\
         {directives}\n{{\n.reg .pred %p, %q;\n.reg .b16 %mask;\n.reg .b32 %t, %rank;\n\
         .shared .align 8 .b64 done;\nmov.u32 %t, %tid.x;\nmov.u32 %rank, %cluster_ctarank;\n\
         setp.eq.u32 %p, %t, 0;\n@%p mbarrier.init.shared.b64 [done], {arrivals};\n\
         barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u16 %mask, {mask};\n\
         setp.eq.and.u32 %q, %rank, 0, %p;\n\
         @%q tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [done], %mask;\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %q, [done], 0;\n@!%q bra WAIT;\n\
         barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nret;\n}}\n"
    );
    Parsed::new(&text).check().iter().filter_map(|found: &Diagnostic| found.code).collect()
}

#[test]
fn a_commit_arrives_in_all_blocks_of_its_mask() {
    assert_eq!(codes(3, 1), [""; 0]);
    assert_eq!(codes(1, 1), ["A110"]);
    assert_eq!(codes(2, 1), ["A110"]);
    assert_eq!(codes(3, 2), ["A067"]);
}

#[test]
fn other_blocks_of_a_cluster_that_only_the_launch_knows_may_arrive() {
    assert_eq!(codes_of("", 3, 2), [""; 0]);
}
