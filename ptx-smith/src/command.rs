//! What the command does.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ptx_smith::module::Options;
use ptx_smith::{Case, Statistics};

use crate::arguments::Arguments;
use crate::judge::{Judge, Verdict};

/// How it ended.
pub(crate) enum Status {
    /// Everything was made, and accepted if a command was given.
    Done,
    /// The command failed.
    Failed,
}

/// Why it could not be done.
pub(crate) enum Error {
    /// The standard output cannot be written.
    Output(io::Error),
    /// A file or a folder cannot be written.
    Write(PathBuf, io::Error),
    /// The command cannot be started.
    Start(io::Error),
    /// The options do not fit together.
    Options(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write: {error}"),
            Self::Write(path, error) => write!(f, "cannot write {}: {error}", path.display()),
            Self::Start(error) => write!(f, "cannot start the command: {error}"),
            Self::Options(message) => f.write_str(message),
        }
    }
}

/// Does what the arguments ask.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<Status, Error> {
    let options = Options {
        target: arguments.target,
        version: arguments.isa,
        rule: arguments.rule,
        only_refused: arguments.refused,
    };
    if let Some(message) = arguments.kind.refusal(options) {
        return Err(Error::Options(message));
    }
    if arguments.run.as_ref().is_some_and(|command| !command.contains("{}")) {
        let message = "`--run` names no file: write `{}` where its path belongs";
        return Err(Error::Options(message.to_owned()));
    }
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).map_err(|error| Error::Write(folder.clone(), error))?;
    }
    let scratch = match &arguments.run {
        Some(_) => {
            Some(tempfile::tempdir().map_err(|error| Error::Write(std::env::temp_dir(), error))?)
        }
        None => None,
    };
    let mut statistics = Statistics::default();
    let mut status = Status::Done;
    for number in arguments.from..arguments.from.saturating_add(arguments.count) {
        let case = arguments.kind.draw(arguments.seed, number, options);
        statistics.add(&case);
        let failed = match (&arguments.run, &scratch) {
            (Some(command), Some(folder)) => {
                let limit = Duration::from_secs(arguments.timeout);
                failure(&Judge { command, limit }, folder.path(), &case)?
            }
            _ => None,
        };
        let (text, reason) = match failed {
            Some((text, verdict)) => {
                status = Status::Failed;
                (text, format!(": {verdict}"))
            }
            None if arguments.run.is_some() => continue,
            None => (case.text, String::new()),
        };
        let verdict = case.verdict.map(|verdict| format!("// {verdict}\n")).unwrap_or_default();
        let text = if arguments.kind.is_json() {
            text
        } else {
            format!("// {}{reason}\n{verdict}{text}", made_by(arguments, number))
        };
        match &arguments.out {
            Some(folder) => write_file(folder, arguments, number, &text)?,
            None if arguments.statistics => {}
            None => out.write_all(text.as_bytes()).map_err(Error::Output)?,
        }
    }
    if arguments.statistics {
        write!(out, "{statistics}").map_err(Error::Output)?;
    }
    Ok(status)
}

/// The command that makes a file again.
fn made_by(arguments: &Arguments, number: usize) -> String {
    let Arguments { kind, seed, target, isa, rule, refused, .. } = arguments;
    let mut words = vec![format!("ptx-smith {} --seed {seed} --from {number}", kind.name())];
    words.extend(target.map(|target| format!("--target {target}")));
    words.extend(isa.map(|version| format!("--isa {version}")));
    words.extend(rule.map(|code| format!("--rule {code}")));
    words.extend(refused.then(|| "--refused".to_owned()));
    words.join(" ")
}

/// Writes a file as a whole, or not at all.
fn write_file(
    folder: &Path,
    arguments: &Arguments,
    number: usize,
    text: &str,
) -> Result<(), Error> {
    let extension = if arguments.kind.is_json() { "json" } else { "ptx" };
    let path = folder.join(format!("{number:06}.{extension}"));
    let error = |error| Error::Write(path.clone(), error);
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(error)?;
    file.write_all(text.as_bytes()).map_err(error)?;
    file.persist(&path).map_err(|persist| error(persist.error))?;
    Ok(())
}

/// The smallest text of a case that the command judges as it judges the case, if that is wrong.
fn failure(
    judge: &Judge<'_>,
    folder: &Path,
    case: &Case,
) -> Result<Option<(String, Verdict)>, Error> {
    let path = folder.join("case.ptx");
    let ask = |text: &str| {
        std::fs::write(&path, text).map_err(|error| Error::Write(path.clone(), error))?;
        judge.verdict(&path).map_err(Error::Start)
    };
    let verdict = ask(&case.text)?;
    let is_right = (verdict == Verdict::Accepted) != case.is_refused;
    if is_right {
        return Ok(None);
    }
    let mut error = None;
    let text = case.shrunk(|text| match ask(text) {
        Ok(other) => other == verdict,
        Err(found) => {
            error = Some(found);
            false
        }
    });
    error.map_or(Ok(Some((text, verdict))), Err)
}
