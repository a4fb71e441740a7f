//! The paths in an item's code.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, ItemUse, Macro, UseTree, Visibility};

/// A path in the code.
#[derive(Clone, Debug)]
pub(super) struct Mention {
    /// Its segments.
    pub(super) path: Vec<String>,
    /// The line that it starts on, from 1.
    pub(super) line: usize,
    /// Whether it is re-exported.
    pub(super) is_listed: bool,
}

/// The paths of an item; those in attributes and visibilities do not count.
pub(super) fn mentions(item: &mut Item) -> Vec<Mention> {
    let mut visitor = Visitor { found: Vec::new() };
    visitor.visit_item_mut(item);
    visitor.found
}

/// syn's mutable visitor, because it is the one that the workspace builds.
struct Visitor {
    found: Vec<Mention>,
}

impl Visitor {
    fn add(&mut self, path: Vec<String>, line: usize) {
        self.found.push(Mention { path, line, is_listed: false });
    }

    fn add_tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>) {
        let (ident, is_itself) = match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_tree(&path.tree, prefix);
                prefix.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(tree, prefix);
                }
                return;
            }
            UseTree::Glob(glob) => {
                let line = glob.star_token.spans[0].start().line;
                self.add(prefix.clone(), line);
                return;
            }
            UseTree::Name(name) => (&name.ident, name.ident == "self"),
            UseTree::Rename(rename) => (&rename.ident, rename.ident == "self"),
        };
        let mut path = prefix.clone();
        if !is_itself {
            path.push(ident.to_string());
        }
        self.add(path, ident.span().start().line);
    }

    /// The paths of several segments among the tokens of a macro; those after `$`, `#`, `.` and `::` have an unknown
    /// start.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let is_punct = |at: usize, mark: char| match tokens.get(at) {
            Some(TokenTree::Punct(punct)) => punct.as_char() == mark,
            Some(_) | None => false,
        };
        let mut i = 0;
        while i < tokens.len() {
            match &tokens[i] {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let is_seen = i == 0
                        || first == "crate"
                        || !['$', '#', '.', ':'].iter().any(|mark| is_punct(i - 1, *mark));
                    // A type annotation or the end of a label: `a: B`.
                    let is_seen = is_seen || i == 1 && is_punct(0, ':') || {
                        i > 1 && is_punct(i - 1, ':') && !is_punct(i - 2, ':')
                    };
                    let mut path = vec![first.to_string()];
                    while is_punct(i + 1, ':')
                        && is_punct(i + 2, ':')
                        && let Some(TokenTree::Ident(next)) = tokens.get(i + 3)
                    {
                        path.push(next.to_string());
                        i += 3;
                    }
                    if is_seen && path.len() > 1 {
                        self.add(path, first.span().start().line);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            i += 1;
        }
    }
}

impl VisitMut for Visitor {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
        {
            let line = first.ident.span().start().line;
            let words = path.segments.iter().map(|segment| segment.ident.to_string());
            let words: Vec<String> = words.collect();
            // A single word in lower case may be a variable.
            if words.len() > 1 || words[0].starts_with(char::is_uppercase) {
                self.add(words, line);
            }
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_item_use_mut(&mut self, item: &mut ItemUse) {
        if item.leading_colon.is_none() {
            self.add_tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_macro_mut(&mut self, item: &mut Macro) {
        self.visit_path_mut(&mut item.path);
        self.add_tokens(item.tokens.clone());
    }

    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}

    fn visit_visibility_mut(&mut self, _: &mut Visibility) {}
}
