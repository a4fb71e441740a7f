//! Every `f32` through the instruction `cvt`, compared with the conversions of the host. Needs the feature
//! `cuda` and a driver.
//!
//! Tests one of 64 parts of the inputs; `PTX_CVT_PART=1` tests all of them:
//! `PTX_CVT_PART=1 cargo test --release --features cuda --test gpu_cvt -- --nocapture`.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(unused_variables)] // kernels that are only launched
#![allow(unreachable_pub)] // it is `.visible` in PTX

mod device;

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use device::gpu;
use ptx::Cvt;
use ptx::float::Format;
use ptx::prelude::*;

const THREADS: u32 = 256;

/// Bits that are unrelated to those of the other operand.
fn other(bits: u32) -> u32 {
    bits.wrapping_mul(0x9E37_79B1) ^ 0x5bd1_e995
}

/// The host's conversion of a number's bits.
type Right = fn(u32) -> u32;

/// Converts consecutive inputs from a base, one for each result.
type Convert = Box<dyn Fn(&CudaStream, &mut CudaSlice<u32>, u32) -> Result<(), Box<dyn Error>>>;

/// A loaded kernel, or the error.
type ConvertResult = Result<Convert, Box<dyn Error>>;

/// A conversion on the GPU, and the expected result.
struct Form {
    name: &'static str,
    load: fn(&Arc<CudaContext>) -> ConvertResult,
    right: Right,
}

/// One module for each form: its kernel converts as many inputs as there are threads, from `base` on.
macro_rules! forms {
    ($($name:ident: [$($cvt:tt)*] $kind:ident, |$x:ident| $right:expr;)*) => {
        $(kernel!($name, $kind, [$($cvt)*]);)*

        const FORMS: &[Form] = &[$(Form {
            name: stringify!($($cvt)*),
            load: |context| {
                let module = ptx::cuda::load::<$name::Loaded>(context)?;
                Ok(Box::new(move |stream, results, base| {
                    let launch = module.convert().grid(blocks(results)).block(THREADS);
                    // SAFETY: there is room for the result of each thread.
                    Ok(unsafe { launch.launch(stream, (results, base)) }?)
                }))
            },
            right: |$x| $right,
        }),*];
    };
}

macro_rules! kernel {
    // One `.f32` to 16 bits.
    ($name:ident, narrow, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            .reg .b16 %h;
            mov.b32 %x, %input;
            $($cvt)* %h, %x;
            cvt.u32.u16 %result, %h;
        });
    };
    // One `.f32` to 32 bits.
    ($name:ident, wide, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            mov.b32 %x, %input;
            $($cvt)* %result, %x;
        });
    };
    // Two `.f32` to 32 bits.
    ($name:ident, pair, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            mov.b32 %x, %input;
            mul.lo.u32 %other, %input, 0x9E3779B1;
            xor.b32 %other, %other, 0x5bd1e995;
            mov.b32 %y, %other;
            $($cvt)* %result, %x, %y;
        });
    };
    // Two `.f32` to 16 bits.
    ($name:ident, narrow_pair, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            .reg .b16 %h;
            mov.b32 %x, %input;
            mul.lo.u32 %other, %input, 0x9E3779B1;
            xor.b32 %other, %other, 0x5bd1e995;
            mov.b32 %y, %other;
            $($cvt)* %h, %x, %y;
            cvt.u32.u16 %result, %h;
        });
    };
    // 32 bits to 16.
    ($name:ident, packed, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            .reg .b16 %h;
            $($cvt)* %h, %input;
            cvt.u32.u16 %result, %h;
        });
    };
    // The lower 16 bits to 32.
    ($name:ident, unpacked, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            .reg .b16 %h;
            cvt.u16.u32 %h, %input;
            $($cvt)* %result, %h;
        });
    };
    // The lower 16 bits to an `.f32`.
    ($name:ident, single, [$($cvt:tt)*]) => {
        kernel!(@ $name, {
            .reg .b16 %h;
            cvt.u16.u32 %h, %input;
            $($cvt)* %x, %h;
            mov.b32 %result, %x;
        });
    };
    (@ $name:ident, { $($body:tt)* }) => {
        #[ptx::module(target = sm_90, version = 8.1)]
        mod $name {
            use super::*;

            #[kernel(maxntid = THREADS)]
            pub fn convert(results: Ptr<Global, u32>, base: u32) {
                ptx! {
                    .reg .b32 %input, %other, %result, %block, %thread;
                    .reg .b64 %to, %at;
                    .reg .f32 %x, %y;
                    mov.u32 %block, %ctaid.x;
                    mov.u32 %thread, %tid.x;
                    mad.lo.u32 %thread, %block, #(THREADS), %thread;
                    ld.param.u32 %input, [base];
                    add.u32 %input, %input, %thread;
                    $($body)*
                    ld.param.u64 %to, [results];
                    mul.wide.u32 %at, %thread, 4;
                    add.u64 %at, %to, %at;
                    st.global.u32 [%at], %result;
                    ret;
                }
            }
        }
    };
}

