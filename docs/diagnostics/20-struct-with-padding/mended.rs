use ptx::prelude::*;

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Config {
    mode: u8,
    padding: [u8; 3],
    scale: f32,
}

#[ptx::module(target = sm_90a)]
pub mod m {
    use super::*;

    #[kernel]
    fn k(config: Config) {
        ptx! {
            let %scale: f32;
            ld.param.f32 %scale, [config + 4];
            ret;
        }
    }
}

fn main() {}
