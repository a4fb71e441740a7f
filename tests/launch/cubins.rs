//! Cubins that a build script makes, and that a program embeds.

use std::path::Path;
use std::process::Output;

use ptx::Target;
use ptx::build::Cubins;
use ptx::cuda::{LoadOptions, Origin, load_cubins, origin};
use ptx::prelude::*;
use tests::Project;

#[ptx::module(target = sm_80)]
mod fill {
    use super::*;

    #[kernel(reqntid = 32, grid = 1, requires(to.len() >= 32), unsafe(safe_launch))]
    pub fn fill(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i;
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            mov.u32 %i, %tid.x;
            mad.wide.u32 %to, %i, 4, %to;
            st.global.u32 [%to], %i;
            ret;
        }
    }
}

/// The package whose module is assembled.
const KERNELS: &str = include_str!("cubins/kernels.rs");

const SCRIPT: &str = include_str!("cubins/build.rs");

const PROGRAM: &str = include_str!("cubins/main.rs");

/// What the guide shows: a package with the kernels is a dependency and a build-dependency. A `PTXAS` that is
/// wrong ends the build.
#[test]
fn a_build_script_embeds_the_cubins_of_a_dependency() {
    let ptxas = xtask::oracle();
    let ptx = |features: &[&str]| {
        let home = tests::root();
        format!(
            "ptx = {{ path = '{}', default-features = false, features = {features:?} }}\n",
            home.display()
        )
    };
    let kernels = Project::create("kernels", &(ptx(&[]) + "[features]\ncuda = [\"ptx/cuda\"]\n"))
        .expect("it is written");
    kernels.write("src/lib.rs", KERNELS).expect("it is written");
    let path = kernels.home().display();
    let program = Project::create(
        "embeds",
        &format!(
            "kernels = {{ path = '{path}', features = [\"cuda\"] }}\n{}\n[build-dependencies]\nkernels = {{ path = '{path}' }}\n{}",
            ptx(&["cuda"]),
            ptx(&[])
        ),
    )
    .expect("it is written");
    program.write("build.rs", SCRIPT).expect("it is written");
    program.write("src/main.rs", PROGRAM).expect("it is written");
    let run = |ptxas: Option<&Path>| -> Output {
        let mut cargo = program.cargo(&["run", "--offline"]);
        cargo.env_remove("CUDA_HOME").env_remove("CUDA_PATH");
        match ptxas {
            Some(path) => cargo.env("PTXAS", path),
            None => cargo.env_remove("PTXAS"),
        };
        cargo.output().expect("cargo runs")
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let stale = |printed: &str| {
        assert!(
            printed.contains("the cubins for `other` were made from another text"),
            "{printed}"
        );
    };

    if let Some(ptxas) = &ptxas {
        let made = run(Some(ptxas.path()));
        let printed = text(&made.stdout);
        assert!(made.status.success(), "{}", text(&made.stderr));
        assert!(printed.starts_with("sm_80\nsm_90\nthe cubins"), "{printed}");
        stale(&printed);
    }

    let failed = run(Some(Path::new("no/such/ptxas")));
    assert!(!failed.status.success());
    let said = text(&failed.stderr);
    assert!(said.contains("`PTXAS` is `no/such/ptxas`, which is not a working ptxas"), "{said}");
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_written() {
    let folder = tests::root().join("target/tests/cubins");
    std::fs::create_dir_all(&folder).expect("a folder");
    let error = |cubins: Cubins<'_>, name| match cubins.write_to(&folder, name) {
        Ok(made) => panic!("{} was made", made.file.display()),
        Err(error) => error.to_string(),
    };
    let of_module = || Cubins::of(&fill::MODULE);
    assert_eq!(
        error(of_module(), "a/b"),
        "`a/b` cannot be the name of a file; give a name without a folder, such as `kernels`"
    );
    assert_eq!(
        error(of_module(), ".."),
        "`..` cannot be the name of a file; give a name without a folder, such as `kernels`"
    );
    assert_eq!(
        error(Cubins::of_file("no.ptx"), "a"),
        "no target is given for `no.ptx`; add `.target(..)`"
    );
    let missing = error(Cubins::of_file("no.ptx").target(Target::Sm90), "a");
    assert!(missing.starts_with("cannot read or write `no.ptx`: "), "{missing}");
    if let Some(ptxas) = xtask::oracle() {
        let refused = error(of_module().ptxas(ptxas).target(Target::Sm75), "a");
        assert!(refused.starts_with("for `sm_75`: ptxas "), "{refused}");
    }
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 0);
}

/// On a GPU: the best cubin is loaded, and the text where there is none.
#[test]
fn the_best_cubin_is_loaded_and_else_the_text() {
    let Some(context) = crate::device::gpu() else { return };
    let stream = context.default_stream();
    let Some(ptxas) = xtask::oracle() else { return };
    let arch = ptx::cuda::current_target().expect("the device has one");
    let assembled = ptxas.assemble_for(&fill::MODULE, arch).expect("it assembles");
    let image: &'static [u8] = assembled.cubin.leak();
    let all: &'static [_] = vec![ptx::cuda::Cubin::new(arch, image)].leak();
    let fingerprint = ptx::Fingerprint::of(&fill::MODULE);
    for (cubins, expected) in [(all, Origin::Cubin(Some(arch))), (&[], Origin::Text)] {
        // SAFETY: it was made from the module above.
        let cubins = unsafe { ptx::cuda::Cubins::new(fingerprint, cubins) };
        let loaded =
            load_cubins::<fill::Loaded>(&context, &cubins, LoadOptions::new()).expect("it loads");
        assert_eq!(origin(&loaded), expected);
        let mut to = stream.alloc_zeros::<u32>(32).expect("memory");
        loaded.fill().launch(&stream, (&mut to,)).expect("it runs");
        assert!(stream.clone_dtoh(&to).expect("a copy").iter().copied().eq(0..32));
    }
}
