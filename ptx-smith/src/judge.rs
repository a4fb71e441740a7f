//! The command that judges files.

use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use ptx_smith::wait;

/// What became of the command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It accepts the file.
    Accepted,
    /// It ended with this.
    Failed(ExitStatus),
    /// It did not end.
    TimedOut,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Accepted => f.write_str("it is accepted"),
            Self::Failed(status) => write!(f, "the command ends with {status}"),
            Self::TimedOut => f.write_str("the command does not end in time"),
        }
    }
}

/// A command with `{}` for the path of a file.
pub(crate) struct Judge<'a> {
    pub(crate) command: &'a str,
    pub(crate) limit: Duration,
}

impl Judge<'_> {
    /// Runs the command with a file.
    ///
    /// # Errors
    /// The shell cannot be started.
    pub(crate) fn verdict(&self, file: &Path) -> io::Result<Verdict> {
        let path = file.display().to_string();
        let command = self.command.replace("{}", &quoted(&path));
        let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut child = Command::new(shell)
            .args([option, &command])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(match wait(&mut child, self.limit)? {
            None => Verdict::TimedOut,
            Some(status) if status.success() => Verdict::Accepted,
            Some(status) => Verdict::Failed(status),
        })
    }
}

/// A path as one word of the shell.
fn quoted(path: &str) -> String {
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
