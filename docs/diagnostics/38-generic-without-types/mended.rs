#[ptx::module(target = sm_90a)]
pub mod m {
    use ptx::prelude::*;

    #[kernel(for(T in [f32, u32]))]
    fn k<T>(src: Ptr<Global, T>) {
        ptx! { ret; }
    }
}

fn main() {}