/// The number of blocks that convert one input for each result.
fn blocks(results: &CudaSlice<u32>) -> u32 {
    u32::try_from(results.len()).expect("a chunk") / THREADS
}

fn of(format: &Format, bits: u32, cvt: Cvt) -> u32 {
    format.encode_f32(f32::from_bits(bits), cvt)
}

/// Two converted numbers: that of the first operand is in the upper half.
fn two(format: &Format, bits: u32, cvt: Cvt) -> u32 {
    of(format, bits, cvt) << format.bits | of(format, other(bits), cvt)
}

/// The numbers of two halves; the upper one goes to the upper half.
fn halves(to: &Format, from: &Format, bits: u32, cvt: Cvt) -> u32 {
    let mask = (1 << from.bits) - 1;
    let of = |code| to.encode_from(from, code & mask, cvt);
    of(bits >> from.bits) << to.bits | of(bits)
}

const RN: Cvt = Cvt::RN;
const RZ: Cvt = Cvt::RZ;
const RNA: Cvt = Cvt::RNA;

forms! {
    f16_rn: [cvt.rn.f16.f32] narrow, |x| of(&Format::F16, x, RN);
    f16_rz: [cvt.rz.f16.f32] narrow, |x| of(&Format::F16, x, RZ);
    f16_rp: [cvt.rp.f16.f32] narrow, |x| of(&Format::F16, x, Cvt::RP);
    f16_rm: [cvt.rm.f16.f32] narrow, |x| of(&Format::F16, x, Cvt::RM);
    f16_rn_relu: [cvt.rn.relu.f16.f32] narrow, |x| of(&Format::F16, x, RN.relu());
    f16_rz_relu: [cvt.rz.relu.f16.f32] narrow, |x| of(&Format::F16, x, RZ.relu());
    f16_rn_satfinite: [cvt.rn.satfinite.f16.f32] narrow, |x| of(&Format::F16, x, RN.satfinite());
    f16_rz_satfinite: [cvt.rz.satfinite.f16.f32] narrow, |x| of(&Format::F16, x, RZ.satfinite());
    f16_rn_both: [cvt.rn.relu.satfinite.f16.f32] narrow, |x| of(&Format::F16, x, RN.relu().satfinite());
    f16_rz_both: [cvt.rz.relu.satfinite.f16.f32] narrow, |x| of(&Format::F16, x, RZ.relu().satfinite());
    f16x2_rn: [cvt.rn.f16x2.f32] pair, |x| two(&Format::F16, x, RN);
    f16x2_rz: [cvt.rz.f16x2.f32] pair, |x| two(&Format::F16, x, RZ);
    f16x2_rn_relu: [cvt.rn.relu.f16x2.f32] pair, |x| two(&Format::F16, x, RN.relu());
    f16x2_rz_relu: [cvt.rz.relu.f16x2.f32] pair, |x| two(&Format::F16, x, RZ.relu());
    f16x2_rn_satfinite: [cvt.rn.satfinite.f16x2.f32] pair, |x| two(&Format::F16, x, RN.satfinite());
    f16x2_rz_satfinite: [cvt.rz.satfinite.f16x2.f32] pair, |x| two(&Format::F16, x, RZ.satfinite());
    f16x2_rn_both: [cvt.rn.relu.satfinite.f16x2.f32] pair, |x| two(&Format::F16, x, RN.relu().satfinite());
    f16x2_rz_both: [cvt.rz.relu.satfinite.f16x2.f32] pair, |x| two(&Format::F16, x, RZ.relu().satfinite());
    bf16_rn: [cvt.rn.bf16.f32] narrow, |x| of(&Format::BF16, x, RN);
    bf16_rz: [cvt.rz.bf16.f32] narrow, |x| of(&Format::BF16, x, RZ);
    bf16_rn_relu: [cvt.rn.relu.bf16.f32] narrow, |x| of(&Format::BF16, x, RN.relu());
    bf16_rz_relu: [cvt.rz.relu.bf16.f32] narrow, |x| of(&Format::BF16, x, RZ.relu());
    bf16_rn_satfinite: [cvt.rn.satfinite.bf16.f32] narrow, |x| of(&Format::BF16, x, RN.satfinite());
    bf16_rz_satfinite: [cvt.rz.satfinite.bf16.f32] narrow, |x| of(&Format::BF16, x, RZ.satfinite());
    bf16_rn_both: [cvt.rn.relu.satfinite.bf16.f32] narrow, |x| of(&Format::BF16, x, RN.relu().satfinite());
    bf16_rz_both: [cvt.rz.relu.satfinite.bf16.f32] narrow, |x| of(&Format::BF16, x, RZ.relu().satfinite());
    bf16x2_rn: [cvt.rn.bf16x2.f32] pair, |x| two(&Format::BF16, x, RN);
    bf16x2_rz: [cvt.rz.bf16x2.f32] pair, |x| two(&Format::BF16, x, RZ);
    bf16x2_rn_relu: [cvt.rn.relu.bf16x2.f32] pair, |x| two(&Format::BF16, x, RN.relu());
    bf16x2_rz_relu: [cvt.rz.relu.bf16x2.f32] pair, |x| two(&Format::BF16, x, RZ.relu());
    bf16x2_rn_satfinite: [cvt.rn.satfinite.bf16x2.f32] pair, |x| two(&Format::BF16, x, RN.satfinite());
    bf16x2_rz_satfinite: [cvt.rz.satfinite.bf16x2.f32] pair, |x| two(&Format::BF16, x, RZ.satfinite());
    bf16x2_rn_both: [cvt.rn.relu.satfinite.bf16x2.f32] pair, |x| two(&Format::BF16, x, RN.relu().satfinite());
    bf16x2_rz_both: [cvt.rz.relu.satfinite.bf16x2.f32] pair, |x| two(&Format::BF16, x, RZ.relu().satfinite());
    tf32_rna: [cvt.rna.tf32.f32] wide, |x| of(&Format::TF32, x, RNA);
    tf32_rna_satfinite: [cvt.rna.satfinite.tf32.f32] wide, |x| of(&Format::TF32, x, RNA.satfinite());
    tf32_rn: [cvt.rn.tf32.f32] wide, |x| of(&Format::TF32, x, RN);
    tf32_rn_relu: [cvt.rn.relu.tf32.f32] wide, |x| of(&Format::TF32, x, RN.relu());
    tf32_rz: [cvt.rz.tf32.f32] wide, |x| of(&Format::TF32, x, RZ);
    tf32_rz_relu: [cvt.rz.relu.tf32.f32] wide, |x| of(&Format::TF32, x, RZ.relu());
    e4m3x2: [cvt.rn.satfinite.e4m3x2.f32] narrow_pair, |x| two(&Format::E4M3, x, RN.satfinite());
    e4m3x2_relu: [cvt.rn.satfinite.relu.e4m3x2.f32] narrow_pair, |x| two(&Format::E4M3, x, RN.satfinite().relu());
    e5m2x2: [cvt.rn.satfinite.e5m2x2.f32] narrow_pair, |x| two(&Format::E5M2, x, RN.satfinite());
    e5m2x2_relu: [cvt.rn.satfinite.relu.e5m2x2.f32] narrow_pair, |x| two(&Format::E5M2, x, RN.satfinite().relu());
    e4m3x2_f16x2: [cvt.rn.satfinite.e4m3x2.f16x2] packed, |x| halves(&Format::E4M3, &Format::F16, x, RN.satfinite());
    e4m3x2_f16x2_relu: [cvt.rn.satfinite.relu.e4m3x2.f16x2] packed, |x| halves(&Format::E4M3, &Format::F16, x, RN.satfinite().relu());
    e5m2x2_f16x2: [cvt.rn.satfinite.e5m2x2.f16x2] packed, |x| halves(&Format::E5M2, &Format::F16, x, RN.satfinite());
    e5m2x2_f16x2_relu: [cvt.rn.satfinite.relu.e5m2x2.f16x2] packed, |x| halves(&Format::E5M2, &Format::F16, x, RN.satfinite().relu());
    f16x2_e4m3x2: [cvt.rn.f16x2.e4m3x2] unpacked, |x| halves(&Format::F16, &Format::E4M3, x & 0xffff, RN);
    f16x2_e4m3x2_relu: [cvt.rn.relu.f16x2.e4m3x2] unpacked, |x| halves(&Format::F16, &Format::E4M3, x & 0xffff, RN.relu());
    f16x2_e5m2x2: [cvt.rn.f16x2.e5m2x2] unpacked, |x| halves(&Format::F16, &Format::E5M2, x & 0xffff, RN);
    f16x2_e5m2x2_relu: [cvt.rn.relu.f16x2.e5m2x2] unpacked, |x| halves(&Format::F16, &Format::E5M2, x & 0xffff, RN.relu());
    f32_f16: [cvt.f32.f16] single, |x| Format::F16.decode_f32(x & 0xffff).to_bits();
    f32_bf16: [cvt.f32.bf16] single, |x| Format::BF16.decode_f32(x & 0xffff).to_bits();
}

