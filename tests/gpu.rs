//! Declarations, tested on the GPU. Needs the feature `cuda` and a driver.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

mod device;
#[path = "../examples/quickstart/kernel.rs"]
mod kernel;

use std::error::Error;

use device::gpu;
use kernel::{Image, blur as module};
use ptx::prelude::*;

/// The kernel's computation, in the same order of operations.
fn reference(row: &[f32], gain: f32, taps: &[f32; 5]) -> Vec<f32> {
    let pixel = |i: usize, tap: usize| {
        (i + tap).checked_sub(2).and_then(|at| row.get(at)).copied().unwrap_or(0.0)
    };
    (0..row.len())
        .map(|i| {
            let first = pixel(i, 0) * taps[0];
            (1..5).fold(first, |sum, tap| pixel(i, tap).mul_add(taps[tap], sum)) * gain
        })
        .collect()
}

#[test]
fn the_blur_equals_the_cpu_bit_for_bit() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let taps = module::TAPS.initial().expect("the taps have a value");
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Any finite float, subnormals included.
        let bits = u32::try_from(state >> 32).expect("32 bits");
        f32::from_bits(if bits >> 23 & 0xFF == 0xFF { bits & !(1 << 30) } else { bits })
    };
    let blur = ptx::cuda::load::<module::Loaded>(&context)?;
    let mut pixels = 0;
    let mut blurred = 0;
    for (width, pitch, rows) in
        [(1, 1, 1), (3, 5, 7), (64, 64, 2), (65, 66, 33), (129, 130, 5), (4096, 4096, 512)]
    {
        let gain = 1.0 + random().abs().min(1.0);
        let source: Vec<f32> = (0..pitch * rows * 4).map(|_| random()).collect();
        let poison = f32::from_bits(0x7FC0_DEAD);
        let on_gpu = stream.clone_htod(&source)?;
        let mut result = stream.clone_htod(&vec![poison; source.len()])?;
        let image = Image {
            width: u32::try_from(width).expect("small"),
            pitch: u32::try_from(pitch).expect("small"),
            gain,
        };
        let grid = (image.width.div_ceil(module::THREADS), u32::try_from(rows).expect("small"));
        let launch = blur.rows().grid(grid);
        // SAFETY: both buffers hold every row.
        unsafe { launch.launch(&stream, (&on_gpu, &mut result, image))? };
        blurred += grid.1;
        assert_eq!(blur.ROWS.get(&stream)?, blurred);
        let result = stream.clone_dtoh(&result)?;
        for (row, (source, result)) in
            source.chunks(pitch * 4).zip(result.chunks(pitch * 4)).enumerate()
        {
            let expected = reference(&source[..width * 4], gain, taps);
            for (i, (expected, result)) in expected.iter().zip(result).enumerate() {
                let same =
                    expected.to_bits() == result.to_bits() || expected.is_nan() && result.is_nan();
                assert!(same, "row {row}, pixel {i} of {width}: {expected:?} and {result:?}");
            }
            let untouched =
                result[width * 4..].iter().all(|pixel| pixel.to_bits() == poison.to_bits());
            assert!(untouched, "row {row} was written past its end");
            pixels += width * 4;
        }
    }
    println!("{pixels} pixels equal");
    Ok(())
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Pair {
    wide: f64,
    narrow: u32,
    length: u32,
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Entry {
    key: u32,
    length: u32,
    data: Ptr<Generic, u32>,
}

#[ptx::module(target = sm_90)]
mod addresses {
    use super::*;

    #[constant]
    static FOO: [u32; 2] = [41, 42];
    #[global]
    static BAR: [u32; 4] = [2, 3, 5, 7];
    #[global]
    static POINTERS: [Ptr<Generic, u32>; 3] = [generic(BAR), generic(BAR) + 4, generic(FOO) + 4];
    #[constant]
    static IN_CONST: Ptr<Const, u32> = addr(FOO);
    #[global(align = 8)]
    static BYTES: [u8; 8] = [
        mask(0xFF, generic(BAR) + 8),
        mask(0xFF00, generic(BAR) + 8),
        mask(0xFF_0000, generic(BAR) + 8),
        mask(0xFF00_0000, generic(BAR) + 8),
        mask(0xFF_0000_0000, generic(BAR) + 8),
        mask(0xFF00_0000_0000, generic(BAR) + 8),
        mask(0xFF_0000_0000_0000, generic(BAR) + 8),
        mask(0xFF00_0000_0000_0000, generic(BAR) + 8),
    ];
    #[global]
    static ENTRIES: [Entry; 2] = [
        Entry { key: 1, length: 3, data: generic(BAR) + 12 },
        Entry { key: 0xABCD, length: 0, data: Ptr::NULL },
    ];
    #[global]
    static FUNCTIONS: [u64; 2] = [addr(twice), addr(square)];
    /// The effect of the hazard: the second element is overwritten when the module is loaded.
    #[global(align = 8, allow(D040))]
    static NARROW: [u32; 2] = [addr(BAR), 7];

    #[device]
    fn twice(x: Reg<u32>) -> Reg<u32> {
        ptx! {
            add.u32 returned, x, x;
            ret;
        }
    }

    #[device]
    fn square(x: Reg<u32>) -> Reg<u32> {
        ptx! {
            mul.lo.u32 returned, x, x;
            ret;
        }
    }

    #[device]
    fn halves(pair: Pair) -> Pair {
        ptx! {
            .reg .f64 %wide;
            .reg .u32 %narrow<2>;
            ld.param.f64 %wide, [pair + #(offset_of!(Pair, wide))];
            ld.param.u32 %narrow0, [pair + #(offset_of!(Pair, narrow))];
            mul.f64 %wide, %wide, #(0.5);
            shr.u32 %narrow1, %narrow0, 1;
            st.param.f64 [returned + #(offset_of!(Pair, wide))], %wide;
            st.param.u32 [returned + #(offset_of!(Pair, narrow))], %narrow1;
            st.param.u32 [returned + #(offset_of!(Pair, length))], %narrow0;
            ret;
        }
    }

    #[kernel]
    pub fn follow(out: Ptr<Global, u32, U8>) {
        ptx! {
            .reg .b64 %out, %p;
            .reg .b32 %v<2>;
            .reg .f64 %wide;
            .param .align 8 .b8 given[#(size_of::<Pair>())];
            .param .align 8 .b8 got[#(size_of::<Pair>())];

            ld.param.u64 %out, [out];
            ld.global.u64 %p, [POINTERS + 8];
            ld.u32 %v0, [%p];
            st.global.u32 [%out], %v0;
            ld.global.u64 %p, [POINTERS + 16];
            ld.u32 %v0, [%p];
            st.global.u32 [%out + 4], %v0;
            ld.const.u64 %p, [IN_CONST];
            ld.const.u32 %v0, [%p];
            st.global.u32 [%out + 8], %v0;
            ld.global.u64 %p, [BYTES];
            ld.u32 %v0, [%p];
            st.global.u32 [%out + 12], %v0;
            ld.global.u64 %p, [ENTRIES + #(offset_of!(Entry, data))];
            ld.u32 %v0, [%p];
            st.global.u32 [%out + 16], %v0;
            ld.global.u32 %v0, [ENTRIES + #(size_of::<Entry>() + offset_of!(Entry, key))];
            st.global.u32 [%out + 20], %v0;
            P: .callprototype (.reg .u32 _) _ (.reg .u32 _);
            ld.global.u64 %p, [FUNCTIONS];
            call (%v1), %p, (21), P;
            st.global.u32 [%out + 24], %v1;
            ld.global.u64 %p, [FUNCTIONS + 8];
            call (%v1), %p, (12), P;
            st.global.u32 [%out + 28], %v1;
            st.param.f64 [given], #(5.0);
            st.param.u32 [given + #(offset_of!(Pair, narrow))], 9;
            st.param.u32 [given + #(offset_of!(Pair, length))], 0;
            call (got), halves, (given);
            ld.param.f64 %wide, [got];
            ld.param.u32 %v0, [got + #(offset_of!(Pair, narrow))];
            ld.param.u32 %v1, [got + #(offset_of!(Pair, length))];
            st.global.b64 [%out + 32], %wide;
            st.global.u32 [%out + 40], %v0;
            st.global.u32 [%out + 44], %v1;
            ld.global.u32 %v0, [NARROW + 4];
            st.global.u32 [%out + 48], %v0;
            ret;
        }
    }
}

/// Pointers, masks, tables of functions and structs by value refer to the declared targets.
#[test]
fn addresses_lead_where_they_say() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let loaded = ptx::cuda::load::<addresses::Loaded>(&context)?;
    let mut result = stream.clone_htod(&vec![u32::MAX; 14])?;
    // SAFETY: the buffer holds what the kernel writes.
    unsafe { loaded.follow().grid(1).block(1).launch(&stream, (&mut result,))? };
    let result = stream.clone_dtoh(&result)?;
    assert_eq!(result[..8], [3, 42, 41, 5, 7, 0xABCD, 42, 144]);
    let wide = u64::from(result[8]) | u64::from(result[9]) << 32;
    assert_eq!((f64::from_bits(wide), result[10], result[11]), (2.5, 4, 9));
    println!("the neighbour of a 32-bit address, declared 7, is {:#x}", result[12]);
    assert_ne!(result[12], 7, "the loader should overwrite it (rule D040)");
    assert_eq!(result[13], u32::MAX);
    Ok(())
}
