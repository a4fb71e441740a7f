use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
pub mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel(reqntid = 32)]
    fn k() {
        ptx! {
            let %t: u32;
            let %first, %done: bool;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            @%first mbarrier.init.shared::cta.b64 [FULL], 32;
            bar.sync 0;
            mbarrier.arrive.shared::cta.b64 _, [FULL];
            WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }
}

fn main() {}
