#[ptx::module(target = sm_90a)]
pub mod m {
    #[shared]
    static TILE: [f32; 12_288];

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
