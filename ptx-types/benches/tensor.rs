//! A tensor map checked and encoded, as the driver's call does it.

#![allow(missing_docs)] // criterion's functions

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ptx_types::Target;
use ptx_types::tensor::{
    ElementType, Mode, Spec, Swizzle, Tensor, describe, encode, encode_unchecked,
};

const TILED: Spec =
    Spec { swizzle: Swizzle::B128, ..Spec::tiled(ElementType::Bf16, 2, [64, 128, 0, 0, 0]) };
const IM2COL: Spec = Spec {
    rank: 4,
    mode: Mode::Im2col {
        lower: [-1, -1, 0],
        upper: [-1, -1, 0],
        channels_per_pixel: 64,
        pixels_per_column: 128,
    },
    ..TILED
};
const DENSE: Tensor = Tensor::dense(0x7f00_0000_1000, ElementType::Bf16, [4096, 128, 64, 2, 1]);

fn tensor(criterion: &mut Criterion) {
    for (name, spec) in [("tiled", TILED), ("im2col", IM2COL)] {
        let mut group = criterion.benchmark_group(name);
        group.bench_function("check and encode", |bencher| {
            bencher.iter(|| encode(black_box(&spec), black_box(&DENSE)).is_ok());
        });
        group.bench_function("encode unchecked", |bencher| {
            bencher.iter(|| encode_unchecked(black_box(&spec), black_box(&DENSE)));
        });
        group.bench_function("check", |bencher| {
            bencher.iter(|| {
                black_box(&spec).check_tensor(black_box(&DENSE), Some(Target::Sm90a)).is_clean()
            });
        });
        if let Some(descriptor) = encode_unchecked(&spec, &DENSE) {
            group.bench_function("describe", |bencher| {
                bencher.iter(|| describe(black_box(descriptor.as_bytes())).to_string());
            });
        }
    }
}

criterion_group!(benches, tensor);
criterion_main!(benches);
