//! The macro sees that the row ends before this.

#[gpu::module(target = sm_80)]
mod row {
    use super::*;

    #[shared]
    static ROW: [f32; 32];

    #[kernel]
    pub fn first() {
        ptx! {
            .reg .f32 %x;
            mov.f32 %x, 0f00000000;
            st.shared.f32 [ROW + 128], %x;
            ret;
        }
    }
}

fn main() {
    assert_eq!(row::first().static_shared_bytes(), 128);
}
