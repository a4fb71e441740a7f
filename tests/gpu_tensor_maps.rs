//! Compares the driver's encoding of tensor maps with the rules and the encoder, which need no driver. Needs
//! the feature `cuda` and a driver.
//!
//! `PTX_MAPS_COUNT` random maps (default: 50,000) from the seed `PTX_MAPS_SEED` (default: a new one):
//! `cargo test --release --features cuda --test gpu_tensor_maps -- --nocapture`.
#![allow(unsafe_code, reason = "descriptors are read and replaced as the driver does")]

mod device;

use std::error::Error;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cudarc::driver::{CudaContext, CudaStream, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use device::gpu;
use ptx::Target;
use ptx::cuda::{
    BoundMap, CallError, EncodeError, Mismatch, Over as _, Stores, ask, current_target,
    driver_release, encode, replace_address, verify_against_driver,
};
use ptx::tensor::{ElementType, MapType, Mode, Spec, Swizzle, Tensor};
use ptx_smith::maps::{Random, legal, map};
use xtask::verdicts::Report;

/// The context of a GPU with the architecture on which the rules and the encoder were observed; it must live
/// while the driver is called.
fn observed_gpu() -> Option<Arc<CudaContext>> {
    let context = gpu()?;
    if let Err(error) = context.bind_to_thread() {
        xtask::not_run(&format!("the context cannot be bound: {error}"));
        return None;
    }
    let target = current_target();
    if target != Some(Target::Sm90a) {
        xtask::not_run(&format!("the descriptors are those of sm_90, and this GPU is {target:?}"));
        return None;
    }
    Some(context)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn fresh() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(1, |since| since.as_secs() ^ u64::from(since.subsec_nanos()) << 32)
}

#[test]
fn random_maps_agree_with_the_driver() -> Result<(), EncodeError> {
    let Some(_context) = observed_gpu() else { return Ok(()) };
    let seed = number("PTX_MAPS_SEED").unwrap_or_else(fresh);
    let count = number("PTX_MAPS_COUNT").unwrap_or(50_000);
    println!("PTX_MAPS_SEED={seed} PTX_MAPS_COUNT={count}");
    let mut random = Random::new(seed);
    let mut report = Report::default();
    let mut calls = [0; 3];
    for i in 0..count {
        let (spec, tensor) = map(&mut random);
        calls[usize::from(spec.mode.is_im2col()) + usize::from(spec.mode.is_wide())] += 1;
        let answer = ask(&spec, &tensor)?;
        if let Err(refusal) = answer.descriptor {
            assert!(refusal.is_about_the_map(), "map {i}: {refusal}");
        }
        let theirs = answer.descriptor.ok();
        let theirs = theirs.as_ref().map(ptx::tensor::Descriptor::as_bytes);
        report.compare(&format_args!("map {i}"), &spec, &tensor, theirs);
    }
    println!("{calls:?} tiled, im2col, wide\n{report}");
    assert!(report.is_clean(), "there are disagreements");
    Ok(())
}

#[test]
fn verify_against_driver_finds_nothing() {
    let Some(_context) = observed_gpu() else { return };
    let mut random = Random::new(5);
    for _ in 0..1000 {
        let (spec, tensor) = map(&mut random);
        verify_against_driver(&spec, &tensor)
            .unwrap_or_else(|mismatch| panic!("{mismatch}: {spec:?} {tensor:?}"));
    }
    // A map that cannot be passed to the driver does not count as agreement.
    let spec = Spec { swizzle: Swizzle::B96, ..Tile::SPEC };
    let tensor = Tensor::dense(0, spec.element, [64, 32, 1, 1, 1]);
    let mismatch = verify_against_driver(&spec, &tensor);
    assert!(matches!(mismatch, Err(Mismatch::NotAsked(EncodeError::NoNumber { .. }))));
}

#[test]
fn an_address_is_replaced() -> Result<(), EncodeError> {
    let Some(_context) = observed_gpu() else { return Ok(()) };
    let mut random = Random::new(7);
    for _ in 0..1000 {
        let (spec, tensor) = legal(&mut random);
        let descriptor = encode(&spec, &tensor)?;
        let address = 0x7f00_0000_0000 + random.below(1 << 24) * 32;
        let replaced = replace_address(&descriptor, address)?;
        assert_eq!(replaced, descriptor.with_address(address));
        assert_eq!(replaced, encode(&spec, &Tensor { address, ..tensor })?);
    }
    let descriptor = encode(&Tile::SPEC, &Tensor::dense(0, ElementType::F32, [64, 32, 1, 1, 1]))?;
    match replace_address(&descriptor, 8) {
        Ok(replaced) => println!("address 8: the driver makes {replaced:?}"),
        Err(error) => println!("address 8: {error}"),
    }
    Ok(())
}

#[test]
fn a_refusal_is_explained() {
    let Some(_context) = observed_gpu() else { return };
    let mode = Mode::Tiled { box_dims: [100, 300, 1, 1, 1] };
    let spec = Spec { mode, swizzle: Swizzle::B128, ..Tile::SPEC };
    let tensor = Tensor { address: 8, dims: [64, 0, 1, 1, 1], strides: [100, 0, 0, 0] };
    let error = encode(&spec, &tensor).unwrap_err();
    println!("{error}");
    let text = error.to_string();
    let first = "`cuTensorMapEncodeTiled` answers 1 (CUDA_ERROR_INVALID_VALUE):\n";
    assert!(text.starts_with(first), "{text}");
    for code in ["M014", "M017", "M050", "M053", "M055"] {
        assert!(text.contains(code), "{code} is missing in {text}");
    }
    assert!(error.source().is_some_and(|source| source.to_string().contains("answers 1")));
}

/// The error on a thread without a context says so, as does the one on a machine without a driver.
#[test]
fn a_missing_driver_or_context_is_reported() {
    let spec = Tile::SPEC;
    let tensor = Tensor::dense(0x1000, ElementType::F32, [64, 32, 1, 1, 1]);
    match std::thread::spawn(move || encode(&spec, &tensor)).join() {
        Ok(Err(EncodeError::Call(error @ CallError::NoDriver { .. }))) => {
            assert_eq!(driver_release(), None);
            let text = error.to_string();
            assert!(text.ends_with("there is no CUDA driver on this machine"), "{text}");
        }
        Ok(Err(EncodeError::Refused { refusal, .. })) => {
            println!("driver of CUDA {:?}: {refusal}", driver_release());
            assert!(!refusal.is_about_the_map());
            assert!(refusal.to_string().ends_with("no context is current on this thread"));
        }
        other => panic!("{other:?}"),
    }
}

/// Tiles of 16 x 8 floats.
#[ptx::tensor_map(element = f32, box = [16, 8])]
struct Tile;

/// The same tile with elements of another size.
struct Mistyped;

// SAFETY: everything but the element type is that of the other tile.
unsafe impl MapType for Mistyped {
    const SPEC: Spec = Tile::SPEC;
    const ALLOWED: &'static [&'static str] = &[];
    const NAME: &'static str = "Mistyped";
    type Element = u16;
    type Rank = <Tile as MapType>::Rank;
    type SwizzleSpan = <Tile as MapType>::SwizzleSpan;
    type Align = <Tile as MapType>::Align;
    type BaseAlign = <Tile as MapType>::BaseAlign;
    type Storage = <Tile as MapType>::Storage;
}

