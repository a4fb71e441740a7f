//! The documentation that rustdoc generates for a module, with private items.

use std::path::Path;
use std::process::Command;

use tests::Project;

const SOURCE: &str = "
use ptx::prelude::*;

/// A map.
#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
pub struct A;

/// Rows, generic.
#[tensor_map(for(T in [f32, bf16]), element = T, box = [64, 8])]
pub struct Rows;

/// A pair.
#[ptx::padded]
#[derive(PtxType, Clone, Copy)]
#[repr(C)]
pub struct Pair {
    /// One.
    pub x: u8,
    /// Two.
    pub y: u32,
}

/// A fragment.
#[ptx::fragment(returns(sum))]
pub fn plus(x: Reg<f32>, y: Reg<f32>) -> Reg<f32> {
    ptx! { add.f32 sum, x, y; }
}

/// Storage and kernels.
#[ptx::module(target = sm_90a)]
pub mod blur {
    use super::*;

    /// Stages.
    #[derive(PtxType)]
    #[repr(C)]
    pub struct Stages {
        /// Tiles.
        pub a: [Tile<A>; 4],
        /// Barriers.
        pub full: [Mbarrier; 4],
    }

    /// Taps.
    #[constant]
    pub static TAPS: [f32; 5] = [0.0625, 0.25, 0.375, 0.25, 0.0625];
    /// How many launches.
    #[global]
    pub static LAUNCHES: u32 = 0;
    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Pair;
    #[shared(dynamic)]
    static SMEM: Stages;
    /// A pair.
    #[global]
    pub static PAIR: Pair = Pair { x: 1, y: 2, ..Pair::PADDING };
    /// Members.
    #[global]
    pub static LANE: Family<u32, 4>;

    /// Reads rows.
    #[kernel(reqntid = 256, requires(n > 0, dst.len() >= n), grid = n.div_ceil(256), unsafe(safe_launch))]
    pub fn rows(#[readonly] src: Ptr<Global, V4<f32>, U16>, dst: Ptr<Global, V4<f32>>, n: u32, map: TensorMap<A>) {
        ptx! {
            .reg .f32 %f; .reg .b32 %r;
            .shared .b32 own[4];
            ld.const.f32 %f, [TAPS];
            plus %f, %f, %f;
            st.shared.f32 [ROW], %f;
            st.shared.b32 [own], 1;
            lea.shared.u32 %r, SMEM.full[0];
            ld.shared.u32 %r, [LATE + 4];
            ret;
        }
    }

    /// Generic.
    #[kernel(for(T in [f32, f64], N: u32 in [32, 64]), maxntid = 128)]
    pub fn scale(dst: Ptr<Global, T>, by: T) {
        ptx! { .reg .b32 %r; mov.u32 %r, #(N); st.shared.u32 [ROW], %r; ret; }
    }

    /// Twice.
    #[device]
    pub fn twice(x: Reg<f32>) -> Reg<f32> {
        ptx! { add.f32 returned, x, x; ret; }
    }
}

/// A module with instances.
#[ptx::module(target = sm_90a, for(T in [f32, f64]))]
pub mod many {
    use super::*;
    /// Row.
    #[shared]
    pub static ROW: [T; 32];
    /// Kernel.
    #[kernel(reqntid = 32)]
    pub fn k(dst: Ptr<Global, T>) { ptx! { .reg .b32 %r; mov.u32 %r, ROW; ret; } }
}
";

/// A page, without tags.
fn page(path: &Path) -> String {
    let page = std::fs::read_to_string(path).expect("the page exists");
    let page = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    page.collect::<String>().replace("&lt;", "<").replace("&gt;", ">")
}

#[test]
fn kernels_are_shown_as_they_were_declared() {
    let ptx = Project::ptx(&[]);
    let project = Project::create("documented", &ptx).expect("files can be written");
    project.write("src/lib.rs", "").expect("a file can be written");
    project.write("documented.rs", SOURCE).expect("a file can be written");
    // rustdoc keeps the pages of another run.
    let old = project.home().join("doc");
    assert!(!old.exists() || std::fs::remove_dir_all(&old).is_ok(), "{}", old.display());
    // Without cargo, which would check the libraries anew for it.
    let mut rustdoc = Command::new(std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
    rustdoc.args(["documented.rs", "--edition=2024", "--document-private-items", "-Dwarnings"]);
    rustdoc.arg("--out-dir=doc").args(project.libraries(&ptx)).current_dir(project.home());
    let output = rustdoc.output().expect("rustdoc runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "rustdoc failed:\n{errors}");

    let folder = project.home().join("doc/documented");
    for (path, shown) in [
        (
            "blur/fn.rows.html",
            &[
                "Reads rows.",
                "#[kernel(reqntid = 256, requires(n > 0), requires(dst.len() >= n), grid = n.div_ceil(256), unsafe(safe_launch))]\n\
                 fn rows(\n    #[readonly] src: Ptr<Global, V4<f32>, U16>,\n    dst: Ptr<Global, V4<f32>>,\n    n: u32,\n    map: TensorMap<A>,\n)",
                "TAPS: [f32; 5], constant memory, 20 bytes",
                "ROW: [V4<f32>; 66], shared memory, 1056 bytes, aligned to 16 bytes",
                "LATE: Pair, shared memory",
                "SMEM: Stages, shared memory",
                "own, shared memory",
            ][..],
        ),
        (
            "blur/fn.scale.html",
            &["Generic.", "Instances: scale::<f32, 32>, scale::<f32, 64>, scale::<f64, 32>"],
        ),
        (
            "blur/fn.scale_f32_64.html",
            &["#[kernel(maxntid = 128)]\nfn scale_f32_64(dst: Ptr<Global, f32>, by: f32)"],
        ),
        ("type.Rows.html", &["Instances: Rows::<"]),
        ("blur/fn.twice.html", &["#[device]\nfn twice(x: Reg<f32>) -> Reg<f32>"]),
        ("blur/static.TAPS.html", &["Taps."]),
        ("struct.A.html", &["A map."]),
        ("all.html", &["blur::ROW"]),
    ] {
        let page = page(&folder.join(path));
        for shown in shown {
            assert!(page.contains(shown), "{shown} is missing in {path}:\n{page}");
        }
    }
    let mut pages = 0;
    each_page(&folder, &mut |path| {
        pages += 1;
        let page = page(path);
        let ours = page.lines().find(|line| line.contains("__"));
        assert!(ours.is_none(), "{}: {}", path.display(), ours.unwrap_or_default());
    });
    assert!(pages > 20, "{pages} pages");
}

/// Calls this for each page in a folder.
fn each_page(folder: &Path, see: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).expect("the folder exists").flatten() {
        let path = entry.path();
        if path.is_dir() {
            each_page(&path, see);
        } else if path.extension().is_some_and(|it| it == "html") {
            see(&path);
        }
    }
}
