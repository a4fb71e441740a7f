//! What a use of a fragment passes: the tokens that stand for the fragment's names.

use proc_macro2::{Span, TokenStream};
use ptx_isa::ScalarType;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;
use syn::{Ident, Type};

use super::super::fragments::{Fragment, Generic, Parameter};
use super::super::scan::Own;
use super::super::token::{Constant, Delimiter, join};
use super::super::tree::Tree;
use super::count::Counts;
use super::instruction::{code, named};
use super::register::{Kind, Members, Register};
use super::writing::Forms;
use crate::group::Peel;
use crate::name::ptx_name;

/// What a use passes.
pub(super) struct Passed<'f> {
    fragment: &'f Fragment,
    /// Where the fragment is used.
    at: Span,
    /// What names stand for: registers, places and constants.
    pub(super) names: SortedMap<String, Vec<Tree>>,
    /// The types that type parameters stand for.
    pub(super) suffixes: SortedMap<String, ScalarType>,
    /// The names that the fragment declares under another name, since one like it is passed.
    pub(super) renamed: Vec<(Own, String)>,
    /// Declarations of registers for values that need one of their own, and the instructions that fill them.
    pub(super) declarations: Vec<Tree>,
    pub(super) moves: Vec<Tree>,
    /// The registers that are passed, with the types that the fragment gives them.
    pub(super) registers: Vec<Register>,
    /// The numbers and expressions that names stand for.
    pub(super) counts: Counts,
    /// The names among the operands.
    used: SortedSet<String>,
    /// The registers that the fragment writes, and the members of arrays among them.
    results: SortedSet<String>,
}

/// Where a constant stands.
#[derive(Clone, Copy)]
enum Stands<'f> {
    /// In angle brackets.
    Generic,
    /// Among the operands, a float of this type or an integer.
    Operand(&'f Option<Ident>),
}

impl<'f> Passed<'f> {
    fn new(fragment: &'f Fragment, at: Span, used: SortedSet<String>) -> Self {
        let mut passed = Self {
            fragment,
            at,
            names: SortedMap::new(),
            suffixes: SortedMap::new(),
            renamed: Vec::new(),
            declarations: Vec::new(),
            moves: Vec::new(),
            registers: Vec::new(),
            counts: Counts::new(fragment.integers.clone()),
            used,
            results: SortedSet::new(),
        };
        let taken = fragment.declared.iter().filter(|own| passed.is_used(own));
        passed.renamed = taken.map(|own| (own.clone(), passed.fresh(own.clone()))).collect();
        passed
    }

    /// Whether an operand names this, or a member.
    fn is_used(&self, own: &Own) -> bool {
        self.used.iter().any(|used| own.member(used).is_some())
    }

    /// A name like this one that neither an operand nor the fragment has.
    fn fresh(&self, mut own: Own) -> String {
        let first = own.name.clone();
        let is_own = |name: &str| {
            name != first && self.fragment.declared.iter().any(|other| other.member(name).is_some())
        };
        while self.is_used(&own) || is_own(&own.name) {
            own.name.push('_');
        }
        own.name
    }

    /// The type of a parameter, in which type parameters are replaced.
    fn ty(&self, ty: &Type) -> Type {
        syn::parse2(self.counts.replaced(ty.to_token_stream())).unwrap_or_else(|_| ty.clone())
    }

    /// Lets a name stand for a register of the caller.
    fn pass(&mut self, name: String, register: &str, ty: &Type, operand: &[Tree]) {
        self.registers.push(register_of(register, ty));
        self.names.insert(name, operand.to_vec());
    }

    /// Lets a name stand for a register of its own, which is declared.
    fn own(&mut self, name: &str, ty: &Type, at: Span) -> Vec<Tree> {
        let new = self.fresh(Own { name: name.to_owned(), is_family: false });
        let kind = Kind::of(ty).map_or("b32", |kind| kind.scalar);
        self.declarations.extend(code(&format!(".reg.{kind}"), at));
        self.declarations.extend(named(&new, (at, at)));
        self.declarations.push(Tree::Sign(';', at));
        let tokens = named(&new, (at, at));
        self.pass(name.to_owned(), &new, ty, &tokens);
        tokens
    }
}

