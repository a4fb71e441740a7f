use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
pub mod m {
    use super::*;

    #[kernel]
    fn k(src: Ptr<Global, E4M3x4>, dst: Ptr<Global, F16x2>) {
        ptx! {
            let %src, %dst: u64;
            let %low, %high: u16;
            .reg .b32 %x, %y;
            ld.param.u64 %src, [src];
            ld.param.u64 %dst, [dst];
            ld.global.b32 %x, [%src];
            mov.b32 {%low, %high}, %x;
            cvt.rn.f16x2.e4m3x2 %y, %low;
            st.global.b32 [%dst], %y;
            ret;
        }
    }
}

fn main() {}
