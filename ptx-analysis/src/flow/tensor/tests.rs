use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;

use super::*;

#[test]
fn a_tensor_has_a_rank_and_a_mode() {
    let pairs = |words: &[&'static str]| {
        let of = |word: &&'static str| match word.strip_prefix("::") {
            Some(word) => ("::", word),
            None => (".", *word),
        };
        tensor(&words.iter().map(of).collect::<Vec<_>>())
    };
    for (rank, word) in [(1, "1d"), (2, "2d"), (3, "3d"), (4, "4d"), (5, "5d")] {
        assert_eq!(pairs(&["tensor", word]), Some((rank, TensorMode::Tile)));
    }
    for (words, expected) in [
        (vec!["2d"], TensorMode::Tile),
        (vec!["2d", "tile"], TensorMode::Tile),
        (vec!["2d", "tile", "::gather4"], TensorMode::Gather4),
        (vec!["2d", "tile", "::scatter4"], TensorMode::Scatter4),
        (vec!["2d", "tile", "mbarrier", "::complete_tx"], TensorMode::Tile),
        (vec!["3d", "im2col"], TensorMode::Im2col),
        (vec!["3d", "im2col", "::w"], TensorMode::Im2colW),
        (vec!["3d", "im2col", "::w", "mbarrier"], TensorMode::Im2colW),
        (vec!["3d", "im2col", "::w", "::128"], TensorMode::Im2colW128),
        (vec!["3d", "im2col_no_offs"], TensorMode::Im2col),
        // Words after an unrelated one do not belong to the mode.
        (vec!["3d", "::tile", "::gather4"], TensorMode::Tile),
    ] {
        assert_eq!(pairs(&words).map(|(_, mode)| mode), Some(expected), "{words:?}");
    }
    assert_eq!(pairs(&["tile"]), None);
}

#[test]
fn coordinates_follow_the_map_and_offsets_the_brackets() {
    let count = |text: &str| {
        let (encoded, table) = encode(text);
        let statement = Body::new(&encoded, &table, &[]).statements().next();
        let statement = statement.expect("there is one");
        let instruction = statement.instruction(&[]).expect("it is an instruction");
        let counted = |group: Option<&_>| group.map(|group| inside(group).len());
        (counted(coordinates(&instruction)), counted(offsets(&instruction)))
    };
    let copy = "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes";
    assert_eq!(
        count(&format!("{copy} [t], [map, {{0, 1, 2}}], [bar], {{5}};")),
        (Some(3), Some(1))
    );
    assert_eq!(count(&format!("{copy} [t], [map, {{0, 1}}], [bar];")), (Some(2), None));
    assert_eq!(count(&format!("{copy} [t], [map, %r1], [bar];")), (None, None));
    assert_eq!(count("ld.global.v2.u32 {%r1, %r2}, [%d1];"), (None, Some(2)));
}
