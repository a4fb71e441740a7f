//! Finding ptxas, and its messages, which name the declarations that they are about.

use std::path::Path;

use expect_test::expect;
use ptx::ptxas::{AssembleError, Ptxas, Severity};

#[ptx::module(target = sm_75, version = 7.3)]
mod broken {
    #[global]
    static COUNT: u32;

    #[kernel]
    pub fn first(n: u32) {
        ptx! {
            .reg .b32 %r<2>;
            ld.param.u32 %r0, [n];
            add.rn.u32 %r0, %r1, %r1;
            ret;
        }
    }

    #[kernel]
    pub fn second() {
        ptx! {
            .reg .b32 %r<2>; .reg .b64 %d<2>;
            ld.global.u32 %r0, [COUNT];
            _frobnicate.u32 %r0, %r1;
            createpolicy.cvt.L2.b64 %d0, %d1;
            ret;
        }
    }
}

/// The messages without the release number.
fn messages(error: &AssembleError) -> String {
    match error {
        AssembleError::Refused { diagnostics, .. } => diagnostics
            .iter()
            .fold(String::new(), |text, diagnostic| text + &format!("{diagnostic}\n")),
        other => panic!("ptxas should refuse it, but: {other}"),
    }
}

#[test]
fn errors_name_the_statement_and_say_what_to_do() {
    let expected = expect![[r#"
        tests/ptxas.rs:18:13: error: Illegal rounding modifier for instruction 'add' (kernel `first`, statement 3, PTX line 14): `add.rn.u32 %r0, %r1, %r1;`
        tests/ptxas.rs:28:13: error: Not a name of any known instruction: '_frobnicate' (kernel `second`, statement 4, PTX line 24): `_frobnicate.u32 %r0, %r1;`
        tests/ptxas.rs:29:13: error: Feature 'createpolicy.cvt' requires .target sm_80 or higher (kernel `second`, statement 5, PTX line 25): `createpolicy.cvt.L2.b64 %d0, %d1;`; write `target = sm_80` or a newer one in `#[ptx::module(..)]`
        tests/ptxas.rs:29:13: error: Feature 'createpolicy.cvt' requires PTX ISA .version 7.4 or later (kernel `second`, statement 5, PTX line 25): `createpolicy.cvt.L2.b64 %d0, %d1;`; write `version = 7.4` in `#[ptx::module(..)]`
    "#]];
    for ptxas in xtask::oracles() {
        let error = ptxas.assemble(&broken::MODULE).expect_err("it is broken");
        expected.assert_eq(&messages(&error));
    }
}

#[test]
fn errors_without_a_line_name_the_kernel() {
    use ptx::ir::{Body, Extent, Function, FunctionKind, Linkage, Module, Type, Variable};
    use ptx::{ScalarType, Space, Target};
    let byte = Type::Scalar(ScalarType::B8);
    let ty = Type::Array(Extent::Known(300_000), &byte);
    let large = Variable::new(Space::Shared, "LARGE", &ty);
    let kernel = Function {
        linkage: Linkage::Visible,
        body: Some(Body::verbatim(".reg .b32 %r;\nmov.b32 %r, LARGE;\nret;")),
        uses: &[&large],
        ..Function::new(FunctionKind::Kernel, "uses_too_much")
    };
    let module =
        Module { variables: &[&large], functions: &[&kernel], ..Module::new("m", Target::Sm80) };
    for ptxas in xtask::oracles() {
        let error = ptxas.assemble(&module).expect_err("it is too large");
        expect![[r#"
            error: Entry function 'uses_too_much' uses too much shared data (0x493e0 bytes, 0xc000 max) (kernel `uses_too_much`)
        "#]]
        .assert_eq(&messages(&error));
    }
}

#[test]
fn a_version_that_is_too_new_for_ptxas_is_advised_on() {
    for ptxas in xtask::oracles() {
        let text = ".version 99.0\n.target sm_90\n.address_size 64\n";
        let error =
            ptxas.assemble_text(text, ptx::Target::Sm90).expect_err("PTX 99.0 does not exist");
        assert!(messages(&error).contains("use a newer ptxas"), "{error}");
    }
}

/// Programs that imitate rare behaviour of ptxas.
#[cfg(unix)]
mod pretenders {
    use super::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    const VERSION: &str = "if [ \"$1\" = --version ]; then echo 'ptxas: NVIDIA (R) Ptx optimizing assembler'; echo 'Cuda compilation tools, release 12.0, V12.0.76'; exit 0; fi\n";

    /// A shell writes the program. If this process did, a test in another thread could start a
    /// child in between, which keeps the file open for writing until its own `exec`, and the
    /// kernel refuses to run a file that is open for writing ("text file busy").
    fn pretend(folder: &Path, script: &str) -> Ptxas {
        let path = folder.join("ptxas");
        let mut shell = Command::new("/bin/sh")
            .args(["-c", "cat > \"$1\" && chmod 755 \"$1\"", "sh"])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let mut input = shell.stdin.take().expect("the pipe");
        input.write_all(format!("#!/bin/sh\n{VERSION}{script}").as_bytes()).expect("written");
        drop(input);
        assert!(shell.wait().expect("the shell ends").success());
        Ptxas::at(path).expect("it answers")
    }

    #[test]
    fn messages_that_are_not_utf8_are_accepted() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = "printf 'ptxas x.ptx, line 4; fatal   : Parsing error near \\303\\047: syntax error\\n' >&2; exit 255\n";
        let ptxas = pretend(folder.path(), script);
        let error = ptxas.assemble(&broken::MODULE).expect_err("it refuses");
        expect![[r#"
            error: Parsing error near �': syntax error (the module's header, PTX line 4): ``
        "#]]
        .assert_eq(&messages(&error));
    }

    #[test]
    fn a_crash_is_not_a_verdict() {
        let folder = tempfile::tempdir().expect("a folder");
        let ptxas = pretend(folder.path(), "echo 'ptxas info : about to'; kill -SEGV $$\n");
        let error = ptxas.assemble(&broken::MODULE).expect_err("it crashes");
        assert!(matches!(error, AssembleError::Crashed { .. }), "{error}");
        assert!(error.to_string().contains("about to"), "{error}");
    }

    #[test]
    fn an_invalid_cubin_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let ptxas = pretend(folder.path(), "for last; do :; done; echo no > \"$4\"\n");
        let error = ptxas.assemble(&broken::MODULE).expect_err("there is no cubin");
        assert!(matches!(error, AssembleError::Cubin(_)), "{error}");
    }

    #[test]
    fn warnings_are_kept() {
        let Some(ptxas) = xtask::oracle() else { return };
        let text = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n.minnctapersm 2\n{\n    ret;\n}\n";
        let assembled = ptxas.assemble_text(text, ptx::Target::Sm80).expect("only a warning");
        assert_eq!(assembled.warnings.len(), 1);
        assert_eq!(assembled.warnings[0].severity, Severity::Warning);
        assert_eq!(assembled.report.kernels[0].name, "k");
    }

    #[test]
    fn programs_other_than_ptxas_are_refused() {
        let error = Ptxas::at("/bin/true").expect_err("true is not ptxas");
        assert!(error.to_string().contains("is not a working ptxas"), "{error}");
        let error = Ptxas::at("/nowhere/ptxas").expect_err("there is nothing");
        assert!(error.to_string().contains("/nowhere/ptxas"), "{error}");
    }
}

/// A wrong `PTXAS` is an error, and nothing else is tried; without ptxas anywhere, every place is listed. This
/// test runs itself again in a process whose environment it sets.
#[test]
fn the_error_lists_where_ptxas_was_looked_for() {
    if std::env::var_os("PTX_TEST_FIND").is_some() {
        match Ptxas::find() {
            Ok(found) => println!("FOUND {}", found.path().display()),
            Err(error) => println!("{error}"),
        }
        return;
    }
    let find = |variables: &[(&str, &str)], folder: &Path| {
        let mut command = std::process::Command::new(std::env::current_exe().expect("this test"));
        command.args(["--exact", "the_error_lists_where_ptxas_was_looked_for", "--nocapture"]);
        command.env_clear().env("PTX_TEST_FIND", "1").current_dir(folder);
        command.envs(variables.iter().copied());
        let output = command.output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = find(&[("PTXAS", "/nowhere/ptxas"), ("PATH", "/usr/bin")], folder.path());
    assert!(wrong.contains("`PTXAS` is `/nowhere/ptxas`, which is not a working ptxas"), "{wrong}");
    let nothing = find(&[("CUDA_HOME", "/nowhere"), ("PATH", "/nowhere")], folder.path());
    if nothing.contains("FOUND /usr/local/cuda") {
        return; // a machine with the toolkit in its default folder
    }
    for place in [
        "/nowhere/bin/ptxas",
        "CUDA_PATH: not set",
        "PATH: no ptxas",
        "/usr/local/cuda/bin/ptxas",
        "pip download --no-deps",
    ] {
        assert!(nothing.contains(place), "{place} is missing in:\n{nothing}");
    }
    // The folder that the advice names is among them, and each place is listed once, however it was found.
    let here = folder.path().canonicalize().expect("the folder exists");
    let target = here.join("target");
    let twice = [
        ("CUDA_HOME", "/nowhere"),
        ("CUDA_PATH", "/nowhere/"),
        ("PATH", "/nowhere"),
        ("CARGO_TARGET_DIR", target.to_str().expect("it is UTF-8")),
    ];
    for nothing in [nothing, find(&twice, &here)] {
        let (tried, _) = nothing.split_once("\nto get it").expect("the advice follows");
        let places = tried.lines().filter_map(|line| line.strip_prefix("  "));
        let places: Vec<&str> = places.filter_map(|line| Some(line.split_once(": ")?.0)).collect();
        let unpacked = target.join("ptxas");
        assert!(places.contains(&unpacked.to_str().expect("it is UTF-8")), "{nothing}");
        let each: std::collections::BTreeSet<&str> = places.iter().copied().collect();
        assert_eq!(each.len(), places.len(), "{nothing}");
        assert!(
            !nothing.contains("/nowhere//bin") && nothing.contains("PTXAS: not set"),
            "{nothing}"
        );
    }
    // A wheel that was unpacked according to the advice is found.
    #[cfg(unix)]
    if let Some(ptxas) = xtask::oracle() {
        let home = folder.path().join("target/ptxas/wheel/nvidia/cu13/bin");
        std::fs::create_dir_all(&home).expect("a folder");
        std::os::unix::fs::symlink(ptxas.path(), home.join("ptxas")).expect("a link");
        let found = find(&[("PATH", "/nowhere")], folder.path());
        assert!(found.contains("FOUND"), "{found}");
    }
}
