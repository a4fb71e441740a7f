//! A progress line for long work, on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that takes less time shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is done with each file, in words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doing {
    /// While it is done: "checking".
    pub(crate) now: &'static str,
    /// Once it is done: "checked".
    pub(crate) done: &'static str,
}

/// A line on the standard error that appears once the work takes long.
#[derive(Debug)]
pub(crate) struct Progress {
    /// Whether the standard error is a terminal.
    is_watched: bool,
    files: usize,
    doing: Doing,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// The progress through this many files.
    pub(crate) fn new(files: usize, is_watched: bool, doing: Doing) -> Self {
        Self { is_watched, files, doing, started: Instant::now(), bar: None }
    }

    /// Shows that `done` files are done, and that `next` follows.
    pub(crate) fn update(&mut self, done: usize, next: &str) {
        if !self.is_watched || self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| bar(self.files, self.doing, self.started));
        bar.set_position(done as u64);
        bar.set_message(annotate_snippets::normalize_untrusted_str(next));
        bar.tick();
    }

    /// Writes with the line removed.
    pub(crate) fn suspended<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(files: usize, doing: Doing, started: Instant) -> ProgressBar {
    let Doing { now, done } = doing;
    let template = if files == 1 {
        format!("{{spinner}} {now} {{wide_msg}} {{elapsed}}")
    } else {
        format!("{{spinner}} {done} {{pos}} of {{len}} {{bar:32}} {{elapsed}}  {{msg}}")
    };
    let style =
        ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(files as u64).with_style(style).with_elapsed(started.elapsed())
}
