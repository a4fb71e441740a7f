//! Bounds of statistics.

use std::fmt::Write as _;

use ptx_isa::ir::FunctionKind;
use ptx_isa::near;
use toml::{Table, Value};

use super::count::{Counted, CountedFile, Counts, OF_PTXAS};

/// A value that is greater than its bound.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub(super) struct Exceeded {
    pub(super) file: String,
    /// The kernel or function; `None` for the total of the file.
    pub(super) name: Option<String>,
    pub(super) key: String,
    pub(super) value: usize,
    pub(super) bound: usize,
}

/// The bounds of one table: `[kernel.gemm]`.
struct Bounds<'t> {
    of: Of<'t>,
    table: &'t Table,
}

#[derive(Clone, Copy)]
enum Of<'t> {
    Total,
    Function(FunctionKind, &'t str),
}

/// Compares files with the bounds in a TOML text.
///
/// # Errors
/// What is wrong with the bounds.
pub(super) fn exceeded(
    text: &str,
    files: &[CountedFile],
    has_ptxas: bool,
) -> Result<Vec<Exceeded>, String> {
    let document: Table =
        text.parse().map_err(|error: toml::de::Error| error.to_string().trim_end().to_owned())?;
    if document.values().all(|it| it.as_table().is_some_and(Table::is_empty)) {
        return Err(
            "there are no bounds; write a table such as `[total]`, with `statements = 100`"
                .to_owned(),
        );
    }
    let mut found = Vec::new();
    for bounds in tables(&document)? {
        let is_there = files.iter().any(|file| !bounds.of.counts(file).is_empty());
        if let (false, Of::Function(kind, name)) = (is_there, bounds.of) {
            return Err(missing(kind, name, files));
        }
        for (key, bound) in bounds.table {
            bounds.check_key(key, has_ptxas)?;
            let bound = bounds.bound(key, bound)?;
            for file in files {
                for (name, counts) in bounds.of.counts(file) {
                    let value = counts.value(key);
                    // What the launch decides has no value.
                    if let Some(value) = value.filter(|value| *value > bound) {
                        let (file, name) = (file.name.clone(), name.map(str::to_owned));
                        found.push(Exceeded { file, name, key: key.clone(), value, bound });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The tables of a document.
fn tables(document: &Table) -> Result<Vec<Bounds<'_>>, String> {
    let mut tables = Vec::new();
    for (key, value) in document {
        let kind = match key.as_str() {
            "total" => {
                let table = table(key, value)?;
                tables.push(Bounds { of: Of::Total, table });
                continue;
            }
            "kernel" => FunctionKind::Kernel,
            "function" => FunctionKind::Device,
            _ => {
                return Err(format!(
                    "`{key}` is not a table of bounds; write `[kernel.NAME]`, `[function.NAME]` or `[total]`"
                ));
            }
        };
        for (name, value) in table(key, value)? {
            let table = table(&format!("{key}.{name}"), value)?;
            tables.push(Bounds { of: Of::Function(kind, name), table });
        }
    }
    Ok(tables)
}

fn table<'t>(key: &str, value: &'t Value) -> Result<&'t Table, String> {
    let example = if key == "kernel" || key == "function" { ".NAME" } else { "" };
    value.as_table().ok_or_else(|| format!("`{key}` is not a table; write `[{key}{example}]`"))
}

impl Of<'_> {
    fn counts(self, file: &CountedFile) -> Vec<(Option<&str>, &Counts)> {
        match self {
            Self::Total => vec![(None, &file.total)],
            Self::Function(kind, name) => {
                let is_it = |it: &&Counted| it.kind == kind && it.name == name;
                let found = file.functions.iter().filter(is_it);
                found.map(|it| (Some(it.name.as_str()), &it.counts)).collect()
            }
        }
    }

    /// As in the brackets of a table.
    fn heading(self) -> String {
        match self {
            Self::Total => "total".to_owned(),
            Self::Function(kind, name) => format!("{}.{name}", word(kind)),
        }
    }
}

impl Bounds<'_> {
    fn check_key(&self, key: &str, has_ptxas: bool) -> Result<(), String> {
        let heading = self.of.heading();
        let is_of_kernels = matches!(self.of, Of::Function(FunctionKind::Kernel, _));
        let mut known = Counts::keys();
        known.retain(|key| is_of_kernels || !OF_PTXAS.contains(&key.as_str()));
        // These are variables of the module.
        let is_total = matches!(self.of, Of::Total);
        known.retain(|key| is_total || !matches!(key.as_str(), "const" | "global"));
        known.retain(|key| is_total || is_of_kernels || key != "shared");
        if !known.iter().any(|it| it == key) {
            let mut text = format!("`[{heading}]` has no bound `{key}`");
            if let Some(meant) = near::nearest(key, known.iter().map(String::as_str)).first() {
                let _ = write!(text, "; did you mean `{meant}`?");
            }
            let _ = write!(text, "\nit may have {}", known.join(", "));
            return Err(text);
        }
        if OF_PTXAS.contains(&key) && !has_ptxas {
            return Err(format!(
                "ptxas reports `{key}`, of `[{heading}]`; pass `--ptxas` to run it"
            ));
        }
        Ok(())
    }

    fn bound(&self, key: &str, value: &Value) -> Result<usize, String> {
        let number = value.as_integer().and_then(|number| usize::try_from(number).ok());
        number.ok_or_else(|| {
            let heading = self.of.heading();
            format!("`{key}` of `[{heading}]` is {value}, and a bound is a whole number from 0")
        })
    }
}

pub(super) const fn word(kind: FunctionKind) -> &'static str {
    match kind {
        FunctionKind::Kernel => "kernel",
        FunctionKind::Device => "function",
    }
}

/// That no file has a function, with those that there are.
fn missing(kind: FunctionKind, name: &str, files: &[CountedFile]) -> String {
    let word = word(kind);
    let all = files.iter().flat_map(|file| &file.functions).filter(|it| it.kind == kind);
    let known: Vec<&str> = all.map(|it| it.name.as_str()).collect();
    match &known[..] {
        [] => format!("no file has the {word} `{name}`, or any other"),
        _ => format!("no file has the {word} `{name}`; there is `{}`", known.join("`, `")),
    }
}
