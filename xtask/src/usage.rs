//! The resources that a command uses: CPU time, memory and, if `perf` is installed, instructions.
#![allow(unsafe_code, reason = "what a process took is read through libc")]

use std::io::Read as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The resources that a process used, including its child processes.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// The CPU time.
    pub cpu: Duration,
    /// The wall-clock time.
    pub clock: Duration,
    /// The peak memory of one of the processes, in bytes.
    pub memory: u64,
}

impl Usage {
    /// Runs a command to its end, without showing its output.
    ///
    /// # Errors
    /// If it does not run or fails; the error then contains its standard error.
    pub fn of(command: &mut Command) -> Result<Self, String> {
        let start = Instant::now();
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{} does not run: {error}", name(command)))?;
        let mut text = Vec::new();
        if let Some(mut pipe) = child.stderr.take() {
            pipe.read_to_end(&mut text).map_err(|error| error.to_string())?;
        }
        let (is_success, usage) = wait(&child)?;
        let clock = start.elapsed();
        if !is_success {
            return Err(String::from_utf8_lossy(&text).into_owned());
        }
        let time = |time: libc::timeval| {
            Duration::from_secs(unsigned(time.tv_sec))
                + Duration::from_micros(unsigned(time.tv_usec))
        };
        Ok(Self {
            cpu: time(usage.ru_utime) + time(usage.ru_stime),
            clock,
            memory: unsigned(usage.ru_maxrss) * 1024,
        })
    }
}

/// The user-mode instructions of a command and of all processes that it starts, which do not depend on the load
/// of the machine; `None` if `perf` does not count them.
///
/// # Errors
/// If the command fails; the error contains its standard error.
pub fn instructions(command: &Command) -> Result<Option<u64>, String> {
    let mut counted = Command::new("perf");
    counted.args(["stat", "-x", ",", "-e", "instructions:u"]).arg(command.get_program());
    counted.args(command.get_args()).env("LC_ALL", "C");
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => counted.env(name, value),
            None => counted.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        counted.current_dir(folder);
    }
    let Ok(output) = counted.output() else { return Ok(None) };
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(text.into_owned());
    }
    let count = text.lines().find(|line| line.contains("instructions:u"));
    Ok(count.and_then(|line| line.split(',').next()?.parse().ok()))
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

/// Waits for a process, and returns whether it succeeded.
fn wait(child: &Child) -> Result<(bool, libc::rusage), String> {
    let id = libc::pid_t::try_from(child.id()).map_err(|error| error.to_string())?;
    let mut status = 0;
    // SAFETY: `rusage` consists of integers, for which zero is a valid value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to our own variables, and the child is waited for once.
    if unsafe { libc::wait4(id, &raw mut status, 0, &raw mut usage) } != id {
        return Err(std::io::Error::last_os_error().to_string());
    }
    Ok((status == 0, usage))
}
