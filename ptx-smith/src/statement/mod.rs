//! Statements, drawn by the instruction table: its rows, and the types, the state spaces and the operands that it has
//! for each. What it does not have is in `forms.txt`.

mod needs;
mod operand;
mod pattern;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use ptx_isa::instruction::{INSTRUCTIONS, ModifierLists, Row, named_types};
use ptx_isa::{Target, Version};

use crate::Rng;
use operand::Operands;
use pattern::Pattern;

pub(crate) use operand::{Name, REGISTERS, Register};

/// The forms of all rows.
const FORMS: &str = include_str!("forms.txt");

/// How often a form is drawn to see which rows it has, and a row for a form that a target has.
const TRIES: usize = 96;

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The text, without a guard: one line.
    pub text: String,
    /// The index of its row in the instruction table.
    pub row: usize,
    /// The lowest PTX version that has it.
    pub since: Version,
    /// The modifiers, with `.` or `::` before each.
    pub modifiers: Vec<String>,
    /// What it names: variables, functions, and registers with addresses.
    pub(crate) names: BTreeSet<Name>,
    /// Whether a thread may execute it alone, so that it may have a guard.
    pub(crate) may_be_guarded: bool,
}

impl Statement {
    /// The modifiers, each with its separator.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modifiers.iter().map(|modifier| {
            let length = if modifier.starts_with("::") { 2 } else { 1 };
            modifier.split_at(length)
        })
    }
}

/// What statements are drawn for.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The target.
    pub target: Target,
    /// The newest PTX version that they may need.
    pub newest: Version,
}

/// The forms of each row, by the row's index.
struct Forms {
    all: Vec<Pattern>,
    of_row: Vec<Vec<usize>>,
}

/// The forms, which are read once.
fn forms() -> &'static Forms {
    static FORMS_OF_ROWS: OnceLock<Forms> = OnceLock::new();
    FORMS_OF_ROWS.get_or_init(|| {
        let lines = FORMS.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let all: Vec<Pattern> = lines.map(Pattern::parse).collect();
        let mut of_row = vec![Vec::new(); INSTRUCTIONS.len()];
        for (n, form) in all.iter().enumerate() {
            let mut rng = Rng::new(0, n);
            let rows = (0..TRIES).filter_map(|_| {
                let drawn = form.draw(&mut rng);
                let (_, main) = drawn.split_once(">> ").unwrap_or(("", &drawn));
                row_of(main.split([' ', ';']).next()?)
            });
            for row in rows.collect::<BTreeSet<usize>>() {
                of_row[row].push(n);
            }
        }
        Forms { all, of_row }
    })
}

/// The row of an instruction, by its index.
fn row_of(head: &str) -> Option<usize> {
    let (opcode, modifiers) = needs::modifiers(head);
    Row::number(opcode, &modifiers)
}

/// Whether `forms.txt` has a form of a row; without one, the table alone says what its statements look like.
pub fn has_form(row: usize) -> bool {
    forms().of_row.get(row).is_some_and(|forms| !forms.is_empty())
}

/// The rows that a target may have in these versions, by their indices.
pub fn rows(goal: Goal) -> Vec<usize> {
    let has = |row: &Row| {
        row.needs.has(goal.target) && !goal.newest.is_below(row.needs.since_on(Some(goal.target)))
    };
    (0..INSTRUCTIONS.len()).filter(|n| has(&INSTRUCTIONS[*n])).collect()
}

/// A statement of a row that the target has; `None` if none of those that were drawn is.
pub fn draw(rng: &mut Rng, row: usize, goal: Goal) -> Option<Statement> {
    let candidates = &forms().of_row[row];
    (0..TRIES).find_map(|_| {
        let text = match candidates.as_slice() {
            [] => plain(&INSTRUCTIONS[row])?,
            some => forms().all[rng.pick(some)].draw(rng),
        };
        instance(rng, row, &text, goal)
    })
}

