#[ptx::module(target = sm_90a)]
pub mod m {
    #[constant]
    static TAPS: [f32; 5] = [1.0, 4.0, 6.0, 4.0, 1.0];

    #[kernel]
    fn k() {
        ptx! {
            let %x: f32;
            ld.const.f32 %x, [TAPS];
            ret;
        }
    }
}

fn main() {}
