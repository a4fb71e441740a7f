//! Bodies: PTX, verbatim, in Rust tokens.
//!
//! A body is read in three steps: `token` turns Rust tokens into a tree without invisible
//! groups, `statement` splits it into statements by PTX's grammar, joins identifiers such as
//! `%r1` and `$L__BB0_2`, prints each statement canonically and notes the names it uses, and
//! `names` resolves them.

mod address;
mod allowance;
mod claim;
mod compare;
mod copies;
mod declare;
mod evaluate;
mod fact;
mod flow;
mod instruction;
mod judge;
mod late;
mod launch;
mod mark;
mod memory;
mod names;
mod operand;
mod statement;
mod step;
mod storage;
mod symbols;
mod token;
mod transactions;
mod unknown;
mod value;

use proc_macro2::{Span, TokenStream};
use ptx_types::Version;
use ptx_types::rules::access::{Access, SubSpace};
use ptx_types::rules::alignment::{Demand, Demands};
use ptx_types::rules::instruction::Needs;
use ptx_types::{ScalarType, Space};

pub use allowance::Allowance;
pub use claim::Condition;
pub(crate) use declare::BANKED;
pub use fact::{Linear, Product, Sum};
pub use late::{
    DeferredCheck, DeferredCopied, DeferredCopy, DeferredDescriptor, DeferredKind, DeferredOperand,
};
pub(crate) use launch::Block;
pub use mark::{Mark, place};
pub use memory::{Amount, MemoryOperand};
pub(crate) use names::{Context, resolve};
pub use storage::DeferredObject;
pub use symbols::{RustName, Symbol, Symbols};

use crate::errors::Errors;
use crate::piece::Piece;

/// A body: its statements, and what they declare and use.
#[derive(Debug, Default)]
pub struct Body {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// Where the tokens of the statements stand, in order: of each the first, and what a message may
    /// be about. They fit the text once names are resolved.
    pub marks: Vec<Mark>,
    /// What every statement declares and names, in order.
    pub(crate) events: Vec<Event>,
    /// The special registers that the body names; filled when names are resolved.
    pub specials: Vec<String>,
    /// The module's variables that the body names; filled when names are resolved. A kernel's
    /// include those that the functions it calls name.
    pub uses: Vec<VariableUse>,
    /// The module's functions that the body names, by their index among the items; filled when
    /// names are resolved.
    pub calls: Vec<usize>,
    /// The module's functions whose addresses the body takes; filled when names are resolved.
    pub taken: Vec<usize>,
    /// Whether it calls what a register points to; filled when names are resolved.
    pub calls_indirectly: bool,
    /// The functions that a kernel calls, and those that they call, by their index among the items;
    /// filled when all bodies are resolved.
    pub called: Vec<usize>,
    /// The lowest PTX version that the qualifiers in it need; filled when names are resolved.
    pub since: Option<Version>,
    /// Whether the names of the module have one meaning each, as they have not where `cfg` chooses.
    pub is_certain: bool,
    /// Arguments of calls that only rustc can judge; filled when names are resolved.
    pub arguments: Vec<DeferredArgument>,
    /// What only rustc can judge of accesses to memory; filled when names are resolved.
    pub checks: Vec<DeferredCheck>,
    /// What accesses need of declarations that tokens tell to promise less; filled when names are
    /// resolved.
    pub(crate) demands: Vec<Demanded>,
    /// What accesses demand of parameters and of what the body declares, as far as tokens tell it, where
    /// rustc knows of more; filled when all bodies are resolved.
    pub demanded: Vec<(DeferredObject, Demands)>,
    /// The allowances that stand on statements or, for accesses, on the function, and that only
    /// rustc may find to be needed; filled when names are resolved.
    pub allowances: Vec<Allowance>,
}

/// What an access needs of a declaration beyond what that promises.
#[derive(Debug)]
pub(crate) struct Demanded {
    /// The declaration.
    pub(crate) object: DeferredObject,
    /// What is needed.
    pub(crate) demand: Demand,
    /// Where the access stands.
    pub(crate) name: Name,
}

/// A variable of the module that a body names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariableUse {
    /// Its index among the items.
    pub index: usize,
    /// The member that is named, if it is a family.
    pub member: Option<String>,
}

/// An argument of a call whose type or alignment rustc knows.
#[derive(Debug)]
pub struct DeferredArgument {
    /// The function's index among the items.
    pub function: usize,
    /// Whether it receives what is returned, rather than being passed.
    pub is_return: bool,
    /// Which parameter or returned value it is for.
    pub formal: usize,
    /// What it is.
    pub actual: DeferredActual,
    /// Where it stands.
    pub name: Name,
}

