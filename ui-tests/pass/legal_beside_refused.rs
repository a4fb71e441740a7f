//! Legal programs that resemble the mistakes of readers of other languages: none of them is refused.
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, unused_labels, unused_variables)]

use ptx::prelude::*;

/// A constant that modules import with everything else.
pub const COUNT: u32 = 4;

/// A pointee named like a type of another language.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Texture {
    width: u32,
}

/// A module with registers, a negative literal and an expression from the parameters of a macro.
macro_rules! moves {
    ($to:ident, $from:ident, $value:literal, $number:expr) => {
        #[ptx::module(target = sm_100a)]
        pub mod moves {
            use super::*;

            #[kernel]
            pub fn move_values() {
                ptx! {
                    let %$to, %$from: u32;
                    mov.u32 %$to, $value;
                    mov.u32 %$from, #($number);
                    bar.sync ($value + 3);
                    add.u32 %$to, %$to, %$from;
                    ret;
                }
            }
        }
    };
}

moves!(to, from, -3, COUNT + 1);

#[ptx::module(target = sm_100a)]
pub mod kernels {
    use super::*;

    /// Named like a type of CUDA C++, and declared here.
    #[derive(Clone, Copy, PtxType)]
    #[repr(C)]
    pub struct half {
        bits: u16,
    }

    /// A constant that a parameter is named after.
    const scale: u32 = "four".len() as u32;

    #[doc = "A variable with attributes of Rust."]
    #[cfg(all())]
    #[allow(dead_code)]
    #[rustfmt::skip]
    #[global]
    static BLOCK: [half; 4] = [half { bits: 0 }; 4];

    #[rustfmt::skip]
    #[shared(align = 16)]
    static match_: [f32; 64];

