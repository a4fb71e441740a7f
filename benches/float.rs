//! Conversions of slices of small floats on one core, compared with other crates and with a plain copy.

#![allow(clippy::cast_possible_truncation)] // of random bits
#![allow(missing_docs)] // criterion's functions

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use half::bf16;
use half::slice::HalfFloatSliceExt;
use ptx_types::float::{
    Tiling, amax, dequantize, dequantize_blocks, quantize, quantize_blocks, quantize_nvfp4,
    quantize_rows, quantize_tiles, quantize_with,
};
use ptx_types::{Cvt, E2M1x2, E4M3, E4M3x4, E5M2, SmallFloat, Ue4m3, Ue8m0};

/// 64 MiB of finite numbers over ten powers of two.
fn numbers() -> Vec<f32> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    (0..16 << 20)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let (low, high) = ((state as u32) & 0x807f_ffff, (state >> 40) as u32 % 10 + 120);
            f32::from_bits(low | high << 23)
        })
        .collect()
}

fn group<'c>(
    criterion: &'c mut Criterion,
    name: &str,
    bytes: usize,
) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(20);
    group
}

fn e4m3(criterion: &mut Criterion) {
    let numbers = numbers();
    let bytes = size_of_val(numbers.as_slice());
    let mut ours = vec![E4M3::ZERO; numbers.len()];
    let mut packed = vec![E4M3x4::default(); numbers.len() / 4];
    let mut theirs = vec![float8::F8E4M3::from_bits(0); numbers.len()];
    let mut back = vec![0.0; numbers.len()];
    let mut group_ = group(criterion, "f32 to e4m3", bytes);
    group_.bench_function("ptx, slice", |b| b.iter(|| quantize(black_box(&numbers), &mut ours)));
    group_.bench_function("ptx, slice, x4", |b| {
        b.iter(|| quantize(black_box(&numbers), &mut packed));
    });
    group_.bench_function("ptx, one by one", |b| {
        b.iter(|| {
            for (to, x) in ours.iter_mut().zip(black_box(&numbers)) {
                *to = E4M3::from_f32(*x);
            }
        });
    });
    group_.bench_function("float8", |b| {
        b.iter(|| {
            for (to, x) in theirs.iter_mut().zip(black_box(&numbers)) {
                *to = float8::F8E4M3::from_f32(*x);
            }
        });
    });
    group_.finish();
    let mut group_ = group(criterion, "e4m3 to f32", bytes);
    group_.bench_function("ptx, slice", |b| b.iter(|| dequantize(black_box(&ours), &mut back)));
    group_.bench_function("ptx, one by one", |b| {
        b.iter(|| {
            for (to, x) in back.iter_mut().zip(black_box(&ours)) {
                *to = x.to_f32();
            }
        });
    });
    group_.bench_function("float8", |b| {
        b.iter(|| {
            for (to, x) in back.iter_mut().zip(black_box(&theirs)) {
                *to = x.to_f32();
            }
        });
    });
    group_.finish();
}

fn bf16_slices(criterion: &mut Criterion) {
    let numbers = numbers();
    let bytes = size_of_val(numbers.as_slice());
    let mut halves = vec![bf16::ZERO; numbers.len()];
    let mut copy = vec![0.0_f32; numbers.len()];
    let mut group_ = group(criterion, "f32 to bf16", bytes);
    group_.bench_function("ptx, slice", |b| b.iter(|| quantize(black_box(&numbers), &mut halves)));
    group_.bench_function("half, slice", |b| {
        b.iter(|| halves.convert_from_f32_slice(black_box(&numbers)));
    });
    group_.bench_function("ptx, one by one", |b| {
        b.iter(|| {
            for (to, x) in halves.iter_mut().zip(black_box(&numbers)) {
                *to = bf16::convert(*x, Cvt::RN);
            }
        });
    });
    group_.bench_function("half, one by one", |b| {
        b.iter(|| {
            for (to, x) in halves.iter_mut().zip(black_box(&numbers)) {
                *to = bf16::from_f32(*x);
            }
        });
    });
    group_.bench_function("memcpy", |b| b.iter(|| copy.copy_from_slice(black_box(&numbers))));
    group_.finish();
    let mut group_ = group(criterion, "bf16 to f32", bytes);
    group_.bench_function("ptx, slice", |b| b.iter(|| dequantize(black_box(&halves), &mut copy)));
    group_.bench_function("half, slice", |b| {
        b.iter(|| black_box(&halves).convert_to_f32_slice(&mut copy));
    });
    group_.finish();
}

