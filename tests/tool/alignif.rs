use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 9.0)]
pub mod alignif {
    use super::*;

    #[global]
    static blob: [B8; 1000];

    #[shared(dynamic, align = 16)]
    static r#dyn: [B8];

    #[kernel]
    pub fn _Z7copy_ifPcPKcm(
        _Z7copy_ifPcPKcm_param_0: u64,
        _Z7copy_ifPcPKcm_param_1: u64,
        _Z7copy_ifPcPKcm_param_2: u64,
    ) {
        ptx! {
            .reg .pred %p<9>;
            .reg .b16 %rs<2>;
            .reg .b32 %r<14>;
            .reg .b64 %rd<32>;

            ld.param.u64 %rd17, [_Z7copy_ifPcPKcm_param_0];
            ld.param.u64 %rd18, [_Z7copy_ifPcPKcm_param_1];
            ld.param.u64 %rd16, [_Z7copy_ifPcPKcm_param_2];
            cvta.to.global.u64 %rd1, %rd17;
            cvta.to.global.u64 %rd2, %rd18;
            mov.u32 %r1, %tid.x;
            cvt.u64.u32 %rd29, %r1;
            or.b64 %rd4, %rd18, %rd17;
            and.b64 %rd19, %rd4, 15;
            setp.eq.s64 %p1, %rd19, 0;
            @%p1 bra $L__BB0_8;

            and.b64 %rd20, %rd4, 3;
            setp.eq.s64 %p2, %rd20, 0;
            @%p2 bra $L__BB0_5;

            setp.ge.u64 %p3, %rd29, %rd16;
            @%p3 bra $L__BB0_11;

            mov.u32 %r2, %ntid.x;
            cvt.u64.u32 %rd5, %r2;

            $L__BB0_4:
            add.s64 %rd21, %rd2, %rd29;
            ld.global.u8 %rs1, [%rd21];
            add.s64 %rd22, %rd1, %rd29;
            st.global.u8 [%rd22], %rs1;
            add.s64 %rd29, %rd29, %rd5;
            setp.lt.u64 %p4, %rd29, %rd16;
            @%p4 bra $L__BB0_4;
            bra.uni $L__BB0_11;

            $L__BB0_8:
            shr.u64 %rd12, %rd16, 4;
            setp.le.u64 %p7, %rd12, %rd29;
            @%p7 bra $L__BB0_11;

            mov.u32 %r5, %ntid.x;
            cvt.u64.u32 %rd13, %r5;

            $L__BB0_10:
            shl.b64 %rd26, %rd29, 4;
            add.s64 %rd27, %rd1, %rd26;
            add.s64 %rd28, %rd2, %rd26;
            ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd28];
            st.global.v4.u32 [%rd27], {%r6, %r7, %r8, %r9};
            add.s64 %rd29, %rd29, %rd13;
            setp.lt.u64 %p8, %rd29, %rd12;
            @%p8 bra $L__BB0_10;
            bra.uni $L__BB0_11;

            $L__BB0_5:
            shr.u64 %rd8, %rd16, 2;
            setp.le.u64 %p5, %rd8, %rd29;
            @%p5 bra $L__BB0_11;

            mov.u32 %r3, %ntid.x;
            cvt.u64.u32 %rd9, %r3;

            $L__BB0_7:
            shl.b64 %rd23, %rd29, 2;
            add.s64 %rd24, %rd2, %rd23;
            ld.global.u32 %r4, [%rd24];
            add.s64 %rd25, %rd1, %rd23;
            st.global.u32 [%rd25], %r4;
            add.s64 %rd29, %rd29, %rd9;
            setp.lt.u64 %p6, %rd29, %rd8;
            @%p6 bra $L__BB0_7;

            $L__BB0_11:
            ret;
        }
    }

    #[kernel(allow(A022))]
    pub fn _Z9shared_ifPfi(_Z9shared_ifPfi_param_0: u64, _Z9shared_ifPfi_param_1: u32) {
        ptx! {
            .reg .pred %p<6>;
            .reg .f32 %f<47>;
            .reg .b32 %r<18>;
            .reg .b64 %rd<11>;
            // demoted variable
            .shared .align 4 .b8 _ZZ9shared_ifPfiE2st[520];

            ld.param.u64 %rd3, [_Z9shared_ifPfi_param_0];
            ld.param.u32 %r6, [_Z9shared_ifPfi_param_1];
            cvta.to.global.u64 %rd1, %rd3;
            mov.u32 %r1, %tid.x;
            setp.ge.s32 %p1, %r1, %r6;
            @%p1 bra $L__BB1_3;

            mov.u32 %r2, %ntid.x;
            mov.u32 %r8, dyn;
            mov.u32 %r17, %r1;

            $L__BB1_2:
            mul.wide.s32 %rd4, %r17, 4;
            add.s64 %rd5, %rd1, %rd4;
            ld.global.f32 %f7, [%rd5];
            shl.b32 %r7, %r17, 2;
            add.s32 %r9, %r8, %r7;
            st.shared.f32 [%r9], %f7;
            add.s32 %r17, %r17, %r2;
            setp.lt.s32 %p2, %r17, %r6;
            @%p2 bra $L__BB1_2;

            $L__BB1_3:
            setp.gt.u32 %p3, %r1, 129;
            mul.wide.u32 %rd6, %r1, 4;
            add.s64 %rd2, %rd1, %rd6;
            @%p3 bra $L__BB1_5;

            ld.global.f32 %f8, [%rd2];
            shl.b32 %r10, %r1, 2;
            mov.u32 %r11, _ZZ9shared_ifPfiE2st;
            add.s32 %r12, %r11, %r10;
            st.shared.f32 [%r12], %f8;

            $L__BB1_5:
            bar.sync 0;
            shl.b32 %r13, %r1, 4;
            mov.u32 %r14, dyn;
            add.s32 %r5, %r14, %r13;
            { .reg .b64 %tmp;
                cvt.u64.u32 %tmp, %r14;
                cvta.shared.u64 %rd7, %tmp;
            }
            and.b64 %rd8, %rd7, 15;
            setp.eq.s64 %p4, %rd8, 0;
            @%p4 bra $L__BB1_7;
            bra.uni $L__BB1_6;

            $L__BB1_7:
            ld.shared.v4.f32 {%f20, %f21, %f22, %f23}, [%r5];
            add.f32 %f28, %f20, %f21;
            add.f32 %f29, %f22, %f28;
            add.f32 %f45, %f23, %f29;
            bra.uni $L__BB1_8;

            $L__BB1_6:
            ld.shared.v4.f32 {%f9, %f10, %f11, %f12}, [%r5];
            add.f32 %f17, %f9, 0f00000000;
            add.f32 %f18, %f17, %f10;
            add.f32 %f19, %f18, %f11;
            add.f32 %f45, %f19, %f12;

            $L__BB1_8:
            mov.u32 %r15, _ZZ9shared_ifPfiE2st;
            add.s32 %r16, %r15, 8;
            cvt.u64.u32 %rd9, %r16;
            and.b64 %rd10, %rd9, 15;
            setp.eq.s64 %p5, %rd10, 0;
            @%p5 bra $L__BB1_10;
            bra.uni $L__BB1_9;

            $L__BB1_10:
            ld.shared.v4.f32 {%f38, %f39, %f40, %f41}, [_ZZ9shared_ifPfiE2st+8];
            add.f32 %f46, %f38, %f41;
            bra.uni $L__BB1_11;

            $L__BB1_9:
            ld.shared.v2.f32 {%f30, %f31}, [_ZZ9shared_ifPfiE2st+8];
            add.f32 %f34, %f30, %f31;
            ld.shared.f32 %f35, [_ZZ9shared_ifPfiE2st+16];
            add.f32 %f36, %f35, %f34;
            ld.shared.f32 %f37, [_ZZ9shared_ifPfiE2st+20];
            add.f32 %f46, %f37, %f36;

            $L__BB1_11:
            add.f32 %f44, %f45, %f46;
            st.global.f32 [%rd2], %f44;
            ret;
        }
    }

    #[kernel]
    pub fn _Z7blob_ifPj(_Z7blob_ifPj_param_0: u64) {
        ptx! {
            .reg .pred %p<4>;
            .reg .b32 %r<20>;
            .reg .b64 %rd<14>;

            ld.param.u64 %rd1, [_Z7blob_ifPj_param_0];
            mov.u32 %r1, %tid.x;
            setp.gt.s32 %p1, %r1, 249;
            mov.u32 %r19, 0;
            @%p1 bra $L__BB2_6;

            mov.u32 %r19, 0;
            mov.u32 %r2, %ntid.x;
            mov.u64 %rd2, blob;
            cvta.global.u64 %rd3, %rd2;
            and.b64 %rd4, %rd3, 3;
            mov.u32 %r16, %r1;

            $L__BB2_2:
            setp.eq.s64 %p2, %rd4, 0;
            @%p2 bra $L__BB2_4;
            bra.uni $L__BB2_3;

            $L__BB2_4:
            mul.wide.s32 %rd8, %r16, 4;
            add.s64 %rd10, %rd2, %rd8;
            ld.global.u32 %r18, [%rd10];
            bra.uni $L__BB2_5;

            $L__BB2_3:
            shl.b32 %r13, %r16, 2;
            cvt.s64.s32 %rd5, %r13;
            add.s64 %rd7, %rd2, %rd5;
            ld.global.u8 %r14, [%rd7];
            ld.global.u8 %r15, [%rd7+1];
            prmt.b32 %r18, %r15, %r14, 30212;

            $L__BB2_5:
            add.s32 %r19, %r18, %r19;
            add.s32 %r16, %r16, %r2;
            setp.lt.s32 %p3, %r16, 250;
            @%p3 bra $L__BB2_2;

            $L__BB2_6:
            cvta.to.global.u64 %rd11, %rd1;
            mul.wide.u32 %rd12, %r1, 4;
            add.s64 %rd13, %rd11, %rd12;
            st.global.u32 [%rd13], %r19;
            ret;
        }
    }
}
