#![allow(unused)]

#[ptx::module(target = sm_88, version = 8.8, ptxas = 13.0)]
mod m {
    #[kernel]
    fn k() {
        ptx! { ret; }
    }
}

fn main() {}
