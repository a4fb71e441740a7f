//! Stores through `#[readonly]` parameters, and wrong places for the attribute.
#![allow(unused)]
use ptx::prelude::*;

type Late = Ptr<Global, f32>;
type LateMap = TensorMap<m::Map>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = f32, box = [4, 4])]
    pub struct Map;

    #[shared(align = 128)]
    static TILE: [B8; 128];

    #[kernel]
    fn written(#[readonly] src: Ptr<Global, f32>, #[readonly] late: Late, i: u32) {
        ptx! {
            .reg .b64 %d<8>;
            .reg .b32 %r;
            .reg .f32 %f;
            ld.param.u64 %d0, [src];
            st.global.f32 [%d0], %f;
            // Through arithmetic.
            ld.param.u32 %r, [i];
            mad.wide.u32 %d1, %r, 4, %d0;
            atom.global.add.f32 %f, [%d1 + 8], 0f3F800000;
            // A generic address.
            cvta.global.u64 %d2, %d0;
            red.add.f32 [%d2], %f;
            cvta.to.global.u64 %d3, %d2;
            st.global.f32 [%d3], %f;
            // A pointer that only rustc recognises.
            ld.param.u64 %d4, [late];
            st.global.f32 [%d4 + 4], %f;
            // An asynchronous write.
            cp.async.bulk.global.shared::cta.bulk_group [%d0], [TILE], 128;
            cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%d1], [TILE], 128;
            // An instruction that discards the contents.
            discard.global.L2 [%d0], 128;
            ret;
        }
    }

    #[kernel]
    fn other_writers(
        #[readonly] tile: Ptr<Global, f16, U32>,
        #[readonly] map: Ptr<Global, TensorMap<Map>>,
        #[readonly] ring: Ptr<Generic, f32>,
    ) {
        ptx! {
            .reg .b64 %d<4>;
            .reg .b32 %h<4>;
            .reg .f32 %f;
            ld.param.u64 %d0, [tile];
            wmma.store.d.sync.aligned.row.m16n16k16.global.f16 [%d0], {%h0, %h1, %h2, %h3};
            ld.param.u64 %d1, [map];
            tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d0;
            ld.param.u64 %d2, [ring];
            st.f32 [%d2], %f;
            multimem.red.relaxed.sys.global.add.u32 [%d0], %h0;
            ret;
        }
    }

    /// Through a map.
    #[kernel]
    fn tensors(#[readonly] map: TensorMap<Map>, #[readonly] late: LateMap, other: TensorMap<Map>) {
        ptx! {
            .reg .b64 %d<4>;
            mov.b64 %d0, map;
            cvta.param.u64 %d0, %d0;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d0, {0, 0}], [TILE];
            mov.b64 %d1, late;
            cvta.param.u64 %d1, %d1;
            cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%d1, {0, 0}], [TILE];
            // Not a write.
            mov.b64 %d2, other;
            cvta.param.u64 %d2, %d2;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d2, {0, 0}], [TILE];
            ret;
        }
    }

    // An allowed hazard is not reported, but an unneeded allowance is.
    #[kernel]
    fn allowed(#[readonly] src: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %d;
            .reg .f32 %f;
            ld.param.u64 %d, [src];
            #[allow(A035)]
            st.global.f32 [%d], %f;
            #[allow(A035)]
            ld.global.f32 %f, [%d];
            ret;
        }
    }

    #[kernel]
    fn twice(#[readonly] #[readonly] src: Ptr<Global, f32>, #[readonly(true)] dst: Ptr<Global, f32>) {
        ptx! { ret; }
    }

    #[device(returns(#[readonly] found))]
    fn device(#[readonly] src: Ptr<Global, f32>) -> Ptr<Global, f32> {
        ptx! { ret; }
    }

    #[device(extern)]
    fn elsewhere(#[readonly] src: Ptr<Global, f32>);
}

fn main() {}
