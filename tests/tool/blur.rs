use ptx::prelude::*;

#[ptx::module(target = sm_80, version = 9.0)]
pub mod blur {
    use super::*;

    #[constant(align = 4)]
    static TAPS: [B8; 20] = [
        B8(0), B8(0), B8(128), B8(61), B8(0), B8(0), B8(128), B8(62), B8(0), B8(0), B8(192), B8(62),
        B8(0), B8(0), B8(128), B8(62), B8(0), B8(0), B8(128), B8(61),
    ];

    #[constant(align = 8)]
    static DEFAULTS: [B8; 24] = [
        B8(0), B8(0), B8(192), B8(63), B8(4), B8(0), B8(0), B8(0), B8(0), B8(0), B8(0), B8(0),
        B8(0), B8(0), B8(208), B8(63), B8(2), B8(0), B8(0), B8(0), B8(0), B8(0), B8(0), B8(0),
    ];

    #[global]
    static launches: u32 = 7;

    #[global(managed)]
    static counter: u32;

    #[unsafe(export_name = "$str")]
    #[global]
    static _S_str: [B8; 5] = [B8(114), B8(111), B8(119), B8(115), B8(0)];

    #[unsafe(export_name = "$str$1")]
    #[global]
    static _S_str_S_1: [B8; 8] = [
        B8(99), B8(111), B8(108), B8(117), B8(109), B8(110), B8(115), B8(0),
    ];

    #[global]
    static names: [u64; 2] = [generic(_S_str), generic(_S_str_S_1)];

    #[global(align = 4)]
    static r#type: [B8; 12];

    #[shared(dynamic, align = 16)]
    static scratch: [B8];

    #[kernel]
    pub fn _Z4fillIfLi64EEvPT_S0_(
        _Z4fillIfLi64EEvPT_S0__param_0: u64,
        _Z4fillIfLi64EEvPT_S0__param_1: f32,
    ) {
        ptx! {
            .reg .pred %p<3>;
            .reg .f32 %f<2>;
            .reg .b32 %r<6>;
            .reg .b64 %rd<5>;

            ld.param.u64 %rd2, [_Z4fillIfLi64EEvPT_S0__param_0];
            ld.param.f32 %f1, [_Z4fillIfLi64EEvPT_S0__param_1];
            mov.u32 %r5, %tid.x;
            setp.gt.s32 %p1, %r5, 63;
            @%p1 bra $L__BB0_3;

            mov.u32 %r2, %ntid.x;
            cvta.to.global.u64 %rd1, %rd2;

            $L__BB0_2:
            mul.wide.s32 %rd3, %r5, 4;
            add.s64 %rd4, %rd1, %rd3;
            st.global.f32 [%rd4], %f1;
            add.s32 %r5, %r5, %r2;
            setp.lt.s32 %p2, %r5, 64;
            @%p2 bra $L__BB0_2;

            $L__BB0_3:
            ret;
        }
    }

    #[kernel]
    pub fn _Z4fillIiLi32EEvPT_S0_(
        _Z4fillIiLi32EEvPT_S0__param_0: u64,
        _Z4fillIiLi32EEvPT_S0__param_1: u32,
    ) {
        ptx! {
            .reg .pred %p<3>;
            .reg .b32 %r<7>;
            .reg .b64 %rd<5>;

            ld.param.u64 %rd2, [_Z4fillIiLi32EEvPT_S0__param_0];
            ld.param.u32 %r5, [_Z4fillIiLi32EEvPT_S0__param_1];
            mov.u32 %r6, %tid.x;
            setp.gt.s32 %p1, %r6, 31;
            @%p1 bra $L__BB1_3;

            mov.u32 %r2, %ntid.x;
            cvta.to.global.u64 %rd1, %rd2;

            $L__BB1_2:
            mul.wide.s32 %rd3, %r6, 4;
            add.s64 %rd4, %rd1, %rd3;
            st.global.u32 [%rd4], %r5;
            add.s32 %r6, %r6, %r2;
            setp.lt.s32 %p2, %r6, 32;
            @%p2 bra $L__BB1_2;

            $L__BB1_3:
            ret;
        }
    }

