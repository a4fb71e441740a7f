//! The memory map, and that ptxas reports the same sizes.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use expect_test::expect;
use proptest::prelude::*;
use ptx::ir::{Body, Extent, Function, FunctionKind, Linkage, Module, Type, Variable};
use ptx::prelude::*;
use ptx::{ScalarType, Space, Target};

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Stage {
    tile: [V4<f32>; 64],
    full: u64,
    empty: u64,
}

#[ptx::module(target = sm_80)]
mod kitchen {
    use super::*;

    #[constant]
    static FLAG: u8 = 1;
    #[constant]
    pub static TABLE: [[f32; 3]; 2] = [[1.0; 3]; 2];
    #[global(align = 256)]
    pub static BUFFER: [V2<u16>; 100];
    #[shared]
    static SMALL: [u8; 3];
    #[shared(align = 128)]
    static TILE: [[bf16; 64]; 16];
    #[shared(dynamic)]
    static STAGES: [Stage];

    #[kernel]
    pub fn one(n: u8, p: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %r<2>;
            .shared .b64 own;
            .const .align 4 .u8 table[6] = {1, 2};
            mov.b32 %r0, SMALL;
            mov.b32 %r1, TILE;
            mov.b32 %r1, own;
            ret;
        }
    }

    #[kernel]
    pub fn two() {
        ptx! {
            .reg .b32 %r<2>;
            mov.b32 %r0, STAGES;
            ret;
        }
    }
}

#[test]
fn the_map_is_a_table() {
    expect![[r#"
        name        space    type      extents    bytes  align  linkage
        FLAG        .const   .u8                      1      1
        TABLE       .const   .f32      [2][3]        24      4  .visible
        BUFFER      .global  .v2 .u16  [100]        400    256  .visible
        SMALL       .shared  .u8       [3]            3      1
        TILE        .shared  .bf16     [16][64]   2,048    128
        STAGES      .shared  Stage     []        launch     16  .extern
        one: own    .shared  .b64                     8      8
        one: table  .const   .u8       [6]            6      4

              constant memory            34  bytes of 65,536                        alignment can add at most 6
              global memory             400  bytes
        one:  static shared memory    2,176  bytes of 49,152 (166,912 with opt-in)  alignment can add at most 134
        one:  parameters                 16  bytes of 4,352                         alignment can add at most 7
        two:  static shared memory        0  bytes of 49,152 (166,912 with opt-in)
        two:  dynamic shared memory  launch  bytes of 166,912                       more than 49,152 needs the opt-in CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        two:  parameters                  0  bytes of 4,352
    "#]].assert_eq(&kitchen::MODULE.memory_map().to_string());
}

#[ptx::module(target = sm_80)]
mod dynamic {
    #[shared]
    static HEAD: [u8; 100];
    #[shared(dynamic)]
    pub static LARGE: [[f32; 4_096]; 4];
    #[shared(dynamic, align = 128)]
    static SMALL: [u8; 1_000];
    #[shared(dynamic)]
    static SLICE: [u16];

    #[device]
    fn takes_large() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, LARGE;
            ret;
        }
    }

    #[kernel]
    pub fn none() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, HEAD;
            ret;
        }
    }

    #[kernel]
    pub fn small() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, SMALL;
            mov.b32 %r, HEAD;
            ret;
        }
    }

    /// Both start at the same address.
    #[kernel]
    pub fn both() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, SMALL;
            mov.b32 %r, HEAD;
            call takes_large;
            ret;
        }
    }

    #[kernel]
    pub fn slice() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, SMALL;
            mov.b32 %r, SLICE;
            ret;
        }
    }
}

/// A launch requests the size of the largest variable, unless the launch determines it.
#[test]
fn a_launch_asks_for_the_largest_dynamic_variable() {
    const SMALL: Option<usize> = dynamic::small().dynamic_shared_bytes();
    assert_eq!(dynamic::none().dynamic_shared_bytes(), Some(0));
    assert_eq!(SMALL, Some(1_000));
    assert_eq!(dynamic::both().dynamic_shared_bytes(), Some(dynamic::LARGE.bytes()));
    assert_eq!(dynamic::slice().dynamic_shared_bytes(), None);
    agree(&dynamic::MODULE);
}

