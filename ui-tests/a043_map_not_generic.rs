#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
    pub struct A;
    #[tensor_map(element = bf16, box = [32, 128], swizzle = B64)]
    pub struct B;

    #[derive(PtxType)]
    #[repr(C)]
    pub struct Stages {
        a: [Tile<A>; 2],
        b: [Tile<B>; 2],
        full: [Mbarrier; 128],
    }

    #[shared(dynamic)]
    static STAGES: Stages;
    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn k(a: TensorMap<A>) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<8>;
            mov.u32 %r0, STAGES;
            mov.b64 %d0, a;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0], [%d0, {%r6, %r7}], [FULL];
            cvta.param.u64 %d0, %d0;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [%r0], [%d0, {%r6, %r7}], [FULL];
            ret;
        }
    }
}

fn main() {}
