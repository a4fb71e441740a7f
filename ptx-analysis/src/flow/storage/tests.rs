use alloc::vec;
use alloc::vec::Vec;

use ptx_isa::ir::{Extent, Field, Param, Pointer, Struct, StructKind, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::{ScalarType, Space};

use super::{Choice, Declarer, Memory, Storage};
use crate::flow::node::Referent;
use crate::flow::object::DeferredObject;

static WORD: Type<'static> = Type::Scalar(ScalarType::U32);
static WIDE: Type<'static> = Type::Scalar(ScalarType::U64);

static SHARED: Variable<'static> = Variable::new(Space::Shared, "s", &WORD);
static GLOBAL: Variable<'static> = Variable::new(Space::Global, "g", &WORD);

fn variable(variable: &'static Variable<'static>, n: usize) -> Choice<'static> {
    let id = DeferredObject::Declaration(n);
    Choice { is_aligned: true, ..Choice::of_param(Object::Variable(variable), None, id) }
}

fn pointer(space: Option<Space>) -> Pointer<'static> {
    Pointer { space, align: None, pointee: &WORD }
}

fn index(referent: Referent) -> usize {
    match referent {
        Referent::Storage(index) => index,
        other => panic!("{other:?} is not storage"),
    }
}

#[test]
fn a_space_is_known_where_all_that_it_may_be_is_in_it() {
    let space = |choices: &[Choice<'static>]| Storage::of(choices.to_vec()).space();
    let (shared, global) = (variable(&SHARED, 0), variable(&GLOBAL, 1));
    assert_eq!(space(core::slice::from_ref(&shared)), Some(Space::Shared));
    assert_eq!(space(&[shared.clone(), shared.clone()]), Some(Space::Shared));
    assert_eq!(space(&[shared.clone(), global.clone()]), None);
    assert_eq!(space(&[global, shared]), None);
}

#[test]
fn choices_are_the_same_by_their_declaration_and_by_whose_they_are() {
    static TWIN: Variable<'static> = Variable::new(Space::Shared, "s", &WORD);
    let one = variable(&SHARED, 0);
    assert!(one.is_same(&variable(&SHARED, 0)));
    assert!(!one.is_same(&variable(&SHARED, 1)));
    assert!(!one.is_same(&variable(&TWIN, 0)));
    let foreign = Choice { is_foreign: true, ..one.clone() };
    assert!(!one.is_same(&foreign));
    assert!(foreign.is_same(&foreign));
}

#[test]
fn a_parameter_leads_to_what_it_points_to() {
    let plain = Param::new("p", &WIDE);
    let pointing = Param { pointer: Some(pointer(Some(Space::Global))), ..plain };
    let generic = Param { pointer: Some(pointer(None)), ..plain };
    let unknown = Param::new("p", &Type::Unknown);
    let of = |param: &'static Param<'static>| {
        let choice =
            Choice::of_param(Object::EntryParam(param), Some(param), DeferredObject::Param(3));
        Storage::of(vec![choice])
    };
    let kept = |param: Param<'static>| &*alloc::boxed::Box::leak(alloc::boxed::Box::new(param));
    let [plain, pointing, generic, unknown] = [plain, pointing, generic, unknown].map(kept);
    // Whether it is, or may be, a pointer, and its state space.
    assert_eq!((of(plain).may_point(), of(plain).points_to()), (false, None));
    let global = (true, Some(Space::Global));
    assert_eq!((of(pointing).may_point(), of(pointing).points_to()), global);
    assert_eq!((of(generic).may_point(), of(generic).points_to()), (true, None));
    assert!(of(unknown).may_point());
    let choice = &of(pointing).choices[0];
    assert!(matches!(choice.at(false), (Object::EntryParam(_), DeferredObject::Param(3))));
    assert!(matches!(choice.at(true), (Object::Pointee(_), DeferredObject::Pointee(3))));
    // A name that is not a parameter has no pointee.
    let own = variable(&SHARED, 2);
    assert!(matches!(own.at(true), (Object::Variable(_), DeferredObject::Declaration(2))));
    assert!(!Storage::of(vec![own]).may_point());
}

#[test]
fn storage_is_numbered_once_and_parameters_have_room_for_what_they_hold() {
    static INPUT: Variable<'static> = Variable::new(Space::Param, "in", &WORD);
    static LOCAL: Variable<'static> = Variable::new(Space::Param, "local", &WORD);
    let mut memory = Memory::default();
    let input = |i| Choice::of_param(Object::Input(&INPUT), None, DeferredObject::Param(i));
    let first = index(memory.storage(vec![variable(&SHARED, 0)]));
    let second = index(memory.storage(vec![input(0)]));
    assert_eq!(index(memory.storage(vec![variable(&SHARED, 0)])), first);
    assert_eq!(index(memory.storage(vec![input(0)])), second);
    let third = index(memory.storage(vec![input(1)]));
    let local = Choice::of_param(Object::LocalParam(&LOCAL), None, DeferredObject::Declaration(9));
    let fourth = index(memory.storage(vec![local]));
    assert_eq!([first, second, third, fourth], [0, 1, 2, 3]);
    let contents: Vec<_> = memory.storages.iter().map(|storage| storage.content).collect();
    assert_eq!(contents, [None, Some(0), Some(1), Some(2)]);
    assert_eq!([0, 1, 2].map(|param| memory.content_of(param)), [Some(0), Some(1), None]);
    // Registers and pseudo-registers have different indices.
    let register = memory.register(Declarer::Declaration(0), "%r1");
    assert_eq!(register, Referent::Register(3));
}

#[test]
fn registers_are_distinguished_by_name_and_declaration() {
    let mut memory = Memory::default();
    let all = [
        (Declarer::Declaration(1), "%r0"),
        (Declarer::Declaration(1), "%r1"),
        (Declarer::Declaration(0), "%r1"),
        (Declarer::Param(1), "%r1"),
        (Declarer::Return(1), "%r1"),
        (Declarer::Param(0), "%r1"),
    ];
    for round in 0..2 {
        for (n, (declarer, name)) in all.into_iter().enumerate() {
            let register = memory.register(declarer, name);
            assert_eq!(register, Referent::Register(n), "{declarer:?} in round {round}");
        }
    }
}

#[test]
fn pointers_in_a_parameter_are_found_by_how_far_from_its_start_they_are() {
    static FIELDS: [Field<'static>; 3] = [
        Field { name: "a", offset: 0, ty: &WIDE, pointer: Some(|| pointer(Some(Space::Global))) },
        Field { name: "b", offset: 8, ty: &WIDE, pointer: None },
        Field { name: "c", offset: 16, ty: &WIDE, pointer: Some(|| pointer(None)) },
    ];
    static STRUCT: Type<'static> = Type::Struct(Struct {
        name: "S",
        size: 24,
        align: 8,
        fields: &FIELDS,
        kind: StructKind::Fields,
    });
    static PARAM: Param<'static> = Param::new("p", &STRUCT);
    let mut memory = Memory::default();
    let choice =
        Choice::of_param(Object::EntryParam(&PARAM), Some(&PARAM), DeferredObject::Param(5));
    let index = index(memory.storage(vec![choice]));
    assert_eq!((index, memory.storages.len()), (0, 3));
    let at = |offset: Option<i128>| memory.storages[index].pointer_at(offset);
    assert_eq!(
        [0, 8, 16, 17, -1].map(|offset| at(Some(offset))),
        [Some(1), None, Some(2), None, None]
    );
    assert_eq!(at(None), None);
    let holders: Vec<_> = memory.storages.iter().map(|storage| storage.holder).collect();
    assert_eq!(holders, [None, Some(0), Some(0)]);
    let ids = [1, 2].map(|n: usize| memory.storages[n].choices[0].id.clone());
    assert_eq!(ids, [0, 16].map(|at| DeferredObject::FieldPointee(5, at)));
}

