//! Rings of stages, which wrap in different ways.

use ptx::prelude::*;

/// Five stages of 4 KiB, with both barriers of each.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Pipeline {
    stages: [[V4<f32>; 256]; 5],
    full: [Mbarrier; 5],
    empty: [Mbarrier; 5],
}

/// 64 x 64 halves.
#[tensor_map(element = f16, box = [64, 64], swizzle = B128)]
pub struct Block;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod rings {
    use super::*;

    #[shared(align = 128)]
    static PIPELINE: Pipeline;

    #[shared(align = 16)]
    static STAGES: [[V4<u32>; 64]; 3];

    #[shared(align = 16)]
    static BUFFERS: [[f32; 256]; 2];

    /// `cp.async` in three stages: `stage = stage + 1 == 3 ? 0 : stage + 1`, for reads and writes.
    #[kernel(reqntid = 64)]
    pub fn multistage(src: Ptr<Global, V4<u32>>, dst: Ptr<Global, u32>, steps: u32) {
        ptx! {
            .reg .pred %p, %more;
            .reg .b32 %t, %i, %steps, %read, %write, %next, %at, %base, %sum, %r<4>;
            .reg .b64 %src, %dst;
            mov.u32             %t, %tid.x;
            ld.param.u64        %src, [src];
            ld.param.u32        %steps, [steps];
            mad.wide.u32        %src, %t, 16, %src;
            mov.u32             %base, STAGES;
            mad.lo.u32          %base, %t, 16, %base;
            cp.async.cg.shared.global [%base], [%src], 16;
            cp.async.commit_group;
            setp.gt.s32         %p, %steps, 1;
            @%p cp.async.cg.shared.global [%base + 1024], [%src + 1024], 16;
            cp.async.commit_group;
            mov.u32             %read, 0;
            mov.u32             %write, 2;
            mov.u32             %sum, 0;
            mov.u32             %i, 0;
        STEP:
            cp.async.wait_group 1;
            bar.sync            0;
            add.u32             %next, %i, 2;
            setp.lt.s32         %more, %next, %steps;
            mad.lo.u32          %at, %write, 1024, %base;
            @%more cp.async.cg.shared.global [%at], [%src + 2048], 16;
            cp.async.commit_group;
            mad.lo.u32          %at, %read, 1024, %base;
            ld.shared.v4.u32    {%r0, %r1, %r2, %r3}, [%at];
            add.u32             %sum, %sum, %r0;
            add.u32             %sum, %sum, %r3;
            add.s64             %src, %src, 1024;
            add.u32             %read, %read, 1;
            setp.eq.u32         %p, %read, 3;
            selp.b32            %read, 0, %read, %p;
            add.u32             %write, %write, 1;
            setp.lt.s32         %p, %write, 3;
            selp.b32            %write, %write, 0, %p;
            add.u32             %i, %i, 1;
            setp.lt.s32         %p, %i, %steps;
            @%p bra             STEP;
            ld.param.u64        %dst, [dst];
            mad.wide.u32        %dst, %t, 4, %dst;
            st.global.u32       [%dst], %sum;
            ret;
        }
    }

