//! A program is rebuilt when a file that it imports changes.

use std::process::Output;

use tests::Project;

const MAIN: &str = r#"
ptx::import!("kernels.ptx");

fn main() {
    print!("{}", kernels::MODULE);
}
"#;

/// The program, with this text as its PTX file.
fn program(text: &str) -> Project {
    let project = Project::create("imported", &Project::ptx(&[])).expect("files can be written");
    for (path, text) in [("src/main.rs", MAIN), ("src/kernels.ptx", text)] {
        project.write(path, text).expect("a file can be written");
    }
    project
}

fn run(program: &Project) -> Output {
    program.cargo(&["run", "--quiet", "--offline"]).output().expect("cargo runs")
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