    /// Operands in parentheses are constants.
    #[kernel]
    pub fn parentheses() {
        ptx! {
            let %r: u32;
            bar.sync (0);
            bar.sync (1 + 1), 64;
            bar.sync (#(COUNT) - 1), (32 * 2);
            cp.async.wait_group (2 - 1);
            nanosleep.u32 (20 + 1);
            pmevent (1);
            mov.u32 %r, (1 + 2) * 3;
            mov.u32 %r, WARP_SZ;
            ret;
        }
    }

    /// Splices constants that have the names of parameters.
    #[kernel]
    pub fn named_like_parameters(COUNT: u32, scale: u32) {
        ptx! {
            let %r, %s: u32;
            ld.param.u32 %r, [COUNT];
            add.u32 %r, %r, #(COUNT);
            ld.param.u32 %s, [scale];
            add.u32 %s, %s, #(scale);
            ret;
        }
    }

    /// Labels and registers with the names of statements of other languages.
    #[kernel]
    pub fn words() {
        ptx! {
            .reg .b32 int, loop, break, match, float, double, return, auto;
            .reg .pred if_;
            mov.b32 int, 1;
            add.u32 loop, int, 1;
            mov.b32 break, loop;
            mov.b32 match, break;
            mov.b32 float, match;
            match.any.sync.b32 match, float, 0xffffffff;
            match.all.sync.b32 match|if_, float, 0xffffffff;
            setp.eq.u32 if_, int, 2;
        continue:
            do:
            switch:
            else:
            @if_ bra continue;
            goto: { add.u32 int, int, 1; }
            printf:
            unsigned: var: atomicAdd:
            @!if_ bra.uni END;
            while: { .reg .b32 z; mov.b32 z, 1; }
        END:
            ret;
        }
    }

    /// One name is a predicate in one scope, and a number in another.
    #[kernel]
    pub fn scopes() {
        ptx! {
            { .reg .pred %z; setp.eq.u32 %z, 1, 1; @%z ret; }
            { .reg .b32 %z; mov.b32 %z, 1; }
            { .reg .b32 %y<4>; mov.b32 %y1, 1; { .reg .pred %y<4>; setp.eq.u32 %y1, 1, 1; @%y1 ret; } }
            { let %p: bool; setp.eq.u32 %p, 1, 1; @!%p ret; }
            { let %q: [bool; 4]; setp.eq.u32 %q[2], 1, 1; for i in 0..2 { @%q[i + 2] ret; @%q[2] ret; } }
            ret;
        }
    }

    /// Vectors in all forms.
    #[kernel]
    pub fn vectors(src: Ptr<Global, V4<f32>>, wide: Ptr<Global, [B32; 8], U32>) {
        ptx! {
            .reg .v4 .f32 %v;
            .reg .v2 .b32 %w;
            .reg .b128 %q;
            let %at: Ptr<Global, V4<f32>>;
            let %any: u64;
            let %a, %b, %c, %d, %e, %f, %g, %h: f32;
            let %r: u32;
            lea.global.u64 %at, src;
            ld.global.v4.f32 %v, [%at];
            st.global.v4.f32 [%at], %v;
            ld.global.v4.f32 {%a, _, %b, _}, [%at];
            st.global.v4.f32 [%at], {%a, 0f00000000, %b, 1.5};
            mov.b32 %r, %v.x;
            ld.param.u64 %any, [wide];
            cvta.to.global.u64 %any, %any;
            ld.global.v2.b32 %w, [%any];
            ld.global.u32 %w.x, [%any];
            ld.global.b32 {%r}, [%any];
            ld.global.b128 %q, [%any];
            ld.global.v8.f32 {%a, %b, %c, %d, %e, %f, %g, %h}, [%any];
            st.global.v2.b32 [%any], {1, -2};
            atom.global.add.u32 _, [%any], 1;
            ret;
        }
    }

    /// Copies with sizes and sources in all forms.
    #[kernel]
    pub fn copies(src: Ptr<Global, f32, U16>) {
        ptx! {
            let %p: bool;
            let %n, %to: u32;
            let %from: [Ptr<Global, f32>; 2];
            for i in 0..2 {
                lea.global.u64 %from[i], src[4 * i];
            }
            lea.shared.u32 %to, match_[4];
            setp.eq.u32 %p, 1, 1;
            mov.u32 %n, 4;
            cp.async.ca.shared.global [%to], [%from[0]], 4;
            cp.async.ca.shared.global [%to], [%from[1]], 8, 4;
            cp.async.cg.shared.global [%to], [%from[0]], 16, %n;
            cp.async.cg.shared.global [%to], [%from[0]], 0x10, !%p;
            cp.async.ca.shared.global [match_], [%from[0]], (2 * 8);
            cp.async.cg.shared.global.L2::128B [match_ + 16], [%from[0]], #(COUNT * 4);
            cp.async.wait_all;
            ret;
        }
    }

    /// Numbers of PTX that Rust's lexer takes apart.
    #[kernel]
    pub fn numbers() {
        ptx! {
            let %r: u32;
            let %f: f32;
            let %d: f64;
            mov.u32 %r, 0x1F;
            mov.u32 %r, 0X1fU;
            mov.u32 %r, 0b101;
            mov.u32 %r, 0B101U;
            mov.u32 %r, 017;
            mov.u32 %r, 017U;
            mov.u32 %r, 10U;
            mov.u32 %r, -7;
            mov.f32 %f, 1.5;
            mov.f32 %f, 1.;
            mov.f32 %f, 1e5;
            mov.f32 %f, 1.5E+3;
            mov.f32 %f, -1.5e-3;
            mov.f32 %f, 0f3e800000;
            mov.f32 %f, 0F3f800000;
            mov.f64 %d, 0D3ff0000000000000;
            ret;
        }
    }

    /// A device function with a name of C.
    #[device]
    fn printf(x: Reg<u32>) {
        ptx! {
            add.u32 x, x, 1;
            ret;
        }
    }

    /// Calls it, and reads through a pointer to a type named like one of CUDA C++.
    #[kernel]
    pub fn calls(texture: Ptr<Global, Texture>) {
        ptx! {
            let %at: Ptr<Global, Texture>;
            let %r: u32;
            lea.global.u64 %at, texture;
            ld.global.u32 %r, [%at];
            call printf, (%r);
            ret;
        }
    }
}

fn main() {}
