//! Limits of declarations, from both sides, over the IR: numbers that do not occur in text, or where several
//! rules apply.

use ptx_isa::ir::{
    Directive, DirectiveKind, Extent, Function, FunctionKind, Init, Linkage, Module, Param, Scope,
    Type, Unified, Value, Variable,
};
use ptx_isa::rules::{self, Environment, GivenDirective, call::Callee};
use ptx_isa::{Release, ScalarType, Space, Target, Version};

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
fn parameters_are_aligned_to_128_bytes_at_most() {
    // What is not a power of two is another rule's.
    for (align, is_over) in [(64, false), (128, false), (256, true), (129, false), (384, false)] {
        let variable = Variable { align: Some(align), ..Variable::new(Space::Param, "x", &U8) };
        let found = rules::check_variable(&variable, Scope::Body, Environment::UNKNOWN);
        let is_found = found.iter().any(|violation| violation.rule.code == "D056");
        assert_eq!(is_found, is_over, "{align}");
        let param = Param { variable, ..Param::new("x", &U8) };
        for (is_extern, code) in [(false, "F010"), (true, "F016")] {
            let callee = Callee::new(is_extern, false);
            let env = Environment::UNKNOWN;
            let found = rules::check_param(&param, Scope::Function, callee, env);
            let is_found = found.iter().any(|violation| violation.rule.code == code);
            assert_eq!(is_found, is_over, "{align} {code}");
        }
    }
}

