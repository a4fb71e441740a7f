//! Module versions, declaration order, and what scopes hide.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::*;
use crate::scalar::ScalarType;
use crate::space::Space;
use crate::target::{Target, Version};

const WORD: &Type<'static> = &Type::Scalar(ScalarType::U32);
const PAIR: &Type<'static> = &Type::Vector(2, ScalarType::F32);
const UNCOUNTED: &Type<'static> = &Type::Array(Extent::Incomplete, WORD);

const fn global(name: &'static str) -> Variable<'static> {
    Variable::new(Space::Global, name, WORD)
}

fn kernel(name: &'static str) -> Function<'static> {
    Function::new(FunctionKind::Kernel, name)
}

/// The version that a module with these declarations needs, and its cause.
fn needs(
    variables: &[&Variable<'_>],
    functions: &[&Function<'_>],
) -> (Version, alloc::string::String) {
    let module = Module { variables, functions, ..Module::new("m", Target::Sm50) };
    assert_eq!(module.version(), module.lowest_version());
    (module.lowest_version(), module.version_cause().to_string())
}

fn at(major: u8, minor: u8, cause: &str) -> (Version, alloc::string::String) {
    (Version::new(major, minor), cause.to_string())
}

#[test]
fn a_module_needs_the_versions_of_its_variables() {
    let common = Variable { linkage: Linkage::Common, ..global("x") };
    let unified = Unified { upper: 1, lower: 2 };
    let newest = Variable { unified: Some(unified), ..global("y") };
    assert_eq!(needs(&[], &[]), at(4, 0, "the target `sm_50`"));
    assert_eq!(needs(&[&global("z")], &[]), at(4, 0, "the target `sm_50`"));
    assert_eq!(needs(&[&common], &[]), at(5, 0, "the variable `x`"));
    assert_eq!(needs(&[&common, &newest], &[]), at(8, 0, "the variable `y`"));
    assert_eq!(needs(&[&newest, &common], &[]), at(8, 0, "the variable `y`"));
    // The first of several with the same version is the cause.
    let other = Variable { name: "w", ..common };
    assert_eq!(needs(&[&common, &other], &[]), at(5, 0, "the variable `x`"));
    let module = Module { version: Some(Version::new(8, 6)), ..Module::new("m", Target::Sm50) };
    assert_eq!(module.version(), Version::new(8, 6));
    assert_eq!(module.version_cause().to_string(), "`version = ..` of the module");
}

#[test]
fn a_module_needs_the_versions_of_its_functions() {
    const WIDE: &Type<'static> = &Type::Scalar(ScalarType::B128);
    const PARAM: Param<'static> = Param::new("p", WORD);
    const NEW: Param<'static> = Param::new("p", WIDE);
    const LAST: Param<'static> = Param::new("p", UNCOUNTED);
    const DIRECTIVE: Directive = Directive { kind: DirectiveKind::MaxClusterRank, values: [1; 3] };
    const OLD: Directive = Directive { kind: DirectiveKind::MaxNTid, values: [1; 3] };
    const NEWER: &Variable<'static> = &Variable { linkage: Linkage::Common, ..global("x") };
    const OLDER: &Variable<'static> = &global("y");
    const BYTE: &Type<'static> = &Type::Scalar(ScalarType::U8);
    const MOST: Param<'static> = Param::new("p", &Type::Array(Extent::Known(4352), BYTE));
    const TOO_MANY: Param<'static> = Param::new("p", &Type::Array(Extent::Known(4353), BYTE));
    let none = at(4, 0, "the target `sm_50`");
    let signature = "the parameters of `k`";
    let of = |change: fn(&mut Function<'static>)| {
        let mut function = kernel("k");
        change(&mut function);
        let found = needs(&[], &[&function]);
        // The position among other functions does not matter.
        assert_eq!(needs(&[], &[&kernel("a"), &function, &kernel("b")]), found);
        found
    };
    assert_eq!(of(|_| {}), none);
    assert_eq!(of(|k| k.params = &[PARAM]), none);
    assert_eq!(of(|k| k.params = &[NEW, PARAM]), at(8, 3, signature));
    assert_eq!(of(|k| k.params = &[PARAM, NEW]), at(8, 3, signature));
    assert_eq!(of(|k| k.returns = &[PARAM]), none);
    assert_eq!(of(|k| k.returns = &[NEW, PARAM]), at(8, 3, signature));
    assert_eq!(of(|k| k.returns = &[PARAM, NEW]), at(8, 3, signature));
    assert_eq!(of(|k| k.params = &[LAST]), none);
    let device = |params: &'static [Param<'static>]| {
        needs(&[], &[&Function { params, ..Function::new(FunctionKind::Device, "k") }])
    };
    assert_eq!(device(&[LAST]), at(6, 0, signature));
    assert_eq!(device(&[PARAM, LAST]), at(6, 0, signature));
    assert_eq!(device(&[LAST, PARAM]), none);
    let body = "the body of `k`";
    assert_eq!(of(|k| k.locals = &[OLDER]), none);
    assert_eq!(of(|k| k.locals = &[NEWER, OLDER]), at(5, 0, body));
    assert_eq!(of(|k| k.locals = &[OLDER, NEWER]), at(5, 0, body));
    assert_eq!(of(|k| k.idle_shared = &[OLDER]), none);
    assert_eq!(of(|k| k.idle_shared = &[NEWER, OLDER]), at(5, 0, body));
    assert_eq!(of(|k| k.idle_shared = &[OLDER, NEWER]), at(5, 0, body));
    assert_eq!(of(|k| k.directives = &[OLD]), none);
    assert_eq!(of(|k| k.directives = &[DIRECTIVE, OLD]), at(7, 8, "`maxclusterrank` of `k`"));
    assert_eq!(of(|k| k.directives = &[OLD, DIRECTIVE]), at(7, 8, "`maxclusterrank` of `k`"));
    assert_eq!(of(|k| k.specials = &["%tid", "%nothing"]), none);
    assert_eq!(of(|k| k.specials = &["%clusterid", "%tid"]), at(7, 8, "`%clusterid` in `k`"));
    assert_eq!(of(|k| k.specials = &["%tid", "%clusterid"]), at(7, 8, "`%clusterid` in `k`"));
    assert_eq!(of(|k| k.body_since = Version::new(7, 7)), at(7, 7, body));
    assert_eq!(of(|k| k.unified = Some(Unified { upper: 1, lower: 2 })), at(8, 0, signature));
    assert_eq!(of(|k| k.params = &[MOST]), none);
    assert_eq!(of(|k| k.params = &[TOO_MANY]), at(8, 1, signature));
    assert_eq!(of(|k| k.params = &[const { Param::new("p", &Type::Unknown) }]), none);
}

#[test]
fn the_last_input_of_a_device_function_has_its_own_scope() {
    let of =
        |kind, count| -> Vec<_> { (0..count).map(|n| Scope::of_input(kind, n, count)).collect() };
    assert_eq!(of(FunctionKind::Kernel, 2), [Scope::Param; 2]);
    assert_eq!(of(FunctionKind::Device, 1), [Scope::LastInput]);
    assert_eq!(of(FunctionKind::Device, 3), [Scope::Function, Scope::Function, Scope::LastInput]);
    let params = [Param::new("a", WORD), Param::new("b", WORD)];
    let returns = [Param::new("r", WORD)];
    let function =
        Function { params: &params, returns: &returns, ..Function::new(FunctionKind::Device, "f") };
    let found: Vec<_> =
        Scope::of_signature(&function).map(|(param, scope)| (param.variable.name, scope)).collect();
    assert_eq!(found, [("a", Scope::Function), ("b", Scope::LastInput), ("r", Scope::Function)]);
}

const SCOPES: [Scope; 5] =
    [Scope::Module, Scope::Param, Scope::Function, Scope::LastInput, Scope::Body];

/// Signatures hide the elements of vectors, and every scope those of dynamic shared memory.
#[test]
fn scopes_hide_elements_and_types() {
    const F16X2: &Type<'static> = &Type::Scalar(ScalarType::F16x2);
    const PAIRS: &Type<'static> = &Type::Array(Extent::Known(2), PAIR);
    let param = |ty| Variable::new(Space::Param, "p", ty);
    let dynamic = Variable { linkage: Linkage::Dynamic, ..Variable::new(Space::Shared, "s", WORD) };
    let register = |ty| Variable::new(Space::Reg, "r", ty);
    // An `x` for each of module, kernel, function, last input and body where the element is hidden,
    // and where it is written as bits.
    for (variable, hidden, bits) in [
        (param(WORD), ".....", "....."),
        (param(PAIR), ".xxx.", ".xxx."),
        (param(PAIRS), ".xxx.", ".xxx."),
        (param(F16X2), ".....", ".xxx."),
        (register(PAIR), ".....", "....."),
        (register(F16X2), ".....", "....."),
        (dynamic, "xxxxx", "xxxxx"),
    ] {
        let marks = |test: fn(&Variable<'_>, Scope) -> bool| -> alloc::string::String {
            SCOPES.iter().map(|scope| if test(&variable, *scope) { 'x' } else { '.' }).collect()
        };
        assert_eq!(marks(is_element_hidden), hidden, "{variable:?}");
        assert_eq!(marks(is_written_as_bits), bits, "{variable:?}");
    }
    let signatures: Vec<_> = SCOPES.iter().map(|scope| scope.is_signature()).collect();
    assert_eq!(signatures, [false, true, true, true, false]);
}

#[test]
fn hidden_elements_need_no_version_and_missing_lengths_do() {
    const DOUBLES: &Type<'static> = &Type::Scalar(ScalarType::F16x2);
    const BITS: &Type<'static> = &Type::Vector(2, ScalarType::B128);
    const EMPTY: &Type<'static> = &Type::Array(Extent::Known(0), WORD);
    const ONE: &Type<'static> = &Type::Array(Extent::Known(1), WORD);
    const INNER: &Type<'static> = &Type::Array(Extent::Known(2), EMPTY);
    let param = |ty| Variable::new(Space::Param, "p", ty);
    assert_eq!(Scope::Function.since(&param(BITS)), Version::new(1, 0));
    assert_eq!(Scope::Module.since(&param(BITS)), Version::new(8, 3));
    assert_eq!(Scope::Param.since(&param(DOUBLES)), Version::new(1, 0));
    for (ty, expected) in [
        (WORD, (1, 0)),
        (ONE, (1, 0)),
        (EMPTY, (6, 0)),
        (INNER, (6, 0)),
        (UNCOUNTED, (6, 0)),
        (&Type::Array(Extent::Unknown, WORD), (1, 0)),
    ] {
        let (major, minor) = expected;
        assert_eq!(Scope::LastInput.since(&param(ty)), Version::new(major, minor), "{ty:?}");
        assert_eq!(Scope::Function.since(&param(ty)), Version::new(1, 0), "{ty:?}");
    }
}

const fn address(symbol: &str) -> Value<'_> {
    Value::Address(Address { symbol, generic: false, addend: 0 })
}

const fn pointing(name: &'static str, value: Value<'static>) -> Variable<'static> {
    Variable { init: Init::Value(value), ..global(name) }
}

/// The order of a module with these declarations.
fn order(variables: &[&Variable<'_>], functions: &[&Function<'_>]) -> Option<Order> {
    Order::of(&Module { variables, functions, ..Module::new("m", Target::Sm90) })
}

fn of(prototypes: &[usize], variables: &[usize], cycle: Option<usize>) -> Order {
    Order {
        prototypes: prototypes.to_vec(),
        variables: variables.to_vec(),
        cycles: cycle.into_iter().collect(),
    }
}

#[test]
fn variables_come_after_the_ones_that_their_initial_values_name() {
    const BOTH: &[Value<'static>] = &[address("c"), address("a"), Value::Int(1), address("c")];
    const LINKS: &[Link<'static>] = &[Link {
        at: 0,
        size: 8,
        address: Address { symbol: "a", generic: true, addend: 0 },
        byte: None,
    }];
    let (a, b, c) = (global("a"), pointing("b", address("c")), global("c"));
    assert_eq!(order(&[&a, &c], &[&kernel("k")]), None);
    assert_eq!(order(&[], &[]), None);
    assert_eq!(order(&[&a, &b, &c], &[]), Some(of(&[], &[0, 2, 1], None)));
    assert_eq!(order(&[&b, &a, &c], &[]), Some(of(&[], &[2, 0, 1], None)));
    let chain = (pointing("p", address("q")), pointing("q", address("a")));
    assert_eq!(order(&[&chain.0, &chain.1, &a], &[]), Some(of(&[], &[2, 1, 0], None)));
    let both = pointing("d", Value::List(BOTH));
    assert_eq!(order(&[&both, &a, &c], &[]), Some(of(&[], &[2, 1, 0], None)));
    let masked = pointing(
        "m",
        Value::MaskedAddress(0xFF, Address { symbol: "a", generic: true, addend: 1 }),
    );
    assert_eq!(order(&[&masked, &a], &[]), Some(of(&[], &[1, 0], None)));
    let unknown = pointing("u", address("nothing"));
    assert_eq!(order(&[&unknown, &a], &[]), Some(of(&[], &[0, 1], None)));
    let linked =
        Variable { init: Init::Linked(Linked { bytes: &[0; 8], links: LINKS }), ..global("l") };
    assert_eq!(order(&[&linked, &a], &[]), Some(of(&[], &[1, 0], None)));
    for init in [
        Init::None,
        Init::Unknown(&[]),
        Init::Bytes(&[1]),
        Init::Members(&[]),
        Init::Value(Value::Int(1)),
    ] {
        assert!(!init.has_address());
    }
    assert!(b.init.has_address() && linked.init.has_address());
}

#[test]
fn variables_in_a_cycle_stay_in_declaration_order() {
    let (a, b) = (pointing("a", address("b")), pointing("b", address("a")));
    assert_eq!(order(&[&a, &b], &[]), Some(of(&[], &[0, 1], Some(1))));
    assert_eq!(
        order(&[&global("x"), &pointing("y", address("y"))], &[]),
        Some(of(&[], &[0, 1], Some(1)))
    );
    // Earlier variables stay where they are.
    assert_eq!(
        order(&[&pointing("z", address("x")), &global("x"), &a, &b], &[]),
        Some(of(&[], &[0, 1, 2, 3], Some(3)))
    );
}

#[test]
fn a_function_that_is_named_before_its_declaration_has_a_prototype() {
    let named = pointing("p", address("g"));
    let (f, g) = (kernel("f"), kernel("g"));
    assert_eq!(order(&[&named], &[&f, &g]), Some(of(&[1], &[0], None)));
    assert_eq!(order(&[&named], &[&g, &f]), Some(of(&[0], &[0], None)));
    let calls = Function { calls: &["g"], ..f };
    assert_eq!(order(&[], &[&calls, &g]), Some(of(&[1], &[], None)));
    assert_eq!(order(&[], &[&g, &calls]), Some(of(&[], &[], None)));
    let itself = Function { calls: &["f"], ..f };
    assert_eq!(order(&[], &[&itself]), Some(of(&[], &[], None)));
    let back = Function { calls: &["f", "nothing"], ..g };
    assert_eq!(order(&[], &[&calls, &back]), Some(of(&[1], &[], None)));
    // A later call of a function that is already declared does not remove its prototype.
    let last = Function { calls: &["g"], ..kernel("h") };
    assert_eq!(order(&[], &[&calls, &g, &last]), Some(of(&[1], &[], None)));
}

#[test]
fn names_refer_to_variables_members_and_functions() {
    const FAMILY: &Type<'static> = &Type::Family(Extent::Known(3), WORD);
    const OPEN: &Type<'static> = &Type::Family(Extent::Unknown, WORD);
    let (x, family, open) =
        (global("x"), Variable { ty: FAMILY, ..global("r") }, Variable { ty: OPEN, ..global("s") });
    let (variables, functions) = ([&x, &family, &open], [&kernel("k")]);
    let module =
        Module { variables: &variables, functions: &functions, ..Module::new("m", Target::Sm90) };
    let names = Names::of(&module);
    for (name, expected) in [
        ("x", Some(Named::Variable(0))),
        ("x1", None),
        ("r", None),
        ("r0", Some(Named::Variable(1))),
        ("r2", Some(Named::Variable(1))),
        ("r3", None),
        ("s", None),
        ("s9", Some(Named::Variable(2))),
        ("k", Some(Named::Function(0))),
        ("k1", None),
        ("y", None),
    ] {
        assert_eq!(names.find(name), expected, "{name}");
    }
}

#[test]
fn a_declaration_has_the_place_of_the_mark_with_its_number() {
    let mark = |statement, line| Mark {
        statement,
        offset: 0,
        place: Location { file: "a.rs", line, column: 7 },
    };
    let (files, table) = Locations::encode([mark(1, 10), mark(4, 20)]);
    let locations = Locations::new(&files, &table);
    let line = |number| DeclaredAt::new(&locations, number).location().map(|place| place.line);
    assert_eq!([0, 1, 2, 4, 5].map(line), [None, Some(10), None, Some(20), None]);
    let place = DeclaredAt::new(&locations, 4).location().expect("a mark");
    assert_eq!(place.to_string(), "a.rs:20:7");
}

#[test]
fn member_numbers_are_decimal() {
    for (name, number) in [("r0", 0), ("r7", 7), ("r10", 10), ("r123", 123), ("r007", 7)] {
        assert_eq!(family::member_number(name, "r"), Some(number));
    }
    assert_eq!(family::member_number("xr1", "rr"), None);
    assert_eq!(family::member_number("r1", "s"), None);
}

#[test]
fn sites_name_their_function_and_what_is_there() {
    let (x, y, idle) = (global("x"), global("y"), global("x"));
    let param = [Param::new("p", WORD)];
    let returned = [Param::new("r", WORD)];
    let function = Function {
        params: &param,
        returns: &returned,
        locals: &[&x, &y],
        idle_shared: &[&idle],
        ..Function::new(FunctionKind::Device, "f")
    };
    let module = Module { functions: &[&function], ..Module::new("m", Target::Sm50) };
    let tokens = body::TokenRange::one(2);
    let inside = [
        Site::Function(0),
        Site::Param { function: 0, param: 0 },
        Site::Return { function: 0, index: 0 },
        Site::Local { function: 0, local: 2 },
        Site::Tokens { function: 0, statement: 7, tokens },
    ];
    assert!(inside.iter().all(|site| site.function() == Some(0)));
    assert_eq!((Site::Module.function(), Site::Variable(0).function()), (None, None));
    assert_eq!(inside.map(Site::statement), [None, None, None, None, Some((0, 7))]);
    let names = inside.map(|site| module.param(site).map(|param| param.variable.name));
    assert_eq!(names, [None, Some("p"), Some("r"), None, None]);
    assert_eq!(module.param(Site::Param { function: 0, param: 1 }).map(|_| ()), None);
    assert_eq!(function.local(2).map(|local| local.name), Some("x"));
    assert_eq!(function.local(3).map(|local| local.name), None);
    assert!(inside.iter().all(|site| module.location(*site).is_none()));
}

#[test]
fn declarations_are_found_by_name_and_by_what_may_stay_unnamed() {
    use body::{Encoder, StatementKind, TokenKind};
    let mut encoder = Encoder::default();
    let mut declare = |kind, space, names: &[&str]| {
        encoder.token(TokenKind::Modifier, space);
        for (n, name) in names.iter().enumerate() {
            if n > 0 {
                encoder.token(TokenKind::Comma, ",");
            }
            encoder.token(TokenKind::Name, name.trim_end_matches('<'));
            if name.ends_with('<') {
                encoder.token(TokenKind::Sign, "<");
                encoder.token(TokenKind::Number, "4");
                encoder.token(TokenKind::Sign, ">");
            }
        }
        encoder.end(kind, []);
    };
    declare(StatementKind::Declaration, ".shared", &["x", "x<", "y"]);
    declare(StatementKind::Directive, ".pragma", &["x"]);
    declare(StatementKind::Declaration, ".reg", &["x<", "x", "z"]);
    declare(StatementKind::Declaration, ".shared", &["x"]);
    let (text, table) = encoder.finish();
    let (x, y) = (global("x"), global("y"));
    let declared = |locals: &[_], idle_shared: &[_]| -> Vec<(usize, usize, usize)> {
        let body = Some(Body::new(&text, &table, &[]));
        let function = Function { body, locals, idle_shared, ..kernel("k") };
        function.declared().map(|(local, n, name)| (local, n, name.token)).collect()
    };
    let all = [(4, 0, 1), (0, 0, 3), (1, 0, 8), (2, 2, 1), (3, 2, 6)];
    assert_eq!(declared(&[&x, &y, &x, &x], &[&x]), all);
    assert_eq!(declared(&[&x, &y], &[&x]), [(2, 0, 1), (0, 0, 3), (1, 0, 8)]);
    assert_eq!(declared(&[&x, &y, &x, &x], &[&x, &x]), all);
    assert_eq!(declared(&[&x, &x, &y], &[]), [(0, 0, 1), (1, 0, 3), (2, 0, 8)]);
    assert_eq!(declared(&[&x, &x, &x], &[]), [(0, 0, 1), (1, 0, 3)]);
}
