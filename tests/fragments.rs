//! Fragments: the text that uses of them become, whatever module, crate or macro they come from.
use expect_test::{Expect, expect};
use ptx::prelude::*;

#[path = "read_back/mod.rs"]
mod read_back;

/// Compares the body of a kernel, reads the text back, and has the real ptxas assemble it.
fn check(module: &ptx::Module<'_>, expected: &Expect) {
    let text = module.to_string();
    let body = text.split_once("\n{\n").map_or(text.as_str(), |(_, body)| body);
    expected.assert_eq(body);
    read_back::assert_accepted(module);
}

/// The sum of a number and 1.
#[ptx::fragment]
fn next(x: Reg<u32>) -> Reg<u32> {
    ptx! { add.u32 returned, x, 1; }
}

#[ptx::module(target = sm_90a)]
mod here {
    use super::*;

    #[fragment]
    fn next_but_one(x: Reg<u32>) -> Reg<u32> {
        ptx! { next returned, x; next returned, returned; }
    }

    #[kernel]
    pub fn k(dst: Ptr<Global, u32>) {
        ptx! {
            .reg .u32 %a, %b;
            .reg .u64 %to;
            mov.u32 %a, %tid.x;
            next %b, %a;
            next_but_one %b, %b;
            next _, 7;
            call (%a), next, (%b);
            ld.param.u64 %to, [dst];
            st.global.u32 [%to], %a;
            ret;
        }
    }
}

#[test]
fn a_fragment_is_inlined_as_it_would_be_written() {
    check(
        &here::MODULE,
        &expect![[r#"
            .reg .u32 %a, %b;
            .reg .u64 %to;

            mov.u32 %a, %tid.x;
            add.u32 %b, %a, 1;
            {
                .reg .u32 x;

                mov.u32 x, %b;
                add.u32 %b, x, 1;
                add.u32 %b, %b, 1;
            }
            {
                .reg .u32 returned;
                .reg .u32 x;

                mov.u32 x, 7;
                add.u32 returned, x, 1;
            }
            add.u32 %a, %b, 1;
            ld.param.u64 %to, [dst];
            st.global.u32 [%to], %a;
            ret;
        }
    "#]],
    );
}

/// Of another crate, which calls `ptx` by another name.
#[ptx::module(target = sm_90a)]
mod of_another_crate {
    use super::*;
    use renamed::fragments::{self, larger as larger_of, sum as warp_sum, wait};

    #[derive(Clone, Copy, PtxType)]
    #[repr(C)]
    pub struct Stages {
        full: [Mbarrier; 2],
        rows: [[f32; 4]; 2],
    }

    #[shared]
    static SMEM: Stages;

    #[kernel]
    pub fn sums(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .f32 %other, %half;
            .reg .u64 %to;
            mov.f32 %other, 0f3F800000;
            warp_sum %other, %half, %other;
            renamed::fragments::exchange %other, %half, 3;
            add.f32 %other, %other, %half;
            ld.param.u64 %to, [dst];
            st.global.f32 [%to], %other;
            ret;
        }
    }

    #[kernel]
    pub fn waits() {
        ptx! {
            let %phase: u32;
            mbarrier.init.shared.b64 [SMEM.full[1]], 1;
            mbarrier.arrive.shared.b64 _, [SMEM.full[1]];
            mov.u32 %phase, 0;
            wait SMEM.full[1], %phase;
            ret;
        }
    }

    #[kernel]
    pub fn numbers(dst: Ptr<Global, u32>) {
        const TIMES: u32 = 3;
        ptx! {
            .reg .u32 %a, %b;
            .reg .u64 %to;
            let %all: [f32; 4];
            let %by: f32;
            mov.u32 %a, %tid.x;
            mov.u32 %b, %ntid.x;
            larger_of::<u32, 1> %a, %a, %b;
            larger_of::<u32, #(TIMES + 1)> %a, %a, %b;
            for i in 0..4 { mov.f32 %all[i], 0f3F800000; }
            mov.f32 %by, 0f40000000;
            fragments::scale %all, %by;
            ld.param.u64 %to, [dst];
            st.global.u32 [%to], %a;
            cvt.rni.u32.f32 %a, %all[3];
            st.global.u32 [%to + 4], %a;
            ret;
        }
    }
}

