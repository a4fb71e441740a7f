//! How fast text is written, in bytes of text: 1,000 and 100,000 declarations, and values of 1 MiB.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptx::ir::{Extent, Init, Linkage, Module, Type, Variable};
use ptx::{ScalarType, Space, Target};

const F32: &Type<'_> = &Type::Scalar(ScalarType::F32);
const U8: &Type<'_> = &Type::Scalar(ScalarType::U8);
const U32: &Type<'_> = &Type::Scalar(ScalarType::U32);

/// Declarations of the usual kinds, each fourth with a short value.
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

fn benches(criterion: &mut Criterion) {
    for count in [1_000, 100_000] {
        let names: Vec<String> = (0..count).map(|i| format!("VARIABLE_{i}")).collect();
        emit(criterion, &format!("{count} declarations"), &declarations(&names));
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