/// Dynamic shared memory starts after the static part, at the dynamic variables' alignment.
#[test]
fn dynamic_shared_memory_is_shown_where_it_is_used() {
    expect![[r#"
        name   space    type  extents     bytes  align  linkage
        HEAD   .shared  .u8   [100]         100      1
        LARGE  .shared  .f32  [4][4096]  65,536      4  .extern
        SMALL  .shared  .u8   [1000]      1,000    128  .extern
        SLICE  .shared  .u16  []         launch      2  .extern

                constant memory             0  bytes of 65,536
                global memory               0  bytes
        none:   static shared memory      100  bytes of 49,152 (166,912 with opt-in)
        none:   parameters                  0  bytes of 4,352
        small:  static shared memory      100  bytes of 49,152 (166,912 with opt-in)
        small:  dynamic shared memory   1,000  bytes of 166,784
        small:  parameters                  0  bytes of 4,352
        both:   static shared memory      100  bytes of 49,152 (166,912 with opt-in)
        both:   dynamic shared memory  65,536  bytes of 166,784                       needs the opt-in CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        both:   parameters                  0  bytes of 4,352
        slice:  static shared memory        0  bytes of 49,152 (166,912 with opt-in)
        slice:  dynamic shared memory  launch  bytes of 166,912                       more than 49,152 needs the opt-in CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        slice:  parameters                  0  bytes of 4,352
    "#]].assert_eq(&dynamic::MODULE.memory_map().to_string());
}

#[ptx::module(target = sm_80)]
mod callers {
    #[shared]
    static OF_ALL: [f64; 3];
    #[shared]
    static OF_INNER: [u8; 5];
    #[shared]
    pub static SEEN: [u16; 1];
    #[shared]
    static NEVER: [f64; 100];

    #[device]
    fn outer() {
        ptx! {
            .reg .b32 %r;
            .shared .align 32 .b8 mine[32];
            mov.b32 %r, mine;
            call inner;
            ret;
        }
    }

    #[device]
    fn inner() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, OF_INNER;
            ret;
        }
    }

    #[kernel]
    pub fn calls() {
        ptx! {
            .reg .b32 %r;
            .shared .b8 first[1];
            .shared .b16 unused;
            mov.b32 %r, first;
            mov.b32 %r, OF_ALL;
            mov.b32 %r, SEEN;
            call outer;
            ret;
        }
    }

    #[kernel]
    pub fn calls_nothing() {
        ptx! { ret; }
    }
}

/// The memory that a function uses counts for its callers.
#[test]
fn a_kernel_takes_what_the_functions_it_calls_take() {
    agree(&callers::MODULE);
    assert_eq!(callers::calls().static_shared_bytes(), 98);
    assert_eq!(callers::calls_nothing().static_shared_bytes(), 0);
}

#[ptx::module(target = sm_80)]
mod tables {

    #[shared]
    static A: [u8; 4_000];
    #[shared]
    static B: [u8; 5_000];
    #[constant]
    static TABLE: [u64; 1] = [addr(named)];
    #[constant]
    static OF_TABLES: u64 = generic(TABLE);

    #[device]
    fn named() {
        ptx! {
            .reg .b32 %r;
            mov.b32 %r, B;
            st.shared.b8 [%r], 1;
            ret;
        }
    }

    #[kernel]
    pub fn through_a_table() {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %rd;
            mov.b32 %r, A;
            st.shared.b8 [%r], 1;
            ld.const.u64 %rd, [TABLE];
            st.global.u64 [%rd], %rd;
            ret;
        }
    }

    #[kernel]
    pub fn through_a_table_of_tables() {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %rd;
            mov.b32 %r, A;
            st.shared.b8 [%r], 1;
            ld.const.u64 %rd, [OF_TABLES];
            st.global.u64 [%rd], %rd;
            ret;
        }
    }

    #[kernel]
    pub fn through_anything(function: u64) {
        ptx! {
            .reg .b64 %rd;
            ld.param.u64 %rd, [function];
            nothing: .callprototype _ ();
            call %rd, nothing;
            ret;
        }
    }

    #[kernel]
    pub fn through_nothing() {
        ptx! { ret; }
    }
}

/// ptxas counts the functions in a table that a kernel names, and, if the kernel calls through a register,
/// every function whose address is taken.
#[test]
fn a_kernel_takes_what_functions_in_tables_take() {
    agree(&tables::MODULE);
    assert_eq!(tables::through_a_table().static_shared_bytes(), 9_000);
    assert_eq!(tables::through_a_table_of_tables().static_shared_bytes(), 4_000);
    assert_eq!(tables::through_anything().static_shared_bytes(), 5_000);
    assert_eq!(tables::through_nothing().static_shared_bytes(), 0);
}

/// Checks the totals of a module against the report of each ptxas.
fn agree(module: &Module<'_>) {
    let map = ptx::MemoryMap::of(module);
    let total = |what: &str, kernel: Option<&str>| {
        let found = map.budgets.iter().find(|b| b.what == what && b.kernel == kernel);
        found.expect("the total is listed")
    };
    for ptxas in xtask::oracles() {
        let report = match ptxas.assemble(module) {
            Ok(assembled) => assembled.report,
            Err(error) => panic!("{error}\n{}", ptx::Module::new(*module)),
        };
        let text = ptx::Module::new(*module);
        assert_eq!(report.const_bytes, end(&map.constants), "{text}");
        assert_eq!(
            report.const_bytes,
            total("constant memory", None).bytes.expect("known"),
            "{text}"
        );
        let global = total("global memory", None);
        let bytes = global.bytes.expect("known");
        let range = bytes..=bytes + global.padding;
        assert!(range.contains(&report.global_bytes), "{} in\n{text}", report.global_bytes);
        for kernel in &report.kernels {
            let declared = total("static shared memory", Some(&kernel.name)).bytes.expect("known");
            let function = module.functions.iter().find(|f| f.name == kernel.name);
            let function = function.expect("the function is listed");
            assert_eq!(Some(declared), function.static_shared_bytes());
            let placed = map.kernels.iter().find(|placed| placed.name == kernel.name);
            let placed = placed.expect("the variable is listed");
            assert_eq!(end(&placed.shared), declared, "{} in\n{text}", kernel.name);
            let parameters = total("parameters", Some(&kernel.name));
            assert_eq!(Some(end(&placed.parameters)), parameters.bytes);
            assert_eq!(parameters.counted.or(parameters.bytes), function.param_bytes());
            // ptxas counts up to the start of dynamic shared memory.
            let end = module.dynamic_shared_offset(function);
            assert_eq!(Some(kernel.shared_bytes), end, "{} in\n{text}", kernel.name);
        }
    }
}

