//! The modules of a crate, their declarations and imports, and the targets of their paths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree, Visibility};

use super::mentions::{Mention, mentions};

/// A module: a file, or a part of one.
#[derive(Debug)]
struct Module {
    /// Its name after those of the enclosing modules, outermost first; empty for the crate.
    path: Vec<String>,
    /// The enclosing module; for the crate, itself.
    parent: usize,
    /// Its file, relative to the crate's folder.
    file: String,
    /// The module that is the whole file.
    of_file: usize,
    /// The modules that it declares.
    children: BTreeMap<String, usize>,
    /// The names of its other declarations.
    items: BTreeSet<String>,
    /// Its imports: the name here, and the paths. Several have the same name if one is a module and another a
    /// function.
    imports: BTreeMap<String, Vec<Vec<String>>>,
    /// The paths of its glob imports.
    globs: Vec<Vec<String>>,
    /// The paths in its code.
    mentions: Vec<Mention>,
}

/// The modules of a crate; the first is the crate.
#[derive(Debug, Default)]
pub struct Tree {
    modules: Vec<Module>,
}

/// The file of a module in `#[path = "folder/mod.rs"]`.
fn given_file(attrs: &[Attribute]) -> Option<String> {
    attrs.iter().find_map(|attr| match &attr.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(file), .. }) => Some(file.value()),
            _ => None,
        },
        _ => None,
    })
}

/// The target of a path: a module, or a declaration in one.
#[derive(Clone, Copy)]
enum Found {
    Module(usize),
    ItemOf(usize),
}

impl Found {
    fn is_module(&self) -> bool {
        matches!(self, Self::Module(_))
    }
}

/// A use of a module's declaration in the code of another module.
#[derive(Clone, Debug)]
pub struct Use {
    /// The file of the use.
    pub from_file: String,
    /// The file of the declaration.
    pub to_file: String,
    /// The line, and the path as written.
    pub at: String,
    from: Vec<String>,
    to: Vec<String>,
}

impl Use {
    /// The level at which the two diverge: the innermost module around both, and the modules in it that contain
    /// them. `None` if one encloses the other.
    pub fn siblings(&self) -> Option<(String, String, String)> {
        let together = self.from.iter().zip(&self.to).take_while(|(one, other)| one == other);
        let depth = together.count();
        let name = |path: &[String]| format!("crate::{}", path.join("::"));
        match (self.from.get(depth), self.to.get(depth)) {
            (Some(_), Some(_)) => Some((
                name(&self.from[..depth]),
                name(&self.from[..=depth]),
                name(&self.to[..=depth]),
            )),
            (_, _) => None,
        }
    }
}

/// The maximum number of imports that a name may lead through.
const DEEPEST: usize = 16;