#[test]
fn what_a_parameter_in_a_register_points_to_is_storage_of_its_own() {
    static PARAM: Param<'static> = Param::new("p", &WIDE);
    let mut memory = Memory::default();
    assert_eq!([memory.pointed(4, &PARAM), memory.pointed(4, &PARAM)], [0, 1]);
    assert_eq!(memory.storages[1].choices[0].id, DeferredObject::Param(4));
}

#[test]
fn storage_of_callers_is_numbered_by_its_declaration() {
    static TWIN: Variable<'static> = Variable::new(Space::Shared, "s", &WORD);
    let foreign = |of, n| Choice { is_foreign: true, ..variable(of, n) };
    let mut memory = Memory::default();
    let all = [foreign(&SHARED, 0), foreign(&TWIN, 0), foreign(&SHARED, 1)];
    for _ in 0..2 {
        assert_eq!(all.each_ref().map(|choice| memory.foreign(choice)), [0, 1, 2]);
    }
    // Storage that does not belong to a caller is a module variable, which is added each time.
    let own = variable(&SHARED, 0);
    assert_eq!([memory.foreign(&own), memory.foreign(&own)], [3, 4]);
    assert_eq!(memory.storages.len(), 5);
}

#[test]
fn the_alignment_of_a_parameter_is_known_where_one_is_declared() {
    static ALIGNED: Variable<'static> =
        Variable { align: Some(8), ..Variable::new(Space::Param, "in", &WORD) };
    static ARRAY: Type<'static> = Type::Array(Extent::Known(4), &WORD);
    static PLAIN: Variable<'static> = Variable::new(Space::Param, "in", &ARRAY);
    let is_aligned =
        |of| Choice::of_param(Object::Input(of), None, DeferredObject::Param(0)).is_aligned;
    assert!(is_aligned(&ALIGNED));
    assert!(!is_aligned(&PLAIN));
}
