//! `ptx::assembles!` and its function: the messages of the rules and of ptxas, located at Rust tokens.
//!
//! The tests that the macro generates use an installed ptxas and do not fetch one; tests that run before do.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::{Expect, expect};
use ptx::assembly::{NotAssembled, assembles_with};
use ptx::rules::Comparison;
use ptx::{Demand, Module, Resource, Target};

#[ptx::module(target = sm_80)]
mod fine {
    #[shared]
    static ROW: [u32; 32];

    #[kernel]
    pub fn first() {
        ptx! { st.shared.u32 [ROW], 1; ret; }
    }

    #[kernel]
    pub fn second() {
        ptx! { ret; }
    }
}

mod kernels {
    #[ptx::module(target = sm_90a)]
    pub mod fine {
        #[device(extern)]
        fn elsewhere(n: Reg<u32>);

        #[kernel]
        pub fn calls() {
            ptx! { call elsewhere, (1); ret; }
        }
    }
}

/// A Rust constant of any integer type.
const MOST: u32 = 40;

ptx::assembles!(fine => [sm_90, sm_100a] where
    registers <= MOST, spills = 0, stack == 0, shared < 129, warnings = 0, remarks = 0);
ptx::assembles!(crate::kernels::fine where registers > 0);

/// The tests have these names.
const _: [fn(); 2] = [fine_assembles, kernels_fine_assembles];

#[ptx::module(target = sm_90, version = 8.0)]
mod broken {
    #[global]
    static COUNT: u32;

    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b32 %r<2>;
            ld.global.u32 %r0, [COUNT];
            add.rn.u32 %r0, %r1, %r1;
            _frobnicate.u32 %r0, %r1;
            ret;
        }
    }
}

#[ptx::module(target = sm_90)]
mod too_far {
    /// The macro does not see the value.
    const FAR: usize = usize::MAX.count_ones() as usize;

    #[global]
    static ROW: [u32; 4];

    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b32 %r, %i;
            .reg .b64 %at;
            mov.b64 %at, ROW;
            mov.b32 %i, #(FAR);
            xor.b32 %i, %i, 3;
            mad.wide.u32 %at, %i, 4, %at;
            ld.global.u32 %r, [%at];
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod serialized {
    #[kernel]
    pub fn waits(p: u64) {
        ptx! {
            .reg .b64 %d;
            .reg .f32 %f<4>;
            .reg .pred %p;
            ld.param.u64 %d, [p];
            setp.ne.u64 %p, %d, 0;
            mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            // Without a wait on any path, it is an error.
            @%p wgmma.wait_group.sync.aligned 0;
            add.f32 %f0, %f0, %f1;
            wgmma.wait_group.sync.aligned 0;
            st.global.f32 [%d], %f0;
            ret;
        }
    }

    #[kernel]
    pub fn serializes(p: u64) {
        ptx! {
            .reg .b64 %d;
            .reg .f32 %f<4>;
            .reg .pred %always;
            ld.param.u64 %d, [p];
            setp.eq.u64 %always, %d, %d;
            mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
            wgmma.fence.sync.aligned;
            @%always wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;
            mov.f32 %f0, 0f3f800000;
            wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16
                {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            st.global.f32 [%d], %f0;
            ret;
        }
    }
}

#[ptx::module(target = sm_80, version = 7.3)]
mod repeated {
    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b32 %h<4>;
            .reg .b64 %d<4>;
            for i in 0..4 {
                createpolicy.cvt.L2.b64 %d[i], %d0;
                _frobnicate.u32 %h[i];
            }
            for i in 0..2 { add.rn.u32 %h[i], %h0, %h1; }
            ret;
        }
    }
}

#[ptx::module(target = sm_75, version = 8.8)]
mod on_an_older_target {
    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b64 %d<2>;
            createpolicy.cvt.L2.b64 %d0, %d1;
            ret;
        }
    }
}

/// The result of every ptxas for a module.
fn each(module: &Module<'_>, targets: &[Target], demands: &[Demand], expected: &Expect) {
    let all = xtask::oracles().into_iter().map(|ptxas| {
        match assembles_with(&ptxas, module, targets, demands) {
            Ok(assembly) => {
                assembly.messages.iter().map(|message| message.to_string() + "\n").collect()
            }
            Err(error) => format!("{error}\n"),
        }
    });
    let mut all: Vec<String> = all.collect();
    all.dedup();
    if !all.is_empty() {
        expected.assert_eq(&all.concat());
    }
}

