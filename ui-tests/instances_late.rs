//! Declarations, launch directives, arguments and allowances of generic items, as rustc judges them: what is wrong in all
//! instances is said once, the rest says in which.
use ptx::prelude::*;

pub const UNSEEN: usize = std::mem::size_of::<[u8; 64]>();

#[tensor_map(for(N: usize in [32, 64, 256, 512]), element = u8, box = [N, UNSEEN], swizzle = B64)]
pub struct Map<const N: usize>;

#[ptx::module(target = sm_80)]
mod rows {
    use super::*;

    #[constant(for(N: usize in [2, 3]), align = N)]
    static SEEN: u32 = 0;

    #[constant(for(N: usize in [2, 3]), align = N * UNSEEN)]
    static ALIGNED: u32 = 0;

    #[kernel(for(N: usize in [1, 4, 32]), reqntid = (N * UNSEEN) as u32)]
    pub fn directive() {
        ptx! {
            .const .align #(N * UNSEEN) .b8 %table[#(N)] = { #(N * UNSEEN), #(UNSEEN * 4) };
            .reg .b32 %x;
            ld.const.b32 %x, [%table];
            ret;
        }
    }

    #[device(for(T in [u32, u64]))]
    fn takes(x: Reg<T>, #[align(UNSEEN / 8 + size_of::<T>() - 4)] _pair: [T; 2]) {
        ptx! {
            .reg .T %y;
            mov.T %y, x;
            ret;
        }
    }

    #[kernel(for(T in [u32, u64], N: i64 in [-1, 1, 0x1_0000_0000]))]
    pub fn passes() {
        ptx! {
            .param .align #(UNSEEN) .b8 %pair[#(size_of::<T>() * 2)];
            call takes::<T>, (#(N + UNSEEN as i64 - 64), %pair);
            ret;
        }
    }

    #[kernel(for(N: usize in [1, 4, 6]), allow(A020))]
    pub fn needed_by_two() {
        ptx! {
            .reg .b32 %x;
            .shared .align 16 .b8 %row[#(UNSEEN)];
            ld.shared.b32 %x, [%row + #(N * 16)];
            ret;
        }
    }

    #[kernel(for(N: usize in [1, 2]), allow(A020))]
    pub fn needed_by_none() {
        ptx! {
            .reg .b32 %x;
            .shared .align 16 .b8 %row[#(UNSEEN)];
            ld.shared.b32 %x, [%row + #(N * 16)];
            ret;
        }
    }

    #[kernel(for(T in [u32, u64]), allow(A020))]
    pub fn needed_by_one() {
        ptx! {
            .reg .T %x;
            .shared .align 8 .b8 %row[4];
            ld.shared.T %x, [%row];
            ret;
        }
    }

    #[kernel(for(N: u32 in [1, 2]))]
    pub fn overflows() {
        ptx! {
            .reg .b32 %x;
            .global .b32 %row[4] = { #(N * 0x8000_0000) };
            ld.global.b32 %x, [%row + #(4 - N * 3)];
            ret;
        }
    }

    #[kernel(for(N: usize in [1, 2]))]
    pub fn demands() {
        ptx! {
            .reg .b64 %x;
            .shared .align #(UNSEEN / 16) .b8 %row[#(UNSEEN)];
            ld.shared.b64 %x, [%row + #(N * 8)];
            if N == 2 {
                ld.shared.v2.b64 { %x, _ }, [%row];
            }
            ret;
        }
    }
}

fn main() {}
