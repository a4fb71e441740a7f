//! Small formats and wide loads.

use ptx::prelude::*;

#[ptx::module(target = sm_100a, version = 8.8)]
pub mod formats {
    use super::*;

    #[constant]
    static SCALES: [f32; 4] = [1.0, 0.5, 0.25, 0.125];

    /// Halves in pairs, eight to a load.
    #[kernel]
    pub fn halves(x: Ptr<Global, V4<F16x2>>, y: Ptr<Global, V4<F16x2>>) {
        ptx! {
            .reg .b32 %t, %a<4>, %b<4>, %two;
            .reg .b64 %x, %y;
            mov.u32             %t, %tid.x;
            ld.param.u64        %x, [x];
            ld.param.u64        %y, [y];
            mad.wide.u32        %x, %t, 16, %x;
            mad.wide.u32        %y, %t, 16, %y;
            ld.global.v4.b32    {%a0, %a1, %a2, %a3}, [%x];
            ld.global.v4.b32    {%b0, %b1, %b2, %b3}, [%y];
            mov.b32             %two, 0x40004000;
            fma.rn.f16x2        %b0, %a0, %two, %b0;
            fma.rn.f16x2        %b1, %a1, %two, %b1;
            fma.rn.f16x2        %b2, %a2, %two, %b2;
            fma.rn.f16x2        %b3, %a3, %two, %b3;
            st.global.v4.b32    [%y], {%b0, %b1, %b2, %b3};
            ret;
        }
    }

    /// `bf16` to `e4m3`, four at a time, each row with its scale.
    #[kernel]
    pub fn quantize(x: Ptr<Global, V2<Bf16x2>>, out: Ptr<Global, E4M3x4>) {
        ptx! {
            .reg .b16 %h<4>, %e<2>;
            .reg .b32 %t, %row, %w<2>, %packed;
            .reg .b64 %x, %out, %scale, %table;
            .reg .f32 %f<4>, %s;
            mov.u32             %t, %tid.x;
            mov.u32             %row, %ctaid.x;
            and.b32             %row, %row, 3;
            mov.u64             %table, SCALES;
            mad.wide.u32        %scale, %row, 4, %table;
            ld.const.f32        %s, [%scale];
            ld.param.u64        %x, [x];
            ld.param.u64        %out, [out];
            mad.wide.u32        %x, %t, 8, %x;
            ld.global.nc.v2.b32 {%w0, %w1}, [%x];
            mov.b32             {%h0, %h1}, %w0;
            mov.b32             {%h2, %h3}, %w1;
            cvt.f32.bf16        %f0, %h0;
            cvt.f32.bf16        %f1, %h1;
            cvt.f32.bf16        %f2, %h2;
            cvt.f32.bf16        %f3, %h3;
            mul.f32             %f0, %f0, %s;
            mul.f32             %f1, %f1, %s;
            mul.f32             %f2, %f2, %s;
            mul.f32             %f3, %f3, %s;
            cvt.rn.satfinite.e4m3x2.f32 %e0, %f1, %f0;
            cvt.rn.satfinite.e4m3x2.f32 %e1, %f3, %f2;
            mov.b32             %packed, {%e0, %e1};
            mad.wide.u32        %out, %t, 4, %out;
            st.global.b32       [%out], %packed;
            ret;
        }
    }

    /// The reverse, from pairs at separate addresses.
    #[kernel]
    pub fn dequantize(x: Ptr<Global, E4M3x2>, scale: Ptr<Global, f32>, out: Ptr<Global, F16x2>) {
        ptx! {
            .reg .b16 %e, %half;
            .reg .b32 %t, %h, %s;
            .reg .b64 %x, %out, %scale;
            .reg .f32 %f;
            mov.u32             %t, %tid.x;
            ld.param.u64        %x, [x];
            ld.param.u64        %out, [out];
            ld.param.u64        %scale, [scale];
            ld.global.b32       %s, [%scale]; // the bits of a float
            mov.b32             %f, %s;
            cvt.rn.f16.f32      %half, %f;
            mov.b32             %s, {%half, %half};
            mad.wide.u32        %x, %t, 2, %x;
            ld.global.nc.b16    %e, [%x];
            cvt.rn.f16x2.e4m3x2 %h, %e;
            mul.f16x2           %h, %h, %s;
            mad.wide.u32        %out, %t, 4, %out;
            st.global.b32       [%out], %h;
            ret;
        }
    }

    /// 32 bytes per thread: `.v8` of 32 bits, `.v4` of 64, and 128 bits at once.
    #[kernel]
    pub fn wide(src: u64, dst: u64) {
        ptx! {
            .reg .b32 %t, %r<8>;
            .reg .b64 %rd<6>;
            .reg .b128 %q;
            .reg .f32 %f<8>;
            ld.param.u64        %rd0, [src];
            ld.param.u64        %rd1, [dst];
            mov.u32             %t, %tid.x;
            mad.wide.u32        %rd0, %t, 32, %rd0;
            mad.wide.u32        %rd1, %t, 32, %rd1;
            ld.global.v8.f32    {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%rd0];
            st.global.v8.f32    [%rd1], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};
            ld.global.L2::evict_last.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%rd0 + 32768];
            st.global.v8.b32    [%rd1 + 32768], {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7};
            ld.global.v4.u64    {%rd2, %rd3, %rd4, %rd5}, [%rd0 + 65536];
            st.global.v4.u64    [%rd1 + 65536], {%rd2, %rd3, %rd4, %rd5};
            ld.global.b128      %q, [%rd0 + 98304];
            st.global.b128      [%rd1 + 98304], %q;
            ret;
        }
    }

    /// 32 x 32 bytes, rows of 32.
    #[shared(align = 128)]
    static BYTES: [u8; 1024];

    /// Matrices of bytes and of 4-bit and 6-bit floats; each lane gives a row of 16 bytes.
    #[kernel(reqntid = 32)]
    pub fn matrices(out: Ptr<Global, V2<B32>>) {
        ptx! {
            .reg .b32 %lane, %at, %base, %r<4>;
            .reg .b64 %out;
            mov.u32             %lane, %laneid;
            mov.u32             %base, BYTES;
            mad.lo.u32          %at, %lane, 32, %base;
            st.shared.v4.b32    [%at], {%lane, %lane, %lane, %lane};
            st.shared.v2.b32    [%at + 24], {%lane, %lane};
            st.shared.v2.b32    [%at + 16], {%lane, %lane};
            bar.warp.sync       -1;
            ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%at];
            ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b4x16_p64 {%r2, %r3}, [%at];
            add.u32             %at, %at, 16;
            ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%r3}, [%at];
            and.b32             %r2, %r2, %r3;
            bar.warp.sync       -1;
            shl.b32             %at, %lane, 4;
            add.u32             %at, %at, %base;
            stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%at + 512], {%r0};
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %lane, 8, %out;
            st.global.v2.b32    [%out], {%r1, %r2};
            ret;
        }
    }
}
