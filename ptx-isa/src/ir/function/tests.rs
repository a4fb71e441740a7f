//! The layout of parameters, shared memory and constants, compared with layouts counted by hand.

use alloc::vec::Vec;

use super::*;
use crate::scalar::ScalarType;

const BYTE: &Type<'static> = &Type::Scalar(ScalarType::U8);
const WORD: &Type<'static> = &Type::Scalar(ScalarType::U32);
const LONG: &Type<'static> = &Type::Scalar(ScalarType::U64);
const WIDE: &Type<'static> = &Type::Scalar(ScalarType::B128);
const UNCOUNTED: &Type<'static> = &Type::Array(Extent::Incomplete, WORD);

fn kernel<'a>(params: &'a [Param<'a>]) -> Function<'a> {
    Function { params, ..Function::new(FunctionKind::Kernel, "k") }
}

#[test]
fn a_new_function_needs_nothing() {
    let function = kernel(&[]);
    assert_eq!(function.body_since, Version::new(1, 0));
    assert!(!function.has_dynamic_shared() && !function.allows("F001"));
    assert!(Function { allow: &["F001"], ..function }.allows("F001"));
    assert!(!Param::new("p", WORD).readonly);
    assert_eq!(
        (FunctionKind::Kernel.directive(), FunctionKind::Device.directive()),
        (".entry", ".func")
    );
}

#[test]
fn some_directives_are_for_kernels_and_some_for_clusters() {
    use DirectiveKind::{ExplicitCluster, MaxClusterRank, NoReturn, ReqNCtaPerCluster};
    for kind in DirectiveKind::ALL {
        assert_eq!(kind.is_of_kernels(), *kind != NoReturn, "{kind:?}");
        let is_of_cluster = [ReqNCtaPerCluster, MaxClusterRank, ExplicitCluster].contains(kind);
        assert_eq!(kind.is_of_cluster(), is_of_cluster, "{kind:?}");
    }
}

#[test]
fn parameters_are_laid_out_in_order_at_their_alignments() {
    let params = [
        Param::new("a", BYTE),
        Param::new("b", WORD),
        Param::new("c", BYTE),
        Param::new("d", LONG),
        Param::new("e", BYTE),
    ];
    let function = kernel(&params);
    let offsets = |start| -> Vec<_> {
        (0..=5).map(|n| function.param_offset_from(start, n).expect("known")).collect()
    };
    assert_eq!(offsets(0), [0, 4, 8, 16, 24, 25]);
    // After what the driver puts before them.
    assert_eq!(offsets(8), [0, 4, 8, 16, 24, 25]);
    assert_eq!(offsets(5), [0, 3, 7, 11, 19, 20]);
    // The offset is aligned, and the address.
    let map = [
        params[0],
        Param { variable: Variable { align: Some(64), ..params[1].variable }, ..params[1] },
    ];
    assert_eq!(kernel(&map).param_offset(Target::Sm62, 1), Some(64));
    assert_eq!(kernel(&map).param_offset(Target::Sm80, 1), Some(32));
    assert_eq!(kernel(&map).param_offset(Target::Sm80, 2), Some(36));
    assert_eq!(kernel(&map).param_bytes(), Some(68));
    assert_eq!(function.param_bytes(), Some(25));
    let unknown = [Param::new("a", WORD), Param::new("b", &Type::Unknown)];
    assert_eq!(kernel(&unknown).param_offset(Target::Sm80, 0), Some(0));
    assert_eq!(kernel(&unknown).param_bytes(), None);
    assert_eq!(kernel(&[]).param_bytes(), Some(0));
    let odd = [Param { variable: Variable { align: Some(0), ..params[1].variable }, ..params[1] }];
    assert_eq!(kernel(&odd).param_bytes(), Some(4));
}

const fn shared(linkage: Linkage, ty: &'static Type<'static>) -> Variable<'static> {
    Variable { linkage, ..Variable::new(Space::Shared, "s", ty) }
}

