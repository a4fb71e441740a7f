//! What a module declares `extern`, and the modules that define it.

use std::string::String;
use std::vec::Vec;

use ptx_types::ir::{Function, Linkage, Variable};
use ptx_types::rules::signature_difference;
use thiserror::Error;

use crate::Module;

/// The functions that the driver defines itself.
const OF_DRIVER: [&str; 5] =
    ["vprintf", "malloc", "free", "__assertfail", "cudaGraphSetConditional"];

/// Why modules cannot be linked.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// Nothing defines what a module uses.
    #[error(
        "the module `{module}` uses {}, which it declares `extern`, and no module that it is loaded \
         with defines {}; load it by `ptx::cuda::load_linked` with the module that does", quoted(.symbols),
        if .symbols.len() == 1 { "it" } else { "them" }
    )]
    Undefined {
        /// The module.
        module: &'static str,
        /// The names in PTX.
        symbols: Vec<&'static str>,
    },
    /// A declaration differs from the definition.
    #[error(
        "`{module}` declares `{symbol}` `extern`, and `{of}` defines it, but {difference}; declare it as it is defined"
    )]
    Differs {
        /// The module with the declaration.
        module: &'static str,
        /// The module with the definition.
        of: &'static str,
        /// The name in PTX.
        symbol: &'static str,
        /// The difference.
        difference: String,
    },
    /// A name is defined in a module, where others cannot see it.
    #[error(
        "`{module}` declares `{symbol}` `extern`, and it is private in `{of}`; write `pub` there"
    )]
    Private {
        /// The module with the declaration.
        module: &'static str,
        /// The module with the definition.
        of: &'static str,
        /// The name in PTX.
        symbol: &'static str,
    },
    /// Two modules define a name, and neither definition is weak.
    #[error(
        "`{module}` and `{of}` both define `{symbol}`; make one private, or give it another name with `#[unsafe(export_name = \"..\")]`"
    )]
    Twice {
        /// A module.
        module: &'static str,
        /// The other one.
        of: &'static str,
        /// The name in PTX.
        symbol: &'static str,
    },
}

ptx_types::__debug_as_message!(LinkError);

fn quoted(symbols: &[&str]) -> String {
    let quoted: Vec<String> = symbols.iter().map(|name| std::format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Checks that what a module and those that it is linked with declare `extern` and use is defined, by one of them or by
/// the driver, and as it is declared. Needs no GPU.
///
/// # Errors
/// The first thing that is not.
pub fn check_links(
    module: &'static Module<'static>,
    with: &[&'static Module<'static>],
) -> Result<(), LinkError> {
    let all: Vec<&'static Module<'static>> =
        core::iter::once(module).chain(with.iter().copied()).collect();
    for (n, module) in all.iter().enumerate() {
        for other in all[..n].iter().filter(|other| !core::ptr::eq(**other, *module)) {
            if let Some(symbol) = strong(other).find(|name| strong(module).any(|it| it == *name)) {
                return Err(LinkError::Twice { module: other.name, of: module.name, symbol });
            }
        }
        let mut undefined = Vec::new();
        for symbol in needed(module) {
            match definition(symbol, module, &all) {
                Some(found) => found?,
                None => undefined.push(symbol.name()),
            }
        }
        if !undefined.is_empty() {
            return Err(LinkError::Undefined { module: module.name, symbols: undefined });
        }
    }
    Ok(())
}

/// What a module declares `extern`.
#[derive(Clone, Copy)]
enum Symbol {
    Function(&'static Function<'static>),
    Variable(&'static Variable<'static>),
}

impl Symbol {
    fn name(self) -> &'static str {
        match self {
            Self::Function(function) => function.name,
            Self::Variable(variable) => variable.name,
        }
    }
}

/// What a module declares `extern` and uses, but for what the driver defines.
fn needed(module: &'static Module<'static>) -> impl Iterator<Item = Symbol> {
    let is_called = |name: &str| {
        let is_addressed = module.variables.iter().any(|variable| {
            let mut found = false;
            variable.init.for_each_address(&mut |address| found |= address.symbol == name);
            found
        });
        is_addressed || module.functions.iter().any(|function| function.calls.contains(&name))
    };
    let is_used = move |variable: &Variable<'_>| {
        let mut uses = module.functions.iter().flat_map(|function| function.uses);
        uses.any(|used| used.name == variable.name)
    };
    let functions = module.functions.iter().filter(move |function| {
        function.linkage == Linkage::Extern
            && !OF_DRIVER.contains(&function.name)
            && is_called(function.name)
    });
    let variables = module
        .variables
        .iter()
        .filter(move |variable| variable.linkage == Linkage::Extern && is_used(variable));
    let functions = functions.map(|function| Symbol::Function(function));
    functions.chain(variables.map(|variable| Symbol::Variable(variable)))
}

/// Whether the definition of a symbol in one of these modules is as it is declared; `None` if there is none.
fn definition(
    symbol: Symbol,
    module: &'static Module<'static>,
    all: &[&'static Module<'static>],
) -> Option<Result<(), LinkError>> {
    let mut private = None;
    for other in all.iter().filter(|other| !core::ptr::eq(**other, module)) {
        let (linkage, difference) = match symbol {
            Symbol::Function(declared) => {
                let mut functions = other.functions.iter();
                let found = functions.find(|it| it.name == declared.name && it.body.is_some());
                let Some(found) = found else { continue };
                (found.linkage, signature_difference(found, declared).map(String::from))
            }
            Symbol::Variable(declared) => {
                let mut variables = other.variables.iter();
                let is_it =
                    |it: &&&Variable<'_>| it.name == declared.name && !it.linkage.is_elsewhere();
                let Some(found) = variables.find(is_it) else { continue };
                (found.linkage, variable_difference(found, declared))
            }
        };
        let (module, of, symbol) = (module.name, other.name, symbol.name());
        if linkage == Linkage::Internal {
            private.get_or_insert(LinkError::Private { module, of, symbol });
            continue;
        }
        return Some(match difference {
            Some(difference) => Err(LinkError::Differs { module, of, symbol, difference }),
            None => Ok(()),
        });
    }
    private.map(Err)
}

/// How the declaration of a variable differs from its definition.
fn variable_difference(found: &Variable<'_>, declared: &Variable<'_>) -> Option<String> {
    if found.space != declared.space {
        let (is, wanted) = (found.space.directive(), declared.space.directive());
        return Some(std::format!("it is in `{is}`, and not in `{wanted}`"));
    }
    match (found.bytes(), declared.bytes()) {
        (Some(is), Some(wanted)) if is != wanted => {
            return Some(std::format!("it has {is} bytes, and not {wanted}"));
        }
        _ => {}
    }
    match (found.alignment(), declared.alignment()) {
        (Some(is), Some(wanted)) if is < wanted => {
            Some(std::format!("it is aligned to {is} bytes, and not to {wanted}"))
        }
        _ => None,
    }
}

/// The names that a module defines for others, unless the definition is weak.
fn strong(module: &'static Module<'static>) -> impl Iterator<Item = &'static str> {
    let functions = module
        .functions
        .iter()
        .filter(|function| function.linkage == Linkage::Visible && function.body.is_some());
    let variables = module.variables.iter().filter(|variable| variable.linkage == Linkage::Visible);
    functions.map(|function| function.name).chain(variables.map(|variable| variable.name))
}
