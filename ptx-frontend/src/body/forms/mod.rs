//! The forms that extend PTX in bodies: places, `lea`, repetition, registers with Rust types and arrays of
//! them. They are expanded before the PTX grammar reads the tokens, into what a programmer would have written
//! by hand.

mod address;
mod around;
mod constant;
mod count;
mod declared;
mod inlined;
mod inlining;
mod instruction;
mod lea;
mod passed;
mod place;
mod register;
mod repetition;
mod rounds;
mod writing;

use ptx_isa::sorted::SortedMap;

use proc_macro2::{Span, TokenStream};

use self::inlining::Inlining;
use self::writing::Forms;
use super::fragments::Fragments;
use super::statements::{after_attributes, statements};
use super::token::{Delimiter, Faults};
use super::tree::Tree;

pub(crate) use self::around::{Around, ConstantValue, FACADE, Input, Taken};
pub(crate) use self::inlining::{Origin, Use};
pub(crate) use self::place::{Base, Bytes, Step, is_place_of, unknown_place};
pub use self::register::register_type;
pub(crate) use self::rounds::Rounds;

/// A body in which these forms are expanded.
#[derive(Default)]
pub(super) struct WrittenOut {
    /// Its tokens.
    pub(super) trees: Vec<Tree>,
    /// The constants whose values were assumed.
    pub(super) taken: SortedMap<String, Taken>,
    /// The items that its constants name.
    pub(super) places: Vec<TokenStream>,
    /// The constants that are numbers of bytes, by their indices.
    pub(super) bytes: SortedMap<usize, Bytes>,
    /// The rounds of its loops.
    pub(super) rounds: Rounds,
    /// For statements of fragments, where they come from.
    pub(super) origins: Vec<Origin>,
    /// The uses of fragments.
    pub(super) uses: Vec<Use>,
    /// Whether a statement was left out, for a fragment that is not known.
    pub(super) is_incomplete: bool,
}

/// Expands these forms in a body.
pub(super) fn written_out(
    trees: &[Tree],
    around: Around<'_>,
    constants: &mut Vec<TokenStream>,
    faults: &mut Faults<Span>,
) -> WrittenOut {
    let mut forms = Forms::new(around, constants, faults);
    let trees = forms.block(trees);
    let unused =
        forms.pointers.values().filter(|(_, is_used)| !is_used).map(|(ty, _)| resolved(ty));
    let places = forms.places.into_iter().map(|(.., item)| item).chain(unused).collect();
    let Forms { counts, bytes, rounds, inlining, .. } = forms;
    let Inlining { origins, uses, is_incomplete, .. } = inlining;
    let taken = counts.taken;
    WrittenOut { trees, taken, places, bytes, rounds, origins, uses, is_incomplete }
}

/// A constant for which rustc resolves a type.
fn resolved(ty: &TokenStream) -> TokenStream {
    quote::quote! {
        const _: ::core::marker::PhantomData<#ty> = ::core::marker::PhantomData;
    }
}

/// Whether a body may contain one of these forms.
pub(super) fn has_forms(tokens: &[Tree], fragments: &Fragments) -> bool {
    has_forms_in(tokens, false) || has_uses(tokens, fragments)
}

/// Whether a body may use a fragment.
fn has_uses(tokens: &[Tree], fragments: &Fragments) -> bool {
    statements(tokens).any(|statement| match statement {
        [Tree::Group(Delimiter::Brace, inner, ..)] => has_uses(inner, fragments),
        statement => fragments.may_start(after_attributes(statement)),
    })
}

fn has_forms_in(tokens: &[Tree], in_brackets: bool) -> bool {
    let mut before: Option<&Tree> = None;
    for token in tokens {
        let follows_name = matches!(before, Some(Tree::Word(..) | Tree::Number(..)));
        let is_form = match token {
            Tree::Word(word, _) => {
                matches!(word.as_str(), "for" | "if" | "let" | "lea")
                    || in_brackets && before.is_some_and(|before| before.is_sign('.'))
            }
            Tree::Sign('.', _) => before.is_some_and(|before| before.is_sign('.')),
            Tree::Group(Delimiter::Bracket, ..) if follows_name => true,
            Tree::Group(delimiter, inner, ..) => {
                has_forms_in(inner, in_brackets || *delimiter == Delimiter::Bracket)
            }
            Tree::Number(..)
            | Tree::Text(..)
            | Tree::Sign(..)
            | Tree::Constant(..)
            | Tree::Inlined(..) => false,
        };
        if is_form {
            return true;
        }
        before = Some(token);
    }
    false
}