    #[kernel]
    pub fn _Z7columnsP6float4y(_Z7columnsP6float4y_param_0: u64, _Z7columnsP6float4y_param_1: u64) {
        ptx! {
            .reg .b16 %rs<2>;
            .reg .f32 %f<21>;
            .reg .b32 %r<27>;
            .reg .b64 %rd<17>;
            // demoted variable
            .shared .align 4 .b8 _ZZ7columnsP6float4yE3row[256];

            ld.param.u64 %rd1, [_Z7columnsP6float4y_param_0];
            ld.param.u64 %rd2, [_Z7columnsP6float4y_param_1];
            cvta.to.global.u64 %rd3, %rd1;
            mov.u32 %r1, %tid.x;
            shl.b32 %r2, %r1, 4;
            mov.u32 %r3, scratch;
            add.s32 %r4, %r3, %r2;
            mul.wide.u32 %rd4, %r1, 16;
            add.s64 %rd5, %rd3, %rd4;
            ld.global.v4.u32 {%r5, %r6, %r7, %r8}, [%rd5];
            st.shared.v4.u32 [%r4], {%r5, %r6, %r7, %r8};
            cvt.rn.f32.u32 %f1, %r1;
            mov.f32 %f2, 0f3F000000;
            tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f2, %f1}];
            shl.b32 %r13, %r1, 2;
            and.b32 %r14, %r13, 252;
            mov.u32 %r15, _ZZ7columnsP6float4yE3row;
            add.s32 %r16, %r15, %r14;
            st.shared.f32 [%r16], %f3;
            bar.sync 0;
            mov.u32 %r17, 1;
            xor.b32 %r18, %r2, 16;
            add.s32 %r19, %r3, %r18;
            ld.shared.v4.f32 {%f7, %f8, %f9, %f10}, [%r19];
            add.s32 %r20, %r13, 4;
            and.b32 %r21, %r20, 252;
            add.s32 %r22, %r15, %r21;
            ld.shared.f32 %f15, [%r22];
            mul.wide.u32 %rd6, %r1, 8;
            and.b64 %rd7, %rd6, 8;
            mov.u64 %rd8, names;
            add.s64 %rd9, %rd8, %rd7;
            ld.global.nc.u64 %rd10, [%rd9];
            cvta.to.global.u64 %rd11, %rd10;
            ld.global.s8 %rs1, [%rd11];
            cvt.rn.f32.s16 %f16, %rs1;
            add.f32 %f17, %f15, %f16;
            mul.wide.u32 %rd12, %r1, -1431655765;
            shr.u64 %rd13, %rd12, 33;
            cvt.u32.u64 %r23, %rd13;
            mul.lo.s32 %r24, %r23, 3;
            sub.s32 %r25, %r1, %r24;
            mul.wide.u32 %rd14, %r25, 4;
            mov.u64 %rd15, type;
            add.s64 %rd16, %rd15, %rd14;
            ld.global.u32 %r26, [%rd16];
            cvt.rn.f32.s32 %f18, %r26;
            add.f32 %f19, %f17, %f18;
            add.f32 %f20, %f7, %f19;
            st.global.v4.f32 [%rd5], {%f20, %f8, %f9, %f10};
            st.global.u32 [counter], %r17;
            ret;
        }
    }

    #[kernel(maxntid = (256, 1, 1))]
    pub fn _ZN5image4rowsEPKfPf6Configi(
        _ZN5image4rowsEPKfPf6Configi_param_0: u64,
        _ZN5image4rowsEPKfPf6Configi_param_1: u64,
        #[align(8)] _ZN5image4rowsEPKfPf6Configi_param_2: [B8; 24],
        _ZN5image4rowsEPKfPf6Configi_param_3: u32,
    ) {
        ptx! {
            .reg .pred %p<3>;
            .reg .b16 %rs<17>;
            .reg .f32 %f<5>;
            .reg .b32 %r<9>;
            .reg .f64 %fd<4>;
            .reg .b64 %rd<6>;

            ld.param.u64 %rd1, [_ZN5image4rowsEPKfPf6Configi_param_0];
            ld.param.u64 %rd2, [_ZN5image4rowsEPKfPf6Configi_param_1];
            ld.param.u32 %r3, [_ZN5image4rowsEPKfPf6Configi_param_3];
            ld.param.f64 %fd1, [_ZN5image4rowsEPKfPf6Configi_param_2+8];
            ld.param.f32 %f1, [_ZN5image4rowsEPKfPf6Configi_param_2];
            mov.u32 %r4, %ntid.x;
            mov.u32 %r5, %ctaid.x;
            mov.u32 %r6, %tid.x;
            mad.lo.s32 %r1, %r5, %r4, %r6;
            setp.ne.s32 %p1, %r1, 0;
            @%p1 bra $L__BB3_2;

            ld.global.u32 %r7, [launches];
            add.s32 %r8, %r7, 1;
            st.global.u32 [launches], %r8;

            $L__BB3_2:
            setp.ge.s32 %p2, %r1, %r3;
            @%p2 bra $L__BB3_4;

            { // callseq 0, 0
                .reg .b32 temp_param_reg;
                .param .b64 param0;
                st.param.b64 [param0+0], %rd1;
                .param .b32 param1;
                st.param.b32 [param1+0], %r1;
                .param .b32 param2;
                st.param.b32 [param2+0], %r3;
                .param .b32 retval0;
                call.uni (retval0),
                _ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii,
                (
                    param0,
                    param1,
                    param2
                );
                ld.param.f32 %f2, [retval0+0];
            } // callseq 0
            ld.const.f64 %fd2, [DEFAULTS+8];
            add.f64 %fd3, %fd1, %fd2;
            cvt.rn.f32.f64 %f3, %fd3;
            fma.rn.f32 %f4, %f1, %f2, %f3;
            cvta.to.global.u64 %rd3, %rd2;
            mul.wide.s32 %rd4, %r1, 4;
            add.s64 %rd5, %rd3, %rd4;
            st.global.f32 [%rd5], %f4;

            $L__BB3_4:
            ret;
        }
    }

    #[device(returns(func_retval0))]
    fn _ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii(
        _ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii_param_0: B64,
        _ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii_param_1: B32,
        _ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii_param_2: B32,
    ) -> B32 {
        ptx! {
            .reg .f32 %f<16>;
            .reg .b32 %r<18>;
            .reg .b64 %rd<13>;

            ld.param.u64 %rd1, [_ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii_param_0];
            ld.param.u32 %r1, [_ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii_param_1];
            ld.param.u32 %r2, [_ZN33_INTERNAL_e9b12e8e_7_blur_cu_TAPS35_GLOBAL__N__e9b12e8e_7_blur_cu_TAPS5weighEPKfii_param_2];
            cvta.to.global.u64 %rd2, %rd1;
            add.s32 %r3, %r2, -1;
            add.s32 %r4, %r1, -2;
            max.s32 %r5, %r4, 0;
            min.s32 %r6, %r5, %r3;
            ld.const.f32 %f1, [TAPS];
            mul.wide.s32 %rd3, %r6, 4;
            add.s64 %rd4, %rd2, %rd3;
            ld.global.f32 %f2, [%rd4];
            fma.rn.f32 %f3, %f1, %f2, 0f00000000;
            add.s32 %r7, %r1, -1;
            max.s32 %r8, %r7, 0;
            min.s32 %r9, %r8, %r3;
            ld.const.f32 %f4, [TAPS+4];
            mul.wide.s32 %rd5, %r9, 4;
            add.s64 %rd6, %rd2, %rd5;
            ld.global.f32 %f5, [%rd6];
            fma.rn.f32 %f6, %f4, %f5, %f3;
            max.s32 %r10, %r1, 0;
            min.s32 %r11, %r10, %r3;
            ld.const.f32 %f7, [TAPS+8];
            mul.wide.s32 %rd7, %r11, 4;
            add.s64 %rd8, %rd2, %rd7;
            ld.global.f32 %f8, [%rd8];
            fma.rn.f32 %f9, %f7, %f8, %f6;
            add.s32 %r12, %r1, 1;
            max.s32 %r13, %r12, 0;
            min.s32 %r14, %r13, %r3;
            ld.const.f32 %f10, [TAPS+12];
            mul.wide.s32 %rd9, %r14, 4;
            add.s64 %rd10, %rd2, %rd9;
            ld.global.f32 %f11, [%rd10];
            fma.rn.f32 %f12, %f10, %f11, %f9;
            add.s32 %r15, %r1, 2;
            max.s32 %r16, %r15, 0;
            min.s32 %r17, %r16, %r3;
            ld.const.f32 %f13, [TAPS+16];
            mul.wide.s32 %rd11, %r17, 4;
            add.s64 %rd12, %rd2, %rd11;
            ld.global.f32 %f14, [%rd12];
            fma.rn.f32 %f15, %f13, %f14, %f12;
            st.param.f32 [func_retval0+0], %f15;
            ret;
        }
    }
}
