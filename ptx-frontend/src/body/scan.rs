//! What the tokens of a fragment say about its names: which it declares, which it may write, and which have to be known.

use proc_macro2::{Span, TokenStream};
use ptx_isa::instruction::WordKind;
use ptx_isa::ir::family::is_member;
use ptx_isa::sorted::SortedSet;

use super::statements::{after_guard, blocks, is_form, statements};
use super::token::{Delimiter, Name, join};
use super::tree::{Tree, label};

/// A name that a fragment's body declares.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub(super) name: String,
    /// Whether it stands for numbered names: `%r<4>`.
    pub(super) is_family: bool,
}

impl Own {
    /// What follows this name in `other`, if that is the name or a member.
    pub(super) fn member<'n>(&self, other: &'n str) -> Option<&'n str> {
        let is_it = other == self.name || self.is_family && is_member(other, &self.name, None);
        is_it.then(|| &other[self.name.len()..])
    }
}

/// The tokens of a body, and the Rust constants in it.
pub(crate) struct Read {
    pub(super) trees: Vec<Tree>,
    pub(crate) constants: Vec<TokenStream>,
}

impl Read {
    pub(super) fn new(trees: Vec<Tree>, constants: Vec<TokenStream>) -> Self {
        Self { trees, constants }
    }

    /// Whether a name is among its tokens.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        mentions(&self.trees, name)
    }

    /// The counters of its loops.
    pub(crate) fn counters(&self) -> SortedSet<String> {
        let mut found = SortedSet::new();
        note_counters(&self.trees, &mut found);
        found
    }

    /// The names in the headers of its loops and conditions, whose values have to be known.
    pub(crate) fn bounds(&self) -> SortedSet<String> {
        let mut found = SortedSet::new();
        note_bounds(&self.trees, &mut found);
        found
    }

    /// The first place with a `$` that does not start a name, which cannot travel to other modules.
    pub(crate) fn lone_dollar(&self) -> Option<Span> {
        fn find(trees: &[Tree]) -> Option<Span> {
            trees.iter().enumerate().find_map(|(n, tree)| match tree {
                Tree::Sign('$', at) => match trees.get(n + 1) {
                    Some(Tree::Word(..)) => None,
                    _ => Some(*at),
                },
                Tree::Group(_, inner, ..) => find(inner),
                _ => None,
            })
        }
        find(&self.trees)
    }

    /// The place of a `ret`, which would return from the kernel that uses the fragment.
    pub(crate) fn returns_at(&self) -> Option<Span> {
        fn find(trees: &[Tree]) -> Option<Span> {
            statements(trees).find_map(|statement| match after_guard(statement) {
                [Tree::Word(word, at), ..] if word == "ret" => Some(*at),
                _ => blocks(statement).find_map(find),
            })
        }
        find(&self.trees)
    }
}

/// Marks each statement with the number of its place.
pub(super) fn with_places(tokens: &[Tree], places: &mut Vec<Span>) -> Vec<Tree> {
    let mut out = Vec::new();
    for statement in statements(tokens) {
        let Some(first) = statement.first() else { continue };
        let number = places.len();
        places.push(first.start());
        let has_blocks = is_form(statement);
        let inner: Vec<Tree> = statement
            .iter()
            .map(|tree| match tree {
                Tree::Group(Delimiter::Brace, inner, open, close) if has_blocks => {
                    let inner = with_places(inner, places);
                    Tree::Group(Delimiter::Brace, inner, *open, *close)
                }
                other => other.clone(),
            })
            .collect();
        out.push(Tree::Inlined(inner, number, first.start()));
    }
    out
}

fn note_counters(tokens: &[Tree], found: &mut SortedSet<String>) {
    for (n, token) in tokens.iter().enumerate() {
        match (token, tokens.get(n + 1), tokens.get(n + 2)) {
            (Tree::Word(word, _), Some(Tree::Word(counter, _)), Some(Tree::Word(next, _)))
                if word == "for" && next == "in" =>
            {
                found.insert(counter.clone());
            }
            (Tree::Group(_, inner, ..), ..) => note_counters(inner, found),
            _ => {}
        }
    }
}

fn note_bounds(tokens: &[Tree], found: &mut SortedSet<String>) {
    for statement in statements(tokens) {
        let is_form = is_form(statement);
        for inner in blocks(statement) {
            note_bounds(inner, found);
        }
        for tree in statement {
            match tree {
                Tree::Word(word, _) if is_form => {
                    found.insert(word.clone());
                }
                Tree::Group(Delimiter::Brace, ..) => {}
                Tree::Group(_, inner, ..) if is_form => {
                    let words = inner.iter().filter_map(|tree| match tree {
                        Tree::Word(word, _) => Some(word.clone()),
                        _ => None,
                    });
                    found.extend(words);
                }
                _ => {}
            }
        }
    }
}

