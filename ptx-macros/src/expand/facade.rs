//! The path to the facade in generated code.

use std::path::{Path as FilePath, PathBuf};
use std::{env, fs};

use boml::table::TomlTable;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Path};

/// The name of the facade's package.
const PACKAGE: &str = "ptx";

/// The path to the facade, whatever `Cargo.toml` calls it.
pub(super) fn facade(given: Option<&Path>) -> TokenStream {
    if let Some(path) = given {
        return quote!(#path);
    }
    let name = name_in_cargo_toml().unwrap_or_else(|| PACKAGE.to_owned());
    let name = Ident::new(&name.replace('-', "_"), Span::call_site());
    quote!(::#name)
}

/// The name of the facade in the `Cargo.toml` of the crate that is being compiled.
fn name_in_cargo_toml() -> Option<String> {
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let manifest = boml::parse(&text).ok()?;
    name(&manifest, |root| workspace(&folder, root))
}

/// The manifest of the workspace that a package in `folder` belongs to: at `root`, if the package
/// specifies it, or the nearest one above.
fn workspace(folder: &FilePath, root: Option<&str>) -> Option<String> {
    let read = |folder: &FilePath| fs::read_to_string(folder.join("Cargo.toml")).ok();
    if let Some(root) = root {
        return read(&folder.join(root));
    }
    folder.ancestors().skip(1).find_map(|folder| {
        let text = read(folder)?;
        let is_workspace = boml::parse(&text).ok()?.contains_key("workspace");
        is_workspace.then_some(text)
    })
}

/// The name of the facade in a manifest, if it depends on it: if there are several, the last of the dependencies, the
/// dev-dependencies, and those of targets. `workspace` returns the manifest of another workspace than the
/// package's own, at the given path, if there is one.
fn name(
    manifest: &TomlTable<'_>,
    workspace: impl FnOnce(Option<&str>) -> Option<String>,
) -> Option<String> {
    let package = manifest.get_table("package").ok();
    if package.and_then(|package| package.get_string("name").ok()) == Some(PACKAGE) {
        return Some(PACKAGE.to_owned());
    }
    let dependencies = dependencies(manifest);
    let is_inherited = |of: &TomlTable<'_>| of.get_boolean("workspace") == Ok(true);
    let inherits = dependencies.iter().any(|dependency| dependency.table.is_some_and(is_inherited));
    let other = if inherits && !manifest.contains_key("workspace") {
        workspace(package.and_then(|package| package.get_string("workspace").ok()))
    } else {
        None
    };
    let other = other.as_deref().and_then(|text| boml::parse(text).ok());
    let root = other.as_deref().unwrap_or(manifest);
    let shared = root.get_table("workspace").and_then(|root| root.get_table("dependencies")).ok();

    let is_facade = |dependency: &Dependency<'_>| {
        let table = match dependency.table {
            Some(table) if is_inherited(table) => {
                shared.and_then(|shared| shared.get_table(dependency.name).ok())
            }
            table => table,
        };
        let package = table.and_then(|table| table.get_string("package").ok());
        package.unwrap_or(dependency.name) == PACKAGE
    };
    let facades = dependencies.iter().filter(|dependency| is_facade(dependency));
    let last = facades.max_by_key(|dependency| (dependency.kind, dependency.position));
    last.map(|dependency| dependency.name.to_owned())
}

/// A dependency, and its keys beyond the version.
struct Dependency<'a> {
    name: &'a str,
    table: Option<&'a TomlTable<'a>>,
    kind: Kind,
    /// Its position in the manifest, in bytes: a [`TomlTable`] has no order.
    position: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Normal,
    Development,
    Target,
}

