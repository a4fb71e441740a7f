//! Compilers' layouts: structs in parameters, stacks, partitioned shared memory, dead code.

use ptx::prelude::*;

/// A view, as kernels take it: a pointer, sizes, strides.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct View {
    data: Ptr<Global, f32, U16>,
    sizes: [u32; 3],
    strides: [u32; 3],
    next: Ptr<Global, u8>,
}

/// Two views and a mode.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Both {
    from: View,
    to: View,
    mode: [u32; 2],
}

#[ptx::module(target = sm_80, version = 7.8)]
pub mod layouts {
    use super::*;

    #[shared(dynamic, align = 16)]
    static DYNAMIC: [u8];

    #[shared(align = 16)]
    static WORDS: [u32; 96];

    #[constant]
    static JUMPS: [u32; 12] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];

    /// Pointers in nested structs; one is selected by address, one by `selp`, one by an index.
    #[kernel(reqntid = 64)]
    pub fn views(both: Both) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %t, %mode, %size, %stride, %i;
            .reg .b64 %base, %at, %data, %other, %o, %next;
            .reg .f32 %f<4>;
            mov.u32             %t, %tid.x;
            ld.param.u32        %mode, [both + #(offset_of!(Both, mode))];
            setp.ne.s32         %p, %mode, 0;
            mov.b64             %base, both;
            add.s64             %at, %base, #(offset_of!(Both, to));
            selp.b64            %at, %at, %base, %p;
            ld.param.u64        %data, [%at];
            ld.param.u32        %size, [%at + #(offset_of!(View, sizes))];
            setp.ge.u32         %q, %t, %size;
            @%q ret;
            mad.wide.u32        %data, %t, 16, %data;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%data];
            ld.param.u64        %data, [both];
            ld.param.u64        %other, [both + #(offset_of!(Both, to))];
            selp.b64            %data, %other, %data, %p;
            ld.param.u32        %stride, [both + #(offset_of!(View, strides) + 8)];
            mul.wide.u32        %o, %stride, 16;
            add.s64             %data, %data, %o;
            st.global.v4.f32    [%data], {%f3, %f2, %f1, %f0};
            min.u32             %i, %t, 1;
            mul.lo.u32          %i, %i, #(size_of::<View>());
            cvt.u64.u32         %o, %i;
            add.s64             %at, %base, %o;
            ld.param.u64        %next, [%at + #(offset_of!(View, next))];
            st.global.u8        [%next + 3], %mode;
            rem.u32             %i, %t, 3;
            mad.wide.u32        %at, %i, 4, %at;
            ld.param.u32        %stride, [%at + #(offset_of!(View, strides))];
            cvt.u64.u32         %o, %stride;
            add.s64             %next, %next, %o;
            st.global.u8        [%next], %mode;
            ret;
        }
    }

    /// A stack that a thread pushes to and pops from, and arrays with an index from a table.
    #[kernel(reqntid = 32)]
    pub fn stacks(tree: Ptr<Global, V2<u32>>, out: Ptr<Global, u32>) {
        ptx! {
            .local .align 16 .b8 stack[64];
            .local .align 4 .b8 taken[40];
            .reg .pred %p, %q;
            .reg .b32 %top, %node, %left, %right, %i, %x, %sum;
            .reg .b64 %base, %at, %tree, %o, %out, %generic;
            mov.u64             %base, stack;
            mov.u32             %node, 0;
            mov.u32             %sum, 0;
            mov.u32             %top, 0;
            ld.param.u64        %tree, [tree];
        VISIT:
            add.s32             %sum, %sum, %node;
            mul.wide.u32        %o, %node, 8;
            add.s64             %at, %tree, %o;
            ld.global.nc.v2.u32 {%left, %right}, [%at];
            setp.eq.s32         %p, %right, 0;
            setp.gt.s32         %q, %top, 15;
            or.pred             %p, %p, %q;
            @%p bra             LEFT;
            mul.wide.s32        %o, %top, 4;
            add.s64             %at, %base, %o;
            st.local.u32        [%at], %right;
            add.s32             %top, %top, 1;
        LEFT:
            mov.u32             %node, %left;
            setp.ne.s32         %p, %left, 0;
            @%p bra             VISIT;
            add.s32             %top, %top, -1;
            setp.lt.s32         %p, %top, 0;
            @%p bra             TABLE;
            mul.wide.u32        %o, %top, 4;
            add.s64             %at, %base, %o;
            ld.local.u32        %node, [%at];
            bra                 VISIT;
        TABLE:
            mov.u64             %generic, taken;
            cvta.local.u64      %generic, %generic;
            mov.u32             %i, 0;
        NEXT:
            mov.u64             %at, JUMPS;
            mad.wide.u32        %at, %i, 4, %at;
            ld.const.u32        %x, [%at];
            min.u32             %x, %x, 9;
            mad.wide.u32        %at, %x, 4, %generic;
            st.u32              [%at], %i;
            add.s32             %i, %i, 1;
            setp.eq.s32         %p, %i, 12;
            @%p bra             DONE;
            bra.uni             NEXT;
        DONE:
            ld.local.u32        %x, [taken + 36];
            add.s32             %sum, %sum, %x;
            ld.param.u64        %out, [out];
            st.global.u32       [%out], %sum;
            ret;
        }
    }

    /// An array in a function's `.param` space: filled with an unrolled index, and read there.
    #[device]
    fn weigh(points: [V2<f32>; 4], n: u32) -> f32 {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n, %i;
            .reg .f32 %x, %y, %sum;
            .local .align 8 .b8 copy[32];
            .reg .b64 %at, %o;
            ld.param.u32        %n, [n];
            ld.param.v2.f32     {%x, %y}, [points];
            st.local.v2.f32     [copy], {%x, %y};
            ld.param.v2.f32     {%x, %y}, [points + 8];
            st.local.v2.f32     [copy + 8], {%x, %y};
            ld.param.v2.f32     {%x, %y}, [points + 16];
            st.local.v2.f32     [copy + 16], {%x, %y};
            ld.param.v2.f32     {%x, %y}, [points + 24];
            st.local.v2.f32     [copy + 24], {%x, %y};
            mov.f32             %sum, 0f00000000;
            mov.u32             %i, 0;
        NEXT:
            setp.ge.u32         %p, %i, %n;
            @%p bra             DONE;
            mul.wide.u32        %o, %i, 8;
            mov.u64             %at, copy;
            add.s64             %at, %at, %o;
            ld.local.v2.f32     {%x, %y}, [%at];
            fma.rn.f32          %sum, %x, %y, %sum;
            add.u32             %i, %i, 1;
            bra                 NEXT;
        DONE:
            st.param.f32        [returned], %sum;
            ret;
        }
    }

    /// Callers: with all four, with a number that depends on the thread, in a loop, under a guard.
    #[kernel(reqntid = 64)]
    pub fn callers(out: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %i, %n;
            .reg .b64 %out;
            .reg .f32 %x, %sum;
            mov.u32             %t, %tid.x;
            cvt.rn.f32.u32      %x, %t;
            mov.f32             %sum, 0f00000000;
            mov.u32             %i, 0;
        NEXT:
            shr.u32             %n, %t, 4;
            add.u32             %n, %n, 1;
            {
                .param .align 8 .b8 points[32];
                .param .b32 n;
                .param .b32 weight;
                st.param.v2.f32     [points], {%x, %x};
                st.param.v2.f32     [points + 8], {%x, %sum};
                st.param.v2.f32     [points + 16], {%sum, %x};
                st.param.v2.f32     [points + 24], {%sum, %sum};
                st.param.b32        [n], %n;
                call.uni            (weight), weigh, (points, n);
                ld.param.f32        %sum, [weight];
            }
            add.u32             %i, %i, 1;
            setp.le.u32         %p, %i, %n;
            @%p bra             NEXT;
            ld.param.u64        %out, [out];
            mad.wide.u32        %out, %t, 4, %out;
            st.global.f32       [%out], %sum;
            ret;
        }
    }

    /// Partitioned dynamic shared memory: keys, then values, then flags, all with run-time sizes.
    #[kernel(reqntid = 128)]
    pub fn carved(n: u32, flags: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b16 %h;
            .reg .b32 %t, %n, %keys, %values, %flags, %at, %k, %zero;
            .reg .b64 %v;
            mov.u32             %t, %tid.x;
            ld.param.u32        %n, [n];
            mov.u32             %keys, DYNAMIC;
            mad.lo.u32          %values, %n, 4, %keys;
            add.u32             %values, %values, 7;
            and.b32             %values, %values, -8;
            mad.lo.u32          %flags, %n, 8, %values;
            mov.u64             %v, 0;
            mov.u16             %h, 0;
            mov.u32             %zero, 0;
            mov.u32             %k, %t;
        NEXT:
            setp.ge.u32         %p, %k, %n;
            @%p bra             DONE;
            mad.lo.u32          %at, %k, 4, %keys;
            st.shared.u32       [%at], %zero;
            mad.lo.u32          %at, %k, 8, %values;
            st.shared.u64       [%at], %v;
            add.u32             %at, %flags, %k;
            st.shared.u8        [%at], %h;
            add.u32             %k, %k, 128;
            bra                 NEXT;
        DONE:
            bar.sync            0;
            setp.ne.u32         %p, %t, 0;
            @%p ret;
            ld.shared.v4.u32    {%k, %t, %n, %zero}, [DYNAMIC + 48];
            ret;
        }
    }

    /// Four elements at a time if the pointer passed with the sizes is aligned, then single elements.
    #[device]
    fn doubled(view: View) -> f32 {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n, %k;
            .reg .b64 %data, %at;
            .reg .f32 %a, %b, %c, %d;
            ld.param.u64        %data, [view];
            ld.param.u32        %n, [view + 8];
            cvta.to.global.u64  %data, %data;
            mov.u32             %k, 0;
        FOUR:
            add.u32             %k, %k, 4;
            setp.gt.u32         %p, %k, %n;
            @%p bra             LEFT;
            mad.wide.u32        %at, %k, 4, %data;
            ld.global.v4.f32    {%a, %b, %c, %d}, [%at + -16];
            add.f32             %a, %a, %a;
            add.f32             %d, %d, %d;
            st.global.v4.f32    [%at + -16], {%a, %b, %c, %d};
            bra                 FOUR;
        LEFT:
            setp.gt.u32         %p, %k, %n;
            @%p bra             END;
            mad.wide.u32        %at, %k, 4, %data;
            ld.global.f32       %a, [%at];
            add.u32             %k, %k, 1;
            bra                 LEFT;
        END:
            st.param.f32        [returned], %a;
            ret;
        }
    }

    /// A view is passed on as its words; those after the first are plain bytes.
    #[kernel(reqntid = 64)]
    pub fn passed_on(both: Both) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %w<6>;
            .reg .b64 %data, %next, %low;
            .reg .f32 %x;
            .param .align 8 .b8 view[40];
            .param .f32 result;
            ld.param.u64        %data, [both + 40];
            ld.param.u64        %next, [both + 72];
            ld.param.u32        %w0, [both + 48];
            ld.param.u32        %w1, [both + 52];
            st.param.b64        [view], %data;
            st.param.b32        [view + 8], %w0;
            st.param.b32        [view + 12], %w1;
            st.param.b32        [view + 16], %w1;
            st.param.b32        [view + 20], %w1;
            st.param.b32        [view + 24], %w1;
            st.param.b32        [view + 28], %w1;
            st.param.b64        [view + 32], %next;
            call                (result), doubled, (view);
            ld.param.f32        %x, [result];
            setp.eq.s64         %p, %next, 0;
            @%p ret;
            and.b64             %low, %next, 3;
            setp.ne.s64         %p, %low, 0;
            @%p bra             BYTE;
            st.global.f32       [%next], %x;
            ret;
        BYTE:
            st.global.u8        [%next], %w0;
            ret;
        }
    }

    /// Unreachable code: after constant conditions, after `trap`, after comparisons that never hold.
    #[kernel(reqntid = 128, maxnreg = 32)]
    pub fn dead(debug: Ptr<Global, u32>) {
        ptx! {
            .reg .pred %p, %never;
            .reg .b32 %t, %at, %on, %i;
            .reg .b64 %debug;
            mov.u32             %t, %tid.x;
            mov.u32             %on, 0;
            setp.ne.s32         %p, %on, 0;
            @%p bra             DEBUG;
            mov.u32             %at, WORDS;
            mad.lo.u32          %at, %t, 4, %at;
            setp.lt.u32         %p, %t, 96;
            @%p st.shared.u32   [%at], %t;
            setp.lt.s32         %never, %t, 0;
            @%never st.shared.u32 [%at + -4], %t;
            bar.sync            0;
            and.b32             %i, %t, 127;
            setp.ne.s32         %never, %i, %t;
            @%never bra         DEBUG;
            setp.gt.u32         %p, %t, 95;
            @%p bra             OVER;
            ld.shared.u32       %i, [%at];
            setp.lt.u32         %p, %t, 95;
            @%p ld.shared.u32   %i, [%at + 4];
            bra                 END;
        OVER:
            mov.u32             %i, 96;
            sub.u32             %i, %t, %i;
            setp.gt.u32         %p, %i, 31;
            @%p bra             FAIL;
            mad.lo.s32          %i, %i, -8, %at;
            ld.shared.u32       %i, [%i + -4]; // 95 and down
            ret;
        FAIL:
            st.shared.u32       [%at], %t;
            trap;
            st.shared.u32       [%at + 4], %t;
        DEBUG:
            ld.param.u64        %debug, [debug];
            st.global.u32       [%debug], %t;
            st.shared.u32       [%at + 384], %t;
        END:
            ret;
        }
    }
}
