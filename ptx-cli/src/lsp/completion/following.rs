//! The modifiers that may follow.

use ptx_isa::instruction::{INSTRUCTIONS, QUALIFIERS};

use crate::lsp::instruction::Written;

/// The modifiers that the table has after those that are written, in its order.
pub(super) fn following(written: &Written<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let name = written.name();
    let mut add = |word: String| {
        if !word.trim_start_matches(['.', ':']).is_empty() && !found.contains(&word) {
            found.push(word);
        }
    };
    // What distinguishes forms: `.async` of `cp`.
    for row in INSTRUCTIONS {
        let rest = row.opcode.strip_prefix(&name).filter(|rest| rest.starts_with(['.', ':']));
        if let Some(rest) = rest {
            let end = rest[1..].trim_start_matches(':').find(['.', ':']);
            let skipped = rest.len() - rest[1..].trim_start_matches(':').len();
            add(rest[..end.map_or(rest.len(), |end| end + skipped)].to_owned());
        }
    }
    let is_new = |word: &str| !written.has(word.trim_start_matches('.'));
    let Some(row) = written.row else { return found };
    for required in row.required.iter().filter(|it| is_new(it.modifier)) {
        add(format!(".{}", required.modifier));
    }
    for lists in [row.spaces, row.types] {
        of_lists(written, lists, &mut add);
    }
    let keys = row.operands.iter().map(|it| it.0).chain(row.effects.iter().map(|it| it.0));
    for key in keys.chain(row.orders.iter().map(|it| it.0)).filter(|key| is_new(key)) {
        add(format!(".{key}"));
    }
    if row.has_lanes && ![".v2", ".v4", ".v8"].iter().any(|it| !is_new(it)) {
        add(".v2".to_owned());
        add(".v4".to_owned());
    }
    let is_of_row = |opcode: &str| {
        let rest = name.strip_prefix(opcode);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    for qualifier in QUALIFIERS.iter().filter(|it| is_of_row(it.opcode)) {
        // Those that are adjacent are one after the other.
        let first = |words: &'static str| words[1..].find('.').map_or(words, |end| &words[..=end]);
        for word in qualifier.words.iter().map(|words| first(words)).filter(|word| is_new(word)) {
            add(word.to_owned());
        }
    }
    found
}

/// The types or state spaces that may follow those that are written, and the modifiers with which others may.
fn of_lists(
    written: &Written<'_>,
    lists: &[(&'static str, &'static [&'static str])],
    add: &mut impl FnMut(String),
) {
    let has = |set: &str, word: &str| set.split(' ').any(|it| it == word);
    let words = written.words();
    let is_listed =
        |word: &&String| lists.iter().flat_map(|it| it.1).any(|set| has(set, word.as_str()));
    let own: Vec<&String> = words.iter().filter(is_listed).collect();
    // Whether a list starts with what is written.
    let starts = |list: &[&str]| {
        own.len() <= list.len() && own.iter().zip(list).all(|(word, set)| has(set, word))
    };
    // The lists of the first modifier that is written.
    let chosen = lists.iter().map(|it| it.0).find(|key| key.is_empty() || written.has(key));
    for (key, list) in lists.iter().filter(|(_, list)| starts(list)) {
        if Some(*key) == chosen {
            let next = list.get(own.len()).into_iter().flat_map(|set| set.split(' '));
            next.for_each(|word| add(format!(".{word}")));
        } else if !key.is_empty() && !written.has(key) {
            add(format!(".{key}"));
        }
    }
}
