//! Texts with holes, which are filled in many ways.

use std::collections::BTreeMap;

use crate::Rng;
use crate::range::Range;

/// A text with holes: `<a|b|>` is one of these or nothing, `<1..8>` and `<32..1024/32>` are numbers, and `<name>` is what a
/// line before the text gives the name: `let name = a | b`, or `let one : other = a : b | c : 1..8`.
#[derive(Clone, Debug)]
pub(super) struct Template {
    lets: Vec<Let>,
    parts: Vec<Part>,
}

/// Names, and the values that they have together.
#[derive(Clone, Debug)]
struct Let {
    names: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

#[derive(Clone, Debug)]
enum Part {
    Text(&'static str),
    OneOf(Vec<Value>),
    Named(&'static str),
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Text(&'static str),
    Number(Range),
}

impl Value {
    fn parse(text: &'static str) -> Self {
        Range::parse(text).map_or(Self::Text(text), Self::Number)
    }
}

/// What fills the holes.
enum Filling<'r> {
    /// The first of the alternatives.
    First,
    /// One of them.
    AtRandom(&'r mut Rng),
}

impl Filling<'_> {
    fn below(&mut self, end: usize) -> usize {
        match self {
            Self::First => 0,
            Self::AtRandom(rng) => rng.below(end),
        }
    }

    fn value(&mut self, value: Value) -> String {
        match (value, self) {
            (Value::Text(text), _) => text.to_owned(),
            (Value::Number(range), Self::First) => range.first().to_string(),
            (Value::Number(range), Self::AtRandom(rng)) => range.draw(rng).to_string(),
        }
    }
}

impl Template {
    /// Reads the lines with names, and the text.
    pub(super) fn parse(mut source: &'static str) -> Self {
        let mut lets = Vec::new();
        while let Some((line, rest)) = source.split_once('\n')
            && let Some((names, rows)) =
                line.strip_prefix("let ").and_then(|it| it.split_once(" = "))
        {
            let row =
                |row: &'static str| row.trim().split(" : ").map(Value::parse).collect::<Vec<_>>();
            let names = names.split(" : ").collect();
            lets.push(Let { names, rows: rows.split('|').map(row).collect() });
            source = rest;
        }
        let is_named = |name: &str| lets.iter().any(|it| it.names.contains(&name));
        let (mut parts, mut at) = (Vec::new(), 0);
        while let Some(start) = source[at..].find('<').map(|start| at + start) {
            let Some(end) = source[start..].find('>').map(|end| start + end) else { break };
            let inner = &source[start + 1..end];
            let hole = if is_named(inner) {
                Part::Named(inner)
            } else if inner.contains('|') || Range::parse(inner).is_some() {
                Part::OneOf(inner.split('|').map(Value::parse).collect())
            } else {
                // The number of registers, such as `%r<4>`.
                Part::Text(&source[start..=end])
            };
            parts.extend([Part::Text(&source[at..start]), hole]);
            at = end + 1;
        }
        parts.push(Part::Text(&source[at..]));
        Self { lets, parts }
    }

    /// The text with the first of the alternatives in each hole.
    pub(super) fn first(&self) -> String {
        self.filled(Filling::First)
    }

    /// One of the texts.
    pub(super) fn draw(&self, rng: &mut Rng) -> String {
        self.filled(Filling::AtRandom(rng))
    }

    /// Whether it has a hole.
    pub(super) fn varies(&self) -> bool {
        self.parts.iter().any(|part| !matches!(part, Part::Text(_)))
    }

    fn filled(&self, mut filling: Filling<'_>) -> String {
        let mut named = BTreeMap::new();
        for Let { names, rows } in &self.lets {
            let row = &rows[filling.below(rows.len())];
            for (name, value) in names.iter().zip(row) {
                named.insert(*name, filling.value(*value));
            }
        }
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Text(literal) => text.push_str(literal),
                Part::OneOf(all) => {
                    let value = all[filling.below(all.len())];
                    text.push_str(&filling.value(value));
                }
                Part::Named(name) => text.push_str(named.get(name).map_or("", String::as_str)),
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Template;
    use crate::Rng;

    #[test]
    fn holes_are_filled() {
        let template = Template::parse(
            "let ty : bytes = b32 : 4 | b64 : 8\nlet n = 3..9/3\n%r<4> <ty> <bytes> <n> <n> <|5..6>",
        );
        assert!(template.varies());
        assert_eq!(template.first(), "%r<4> b32 4 3 3 ");
        let drawn: std::collections::BTreeSet<String> =
            (0..200).map(|n| template.draw(&mut Rng::new(1, n))).collect();
        assert_eq!(drawn.len(), 2 * 3 * 3, "{drawn:?}");
        assert!(drawn.contains("%r<4> b64 8 9 9 6"));
        assert!(!Template::parse(".reg .b32 %r<4>;\n").varies());
    }
}