    /// Stages as addresses, as remainders by 3, and backwards; a fixed number of iterations.
    #[kernel(reqntid = 64)]
    pub fn wrapped() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %i, %at, %stage, %base, %end, %q, %r<4>;
            mov.u32             %t, %tid.x;
            mov.u32             %base, STAGES;
            mad.lo.u32          %base, %t, 16, %base;
            add.u32             %end, %base, 3072;
            mov.u32             %r0, %t;
            mov.u32             %r1, %t;
            mov.u32             %r2, %t;
            mov.u32             %r3, %t;
            mov.u32             %at, %base;
            mov.u32             %i, 0;
        ADDRESS:
            st.shared.v4.u32    [%at], {%r0, %r1, %r2, %r3};
            add.u32             %at, %at, 1024;
            setp.eq.u32         %p, %at, %end;
            selp.b32            %at, %base, %at, %p;
            add.u32             %i, %i, 1;
            setp.ne.u32         %p, %i, 100;
            @%p bra             ADDRESS;
        REMAINDER:
            sub.u32             %i, %i, 1;
            rem.u32             %stage, %i, 3;
            mad.lo.u32          %at, %stage, 1024, %base;
            ld.shared.v4.u32    {%r0, %r1, %r2, %r3}, [%at];
            mul.hi.u32          %q, %i, -1431655765;
            shr.u32             %q, %q, 1;
            mad.lo.u32          %stage, %q, -3, %i;
            mad.lo.u32          %at, %stage, 1024, %base;
            st.shared.v4.u32    [%at], {%r3, %r2, %r1, %r0};
            setp.ne.u32         %p, %i, 0;
            @%p bra             REMAINDER;
            mov.u32             %stage, 2;
        BACKWARDS:
            mad.lo.u32          %at, %stage, 1024, %base;
            st.shared.v4.u32    [%at], {%r0, %r1, %r2, %r3};
            setp.eq.u32         %p, %stage, 0;
            @%p mov.u32         %stage, 3;
            add.s32             %stage, %stage, -1;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 50;
            @%p bra             BACKWARDS;
            ret;
        }
    }

    /// Two buffers: by the lowest bit, by the difference from their sum, by swapped registers.
    #[kernel(reqntid = 256)]
    pub fn double(src: Ptr<Global, f32>, steps: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %i, %steps, %in, %out, %sum, %bit, %at, %x;
            .reg .b64 %src;
            .reg .f32 %f, %g;
            mov.u32             %t, %tid.x;
            ld.param.u64        %src, [src];
            ld.param.u32        %steps, [steps];
            mad.wide.u32        %src, %t, 4, %src;
            mov.u32             %in, BUFFERS;
            mad.lo.u32          %in, %t, 4, %in;
            add.u32             %out, %in, 1024;
            add.u32             %sum, %in, %out;
            mov.u32             %bit, 0;
            mov.u32             %i, 0;
        STEP:
            ld.global.f32       %f, [%src];
            st.shared.f32       [%out], %f;
            bar.sync            0;
            sub.u32             %at, %sum, %out;
            ld.shared.f32       %g, [%at];
            xor.b32             %bit, %bit, 1;
            shl.b32             %at, %bit, 8;
            or.b32              %at, %at, %t;
            shl.b32             %at, %at, 2;
            mov.u32             %x, BUFFERS;
            add.u32             %at, %x, %at;
            st.shared.f32       [%at], %g;
            mov.u32             %x, %in;
            mov.u32             %in, %out;
            mov.u32             %out, %x;
            add.s64             %src, %src, 1024;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, %steps;
            @%p bra             STEP;
            ret;
        }
    }

    /// Barriers that one thread initialises in a loop; one thread copies, all others consume; five stages.
    #[kernel(reqntid = 128)]
    pub fn mbarriers(src: Ptr<Global, V4<f32>>, dst: Ptr<Global, f32>, steps: u32) {
        ptx! {
            .reg .pred %p, %q, %done;
            .reg .b32 %t, %i, %steps, %stage, %phase, %full, %empty, %at, %base;
            .reg .b64 %src, %dst;
            .reg .f32 %f<4>, %sum;
            mov.u32             %t, %tid.x;
            mov.u32             %base, PIPELINE;
            setp.ne.u32         %p, %t, 0;
            @%p bra             MADE;
            add.u32             %full, %base, #(offset_of!(Pipeline, full));
            mov.u32             %i, 5;
        MAKE:
            mbarrier.init.shared::cta.b64 [%full], 1;
            mbarrier.init.shared::cta.b64 [%full + 40], 96;
            add.u32             %full, %full, 8;
            add.s32             %i, %i, -1;
            setp.ne.s32         %q, %i, 0;
            @%q bra             MAKE;
            fence.mbarrier_init.release.cluster;
        MADE:
            bar.sync            0;
            ld.param.u32        %steps, [steps];
            ld.param.u64        %src, [src];
            mov.u32             %stage, 0;
            mov.u32             %i, 0;
            mov.f32             %sum, 0f00000000;
            setp.lt.u32         %p, %t, 32;
            @!%p bra            TAKERS;
            elect.sync          _|%q, -1;
            @!%q ret;
            mov.u32             %phase, 1;
        FILL:
            setp.ge.u32         %p, %i, %steps;
            @%p ret;
            mad.lo.u32          %full, %stage, 8, %base;
        FREE:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%full + #(offset_of!(Pipeline, empty))], %phase;
            @!%done bra         FREE;
            add.u32             %full, %full, #(offset_of!(Pipeline, full));
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [%full], 4096;
            shl.b32             %at, %stage, 12;
            add.u32             %at, %at, %base;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [%at], [%src], 4096, [%full];
            add.s64             %src, %src, 4096;
            add.u32             %stage, %stage, 1;
            setp.eq.u32         %p, %stage, 5;
            @%p mov.u32         %stage, 0;
            @%p xor.b32         %phase, %phase, 1;
            add.u32             %i, %i, 1;
            bra                 FILL;
        TAKERS:
            mov.u32             %phase, 0;
            sub.u32             %at, %t, 32;
            shl.b32             %at, %at, 4;
            add.u32             %base, %base, %at;
        TAKE:
            setp.ge.u32         %p, %i, %steps;
            @%p bra             STORE;
            shl.b32             %full, %stage, 3;
            mov.u32             %at, #(offset_of!(Pipeline, full));
            add.u32             %full, %full, %at;
            mov.u32             %at, PIPELINE;
            add.u32             %full, %at, %full;
        WAIT:
            mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %done, [%full], %phase;
            @!%done bra         WAIT;
            mad.lo.u32          %at, %stage, 4096, %base;
            ld.shared.v4.f32    {%f0, %f1, %f2, %f3}, [%at];
            add.f32             %sum, %sum, %f0;
            ld.shared.v4.f32    {%f0, %f1, %f2, %f3}, [%at + 2560];
            add.f32             %sum, %sum, %f3;
            add.u32             %empty, %full, #(offset_of!(Pipeline, empty) - offset_of!(Pipeline, full));
            mbarrier.arrive.shared::cta.b64 _, [%empty];
            add.u32             %stage, %stage, 1;
            setp.ne.u32         %p, %stage, 5;
            selp.b32            %stage, %stage, 0, %p;
            selp.b32            %full, 0, 1, %p;
            xor.b32             %phase, %phase, %full;
            add.u32             %i, %i, 1;
            bra                 TAKE;
        STORE:
            ld.param.u64        %dst, [dst];
            mad.wide.u32        %dst, %t, 4, %dst;
            st.global.f32       [%dst + -128], %sum;
            ret;
        }
    }

    /// Barriers that ten threads initialise in parallel, five of each kind; the eleventh prefetches.
    #[kernel(reqntid = 128)]
    pub fn made_at_once(map: TensorMap<Block>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %at, %count, %base;
            .reg .b64 %map;
            mov.u32             %t, %tid.x;
            mov.u32             %base, PIPELINE;
            setp.ge.u32         %p, %t, 10;
            @%p bra             OTHERS;
            setp.lt.u32         %q, %t, 5;
            selp.b32            %count, 1, 96, %q;
            mad.lo.u32          %at, %t, 8, %base;
            mbarrier.init.shared::cta.b64 [%at + #(offset_of!(Pipeline, full))], %count;
            fence.mbarrier_init.release.cluster;
            bra                 MADE;
        OTHERS:
            setp.ne.u32         %p, %t, 10;
            @%p bra             MADE;
            mov.b64             %map, map;
            cvta.param.u64      %map, %map;
            prefetch.tensormap  [%map];
        MADE:
            bar.sync            0;
            ret;
        }
    }
}