impl Forms<'_> {
    /// What the names of a fragment stand for in a use with these operands and angle brackets.
    pub(super) fn passed<'f>(
        &mut self,
        fragment: &'f Fragment,
        at: Span,
        operands: &[&[Tree]],
        generics: &[&[Tree]],
    ) -> Option<Passed<'f>> {
        self.require_counts(fragment, at, operands.len(), generics.len())?;
        let mut passed = Passed::new(fragment, at, self.names_of(operands));
        for (generic, given) in fragment.generics.iter().zip(generics) {
            match generic {
                Generic::Type(name) => self.pass_type(&mut passed, name, given)?,
                Generic::Constant(name) => {
                    self.pass_constant(&mut passed, &ptx_name(name), Stands::Generic, given)?;
                }
            }
        }
        let given: Vec<Vec<Tree>> = operands.iter().map(|operand| self.operands(operand)).collect();
        let (returned, params) = given.split_at(fragment.returns.len());
        for ((name, ty), operand) in fragment.returns.iter().zip(returned) {
            let ty = passed.ty(ty);
            self.pass_result(&mut passed, ptx_name(name), &ty, operand)?;
        }
        let params = fragment.params.iter().zip(params);
        // A value must not be in a register that is written before it is read.
        for ((name, parameter), operand) in params.clone() {
            if let Parameter::Register(ty) = parameter {
                let ty = passed.ty(ty);
                self.pass_register(&mut passed, ptx_name(name), &ty, operand)?;
            }
        }
        for ((name, parameter), operand) in params {
            let name = ptx_name(name);
            match parameter {
                Parameter::Register(_) => {}
                Parameter::Value(ty) => {
                    let ty = passed.ty(ty);
                    self.pass_value(&mut passed, name, &ty, operand)?;
                }
                Parameter::Constant(float) => {
                    self.pass_constant(&mut passed, &name, Stands::Operand(float), operand)?;
                }
                Parameter::Place(_) => self.pass_place(&mut passed, name, operand)?,
            }
        }
        Some(passed)
    }

    /// Reports a use with too few or too many operands, or types and constants in angle brackets.
    fn require_counts(
        &mut self,
        fragment: &Fragment,
        at: Span,
        operands: usize,
        generics: usize,
    ) -> Option<()> {
        let (name, usage) = (&fragment.ident, fragment.usage());
        let expected = fragment.returns.len() + fragment.params.len();
        if operands != expected {
            let takes = counted(expected, ("operand", "operands"));
            self.refuse(
                at,
                format_args!("`{name}` takes {takes}, and this has {operands}; write `{usage};`"),
            );
            return None;
        }
        if generics != fragment.generics.len() {
            let words = ("type or constant", "types and constants");
            let takes = counted(fragment.generics.len(), words);
            self.refuse(
                at,
                format_args!(
                    "`{name}` takes {takes} in angle brackets, and this has {generics}; write `{usage};`"
                ),
            );
            return None;
        }
        Some(())
    }

    fn pass_result(
        &mut self,
        passed: &mut Passed<'_>,
        name: String,
        ty: &Type,
        operand: &[Tree],
    ) -> Option<()> {
        let is_array = matches!(ty.peel(), Type::Array(_));
        if let [Tree::Word(sink, at)] = operand
            && sink == "_"
            && !is_array
        {
            passed.own(&name, ty, *at);
            return Some(());
        }
        let Some(text) = plain(operand) else {
            let (at, fragment) = (start(operand, passed.at), &passed.fragment.ident);
            let or_sink = if is_array { "" } else { ", or `_`" };
            let what = if is_array { "an array of registers" } else { "a register" };
            self.refuse(
                at,
                format_args!("`{fragment}` returns `{name}` in {what}; write one here{or_sink}"),
            );
            return None;
        };
        self.note_result(passed, &text, start(operand, passed.at))?;
        passed.pass(name, &text, ty, operand);
        Some(())
    }

    fn pass_register(
        &mut self,
        passed: &mut Passed<'_>,
        name: String,
        ty: &Type,
        operand: &[Tree],
    ) -> Option<()> {
        let Some(text) = plain(operand) else {
            let (at, fragment) = (start(operand, passed.at), &passed.fragment.ident);
            self.refuse(at, format_args!("`{fragment}` writes `{name}`; pass a register"));
            return None;
        };
        self.require_array(passed, &name, &text, ty, start(operand, passed.at))?;
        self.note_result(passed, &text, start(operand, passed.at))?;
        passed.pass(name, &text, ty, operand);
        Some(())
    }

    fn pass_value(
        &mut self,
        passed: &mut Passed<'_>,
        name: String,
        ty: &Type,
        operand: &[Tree],
    ) -> Option<()> {
        let (at, fragment) = (start(operand, passed.at), passed.fragment);
        let plain = plain(operand);
        let is_written = fragment.written.contains(&name);
        let covers_result = |text: &String| {
            self.covered(text).iter().any(|register| passed.results.contains(register))
        };
        let is_late = plain.as_ref().is_some_and(covers_result) && !fragment.early.contains(&name);
        match plain {
            Some(text) if !is_written && !is_late => {
                self.require_array(passed, &name, &text, ty, at)?;
                passed.pass(name, &text, ty, operand);
                return Some(());
            }
            plain if matches!(ty.peel(), Type::Array(_)) => {
                let why = match plain {
                    None => "and this is not one",
                    Some(_) if is_late => {
                        "and reads them after it has written this one; pass another"
                    }
                    Some(_) => "and writes them; let it take them as `&mut Reg<..>`",
                };
                let fragment = &fragment.ident;
                self.refuse(
                    at,
                    format_args!("`{fragment}` takes an array of registers for `{name}`, {why}"),
                );
                return None;
            }
            _ => {}
        }
        let own = passed.own(&name, ty, at);
        let kind = Kind::of(ty).map_or("b32", |kind| kind.scalar);
        // `mov` takes no predicate with a `!`.
        let (opcode, operand) = match operand {
            [not, operand @ ..] if kind == "pred" && not.is_sign('!') => ("not", operand),
            operand => ("mov", operand),
        };
        passed.moves.extend(code(&format!("{opcode}.{kind}"), at));
        passed.moves.extend(own);
        passed.moves.push(Tree::Sign(',', at));
        passed.moves.extend(operand.iter().cloned());
        passed.moves.push(Tree::Sign(';', at));
        Some(())
    }

    /// The register with this name, or the array and its members.
    fn covered(&self, name: &str) -> Vec<String> {
        let members = match self.registers.array(name).map(|array| array.members) {
            Some(Members::Of(count)) => count.clamp(0, 1 << 10),
            Some(Members::One | Members::Unknown) | None => 0,
        };
        let members = (0..members).map(|n| format!("{name}{n}"));
        members.chain([name.to_owned()]).collect()
    }

    /// Notes a register that the fragment writes, which cannot be one for two results.
    fn note_result(&mut self, passed: &mut Passed<'_>, text: &str, at: Span) -> Option<()> {
        let covered = self.covered(text);
        if covered.iter().any(|register| passed.results.contains(register)) {
            let fragment = &passed.fragment.ident;
            self.refuse(at, format_args!("`{fragment}` writes two results to `{text}`; pass another register, or `_` for a result that is not needed"));
            return None;
        }
        passed.results.extend(covered);
        Some(())
    }

    /// Reports one register, or an array that is too short, where the fragment takes an array.
    fn require_array(
        &mut self,
        passed: &Passed<'_>,
        name: &str,
        text: &str,
        ty: &Type,
        at: Span,
    ) -> Option<()> {
        let Type::Array(array) = ty.peel() else { return Some(()) };
        let (fragment, length) = (&passed.fragment.ident, array.len.to_token_stream());
        let needed = self.counts.integer(&length);
        match self.registers.array(text).map(|array| array.members) {
            None => {
                self.refuse(at, format_args!("`{fragment}` takes an array of {length} registers for `{name}`, and `{text}` is not declared as one: `let {text}: [..; {length}];`"));
                None
            }
            Some(Members::Of(members)) if needed.is_some_and(|needed| members < needed) => {
                self.refuse(at, format_args!("`{fragment}` takes an array of {length} registers for `{name}`, and `{text}` has {members}"));
                None
            }
            Some(_) => Some(()),
        }
    }

    fn pass_place(
        &mut self,
        passed: &mut Passed<'_>,
        name: String,
        operand: &[Tree],
    ) -> Option<()> {
        let (at, fragment) = (start(operand, passed.at), &passed.fragment.ident);
        let Some((base, _)) = join(operand) else {
            self.refuse(at, format_args!("`{fragment}` takes a place for `{name}`: the name of a variable, a part of one, as `SMEM.full[1]`, or a register with an address"));
            return None;
        };
        if passed.results.contains(&*base.text) {
            let base = base.text;
            self.refuse(at, format_args!("`{base}` holds an address that `{fragment}` uses, and is also a result of it; use another register"));
            return None;
        }
        passed.names.insert(name, operand.to_vec());
        Some(())
    }

    fn pass_type(&mut self, passed: &mut Passed<'_>, name: &Ident, given: &[Tree]) -> Option<()> {
        let name = ptx_name(name);
        let tokens = self.rust(given);
        let scalar = syn::parse2::<Type>(tokens.clone()).ok().and_then(|ty| {
            let Type::Path(path) = ty.peel() else { return None };
            let last = path.path.segments.last()?.ident.to_string();
            ScalarType::from_rust_name(&last)
        });
        let Some(scalar) = scalar else {
            let at = start(given, passed.at);
            self.refuse(at, format_args!("`{tokens}` is not a type with a suffix in PTX, which `{name}` stands for; write one such as `f32`"));
            return None;
        };
        passed.counts.bind(&name, tokens);
        passed.names.insert(name.clone(), given.to_vec());
        passed.suffixes.insert(name, scalar);
        Some(())
    }

    fn pass_constant(
        &mut self,
        passed: &mut Passed<'_>,
        name: &str,
        stands: Stands<'_>,
        given: &[Tree],
    ) -> Option<()> {
        let float = match stands {
            Stands::Generic => None,
            Stands::Operand(float) => float.as_ref(),
        };
        // A fragment's names are found where it is written, which is known of its splices alone.
        let is_plain = matches!(stands, Stands::Generic) && self.inlining.is_outside();
        let tokens: TokenStream = match given {
            [Tree::Constant(Constant::Integer(digits), ..)] => digits.parse().unwrap_or_default(),
            // As between Rust's angle brackets.
            [Tree::Group(Delimiter::Brace, inner, ..)] => self.rust(inner),
            given => self.rust(given),
        };
        let mut tokens = self.counts.replaced(tokens);
        if let Some(number) = self.counts.integer(&tokens).filter(|_| float.is_none()) {
            passed.counts.enter(name, number);
            return Some(());
        }
        // PTX writes floats by their bits, too, which Rust does not.
        let is_rust = |text: &str| syn::parse_str::<syn::Lit>(text).is_ok();
        let span = match given {
            [Tree::Constant(_, start, end) | Tree::Group(Delimiter::Brace, _, start, end)] => {
                Some((*start, *end))
            }
            [Tree::Number(text, at)] if float.is_some() && is_rust(text) => Some((*at, *at)),
            [Tree::Word(_, at)] if is_plain => Some((*at, *at)),
            _ => None,
        };
        if let Some(span) = span {
            if let Some(ty) = float {
                tokens = quote::quote!({ const VALUE: #ty = #tokens; VALUE });
            }
            let constant = self.constant(tokens.clone(), span);
            passed.names.insert(name.to_owned(), vec![constant]);
            passed.counts.bind(name, tokens);
            return Some(());
        }
        match given {
            [Tree::Number(..)] => {
                passed.names.insert(name.to_owned(), given.to_vec());
                Some(())
            }
            _ => {
                let (at, fragment) = (start(given, passed.at), &passed.fragment.ident);
                let instead = match (stands, given) {
                    (Stands::Generic, [Tree::Word(constant, _)]) => format!("{{ {constant} }}"),
                    (Stands::Generic, _) => "{ expr }".to_owned(),
                    (Stands::Operand(_), _) => "#( expr )".to_owned(),
                };
                self.refuse(at, format_args!("`{fragment}` takes a constant of Rust for `{name}`, known before the kernel runs; write a number or `{instead}`"));
                None
            }
        }
    }

    /// The names in the operands of a use; an array of registers stands for its members, too.
    fn names_of(&self, operands: &[&[Tree]]) -> SortedSet<String> {
        fn note(tokens: &[Tree], found: &mut SortedSet<String>) {
            let mut rest = tokens;
            while let Some(first) = rest.first() {
                if let Some((name, after)) = join(rest) {
                    found.insert(name.text.into_owned());
                    rest = after;
                    continue;
                }
                if let Tree::Group(_, inner, ..) = first {
                    note(inner, found);
                }
                rest = &rest[1..];
            }
        }
        let mut found = SortedSet::new();
        for operand in operands {
            note(operand, &mut found);
        }
        let members: Vec<String> = found.iter().flat_map(|name| self.covered(name)).collect();
        found.extend(members);
        found
    }
}

/// The name that an operand consists of.
fn plain(operand: &[Tree]) -> Option<String> {
    let (name, rest) = join(operand)?;
    (rest.is_empty() && name.text != "WARP_SZ").then(|| name.text.into_owned())
}

/// Where an operand starts.
fn start(operand: &[Tree], at: Span) -> Span {
    operand.first().map_or(at, Tree::start)
}

/// A register of this name and type, at which the fragment's places may start.
fn register_of(name: &str, ty: &Type) -> Register {
    let (ty, members) = match ty.peel() {
        Type::Array(array) => {
            let len = crate::integer::literal::<i128>(&array.len);
            (array.elem.peel(), Members::of(len))
        }
        ty => (ty, Members::One),
    };
    let kind = Kind::of(ty);
    Register {
        name: name.to_owned(),
        members,
        integer: kind.as_ref().and_then(|kind| kind.integer),
        pointer: kind.and_then(|kind| kind.pointer),
    }
}

/// `1 operand`, `2 operands`.
fn counted(count: usize, (one, several): (&str, &str)) -> String {
    match count {
        0 => format!("no {several}"),
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}
