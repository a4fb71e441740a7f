//! Atomics of every type, cache policies, and communication between devices.

use ptx::prelude::*;

/// Counters for every type of atomic.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Counters {
    wide: [u64; 4],
    float: f64,
    sum: f32,
    halves: F16x2,
    brains: Bf16x2,
    signed: i32,
    small: [f16; 2],
    flags: u32,
}

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod atomics {
    use super::*;

    #[global]
    pub static COUNTERS: Counters;

    #[global(align = 16)]
    pub static PAIR: B128;

    #[global(align = 16)]
    pub static SUMS: [f32; 64] = [0.0; 64];

    #[global(align = 16)]
    pub static HALVES: [f16; 64];

    /// Each type, in static storage and through its address.
    #[kernel]
    pub fn every_type() {
        ptx! {
            .reg .b16 %h<2>;
            .reg .b32 %r<4>;
            .reg .b64 %rd<6>;
            .reg .f32 %f;
            .reg .f64 %d;
            atom.global.add.u64             %rd0, [COUNTERS], 1;
            atom.global.min.u64             %rd0, [COUNTERS + 8], %rd0;
            atom.global.max.u64             %rd0, [COUNTERS + 16], %rd0;
            atom.global.cas.b64             %rd1, [COUNTERS + 24], 0, %rd0;
            mov.f64                         %d, 0d3FF0000000000000;
            atom.global.add.f64             %d, [COUNTERS + #(offset_of!(Counters, float))], %d;
            mov.u64                         %rd2, COUNTERS;
            mov.f32                         %f, 0f3F800000;
            red.global.add.f32              [%rd2 + #(offset_of!(Counters, sum))], %f;
            mov.b32                         %r3, 0x3C003C00;
            atom.global.add.noftz.f16x2     %r0, [%rd2 + #(offset_of!(Counters, halves))], %r3;
            add.u64                         %rd3, %rd2, #(offset_of!(Counters, brains));
            mov.b32                         %r0, 0x3F803F80;
            red.global.add.noftz.bf16x2     [%rd3], %r0;
            atom.global.exch.b32            %r1, [%rd3 + 4], -1;
            atom.global.min.s32             %r1, [COUNTERS + #(offset_of!(Counters, signed))], %r1;
            mov.u16                         %h0, 1;
            atom.global.cas.b16             %h1, [COUNTERS + #(offset_of!(Counters, small))], 0, %h0;
            red.global.add.noftz.f16        [%rd2 + #(offset_of!(Counters, small) + 2)], %h1;
            red.global.or.b32               [COUNTERS + #(offset_of!(Counters, flags))], 4;
            cvta.global.u64                 %rd4, %rd2;
            atom.and.b32                    %r2, [%rd4 + #(offset_of!(Counters, flags))], -5;
            atom.xor.b32                    %r2, [%rd4 + #(offset_of!(Counters, flags))], %r2;
            atom.dec.u32                    %r2, [%rd4 + #(offset_of!(Counters, flags))], 7;
            ret;
        }
    }

    /// Vector additions, as in a split-k epilogue.
    #[kernel]
    pub fn vectors(out: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b16 %h<8>;
            .reg .b32 %t, %r<4>;
            .reg .b64 %at;
            .reg .f32 %f<4>;
            mov.u32                             %t, %tid.x;
            cvt.rn.f32.u32                      %f0, %t;
            mov.f32                             %f1, %f0;
            mov.f32                             %f2, %f0;
            mov.f32                             %f3, %f0;
            red.global.v4.f32.add               [SUMS + 240], {%f0, %f1, %f2, %f3};
            atom.global.v2.f32.add              {%f0, %f1}, [SUMS + 8], {%f0, %f1};
            ld.param.u64                        %at, [out];
            mad.wide.u32                        %at, %t, 16, %at;
            red.relaxed.gpu.global.add.v4.f32   [%at], {%f0, %f1, %f2, %f3};
            cvt.rn.f16x2.f32                    %r0, %f0, %f1;
            mov.b32                             {%h0, %h1}, %r0;
            mov.b32                             {%h2, %h3}, %r0;
            red.global.add.noftz.v4.f16         [HALVES + 8], {%h0, %h1, %h2, %h3};
            mov.b32                             %r1, %r0;
            red.global.add.noftz.v2.f16x2       [HALVES + 16], {%r0, %r1};
            ret;
        }
    }

    /// A push to a list with a counter against ABA: 128 bits at once.
    #[kernel]
    pub fn push(node: u64) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b64 %node, %next, %count, %seen, %version;
            .reg .b128 %old, %new, %was;
            ld.param.u64                        %node, [node];
            ld.relaxed.gpu.global.b128          %old, [PAIR];
        AGAIN:
            mov.b128                            {%next, %count}, %old;
            st.global.u64                       [%node], %next;
            add.u64                             %count, %count, 1;
            mov.b128                            %new, {%node, %count};
            atom.acq_rel.gpu.global.cas.b128    %was, [PAIR], %old, %new;
            mov.b128                            {%seen, %version}, %was;
            sub.u64                             %count, %count, 1;
            setp.ne.u64                         %p, %seen, %next;
            setp.ne.or.u64                      %q, %version, %count, %p;
            mov.b128                            %old, {%seen, %version};
            @%q bra                             AGAIN;
            atom.relaxed.sys.global.exch.b128   %was, [PAIR], %new;
            ret;
        }
    }

    /// L2 policies, prefetches, and lines that are discarded without being written back.
    #[kernel]
    pub fn caches(
        weights: Ptr<Global, V4<f32>>,
        stream: Ptr<Global, V4<f32>, U128>,
        property: u64,
    ) {
        ptx! {
            .reg .b32 %t, %z, %rest;
            .reg .b64 %w, %s, %line, %keep, %drop, %part, %given, %g;
            .reg .f32 %f<4>;
            mov.u32                             %t, %tid.x;
            ld.param.u64                        %w, [weights];
            ld.param.u64                        %s, [stream];
            createpolicy.fractional.L2::evict_last.b64 %keep, 1.0;
            createpolicy.fractional.L2::evict_first.L2::evict_unchanged.b64 %drop, 0.25;
            mov.b32                             %z, 0x100000;
            mov.b32                             %rest, 0x200000;
            createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %part, [%w], %z, %rest;
            ld.param.u64                        %given, [property];
            createpolicy.cvt.L2.b64             %given, %given;
            prefetch.global.L2::evict_last      [%w];
            prefetch.global.L1                  [%s + 4096];
            mad.wide.u32                        %w, %t, 16, %w;
            mad.wide.u32                        %line, %t, 16, %s;
            ld.global.nc.L1::evict_last.L2::cache_hint.v4.f32 {%f0, %f1, %f2, %f3}, [%w], %keep;
            st.global.L1::no_allocate.L2::cache_hint.v4.f32 [%line], {%f0, %f1, %f2, %f3}, %drop;
            ld.global.L2::cache_hint.v4.f32     {%f0, %f1, %f2, %f3}, [%w + 16384], %part;
            st.global.L2::cache_hint.v4.f32     [%line + 16384], {%f0, %f1, %f2, %f3}, %given;
            red.global.add.L2::cache_hint.f32   [%line + 32768], %f0, %keep;
            cvta.global.u64                     %g, %s;
            prefetch.L1                         [%g];
            prefetchu.L1                        [%g + 65536];
            prefetch.L2                         [SUMS];
            mul.wide.u32                        %g, %t, 128;
            add.u64                             %g, %g, %s;
            applypriority.global.L2::evict_normal [%g], 128;
            discard.global.L2                   [%g + 131072], 128;
            ld.global.lu.f32                    %f0, [%line];
            ld.global.cv.f32                    %f0, [%line + 4];
            st.global.wt.f32                    [%line + 8], %f0;
            st.global.cg.f32                    [%line + 12], %f0;
            ret;
        }
    }

    /// A flag between devices: fences of every scope.
    #[kernel]
    pub fn flags(flag: Ptr<Global, u32>, data: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %r, %x;
            .reg .b64 %flag, %data;
            ld.param.u64                %flag, [flag];
            ld.param.u64                %data, [data];
            st.relaxed.sys.global.u32   [%data], 42;
            fence.acq_rel.sys;
            st.relaxed.sys.global.u32   [%flag], 1;
        WAIT:
            ld.acquire.sys.global.u32   %r, [%flag + 4];
            setp.eq.u32                 %p, %r, 0;
            @%p bra                     WAIT;
            ld.weak.global.u32          %x, [%data + 4];
            membar.cta;
            membar.sys;
            fence.sc.gpu;
            fence.acq_rel.cluster;
            fence.proxy.alias;
            st.mmio.relaxed.sys.global.u32 [%flag + 8], %x;
            ld.mmio.relaxed.sys.global.u32 %x, [%flag + 8];
            st.volatile.global.u32      [%flag + 12], %x;
            ret;
        }
    }

    /// An all-reduce through a multicast object, as NCCL uses across the switches between devices.
    #[kernel]
    pub fn all_reduce(multicast: u64, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %n, %r<4>;
            .reg .b64 %at, %step;
            .reg .f32 %f<4>;
            ld.param.u64    %at, [multicast];
            ld.param.u32    %n, [n];
            mov.u32         %i, %tid.x;
            mad.wide.u32    %at, %i, 16, %at;
            mov.u64         %step, 16384;
        NEXT:
            setp.ge.u32     %p, %i, %n;
            @%p bra         REST;
            multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%f0, %f1, %f2, %f3}, [%at];
            multimem.st.relaxed.sys.global.v4.f32 [%at], {%f0, %f1, %f2, %f3};
            add.u64         %at, %at, %step;
            add.u32         %i, %i, 1024;
            bra             NEXT;
        REST:
            multimem.ld_reduce.weak.global.add.acc::f32.v4.bf16x2 {%r0, %r1, %r2, %r3}, [%at];
            multimem.red.relaxed.sys.global.add.v4.bf16x2 [%at], {%r0, %r1, %r2, %r3};
            ld.param.u64    %at, [multicast];
            multimem.red.release.sys.global.add.u32 [%at + 1048576], 1;
            fence.proxy.alias;
            ret;
        }
    }

    /// A dependent grid: prefetches before it waits for the previous one, and lets the next one start.
    #[kernel]
    pub fn dependent(src: Ptr<Global, f32>, weights: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t;
            .reg .b64 %s, %w;
            .reg .f32 %x, %y;
            mov.u32             %t, %tid.x;
            ld.param.u64        %w, [weights];
            mad.wide.u32        %w, %t, 4, %w;
            ld.global.nc.f32    %y, [%w];
            griddepcontrol.wait;
            ld.param.u64        %s, [src];
            mad.wide.u32        %s, %t, 4, %s;
            ld.global.f32       %x, [%s];
            mul.f32             %x, %x, %y;
            st.global.f32       [%s], %x;
            griddepcontrol.launch_dependents;
            ret;
        }
    }
}
