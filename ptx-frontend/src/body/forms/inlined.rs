//! Uses of fragments: `warp_max %m, %x;` or `call (%m), warp_max, (%x);`.

use std::rc::Rc;

use proc_macro2::{Span, TokenStream};
use ptx_isa::instruction::WordKind;

use super::super::fragments::{Fragment, Fragments, Shared, callee};
use super::super::outside::Outside;
use super::super::statements::{
    after_attributes, after_guard, angle_brackets, count_statements, has_names, path_at_start,
    path_text, split,
};
use super::super::token::{Constant, Delimiter, join};
use super::super::tree::Tree;
use super::inlining::{Origin, Use};
use super::instruction::named;
use super::passed::Passed;
use super::writing::Forms;
use crate::name::{name_of_outside, ptx_name};
use crate::suffix::suffix;

/// A use, taken apart.
struct Called<'t> {
    /// The path of the fragment, and the span of its name.
    path: TokenStream,
    at: Span,
    /// What is in its angle brackets.
    generics: Vec<&'t [Tree]>,
    operands: Vec<&'t [Tree]>,
}

impl Forms<'_> {
    /// Whether a statement uses a fragment. After an attribute, which may let a new instruction pass, it has to be known.
    pub(super) fn is_use(&self, statement: &[Tree], has_attribute: bool) -> bool {
        let fragments = self.fragments();
        fragments.may_start(statement) && (!has_attribute || fragments.knows(statement))
    }

    /// Writes the symbol of a function of another module into a statement that calls it; `None` for another statement.
    pub(super) fn outside_call(&mut self, statement: &[Tree]) -> Option<Vec<Tree>> {
        let fragments = self.fragments();
        let rest = after_guard(statement);
        let [Tree::Word(word, _), after @ ..] = rest else { return None };
        if word != "call" || !fragments.may_start(statement) {
            return None;
        }
        let callee = callee(after);
        let (path, (_, at), rest) = path_at_start(callee)?;
        let Some(Shared::Function(function)) = fragments.find(&path) else { return None };
        let (generics, rest) = self.angle_brackets(rest)?;
        let symbol = self.symbol(&function, &generics, at)?;
        let before = statement.len() - callee.len();
        let symbol = named(&symbol, (at, at));
        Some([&statement[..before], &symbol, rest].concat())
    }

    /// The symbol of a function of another module that is called.
    fn symbol(&mut self, function: &Outside, generics: &[&[Tree]], at: Span) -> Option<String> {
        if !generics.is_empty() && !self.inlining.is_outside() {
            self.refuse(at, "a fragment calls functions without angle brackets; write a function that calls this one");
            return None;
        }
        match function.call(generics, at) {
            Ok(symbol) if self.around.fragments.is_own_function(symbol) => Some(symbol.to_owned()),
            Ok(symbol) => Some(name_of_outside(symbol, self.around.fragments.is_declared(symbol))),
            Err(message) => {
                self.refuse(at, message);
                None
            }
        }
    }

    /// The fragments that may be used here.
    fn fragments(&self) -> &Fragments {
        match self.inlining.stack.last() {
            Some(fragment) if !fragment.is_local => &fragment.fragments,
            _ => self.around.fragments,
        }
    }

    /// Expands a use of a fragment.
    pub(super) fn inlined(&mut self, statement: &[Tree]) -> Option<Vec<Tree>> {
        let rest = after_guard(statement);
        let called = self.called(rest)?;
        let fragment = match self.fragments().find(&called.path) {
            Some(Shared::Fragment(fragment)) => fragment,
            Some(Shared::Function(function)) => {
                let path = &function.path;
                self.refuse(
                    called.at,
                    format_args!(
                        "`{0}` is a function; write `call (..), {0}, (..);`",
                        path_text(path)
                    ),
                );
                return None;
            }
            None => {
                self.inlining.is_incomplete = true;
                return None;
            }
        };
        if rest.len() < statement.len() {
            self.refuse(statement[0].start(), "a fragment is several instructions and takes no guard; jump over it: `@!%p bra NEXT;`");
            return None;
        }
        let at = called.at;
        if self.inlining.stack.iter().any(|other| Rc::ptr_eq(other, &fragment)) {
            self.refuse(
                at,
                format_args!("`{}` uses itself, and would be written without end", fragment.ident),
            );
            return None;
        }
        let passed = self.passed(&fragment, at, &called.operands, &called.generics)?;
        self.expanded(&fragment, at, passed)
    }

    /// Takes a use apart.
    fn called<'t>(&mut self, tokens: &'t [Tree]) -> Option<Called<'t>> {
        let (results, tokens) = match tokens {
            [Tree::Word(word, _), after @ ..] if word == "call" => {
                let callee = callee(after);
                let before = &after[..after.len() - callee.len()];
                let results = match before {
                    [.., Tree::Group(_, results, ..), _] => results.as_slice(),
                    _ => &[],
                };
                (Some(results), callee)
            }
            tokens => (None, tokens),
        };
        let (path, at, rest) = path_at_start(tokens)?;
        let (generics, rest) = self.angle_brackets(rest)?;
        let mut operands = split(results.unwrap_or_default());
        match (results, rest) {
            (None, rest) => operands.extend(split(rest)),
            (Some(_), []) => {}
            (Some(_), [comma, Tree::Group(Delimiter::Parenthesis, inner, ..)])
                if comma.is_sign(',') =>
            {
                operands.extend(split(inner));
            }
            (Some(_), [other, ..]) => {
                self.refuse(other.start(), "a fragment is called as in `call (%y), name, (%x);`, or used as an instruction, `name %y, %x;`");
                return None;
            }
        }
        Some(Called { path, at: at.1, generics, operands })
    }

    /// What is in the angle brackets at the start of some tokens, and the tokens that follow; nothing where there are none.
    fn angle_brackets<'t>(&mut self, tokens: &'t [Tree]) -> Option<(Vec<&'t [Tree]>, &'t [Tree])> {
        let found = angle_brackets(tokens);
        if found.is_none() {
            self.refuse(tokens[2].start(), "this `<` has no `>`");
        }
        found
    }

    /// Writes the body of a fragment.
    fn expanded(
        &mut self,
        fragment: &Rc<Fragment>,
        at: Span,
        passed: Passed<'_>,
    ) -> Option<Vec<Tree>> {
        let is_definition = self.around.is_definition && self.inlining.is_outside();
        let parent = self.inlining.current;
        let name = ptx_name(&fragment.ident);
        self.inlining.uses.push(Use { name, at, parent, is_definition });
        let of = self.inlining.uses.len() - 1;
        let first = self.inlining.origins.len();
        let places = fragment.places.iter().enumerate();
        self.inlining.origins.extend(places.map(|(statement, at)| Origin {
            of,
            statement,
            at: *at,
        }));
        let span = (!is_definition).then_some(at);
        let trees = self.substituted(&fragment.trees, None, fragment, &passed, (first, span));
        let statements = count_statements(&trees);
        let Some(left) = self.left.checked_sub(statements + 1) else {
            self.refuse(
                at,
                "the fragments of this body write too many statements; call a function instead",
            );
            return None;
        };
        self.left = left;
        let Passed { declarations, moves, registers, counts, .. } = passed;
        let (known, locals) = (self.registers.len(), self.locals.len());
        for register in registers {
            self.registers.declare(register);
        }
        let around = core::mem::replace(&mut self.counts, counts);
        let current = self.inlining.current;
        self.inlining.stack.push(fragment.clone());
        let written = self.block(&trees);
        self.inlining.stack.pop();
        self.inlining.current = current;
        // What a user passes was assumed where it is passed, and the fragment's own items are literals.
        self.counts = around;
        self.registers.truncate(known);
        self.locals.truncate(locals);
        let mut inner = declarations;
        let is_declaration = |tree: &Tree| matches!(tree, Tree::Inlined(inner, ..) if inner.first().is_some_and(|it| it.is_sign('.')));
        let first = written.iter().take_while(|tree| is_declaration(tree)).count();
        let mut written = written;
        let rest = written.split_off(first);
        inner.extend(written);
        inner.extend(moves);
        inner.extend(rest);
        Some(if has_names(&inner) {
            vec![Tree::Group(Delimiter::Brace, inner, at, at)]
        } else {
            inner
        })
    }

    /// The tokens of a fragment in a use.
    fn substituted(
        &mut self,
        tokens: &[Tree],
        opcode: Option<usize>,
        fragment: &Fragment,
        by: &Passed<'_>,
        (first, span): (usize, Option<Span>),
    ) -> Vec<Tree> {
        let to = |at: Span| span.unwrap_or(at);
        let mut out = Vec::with_capacity(tokens.len());
        let mut rest = tokens;
        while let Some(token) = rest.first() {
            let n = tokens.len() - rest.len();
            let is_modifier = match &tokens[..n] {
                [.., before] if before.is_sign('.') => true,
                [.., one, two] => one.is_sign(':') && two.is_sign(':'),
                _ => false,
            };
            if let Tree::Word(word, at) = token
                && is_modifier
                && let Some(scalar) = by.suffixes.get(word)
            {
                let word = opcode.and_then(|opcode| match &tokens[opcode] {
                    Tree::Word(word, _) => Some(word.as_str()),
                    _ => None,
                });
                out.push(Tree::Word(suffix(*scalar, word).to_owned(), to(*at)));
                rest = &rest[1..];
                continue;
            }
            // An opcode may be spelled like a parameter, and so may the path of a fragment.
            let is_opcode = opcode == Some(n);
            let is_path = |after: &[Tree]| matches!(after, [one, two, ..] if one.is_sign(':') && two.is_sign(':'));
            if !is_modifier
                && !is_opcode
                && let Some((name, after)) = join(rest)
                && !is_path(after)
            {
                let used = rest.len() - after.len();
                let renamed = by.renamed.iter().find_map(|(own, new)| {
                    own.member(&name.text).map(|number| format!("{new}{number}"))
                });
                if let Some(given) = by.names.get(&*name.text) {
                    // Where the fragment is written, nothing else stands for it.
                    let at = span.is_none().then_some(name.at.0);
                    out.extend(given.iter().map(|tree| respanned(tree, at)));
                } else if let Some(new) = renamed {
                    out.extend(named(&new, (to(name.at.0), to(name.at.1))));
                } else {
                    out.extend(rest[..used].iter().map(|tree| respanned(tree, span)));
                }
                rest = after;
                continue;
            }
            out.push(match token {
                Tree::Group(delimiter, inner, open, close) => {
                    let inner = self.substituted(inner, None, fragment, by, (first, span));
                    Tree::Group(*delimiter, inner, to(*open), to(*close))
                }
                Tree::Inlined(inner, place, at) => {
                    let opcode = opcode_of(inner);
                    let inner = self.substituted(inner, opcode, fragment, by, (first, span));
                    Tree::Inlined(inner, first + place, to(*at))
                }
                Tree::Constant(Constant::Expression(n), start, end) => {
                    let number = self.splice(fragment, *n);
                    Tree::Constant(Constant::Expression(number), to(*start), to(*end))
                }
                other => respanned(other, span),
            });
            rest = &rest[1..];
        }
        out
    }

    /// The constant for a splice of a fragment.
    fn splice(&mut self, fragment: &Fragment, n: usize) -> usize {
        let key = (core::ptr::from_ref(fragment) as usize, n);
        let is_own = fragment.splices[n].own.is_some();
        if let Some(known) = self.inlining.own.get(&key).filter(|_| is_own) {
            return *known;
        }
        self.constants.push(fragment.splice(n));
        let number = self.constants.len() - 1;
        self.inlining.own.insert(key, number);
        number
    }
}

/// A token with another span.
fn respanned(tree: &Tree, span: Option<Span>) -> Tree {
    let Some(span) = span else { return tree.clone() };
    match tree {
        Tree::Word(text, _) => Tree::Word(text.clone(), span),
        Tree::Number(text, _) => Tree::Number(text.clone(), span),
        Tree::Text(text, _) => Tree::Text(text.clone(), span),
        Tree::Sign(sign, _) => Tree::Sign(*sign, span),
        Tree::Constant(constant, ..) => Tree::Constant(constant.clone(), span, span),
        Tree::Group(..) | Tree::Inlined(..) => tree.clone(),
    }
}

/// The index of a statement's opcode.
fn opcode_of(statement: &[Tree]) -> Option<usize> {
    let start = after_guard(after_attributes(statement));
    let is_opcode = match start {
        [Tree::Word(..), dot, ..] if dot.is_sign('.') => true,
        [Tree::Word(word, _), ..] => WordKind::Opcode.knows(word),
        _ => false,
    };
    is_opcode.then(|| statement.len() - start.len())
}