#[ptx::module(target = sm_90a)]
mod copier {
    use ptx::prelude::{B8, Mbarrier, TensorMap};

    use super::Tile;

    #[shared(align = 128)]
    static TILE: [B8; Tile::BYTES];
    #[shared]
    static FULL: Mbarrier;

    /// One copy of a tile at (16, 8) to shared memory, and from there to (32, 16) of another tensor.
    #[kernel]
    pub(crate) fn copy(from: TensorMap<Tile>, to: TensorMap<Tile>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %from, %to, %state;
            .reg .pred %p;
            mov.b64 %from, from;
            cvta.param.u64 %from, %from;
            mov.b64 %to, to;
            cvta.param.u64 %to, %to;
            mov.u32 %r1, 16;
            mov.u32 %r2, 8;
            mov.u32 %r3, 32;
            mbarrier.init.shared.b64 [FULL], 1;
            fence.proxy.async;
            mbarrier.arrive.expect_tx.shared.b64 %state, [FULL], #(Tile::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%from, {%r1, %r2}], [FULL];
        WAIT:
            mbarrier.try_wait.shared.b64 %p, [FULL], %state;
            @!%p bra WAIT;
            fence.proxy.async;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%to, {%r3, %r1}], [TILE];
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
            ret;
        }
    }
}

/// The form in which a launch takes the source and destination maps.
type Launch<'l> =
    dyn Fn(&BoundMap<'_, Tile>, &BoundMap<'_, Tile, Stores>) -> Result<(), Box<dyn Error>> + 'l;

