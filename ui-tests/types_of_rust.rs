//! Types of Rust that are not types of PTX, one error each.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod types {
    use super::*;

    #[constant]
    static C: usize = 3;
    #[global]
    static D: [isize; 2] = [1, 2];
    #[global]
    static E: char;
    #[global]
    static F: V2<V2<f32>>;
    #[global]
    static G: V2<usize>;

    #[kernel]
    fn k(a: usize, b: Ptr<Global, usize>, c: *mut f32, d: Ptr<Global, f32, 16>, e: &[u32]) {
        ptx! { ret; }
    }

    #[kernel]
    fn generic<T>(a: T, b: Ptr<Global, T>) {
        ptx! { ret; }
    }

    #[device]
    fn f(a: Reg<usize>) -> Reg<isize> {
        ptx! { ret; }
    }
}

struct NotAMap;

#[ptx::module(target = sm_90a)]
mod late {
    use super::*;

    #[shared]
    static A: Tile<NotAMap>;
    #[global]
    static B: V4<String>;
    #[global]
    static C: Vec<u32>;
    #[global]
    static D: String;
}

// One error each, although a parameter's type is written several times.
#[ptx::module(target = sm_90a)]
mod maps {
    use super::*;

    #[kernel]
    fn scalar(a: TensorMap<f32>) {
        ptx! { ret; }
    }

    #[kernel]
    fn declared(a: TensorMap<NotAMap>) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod pointers {
    use super::*;

    #[kernel]
    fn space_missing(a: Ptr<f32>) {
        ptx! { ret; }
    }

    #[kernel]
    fn pointee_missing(a: Ptr<Global>) {
        ptx! { ret; }
    }

    #[global]
    static P: Ptr<f32>;
}

// One error, although the parameter is used as the pointer that is meant.
#[ptx::module(target = sm_80)]
mod slices {
    use super::*;

    #[kernel(requires(data.len() >= n))]
    fn scale(data: &mut [f32], n: u32) {
        ptx! {
            let %at: Ptr<Global, f32>;
            lea.global.u64 %at, data[0];
            st.global.f32 [%at], 0f00000000;
            ret;
        }
    }
}

fn main() {}
