//! A loop that goes beyond an array of registers: said once, with the first number that is beyond.
#[ptx::module(target = sm_80)]
mod m {
    #[kernel]
    fn k() {
        ptx! {
            let %x: [f32; 4];
            for i in 0..64 {
                mov.f32 %x[i], 0f00000000;
                add.f32 %x[i], %x[i], %x[i + 1];
            }
            ret;
        }
    }
}

fn main() {}