/// The number of inputs per launch.
const CHUNK: u32 = 1 << 26;

/// The first inputs of a chunk whose results differ, and the number of all such inputs.
fn differences(right: Right, base: u32, results: &[u32]) -> (usize, Vec<(u32, u32)>) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let share = results.len().div_ceil(cores);
    let of_share = |(n, results): (usize, &[u32])| {
        let first = base + u32::try_from(n * share).expect("in 32 bits");
        let wrong = results.iter().zip(first..=u32::MAX).filter(|(found, x)| **found != right(*x));
        let wrong: Vec<(u32, u32)> = wrong.map(|(found, x)| (x, *found)).collect();
        (wrong.len(), wrong.into_iter().take(4).collect::<Vec<(u32, u32)>>())
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> = results
            .chunks(share)
            .enumerate()
            .map(|share| scope.spawn(move || of_share(share)))
            .collect();
        shares.into_iter().fold((0, Vec::new()), |(count, mut all), share| {
            let (more, first) = share.join().expect("no panic");
            all.extend(first);
            (count + more, all)
        })
    })
}

/// Conversions by CUDA's headers, by the name of the kernel in `gpu_cvt.cu`: the formats that only newer GPUs
/// convert to.
const OF_HEADERS: &[(&str, Right)] = &[
    ("ue8m0_rz_satfinite", |x| of(&Format::UE8M0, x, RZ.satfinite())),
    ("ue8m0_rp_satfinite", |x| of(&Format::UE8M0, x, Cvt::RP.satfinite())),
    ("ue8m0_rz", |x| of(&Format::UE8M0, x, RZ)),
    ("ue8m0_rp", |x| of(&Format::UE8M0, x, Cvt::RP)),
    ("e2m1_rn", |x| of(&Format::E2M1, x, RN)),
    ("e2m3_rn", |x| of(&Format::E2M3, x, RN)),
    ("e3m2_rn", |x| of(&Format::E3M2, x, RN)),
    ("e4m3_rn", |x| of(&Format::E4M3, x, RN)),
    ("e5m2_rn", |x| of(&Format::E5M2, x, RN)),
    ("e4m3_rn_satfinite", |x| of(&Format::E4M3, x, RN.satfinite())),
    ("e5m2_rn_satfinite", |x| of(&Format::E5M2, x, RN.satfinite())),
];

