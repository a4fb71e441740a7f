#[ptx::module(target = sm_90a)]
pub mod m {
    #[global(align = 16)]
    static DATA: [f32; 256];
    #[shared(align = 16)]
    static ROW: [f32; 256];

    #[kernel]
    fn k() {
        ptx! {
            let %at: u32;
            let %x: f32;
            mov.u32 %at, ROW;
            cp.async.ca.shared.global [%at], [DATA], 16;
            cp.async.commit_group;
            cp.async.wait_all;
            ld.shared.f32 %x, [ROW];
            st.global.f32 [DATA], %x;
            ret;
        }
    }
}

fn main() {}
