//! Modules and functions as a whole, over the IR: versions, constants, names, and calls.

use ptx_isa::ir::{
    Body, Extent, Field, Function, FunctionKind, Linkage, Module, Param, Scope, Struct, StructKind,
    Type, Unified, Variable,
};
use ptx_isa::rules::call::{Actual, Callee};
use ptx_isa::rules::{self, Environment, Violation};
use ptx_isa::{Release, ScalarType, Space, Target, Version};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const F32: Type<'static> = Type::Scalar(ScalarType::F32);
const BODY: Option<Body<'static>> = Some(Body::new("", &[], &[]));

fn codes(found: &[Violation<'_>]) -> Vec<&'static str> {
    found.iter().map(|violation| violation.rule.code).collect()
}

fn in_version(target: Target, version: (u8, u8), release: Option<Release>) -> Vec<&'static str> {
    let version = Some(Version::new(version.0, version.1));
    codes(&rules::check_module_alone(&Module { version, release, ..Module::new("m", target) }))
}

#[test]
fn there_are_as_many_minor_versions_as_there_were() {
    for (major, last) in [(1, 5), (2, 3), (3, 2), (4, 3), (5, 1), (6, 5), (7, 8), (8, 8)] {
        for minor in 0..12 {
            let found = in_version(Target::Sm50, (major, minor), None);
            assert_eq!(found.contains(&"T002"), minor > last, "{major}.{minor}");
            let text = rules::check_module_alone(&Module {
                version: Some(Version::new(major, minor)),
                ..Module::new("m", Target::Sm50)
            });
            let text = text.iter().find(|violation| violation.rule.code == "T002");
            let text = text.map(ToString::to_string).unwrap_or_default();
            let mend = format!("write {major}.{last} or {}.0 ", major + 1);
            assert_eq!(text.contains(&mend), minor > last, "{text}");
        }
    }
    assert!(!in_version(Target::Sm50, (9, 3), None).contains(&"T002"), "nobody knows yet");
}

#[test]
fn one_release_accepts_one_target_in_older_versions() {
    let release = |major, minor| Some(Release::new(major, minor));
    for (target, version, release, expected) in [
        (Target::Sm88, (9, 0), release(13, 0), &[][..]),
        (Target::Sm88, (8, 8), release(13, 0), &["T004"]),
        (Target::Sm88, (7, 3), release(13, 0), &["T004"]),
        (Target::Sm88, (7, 2), release(13, 0), &["T001"]),
        (Target::Sm88, (6, 5), release(13, 0), &["T001"]),
        (Target::Sm88, (8, 0), release(13, 0), &["T004"]),
        (Target::Sm88, (8, 8), release(13, 1), &["T001"]),
        (Target::Sm88, (8, 8), Some(Release::NEWEST), &["T004"]),
        (Target::Sm88, (7, 2), Some(Release::NEWEST), &["T001"]),
        (Target::Sm88, (8, 8), release(12, 0), &["T001"]),
        (Target::Sm88, (8, 8), None, &["T001"]),
        (Target::Sm90, (7, 7), release(13, 0), &["T001"]),
        (Target::Sm90, (7, 8), release(13, 0), &[]),
    ] {
        assert_eq!(in_version(target, version, release), expected, "{target:?} {version:?}");
    }
}

const fn bytes(count: usize) -> Type<'static> {
    Type::Array(Extent::Known(count), &U8)
}

/// The message about these constants of the module and of its function.
fn of_constants(of_module: &[Variable<'_>], of_function: &[Variable<'_>]) -> String {
    let variables: Vec<_> = of_module.iter().collect();
    let locals: Vec<_> = of_function.iter().collect();
    let function = Function { locals: &locals, ..Function::new(FunctionKind::Kernel, "k") };
    let functions = [&function];
    let functions = if locals.is_empty() { &[][..] } else { &functions };
    let module = Module { variables: &variables, functions, ..Module::new("m", Target::Sm90) };
    let found = rules::check_module_alone(&module);
    let found = found.iter().filter(|violation| violation.rule.code == "T003");
    found.map(ToString::to_string).collect()
}

#[test]
fn the_largest_constant_is_named_where_there_are_too_many() {
    let [most, half, two, over, one] = [65_536, 40_000, 2, 65_537, 1].map(bytes);
    let constant = |name, ty| Variable::new(Space::Const, name, ty);
    let (a, b) = (constant("a", &most), constant("b", &two));
    assert_eq!(of_constants(&[a], &[]), "");
    let text = of_constants(&[b, a], &[]);
    assert!(
        text.starts_with(
            "the constants of the module take 65,538 bytes with their padding, but constant memory \
             holds 65,536 (the largest is `a`);"
        ),
        "{text}"
    );
    // Of equally large constants, the first one, wherever they are.
    let [c, d] = ["c", "d"].map(|name| constant(name, &half));
    for (module, function, largest) in [
        (&[c, d][..], &[][..], "the largest is `c`"),
        (&[d, b, c], &[], "the largest is `d`"),
        (&[b], &[a], "the largest is `a`"),
        (&[d], &[c], "the largest is `d`"),
    ] {
        let text = of_constants(module, function);
        assert!(text.contains(largest), "{text}");
    }
    // A constant that is too large on its own is reported itself; constants defined elsewhere do not count.
    assert_eq!(of_constants(&[b, constant("e", &over)], &[]), "");
    assert_eq!(of_constants(&[a, Variable::new(Space::Global, "g", &most)], &[]), "");
    // One byte each, with padding.
    let spread =
        ["p", "q", "r"].map(|name| Variable { align: Some(32_768), ..constant(name, &one) });
    assert!(of_constants(&spread, &[]).contains("the largest is `p`"));
}

