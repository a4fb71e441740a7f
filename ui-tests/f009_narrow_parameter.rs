#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[device]
    fn f(byte: u8, flag: Reg<ptx::Pred>) {
        ptx! { ret; }
    }
}

// They can be passed without the ABI, which several return values disable.
#[ptx::module(target = sm_90a)]
mod without_abi {
    use super::*;

    #[device(returns(found, at))]
    fn find(byte: Reg<u16>) -> (Reg<ptx::Pred>, Reg<u32>) {
        ptx! { setp.eq.u16 found, byte, 0; mov.u32 at, 1; ret; }
    }
}

fn main() {}
