//! Limits of declarations, from both sides, over the IR: numbers that no text has, or that several rules
//! meet at.

use ptx_types::ir::{
    Extent, Function, FunctionKind, Init, Linkage, Module, Scope, Type, Value, Variable,
};
use ptx_types::rules::{self, Environment};
use ptx_types::{ScalarType, Space, Target};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);

fn of_variable(variable: &Variable<'_>, code: &str) -> bool {
    let found = rules::check_variable(variable, Scope::Module, Environment::UNKNOWN);
    found.iter().any(|violation| violation.rule.code == code)
}

#[test]
fn alignments_are_powers_of_two_up_to_2_to_the_31() {
    let aligned =
        |align: usize| Variable { align: Some(align), ..Variable::new(Space::Global, "x", &U8) };
    for (align, is_too_large, is_odd) in [
        (1_usize, false, false),
        (0, false, true),
        (3, false, true),
        (1 << 31, false, false),
        ((1 << 31) + 1, false, true),
        (1 << 32, true, false),
    ] {
        assert_eq!(of_variable(&aligned(align), "D030"), is_too_large, "{align}");
        assert_eq!(of_variable(&aligned(align), "D005"), is_odd, "{align}");
    }
}

#[test]
fn numbers_that_round_to_infinity_do_not_fit() {
    // Half of the last step beyond the greatest number rounds up: 65504 + 16, and so on.
    let f32_end = f64::from(f32::MAX) + f64::from(2_f32.powi(103));
    let bits = |value: f64| f64::from_bits(value.to_bits() - 1);
    for (scalar, first) in [(ScalarType::F16, 65_520.0), (ScalarType::F32, f32_end)] {
        let ty = Type::Scalar(scalar);
        let is_infinite = |value: f64| {
            let value = Value::Float(value);
            let init = Init::Value(value);
            of_variable(&Variable { init, ..Variable::new(Space::Global, "x", &ty) }, "D029")
        };
        for sign in [1.0, -1.0] {
            assert!(is_infinite(sign * first), "{scalar:?} {first}");
            assert!(is_infinite(sign * first * 2.0), "{scalar:?}");
            assert!(!is_infinite(sign * bits(first)), "{scalar:?} {}", bits(first));
            // What is meant to be infinite is.
            assert!(!is_infinite(sign * f64::INFINITY), "{scalar:?}");
        }
        assert!(!is_infinite(f64::NAN), "{scalar:?}");
        assert!(!is_infinite(0.0), "{scalar:?}");
    }
    let double = Type::Scalar(ScalarType::F64);
    let value = Value::Float(f64::MAX);
    let variable =
        Variable { init: Init::Value(value), ..Variable::new(Space::Global, "x", &double) };
    assert!(!of_variable(&variable, "D029"));
}

/// Whether a kernel with so many bytes of static and dynamic shared memory is refused (F019).
fn is_too_much(fixed: usize, dynamic: &[(usize, usize)], target: Target) -> bool {
    let ty = Type::Array(Extent::Known(fixed), &U8);
    let types: Vec<_> =
        dynamic.iter().map(|(bytes, _)| Type::Array(Extent::Known(*bytes), &U8)).collect();
    let mut variables = vec![Variable::new(Space::Shared, "fixed", &ty)];
    variables.extend(types.iter().zip(dynamic).map(|(ty, (_, align))| Variable {
        linkage: Linkage::Dynamic,
        align: Some(*align),
        ..Variable::new(Space::Shared, "x", ty)
    }));
    let uses: Vec<_> = variables.iter().collect();
    let kernel = Function { uses: &uses, ..Function::new(FunctionKind::Kernel, "k") };
    let environment = Environment { target: Some(target), ..Environment::UNKNOWN };
    let found = rules::check_function(&kernel, environment);
    found.iter().any(|violation| violation.rule.code == "F019")
}

#[test]
fn a_block_has_so_much_shared_memory_and_no_byte_more() {
    for (target, kib) in [(Target::Sm90, 227), (Target::Sm80, 163), (Target::Sm75, 64)] {
        let most = kib * 1024;
        assert_eq!(target.max_shared_opt_in(), most);
        assert!(!is_too_much(1, &[(most - 1, 1)], target));
        assert!(is_too_much(1, &[(most, 1)], target));
        // Dynamic variables start at one place, behind the static ones: the largest counts, not the last.
        assert!(!is_too_much(1, &[(most - 1, 1), (1, 1), (most - 1, 1)], target));
        assert!(is_too_much(1, &[(1, 1), (most, 1), (2, 1)], target));
        // ... and where its alignment says.
        assert!(!is_too_much(1, &[(most - 128, 128)], target));
        assert!(is_too_much(1, &[(most - 127, 128)], target));
        assert!(!is_too_much(128, &[(most - 128, 128)], target));
    }
}

#[test]
fn constant_memory_holds_64_kib() {
    let constant = |bytes: usize| {
        let ty = Type::Array(Extent::Known(bytes), &U8);
        of_variable(&Variable::new(Space::Const, "x", &ty), "D009")
    };
    assert!(!constant(65_536));
    assert!(constant(65_537));
}

#[test]
fn constant_memory_is_one_for_a_module() {
    let (most, one) = (Type::Array(Extent::Known(65_535), &U8), U8);
    let two = Type::Array(Extent::Known(2), &U8);
    let over = |second: &Type<'_>| {
        let variables =
            [Variable::new(Space::Const, "x", &most), Variable::new(Space::Const, "y", second)];
        let module =
            Module { variables: &[&variables[0], &variables[1]], ..Module::new("m", Target::Sm90) };
        let found = rules::check_module(&module);
        found.iter().any(|violation| violation.rule.code == "T003")
    };
    assert!(!over(&one));
    assert!(over(&two));
}
