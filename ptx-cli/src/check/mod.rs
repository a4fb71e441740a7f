//! `ptx check`.

mod json;

use std::io;

use ptx_isa::ir::{Function, FunctionKind};
use ptx_text::{Excess, Following, Launch, Launches, Parsed};

use crate::arguments::{self, Format};
use crate::checked::{Checked, Totals};
use crate::finding::{Finding, Level};
use crate::input::{Input, inputs};
use crate::parallel::for_each;
use crate::progress::{Doing, Progress};
use crate::render::Rendering;
use crate::sarif;
use crate::terminal::{Status, Terminal};
use crate::verdict::Assembler;

/// What the progress line says.
const CHECKING: Doing = Doing { now: "checking", done: "checked" };

/// Checks the files, and writes the findings.
///
/// # Errors
/// The output could not be written.
pub(crate) fn check(command: &arguments::Check, terminal: &mut Terminal<'_>) -> io::Result<Status> {
    let inputs = match inputs(&command.files) {
        Ok(inputs) => inputs,
        Err(error) => return terminal.fail(&error),
    };
    let assembler = match Assembler::if_asked(command.ptxas, &command.assembler) {
        Ok(assembler) => assembler,
        Err(error) => return terminal.fail(&error),
    };
    let job = Job { command, assembler: assembler.as_ref() };
    let totals = match command.output.format() {
        Format::Text => write_text(&job, &inputs, terminal)?,
        Format::Json | Format::Sarif => write_document(&job, &inputs, terminal)?,
    };
    Ok(match totals {
        Totals { failures: 1.., .. } => Status::Failed,
        Totals { errors: 1.., .. } => Status::Errors,
        Totals { .. } => Status::Clean,
    })
}

/// Writes the findings of each file as soon as they are known, and a summary.
fn write_text(job: &Job<'_>, inputs: &[Input], terminal: &mut Terminal<'_>) -> io::Result<Totals> {
    let mut totals = Totals::default();
    let mut rendering = Rendering::new(terminal.has_color, terminal.width);
    let is_watched = terminal.is_watched;
    job.run(inputs, is_watched, |file| {
        totals.add(&file);
        for finding in &file.findings {
            terminal.out.write_all(rendering.finding(&file.name, finding).as_bytes())?;
        }
        terminal.out.flush()?;
        match &file.failure {
            Some(failure) => terminal.write_error(failure),
            None => Ok(()),
        }
    })?;
    let only = match inputs {
        [input] => Some(input.name.as_str()),
        _ => None,
    };
    if totals.files > totals.failures {
        let summary = annotate_snippets::normalize_untrusted_str(&totals.summary(only));
        writeln!(terminal.out, "{summary}")?;
    }
    Ok(totals)
}

/// Writes one document about all files.
fn write_document(
    job: &Job<'_>,
    inputs: &[Input],
    terminal: &mut Terminal<'_>,
) -> io::Result<Totals> {
    let mut files = Vec::new();
    job.run(inputs, terminal.is_watched, |file| {
        files.push(file);
        Ok(())
    })?;
    for failure in files.iter().filter_map(|file| file.failure.as_deref()) {
        terminal.write_error(&failure)?;
    }
    let document = match job.command.output.format() {
        Format::Sarif => sarif::log(&files),
        Format::Json | Format::Text => json::document(&files),
    };
    writeln!(terminal.out, "{}", document?)?;
    Ok(Totals::of(&files))
}

/// The work to do for each file.
#[derive(Clone, Copy)]
struct Job<'j> {
    command: &'j arguments::Check,
    assembler: Option<&'j Assembler>,
}

impl Job<'_> {
    /// Checks the files, several in parallel, and passes on the results in order.
    fn run(
        &self,
        inputs: &[Input],
        is_watched: bool,
        take: impl FnMut(Checked) -> io::Result<()>,
    ) -> io::Result<()> {
        let progress = Progress::new(inputs.len(), is_watched, CHECKING);
        for_each(inputs, progress, |input| self.file(input), take)
    }

    fn file(&self, input: &Input) -> Checked {
        let name = input.name.clone();
        let parsed = match input.parse() {
            Ok(parsed) => parsed,
            Err(error) => return Checked::failed(name, error.to_string()),
        };
        let launch = match self.command.launch() {
            Ok(launch) => launch,
            Err(why) => return Checked::failed(name, why),
        };
        if let Some(why) =
            launch.as_ref().and_then(|launch| misfit(&parsed, launch, &self.command.kernel))
        {
            return Checked::failed(name, format!("`{}` {why}", input.name));
        }
        let mut allowed = 0;
        let mut findings = Vec::new();
        let launches = launch.as_ref().map_or(Launches::Usual, Launches::Given);
        let following =
            Following { launches, is_strict: self.command.strict, kernels: &self.command.kernel };
        for diagnostic in parsed.check_launched(following) {
            let finding = Finding::of(&parsed, diagnostic);
            let is_allowed = finding.hazard().is_some_and(|hazard| {
                self.command.allow.iter().any(|allowed| allowed.code == hazard.code)
            });
            if is_allowed {
                allowed += 1;
            } else {
                findings.push(finding);
            }
        }
        let verdict =
            self.assembler.map(|assembler| assembler.add_messages(&parsed, &mut findings));
        let failure = verdict.and_then(Result::err).map(|why| format!("`{name}`: {why}"));
        if self.command.deny_warnings {
            let warnings = findings.iter_mut().filter(|finding| finding.level == Level::Warning);
            warnings.for_each(|finding| finding.level = Level::Error);
        }
        Checked { name, findings, allowed, failure }
    }
}

/// Returns what does not fit the kernels of a file in a launch: a parameter that none of them has, words for one that is
/// not an address, or more threads or blocks than one of them allows. If there are names, the launch is of the kernels with
/// those.
fn misfit(parsed: &Parsed, launch: &Launch, names: &[String]) -> Option<String> {
    let functions = parsed.module().functions.iter().copied();
    let all: Vec<&Function<'_>> = functions.filter(|it| it.kind == FunctionKind::Kernel).collect();
    if let Some(name) = names.iter().find(|name| all.iter().all(|it| it.name != **name)) {
        let known: Vec<String> = all.iter().map(|it| format!("`{}`", it.name)).collect();
        return Some(match &*known {
            [] => "has no kernel".to_owned(),
            known => format!("has no kernel `{name}`, but {}", known.join(", ")),
        });
    }
    let mut unknown: Vec<&str> = launch.names().collect();
    let is_meant = |it: &&&Function<'_>| names.is_empty() || names.iter().any(|n| n == it.name);
    for kernel in all.iter().filter(is_meant) {
        if let Some(excess) = Excess::of(launch, kernel) {
            let others = match all.len() {
                1 => "",
                _ => ", or name the kernels that are launched so with `--kernel`",
            };
            return Some(format!("has the kernel `{}`, whose {excess}{others}", kernel.name));
        }
        let missing: Vec<&str> = launch.unknown_params(kernel.params).collect();
        unknown.retain(|name| missing.contains(name));
        if let Some(param) = launch.without_contents(kernel.params).next() {
            let name = kernel.name;
            return Some(format!(
                "has the kernel `{name}`, of which `{param}` is not an address: give a number instead of words"
            ));
        }
    }
    Some(format!("has no kernel with a parameter `{}`", unknown.first()?))
}
