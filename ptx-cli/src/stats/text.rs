//! Statistics as tables.

use super::bounds::word;
use super::count::{Counted, CountedFile, Counts, Moved, OF_PTXAS, STORED};
use super::kind::Kind;
use crate::table::write_table;

/// Rows of cells, of which columns that are all empty are left out.
struct Columns {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    fn of(heads: &[&str]) -> Self {
        Self { heads: heads.iter().map(|&head| head.to_owned()).collect(), rows: Vec::new() }
    }

    fn write(self) -> String {
        let used = |n: &usize| self.rows.iter().any(|row| !matches!(&*row[*n], "" | "0"));
        let used: Vec<usize> = (0..self.heads.len()).filter(|n| *n == 0 || used(n)).collect();
        let rows = std::iter::once(&self.heads).chain(&self.rows);
        let rows: Vec<Vec<String>> =
            rows.map(|row| used.iter().map(|n| row[*n].clone()).collect()).collect();
        write_table(&rows, &self.numbers(&used))
    }

    /// The columns that are numbers in every row.
    fn numbers(&self, used: &[usize]) -> Vec<usize> {
        let is_number = |n: usize| {
            self.rows
                .iter()
                .all(|row| row[n].chars().all(|it| it.is_ascii_digit() || "-+".contains(it)))
        };
        (0..used.len()).filter(|n| is_number(used[*n])).collect()
    }
}

/// The statistics of files.
pub(super) fn all(files: &[CountedFile]) -> String {
    let parts: Vec<String> = files
        .iter()
        .map(|file| {
            let head = if files.len() > 1 { format!("{}\n\n", file.name) } else { String::new() };
            head + &self::file(file)
        })
        .collect();
    parts.join("\n")
}

fn file(file: &CountedFile) -> String {
    let parts = [statements(file), moved(file), storage(file)];
    let parts: Vec<String> = parts.into_iter().filter(|part| part.contains('\n')).collect();
    parts.join("\n")
}

/// The functions and then, if there are several, the total.
fn rows(file: &CountedFile) -> Vec<(String, &Counts)> {
    let functions = file.functions.iter();
    let mut rows: Vec<_> = functions.map(|it| (heading(it), &it.counts)).collect();
    if rows.len() != 1 {
        rows.push(("total".to_owned(), &file.total));
    }
    rows
}

fn heading(function: &Counted) -> String {
    format!("{} `{}`", word(function.kind), function.name)
}

fn number(number: usize) -> String {
    number.to_string()
}

/// The name of a kind in a head.
fn spaced(name: &str) -> String {
    name.replace('_', " ")
}

fn statements(file: &CountedFile) -> String {
    let mut heads = vec!["", "statements"];
    heads.extend(Kind::ALL.iter().map(|kind| kind.name()));
    let mut columns = Columns::of(&heads);
    columns.heads.iter_mut().for_each(|head| *head = spaced(head));
    for (name, counts) in rows(file) {
        let mut row = vec![name, number(counts.statements())];
        row.extend(
            Kind::ALL.iter().map(|kind| number(counts.kinds.get(kind).copied().unwrap_or(0))),
        );
        columns.rows.push(row);
    }
    columns.write()
}

fn moved(file: &CountedFile) -> String {
    let heads = [
        "",
        "space",
        "width",
        "loads",
        "stores",
        "atomics",
        "bytes loaded",
        "bytes stored",
        "bytes of atomics",
    ];
    let mut columns = Columns::of(&heads);
    for (name, counts) in rows(file) {
        for ((space, bytes), Moved { loads, stores, atomics }) in &counts.moved {
            let total = |count: &usize| bytes.map_or(String::new(), |bytes| number(bytes * count));
            columns.rows.push(vec![
                name.clone(),
                format!(".{space}").replace(".generic", "generic"),
                bytes.map_or("?".to_owned(), number),
                number(*loads),
                number(*stores),
                number(*atomics),
                total(loads),
                total(stores),
                total(atomics),
            ]);
        }
    }
    if columns.rows.is_empty() { String::new() } else { columns.write() }
}

fn storage(file: &CountedFile) -> String {
    let mut heads = vec!["", "declared registers"];
    heads.extend(STORED.iter().map(|space| match *space {
        "shared" => ".shared bytes",
        "local" => ".local bytes",
        "const" => ".const bytes",
        _ => ".global bytes",
    }));
    heads.extend(["ptxas: registers", "spills", "stack", "shared"]);
    let mut columns = Columns::of(&heads);
    for (name, counts) in rows(file) {
        let mut row = vec![name, number(counts.declared)];
        row.extend(STORED.iter().map(|space| match counts.storage.get(space) {
            Some(Some(bytes)) => number(*bytes),
            Some(None) => "launch".to_owned(),
            None => String::new(),
        }));
        row.extend(OF_PTXAS.iter().map(|key| counts.value(key).map_or(String::new(), number)));
        columns.rows.push(row);
    }
    // One function does not show what its module declares.
    if let [_] = &file.functions[..] {
        let mut row = vec!["module".to_owned(), String::new()];
        row.extend(STORED.iter().map(|space| match (*space, file.total.value(space)) {
            ("const" | "global", Some(bytes)) => number(bytes),
            (_, _) => String::new(),
        }));
        row.extend(OF_PTXAS.iter().map(|_| String::new()));
        if row.iter().skip(2).any(|cell| !matches!(&**cell, "" | "0")) {
            columns.rows.push(row);
        }
    }
    columns.write()
}

/// The statistics of two files that differ: of functions of the same name, and in total.
pub(super) fn difference(old: &CountedFile, new: &CountedFile) -> String {
    let mut table =
        vec![["", old.name.as_str(), new.name.as_str(), "difference"].map(str::to_owned)];
    for (of, key, values) in differences(old, new) {
        let [old, new] = values;
        let difference = match (old, new) {
            (Some(old), Some(new)) if new > old => format!("+{}", new - old),
            (Some(old), Some(new)) => format!("-{}", old - new),
            (_, _) => String::new(),
        };
        let [old, new] = values.map(|value| value.map_or("-".to_owned(), number));
        table.push([format!("{of}: {}", spaced(&key)), old, new, difference]);
    }
    if table.len() == 1 {
        return "no difference\n".to_owned();
    }
    write_table(&table, &[1, 2, 3])
}

/// What differs: the function or the total, the key, and the values, of which one is `None` if a file does not have the
/// function.
pub(super) fn differences(
    old: &CountedFile,
    new: &CountedFile,
) -> Vec<(String, String, [Option<usize>; 2])> {
    let mut pairs: Vec<(String, [Option<&Counts>; 2])> = Vec::new();
    let find = |file: &'_ CountedFile, of: &Counted| {
        file.functions.iter().position(|it| it.name == of.name && it.kind == of.kind)
    };
    for function in &new.functions {
        let before = find(old, function).map(|n| &old.functions[n].counts);
        pairs.push((heading(function), [before, Some(&function.counts)]));
    }
    for function in old.functions.iter().filter(|it| find(new, it).is_none()) {
        pairs.push((heading(function), [Some(&function.counts), None]));
    }
    pairs.push(("total".to_owned(), [Some(&old.total), Some(&new.total)]));
    let mut found = Vec::new();
    for (of, both) in pairs {
        for key in Counts::keys() {
            let values = both.map(|counts| counts.and_then(|counts| counts.value(&key)));
            let is_nothing = values.iter().all(|value| matches!(value, None | Some(0)));
            if values[0] != values[1] && !is_nothing {
                found.push((of.clone(), key, values));
            }
        }
    }
    found
}
