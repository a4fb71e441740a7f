//! `docs/diagnostics.md` is up to date with the output of the tools.

use std::path::Path;

use xtask::diagnostics::{Programs, document, outputs};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the workspace")
}

#[test]
fn the_document_is_that_of_its_programs() {
    let written = std::fs::read_to_string(root().join("docs/diagnostics.md")).expect("it exists");
    let expected = document(root()).expect("every output is recorded");
    assert!(written == expected, "docs/diagnostics.md is stale: run `cargo xtask diagnostics`");
}

/// Compares the output of rustc and ptxas, whose releases are pinned; the ui-tests compare the output of `ptx`.
#[test]
fn the_pinned_tools_print_what_is_recorded() {
    let ptxas = xtask::oracle().map(|it| it.path().to_owned());
    let programs = Programs { ptxas, ..Programs::default() };
    let outputs = outputs(root(), &programs).expect("the tools run");
    assert!(outputs.len() >= 10, "{} programs were run", outputs.len());
    for (file, printed) in outputs {
        let recorded = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(printed, recorded, "{}: run `cargo xtask diagnostics`", file.display());
    }
}