#[test]
fn errors_of_ptxas_are_located_at_their_tokens() {
    each(
        &broken::MODULE,
        &[],
        &[],
        &expect![[r#"
            `broken` does not assemble:
              tests/the_last_word.rs:62:13: error: Illegal rounding modifier for instruction 'add' (kernel `kernel`, statement 3, PTX line 12): `add.rn.u32 %r0, %r1, %r1;`
              tests/the_last_word.rs:63:13: error: Not a name of any known instruction: '_frobnicate' (kernel `kernel`, statement 4, PTX line 13): `_frobnicate.u32 %r0, %r1;`
        "#]],
    );
}

/// A loop is written once, and each error in it is shown once.
#[test]
fn errors_in_repeated_statements_are_shown_once() {
    each(
        &repeated::MODULE,
        &[],
        &[],
        &expect![[r#"
            `repeated` does not assemble:
              tests/the_last_word.rs:147:17: error: Feature 'createpolicy.cvt' requires PTX ISA .version 7.4 or later (kernel `kernel`, statement 3, PTX line 10): `createpolicy.cvt.L2.b64 %d0, %d0;`; write `version = 7.4` in `#[ptx::module(..)]`; the same holds for 3 more statements expanded from here
              tests/the_last_word.rs:148:17: error: Not a name of any known instruction: '_frobnicate' (kernel `kernel`, statement 4, PTX line 11): `_frobnicate.u32 %h0;`; the same holds for 3 more statements expanded from here
              tests/the_last_word.rs:150:29: error: Illegal rounding modifier for instruction 'add' (kernel `kernel`, statement 11, PTX line 18): `add.rn.u32 %h0, %h0, %h1;`; the same holds for 1 more statement expanded from here
        "#]],
    );
}

/// The minimum of three numbers, which the table does not know.
#[test]
fn a_feature_of_another_target_is_asked_for() {
    each(
        &on_an_older_target::MODULE,
        &[],
        &[],
        &expect![[r#"
            `on_an_older_target` does not assemble:
              tests/the_last_word.rs:162:13: error: Feature 'createpolicy.cvt' requires .target sm_80 or higher (kernel `kernel`, statement 2, PTX line 9): `createpolicy.cvt.L2.b64 %d0, %d1;`; write `target = sm_80` or a newer one in `#[ptx::module(..)]`
        "#]],
    );
}

#[test]
fn errors_of_some_targets_name_them() {
    each(
        &serialized::MODULE,
        &[Target::Sm100],
        &[],
        &expect![[r#"
        `serialized` does not assemble:
          error: code for `sm_90a` does not run on `sm_100`; leave it out, or declare the module for a target whose code runs on both (for sm_100)
          tests/the_last_word.rs:104:13: remark: (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function 'waits' (kernel `waits`, statement 11) (for sm_90a)
          tests/the_last_word.rs:126:13: remark: (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'serializes' (kernel `serializes`, statement 11) (for sm_90a)
          tests/the_last_word.rs:129:13: remark: (C7519) warpgroup.arrive is injected in around line 46 by compiler to allow use of registers in GMMA in function 'serializes' (kernel `serializes`, statement 13, PTX line 46): `wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;` (for sm_90a)
    "#]],
    );
    each(
        &fine::MODULE,
        &[Target::Sm75, Target::Sm90],
        &[],
        &expect![[r#"
        `fine` does not assemble:
          error: code for `sm_80` does not run on `sm_75`; leave it out, or declare the module for a target whose code runs on both (for sm_75)
    "#]],
    );
}

#[test]
fn the_rules_are_checked_too() {
    each(
        &too_far::MODULE,
        &[],
        &[],
        &expect![[r#"
            `too_far` does not assemble:
              tests/the_last_word.rs:86:32: error: this access ends at byte 272 of `ROW`, which has 16 bytes; offsets count bytes, and the last that fits is 12 [A020, PTX ISA 6.4.1]
        "#]],
    );
}

#[test]
fn remarks_are_located_at_their_instruction() {
    each(
        &serialized::MODULE,
        &[],
        &[],
        &expect![[r#"
        tests/the_last_word.rs:104:13: remark: (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function 'waits' (kernel `waits`, statement 11)
        tests/the_last_word.rs:126:13: remark: (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'serializes' (kernel `serializes`, statement 11)
        tests/the_last_word.rs:129:13: remark: (C7519) warpgroup.arrive is injected in around line 46 by compiler to allow use of registers in GMMA in function 'serializes' (kernel `serializes`, statement 13, PTX line 46): `wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;`
    "#]],
    );
}

#[test]
fn unmet_demands_are_located_at_the_kernel() {
    let none = |resource| Demand::new(resource, Comparison::Equal, 0);
    let demands = [none(Resource::Shared), none(Resource::Spills)];
    each(
        &fine::MODULE,
        &[Target::Sm90],
        &demands,
        &expect![[r#"
            `fine` does not assemble:
              tests/the_last_word.rs:19:12: error: kernel `first` takes 128 bytes of static shared memory, but `shared = 0` is required
        "#]],
    );
    each(
        &serialized::MODULE,
        &[],
        &[none(Resource::Remarks)],
        &expect![[r#"
            `serialized` does not assemble:
              error: the module `serialized` has 3 remarks of ptxas, but `remarks = 0` is required
              tests/the_last_word.rs:104:13: remark: (C7514) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions reading accumulator registers of  a wgmma between start and end of the pipeline stage in the function 'waits' (kernel `waits`, statement 11)
              tests/the_last_word.rs:126:13: remark: (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'serializes' (kernel `serializes`, statement 11)
              tests/the_last_word.rs:129:13: remark: (C7519) warpgroup.arrive is injected in around line 46 by compiler to allow use of registers in GMMA in function 'serializes' (kernel `serializes`, statement 13, PTX line 46): `wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d, %d, 1, 1, 1, 0, 0;`
        "#]],
    );
}

/// A demand without a count to compare with is not met.
#[test]
fn demands_without_a_kernel_are_not_met() {
    let module = Module::new(ptx::ir::Module::new("empty", Target::Sm90));
    let demand = Demand::new(Resource::Registers, Comparison::LessOrEqual, 255);
    each(
        &module,
        &[],
        &[demand],
        &expect![[r#"
            `empty` does not assemble:
              error: `registers <= 255` is required of kernels, but `empty` has none
        "#]],
    );
}

/// Runs a test that the macro generated, in an environment without ptxas except for these variables, while
/// the test harness captures its output.
fn run(name: &str, variables: &[(&str, &Path)]) -> (Output, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", name]).env_clear().env("PATH", "/nowhere").current_dir(folder.path());
    let output = command.envs(variables.iter().copied()).output().expect("it runs");
    let printed = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let printed = printed.concat();
    (output, printed)
}

#[test]
fn without_a_ptxas_the_test_prints_a_line() {
    if Path::new("/usr/local/cuda/bin/ptxas").exists() {
        return; // a ptxas is found by default
    }
    let (output, printed) = run("fine_assembles", &[]);
    assert!(output.status.success(), "{printed}");
    expect![[r#"
        NOT RUN: ptxas was not found, so `fine` was checked, but not assembled; `PTX_REQUIRE_PTXAS=1 cargo test` says how to get it
    "#]].assert_eq(&String::from_utf8_lossy(&output.stderr));

    let (output, printed) = run("fine_assembles", &[("PTX_REQUIRE_PTXAS", Path::new("1"))]);
    assert!(!output.status.success(), "{printed}");
    for expected in ["`fine` was checked, but not assembled", "PATH: no ptxas", "pip download"] {
        assert!(printed.contains(expected), "{expected} is missing in:\n{printed}");
    }
    let place = format!("tests/the_last_word.rs:{}:17", line("ptx::assembles!(fine"));
    assert!(printed.contains(&place), "{place} is missing in:\n{printed}");
}

/// A wrong path in `PTXAS` is an error.
#[test]
fn a_wrong_ptxas_fails() {
    let (output, printed) = run("fine_assembles", &[("PTXAS", Path::new("/nowhere/ptxas"))]);
    assert!(!output.status.success(), "{printed}");
    assert!(printed.contains("`PTXAS` is `/nowhere/ptxas`"), "{printed}");
}

#[test]
fn with_a_ptxas_correct_modules_print_nothing() {
    for ptxas in xtask::oracles() {
        let (output, printed) = run("fine_assembles", &[("PTXAS", ptxas.path())]);
        assert!(output.status.success(), "{printed}");
        assert!(output.stderr.is_empty(), "{printed}");
    }
}

#[test]
fn nothing_is_assembled_without_a_ptxas() {
    if std::env::var_os("PTX_TEST_NO_PTXAS").is_some() {
        let refused = |module| ptx::assembles(module, &[], &[]).expect_err("there is no ptxas");
        assert!(matches!(refused(&fine::MODULE), NotAssembled::NoPtxas { .. }));
        // The rules still report their findings.
        assert!(matches!(refused(&too_far::MODULE), NotAssembled::Refused { .. }));
        return;
    }
    let name = "nothing_is_assembled_without_a_ptxas";
    let variables = [("PTX_TEST_NO_PTXAS", Path::new("1")), ("PTXAS", Path::new("/nowhere"))];
    let (output, printed) = run(name, &variables);
    assert!(output.status.success(), "{printed}");
}

/// The number of the line that starts with `start`.
fn line(start: &str) -> usize {
    let mut lines = include_str!("the_last_word.rs").lines();
    lines.position(|line| line.starts_with(start)).expect("a line starts with it") + 1
}
