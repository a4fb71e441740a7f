//! Runs a ptxas, which may crash.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use ptx_emit::ptxas::Ptxas;
use tempfile::TempDir;

use super::outcome::{Outcome, Verdict};

/// How long a ptxas may take for a file, where a millisecond is usual.
const LONGEST: Duration = Duration::from_secs(20);

/// A ptxas, and a folder for its files.
pub(super) struct Assembler {
    /// Its whole version.
    pub(super) version: String,
    program: PathBuf,
    folder: TempDir,
}

/// What a ptxas did with a file, and the initial bytes of the variables in its cubin.
pub(super) struct Assembled {
    pub(super) outcome: Outcome,
    pub(super) values: BTreeMap<String, Vec<u8>>,
}

impl Assembled {
    /// The outcome, with the bytes of these variables.
    pub(super) fn of(mut self, names: &[&str]) -> Outcome {
        for name in names {
            if let Some(bytes) = self.values.get(*name) {
                self.outcome.details.push(format!("{name} = {}", hexadecimal(bytes)));
            }
        }
        self.outcome
    }
}

/// Bytes as two digits each, with spaces.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

impl Assembler {
    /// # Errors
    /// If it does not run.
    pub(super) fn new(program: &Path) -> Result<Self, String> {
        // It is started in its own folder.
        let program = program.canonicalize().map_err(|e| format!("{}: {e}", program.display()))?;
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        Ok(Self { version: version(&program)?, program, folder })
    }

    /// Assembles a file.
    ///
    /// # Errors
    /// If ptxas cannot be run, or files cannot be written or read.
    pub(super) fn assemble(
        &self,
        module: &[u8],
        arch: &str,
        options: &[String],
    ) -> Result<Assembled, String> {
        let io = |error: std::io::Error| format!("ptxas {}: {error}", self.version);
        let path = |name: &str| self.folder.path().join(name);
        std::fs::write(path("module.ptx"), module).map_err(io)?;
        let _ = std::fs::remove_file(path("module.cubin"));
        // A pipe that nobody reads would be full at some length.
        let printed = File::create(path("printed")).map_err(io)?;
        let mut child = Command::new(&self.program)
            .current_dir(self.folder.path())
            .args(["-arch", arch, "-o", "module.cubin", "module.ptx"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(printed.try_clone().map_err(io)?)
            .stderr(printed)
            .spawn()
            .map_err(io)?;
        let status = ptx_smith::wait(&mut child, LONGEST).map_err(io)?;
        let printed = std::fs::read(path("printed")).map_err(io)?;
        let messages = messages(&String::from_utf8_lossy(&printed));
        let (mut verdict, mut details) = (Verdict::Refused, messages);
        let mut values = BTreeMap::new();
        let crash = crash(status, &details);
        if let Some(how) = crash {
            (verdict, details) = (Verdict::Crashed, vec![how]);
        } else if status.is_some_and(|status| status.success()) {
            verdict = Verdict::Accepted;
            let cubin = std::fs::read(path("module.cubin")).map_err(io)?;
            values = crate::cubin::initial_values(&cubin)?;
        }
        Ok(Assembled { outcome: Outcome { verdict, details }, values })
    }
}

/// Every ptxas, and the options that they get.
pub(super) struct Assemblers {
    pub(super) all: Vec<Assembler>,
    pub(super) options: Vec<String>,
}

impl Assemblers {
    /// # Errors
    /// If one does not run.
    pub(super) fn new(ptxas: &[Ptxas], options: Vec<String>) -> Result<Self, String> {
        let all = ptxas.iter().map(|ptxas| Assembler::new(ptxas.path()));
        Ok(Self { all: all.collect::<Result<_, _>>()?, options })
    }
}

/// The name of a ptxas in what is recorded: its whole version, as in `12.9.86`.
///
/// # Errors
/// If it does not print its version.
fn version(ptxas: &Path) -> Result<String, String> {
    let output = Command::new(ptxas).arg("--version").output();
    let output = output.map_err(|error| format!("{}: {error}", ptxas.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.split(", V").nth(1).and_then(|rest| rest.split_whitespace().next());
    version.map(str::to_owned).ok_or_else(|| format!("{} is not ptxas", ptxas.display()))
}

/// How an assembler crashed, if it did.
fn crash(status: Option<ExitStatus>, messages: &[String]) -> Option<String> {
    let Some(status) = status else {
        return Some(format!("it does not end within {} s", LONGEST.as_secs()));
    };
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(match signal {
            libc::SIGSEGV => "segmentation fault".to_owned(),
            libc::SIGABRT => "abort".to_owned(),
            libc::SIGFPE => "floating-point exception".to_owned(),
            libc::SIGILL => "illegal instruction".to_owned(),
            libc::SIGBUS => "bus error".to_owned(),
            other => format!("signal {other}"),
        });
    }
    let is_internal = |line: &&String| {
        line.contains("Internal compiler error") || line.contains("Memory allocation failure")
    };
    if let Some(message) = messages.iter().find(is_internal) {
        return Some(message.clone());
    }
    let is_error = |line: &String| line.contains("error: ") || line.contains("fatal: ");
    (!status.success() && !messages.iter().any(is_error)).then(|| status.to_string())
}

/// The messages of ptxas, as `line 3: error: words` or `error: words`.
fn messages(printed: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in printed.lines().map(str::trim_end).filter(|line| !line.is_empty()) {
        if line.contains("Ptx assembly aborted") {
            continue;
        }
        let Some((before, words)) = line.split_once(" : ") else {
            found.push(line.to_owned());
            continue;
        };
        let severity = before.trim_end().rsplit([' ', ';']).next().unwrap_or_default();
        let at = before.split_once(", line ").and_then(|(_, rest)| rest.split(';').next());
        found.push(match at {
            Some(line) => format!("line {}: {severity}: {}", line.trim(), words.trim_start()),
            None => format!("{severity}: {}", words.trim_start()),
        });
    }
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_their_line_and_severity() {
        let printed = "ptxas module.ptx, line 4; error   : Constant overflow\n\
            ptxas fatal   : Ptx assembly aborted due to errors\nptxas warning : Too many\n\
            double free or corruption (!prev)\n";
        let expected = [
            "line 4: error: Constant overflow",
            "warning: Too many",
            "double free or corruption (!prev)",
        ];
        assert_eq!(messages(printed), expected);
    }
}
