//! Initial values over the IR: how many there may be, which values each type takes, and which elements
//! are at fault.

use ptx_isa::ir::{
    Address, Extent, Field, Init, Link, Linkage, Linked, Module, Scope, Site, Struct, StructKind,
    Type, Value, Variable,
};
use ptx_isa::rules::{self, Environment};
use ptx_isa::{ScalarType, Space, Target};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const PAIR: Type<'static> = Type::Struct(Struct {
    name: "Pair",
    size: 8,
    align: 4,
    fields: &[
        Field { name: "a", offset: 0, ty: &U32, pointer: None },
        Field { name: "b", offset: 4, ty: &U32, pointer: None },
    ],
    kind: StructKind::Fields,
});

/// The codes and messages of the faults of a value.
fn findings(ty: &Type<'_>, init: Init<'_>) -> Vec<(&'static str, String)> {
    let variable = Variable { init, ..Variable::new(Space::Global, "x", ty) };
    let found = rules::check_variable(&variable, Scope::Module, Environment::UNKNOWN);
    found.iter().map(|violation| (violation.rule.code, violation.to_string())).collect()
}

fn codes(ty: &Type<'_>, init: Init<'_>) -> Vec<&'static str> {
    findings(ty, init).into_iter().map(|(code, _)| code).collect()
}

/// Whether the fault of a value's shape is reported, wherever its rule is in the table.
fn has_wrong_shape(ty: &Type<'_>, init: Init<'_>) -> bool {
    let found = findings(ty, init);
    assert!(found.len() <= 1, "{found:?}");
    found.iter().any(|(code, _)| *code == SHAPE)
}

const SHAPE: &str = "D018";

const fn array(count: usize, element: &'static Type<'static>) -> Type<'static> {
    Type::Array(Extent::Known(count), element)
}

#[test]
fn an_array_takes_as_many_values_as_it_has_elements_or_fewer() {
    let three = array(3, &U32);
    for (count, is_wrong) in [(0, false), (1, false), (3, false), (4, true)] {
        let values = vec![1; count];
        let value = Init::Value(Value::Integers(&values));
        assert_eq!(has_wrong_shape(&three, value), is_wrong, "{count}");
        let floats = vec![1.0; count];
        let ty = array(3, &Type::Scalar(ScalarType::F32));
        assert_eq!(has_wrong_shape(&ty, Init::Value(Value::Floats(&floats))), is_wrong, "{count}");
    }
    // A vector takes one value for each element.
    let vector = Type::Vector(2, ScalarType::U32);
    for (count, is_wrong) in [(1, true), (2, false), (3, true)] {
        let values = vec![1; count];
        assert_eq!(
            has_wrong_shape(&vector, Init::Value(Value::Integers(&values))),
            is_wrong,
            "{count}"
        );
    }
    let long: &[i128] = &[1, 2, 3, 4];
    let incomplete = Type::Array(Extent::Incomplete, &U32);
    assert!(!has_wrong_shape(&incomplete, Init::Value(Value::Integers(long))));
}

#[test]
fn structs_take_their_bytes() {
    let bytes = |count: usize| vec![255; count];
    for (ty, size) in [(PAIR, 8), (array(2, &PAIR), 16)] {
        for (count, is_wrong) in [(0, false), (1, false), (size, false), (size + 1, true)] {
            let values = bytes(count);
            assert_eq!(
                has_wrong_shape(&ty, Init::Value(Value::Integers(&values))),
                is_wrong,
                "{count}"
            );
        }
        // Each value is a byte.
        let found = codes(&ty, Init::Value(Value::Integers(&[255, 256])));
        assert_eq!(found, ["D014"]);
    }
}

#[test]
fn each_element_that_does_not_fit_is_reported() {
    let ty = array(4, &U8);
    let findings_of = |values: &[Value<'_>]| findings(&ty, Init::Value(Value::List(values)));
    let found = findings_of(&[Value::Int(0), Value::Int(256), Value::Float(1.5), Value::Int(300)]);
    let codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["D014", "D019", "D014"]);
    assert!(found[0].1.contains("256") && found[2].1.contains("300"), "{found:?}");
    assert_eq!(findings_of(&[Value::Int(255), Value::Int(0)]), []);
    // The first of a kind that does not fit stands for the others.
    let found =
        findings_of(&[Value::Float(1.5), Value::Float(2.5), Value::Int(256), Value::List(&[])]);
    let codes: Vec<&str> = found.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ["D019", "D014"]);
}

/// Returns the elements that do not fit, by their index, and their rules.
fn elements(ty: &Type<'_>, value: Value<'_>) -> Vec<(usize, &'static str)> {
    let init = Init::Value(value);
    let variable = Variable { init, ..Variable::new(Space::Global, "x", ty) };
    let module = Module { variables: &[&variable], ..Module::new("m", Target::Sm90) };
    let mut found = Vec::new();
    rules::each_of_module(&module, Environment::of(&module), &|_| false, &mut |site, violation| {
        match site {
            Site::Element { variable: 0, element } => found.push((element, violation.rule.code)),
            _ => panic!("{site:?}: {violation}"),
        }
    });
    found
}

