//! Static tensor maps and tiles for `wgmma`, on a GPU. Needs the feature `cuda` and a driver; both
//! are instructions of `sm_90a`.

#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(unreachable_pub)] // it is `.visible` in PTX

mod device;

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream};
use device::gpu;
use half::bf16;
use ptx::Target;
use ptx::cuda::{BoundMap, LaunchError};
use ptx::prelude::*;
use ptx::tensor::{Major, MapType, encode};

/// A number for each element that encodes its position.
#[allow(clippy::cast_possible_truncation)] // 4,096 elements
const fn numbered() -> [u16; 64 * 64] {
    let (mut table, mut i) = ([0; 64 * 64], 0);
    while i < table.len() {
        table[i] = i as u16;
        i += 1;
    }
    table
}

#[tensor_map(element = u16, box = [64, 8], swizzle = B128)]
struct Rows;

#[ptx::module(target = sm_90a)]
mod fixed {
    use super::*;

    #[global(align = 128)]
    static MATRIX: [u16; 64 * 64] = numbered();
    #[global]
    static OF_GLOBAL: TensorMap<Rows> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
    #[constant]
    static OF_CONST: TensorMap<Rows> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
    #[shared]
    static TILE: Tile<Rows>;
    #[shared]
    static BARRIER: Mbarrier;

    /// Copies the tile at row `y` to `to` through the map in global or constant memory. One thread.
    #[kernel]
    pub fn load(to: Ptr<Global, u16, U4>, y: i32, of_const: u32) {
        ptx! {
            .reg .b64 %map, %to, %state;
            .reg .b32 %y, %zero, %from, %value, %i, %of_const;
            .reg .pred %done, %more, %const;
            ld.param.u64 %to, [to];
            ld.param.b32 %y, [y];
            ld.param.b32 %of_const, [of_const];
            mov.b32 %zero, 0;
            setp.ne.u32 %const, %of_const, 0;
            mov.b64 %map, OF_GLOBAL;
            cvta.global.u64 %map, %map;
            @!%const bra READY;
            mov.b64 %map, OF_CONST;
            cvta.const.u64 %map, %map;
        READY:
            mbarrier.init.shared::cta.b64 [BARRIER], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 %state, [BARRIER], #(Rows::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%map, {%zero, %y}], [BARRIER];
            mov.b32 %i, 0;
        WAIT:
            add.u32 %i, %i, 1;
            setp.gt.u32 %more, %i, 1000000;
            @%more bra GIVE_UP;
            mbarrier.try_wait.shared::cta.b64 %done, [BARRIER], %state;
            @!%done bra WAIT;
            mov.b32 %i, 0;
            mov.b32 %from, TILE;
        STORE:
            ld.shared.u32 %value, [%from];
            st.global.b32 [%to], %value;
            add.u32 %from, %from, 4;
            add.u64 %to, %to, 4;
            add.u32 %i, %i, 4;
            setp.lt.u32 %more, %i, #(Rows::BYTES);
            @%more bra STORE;
            ret;
        GIVE_UP:
            trap;
        }
    }
}

#[test]
fn static_maps_copy_right() -> Result<(), Box<dyn Error>> {
    let Some(context) = gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let module = ptx::cuda::load::<fixed::Loaded>(&context)?;
    let mut copies = 0;
    for (y, of_const) in [(0, 0), (8, 0), (56, 0), (0, 1), (24, 1), (60, 1), (-3, 0)] {
        let mut to = stream.alloc_zeros::<u16>(Rows::BYTES / 2)?;
        let launch = module.load().grid(1).block(1);
        // SAFETY: the kernel writes no more bytes than the buffer has.
        unsafe { launch.launch(&stream, (&mut to, y, of_const))? };
        let found = stream.clone_dtoh(&to)?;
        for (row, line) in (0..8_u32).zip(y..) {
            for column in 0..64_u32 {
                let offset = Rows::element_offset([column, row]).expect("in the tile");
                let right = u16::try_from(line * 64)
                    .ok()
                    .filter(|start| *start < 64 * 64)
                    .map_or(0, |start| start + u16::try_from(column).expect("small"));
                assert_eq!(found[offset / 2], right, "row {row}, column {column}, y {y}");
            }
        }
        copies += 1;
    }
    println!("{copies} copies through static maps, from .global and .const: 0 differences");
    Ok(())
}