/// Bytes and longs reveal the order by the padding between them.
#[test]
fn static_shared_memory_is_laid_out_with_visible_variables_first() {
    const INTERNAL: Linkage = Linkage::Internal;
    const VISIBLE: Linkage = Linkage::Visible;
    let (byte, long) = (shared(INTERNAL, BYTE), shared(INTERNAL, LONG));
    let (visible_byte, visible_long) = (shared(VISIBLE, BYTE), shared(VISIBLE, LONG));
    let of = |linkage,
              uses: &[&Variable<'_>],
              called: &[&Variable<'_>],
              locals: &[&Variable<'_>],
              idle: &[&Variable<'_>]| {
        let function = Function {
            linkage,
            uses,
            called_shared: called,
            locals,
            idle_shared: idle,
            ..kernel(&[])
        };
        function.static_shared_bytes()
    };
    // Byte, long: 16. Long, byte: 9.
    assert_eq!(of(INTERNAL, &[&byte, &long], &[], &[], &[]), Some(16));
    assert_eq!(of(INTERNAL, &[&long, &byte], &[], &[], &[]), Some(9));
    assert_eq!(of(INTERNAL, &[&byte, &visible_long], &[], &[], &[]), Some(9));
    assert_eq!(of(INTERNAL, &[&visible_byte, &long], &[], &[], &[]), Some(16));
    // Within each group, the variables of called functions come after those that the body names.
    assert_eq!(of(INTERNAL, &[&long], &[&byte], &[], &[]), Some(9));
    assert_eq!(of(INTERNAL, &[&byte], &[&long], &[], &[]), Some(16));
    assert_eq!(of(INTERNAL, &[&byte], &[&visible_long], &[], &[]), Some(9));
    assert_eq!(of(INTERNAL, &[&visible_byte], &[&visible_long], &[], &[]), Some(16));
    assert_eq!(of(INTERNAL, &[&visible_long], &[&visible_byte], &[], &[]), Some(9));
    // The locals of an exported function come before internal variables, those of other functions
    // last.
    assert_eq!(of(VISIBLE, &[&byte], &[], &[&long], &[]), Some(9));
    assert_eq!(of(VISIBLE, &[&visible_byte], &[], &[&long], &[]), Some(16));
    assert_eq!(of(INTERNAL, &[&byte], &[], &[&long], &[]), Some(16));
    assert_eq!(of(INTERNAL, &[], &[&byte], &[&long], &[]), Some(16));
    assert_eq!(of(INTERNAL, &[], &[], &[&byte], &[&long]), Some(16));
    assert_eq!(of(INTERNAL, &[], &[], &[&long], &[&byte]), Some(9));
}

#[test]
fn only_variables_defined_here_take_shared_memory() {
    const ROWS: &Type<'static> = &Type::Array(Extent::Known(3), UNCOUNTED);
    const MOST: &Type<'static> = &Type::Array(Extent::Known(usize::MAX - 1), BYTE);
    const TOO_MANY: &Type<'static> = &Type::Array(Extent::Known(usize::MAX), BYTE);
    let bytes = |variable: Variable<'_>| {
        let uses = [&variable];
        Function { uses: &uses, ..kernel(&[]) }.static_shared_bytes()
    };
    let word = shared(Linkage::Internal, WORD);
    assert_eq!(bytes(word), Some(4));
    assert_eq!(bytes(Variable { space: Space::Global, ..word }), Some(0));
    assert_eq!(bytes(Variable { space: Space::Global, ty: UNCOUNTED, ..word }), Some(0));
    assert_eq!(bytes(shared(Linkage::Extern, WORD)), Some(4));
    assert_eq!(bytes(shared(Linkage::Extern, UNCOUNTED)), Some(0));
    assert_eq!(bytes(shared(Linkage::Dynamic, WORD)), Some(0));
    assert_eq!(bytes(shared(Linkage::Internal, UNCOUNTED)), None);
    assert_eq!(bytes(shared(Linkage::Internal, &Type::Unknown)), None);
    assert_eq!(bytes(shared(Linkage::Extern, ROWS)), None);
    // A size that is too large is unknown, and one byte less is not.
    assert_eq!(bytes(shared(Linkage::Internal, MOST)), Some(usize::MAX - 1));
    assert_eq!(bytes(shared(Linkage::Internal, TOO_MANY)), None);
}

#[test]
fn an_unknown_size_makes_the_layout_unknown() {
    const MOST: &Type<'static> = &Type::Array(Extent::Known(usize::MAX - 1), BYTE);
    let (unknown, byte) =
        (shared(Linkage::Internal, &Type::Unknown), shared(Linkage::Internal, BYTE));
    let of = |uses: &[&Variable<'_>], idle: &[&Variable<'_>]| {
        Function { uses, idle_shared: idle, ..kernel(&[]) }.static_shared_bytes()
    };
    assert_eq!(of(&[&unknown, &byte], &[]), None);
    assert_eq!(of(&[&unknown], &[&byte]), None);
    assert_eq!(of(&[&byte], &[&unknown]), None);
    assert_eq!(of(&[&shared(Linkage::Internal, MOST), &byte], &[]), None);
    let module_wide = Function { uses: &[&unknown], ..kernel(&[]) };
    assert_eq!(module_wide.dynamic_shared_offset(16), None);
}

#[test]
fn a_declared_alignment_does_not_lower_a_natural_one() {
    const PAIR: &Type<'static> = &Type::Vector(2, ScalarType::U32);
    const STRUCT: &Type<'static> = &Type::Struct(crate::ir::Struct {
        name: "S",
        size: 8,
        align: 8,
        fields: &[],
        kind: crate::ir::StructKind::Fields,
    });
    const OPAQUE: &Type<'static> = &Type::Opaque(crate::opaque::Opaque::TexRef);
    let constants = |variable: Variable<'_>| {
        let byte = Variable::new(Space::Const, "b", BYTE);
        lay_out_const(&[&byte, &variable], &[])
    };
    let of = |ty, align| Variable { align, ..Variable::new(Space::Const, "c", ty) };
    for (ty, align, bytes) in [
        (LONG, None, 16),
        (LONG, Some(2), 16),
        (LONG, Some(8), 16),
        (LONG, Some(16), 24),
        (PAIR, Some(4), 16),
        (WIDE, Some(8), 32),
        (BYTE, Some(1), 2),
        (&Type::Aligned(4, BYTE), None, 5),
    ] {
        assert_eq!(constants(of(ty, align)), Some(bytes), "{ty:?} {align:?}");
    }
    // The carriers of values of 16 bytes are integers of 8.
    let carried = Variable { init: super::super::Init::Bytes(&[0; 16]), ..of(WIDE, Some(4)) };
    assert_eq!(constants(carried), Some(24));
    assert_eq!(constants(of(STRUCT, Some(2))), Some(10));
    assert_eq!(constants(of(STRUCT, Some(1))), Some(9));
    assert_eq!(constants(of(OPAQUE, None)), Some(4));
    assert_eq!(constants(of(OPAQUE, Some(1))), Some(1));
}

