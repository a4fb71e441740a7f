#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared(align = 16)]
    static ROW: [f32; 32];

    #[kernel]
    fn k() {
        ptx! {
            let %x: [f32; 4];
            ld.shared.v4.f32 {%x[0], %x[1], %x[2], %x[3]}, [ROW + 16];
            ret;
        }
    }
}

fn main() {}
