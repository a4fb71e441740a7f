#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared]
    static TILE: [f32; 65_536];

    #[kernel]
    fn k() {
        ptx! {
            let %x: f32;
            ld.shared.f32 %x, [TILE];
            ret;
        }
    }
}

fn main() {}