/// What an argument is that rustc judges.
#[derive(Debug)]
pub enum DeferredActual {
    /// One of the body's declarations.
    Declaration(usize),
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// A Rust constant.
    Splice(TokenStream),
}

/// One statement.
#[derive(Debug)]
pub enum Statement {
    /// A declaration.
    Declaration(Vec<Piece>),
    /// An instruction, or a directive that declares no storage.
    Instruction(Vec<Piece>),
    /// A label.
    Label(String),
    /// `{`
    Open,
    /// `}`
    Close,
}

impl Body {
    /// Whether rustc knows of accesses to this that may need more alignment than it has.
    pub(crate) fn is_demanded_late(&self, is_meant: impl Fn(&DeferredObject) -> bool) -> bool {
        self.checks.iter().any(|check| match &check.kind {
            DeferredKind::Operand(operand) => {
                operand.is_perhaps_misaligned && is_meant(&operand.object)
            }
            DeferredKind::Copy(_)
            | DeferredKind::Transactions(..)
            | DeferredKind::Count { .. }
            | DeferredKind::Descriptor(_) => false,
        })
    }

    /// Whether `declaration` is a `.shared` variable that the body never names.
    pub fn is_idle_shared(&self, declaration: &Declaration) -> bool {
        let names =
            |event: &Event| matches!(event, Event::Use(name) if name.text == declaration.name.text);
        declaration.space == Space::Shared && !self.events.iter().any(names)
    }

    /// The storage that the body declares.
    pub fn declarations(&self) -> impl Iterator<Item = &Declaration> {
        self.events.iter().filter_map(Event::declaration)
    }
}