fn dependencies<'a>(manifest: &'a TomlTable<'a>) -> Vec<Dependency<'a>> {
    let mut found = Vec::new();
    let mut add = |of: &'a TomlTable<'a>, key: &str, kind| {
        for (name, value) in of.get_table(key).into_iter().flat_map(|table| table.iter()) {
            found.push(Dependency {
                name: name.as_str(),
                table: value.as_table(),
                kind,
                position: name.span().start,
            });
        }
    };
    add(manifest, "dependencies", Kind::Normal);
    add(manifest, "dev-dependencies", Kind::Development);
    for target in manifest.get_table("target").into_iter().flat_map(|targets| targets.values()) {
        if let Some(target) = target.as_table() {
            add(target, "dependencies", Kind::Target);
            add(target, "dev-dependencies", Kind::Target);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(manifest: &str) -> Option<String> {
        name(&boml::parse(manifest).unwrap(), |_| panic!("nothing is inherited"))
    }

    fn inherited(manifest: &str, workspace: &str) -> Option<String> {
        name(&boml::parse(manifest).unwrap(), |root| {
            assert_eq!(root, None);
            Some(workspace.to_owned())
        })
    }

    #[test]
    fn a_dependency_is_found_in_every_spelling() {
        for manifest in [
            "[dependencies]\nptx = \"0.1\"",
            "[dependencies]\nptx = { version = '0.1', features = [\n  \"cuda\", # comment\n] }",
            "[dependencies.ptx]\npath = \"..\"",
            "dependencies = { ptx = \"0.1\" }",
            "dependencies.ptx.version = \"0.1\"",
            "[dependencies]\n\"ptx\" = \"0.1\"",
            "[dev-dependencies]\nptx = \"0.1\"",
            "[target.'cfg(unix)'.dependencies]\nptx = \"0.1\"",
            "[target.x86_64-unknown-linux-gnu.dev-dependencies.ptx]\nversion = \"0.1\"",
            "[package]\nname = \"ptx\"",
            "[package]\nname = \"ptx\"\n[dev-dependencies]\nother = { package = \"ptx\", path = \".\" }",
        ] {
            assert_eq!(named(manifest).as_deref(), Some("ptx"), "{manifest}");
        }
    }

    #[test]
    fn a_dependency_has_another_name() {
        for manifest in [
            "[dependencies]\ngpu-storage = { package = \"ptx\", version = \"0.1\" }",
            "[dependencies.gpu-storage]\nversion = \"0.1\"\npackage = 'ptx'",
            "[dependencies]\ngpu-storage.package = \"ptx\"",
            "[target.'cfg(any(target_os = \"linux\", windows))'.dependencies]\n\
             gpu-storage = { package = \"ptx\" }",
            // Another package has this name.
            "[dependencies]\ngpu-storage = { package = \"ptx\" }\nptx = { package = \"parallel\" }",
        ] {
            assert_eq!(named(manifest).as_deref(), Some("gpu-storage"), "{manifest}");
        }
    }

    #[test]
    fn packages_inherit_from_their_workspace() {
        let workspace = "[workspace.dependencies]\ngpu = { package = \"ptx\", path = \"ptx\" }";
        let manifest = "[dependencies]\nserde = \"1\"\ngpu.workspace = true";
        assert_eq!(inherited(manifest, workspace).as_deref(), Some("gpu"));
        let optional = "[dev-dependencies]\ngpu = { workspace = true, optional = true }";
        assert_eq!(inherited(optional, workspace).as_deref(), Some("gpu"));
        let root = format!("{workspace}\n{manifest}");
        assert_eq!(named(&root).as_deref(), Some("gpu"));
        let other = "[workspace.dependencies]\nptx = { package = \"parallel\", version = \"1\" }";
        assert_eq!(inherited("[dependencies]\nptx.workspace = true", other), None);
        let plain = "[workspace.dependencies]\nptx = \"0.1\"";
        let found = inherited("[dependencies]\nptx.workspace = true", plain);
        assert_eq!(found.as_deref(), Some("ptx"));
    }

    #[test]
    fn a_package_may_name_its_workspace() {
        let manifest = "[package]\nworkspace = \"../root\"\n[dependencies]\ngpu.workspace = true";
        let found = name(&boml::parse(manifest).unwrap(), |root| {
            assert_eq!(root, Some("../root"));
            Some("[workspace.dependencies.gpu]\npackage = \"ptx\"".to_owned())
        });
        assert_eq!(found.as_deref(), Some("gpu"));
    }

    #[test]
    fn of_several_names_the_last_is_taken() {
        let manifest = "[dev-dependencies]\nlater = { package = \"ptx\" }\n\
                        [dependencies]\none = { package = \"ptx\" }\ntwo = { package = \"ptx\" }";
        assert_eq!(named(manifest).as_deref(), Some("later"));
        let manifest = "[dependencies]\none = { package = \"ptx\" }\ntwo = { package = \"ptx\" }";
        assert_eq!(named(manifest).as_deref(), Some("two"));
        assert_eq!(named("[dependencies]\nserde = \"1\""), None);
    }
}
