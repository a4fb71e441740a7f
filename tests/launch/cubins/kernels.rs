use ptx::prelude::*;

#[ptx::module(target = sm_80)]
pub mod blur {
    use super::*;

    #[kernel(reqntid = 32)]
    pub fn rows(to: Ptr<Global, u32>) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_80)]
pub mod other {
    #[kernel]
    pub fn nothing() {
        ptx! { ret; }
    }
}
