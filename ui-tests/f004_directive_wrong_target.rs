#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod m {
    use super::*;

    #[kernel(maxntid = 128, maxclusterrank = 2)]
    fn k() {
        ptx! { ret; }
    }
}

fn main() {}
