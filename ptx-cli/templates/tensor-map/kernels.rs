//! The kernels: storage, tensor maps and parameters are Rust, bodies are PTX.

use ptx::lib::mbarrier;
use ptx::prelude::*;

/// The columns of a tile, in elements.
pub const COLUMNS: usize = 64;
/// The rows of a tile.
pub const ROWS: usize = 4;

/// Four rows of 64 numbers: what one instruction copies.
#[tensor_map(element = f32, box = [COLUMNS, ROWS])]
pub struct Part;

/// Arithmetic on matrices.
#[ptx::module(target = sm_90)]
pub mod matrix {
    use super::*;

    #[shared]
    static TILE: Tile<Part>;
    #[shared]
    static FULL: Mbarrier;

    /// Writes the negated elements of `from` to `to`: a block for each tile, a thread for each element.
    ///
    /// Any grid is safe. What a tile has outside of the matrix is read as zeros, and not written.
    #[kernel(reqntid = (COLUMNS, ROWS), unsafe(safe_launch))]
    pub fn negate(#[readonly] from: TensorMap<Part>, to: TensorMap<Part>) {
        ptx! {
            let %column, %row, %thread, %x, %y: u32;
            let %from, %to: u64;
            let %at: Ptr<Shared, f32>;
            let %element: f32;
            let %first: bool;

            mov.u32 %column, %tid.x;
            mov.u32 %row, %tid.y;
            or.b32 %thread, %column, %row;
            setp.eq.u32 %first, %thread, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            @%first fence.mbarrier_init.release.cluster;
            bar.sync 0;

            // The tile of this block.
            mov.u32 %x, %ctaid.x;
            mul.lo.u32 %x, %x, #(COLUMNS);
            mov.u32 %y, %ctaid.y;
            mul.lo.u32 %y, %y, #(ROWS);
            cvta.param.u64 %from, from;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [FULL], #(Part::TRANSACTION_BYTES);
            @%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%from, {%x, %y}], [FULL];
            mbarrier::wait FULL, 0;

            lea.shared.u32 %at, TILE[%row][%column];
            ld.shared.f32 %element, [%at];
            neg.f32 %element, %element;
            st.shared.f32 [%at], %element;

            // The copy reads shared memory through another proxy than the stores above.
            fence.proxy.async.shared::cta;
            bar.sync 0;
            @!%first ret;
            cvta.param.u64 %to, to;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%to, {%x, %y}], [TILE];
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
            ret;
        }
    }
}

// A test of the module: the rules with every constant known, and then ptxas.
ptx::assembles!(matrix);
