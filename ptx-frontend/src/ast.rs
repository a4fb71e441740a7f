//! The syntax tree of a module, with its tokens.

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use ptx_isa::ir::{DirectiveKind, FunctionKind, Linkage};
use ptx_isa::{Release, Space, Target, TextureMode, Version};
use ptx_text::codes::is_allowed_on_declarations;
use syn::{Attribute, Expr, Ident, Item as RustItem, Path, Type, Visibility};

use crate::address::InitialAddress;
use crate::body::Body;
use crate::instance::Instance;
use crate::integer::Integer;
use crate::integers::Integers;
use crate::name::{name_of_outside, ptx_name};

/// A module: the arguments of `#[ptx::module]` and the items of the `mod`.
pub struct Module {
    /// The arguments.
    pub args: ModuleArgs,
    /// Attributes other than `#[ptx::module]`.
    pub attrs: Vec<Attribute>,
    /// The visibility of the `mod`.
    pub vis: Visibility,
    /// The name of the `mod`.
    pub ident: Ident,
    /// The items, in order.
    pub items: Vec<Item>,
    /// The indices of the items that are variables, in the order of the IR.
    pub variables: Vec<usize>,
    /// Likewise those of functions and kernels.
    pub functions: Vec<usize>,
    /// Whether the user may have marked an item as deprecated.
    pub may_deprecate: bool,
    /// Where the module ends.
    pub end: Span,
    /// Whether an error about the whole module was reported, so that no deferred check repeats it.
    pub refused: bool,
    /// The paths of fragments that its bodies use and that have to be known before it can be checked.
    pub wanted: Vec<TokenStream>,
    /// The calls by a path or in a fragment of what has the name of a function of this module.
    pub own_by_path: Vec<OwnByPath>,
    /// Whether its `mod` and its `use` items are written already.
    pub is_inside: bool,
}

/// A call by a path or in a fragment of what has the name of a function of the module: it has to be that function.
pub struct OwnByPath {
    /// The name in PTX.
    pub name: String,
    /// The expression of what is called.
    pub expression: TokenStream,
    /// Where it is called.
    pub at: Span,
}

impl Module {
    /// The variable with this index in the IR.
    pub fn variable(&self, index: usize) -> Option<&Variable> {
        self.items.get(*self.variables.get(index)?)?.variable()
    }

    /// The function or kernel with this index in the IR.
    pub fn function(&self, index: usize) -> Option<&Function> {
        self.items.get(*self.functions.get(index)?)?.function()
    }

    pub(crate) fn variable_mut(&mut self, index: usize) -> Option<&mut Variable> {
        match self.items.get_mut(*self.variables.get(index)?)? {
            Item::Variable(variable) => Some(variable),
            Item::Function(_) | Item::Rust(_) => None,
        }
    }

    pub(crate) fn function_mut(&mut self, index: usize) -> Option<&mut Function> {
        match self.items.get_mut(*self.functions.get(index)?)? {
            Item::Function(function) => Some(function),
            Item::Variable(_) | Item::Rust(_) => None,
        }
    }

    /// The variables, in order.
    pub(crate) fn each_variable(&self) -> impl Iterator<Item = &Variable> {
        self.items.iter().filter_map(Item::variable)
    }

    /// The functions of other modules that it calls.
    pub fn outside(&self) -> impl Iterator<Item = &Function> {
        self.each_function().filter(|function| !function.outside.is_empty())
    }

    /// What its bodies call the functions and kernels, in order.
    pub(crate) fn function_names(&self) -> Vec<String> {
        let is_declared = |name: &str| {
            let mut functions = self.each_function().filter(|it| it.outside.is_empty());
            self.each_variable().any(|it| ptx_name(&it.ident) == name)
                || functions.any(|it| ptx_name(&it.ident) == name)
        };
        let name = |it: &Function| match it.outside.as_slice() {
            [] => ptx_name(&it.ident),
            _ => name_of_outside(&it.name, is_declared(&it.name)),
        };
        self.each_function().map(name).collect()
    }

    /// The functions and kernels, in order.
    pub(crate) fn each_function(&self) -> impl Iterator<Item = &Function> {
        self.items.iter().filter_map(Item::function)
    }
}

/// What the tokens of other fragments are needed for.
pub struct Wanting {
    /// The paths of the fragments.
    pub paths: Vec<TokenStream>,
    /// What is passed on to [`with_fragments`](crate::fragment::with_fragments).
    pub payload: TokenStream,
}

