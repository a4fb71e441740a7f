#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[kernel]
    pub fn rows(src: Ptr<Global, f32>, rows: u32, columns: u32) {
        ptx! { ret; }
    }

    #[kernel]
    pub fn columns(src: Ptr<Global, f32>, total: u32, renamed: u32, r#sum: f32) {
        ptx! {
            .reg .b32 rows;
            ret;
        }
    }

    /// Parameters of functions, too.
    #[kernel]
    pub fn calls() {
        ptx! {
            .param .b32 sum;
            ret;
        }
    }

    /// Its name in PTX is different.
    #[unsafe(export_name = "total")]
    #[kernel]
    pub fn renamed() {
        ptx! { ret; }
    }

    #[device(returns(total))]
    pub fn sum(sum: f32, rows: Reg<u32>) -> f32 {
        ptx! { ret; }
    }

    /// The names in a declaration are never used.
    #[device(extern)]
    fn elsewhere(elsewhere: f32, rows: u32);

    #[kernel]
    #[cfg(any())]
    pub fn absent() {
        ptx! { ret; }
    }

    #[kernel]
    pub fn sound(absent: u32, #[allow(D077)] rows: u32) {
        ptx! { ret; }
    }

    #[kernel(allow(D077))]
    pub fn allowed(rows: u32, allowed: u32) {
        ptx! {
            .param .b32 sum;
            ret;
        }
    }
}

fn main() {}