impl Tree {
    /// Reads the crate with this root file, and all files that it declares.
    ///
    /// # Errors
    /// If a file does not exist or is not valid Rust.
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut tree = Self::default();
        let folder = root.parent().unwrap_or(Path::new(""));
        tree.read_file(root, folder, folder, &[], 0)?;
        Ok(tree)
    }

    fn read_file(
        &mut self,
        file: &Path,
        submodules: &Path,
        folder: &Path,
        path: &[String],
        parent: usize,
    ) -> Result<usize, String> {
        let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| fault(&error))?;
        let syntax = syn::parse_file(&text).map_err(|error| fault(&error))?;
        let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
        self.read_module(syntax.items, &name, submodules, folder, path, parent)
    }

    fn read_module(
        &mut self,
        items: Vec<Item>,
        file: &str,
        submodules: &Path,
        folder: &Path,
        path: &[String],
        parent: usize,
    ) -> Result<usize, String> {
        let this = self.modules.len();
        self.modules.push(Module {
            path: path.to_vec(),
            parent,
            file: file.to_owned(),
            of_file: match self.modules.get(parent) {
                Some(around) if around.file == file => around.of_file,
                Some(_) | None => this,
            },
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            mentions: Vec::new(),
        });
        for mut item in items {
            if is_of_tests(attributes(&item)) {
                continue;
            }
            if let Item::Mod(module) = item {
                let name = module.ident.to_string();
                let path = [path, std::slice::from_ref(&name)].concat();
                let inside = submodules.join(&name);
                let child = match module.content {
                    Some((_, items)) => {
                        self.read_module(items, file, &inside, folder, &path, this)?
                    }
                    None => match given_file(&module.attrs) {
                        Some(given) => {
                            let file = submodules.join(given);
                            let inside = file.parent().unwrap_or(submodules).to_owned();
                            self.read_file(&file, &inside, folder, &path, this)?
                        }
                        None => {
                            let file = file_of(&inside);
                            self.read_file(&file, &inside, folder, &path, this)?
                        }
                    },
                };
                self.modules[this].children.insert(name, child);
                continue;
            }
            let module = &mut self.modules[this];
            if let Item::Use(item) = &item {
                let mut prefix = Vec::new();
                module.import(&item.tree, &mut prefix);
            }
            module.items.extend(declared(&item));
            let is_listed = match &item {
                Item::Use(item) => !matches!(item.vis, Visibility::Inherited),
                _ => false,
            };
            let found = mentions(&mut item).into_iter();
            module.mentions.extend(found.map(|mention| Mention { is_listed, ..mention }));
        }
        Ok(this)
    }

    /// Every use of a file's declaration in the code of another file.
    pub fn uses(&self) -> Vec<Use> {
        let mut uses = Vec::new();
        for (i, module) in self.modules.iter().enumerate() {
            for mention in &module.mentions {
                let to = match self.resolve(i, &mention.path, 0) {
                    Some(Found::Module(to) | Found::ItemOf(to)) => &self.modules[to],
                    None => continue,
                };
                let is_below = to.path.starts_with(&self.modules[module.of_file].path);
                if to.file == module.file || mention.is_listed && is_below {
                    continue;
                }
                uses.push(Use {
                    from_file: module.file.clone(),
                    to_file: to.file.clone(),
                    at: format!("line {}, `{}`", mention.line, mention.path.join("::")),
                    from: module.path.clone(),
                    to: to.path.clone(),
                });
            }
        }
        uses
    }

    /// The target of a path in this module; `None` if it is outside the crate.
    fn resolve(&self, module: usize, path: &[String], depth: usize) -> Option<Found> {
        let (first, rest) = path.split_first()?;
        let mut found = match first.as_str() {
            "crate" => Found::Module(0),
            "self" => Found::Module(module),
            "super" => Found::Module(self.modules[module].parent),
            name => self.lookup(module, name, depth)?,
        };
        for name in rest {
            found = match (found, name.as_str()) {
                (Found::ItemOf(_), _) => return Some(found),
                (Found::Module(around), "self") => Found::Module(around),
                (Found::Module(around), "super") => Found::Module(self.modules[around].parent),
                // A macro declares the name if no declaration is visible.
                (Found::Module(around), name) => {
                    self.lookup(around, name, depth).unwrap_or(Found::ItemOf(around))
                }
            };
        }
        Some(found)
    }

    fn lookup(&self, module: usize, name: &str, depth: usize) -> Option<Found> {
        let around = &self.modules[module];
        if let Some(child) = around.children.get(name) {
            return Some(Found::Module(*child));
        }
        if around.items.contains(name) {
            return Some(Found::ItemOf(module));
        }
        if depth == DEEPEST {
            return None;
        }
        if let Some(paths) = around.imports.get(name) {
            let mut found = paths.iter().filter_map(|path| self.resolve(module, path, depth + 1));
            let first = found.next();
            return match first {
                Some(Found::ItemOf(_)) => found.find(Found::is_module).or(first),
                Some(Found::Module(_)) | None => first,
            };
        }
        around.globs.iter().find_map(|path| match self.resolve(module, path, depth + 1)? {
            Found::Module(other) if other != module => self.lookup(other, name, depth + 1),
            Found::Module(_) | Found::ItemOf(_) => None,
        })
    }
}

impl Module {
    fn import(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.last() {
                    self.imports.entry(last.clone()).or_default().push(prefix.clone());
                }
            }
            UseTree::Name(name) => {
                let path = [prefix.as_slice(), &[name.ident.to_string()]].concat();
                self.imports.entry(name.ident.to_string()).or_default().push(path);
            }
            UseTree::Rename(rename) => {
                let path = [prefix.as_slice(), &[rename.ident.to_string()]].concat();
                self.imports.entry(rename.rename.to_string()).or_default().push(path);
            }
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, prefix);
                }
            }
        }
    }
}

/// The file of a module whose submodules are in this folder.
fn file_of(submodules: &Path) -> PathBuf {
    let inside = submodules.join("mod.rs");
    if inside.exists() { inside } else { submodules.with_extension("rs") }
}

fn is_of_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|word| word == "test")
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// The names that an item declares.
fn declared(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}
