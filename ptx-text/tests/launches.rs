//! Launches that are given with a check, and those that are followed without.

use ptx_text::{Following, Kind, Launch, Launches, Parsed, Passed};

/// A kernel with two parameters.
fn kernel(directives: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n\
         .visible .entry k(.param .u64 out, .param .u32 n)\n{directives}\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n\
         .shared .align 4 .b8 row[4096];\n{body}\nret;\n}}\n"
    )
}

/// Each thread reads what the thread with this distance stores, as a bit of its bytes.
const PAIRS: &str =
    "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;
    st.shared.u32 [%r3], %r1;\nxor.b32 %r2, %r2, 128;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;
    ld.shared.u32 %r4, [%r3];";

/// Each thread reads what the same lane of the next warp stores.
const ROWS: &str =
    "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;
    st.shared.u32 [%r3], %r1;\nmov.u32 %r3, %ntid.x;\nadd.u32 %r2, %r1, 32;\nrem.u32 %r2, %r2, %r3;
    shl.b32 %r2, %r2, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;\nld.shared.u32 %r4, [%r3];";

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
    assert_eq!(codes(&kernel("", never), Launches::Usual), ["A067"]);
    assert_eq!(codes(&kernel(".maxntid 64", never), Launches::Usual), ["A067"]);
    assert_eq!(codes(&kernel("", never), Launches::Declared), [""; 0]);
    // Each thread completes 4 bytes: 128 threads too few, 1,024 too many, and 256 those that are expected.
    let bytes = ".shared .align 8 .b64 full;\nmov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 0;
        @%p1 mbarrier.init.shared.b64 [full], 1;\nbar.sync 0;
        @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [full], 1024;\nbar.sync 0;
        mbarrier.complete_tx.relaxed.cta.shared.b64 [full], 4;\nL:
        mbarrier.test_wait.parity.shared.b64 %p2, [full], 0;\n@!%p2 bra L;";
    let text = kernel("", bytes).replace("sm_80", "sm_90");
    assert_eq!(codes(&text, Launches::Usual), [""; 0]);
    for (threads, wanted) in [(128, &["A110"][..]), (256, &[]), (1024, &["A041"])] {
        let launch = Launch::of_blocks([threads, 1, 1]);
        assert_eq!(codes(&text, Launches::Given(&launch)), wanted, "{threads}");
    }
}

