//! A program is rebuilt when a file that it imports changes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MAIN: &str = r#"
ptx::import!("kernels.ptx");

fn main() {
    print!("{}", kernels::MODULE);
}
"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program's folder, with this text as its PTX file.
fn program(text: &str) -> PathBuf {
    let home = root().join("target/imported");
    let write = |path: &str, text: &str| {
        let path = home.join(path);
        // Cargo does not rebuild unchanged files.
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return;
        }
        std::fs::write(path, text).expect("a file can be written");
    };
    std::fs::create_dir_all(home.join("src")).expect("a folder can be made");
    let manifest = format!(
        "[package]\nname = \"imported\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nptx = {{ path = \"{}\" }}\n\n[workspace]\n",
        root().display()
    );
    write("Cargo.toml", &manifest);
    write("src/main.rs", MAIN);
    write("src/kernels.ptx", text);
    std::fs::copy(root().join("Cargo.lock"), home.join("Cargo.lock"))
        .expect("there is a lock file");
    home
}

fn run(home: &Path) -> Output {
    Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(home)
        .env("CARGO_TARGET_DIR", root().join("target/tests/target"))
        .output()
        .expect("cargo runs")
}

#[test]
fn a_changed_file_is_imported_again() {
    let text = |value: u32| {
        format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .u32 x = {value};\n"
        )
    };
    for value in [1, 2, 1] {
        let output = run(&program(&text(value)));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "the program does not build or run:\n{errors}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), text(value));
    }
    let output = run(&program(&text(1).replace(".u32 x", ".u8 x[2]")));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("error: kernels.ptx:4:"), "{errors}");
    // And fixed again.
    assert!(run(&program(&text(3))).status.success());
}
