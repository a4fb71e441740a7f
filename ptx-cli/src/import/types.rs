//! The Rust types that the user gives to the variables and parameters of a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use ptx_frontend::Arena;
use ptx_frontend::structs::{Structs, pointee};
use ptx_isa::Space;
use ptx_isa::ir::{Function, Module, Type, Variable};
use ptx_isa::near::alternatives;

/// The types of some variables and parameters.
#[derive(Clone, Debug, Default)]
pub struct Types<'a> {
    /// By `VARIABLE`, or `FUNCTION.PARAMETER` with the name of the parameter.
    given: BTreeMap<String, Given<'a>>,
}

/// A type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    /// It in Rust.
    pub(super) rust: &'a str,
    /// Its layout.
    pub(super) ty: &'a Type<'a>,
    is_pointer: bool,
}

impl<'a> Types<'a> {
    /// The types that are given as pairs of a name and a Rust type. A name is that of a variable, or of a function and
    /// one of its parameters, `k.image` or `k.0`.
    ///
    /// # Errors
    /// A sentence for each name that the file does not have, and for each type whose layout is not known.
    pub fn of(
        given: &'a [(String, String)],
        structs: &Structs,
        module: &Module<'_>,
        arena: &'a Arena,
    ) -> Result<Self, Vec<String>> {
        let (mut types, mut errors) = (Self::default(), Vec::new());
        for (name, rust) in given {
            let key = match key(name, module) {
                Ok(key) => key,
                Err(why) => {
                    errors.push(why);
                    continue;
                }
            };
            let ty: syn::Type = match syn::parse_str(rust) {
                Ok(ty) => ty,
                Err(why) => {
                    errors.push(format!("`{rust}` is not a Rust type: {why}"));
                    continue;
                }
            };
            match structs.layout(&ty, arena) {
                Ok(layout) => {
                    let given = Given { rust, ty: layout, is_pointer: pointee(&ty).is_some() };
                    if types.given.insert(key.clone(), given).is_some() {
                        errors.push(format!("`{key}` is given two types; leave one of them out"));
                    }
                }
                Err(why) => {
                    let end = if structs.names().next().is_none() {
                        "; `--structs FILE.rs` names a file that declares it"
                    } else {
                        ""
                    };
                    errors.push(format!("the type of `{name}` cannot be used: {why}{end}"));
                }
            }
        }
        if errors.is_empty() { Ok(types) } else { Err(errors) }
    }

    /// The type of a variable.
    pub(super) fn of_variable(&self, name: &str) -> Option<&Given<'a>> {
        self.given.get(name)
    }

    /// The type of a parameter.
    pub(super) fn of_param(&self, function: &Function<'_>, param: &str) -> Option<&Given<'a>> {
        if self.given.is_empty() {
            return None;
        }
        self.given.get(&format!("{}.{param}", function.name))
    }
}

impl<'a> Given<'a> {
    /// The type of the bytes that have the name; `None` for a pointer, whose are those of an address.
    pub(super) fn storage(&self) -> Option<&'a Type<'a>> {
        (!self.is_pointer).then_some(self.ty)
    }

    /// Whether the type takes the bytes that a file declares, and not more alignment.
    ///
    /// # Errors
    /// What does not fit.
    pub(super) fn check(&self, declared: &Variable<'_>) -> Result<(), String> {
        let (name, rust) = (declared.name, self.rust);
        if declared.space == Space::Reg {
            return Err(format!("`{name}` is a register, whose type is that of the file"));
        }
        let opaque = declared.ty.element().opaque().or(self.ty.element().opaque());
        if let Some(opaque) = opaque {
            let word = opaque.rust_name();
            return Err(format!(
                "`{name}` cannot be given the type `{rust}`: a `{word}` has no bytes"
            ));
        }
        let bytes =
            |count: usize| if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") };
        match (self.ty.size(), declared.ty.size()) {
            (Some(own), Some(size)) if own != size => {
                return Err(format!(
                    "`{rust}` has {}, and `{name}` has {}",
                    bytes(own),
                    bytes(size)
                ));
            }
            (None, Some(size)) => {
                return Err(format!(
                    "`{rust}` has no size, and `{name}` has {}; write the number of elements",
                    bytes(size)
                ));
            }
            _ => {}
        }
        let align = declared.align.or(declared.ty.align()).unwrap_or(1);
        match self.ty.align() {
            Some(own) if own > align => Err(format!(
                "`{rust}` is aligned to {}, and `{name}` to {}",
                bytes(own),
                bytes(align)
            )),
            _ => Ok(()),
        }
    }
}

/// The name under which the type of a variable or a parameter is found.
fn key(name: &str, module: &Module<'_>) -> Result<String, String> {
    let missing = |what: &str, wanted: &str, known: &[&str]| {
        let text = format!("{what} is named `{wanted}`");
        if known.is_empty() {
            text
        } else {
            format!("{text}; {}", alternatives(wanted, known.iter().copied()))
        }
    };
    let Some((function, param)) = name.split_once('.') else {
        let known: Vec<&str> = module.variables.iter().map(|variable| variable.name).collect();
        if known.contains(&name) {
            return Ok(name.to_owned());
        }
        let is_name = |variable: &Variable<'_>| variable.name == name;
        for function in module.functions {
            if function.params.iter().any(|param| is_name(&param.variable)) {
                return Err(format!("`{name}` is a parameter; write `{}.{name}`", function.name));
            }
            if function.locals.iter().copied().any(is_name) {
                return Err(format!(
                    "`{name}` is declared in the body of `{}`, which stays as it is; move the declaration before the \
                     function",
                    function.name
                ));
            }
        }
        return Err(missing("no variable of the file", name, &known));
    };
    let functions = || module.functions.iter().filter(|it| it.name == function);
    if functions().next().is_none() {
        let known: Vec<&str> = module.functions.iter().map(|function| function.name).collect();
        return Err(missing("no function of the file", function, &known));
    }
    let params = functions().flat_map(|it| it.params);
    let known: Vec<&str> = params.map(|param| param.variable.name).collect();
    let numbered = param.parse().ok().and_then(|number: usize| known.get(number));
    match known.iter().find(|known| **known == param).or(numbered) {
        Some(param) => Ok(format!("{function}.{param}")),
        None => Err(missing(&format!("no parameter of `{function}`"), param, &known)),
    }
}

/// The path of the module that a Rust file is in its crate: `crate::types` for `src/types.rs`.
pub(super) fn module_path(file: &Path) -> String {
    let parts: Vec<&str> = file.iter().filter_map(|part| part.to_str()).collect();
    let start = parts.iter().rposition(|part| *part == "src").map_or(parts.len() - 1, |at| at + 1);
    let mut path = "crate".to_owned();
    for part in parts.get(start..).unwrap_or_default() {
        match part.strip_suffix(".rs").unwrap_or(part) {
            "lib" | "main" | "mod" => {}
            name => {
                let _ = write!(path, "::{name}");
            }
        }
    }
    path
}
