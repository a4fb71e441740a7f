//! 5.4.8, attributes.

use ptx::prelude::*;

use crate::{Example, check};

#[ptx::module(target = sm_80)]
mod managed_g {
    #[global(managed)]
    static g: i32;

    #[kernel]
    fn k() {
        ptx! {
            st.global.s32 [g], 1;
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod managed_x {
    #[global(managed)]
    static x: u64;

    #[kernel]
    fn k() {
        ptx! {
            st.global.u64 [x], 1;
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
mod unified_f {
    use super::*;

    #[global(unified(19, 95))]
    static f: f32;

    #[kernel]
    fn k(out: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %rd;
            .reg .f32 %f;
            ld.param.u64 %rd, [out];
            ld.global.f32 %f, [f].unified;
            st.global.f32 [%rd], %f;
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
mod unified_bar {
    #[device(unified(0xAB, 0xCD))]
    fn bar() {
        ptx! { ret; }
    }

    #[kernel]
    fn k() {
        ptx! {
            call bar;
            ret;
        }
    }
}

#[test]
fn examples_of_5_4_8() {
    check(&[
        Example {
            place: "5.4.8, example 1: g",
            original: r"
.global .attribute(.managed) .s32 g;
.entry k() { st.global.s32 [g], 1; ret; } //+
",
            ours: &managed_g::MODULE,
            declares: &[".global .attribute(.managed) .s32 g;"],
            sections: &[".text.k"],
        },
        Example {
            place: "5.4.8, example 1: x",
            original: r"
.global .attribute(.managed) .u64 x;
.entry k() { st.global.u64 [x], 1; ret; } //+
",
            ours: &managed_x::MODULE,
            declares: &[".global .attribute(.managed) .u64 x;"],
            sections: &[".text.k"],
        },
        Example {
            place: "5.4.8, example 1: f",
            original: r"
.global .attribute(.unified(19,95)) .f32 f;
.entry k( .param .u64 .ptr.global.align 4 out ) //+
{                                           //+
    .reg .b64 %rd;                          //+
    .reg .f32 %f;                           //+
    ld.param.u64 %rd, [out];                //+
    ld.global.f32 %f, [f].unified;          //+
    st.global.f32 [%rd], %f;                //+
    ret;                                    //+
}                                           //+
",
            ours: &unified_f::MODULE,
            declares: &[
                ".global .attribute(.unified(0x0000000000000013, 0x000000000000005F)) .f32 f;",
            ],
            sections: &[".text.k"],
        },
        Example {
            place: "5.4.8, example 1: bar",
            original: r"
.func .attribute(.unified(0xAB, 0xCD)) bar() { ret; } // was: .func .attribute(.unified(0xAB, 0xCD)) bar() { ... }
.entry k() { call bar; ret; } //+
",
            ours: &unified_bar::MODULE,
            declares: &[".func .attribute(.unified(0x00000000000000AB, 0x00000000000000CD)) bar()"],
            sections: &[".text.k", ".text.bar"],
        },
    ]);
}
