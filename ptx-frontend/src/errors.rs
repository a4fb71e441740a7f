use core::fmt::Display;
use std::rc::Rc;

use proc_macro2::{LineColumn, Punct, Spacing, Span, TokenStream, TokenTree};
use ptx_isa::rules;
use ptx_isa::sorted::{SortedMap, SortedSet};
use quote::ToTokens;
use syn::Error;

use crate::instance::Instance;

/// The errors found so far; all errors of a module are reported in one compilation.
#[derive(Default)]
pub struct Errors {
    found: Vec<(Error, Scope)>,
    /// The instance of a generic item that the next errors are about.
    instance: Option<Rc<Instance>>,
}

/// What an error is about.
#[derive(Clone, Default)]
struct Scope {
    /// The instance of a generic item.
    instance: Option<Rc<Instance>>,
    /// Whether it is one only if it is one in all instances.
    is_of_all: bool,
}

impl Errors {
    /// Reports `message` at one span.
    pub fn at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    /// Reports `message` over the span from the start of one to the end of the other.
    pub fn over(&mut self, (start, end): (Span, Span), message: impl Display) {
        self.on(over(start, end), message);
    }

    /// Reports `message` over all of `tokens`.
    pub fn on(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Reports an error from syn.
    pub fn push(&mut self, error: Error) {
        self.found.push((error, Scope { instance: self.instance.clone(), is_of_all: false }));
    }

    /// Reports an allowance that nothing needs, unless another instance needs it.
    pub(crate) fn unneeded(&mut self, span: Span, code: &str) {
        let scope = Scope { instance: self.instance.clone(), is_of_all: true };
        self.found.push((Error::new(span, rules::unneeded(code)), scope));
    }

    /// Starts errors about an instance of a generic item. Returns what [`leave`](Self::leave) takes.
    pub(crate) fn enter(&mut self, instance: Option<Rc<Instance>>) -> Option<Rc<Instance>> {
        core::mem::replace(&mut self.instance, instance)
    }

    /// Ends errors about an instance.
    pub(crate) fn leave(&mut self, around: Option<Rc<Instance>>) {
        self.instance = around;
    }

    /// Moves the errors of `others` to this list.
    pub fn append(&mut self, others: Self) {
        let instance = &self.instance;
        let others = others.found.into_iter();
        self.found.extend(others.map(|(error, mut scope)| {
            scope.instance = scope.instance.or_else(|| instance.clone());
            (error, scope)
        }));
    }

    /// Moves those errors of `others` to this list that are not in it.
    pub(crate) fn append_new(&mut self, others: Self) {
        let place = |error: &Error| (error.span().start(), error.to_string());
        let known: SortedSet<_> = self.found.iter().map(|(error, _)| place(error)).collect();
        let is_new = |(error, _): &(Error, Scope)| !known.contains(&place(error));
        self.found.extend(others.found.into_iter().filter(is_new));
    }

    /// Keeps the errors whose messages `is_kept` selects.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.found.retain(|(error, _)| is_kept(&error.to_string()));
    }

    /// The number of errors.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The messages, in the order in which they were found.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        self.found.iter().map(|(error, _)| error.to_string())
    }

    /// The errors as items that make rustc report them.
    pub fn to_compile_errors(&self) -> TokenStream {
        self.found.iter().map(|(error, _)| error.to_compile_error()).collect()
    }

    /// Says what is the same in all instances of a generic item once, and of the rest in which it is so.
    pub(crate) fn merge_instances(&mut self) {
        if self.found.iter().all(|(_, scope)| scope.instance.is_none()) {
            return;
        }
        let mut firsts: SortedMap<(String, LineColumn, String), usize> = SortedMap::new();
        let mut merged: Vec<(Error, bool, Vec<Rc<Instance>>)> = Vec::new();
        for (error, Scope { instance, is_of_all }) in core::mem::take(&mut self.found) {
            let Some(instance) = instance else {
                merged.push((error, false, Vec::new()));
                continue;
            };
            let name = instance.family.ident.to_string();
            let message = error.to_string();
            let written = instance.as_written(&message);
            let error = if written == message {
                error
            } else {
                Error::new_spanned(place_of(&error), &written)
            };
            let key = (name, error.span().start(), written);
            let first = *firsts.entry(key).or_insert(merged.len());
            match merged.get_mut(first) {
                Some((.., instances)) => instances.push(instance),
                None => merged.push((error, is_of_all, vec![instance])),
            }
        }
        for (error, is_of_all, mut instances) in merged {
            // What one item has twice is one error all the same.
            instances.dedup_by(|one, other| Rc::ptr_eq(one, other));
            let is_everywhere =
                instances.first().is_none_or(|first| instances.len() >= first.family.count);
            let error = if is_everywhere {
                error
            } else if is_of_all {
                continue;
            } else {
                let labels = instances.iter().map(|instance| format!("`{}`", instance.label()));
                let labels: Vec<String> = labels.collect();
                let message = format!("{error} (in {})", labels.join(", "));
                Error::new_spanned(place_of(&error), message)
            };
            self.found.push((error, Scope::default()));
        }
    }
}

/// Tokens from one span to another.
fn over(start: Span, end: Span) -> TokenStream {
    let at = |span| {
        let mut dot = Punct::new('.', Spacing::Alone);
        dot.set_span(span);
        TokenTree::from(dot)
    };
    [at(start), at(end)].into_iter().collect()
}

/// Tokens over the place of an error.
fn place_of(error: &Error) -> TokenStream {
    let mut spans = error.to_compile_error().into_iter().map(|token| token.span());
    let start = spans.next().unwrap_or_else(|| error.span());
    over(start, spans.last().unwrap_or(start))
}
