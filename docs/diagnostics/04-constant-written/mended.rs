#[ptx::module(target = sm_90a)]
pub mod m {
    #[global]
    static FACTOR: f32 = 2.0;

    #[kernel]
    fn k() {
        ptx! {
            st.global.f32 [FACTOR], 1.0;
            ret;
        }
    }
}

fn main() {}
