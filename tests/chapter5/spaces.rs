//! 5.1, state spaces.

use ptx::prelude::*;

use crate::{Example, check, check_refused};

// The driver allocates constant buffers, and kernels take pointers to them.
#[ptx::module(target = sm_80)]
mod const_buffer {
    use super::*;

    #[kernel]
    fn k(const_buffer: Ptr<Const, B32>, out: Ptr<Global, B32>) {
        ptx! {
            .reg .b32 %r<2>;
            .reg .b64 %rd<2>;
            ld.param.u64 %rd0, [const_buffer];
            ld.param.u64 %rd1, [out];
            ld.const.b32 %r1, [%rd0 + 4];
            st.global.b32 [%rd1], %r1;
            ret;
        }
    }
}

// A bank's size is known, so it can be a module variable that the host fills.
#[ptx::module(target = sm_80)]
mod const_variable {
    use super::*;

    #[constant]
    pub static const_buffer: [B32; 16_384];

    #[kernel]
    fn k(out: Ptr<Global, B32>) {
        ptx! {
            .reg .b32 %r<2>;
            .reg .b64 %rd;
            ld.param.u64 %rd, [out];
            ld.const.b32 %r1, [const_buffer + 4];
            st.global.b32 [%rd], %r1;
            ret;
        }
    }
}

