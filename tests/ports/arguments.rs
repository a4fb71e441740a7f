//! Functions that are called with different arguments, and blocks that access each other's shared memory.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod arguments {
    use super::*;

    #[shared(align = 16)]
    static ROW: [f32; 32];

    #[shared(align = 16)]
    static LONG: [f32; 128];

    #[shared]
    static READY: Mbarrier;

    #[global(align = 16)]
    pub static TABLE: [f32; 64];

    /// Reads either row, as nvcc compiles a function that is not inlined: the index fits only the long row.
    #[device]
    fn either(row: u32, index: u32) -> f32 {
        ptx! {
            .reg .b32 %r<4>;
            .reg .f32 %f<2>;
            ld.param.u32        %r1, [row];
            ld.param.u32        %r2, [index];
            shl.b32             %r3, %r2, 2;
            add.s32             %r1, %r1, %r3;
            ld.shared.f32       %f1, [%r1];
            st.param.f32        [returned+0], %f1;
            ret;
        }
    }

    /// Reads from shared or global memory, as requested.
    #[device]
    fn anywhere(from: Reg<u64>) -> Reg<f32> {
        ptx! {
            .reg .pred %p;
            .reg .b64 %at;
            isspacep.shared     %p, from;
            @%p bra             here;
            cvta.to.global.u64  %at, from;
            ld.global.f32       returned, [%at];
            ret;
        here:
            cvta.to.shared.u64  %at, from;
            ld.shared.f32       returned, [%at];
            ret;
        }
    }

    /// Other modules may call it with any argument.
    #[device]
    pub fn exported(from: Reg<u64>) -> Reg<f32> {
        ptx! {
            ld.global.f32       returned, [from];
            ret;
        }
    }

    /// It calls itself with another address.
    #[device]
    fn again(from: Reg<u64>, left: Reg<u32>) -> Reg<f32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %less;
            .reg .b64 %table;
            setp.ne.u32         %p, left, 0;
            @%p bra             more;
            ld.global.f32       returned, [from];
            ret;
        more:
            mov.u64             %table, TABLE;
            sub.u32             %less, left, 1;
            call                (returned), again, (%table, %less);
            ret;
        }
    }

    /// Reads as many elements as the caller gives.
    #[device]
    fn unguarded(thread: Reg<u32>) {
        ptx! {
            .reg .b32 %at;
            mov.u32             %at, ROW;
            mad.lo.u32          %at, thread, 4, %at;
            st.shared.b32       [%at], thread;
            ret;
        }
    }

    /// Reads as many elements as an array of any length has.
    #[device]
    fn guarded(thread: Reg<u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %at;
            setp.ge.u32         %p, thread, 32;
            @%p ret;
            mov.u32             %at, ROW;
            mad.lo.u32          %at, thread, 4, %at;
            st.shared.b32       [%at], thread;
            ret;
        }
    }

    /// Reads any of the elements, from other threads.
    #[kernel(reqntid = 64)]
    pub fn some() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t;
            .reg .b64 %f;
            mov.u32             %t, %tid.x;
            call                guarded, (%t);
            mov.u64             %f, by_address;
        called: .callprototype _ (.reg .b32 a);
            setp.lt.u32         %p, %t, 8;
            @%p call            %f, (%t), called;
            setp.ge.u32         %p, %t, 32;
            @%p bra             end;
            call                unguarded, (%t);
            call                by_address, (%t);
        end:
            ret;
        }
    }

    /// It is called through its address.
    #[device]
    fn by_address(thread: Reg<u32>) {
        ptx! {
            .reg .b32 %at;
            mov.u32             %at, ROW;
            mad.lo.u32          %at, thread, 4, %at;
            st.shared.b32       [%at], thread;
            ret;
        }
    }

    /// It ends some threads, in a function that it calls.
    #[device]
    fn asks_first_half(thread: Reg<u32>) {
        ptx! {
            call                first_half, (thread);
            ret;
        }
    }

    /// It ends some threads.
    #[device]
    fn first_half(thread: Reg<u32>) {
        ptx! {
            .reg .pred %p;
            setp.ge.u32         %p, thread, 32;
            @%p exit;
            ret;
        }
    }

    #[kernel(reqntid = 32)]
    pub fn asks(out: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %r<6>;
            .reg .f32 %f<6>;
            .reg .b64 %rd<6>;
            mov.u32             %r1, ROW;
            mov.u32             %r2, %tid.x;
            {
            .param .b32 param0;
            .param .b32 param1;
            .param .b32 retval0;
            st.param.b32        [param0+0], %r1;
            st.param.b32        [param1+0], %r2;
            call.uni            (retval0), either, (param0, param1);
            ld.param.f32        %f1, [retval0+0];
            }
            mov.u32             %r3, LONG;
            {
            .param .b32 param0;
            .param .b32 param1;
            .param .b32 retval0;
            st.param.b32        [param0+0], %r3;
            st.param.b32        [param1+0], 100;
            call.uni            (retval0), either, (param0, param1);
            ld.param.f32        %f2, [retval0+0];
            }
            add.f32             %f1, %f1, %f2;
            mov.u64             %rd1, ROW;
            cvta.shared.u64     %rd1, %rd1;
            call                (%f2), anywhere, (%rd1);
            add.f32             %f1, %f1, %f2;
            mov.u64             %rd1, ROW;
            call                (%f3), again, (%rd1, 1);
            ld.param.u64        %rd2, [out];
            call                (%f4), exported, (%rd2);
            st.global.f32       [%rd2], %f1;
            ret;
        }
    }

    /// Only the remaining threads access the memory.
    #[kernel(reqntid = 64)]
    pub fn halved() {
        ptx! {
            .reg .b32 %r<4>;
            mov.u32             %r1, %tid.x;
            call                asks_first_half, (%r1);
            mov.u32             %r2, ROW;
            mad.lo.u32          %r2, %r1, 4, %r2;
            st.shared.b32       [%r2], %r1;
            ret;
        }
    }

    /// `mapa` with the block's own rank gives its own memory, and only the first block waits there.
    #[kernel(reqntid = 32, reqnctapercluster = 2)]
    pub fn neighbours() {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %r<8>;
            mov.u32             %r1, %cluster_ctarank;
            mov.u32             %r2, ROW;
            mapa.shared::cluster.u32 %r3, %r2, %r1;
            st.shared.b32       [%r3], %r1;
            mov.u32             %r4, READY;
            mapa.shared::cluster.u32 %r5, %r4, 0;
            setp.ne.u32         %p, %r1, 0;
            @%p bra             arrive;
            mov.u32             %r6, %tid.x;
            setp.ne.u32         %done, %r6, 0;
            @%done bra          arrive;
            mbarrier.init.shared::cta.b64 [%r5], 1;
            fence.mbarrier_init.release.cluster;
        arrive:
            barrier.cluster.arrive.aligned;
            barrier.cluster.wait.aligned;
            mov.u32             %r6, %tid.x;
            setp.ne.u32         %done, %r6, 0;
            @%done bra          end;
            @%p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];
            @%p bra             end;
        waits:
            mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %done, [%r5], 0;
            @!%done bra         waits;
        end:
            barrier.cluster.arrive;
            barrier.cluster.wait;
            ret;
        }
    }
}