/// The end of the last of them; asserts that they do not overlap.
fn end(placed: &[ptx::emit::Placed<'_>]) -> usize {
    placed.iter().fold(0, |end, placed| {
        let offset = placed.offset.expect("known");
        assert!(offset >= end, "{placed:?}");
        offset + placed.variable.bytes.expect("known")
    })
}

/// The offset of every variable.
#[test]
fn the_places_are_a_table() {
    expect![[r#"
              space    offset   bytes  align  name    type
              .const        0      24      4  TABLE   .f32 [2][3]
              .const       24       1      1  FLAG    .u8
              .const       28       6      4  table   .u8 [6]
        one:  .param        0       1      1  n       .u8
        one:  .param        8       8      8  p       .u64 to .global, .align 4
        one:  .shared       0       8      8  own     .b64
        one:  .shared       8       3      1  SMALL   .u8 [3]
        one:  .shared     128   2,048    128  TILE    .bf16 [16][64]
        two:  .shared       0  launch     16  STAGES  Stage []
    "#]]
    .assert_eq(&kitchen::MODULE.memory_map().places().to_string());
}

#[test]
fn ptxas_counts_the_same() {
    agree(&kitchen::MODULE);
}

/// Random variables in any order: space, size, alignment, linkage. Many of each, and nothing else that a map shows: the
/// declarations of ptx-smith are one to three, in all forms.
fn storage() -> impl Strategy<Value = Vec<Variable<'static>>> {
    const ELEMENTS: &[Type<'static>] = &[
        Type::Scalar(ScalarType::U8),
        Type::Scalar(ScalarType::U16),
        Type::Scalar(ScalarType::F32),
        Type::Scalar(ScalarType::U64),
        Type::Vector(4, ScalarType::F32),
    ];
    let variable = (
        prop::sample::select(vec![Space::Const, Space::Global, Space::Shared]),
        prop::sample::select(ELEMENTS),
        1..40_usize,
        0..4_u32,
        any::<bool>(),
    );
    prop::collection::vec(variable, 1..16).prop_map(|variables| {
        let mut named = Vec::new();
        for (i, (space, element, count, over, visible)) in variables.into_iter().enumerate() {
            let align = element.align().expect("known") << over;
            let ty = Type::Array(Extent::Known(count), Box::leak(Box::new(element)));
            named.push(Variable {
                linkage: if visible { Linkage::Visible } else { Linkage::Internal },
                align: (over > 0).then_some(align),
                ..Variable::new(space, format!("v{i}").leak(), Box::leak(Box::new(ty)))
            });
        }
        named
    })
}

/// Bytes whose number the launch determines.
const BYTES: &Type<'_> = &Type::Array(Extent::Incomplete, &Type::Scalar(ScalarType::U8));

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn ptxas_counts_any_storage_the_same(
        variables in storage(),
        aligns in prop::collection::vec(0..9_u32, 0..3),
        names_dynamic in any::<bool>(),
    ) {
        let dynamic: Vec<Variable<'_>> = aligns
            .into_iter()
            .enumerate()
            .map(|(i, align)| Variable {
                linkage: Linkage::Dynamic,
                align: Some(1 << align),
                ..Variable::new(Space::Shared, format!("d{i}").leak(), BYTES)
            })
            .collect();
        let all: Vec<&Variable<'_>> = variables.iter().chain(&dynamic).collect();
        let shared: Vec<&Variable<'_>> =
            all.iter().copied().filter(|variable| variable.space == Space::Shared)
                .filter(|variable| names_dynamic || !variable.is_dynamic()).collect();
        let texts: Vec<String> =
            shared.iter().map(|variable| format!("mov.b32 %r, {};", variable.name)).collect();
        let mut body = vec![".reg .b32 %r;"];
        body.extend(texts.iter().rev().map(String::as_str));
        body.push("ret;");
        let body = body.join("\n");
        let kernel = Function {
            linkage: Linkage::Visible,
            body: Some(Body::verbatim(&body)),
            uses: &shared,
            ..Function::new(FunctionKind::Kernel, "k")
        };
        agree(&Module {
            variables: &all,
            functions: &[&kernel],
            ..Module::new("m", Target::Sm80)
        });
    }
}
