//! The cost of parsing and checking a text.

use std::fmt;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ptx_text::Parsed;

/// The environment variables that select the text for a process, its size,
pub(crate) const TEXT: &str = "PTX_HOSTILE_TEXT";
pub(crate) const BYTES: &str = "PTX_HOSTILE_BYTES";
/// and whether it is checked as well, which is 1 if so.
pub(crate) const JUDGED: &str = "PTX_HOSTILE_JUDGED";

/// The size of a text that is checked before the memory is measured, in bytes.
const SMALL: usize = 4096;

/// The start of the line that a process prints.
const MARK: &str = "cost:";

pub(crate) struct Cost {
    pub(crate) bytes: usize,
    pub(crate) read: Duration,
    /// The peak memory use while the text was parsed, in bytes, if the system reports it.
    pub(crate) memory: Option<usize>,
    pub(crate) judged: Duration,
    /// The same while it was checked.
    pub(crate) judging: Option<usize>,
}

/// The ways in which a process that parses a text can fail.
pub(crate) enum Failure {
    TooLong,
    Crash(String),
}

impl Cost {
    /// Measures a text in this process.
    pub(crate) fn measured(write: fn(usize) -> Vec<u8>, bytes: usize, is_judged: bool) -> Self {
        // The pages of the program itself that a small text needs are not counted.
        let _ = Parsed::from_bytes(write(SMALL)).check();
        let before = memory("VmRSS:");
        let text = write(bytes);
        let bytes = text.len();
        // This resets the peak memory use.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let most = || Some(memory("VmHWM:")?.saturating_sub(before?));
        let start = Instant::now();
        let parsed = Parsed::from_bytes(text);
        let (read, memory) = (start.elapsed(), most());
        let start = Instant::now();
        let found = if is_judged { parsed.check() } else { Vec::new() };
        let (judged, judging) = (start.elapsed(), most());
        for diagnostic in &found {
            assert!(parsed.text().get(diagnostic.range.clone()).is_some());
            assert!(parsed.position(diagnostic.range.start).line > 0);
        }
        Self { bytes, read, memory, judged, judging }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (read, judged) = (self.read.as_nanos(), self.judged.as_nanos());
        let [memory, judging] =
            [self.memory, self.judging].map(|bytes| bytes.unwrap_or(usize::MAX));
        write!(f, "\n{MARK} {} {read} {memory} {judged} {judging}", self.bytes)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("was stopped: it takes too long"),
            Self::Crash(output) => f.write_str(output.trim()),
        }
    }
}

/// Measures a text in a process of its own.
pub(crate) fn of(
    name: &str,
    (bytes, is_judged): (usize, bool),
    limit: Duration,
) -> Result<Cost, Failure> {
    let crash = |error: std::io::Error| Failure::Crash(error.to_string());
    let mut child = Command::new(std::env::current_exe().map_err(crash)?)
        .args(["--ignored", "--exact", "one_text", "--nocapture"])
        .envs([
            (TEXT, name),
            (BYTES, &bytes.to_string()),
            (JUDGED, &u8::from(is_judged).to_string()),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(crash)?;
    let end = Instant::now() + limit;
    while child.try_wait().map_err(crash)?.is_none() {
        if Instant::now() > end {
            child.kill().map_err(crash)?;
            child.wait().map_err(crash)?;
            return Err(Failure::TooLong);
        }
        sleep(Duration::from_millis(5));
    }
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().map(|mut pipe| pipe.read_to_string(&mut out));
    child.stderr.take().map(|mut pipe| pipe.read_to_string(&mut err));
    let numbers = out.lines().find_map(|line| line.strip_prefix(MARK));
    let numbers: Vec<u64> = numbers
        .into_iter()
        .flat_map(|numbers| numbers.split_whitespace().filter_map(|number| number.parse().ok()))
        .collect();
    let [bytes, read, memory, judged, judging] = numbers[..] else {
        return Err(Failure::Crash(format!("{out}{err}")));
    };
    let memory_of = |bytes: u64| usize::try_from(bytes).ok().filter(|bytes| *bytes < usize::MAX);
    Ok(Cost {
        bytes: usize::try_from(bytes).unwrap_or_default(),
        read: Duration::from_nanos(read),
        memory: memory_of(memory),
        judged: Duration::from_nanos(judged),
        judging: memory_of(judging),
    })
}

/// A line of the memory statistics that Linux reports about this process, in bytes.
fn memory(line: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let found = status.lines().find_map(|text| text.strip_prefix(line))?;
    Some(found.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}
