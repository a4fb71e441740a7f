//! The transpose of a matrix through shared memory, with padded rows.
//!
//! `cargo run --example transpose [--features cuda]`

mod common;

use ptx::prelude::*;

/// Transposes matrices of 32-bit floats.
#[ptx::module(target = sm_80)]
pub(crate) mod transpose {
    use super::*;

    /// Rows and columns of a tile.
    const TILE: usize = 32;
    /// Rows of a tile that a block moves at a time; a thread moves `TILE / ROWS` elements.
    const ROWS: usize = 8;

    /// One extra element per row: the elements of a column are in 32 different banks.
    #[shared]
    static PADDED: [[f32; TILE + 1]; TILE];

    /// Writes the transpose of `height` rows of `width` elements each.
    #[kernel(
        reqntid = (TILE, ROWS), grid = (width / 32, height / 32), unsafe(safe_launch),
        requires(width % 32 == 0, height % 32 == 0, width * height < 1 << 32,
            src.len() >= width * height, dst.len() >= width * height)
    )]
    pub(crate) fn transpose(
        #[readonly] src: Ptr<Global, f32>,
        dst: Ptr<Global, f32>,
        width: u32,
        height: u32,
    ) {
        ptx! {
            let %tx, %ty, %bx, %by, %x, %y, %i, %width, %height: u32;
            let %step: u64;
            let %from, %to: Ptr<Global, f32>;
            let %row: Ptr<Shared, [f32; TILE + 1]>;
            let %column: Ptr<Shared, f32>;
            let %element: f32;

            mov.u32         %tx, %tid.x;
            mov.u32         %ty, %tid.y;
            mov.u32         %bx, %ctaid.x;
            mov.u32         %by, %ctaid.y;
            ld.param.u32    %width, [width];
            ld.param.u32    %height, [height];
            mad.lo.u32      %x, %bx, #(TILE), %tx;
            mad.lo.u32      %y, %by, #(TILE), %ty;
            mad.lo.u32      %i, %y, %width, %x;
            lea.global.u64  %from, src[%i];
            mul.wide.u32    %step, %width, #(ROWS * size_of::<f32>());
            lea.shared.u32  %row, PADDED[%ty][%tx];
            for i in 0..TILE / ROWS {
                ld.global.f32   %element, [%from];
                st.shared.f32   [%row[ROWS * i]], %element;
                add.u64         %from, %from, %step;
            }
            bar.sync        0;

            mad.lo.u32      %x, %by, #(TILE), %tx;
            mad.lo.u32      %y, %bx, #(TILE), %ty;
            mad.lo.u32      %i, %y, %height, %x;
            lea.global.u64  %to, dst[%i];
            mul.wide.u32    %step, %height, #(ROWS * size_of::<f32>());
            lea.shared.u32  %column, PADDED[%tx][%ty];
            for i in 0..TILE / ROWS {
                ld.shared.f32   %element, [%column[ROWS * i]];
                st.global.f32   [%to], %element;
                add.u64         %to, %to, %step;
            }
            ret;
        }
    }
}

common::main!(transpose);

/// Compares the results with the CPU's.
#[cfg(feature = "cuda")]
fn run(stream: &common::Stream, module: &transpose::Loaded) -> common::Result {
    let numbers = common::numbers(1024 * 480);
    let (src, mut dst) = (stream.clone_htod(&numbers)?, stream.alloc_zeros(numbers.len())?);
    module.transpose().launch(stream, (&src, &mut dst, 1024, 480))?;
    let column = |x: usize| numbers[x..].iter().step_by(1024).map(|number| f64::from(*number));
    common::compare(stream, &dst, (0..1024).flat_map(column), 0.0)
}