/// The form of a row without one: the opcode, what it requires, and placeholders for what the table has.
fn plain(row: &Row) -> Option<String> {
    let mut text = row.opcode.to_owned();
    for required in row.required {
        text.push('.');
        text.push_str(required.modifier);
    }
    let takes_any = |lists: ModifierLists| lists.iter().any(|(_, sets)| !sets.is_empty());
    if takes_any(row.spaces) {
        text.push_str(".@");
    }
    if takes_any(row.types) {
        text.push_str(".#");
    }
    (row.count.is_some() || !row.operands.is_empty()).then_some(text)
}

/// One of the sets of words of a column that fits modifiers, from those for the first of its keys that is among them.
fn sets(
    rng: &mut Rng,
    lists: ModifierLists,
    modifiers: &[(&str, &str)],
) -> Option<&'static [&'static str]> {
    let has = |key: &str| key.is_empty() || modifiers.iter().any(|(_, word)| *word == key);
    let (key, _) = lists.iter().find(|(key, _)| has(key))?;
    let fitting: Vec<_> = lists.iter().filter(|(other, _)| other == key).collect();
    Some(rng.pick(&fitting).1)
}

/// A head with the types and the state spaces of the table in place of `.#` and `.@`.
fn filled(rng: &mut Rng, row: &Row, head: &str) -> Option<String> {
    let mut head = head.to_owned();
    for (placeholder, lists) in [(".@", row.spaces), (".#", row.types)] {
        let Some(at) = head.find(placeholder) else { continue };
        let without = head.replacen(placeholder, "", 1);
        let (_, modifiers) = needs::modifiers(&without);
        let sets = sets(rng, lists, &modifiers)?;
        let named = if placeholder == ".#" { named_types(&modifiers).len() } else { 0 };
        let mut words = String::new();
        for set in sets.get(..sets.len().checked_sub(named)?)? {
            let all: Vec<&str> = set.split(' ').collect();
            words.push('.');
            words.push_str(rng.pick(&all));
        }
        head.replace_range(at..at + placeholder.len(), &words);
    }
    Some(head)
}

/// A statement of a form of which the alternatives are chosen; `None` if the target does not have it.
fn instance(rng: &mut Rng, row: usize, form: &str, goal: Goal) -> Option<Statement> {
    let description = &INSTRUCTIONS[row];
    let (before, form) = form.split_once(">> ").unwrap_or(("", form));
    let (first, after) = form.split_once(';').unwrap_or((form, ""));
    let (head, explicit) = first.split_once(' ').unwrap_or((first, ""));
    let head = filled(rng, description, head)?;
    if row_of(&head) != Some(row) {
        return None;
    }
    let (_, modifiers) = needs::modifiers(&head);
    let mut drawn = Operands::new(rng, description, &modifiers);
    let operands = if explicit.is_empty() {
        drawn.of_table()?
    } else {
        let given = needs::operands(explicit);
        let each = given.iter().enumerate().map(|(n, text)| match *text {
            "=" => drawn.nth(n),
            text => Some(drawn.substituted(text)),
        });
        each.collect::<Option<Vec<String>>>()?
    };
    let (before, after) = (drawn.substituted(before), drawn.substituted(after));
    let (names, since_names) = drawn.finish();
    let texts: Vec<&str> = operands.iter().map(String::as_str).collect();
    let since = needs::lowest(description, &head, &texts, goal.target)?.newer(since_names);
    if goal.newest.is_below(since) {
        return None;
    }
    let blank = if operands.is_empty() { "" } else { " " };
    let text = format!("{before}{head}{blank}{};{after}", operands.join(", "));
    let is_collective = description.is_aligned
        || description.together.is_some()
        || modifiers.iter().any(|(_, word)| matches!(*word, "aligned" | "sync"));
    let may_be_guarded =
        !is_collective && before.is_empty() && after.is_empty() && description.opcode != "call";
    let modifiers = modifiers.iter().map(|(separator, word)| format!("{separator}{word}"));
    let modifiers = modifiers.collect();
    Some(Statement { text, row, since, modifiers, names, may_be_guarded })
}