/// Needs `nvcc -cubin -arch sm_90 tests/gpu_cvt.cu -o FILE`, and the file's name in `PTX_CVT_HEADERS`.
#[test]
fn cuda_headers_give_what_the_host_gives() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let Ok(file) = std::env::var("PTX_CVT_HEADERS") else {
        xtask::not_run("`PTX_CVT_HEADERS` does not name a cubin of tests/gpu_cvt.cu");
        return Ok(());
    };
    // The cubin from nvcc has no declaration here: cudarc loads and launches it.
    let load = |name: &str| -> ConvertResult {
        let kernel = context.load_module(Ptx::from_file(&file))?.load_function(name)?;
        Ok(Box::new(move |stream, results, base| {
            let (grid_dim, block_dim) = ((blocks(results), 1, 1), (THREADS, 1, 1));
            let config = LaunchConfig { grid_dim, block_dim, shared_mem_bytes: 0 };
            let mut launch = stream.launch_builder(&kernel);
            launch.arg(results).arg(&base);
            // SAFETY: the arguments match the kernel's parameters, and there is room for every result.
            unsafe { launch.launch(config)? };
            Ok(())
        }))
    };
    let forms = OF_HEADERS.iter().map(|&(name, right)| (name, move || load(name), right));
    ask(&context, forms)
}

