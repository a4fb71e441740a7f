//! The speed of reading PTX text with `ptx` and with `ptx-syntax`, for the files that both can read.

#[path = "../corpus/mod.rs"]
mod corpus;

use std::hint::black_box;

use corpus::{CpuTime, bytes, corpus};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptx::Module;

fn text(criterion: &mut Criterion<CpuTime>) {
    let (name, texts) = corpus();
    let all = texts.len();
    let texts: Vec<String> =
        texts.into_iter().filter(|text| ptx_syntax::parse_ptx(text).is_ok()).collect();
    println!("ptx-syntax reads {} of {all} files", texts.len());
    let mut group = criterion.benchmark_group(format!("text, {name}"));
    group.throughput(Throughput::Bytes(bytes(&texts))).sample_size(10);
    group.bench_function("ptx, read", |bencher| {
        let read = |text: &String| Module::parse(black_box(text.as_str())).syntax().len();
        bencher.iter(|| texts.iter().map(read).sum::<usize>());
    });
    group.bench_function("ptx, read and check", |bencher| {
        let judge = |text: &String| Module::parse(black_box(text.as_str())).check().len();
        bencher.iter(|| texts.iter().map(judge).sum::<usize>());
    });
    group.bench_function("ptx-syntax, read", |bencher| {
        let read = |text: &String| ptx_syntax::parse_ptx(black_box(text)).is_ok();
        bencher.iter(|| texts.iter().filter(|text| read(text)).count());
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime::new());
    targets = text
}
criterion_main!(benches);