#[test]
fn numbers_in_parameters_are_tried_or_given() {
    let below = "ld.param.u32 %r5, [n];\nsetp.lt.u32 %p1, %r1, %r5;";
    let [first, last] = ["mov.u32 %r1, %tid.x;", "ld.shared.u32 %r4, [%r3];"];
    let rows = ROWS.replace(first, &format!("{first}\n{below}"));
    let rows = rows.replace("st.shared", "@%p1 st.shared").replace(last, &format!("@%p1 {last}"));
    let text = kernel("", &rows);
    let with = |name: &str, n| Launch {
        params: vec![(name.to_owned(), Passed::Number(n))],
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
    // The kernel says how large a block is, or the usual ones count.
    let grid = Launch { grid: Some([4, 1, 1]), ..Launch::default() };
    for directives in [".reqntid 64", "", ".maxntid 96"] {
        assert_eq!(codes(&kernel(directives, &same), Launches::Given(&grid)), ["A109"]);
        assert_eq!(codes(&kernel(directives, &own), Launches::Given(&grid)), [""; 0]);
    }
}

#[test]
fn a_cluster_has_its_number_in_the_grid() {
    let launch =
        Launch { grid: Some([4, 1, 1]), cluster: Some([2, 1, 1]), ..Launch::of_blocks([64, 1, 1]) };
    // Each of the two clusters is below their number, and none is that number.
    for (compares, expected) in [("lt", vec!["A109"]), ("eq", Vec::new())] {
        let guard = format!(
            "mov.u32 %r5, %clusterid.x;\nmov.u32 %r6, %nclusterid.x;\nsetp.{compares}.u32 %p1, %r5, %r6;"
        );
        let rows =
            ROWS.replace("st.shared", "@%p1 st.shared").replace("ld.shared", "@%p1 ld.shared");
        let text = kernel("", &format!("{guard}\n{rows}")).replace("sm_80", "sm_90");
        assert_eq!(codes(&text, Launches::Given(&launch)), expected, "{compares}");
    }
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
    let unknown =
        text.replace(".visible", "// ptx: launch(block = 32, m = 1, n = 2, 2 = 3)\n.visible");
    let messages = found(&unknown, Launches::Declared).into_iter().map(|(_, message)| message);
    assert_eq!(
        messages.collect::<Vec<_>>(),
        ["`k` has no parameter `m`", "`k` has no parameter `2`"]
    );
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
    for (value, expected) in [
        ("n = 1, n = [1]", "`n` is given twice; remove one"),
        ("n = [1, 2", "`[1, 2`: close the bracket after the last word"),
        ("n = [1,, 2]", "`[1,, 2]`: a word is missing beside a comma"),
        ("n = [-1]", "`[-1]`: a word is a number of 32 bits, 0 to 4294967295, and `-1` is not"),
        ("n = [0x1,]", "`n` is not an address, and has no words: write a number"),
        ("n = x", "`x`: invalid digit found in string"),
    ] {
        let found = message(&with(&format!("launch(block = 32, {value})")));
        assert!(found.starts_with(expected), "{value}: {found}");
    }
    let two = with("launch(block = 64)\n// ptx: launch(block = 32)");
    assert!(found(&two, Launches::Declared)[0].1.starts_with("a kernel is followed in one launch"));
    let misplaced = "a launch goes before a kernel, and this is not one; remove it";
    for (before, after) in [
        (".visible", "// ptx: launch(block = 64)\n.global .b32 g;\n.visible"),
        ("mov.u32 %r1", "// ptx: launch(block = 64)\nmov.u32 %r1"),
        (".version", "// ptx: launch(block = 64)\n.version"),
    ] {
        assert_eq!(message(&text.replacen(before, after, 1)), misplaced, "{after}");
    }
    assert_eq!(message(&format!("{text}// ptx: launch(block = 64)\n")), misplaced);
}

#[test]
fn a_comment_above_what_a_kernel_or_a_device_allows_is_an_error_at_its_number() {
    let bounded = ".maxntid 64, 2\n.maxclusterrank 4";
    for (directives, list, expected) in [
        (bounded, "block = (64, 2), cluster = 4", None),
        (
            bounded,
            "block = 192",
            Some(("192", "`.maxntid` allows 128 threads: give at most as many, not 192")),
        ),
        (
            bounded,
            "block = 64, cluster = (4, 2)",
            Some(("(4, 2)", "`.maxclusterrank` allows 4 blocks: give at most as many, not 8")),
        ),
        (
            "",
            "block = (64, 32)",
            Some(("(64, 32)", "a block has at most 1024 threads, and these are 2048")),
        ),
        (
            "",
            "block = (1, 1, 65)",
            Some(("(1, 1, 65)", "a block has at most 64 threads in z, and these are 65")),
        ),
        (
            "",
            "block = 32, cluster = 17, grid = 17",
            Some(("17", "a cluster has at most 16 blocks, and these are 17")),
        ),
    ] {
        for (open, close) in [("//", ""), ("/*", " */")] {
            let comment = format!("{open} ptx: launch({list}){close}\n.visible");
            let text = kernel(directives, "").replace("sm_80", "sm_90");
            let text = text.replace(".visible", &comment);
            let found = Parsed::new(&text).check();
            let found: Vec<_> =
                found.iter().map(|it| (&text[it.range.clone()], it.message.as_str())).collect();
            assert_eq!(found, Vec::from_iter(expected), "{comment}");
        }
    }
}

/// What is found without lockstep.
fn strictly(text: &str) -> Vec<(&'static str, String)> {
    let following = Following { is_strict: true, ..Following::default() };
    let found = Parsed::new(text).check_launched(following).into_iter();
    found.map(|found| (found.code.unwrap_or("none"), found.message)).collect()
}

#[test]
fn without_lockstep_threads_of_a_warp_need_an_order() {
    let near = PAIRS.replace("128", "4");
    let text = kernel(".reqntid 64", &near);
    assert_eq!(codes(&text, Launches::Declared), [""; 0]);
    let found = strictly(&text);
    let [(code, message)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(*code, "A117");
    assert_eq!(
        message,
        "thread 0 reads byte 4 of `row`, and thread 1 writes it on line 15: the memory model does not \
         order the two, even if lockstep of a warp or equal numbers hide it"
    );
    let last = "ld.shared.u32 %r4, [%r3];";
    let orders = [
        ("bar.warp.sync -1;", 0),
        ("bar.sync 0;", 0),
        ("bar.sync 1, 64;", 0),
        // These lanes are pairs.
        ("bar.warp.sync 0x0000ffff;", 1),
        ("shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;", 1),
        ("membar.cta;", 1),
        ("fence.acq_rel.cta;", 1),
    ];
    for (order, count) in orders {
        let text = kernel(".reqntid 64", &near.replace(last, &format!("{order}\n{last}")));
        let found = strictly(&text);
        let is_half = order.contains("0000ffff");
        let wanted = if is_half { "A116" } else { "A117" };
        assert_eq!(found.len(), count, "{order}: {found:?}");
        assert!(found.iter().all(|(code, _)| *code == wanted), "{order}: {found:?}");
    }
    // An order before says nothing about what comes after it.
    let early = near.replace("st.shared", "bar.warp.sync -1;\nst.shared");
    assert_eq!(strictly(&kernel(".reqntid 64", &early)).len(), 1);
    // Halves of a warp know what they do themselves.
    let halves = "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra LOW;\nbar.warp.sync 0xffff0000;\nbra BOTH;\n\
                  LOW:\nbar.warp.sync 0x0000ffff;\nBOTH:\n";
    let with = |bytes: &str| {
        let body = PAIRS.replace("128", bytes).replace(last, &format!("{halves}{last}"));
        strictly(&kernel(".reqntid 32", &body)).len()
    };
    assert_eq!([with("4"), with("60"), with("64"), with("124")], [0, 0, 1, 1]);
    // Each mask is a barrier of its own, and lanes wait at one.
    let body = format!("mov.u32 %r1, %tid.x;\n{halves}")
        .replace("0xffff0000", "-1")
        .replace("0x0000", "0x00ff");
    assert_eq!(codes(&kernel(".reqntid 32", &body), Launches::Declared), ["A115"]);
}

/// The second warp writes, and lets the first know by an arrival and a wait.
const TOLD: &str = "\
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
and.b32 %r2, %r2, 124;
mov.u32 %r3, row;
add.u32 %r3, %r3, %r2;
setp.eq.u32 %p1, %r2, 0;
setp.eq.u32 %p2, %r1, 0;
@%p2 mbarrier.init.shared.b64 [full], 1;
bar.sync 0;
setp.lt.u32 %p2, %r1, 32;
@%p2 bra FIRST;
st.shared.u32 [%r3], %r1;
bar.warp.sync -1;
@%p1 mbarrier.arrive.shared.b64 %rd1, [full];
ret;
FIRST:
@!%p1 bra WAITED;
WAIT:
mbarrier.test_wait.parity.shared.b64 %p2, [full], 0;
@!%p2 bra WAIT;
WAITED:
bar.warp.sync -1;
ld.shared.u32 %r4, [%r3];";

#[test]
fn without_lockstep_an_arrival_and_a_wait_are_of_one_thread() {
    let with = |body: &str| {
        let text = kernel(".reqntid 64", body);
        let text = text.replace(".reg .b32", ".shared .align 8 .b64 full;\n.reg .b32");
        assert_eq!(codes(&text, Launches::Declared), [""; 0], "{body}");
        strictly(&text)
    };
    assert_eq!(with(TOLD), []);
    let last = TOLD.rfind("bar.warp.sync -1;\n").expect("it has one");
    let shared =
        |at: usize| format!("{}{}", &TOLD[..at], &TOLD[at + "bar.warp.sync -1;\n".len()..]);
    let untold = shared(TOLD.find("bar.warp.sync -1;\n").expect("it has one"));
    for body in [&untold, &shared(last)] {
        let found = with(body);
        let [(code, message)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(*code, "A117");
        let of_lane_1 = "thread 1 reads byte 4 of `row`, and thread 33 writes it on line ";
        assert!(message.starts_with(of_lane_1), "{message}");
    }
    // Where all threads arrive, and all wait, nothing is missing.
    let all = untold.replace("[full], 1;", "[full], 32;").replace("@%p1 mbarrier", "mbarrier");
    assert_eq!(
        with(&all.replace("@!%p1 bra WAITED;\n", "").replace("WAITED:\nbar.warp.sync -1;\n", "")),
        []
    );
}

#[test]
fn without_lockstep_equal_numbers_need_an_order() {
    let strict = |body: &str| {
        let text = kernel(".reqntid 64", &format!("mov.u32 %r1, %tid.x;\n{body}"));
        assert_eq!(codes(&text, Launches::Declared), [""; 0], "{body}");
        strictly(&text).into_iter().map(|(code, _)| code).collect::<Vec<_>>()
    };
    assert_eq!(strict("st.shared.u32 [row], 7;"), ["A117"]);
    assert_eq!(strict("setp.eq.u32 %p1, %r1, 0;\n@%p1 st.shared.u32 [row], 7;"), [""; 0]);
    assert_eq!(strict("st.relaxed.cta.shared.u32 [row], 7;"), [""; 0]);
    assert_eq!(strict("red.shared.add.u32 [row], 1;"), [""; 0]);
    // One number of a global buffer for all.
    let load =
        "ld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd1, %rd1;\nld.global.u32 %r2, [%rd1];\n";
    assert_eq!(strict(&format!("{load}st.shared.u32 [row], %r2;")), ["A117"]);
}

#[test]
fn buffers_whose_bytes_are_given_have_an_end() {
    let body = "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd1, %rd1;\n\
                mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r1;\n\
                mov.u32 %r2, dyn;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r2, %r2, %r3;\nst.shared.u32 [%r2], %r1;";
    let text =
        kernel("", body).replace(".visible", ".extern .shared .align 4 .b8 dyn[];\n.visible");
    let with = |bytes, dynamic| {
        let params = vec![("out".to_owned(), Passed::Buffer(bytes))];
        let launch = Launch { params, dynamic: Some(dynamic), ..Launch::of_blocks([64, 1, 1]) };
        found(&text, Launches::Given(&launch))
    };
    assert_eq!(with(256, 256), []);
    let less = with(255, 128);
    let [(one, of_buffer), (other, of_shared)] = less.as_slice() else { panic!("{less:?}") };
    assert_eq!([*one, *other], ["A118"; 2]);
    assert_eq!(
        of_buffer,
        "thread 63 writes byte 255 of `*out`, which has 255 bytes in this launch"
    );
    assert_eq!(of_shared, "thread 32 writes byte 128 of `dyn`, which has 128 bytes in this launch");
    // The last block of a grid comes further.
    let wide = text.replace("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %ctaid.x;");
    let params = vec![("0".to_owned(), Passed::Buffer(396))];
    let grid = Some([100, 1, 1]);
    let launch = Launch { params, grid, ..Launch::of_blocks([1, 1, 1]) };
    assert_eq!(codes(&wide, Launches::Given(&launch)), ["A118"]);
    // The same in a comment.
    let commented =
        text.replace(".visible", "// ptx: launch(block = 64, dynamic = 256, out = @64)\n.visible");
    assert_eq!(codes(&commented, Launches::Declared), ["A118"]);
}

#[test]
fn a_note_says_where_the_analysis_of_a_launch_stops() {
    let body = "ld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd1, %rd1;\natom.global.add.u32 %r2, [%rd1], 1;\n\
                setp.eq.u32 %p1, %r2, 1;\n@%p1 bra JOIN;\nbar.sync 0;\nJOIN:";
    let text = kernel("", body);
    let one = Launch::of_blocks([64, 1, 1]);
    let notes = Parsed::new(text.clone()).check_launched(Launches::Given(&one));
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert_eq!(note.kind, Kind::NotFollowed);
    assert!(!note.kind.is_error());
    assert_eq!(
        note.message,
        "the threads of this kernel are followed up to here: what they do depends on something that \
         is not known"
    );
    assert_eq!(codes(&text, Launches::Usual), [""; 0]);
}

#[test]
fn kernels_of_a_module_share_the_steps_in_which_threads_are_followed() {
    let long = "mov.u32 %r1, 0;\nL: bar.sync 0;\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 100000000;\n@%p1 bra L;";
    let kernel =
        |name: &str, body| kernel(".reqntid 64", body).replace(" k(", &format!(" {name}("));
    let short = |n: usize| kernel(&format!("short{n}"), "bar.sync 0;");
    let long = kernel("long", long);
    let header = long.find(".visible").expect("a kernel");
    let module = |kernels: Vec<String>| {
        let kernels = kernels.iter().map(|kernel| &kernel[header..]);
        let text = format!("{}{}", &long[..header], kernels.collect::<String>());
        let found = Parsed::new(text).check_launched(Launches::Declared);
        found.into_iter().map(|it| (it.message, it.help)).collect::<Vec<_>>()
    };
    let followed = "the threads of this kernel are followed up to here: they take more than";
    let alone = [(format!("{followed} 100000 steps"), None)];
    assert_eq!(module(vec![long.clone()]), alone);
    // The first of 41 gets as much as each of the others. What these do not take is for those after them.
    let others: Vec<String> = (0..40).map(short).collect();
    let part = format!(
        "{followed} 97560 steps, which is its share of those for all kernels of the module"
    );
    let help = "check this kernel in a module of its own, or give a launch for it alone";
    assert_eq!(
        module([vec![long.clone()], others.clone()].concat()),
        [(part, Some(help.to_owned()))]
    );
    assert_eq!(module([others, vec![long.clone()]].concat()), alone);
}

/// What is found in blocks of 64 threads with the thread number in `%r1` and the address `out` in `%rd1`.
fn in_64(body: &str, grid: Option<[u32; 3]>) -> Vec<&'static str> {
    let start = "mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\ncvta.to.global.u64 %rd1, %rd1;\n";
    let launch = Launch { grid, ..Launch::of_blocks([64, 1, 1]) };
    codes(&kernel("", &format!("{start}{body}")), Launches::Given(&launch))
}

#[test]
fn numbers_are_compared_byte_by_byte() {
    // The address of the element in `%r2` of `row`.
    let element = "shl.b32 %r2, %r2, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;\n";
    let store = |index: &str, number: &str| {
        in_64(&format!("{index}\n{element}st.shared.u32 [%r3], {number};"), None)
    };
    // Each element has one number, and warps share elements.
    assert_eq!(store("rem.u32 %r4, %r1, 48;\nmov.u32 %r2, %r4;", "%r4"), [""; 0]);
    // The lanes store the same, one element further on.
    let further = "and.b32 %r4, %r1, 31;\nshr.u32 %r5, %r1, 5;\nadd.u32 %r2, %r4, %r5;\nand.b32 %r2, %r2, 31;";
    assert_eq!(store(further, "%r4"), ["A109"]);
    assert_eq!(store("and.b32 %r2, %r1, 31;", "%r1"), ["A109"]);
    // Two bytes of them are the same.
    let half = "and.b32 %r2, %r1, 31;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;\n\
                and.b32 %r4, %r1, 31;\nshl.b32 %r5, %r1, 16;\nor.b32 %r4, %r4, %r5;\n";
    assert_eq!(in_64(&format!("{half}st.shared.u16 [%r3], %r4;"), None), [""; 0]);
    assert_eq!(in_64(&format!("{half}st.shared.u32 [%r3], %r4;"), None), ["A109"]);
}

#[test]
fn numbers_that_are_not_followed_are_equal_where_they_are_computed_from_the_same() {
    let float =
        |more: &str| in_64(&format!(".reg .f32 %f<4>;\n{more}\nst.shared.f32 [row], %f1;"), None);
    assert_eq!(float("cvt.rn.f32.u32 %f1, %r1;"), ["A109"]);
    assert_eq!(float("shr.u32 %r2, %r1, 6;\ncvt.rn.f32.u32 %f1, %r2;"), [""; 0]);
    assert_eq!(float("cvt.rn.f32.u32 %f0, %r1;\nmul.f32 %f1, %f0, 0f3F000000;"), ["A109"]);
    assert_eq!(float("ld.global.f32 %f1, [%rd1];"), [""; 0]);
    let own = "mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\nld.global.f32 %f1, [%rd2];";
    assert_eq!(float(own), ["A109"]);
    // A sum over a warp is the same in all lanes, but for the order of its terms.
    let sums = "and.b32 %r2, %r1, 31;\nmul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd2, %rd1, %rd2;\n\
                ld.global.f32 %f0, [%rd2];\nshfl.sync.bfly.b32 %f2, %f0, 1, 31, -1;\nadd.f32 %f1, %f0, %f2;\n\
                and.b32 %r3, %r1, 30;\nshl.b32 %r3, %r3, 2;\nmov.u32 %r4, row;\nadd.u32 %r3, %r3, %r4;";
    let both = in_64(&format!(".reg .f32 %f<4>;\n{sums}\nst.shared.f32 [%r3], %f1;"), None);
    assert_eq!(both, [""; 0]);
    // Nothing is known of a clock.
    assert_eq!(in_64("mov.u32 %r2, %clock;\nst.shared.u32 [row], %r2;", None), [""; 0]);
    // What an atomic operation returns is another number for each, which is not known.
    let ticket = "atom.global.add.u32 %r2, [%rd1], 1;\nst.shared.u32 [row], %r2;";
    assert_eq!(in_64(ticket, None), [""; 0]);
}

#[test]
fn pointers_in_structs_are_followed() {
    let text = |params: &str, at: &str| {
        format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k({params})\n.reqntid 64\n{{\n\
             .reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [{at}];\ncvta.to.global.u64 %rd1, %rd1;\n\
             mov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], %r1;\nld.param.u64 %rd2, [p+16];\n\
             cvta.to.global.u64 %rd2, %rd2;\nmul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd2, %rd2, %rd3;\n\
             ld.global.u32 %r2, [%rd2];\nret;\n}}\n"
        )
    };
    let bytes = ".param .align 8 .b8 p[24]";
    for at in ["p", "p+8"] {
        let found = found(&text(bytes, at), Launches::Declared);
        let [(code, message)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(*code, "A109");
        assert!(message.contains("byte 0 of `*p`"), "{message}");
    }
    assert_eq!(codes(&text(".param .b64 p[3]", "p+8"), Launches::Declared), ["A109"]);
}

#[test]
fn blocks_of_a_grid_read_and_write_apart() {
    let grid = Some([4, 1, 1]);
    let own = "mov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r2, %r2, 64, %r1;\nmul.wide.u32 %rd2, %r2, 4;\n\
               add.u64 %rd2, %rd1, %rd2;\n";
    let read = |order: &str| {
        let body = format!(
            "{own}st.global.u32 [%rd2], %r1;\nbar.sync 0;\n{order}\nld.global.u32 %r3, [%rd1];"
        );
        in_64(&body, grid)
    };
    assert_eq!(read(""), ["A109"]);
    // One thread waits for a flag, and the others for that thread.
    let flag = "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nred.release.gpu.global.add.u32 [%rd1+4096], 1;\nSPIN:\nld.acquire.gpu.global.u32 %r4, [%rd1+4096];\n\
                setp.eq.u32 %p2, %r4, 0;\n@%p2 bra SPIN;\nDONE:\nbar.sync 0;";
    assert_eq!(read(flag), [""; 0]);
    // Nobody tells what was written.
    assert_eq!(read(&flag.replace(".release", "")), ["A109"]);
    // Atomic operations of one word, by all blocks.
    let count = |scope: &str| in_64(&format!("atom{scope}.global.add.u32 %r2, [%rd1], 1;"), grid);
    assert_eq!(count(""), [""; 0]);
    assert_eq!(count(".gpu"), [""; 0]);
    assert_eq!(count(".cta"), ["A109"]);
    assert_eq!(in_64("atom.cta.global.add.u32 %r2, [%rd1], 1;", None), [""; 0]);
}

#[test]
fn strict_checks_report_reads_of_unwritten_memory() {
    let half = "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\nmov.u32 %r3, row;\nadd.u32 %r3, %r3, %r2;\n\
                setp.lt.u32 %p1, %r1, 32;\n@%p1 st.shared.u32 [%r3], %r1;\nbar.sync 0;\nld.shared.u32 %r4, [%r3];";
    let text = kernel(".reqntid 64", half);
    assert_eq!(codes(&text, Launches::Declared), [""; 0]);
    let found = strictly(&text);
    let [(code, message)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (*code, message.as_str()),
        ("A122", "thread 32 reads byte 128 of `row`, which nothing writes")
    );
    // A vector of which a part is written, what is stored at an unknown address, and what comes later from another warp.
    let silent = [
        half.replace("setp.lt.u32 %p1, %r1, 32", "setp.lt.u32 %p1, %r1, 64"),
        half.replace("bar.sync 0;", "ld.param.u64 %rd1, [out];\nld.global.u32 %r5, [%rd1];\nst.shared.u32 [%r5], 1;\nbar.sync 0;"),
        half.replace("ld.shared.u32 %r4, [%r3];", "and.b32 %r3, %r3, 0xffffff80;\nld.shared.u32 %r4, [row];"),
    ];
    for body in silent {
        assert_eq!(strictly(&kernel(".reqntid 64", &body)), [], "{body}");
    }
}
