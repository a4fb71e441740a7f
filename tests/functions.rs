//! Device functions of other modules and crates: a module that calls them has copies of them, with what they need.
use expect_test::{Expect, expect};
use ptx::prelude::*;

#[path = "read_back/mod.rs"]
mod read_back;

/// Compares the text of a module, reads it back, checks it, and has the real ptxas assemble it.
fn check(module: &ptx::Module<'_>, expected: &Expect) {
    expected.assert_eq(&module.to_string());
    read_back::assert_accepted(module);
}

/// A generic function.
#[ptx::module(target = sm_80)]
mod squares {

    #[device(for(T in [f32, f64]))]
    pub(super) fn square<T>(x: Reg<T>) -> Reg<T> {
        ptx! { mul.T returned, x, x; ret; }
    }
}

/// Calls functions of another crate, directly and through a fragment of it.
#[ptx::module(target = sm_90a)]
mod of_another_crate {
    use super::*;
    use renamed::functions::numbers::two_steps as steps;
    use renamed::functions::{four_steps, numbers};

    #[shared]
    static OWN: [f32; 8];

    #[device]
    fn own(x: Reg<f32>) -> Reg<f32> {
        ptx! { call (returned), steps, (x); ret; }
    }

    #[kernel(reqntid = 32, for(T in [f32, f64]))]
    pub fn k<T>(dst: Ptr<Global, T>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n;
            .reg .f32 %x, %y;
            .reg .T %s;
            .reg .u64 %to;
            mov.f32 %x, 0f3F800000;
            st.shared.f32 [OWN], %x;
            four_steps %y, %x;
            setp.gt.f32 %p, %y, 0f3F800000;
            @%p call (%y), own, (%y);
            @!%p call (%y), steps, (%y);
            call (%n), numbers::count_down, (3);
            cvt.rn.T.u32 %s, %n;
            call (%s), super::squares::square::<T>, (%s);
            ld.param.u64 %to, [dst];
            st.global.T [%to], %s;
            ret;
        }
    }
}

