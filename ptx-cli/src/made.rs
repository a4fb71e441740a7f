//! Rust that is made of a PTX file, or why it is not, as text or as a JSON document.

use std::fmt::Display;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::arguments::{Output, OutputFormat};
use crate::finding::Finding;
use crate::input::Input;
use crate::json::{self, Mistake};
use crate::terminal::{Status, Terminal};
use crate::{output, refusal};

/// What Rust is made of, and where it goes.
#[derive(Clone, Copy)]
pub(crate) struct Making<'a> {
    /// The name of the PTX file.
    pub(crate) file: &'a str,
    /// The Rust file; without one, its text is printed.
    pub(crate) output: Option<&'a Path>,
    /// How the result is written.
    pub(crate) format: &'a Output,
    /// What there is not if the file cannot be used: "so there is no module".
    pub(crate) so: &'static str,
}

#[derive(Default, Serialize)]
struct Document<'a> {
    file: &'a str,
    /// Why it could not be read or written; `null` if it was.
    failure: Option<String>,
    /// The errors because of which there is no module.
    errors: Vec<Mistake<'a>>,
    /// The name of the module; `null` if there is none, as are the others.
    module: Option<&'a str>,
    /// The Rust file that is written.
    output: Option<String>,
    /// The text of the module, if no file is written.
    text: Option<&'a str>,
    /// What the module cannot say and need not.
    left_out: &'a [String],
}

impl Making<'_> {
    /// Why the Rust file may not be written: what is read would be lost.
    pub(crate) fn replaces(self, inputs: &[Input]) -> Option<String> {
        let path = self.output?;
        let input = inputs.iter().find(|input| input.is_at(path))?;
        Some(format!(
            "`{}` is read, and writing to it would replace it; name another file to write",
            input.name
        ))
    }

    /// Reports why the file could not be read.
    pub(crate) fn fail(self, why: &dyn Display, terminal: &mut Terminal<'_>) -> io::Result<Status> {
        if self.is_json() {
            let failure = Some(why.to_string());
            json::write(&Document { failure, ..self.document() }, terminal)?;
        }
        terminal.fail(why)
    }

    /// Reports what is wrong on the command line, each by itself.
    pub(crate) fn fail_each(
        self,
        all: &[String],
        terminal: &mut Terminal<'_>,
    ) -> io::Result<Status> {
        if self.is_json() {
            return self.fail(&all.join("; "), terminal);
        }
        for why in all {
            terminal.write_error(why)?;
        }
        Ok(Status::Failed)
    }

    /// Reports why the file cannot be used.
    pub(crate) fn refuse(
        self,
        findings: Vec<Finding>,
        terminal: &mut Terminal<'_>,
    ) -> io::Result<Status> {
        if self.is_json() {
            let errors = json::mistakes(&findings);
            json::write(&Document { errors, ..self.document() }, terminal)?;
        } else {
            refusal::refuse(self.file, findings, self.so, terminal)?;
        }
        Ok(Status::Errors)
    }

    /// Writes a module.
    pub(crate) fn show(
        self,
        (module, text): (&str, &str),
        left_out: &[String],
        terminal: &mut Terminal<'_>,
    ) -> io::Result<Status> {
        if !self.is_json() {
            for what in left_out {
                let what = annotate_snippets::normalize_untrusted_str(what);
                writeln!(terminal.err, "left out: {what}")?;
            }
            return output::show(self.output, text, terminal);
        }
        let Some(path) = self.output else {
            let (module, text) = (Some(module), Some(text));
            json::write(&Document { module, text, left_out, ..self.document() }, terminal)?;
            return Ok(Status::Clean);
        };
        match output::write(path, text.as_bytes()) {
            Ok(()) => {
                let (module, output) = (Some(module), Some(path.display().to_string()));
                json::write(&Document { module, output, left_out, ..self.document() }, terminal)?;
                Ok(Status::Clean)
            }
            Err(error) => self.fail(&error, terminal),
        }
    }

    fn is_json(self) -> bool {
        self.format.format() == OutputFormat::Json
    }

    fn document(&self) -> Document<'_> {
        Document { file: self.file, ..Document::default() }
    }
}
