//! Functions: arguments, return values, and indirect calls.

use ptx::prelude::*;

/// A struct that functions take and return.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Pair {
    sum: f64,
    count: u32,
    flags: [u8; 4],
}

#[ptx::module(target = sm_80, version = 7.8)]
pub mod calls {
    use super::*;

    #[constant]
    static OPERATIONS: [u64; 2] = [addr(twice), addr(square)];

    #[global]
    static FORMAT: [u8; 20] = *b"block %d is %f (%s)\n";

    #[global]
    static NAME: [u8; 6] = *b"naive\0";

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[device]
    fn twice(x: f32) -> f32 {
        ptx! {
            .reg .f32 %x;
            ld.param.f32    %x, [x];
            add.f32         %x, %x, %x;
            st.param.f32    [returned], %x;
            ret;
        }
    }

    #[device]
    fn square(x: f32) -> f32 {
        ptx! {
            .reg .f32 %x;
            ld.param.f32    %x, [x + 0];
            mul.f32         %x, %x, %x;
            st.param.f32    [returned + 0], %x;
            ret;
        }
    }

    /// A table selects the function.
    #[kernel]
    pub fn dispatch(out: Ptr<Global, f32>, which: u32) {
        ptx! {
            .reg .b32 %which;
            .reg .b64 %f, %at, %out;
            .reg .f32 %x;
            ld.param.u32    %which, [which];
            and.b32         %which, %which, 1;
            mov.u64         %at, OPERATIONS;
            mad.wide.u32    %at, %which, 8, %at;
            ld.const.u64    %f, [%at];
            {
                .param .b32 param0;
                .param .b32 retval0;
                st.param.f32 [param0 + 0], 0f40400000;
            prototype_0:
                .callprototype (.param .b32 _) _ (.param .b32 _);
                call (retval0), %f, (param0), prototype_0;
                ld.param.f32 %x, [retval0 + 0];
            }
            {
                .param .b32 param0;
                .param .b32 retval0;
                st.param.f32 [param0], %x;
            targets_0:
                .calltargets twice, square;
                call.uni (retval0), %f, (param0), targets_0;
                ld.param.f32 %x, [retval0];
            }
            mov.u64         %f, square;
            ld.param.u64    %out, [out];
            st.global.f32   [%out], %x;
            ret;
        }
    }

