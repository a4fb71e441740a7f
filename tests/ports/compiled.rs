//! In the style of nvcc and Triton: unknown alignments, narrow parameters, tests of alignment, loops that are
//! unrolled further than any block needs, functions that do not return.

#![allow(non_upper_case_globals)] // as compilers name them

use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
pub mod nvcc {
    use super::*;

    // nvcc leaves `.visible` off every `__constant__` and `__managed__`.
    #[constant(align = 4)]
    static taps: [B8; 68];
    #[global(managed, align = 4)]
    static counter: u32;
    #[shared(dynamic, align = 16)]
    static dyn_mem: [B8];

    /// `void copy(float* d, const float* s, char flag, short step, bool last)`
    #[kernel]
    pub fn copy(
        copy_param_0: Ptr<Global, B8, U1>,
        copy_param_1: Ptr<Global, B8, U1>,
        copy_param_2: B32,
        copy_param_3: B32,
        copy_param_4: B32,
    ) {
        ptx! {
            .reg .pred %p<4>;
            .reg .b16 %rs<4>;
            .reg .b32 %r<8>;
            .reg .b64 %rd<8>;
            .reg .f32 %f<5>;
            ld.param.u64 %rd1, [copy_param_0];
            ld.param.u64 %rd2, [copy_param_1];
            ld.param.s8 %rs1, [copy_param_2];
            ld.param.u16 %rs2, [copy_param_3];
            ld.param.s8 %rs3, [copy_param_4];
            mov.u32 %r1, %tid.x;
            mul.wide.u32 %rd3, %r1, 16;
            add.s64 %rd4, %rd2, %rd3;
            ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];
            add.s64 %rd5, %rd1, %rd3;
            st.global.v4.f32 [%rd5 + 4], {%f1, %f2, %f3, %f4};
            ld.const.f32 %f1, [taps + 64];
            st.global.u32 [counter], %r1;
            ret;
        }
    }

    /// The vector path where both pointers are aligned: `((d | s) & 15) == 0`.
    #[kernel]
    pub fn copy_if(to: Ptr<Global, f32>, from: Ptr<Global, f32>, n: u32) {
        ptx! {
            .reg .pred %p<6>;
            .reg .b16 %rs<4>;
            .reg .b32 %r<12>;
            .reg .b64 %rd<16>;
            .reg .f32 %f<5>;
            ld.param.u64 %rd1, [to];
            ld.param.u64 %rd2, [from];
            cvta.to.global.u64 %rd3, %rd1;
            cvta.to.global.u64 %rd4, %rd2;
            or.b64 %rd5, %rd1, %rd2;
            and.b64 %rd6, %rd5, 15;
            setp.ne.s64 %p1, %rd6, 0;
            @%p1 bra $L__BB1_2;
            mov.u32 %r1, %tid.x;
            mul.wide.u32 %rd7, %r1, 16;
            add.s64 %rd8, %rd4, %rd7;
            ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd8];
            add.s64 %rd9, %rd3, %rd7;
            st.global.v4.f32 [%rd9 + 16], {%f1, %f2, %f3, %f4};
            ret;
        $L__BB1_2:
            // The low half is enough, and a flag is derived from it.
            cvt.u32.u64 %r2, %rd1;
            and.b32 %r3, %r2, 7;
            setp.eq.s32 %p2, %r3, 0;
            selp.u16 %rs1, 1, 0, %p2;
            ld.param.u32 %r4, [n];
            setp.lt.u32 %p3, %r4, 2;
            @%p3 bra $L__BB1_4;
            setp.ne.s16 %p4, %rs1, 0;
            @%p4 st.global.v2.f32 [%rd3 + 8], {%f1, %f2};
            and.pred %p5, %p2, %p4;
            @!%p5 bra $L__BB1_4;
            st.global.v2.f32 [%rd3], {%f1, %f2};
        $L__BB1_4:
            ret;
        }
    }

    /// nvcc tests only the bits that the declaration does not fix.
    #[kernel]
    pub fn shared_if() {
        ptx! {
            .reg .pred %p<4>;
            .reg .b32 %r<8>;
            .reg .b64 %rd<4>;
            .reg .f32 %f<5>;
            .shared .align 4 .b8 st[520];
            mov.u32 %r1, st;
            add.s32 %r2, %r1, 8;
            and.b32 %r3, %r2, 12;
            setp.ne.s32 %p1, %r3, 0;
            @%p1 bra $L__BB2_2;
            ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [st + 8];
            bra.uni $L__BB2_3;
        $L__BB2_2:
            ld.shared.f32 %f1, [st + 8];
        $L__BB2_3:
            mov.u32 %r4, dyn_mem;
            cvt.u64.u32 %rd1, %r4;
            cvta.shared.u64 %rd2, %rd1;
            and.b64 %rd3, %rd2, 127;
            setp.eq.s64 %p2, %rd3, 0;
            @%p2 ld.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];
            st.shared.f32 [st], %f1;
            ret;
        }
    }

    /// A loop over an array, unrolled further than a block of 512 reaches.
    #[kernel(reqntid = 512)]
    pub fn strided() {
        ptx! {
            .reg .pred %p<4>;
            .reg .b32 %r<8>;
            .shared .align 4 .b8 sums[8];
            .local .align 4 .b8 mine[60];
            mov.u32 %r1, %tid.x;
            mov.u32 %r2, %ntid.x;
            st.local.u32 [mine + 56], %r1;
            mad.lo.s32 %r3, %r2, 15, %r1;
            setp.gt.u32 %p1, %r3, 7679;
            @%p1 bra $L__BB3_2;
            st.local.u32 [mine + 60], %r1;
        $L__BB3_2:
            setp.lt.u32 %p2, %r2, 512;
            @%p2 st.shared.u32 [sums + 8], %r1;
            mov.pred %p3, 0;
            @%p3 st.shared.u32 [sums + 12], %r1;
            bra.uni $L__BB3_4;
            st.shared.u32 [sums + 16], %r1;
        $L__BB3_4:
            trap;
            st.shared.u32 [sums + 20], %r1;
        }
    }

    /// `struct R { double a, b, c; }; R f();`
    #[device(returns(#[align(16)] func_retval0))]
    fn aggregate() -> [B8; 24] {
        ptx! {
            .reg .f64 %fd<3>;
            mov.f64 %fd1, 0d3FF0000000000000;
            st.param.v2.f64 [func_retval0], {%fd1, %fd1};
            st.param.f64 [func_retval0 + 16], %fd1;
            ret;
        }
    }

    #[device(extern, noreturn)]
    fn __assertfail(message: B64, file: B64, line: B32, function: B64, size: B64);

    #[device(noreturn)]
    fn fails(code: B32) {
        ptx! {
            /// A function that does not return ends the thread.
            trap;
        }
    }

    #[device(returns(func_retval0))]
    fn sum_of(count: B32, #[align(8)] va: [B8]) -> B32 {
        ptx! {
            .reg .b32 %r<3>;
            ld.param.u32 %r1, [va];
            ld.param.u32 %r2, [va + 8];
            add.s32 %r1, %r1, %r2;
            st.param.b32 [func_retval0], %r1;
            ret;
        }
    }

    /// nvcc writes `.explicitcluster` with every `__cluster_dims__`.
    #[kernel(explicitcluster, reqnctapercluster = 2)]
    pub fn calls(out: Ptr<Global, B8, U1>) {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            .reg .f64 %fd<4>;
            ld.param.u64 %rd1, [out];
            { //! a call
                .param .align 16 .b8 retval0[24];
                call.uni (retval0), aggregate, ();
                ld.param.v2.f64 {%fd1, %fd2}, [retval0];
                ld.param.f64 %fd3, [retval0 + 16];
            }
            st.global.f64 [%rd1], %fd3;
            {
                .param .b32 param0;
                st.param.b32 [param0], 2;
                .param .align 8 .b8 param1[16];
                st.param.b32 [param1], 40;
                st.param.b32 [param1 + 8], 2;
                .param .b32 retval0;
                call.uni (retval0), sum_of, (param0, param1);
                ld.param.b32 %r1, [retval0];
            }
            setp.eq.s32 %p1, %r1, 42;
            @%p1 bra $L__BB5_2;
            {
                .param .b32 param0;
                st.param.b32 [param0], %r1;
                call.uni fails, (param0);
            }
        $L__BB5_2:
            ret;
        }
    }

    /// Variables that are intentionally declared with too little alignment.
    #[kernel(allow(D006))]
    pub fn packed(word: u32) {
        ptx! {
            .reg .b16 %rs<2>;
            .reg .b32 %r<2>;
            .shared .align 1 .b32 of_the_kernel;
            #[allow(A022)]
            .shared .align 2 .b8 halves[64];
            .shared .f32 most;
            // A double that is set to zero, in nvcc's form.
            .shared .align 8 .f64 sum;
            .reg .b64 %rd<2>;
            mov.b64 %rd1, 0;
            st.shared.u64 [sum], %rd1;
            mov.b32 %r1, 0;
            st.shared.b32 [halves + 4], %r1;
            st.shared.u32 [most], %r1;
            atom.shared.max.s32 %r1, [most], %r1;
            ld.param.u16 %rs1, [word];
            ret;
        }
    }

    #[kernel]
    pub fn packed_statement() {
        ptx! {
            #[allow(D006)]
            .shared .align 1 .b32 of_the_statement;
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
pub mod triton {
    use super::*;

    #[shared(dynamic, align = 128)]
    static global_smem: [B8];

    /// Triton writes `.align 1` for every pointer, and uses the alignment that it knows in the accesses.
    #[kernel(reqntid = 128)]
    pub fn add_kernel(
        x_ptr: Ptr<Global, B8, U1>,
        y_ptr: Ptr<Global, B8, U1>,
        n: B32,
        scratch: Ptr<Global, B8, U1>,
    ) {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<16>;
            .reg .b64 %rd<8>;
            ld.param.b64 %rd1, [x_ptr];
            ld.param.b64 %rd2, [y_ptr];
            ld.param.b32 %r1, [n];
            mov.u32 %r2, %tid.x;
            shl.b32 %r3, %r2, 2;
            setp.lt.s32 %p1, %r3, %r1;
            mad.wide.s32 %rd3, %r3, 4, %rd1;
            mov.u32 %r4, 0x0;
            mov.u32 %r5, 0x0;
            mov.u32 %r6, 0x0;
            mov.u32 %r7, 0x0;
            @%p1 ld.global.v4.b32 { %r4, %r5, %r6, %r7 }, [ %rd3 + 0 ];
            shl.b32 %r8, %r2, 4;
            mov.b32 %r9, global_smem;
            add.s32 %r10, %r9, %r8;
            st.shared.v4.b32 [%r10], {%r4, %r5, %r6, %r7};
            bar.sync 0;
            mad.wide.s32 %rd4, %r3, 4, %rd2;
            @%p1 st.global.v4.b32 [ %rd4 + 0 ], { %r4, %r5, %r6, %r7 };
            ret;
        }
    }
}

// Symbols that only the linker resolves: with `-rdc=true`, for dynamic parallelism.
#[ptx::module(target = sm_80)]
pub mod linked {
    use super::*;

    #[kernel(extern)]
    fn child(data: Ptr<Generic, B8, U1>, n: u32);
    #[device(extern, noreturn)]
    fn fails(code: B32);

    #[kernel]
    pub fn parent(out: Ptr<Global, B8, U1>) {
        ptx! {
            .reg .b64 %rd<3>;
            ld.param.u64 %rd1, [out];
            mov.u64 %rd2, child;
            st.global.u64 [%rd1 + 8], %rd2;
            {
                .param .b32 param0;
                st.param.b32 [param0], 1;
                call.uni fails, (param0);
            }
            ret;
        }
    }
}

// A function that returns several values disables the ABI, and then narrow values can be passed.
#[ptx::module(target = sm_80)]
pub mod several {
    #[device(returns(found, at))]
    fn find(byte: Reg<u16>) -> (Reg<ptx::Pred>, Reg<u32>) {
        ptx! {
            setp.eq.u16 found, byte, 0;
            mov.u32 at, 1;
            ret;
        }
    }

    #[device]
    fn scale(x: Reg<f32>, y: Reg<f32>) -> Reg<f32> {
        ptx! { mul.f32 returned, x, y; ret; }
    }

    const COUNT: usize = 4;

    #[kernel]
    pub fn k() {
        ptx! {
            .reg .pred %p<2>;
            .reg .b16 %h;
            .reg .b32 %r<2>;
            .reg .f32 %f<#(COUNT)>;
            mov.u16 %h, 7;
            call (%p1, %r1), find, (%h);
            call (%f3), scale, (%f1, %f2);
            ret;
        }
    }
}

// PTX's own indexing of arrays (6.4.2): it counts the elements that the text declares.
#[ptx::module(target = sm_80)]
pub mod indexed {
    use super::*;

    #[shared(align = 16)]
    static ROW: [f32; 64];
    #[shared(align = 16)]
    static PIXELS: [V4<f32>; 8];
    #[shared(dynamic, align = 16)]
    static BYTES: [f32];
    #[shared]
    static FULL: [Mbarrier; 4];
    #[constant]
    static TAPS: [f32; 4] = [0.25; 4];

    #[kernel]
    pub fn k(weights: [f32; 4]) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %d<4>;
            .reg .f32 %f<8>;
            .local .f32 own[4];
            mov.u32 %r0, %tid.x;
            mov.f32 %f7, 0f00000000;
            st.local.f32 own[3], %f7;
            st.shared.v2.f32 ROW[62], {%f7, %f7};
            ld.shared.f32 %f0, ROW[3];
            add.f32 %f7, %f7, %f0;
            ld.shared.f32 %f0, ROW[%r0];
            add.f32 %f7, %f7, %f0;
            ld.shared.f32 %f0, ROW[%r0 + 1];
            add.f32 %f7, %f7, %f0;
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, PIXELS[28];
            add.f32 %f7, %f7, %f3;
            ld.shared.f32 %f0, BYTES[4];
            add.f32 %f7, %f7, %f0;
            ld.const.f32 %f0, TAPS[3];
            add.f32 %f7, %f7, %f0;
            ld.param.f32 %f0, weights[3];
            add.f32 %f7, %f7, %f0;
            ld.local.f32 %f0, own[3];
            add.f32 %f7, %f7, %f0;
            mov.u32 %r1, ROW[4];
            ld.shared.v4.f32 {%f0, %f1, %f2, %f3}, [%r1 + 16];
            add.f32 %f7, %f7, %f3;
            mov.u32 %r2, ROW[%r0];
            ld.shared.f32 %f0, [%r2];
            add.f32 %f7, %f7, %f0;
            cvta.shared.u64 %d0, ROW[1];
            ld.f32 %f0, [%d0];
            add.f32 %f7, %f7, %f0;
            mov.u32 %r3, FULL[3];
            mbarrier.init.shared.b64 [%r3], 1;
            st.shared.f32 [ROW], %f7;
            ret;
        }
    }
}
