//! Small modules that are nearly valid: each is drawn by a small grammar whose choices have usual words, and one or two of
//! its choices, or of its tokens, are unusual. Of an unusual word, the grammar knows whether the PTX ISA allows or forbids it
//! wherever it may be drawn, if so.
//!
//! A module depends on nothing but the seed and its number: not on the instruction table, whose rows come and go.

mod body;
mod choice;
mod declaration;
mod function;
mod head;
mod tokens;
mod words;

use crate::Rng;
use choice::Choices;
use head::Needs;

/// A nearly valid module.
#[derive(Clone, Debug)]
pub struct Near {
    /// The text.
    pub text: String,
    /// Whether the PTX ISA allows it: every unusual choice is one that it allows everywhere.
    pub is_legal: bool,
    /// What the PTX ISA forbids about it for sure.
    pub forbidden: Option<&'static str>,
}

/// A form of modules: what it needs of the head, and the rest.
type Form = (Needs, fn(&mut Choices) -> String);

/// The forms.
const FORMS: &[Form] = &[
    (Needs::Nothing, declaration::data),
    (Needs::Nothing, declaration::data),
    (Needs::Nothing, declaration::named),
    (Needs::Recent, declaration::expression),
    (Needs::Recent, declaration::expression),
    (Needs::Nothing, declaration::addresses),
    (Needs::Recent, declaration::opaque),
    (Needs::Recent, declaration::opaque),
    (Needs::Mode, declaration::opaque_use),
    (Needs::Recent, function::kernels),
    (Needs::Recent, function::kernels),
    (Needs::Recent, function::directives),
    (Needs::Recent, function::call),
    (Needs::Recent, function::call),
    (Needs::Recent, body::access),
    (Needs::Recent, body::access),
    (Needs::Recent, body::access),
    (Needs::Recent, body::access),
    (Needs::Recent, body::through_a_register),
    (Needs::Recent, body::used),
    (Needs::Recent, body::registers),
    (Needs::Recent, body::barrier),
];

/// The module that these choices make.
fn module((needs, items): Form, choices: &mut Choices) -> (String, String) {
    let head = head::head(choices, needs);
    (head, items(choices))
}

/// The module with this number.
pub fn draw(seed: u64, number: usize) -> Near {
    let mut rng = Rng::new(seed, number);
    let form = rng.pick(FORMS);
    let (usual, unusual) = (rng.next(), rng.next());
    let text = |choices: &mut Choices| {
        let (head, items) = module(form, choices);
        tokens::changed(&head, &items, choices)
    };
    // The same choices are made again, apart from those that are unusual.
    let mut choices = Choices::new(usual, unusual, Vec::new());
    text(&mut choices);
    let mut choices = Choices::new(usual, unusual, choices.some(&mut rng));
    let text = text(&mut choices);
    Near { text, is_legal: choices.is_legal, forbidden: choices.forbidden }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_depend_on_the_seed_and_the_number() {
        let texts = |seed| (0..100).map(|number| draw(seed, number).text).collect::<Vec<_>>();
        assert_eq!(texts(1), texts(1));
        assert_ne!(texts(1), texts(2));
    }

    /// Without an unusual choice, every module is valid.
    #[test]
    fn usual_modules_are_valid() {
        let mut wrong = Vec::new();
        for number in 0..2_000 {
            let mut rng = Rng::new(3, number);
            let form = rng.pick(FORMS);
            let mut choices = Choices::new(rng.next(), 0, Vec::new());
            let (head, items) = module(form, &mut choices);
            let text = format!("{head}{items}");
            assert!(choices.is_legal && choices.forbidden.is_none());
            let parsed = ptx_text::Parsed::new(text.as_str());
            let found = parsed.check();
            let errors: Vec<String> = found
                .iter()
                .filter(|found| found.kind.is_error() && found.kind != ptx_text::Kind::Hazard)
                .map(ToString::to_string)
                .collect();
            if !errors.is_empty() {
                wrong.push(format!("{number}: {text}{errors:#?}"));
            }
        }
        assert!(wrong.is_empty(), "{} wrong modules:\n{}", wrong.len(), wrong.join("\n"));
    }
}