#[test]
fn members_of_a_family_are_variables_of_their_own() {
    const FAMILY: &Type<'static> = &Type::Family(Extent::Known(3), BYTE);
    const UNCERTAIN: &Type<'static> = &Type::Family(Extent::Unknown, BYTE);
    const NONE: &Type<'static> = &Type::Family(Extent::Known(0), BYTE);
    let bytes = |ty, align| {
        let variable = Variable { align, ..shared(Linkage::Internal, ty) };
        Function { uses: &[&variable], ..kernel(&[]) }.static_shared_bytes()
    };
    assert_eq!(bytes(FAMILY, None), Some(3));
    assert_eq!(bytes(FAMILY, Some(8)), Some(17));
    assert_eq!(bytes(NONE, None), Some(0));
    assert_eq!(bytes(UNCERTAIN, None), None);
}

#[test]
fn only_the_named_members_of_a_family_of_constants_are_laid_out() {
    const FAMILY: &Type<'static> = &Type::Family(Extent::Known(9), LONG);
    let family = Variable::new(Space::Const, "c", FAMILY);
    let global = Variable::new(Space::Global, "g", FAMILY);
    let (one, two, other) = (family.member("c1"), family.member("c2"), family.member("d1"));
    let of = |variables: &[&Variable<'_>], functions: &[&[&Variable<'_>]]| {
        let all: Vec<Function<'_>> =
            functions.iter().map(|uses| Function { uses, ..kernel(&[]) }).collect();
        lay_out_const(variables, &all.iter().collect::<Vec<_>>())
    };
    assert_eq!(of(&[&family], &[]), Some(0));
    assert_eq!(of(&[&family], &[&[&other]]), Some(0));
    assert_eq!(of(&[&family], &[&[&one]]), Some(8));
    assert_eq!(of(&[&family], &[&[&one, &two]]), Some(16));
    assert_eq!(of(&[&family], &[&[&one, &one]]), Some(8));
    assert_eq!(of(&[&family], &[&[&one], &[&one]]), Some(8));
    assert_eq!(of(&[&family], &[&[&one], &[&two, &one]]), Some(16));
    assert_eq!(of(&[&family], &[&[&two, &other, &one], &[&one], &[&two]]), Some(16));
    assert_eq!(of(&[&global], &[&[&global.member("g1")]]), Some(0));
}

