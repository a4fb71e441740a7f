//! Tests of parameters and their pointees: which of their bytes are pointers, what calls pass, and
//! which spaces addresses are in.

extern crate std;

use alloc::boxed::Box;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use ptx_interpreter::encode;
use ptx_isa::ir::body::Body;
use ptx_isa::ir::{Extent, Field, Param, Pointer, Struct, StructKind, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use crate::calls::contents::note_written;
use crate::flow::effects::Effects;
use crate::flow::node::{Referent, Resolved};
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::storage::{Choice, Memory};
use crate::values::constants::Constants;
use crate::values::coordinates::Coordinates;
use crate::values::fixpoint::Setting;
use crate::values::number::{Linear, Sum};
use crate::values::state::State;
use crate::values::value::AbstractValue;

static B16: Type<'static> = Type::Scalar(ScalarType::B16);
static B32: Type<'static> = Type::Scalar(ScalarType::B32);
static B64: Type<'static> = Type::Scalar(ScalarType::B64);
static WORDS: Type<'static> = Type::Array(Extent::Known(64), &B32);

const fn pointer(space: Option<Space>) -> Pointer<'static> {
    Pointer { space, align: None, pointee: &B32 }
}

const fn param(name: &'static str, pointer: Option<Pointer<'static>>) -> Param<'static> {
    Param { pointer, ..Param::new(name, &B64) }
}

static FIELDS: [Field<'static>; 3] = [
    Field { name: "a", offset: 0, ty: &B64, pointer: None },
    Field { name: "b", offset: 8, ty: &B64, pointer: Some(|| pointer(Some(Space::Shared))) },
    Field { name: "c", offset: 16, ty: &B64, pointer: None },
];
static STRUCT: Type<'static> = Type::Struct(Struct {
    name: "T",
    size: 24,
    align: 8,
    fields: &FIELDS,
    kind: StructKind::Fields,
});

/// The parameters of a kernel: pointers into state spaces, a generic one, one that rustc may find to be
/// a pointer, a number, and a struct.
static PARAMS: [Param<'static>; 6] = [
    param("global", Some(pointer(Some(Space::Global)))),
    param("shared", Some(pointer(Some(Space::Shared)))),
    param("generic", Some(pointer(None))),
    Param::new("unknown", &Type::Unknown),
    param("number", None),
    Param::new("struct", &STRUCT),
];

/// The variables that pass the arguments of calls.
static LOCALS: [Variable<'static>; 3] = [
    Variable::new(Space::Param, "two", &B16),
    Variable::new(Space::Param, "four", &B32),
    Variable::new(Space::Param, "eight", &B64),
];

static INPUT: Variable<'static> = Variable::new(Space::Param, "input", &B64);
static RETURNED: Variable<'static> = Variable::new(Space::Param, "returned", &B64);
static VARIABLES: [Variable<'static>; 2] =
    [Variable::new(Space::Shared, "A", &WORDS), Variable::new(Space::Global, "B", &WORDS)];

/// The index of the first real register; those before it stand for the contents of parameters.
const FIRST: usize = 32;

fn memory() -> (Memory<'static>, Vec<&'static str>) {
    let (mut memory, mut names) = (Memory::default(), Vec::new());
    let mut note = |choice: Choice<'static>| {
        let name = choice.object.name();
        let Referent::Storage(storage) = memory.storage(vec![choice]) else { return };
        names.resize(storage + 1, "");
        names[storage] = name;
    };
    for (i, param) in PARAMS.iter().enumerate() {
        note(Choice::of_param(Object::EntryParam(param), Some(param), DeferredObject::Param(i)));
    }
    note(Choice::of_param(Object::Input(&INPUT), None, DeferredObject::Param(PARAMS.len())));
    note(Choice::of_param(Object::Return(&RETURNED), None, DeferredObject::Return(0)));
    for (i, local) in LOCALS.iter().enumerate() {
        let object = Object::LocalParam(local);
        note(Choice::of_param(object, None, DeferredObject::Declaration(i)));
    }
    for (index, variable) in VARIABLES.iter().enumerate() {
        let id = DeferredObject::Variable(VariableUse { index, member: None });
        note(Choice::of_param(Object::Variable(variable), None, id));
    }
    names.resize(memory.storages.len(), "");
    (memory, names)
}

/// Returns the value of `%r0` after these instructions: `*p+8 Own 64` is offset 8 into the pointee of `p`.
fn value_of(text: &str) -> String {
    held_from(text, None)
}

