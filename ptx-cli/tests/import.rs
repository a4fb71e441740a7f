//! Imported modules in the front end of the macros: they have the declarations and the bodies of their files.
//! `tests/tool.rs` compiles some of them, and `cargo xtask port` does so with all files and compares the cubins.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use proc_macro2::TokenStream;
use ptx_cli::import::{Allowances, Converted, Options, Types, allow_hazards, convert};
use ptx_frontend::ast::Item;
use ptx_isa::ir::Body;
use ptx_text::{Kind, Parsed};

/// What `tests/real/build.sh` makes.
const REAL: &str = "target/real/ptx";

/// Folders with PTX files, from that of the workspace.
const FOLDERS: [&str; 10] = [
    "docs/guide/src/tool.in",
    "docs/guide/src/tool/import.in",
    "ptx-cli/tests/cmd/check.in",
    "ptx-cli/tests/cmd/import.in",
    "ptx-cli/tests/cmd/layout.in",
    "ptx-text/tests/findings",
    "ptx-text/tests/orders",
    "ptx-text/tests/verdicts/right",
    "ptx-analysis/facts",
    "tests/import",
];

/// Files that are not imported: the macros take the operand of a `call` for the label of the same name, and a module
/// cannot say the value of a sampler, or an alias.
const REFUSED: [&str; 3] = ["label_like_function.ptx", "hand.ptx", "alias.ptx"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(folders: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(root().join(folder)) else { continue };
        let paths = entries.map(|entry| entry.expect("an entry").path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|it| it == "ptx")));
    }
    files.sort();
    files
}

