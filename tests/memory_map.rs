//! What the memory map says, and that ptxas says the same.

use expect_test::expect;
use proptest::prelude::*;
use ptx::ir::{Extent, Function, FunctionKind, Linkage, Module, Piece, Statement, Type, Variable};
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

              constant memory          34  bytes of 65,536                        alignment can add at most 6
              global memory           400  bytes
        one:  static shared memory  2,176  bytes of 49,152 (166,912 with opt-in)  alignment can add at most 134
        one:  parameters               16  bytes of 4,352                         alignment can add at most 7
        two:  static shared memory      0  bytes of 49,152 (166,912 with opt-in)
        two:  parameters                0  bytes of 4,352
    "#]].assert_eq(&kitchen::MODULE.memory_map().to_string());
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

/// What a function takes, its callers take.
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

/// ptxas counts the functions of a table that a kernel names, and, where it calls what a register
/// points to, every function that has its address taken.
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
        found.expect("the budget is there")
    };
    for ptxas in xtask::oracles() {
        let report = match ptxas.assemble(module) {
            Ok(assembled) => assembled.report,
            Err(error) => panic!("{error}\n{}", ptx::Module::new(*module)),
        };
        let text = ptx::Module::new(*module);
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
            // Dynamic shared memory starts at its alignment behind the static.
            let dynamic = function.expect("it is there").uses.iter();
            let align = dynamic.filter(|v| v.is_dynamic()).filter_map(|v| v.alignment()).max();
            assert_eq!(
                kernel.shared_bytes,
                declared.next_multiple_of(align.unwrap_or(1)),
                "{text}"
            );
        }
    }
}

#[test]
fn ptxas_counts_the_same() {
    agree(&kitchen::MODULE);
}

/// Any storage in any order: space, size, alignment, linkage.
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn ptxas_counts_any_storage_the_same(variables in storage()) {
        let all: Vec<&Variable<'_>> = variables.iter().collect();
        let shared: Vec<&Variable<'_>> =
            all.iter().copied().filter(|variable| variable.space == Space::Shared).collect();
        let texts: Vec<String> =
            shared.iter().map(|variable| format!("mov.b32 %r, {};", variable.name)).collect();
        let pieces: Vec<[Piece<'_>; 1]> = texts.iter().map(|text| [Piece::Text(text)]).collect();
        let mut body = vec![Statement::Declaration(&[Piece::Text(".reg .b32 %r;")])];
        body.extend(pieces.iter().rev().map(|piece| Statement::Instruction(piece)));
        body.push(Statement::Instruction(&[Piece::Text("ret;")]));
        let kernel = Function {
            linkage: Linkage::Visible,
            body: Some(&body),
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