#[test]
fn an_element_is_counted_with_the_lists_before_it() {
    let table = array(2, &Type::Array(Extent::Known(2), &U8));
    let list = |values: &'static [i128]| Value::Integers(values);
    assert_eq!(elements(&U8, Value::Int(256)), [(0, "D014")]);
    // The value is 0; its first list 1, with 2 and 3; its second list 4, with 5 and 6.
    assert_eq!(
        elements(&table, Value::List(&[list(&[1, 256]), list(&[256, 4])])),
        [(3, "D014"), (5, "D014")]
    );
    // Of a list that is too long, the first that is too many is at fault, and the others are counted.
    assert_eq!(
        elements(&table, Value::List(&[list(&[1, 2, 256, 300]), list(&[256, 4])])),
        [(4, "D018"), (7, "D014")]
    );
    assert_eq!(
        elements(&table, Value::List(&[Value::Int(1), list(&[256])])),
        [(1, "D018"), (3, "D014")]
    );
}

#[test]
fn the_number_of_bytes_is_the_size_of_the_type() {
    for (count, is_wrong) in [(7, true), (8, false), (9, true)] {
        let bytes = vec![0; count];
        assert_eq!(has_wrong_shape(&PAIR, Init::Bytes(&bytes)), is_wrong, "{count}");
        let linked = Linked { bytes: &bytes, links: &[] };
        assert_eq!(has_wrong_shape(&PAIR, Init::Linked(linked)), is_wrong, "{count}");
    }
    // An array without a length has as many elements as there are bytes for, all of them whole.
    let incomplete = Type::Array(Extent::Incomplete, &U32);
    for (count, is_wrong) in [(4, false), (8, false), (6, true), (9, true)] {
        let bytes = vec![0; count];
        assert_eq!(has_wrong_shape(&incomplete, Init::Bytes(&bytes)), is_wrong, "{count}");
    }
}

#[test]
fn addresses_among_bytes_are_8_bytes_or_one() {
    let ty = array(16, &U8);
    let link = |size, byte| Link {
        at: 0,
        size,
        byte,
        address: Address { symbol: "y", generic: true, addend: 0 },
    };
    let wrong = |links: &[Link<'_>]| codes(&ty, Init::Linked(Linked { bytes: &[0; 16], links }));
    assert_eq!(wrong(&[]), [""; 0]);
    assert_eq!(wrong(&[link(8, None)]), [""; 0]);
    assert!(!wrong(&[link(4, None)]).is_empty());
    assert!(!wrong(&[link(2, None)]).is_empty());
    assert_ne!(wrong(&[link(4, None)]), wrong(&[link(2, None)]));
    assert_eq!(wrong(&[link(8, None), link(4, None)]), wrong(&[link(4, None)]));
    assert_eq!(wrong(&[link(4, None), link(8, None)]), wrong(&[link(4, None)]));
}

#[test]
fn members_are_those_of_opaque_types() {
    assert!(has_wrong_shape(&U32, Init::Members(&[])));
    // An unknown type may have members.
    assert!(!has_wrong_shape(&Type::Unknown, Init::Members(&[])));
}

#[test]
fn another_rule_checks_values_of_dynamic_shared_memory() {
    let values: &[i128] = &[256, 1, 1, 1];
    let ty = array(2, &U8);
    let variable = Variable {
        linkage: Linkage::Dynamic,
        init: Init::Value(Value::Integers(values)),
        ..Variable::new(Space::Shared, "x", &ty)
    };
    let found = rules::check_variable(&variable, Scope::Module, Environment::UNKNOWN);
    let found: Vec<_> = found.iter().map(|violation| violation.rule.code).collect();
    assert!(!found.contains(&SHAPE) && !found.contains(&"D014"), "{found:?}");
}

#[test]
fn integers_have_the_range_of_their_type() {
    for (scalar, least, most) in [
        (ScalarType::U8, 0, 255),
        (ScalarType::S8, -128, 127),
        (ScalarType::U16, 0, 65_535),
        (ScalarType::S16, -32_768, 32_767),
        (ScalarType::B32, -(1 << 31), (1 << 32) - 1),
        (ScalarType::U64, 0, (1 << 64) - 1),
    ] {
        let ty = Type::Scalar(scalar);
        let is_wrong = |value: i128| codes(&ty, Init::Value(Value::Int(value))) == ["D014"];
        assert!(!is_wrong(least), "{scalar:?}");
        assert!(is_wrong(least - 1), "{scalar:?}");
        assert!(!is_wrong(0), "{scalar:?}");
        assert!(!is_wrong(most), "{scalar:?}");
        assert!(is_wrong(most + 1), "{scalar:?}");
    }
}