#[test]
fn examples_of_5_1_3_1() {
    // Our DSL's errors for the original text are in ui-tests.
    let gone = "'explicit constant banks' not supported as of PTX version 2.2";
    check_refused(
        "5.1.3.1, example 1",
        ".extern .const[2] .b32 const_buffer[];",
        &const_buffer::MODULE,
        gone,
    );
    check_refused(
        "5.1.3.1, example 2",
        r"
.extern .const[2] .b32 const_buffer[];
.entry k()                             //+
{                                      //+
    .reg .b32 %r1;                     //+
ld.const[2].b32  %r1, [const_buffer+4]; // load second word
    ret;                               //+
}                                      //+
",
        &const_buffer::MODULE,
        gone,
    );
    check(&[
        Example {
            place: "5.1.3.1, example 2: a buffer of the driver's",
            original: r"
.entry k(                                                    //+
    .param .u64 .ptr.const.align 4 const_buffer, // was: .extern .const[2] .b32 const_buffer[];
    .param .u64 .ptr.global.align 4 out                      //+
)                                                            //+
{                                                            //+
    .reg .b32 %r1;                                           //+
    .reg .b64 %rd<2>;                                        //+
    ld.param.u64 %rd0, [const_buffer];                       //+
    ld.param.u64 %rd1, [out];                                //+
    ld.const.b32 %r1, [%rd0+4]; // was: ld.const[2].b32  %r1, [const_buffer+4];
    st.global.b32 [%rd1], %r1;                               //+
    ret;                                                     //+
}                                                            //+
",
            ours: &const_buffer::MODULE,
            declares: &[".param .u64 .ptr .const .align 4 const_buffer,"],
            sections: &[".text.k", ".nv.info.k", ".nv.constant0.k"],
        },
        Example {
            place: "5.1.3.1, example 2: a variable",
            original: r"
.visible .const .b32 const_buffer[16384]; // was: .extern .const[2] .b32 const_buffer[];
.entry k( .param .u64 .ptr.global.align 4 out )              //+
{                                                            //+
    .reg .b32 %r1;                                           //+
    .reg .b64 %rd;                                           //+
    ld.param.u64 %rd, [out];                                 //+
    ld.const.b32 %r1, [const_buffer+4]; // was: ld.const[2].b32  %r1, [const_buffer+4];
    st.global.b32 [%rd], %r1;                                //+
    ret;                                                     //+
}                                                            //+
",
            ours: &const_variable::MODULE,
            declares: &[".visible .const .b32 const_buffer[16384];"],
            sections: &[".text.k", ".nv.constant3"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod values {
    use super::*;

    #[global]
    static sum: f64;

    #[kernel]
    fn foo(N: B32, #[align(8)] buffer: [B8; 64]) {
        ptx! {
            .reg .u32 %n;
            .reg .f64 %d;
            ld.param.u32 %n, [N];
            ld.param.f64 %d, [buffer];
            .reg .f64 %c;
            cvt.rn.f64.u32 %c, %n;
            add.f64 %d, %d, %c;
            st.global.f64 [sum], %d;
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod address_of_a_parameter {
    use super::*;

    #[global]
    static copy: u32;

    #[kernel]
    fn bar(len: B32) {
        ptx! {
            .reg .u64 %ptr;
            .reg .u32 %n;
            mov.u64 %ptr, len;
            ld.param.u32 %n, [%ptr];
            st.global.u32 [copy], %n;
            ret;
        }
    }
}

#[test]
fn examples_of_5_1_6_1() {
    check(&[
        Example {
            place: "5.1.6.1, example 1",
            original: r"
.global .f64 sum;                     //+
.entry foo ( .param .b32 N, .param .align 8 .b8 buffer[64] )
{
    .reg .u32 %n;
    .reg .f64 %d;

    ld.param.u32 %n, [N];
    ld.param.f64 %d, [buffer];
    .reg .f64 %c;                     //+
    cvt.rn.f64.u32 %c, %n;            //+
    add.f64 %d, %d, %c;               //+
    st.global.f64 [sum], %d;          //+
    ret;                              //+
}                                     //+
",
            ours: &values::MODULE,
            declares: &[".param .b32 N,", ".param .align 8 .b8 buffer[64]"],
            sections: &[".text.foo", ".nv.info.foo", ".nv.constant0.foo"],
        },
        Example {
            place: "5.1.6.1, example 2",
            original: r"
.global .u32 copy;                    //+
.entry bar ( .param .b32 len )
{
    .reg .u64 %ptr;                   // was: .reg .u32 %ptr, %n;
    .reg .u32 %n;                     //+

    mov.u64      %ptr, len;           // was: mov.u32      %ptr, len;
    ld.param.u32 %n, [%ptr];
    st.global.u32 [copy], %n;         //+
    ret;                              //+
}                                     //+
",
            ours: &address_of_a_parameter::MODULE,
            declares: &[".param .b32 len", "mov.u64 %ptr, len;", "ld.param.u32 %n, [%ptr];"],
            sections: &[".text.bar", ".nv.info.bar", ".nv.constant0.bar"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod pointers {
    use super::*;

    #[kernel]
    fn foo(
        param1: u32,
        param2: Ptr<Global, u32, U16>,
        param3: Ptr<Const, u32, U8>,
        param4: Ptr<Generic, u32, U16>,
    ) {
        ptx! {}
    }
}

#[ptx::module(target = sm_80)]
mod pointers_of_each_form {
    use super::*;

    #[kernel]
    fn k(
        a: Ptr<Const, u32, U16>,
        b: Ptr<Global, u32, U16>,
        c: Ptr<Local, u32, U16>,
        d: Ptr<Shared, u32, U16>,
        e: Ptr<Generic, u32, U16>,
    ) {
        ptx! {}
    }
}

#[test]
fn examples_of_5_1_6_3() {
    check(&[
        Example {
            place: "5.1.6.3, the syntax",
            original: r"
.entry k(                                   //+
    .param .u64 .ptr .const .align 16 a,    // was: .param .type .ptr .space .align N  varname
    .param .u64 .ptr .global .align 16 b,   //+
    .param .u64 .ptr .local .align 16 c,    //+
    .param .u64 .ptr .shared .align 16 d,   //+
    .param .u64 .ptr        .align 16  e    // was: .param .type .ptr        .align N  varname
)                                           //+
{                                           //+
}                                           //+
",
            ours: &pointers_of_each_form::MODULE,
            declares: &[
                ".param .u64 .ptr .const .align 16 a,",
                ".param .u64 .ptr .global .align 16 b,",
                ".param .u64 .ptr .local .align 16 c,",
                ".param .u64 .ptr .shared .align 16 d,",
                ".param .u64 .ptr .align 16 e",
            ],
            sections: &[".nv.info.k", ".nv.constant0.k"],
        },
        Example {
            place: "5.1.6.3, example 1",
            original: r"
.entry foo ( .param .u32 param1,
             .param .u64 .ptr.global.align 16 param2, // was: .param .u32 .ptr.global.align 16 param2,
             .param .u64 .ptr.const.align 8 param3, // was: .param .u32 .ptr.const.align 8 param3,
             .param .u64 .ptr.align 16 param4 // was: .param .u32 .ptr.align 16 param4  // generic address
) {}  // was: ) { .. }
",
            ours: &pointers::MODULE,
            declares: &[
                ".param .u32 param1,",
                ".param .u64 .ptr .global .align 16 param2,",
                ".param .u64 .ptr .const .align 8 param3,",
                ".param .u64 .ptr .align 16 param4",
            ],
            sections: &[".nv.info.foo", ".nv.constant0.foo"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod struct_by_value {
    use super::*;

    #[global]
    static sum: f64;

    #[device]
    fn foo(N: Reg<B32>, #[align(8)] buffer: [B8; 12]) {
        ptx! {
            .reg .f64 %d;
            .reg .s32 %y;
            ld.param.f64 %d, [buffer];
            ld.param.s32 %y, [buffer + 8];
            .reg .f64 %c;
            add.s32 %y, %y, N;
            cvt.rn.f64.s32 %c, %y;
            add.f64 %d, %d, %c;
            st.global.f64 [sum], %d;
            ret;
        }
    }

    #[kernel]
    fn k(a: f64, b: i32) {
        ptx! {
            .reg .f64 dbl;
            .reg .s32 x;
            .param .align 8 .b8 mystruct[12];
            ld.param.f64 dbl, [a];
            ld.param.s32 x, [b];
            st.param.f64 [mystruct + 0], dbl;
            st.param.s32 [mystruct + 8], x;
            call foo, (4, mystruct);
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod array_by_value {
    use super::*;

    #[device]
    fn foo(N: B32, buffer: [B32; 32]) {
        ptx! {
            .reg .u32 %n;
            .reg .u64 %r;
            .reg .f32 %f;
            .reg .pred %p;
            ld.param.u32 %n, [N];
            mov.u64 %r, buffer;
        Loop:
            setp.eq.u32 %p, %n, 0;
            @%p bra Done;
            ld.local.f32 %f, [%r];
            st.global.f32 [last], %f;
            add.u64 %r, %r, 4;
            sub.u32 %n, %n, 1;
            bra Loop;
        Done:
            ret;
        }
    }

    #[global]
    static last: f32;

    #[kernel]
    fn k(a: u32) {
        ptx! {
            .reg .b32 %n;
            .param .b32 buffer[32];
            ld.param.u32 %n, [a];
            st.param.b32 [buffer], %n;
            st.param.b32 [buffer + 28], 7;
            call foo, (%n, buffer);
            ret;
        }
    }
}

#[test]
fn examples_of_5_1_6_4() {
    check(&[
        Example {
            place: "5.1.6.4, example 1",
            original: r"
.global .f64 sum;                     //+
// pass object of type struct { double d; int y; };
.func foo ( .reg .b32 N, .param .align 8 .b8 buffer[12] )
{
    .reg .f64 %d;
    .reg .s32 %y;

    ld.param.f64 %d, [buffer];
    ld.param.s32 %y, [buffer+8];
    .reg .f64 %c;                     //+
    add.s32 %y, %y, N;                //+
    cvt.rn.f64.s32 %c, %y;            //+
    add.f64 %d, %d, %c;               //+
    st.global.f64 [sum], %d;          //+
    ret;                              //+
}

.entry k( .param .f64 a, .param .s32 b ) //+
{                                     //+
// code snippet from the caller
// struct { double d; int y; } mystruct; is flattened, passed to foo
    .reg .f64 dbl;
    .reg .s32 x;
    .param .align 8 .b8 mystruct[12]; // was: .param .align 8 .b8 mystruct;
    ld.param.f64 dbl, [a];            //+
    ld.param.s32 x, [b];              //+
    st.param.f64 [mystruct+0], dbl;
    st.param.s32 [mystruct+8], x;
    call foo, (4, mystruct);
    ret;                              //+
}                                     //+
",
            ours: &struct_by_value::MODULE,
            declares: &[
                ".func foo(.reg .b32 N, .param .align 8 .b8 buffer[12])",
                ".param .align 8 .b8 mystruct[12];",
                "call foo, (4, mystruct);",
            ],
            sections: &[".text.k", ".nv.info.k", ".nv.constant0.k"],
        },
        Example {
            place: "5.1.6.4, example 2",
            original: r"
.global .f32 last;                    //+
// pass array of up to eight floating-point values in buffer
.func foo ( .param .b32 N, .param .b32 buffer[32] )
{
    .reg .u32 %n;                     // was: .reg .u32  %n, %r;
    .reg .u64 %r;                     //+
    .reg .f32  %f;
    .reg .pred %p;

    ld.param.u32 %n, [N];
    mov.u64 %r, buffer;               // was: mov.u32      %r, buffer;  // forces buffer to .local state space
Loop:
    setp.eq.u32  %p, %n, 0;
@%p bra         Done;
    ld.local.f32 %f, [%r];
    st.global.f32 [last], %f;         //+
    add.u64 %r, %r, 4;                // was: add.u32      %r, %r, 4;
    sub.u32      %n, %n, 1;
    bra          Loop;
Done:
    ret;                              //+
}
.entry k( .param .u32 a )             //+
{                                     //+
    .reg .b32 %n;                     //+
    .param .b32 buffer[32];           //+
    ld.param.u32 %n, [a];             //+
    st.param.b32 [buffer], %n;        //+
    st.param.b32 [buffer+28], 7;      //+
    call foo, (%n, buffer);           //+
    ret;                              //+
}                                     //+
",
            ours: &array_by_value::MODULE,
            declares: &[".func foo(.param .b32 N, .param .b32 buffer[32])", "mov.u64 %r, buffer;"],
            sections: &[".text.k", ".nv.info.k", ".nv.constant0.k"],
        },
    ]);
}

/// A kernel that reads a texture of the module.
macro_rules! texture {
    ($module:ident, $name:ident) => {
        #[ptx::module(target = sm_80)]
        mod $module {
            use super::*;

            #[global]
            static $name: TexRef;

            #[kernel]
            fn k(out: Ptr<Global, f32>) {
                ptx! {
                    .reg .b64 %rd;
                    .reg .f32 %f<4>;
                    .reg .s32 %i;
                    mov.s32 %i, 0;
                    tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [$name, {%i}];
                    ld.param.u64 %rd, [out];
                    st.global.f32 [%rd], %f0;
                    ret;
                }
            }
        }
    };
}

texture!(legacy_a, tex_a);
texture!(legacy_c, tex_c);
texture!(legacy_d, tex_d);
texture!(legacy_f, tex_f);

#[test]
fn examples_of_5_1_8() {
    let original = |declaration: &str, name: &str| {
        format!(
            r"
{declaration}
.entry k( .param .u64 .ptr.global.align 4 out )          //+
{{                                                       //+
    .reg .b64 %rd;                                       //+
    .reg .f32 %f<4>;                                     //+
    .reg .s32 %i;                                        //+
    mov.s32 %i, 0;                                       //+
    tex.1d.v4.f32.s32 {{%f0, %f1, %f2, %f3}}, [{name}, {{%i}}]; //+
    ld.param.u64 %rd, [out];                             //+
    st.global.f32 [%rd], %f0;                            //+
    ret;                                                 //+
}}                                                       //+
"
        )
    };
    for (place, legacy, name, ours) in [
        ("5.1.8, example 1", ".tex .u32 tex_a;", "tex_a", &legacy_a::MODULE),
        ("5.1.8, example 1", ".tex .u32 tex_c, tex_d;", "tex_c", &legacy_c::MODULE),
        ("5.1.8, example 1", ".tex .u32 tex_d;", "tex_d", &legacy_d::MODULE),
        ("5.1.8, example 1", ".tex .u32 tex_f;", "tex_f", &legacy_f::MODULE),
        ("5.1.8, example 2", ".tex .u32 tex_a;", "tex_a", &legacy_a::MODULE),
    ] {
        // Our DSL's errors for the original text are in ui-tests.
        let gone = "'.tex' not supported as of PTX version 1.5";
        check_refused(place, &original(legacy, name), ours, gone);
        // Example 3 gives the modern form of each.
        let declaration = format!(".global .texref {name};");
        check(&[Example {
            place: "5.1.8, example 3",
            original: &original(&declaration, name),
            ours,
            declares: &[&declaration],
            sections: &[".text.k", ".nv.info.k"],
        }]);
    }
}
