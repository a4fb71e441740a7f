//! The test of loads that take data for unchanged while a kernel runs: `ld.global.nc`.

use super::access::Object;
use super::{Args, NONE};

/// A load of what nothing is to store to while the kernel runs, behind a store of the same thread.
#[derive(Clone, Copy, Debug)]
pub struct Reload<'a> {
    /// What both go to.
    pub object: Object<'a>,
    /// How many bytes behind the start of the store the load starts.
    pub apart: i128,
    /// The bytes that are stored.
    pub stored: i128,
    /// The bytes that are loaded.
    pub loaded: i128,
}

pub(super) const fn stored_before_nc(reload: Reload<'_>) -> Option<Args<'_>> {
    if reload.apart <= -reload.loaded || reload.apart >= reload.stored {
        return None;
    }
    Some([reload.object.arg(), NONE, NONE, NONE])
}
