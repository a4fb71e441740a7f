//! Generates the table of the rules' pages: every file in `rules/`, by its code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("rules");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut pages: Vec<PathBuf> =
        fs::read_dir(&folder)?.map(|entry| entry.map(|it| it.path())).collect::<io::Result<_>>()?;
    pages.retain(|path| path.extension().is_some_and(|it| it == "md"));
    pages.sort();
    let mut table = String::from("&[\n");
    for path in &pages {
        let code = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.to_str().expect("the path is UTF-8");
        let _ = writeln!(table, "    ({code:?}, include_str!({path:?})),");
    }
    table.push_str("]\n");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("pages.rs"), table)
}
