//! Addresses of all kinds, computed in many ways.

use ptx::prelude::*;

/// A matrix, as passed by the host.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct View {
    data: Ptr<Generic, f32>,
    extents: [u32; 3],
    pitch: u32,
    owner: Ptr<Global, u64>,
}

/// A list in memory.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Node {
    value: f64,
    next: Ptr<Global, Node>,
}

#[ptx::module(target = sm_90, version = 8.6)]
pub mod addresses {
    use super::*;

    #[constant]
    pub static TABLE: [f32; 16] = [1.0; 16];

    #[constant]
    pub static POINTS: [V2<f32>; 4] = [V2::new([0.5, 1.0]); 4];

    #[global]
    pub static FALLBACK: [f32; 64] = [0.0; 64];

    #[global]
    pub static HEAD: Ptr<Global, Node>;

    #[global]
    static ADDRESS_OF_FALLBACK: Ptr<Generic, f32> = generic(FALLBACK);

    #[shared(align = 16)]
    static NEAR: [f32; 128];

    #[shared(align = 16)]
    static FAR: [f32; 128];

    /// One of two tables, selected by a predicate: `selp`, `min`, and a conditional move.
    #[kernel]
    pub fn choose(out: Ptr<Global, f32>, which: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %which, %near, %far, %at, %other, %t;
            .reg .b64 %g, %f, %out;
            .reg .f32 %x, %y;
            mov.u32             %t, %tid.x;
            and.b32             %t, %t, 127;
            ld.param.u32        %which, [which];
            setp.ne.u32         %p, %which, 0;
            mov.u32             %near, NEAR;
            mov.u32             %far, FAR;
            selp.b32            %at, %near, %far, %p;
            mad.lo.u32          %at, %t, 4, %at;
            ld.shared.f32       %x, [%at];
            min.u32             %other, %near, %far;
            ld.shared.f32       %y, [%other + 508];
            add.f32             %x, %x, %y;
            max.u32             %other, %near, %far;
            ld.shared.v4.f32    {%x, _, _, %y}, [%other];
            sub.u32             %other, %at, %near;
            sub.u32             %at, %at, %other;
            ld.shared.f32       %y, [%at];
            ld.param.u64        %out, [out];
            mov.u64             %g, FALLBACK;
            @%p mov.u64         %g, %out;
            st.global.f32       [%g], %x;
            cvta.global.u64     %f, FALLBACK;
            @!%p cvta.global.u64 %f, %out;
            st.f32              [%f + 4], %y;
            ret;
        }
    }

    /// Addresses from shifts and adds, `or` into zeros, `mul.wide`, `mad.wide`, `shf`, `lop3`, `prmt`.
    #[kernel]
    pub fn arithmetic(data: Ptr<Global, V2<f32>>, n: u32) {
        ptx! {
            .reg .b32 %t, %n, %a, %b, %lo, %hi, %z;
            .reg .b64 %data, %at, %o, %end, %mask;
            .reg .f32 %x<8>;
            mov.u32             %t, %tid.x;
            and.b32             %t, %t, 31;
            ld.param.u64        %data, [data];
            ld.param.u32        %n, [n];
            cvt.u64.u32         %o, %t;
            shl.b64             %o, %o, 2;
            add.s64             %at, %o, %data;
            ld.global.f32       %x0, [%at];
            mul.wide.s32        %o, %t, 4;
            add.cc.u64          %at, %data, %o;
            ld.global.f32       %x1, [%at];
            mad.wide.s32        %at, %t, 4, %data;
            ld.global.f32       %x2, [%at + 128];
            mad.lo.s64          %end, %o, 1, %data;
            ld.global.f32       %x3, [%end];
            mul.wide.u32        %end, %n, 4;
            add.u64             %end, %end, %data;
            sub.u64             %end, %end, 4;
            ld.global.f32       %x4, [%end];
            mov.b64             {%lo, %hi}, %data;
            shl.b32             %a, %t, 2;
            add.cc.u32          %lo, %lo, %a;
            addc.u32            %hi, %hi, 0;
            mov.b64             %at, {%lo, %hi};
            ld.global.f32       %x5, [%at];
            mov.u32             %b, NEAR;
            shl.b32             %a, %t, 2;
            xor.b32             %a, %a, 4;
            add.u32             %b, %b, %a;
            st.shared.f32       [%b], %x5;
            mov.u32             %z, FAR;
            vadd.u32.u32.u32    %b, %z, %a;
            st.shared.f32       [%b], %x4;
            mov.u64             %mask, -8;
            and.b64             %at, %at, %mask;
            ld.global.v2.f32    {%x6, %x7}, [%at];
            not.b64             %mask, %mask;
            and.b64             %o, %at, %mask;
            sub.u64             %at, %at, %o;
            st.global.f32       [%at], %x6;
            ret;
        }
    }

    /// A linked list: pointers from memory, from constants, from a variable, from the parameter.
    #[kernel]
    pub fn walk(view: View, out: Ptr<Global, f64>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n, %row;
            .reg .b64 %node, %at, %data, %out, %table;
            .reg .f32 %x;
            .reg .f64 %sum, %v;
            ld.global.u64       %node, [HEAD];
            mov.f64             %sum, 0d0000000000000000;
        NEXT:
            setp.eq.u64         %p, %node, 0;
            @%p bra             END;
            ld.global.f64       %v, [%node];
            add.f64             %sum, %sum, %v;
            ld.global.u64       %node, [%node + #(offset_of!(Node, next))];
            bra                 NEXT;
        END:
            ld.param.u64        %data, [view];
            ld.param.u32        %n, [view + #(offset_of!(View, extents) + 8)];
            ld.param.u32        %row, [view + #(offset_of!(View, pitch))];
            mul.lo.u32          %n, %n, %row;
            mad.wide.u32        %at, %n, 4, %data;
            ld.f32              %x, [%at];
            cvt.f64.f32         %v, %x;
            add.f64             %sum, %sum, %v;
            cvta.to.global.u64  %data, %data;
            ld.global.f32       %x, [%data + 4];
            ld.param.v2.u32     {%n, %row}, [view + 8];
            ld.global.u64       %at, [ADDRESS_OF_FALLBACK];
            st.f32              [%at + 16], %x;
            ld.param.u64        %at, [view + #(offset_of!(View, owner))];
            ld.global.u64       %at, [%at];
            ld.param.u64        %out, [out];
            st.global.f64       [%out], %sum;
            st.global.b64       [%out + 8], %at;
            ret;
        }
    }

    /// Generic addresses, dispatched with `isspacep`: each space is accessed with its own instruction.
    #[device]
    pub fn load(address: Reg<u64>) -> Reg<f32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %small;
            .reg .b64 %at;
            isspacep.shared     %p, address;
            @!%p bra            NOT_SHARED;
            cvta.to.shared.u64  %at, address;
            cvt.u32.u64         %small, %at;
            ld.shared.f32       returned, [%small];
            ret;
        NOT_SHARED:
            isspacep.local      %p, address;
            @!%p bra            NOT_LOCAL;
            cvta.to.local.u64   %at, address;
            ld.local.f32        returned, [%at];
            ret;
        NOT_LOCAL:
            isspacep.const      %p, address;
            @!%p bra            NOT_CONST;
            cvta.to.const.u64   %at, address;
            ld.const.f32        returned, [%at];
            ret;
        NOT_CONST:
            isspacep.global     %p, address;
            @%p cvta.to.global.u64 %at, address;
            @%p ld.global.nc.f32 returned, [%at];
            @!%p ld.f32         returned, [address];
            ret;
        }
    }

    /// Generic addresses of all spaces, in one register.
    #[kernel]
    pub fn everywhere(config: View, out: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b64 %at, %local, %out;
            .reg .b32 %s, %n;
            .reg .f32 %x, %sum;
            .local .align 16 .b8 __local_depot0[64];
            mov.u64             %local, __local_depot0;
            cvta.local.u64      %at, %local;
            st.v4.f32           [%at + 16], {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000};
            st.local.f32        [%local], 0f40000000;
            call                (%sum), load, (%at);
            mov.u64             %at, TABLE;
            cvta.const.u64      %at, %at;
            ld.f32              %x, [%at + 60];
            add.f32             %sum, %sum, %x;
            call                (%x), load, (%at);
            add.f32             %sum, %sum, %x;
            mov.u32             %s, NEAR;
            cvt.u64.u32         %at, %s;
            cvta.shared.u64     %at, %at;
            st.f32              [%at + 508], %sum;
            call                (%x), load, (%at);
            cvta.global.u64     %at, FALLBACK;
            atom.add.f32        %x, [%at], %x;
            call                (%x), load, (%at);
            add.f32             %sum, %sum, %x;
            mov.b64             %at, config;
            cvta.param.u64      %at, %at;
            ld.u32              %n, [%at + #(offset_of!(View, pitch))];
            isspacep.param::entry %p, %at;
            @!%p trap;
            cvta.to.param.u64   %local, %at;
            ld.param.u32        %n, [%local + #(offset_of!(View, extents) + 4)];
            add.u64             %at, %at, #(offset_of!(View, extents));
            ld.u32              %n, [%at];
            ld.param.u64        %out, [out];
            st.global.f32       [%out], %sum;
            st.global.b32       [%out + 4], %n;
            ret;
        }
    }

    /// A thread's stack: an index into it, and bytes allocated at its end, as by `alloca`.
    #[kernel]
    pub fn stack(src: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %n, %x, %o;
            .reg .b64 %src, %sp, %at, %local, %size;
            .local .align 8 .b8 frame[256];
            .local .align 4 .b32 digits[16];
            ld.param.u64        %src, [src];
            ld.param.u32        %n, [n];
            and.b32             %n, %n, 15;
            mov.u64             %local, digits;
            mov.u32             %i, 0;
        PUSH:
            ld.global.u32       %x, [%src];
            mad.wide.u32        %at, %i, 4, %local;
            st.local.u32        [%at], %x;
            add.u64             %src, %src, 4;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, 16;
            @%p bra             PUSH;
            shl.b32             %o, %n, 2;
            cvt.u64.u32         %at, %o;
            add.u64             %at, %local, %at;
            ld.local.u32        %x, [%at];
            mov.u64             %sp, frame;
            add.u64             %sp, %sp, 256;
            cvt.u64.u32         %size, %n;
            add.u64             %size, %size, 7;
            and.b64             %size, %size, -8;
            sub.u64             %sp, %sp, %size;
            sub.u64             %sp, %sp, 8;
            st.local.u64        [%sp], %at;
            add.u64             %sp, %sp, 8;
            st.local.u8         [%sp + -1], %n;
            ld.local.b8         %x, [frame + 255];
            st.local.v2.b32     [frame + 8], {%x, %i};
            st.global.u32       [%src + -4], %x;
            ret;
        }
    }

    /// A table in constant memory with an index that depends on the thread.
    #[kernel]
    pub fn lookup(data: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %i;
            .reg .b64 %at, %c, %data;
            .reg .f32 %x, %u, %v;
            mov.u32             %t, %tid.x;
            ld.param.u64        %data, [data];
            mad.wide.u32        %data, %t, 4, %data;
            ld.global.f32       %x, [%data];
            cvt.rzi.u32.f32     %i, %x;
            and.b32             %i, %i, 15;
            mul.wide.u32        %at, %i, 4;
            mov.u64             %c, TABLE;
            add.s64             %c, %c, %at;
            ld.const.f32        %u, [%c];
            and.b32             %i, %i, 3;
            mul.wide.u32        %at, %i, 8;
            mov.u64             %c, POINTS;
            add.s64             %c, %c, %at;
            ld.const.v2.f32     {%x, %v}, [%c];
            fma.rn.f32          %u, %u, %v, %x;
            ld.const.b32        %i, [TABLE + 60];
            st.global.f32       [%data], %u;
            ret;
        }
    }
}
