#![allow(unused)]
use ptx::prelude::*;

const ODD: usize = 6;
type Late = [V4<f32>; 4];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Late;

    #[kernel(allow(A020, A021))]
    fn of_the_kernel() {
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [ROW + 2];
            ret;
        }
    }

    #[kernel(allow(A020, A021))]
    fn of_the_kernel_late() {
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [LATE + #(ODD)];
            ret;
        }
    }

    #[kernel]
    fn of_statements() {
        ptx! {
            .reg .b32 %r;
            #[allow(A021)]
            ld.shared.b32 %r, [ROW + 2];
            #[allow(A021)]
            ld.shared.b32 %r, [ROW + 4];
            #[allow(A021, A034)]
            ld.shared.b32 %r, [LATE + 2];
            #[allow(A021)] @%p ld.shared.b32 %r, [LATE + 2];
            #[allow(A018)]
            ld.shared.b32 %r, [ROW];
            #[allow(A999)]
            ld.shared.b32 %r, [ROW];
            #[warn(A021)]
            ld.shared.b32 %r, [ROW];
            #[allow("A021")]
            ld.shared.b32 %r, [ROW];
            #[allow()]
            ld.shared.b32 %r, [ROW];
            #[allow(A021, A021)]
            ld.shared.b32 %r, [ROW + 2];
            ret;
        }
    }

    #[kernel]
    fn where_it_stands() {
        ptx! {
            .reg .b32 %r;
            #[allow(A020)]
            .reg .b32 %z;
            ld.shared.b32 %r, [ROW + 2048];
            #[allow(A020)]
            X: ld.shared.b32 %r, [ROW];
            Y: #[allow(A020)] ld.shared.b32 %r, [ROW + 2048];
            #[allow(A020)]
            {
                ld.shared.b32 %r, [ROW];
            }
            ret;
            #[allow(A020)]
        }
    }

    #[kernel(allow(A021, A021))]
    fn twice() {
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [ROW + 2];
            ret;
        }
    }
}

fn main() {}
