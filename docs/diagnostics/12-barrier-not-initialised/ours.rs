use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
pub mod m {
    use super::*;

    #[shared]
    static FULL: Mbarrier;

    #[kernel]
    fn k() {
        ptx! {
            let %done: bool;
            mbarrier.arrive.shared::cta.b64 _, [FULL];
            WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [FULL], 0;
            @!%done bra WAIT;
            ret;
        }
    }
}

fn main() {}
