#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel]
    fn k(src: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn main() {}
