#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared]
    static ROW: [f32; 32];

    #[kernel]
    fn k() {
        ptx! {
            let %p: u64;
            let %x: f32;
            mov.u64 %p, ROW;
            ld.shared.f32 %x, [%p];
            ret;
        }
    }
}

fn main() {}