#[test]
fn constants_of_the_module_come_before_those_of_the_bodies() {
    let byte = Variable::new(Space::Const, "b", BYTE);
    let long = Variable::new(Space::Const, "l", LONG);
    let visible = Variable { linkage: Linkage::Visible, ..long };
    let family = Variable::new(Space::Const, "f", &Type::Family(Extent::Known(9), LONG));
    let with = |locals: &[&Variable<'_>]| {
        let function = Function { locals, ..kernel(&[]) };
        lay_out_const(&[&byte], &[&function])
    };
    assert_eq!(lay_out_const(&[&byte, &long], &[]), Some(16));
    assert_eq!(lay_out_const(&[&byte, &visible], &[]), Some(9));
    assert_eq!(with(&[]), Some(1));
    assert_eq!(with(&[&long]), Some(16));
    assert_eq!(with(&[&byte, &byte]), Some(3));
    assert_eq!(with(&[&family]), Some(1));
    assert_eq!(with(&[&family, &byte]), Some(2));
    let (first, second) = ([&byte], [&byte, &byte]);
    let functions =
        [&Function { locals: &first, ..kernel(&[]) }, &Function { locals: &second, ..kernel(&[]) }];
    assert_eq!(lay_out_const(&[], &functions), Some(3));
}

#[test]
fn dynamic_shared_memory_has_the_largest_size_and_alignment_at_least_16() {
    let dynamic = |ty, align| Variable { align, ..shared(Linkage::Dynamic, ty) };
    let (byte, long) = (dynamic(BYTE, None), dynamic(LONG, None));
    let wide = dynamic(BYTE, Some(32));
    let fixed = shared(Linkage::Internal, LONG);
    let bytes = |uses: &[&Variable<'_>]| {
        let function = Function { uses, ..kernel(&[]) };
        (function.has_dynamic_shared(), function.dynamic_shared_bytes())
    };
    assert_eq!(bytes(&[]), (false, Some(0)));
    assert_eq!(bytes(&[&fixed]), (false, Some(0)));
    assert_eq!(bytes(&[&byte]), (true, Some(1)));
    assert_eq!(bytes(&[&fixed, &long, &byte]), (true, Some(8)));
    assert_eq!(bytes(&[&byte, &long]), (true, Some(8)));
    assert_eq!(bytes(&[&dynamic(UNCOUNTED, None), &byte]), (true, None));
    for (variables, expected) in [
        (&[][..], Some(1)),
        (&[&fixed], Some(1)),
        (&[&byte], Some(16)),
        (&[&dynamic(BYTE, Some(15))], Some(16)),
        (&[&dynamic(BYTE, Some(16))], Some(16)),
        (&[&dynamic(BYTE, Some(17))], Some(17)),
        (&[&byte, &wide, &long], Some(32)),
        (&[&wide, &byte], Some(32)),
        (&[&dynamic(&Type::Unknown, None)], None),
    ] {
        assert_eq!(dynamic_alignment(variables), expected);
    }
    let function = Function { uses: &[&fixed, &byte], ..kernel(&[]) };
    assert_eq!(function.dynamic_shared_offset(16), Some(16));
    assert_eq!(function.dynamic_shared_offset(1), Some(8));
}