/// Returns the same if the variable for this argument holds a number.
fn held_from(text: &str, passed: Option<(&str, i128)>) -> String {
    let (encoded, table) = encode(&text.replace("; ", ";\n"));
    let body = Body::new(&encoded, &table, &[]);
    let (memory, names) = memory();
    let storages = &memory.storages;
    let setting = Setting { storages, constants: Constants::NONE, coordinates: &Coordinates::ANY };
    let referent = |name: &str| match name.strip_prefix("%r").and_then(|n| n.parse::<usize>().ok())
    {
        Some(number) => Referent::Register(FIRST + number),
        None => match names.iter().position(|other| *other == name) {
            Some(storage) => Referent::Storage(storage),
            None => Referent::Other,
        },
    };
    let mut state = State::default();
    if let Some((name, value)) = passed
        && let Referent::Storage(storage) = referent(name)
        && let Some(content) = storages[storage].content
    {
        let value = AbstractValue::Number(Linear::exact(Sum::known(value)));
        state.set(content, Rc::new(value));
    }
    for (n, statement) in body.statements().enumerate() {
        let instruction = statement.instruction(&[]).expect("there are instructions alone");
        let effects = Effects::of(&instruction, n);
        let mut resolved = Box::new(Resolved::new(effects, Vec::new(), referent));
        note_written(&mut resolved, storages);
        state = setting.after(&resolved, state).expect("control goes on");
    }
    let name = |storage: usize| match storages[storage].object() {
        Object::FieldPointee(param, at, _) => format!("{}.{at}", param.variable.name),
        object => object.name().to_string(),
    };
    let value = state
        .get(FIRST)
        .map_or_else(AbstractValue::unknown, |it| Rc::unwrap_or_clone(Rc::clone(it)));
    match value {
        AbstractValue::Number(number) => match number.value() {
            Some(value) => value.to_string(),
            None => format!("a multiple of {}", number.step().0),
        },
        AbstractValue::Address(it) => {
            let star = if it.is_pointee { "*" } else { "" };
            let offset = it.offset.value().map_or_else(|| "?".to_string(), |it| it.to_string());
            format!("{star}{}+{offset} {:?} {}", name(it.storage), it.kind, it.bits)
        }
        AbstractValue::LowestBits(all) => {
            let all: Vec<String> = all.iter().map(|it| name(it.storage)).collect();
            format!("low bits of {}", all.join(" "))
        }
        AbstractValue::Truncated(storage) => format!("near {}", name(storage)),
        AbstractValue::Descriptor(..) => "a descriptor".to_string(),
        AbstractValue::Truth(_) => "a truth".to_string(),
        AbstractValue::Anything => "anything".to_string(),
    }
}