#[test]
fn cvt_gives_what_the_host_gives() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let forms = FORMS.iter().map(|form| (form.name, || (form.load)(&context), form.right));
    ask(&context, forms)
}

/// Runs the kernels, each loaded when it is needed, and compares their results.
fn ask<'a>(
    context: &Arc<CudaContext>,
    forms: impl Iterator<Item = (&'a str, impl FnOnce() -> ConvertResult, Right)>,
) -> Result<(), Box<dyn Error>> {
    let part: u32 =
        std::env::var("PTX_CVT_PART").map_or(64, |part| part.parse().expect("a number"));
    let only = std::env::var("PTX_CVT_ONLY").unwrap_or_default();
    let chunk = CHUNK / part.next_power_of_two().min(1 << 10);
    let stream = context.default_stream();
    let mut results = stream.alloc_zeros::<u32>(chunk as usize)?;
    let mut host = vec![0; chunk as usize];
    let mut wrong = Vec::new();
    for (name, load, right) in forms.filter(|form| form.0.contains(&only)) {
        let convert = load()?;
        let (mut asked, mut count, mut first) = (0_u64, 0, Vec::new());
        for n in 0..u32::try_from((1_u64 << 32) / u64::from(CHUNK)).expect("few") {
            // One part of each chunk, selected by the chunk's number.
            let base = n * CHUNK + n % part * chunk;
            convert(&stream, &mut results, base)?;
            stream.memcpy_dtoh(&results, &mut host)?;
            stream.synchronize()?;
            let (more, some) = differences(right, base, &host);
            (asked, count) = (asked + u64::from(chunk), count + more);
            first.extend(some);
        }
        println!("{name}: {asked} inputs, {count} differences");
        for (x, found) in first.into_iter().take(6) {
            println!("  {x:#010x}: {found:#x}, and the host has {:#x}", right(x));
        }
        if count > 0 {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    Ok(())
}
