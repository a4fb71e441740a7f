//! Only rustc knows how long the row is.

type Row = [f32; 32];

#[gpu::module(target = sm_80)]
mod row {
    use super::*;

    #[shared]
    static ROW: Row;

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
