//! What a module declares `extern`, and the modules that define it.

use std::error::Error;

use expect_test::expect;
use ptx::cuda::{LoadOptions, check_links, linked, load, load_linked};
use ptx::prelude::*;

/// Defines what others declare.
#[ptx::module(target = sm_80)]
mod defines {
    #[global]
    pub static CALLS: u32 = 0;

    #[device]
    pub fn noise(seed: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .b32 %before;
            atom.global.add.u32 %before, [CALLS], 1;
            mad.lo.u32 returned, seed, 1664525, 1013904223;
            ret;
        }
    }

    #[device]
    fn hidden(x: Reg<u32>) -> Reg<u32> {
        ptx! { mov.u32 returned, x; ret; }
    }
}

/// Declares it, and calls a copy of it besides the driver's `vprintf`.
#[ptx::module(target = sm_80)]
mod uses {
    use super::*;

    #[global(extern)]
    static CALLS: u32;

    #[device(extern)]
    fn noise(seed: Reg<u32>) -> Reg<u32>;

    #[device(extern)]
    fn vprintf(format: u64, arguments: u64) -> i32;

    /// Declared, and not used.
    #[device(extern)]
    fn other(x: Reg<u32>) -> Reg<u32>;

    #[kernel(reqntid = 1)]
    pub fn fill(to: Ptr<Global, u32>, text: u64) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x;
            .reg .b64 %to, %text;
            .param .b64 format;
            .param .b64 arguments;
            .param .b32 result;
            ld.param.u64 %to, [to];
            call (%x), noise, (1);
            st.global.u32 [%to], %x;
            ld.global.u32 %x, [CALLS];
            st.global.u32 [%to + 4], %x;
            ld.param.u64 %text, [text];
            setp.eq.u64 %p, %text, 0;
            @%p ret;
            st.param.b64 [format], %text;
            st.param.b64 [arguments], 0;
            call (result), vprintf, (format, arguments);
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod uses_other_types {
    #[device(extern)]
    fn noise(seed: Reg<u64>) -> Reg<u32>;

    #[kernel(reqntid = 1)]
    pub fn k() {
        ptx! {
            .reg .b32 %x;
            call (%x), noise, (1);
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod uses_another_size {
    #[global(extern)]
    static CALLS: [u32; 2];

    #[kernel(reqntid = 1)]
    pub fn k() {
        ptx! {
            .reg .b32 %x;
            ld.global.u32 %x, [CALLS + 4];
            st.global.u32 [CALLS], %x;
            ret;
        }
    }
}

#[ptx::module(target = sm_80)]
mod uses_what_is_private {
    #[device(extern)]
    fn hidden(x: Reg<u32>) -> Reg<u32>;

    #[kernel(reqntid = 1)]
    pub fn k() {
        ptx! {
            .reg .b32 %x;
            call (%x), hidden, (1);
            ret;
        }
    }
}

/// Has a copy of the function, which is weak.
#[ptx::module(target = sm_80)]
mod has_a_copy {
    #[kernel(reqntid = 1)]
    pub fn k() {
        ptx! {
            .reg .b32 %x;
            call (%x), super::defines::noise, (1);
            ret;
        }
    }
}

/// Defines the same name once more.
#[ptx::module(target = sm_80)]
mod defines_again {
    #[device]
    pub fn noise(seed: Reg<u32>) -> Reg<u32> {
        ptx! { mov.u32 returned, seed; ret; }
    }
}

#[test]
fn what_is_not_defined_is_named_before_anything_is_compiled() {
    let mut all = String::new();
    for (module, with) in [
        (&uses::MODULE, &[][..]),
        (&uses::MODULE, &[&has_a_copy::MODULE]),
        (&uses::MODULE, &[&defines::MODULE]),
        (&uses::MODULE, &[&defines::MODULE, &has_a_copy::MODULE]),
        (&has_a_copy::MODULE, &[]),
        (&uses_other_types::MODULE, &[&defines::MODULE]),
        (&uses_another_size::MODULE, &[&defines::MODULE]),
        (&uses_what_is_private::MODULE, &[&defines::MODULE]),
        (&defines::MODULE, &[&defines_again::MODULE]),
    ] {
        let found = match check_links(module, with) {
            Ok(()) => "linked".to_owned(),
            Err(error) => error.to_string(),
        };
        all += &found;
        all += "\n";
    }
    expect![[r#"
        the module `uses` uses `noise`, `CALLS`, which it declares `extern`, and no module that it is loaded with defines them; load it by `ptx::cuda::load_linked` with the module that does
        linked
        linked
        linked
        linked
        `uses_other_types` declares `noise` `extern`, and `defines` defines it, but they differ in the type of a parameter; declare it as it is defined
        `uses_another_size` declares `CALLS` `extern`, and `defines` defines it, but it has 4 bytes, and not 8; declare it as it is defined
        `uses_what_is_private` declares `hidden` `extern`, and it is private in `defines`; write `pub` there
        `defines` and `defines_again` both define `noise`; make one private, or give it another name with `#[unsafe(export_name = "..")]`
    "#]].assert_eq(&all);
}

#[test]
fn modules_are_linked() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let Err(alone) = load::<uses::Loaded>(&context) else {
        panic!("nothing defines `noise`");
    };
    assert!(alone.to_string().contains("`noise`, `CALLS`"), "{alone}");

    let with = [&defines::MODULE, &has_a_copy::MODULE];
    let loaded = load_linked::<uses::Loaded>(&context, &with, LoadOptions::new())?;
    let mut to = stream.alloc_zeros::<u32>(2)?;
    // SAFETY: there is room for two numbers, and no text is printed.
    unsafe { loaded.fill().grid(1).launch(&stream, (&mut to, 0_u64))? };
    assert_eq!(stream.clone_dtoh(&to)?, [1_664_525 + 1_013_904_223, 1]);

    // The memory of the other module, and its kernels.
    let defines = linked::<defines::Loaded>(&loaded)?;
    assert_eq!(defines.CALLS.get(&stream)?, 1);
    let copies = linked::<has_a_copy::Loaded>(&loaded)?;
    // SAFETY: it has no parameters.
    unsafe { copies.k().grid(1).launch(&stream, ())? };
    assert_eq!(defines.CALLS.get(&stream)?, 2);
    let Err(other) = linked::<defines_again::Loaded>(&loaded) else { panic!("it is not there") };
    assert!(other.to_string().contains("`defines_again` was not linked with `uses`"), "{other}");
    Ok(())
}