#[test]
fn fragments_of_another_crate_are_inlined() {
    check(
        &of_another_crate::MODULE,
        &expect![[r#"
                .reg .f32 %other, %half;
                .reg .u64 %to;

                mov.f32 %other, 0f3F800000;
                {
                    .reg .f32 %other_;

                    mov.f32 %other, %other;
                    shfl.sync.bfly.b32 %other_, %other, 16, 31, 4294967295;
                    add.f32 %other, %other, %other_;
                    shfl.sync.bfly.b32 %other_, %other, 8, 31, 4294967295;
                    add.f32 %other, %other, %other_;
                    shfl.sync.bfly.b32 %other_, %other, 4, 31, 4294967295;
                    add.f32 %other, %other, %other_;
                    shfl.sync.bfly.b32 %other_, %other, 2, 31, 4294967295;
                    add.f32 %other, %other, %other_;
                    shfl.sync.bfly.b32 %other_, %other, 1, 31, 4294967295;
                    add.f32 %other, %other, %other_;
                    mul.f32 %half, %other, 0f3F000000;
                }
                shfl.sync.bfly.b32 %other, %half, 3, 31, 4294967295;
                add.f32 %other, %other, %half;
                ld.param.u64 %to, [dst];
                st.global.f32 [%to], %other;
                ret;
            }

            .visible .entry waits()
            {
                .reg .u32 %phase;

                mbarrier.init.shared.b64 [SMEM+8], 1;
                mbarrier.arrive.shared.b64 _, [SMEM+8];
                mov.u32 %phase, 0;
                {
                    .reg .pred %done;

                AGAIN:
                    mbarrier.try_wait.parity.shared.b64 %done, [SMEM+8], %phase;
                    @!%done bra AGAIN;
                }
                ret;
            }

            .visible .entry numbers(
                .param .u64 .ptr .global .align 4 dst
            )
            {
                .reg .u32 %a, %b;
                .reg .u64 %to;
                .reg .f32 %all<4>;
                .reg .f32 %by;

                mov.u32 %a, %tid.x;
                mov.u32 %b, %ntid.x;
                max.u32 %a, %a, %b;
                max.u32 %a, %a, %b;
                mul.lo.u32 %a, %a, 8;
                mov.f32 %all0, 0f3F800000;
                mov.f32 %all1, 0f3F800000;
                mov.f32 %all2, 0f3F800000;
                mov.f32 %all3, 0f3F800000;
                mov.f32 %by, 0f40000000;
                mul.f32 %all0, %all0, %by;
                mul.f32 %all1, %all1, %by;
                mul.f32 %all2, %all2, %by;
                mul.f32 %all3, %all3, %by;
                ld.param.u64 %to, [dst];
                st.global.u32 [%to], %a;
                cvt.rni.u32.f32 %a, %all3;
                st.global.u32 [%to+4], %a;
                ret;
            }
        "#]],
    );
}

/// Fragments of fragments of fragments, each with a constant that only its own module sees.
mod chain {
    mod inner {
        const THIRD: u32 = 3;

        #[ptx::fragment]
        pub(super) fn third(x: &mut ptx::Reg<u32>) {
            ptx! { add.u32 x, x, #(THIRD); }
        }

        pub(super) mod second {
            const SECOND: u32 = 2;

            #[ptx::fragment]
            pub(in super::super) fn second(x: &mut ptx::Reg<u32>) {
                ptx! { super::third x; add.u32 x, x, #(SECOND); }
            }
        }
    }

    const FIRST: u32 = 1;

    #[ptx::fragment]
    pub(super) fn first(x: &mut ptx::Reg<u32>) {
        ptx! { self::inner::second::second x; add.u32 x, x, #(FIRST); }
    }

    #[ptx::fragment]
    pub(super) fn zeroth(x: &mut ptx::Reg<u32>) {
        const OWN: u32 = 7;
        ptx! { first x; for i in 1..2 { add.u32 x, x, #(i * OWN); } }
    }
}

#[ptx::module(target = sm_80)]
mod chained {
    use super::*;
    // The instruction of this name has modifiers.
    #[allow(unused_imports, reason = "it is imported for its name")]
    use core::cmp::max;

    #[kernel]
    pub fn k(dst: Ptr<Global, u32>) {
        ptx! {
            .reg .u32 %x;
            .reg .u64 %to;
            mov.u32 %x, %tid.x;
            max.u32 %x, %x, 1;
            chain::zeroth %x;
            ld.param.u64 %to, [dst];
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

#[test]
fn fragments_of_fragments_keep_their_constants() {
    check(
        &chained::MODULE,
        &expect![[r#"
            .reg .u32 %x;
            .reg .u64 %to;

            mov.u32 %x, %tid.x;
            max.u32 %x, %x, 1;
            add.u32 %x, %x, 3;
            add.u32 %x, %x, 2;
            add.u32 %x, %x, 1;
            add.u32 %x, %x, 7;
            ld.param.u64 %to, [dst];
            st.global.u32 [%to], %x;
            ret;
        }
    "#]],
    );
}

/// Adds a number to two registers.
#[ptx::fragment]
fn add_to_both(acc: &mut Reg<[f32; 2]>, x: Reg<f32>) {
    ptx! { add.f32 acc[0], acc[0], x; add.f32 acc[1], acc[1], x; }
}

/// A scalar product, and a number times a constant of Rust.
#[ptx::fragment(returns(product, scaled))]
fn dot<const N: u32>(a: Reg<[f32; 2]>, b: Reg<[f32; 2]>, by: f32) -> (Reg<f32>, Reg<f32>) {
    ptx! {
        mov.f32 product, 0f00000000;
        for i in 0..N { fma.rn.f32 product, a[i], b[i], product; }
        mul.f32 scaled, product, #(by * 2.0);
    }
}

/// The other one of two predicates.
#[ptx::fragment]
fn either(x: Reg<bool>, y: Reg<bool>) -> Reg<bool> {
    ptx! { mov.pred returned, x; or.pred returned, returned, y; }
}

#[ptx::module(target = sm_80)]
mod aliases {
    use super::*;

    #[kernel]
    pub fn k(dst: Ptr<Global, f32>) {
        ptx! {
            let %acc, %other: [f32; 2];
            let %sum, %half: f32;
            .reg .pred %p, %q;
            .reg .u64 %to;
            for i in 0..2 { mov.f32 %acc[i], 0f3F800000; mov.f32 %other[i], 0f40000000; }
            add_to_both %acc, %acc[0];
            dot::<2> %sum, %half, %acc, %other, 1.5;
            dot::<2> %sum, _, %acc, %other, #(f32::MAX / 2.0);
            setp.gt.f32 %p, %sum, %half;
            setp.gt.f32 %q, %sum, 0f40000000;
            either %q, !%p, %q;
            ld.param.u64 %to, [dst];
            @%q st.global.f32 [%to], %sum;
            @!%q st.global.f32 [%to], %half;
            ret;
        }
    }
}

#[test]
fn a_value_is_copied_where_it_would_be_overwritten() {
    check(
        &aliases::MODULE,
        &expect![[r#"
            .reg .f32 %acc<2>, %other<2>;
            .reg .f32 %sum, %half;
            .reg .pred %p, %q;
            .reg .u64 %to;

            mov.f32 %acc0, 0f3F800000;
            mov.f32 %other0, 0f40000000;
            mov.f32 %acc1, 0f3F800000;
            mov.f32 %other1, 0f40000000;
            {
                .reg .f32 x;

                mov.f32 x, %acc0;
                add.f32 %acc0, %acc0, x;
                add.f32 %acc1, %acc1, x;
            }
            mov.f32 %sum, 0f00000000;
            fma.rn.f32 %sum, %acc0, %other0, %sum;
            fma.rn.f32 %sum, %acc1, %other1, %sum;
            mul.f32 %half, %sum, 0f40400000;
            {
                .reg .f32 scaled;

                mov.f32 %sum, 0f00000000;
                fma.rn.f32 %sum, %acc0, %other0, %sum;
                fma.rn.f32 %sum, %acc1, %other1, %sum;
                mul.f32 scaled, %sum, 0f7F7FFFFF;
            }
            setp.gt.f32 %p, %sum, %half;
            setp.gt.f32 %q, %sum, 0f40000000;
            {
                .reg .pred x;
                .reg .pred y;

                not.pred x, %p;
                mov.pred y, %q;
                mov.pred %q, x;
                or.pred %q, %q, y;
            }
            ld.param.u64 %to, [dst];
            @%q st.global.f32 [%to], %sum;
            @!%q st.global.f32 [%to], %half;
            ret;
        }
    "#]],
    );
}

macro_rules! reduction {
    ($module:ident, $ty:ident, $combine:ident, [$($distance:literal),*]) => {
        #[ptx::module(target = sm_80)]
        mod $module {
            use super::*;

            #[fragment]
            pub fn reduced(x: Reg<$ty>) -> Reg<$ty> {
                ptx! {
                    .reg .b32 %other;
                    mov.b32 returned, x;
                    $(
                        shfl.sync.bfly.b32 %other, returned, $distance, 31, 0xffffffff;
                        $combine.$ty returned, returned, %other;
                    )*
                }
            }

            #[kernel]
            pub fn k(dst: Ptr<Global, $ty>) {
                ptx! {
                    .reg .$ty %x;
                    .reg .u32 %i;
                    .reg .u64 %to;
                    mov.u32 %i, %tid.x;
                    cvt.rn.f32.u32 %x, %i;
                    reduced %x, %x;
                    ld.param.u64 %to, [dst];
                    st.global.$ty [%to], %x;
                    ret;
                }
            }
        }
    };
}

reduction!(largest, f32, max, [2, 1]);

#[test]
fn a_fragment_may_come_out_of_a_macro() {
    check(
        &largest::MODULE,
        &expect![[r#"
            .reg .f32 %x;
            .reg .u32 %i;
            .reg .u64 %to;

            mov.u32 %i, %tid.x;
            cvt.rn.f32.u32 %x, %i;
            {
                .reg .b32 %other;

                mov.b32 %x, %x;
                shfl.sync.bfly.b32 %other, %x, 2, 31, 0xffffffff;
                max.f32 %x, %x, %other;
                shfl.sync.bfly.b32 %other, %x, 1, 31, 0xffffffff;
                max.f32 %x, %x, %other;
            }
            ld.param.u64 %to, [dst];
            st.global.f32 [%to], %x;
            ret;
        }
    "#]],
    );
}

#[test]
fn findings_at_run_time_say_both_places() {
    #[ptx::module(target = sm_90a, __unchecked)]
    mod wrong {
        use super::*;

        #[shared]
        static ROW: [f32; 4];

        #[kernel]
        pub fn k() {
            ptx! {
                .reg .f32 %x;
                mov.f32 %x, 0f00000000;
                store ROW, %x;
                ret;
            }
        }
    }
    let found: Vec<String> = wrong::MODULE.check().iter().map(ToString::to_string).collect();
    let [found] = found.as_slice() else { panic!("{found:?}") };
    let at = found.rsplit_once(", in a fragment at ").expect(found).1;
    assert!(at.starts_with("tests/fragments.rs:") || at.starts_with("fragments.rs:"), "{found}");
    assert!(found.contains("`ROW`") && found.contains("A020"), "{found}");
}

/// Stores beyond the rows that are passed to it.
#[ptx::fragment]
fn store(row: &[f32; 8], x: Reg<f32>) {
    ptx! { st.shared.f32 [row + 28], x; }
}

/// Two numbers from each half of an array, packed.
#[ptx::fragment]
fn packed<const SUMS: usize>(sum: Reg<[f32; SUMS]>, pairs: &mut Reg<[Bf16x2; 2]>) {
    ptx! {
        for half in 0..SUMS / 2 {
            ptx::lib::float::to_bf16x2 pairs[half], sum[2 * half], sum[2 * half + 1];
        }
    }
}

#[ptx::module(target = sm_90a)]
mod arrays {
    use super::*;

    const SUMS: usize = 8;

    #[kernel]
    pub fn k(dst: Ptr<Global, Bf16x2>) {
        ptx! {
            let %sum: [f32; SUMS / 2];
            let %pairs: [Bf16x2; 2];
            let %to: Ptr<Global, Bf16x2>;
            for i in 0..SUMS / 2 {
                mov.f32 %sum[i], 0f3F800000;
            }
            packed::<{ SUMS / 2 }> %sum, %pairs;
            ld.param.u64 %to, [dst];
            for i in 0..2 {
                st.global.b32 [%to[i]], %pairs[i];
            }
            ret;
        }
    }
}

#[test]
fn an_array_that_another_fragment_reads_is_read_only() {
    check(
        &arrays::MODULE,
        &expect![[r#"
            .reg .f32 %sum<4>;
            .reg .b32 %pairs<2>;
            .reg .b64 %to;

            mov.f32 %sum0, 0f3F800000;
            mov.f32 %sum1, 0f3F800000;
            mov.f32 %sum2, 0f3F800000;
            mov.f32 %sum3, 0f3F800000;
            cvt.rn.bf16x2.f32 %pairs0, %sum1, %sum0;
            cvt.rn.bf16x2.f32 %pairs1, %sum3, %sum2;
            ld.param.u64 %to, [dst];
            st.global.b32 [%to+0], %pairs0;
            st.global.b32 [%to+4], %pairs1;
            ret;
        }
    "#]],
    );
}

/// A quarter of some registers, which `COUNT` decides.
#[ptx::fragment]
fn clear_quarter<const QUARTER: usize, const COUNT: usize>(all: &mut Reg<[u32; COUNT / 2]>) {
    ptx! { for i in 4 * QUARTER..4 * QUARTER + 4 { mov.b32 all[i], 0; } }
}

/// A parameter with the name of a module whose fragment is used.
mod steps {
    #[ptx::fragment]
    pub(super) fn up(x: &mut ptx::Reg<u32>) {
        ptx! { add.u32 x, x, 1; }
    }
}

/// A constant that the macro cannot evaluate.
const LARGE: u32 = 1 << (u32::BITS - 2);

#[ptx::fragment]
fn less<const BY: u32>(x: &mut Reg<u32>) {
    ptx! { sub.u32 x, x, BY; }
}

#[ptx::fragment]
fn two_up(steps: &mut Reg<u32>) {
    ptx! { steps::up steps; steps::up steps; }
}

#[ptx::module(target = sm_80)]
mod names_and_counts {
    use super::*;

    #[kernel]
    pub fn k(dst: Ptr<Global, u32>) {
        ptx! {
            let %all: [u32; 8];
            let %to: u64;
            for quarter in 0..2 { clear_quarter::<quarter, 16> %all; }
            two_up %all[7];
            less::<LARGE> %all[0];
            ld.param.u64 %to, [dst];
            for i in 0..8 { st.global.u32 [%to + #(4 * i)], %all[i]; }
            ret;
        }
    }
}

/// A length that a constant decides is not compared where the fragment is written, and a path is never a parameter.
#[test]
fn constants_decide_lengths_and_paths_are_not_parameters() {
    let text = names_and_counts::MODULE.to_string();
    assert_eq!(
        (text.matches(", 0;").count(), text.matches("add.u32 %all7, %all7, 1;").count()),
        (8, 2)
    );
    assert!(text.contains("sub.u32 %all0, %all0, 1073741824;"), "{text}");
    read_back::assert_accepted(&names_and_counts::MODULE);
}
