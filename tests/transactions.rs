//! The bytes that barriers expect and that copies deliver (A041, A053): a difference is reported where it is
//! certain, but not where a copy may belong to another phase or barrier, or may not be executed at all.

use ptx::text::{Kind, Parsed};

/// The codes of a kernel's findings among A041 and A053.
fn found(kernel: &str) -> Vec<&'static str> {
    let text = format!(".version 8.7\n.target sm_90\n.address_size 64\n{kernel}\n");
    let found = Parsed::new(text).check();
    let grammar = found.iter().find(|found| found.kind == Kind::Syntax);
    assert!(grammar.is_none(), "{grammar:?}\n{kernel}");
    let codes = found.iter().filter_map(|found| found.code);
    codes.filter(|code| ["A041", "A053"].contains(code)).collect()
}

/// A statement of a test: `expect 64` or `copy 64`, with an optional `@%p` before and a barrier after it.
fn statement(short: &str) -> String {
    let (guard, rest) = match short.split_once(' ') {
        Some((guard, rest)) if guard.starts_with('@') => (guard, rest),
        _ => ("", short),
    };
    let words: Vec<&str> = rest.split(' ').collect();
    let bytes = words.get(1).copied().unwrap_or_default();
    let barrier = words.get(2).copied().unwrap_or("b");
    match words[0] {
        "expect" => {
            format!("{guard} mbarrier.arrive.expect_tx.shared::cta.b64 %s, [{barrier}], {bytes};")
        }
        "copy" => format!(
            "{guard} cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x], [%d], {bytes}, \
             [{barrier}];"
        ),
        "wait" => format!("{guard} mbarrier.try_wait.parity.shared::cta.b64 %q, [b], 0;"),
        "complete" => {
            format!(
                "{guard} mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [{barrier}], {bytes};"
            )
        }
        _ => short.to_owned(),
    }
}

fn body(statements: &[&str]) -> String {
    let statements: Vec<String> = statements.iter().map(|short| statement(short)).collect();
    format!(
        ".reg .b64 %d, %s; .reg .pred %p, %q; .reg .b32 %r, %n, %rank; .shared .align 8 .b64 b; \
         .shared .align 8 .b64 c[2]; .shared .align 16 .b8 x[256]; ld.param.u64 %d, [p]; \
         ld.param.u32 %n, [n]; setp.lt.u32 %p, %n, 7; {} ret;",
        statements.join(" ")
    )
}

fn kernel(statements: &[&str]) -> String {
    let body = body(statements);
    format!(".func f(); .entry k(.param .u64 .ptr .global .align 16 p, .param .u32 n) {{ {body} }}")
}

/// Whether the statements break A041.
fn is_found(statements: &[&str]) -> bool {
    let codes = found(&kernel(statements));
    assert!(codes.len() <= 1, "{codes:?} {statements:?}");
    codes == ["A041"]
}

#[test]
fn the_bytes_of_all_copies_are_added() {
    for (expected, copies, differs) in [
        ("64", &["copy 64"][..], false),
        ("64", &["copy 48"], true),
        ("64", &["copy 80"], true),
        ("64", &["copy 32", "copy 32"], false),
        ("64", &["copy 32", "copy 48"], true),
        ("64", &["copy 64", "copy 16"], true),
    ] {
        let expect = format!("expect {expected}");
        let statements: Vec<&str> =
            [expect.as_str()].into_iter().chain(copies.iter().copied()).collect();
        assert_eq!(is_found(&statements), differs, "{statements:?}");
    }
    // All expected bytes are for all copies.
    assert!(!is_found(&["expect 32", "expect 32", "copy 64"]));
    assert!(is_found(&["expect 32", "expect 64", "copy 64"]));
    // An unknown number cannot be compared.
    assert!(!is_found(&["expect %n", "copy 64"]));
    assert!(!is_found(&["expect 64", "copy %n"]));
    assert!(!is_found(&["expect 64", "copy 16", "copy %n"]));
    assert!(!is_found(&["expect 32", "expect %n", "copy 64"]));
}

