//! Sums the columns of a matrix, whose tiles come through a ring of stages.
//!
//! `cargo run --example ring [--features cuda]`

mod common;

use ptx::lib::mbarrier;
use ptx::prelude::*;

/// Column sums.
#[ptx::module(target = sm_90a)]
pub(crate) mod ring {
    use super::*;

    const STAGES: usize = 4;
    const ROWS: usize = 16;
    const COLUMNS: usize = 128;
    pub(crate) type Row = [f32; COLUMNS];

    #[tensor_map(element = f32, box = [COLUMNS, ROWS])]
    pub(crate) struct Matrix;

    #[shared(align = 128)]
    static TILES: [[Row; ROWS]; STAGES];
    #[shared]
    static FULL: [Mbarrier; STAGES];
    #[shared]
    static EMPTY: [Mbarrier; STAGES];

    /// Adds up the first `rows` rows: one thread for each column, and one more thread that loads.
    #[kernel(reqntid = COLUMNS + 1, grid = sums.len(), requires(rows < 1 << 31), unsafe(safe_launch))]
    pub(crate) fn add(#[readonly] matrix: TensorMap<Matrix>, sums: Ptr<Global, Row>, rows: u32) {
        ptx! {
            let %thread, %block, %x, %y, %rows, %phase: u32;
            let %matrix: u64;
            let %sum: Ptr<Global, f32>;
            let %column: Ptr<Shared, [Row; ROWS]>;
            let %awaited: Ptr<Shared, Mbarrier>;
            let %total, %element: f32;
            let %loads, %done: bool;

            mov.u32         %thread, %tid.x;
            setp.eq.u32     %loads, %thread, #(COLUMNS);
            for stage in 0..STAGES {
                @%loads mbarrier.init.shared.b64 [FULL[stage]], 1;
                @%loads mbarrier.init.shared.b64 [EMPTY[stage]], #(COLUMNS);
            }
            @%loads fence.mbarrier_init.release.cluster;
            bar.sync        0;
            lea.shared.u32  %awaited, FULL;
            @%loads lea.shared.u32 %awaited, EMPTY;
            selp.u32        %phase, 1, 0, %loads;       // all stages are empty at first
            cvta.param.u64  %matrix, matrix;
            mov.u32         %block, %ctaid.x;
            mul.lo.u32      %x, %block, #(COLUMNS);
            mov.u32         %y, 0;
            ld.param.u32    %rows, [rows];
            lea.shared.u32  %column, TILES[0][0][%thread];
            mov.f32         %total, 0f00000000;
        NEXT:
            for stage in 0..STAGES {
                setp.ge.u32     %done, %y, %rows;
                @%done bra      DONE;
                mbarrier::wait  %awaited[stage], %phase;
                @%loads mbarrier.arrive.expect_tx.shared.b64 _, [FULL[stage]], #(Matrix::TRANSACTION_BYTES);
                @%loads cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                    [TILES[stage]], [%matrix, {%x, %y}], [FULL[stage]];
                @%loads bra     LOADED;
                for row in 0..ROWS {
                    ld.shared.f32   %element, [%column[stage][row]];
                    add.f32         %total, %total, %element;
                }
                mbarrier.arrive.shared.b64 _, [EMPTY[stage]];
            LOADED:
                add.u32         %y, %y, #(ROWS);
            }
            xor.b32         %phase, %phase, 1;
            bra             NEXT;
        DONE:
            lea.global.u64  %sum, sums[%block][%thread];
            @!%loads st.global.f32 [%sum], %total;
            ret;
        }
    }
}

common::main!(ring);

/// Compares the results with the CPU's.
#[cfg(feature = "cuda")]
fn run(stream: &common::Stream, module: &ring::Loaded) -> common::Result {
    let numbers = common::numbers(512 * 1000);
    let (src, mut sums) = (stream.clone_htod(&numbers)?, stream.alloc_zeros(512)?);
    let matrix = ring::Matrix::over(&src, stream).dims([512, 1000]).encode()?;
    module.add().launch(stream, (&matrix, &mut sums, 1000))?;
    let sum = |x: usize| numbers[x..].iter().step_by(512).sum::<f32>().into();
    common::compare(stream, &sums, (0..512).map(sum), 0.0)
}
