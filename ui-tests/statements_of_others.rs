//! Statements of CUDA C++ and Rust in a body.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 64];
    #[device]
    fn square(x: Reg<f32>) -> Reg<f32> {
        ptx! { mul.f32 returned, x, x; ret; }
    }

    #[kernel]
    fn words(n: u32) {
        ptx! {
            let %p, %q: bool;
            let %i: u32;
            let %x: f32;
            setp.eq.u32 %p, %i, 0;
            __syncthreads();
            syncthreads;
            __threadfence();
            atomicAdd(ROW, 1);
            while %p { add.u32 %i, %i, 1; }
            match %i { 3 => ret; }
            for i in 0..4 { break; }
            goto END;
            printf("x");
            "ret;"
            # comment
            ;
        END:
            return;
        }
    }

    #[kernel]
    fn assignments(n: u32) {
        ptx! {
            let %p: bool;
            let %i: u32;
            let %x: f32;
            %i = 5;
            %i += 1;
            %x = square(%x);
            mov.u32 %i = 5;
            ROW[%i] = %x;
            square(%x);
            add.u32(%i, %i, %i);
            ret;
        }
    }

    #[kernel]
    fn guards(n: u32) {
        ptx! {
            let %p, %q: bool;
            let %i: u32;
            .reg .f32 %f<4>;
            setp.eq.u32 %p, %i, 0;
            %p ret;
            @~%p ret;
            @%p { ret; }
            @%p @%q ret;
            @%i ret;
            if (%p) bra END;
            @!%f1 ret;
        'top:
            bra 'top;
        END:
            ret;
            @%p for i in 0..4 { ret; }
            ret;
        }
    }

    #[kernel]
    fn names(n: u32) {
        ptx! {
            let %i: u32;
            let %x: f32;
            mov.u32 %i, %threadIdx.x;
            mov.u32 %i, %gridDim.y;
            mov.u32 %i, warpSize;
            mov.u32 %i, NULL;
            mov.f32 %x, INFINITY;
            ld.shared.f32 %x, [m::ROW];
            ret;
        }
    }
}

// Labels may have such names.
#[ptx::module(target = sm_90a)]
mod labels {
    use super::*;

    #[kernel]
    fn k() {
        ptx! {
            .reg .b16 %h<2>;
            .reg .b32 %r;
            mov.b32 %r, 0;
        again:
        loop:
            mov.b32 {%h0, %h1}, %r;
            bra loop;
        }
    }
}

fn main() {}
