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

#[ptx::module(target = sm_80, for(T in [f32], T in [f64]))]
mod twice {}

#[ptx::module(target = sm_80, for())]
mod nothing {}

/// What tokens do not tell apart is refused.
#[ptx::module(target = sm_80, for(N: u32 in [32, 64]))]
mod hidden {
    const N: u32 = 7;
    const BYTES: u32 = N * 4;

    struct Header {
        len: u32,
    }
    impl Header {
        const ROWS: u32 = N;
    }
    enum Rows {
        Some([u32; N]),
    }
    const fn size<const BYTES: u32>() -> u32 {
        BYTES
    }

    #[kernel]
    pub fn k(N: u32) {
        const BYTES: u32 = 7;
        ptx! {
            .reg .u32 %x;
            mov.u32 %x, #({ let BYTES = 8; BYTES });
            mov.u32 %x, BYTES;
            ret;
        }
    }
}

/// Said once, as the user wrote it.
#[ptx::module(target = sm_80, for(T in [f32, u32], N: u32 in [32, 64]))]
mod written {
    use super::*;

    #[shared]
    static ROW: [T; 4];
    const WIDTH: u32 = N / 2;

    #[kernel]
    pub fn k() {
        ptx! {
            .reg .T %x;
            .reg .u32 %w;
            ld.shared.v4.T {%x, _, _, _}, [ROW];
            ld.shared.T %x, [ROW + 16];
            mov.u32 %w, WIDTH;
            ret;
        }
    }
}

fn main() {
    rows::k::<f32, 128>();
}
