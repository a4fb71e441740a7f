//! Generic modules: their lists, and what is wrong in some of their instances.
use ptx::prelude::*;

#[ptx::module(target = sm_80, for(T in [f32, String]))]
mod no_suffix {}

#[ptx::module(target = sm_80, for(T in [f32, f64], N: u32 in [32, 64]))]
mod rows {
    use super::*;

    const BYTES: usize = N * size_of::<T>();

    struct Ring<T> {
        rows: [[T; 4]; BYTES],
    }

    #[derive(PtxType)]
    #[repr(C)]
    struct Row {
        of: [T; N],
    }

    #[shared]
    static ROW: Row;
    #[shared]
    static UNUSED: [T; N];

    #[kernel(for(N: u32 in [1, 2]))]
    pub fn twice() {
        ptx! { ret; }
    }

    #[kernel]
    pub fn k() {
        ptx! {
            .reg .T %x;
            ld.shared.T %x, [ROW + 128];
            ld.shared.T %x, [ROW + #(BYTES)];
            add.s32 %x, %x, %x;
            call helper::<f32>, ();
            call helper::<f16, 32>, ();
            ret;
        }
    }

    #[device]
    fn helper() {
        ptx! { ret; }
    }
}

fn main() {
    rows::k::<f32, 128>();
}
