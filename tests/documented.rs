//! The documentation that rustdoc generates for a module, with private items.

use std::path::Path;
use std::process::Command;

use tests::Project;

const SOURCE: &str = "
use ptx::prelude::*;

/// A struct whose layout only rustc knows.
#[ptx::padded]
#[derive(PtxType)]
#[repr(C)]
pub struct Pair { x: u8, y: u32 }

/// Storage and a kernel.
#[ptx::module(target = sm_90a)]
pub mod blur {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Pair;

    /// Reads rows.
    #[kernel(maxntid = 256)]
    pub fn rows(src: Ptr<Global, V4<f32>>, n: u32) {
        ptx! { .reg .f32 %f; .reg .b32 %r; ld.shared.f32 %f, [ROW]; ld.shared.u32 %r, [LATE + 4]; ret; }
    }
}
";

/// The page of an item, without tags.
fn page(folder: &Path, name: &str) -> String {
    let page = std::fs::read_to_string(folder.join(name)).expect("the page exists");
    let page = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    page.collect::<String>().replace("&lt;", "<").replace("&gt;", ">")
}

#[test]
fn kernels_are_shown_as_they_were_declared() {
    let ptx = Project::ptx(&[]);
    let project = Project::create("documented", &ptx).expect("files can be written");
    project.write("src/lib.rs", "").expect("a file can be written");
    project.write("documented.rs", SOURCE).expect("a file can be written");
    // Without cargo, which would check the libraries anew for it.
    let mut rustdoc = Command::new(std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
    rustdoc.args(["documented.rs", "--edition=2024", "--document-private-items", "-Dwarnings"]);
    rustdoc.arg("--out-dir=doc").args(project.libraries(&ptx)).current_dir(project.home());
    let output = rustdoc.output().expect("rustdoc runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "rustdoc failed:\n{errors}");

    let folder = project.home().join("doc/documented");
    let kernel = page(&folder.join("blur"), "fn.rows.html");
    for shown in [
        "Reads rows.",
        "#[kernel(maxntid = 256)]\nfn rows(src: Ptr<Global, V4<f32>>, n: u32)",
        "ROW: [V4<f32>; 66], shared memory, 1056 bytes, aligned to 16 bytes",
        "LATE: Pair, shared memory",
    ] {
        assert!(kernel.contains(shown), "{shown} is missing in:\n{kernel}");
    }
    for list in ["all.html", "blur/index.html", "struct.Pair.html", "struct.PairOffsets.html"] {
        let list = page(&folder, list);
        assert!(!list.contains("__PTX") && !list.contains("__ptx"), "{list}");
    }
    assert!(page(&folder, "all.html").contains("blur::ROW"));
}
