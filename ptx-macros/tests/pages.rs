//! The documentation pages of the attributes list the arguments that the attributes take.

use ptx::ir::DirectiveKind;

const KERNEL: &str = include_str!("../docs/kernel.md");
const DEVICE: &str = include_str!("../docs/device.md");
const IMPORT: &str = include_str!("../docs/import.md");

/// Whether a table on this page has a row that starts with this key.
fn has_row(page: &str, key: &str) -> bool {
    page.lines().any(|line| {
        let behind = line.strip_prefix("| `").and_then(|line| line.strip_prefix(key));
        behind.is_some_and(|behind| !behind.starts_with(|c: char| c.is_ascii_alphanumeric()))
    })
}

#[test]
fn every_directive_has_a_row() {
    for kind in DirectiveKind::ALL {
        let name = kind.name();
        assert_eq!(has_row(KERNEL, name), kind.is_of_kernels(), "`{name}` in kernel.md");
        assert_eq!(has_row(DEVICE, name), !kind.is_of_kernels(), "`{name}` in device.md");
        let page = if kind.is_of_kernels() { KERNEL } else { DEVICE };
        assert!(page.contains(&format!("| `.{name}` |")), "what `{name}` is in PTX");
    }
}

#[test]
fn every_import_argument_has_a_row() {
    for key in ptx_frontend::import::KEYS {
        assert!(has_row(IMPORT, key), "`{key}` in import.md");
    }
}
