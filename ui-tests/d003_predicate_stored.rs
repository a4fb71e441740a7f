#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static FLAG: ptx::Pred;

    #[kernel]
    fn k(p: ptx::Pred) {
        ptx! {
            .shared .pred %p;
            ret;
        }
    }

    type Flag = ptx::Pred;
    #[global]
    static LATE: Flag;
}

fn main() {}
