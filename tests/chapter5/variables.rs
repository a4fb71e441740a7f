//! 5.4.1 to 5.4.3, 5.4.5 and 5.4.6: variables, vectors, arrays, alignment, many names.
//!
//! Module variables in `.global` and `.const` are in the cubin whether or not a kernel uses them, so the
//! header is enough to complete them.

use ptx::prelude::*;

use crate::{Example, check};

#[ptx::module(target = sm_80)]
mod loc {
    #[global]
    static loc: u32;
}

#[ptx::module(target = sm_80)]
mod bias {
    #[constant]
    static bias: [f32; _] = [-1.0, 1.0];
}

#[ptx::module(target = sm_80)]
mod bg {
    #[global]
    static bg: [u8; 4] = [0, 0, 0, 0];
}

#[ptx::module(target = sm_80)]
mod registers {
    use super::*;

    #[kernel]
    fn k(data: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .s32 i;
            .reg .v4 .f32 accel;
            .reg .pred p, q, r;
            .reg .b64 %rd;
            ld.param.u64 %rd, [data];
            mov.u32 i, %tid.x;
            ld.global.v4.f32 accel, [%rd];
            setp.lt.s32 p, i, 7;
            setp.gt.f32 q, accel.x, accel.w;
            and.pred r, p, q;
            @r st.global.v4.f32 [%rd], {accel.y, accel.x, accel.w, accel.z};
            ret;
        }
    }
}