/// The arguments of `#[ptx::module]`.
#[derive(Default)]
pub struct ModuleArgs {
    /// Whether a target was given, valid or not.
    pub has_target: bool,
    /// `target = sm_90a`, or the one of `targets = [..]` that is looked at; `None` if it is missing or invalid, which was reported.
    pub target: Option<Target>,
    /// All targets of the module, with their spans.
    pub targets: Vec<(Target, Span)>,
    /// `version = 8.6`, and its span.
    pub version: Option<(Version, Span)>,
    /// `ptxas = 13.0`.
    pub release: Option<Release>,
    /// `texmode = independent`.
    pub texture_mode: TextureMode,
    /// `line_info = true`.
    pub line_info: bool,
    /// `__unchecked`: no rule is checked at compile time, so that a test can check the IR.
    pub is_unchecked: bool,
    /// `crate = path`: the path of `ptx`, if it differs from the one in `Cargo.toml`.
    pub krate: Option<Path>,
}

/// An item of a module.
pub enum Item {
    /// An ordinary Rust item.
    Rust(Box<RustItem>),
    /// Storage.
    Variable(Box<Variable>),
    /// A kernel or a device function.
    Function(Box<Function>),
}

impl Item {
    /// The variable, if it is one.
    pub fn variable(&self) -> Option<&Variable> {
        match self {
            Self::Variable(variable) => Some(variable),
            Self::Function(_) | Self::Rust(_) => None,
        }
    }

    /// The name in PTX, if it has one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Variable(variable) => Some(&variable.name),
            Self::Function(function) => Some(&function.name),
            Self::Rust(_) => None,
        }
    }

    /// The function or kernel, if it is one.
    pub fn function(&self) -> Option<&Function> {
        match self {
            Self::Function(function) => Some(function),
            Self::Variable(_) | Self::Rust(_) => None,
        }
    }

    /// What it is an instance of, if it is one.
    pub fn instance(&self) -> Option<&Rc<Instance>> {
        match self {
            Self::Variable(item) => item.instance.as_ref(),
            Self::Function(item) => item.instance.as_ref(),
            Self::Rust(_) => None,
        }
    }
}

/// `#[global] pub static NAME: T = value;`
#[allow(clippy::struct_excessive_bools)] // each is given or derived independently
pub struct Variable {
    /// Attributes that are passed through: documentation, `cfg`, lints.
    pub attrs: Vec<Attribute>,
    /// The visibility; any visibility other than private becomes `.visible`.
    pub vis: Visibility,
    /// The name in Rust.
    pub ident: Ident,
    /// The name in PTX: the one in `#[export_name]`, or else the Rust name.
    pub name: String,
    /// The state space.
    pub space: Space,
    /// The linkage that follows from the visibility or the arguments; `#[shared(dynamic)]` is `.extern`.
    pub linkage: Linkage,
    /// `managed`.
    pub managed: bool,
    /// `unified(0x1, 0x2)`: the upper and the lower half of the identifier.
    pub unified: Option<(Integer<u64>, Integer<u64>)>,
    /// Where the linkage or `managed` was given, if it was.
    pub linkage_span: Option<Span>,
    /// `align = N`.
    pub align: Option<Integer>,
    /// `allow(D006)`.
    pub allow: Vec<&'static str>,
    /// The type.
    pub ty: Type,
    /// The initial value.
    pub value: Option<Expr>,
    /// `exact`: the type must represent every number in the value exactly.
    pub exact: bool,
    /// The addresses in it, in order.
    pub addresses: Vec<InitialAddress>,
    /// Whether the value contains addresses or masks.
    pub is_linked: bool,
    /// The declaration that the rules were checked against, so that rustc checks them against the same one: an
    /// assumption of the type (see [`ptx_isa::ir::Type::assumption`]). `None` if the tokens do not determine
    /// all of the declaration.
    pub assumption: Option<Vec<u8>>,
    /// The size in bytes, as far as tokens show it.
    pub bytes: Option<usize>,
    /// Where the declaration ends.
    pub end: Span,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
    /// What it is an instance of, if it is one.
    pub instance: Option<Rc<Instance>>,
}

