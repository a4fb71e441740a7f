//! Checks the texts of documents on a thread of its own, and publishes what it finds.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use lsp_server::{Message, Notification};
use lsp_types::notification::{Notification as _, PublishDiagnostics};
use lsp_types::{Diagnostic, PublishDiagnosticsParams, Uri};
use ptx_text::Parsed;

use super::diagnostics::{diagnostic, findings};
use super::document::Document;
use super::lines::Lines;
use super::settings::Settings;

/// How long a text stays as it is before it is checked: while somebody types, findings come and go.
const PAUSE: Duration = Duration::from_millis(60);

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
        let worker = Worker { client: client.clone(), versions: Arc::clone(&versions) };
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
}

impl Worker {
    /// Checks texts until there can be no more: the newest of each document, once none has come for a while.
    fn run(&self, jobs: &Receiver<Job>) {
        #[expect(clippy::mutable_key_type, reason = "the protocol's types have it so")]
        let mut waiting: HashMap<Uri, Job> = HashMap::new();
        loop {
            let job = if waiting.is_empty() {
                jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                jobs.recv_timeout(PAUSE)
            };
            match job {
                Ok(job) => {
                    waiting.insert(job.uri.clone(), job);
                }
                Err(RecvTimeoutError::Timeout) => {
                    for (_, job) in waiting.drain() {
                        self.check(&job);
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

    fn check(&self, job: &Job) {
        if !self.is_current(job) {
            return;
        }
        let checked = catch_unwind(AssertUnwindSafe(|| check(job)));
        // What was found by then is kept: a text that the checker fails on is a defect of the tool.
        if let (Ok(diagnostics), true) = (checked, self.is_current(job)) {
            let params = PublishDiagnosticsParams {
                uri: job.uri.clone(),
                diagnostics,
                version: Some(job.version),
            };
            let message = Notification::new(PublishDiagnostics::METHOD.to_owned(), params);
            // A client that is gone wants nothing.
            let _ = self.client.send(message.into());
        }
    }
}

fn check(job: &Job) -> Vec<Diagnostic> {
    let parsed = Parsed::new(&*job.text);
    let found = findings(&parsed, &job.settings);
    found.iter().map(|finding| diagnostic(finding, &job.text, &job.lines)).collect()
}