#[test]
fn examples_of_5_4_1() {
    check(&[
        Example {
            place: "5.4.1, example 1: loc",
            original: ".global .u32 loc;",
            ours: &loc::MODULE,
            declares: &[".global .u32 loc;"],
            sections: &[".nv.global"],
        },
        Example {
            place: "5.4.1, example 1: bias",
            original: ".const  .f32 bias[] = {-1.0, 1.0};",
            ours: &bias::MODULE,
            declares: &[".const .f32 bias[2] = {0fBF800000, 0f3F800000};"],
            sections: &[".nv.constant3"],
        },
        Example {
            place: "5.4.1, example 1: bg",
            original: ".global .u8  bg[4] = {0, 0, 0, 0};",
            ours: &bg::MODULE,
            declares: &[".global .u8 bg[4] = {0};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.1, example 1: i, accel, p, q, r",
            original: r"
.entry k( .param .u64 .ptr.global.align 16 data )       //+
{                                                       //+
    .reg    .s32 i;
    .reg    .v4 .f32 accel;
    .reg    .pred p, q, r;
    .reg .b64 %rd;                                      //+
    ld.param.u64 %rd, [data];                           //+
    mov.u32 i, %tid.x;                                  //+
    ld.global.v4.f32 accel, [%rd];                      //+
    setp.lt.s32 p, i, 7;                                //+
    setp.gt.f32 q, accel.x, accel.w;                    //+
    and.pred r, p, q;                                   //+
    @r st.global.v4.f32 [%rd], {accel.y, accel.x, accel.w, accel.z}; //+
    ret;                                                //+
}                                                       //+
",
            ours: &registers::MODULE,
            declares: &[".reg .s32 i;", ".reg .v4 .f32 accel;", ".reg .pred p, q, r;"],
            sections: &[".text.k"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod of_floats {
    use super::*;

    #[global]
    static V: V4<f32>;
}

#[ptx::module(target = sm_80)]
mod of_halfwords {
    use super::*;

    #[shared]
    static uv: V2<u16>;

    #[kernel]
    fn k() {
        ptx! {
            st.shared.v2.u16 [uv], {3, 4};
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod of_bytes {
    use super::*;

    #[global]
    static v: V4<B8>;
}

#[test]
fn examples_of_5_4_2() {
    check(&[
        Example {
            place: "5.4.2, example 1: V",
            original: ".global .v4 .f32 V;   // a length-4 vector of floats",
            ours: &of_floats::MODULE,
            declares: &[".global .v4 .f32 V;"],
            sections: &[".nv.global"],
        },
        Example {
            place: "5.4.2, example 1: uv",
            original: r"
.shared .v2 .u16 uv;  // a length-2 vector of unsigned ints
.entry k() { st.shared.v2.u16 [uv], {3, 4}; ret; }      //+
",
            ours: &of_halfwords::MODULE,
            declares: &[".shared .v2 .u16 uv;"],
            sections: &[".nv.shared.k", ".text.k"],
        },
        Example {
            place: "5.4.2, example 1: v",
            original: ".global .v4 .b8  v;   // a length-4 vector of bytes",
            ours: &of_bytes::MODULE,
            declares: &[".global .v4 .b8 v;"],
            sections: &[".nv.global"],
        },
    ]);
}

#[ptx::module(target = sm_80)]
mod local_array {
    #[kernel]
    fn k(n: u64) {
        ptx! {
            .local .u16 kernel[19][19];
            .reg .b64 %rd<2>;
            .reg .b16 %h;
            ld.param.u64 %rd0, [n];
            mov.u64 %rd1, kernel;
            add.u64 %rd1, %rd1, %rd0;
            st.local.u16 [kernel], 5;
            st.local.u16 [kernel + 720], 7;
            ld.local.u16 %h, [%rd1];
            st.global.u16 [%rd0], %h;
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod shared_array {
    #[shared]
    static mailbox: [u8; 128];

    #[kernel]
    fn k() {
        ptx! {
            st.shared.u8 [mailbox + 127], 1;
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod index {
    #[global]
    static index: [u32; _] = [0, 1, 2, 3, 4, 5, 6, 7];
}

#[ptx::module(target = sm_80)]
mod offset {
    #[global]
    static offset: [[i32; 2]; _] = [[-1, 0], [0, -1], [1, 0], [0, 1]];
}

#[test]
fn examples_of_5_4_3() {
    check(&[
        Example {
            place: "5.4.3, example 1: kernel",
            original: r"
.entry k( .param .u64 n )                               //+
{                                                       //+
    .local  .u16 kernel[19][19];
    .reg .b64 %rd<2>;                                   //+
    .reg .b16 %h;                                       //+
    ld.param.u64 %rd0, [n];                             //+
    mov.u64 %rd1, kernel;                               //+
    add.u64 %rd1, %rd1, %rd0;                           //+
    st.local.u16 [kernel], 5;                           //+
    st.local.u16 [kernel+720], 7;                       //+
    ld.local.u16 %h, [%rd1];                            //+
    st.global.u16 [%rd0], %h;                           //+
    ret;                                                //+
}                                                       //+
",
            ours: &local_array::MODULE,
            declares: &[".local .u16 kernel[19][19];"],
            sections: &[".text.k", ".nv.info"],
        },
        Example {
            place: "5.4.3, example 1: mailbox",
            original: r"
.shared .u8  mailbox[128];
.entry k() { st.shared.u8 [mailbox+127], 1; ret; }      //+
",
            ours: &shared_array::MODULE,
            declares: &[".shared .u8 mailbox[128];"],
            sections: &[".nv.shared.k", ".text.k"],
        },
        Example {
            place: "5.4.3, example 2: index",
            original: ".global .u32 index[] = { 0, 1, 2, 3, 4, 5, 6, 7 };",
            ours: &index::MODULE,
            declares: &[".global .u32 index[8] = {0, 1, 2, 3, 4, 5, 6, 7};"],
            sections: &[".nv.global.init"],
        },
        Example {
            place: "5.4.3, example 2: offset",
            original: ".global .s32 offset[][2] = { {-1, 0}, {0, -1}, {1, 0}, {0, 1} };",
            ours: &offset::MODULE,
            declares: &[".global .s32 offset[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};"],
            sections: &[".nv.global.init"],
        },
    ]);
    // 19*19 halfwords take 722 bytes of the stack, as the chapter states.
    for ptxas in xtask::oracles() {
        let report = ptxas.assemble(&local_array::MODULE).expect("ptxas accepts it").report;
        let stack = report.kernel("k").expect("the report has the kernel").stack_bytes;
        assert_eq!(stack, 722_usize.next_multiple_of(8));
    }
}

#[ptx::module(target = sm_80)]
mod aligned {
    use super::*;

    #[constant(align = 4)]
    static bar: [B8; 8] = [B8(0), B8(0), B8(0), B8(0), B8(2), B8(0), B8(0), B8(0)];
}

#[test]
fn examples_of_5_4_5() {
    check(&[Example {
        place: "5.4.5, example 1",
        original: r"
 // allocate array at 4-byte aligned address.  Elements are bytes.
.const .align 4 .b8 bar[8] = {0,0,0,0,2,0,0,0};
",
        ours: &aligned::MODULE,
        declares: &[".const .align 4 .b8 bar[8] = {0, 0, 0, 0, 2};"],
        sections: &[".nv.constant3"],
    }]);
}

#[ptx::module(target = sm_80)]
mod many_registers {
    use super::*;

    #[kernel]
    fn k(data: Ptr<Global, B32>) {
        ptx! {
            .reg .b32 %r<100>;
            .reg .b64 %rd;
            ld.param.u64 %rd, [data];
            ld.global.b32 %r0, [%rd];
            ld.global.b32 %r99, [%rd + 4];
            st.global.b32 [%rd], %r99;
            st.global.b32 [%rd + 4], %r0;
            ret;
        }
    }
}

// "This shorthand syntax may be used with any of the fundamental types and with any state space".
#[ptx::module(target = sm_80)]
mod many_variables {
    use super::*;

    #[shared(align = 8)]
    static tile: Family<B32, 100>;

    #[kernel]
    fn k() {
        ptx! {
            st.shared.b32 [tile0], 1;
            st.shared.b32 [tile99], 2;
            ret;
        }
    }
}

#[test]
fn examples_of_5_4_6() {
    check(&[
        Example {
            place: "5.4.6, example 1",
            original: r"
.entry k( .param .u64 .ptr.global.align 4 data )        //+
{                                                       //+
.reg .b32 %r<100>;    // declare %r0, %r1, ..., %r99
    .reg .b64 %rd;                                      //+
    ld.param.u64 %rd, [data];                           //+
    ld.global.b32 %r0, [%rd];                           //+
    ld.global.b32 %r99, [%rd+4];                        //+
    st.global.b32 [%rd], %r99;                          //+
    st.global.b32 [%rd+4], %r0;                         //+
    ret;                                                //+
}                                                       //+
",
            ours: &many_registers::MODULE,
            declares: &[".reg .b32 %r<100>;"],
            sections: &[".text.k"],
        },
        Example {
            place: "5.4.6, the text: in another space, and aligned",
            original: r"
.shared .align 8 .b32 tile<100>;                        //+
.entry k()                                              //+
{                                                       //+
    st.shared.b32 [tile0], 1;                           //+
    st.shared.b32 [tile99], 2;                          //+
    ret;                                                //+
}                                                       //+
",
            ours: &many_variables::MODULE,
            declares: &[".shared .align 8 .b32 tile<100>;"],
            sections: &[".nv.shared.k", ".text.k"],
        },
    ]);
}
