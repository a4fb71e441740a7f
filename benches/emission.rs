//! The speed of writing text, in bytes of text: 1,000 and 100,000 declarations, and values of 1 MiB; and the
//! time that memory maps take, of up to 4,000 kernels.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptx::ir::{Extent, Function, FunctionKind, Init, Linkage, Module, Param, Type, Variable};
use ptx::{ScalarType, Space, Target};

const F32: &Type<'_> = &Type::Scalar(ScalarType::F32);
const U8: &Type<'_> = &Type::Scalar(ScalarType::U8);
const U32: &Type<'_> = &Type::Scalar(ScalarType::U32);

/// Declarations of the usual kinds, every fourth with a short value.
fn declarations(names: &[String]) -> Vec<Variable<'_>> {
    const TYPES: [&Type<'_>; 4] = [
        U32,
        &Type::Array(Extent::Known(64), &Type::Vector(4, ScalarType::F32)),
        &Type::Array(
            Extent::Known(3),
            &Type::Array(Extent::Known(4), &Type::Scalar(ScalarType::S16)),
        ),
        &Type::Array(Extent::Known(4), F32),
    ];
    names
        .iter()
        .enumerate()
        .map(|(i, name)| Variable {
            linkage: if i % 2 == 0 { Linkage::Visible } else { Linkage::Internal },
            align: (i % 3 == 0).then_some(16),
            init: if i % 4 == 3 {
                Init::Bytes(&[0, 0, 0, 63, 0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64])
            } else {
                Init::None
            },
            ..Variable::new(Space::Global, name, TYPES[i % 4])
        })
        .collect()
}

fn emit(criterion: &mut Criterion, name: &str, variables: &[Variable<'_>]) {
    let variables: Vec<&Variable<'_>> = variables.iter().collect();
    let module = Module { variables: &variables, ..Module::new("m", Target::Sm90a) };
    let mut text = String::new();
    let _ = write!(text, "{}", ptx::Module::new(module));
    let mut group = criterion.benchmark_group("emission");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            text.clear();
            let _ = ptx::emit::write(black_box(&module), &mut text);
            black_box(text.len())
        });
    });
}

/// The memory map of a module of kernels, each with parameters, static and dynamic shared memory of its own,
/// and a table of constants that they all name.
fn memory_map(criterion: &mut Criterion, count: usize) {
    const TILE: &Type<'_> = &Type::Array(Extent::Known(64), F32);
    let names = |prefix: &str| (0..count).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let [kernels, fixed, dynamic] = ["kernel", "FIXED", "DYNAMIC"].map(names);
    let table = Variable::new(Space::Const, "TABLE", TILE);
    let of_launch = Type::Array(Extent::Incomplete, F32);
    let variables: Vec<[Variable<'_>; 2]> = (fixed.iter().zip(&dynamic))
        .map(|(fixed, dynamic)| {
            let dynamic = Variable::new(Space::Shared, dynamic, &of_launch);
            [
                Variable::new(Space::Shared, fixed, TILE),
                Variable { linkage: Linkage::Extern, align: Some(16), ..dynamic },
            ]
        })
        .collect();
    let uses: Vec<[&Variable<'_>; 3]> =
        variables.iter().map(|[fixed, dynamic]| [&table, fixed, dynamic]).collect();
    let params = [Param::new("n", U32), Param::new("factor", F32)];
    let functions: Vec<Function<'_>> = (kernels.iter().zip(&uses))
        .map(|(name, uses)| Function {
            params: &params,
            uses,
            ..Function::new(FunctionKind::Kernel, name)
        })
        .collect();
    let functions: Vec<&Function<'_>> = functions.iter().collect();
    let variables: Vec<&Variable<'_>> =
        [&table].into_iter().chain(variables.as_flattened()).collect();
    let module = ptx::Module::new(Module {
        variables: &variables,
        functions: &functions,
        ..Module::new("m", Target::Sm90a)
    });
    criterion.benchmark_group("memory map").bench_function(format!("{count} kernels"), |bencher| {
        bencher.iter(|| black_box(&module).memory_map());
    });
}

fn benches(criterion: &mut Criterion) {
    for count in [1_000, 100_000] {
        let names: Vec<String> = (0..count).map(|i| format!("VARIABLE_{i}")).collect();
        emit(criterion, &format!("{count} declarations"), &declarations(&names));
    }
    for count in [500, 1_000, 2_000, 4_000] {
        memory_map(criterion, count);
    }
    let mut state = 1_u64;
    let bytes: Vec<u8> = (0..1 << 20)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state.to_be_bytes()[0]
        })
        .collect();
    for (name, ty, scalar) in
        [("1 MiB of f32", F32, 4), ("1 MiB of u8", U8, 1), ("1 MiB of u32", U32, 4)]
    {
        let ty = Type::Array(Extent::Known(bytes.len() / scalar), ty);
        let init = Init::Bytes(&bytes);
        emit(criterion, name, &[Variable { init, ..Variable::new(Space::Global, "TABLE", &ty) }]);
    }
}

criterion_group!(emission, benches);
criterion_main!(emission);
