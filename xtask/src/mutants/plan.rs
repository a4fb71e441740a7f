//! The list of built programs and mutants, for the run, which may be on another machine.

use std::path::Path;

use serde_json::{Value, json};

/// A test program.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    /// The name of the program.
    pub(super) name: String,
    /// The folder that it runs in, relative to the workspace.
    pub(super) folder: String,
    /// Whether its output determines success, and not its exit status.
    pub(super) is_compared: bool,
}

/// The programs, and their mutants, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) binaries: Vec<Binary>,
    pub(super) mutants: Vec<(u32, String)>,
}

impl Plan {
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let binaries: Vec<Value> = self
            .binaries
            .iter()
            .map(|binary| json!([binary.name, binary.folder, binary.is_compared]))
            .collect();
        let mutants: Vec<Value> = self.mutants.iter().map(|(id, name)| json!([id, name])).collect();
        let text = json!({ "binaries": binaries, "mutants": mutants }).to_string();
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let wrong = || format!("{} is not a plan: build it first", path.display());
        let text = std::fs::read_to_string(path).map_err(|_| wrong())?;
        let value: Value = serde_json::from_str(&text).map_err(|_| wrong())?;
        let string = |value: &Value| value.as_str().map(str::to_owned);
        let binaries = value["binaries"].as_array().ok_or_else(wrong)?.iter().map(|binary| {
            Some(Binary {
                name: string(&binary[0])?,
                folder: string(&binary[1])?,
                is_compared: binary[2].as_bool()?,
            })
        });
        let mutants =
            value["mutants"].as_array().ok_or_else(wrong)?.iter().map(|mutant| {
                Some((u32::try_from(mutant[0].as_u64()?).ok()?, string(&mutant[1])?))
            });
        Ok(Self {
            binaries: binaries.collect::<Option<_>>().ok_or_else(wrong)?,
            mutants: mutants.collect::<Option<_>>().ok_or_else(wrong)?,
        })
    }
}
