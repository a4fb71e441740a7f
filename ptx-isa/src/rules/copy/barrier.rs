//! The counts of barriers: arrivals, and the bytes of copies.

use super::{Arg, Args, NONE, Object, Offset, map_of};

/// The bytes that a barrier is set to expect, and those of the copies that complete on it.
#[derive(Clone, Copy, Debug)]
pub struct Transactions<'a> {
    /// The count of `expect_tx`, in bytes.
    pub expected: i128,
    /// The contributions of the copies.
    pub copied: &'a [Copied<'a>],
}

/// A number that a barrier is set to count to (PTX ISA 9.7.13.15, `mbarrier`).
#[derive(Clone, Copy, Debug)]
pub struct BarrierCount {
    /// The quantity that it counts.
    pub of: Counted,
    /// The number.
    pub value: i128,
    /// Whether its transactions are completed only by copies, and never by `mbarrier.complete_tx`.
    pub by_copies: bool,
}

/// The quantity that a barrier counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Counted {
    /// The arrivals of a phase: `mbarrier.init`.
    Arrivals,
    /// The bytes of its transactions: `expect_tx`.
    Bytes,
}

/// The contribution of a copy to the transaction of its barrier.
#[derive(Clone, Copy, Debug)]
pub enum Copied<'a> {
    /// This many bytes.
    Bytes(i128),
    /// A tile of the map there, with this many pixels of halo.
    Tile((Offset, Object<'a>), u32),
}

/// The bytes by which a copy of one tile of the map there completes a transaction, with this many pixels of halo; `None` if the
/// map is not known.
pub const fn transaction_bytes(offset: Offset, object: Object<'_>, halo: u32) -> Option<usize> {
    match map_of(offset, object) {
        Some(spec) => match spec.transaction_bytes_with_halo(halo) {
            Some(bytes) => Some(bytes),
            None => Some(spec.transaction_bytes()),
        },
        None => None,
    }
}

pub(in crate::rules) const fn transactions_differ(
    transactions: Transactions<'_>,
) -> Option<Args<'static>> {
    let (mut copied, mut i) = (0_i128, 0);
    while i < transactions.copied.len() {
        let bytes = match transactions.copied[i] {
            Copied::Bytes(bytes) => bytes,
            Copied::Tile((offset, object), halo) => match transaction_bytes(offset, object, halo) {
                Some(bytes) => bytes as i128,
                None => return None,
            },
        };
        copied = copied.saturating_add(bytes);
        i += 1;
    }
    let missing = transactions.expected.saturating_sub(copied);
    if missing == 0 {
        return None;
    }
    let (what, fix) = if copied < transactions.expected {
        ("it never completes", "copy")
    } else {
        ("it completes too early, or never", "copy only")
    };
    let (expected, copied) = (Arg::Int(transactions.expected), Arg::Int(copied));
    Some([expected, copied, Arg::Str(what), Arg::Str(fix)])
}

pub(in crate::rules) const fn transactions_not_expected(
    barrier: &str,
    is_expected: bool,
) -> Option<Args<'_>> {
    if is_expected { None } else { Some([Arg::Str(barrier), NONE, NONE, NONE]) }
}

/// The greatest count of a barrier.
const MOST: i128 = (1 << 20) - 1;

/// The granularity of copies in bytes.
const WORD: i128 = 4;

pub(in crate::rules) const fn count_out_of_range(count: BarrierCount) -> Option<Args<'static>> {
    let (what, least) = match count.of {
        Counted::Arrivals => ("arrivals", 1),
        Counted::Bytes => ("bytes", 0),
    };
    if least <= count.value && count.value <= MOST {
        return None;
    }
    Some([Arg::Int(count.value), Arg::Str(what), Arg::Int(least), Arg::Int(MOST)])
}

pub(in crate::rules) const fn count_not_whole(count: BarrierCount) -> Option<Args<'static>> {
    match (count.of, count.value) {
        (Counted::Bytes, 0..=MOST) if count.by_copies && count.value % WORD != 0 => {
            Some([Arg::Int(count.value), Arg::Int(WORD), NONE, NONE])
        }
        (Counted::Bytes | Counted::Arrivals, _) => None,
    }
}