const UNKNOWN: &str = "a multiple of 1";

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let found = value_of(text);
        if found != *expected {
            wrong.push(format!("{text} {found}, and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_parameter_is_a_pointer_where_all_of_it_is_loaded() {
    check(&[
        ("ld.param.u64 %r0, [global];", "*global+0 Own 64"),
        ("ld.param.u64 %r0, [shared];", "*shared+0 Own 64"),
        ("ld.param.u64 %r0, [generic];", "*generic+0 Own 64"),
        ("ld.param.u64 %r0, [unknown];", "*unknown+0 Own 64"),
        ("ld.param.u64 %r0, [number];", UNKNOWN),
        ("ld.param.u64 %r0, [global+8];", UNKNOWN),
        ("ld.param.u32 %r0, [global];", UNKNOWN),
        ("ld.param.u64 %r0, [nowhere];", UNKNOWN),
        ("ld.param.u64 %r0, [%r1];", UNKNOWN),
        ("ld.param.u64 %r1, [global]; add.u64 %r0, %r1, 16;", "*global+16 Own 64"),
    ]);
}

#[test]
fn a_field_is_a_pointer_where_the_struct_has_one() {
    check(&[
        ("ld.param.u64 %r0, [struct];", UNKNOWN),
        ("ld.param.u64 %r0, [struct+8];", "*struct.8+0 Own 64"),
        ("ld.param.u64 %r0, [struct+7];", UNKNOWN),
        ("ld.param.u64 %r0, [struct+9];", UNKNOWN),
        ("ld.param.u64 %r0, [struct+16];", UNKNOWN),
        ("ld.param.u64 %r0, [struct-8];", UNKNOWN),
        ("ld.param.u64 %r0, [struct[%r1]];", UNKNOWN),
        ("ld.param.u32 %r0, [struct+8];", UNKNOWN),
        ("ld.param.b128 %r0, [struct+8];", UNKNOWN),
    ]);
}

#[test]
fn a_call_passes_what_was_stored_as_a_whole() {
    check(&[
        ("st.param.b32 [four], 7; ld.param.b32 %r0, [four];", "7"),
        ("st.param.b64 [eight], 7; ld.param.b64 %r0, [eight];", "7"),
        ("mov.u64 %r1, B; st.param.b64 [eight], %r1; ld.param.b64 %r0, [eight];", "B+0 Own 64"),
        ("st.param.b64 [eight], 7; ld.param.b32 %r0, [eight];", UNKNOWN),
        ("st.param.b64 [eight], 7; ld.param.b64 %r0, [eight+8];", UNKNOWN),
        ("st.param.b64 [eight], 7; ld.param.b32 %r0, [eight+4];", UNKNOWN),
        ("st.param.b64 [eight], 7; st.param.b32 [eight], 7; ld.param.b64 %r0, [eight];", UNKNOWN),
        ("st.param.b64 [eight], 7; st.param.b32 [eight+4], 7; ld.param.b64 %r0, [eight];", UNKNOWN),
        ("st.param.b16 [two], 7; ld.param.b16 %r0, [two];", UNKNOWN),
        ("ld.param.b64 %r0, [input];", UNKNOWN),
    ]);
    let passed = |text: &str, name| held_from(text, Some((name, 7)));
    assert_eq!(passed("ld.param.b64 %r0, [input];", "input"), "7");
    assert_eq!(passed("ld.param.b32 %r0, [input];", "input"), UNKNOWN);
    assert_eq!(passed("ld.param.b32 %r0, [four];", "four"), "7");
    // The type of the load decides how a wider register is filled.
    assert_eq!(passed("ld.param.s16 %r0, [two];", "two"), UNKNOWN);
}

#[test]
fn addresses_of_function_parameters_are_unknown() {
    check(&[
        ("mov.u64 %r0, number;", "number+0 Own 64"),
        ("mov.u64 %r0, B;", "B+0 Own 64"),
        ("mov.u64 %r0, input;", "input+0 Unsure 64"),
        ("mov.u64 %r0, returned;", "returned+0 Unsure 64"),
        ("mov.u64 %r0, eight;", "eight+0 Unsure 64"),
        // An index counts elements.
        ("mov.u64 %r0, A[3];", "A+12 Own 64"),
        ("mov.u64 %r0, A[%r1];", "A+? Own 64"),
        ("mov.u64 %r1, A; mov.u64 %r0, A[%r1];", "A+? Own 64"),
        ("mov.u64 %r0, nowhere[3];", "anything"),
    ]);
}

#[test]
fn addresses_have_32_bits_outside_of_global_memory() {
    let narrowed = |text: &str| format!("{text} cvt.u32.u64 %r0, %r1;");
    for (text, expected) in [
        ("mov.u64 %r1, A;", "A+0 Own 32"),
        ("mov.u64 %r1, B;", "low bits of B"),
        ("mov.u64 %r1, number;", "number+0 Own 32"),
        ("cvta.shared.u64 %r1, A;", "low bits of A"),
        ("ld.param.u64 %r1, [shared];", "*shared+0 Own 32"),
        ("ld.param.u64 %r1, [global];", "low bits of global"),
        ("ld.param.u64 %r1, [generic];", "low bits of generic"),
        ("ld.param.u64 %r1, [unknown];", "low bits of unknown"),
        ("ld.param.u64 %r1, [struct+8];", "*struct.8+0 Own 32"),
        ("ld.param.u64 %r1, [shared]; add.u64 %r1, %r1, 4294967292;", "*shared+-4 Own 32"),
        ("ld.param.u64 %r1, [shared]; cvta.shared.u64 %r1, %r1;", "low bits of shared"),
    ] {
        assert_eq!(value_of(&narrowed(text)), expected, "{text}");
    }
    check(&[
        ("mov.u64 %r1, A; cvt.u16.u64 %r0, %r1;", "low bits of A"),
        ("mov.u64 %r1, A; cvt.u32.u64 %r1, %r1; cvt.u64.u32 %r0, %r1;", "A+0 Own 64"),
        ("mov.u64 %r1, A; cvt.u64.u16 %r0, %r1;", "low bits of A"),
        // A parameter's address has no upper half.
        ("cvt.u32.u64 %r1, number; mov.b64 %r0, {%r1, 0};", "number+0 Own 64"),
        ("mov.b64 %r0, {number, 0};", "number+0 Own 64"),
        ("mov.b64 %r0, {number, 1};", "anything"),
        ("mov.b64 %r0, {A, 0};", "anything"),
        ("mov.b64 %r0, {input, 0};", "anything"),
    ]);
    let masked = |text: &str| format!("{text} and.b64 %r0, %r1, 4294967295;");
    for (text, expected) in [
        ("mov.u64 %r1, A;", "a truth"),
        ("mov.u64 %r1, B;", "low bits of B"),
        ("ld.param.u64 %r1, [global];", "low bits of global"),
        ("ld.param.u64 %r1, [shared];", "a truth"),
    ] {
        assert_eq!(value_of(&masked(text)), expected, "{text}");
    }
}

#[test]
fn a_test_leaves_out_the_bits_that_are_zero_or_may_be() {
    let masked = |name: &str, mask: u32| {
        value_of(&format!("ld.param.u64 %r1, [{name}]; and.b64 %r0, %r1, {mask};"))
    };
    // The pointee is aligned to 4 bytes.
    assert_eq!(masked("global", 127), "a truth");
    assert_eq!(masked("global", 124), "a truth");
    assert_eq!(masked("global", 120), "*global+? Own 64");
    // With unknown alignment, all masked bits may be zero.
    assert_eq!(masked("unknown", 127), "a truth");
    assert_eq!(masked("unknown", 112), "a truth");
}

#[test]
fn an_address_is_generic_where_it_was_one_of_the_space() {
    check(&[
        ("cvta.shared.u64 %r0, A;", "A+0 Generic 64"),
        ("cvta.global.u64 %r0, A;", "A+0 Unsure 64"),
        ("ld.param.u64 %r1, [shared]; cvta.shared.u64 %r0, %r1;", "*shared+0 Generic 64"),
        ("ld.param.u64 %r1, [shared]; cvta.global.u64 %r0, %r1;", "*shared+0 Unsure 64"),
        ("ld.param.u64 %r1, [generic]; cvta.shared.u64 %r0, %r1;", "*generic+0 Unsure 64"),
        ("ld.param.u64 %r1, [struct+8]; cvta.shared.u64 %r0, %r1;", "*struct.8+0 Generic 64"),
        ("cvta.shared.u64 %r1, A; cvta.to.shared.u64 %r0, %r1;", "A+0 Own 64"),
        ("cvta.shared.u64 %r1, A; cvta.to.local.u64 %r0, %r1;", "A+0 In(Local) 64"),
        ("ld.param.u64 %r1, [global]; cvta.to.global.u64 %r0, %r1;", "*global+0 Own 64"),
        ("ld.param.u64 %r1, [global]; cvta.to.shared.u64 %r0, %r1;", "*global+0 In(Shared) 64"),
        ("ld.param.u64 %r1, [generic]; cvta.to.global.u64 %r0, %r1;", "*generic+0 In(Global) 64"),
        ("mov.u64 %r1, 16; cvta.to.global.u64 %r0, %r1;", "16"),
    ]);
}

#[test]
fn it_is_known_in_which_space_a_generic_address_is() {
    let is = |text: &str, space: &str| value_of(&format!("{text} isspacep.{space} %r0, %r1;"));
    for (text, space, expected) in [
        ("ld.param.u64 %r1, [shared]; cvta.shared.u64 %r1, %r1;", "global", "0"),
        // It may be in another block's shared memory.
        ("ld.param.u64 %r1, [shared]; cvta.shared.u64 %r1, %r1;", "shared", UNKNOWN),
        ("ld.param.u64 %r1, [global]; cvta.global.u64 %r1, %r1;", "global", "1"),
        ("ld.param.u64 %r1, [global]; cvta.global.u64 %r1, %r1;", "shared", "0"),
        // The caller decides whether a kernel argument is a generic address.
        ("ld.param.u64 %r1, [global];", "global", UNKNOWN),
        ("ld.param.u64 %r1, [shared];", "shared", UNKNOWN),
        ("ld.param.u64 %r1, [generic];", "global", UNKNOWN),
        ("mov.u64 %r1, B;", "global", "1"),
        ("mov.u64 %r1, B;", "shared", "0"),
        ("cvta.shared.u64 %r1, A;", "shared", "1"),
        ("cvta.global.u64 %r1, A;", "shared", UNKNOWN),
        // A parameter may be copied to local memory.
        ("cvta.param.u64 %r1, number;", "param", UNKNOWN),
        ("cvta.param.u64 %r1, number;", "global", UNKNOWN),
    ] {
        assert_eq!(is(text, space), expected, "{text} {space}");
    }
}
