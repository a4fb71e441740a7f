//! Kernels that only read through `#[readonly]` pointers, and write through others.
use ptx::prelude::*;

type Late = Ptr<Global, V4<f32>>;

#[tensor_map(element = f32, box = [4, 4])]
pub struct Map;

type LateMap = TensorMap<Map>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 128)]
    static TILE: [B8; 256];

    #[shared]
    static BARRIER: Mbarrier;

    #[device(extern)]
    fn fill(to: Ptr<Global, V4<f32>>);

    #[kernel(allow(A066))]
    pub fn copies(
        #[readonly] src: Ptr<Global, V4<f32>>,
        #[readonly]
        #[allow(A034)]
        late: Late,
        dst: Ptr<Global, V4<f32>, U128>,
        n: u32,
    ) {
        ptx! {
            .reg .b64 %d<8>;
            .reg .b32 %r<4>;
            .reg .f32 %f<4>;
            .reg .pred %p;
            ld.param.u64 %d0, [src];
            ld.param.u64 %d1, [late];
            ld.param.u64 %d2, [dst];
            prefetch.global.L2 [%d0];
            ld.global.nc.v4.f32 {%f0, %f1, %f2, %f3}, [%d0];
            cvta.global.u64 %d3, %d1;
            ld.b32 %r1, [%d3 + 4];
            cp.async.cg.shared.global [TILE], [%d0], 16;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [BARRIER], 128;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [TILE], [%d1], 128, [BARRIER];
            st.global.v4.f32 [%d2], {%f0, %f1, %f2, %f3};
            discard.global.L2 [%d2], 128;
            // One or the other: the pointer is unknown.
            ld.param.u32 %r0, [n];
            setp.eq.u32 %p, %r0, 0;
            selp.b64 %d4, %d0, %d2, %p;
            st.global.b32 [%d4], %r0;
            // A register that now holds another address.
            mov.b64 %d0, %d2;
            st.global.b32 [%d0], %r0;
            ret;
        }
    }

    /// The use of a passed address is known only in the function.
    #[kernel]
    pub fn passes(#[readonly] src: Ptr<Global, V4<f32>>) {
        ptx! {
            .param .b64 %to;
            .reg .b64 %d;
            ld.param.u64 %d, [src];
            st.param.b64 [%to], %d;
            call fill, (%to);
            ret;
        }
    }

    /// Loads through maps that only load, and a store through one that may store.
    #[kernel(allow(A066, A085))]
    pub fn tensors(
        #[readonly] from: TensorMap<Map>,
        #[readonly] late: LateMap,
        #[readonly] aligned: TensorMap<Map, U128>,
        to: TensorMap<Map>,
    ) {
        ptx! {
            .reg .b64 %d<4>;
            mov.b64 %d0, from;
            cvta.param.u64 %d0, %d0;
            mov.b64 %d1, late;
            cvta.param.u64 %d1, %d1;
            mov.b64 %d2, aligned;
            cvta.param.u64 %d2, %d2;
            mov.b64 %d3, to;
            cvta.param.u64 %d3, %d3;
            prefetch.tensormap [%d0];
            cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%d1, {0, 0}];
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [BARRIER], 128;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%d0, {0, 0}], [BARRIER];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE + 128], [%d2, {0, 0}], [BARRIER];
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d3, {0, 0}], [TILE];
            ret;
        }
    }

    /// Testing a barrier does not change it.
    #[kernel(allow(A063))]
    pub fn waits(#[readonly] ring: Ptr<Shared, Mbarrier>) {
        ptx! {
            .reg .b64 %d;
            .reg .pred %p;
            ld.param.u64 %d, [ring];
            mbarrier.try_wait.parity.shared::cta.b64 %p, [%d], 0;
            ret;
        }
    }
}

fn main() {
    assert!(m::MODULE.check().is_empty(), "{:?}", m::MODULE.check());
    let params = m::copies().ir().params;
    assert!(params[0].readonly && params[1].readonly);
    assert!(!params[2].readonly && !params[3].readonly);
    let params = m::tensors().ir().params;
    assert!(params[0].readonly && params[1].readonly && params[2].readonly);
    assert!(!params[3].readonly);
    println!("{}", m::MODULE);
}