/// What happens to names, in order.
#[derive(Debug)]
pub(crate) enum Event {
    /// A block starts.
    Open,
    /// A block ends.
    Close,
    /// A name is declared.
    Declare(Declaration),
    /// A name stands in a declaration that could not be read, and may be a family's.
    Assume(Name),
    /// A label is declared.
    Label(Name),
    /// A name is used.
    Use(Name),
    /// An instruction goes to the memory that a name stands for, or takes its address.
    Access(Access, Name),
    /// An instruction ends, as far as it is followed.
    Step(Box<step::Step>),
    /// The next statement may break these rules; at its end, with none, no other may.
    Allow(Vec<(&'static str, Span)>),
    /// A function is called.
    Call(Call),
    /// An instruction is one that a rule is about, whatever it goes to.
    Form(FormEvent, Name),
}

impl Event {
    /// What is declared, if that is what happens.
    fn declaration(&self) -> Option<&Declaration> {
        if let Self::Declare(declaration) = self { Some(declaration) } else { None }
    }
}

/// What an instruction is that a rule is about.
#[derive(Clone, Debug)]
pub(crate) enum FormEvent {
    /// It names a window: `.shared::cluster`.
    SubSpace(SubSpace),
    /// Its type has 8 bits.
    SubWord(String),
    /// It is a texture instruction, whose texture this name is.
    Texture,
    /// `cvta.const`.
    CvtaConst,
    /// The name stands where the result goes.
    Result,
    /// This element of the name is taken.
    Element(String),
    /// An element of the name is taken by an index, whose bracket stands there.
    Index(Span),
    /// A tensor copy names its place: what by, what says so, how many there are to be, and are.
    Coordinates(&'static str, String, usize, usize),
    /// Parts of it, by name, need a PTX version and a target.
    Needs(Vec<(&'static str, Needs)>),
    /// It has an operand in brackets, and the table has no instruction of its name; what it was meant
    /// to be, as a question.
    Unknown(String),
}

/// A call: `call (r), f, (a, b);`
#[derive(Debug)]
pub(crate) struct Call {
    /// The function.
    pub(crate) name: Name,
    /// What receives the values that it returns.
    pub(crate) receivers: Vec<Argument>,
    /// The arguments.
    pub(crate) args: Vec<Argument>,
}

/// An argument of a call.
#[derive(Debug)]
pub(crate) struct Argument {
    /// What it is.
    pub(crate) kind: ArgumentKind,
    /// Where it stands.
    pub(crate) place: Name,
}

/// What an argument of a call is.
#[derive(Clone, Debug)]
pub(crate) enum ArgumentKind {
    /// A name.
    Name,
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// `_`
    Sink,
    /// A Rust constant.
    Splice(TokenStream),
    /// An expression.
    Other,
}

/// A name and the tokens it was joined from.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name.
    pub text: String,
    /// The first of its tokens.
    pub start: Span,
    /// The last of its tokens.
    pub end: Span,
}

impl Name {
    /// A place without a name: from the first of these tokens to the last.
    fn over(tokens: &[token::Token]) -> Option<Self> {
        let (first, last) = (tokens.first()?, tokens.last()?);
        Some(Self { text: String::new(), start: first.span(), end: last.end() })
    }

    /// Tokens that start and end where the name does, to report an error on.
    pub fn tokens(&self) -> TokenStream {
        let (mut start, mut end) = (
            proc_macro2::Punct::new('.', proc_macro2::Spacing::Alone),
            proc_macro2::Punct::new('.', proc_macro2::Spacing::Alone),
        );
        start.set_span(self.start);
        end.set_span(self.end);
        [proc_macro2::TokenTree::from(start), end.into()].into_iter().collect()
    }
}

/// A name that a body declares.
#[derive(Debug)]
pub struct Declaration {
    /// The name, or the part before the number for a family.
    pub name: Name,
    /// How many members a family has: `%r<4>`.
    pub family: Family,
    /// The state space.
    pub space: Space,
    /// The declared alignment.
    pub align: Option<(Count, Span)>,
    /// The vector width, 1 for scalars.
    pub lanes: u8,
    /// The type.
    pub scalar: ScalarType,
    /// Where the type is.
    pub ty_span: Span,
    /// The extents.
    pub extents: Vec<Count>,
    /// The initial value, if there is one, and where it is.
    pub value: Option<(Literal, Span)>,
    /// The codes of the hazards that it may have, and accesses to it, and where each stands.
    pub allow: Vec<(&'static str, Span)>,
}

impl Declaration {
    /// The codes of the hazards that it may have, and accesses to it.
    pub fn allowed(&self) -> Vec<&'static str> {
        self.allow.iter().map(|(code, _)| *code).collect()
    }

    /// Where an alignment is to be raised: the one that is written, or else the name.
    pub fn aligned_at(&self) -> TokenStream {
        match &self.align {
            Some((_, span)) => Name { text: String::new(), start: *span, end: *span }.tokens(),
            None => self.name.tokens(),
        }
    }

    /// Whether a Rust constant decides a part of it.
    pub fn has_splice(&self) -> bool {
        self.splices().next().is_some()
    }

    /// The Rust constants that are numbers of something in it.
    pub fn splices(&self) -> impl Iterator<Item = &TokenStream> {
        let align = self.align.as_ref().map(|(align, _)| align);
        let family = match &self.family {
            Family::Of(count) => Some(count),
            Family::No => None,
        };
        self.extents.iter().chain(align).chain(family).filter_map(|count| match count {
            Count::Splice(expr) => Some(expr),
            Count::Known(_) | Count::Missing => None,
        })
    }

    /// The values in its initial value that are no lists, and where each is.
    pub fn leaves(&self) -> Vec<(&Literal, Span)> {
        let mut found = Vec::new();
        let mut open: Vec<(&Literal, Span)> =
            self.value.iter().map(|(value, span)| (value, *span)).collect();
        while let Some((value, span)) = open.pop() {
            match value {
                Literal::List(values) => {
                    open.extend(values.iter().rev().map(|(value, span)| (value, *span)));
                }
                _ => found.push((value, span)),
            }
        }
        found
    }
}

/// An initial value in a body, as far as it is made of literals.
#[derive(Debug)]
pub enum Literal {
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// A list in braces, each value with its place.
    List(Vec<(Literal, Span)>),
    /// The address of a variable or function, or one byte of it.
    Address {
        /// The variable or function.
        name: Name,
        /// Whether it is `generic(x)`.
        generic: bool,
        /// What is added to it, in bytes.
        addend: i128,
        /// The mask that selects one byte.
        mask: Option<u64>,
    },
    /// One byte of an integer.
    MaskedInt(u64, i128),
    /// A Rust constant.
    Splice(TokenStream),
    /// Something else: an expression.
    Other,
}

/// Whether a declared name is a family of names (PTX ISA 5.4.6).
#[derive(Debug)]
pub enum Family {
    /// One name.
    No,
    /// This many.
    Of(Count),
}

/// A number that a declaration needs.
#[derive(Clone, Debug)]
pub enum Count {
    /// This number.
    Known(usize),
    /// None was written: `x[]`.
    Missing,
    /// A Rust expression.
    Splice(TokenStream),
}

/// Reads a body.
pub(crate) fn parse_body(tokens: TokenStream, errors: &mut Errors) -> Body {
    let tokens = token::tree(tokens);
    statement::parse(&tokens, errors)
}