#[test]
fn copies_with_different_guards_are_not_added_up() {
    assert!(is_found(&["@%p expect 64", "@%p copy 48"]));
    assert!(!is_found(&["expect 64", "@%p copy 48"]));
    assert!(!is_found(&["@%p expect 64", "copy 48"]));
    assert!(!is_found(&["@%p expect 64", "@!%p copy 48"]));
    // All must have the same guard.
    assert!(!is_found(&["@%p expect 64", "@%p copy 32", "copy 16"]));
    assert!(!is_found(&["@%p expect 64", "copy 32", "copy 16"]));
    assert!(!is_found(&["expect 64", "copy 32", "@%p copy 16"]));
    assert!(!is_found(&["@%p expect 64", "@%p copy 32", "@!%p copy 16"]));
    // A predicate that is overwritten between them is a different guard.
    assert!(!is_found(&["@%p expect 64", "setp.lt.u32 %p, %n, 9;", "@%p copy 48"]));
    assert!(is_found(&["@%p expect 64", "setp.lt.u32 %q, %n, 9;", "@%p copy 48"]));
}

#[test]
fn a_phase_ends_with_a_wait_and_straight_line_code_with_a_label() {
    assert!(!is_found(&["expect 64", "wait", "copy 48"]));
    assert!(is_found(&["expect 64", "copy 48", "wait"]));
    assert!(is_found(&["expect 64", "copy 64", "wait", "expect 32", "copy 48"]));
    assert!(!is_found(&["expect 64", "copy 64", "wait", "expect 32", "copy 32"]));
    assert!(!is_found(&["expect 64", "L:", "copy 48"]));
    // Bytes completed by hand may be any number.
    assert!(!is_found(&["expect 64", "copy 48", "complete 16"]));
    // The effect of a function on barriers is unknown.
    assert!(!is_found(&["expect 64", "call f;", "copy 48"]));
    assert!(!is_found(&["expect 64", "copy 48", "call f;"]));
}

#[test]
fn each_barrier_counts_its_own_bytes() {
    assert!(is_found(&["expect 64", "expect 32 c", "copy 64", "copy 48 c"]));
    assert!(!is_found(&["expect 64", "expect 32 c", "copy 64", "copy 32 c"]));
    assert!(is_found(&["expect 64 c", "expect 32 c+8", "copy 64 c", "copy 48 c+8"]));
    assert!(!is_found(&["expect 64 c", "expect 32 c+8", "copy 64 c", "copy 32 c+8"]));
    // Its name and a register with its address refer to the same barrier.
    assert!(is_found(&["mov.u32 %r, b;", "expect 64", "copy 48 %r"]));
    assert!(is_found(&["mov.u32 %r, c;", "expect 64 c+8", "copy 48 %r+8"]));
    assert!(!is_found(&["mov.u32 %r, b;", "expect 64", "copy 64 %r"]));
}

#[test]
fn a_barrier_that_may_be_another_is_not_compared() {
    // The caller passes `%n`: it equals itself, and may be `b`.
    assert!(is_found(&["expect 64 %n", "copy 48 %n"]));
    assert!(!is_found(&["expect 64 %n", "copy 64 %n"]));
    assert!(is_found(&["expect 64 %n+8", "copy 48 %n+8"]));
    assert!(!is_found(&["expect 64 %n+8", "copy 48 %n"]));
    assert!(!is_found(&["expect 64", "copy 32 %n", "copy 16"]));
    assert!(!is_found(&["expect 64 %n", "add.u32 %n, %n, 8;", "copy 48 %n"]));
    // One of two barriers: the caller decides which.
    let either = "selp.b32 %r, 0, 8, %p; mov.u32 %rank, c; add.u32 %r, %r, %rank;";
    assert!(!is_found(&[either, "expect 64 c", "copy 48 c", "copy 16 %r"]));
    assert!(is_found(&[either, "expect 64 b", "copy 48 b", "copy 16 %r"]));
    // The barrier of another block is a different one.
    let remote = "mov.u32 %rank, %cluster_ctarank; mapa.shared::cluster.u32 %r, b, %rank;";
    assert!(!is_found(&[remote, "expect 64", "copy 48", "copy 16 %r"]));
}

