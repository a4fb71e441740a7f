//! Patterns of text: literal text, and alternatives in parentheses.

use crate::Rng;

/// A sequence of parts.
pub(super) struct Pattern(Vec<Part>);

enum Part {
    Text(String),
    /// One of these.
    Choice(Vec<Pattern>),
}

impl Pattern {
    /// Reads a pattern; parentheses that do not match end it.
    pub(super) fn parse(text: &str) -> Self {
        let mut rest = text;
        Self::sequence(&mut rest, true)
    }

    fn sequence(rest: &mut &str, is_outermost: bool) -> Self {
        let mut parts = Vec::new();
        loop {
            let ends: &[char] = if is_outermost { &['('] } else { &['(', ')', '|'] };
            let end = rest.find(ends).unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            if !text.is_empty() {
                parts.push(Part::Text(text.to_owned()));
            }
            *rest = after;
            let Some(after) = rest.strip_prefix('(') else { return Self(parts) };
            *rest = after;
            let mut choices = vec![Self::sequence(rest, false)];
            while let Some(after) = rest.strip_prefix('|') {
                *rest = after;
                choices.push(Self::sequence(rest, false));
            }
            *rest = rest.strip_prefix(')').unwrap_or(rest);
            parts.push(Part::Choice(choices));
        }
    }

    /// One of the texts that it stands for.
    pub(super) fn draw(&self, rng: &mut Rng) -> String {
        let mut text = String::new();
        self.draw_into(rng, &mut text);
        text
    }

    fn draw_into(&self, rng: &mut Rng, text: &mut String) {
        for part in &self.0 {
            match part {
                Part::Text(literal) => text.push_str(literal),
                Part::Choice(choices) => choices[rng.below(choices.len())].draw_into(rng, text),
            }
        }
    }
}
