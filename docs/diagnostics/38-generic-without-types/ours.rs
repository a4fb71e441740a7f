#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel]
    fn k<T>(src: Ptr<Global, T>) {
        ptx! { ret; }
    }
}

fn main() {}