    /// Takes and returns a struct, field by field, as nvcc passes them.
    #[device]
    pub fn merge(a: Pair, b: Pair) -> Pair {
        ptx! {
            .reg .b16 %h;
            .reg .b32 %n, %m;
            .reg .f64 %x, %y;
            ld.param.f64    %x, [a];
            ld.param.f64    %y, [b + #(offset_of!(Pair, sum))];
            add.f64         %x, %x, %y;
            st.param.f64    [returned], %x;
            ld.param.u32    %n, [a + #(offset_of!(Pair, count))];
            ld.param.u32    %m, [b + #(offset_of!(Pair, count))];
            add.u32         %n, %n, %m;
            st.param.b32    [returned + 8], %n;
            ld.param.u8     %h, [a + #(offset_of!(Pair, flags) + 3)];
            st.param.b8     [returned + 15], %h;
            ld.param.v2.u8  {%h, _}, [b + #(offset_of!(Pair, flags))];
            st.param.b8     [returned + 12], %h;
            st.param.b8     [returned + 13], 0;
            st.param.b8     [returned + 14], 0;
            ret;
        }
    }

    /// A buffer passed by value, accessed with an index through the address of the parameter.
    #[device]
    pub fn pick(#[align(16)] buffer: [B8; 64], index: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %at, %o;
            and.b32         %i, index, 15;
            mul.wide.u32    %o, %i, 4;
            mov.b64         %at, buffer;
            add.u64         %at, %at, %o;
            ld.param.b32    returned, [%at];
            ret;
        }
    }

    /// Calls all of them, with the same names in each scope, as nvcc does.
    #[kernel]
    pub fn chain(first: Pair, out: Ptr<Global, Pair>) {
        ptx! {
            .reg .b16 %h<4>;
            .reg .b32 %r<4>;
            .reg .b64 %out;
            .reg .f64 %d;
            ld.param.f64        %d, [first];
            ld.param.u32        %r0, [first + 8];
            ld.param.v4.u8      {%h0, %h1, %h2, %h3}, [first + 12];
            {
                .reg .b32 temp_param_reg;
                .param .align 8 .b8 param0[16];
                .param .align 8 .b8 param1[#(size_of::<Pair>())];
                .param .align 8 .b8 retval0[16];
                st.param.f64    [param0 + 0], %d;
                st.param.b32    [param0 + 8], %r0;
                st.param.v4.b8  [param0 + 12], {%h0, %h1, %h2, %h3};
                st.param.f64    [param1], %d;
                st.param.b32    [param1 + 8], 1;
                st.param.b32    [param1 + 12], 0;
                call.uni (retval0), merge, (param0, param1);
                ld.param.f64    %d, [retval0];
                ld.param.b32    %r1, [retval0 + 8];
                ld.param.b32    temp_param_reg, [retval0 + 12];
                mov.b32         %r2, temp_param_reg;
            }
            {
                .param .align 16 .b8 param0[64];
                st.param.v4.b32 [param0], {%r0, %r1, %r2, %r0};
                st.param.v4.b32 [param0 + 16], {%r0, %r1, %r2, %r1};
                st.param.v2.b32 [param0 + 32], {%r0, %r1};
                st.param.b64    [param0 + 40], 0;
                st.param.v4.b32 [param0 + 48], {%r0, %r1, %r2, %r2};
                call (%r3), pick, (param0, %r1);
            }
            ld.param.u64        %out, [out];
            st.global.f64       [%out], %d;
            st.global.u32       [%out + 8], %r3;
            st.global.v4.u8     [%out + 12], {%h3, %h2, %h1, %h0};
            ret;
        }
    }

    /// `printf`: its arguments are on the stack, and their generic address is passed.
    #[kernel]
    pub fn print(x: f32) {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %rd<4>;
            .reg .f32 %f;
            .reg .f64 %fd;
            .local .align 8 .b8 __local_depot[24];
            .reg .b64 %SP, %SPL;
            mov.u64             %SPL, __local_depot;
            cvta.local.u64      %SP, %SPL;
            ld.param.f32        %f, [x];
            cvt.f64.f32         %fd, %f;
            add.u64             %rd0, %SP, 0;
            add.u64             %rd1, %SPL, 0;
            mov.u32             %r, %ctaid.x;
            st.local.u32        [%rd1], %r;
            st.local.f64        [%rd1 + 8], %fd;
            mov.u64             %rd2, NAME;
            cvta.global.u64     %rd2, %rd2;
            st.local.u64        [%rd1 + 16], %rd2;
            mov.u64             %rd2, FORMAT;
            cvta.global.u64     %rd3, %rd2;
            {
                .param .b64 param0;
                st.param.b64    [param0 + 0], %rd3;
                .param .b64 param1;
                st.param.b64    [param1 + 0], %rd0;
                .param .b32 retval0;
                call.uni (retval0), vprintf, (param0, param1);
                ld.param.b32    %r, [retval0 + 0];
            }
            ret;
        }
    }
}

#[ptx::module(target = sm_80, version = 7.8)]
pub mod registers {
    use super::*;

    #[shared(align = 16)]
    static VALUES: [f32; 32];

    /// The minimum and maximum of the elements at an address in any space.
    #[device(returns(low, high))]
    pub fn bounds(values: Reg<u64>, n: Reg<u32>) -> (Reg<f32>, Reg<f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n;
            .reg .b64 %at;
            .reg .f32 %x;
            mov.u64         %at, values;
            mov.u32         %n, n;
            mov.f32         low, 0f7F800000;
            mov.f32         high, 0fFF800000;
        NEXT:
            setp.eq.u32     %p, %n, 0;
            @%p ret;
            ld.f32          %x, [%at];
            min.f32         low, low, %x;
            max.f32         high, high, %x;
            add.u64         %at, %at, 4;
            sub.u32         %n, %n, 1;
            bra             NEXT;
        }
    }

    /// Calls it with addresses in shared, global and local memory.
    #[kernel(reqntid = 32)]
    pub fn extremes(src: Ptr<Generic, f32>, out: Ptr<Global, V2<f32>>) {
        ptx! {
            .reg .b32 %t, %s;
            .reg .b64 %at, %out;
            .reg .f32 %l, %h, %x;
            .local .align 4 .f32 pair[2];
            mov.u32         %t, %tid.x;
            mov.u32         %s, VALUES;
            mad.lo.u32      %s, %t, 4, %s;
            cvt.rn.f32.u32  %x, %t;
            st.shared.f32   [%s], %x;
            bar.warp.sync   -1;
            mov.u64         %at, VALUES;
            cvta.shared.u64 %at, %at;
            call            (%l, %h), bounds, (%at, 32);
            mov.u64         %out, pair;
            st.local.f32    [%out], %l;
            st.local.f32    [pair + 4], %h;
            cvta.local.u64  %at, %out;
            call            (%l, %h), bounds, (%at, 2);
            ld.param.u64    %at, [src];
            call            (%x, %h), bounds, (%at, %t);
            ld.param.u64    %out, [out];
            mad.wide.u32    %out, %t, 8, %out;
            st.global.v2.f32 [%out], {%l, %h};
            ret;
        }
    }
}
