//! The example of a launch that a kernel has: `#[kernel(launch(..))]`.

use ptx::ir;
use ptx::prelude::*;

const THREADS: u32 = 64;

#[ptx::module(target = sm_90)]
mod rows {
    use super::*;

    #[shared(align = 16)]
    static ROW: [u32; 256];

    /// Each thread reads what its neighbour writes, without a barrier.
    #[kernel(maxntid = 256, launch(block = THREADS, grid = (2, 1), n = 4_000_000_000, dst.len() = 64))]
    pub fn shift(dst: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .pred %p;
            ld.param.u64 %d0, [dst];
            ld.param.u32 %r0, [n];
            mov.u32 %r1, %tid.x;
            setp.ge.u32 %p, %r1, %r0;
            @%p ret;
            mov.u32 %r2, ROW;
            mad.lo.u32 %r3, %r1, 4, %r2;
            st.shared.u32 [%r3], %r1;
            ld.shared.u32 %r4, [%r3 + 4];
            mul.wide.u32 %d1, %r1, 4;
            add.u64 %d2, %d0, %d1;
            st.global.u32 [%d2], %r4;
            ret;
        }
    }

    /// Half of the threads that it is launched with have an element.
    #[kernel(launch(block = 128, dst.len() = 64))]
    pub fn ids(dst: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %d<4>;
            ld.param.u64 %d0, [dst];
            mov.u32 %r, %tid.x;
            mul.wide.u32 %d1, %r, 4;
            add.u64 %d2, %d0, %d1;
            st.global.u32 [%d2], %r;
            bar.sync 0;
            ret;
        }
    }

    /// A list says how often each thread writes its number; between that and its neighbour's read is a barrier, but not
    /// between the read and what it writes next.
    #[kernel(launch(block = THREADS, grid = 2, counts = [1, 2]))]
    pub fn listed(#[readonly] counts: Ptr<Global, u32>) {
        ptx! {
            let %count, %i, %thread, %block, %at, %x: u32;
            let %counts: Ptr<Global, u32>;
            let %more: bool;
            mov.u32 %block, %ctaid.x;
            mov.u32 %thread, %tid.x;
            lea.global.u64 %counts, counts[%block];
            ld.global.nc.u32 %count, [%counts];
            mov.u32 %i, ROW;
            mad.lo.u32 %at, %thread, 4, %i;
            mov.u32 %i, 0;
        AGAIN:
            st.shared.u32 [%at], %i;
            bar.sync 0;
            ld.shared.u32 %x, [%at + 4];
            add.u32 %i, %i, 1;
            setp.lt.u32 %more, %i, %count;
            @%more bra AGAIN;
            ret;
        }
    }

    /// Of this, `reqntid` says how many threads a block has.
    #[kernel(reqntid = 32, launch(dynamic = 4096))]
    pub fn warp() {
        ptx! {
            bar.sync 0;
            ret;
        }
    }
}

#[test]
fn threads_are_followed_in_the_example() {
    let found: Vec<String> = rows::MODULE.check().iter().map(ToString::to_string).collect();
    let [unordered, outside, listed] = found.as_slice() else { panic!("{found:#?}") };
    let byte = "thread 31 of block 0 reads byte 128 of `ROW`, and thread 32 of block 0 writes it";
    assert!(unordered.contains(byte) && unordered.contains("[A109, "), "{unordered}");
    let byte = "thread 64 writes byte 256 of `*dst`, which has 256 bytes in this launch";
    assert!(outside.contains(byte) && outside.contains("[A118, "), "{outside}");
    let byte = "thread 31 of block 1 in iteration 1 reads byte 128 of `ROW`";
    assert!(listed.contains(byte) && listed.contains("[A109, "), "{listed}");
}

/// The rounds of a loop are those of the list.
#[test]
fn contents_of_a_buffer_decide() {
    let text = rows::MODULE.to_string();
    let found = |counts: &str| -> Vec<String> {
        let launch = format!("// ptx: launch(block = 64, grid = 1, counts = {counts})\n");
        let text = text.replace(".visible .entry listed", &(launch + ".visible .entry listed"));
        let found = ptx_text::Parsed::new(&text).check_launched(ptx_text::Launches::Declared);
        found
            .iter()
            .map(|found| format!("{} {}", found.code.unwrap_or("note"), found.message))
            .collect()
    };
    assert_eq!(found("[1]"), [""; 0]);
    let [race] = &found("[2, 0]")[..] else { panic!("{:#?}", found("[2]")) };
    assert!(race.starts_with("A109") && race.contains("in iteration 2 writes it"), "{race}");
    // The list ends before what is read.
    let [outside, unknown] = &found("[]")[..] else { panic!("{:#?}", found("[]")) };
    assert!(outside.starts_with("A118") && unknown.contains("is not known"), "{outside}");
}

#[test]
fn the_example_is_in_the_ir() {
    let launch =
        |index: usize| rows::MODULE.ir().functions[index].launch.expect("it has an example");
    let shift = ir::ExampleLaunch {
        block: Some([64, 1, 1]),
        grid: Some([2, 1, 1]),
        cluster: None,
        dynamic: None,
        params: &[("n", ir::Passed::Number(4_000_000_000)), ("dst", ir::Passed::Elements(64))],
        contents: &[],
    };
    assert_eq!(*launch(0), shift);
    assert_eq!((launch(3).block, launch(3).dynamic), (None, Some(4096)));
    let counts: &[(&str, &[u32])] = &[("counts", &[1, 2])];
    assert_eq!(launch(2).contents, counts);
}
