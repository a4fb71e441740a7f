#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TABLE: [u32; 3] = [2, 3, 5];
    #[global]
    static INDEXED: u64 = generic(TABLE[1]);
    #[global]
    static THREE: u8 = mask(0xff, TABLE, 3);
    #[global]
    static CAST: u32 = addr(TABLE) as u32;
    #[global]
    static TURNED: u64 = 8 + addr(TABLE);
    #[global]
    #[unsafe(export_name = "a.b")]
    static DOT: u32;
    #[global]
    #[export_name = 3]
    static NUMBER: u32;
    #[global(unified(1))]
    pub static HALF: u32;
    #[constant(bank = 2)]
    pub static BANK: [u32; 4];
    #[tex]
    static TEXTURE: u32;
    #[shared]
    static TILE: Family<f32, 3>;

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f;
            ld.shared.f32 %f, [TILE];
            ld.shared.f32 %f, [TILE3];
            ld.const[2].f32 %f, [BANK];
            .const[2] .b32 x[];
            .tex .u32 t;
            ret;
        }
    }
}

fn main() {}
