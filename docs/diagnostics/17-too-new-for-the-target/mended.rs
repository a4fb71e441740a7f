#[ptx::module(target = sm_100)]
pub mod m {
    #[global(align = 32)]
    static ROW: [f32; 8] = [0.0; 8];

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %x<8>;
            ld.global.v8.f32 {%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7}, [ROW];
            ret;
        }
    }
}

fn main() {}
