//! Elementwise kernels: copies, strides, masks, small formats.

use ptx::prelude::*;

/// A particle in the host's array of structs.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Particle {
    position: [f32; 3],
    mass: f32,
    velocity: [f32; 3],
    flags: u16,
    kind: u8,
    level: u8,
    id: u64,
}

#[ptx::module(target = sm_80, version = 8.3)]
pub mod elements {
    use super::*;

    /// nvcc's copy of `float4`: generic pointers, a grid-stride loop, then single elements.
    #[kernel]
    pub fn copy(dst: Ptr<Generic, V4<f32>>, src: Ptr<Generic, V4<f32>>, n: u32) {
        ptx! {
            .reg .pred %p<4>;
            .reg .b32 %r<12>;
            .reg .f32 %f<6>;
            .reg .b64 %rd<12>;
            ld.param.u64        %rd1, [dst];
            ld.param.u64        %rd2, [src];
            ld.param.u32        %r1, [n];
            cvta.to.global.u64  %rd3, %rd1;
            cvta.to.global.u64  %rd4, %rd2;
            mov.u32             %r2, %ctaid.x;
            mov.u32             %r3, %ntid.x;
            mov.u32             %r4, %tid.x;
            mad.lo.s32          %r5, %r2, %r3, %r4;
            mov.u32             %r6, %nctaid.x;
            mul.lo.s32          %r7, %r6, %r3;
            shr.u32             %r8, %r1, 2;
            mov.u32             %r9, %r5;
            setp.ge.u32         %p1, %r5, %r8;
            @%p1 bra            $L__BB0_3;
        $L__BB0_2:
            mul.wide.u32        %rd5, %r9, 16;
            add.s64             %rd6, %rd4, %rd5;
            ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd6];
            add.s64             %rd7, %rd3, %rd5;
            st.global.v4.f32    [%rd7], {%f1, %f2, %f3, %f4};
            add.s32             %r9, %r9, %r7;
            setp.lt.u32         %p2, %r9, %r8;
            @%p2 bra            $L__BB0_2;
        $L__BB0_3:
            and.b32             %r10, %r1, 3;
            setp.ge.u32         %p3, %r5, %r10;
            @%p3 bra            $L__BB0_5;
            shl.b32             %r11, %r8, 2;
            add.s32             %r11, %r11, %r5;
            mul.wide.u32        %rd8, %r11, 4;
            add.s64             %rd9, %rd4, %rd8;
            ld.global.nc.f32    %f5, [%rd9];
            add.s64             %rd10, %rd3, %rd8;
            st.global.f32       [%rd10], %f5;
        $L__BB0_5:
            ret;
        }
    }

    /// `y += a * x`, with incremented pointers.
    #[kernel]
    pub fn saxpy(n: u32, a: f32, x: Ptr<Global, f32>, y: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %done;
            .reg .b32 %i, %n, %width, %blocks, %t;
            .reg .b64 %x, %y, %first, %step;
            .reg .f32 %a, %u, %v;
            ld.param.u32    %n, [n];
            ld.param.f32    %a, [a];
            ld.param.u64    %x, [x];
            ld.param.u64    %y, [y];
            mov.u32         %width, %ntid.x;
            mov.u32         %i, %ctaid.x;
            mov.u32         %t, %tid.x;
            mad.lo.u32      %i, %i, %width, %t;
            mov.u32         %blocks, %nctaid.x;
            mul.lo.u32      %width, %width, %blocks;
            mul.wide.u32    %first, %i, 4;
            mul.wide.u32    %step, %width, 4;
            add.u64         %x, %x, %first;
            add.u64         %y, %y, %first;
        LOOP:
            setp.ge.u32     %done, %i, %n;
            @%done bra      END;
            ld.global.f32   %u, [%x];
            ld.global.f32   %v, [%y];
            fma.rn.f32      %v, %a, %u, %v;
            st.global.f32   [%y], %v;
            add.u64         %x, %x, %step;
            add.u64         %y, %y, %step;
            add.u32         %i, %i, %width;
            bra.uni         LOOP;
        END:
            ret;
        }
    }

    /// Triton's masks: predicates on loads and stores, and zeros for masked loads.
    #[kernel(reqntid = 128)]
    pub fn add(x: u64, y: u64, z: u64, n: i32) {
        ptx! {
            .reg .pred %p<2>;
            .reg .b32 %r<16>;
            .reg .b64 %rd<8>;
            .reg .f32 %f<13>;
            ld.param.u64    %rd1, [x];
            ld.param.u64    %rd2, [y];
            ld.param.u64    %rd3, [z];
            ld.param.u32    %r13, [n];
            mov.u32         %r1, %ctaid.x;
            shl.b32         %r2, %r1, 9;
            mov.u32         %r3, %tid.x;
            shl.b32         %r4, %r3, 2;
            and.b32         %r4, %r4, 508;
            or.b32          %r5, %r2, %r4;
            setp.lt.s32     %p1, %r5, %r13;
            mul.wide.s32    %rd4, %r5, 4;
            add.s64         %rd5, %rd1, %rd4;
            mov.u32         %r6, 0;
            mov.u32         %r7, 0;
            mov.u32         %r8, 0;
            mov.u32         %r9, 0;
            @%p1 ld.global.v4.b32 {%r6, %r7, %r8, %r9}, [%rd5 + 0];
            mov.b32         %f1, %r6;
            mov.b32         %f2, %r7;
            mov.b32         %f3, %r8;
            mov.b32         %f4, %r9;
            add.s64         %rd6, %rd2, %rd4;
            mov.f32         %f5, 0f00000000;
            mov.f32         %f6, %f5;
            mov.f32         %f7, %f5;
            mov.f32         %f8, %f5;
            @%p1 ld.global.L1::evict_last.v4.f32 {%f5, %f6, %f7, %f8}, [%rd6 + 0];
            add.f32         %f9, %f1, %f5;
            add.f32         %f10, %f2, %f6;
            add.f32         %f11, %f3, %f7;
            add.f32         %f12, %f4, %f8;
            add.s64         %rd7, %rd3, %rd4;
            mov.b32         %r10, %f9;
            mov.b32         %r11, %f10;
            mov.b32         %r12, %f11;
            mov.b32         %r14, %f12;
            @%p1 st.global.v4.b32 [%rd7 + 0], {%r10, %r11, %r12, %r14};
            ret;
        }
    }

    /// Moves particles: fields by their offsets.
    #[kernel]
    pub fn advance(particles: Ptr<Global, Particle>, n: u32, dt: f32) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %flags, %kind;
            .reg .b32 %i, %n, %b, %t;
            .reg .b64 %at, %id;
            .reg .f32 %x<3>, %v<3>, %dt;
            ld.param.u64    %at, [particles];
            ld.param.u32    %n, [n];
            ld.param.f32    %dt, [dt];
            mov.u32         %b, %ctaid.x;
            mov.u32         %t, %ntid.x;
            mov.u32         %i, %tid.x;
            mad.lo.u32      %i, %b, %t, %i;
            setp.ge.u32     %p, %i, %n;
            @%p ret;
            mad.wide.u32    %at, %i, #(size_of::<Particle>()), %at;
            ld.global.u16   %flags, [%at + #(offset_of!(Particle, flags))];
            ld.global.u8    %kind, [%at + #(offset_of!(Particle, kind))];
            or.b16          %flags, %flags, %kind;
            setp.eq.u16     %p, %flags, 0;
            @%p ret;
            ld.global.f32   %x0, [%at];
            ld.global.f32   %x1, [%at + 4];
            ld.global.f32   %x2, [%at + 8];
            ld.global.f32   %v0, [%at + #(offset_of!(Particle, velocity))];
            ld.global.f32   %v1, [%at + #(offset_of!(Particle, velocity) + 4)];
            ld.global.f32   %v2, [%at + #(offset_of!(Particle, velocity) + 8)];
            fma.rn.f32      %x0, %v0, %dt, %x0;
            fma.rn.f32      %x1, %v1, %dt, %x1;
            fma.rn.f32      %x2, %v2, %dt, %x2;
            st.global.f32   [%at + 0], %x0;
            st.global.f32   [%at + 4], %x1;
            st.global.f32   [%at + 8], %x2;
            ld.global.u64   %id, [%at + #(offset_of!(Particle, id))];
            or.b64          %id, %id, 1;
            st.global.u64   [%at + #(offset_of!(Particle, id))], %id;
            ret;
        }
    }

    /// Gathers rows by an index that is uniform in a warp: `ldu`, then streaming loads.
    #[kernel]
    pub fn gather(
        rows: Ptr<Global, V4<f32>>,
        index: Ptr<Global, i32>,
        out: Ptr<Global, V4<f32>>,
        pitch: u64,
    ) {
        ptx! {
            .reg .b32 %r<8>;
            .reg .b64 %rd<10>;
            .reg .f32 %f<4>;
            ld.param.u64        %rd0, [rows];
            ld.param.u64        %rd1, [index];
            ld.param.u64        %rd2, [out];
            ld.param.u64        %rd3, [pitch]; // a multiple of 16
            mov.u32             %r0, %ctaid.x;
            mul.wide.u32        %rd4, %r0, 4;
            add.s64             %rd4, %rd1, %rd4;
            ldu.global.s32      %r1, [%rd4];
            cvt.s64.s32         %rd5, %r1;
            mad.lo.s64          %rd6, %rd5, %rd3, %rd0;
            mov.u32             %r2, %tid.x;
            mul.wide.u32        %rd7, %r2, 16;
            add.s64             %rd6, %rd6, %rd7;
            ld.global.L1::no_allocate.L2::128B.v4.f32 {%f0, %f1, %f2, %f3}, [%rd6];
            cvt.u64.u32         %rd8, %r0;
            mul.lo.s64          %rd8, %rd8, %rd3;
            add.s64             %rd9, %rd2, %rd8;
            add.s64             %rd9, %rd9, %rd7;
            st.global.cs.v4.f32 [%rd9], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// Counts line feeds: 16 bytes per step, and single bytes before an aligned address.
    #[kernel]
    pub fn lines(text: u64, length: u64, count: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b16 %c;
            .reg .b32 %r<4>, %n, %x, %feeds, %zero;
            .reg .b64 %at, %end, %aligned, %rd;
            ld.param.u64        %at, [text];
            ld.param.u64        %end, [length];
            cvta.to.global.u64  %at, %at;
            add.u64             %end, %at, %end;
            add.u64             %aligned, %at, 15;
            and.b64             %aligned, %aligned, -16;
            min.u64             %aligned, %aligned, %end;
            mov.u32             %n, 0;
            mov.b32             %zero, 0;
            mov.b32             %feeds, 0x0A0A0A0A;
        HEAD:
            setp.ge.u64         %p, %at, %aligned;
            @%p bra             BODY;
            ld.global.u8        %c, [%at];
            setp.eq.u16         %q, %c, 10;
            @%q add.u32         %n, %n, 1;
            add.u64             %at, %at, 1;
            bra                 HEAD;
        BODY:
            add.u64             %rd, %at, 16;
            setp.gt.u64         %p, %rd, %end;
            @%p bra             TAIL;
            ld.global.nc.v4.u32 {%r0, %r1, %r2, %r3}, [%at];
            vset4.u32.u32.eq    %r0, %r0.b3210, %feeds.b7654, %zero;
            vset4.u32.u32.eq    %r1, %r1.b3210, %feeds.b7654, %zero;
            vset4.u32.u32.eq    %r2, %r2.b3210, %feeds.b7654, %zero;
            vset4.u32.u32.eq    %r3, %r3.b3210, %feeds.b7654, %zero;
            add.u32             %r0, %r0, %r1;
            add.u32             %r2, %r2, %r3;
            add.u32             %r0, %r0, %r2;
            dp4a.u32.u32        %n, %r0, 0x01010101, %n;
            mov.u64             %at, %rd;
            bra                 BODY;
        TAIL:
            setp.ge.u64         %p, %at, %end;
            @%p bra             DONE;
            ld.global.b8        %c, [%at];
            cvt.u32.u8          %x, %c;
            setp.eq.u32         %q, %x, 10;
            selp.u32            %x, 1, 0, %q;
            add.u32             %n, %n, %x;
            add.u64             %at, %at, 1;
            bra                 TAIL;
        DONE:
            ld.param.u64        %rd, [count];
            red.global.add.u32  [%rd], %n;
            ret;
        }
    }
}
