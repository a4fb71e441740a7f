//! Numbers that are known during parsing: loop counters, and integer constants.

use ptx_isa::sorted::SortedMap;

use proc_macro2::{Group, Literal, TokenStream, TokenTree};
use syn::Expr;

use super::around::{ConstantValue, Taken};
use crate::integers::Integers;
use crate::name::ptx_name;

/// The known numbers.
pub(super) struct Counts {
    integers: Integers,
    /// The counters of the enclosing loops, with their values and the values that they shadow.
    counters: Vec<(String, i128, Option<i128>)>,
    /// The expressions and types that names stand for in a fragment.
    bound: SortedMap<String, TokenStream>,
    /// The constants whose values were assumed.
    pub(super) taken: SortedMap<String, Taken>,
}

impl Counts {
    pub(super) fn new(integers: Integers) -> Self {
        Self { integers, counters: Vec::new(), bound: SortedMap::new(), taken: SortedMap::new() }
    }

    /// Sets the value of a counter until [`leave`](Self::leave).
    pub(super) fn enter(&mut self, counter: &str, number: i128) {
        let hidden = self.integers.replace(counter, Some(number));
        self.counters.push((counter.to_owned(), number, hidden));
    }

    pub(super) fn leave(&mut self) {
        if let Some((counter, _, hidden)) = self.counters.pop() {
            self.integers.replace(&counter, hidden);
        }
    }

    /// Lets a name stand for an expression whose value is not known, or for a type.
    pub(super) fn bind(&mut self, name: &str, tokens: TokenStream) {
        self.bound.insert(name.to_owned(), tokens);
    }

    /// The values of the counters: `` `i` is 1 and `j` is 2 ``.
    pub(super) fn in_words(&self) -> String {
        let each =
            self.counters.iter().map(|(counter, number, _)| format!("`{counter}` is {number}"));
        each.collect::<Vec<String>>().join(" and ")
    }

    pub(super) fn is_counter(&self, name: &str) -> bool {
        self.counters.iter().any(|(counter, ..)| counter == name)
    }

    /// Whether a name has a known value.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.integers.get(name).is_some() || self.integers.condition(name).is_some()
    }

    /// The value of a counter.
    pub(super) fn value(&self, name: &str) -> i128 {
        let counter = self.counters.iter().rev().find(|(counter, ..)| counter == name);
        counter.map_or(0, |(_, number, _)| *number)
    }

    /// The value of an integer expression, if tokens determine it.
    pub(super) fn integer(&mut self, tokens: &TokenStream) -> Option<i128> {
        let expr = syn::parse2::<Expr>(tokens.clone()).ok()?;
        let value = self.integers.value(&expr)?;
        self.note(tokens);
        Some(value)
    }

    /// The value of a condition, if tokens determine it.
    pub(super) fn holds(&mut self, tokens: &TokenStream) -> Option<bool> {
        let expr = syn::parse2::<Expr>(tokens.clone()).ok()?;
        let holds = self.integers.holds(&expr)?;
        self.note(tokens);
        Some(holds)
    }

    /// Records the constants in an expression that was evaluated.
    fn note(&mut self, tokens: &TokenStream) {
        for token in tokens.clone() {
            match token {
                TokenTree::Ident(name) => {
                    let text = ptx_name(&name);
                    if self.is_counter(&text) {
                        continue;
                    }
                    let number = self.integers.get(&text).map(ConstantValue::Number);
                    let condition = || self.integers.condition(&text).map(ConstantValue::Condition);
                    if let Some(value) = number.or_else(condition) {
                        self.taken.entry(text).or_insert(Taken { at: name.span(), value });
                    }
                }
                TokenTree::Group(group) => self.note(&group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// Whether an expression contains a counter, or what stands for something else.
    pub(super) fn counts_in(&self, tokens: &TokenStream) -> bool {
        tokens.clone().into_iter().any(|token| match token {
            TokenTree::Ident(name) => {
                let name = ptx_name(&name);
                self.is_counter(&name) || self.bound.contains_key(&name)
            }
            TokenTree::Group(group) => self.counts_in(&group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }

    /// Substitutes numbers for the counters in an expression, and what other names stand for.
    pub(super) fn replaced(&self, tokens: TokenStream) -> TokenStream {
        // A name after a dot or a colon belongs to something else; one after two dots is the end of a range.
        let mut before = [' '; 2];
        let replace = |token: TokenTree| {
            let is_part = matches!(before, [' ', '.'] | [_, ':']);
            let sign = if let TokenTree::Punct(punct) = &token { punct.as_char() } else { ' ' };
            before = [before[1], sign];
            if is_part && matches!(token, TokenTree::Ident(_)) {
                return token;
            }
            match token {
                TokenTree::Ident(name) if self.is_counter(&ptx_name(&name)) => {
                    let number = self.value(&ptx_name(&name));
                    let mut token = if number < 0 {
                        let digits = number.to_string().parse().unwrap_or_default();
                        Group::new(proc_macro2::Delimiter::Parenthesis, digits).into()
                    } else {
                        TokenTree::from(Literal::i128_unsuffixed(number))
                    };
                    token.set_span(name.span());
                    token
                }
                TokenTree::Ident(name) if self.bound.contains_key(&ptx_name(&name)) => {
                    let bound = self.bound[&ptx_name(&name)].clone();
                    let mut group = Group::new(proc_macro2::Delimiter::None, bound);
                    group.set_span(name.span());
                    group.into()
                }
                TokenTree::Group(group) => {
                    let mut replaced = Group::new(group.delimiter(), self.replaced(group.stream()));
                    replaced.set_span(group.span());
                    replaced.into()
                }
                other => other,
            }
        };
        tokens.into_iter().map(replace).collect()
    }
}
