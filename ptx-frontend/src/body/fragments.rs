//! Fragments: PTX that is inlined where a body uses it.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::{Span, TokenStream, TokenTree};
use ptx_isa::instruction::WordKind;
use ptx_isa::near::nearest;
use ptx_isa::sorted::{SortedMap, SortedSet};
use syn::{Ident, Item as RustItem, Type, UseTree};

use super::outside::{Outside, without_lints};
use super::scan::{self, Own, Read};
use super::statements::{
    after_guard, angle_brackets, blocks, path_at_start, path_text, split, starts_with_path,
    statements,
};
use super::token::Delimiter;
use super::tree::Tree;
use crate::integers::Integers;
use crate::name::{each_import, ptx_name};

/// A fragment: `#[ptx::fragment] fn name(x: Reg<f32>) -> Reg<f32> { ptx! { .. } }`.
pub(crate) struct Fragment {
    /// The name.
    pub(crate) ident: Ident,
    /// Where a user finds what belongs to it: the values of its Rust constants.
    pub(crate) path: TokenStream,
    /// The type parameters and constants in angle brackets, in order.
    pub(crate) generics: Vec<Generic>,
    /// The returned values: names and types of registers.
    pub(crate) returns: Vec<(Ident, Type)>,
    /// The parameters.
    pub(crate) params: Vec<(Ident, Parameter)>,
    /// The tokens of its body, in which every statement is [inlined](Tree::Inlined), with the number of its place.
    pub(super) trees: Vec<Tree>,
    /// The places of its statements.
    pub(super) places: Vec<Span>,
    /// The Rust constants in its body.
    pub(crate) splices: Vec<Splice>,
    /// The constants among its items, and their types.
    pub(crate) items: Vec<(Ident, Type)>,
    /// The integers and conditions among these.
    pub(super) integers: Integers,
    /// The names that its body declares.
    pub(super) declared: Vec<Own>,
    /// The parameters that an instruction may write.
    pub(super) written: SortedSet<String>,
    /// The parameters that are not read after the first result is written.
    pub(super) early: SortedSet<String>,
    /// The fragments that it uses, by their paths as written.
    pub(crate) fragments: Fragments,
    /// Whether the module that uses it declares it, so that their paths mean the same.
    pub(crate) is_local: bool,
}

/// The signature of a fragment.
pub(crate) struct Signature {
    pub(crate) generics: Vec<Generic>,
    pub(crate) returns: Vec<(Ident, Type)>,
    pub(crate) params: Vec<(Ident, Parameter)>,
}

/// A parameter in angle brackets.
pub(crate) enum Generic {
    /// A type.
    Type(Ident),
    /// An integer.
    Constant(Ident),
}

/// The kind of a parameter.
pub(crate) enum Parameter {
    /// `Reg<T>`: the value of a register, or of an array of them.
    Value(Type),
    /// `&mut Reg<T>`: a register that the fragment also writes.
    Register(Type),
    /// An integer or a float of this type: a constant of Rust.
    Constant(Option<Ident>),
    /// `&T`: a place in memory, or a register that holds an address.
    Place(Type),
}

/// A Rust constant in a fragment's body.
pub(crate) struct Splice {
    /// Its tokens, in which the fragment's own items are named by their path.
    pub(crate) tokens: TokenStream,
    /// The number among those that are evaluated where the fragment is written; `None` for one that depends on a
    /// parameter or a counter.
    pub(crate) own: Option<usize>,
}