/// Notes the names that statements declare.
pub(super) fn note_declared(tokens: &[Tree], found: &mut Vec<Own>) {
    for statement in statements(tokens) {
        if let Some((Name { text, .. }, [])) = label(statement) {
            found.push(Own { name: text.into_owned(), is_family: false });
        }
        for inner in blocks(statement) {
            note_declared(inner, found);
        }
        let names = match statement {
            [Tree::Word(word, _), names @ ..] if word == "let" => {
                let is_array =
                    statement.iter().any(|it| matches!(it, Tree::Group(Delimiter::Bracket, ..)));
                let end = names.iter().position(|token| token.is_sign(':'));
                let names = &names[..end.unwrap_or(names.len())];
                for name in names.split(|token| token.is_sign(',')) {
                    if let Some((name, _)) = join(name) {
                        found.push(Own { name: name.text.into_owned(), is_family: is_array });
                    }
                }
                continue;
            }
            [dot, Tree::Word(..), ..] if dot.is_sign('.') => statement,
            _ => continue,
        };
        let mut rest = names;
        while let [dot, Tree::Word(word, _), after @ ..] = rest
            && dot.is_sign('.')
        {
            rest = if word == "align" { after.get(1..).unwrap_or_default() } else { after };
        }
        while let Some((name, after)) = join(rest) {
            let is_family = matches!(after.first(), Some(Tree::Sign('<', _)))
                || matches!(after.first(), Some(Tree::Group(Delimiter::Bracket, ..)));
            found.push(Own { name: name.text.into_owned(), is_family });
            match after.iter().position(|token| token.is_sign(',')) {
                Some(comma) => rest = &after[comma + 1..],
                None => break,
            }
        }
    }
}

/// The state space of the first instruction that names a place.
pub(super) fn space_in(tokens: &[Tree], name: &str) -> Option<&'static str> {
    statements(tokens).find_map(|statement| {
        let inner = blocks(statement).find_map(|inner| space_in(inner, name));
        let named = || {
            let mentions = |tree: &Tree| match tree {
                Tree::Word(word, _) => word == name,
                Tree::Group(_, inner, ..) => {
                    matches!(inner.first(), Some(Tree::Word(word, _)) if word == name)
                }
                _ => false,
            };
            let space = statement.iter().find_map(|tree| match tree {
                Tree::Word(word, _) => {
                    ["shared", "global", "const"].into_iter().find(|it| it == word)
                }
                _ => None,
            });
            let space = space.map(|space| if space == "const" { "constant" } else { space });
            space.filter(|_| statement.iter().any(mentions))
        };
        inner.or_else(named)
    })
}

/// Whether an instruction may write the register with this name: it is its first operand, or one of those. Of a statement
/// that uses a known fragment, `results` are the tokens of the operands that it writes.
pub(super) fn may_write(
    tokens: &[Tree],
    name: &str,
    results: &dyn Fn(&[Tree]) -> Option<Vec<Tree>>,
) -> bool {
    statements(tokens).any(|statement| {
        if is_form(statement) {
            return blocks(statement).any(|inner| may_write(inner, name, results));
        }
        if let Some(written) = results(statement) {
            return names_in(&written, name);
        }
        // What another fragment that is used here returns is not known.
        let is_path = statement.windows(2).any(|two| two[0].is_sign(':') && two[1].is_sign(':'));
        let operands = after_guard(statement);
        let all = operands.first().is_some_and(
            |tree| matches!(tree, Tree::Word(word, _) if !WordKind::Opcode.knows(word) && word != "lea"),
        );
        let end = operands.iter().position(|token| token.is_sign(','));
        let first = match end {
            Some(end) if !all && !is_path => &operands[..end],
            _ => operands,
        };
        names_in(first, name)
    })
}

/// Whether a name is among some tokens.
fn mentions(tokens: &[Tree], name: &str) -> bool {
    tokens.iter().any(|tree| match tree {
        Tree::Word(word, _) => word == name,
        Tree::Group(_, inner, ..) => mentions(inner, name),
        _ => false,
    })
}

/// Whether a parameter is not read after a statement that may write a result: then both may be one register.
pub(super) fn is_early(tokens: &[Tree], name: &str, results: &[String]) -> bool {
    let (mut is_written, mut is_early) = (false, true);
    for statement in statements(tokens) {
        let has_result = results.iter().any(|result| mentions(statement, result));
        // Statements in a loop are not over when one of them is.
        let is_one = matches!(after_guard(statement), [Tree::Word(word, _), ..] if WordKind::Opcode.knows(word));
        let is_read = mentions(statement, name);
        is_early &= !(is_read && (is_written || has_result && !is_one));
        is_early &= label(statement).is_none();
        is_written |= has_result;
    }
    is_early
}

/// Whether a name is among some tokens, outside brackets.
fn names_in(tokens: &[Tree], name: &str) -> bool {
    tokens.iter().enumerate().any(|(n, tree)| match tree {
        Tree::Word(word, _) => {
            let before = n.checked_sub(1).and_then(|before| tokens.get(before));
            word == name && !before.is_some_and(|it| it.is_sign('.') || it.is_sign('%'))
        }
        Tree::Group(Delimiter::Bracket, ..) => false,
        Tree::Group(_, inner, ..) => names_in(inner, name),
        _ => false,
    })
}
