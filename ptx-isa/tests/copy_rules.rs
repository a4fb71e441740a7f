//! Tensor copies whose destination depends on the execution, as the constants of expanded code check them.

mod panics;

use panics::found::text;
use ptx_isa::__private::{Check, Checked};
use ptx_isa::ir::{Extent, Struct, StructKind, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::copy::TensorCopy;
use ptx_isa::rules::encoded::{Accesses, push_other};
use ptx_isa::rules::{Offset, Reached};
use ptx_isa::tensor::{ElementType, Spec};
use ptx_isa::{ScalarType, Space};

/// Tiles of 1,024 bytes.
const SPEC: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [32, 8, 1, 1, 1]);
const MAP: Type<'static> = Type::Struct(Struct {
    name: "Map",
    size: 128,
    align: 64,
    fields: &[],
    kind: StructKind::TensorMap(&SPEC),
});
/// Room for two tiles.
const ROOM: Type<'static> = Type::Array(Extent::Known(2048), &Type::Scalar(ScalarType::U8));

/// The message about a copy to this offset; `threads` are the offsets for each thread, by index.
fn message(tile: Offset, threads: &[i128]) -> String {
    let target = Variable { align: Some(128), ..Variable::new(Space::Shared, "x", &ROOM) };
    let maps = Variable::new(Space::Const, "m", &MAP);
    let executions: Vec<_> = (0..)
        .zip(threads)
        .map(|(n, at)| (*at, Reached { thread: Some([n, 0, 0]), round: None, is_nearest: false }))
        .collect();
    let copy = TensorCopy {
        tile: (tile, Object::Variable(&target)),
        map: (Offset::exact(0), Object::Variable(&maps)),
        halo: 0,
        first: None,
        executions: &executions,
    };
    let mut table = Vec::new();
    push_other(0, &mut table);
    let others = [Check { of: Checked::Copy(copy), allow: &[], is_reached: true }];
    let accesses =
        Accesses { table: &table, constants: &[], operands: &[], allowed: &[], others: &others };
    text(accesses.checks(0, 1).name(0))
}

#[test]
fn the_first_execution_without_room_for_the_tile_is_reported() {
    let anywhere = Offset::UNKNOWN;
    for (tile, threads, expected) in [
        (anywhere, &[][..], ""),
        (anywhere, &[0, 1024, 128], ""),
        (anywhere, &[1152], " (by thread 0)"),
        (anywhere, &[0, 1152], " (by thread 1)"),
        (anywhere, &[0, 1152, 1280, 0], " (by thread 1)"),
        (anywhere, &[0, 0, 0, 1280], " (by thread 3)"),
        (Offset::exact(1024), &[], ""),
        (Offset::exact(1024), &[0], ""),
    ] {
        let text = message(tile, threads);
        assert_eq!(text.is_empty(), expected.is_empty(), "{threads:?}: {text}");
        assert!(text.contains(expected), "{threads:?}: {text}");
    }
    // A fault in every execution is reported for all of them.
    let text = message(Offset::exact(1152), &[0, 1280]);
    assert!(text.contains("A037") && !text.contains("by thread"), "{text}");
}
