#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 8], swizzle = B128)]
    pub struct Swizzled;
    #[tensor_map(element = bf16, box = [64, 8])]
    pub struct Plain;

    #[shared]
    static SWIZZLED: [u8; 1024];
    #[shared]
    static PLAIN: [u8; 1024];
    #[shared(align = 128)]
    static ALIGNED: [u8; 1024];
    #[shared]
    static BARRIER: Mbarrier;

    #[kernel(allow(A053, A066))]
    fn k(swizzled: TensorMap<Swizzled>, plain: TensorMap<Plain>) {
        ptx! {
            .reg .b32 %r<2>;
            .reg .b64 %d<2>;
            .shared .align 16 .b8 own[1024];
            mov.b64 %d0, swizzled;
            cvta.param.u64 %d0, %d0;
            mov.b64 %d1, plain;
            cvta.param.u64 %d1, %d1;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [SWIZZLED], [%d0, {%r0, %r1}], [BARRIER];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [own], [%d0, {%r0, %r1}], [BARRIER];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [PLAIN], [%d1, {%r0, %r1}], [BARRIER];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes
                [ALIGNED], [%d0, {%r0, %r1}], [BARRIER];
            ret;
        }
    }
}

fn main() {}
