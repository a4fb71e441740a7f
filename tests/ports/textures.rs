//! Textures and surfaces, in both modes, by name and through handles.

use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.3)]
pub mod unified {
    use super::*;

    #[global]
    pub static IMAGE: TexRef;

    #[global]
    pub static CANVAS: SurfRef;

    /// A handle that the host stores in a table, as for texture objects.
    #[constant]
    pub static HANDLES: [u64; 8];

    /// Every geometry, through a texture object and by name.
    #[kernel]
    pub fn sample(object: u64, out: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .pred %in;
            .reg .b32 %t, %layer, %i, %j, %k, %r<4>;
            .reg .b64 %object, %out;
            .reg .f32 %x, %y, %z, %a<4>, %b<4>, %l;
            mov.u32             %t, %tid.x;
            ld.param.u64        %object, [object];
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 16, %out;
            cvt.rn.f32.u32      %x, %t;
            mov.f32             %y, 0f3F000000;
            mov.f32             %z, 0f3E800000;
            mov.f32             %l, 0f3F800000;
            mov.u32             %layer, 2;
            mov.u32             %i, %t;
            mov.u32             %j, 0;
            mov.u32             %k, 1;
            tex.1d.v4.f32.f32   {%a0, %a1, %a2, %a3}, [IMAGE, {%x}];
            tex.2d.v4.f32.f32   {%b0, %b1, %b2, %b3}, [%object, {%x, %y}];
            add.f32             %a0, %a0, %b0;
            tex.3d.v4.f32.f32   {%b0, %b1, %b2, %b3}, [%object, {%x, %y, %z, %z}];
            add.f32             %a1, %a1, %b1;
            tex.a1d.v4.f32.f32  {%b0, %b1, %b2, %b3}, [%object, {%layer, %x}];
            add.f32             %a2, %a2, %b2;
            tex.a2d.v4.f32.f32  {%b0, %b1, %b2, %b3}, [%object, {%layer, %x, %y, %y}];
            add.f32             %a3, %a3, %b3;
            tex.cube.v4.f32.f32 {%b0, %b1, %b2, %b3}, [%object, {%x, %y, %z, %z}];
            add.f32             %a3, %a3, %b3;
            tex.level.2d.v4.f32.f32 {%b0, %b1, %b2, %b3}, [%object, {%x, %y}], %l;
            add.f32             %a0, %a0, %b0;
            tex.grad.2d.v4.f32.f32 {%b0, %b1, %b2, %b3}, [%object, {%x, %y}], {%l, %l}, {%l, %l};
            add.f32             %a0, %a0, %b0;
            tex.2d.v4.u32.s32   {%r0, %r1, %r2, %r3}, [IMAGE, {%i, %j}];
            tex.2d.v4.f32.f32   {%b0, %b1, %b2, %b3}|%in, [%object, {%x, %y}];
            @%in add.f32        %a1, %a1, %b1;
            tld4.r.2d.v4.f32.f32 {%b0, %b1, %b2, %b3}, [%object, {%x, %y}];
            add.f32             %a2, %a2, %b0;
            tld4.a.2d.v4.f32.f32 {%b0, %b1, %b2, %b3}, [IMAGE, {%x, %y}];
            add.f32             %a2, %a2, %b0;
            st.global.v4.f32    [%out], {%a0, %a1, %a2, %a3};
            ret;
        }
    }

    /// Selects a handle by a register, and queries its properties and size.
    #[kernel]
    pub fn sizes(out: Ptr<Global, u32>, which: u32) {
        ptx! {
            .reg .pred %is;
            .reg .b32 %which, %w, %h;
            .reg .b64 %handle, %at, %out;
            ld.param.u32        %which, [which];
            and.b32             %which, %which, 7;
            mul.wide.u32        %at, %which, 8;
            mov.u64             %handle, HANDLES;
            add.u64             %at, %handle, %at;
            ld.const.u64        %handle, [%at];
            istypep.texref      %is, %handle;
            mov.u32             %w, 0;
            mov.u32             %h, 0;
            @%is txq.width.b32  %w, [%handle];
            @%is txq.height.b32 %h, [%handle];
            istypep.surfref     %is, %handle;
            @%is suq.width.b32  %w, [%handle];
            suq.height.b32      %h, [CANVAS];
            txq.depth.b32       %h, [IMAGE];
            ld.param.u64        %out, [out];
            st.global.u32       [%out], %w;
            st.global.u32       [%out + 4], %h;
            ret;
        }
    }

    /// Reads and writes pixels; coordinates along a row are bytes.
    #[kernel]
    pub fn paint(object: u64) {
        ptx! {
            .reg .b16 %h<2>;
            .reg .b32 %x, %y, %z, %four, %eight, %sixteen, %r<4>;
            .reg .b64 %object, %d, %canvas;
            mov.u32             %x, %tid.x;
            mov.u32             %y, %ctaid.x;
            mov.u32             %z, 0;
            shl.b32             %four, %x, 2;
            shl.b32             %eight, %x, 3;
            shl.b32             %sixteen, %four, 2;
            ld.param.u64        %object, [object];
            mov.u64             %canvas, CANVAS;
            suld.b.2d.b32.trap  {%r0}, [CANVAS, {%four, %y}];
            suld.b.2d.v2.b16.clamp {%h0, %h1}, [%object, {%four, %y}];
            suld.b.1d.b64.zero  {%d}, [%canvas, {%eight}];
            suld.b.3d.v4.b32.trap {%r0, %r1, %r2, %r3}, [%object, {%sixteen, %y, %z, %z}];
            suld.b.a2d.b32.zero {%r1}, [%object, {%z, %four, %y, %y}];
            add.u32             %r0, %r0, %r1;
            sust.b.2d.b32.trap  [CANVAS, {%four, %y}], {%r0};
            sust.b.1d.v2.b32.clamp [%object, {%eight}], {%r0, %r1};
            sust.b.a1d.b32.zero [%object, {%z, %four}], {%r3};
            sust.p.2d.v4.b32.trap [%object, {%x, %y}], {%r0, %r1, %r2, %r3};
            sured.b.add.2d.u32.trap [CANVAS, {%four, %y}], %r0;
            sured.b.max.1d.s32.clamp [%object, {%four}], %r2;
            sured.p.min.2d.b32.trap [%object, {%x, %y}], %r1;
            ret;
        }
    }
}

