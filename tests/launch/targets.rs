//! Modules for several targets, on a GPU.

use std::error::Error;

use ptx::Target;
use ptx::cuda::{
    Cubin, Cubins, LoadError, LoadOptions, Origin, load, load_cubins, load_linked, origin,
    target_of,
};
use ptx::prelude::*;

#[ptx::module(targets = [sm_80, sm_90a, sm_100a])]
mod which {
    use super::*;

    #[constant]
    #[target(sm_80)]
    pub static TARGET: u32 = 80;
    #[constant]
    #[target(sm_90a)]
    pub static TARGET: u32 = 90;
    #[constant]
    #[target(sm_100a)]
    pub static TARGET: u32 = 100;

    #[shared(dynamic)]
    #[target(sm_80, sm_100a)]
    static ROW: [u32; 128];
    #[shared(dynamic)]
    #[target(sm_90a)]
    static ROW: [u32; 16384];

    /// Stores `TARGET`, and the number of threads.
    #[kernel(reqntid = 128, grid = 1, requires(to.len() >= 256), unsafe(safe_launch))]
    #[target(sm_80, sm_100a)]
    pub fn which(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i, %x, %at;
            .reg .b64 %to;
            mov.u32 %i, %tid.x;
            ld.const.u32 %x, [TARGET];
            lea.shared.u32 %at, ROW[%i];
            st.shared.u32 [%at], %x;
            ld.shared.u32 %x, [%at];
            lea.global.u64 %to, to[%i];
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// The same with more threads, and shared memory that needs an opt-in.
    #[kernel(reqntid = 256, grid = 1, requires(to.len() >= 256), unsafe(safe_launch))]
    #[target(sm_90a)]
    pub fn which(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i, %x, %at;
            .reg .b64 %to;
            wgmma.fence.sync.aligned;
            mov.u32 %i, %tid.x;
            ld.const.u32 %x, [TARGET];
            lea.shared.u32 %at, ROW[%i];
            st.shared.u32 [%at + #(4 * 16000)], %x;
            ld.shared.u32 %x, [%at + #(4 * 16000)];
            lea.global.u64 %to, to[%i];
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

/// One kernel for each device, one for those of compute capability 9.0, and one for the others.
#[ptx::module(targets = [sm_80, sm_90a])]
mod some {
    use super::*;

    #[kernel(reqntid = 1, grid = 1, requires(to.len() >= 1), unsafe(safe_launch))]
    pub fn all(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            st.global.u32 [%to], 1;
            ret;
        }
    }

    /// With what 9.0 alone has.
    #[kernel(reqntid = 128, grid = 1, requires(to.len() >= 1), unsafe(safe_launch))]
    #[target(sm_90a)]
    pub fn hopper(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b64 %to;
            wgmma.fence.sync.aligned;
            ld.param.u64 %to, [to];
            st.global.u32 [%to], 90;
            ret;
        }
    }

    #[kernel(reqntid = 1)]
    #[target(sm_80)]
    pub(super) fn other(to: Ptr<Global, u32>, n: Number) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %n;
            ld.param.u64 %to, [to];
            ld.param.u32 %n, [n];
            st.global.u32 [%to], %n;
            ret;
        }
    }
}

type Number = u32;

#[test]
fn a_kernel_is_there_for_its_targets() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let loaded = load::<some::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(1)?;
    loaded.all().launch(&stream, (&mut to,))?;
    assert_eq!(stream.clone_dtoh(&to)?, [1]);
    let is_hopper = target_of(&loaded) == Target::Sm90a;
    let missing = if is_hopper {
        loaded.hopper()?.launch(&stream, (&mut to,))?;
        assert_eq!(stream.clone_dtoh(&to)?, [90]);
        loaded.other().map(|_| ())
    } else {
        // SAFETY: there is room for one number.
        unsafe { loaded.other()?.grid(1).launch(&stream, (&mut to, 80))? };
        assert_eq!(stream.clone_dtoh(&to)?, [80]);
        loaded.hopper().map(|_| ())
    };
    let (kernel, has, loaded) =
        if is_hopper { ("other", "sm_80", "sm_90a") } else { ("hopper", "sm_90a", "sm_80") };
    assert_eq!(
        missing.expect_err("this device has no such kernel").to_string(),
        format!(
            "`{kernel}` was not launched: it is declared for `{has}`, and this device runs the module for `{loaded}`; \
             launch another kernel there, or declare it with `#[target({loaded})]`, too"
        )
    );
    // A kernel can be kept as the others can.
    let _kept: Result<some::kernels::Hopper, _> =
        load::<some::Loaded>(&context)?.hopper().map(|launch| launch.kernel());
    Ok(())
}

#[ptx::module(targets = [sm_80, sm_90a])]
mod defines {
    #[device]
    #[target(sm_80)]
    pub fn number() -> Reg<u32> {
        ptx! { mov.u32 returned, 80; ret; }
    }

    #[device]
    #[target(sm_90a)]
    pub fn number() -> Reg<u32> {
        ptx! { wgmma.fence.sync.aligned; mov.u32 returned, 90; ret; }
    }
}

