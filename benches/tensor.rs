//! Checking and encoding of a tensor map, as the driver's function does.

#![allow(missing_docs)] // criterion's functions

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ptx_types::Target;
use ptx_types::tensor::model::{Operands, load, store};
use ptx_types::tensor::{
    ElementType, Mode, Spec, Swizzle, Tensor, describe, encode, encode_unchecked,
};

const TILED: Spec = Spec {
    swizzle: Swizzle::B128,
    ..Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 128, 0, 0, 0])
};
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
            bencher.iter(|| encode(black_box(&spec), black_box(&DENSE), Target::Sm90a).is_ok());
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

/// Copies of tiles of 16 KiB in the model, on one core.
fn model(criterion: &mut Criterion) {
    let matrix = vec![7_u8; 128 * 8192];
    let tensor = Tensor::dense(0, ElementType::Bf16, [64, 8192, 1, 1, 1]);
    let mut group = criterion.benchmark_group("model");
    group.throughput(Throughput::Bytes(TILED.tile_bytes() as u64));
    for swizzle in [Swizzle::B128, Swizzle::None] {
        let spec = Spec { swizzle, ..TILED };
        let (mut tile, mut other) = (vec![0; spec.tile_bytes()], matrix.clone());
        let operands = Operands::new(&[0, 1024]);
        group.bench_function(format!("load, swizzle {}", swizzle.name()), |bencher| {
            bencher.iter(|| {
                let (matrix, tile) = (black_box(&matrix), black_box(&mut tile));
                load(&spec, &tensor, black_box(&operands), matrix, tile, 0x400).is_ok()
            });
        });
        group.bench_function(format!("store, swizzle {}", swizzle.name()), |bencher| {
            bencher.iter(|| {
                let (matrix, tile) = (black_box(&mut other), black_box(&tile));
                store(&spec, &tensor, black_box(&operands), matrix, tile, 0x400).is_ok()
            });
        });
    }
}

criterion_group!(benches, tensor, model);
criterion_main!(benches);
