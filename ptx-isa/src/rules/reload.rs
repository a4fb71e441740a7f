//! The test of loads that assume data to be read-only while a kernel runs: `ld.global.nc`.

use super::access::Object;
use super::{Args, NONE};

/// A load of data that must be read-only while the kernel runs, after a store to it by the same thread.
#[derive(Clone, Copy, Debug)]
pub struct Reload<'a> {
    /// The object of both accesses.
    pub object: Object<'a>,
    /// The distance in bytes from the start of the store to that of the load.
    pub apart: i128,
    /// The number of bytes that are stored.
    pub stored: i128,
    /// The number of bytes that are loaded.
    pub loaded: i128,
}

pub(super) const fn stored_before_nc(reload: Reload<'_>) -> Option<Args<'_>> {
    if reload.apart <= -reload.loaded || reload.apart >= reload.stored {
        return None;
    }
    Some([reload.object.arg(), NONE, NONE, NONE])
}
