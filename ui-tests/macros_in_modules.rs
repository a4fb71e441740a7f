//! A macro inside a module is not expanded before the module is read.

#![allow(unused)]
use ptx::prelude::*;

macro_rules! body {
    () => { ptx! { ret; } };
}

#[ptx::module(target = sm_90a)]
mod bodies {
    use super::*;

    #[kernel]
    fn k() {
        body!()
    }
}

macro_rules! stat {
    ($name:ident: $ty:ty) => {
        #[shared]
        static $name: $ty;
    };
}

#[ptx::module(target = sm_90a)]
mod items {
    use super::*;

    stat!(ROW: [f32; 4]);

    #[kernel]
    fn k() {
        ptx! {
            .reg .f32 %f;
            ld.shared.f32 %f, [ROW];
            ret;
        }
    }
}

fn main() {}
