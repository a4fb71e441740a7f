//! Launches that are given with a check, and those that are followed without.

use ptx_text::{Launch, Launches, Parsed};

/// A kernel with two parameters.
fn kernel(directives: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 out, .param .u32 n)\n{directives}\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n\
         .shared .align 4 .b8 row[4096];\n{body}\nret;\n}}\n"
    )
}

/// Each thread reads what its neighbour stores.
const ROWS: &str =
    "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;
    st.shared.u32 [%r3], %r1;\nxor.b32 %r2, %r2, 128;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;
    ld.shared.u32 %r4, [%r3];";

/// The codes and messages of what is found.
fn found(text: &str, launches: Launches<'_>) -> Vec<(&'static str, String)> {
    let found = Parsed::new(text).check_launched(launches).into_iter();
    found.map(|found| (found.code.unwrap_or("none"), found.message)).collect()
}

/// The codes alone.
fn codes(text: &str, launches: Launches<'_>) -> Vec<&'static str> {
    found(text, launches).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn a_block_is_followed_where_its_threads_are_known() {
    let open = kernel("", ROWS);
    let [one, two] = [[32, 1, 1], [64, 1, 1]].map(Launch::of_blocks);
    assert_eq!(codes(&open, Launches::Declared), [""; 0]);
    assert_eq!(codes(&open, Launches::Given(&one)), [""; 0]);
    assert_eq!(codes(&open, Launches::Given(&two)), ["A109"]);
    // Blocks of one warp are right.
    assert_eq!(codes(&open, Launches::Usual), [""; 0]);
    // What is declared is not replaced.
    let declared = kernel(".reqntid 64", ROWS);
    for launches in [Launches::Declared, Launches::Usual, Launches::Given(&one)] {
        assert_eq!(codes(&declared, launches), ["A109"], "{launches:?}");
    }
}

#[test]
fn usual_blocks_show_what_goes_wrong_in_all() {
    let never = ".shared .align 8 .b64 full;\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;
        @%p1 mbarrier.init.shared.b64 [full], 2;\nbar.sync 0;
        @%p1 mbarrier.arrive.shared.b64 _, [full];\nL:
        mbarrier.test_wait.parity.shared.b64 %p2, [full], 0;\n@!%p2 bra L;";
    assert_eq!(codes(&kernel("", never), Launches::Usual), ["A110"]);
    assert_eq!(codes(&kernel(".maxntid 64", never), Launches::Usual), ["A110"]);
    assert_eq!(codes(&kernel("", never), Launches::Declared), [""; 0]);
}

#[test]
fn numbers_in_parameters_are_tried_or_given() {
    let below = "ld.param.u32 %r5, [n];\nsetp.lt.u32 %p1, %r1, %r5;";
    let [first, last] = ["mov.u32 %r1, %tid.x;", "ld.shared.u32 %r4, [%r3];"];
    let rows = ROWS.replace(first, &format!("{first}\n{below}"));
    let rows = rows.replace("st.shared", "@%p1 st.shared").replace(last, &format!("@%p1 {last}"));
    let text = kernel("", &rows);
    let with = |name: &str, n| Launch {
        params: vec![(name.to_owned(), n)],
        ..Launch::of_blocks([64, 1, 1])
    };
    for name in ["n", "1"] {
        assert_eq!(codes(&text, Launches::Given(&with(name, 64))), ["A109"], "{name}");
        assert_eq!(codes(&text, Launches::Given(&with(name, 32))), [""; 0], "{name}");
    }
    // Greater numbers are wrong, and smaller ones do not get there as often.
    assert_eq!(codes(&text, Launches::Given(&Launch::of_blocks([64, 1, 1]))), ["A109"]);
}

#[test]
fn blocks_of_a_grid_write_apart() {
    let start = "ld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd1, %rd1;\nmov.u32 %r1, %ctaid.x;";
    let same = format!("{start}\nst.global.u32 [%rd1], %r1;");
    let own = format!(
        "{start}\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r1;"
    );
    let one = Launch::of_blocks([32, 1, 1]);
    let grid = Launch { grid: Some([4, 2, 1]), ..one.clone() };
    assert_eq!(codes(&kernel("", &same), Launches::Given(&one)), [""; 0]);
    let found = found(&kernel("", &same), Launches::Given(&grid));
    let [(code, message)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(*code, "A109");
    assert_eq!(
        message,
        "thread 0 of block 1 writes byte 0 of `*out`, and thread 31 of block 0 writes it here, too: \
         nothing orders the two"
    );
    // Blocks of two rows have the same number along the first dimension.
    assert_eq!(codes(&kernel("", &own), Launches::Given(&grid)), [""; 0]);
    let grid = Launch { grid: Some([4, 1, 1]), ..one };
    assert_eq!(codes(&kernel("", &own), Launches::Given(&grid)), [""; 0]);
}

#[test]
fn a_comment_gives_a_kernel_its_launch() {
    let text = kernel("", ROWS);
    let with = |comment: &str| text.replace(".visible", &format!("// ptx: {comment}\n.visible"));
    for launches in [Launches::Declared, Launches::Usual] {
        assert_eq!(codes(&with("launch(block = 64)"), launches), ["A109"]);
        assert_eq!(codes(&with("launch(block = (64, 1), n = 4, dynamic = 0)"), launches), ["A109"]);
        assert_eq!(
            codes(&with("launch(block = 32, grid = (4, 2), cluster = 2)"), launches),
            [""; 0]
        );
    }
    // It goes with an allowance, and is more than what is given for all kernels.
    let both = with("launch(block = 64)\n// ptx: allow(A109)");
    assert_eq!(codes(&both, Launches::Declared), [""; 0]);
    let one = Launch::of_blocks([32, 1, 1]);
    assert_eq!(codes(&with("launch(block = 64)"), Launches::Given(&one)), ["A109"]);
}

#[test]
fn a_comment_that_is_no_launch_is_an_error() {
    let text = kernel("", ROWS);
    let message = |text: &str| match found(text, Launches::Declared).as_slice() {
        [(_, message)] => message.clone(),
        found => panic!("{found:?}"),
    };
    let with = |comment: &str| text.replace(".visible", &format!("// ptx: {comment}\n.visible"));
    for comment in ["launch", "launch(64)", "launch()", "launch(grid = 4)"] {
        assert!(message(&with(comment)).starts_with("write the launch"), "{comment}");
    }
    assert!(message(&with("launch(block = 1024x)")).starts_with("`1024x` is not a number"));
    assert!(message(&with("launch(block = (1, 2, 3, 4))")).contains("more than three dimensions"));
    assert!(message(&with("launch(block = 0)")).starts_with("an extent is at least 1"));
    let two = with("launch(block = 64)\n// ptx: launch(block = 32)");
    assert!(found(&two, Launches::Declared)[0].1.starts_with("a kernel is followed in one launch"));
    let misplaced = "a launch goes before a kernel, and this is none; remove it";
    for (before, after) in [
        (".visible", "// ptx: launch(block = 64)\n.global .b32 g;\n.visible"),
        ("mov.u32 %r1", "// ptx: launch(block = 64)\nmov.u32 %r1"),
        (".version", "// ptx: launch(block = 64)\n.version"),
    ] {
        assert_eq!(message(&text.replacen(before, after, 1)), misplaced, "{after}");
    }
    assert_eq!(message(&format!("{text}// ptx: launch(block = 64)\n")), misplaced);
}
