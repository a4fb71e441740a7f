//! The rules about the contents of registers, at their limits.

use ptx_isa::ScalarType;
use ptx_isa::ir::{Type, Variable};
use ptx_isa::rules;
use ptx_isa::rules::access::Object;
use ptx_isa::rules::format::{ByteFormat, NumberRole, REGISTER_BYTES, UsedNumbers};
use ptx_isa::rules::register::{Holding, Taken};
use ptx_isa::rules::reload::Reload;
use ptx_isa::{NumberFormat, PackedNumbers, Space};

#[test]
fn a_small_number_is_not_an_address() {
    const FIRST: i128 = 65_536;
    for (least, most, is_found) in [
        (0, 0, true),
        (0, FIRST - 1, true),
        (0, FIRST, false),
        (0, FIRST + 1, false),
        (1 - FIRST, 0, true),
        (-FIRST, 0, false),
        (-FIRST - 1, 0, false),
    ] {
        let holds = Holding::Number(least, most);
        let found = rules::check_register(Taken { name: "%rd1", taken_for: "an address", holds });
        assert_eq!(!found.is_empty(), is_found, "{least} to {most}");
    }
}

#[test]
fn a_load_overlaps_a_store_if_they_share_a_byte() {
    let variable = Variable::new(Space::Global, "x", &Type::Scalar(ScalarType::U64));
    let object = Object::Variable(&variable);
    for (stored, loaded) in [(4_i128, 8_i128), (8, 4), (1, 1), (16, 2)] {
        for apart in -20..20 {
            let bytes = apart..apart + loaded;
            let expected = bytes.into_iter().any(|byte| (0..stored).contains(&byte));
            let found = rules::check_reload(Reload { object, apart, stored, loaded });
            assert_eq!(!found.is_empty(), expected, "{stored} and {loaded}, {apart} apart");
        }
    }
}

/// The message about a register that holds one number of each of these formats, of which this many bytes are
/// interpreted as `format`.
fn message(holds: &[NumberFormat], format: NumberFormat, bytes: usize, role: NumberRole) -> String {
    let mut register = [ByteFormat::Unknown; REGISTER_BYTES];
    let held = holds.iter().flat_map(|format| {
        (0..format.bytes()).map(|n| ByteFormat::Of(*format, u8::try_from(n).expect("small")))
    });
    register.iter_mut().zip(held).for_each(|(to, from)| *to = from);
    let taken = PackedNumbers { format, bytes };
    let found = rules::check_numbers(UsedNumbers { name: "%r1", holds: register, taken, role });
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn a_lane_of_another_format_is_named_by_its_position() {
    use NumberFormat::{Bf16, E4m3, E5m2, F16};
    for (holds, format, bytes, expected) in [
        (&[E5m2, E4m3][..], E4m3, 2, "holds `e5m2` in its lower half,"),
        (&[E4m3, E5m2], E4m3, 2, "holds `e5m2` in its upper half,"),
        (&[E5m2, E4m3, E4m3, E4m3], E4m3, 4, "holds `e5m2` in its lowest byte,"),
        (&[E4m3, E5m2, E4m3, E4m3], E4m3, 4, "holds `e5m2` in one of its bytes,"),
        (&[E4m3, E4m3, E5m2, E4m3], E4m3, 4, "holds `e5m2` in one of its bytes,"),
        (&[E4m3, E4m3, E4m3, E5m2], E4m3, 4, "holds `e5m2` in its highest byte,"),
        (&[Bf16, F16], F16, 4, "holds `bf16` in its lower half,"),
        (&[F16, Bf16], F16, 4, "holds `bf16` in its upper half,"),
    ] {
        let text = message(holds, format, bytes, NumberRole::Operand);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn scales_are_named_by_the_first_of_them() {
    use NumberFormat::{E4m3, E5m2, Ue8m0};
    let of = |holds: [NumberFormat; 4]| message(&holds, Ue8m0, 4, NumberRole::Scales);
    assert!(of([E4m3, E5m2, E5m2, E5m2]).starts_with("`%r1` holds `e4m3x4`,"));
    assert!(of([E5m2, E4m3, E4m3, E4m3]).starts_with("`%r1` holds `e5m2x4`,"));
    // One of them is right, and may be the one that is selected.
    for n in 0..4 {
        let mut holds = [E4m3; 4];
        holds[n] = Ue8m0;
        assert_eq!(of(holds), "", "{n}");
    }
}
