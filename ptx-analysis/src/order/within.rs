//! The order of the threads of a warp, where lockstep does not count: only `bar.warp.sync` and what orders whole blocks
//! lets one of them know what another has done (PTX ISA 8.9).

use alloc::boxed::Box;

use crate::order::clock::{Agent, Past};
use crate::order::lanes::{Mask, WARP, each_lane};

/// What each thread of a warp knows.
#[derive(Debug, Default)]
pub(super) struct Within {
    /// For each thread, up to when it knows what each other one has done.
    known: Box<[[u32; WARP]; WARP]>,
    /// The threads that have waited for something without the others, and what those know of the other warps.
    waited: Option<(Mask, Past)>,
}

impl Within {
    /// Whether a thread knows what another one did at a time.
    pub(super) fn knows(&self, lane: usize, other: usize, time: u32) -> bool {
        lane == other || self.known[lane][other] >= time
    }

    /// Whether a thread knows what another warp, or a copy, did at a time, if its warp does.
    pub(super) fn has_learned(&self, lane: usize, agent: Agent, time: u32) -> bool {
        let is_known =
            |(mask, past): &(Mask, Past)| mask >> lane & 1 != 0 || past.happened.of(agent) >= time;
        self.waited.as_ref().is_none_or(is_known)
    }

    /// Returns up to when these threads know, at a time, what each of their warp has done.
    pub(super) fn of(&self, lanes: Mask, time: u32) -> [u32; WARP] {
        core::array::from_fn(|other| match lanes >> other & 1 {
            0 => each_lane(lanes).map(|lane| self.known[lane][other]).max().unwrap_or_default(),
            _ => time,
        })
    }

    /// Notes that these of the threads that have not ended wait for what comes after a past, which all of them know.
    pub(super) fn wait(&mut self, lanes: Mask, live: Mask, past: &Past) {
        let (mask, _) = self.waited.get_or_insert_with(|| (0, past.clone()));
        *mask |= lanes;
        if live & !*mask == 0 {
            self.waited = None;
        }
    }

    /// Lets each of these threads know what all of them have done and know up to a time.
    pub(super) fn meet(&mut self, lanes: Mask, time: u32) {
        let mut all = [0; WARP];
        for lane in each_lane(lanes) {
            all.iter_mut().zip(&self.known[lane]).for_each(|(all, own)| *all = (*all).max(*own));
            all[lane] = time;
        }
        each_lane(lanes).for_each(|lane| self.known[lane] = all);
    }

    /// Lets these of the threads that have not ended know what those of them know that have waited.
    pub(super) fn share(&mut self, lanes: Mask, live: Mask) {
        if let Some((mask, _)) = &mut self.waited
            && *mask & lanes != 0
        {
            *mask |= lanes;
            if live & !*mask == 0 {
                self.waited = None;
            }
        }
    }

    /// Lets these threads know all that their warp has done up to a time.
    pub(super) fn learn(&mut self, lanes: Mask, time: u32) {
        each_lane(lanes).for_each(|lane| self.known[lane] = [time; WARP]);
    }
}