#[test]
fn a_module_has_copies_of_what_it_calls_in_another_crate() {
    check(
        &of_another_crate::MODULE,
        &expect![[r#"
        .version 8.0
        .target sm_90a
        .address_size 64

        .weak .func (.reg .f32 returned) two_steps(.reg .f32 x);
        .weak .func (.reg .u32 returned) count$down(.reg .u32 n);
        .weak .func (.reg .f32 returned) square_f32(.reg .f32 x);
        .weak .func (.reg .f64 returned) square_f64(.reg .f64 x);
        .func (.reg .f32 returned) step(.reg .f32 x);

        .shared .f32 OWN[8];
        .shared .f32 LAST[32];
        .weak .const .f32 STEPS[4] = {0f3F800000, 0f40000000, 0f40400000, 0f40800000};

        .func (.reg .f32 returned) own(.reg .f32 x)
        {
            call (returned), two_steps, (x);
            ret;
        }

        .visible .entry k_f32(
            .param .u64 .ptr .global .align 4 dst
        )
        .reqntid 32
        {
            .reg .pred %p;
            .reg .b32 %n;
            .reg .f32 %x, %y;
            .reg .f32 %s;
            .reg .u64 %to;

            mov.f32 %x, 0f3F800000;
            st.shared.f32 [OWN], %x;
            {
                .reg .f32 x;

                mov.f32 x, %x;
                call (%y), two_steps, (x);
                call.uni (%y), two_steps, (%y);
            }
            setp.gt.f32 %p, %y, 0f3F800000;
            @%p call (%y), own, (%y);
            @!%p call (%y), two_steps, (%y);
            call (%n), count$down, (3);
            cvt.rn.f32.u32 %s, %n;
            call (%s), square_f32, (%s);
            ld.param.u64 %to, [dst];
            st.global.f32 [%to], %s;
            ret;
        }

        .visible .entry k_f64(
            .param .u64 .ptr .global .align 8 dst
        )
        .reqntid 32
        {
            .reg .pred %p;
            .reg .b32 %n;
            .reg .f32 %x, %y;
            .reg .f64 %s;
            .reg .u64 %to;

            mov.f32 %x, 0f3F800000;
            st.shared.f32 [OWN], %x;
            {
                .reg .f32 x;

                mov.f32 x, %x;
                call (%y), two_steps, (x);
                call.uni (%y), two_steps, (%y);
            }
            setp.gt.f32 %p, %y, 0f3F800000;
            @%p call (%y), own, (%y);
            @!%p call (%y), two_steps, (%y);
            call (%n), count$down, (3);
            cvt.rn.f64.u32 %s, %n;
            call (%s), square_f64, (%s);
            ld.param.u64 %to, [dst];
            st.global.f64 [%to], %s;
            ret;
        }

        .weak .func (.reg .f32 returned) two_steps(.reg .f32 x)
        {
            st.shared.f32 [LAST], x;
            call (returned), step, (x);
            call (returned), step, (returned);
            ret;
        }

        .weak .func (.reg .u32 returned) count$down(.reg .u32 n)
        {
            .reg .pred %p;
            .reg .b32 %n;

            mov.u32 returned, 0;
            setp.eq.u32 %p, n, 0;
            @%p ret;
            sub.u32 %n, n, 1;
            call (returned), count$down, (%n);
            ret;
        }

        .weak .func (.reg .f32 returned) square_f32(.reg .f32 x)
        {
            mul.f32 returned, x, x;
            ret;
        }

        .weak .func (.reg .f64 returned) square_f64(.reg .f64 x)
        {
            mul.f64 returned, x, x;
            ret;
        }

        .func (.reg .f32 returned) step(.reg .f32 x)
        {
            .reg .f32 %step;

            ld.const.f32 %step, [STEPS+4];
            add.f32 returned, x, %step;
            ret;
        }
    "#]],
    );
    // 8 numbers of its own, and 32 of the function.
    let kernel = of_another_crate::k::<f32>();
    assert_eq!(kernel.ir().static_shared_bytes(), Some(160));
}

/// Functions that call each other, across modules.
#[ptx::module(target = sm_80)]
mod even {
    #[device]
    pub fn is_even(n: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n;
            mov.u32 returned, 1;
            setp.eq.u32 %p, n, 0;
            @%p ret;
            sub.u32 %n, n, 1;
            call (returned), super::odd::is_odd, (%n);
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod odd {
    use super::even::is_even;

    #[device]
    pub fn is_odd(n: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %n;
            mov.u32 returned, 0;
            setp.eq.u32 %p, n, 0;
            @%p ret;
            sub.u32 %n, n, 1;
            call (returned), is_even, (%n);
            ret;
        }
    }
}

#[test]
fn modules_call_each_other() {
    check(
        &even::MODULE,
        &expect![[r#"
        .version 7.0
        .target sm_80
        .address_size 64

        .weak .func (.reg .u32 returned) is_odd(.reg .u32 n);

        .visible .func (.reg .u32 returned) is_even(.reg .u32 n)
        {
            .reg .pred %p;
            .reg .b32 %n;

            mov.u32 returned, 1;
            setp.eq.u32 %p, n, 0;
            @%p ret;
            sub.u32 %n, n, 1;
            call (returned), is_odd, (%n);
            ret;
        }

        .weak .func (.reg .u32 returned) is_odd(.reg .u32 n)
        {
            .reg .pred %p;
            .reg .b32 %n;

            mov.u32 returned, 0;
            setp.eq.u32 %p, n, 0;
            @%p ret;
            sub.u32 %n, n, 1;
            call (returned), is_even, (%n);
            ret;
        }
    "#]],
    );
    let names = odd::MODULE.ir().functions.iter().map(|function| function.name);
    assert_eq!(names.collect::<Vec<_>>(), ["is_odd", "is_even"]);
}

/// What a `macro_rules!` writes.
macro_rules! module_with {
    ($name:ident, $function:path, $by:expr) => {
        #[ptx::module(target = sm_90a)]
        mod $name {
            #[kernel]
            pub fn k() {
                ptx! {
                    .reg .f32 %x;
                    call (%x), $function, (#($by));
                    ret;
                }
            }
        }
    };
}

module_with!(from_a_macro, renamed::functions::numbers::two_steps, 2.0_f32);

/// Modules with functions of one name at one place.
macro_rules! module_of {
    ($name:ident, $by:literal) => {
        #[ptx::module(target = sm_80)]
        mod $name {
            #[device]
            pub fn scaled(x: Reg<f32>) -> Reg<f32> {
                ptx! { mul.f32 returned, x, $by; ret; }
            }
        }
    };
}

module_of!(by_two, 2.0);
module_of!(by_three, 3.0);

/// Functions of one name cannot both be copied.
#[ptx::module(target = sm_80)]
mod by_three_only {
    #[kernel]
    pub fn k() {
        ptx! {
            .reg .f32 %x;
            call (%x), super::by_three::scaled, (1.0);
            ret;
        }
    }
}

#[test]
fn a_call_may_come_out_of_a_macro() {
    assert!(by_three_only::MODULE.to_string().contains("mul.f32 returned, x, 3.0;"));
    assert!(by_two::MODULE.to_string().contains("mul.f32 returned, x, 2.0;"));
    let names = from_a_macro::MODULE.ir().functions.iter().map(|function| function.name);
    assert_eq!(names.collect::<Vec<_>>(), ["k", "two_steps", "step"]);
}

/// Calls back into the module that calls it, and declares what that module declares, too.
#[ptx::module(target = sm_80)]
mod calls_back {
    use ptx::prelude::F16x2;

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[device]
    pub fn back(x: Reg<f32>, _pair: Reg<F16x2>) -> Reg<f32> {
        ptx! {
            .param .b64 format;
            .param .b64 arguments;
            .param .b32 printed;
            st.param.b64 [format], 0;
            st.param.b64 [arguments], 0;
            call (printed), vprintf, (format, arguments);
            call (returned), super::called_back::counts, (x);
            ret;
        }
    }
}

/// Names that are not those of PTX do not matter.
#[ptx::module(target = sm_80)]
mod other_names {
    use super::*;

    #[fragment]
    fn two_steps(x: Reg<f32>) -> Reg<f32> {
        ptx! { add.f32 returned, x, x; }
    }

    #[device(for(T in [f32]))]
    fn step_of<T>(x: Reg<T>) -> Reg<T> {
        ptx! { mov.T returned, x; ret; }
    }

    #[kernel]
    pub fn k() {
        ptx! {
            .reg .f32 %x;
            two_steps %x, 1.0;
            call (%x), renamed::functions::numbers::two_steps, (%x);
            call (%x), step_of::<f32>, (%x);
            ret;
        }
    }
}

/// Has storage that is reached directly, and from another module; and calls a function of its own by a path.
#[ptx::module(target = sm_80)]
mod called_back {
    #[shared]
    static ROW: [f32; 8000];

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    #[device]
    pub fn counts(x: Reg<f32>) -> Reg<f32> {
        ptx! {
            .shared .f32 local[8];
            st.shared.f32 [ROW], x;
            st.shared.f32 [local], x;
            mov.f32 returned, x;
            ret;
        }
    }

    #[kernel(reqntid = 32)]
    pub fn both() {
        ptx! {
            .reg .f32 %x;
            .reg .b32 %pair;
            mov.b32 %pair, 0;
            call (%x), super::calls_back::back, (1.0, %pair);
            call (%x), counts, (%x);
            call (%x), self::counts, (%x);
            ret;
        }
    }

    #[kernel(reqntid = 32)]
    pub fn only_back() {
        ptx! {
            .reg .f32 %x;
            .reg .b32 %pair;
            mov.b32 %pair, 0;
            call (%x), super::calls_back::back, (1.0, %pair);
            ret;
        }
    }
}

#[test]
fn shared_memory_is_counted_once() {
    for kernel in [called_back::both(), called_back::only_back()] {
        assert_eq!(kernel.ir().static_shared_bytes(), Some(32_032), "{}", kernel.name());
    }
    let names = called_back::MODULE.ir().functions.iter().map(|function| function.name);
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["vprintf", "counts", "both", "only_back", "back"]);
    let found = called_back::MODULE.check();
    assert!(found.is_empty(), "{}", found.iter().map(ToString::to_string).collect::<String>());
}

/// A macro names functions of its own crate.
macro_rules! module_of_this_crate {
    ($name:ident) => {
        #[ptx::module(target = sm_80)]
        mod $name {
            #[kernel]
            pub fn k() {
                ptx! {
                    .reg .f32 %x;
                    call (%x), $crate::by_two::scaled, (1.0);
                    ret;
                }
            }
        }
    };
}

module_of_this_crate!(names_its_crate);

#[test]
fn a_fragment_may_have_the_name_of_a_function() {
    let text = other_names::MODULE.to_string();
    assert!(text.contains("call (%x), two_steps, (%x);"), "{text}");
}

#[test]
fn a_macro_names_its_crate() {
    assert!(names_its_crate::MODULE.to_string().contains("mul.f32 returned, x, 2.0;"));
}

ptx::assembles!(called_back);
ptx::assembles!(of_another_crate);
ptx::assembles!(odd);
ptx::assembles!(from_a_macro);