/// The arguments of `#[ptx::module]`, and the module.
fn tokens(text: &str) -> (TokenStream, TokenStream) {
    let mut module: syn::ItemMod = syn::parse_str(text).expect("Rust can read it");
    let syn::Meta::List(list) = module.attrs.remove(0).meta else { panic!("there are arguments") };
    (list.tokens, quote::quote!(#module))
}

/// The statements of a body without their places and renamed words.
fn statements(body: Body<'_>) -> Vec<String> {
    let plain = |text: &str| text.replace(['$', '%'], "").replace("_S_", "").replace("_P_", "");
    body.statements().map(|statement| plain(statement.text())).collect()
}

/// The front end finds nothing in a module that is not in its file, and has the same statements.
#[test]
fn modules_are_what_their_files_are() {
    let partial = compare(&files(&FOLDERS));
    assert!(partial.is_empty(), "these are not imported: {partial:#?}");
}

/// As above, for the output of compilers: minutes.
#[test]
#[ignore = "needs what `tests/real/build.sh` makes"]
fn modules_of_compilers_are_what_their_files_are() {
    let files = files(&[REAL]);
    assert!(!files.is_empty(), "`tests/real/build.sh` makes the files");
    let partial = compare(&files);
    assert!(partial.is_empty(), "these are not imported: {partial:#?}");
}

/// Compares the modules of files with the files, and returns those that cannot be imported for another reason than
/// their syntax.
fn compare(files: &[PathBuf]) -> Vec<String> {
    let (mut partial, types) = (Vec::new(), Types::default());
    for file in files {
        let parsed = Parsed::from_bytes(std::fs::read(file).expect("it is there"));
        if !parsed.syntax().is_empty() || REFUSED.iter().any(|name| file.ends_with(name)) {
            continue;
        }
        let mut allowed = Allowances::default();
        allow_hazards(&parsed, &mut allowed);
        for places in [false, true] {
            let options = Options { module: "m", allowed: &allowed, types: &types, places };
            match convert(&parsed, &options) {
                Ok(converted) => compare_module(&parsed, &converted, places, file),
                Err(why) => partial.push(format!("{}: {}", file.display(), why[0])),
            }
        }
    }
    partial
}

fn compare_module(parsed: &Parsed, converted: &Converted, places: bool, file: &Path) {
    let shown = file.display();
    let (arguments, item) = tokens(&converted.text);
    let arena = ptx_frontend::Arena::new();
    let (checked, errors) = ptx_frontend::module(arguments, item, &arena);
    let known = parsed.check();
    let known: BTreeSet<&str> =
        known.iter().filter(|it| it.kind != Kind::Hazard).filter_map(|it| it.code).collect();
    // What compilers declare is not a promise in PTX, but is one in Rust: rustc reports it.
    let is_promise = |message: &str| {
        let codes = ["[A022,", "[A034,"];
        file.starts_with(root().join(REAL)) && codes.iter().any(|code| message.contains(code))
    };
    let is_new = |message: &String| {
        !known.iter().any(|code| message.contains(*code)) && !is_promise(message)
    };
    let new: Vec<String> = errors.messages().filter(is_new).collect();
    assert!(new.is_empty(), "{shown}: {new:#?}\n{}", converted.text);
    if places {
        return;
    }
    let checked = checked.expect("it is a module");
    for (index, item) in checked.module.items.iter().enumerate() {
        let Item::Function(function) = item else { continue };
        let Some((_, body)) = checked.body(index) else { continue };
        let name = &function.name;
        let mut functions = parsed.module().functions.iter();
        let found = functions.find(|it| it.name == *name && it.body.is_some());
        let expected = found.and_then(|it| it.body).expect("it is in the file");
        let body = statements(Body::new(&body.text, &body.table, &[]));
        assert_eq!(body, statements(expected), "{shown}: {name}");
    }
}

/// `tests/tool.rs` compiles what the tool writes.
#[test]
fn what_is_compiled_is_what_the_tool_writes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/tool");
    let output = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_ptx"))
            .args(arguments)
            .current_dir(folder)
            .output()
            .expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("it writes UTF-8")
    };
    let guide = "../../docs/guide/src/tool.in/";
    let alignif = output(&["import", &format!("{guide}alignif.ptx"), "--allow-hazards"]);
    expect_file!["../../tests/tool/alignif.rs"].assert_eq(&alignif);
    let rows = output(&["import", &format!("{guide}rows.ptx"), "--places"]);
    expect_file!["../../tests/tool/rows.rs"].assert_eq(&rows);
    let blur = output(&["import", "../import/blur.ptx", "--places"]);
    expect_file!["../../tests/tool/blur.rs"].assert_eq(&blur);
    let page = "../../docs/guide/src/tool/import.in/";
    let (fill, types) = (format!("{page}fill.ptx"), format!("{page}src/types.rs"));
    let given = ["--structs", &types, "--type", "smem=Ring", "--type", "fill.0=Image"];
    let fill = output(&[&["import", &fill, "--places"], &given[..]].concat());
    expect_file!["../../tests/tool/fill.rs"].assert_eq(&fill);
    let triton = output(&["import", "../import/triton.ptx"]);
    expect_file!["../../tests/tool/triton.rs"].assert_eq(&triton);
    let bound = output(&["bind", "../import/blur.ptx", "--name", "bound"]);
    expect_file!["../../tests/tool/bound.rs"].assert_eq(&bound);
}

/// Mutilated files have errors, and no module or one that Rust can read.
#[test]
fn mutilated_files_do_not_panic() {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(state >> 33).unwrap_or_default() % below.max(1)
    };
    let small = files(&FOLDERS).into_iter().filter_map(|file| std::fs::read(file).ok());
    for bytes in small.filter(|bytes| bytes.len() < 3000).take(60) {
        for _ in 0..4 {
            let mut bytes = bytes.clone();
            match random(3) {
                0 => bytes.truncate(random(bytes.len())),
                1 => {
                    let at = random(bytes.len());
                    bytes[at] = b"{}[]();,.$%\"'/*\\#0x\n"[random(20)];
                }
                _ => {
                    let at = random(bytes.len());
                    bytes.drain(at..(at + random(40)).min(bytes.len()));
                }
            }
            let parsed = Parsed::from_bytes(bytes);
            let options = Options {
                module: "m",
                allowed: &Allowances::default(),
                types: &Types::default(),
                places: true,
            };
            if let Ok(converted) = convert(&parsed, &options) {
                let _ = tokens(&converted.text);
            }
        }
    }
}