/// `#[kernel] pub fn name(params) { ptx! { .. } }`, `#[device] fn name(params) -> T { ptx! { .. } }`
/// or `#[device(extern)] fn name(params);`, `#[kernel(extern)] fn name(params);`
pub struct Function {
    /// Kernel or device function.
    pub kind: FunctionKind,
    /// Attributes that are passed through.
    pub attrs: Vec<Attribute>,
    /// The visibility.
    pub vis: Visibility,
    /// The name in Rust.
    pub ident: Ident,
    /// The name in PTX: the one in `#[export_name]`, or else the Rust name.
    pub name: String,
    /// The linkage that follows from the visibility or the arguments.
    pub linkage: Linkage,
    /// The parameters.
    pub params: Vec<Param>,
    /// The returned values, under the names that the body uses for them.
    pub returns: Vec<Param>,
    /// The performance and other directives.
    pub directives: Vec<Directive>,
    /// `unified(0x1, 0x2)`: the upper and the lower half of the identifier, and its span.
    pub unified: Option<(Integer<u64>, Integer<u64>, Span)>,
    /// `requires(..)`, `grid = ..` and `unsafe(safe_launch)`; kernels only.
    pub contract: Contract,
    /// The example of a launch that a kernel has.
    pub launch: Option<ExampleLaunch>,
    /// Rust items before the `ptx!`, which its splices can use.
    pub items: Vec<RustItem>,
    /// The body; `None` if the function is defined elsewhere.
    pub body: Option<Body>,
    /// `allow(D021)`, with the span of each code.
    pub allow: Vec<(&'static str, Span)>,
    /// Where the function ends.
    pub end: Span,
    /// Whether an error about the whole signature was reported, so that no deferred check repeats it.
    pub refused: bool,
    /// What it is an instance of, if it is one.
    pub instance: Option<Rc<Instance>>,
    /// What another module needs to know of it in order to call it; `None` for what none can call.
    pub travels: Option<TokenStream>,
    /// Where it comes from, if it is declared in another module: the expressions of its IR, each where it is called first.
    pub outside: Vec<(TokenStream, Span)>,
}

/// The launch contract of a kernel:
/// `#[kernel(requires(dst.len() >= n), grid = n.div_ceil(256), unsafe(safe_launch))]`.
#[derive(Clone, Default)]
pub struct Contract {
    /// `requires(..)`: conditions on the arguments that every launch must meet.
    pub requires: Vec<Expr>,
    /// `grid = ..`: the number of blocks as an expression of the parameters, either one value or a tuple with
    /// one value for each of up to three dimensions.
    pub grid: Option<Expr>,
    /// The span of `safe_launch` in `unsafe(safe_launch)`: the author asserts that every launch that meets
    /// this contract is sound for all arguments that its types allow, which makes the launch a safe
    /// function.
    pub vouched: Option<Span>,
    /// The constants of the module that the conditions mention and whose values the tokens determine.
    pub(crate) constants: Integers,
}

/// The example of a launch of a kernel: `#[kernel(launch(block = 128, grid = 4, n = 1000, dst.len() = 1000))]`.
#[derive(Default)]
pub struct ExampleLaunch {
    /// The number of threads of a block along up to three dimensions; empty with `reqntid`.
    pub block: Vec<Integer>,
    /// The number of blocks of the grid along up to three dimensions; empty if it is not given.
    pub grid: Vec<Integer>,
    /// The number of blocks of a cluster along up to three dimensions; empty if it is not given.
    pub cluster: Vec<Integer>,
    /// The number of bytes of dynamic shared memory.
    pub dynamic: Option<Integer>,
    /// What is passed: the parameter, whether it is the number of elements that the pointer points to, and the number.
    pub params: Vec<(Ident, bool, Integer)>,
    /// The contents of buffers: the parameter that points to each, and its words of 32 bits.
    pub contents: Vec<(Ident, Vec<Integer>)>,
}

/// A parameter or a returned value of a kernel or function.
pub struct Param {
    /// The name.
    pub ident: Ident,
    /// The type, without `Reg<..>`.
    pub ty: Type,
    /// `.param`, or `.reg` for `Reg<T>`.
    pub space: Space,
    /// `#[align(8)]`.
    pub align: Option<Integer>,
    /// The span of `#[readonly]`: the kernel only reads through this pointer or map.
    pub readonly: Option<Span>,
    /// `#[allow(A034)]`.
    pub allow: Vec<&'static str>,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
}

impl Param {
    /// The codes of the hazards allowed for the parameter and for accesses to it: its own, and those of its
    /// function that do not concern accesses, which are allowed where the access is made.
    pub fn allowed(&self, function: &Function) -> Vec<&'static str> {
        let of_function = function.allow.iter().map(|(code, _)| *code);
        let of_function = of_function.filter(|code| !is_allowed_on_declarations(code));
        self.allow.iter().copied().chain(of_function).collect()
    }
}

/// `maxntid = 256`
pub struct Directive {
    /// The kind of directive.
    pub kind: DirectiveKind,
    /// The values, one to three.
    pub values: Vec<Integer>,
    /// The span of its name.
    pub span: Span,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
}