#[test]
fn the_name_of_a_function_is_a_name() {
    assert_eq!(codes(&rules::check_name("1")), ["D001"]);
    assert_eq!(codes(&rules::check_name("f")), [""; 0]);
}

#[test]
fn every_gap_in_a_struct_is_found() {
    let field = |name, offset| Field { name, offset, ty: &U32, pointer: None };
    let gaps = |size, fields: &[Field<'_>]| {
        let kind = StructKind::Fields;
        let layout = Struct { name: "S", size, align: 4, fields, kind };
        let gaps = rules::check_padding(&layout);
        gaps.iter().map(|gap| (gap.before.map(str::to_owned), gap.bytes)).collect::<Vec<_>>()
    };
    let before = |name: &str| Some(name.to_owned());
    assert_eq!(gaps(8, &[field("a", 0), field("b", 4)]), []);
    assert_eq!(
        gaps(24, &[field("a", 4), field("b", 12)]),
        [(before("a"), 4), (before("b"), 4), (None, 8)]
    );
}

/// The codes for a module of these variables and functions.
fn of_module(variables: &[Variable<'_>], functions: &[Function<'_>]) -> Vec<&'static str> {
    let (variables, functions): (Vec<_>, Vec<_>) =
        (variables.iter().collect(), functions.iter().collect());
    let (variables, functions) = (&variables[..], &functions[..]);
    codes(&rules::check_module(&Module { variables, functions, ..Module::new("m", Target::Sm90) }))
}

const fn device(name: &str) -> Function<'_> {
    Function::new(FunctionKind::Device, name)
}

#[test]
fn the_members_of_a_family_have_names_too() {
    let ty = Type::Family(Extent::Known(4), &U32);
    let family = Variable::new(Space::Global, "r", &ty);
    let plain = |name| Variable::new(Space::Global, name, &U32);
    assert_eq!(of_module(&[family], &[]), [""; 0]);
    assert_eq!(of_module(&[family, plain("r4")], &[]), [""; 0]);
    assert_eq!(of_module(&[family, plain("r3")], &[]), ["D002"]);
    assert_eq!(of_module(&[plain("r3"), family], &[]), ["D002"]);
    let called = Function { body: BODY, ..device("r1") };
    assert_eq!(of_module(&[family], &[called]), ["D002"]);
    assert_eq!(of_module(&[plain("r1")], &[called]), ["D002"]);
}

#[test]
fn names_that_are_used_are_different() {
    let params = [Param::new("a", &U32), Param::new("a", &U32)];
    let declared = Function { params: &params, linkage: Linkage::Extern, ..device("f") };
    let defined = Function { params: &params, body: BODY, ..device("f") };
    assert_eq!(of_module(&[], &[declared]), [""; 0]);
    assert_eq!(of_module(&[], &[defined]), ["D002"]);
}

#[test]
fn narrow_parameters_are_passed_where_a_function_returns_several_values() {
    let (word, byte) = (Param::new("r", &U32), [Param::new("a", &U8)]);
    let register = Param { variable: Variable::new(Space::Reg, "r", &U32), ..word };
    let of = |returns: &[Param<'_>]| {
        let returning = Function { returns, body: BODY, ..device("f") };
        of_module(&[], &[returning, Function { params: &byte, body: BODY, ..device("g") }])
    };
    assert_eq!(of(&[]), ["F009"]);
    assert_eq!(of(&[register]), ["F009"]);
    let other = Param { variable: Variable { name: "s", ..register.variable }, ..register };
    assert_eq!(of(&[register, other]), [""; 0]);
}

#[test]
fn a_parameter_does_not_have_the_name_of_a_function() {
    let family = Type::Family(Extent::Known(4), &U32);
    let param = Variable::new(Space::Param, "f", &U32);
    let (kernel, function) =
        (Function { body: BODY, ..Function::new(FunctionKind::Kernel, "k") }, device("f"));
    let text = |variable: &Variable<'_>, owner: &Function<'_>, function: &Function<'_>| {
        let found = rules::check_named(variable, owner, function, false);
        found.iter().map(ToString::to_string).collect::<String>()
    };
    let called_k = Variable { name: "k", ..param };
    let other = Function { body: BODY, ..device("f") };
    for (variable, owner, function, what) in [
        (param, kernel, function, "a function of this module"),
        (param, other, function, "its own function"),
        (called_k, kernel, kernel, "its own kernel"),
        (called_k, other, kernel, "a kernel of this module"),
    ] {
        let text = text(&variable, &owner, &function);
        assert!(text.contains(&format!("has the name of {what}:")), "{text}");
    }
    for (variable, owner) in [
        (Variable { space: Space::Reg, ..param }, kernel),
        (Variable { ty: &family, ..param }, kernel),
        (param, Function { body: None, ..kernel }),
        (called_k, kernel),
    ] {
        assert_eq!(text(&variable, &owner, &function), "", "{variable:?}");
    }
    assert!(rules::check_named(&called_k, &kernel, &kernel, true).is_empty());
}

