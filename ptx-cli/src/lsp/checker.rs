//! Checks the texts of documents on a thread of its own, and publishes what it finds.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{PublishDiagnosticsParams, Uri};
use ptx_text::Parsed;

use super::changed::{Checked, Edit, LEAST};
use super::diagnostics::{diagnostic, findings};
use super::document::Document;
use super::lines::Lines;
use super::settings::Settings;
use crate::finding::Finding;

/// How long a text stays as it is before it is checked: while somebody types, findings come and go.
const PAUSE: Duration = Duration::from_millis(60);

/// How long a text stays as it is before all of it is checked after an edit inside of one kernel.
const LONG_PAUSE: Duration = Duration::from_millis(400);

/// The versions of the open documents, which say whether a result is still wanted.
type Versions = Arc<Mutex<HashMap<Uri, i32>>>;

/// A text to be checked.
struct Job {
    uri: Uri,
    version: i32,
    text: Arc<str>,
    lines: Lines,
    settings: Settings,
}

/// The thread that checks texts.
pub(super) struct Checker {
    jobs: Option<Sender<Job>>,
    versions: Versions,
    thread: Option<JoinHandle<()>>,
}

impl Checker {
    /// Starts the thread, which publishes on this connection.
    pub(super) fn start(client: &crossbeam_channel::Sender<Message>) -> Self {
        let (jobs, received) = channel();
        let versions = Versions::default();
        let versions_of_worker = Arc::clone(&versions);
        let client = client.clone();
        let mut worker = Worker { client, versions: versions_of_worker, known: HashMap::new() };
        let thread = std::thread::Builder::new().name("checker".to_owned());
        let thread = thread.spawn(move || worker.run(&received)).ok();
        Self { jobs: Some(jobs), versions, thread }
    }

    /// Has a document checked, instead of earlier versions of it.
    pub(super) fn check(&self, document: &Document, settings: &Settings) {
        self.set(&document.uri, Some(document.version));
        if let Some(jobs) = &self.jobs {
            // If the thread has ended, there is nobody to tell.
            let _ = jobs.send(Job {
                uri: document.uri.clone(),
                version: document.version,
                text: Arc::clone(&document.text),
                lines: document.lines.clone(),
                settings: settings.clone(),
            });
        }
    }

    /// Forgets a document that was closed.
    pub(super) fn forget(&self, uri: &Uri) {
        self.set(uri, None);
    }

    fn set(&self, uri: &Uri, version: Option<i32>) {
        let mut versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        match version {
            Some(version) => versions.insert(uri.clone(), version),
            None => versions.remove(uri),
        };
    }
}

impl Drop for Checker {
    /// Ends the thread once it has checked its text.
    fn drop(&mut self) {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // It catches its panics.
            let _ = thread.join();
        }
    }
}

struct Worker {
    client: crossbeam_channel::Sender<Message>,
    versions: Versions,
    /// The text of each document that was checked last as a whole, with its settings.
    known: HashMap<Uri, (Checked, Settings)>,
}

impl Worker {
    /// Checks texts until there can be no more: the newest of each document, once none has come for a while.
    #[expect(clippy::mutable_key_type, reason = "the protocol's types have it so")]
    fn run(&mut self, jobs: &Receiver<Job>) {
        let mut waiting: HashMap<Uri, Job> = HashMap::new();
        // Those of which a kernel was checked, and the whole has to be.
        let mut partial: HashMap<Uri, Job> = HashMap::new();
        loop {
            let job = if waiting.is_empty() && !partial.is_empty() {
                jobs.recv_timeout(LONG_PAUSE)
            } else if waiting.is_empty() {
                jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                jobs.recv_timeout(PAUSE)
            };
            match job {
                Ok(job) => {
                    partial.remove(&job.uri);
                    waiting.insert(job.uri.clone(), job);
                }
                Err(RecvTimeoutError::Timeout) => {
                    if waiting.is_empty() {
                        for (_, job) in partial.drain() {
                            self.check(&job, false);
                        }
                    }
                    for (uri, job) in waiting.drain() {
                        if self.check(&job, true) {
                            partial.insert(uri, job);
                        }
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Whether this is the newest version of a document that is open.
    fn is_current(&self, job: &Job) -> bool {
        let versions = self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        versions.get(&job.uri) == Some(&job.version)
    }

    /// Checks a document, and says whether that was only the kernel that has changed, which it may be.
    fn check(&mut self, job: &Job, may_be_partial: bool) -> bool {
        let is_open =
            self.versions.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&job.uri);
        if !is_open {
            self.known.remove(&job.uri);
        }
        if !self.is_current(job) {
            return false;
        }
        let known = self.known.get(&job.uri);
        let known = known.filter(|(_, settings)| *settings == job.settings).map(|it| &it.0);
        let known = known.filter(|_| may_be_partial);
        let checked = catch_unwind(AssertUnwindSafe(|| check(job, known)));
        // What was found before is kept: a text that the checker fails on is a defect of the tool.
        let Ok((found, is_partial)) = checked else { return false };
        if self.is_current(job) {
            let diagnostics =
                found.iter().map(|it| diagnostic(it, &job.uri, (&job.text, &job.lines)));
            let diagnostics = diagnostics.collect();
            let params = PublishDiagnosticsParams {
                uri: job.uri.clone(),
                diagnostics,
                version: Some(job.version),
            };
            let message = Notification::new(PublishDiagnostics::METHOD.to_owned(), params);
            // A client that is gone wants nothing.
            let _ = self.client.send(message.into());
        }
        if !is_partial {
            let checked = Checked { text: Arc::clone(&job.text), findings: found };
            self.known.insert(job.uri.clone(), (checked, job.settings.clone()));
        }
        is_partial
    }
}

/// What is found in a text, and whether it comes from a check of the kernel that has changed since another one.
fn check(job: &Job, known: Option<&Checked>) -> (Vec<Finding>, bool) {
    let known = known.filter(|known| known.text.len().min(job.text.len()) >= LEAST);
    if let Some(known) = known
        && let Some(edit) = Edit::of(&known.text, &job.text)
    {
        let found = findings(&Parsed::new(edit.reduced.as_str()), &job.settings);
        return (edit.merged(&known.findings, found), true);
    }
    (findings(&Parsed::new(&*job.text), &job.settings), false)
}
