//! What a module says, with the tokens it says it with.

use proc_macro2::Span;
use ptx_types::ir::{DirectiveKind, FunctionKind, Linkage};
use ptx_types::{Release, Space, Target, TextureMode, Version};
use syn::{Attribute, Expr, Ident, Item as RustItem, Path, Type, Visibility};

use crate::address::InitialAddress;
use crate::body::Body;
use crate::codes::is_allowed_on_declarations;
use crate::integer::Integer;

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
    /// Whether the user may call one of them deprecated.
    pub may_deprecate: bool,
    /// Where it ends.
    pub end: Span,
    /// Whether an error of the module as a whole was reported, so that no deferred check repeats it.
    pub refused: bool,
}

/// The arguments of `#[ptx::module]`.
#[derive(Default)]
pub struct ModuleArgs {
    /// Whether a target was written, right or wrong.
    pub has_target: bool,
    /// `target = sm_90a`; none if it is missing or wrong, which was reported.
    pub target: Option<Target>,
    /// `version = 8.6`, and where.
    pub version: Option<(Version, Span)>,
    /// `ptxas = 13.0`.
    pub release: Option<Release>,
    /// `texmode = independent`.
    pub texture_mode: TextureMode,
    /// `line_info = true`.
    pub line_info: bool,
    /// `__unjudged`: no rule is asked while it is compiled, so that a test can ask the IR.
    pub is_unjudged: bool,
    /// `crate = path`: where `ptx` is, if not where `Cargo.toml` says.
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

/// `#[global] pub static NAME: T = value;`
#[allow(clippy::struct_excessive_bools)] // each is said or found by itself
pub struct Variable {
    /// Attributes that are passed on: documentation, `cfg`, lints.
    pub attrs: Vec<Attribute>,
    /// The visibility; any but private is `.visible`.
    pub vis: Visibility,
    /// The name in Rust.
    pub ident: Ident,
    /// The name in PTX: that of `#[export_name]`, or else the one in Rust.
    pub name: String,
    /// The state space.
    pub space: Space,
    /// What the visibility or the arguments say; `#[shared(dynamic)]` is `.extern`.
    pub linkage: Linkage,
    /// `managed`.
    pub managed: bool,
    /// `unified(0x1, 0x2)`: the upper and the lower half of the identifier.
    pub unified: Option<(Integer<u64>, Integer<u64>)>,
    /// Where the linkage or `managed` was written, if it was.
    pub linkage_span: Option<Span>,
    /// `align = N`.
    pub align: Option<Integer>,
    /// `allow(D006)`.
    pub allow: Vec<&'static str>,
    /// The type.
    pub ty: Type,
    /// The initial value.
    pub value: Option<Expr>,
    /// `exact`: every number in it has to be one that the type holds exactly.
    pub exact: bool,
    /// The addresses in it, in order.
    pub addresses: Vec<InitialAddress>,
    /// Whether there are addresses in it, or masks.
    pub is_linked: bool,
    /// What the rules were asked of, so that rustc asks them of nothing else: an assumption of the type
    /// (see [`ptx_types::ir::Type::assumption`]). None where tokens do not tell all of the declaration.
    pub assumption: Option<Vec<u8>>,
    /// Where it ends.
    pub end: Span,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
}

/// `#[kernel] pub fn name(params) { ptx! { .. } }`, `#[device] fn name(params) -> T { ptx! { .. } }`
/// or `#[device(extern)] fn name(params);`, `#[kernel(extern)] fn name(params);`
pub struct Function {
    /// Kernel or device function.
    pub kind: FunctionKind,
    /// Attributes that are passed on.
    pub attrs: Vec<Attribute>,
    /// The visibility.
    pub vis: Visibility,
    /// The name in Rust.
    pub ident: Ident,
    /// The name in PTX: that of `#[export_name]`, or else the one in Rust.
    pub name: String,
    /// What the visibility or the arguments say.
    pub linkage: Linkage,
    /// The parameters.
    pub params: Vec<Param>,
    /// What is returned, under the names that the body has for it.
    pub returns: Vec<Param>,
    /// The directives.
    pub directives: Vec<Directive>,
    /// `unified(0x1, 0x2)`: the upper and the lower half of the identifier, and where it stands.
    pub unified: Option<(Integer<u64>, Integer<u64>, Span)>,
    /// `requires(..)`, `grid = ..` and `unsafe(safe_launch)`; of a kernel alone.
    pub contract: Contract,
    /// Rust items before the `ptx!`, for its splices.
    pub items: Vec<RustItem>,
    /// The body; none if the function is defined elsewhere.
    pub body: Option<Body>,
    /// `allow(D021)`, and where each code stands.
    pub allow: Vec<(&'static str, Span)>,
    /// Where it ends.
    pub end: Span,
    /// Whether an error of the signature as a whole was reported, so that no deferred check repeats it.
    pub refused: bool,
}

/// What a kernel says of its launches:
/// `#[kernel(requires(dst.len() >= n), grid = n.div_ceil(256), unsafe(safe_launch))]`.
#[derive(Clone, Default)]
pub struct Contract {
    /// `requires(..)`: conditions on the arguments that every launch must meet.
    pub requires: Vec<Expr>,
    /// `grid = ..`: the number of blocks as an expression of the parameters, one value or a tuple of
    /// one for each of up to three dimensions.
    pub grid: Option<Expr>,
    /// Where `safe_launch` stands in `unsafe(safe_launch)`: the author's word that a launch that meets
    /// this contract is sound for all arguments that its types allow, which makes the launch a safe
    /// function.
    pub vouched: Option<Span>,
}

/// A parameter of a kernel or function, or what a function returns.
pub struct Param {
    /// The name.
    pub ident: Ident,
    /// The type, without `Reg<..>`.
    pub ty: Type,
    /// `.param`, or `.reg` for `Reg<T>`.
    pub space: Space,
    /// `#[align(8)]`.
    pub align: Option<Integer>,
    /// Where `#[readonly]` stands: the kernel only reads through this pointer or map.
    pub readonly: Option<Span>,
    /// `#[allow(A034)]`.
    pub allow: Vec<&'static str>,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
}

impl Param {
    /// The codes of the hazards that it may have, and accesses to it: its own, and those that its
    /// function may have that are not about accesses, which are allowed where they are made.
    pub fn allowed(&self, function: &Function) -> Vec<&'static str> {
        let of_function = function.allow.iter().map(|(code, _)| *code);
        let of_function = of_function.filter(|code| !is_allowed_on_declarations(code));
        self.allow.iter().copied().chain(of_function).collect()
    }
}

/// `maxntid = 256`
pub struct Directive {
    /// Which one.
    pub kind: DirectiveKind,
    /// The values, one to three.
    pub values: Vec<Integer>,
    /// Where the name is.
    pub span: Span,
    /// Whether an error was reported, so that no deferred check repeats it.
    pub refused: bool,
}
