//! What rustc evaluates in generic kernels: what is wrong in all instances is said once, the rest says in which.

/// The first element, and one that is given.
#[ptx::fragment]
pub fn ends(row: &[f32; LEN], n: u32) {
    ptx! {
        .reg .b32 %x;
        ld.shared.b32 %x, [row];
        ld.shared.b32 %x, [row + #(n * 4)];
    }
}

pub const LEN: usize = std::mem::size_of::<[f32; 8]>();

#[ptx::module(target = sm_80)]
mod rows {
    use super::*;

    #[shared]
    static ROW: [f32; LEN];

    #[kernel(for(N: u32 in [16, 64, 128], M: u32 in [0, 256]))]
    pub fn k() {
        ptx! {
            .reg .b32 %x;
            ld.shared.b32 %x, [ROW + 128];
            ld.shared.b32 %x, [ROW + #(N * 4)];
            if N == 16 {
                ld.shared.b32 %x, [ROW + #(M)];
            }
            if M == 0 {
                ends ROW, #(N / 2);
            }
            ret;
        }
    }

    #[device(for(T in [f32, f64]))]
    fn first(_y: Reg<u32>) {
        ptx! {
            .reg .b32 %x;
            ld.shared.b32 %x, [ROW + #(size_of::<T>() * 16)];
            ret;
        }
    }

    #[kernel]
    pub fn plain() {
        ptx! {
            .reg .b32 %x;
            mov.b32 %x, 0;
            call first::<f32>, (%x);
            call first::<f64>, (%x);
            ret;
        }
    }
}

fn main() {}