/// One row per product: its maps, the swizzle, the box of `A` and of `B`, the innermost dimension, whether
/// `wgmma` transposes, the number of steps of 16, and the bytes between two steps.
macro_rules! products {
    ($($name:ident: $swizzle:ident, [$($extent:literal),*], $major:ident $transposed:literal, $steps:literal by $advance:literal;)*) => {$(
        mod $name {
            use super::*;

            #[tensor_map(element = bf16, box = [$($extent),*], swizzle = $swizzle)]
            pub(super) struct A;

            #[ptx::module(target = sm_90a)]
            pub(super) mod kernel {
                use super::*;

                #[shared]
                static LEFT: Tile<A>;
                #[shared]
                static RIGHT: Tile<A>;
                #[shared]
                static BARRIER: Mbarrier;

                /// One warpgroup: `to` gets 32 numbers per thread, in the order of `wgmma`.
                #[kernel(maxntid = 128)]
                pub fn multiply(a: TensorMap<A>, b: TensorMap<A>, to: Ptr<Global, f32, U16>) {
                    ptx! {
                        .reg .b64 %a, %b, %left, %right, %to;
                        .reg .b32 %thread, %zero, %i;
                        .reg .pred %first, %done, %more;
                        .reg .f32 %d<32>;
                        mov.u32 %thread, %tid.x;
                        mov.b32 %zero, 0;
                        setp.eq.u32 %first, %thread, 0;
                        @!%first bra READY;
                        mbarrier.init.shared::cta.b64 [BARRIER], 1;
                        fence.proxy.async.shared::cta;
                    READY:
                        bar.sync 0;
                        @!%first bra LOADED;
                        mbarrier.arrive.expect_tx.shared::cta.b64 _, [BARRIER], #(2 * A::TRANSACTION_BYTES);
                        mov.b64 %a, a;
                        cvta.param.u64 %a, %a;
                        mov.b64 %b, b;
                        cvta.param.u64 %b, %b;
                        cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                            [LEFT], [%a, {%zero, %zero, %zero}], [BARRIER];
                        cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                            [RIGHT], [%b, {%zero, %zero, %zero}], [BARRIER];
                    LOADED:
                        mov.b32 %i, 0;
                    WAIT:
                        add.u32 %i, %i, 1;
                        setp.gt.u32 %more, %i, 1000000;
                        @%more bra GIVE_UP;
                        mbarrier.try_wait.parity.shared::cta.b64 %done, [BARRIER], 0;
                        @!%done bra WAIT;
                        mov.u64 %left, LEFT;
                        and.b64 %left, %left, 0x3ffff;
                        shr.b64 %left, %left, 4;
                        or.b64 %left, %left, #(MATRIX);
                        mov.u64 %right, RIGHT;
                        and.b64 %right, %right, 0x3ffff;
                        shr.b64 %right, %right, 4;
                        or.b64 %right, %right, #(MATRIX);
                        mov.b32 %i, 0;
                        mov.f32 %d0, 0f00000000; mov.f32 %d1, 0f00000000; mov.f32 %d2, 0f00000000; mov.f32 %d3, 0f00000000;
                        mov.f32 %d4, 0f00000000; mov.f32 %d5, 0f00000000; mov.f32 %d6, 0f00000000; mov.f32 %d7, 0f00000000;
                        mov.f32 %d8, 0f00000000; mov.f32 %d9, 0f00000000; mov.f32 %d10, 0f00000000; mov.f32 %d11, 0f00000000;
                        mov.f32 %d12, 0f00000000; mov.f32 %d13, 0f00000000; mov.f32 %d14, 0f00000000; mov.f32 %d15, 0f00000000;
                        mov.f32 %d16, 0f00000000; mov.f32 %d17, 0f00000000; mov.f32 %d18, 0f00000000; mov.f32 %d19, 0f00000000;
                        mov.f32 %d20, 0f00000000; mov.f32 %d21, 0f00000000; mov.f32 %d22, 0f00000000; mov.f32 %d23, 0f00000000;
                        mov.f32 %d24, 0f00000000; mov.f32 %d25, 0f00000000; mov.f32 %d26, 0f00000000; mov.f32 %d27, 0f00000000;
                        mov.f32 %d28, 0f00000000; mov.f32 %d29, 0f00000000; mov.f32 %d30, 0f00000000; mov.f32 %d31, 0f00000000;
                        wgmma.fence.sync.aligned;
                    STEP:
                        wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
                            {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7, %d8, %d9, %d10, %d11, %d12, %d13, %d14, %d15,
                             %d16, %d17, %d18, %d19, %d20, %d21, %d22, %d23, %d24, %d25, %d26, %d27, %d28, %d29, %d30, %d31},
                            %left, %right, 1, 1, 1, $transposed, $transposed;
                        add.u64 %left, %left, #($advance >> 4);
                        add.u64 %right, %right, #($advance >> 4);
                        add.u32 %i, %i, 1;
                        setp.lt.u32 %more, %i, $steps;
                        @%more bra STEP;
                        wgmma.commit_group.sync.aligned;
                        wgmma.wait_group.sync.aligned 0;
                        ld.param.u64 %to, [to];
                        mad.wide.u32 %to, %thread, 128, %to;
                        st.global.v4.f32 [%to], {%d0, %d1, %d2, %d3};
                        st.global.v4.f32 [%to + 16], {%d4, %d5, %d6, %d7};
                        st.global.v4.f32 [%to + 32], {%d8, %d9, %d10, %d11};
                        st.global.v4.f32 [%to + 48], {%d12, %d13, %d14, %d15};
                        st.global.v4.f32 [%to + 64], {%d16, %d17, %d18, %d19};
                        st.global.v4.f32 [%to + 80], {%d20, %d21, %d22, %d23};
                        st.global.v4.f32 [%to + 96], {%d24, %d25, %d26, %d27};
                        st.global.v4.f32 [%to + 112], {%d28, %d29, %d30, %d31};
                        ret;
                    GIVE_UP:
                        trap;
                    }
                }

                const MATRIX: u64 = ptx::lib::matrix::bits(A::matrix_descriptor(Major::$major));
            }
        }

        #[test]
        fn $name() -> Result<(), Box<dyn Error>> {
            let Some(context) = gpu() else { return Ok(()) };
            let module = ptx::cuda::load::<$name::kernel::Loaded>(&context)?;
            let name = stringify!($name);
            multiply::<$name::A>(&context, name, [$($extent),*], Major::$major, $steps, |stream, a, b, to| {
                let launch = module.multiply().grid(1).block(128);
                // SAFETY: the maps are over matrices of whole tiles, and there is room for the sums.
                unsafe { launch.launch(stream, (a, b, to)) }
            })?;
            println!("{name}: the reference product");
            Ok(())
        }
    )*};
}

