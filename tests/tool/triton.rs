use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.7)]
pub mod triton {
    use super::*;

    /// @vadd
    #[kernel(reqntid = 128)]
    pub fn vadd(
        vadd_param_0: Ptr<Global, B8, U1>,
        vadd_param_1: Ptr<Global, B8, U1>,
        vadd_param_2: Ptr<Global, B8, U1>,
        vadd_param_3: u32,
        vadd_param_4: Ptr<Global, B8, U1>,
        vadd_param_5: Ptr<Global, B8, U1>,
    ) {
        ptx! {
            .reg .pred %p<7>;
            .reg .b32 %r<33>;
            .reg .b64 %rd<11>;
            // vadd.py:25:0
            $L__func_begin0:
            // vadd.py:25:0

            // %bb.0:
            ld.param.b64 %rd7, [vadd_param_0];
            ld.param.b64 %rd8, [vadd_param_1];
            $L__tmp0:
            // vadd.py:26:22
            mov.u32 %r25, %ctaid.x;
            // vadd.py:26:27
            shl.b32 %r26, %r25, 10;
            ld.param.b64 %rd9, [vadd_param_2];
            ld.param.b32 %r27, [vadd_param_3];
            // vadd.py:26:44
            mov.u32 %r28, %tid.x;
            shl.b32 %r29, %r28, 2;
            and.b32 %r30, %r29, 508;
            // vadd.py:26:31
            or.b32 %r31, %r30, %r26;
            or.b32 %r32, %r31, 512;
            // vadd.py:27:12
            setp.lt.s32 %p1, %r31, %r27;
            setp.lt.s32 %p2, %r32, %r27;
            // vadd.py:28:17
            mul.wide.s32 %rd10, %r31, 4;
            add.s64 %rd5, %rd9, %rd10;
            add.s64 %rd6, %rd5, 2048;
            // vadd.py:28:32
            add.s64 %rd1, %rd7, %rd10;
            add.s64 %rd2, %rd1, 2048;
            // vadd.py:28:28
            // begin inline asm
            mov.u32 %r1, 0x0;
            mov.u32 %r2, 0x0;
            mov.u32 %r3, 0x0;
            mov.u32 %r4, 0x0;
            @%p1 ld.global.v4.b32 { %r1, %r2, %r3, %r4 }, [ %rd1 + 0 ];
            // end inline asm
            // begin inline asm
            mov.u32 %r5, 0x0;
            mov.u32 %r6, 0x0;
            mov.u32 %r7, 0x0;
            mov.u32 %r8, 0x0;
            @%p2 ld.global.v4.b32 { %r5, %r6, %r7, %r8 }, [ %rd2 + 0 ];
            // end inline asm
            // vadd.py:28:57
            add.s64 %rd3, %rd8, %rd10;
            add.s64 %rd4, %rd3, 2048;
            // vadd.py:28:53
            // begin inline asm
            mov.u32 %r9, 0x0;
            mov.u32 %r10, 0x0;
            mov.u32 %r11, 0x0;
            mov.u32 %r12, 0x0;
            @%p1 ld.global.v4.b32 { %r9, %r10, %r11, %r12 }, [ %rd3 + 0 ];
            // end inline asm
            // begin inline asm
            mov.u32 %r13, 0x0;
            mov.u32 %r14, 0x0;
            mov.u32 %r15, 0x0;
            mov.u32 %r16, 0x0;
            @%p2 ld.global.v4.b32 { %r13, %r14, %r15, %r16 }, [ %rd4 + 0 ];
            // end inline asm
            // vadd.py:28:45
            add.f32 %r17, %r1, %r9;
            add.f32 %r18, %r2, %r10;
            add.f32 %r19, %r3, %r11;
            add.f32 %r20, %r4, %r12;
            add.f32 %r21, %r5, %r13;
            add.f32 %r22, %r6, %r14;
            add.f32 %r23, %r7, %r15;
            add.f32 %r24, %r8, %r16;
            // vadd.py:28:20
            // begin inline asm
            @%p1 st.global.v4.b32 [ %rd5 + 0 ], { %r17, %r18, %r19, %r20 };
            // end inline asm
            // begin inline asm
            @%p2 st.global.v4.b32 [ %rd6 + 0 ], { %r21, %r22, %r23, %r24 };
            // end inline asm
            // vadd.py:28:4
            ret;
            $L__tmp1:
            $L__func_end0:
            // -- End function
        }
    }
}