#[ptx::module(targets = [sm_80, sm_90])]
mod calls {
    use super::*;

    #[device(extern)]
    fn number() -> Reg<u32>;

    #[kernel(reqntid = 128, grid = 1, requires(to.len() >= 1), unsafe(safe_launch))]
    pub fn call(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %x;
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            call (%x), number, ();
            st.global.u32 [%to], %x;
            ret;
        }
    }
}

#[test]
fn linked_modules_are_for_one_device() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let device = ptx::cuda::current_target().ok_or("an unknown device")?;
    let loaded = load_linked::<calls::Loaded>(&context, &[&defines::MODULE], LoadOptions::new())?;
    let defined = ptx::cuda::linked::<defines::Loaded>(&loaded)?;
    let is_90 = device.arch() == 90;
    assert_eq!(target_of(&defined), if is_90 { Target::Sm90a } else { Target::Sm80 });
    assert_eq!(target_of(&loaded), if device.arch() >= 90 { Target::Sm90 } else { Target::Sm80 });
    let mut to = stream.alloc_zeros::<u32>(1)?;
    loaded.call().launch(&stream, (&mut to,))?;
    assert_eq!(stream.clone_dtoh(&to)?, [if is_90 { 90 } else { 80 }]);
    Ok(())
}

/// For no device with which anybody tests.
#[ptx::module(targets = [sm_121a, sm_103a])]
mod rare {
    #[kernel(reqntid = 32)]
    pub fn nothing() {
        ptx! { ret; }
    }
}

#[test]
fn the_best_target_is_loaded_and_launched() -> Result<(), Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let device = ptx::cuda::current_target().ok_or("an unknown device")?;
    let best = which::MODULE.for_arch(device.arch()).ok_or("an older device")?;
    let run = |loaded: &which::Loaded| -> Result<(), Box<dyn Error>> {
        assert_eq!(target_of(loaded), best.target);
        let mut to = stream.alloc_zeros::<u32>(256)?;
        loaded.which().launch(&stream, (&mut to,))?;
        let (number, threads) = match best.target {
            Target::Sm90a => (90, 256),
            Target::Sm100a => (100, 128),
            _ => (80, 128),
        };
        let expected: Vec<u32> =
            (0..256_usize).map(|i| if i < threads { number } else { 0 }).collect();
        assert_eq!(stream.clone_dtoh(&to)?, expected);
        assert_eq!(loaded.TARGET.get(&stream)?, number);
        loaded.TARGET.set(&stream, &7)?;
        loaded.which().launch(&stream, (&mut to,))?;
        assert!(stream.clone_dtoh(&to)?.iter().take(threads).all(|it| *it == 7));
        Ok(())
    };
    let loaded = load::<which::Loaded>(&context)?;
    run(&loaded)?;
    println!("{} of {device}\n{}", target_of(&loaded), loaded.which().resources()?);

    let Some(ptxas) = xtask::oracle() else { return Ok(()) };
    let cubins = which::MODULE.each_target().map(|module| -> Result<Cubins, Box<dyn Error>> {
        let image: &'static [u8] = ptxas.assemble(module)?.cubin.leak();
        let all: &'static [_] = vec![Cubin::new(module.target, image)].leak();
        // SAFETY: it was made from this text.
        Ok(unsafe { Cubins::new(ptx::Fingerprint::of(module), all) })
    });
    let cubins = cubins.collect::<Result<Vec<_>, _>>()?;
    let loaded = load_cubins::<which::Loaded>(&context, &cubins, LoadOptions::new())?;
    let has_cubin = best.target.cubin_runs_on(device.arch());
    let expected = if has_cubin { Origin::Cubin(Some(best.target)) } else { Origin::Text };
    assert_eq!(origin(&loaded), expected);
    run(&loaded)?;
    // The cubins of another target's text are not for this device.
    let others: Vec<Cubins> =
        cubins.iter().filter(|it| it.all()[0].target() != best.target).copied().collect();
    let loaded = load_cubins::<which::Loaded>(&context, &others, LoadOptions::new())?;
    assert_eq!(origin(&loaded), Origin::Text);
    run(&loaded)
}

#[test]
fn a_device_without_any_of_the_targets_is_an_error_that_names_them() {
    let Some(context) = crate::device::gpu() else { return };
    let device = ptx::cuda::current_target().expect("the device has one");
    if rare::MODULE.for_arch(device.arch()).is_some() {
        xtask::not_run("the device runs what is meant to run nowhere");
        return;
    }
    let Err(error) = load::<rare::Loaded>(&context) else { panic!("it does not run") };
    assert!(matches!(&error, LoadError::Targets { targets, .. } if targets.len() == 2));
    let (major, minor) = (device.arch() / 10, device.arch() % 10);
    assert_eq!(
        error.to_string(),
        format!(
            "the module `rare` is for `sm_121a`, `sm_103a`, and this device has compute capability {major}.{minor}; \
             add an older target to `targets = [..]`, or one of this architecture"
        )
    );
}
