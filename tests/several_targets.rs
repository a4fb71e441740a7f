//! Modules for several targets.

use ptx::prelude::*;
use ptx::{Module, Target};

#[ptx::module(targets = [sm_80, sm_90a])]
mod copy {
    use super::*;

    const THREADS: u32 = 128;

    #[constant]
    pub static FACTOR: f32 = 2.0;

    #[shared]
    #[target(sm_80)]
    static ROW: [f32; THREADS as usize];

    #[shared]
    #[target(sm_90a)]
    static ROW: [f32; 2 * THREADS as usize];

    /// The same for each target.
    #[device]
    fn twice(x: Reg<f32>) -> Reg<f32> {
        ptx! { add.f32 returned, x, x; ret; }
    }

    #[kernel(reqntid = 128)]
    pub fn scale(data: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %at;
            .reg .f32 %x, %factor;
            ld.param.u64 %at, [data];
            mov.u32 %i, %tid.x;
            mad.wide.u32 %at, %i, 4, %at;
            ld.global.f32 %x, [%at];
            ld.const.f32 %factor, [FACTOR];
            mul.f32 %x, %x, %factor;
            call (%x), twice, (%x);
            st.global.f32 [%at], %x;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    #[target(sm_80)]
    pub fn staged(data: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %i, %at;
            .reg .b64 %to;
            .reg .f32 %x;
            mov.f32 %x, #(80.0);
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, ROW[%i];
            st.shared.f32 [%at], %x;
            ld.shared.f32 %x, [%at];
            lea.global.u64 %to, data[%i];
            st.global.f32 [%to], %x;
            ret;
        }
    }

    #[kernel(reqntid = 256)]
    #[target(sm_90a)]
    pub fn staged(data: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %i, %at;
            .reg .b64 %to;
            .reg .f32 %x;
            wgmma.fence.sync.aligned;
            mov.f32 %x, #(90.0);
            mov.u32 %i, %tid.x;
            lea.shared.u32 %at, ROW[%i];
            st.shared.f32 [%at], %x;
            ld.shared.f32 %x, [%at];
            lea.global.u64 %to, data[%i];
            st.global.f32 [%to], %x;
            ret;
        }
    }
}

/// Fragments that modules for several targets use.
mod shared {
    use ptx::prelude::*;

    pub(super) const STEP: u32 = 3;

    #[ptx::fragment]
    pub(super) fn stepped(x: Reg<u32>) -> Reg<u32> {
        ptx! { add.u32 returned, x, #(STEP); }
    }

    #[ptx::fragment]
    pub(super) fn doubled(x: Reg<u32>) -> Reg<u32> {
        ptx! { add.u32 returned, x, x; }
    }
}

#[ptx::module(targets = [sm_80, sm_90a])]
mod steps {
    use super::shared::stepped;

    #[global]
    static SUM: u32 = super::shared::STEP;

    /// The same for both, with fragments by name and by path.
    #[kernel(reqntid = 1)]
    pub fn steps() {
        ptx! {
            .reg .b32 %x;
            ld.global.u32 %x, [SUM];
            stepped %x, %x;
            super::shared::doubled %x, %x;
            st.global.u32 [SUM], %x;
            ret;
        }
    }

    #[kernel(reqntid = 1)]
    #[target(sm_80)]
    pub fn own() {
        ptx! {
            .reg .b32 %x;
            mov.u32 %x, #(super::shared::STEP);
            st.global.u32 [SUM], %x;
            ret;
        }
    }

    /// One of the targets alone uses a fragment.
    #[kernel(reqntid = 1)]
    #[target(sm_90a)]
    pub fn own() {
        ptx! {
            .reg .b32 %x;
            mov.u32 %x, 1;
            self::super::shared::stepped %x, %x;
            st.global.u32 [SUM], %x;
            ret;
        }
    }
}

#[test]
fn fragments_are_found_for_each_target() {
    let [first, second] = &texts(&steps::MODULE)[..] else { panic!("two targets") };
    for text in [first, second] {
        assert!(text.contains(".global .u32 SUM = 3;"), "{text}");
        assert!(text.contains("add.u32 %x, %x, 3;"), "{text}");
        assert!(text.contains("add.u32 %x, %x, %x;"), "{text}");
    }
    assert!(first.contains("mov.u32 %x, 3;") && second.contains("mov.u32 %x, 1;"));
}

fn texts(module: &Module<'_>) -> Vec<String> {
    module.each_target().map(ToString::to_string).collect()
}

#[test]
fn each_target_has_its_text() {
    let [first, second] = &texts(&copy::MODULE)[..] else { panic!("two targets") };
    assert_eq!(*first, copy::MODULE.to_string());
    assert!(first.contains(".target sm_80\n") && second.contains(".target sm_90a\n"));
    for text in [first, second] {
        assert!(text.contains(".visible .const .f32 FACTOR = 0f40000000;"), "{text}");
        assert!(text.contains(".visible .entry scale("), "{text}");
        assert_eq!(text.matches(".visible .entry staged(").count(), 1, "{text}");
        assert_eq!(text.matches(" ROW[").count(), 1, "{text}");
    }
    assert!(first.contains("ROW[128]") && second.contains("ROW[256]"));
    assert!(!first.contains("wgmma") && second.contains("wgmma.fence"));
    assert!(first.contains(".reqntid 128") && second.contains(".reqntid 256"));
}

#[test]
fn the_best_target_of_a_device_is_chosen() {
    let target = |arch| copy::MODULE.for_arch(arch).map(|module| module.target);
    assert_eq!(target(75), None);
    assert_eq!(target(80), Some(Target::Sm80));
    assert_eq!(target(89), Some(Target::Sm80));
    assert_eq!(target(90), Some(Target::Sm90a));
    assert_eq!(target(120), Some(Target::Sm80));
}

ptx::assembles!(copy, steps);