impl Fragment {
    /// Creates a fragment from its signature and its body.
    pub(crate) fn new(
        ident: Ident,
        Signature { generics, returns, params }: Signature,
        (read, splices): (Read, Vec<Splice>),
        items: &[RustItem],
        fragments: Fragments,
    ) -> Self {
        let integers = Integers::default().with_computed(items.iter());
        let constants = items.iter().filter_map(|item| match item {
            RustItem::Const(item) => Some((item.ident.clone(), (*item.ty).clone())),
            _ => None,
        });
        let items = constants.collect();
        let mut declared = Vec::new();
        scan::note_declared(&read.trees, &mut declared);
        let mut written = SortedSet::new();
        for (name, _) in &params {
            let name = ptx_name(name);
            if scan::may_write(&read.trees, &name, &|statement| fragments.results(statement)) {
                written.insert(name);
            }
        }
        let results: Vec<String> = returns
            .iter()
            .map(|(name, _)| name)
            .chain(params.iter().filter_map(|(name, parameter)| match parameter {
                Parameter::Register(_) => Some(name),
                Parameter::Value(_) | Parameter::Constant(_) | Parameter::Place(_) => None,
            }))
            .map(ptx_name)
            .collect();
        let params_in_ptx = params.iter().map(|(name, _)| ptx_name(name));
        let early =
            params_in_ptx.filter(|name| scan::is_early(&read.trees, name, &results)).collect();
        let mut places = Vec::new();
        let trees = scan::with_places(&read.trees, &mut places);
        let path = quote::quote!(#ident);
        Self {
            ident,
            path,
            generics,
            returns,
            params,
            trees,
            places,
            splices,
            items,
            integers,
            declared,
            written,
            early,
            fragments,
            is_local: false,
        }
    }

    /// Sets the path of what belongs to it, and to the fragments that it uses, as a user of it names them.
    fn rebase(&mut self, path: &TokenStream) {
        self.path = path.clone();
        for (n, shared) in self.fragments.known.values_mut().flatten().enumerate() {
            let name = nested_name(n);
            let path = &quote::quote!(#path::#name);
            match shared {
                Shared::Fragment(fragment) => {
                    if let Some(fragment) = Rc::get_mut(fragment) {
                        fragment.rebase(path);
                    }
                }
                Shared::Function(function) => {
                    if let Some(function) = Rc::get_mut(function) {
                        function.is_nested = true;
                        function.path = path.clone();
                    }
                }
            }
        }
    }

    /// The tokens of a splice where the fragment is used.
    pub(super) fn splice(&self, n: usize) -> TokenStream {
        let splice = &self.splices[n];
        let path = &without_lints(&self.path);
        match splice.own {
            Some(own) => {
                let own = splice_name(own);
                quote::quote!(#path::#own)
            }
            None => based(splice.tokens.clone(), &ptx_name(&self.ident), path),
        }
    }

    /// The same fragment, declared by the module that uses it.
    pub(crate) fn local(self) -> Self {
        Self { is_local: true, ..self }
    }

    /// The number of its constants that are evaluated where it is written.
    pub(crate) fn own(&self) -> usize {
        self.splices.iter().filter(|splice| splice.own.is_some()).count()
    }

    /// The paths of the fragments that it uses and that are not known.
    pub(crate) fn wanted(&self) -> Vec<TokenStream> {
        self.fragments.note_in(&self.trees);
        self.fragments.wanted()
    }

    /// Its type parameters.
    pub(crate) fn type_parameters(&self) -> Vec<Ident> {
        let types = self.generics.iter().filter_map(|generic| match generic {
            Generic::Type(name) => Some(name.clone()),
            Generic::Constant(_) => None,
        });
        types.collect()
    }

    /// The names that its body declares.
    pub(crate) fn declared_names(&self) -> Vec<String> {
        self.declared.iter().map(|own| own.name.clone()).collect()
    }

    /// The state space of a place, as the first instruction that names it says; shared memory if none does.
    pub(crate) fn space_of(&self, name: &Ident) -> Ident {
        let name = ptx_name(name);
        let found = scan::space_in(&self.trees, &name).unwrap_or("shared");
        Ident::new(found, Span::call_site())
    }

    /// What its use looks like: `warp_max %returned, %x`.
    pub(crate) fn usage(&self) -> String {
        let mut text = ptx_name(&self.ident);
        if !self.generics.is_empty() {
            let names = self.generics.iter().map(|generic| {
                let (Generic::Type(name) | Generic::Constant(name)) = generic;
                ptx_name(name)
            });
            text = format!("{text}::<{}>", names.collect::<Vec<_>>().join(", "));
        }
        let returns = self.returns.iter().map(|(name, _)| format!("%{}", ptx_name(name)));
        let params = self.params.iter().map(|(name, parameter)| match parameter {
            Parameter::Value(_) | Parameter::Register(_) => format!("%{}", ptx_name(name)),
            Parameter::Constant(_) | Parameter::Place(_) => ptx_name(name),
        });
        for (n, name) in returns.chain(params).enumerate() {
            text += if n == 0 { " " } else { ", " };
            text += &name;
        }
        text
    }
}

/// The placeholder for the path of a fragment's own items in its splices.
pub(crate) fn own_item(fragment: &Ident, item: &Ident) -> TokenStream {
    let own = Ident::new(&own_path(&ptx_name(fragment)), item.span());
    quote::quote!(#own::#item)
}

fn own_path(fragment: &str) -> String {
    format!("__PTX_OF_{fragment}")
}

/// Replaces the placeholder of a fragment's own path.
fn based(tokens: TokenStream, fragment: &str, path: &TokenStream) -> TokenStream {
    let own = own_path(fragment);
    let mut out = TokenStream::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == own => out.extend(path.clone()),
            TokenTree::Group(group) => {
                let inner = based(group.stream(), fragment, path);
                let mut inner = proc_macro2::Group::new(group.delimiter(), inner);
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            other => out.extend([other]),
        }
    }
    out
}

/// The name of the constant that holds a splice's value.
pub fn splice_name(own: usize) -> Ident {
    Ident::new(&format!("SPLICE_{own}"), Span::call_site())
}

/// The name of the module that holds the values of a fragment that another one uses.
pub fn nested_name(n: usize) -> Ident {
    Ident::new(&format!("__fragment_{n}"), Span::call_site())
}

/// Fragments and functions of other modules by their paths as written; `None` for one that was refused where it is
/// written.
pub(crate) type Known = SortedMap<String, Option<Shared>>;

/// What a body uses that is written elsewhere.
#[derive(Clone)]
pub(crate) enum Shared {
    /// A fragment.
    Fragment(Rc<Fragment>),
    /// A device function of another module.
    Function(Rc<Outside>),
}

/// The fragments and the functions of other modules that bodies may use.
#[derive(Default)]
pub(crate) struct Fragments {
    /// Those that are known.
    pub(crate) known: Known,
    /// The names that `use` items import.
    imported: SortedSet<String>,
    /// The names that the items of the module declare, and whether each is that of a device function, in PTX as well.
    declared: SortedMap<String, bool>,
    /// Whether there is a `use ..::*`.
    has_glob: bool,
    /// Paths that must name fragments and are not known yet.
    wanted: RefCell<SortedMap<String, TokenStream>>,
}

/// The instructions that have no modifiers, so that a word without any may be a misspelling.
const WITHOUT_MODIFIERS: [&str; 6] = ["bra", "brkpt", "call", "exit", "ret", "trap"];

impl Fragments {
    /// Creates the list of these; with `has_glob`, others may be in scope.
    pub(crate) fn of(known: Known, has_glob: bool) -> Self {
        Self { known, has_glob, ..Self::default() }
    }

    /// The paths that must name fragments and are not known yet.
    pub(crate) fn wanted(&self) -> Vec<TokenStream> {
        self.wanted.borrow().values().cloned().collect()
    }

    /// Whether no statement can be the use of a fragment, apart from those with a path.
    fn is_empty(&self) -> bool {
        self.known.is_empty() && self.imported.is_empty() && !self.has_glob
    }

    /// Notes the names that a `use` item imports.
    pub(crate) fn note_import(&mut self, tree: &UseTree) {
        each_import(tree, &mut |name| match name {
            Some(name) => self.imported.extend([ptx_name(name)]),
            None => self.has_glob = true,
        });
    }

    /// Notes the name of an item, and whether it is a device function that has the same name in PTX.
    pub(crate) fn note_declared(&mut self, ident: &Ident, is_function: bool) {
        self.declared.insert(ptx_name(ident), is_function);
    }

    /// Whether any function of another module may be called.
    pub(crate) fn has_functions(&self) -> bool {
        !self.known.is_empty()
    }

    /// Whether an item has this name.
    pub(super) fn is_declared(&self, name: &str) -> bool {
        self.declared.contains_key(name)
    }

    /// Whether a device function of the module has this name in PTX: a path or a fragment may lead to it.
    pub(crate) fn is_own_function(&self, symbol: &str) -> bool {
        self.declared.get(symbol).copied().unwrap_or_default()
    }

    /// Notes the fragments that statements use and that are not known yet.
    fn note_in(&self, tokens: &[Tree]) {
        for statement in statements(tokens) {
            for inner in blocks(statement) {
                self.note_in(inner);
            }
            if self.may_start(statement)
                && let Some(path) = path_of(after_guard(statement))
            {
                self.find(&path);
            }
        }
    }

    /// Adds a fragment, under this path.
    pub(crate) fn insert(&mut self, path: &TokenStream, fragment: Option<Fragment>) {
        let fragment = fragment.map(|mut fragment| {
            fragment.rebase(path);
            Shared::Fragment(Rc::new(fragment))
        });
        self.known.insert(path_text(path), fragment);
    }

    /// Adds a function of another module, under its path.
    pub(crate) fn insert_function(&mut self, function: Outside) {
        let path = path_text(&function.path);
        self.known.insert(path, Some(Shared::Function(Rc::new(function))));
    }

    /// The functions of other modules that were called, by these bodies or by the fragments that they use.
    pub(crate) fn outside(&self) -> Vec<Rc<Outside>> {
        let mut found = Vec::new();
        for shared in self.known.values().flatten() {
            match shared {
                Shared::Fragment(fragment) => found.extend(fragment.fragments.outside()),
                Shared::Function(function) => found.push(function.clone()),
            }
        }
        found
    }

    /// Whether a statement may be the use of a fragment.
    pub(super) fn may_start(&self, statement: &[Tree]) -> bool {
        match after_guard(statement) {
            tokens if starts_with_path(tokens) => true,
            [Tree::Word(word, _), after @ ..] if word == "call" => self.is_call(after),
            _ if self.is_empty() => false,
            [Tree::Word(word, _), after @ ..] => self.may_name(word, after),
            _ => false,
        }
    }

    /// The tokens of the operands that a statement writes, if it uses a known fragment, and without `call`.
    fn results(&self, statement: &[Tree]) -> Option<Vec<Tree>> {
        let (path, _, rest) = path_at_start(statement).filter(|_| self.may_start(statement))?;
        let Some(Some(Shared::Fragment(fragment))) = self.known.get(&path_text(&path)) else {
            return None;
        };
        let (_, rest) = angle_brackets(rest)?;
        let is_written = |n: usize| match n.checked_sub(fragment.returns.len()) {
            None => true,
            Some(n) => matches!(fragment.params.get(n), Some((_, Parameter::Register(_)))),
        };
        let operands = split(rest).into_iter().enumerate().filter(|(n, _)| is_written(*n));
        Some(operands.flat_map(|(_, operand)| operand.iter().cloned()).collect())
    }

    /// Whether `call (..), name, (..)` uses a fragment, given the tokens after `call`.
    fn is_call(&self, after: &[Tree]) -> bool {
        match callee(after) {
            tokens if starts_with_path(tokens) => true,
            [Tree::Word(word, _), ..] => {
                self.known.contains_key(word.as_str()) || self.imported.contains(word.as_str())
            }
            _ => false,
        }
    }

    /// Whether a word may be the name of a fragment, given the tokens that follow it.
    fn may_name(&self, word: &str, after: &[Tree]) -> bool {
        // An item of Rust may have the name of an instruction, which has modifiers.
        if after.first().is_some_and(|next| next.is_sign('.') || next.is_sign(':')) {
            return false;
        }
        if self.known.contains_key(word) || self.imported.contains(word) {
            return true;
        }
        // A word of another language is not followed by operands alone.
        let starts_operand = match after.first() {
            Some(Tree::Sign(sign, _)) => matches!(sign, '%' | '$' | '-' | '!'),
            Some(Tree::Word(..) | Tree::Number(..) | Tree::Constant(..)) => true,
            Some(Tree::Text(..) | Tree::Group(..) | Tree::Inlined(..)) | None => false,
        };
        self.has_glob
            && starts_operand
            && !after.iter().any(|token| token.is_sign('='))
            && !matches!(word, "for" | "if" | "let" | "lea")
            && !WordKind::Opcode.knows(word)
            && nearest(word, WITHOUT_MODIFIERS).is_empty()
            && ptx_text::body::instead(word).is_none()
    }

    /// Whether the fragment that a statement uses is known.
    pub(super) fn knows(&self, statement: &[Tree]) -> bool {
        let path = path_of(after_guard(statement));
        path.is_some_and(|path| self.known.contains_key(&path_text(&path)))
    }

    /// What is at a path; `None` for what is not known yet, or was refused.
    pub(super) fn find(&self, path: &TokenStream) -> Option<Shared> {
        let text = path_text(path);
        if let Some(known) = self.known.get(&text) {
            return known.clone();
        }
        self.wanted.borrow_mut().entry(text).or_insert_with(|| path.clone());
        None
    }
}

/// What is called, and the tokens that follow it, given those after `call`.
pub(super) fn callee(after: &[Tree]) -> &[Tree] {
    let mut rest = after;
    while let [dot, Tree::Word(..), more @ ..] = rest
        && dot.is_sign('.')
    {
        rest = more;
    }
    match rest {
        [Tree::Group(Delimiter::Parenthesis, ..), comma, callee @ ..] if comma.is_sign(',') => {
            callee
        }
        callee => callee,
    }
}

/// The path of the fragment that a statement uses.
fn path_of(statement: &[Tree]) -> Option<TokenStream> {
    let statement = match statement {
        [Tree::Word(word, _), after @ ..] if word == "call" => callee(after),
        statement => statement,
    };
    path_at_start(statement).map(|(path, ..)| path)
}