fn blocks(criterion: &mut Criterion) {
    let numbers = numbers();
    let bytes = size_of_val(numbers.as_slice());
    let mut elements = vec![E2M1x2::default(); numbers.len() / 2];
    let mut scales = vec![Ue8m0::ONE; numbers.len() / 32];
    let mut group_ = group(criterion, "f32 to e2m1 with scales", bytes);
    group_.bench_function("ptx, blocks of 32", |b| {
        b.iter(|| quantize_blocks::<_, _, 32>(black_box(&numbers), &mut elements, &mut scales));
    });
    group_.bench_function("float4", |b| {
        b.iter(|| {
            for block in black_box(&numbers).chunks_exact(32) {
                let scale = float4::E8M0::from_f32_slice(block);
                let divisor = scale.to_f64();
                let mut converted = [float4::F4E2M1::from_bits(0); 32];
                for (to, x) in converted.iter_mut().zip(block) {
                    *to = float4::F4E2M1::from_f64(f64::from(*x) / divisor);
                }
                black_box(float4::MXFP4Block::from_f32_slice(converted, scale));
            }
        });
    });
    group_.finish();
    let mut back = vec![0.0; numbers.len()];
    let mut group_ = group(criterion, "e2m1 with scales to f32", bytes);
    group_.bench_function("ptx, blocks of 32", |b| {
        b.iter(|| dequantize_blocks::<_, _, 32>(black_box(&elements), &scales, &mut back));
    });
    group_.finish();
}

/// Every granularity of scales, compared with no scale and with a temporary of the scaled numbers.
fn scales(criterion: &mut Criterion) {
    const COLUMNS: usize = 4096;
    let numbers = numbers();
    let rows = numbers.len() / COLUMNS;
    let bytes = size_of_val(numbers.as_slice());
    let mut elements = vec![E4M3::ZERO; numbers.len()];
    let mut temporary = vec![0.0_f32; numbers.len()];
    let mut group_ = group(criterion, "f32 to e4m3 with scales", bytes);
    group_.bench_function("none", |b| b.iter(|| quantize(black_box(&numbers), &mut elements)));
    group_.bench_function("of rows, by a temporary", |b| {
        b.iter(|| {
            for (from, to) in black_box(&numbers).chunks(COLUMNS).zip(temporary.chunks_mut(COLUMNS))
            {
                let scale = amax(from) / 448.0;
                for (to, x) in to.iter_mut().zip(from) {
                    *to = x / scale;
                }
            }
            quantize(&temporary, &mut elements)
        });
    });
    let mut of_rows = vec![0.0_f32; rows];
    group_.bench_function("of rows", |b| {
        b.iter(|| quantize_rows(black_box(&numbers), COLUMNS, &mut elements, &mut of_rows));
    });
    group_.bench_function("of the tensor", |b| {
        b.iter(|| {
            quantize_rows(black_box(&numbers), numbers.len(), &mut elements, &mut of_rows[..1])
        });
    });
    for tile in [[1, 128], [128, 128], [1, 32], [32, 1]] {
        let tiling = Tiling::new([rows, COLUMNS], tile);
        let [scale_rows, scale_columns] = tiling.scales();
        let mut scales = vec![0.0_f32; scale_rows * scale_columns];
        group_.bench_function(format!("of tiles of {} x {}", tile[0], tile[1]), |b| {
            b.iter(|| quantize_tiles(black_box(&numbers), &tiling, &mut elements, &mut scales));
        });
    }
    let halves: Vec<bf16> = numbers.iter().map(|x| bf16::from_f32(*x)).collect();
    let tiling = Tiling::new([rows, COLUMNS], [1, 128]);
    let mut of_tiles = vec![0.0_f32; numbers.len() / 128];
    group_.bench_function("of tiles of 1 x 128, of bf16", |b| {
        b.iter(|| quantize_tiles(black_box(&halves), &tiling, &mut elements, &mut of_tiles));
    });
    #[cfg(feature = "rayon")]
    group_.bench_function("of tiles of 1 x 128, all cores", |b| {
        b.iter(|| {
            ptx_types::float::parallel::quantize_tiles(
                black_box(&numbers),
                &tiling,
                &mut elements,
                &mut of_tiles,
            )
        });
    });
    group_.finish();
    let mut group_ = group(criterion, "f32 to e2m1 with two scales", bytes);
    let mut elements = vec![E2M1x2::default(); numbers.len() / 2];
    let mut scales = vec![Ue4m3::ZERO; numbers.len() / 16];
    group_.bench_function("nvfp4", |b| {
        b.iter(|| quantize_nvfp4(black_box(&numbers), &mut elements, &mut scales));
    });
    group_.finish();
}

fn roundings(criterion: &mut Criterion) {
    let numbers = numbers();
    let bytes = size_of_val(numbers.as_slice());
    let mut to = vec![E5M2::ZERO; numbers.len()];
    let mut group_ = group(criterion, "f32 to e5m2 by rounding", bytes);
    let random = Cvt::rs(0x1234, 16);
    for (name, cvt) in
        [("rn", Cvt::RN), ("rz", Cvt::RZ), ("rp", Cvt::RP), ("rm", Cvt::RM), ("rs", random)]
    {
        group_.bench_function(name, |b| {
            b.iter(|| quantize_with(black_box(&numbers), &mut to, cvt));
        });
    }
    group_.finish();
}

criterion_group!(benches, e4m3, bf16_slices, blocks, scales, roundings);
criterion_main!(benches);
