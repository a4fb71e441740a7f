//! Values that start with a block, and lists with conditional elements.

use ptx::prelude::*;

const N: usize = 3;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static SUM: u32 = if N > 2 { 1 } else { 2 } + 1;
    #[global]
    static CAST: u32 = match N {
        3 => 1_u64,
        _ => 2,
    } as u32;
    #[global]
    static FIRST: u32 = { [1, 2] }[0];
    #[global]
    static WHOLE: u32 = if N > 2 { 1 } else { 2 };
    #[global]
    static LIST: [u32; 2] = [1, #[cfg(windows)] 2, #[cfg(not(windows))] 3];
}

fn main() {
    println!("{}", m::MODULE);
}
