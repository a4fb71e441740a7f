//! Checks and encodes a tensor map in Rust and with the driver's call, in the same run. It needs the
//! feature `cuda`; without a GPU, the driver is not measured.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cudarc::driver::CudaContext;
use ptx::Target;
use ptx::tensor::{Spec, Tensor, encode, encode_unchecked};
use ptx_smith::maps::legal_of_call;

/// The number of random maps for each of the driver's calls.
const MAPS: usize = 1024;

/// The context of a GPU, if there is one; it has to stay alive.
fn context() -> Option<std::sync::Arc<CudaContext>> {
    ptx::cuda::driver_release()?;
    let context = ptx::cuda::context(0).ok()?;
    context.bind_to_thread().ok()?;
    Some(context)
}

fn encoding(criterion: &mut Criterion) {
    let context = context();
    if context.is_none() {
        eprintln!("NOT RUN: the driver's calls, for there is no GPU");
    }
    for (name, is_im2col, is_wide) in
        [("tiled", false, false), ("im2col", true, false), ("wide", true, true)]
    {
        let maps = legal_of_call(MAPS, is_im2col, is_wide);
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(MAPS as u64));
        let mut each = |what: &str, ask: &dyn Fn(&Spec, &Tensor) -> bool| {
            group.bench_function(what, |bencher| {
                bencher.iter(|| {
                    maps.iter().filter(|(spec, tensor)| ask(black_box(spec), tensor)).count()
                });
            });
        };
        each("check and encode", &|spec, tensor| {
            black_box(encode(spec, tensor, Target::Sm90a)).is_ok()
        });
        each("every rule, and encode", &|spec, tensor| {
            spec.check_tensor(tensor, Some(Target::Sm90a)).is_accepted()
                && black_box(encode_unchecked(spec, tensor)).is_some()
        });
        each("encode unchecked", &|spec, tensor| {
            black_box(encode_unchecked(spec, tensor)).is_some()
        });
        if context.is_some() {
            each("the driver's call", &|spec, tensor| {
                black_box(ptx::cuda::encode(spec, tensor)).is_ok()
            });
        }
    }
}

criterion_group!(benches, encoding);
criterion_main!(benches);
