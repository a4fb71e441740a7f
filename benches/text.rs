//! The speed of reading PTX text, in bytes of text: lexing, parsing into the IR, and checking every rule. The texts
//! are the compiler outputs for `tests/real`, if `tests/real/build.sh` has run.

mod corpus;

use std::hint::black_box;

use corpus::{CpuTime, bytes, corpus};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptx::Module;
use ptx::text::{Lexer, Parsed};

fn text(criterion: &mut Criterion<CpuTime>) {
    let (name, texts) = corpus();
    let mut group = criterion.benchmark_group(format!("text, {name}"));
    group.throughput(Throughput::Bytes(bytes(&texts))).sample_size(10);
    group.bench_function("pieces", |bencher| {
        bencher
            .iter(|| texts.iter().map(|text| Lexer::new(black_box(text)).count()).sum::<usize>());
    });
    group.bench_function("read", |bencher| {
        bencher.iter(|| texts.iter().map(|text| read(text).syntax().len()).sum::<usize>());
    });
    group.bench_function("read and check", |bencher| {
        bencher.iter(|| texts.iter().map(|text| read(text).check().len()).sum::<usize>());
    });
    group.finish();
}

fn read(text: &str) -> Parsed {
    Module::parse(black_box(text))
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime::new());
    targets = text
}
criterion_main!(benches);