products! {
    k_128: B128, [64, 64, 1], K 0, 4 by 32;
    k_64: B64, [32, 64, 1], K 0, 2 by 32;
    k_32: B32, [16, 64, 1], K 0, 1 by 32;
    k_none: None, [8, 64, 8], K 0, 4 by 2048;
    mn_128: B128, [64, 64, 1], Mn 1, 4 by 2048;
    mn_64: B64, [32, 64, 2], Mn 1, 4 by 1024;
    mn_32: B32, [16, 64, 4], Mn 1, 4 by 512;
    mn_none: None, [8, 64, 8], Mn 1, 4 by 256;
}

/// Multiplies two matrices of small integers, 64 by 16 for each step, and compares all 4,096 sums.
fn multiply<A: MapType<Element = bf16>>(
    context: &Arc<CudaContext>,
    name: &str,
    box_dims: [u32; 3],
    major: Major,
    steps: usize,
    launch: impl Fn(
        &CudaStream,
        &BoundMap<'_, A>,
        &BoundMap<'_, A>,
        &mut CudaSlice<f32>,
    ) -> Result<(), LaunchError>,
) -> Result<(), Box<dyn Error>> {
    let stream = context.default_stream();
    let depth = steps * 16;
    let element = |matrix: usize, row: usize, k: usize| {
        i16::try_from((row * 7 + k * 3 + matrix * 5 + row * k) % 13).expect("small") - 6
    };
    // The layout in memory: rows of K, or K rows of the other dimension.
    let (width, height) = match major {
        Major::K => (depth, 64),
        Major::Mn => (64, depth),
    };
    let stored = |matrix: usize| -> Vec<bf16> {
        (0..width * height)
            .map(|i| match major {
                Major::K => element(matrix, i / width, i % width),
                Major::Mn => element(matrix, i % width, i / width),
            })
            .map(|value| bf16::from_f32(value.into()))
            .collect()
    };
    let (a, b) = (stream.clone_htod(&stored(0))?, stream.clone_htod(&stored(1))?);
    let columns = u64::from(box_dims[0]);
    let dims = [columns, height as u64, width as u64 / columns];
    let strides = [width as u64 * 2, (columns * 2).max(16)];
    // The stride of the rows exceeds that of the blocks of columns: M059 forbids it.
    let map =
        |matrix| A::over(matrix, &stream).dims(dims).strides(strides).tolerate_forbidden().encode();
    let (left, right) = (map(&a)?, map(&b)?);
    for map in [&left, &right] {
        let ours = encode(&A::SPEC, map.tensor(), Target::Sm90a).expect("a legal map");
        assert_eq!(*map.descriptor(), ours, "{name}: the driver encodes the map differently");
    }
    let mut to = stream.alloc_zeros::<f32>(64 * 64)?;
    launch(&stream, &left, &right, &mut to)?;
    let found = stream.clone_dtoh(&to)?;
    for (at, found) in found.iter().enumerate() {
        let (thread, i) = (at / 32, at % 32);
        let (warp, lane) = (thread / 32, thread % 32);
        let (row, column) =
            (warp * 16 + lane / 4 + 8 * (i / 2 % 2), i / 4 * 8 + lane % 4 * 2 + i % 2);
        let right: i32 = (0..depth)
            .map(|k| i32::from(element(0, row, k)) * i32::from(element(1, column, k)))
            .sum();
        #[allow(clippy::cast_precision_loss)] // small
        let right = right as f32;
        assert!((found - right).abs() < 0.5, "{name}: ({row}, {column}) is {found}, not {right}");
    }
    Ok(())
}
