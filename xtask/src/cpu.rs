//! What a process has had of the CPU.

use std::fs;
use std::time::Duration;

/// The time that ended children of this process, and theirs, have had on a CPU.
pub(crate) fn of_children() -> Result<Duration, String> {
    // What `proc_pid_stat(5)` calls `cutime` and `cstime`, in ticks of 10 ms wherever Linux runs Rust.
    let path = "/proc/self/stat";
    let stat = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    // The name of the program, in parentheses, can hold spaces.
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    let mut ticks = fields.split(' ').skip(13).map(str::parse::<u64>);
    match (ticks.next(), ticks.next()) {
        (Some(Ok(user)), Some(Ok(system))) => Ok(Duration::from_millis(10 * (user + system))),
        _ => Err(format!("{path} does not say the CPU time of children")),
    }
}