#[test]
fn copies_without_their_own_expectation_may_be_for_one_elsewhere() {
    assert!(!is_found(&["copy 16", "L:", "expect 64", "copy 48"]));
    assert!(is_found(&["copy 16 c", "L:", "expect 64", "copy 48"]));
    assert!(is_found(&["copy 16 c", "L:", "expect 64 c+8", "copy 48 c+8"]));
    assert!(!is_found(&["copy 16 %n", "L:", "expect 64", "copy 48"]));
}

#[test]
fn a_device_function_may_be_half_of_a_protocol() {
    let function = |statements: &[&str]| {
        format!(".func g(.param .u64 p, .param .u32 n) {{ {} }}", body(statements))
    };
    assert_eq!(found(&function(&["expect 64", "copy 48"])), [""; 0]);
    assert_eq!(found(&function(&["copy 48"])), [""; 0]);
}

#[test]
fn unexpected_bytes_do_not_end_a_phase() {
    assert_eq!(found(&kernel(&["copy 48"])), ["A053"]);
    assert_eq!(found(&kernel(&["copy 48", "L:", "expect 48"])), [""; 0]);
    assert_eq!(found(&kernel(&["copy 48", "complete 16 c"])), [""; 0]);
    assert_eq!(found(&kernel(&["copy 48", "call f;"])), [""; 0]);
    assert_eq!(found(&kernel(&["copy 48", "copy 16 c"])), ["A053", "A053"]);
}

/// Each of the two blocks of a cluster copies a half for both: its barrier gets the bytes of two copies.
macro_rules! halves {
    ($($name:ident: $bytes:literal;)*) => {$(
#[ptx::module(target = sm_90, __unchecked)]
mod $name {
    use ptx::prelude::*;

    /// Half of 64 rows.
    #[tensor_map(element = f32, box = [32, 32], swizzle = B128)]
    pub struct Half;

    #[derive(PtxType)]
    #[repr(C)]
    struct Smem {
        halves: [Tile<Half>; 2],
        full: Mbarrier,
        rest: [Mbarrier; 127],
    }

    #[shared]
    static SMEM: Smem;

    #[kernel(
        reqntid = 32, reqnctapercluster = 2,
        launch(grid = 2)
    )]
    pub fn copies(map: TensorMap<Half>) {
        ptx! {
            let %map: u64;
            let %rank, %row, %at: u32;
            let %both: B16;
            let %other, %done: bool;

            mov.u32         %rank, %cluster_ctarank;
            mov.u32         %row, %tid.x;
            setp.ne.u32     %other, %row, 0;
            @%other bra READY;
            mbarrier.init.shared.b64 [SMEM.full], 1;
            fence.mbarrier_init.release.cluster;
            fence.proxy.async.shared::cta;
        READY:
            bar.warp.sync   0xffffffff;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            @%other bra WAIT;
            mov.b16         %both, 3;
            shl.b32         %row, %rank, 5;
            lea.shared.u32  %at, SMEM.halves[%rank];
            mbarrier.arrive.expect_tx.shared.b64 _, [SMEM.full], $bytes;
            cvta.param.u64  %map, map;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster
                [%at], [%map, {0, %row}], [SMEM.full], %both;
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [SMEM.full], 0;
            @!%done bra WAIT;
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }
}
    )*};
}

halves! {
    enough: 8192;
    of_its_own: 4096;
    more: 8320;
}

/// The copies of another block count, and the bytes are those of the map.
#[test]
fn tiles_for_a_cluster_complete_what_both_blocks_copy() {
    for (module, expected) in [
        (&enough::MODULE, None),
        (&of_its_own::MODULE, Some("expects 4096 bytes, but the copies of this phase bring 8192")),
        (&more::MODULE, Some("128 expected bytes never arrive")),
    ] {
        let found: Vec<String> = module.check().iter().map(ToString::to_string).collect();
        match (found.as_slice(), expected) {
            ([], None) => {}
            ([one], Some(expected)) => assert!(one.contains(expected), "{one}"),
            _ => panic!("{found:?}, not {expected:?}"),
        }
    }
}
