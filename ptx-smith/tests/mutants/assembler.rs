//! Runs ptxas on texts, and reads its messages.

use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_isa::Target;
use tempfile::TempDir;

/// A message of ptxas: its line, if it has one, and its words.
pub(crate) struct Message {
    pub(crate) line: Option<usize>,
    pub(crate) words: String,
}

pub(crate) enum Verdict {
    Accepted,
    Refused(Vec<Message>),
    /// It ended without a message.
    Crashed,
}

/// A ptxas, and a folder for its files.
pub(crate) struct Assembler {
    program: PathBuf,
    folder: TempDir,
}

impl Assembler {
    pub(crate) fn new(program: &Path) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        Self { program: program.to_owned(), folder }
    }

    pub(crate) fn ask(&self, text: &str, arch: Target) -> Verdict {
        let (input, output) =
            (self.folder.path().join("m.ptx"), self.folder.path().join("m.cubin"));
        std::fs::write(&input, text).expect("the folder can be written to");
        let ended = Command::new(&self.program)
            .arg(format!("-arch={arch}"))
            .arg("-o")
            .args([output, input])
            .output()
            .expect("ptxas runs");
        if ended.status.success() {
            return Verdict::Accepted;
        }
        let printed = String::from_utf8_lossy(&ended.stderr).into_owned();
        let messages: Vec<Message> = printed.lines().filter_map(message).collect();
        let is_crash = |message: &Message| message.words.starts_with("Memory allocation failure");
        if messages.is_empty() || messages.iter().any(is_crash) {
            Verdict::Crashed
        } else {
            Verdict::Refused(messages)
        }
    }
}

/// Reads `ptxas m.ptx, line 3; error   : words`, or `ptxas fatal   : words`.
fn message(printed: &str) -> Option<Message> {
    let (before, words) = printed.split_once(" : ")?;
    let severity = before.trim_end().rsplit([' ', ';']).next()?;
    if !matches!(severity, "error" | "fatal") || words.starts_with("Ptx assembly aborted") {
        return None;
    }
    let line = before
        .split_once(", line ")
        .and_then(|(_, rest)| rest.split(';').next()?.trim().parse().ok());
    Some(Message { line, words: words.to_owned() })
}
