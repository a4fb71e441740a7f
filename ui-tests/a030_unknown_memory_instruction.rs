#![allow(unused)]
#[ptx::module(target = sm_100a)]
mod m {
    #[global]
    static G: [f32; 64];

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f;
            .reg .b32 %r<2>;
            lds.global.f32 %f, [G];
            tcgen05.load.sync.aligned.32x32b.x1.b32 {%r0}, [%r1];
            fence.proxy.tensormap::generic.aquire.gpu [G], 128;
            frobnicate.global.f32 [G], %f;
            // No operand in brackets: ptxas may know it.
            frobnicate.f32 %f, %f;
            ret;
        }
    }

    #[kernel(allow(A030))]
    fn allowed() {
        ptx! {
            .reg .f32 %f;
            frobnicate.global.f32 [G], %f;
            ret;
        }
    }

    /// Each statement with the same name has its own error.
    #[kernel]
    fn statements() {
        ptx! {
            .reg .f32 %f;
            #[allow(A030)] frobnicate.global.f32 [G], %f;
            #[allow(A030)] frobnicate.global.f32 [G + 4], %f;
            frobnicate.global.f32 [G + 8], %f;
            ret;
        }
    }

    #[device(allow(A030))]
    fn function() {
        ptx! {
            .reg .f32 %f;
            frobnicate.global.f32 [G], %f;
            ret;
        }
    }
}

fn main() {}
