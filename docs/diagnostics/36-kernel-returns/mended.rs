#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel]
    fn k(result: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn main() {}
