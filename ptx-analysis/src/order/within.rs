//! The order of the threads of a warp, where lockstep does not count: only `bar.warp.sync` and what orders whole blocks
//! lets one of them know what another has done (PTX ISA 8.9).

use alloc::boxed::Box;

use crate::order::lanes::{Mask, WARP, each_lane};

/// For each thread of a warp, up to when it knows what each other one has done.
#[derive(Debug, Default)]
pub(super) struct Within(Box<[[u32; WARP]; WARP]>);

impl Within {
    /// Whether a thread knows what another one did at a time.
    pub(super) fn knows(&self, lane: usize, other: usize, time: u32) -> bool {
        lane == other || self.0[lane][other] >= time
    }

    /// Lets each of these threads know what all of them have done and know up to a time.
    pub(super) fn meet(&mut self, lanes: Mask, time: u32) {
        let mut all = [0; WARP];
        for lane in each_lane(lanes) {
            all.iter_mut().zip(&self.0[lane]).for_each(|(all, own)| *all = (*all).max(*own));
            all[lane] = time;
        }
        each_lane(lanes).for_each(|lane| self.0[lane] = all);
    }

    /// Lets these threads know all that their warp has done up to a time.
    pub(super) fn learn(&mut self, lanes: Mask, time: u32) {
        each_lane(lanes).for_each(|lane| self.0[lane] = [time; WARP]);
    }
}