#[ptx::module(target = sm_80, texmode = independent)]
pub mod independent {
    use super::*;

    #[global]
    pub static IMAGE: TexRef = TexRef::new().width(64).height(64);

    #[global]
    pub static SMOOTH: SamplerRef =
        SamplerRef::new().filter_mode(ptx::FilterMode::Linear).addr_mode_0(ptx::AddressMode::Wrap);

    /// A separate texture and sampler, as module variables and as parameters.
    #[kernel]
    pub fn blend(image: TexRef, sampler: SamplerRef, canvas: SurfRef, out: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %w, %mode, %i, %r<4>;
            .reg .b64 %out;
            .reg .f32 %x, %y, %a<4>, %b<4>;
            mov.u32             %i, %tid.x;
            txq.width.b32       %w, [image];
            txq.filter_mode.b32 %mode, [sampler];
            cvt.rn.f32.u32      %x, %w;
            mov.f32             %y, 0f00000000;
            tex.2d.v4.f32.f32   {%a0, %a1, %a2, %a3}, [image, sampler, {%x, %y}];
            tex.2d.v4.f32.f32   {%b0, %b1, %b2, %b3}, [IMAGE, SMOOTH, {%x, %y}];
            fma.rn.f32          %a0, %b0, %x, %a0;
            tld4.g.2d.v4.f32.f32 {%b0, %b1, %b2, %b3}, [image, SMOOTH, {%x, %y}];
            fma.rn.f32          %a0, %b0, %x, %a0;
            shl.b32             %i, %i, 2;
            suld.b.1d.b32.trap  {%r0}, [canvas, {%i}];
            suq.width.b32       %r1, [canvas];
            ld.param.u64        %out, [out];
            st.global.f32       [%out], %a0;
            st.global.b32       [%out + 4], %r0;
            ret;
        }
    }
}
