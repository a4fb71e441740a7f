#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared]
    static ROW: [f32; 32];

    #[kernel]
    fn k() {
        ptx! {
            let %x: f32;
            ld.shared.f32 %x, [ROW + 12];
            ret;
        }
    }
}

fn main() {}
