#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared]
    static ROW: [f32; 32];

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f<5>;
            ld.shared.f32 %f4, [ROW];
            ret;
        }
    }
}

fn main() {}