#[test]
fn bound_maps_copy() -> Result<(), Box<dyn Error>> {
    let Some(context) = observed_gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let module = ptx::cuda::load::<copier::Loaded>(&context)?;
    bound_maps_copy_in(&stream, &|from, to| {
        let launch = module.copy().grid(1).block(1);
        // SAFETY: both tiles lie within the tensors, and `to` stores.
        Ok(unsafe { launch.launch(&stream, (from, to)) }?)
    })
}

/// Kernels without a declaration take the maps too: cudarc's own launches accept them as arguments.
#[test]
fn bound_maps_are_arguments_of_cudarcs_launches() -> Result<(), Box<dyn Error>> {
    let Some(context) = observed_gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let text = Ptx::from_src(copier::MODULE.to_string());
    let kernel = context.load_module(text)?.load_function("copy")?;
    bound_maps_copy_in(&stream, &|from, to| {
        let one = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
        let mut launch = stream.launch_builder(&kernel);
        launch.arg(from).arg(to);
        // SAFETY: the arguments match the kernel's parameters, and both tiles lie within the tensors.
        unsafe { launch.launch(one)? };
        Ok(())
    })
}

fn bound_maps_copy_in(stream: &Arc<CudaStream>, launch: &Launch<'_>) -> Result<(), Box<dyn Error>> {
    let numbers: Vec<f32> = (0..64_u16 * 32).map(f32::from).collect();
    let source = stream.clone_htod(&numbers)?;
    let mut target = stream.alloc_zeros::<f32>(80 * 32)?;
    {
        let from = Tile::over(&source, stream).dims([64, 32]).encode()?;
        // A matrix of 64 columns in rows of 80.
        let to = Tile::over_mut(&mut target, stream).dims([64, 32]).strides([320]).encode()?;
        assert!(from.verdict().is_clean() && to.verdict().is_clean());
        println!("{from:?}\n{to:?}");
        launch(&from, &to)?;
    }
    let copied = stream.clone_dtoh(&target)?;
    for (at, copied) in copied.iter().enumerate() {
        let (row, column) = (at / 80, at % 80);
        let is_copied = (16..24).contains(&row) && (32..48).contains(&column);
        let right = if is_copied { numbers[(row - 8) * 64 + column - 16] } else { 0.0 };
        assert_eq!(copied.to_bits(), right.to_bits(), "row {row}, column {column}");
    }
    println!("128 floats copied, and nothing else");
    Ok(())
}

#[test]
fn tensors_beyond_their_buffer_are_refused() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let buffer = stream.alloc_zeros::<f32>(64 * 32)?;
    let told = |result: Result<_, EncodeError>| match result {
        Ok(()) => panic!("the map was encoded"),
        Err(error) => {
            println!("{error}");
            error.to_string()
        }
    };
    let over = |dims: &[u64]| Tile::over(&buffer, &stream).dims(dims).encode().map(drop);
    over(&[64, 32])?;
    let text = told(over(&[64, 33]));
    assert!(text.starts_with("the tensor ends 8448 bytes after its first element"), "{text}");
    assert!(text.contains("the buffer has 8192"), "{text}");
    assert!(told(over(&[64])).contains("`dims` has 1 value, but a map of rank 2 takes 2"));
    assert!(told(over(&[64, 0])).contains("M053"));
    let view = buffer.slice(64..);
    told(Tile::over(&view, &stream).dims([64, 32]).encode().map(drop));
    Tile::over(&view, &stream).dims([64, 31]).encode().map(drop)?;
    let misaligned = buffer.slice(1..);
    assert!(
        told(Tile::over(&misaligned, &stream).dims([64, 8]).encode().map(drop)).contains("M050")
    );
    let words = stream.alloc_zeros::<u16>(64 * 32)?;
    let text = told(Mistyped::over(&words, &stream).dims([64, 16]).encode().map(drop));
    assert!(text.contains("elements take 2 bytes, but those of the map, `f32`, take 4"), "{text}");
    // Overlapping rows: the driver accepts them, the manual does not.
    let builder = || Tile::over(&buffer, &stream).dims([64, 32]).strides([128]);
    assert!(told(builder().encode().map(drop)).contains("M059"));
    let tolerated = builder().tolerate_forbidden().encode()?;
    assert!(!tolerated.verdict().is_allowed() && tolerated.verdict().is_accepted());
    Ok(())
}
