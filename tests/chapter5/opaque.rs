//! 5.3, texture, sampler and surface types.

use ptx::AddressMode::ClampToBorder;
use ptx::FilterMode::Nearest;
use ptx::prelude::*;

use crate::{Example, check};

#[ptx::module(target = sm_80, texmode = independent)]
mod names {
    use super::*;

    #[global]
    static my_texture_name: TexRef;
    #[global]
    static my_sampler_name: SamplerRef;
    #[global]
    static my_surface_name: SurfRef;

    #[kernel]
    fn k(out: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %rd;
            .reg .f32 %f<4>;
            .reg .b32 %r;
            .reg .s32 %i;
            mov.s32 %i, 0;
            tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [my_texture_name, my_sampler_name, {%i}];
            suld.b.1d.b32.trap %r, [my_surface_name, {%i}];
            ld.param.u64 %rd, [out];
            st.global.f32 [%rd], %f0;
            st.global.b32 [%rd + 4], %r;
            ret;
        }
    }
}

#[ptx::module(target = sm_80, texmode = independent)]
mod initialised {
    use super::*;

    #[global]
    static tex1: TexRef;
    #[global]
    static tsamp1: SamplerRef = SamplerRef::new().addr_mode_0(ClampToBorder).filter_mode(Nearest);

    #[kernel]
    fn k(out: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %rd;
            .reg .f32 %f<4>;
            .reg .s32 %i;
            mov.s32 %i, 0;
            tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex1, tsamp1, {%i}];
            ld.param.u64 %rd, [out];
            st.global.f32 [%rd], %f0;
            ret;
        }
    }
}

#[test]
fn examples_of_5_3() {
    check(&[
        Example {
            place: "5.3, example 1",
            original: r"
.global .texref     my_texture_name;
.global .samplerref my_sampler_name;
.global .surfref    my_surface_name;
.entry k( .param .u64 .ptr.global.align 4 out )            //+
{                                                          //+
    .reg .b64 %rd;                                         //+
    .reg .f32 %f<4>;                                       //+
    .reg .b32 %r;                                          //+
    .reg .s32 %i;                                          //+
    mov.s32 %i, 0;                                         //+
    tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [my_texture_name, my_sampler_name, {%i}]; //+
    suld.b.1d.b32.trap %r, [my_surface_name, {%i}];        //+
    ld.param.u64 %rd, [out];                               //+
    st.global.f32 [%rd], %f0;                              //+
    st.global.b32 [%rd+4], %r;                             //+
    ret;                                                   //+
}                                                          //+
",
            ours: &names::MODULE,
            declares: &[
                ".global .texref my_texture_name;",
                ".global .samplerref my_sampler_name;",
                ".global .surfref my_surface_name;",
            ],
            sections: &[".text.k", ".nv.info.k"],
        },
        Example {
            place: "5.3, example 2",
            original: r"
.global .texref tex1;
.global .samplerref tsamp1 = { addr_mode_0 = clamp_to_border,
                               filter_mode = nearest
                             };
.entry k( .param .u64 .ptr.global.align 4 out )            //+
{                                                          //+
    .reg .b64 %rd;                                         //+
    .reg .f32 %f<4>;                                       //+
    .reg .s32 %i;                                          //+
    mov.s32 %i, 0;                                         //+
    tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [tex1, tsamp1, {%i}]; //+
    ld.param.u64 %rd, [out];                               //+
    st.global.f32 [%rd], %f0;                              //+
    ret;                                                   //+
}                                                          //+
",
            ours: &initialised::MODULE,
            declares: &[
                ".global .texref tex1;",
                ".global .samplerref tsamp1 = { addr_mode_0 = clamp_to_border, filter_mode = nearest };",
            ],
            sections: &[".text.k", ".nv.info.k"],
        },
    ]);
}
