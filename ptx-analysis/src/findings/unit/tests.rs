//! Tests of which declarations may turn out to have too small an alignment.

use alloc::vec::Vec;

use crate::tests::sample::Sample;

#[test]
fn an_alignment_waits_where_any_check_of_it_does() {
    let waiting = |body: &str| -> Vec<&str> {
        let text = alloc::format!(
            ".shared .align 4 .b32 x[4];
             .shared .align 4 .b32 y[4];
             .entry k() {{
                 .reg .b32 %r<4>;
                 .reg .b64 %d<4>;
                 {body}
                 ret;
             }}"
        );
        let conclusions = &Sample::of(&text).conclusions(true)["k"];
        ["x", "y"]
            .into_iter()
            .filter(|name| conclusions.maybe_misaligned.iter().any(|it| it == name))
            .collect()
    };
    assert!(waiting("").is_empty());
    assert!(waiting("ld.shared.b32 %r1, [x];").is_empty());
    // A count is also deferred, but it does not concern a declaration.
    let count = "mbarrier.init.shared::cta.b64 [y], $N;";
    assert!(waiting("ld.shared.b32 %r1, [x+$N];").is_empty());
    assert_eq!(waiting("ld.shared.b64 %d1, [x+$N];"), ["x"]);
    assert_eq!(waiting("ld.shared.b64 %d1, [y+$N];"), ["y"]);
    assert_eq!(waiting("ld.shared.b64 %d1, [x+$N];\nld.shared.b32 %r1, [y+$N];"), ["x"]);
    assert_eq!(waiting("ld.shared.b32 %r1, [y+$N];\nld.shared.b64 %d1, [x+$N];"), ["x"]);
    assert_eq!(waiting("ld.shared.b64 %d1, [x+$N];\nld.shared.b64 %d1, [y+$N];"), ["x", "y"]);
    assert_eq!(waiting(&alloc::format!("ld.shared.b64 %d1, [x+$N];\n{count}")), ["x"]);
}
