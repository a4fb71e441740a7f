//! `ptx map conflicts`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ptx_isa::tensor::{BANKS, bank_conflicts};
use serde::Serialize;

use super::expression;
use crate::arguments;

/// The bytes of a bank.
const BANK_BYTES: usize = 4;

/// The most bytes of shared memory that a device has, rounded up: places above are a mistake.
const MOST: i64 = 1 << 20;

/// What happens when a warp accesses shared memory.
#[derive(Debug, Serialize)]
pub(crate) struct Access {
    /// The wavefronts that it takes, and those that it would take without conflicts.
    wavefronts: usize,
    ideal: usize,
    /// The lanes that are served at once.
    phases: Vec<Phase>,
}

#[derive(Debug, Serialize)]
struct Phase {
    first_lane: usize,
    last_lane: usize,
    wavefronts: usize,
    ideal: usize,
    /// The address of each lane, in bytes, swizzled.
    addresses: Vec<usize>,
    /// The banks in which lanes access several words.
    conflicts: Vec<Bank>,
}

#[derive(Debug, Serialize)]
struct Bank {
    bank: usize,
    words: Vec<Word>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Word {
    address: usize,
    lanes: Vec<usize>,
}

/// Counts the conflicts.
///
/// # Errors
/// What is wrong with the access.
pub(crate) fn conflicts(command: &arguments::Conflicts) -> Result<Access, String> {
    let width = match command.width {
        width @ (1 | 2 | 4 | 8 | 16) => width as usize,
        width => return Err(format!("no lane accesses {width} bytes; write 1, 2, 4, 8 or 16")),
    };
    let mut addresses = Vec::new();
    for lane in 0..command.lanes {
        let value = |name: &str, text: &str| {
            let value =
                expression::value(text, lane).map_err(|why| format!("`--{name} {text}`: {why}"))?;
            if (0..MOST).contains(&value) {
                return Ok(value);
            }
            Err(format!(
                "`--{name} {text}` is {value} for lane {lane}; write something from 0 to {}",
                MOST - 1
            ))
        };
        let (row, column) = (value("row", &command.row)?, value("column", &command.column)?);
        let offset = row * i64::from(command.row_bytes) + column;
        if offset >= MOST {
            return Err(format!(
                "lane {lane} accesses byte {offset}, and shared memory is at most {MOST} bytes here"
            ));
        }
        let offset = usize::try_from(offset).map_err(|error| error.to_string())?;
        if offset % width != 0 {
            return Err(format!(
                "lane {lane} accesses byte {offset}, which is not a multiple of {width}; such an access faults"
            ));
        }
        addresses.push(command.swizzle.apply(offset));
    }
    let at_once = (BANKS * BANK_BYTES / width).min(BANKS);
    let phases = addresses.chunks(at_once).enumerate();
    let phases: Vec<Phase> = phases.map(|(n, part)| phase(n * at_once, part, width)).collect();
    Ok(Access {
        wavefronts: phases.iter().map(|phase| phase.wavefronts).sum(),
        ideal: phases.iter().map(|phase| phase.ideal).sum(),
        phases,
    })
}

fn phase(first_lane: usize, addresses: &[usize], width: usize) -> Phase {
    let mut words: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (n, address) in addresses.iter().enumerate() {
        for word in address / BANK_BYTES..=(address + width - 1) / BANK_BYTES {
            words.entry(word).or_default().push(first_lane + n);
        }
    }
    let ideal = words.len().div_ceil(BANKS);
    let mut banks: BTreeMap<usize, Vec<Word>> = BTreeMap::new();
    for (word, lanes) in words {
        banks.entry(word % BANKS).or_default().push(Word { address: word * BANK_BYTES, lanes });
    }
    let conflicts = banks.into_iter().filter(|(_, words)| words.len() > 1);
    Phase {
        first_lane,
        last_lane: first_lane + addresses.len() - 1,
        wavefronts: bank_conflicts(addresses.iter().copied(), width),
        ideal,
        addresses: addresses.to_vec(),
        conflicts: conflicts.map(|(bank, words)| Bank { bank, words }).collect(),
    }
}

impl Access {
    /// The conflicts as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let Self { wavefronts, ideal, .. } = self;
        let worst = self.phases.iter().map(|phase| phase.wavefronts).max().unwrap_or_default();
        // Writing into a `String` does not fail.
        let _ = match worst {
            0 | 1 => writeln!(text, "no bank conflicts: {}", count(*wavefronts)),
            _ => writeln!(
                text,
                "{worst}-way bank conflicts: {}, and {ideal} without conflicts",
                count(*wavefronts)
            ),
        };
        for phase in self.phases.iter().filter(|phase| !phase.conflicts.is_empty()) {
            let Phase { first_lane, last_lane, wavefronts, .. } = phase;
            let _ = writeln!(text, "lanes {first_lane} to {last_lane}: {}", count(*wavefronts));
            let mut rest = phase.conflicts.as_slice();
            while let [first, ..] = rest {
                let lanes =
                    |bank: &Bank| bank.words.iter().map(|it| it.lanes.clone()).collect::<Vec<_>>();
                let is_next = |(n, bank): &(usize, &Bank)| {
                    bank.bank == first.bank + n && lanes(bank) == lanes(first)
                };
                let same = rest.iter().enumerate().take_while(is_next).count();
                let last = first.bank + same - 1;
                let banks = if same == 1 {
                    format!("bank {last}")
                } else {
                    format!("banks {} to {last}", first.bank)
                };
                let lanes: Vec<String> =
                    first.words.iter().map(|word| ranges(&word.lanes)).collect();
                let _ = writeln!(text, "  {banks}: lanes {}", lanes.join(" | "));
                rest = &rest[same..];
            }
        }
        text
    }
}

fn count(wavefronts: usize) -> String {
    if wavefronts == 1 { "1 wavefront".to_owned() } else { format!("{wavefronts} wavefronts") }
}

/// Numbers in order, with those in a row as `0-3`.
fn ranges(numbers: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(usize, usize)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}