#[test]
fn numbers_that_round_to_infinity_do_not_fit() {
    // Half a step beyond the greatest number rounds up: 65504 + 16, and so on.
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
            // A literal infinity is accepted.
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

/// Whether a kernel with this many bytes of static and dynamic shared memory is rejected (F019).
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
fn shared_memory_of_a_block_is_limited() {
    for (target, kib) in [(Target::Sm90, 227), (Target::Sm80, 163), (Target::Sm75, 64)] {
        let most = kib * 1024;
        assert_eq!(target.max_shared_opt_in(), most);
        assert!(!is_too_much(1, &[(most - 1, 1)], target));
        assert!(is_too_much(1, &[(most, 1)], target));
        // Dynamic variables all start at the same address, after the static ones: the largest counts, not the last.
        assert!(!is_too_much(1, &[(most - 1, 1), (1, 1), (most - 1, 1)], target));
        assert!(is_too_much(1, &[(1, 1), (most, 1), (2, 1)], target));
        // That address has the greatest alignment.
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
fn a_module_has_one_constant_memory() {
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

/// The message about a kernel with this many bytes of parameters (F001).
fn of_params(bytes: usize, target: Target, version: Option<(u8, u8)>) -> String {
    let ty = Type::Array(Extent::Known(bytes), &U8);
    let params = [Param::new("x", &ty)];
    let kernel = Function { params: &params, ..Function::new(FunctionKind::Kernel, "k") };
    of_function(&kernel, target, version, "F001")
}

fn of_function(
    function: &Function<'_>,
    target: Target,
    version: Option<(u8, u8)>,
    code: &str,
) -> String {
    let version = version.map(|(major, minor)| Version::new(major, minor));
    let environment = Environment { target: Some(target), version, ..Environment::UNKNOWN };
    let found = rules::check_function(function, environment);
    let found = found.iter().filter(|violation| violation.rule.code == code);
    found.map(ToString::to_string).collect()
}

#[test]
fn parameters_have_the_room_that_version_and_target_give_them() {
    for (target, version, most, who) in [
        (Target::Sm90, None, 32_764, "a kernel"),
        (Target::Sm90, Some((8, 1)), 32_764, "a kernel"),
        (Target::Sm70, Some((8, 1)), 32_764, "a kernel"),
        (Target::Sm70, Some((8, 0)), 4_352, "PTX before 8.1"),
        (Target::Sm90, Some((7, 8)), 4_352, "PTX before 8.1"),
        (Target::Sm62, Some((8, 1)), 4_352, "a target below sm_70"),
        (Target::Sm62, Some((8, 0)), 4_352, "a target below sm_70"),
        (Target::Sm62, None, 4_352, "a target below sm_70"),
    ] {
        assert_eq!(of_params(most, target, version), "", "{target:?} {version:?}");
        let text = of_params(most + 1, target, version);
        assert!(text.contains(who), "{target:?} {version:?}: {text}");
        let version = version.map(|(major, minor): (u8, u8)| Version::new(major, minor));
        assert_eq!(rules::max_param_bytes(target, version), most);
    }
}

#[test]
fn only_parameters_of_kernels_defined_here_are_limited() {
    let ty = Type::Array(Extent::Known(40_000), &U8);
    let params = [Param::new("x", &ty)];
    for (kind, linkage, is_refused) in [
        (FunctionKind::Kernel, Linkage::Internal, true),
        (FunctionKind::Kernel, Linkage::Visible, true),
        (FunctionKind::Kernel, Linkage::Extern, false),
        (FunctionKind::Device, Linkage::Internal, false),
        (FunctionKind::Device, Linkage::Extern, false),
    ] {
        let function = Function { params: &params, linkage, ..Function::new(kind, "k") };
        let text = of_function(&function, Target::Sm90, None, "F001");
        assert_eq!(!text.is_empty(), is_refused, "{kind:?} {linkage:?}: {text}");
    }
}

/// The message about a kernel with this many bytes of static shared memory (F002).
fn of_static(bytes: usize, target: Target, release: Option<Release>) -> String {
    let ty = Type::Array(Extent::Known(bytes), &U8);
    let variable = Variable::new(Space::Shared, "x", &ty);
    let kernel = Function { uses: &[&variable], ..Function::new(FunctionKind::Kernel, "k") };
    let environment = Environment { target: Some(target), release, ..Environment::UNKNOWN };
    let found = rules::check_function(&kernel, environment);
    let found = found.iter().filter(|violation| violation.rule.code == "F002");
    found.map(ToString::to_string).collect()
}

#[test]
fn a_newer_ptxas_is_named_where_it_has_more_static_shared_memory() {
    const EVERYWHERE: usize = 49_152;
    const NEWER: &str = "`ptxas = 13.0`";
    let most = Target::Sm90a.max_shared_opt_in();
    assert_eq!(of_static(EVERYWHERE, Target::Sm90a, None), "");
    for (bytes, target, helps) in [
        (EVERYWHERE + 1, Target::Sm90a, true),
        (most, Target::Sm90a, true),
        (most + 1, Target::Sm90a, false),
        (EVERYWHERE + 1, Target::Sm90, false),
    ] {
        let text = of_static(bytes, target, None);
        assert!(text.contains("[F002"), "{bytes} {target:?}: {text}");
        assert_eq!(text.contains(NEWER), helps, "{bytes} {target:?}: {text}");
    }
    let newest = Some(Release::new(13, 0));
    assert_eq!(of_static(most, Target::Sm90a, newest), "");
    let text = of_static(most + 1, Target::Sm90a, newest);
    assert!(text.contains("[F002") && !text.contains(NEWER), "{text}");
    assert!(of_static(most, Target::Sm90a, Some(Release::new(12, 9))).contains(NEWER));
}

#[test]
fn the_message_gives_the_dynamic_part() {
    let (fixed, dynamic) =
        (Type::Array(Extent::Known(1000), &U8), Type::Array(Extent::Known(400_000), &U8));
    let fixed = Variable::new(Space::Shared, "fixed", &fixed);
    let dynamic =
        Variable { linkage: Linkage::Dynamic, ..Variable::new(Space::Shared, "x", &dynamic) };
    let uses = [&fixed, &dynamic];
    let kernel = Function { uses: &uses, ..Function::new(FunctionKind::Kernel, "k") };
    let text = of_function(&kernel, Target::Sm90, None, "F019");
    assert!(
        text.contains("uses 401,000 bytes of shared memory, 400,000 of them dynamic"),
        "{text}"
    );
    // Another rule rejects an invalid alignment.
    let odd = Variable { align: Some(96), ..dynamic };
    let uses = [&fixed, &odd];
    let kernel = Function { uses: &uses, ..kernel };
    assert_eq!(of_function(&kernel, Target::Sm90, None, "F019"), "");
}

#[test]
fn several_results_are_registers() {
    let result = |space| Param {
        variable: Variable::new(space, "r", &Type::Scalar(ScalarType::U32)),
        ..Param::new("r", &U8)
    };
    let (reg, param) = (result(Space::Reg), result(Space::Param));
    for (returns, is_refused) in [
        (&[param][..], false),
        (&[reg, reg], false),
        (&[param, reg], true),
        (&[reg, param], true),
        (&[param, param], true),
    ] {
        let function = Function { returns, ..Function::new(FunctionKind::Device, "f") };
        let text = of_function(&function, Target::Sm90, None, "F012");
        assert_eq!(!text.is_empty(), is_refused, "{text}");
    }
}

#[test]
fn unified_functions_need_their_target_and_version() {
    let unified = Some(Unified { upper: 1, lower: 2 });
    let function = Function { unified, ..Function::new(FunctionKind::Device, "f") };
    let is = |target, version, code| !of_function(&function, target, version, code).is_empty();
    assert!(!is(Target::Sm90, None, "F014"));
    assert!(is(Target::Sm89, None, "F014"));
    assert!(!is(Target::Sm90, Some((8, 0)), "F013"));
    assert!(is(Target::Sm90, Some((7, 8)), "F013"));
    let plain = Function::new(FunctionKind::Device, "f");
    assert_eq!(of_function(&plain, Target::Sm50, Some((7, 0)), "F014"), "");
}

#[test]
fn a_multiprocessor_holds_so_many_blocks() {
    // The threads and blocks of every target, as ptxas 12.9 and 13.0 count them.
    let most = |target: Target| match target.arch() {
        75 => (1024, 16),
        86..=88 => (1536, 16),
        89 | 101 | 110 | 120 | 121 => (1536, 24),
        _ => (2048, 32),
    };
    for target in Target::ALL.iter().copied() {
        let (most_threads, most_blocks) = most(target);
        let environment = Environment { target: Some(target), ..Environment::UNKNOWN };
        let is_ignored = |threads: u32, blocks: u32| {
            let asked = Directive { kind: DirectiveKind::MinNCtaPerSm, values: [blocks, 1, 1] };
            let block = Directive { kind: DirectiveKind::MaxNTid, values: [threads, 1, 1] };
            let directives = &[block, asked];
            let function = Function { directives, ..Function::new(FunctionKind::Kernel, "k") };
            let found =
                rules::check_directive(GivenDirective::Known(asked), &function, environment);
            found.iter().any(|violation| violation.rule.code == "F039")
        };
        for threads in [1_u32, 32, 33, 64, 96, 256, 512, 700, 1024] {
            let fit = most_blocks.min(most_threads / threads.next_multiple_of(32));
            assert!(!is_ignored(threads, fit), "{} {threads} {fit}", target.name());
            // More than 32 are too many for every target, which is another rule's.
            assert_eq!(is_ignored(threads, fit + 1), fit < 32, "{} {threads}", target.name());
        }
    }
}
