//! What an outline consists of.

use std::ops::Range;

use ptx_isa::ir::Extent;
use ptx_isa::{Space, Target};

use super::token::Token;

/// The outline of a text.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The tokens.
    pub(crate) tokens: Vec<Token>,
    /// The extents of the comments.
    pub(crate) comments: Vec<(usize, usize)>,
    /// The statements and declarations, in order.
    pub(crate) statements: Vec<Statement>,
    /// The blocks; the first is the module.
    pub(crate) scopes: Vec<Scope>,
    /// The functions, in order.
    pub(crate) functions: Vec<Function>,
    /// What is declared, in order.
    pub(crate) definitions: Vec<Definition>,
    /// Where names stand, in order.
    pub(crate) names: Vec<Name>,
    /// What a Rust file has around its bodies; `None` for a PTX file.
    pub(crate) rust: Option<RustFile>,
}

/// What a Rust file has around its bodies.
#[derive(Debug, Default)]
pub(crate) struct RustFile {
    /// The bodies in bytes, with their braces.
    pub(crate) bodies: Vec<Range<usize>>,
    /// What is Rust in them, in bytes: `#( expr )` and `#[ .. ]`.
    pub(crate) foreign: Vec<Range<usize>>,
    /// The extents of modules with a target, in bytes.
    pub(crate) targets: Vec<(Range<usize>, Target)>,
}

/// A statement, or a declaration outside of functions.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Its kind.
    pub(crate) kind: StatementKind,
    /// Its tokens, by their indices, without the semicolon.
    pub(crate) tokens: Range<usize>,
    /// The function that it is in, or that it declares.
    pub(crate) function: Option<usize>,
}

/// The kind of a [`Statement`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StatementKind {
    /// A directive that declares nothing: `.version`, `.loc`, `.pragma`.
    Directive,
    /// A declaration of storage or registers.
    Declaration,
    /// What only bodies in Rust have, up to its block: `for`, `if`, `else`.
    Form,
    /// The signature of a function.
    Signature,
    /// An instruction with its guard.
    Instruction,
    /// A label with its colon.
    Label,
    /// `{`, which opens a block.
    Open,
    /// `}`, which closes one.
    Close,
}

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// The block around it.
    pub(crate) parent: Option<usize>,
    /// The function that it is in.
    pub(crate) function: Option<usize>,
    /// Its extent in bytes.
    pub(crate) range: Range<usize>,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// What declares it.
    pub(crate) definition: usize,
    /// Its extent in bytes, with its body.
    pub(crate) range: Range<usize>,
    /// The block of its parameters and its body.
    pub(crate) scope: usize,
    /// Its statements, by their indices, from its signature on.
    pub(crate) statements: Range<usize>,
    /// Whether it has a body.
    pub(crate) has_body: bool,
}

/// A declaration of a name.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// The name, in bytes.
    pub(crate) at: Range<usize>,
    /// What is declared.
    pub(crate) kind: DefinitionKind,
    /// The block in which it is visible.
    pub(crate) scope: usize,
    /// The statement that declares it.
    pub(crate) statement: usize,
    /// For a family of registers, `%r<4>`, the number of its members.
    pub(crate) family: Option<Extent>,
    /// Whether it is an array of registers, whose members are written `%d[3]`.
    pub(crate) is_array: bool,
    /// The declaration that stands for all of the same thing: a function may be declared several times.
    pub(crate) canonical: usize,
}

/// What is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DefinitionKind {
    /// A kernel.
    Kernel,
    /// A device function.
    Device,
    /// A fragment of a body.
    Fragment,
    /// A parameter or a return value of a function.
    Param,
    /// A variable in this space.
    Variable(Space),
    /// A register, or a family of them.
    Register,
    /// A label.
    Label,
    /// The counter of a `for` that is unrolled.
    Counter,
}

impl DefinitionKind {
    /// The name of the kind.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Device => "function",
            Self::Fragment => "fragment",
            Self::Param => "parameter",
            Self::Variable(_) => "variable",
            Self::Register => "register",
            Self::Label => "label",
            Self::Counter => "counter",
        }
    }
}

impl Outline {
    /// Whether a block is that of a module, in which names may be used before they are declared.
    pub(crate) fn is_module(&self, scope: usize) -> bool {
        self.scopes.get(scope).is_some_and(|scope| scope.function.is_none())
    }

    /// Whether something is declared in Rust, instead of in a body.
    pub(crate) fn is_of_rust(&self, definition: &Definition) -> bool {
        let is_outside =
            || self.is_module(definition.scope) || definition.kind == DefinitionKind::Param;
        self.rust.is_some() && is_outside()
    }
}

/// A place where a name stands.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// Its extent in bytes.
    pub(crate) at: Range<usize>,
    /// The block that it is in.
    pub(crate) scope: usize,
    /// What it stands for, if that is declared.
    pub(crate) definition: Option<usize>,
    /// Whether it is the one that is declared.
    pub(crate) is_definition: bool,
    /// Whether the instruction writes it: the first operand of most.
    pub(crate) is_written: bool,
}
