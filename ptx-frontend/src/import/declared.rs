//! The declarations of a file, with Rust names and types.

use ptx_isa::sorted::SortedMap;

use proc_macro2::Span;
use ptx_isa::ir;
use syn::Ident;

use super::arguments::Rename;
use super::identifiers;
use super::renamed::renamed;
use crate::ast::Contract;
use crate::errors::Errors;

/// The declarations of a file: each symbol once, with its definition if it has one.
#[derive(Default)]
pub struct Declared<'m> {
    /// The variables, in order.
    pub variables: Vec<Variable<'m>>,
    /// The kernels and functions, in order.
    pub functions: Vec<Function<'m>>,
}

/// A variable of the file.
pub struct Variable<'m> {
    /// Its declaration.
    pub ir: &'m ir::Variable<'m>,
    /// Its name in Rust.
    pub ident: Ident,
    /// The type that the user gives it.
    pub given: Option<Given>,
}

/// A kernel or function of the file.
pub struct Function<'m> {
    /// Its declaration.
    pub ir: &'m ir::Function<'m>,
    /// Its name in Rust.
    pub ident: Ident,
    /// The parameters, in order.
    pub params: Vec<Param<'m>>,
    /// The launch contract that the user gives it.
    pub contract: Contract,
    /// Whether an error about the signature that the user gives was reported. Its parameters are then those that the
    /// user writes.
    pub refused: bool,
}

/// A parameter of a kernel or function.
pub struct Param<'m> {
    /// Its declaration.
    pub ir: &'m ir::Param<'m>,
    /// Its name in Rust.
    pub ident: Ident,
    /// The type that the user gives it.
    pub given: Option<Given>,
}

/// A type that the user gives for what PTX declares as bytes, bits or an address.
pub struct Given {
    /// The type.
    pub ty: syn::Type,
    /// The span of `#[readonly]`, if it is present.
    pub readonly: Option<Span>,
}

impl<'m> Declared<'m> {
    /// The declarations of a file with the names that `import!` gives them, and no other types.
    pub fn of(module: &'m ir::Module<'m>) -> Self {
        declared(module, &[], ("", Span::call_site()), &mut Errors::default())
    }
}

/// Assigns names to the declarations of a file. `file` is its name in messages,
/// and `at` the span of its path.
pub(super) fn declared<'m>(
    module: &'m ir::Module<'m>,
    renames: &[Rename],
    (file, at): (&str, Span),
    errors: &mut Errors,
) -> Declared<'m> {
    let at = Span::call_site().located_at(at);
    let (variables, functions) = (each_variable(module), each_function(module));
    let of_variables = variables.iter().map(|ir| ir.name);
    let symbols: Vec<&str> =
        of_variables.chain(functions.iter().map(|function| function.name)).collect();
    let renamed = renamed(&symbols, renames, file, errors);
    let names = identifiers::of_symbols(&symbols, &renamed);
    let ident = |name: &str| syn::parse_str::<Ident>(&identifiers::written(name));
    let ident = |name: &str| {
        let mut ident = ident(name).unwrap_or_else(|_| Ident::new("__ptx_unnamed", at));
        ident.set_span(at);
        ident
    };
    Declared {
        variables: variables
            .into_iter()
            .map(|ir| Variable { ir, ident: ident(&names[ir.name]), given: None })
            .collect(),
        functions: functions
            .into_iter()
            .map(|ir| Function {
                ir,
                ident: ident(&names[ir.name]),
                params: identifiers::of_params(
                    ir.name,
                    ir.params.iter().map(|param| param.variable.name),
                )
                .iter()
                .zip(ir.params)
                .map(|(name, ir)| Param { ir, ident: ident(name), given: None })
                .collect(),
                contract: Contract::default(),
                refused: false,
            })
            .collect(),
    }
}

/// The variables of a module, each name once.
fn each_variable<'m>(module: &'m ir::Module<'m>) -> Vec<&'m ir::Variable<'m>> {
    let is_defined = |ir: &ir::Variable<'_>| !ir.linkage.is_elsewhere();
    each(module.variables, |ir| ir.name, is_defined)
}

/// The functions of a module, each name once.
fn each_function<'m>(module: &'m ir::Module<'m>) -> Vec<&'m ir::Function<'m>> {
    each(module.functions, |ir| ir.name, |ir| ir.body.is_some())
}

fn each<'m, T>(
    all: &[&'m T],
    name: impl Fn(&'m T) -> &'m str,
    is_defined: impl Fn(&T) -> bool,
) -> Vec<&'m T> {
    let mut found: Vec<&'m T> = Vec::new();
    let mut places: SortedMap<&str, usize> = SortedMap::new();
    for &ir in all {
        match places.get(name(ir)) {
            Some(&place) if is_defined(ir) => found[place] = ir,
            Some(_) => {}
            None => {
                places.insert(name(ir), found.len());
                found.push(ir);
            }
        }
    }
    found
}