#[test]
fn a_unified_function_takes_no_narrow_parameter() {
    let [wide, narrow] = [("a", &U32), ("b", &U8)].map(|(name, ty)| Param::new(name, ty));
    let unified = Some(Unified { upper: 1, lower: 2 });
    let of = |params: &[Param<'_>], returns: &[Param<'_>]| {
        let function = Function { params, returns, unified, ..device("f") };
        let found = rules::check_function(&function, Environment::UNKNOWN);
        let found = found.iter().filter(|violation| violation.rule.code == "F017");
        found.map(ToString::to_string).collect::<String>()
    };
    assert_eq!(of(&[wide], &[wide]), "");
    for text in [of(&[narrow], &[]), of(&[wide, narrow], &[]), of(&[wide], &[narrow])] {
        assert!(text.starts_with("`f` is unified, but its `b` is a `.u8`"), "{text}");
    }
}

/// The codes and messages about an argument for a parameter.
fn passed(formal: &Param<'_>, actual: Actual<'_>) -> Vec<(&'static str, String)> {
    let found = rules::check_argument(formal, actual);
    found.iter().map(|violation| (violation.rule.code, violation.to_string())).collect()
}

#[test]
fn arguments_match_the_parameters_space_type_and_alignment() {
    let [four, eight] = [4, 8].map(bytes);
    let wide = Type::Scalar(ScalarType::U64);
    let local = |ty| Variable::new(Space::Param, "l", ty);
    let register = |ty| Variable::new(Space::Reg, "r", ty);
    let aligned = Variable { align: Some(4), ..local(&four) };
    for (formal, actual, expected) in [
        (&U32, Actual::LocalParam(&local(&U32)), ""),
        (&U32, Actual::LocalParam(&local(&wide)), "C005"),
        (&U32, Actual::LocalParam(&local(&F32)), "C005"),
        (&U32, Actual::LocalParam(&local(&four)), "C005"),
        (&four, Actual::LocalParam(&local(&U32)), "C005"),
        (&four, Actual::LocalParam(&local(&four)), ""),
        (&four, Actual::LocalParam(&local(&eight)), "C005"),
        (&four, Actual::LocalParam(&aligned), "C006"),
        (&eight, Actual::LocalParam(&aligned), "C005"),
        (&U32, Actual::Register(&register(&U32)), ""),
        (&U32, Actual::Register(&register(&wide)), "C005"),
        (&four, Actual::Register(&register(&U32)), "C004"),
        (&four, Actual::Int, "C004"),
        (&U32, Actual::Int, ""),
        (&U32, Actual::Float, "C005"),
        (&U32, Actual::Unknown, ""),
    ] {
        let found = passed(&Param::new("x", formal), actual);
        let codes: Vec<_> = found.iter().map(|(code, _)| *code).collect();
        assert_eq!(codes.concat(), expected, "{formal:?} {actual:?}");
    }
}

#[test]
fn invalid_arguments_report_the_valid_ones() {
    let four = bytes(4);
    let in_register =
        Param { variable: Variable::new(Space::Reg, "x", &four), ..Param::new("x", &four) };
    let (array, scalar) = (
        "use a `.param` array of bytes that this body declares, of its size and alignment ",
        "use a register, a constant, or a `.param` variable of this body ",
    );
    for (formal, mend) in
        [(Param::new("x", &four), array), (Param::new("x", &U32), scalar), (in_register, scalar)]
    {
        let [(code, text)] = &passed(&formal, Actual::Other("a label"))[..] else { panic!() };
        assert_eq!(*code, "C004");
        assert!(text.starts_with("`x` is given a label; ") && text.contains(mend), "{text}");
    }
}

#[test]
fn a_parameter_of_a_function_is_aligned_to_128_bytes_at_most() {
    for (align, is_refused) in [(64, false), (128, false), (256, true)] {
        let ty = Type::Aligned(align, &U32);
        let of = |is_extern| {
            let callee = Callee::new(is_extern, false);
            let param = Param::new("x", &ty);
            let found = rules::check_param(&param, Scope::Function, callee, Environment::UNKNOWN);
            let found = codes(&found);
            ["F010", "F016"].map(|code| found.contains(&code))
        };
        assert_eq!(of(false), [is_refused, false], "{align}");
        assert_eq!(of(true), [false, is_refused], "{align}");
    }
}
