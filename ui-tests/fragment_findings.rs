//! What a rule finds in a fragment, in one use, says both places.
use ptx::prelude::*;

#[ptx::fragment]
pub fn store_vector(at: &[f32; 4], x: Reg<f32>) {
    ptx! { st.shared.v4.f32 [at], {x, x, x, x}; }
}

#[ptx::fragment]
pub fn store_both(at: &[f32; 8], x: Reg<f32>) {
    ptx! {
        store_vector at, x;
        st.shared.f32 [at + 28], x;
    }
}

#[ptx::fragment]
pub fn shifted(x: Reg<u32>, by: u32) -> Reg<u32> {
    ptx! { shf.l.wrap.b32 returned, x, x, by; }
}

#[ptx::fragment]
pub fn maximum<T>(x: Reg<T>, y: Reg<T>) -> Reg<T> {
    ptx! { max.T returned, x, y; }
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [f32; 32];

    #[kernel]
    fn uses() {
        ptx! {
            .reg .f32 %x;
            .reg .b8 %b;
            mov.f32 %x, 0f00000000;
            store_vector ROW[4], %x;
            store_vector ROW[5], %x;
            store_both ROW[26], %x;
            maximum::<u8> %b, %b, %b;
            for i in 0..4 { store_vector ROW[i], %x; }
            ret;
        }
    }
}

fn main() {}
