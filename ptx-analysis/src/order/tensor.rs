//! What `tcgen05` does with tensor memory (PTX ISA 9.7.16).
//!
//! Its addresses are numbers, as the hardware gives them: a column, and from bit 16 on a lane. Of what an instruction accesses, the first column counts.

use crate::order::act::Way;
use crate::order::address::Byte;
use crate::order::clock::Agent;
use crate::order::columns;
use crate::order::fault::Kind;
use crate::order::lanes::{Lanes, Mask, each_lane};
use crate::order::machine::{Machine, WARPS_OF_GROUP};
use crate::order::step::{Location, Tensor};
use crate::order::term::{Term, lowest};
use crate::order::warp::{Fiber, MULTIPLICATIONS, TENSOR_LOADS, TENSOR_STORES, Wait};

/// Where the lane starts in an address.
const LANE: u32 = 16;

/// Where the number of rows, in units of 16, starts in an instruction descriptor, and its bits.
const ROWS: (u32, u64) = (24, 0x1f);

impl Machine<'_> {
    /// Executes an instruction on tensor memory that does not wait.
    pub(super) fn act_on_tensor(&mut self, w: usize, fiber: &Fiber, tensor: &Tensor) {
        let (lanes, at) = (fiber.lanes, fiber.at);
        match tensor {
            Tensor::Allocate(..) => {}
            Tensor::Free(address, columns) => {
                self.touch_tensor(w, (lanes, at), address, (true, WARPS_OF_GROUP), None);
                let block = self.warps[w].block;
                let Some(columns) = self.common(w, lanes, columns) else { return self.lose() };
                if !self.columns.free(block, lowest(columns, 32)) {
                    return self.lose();
                }
                let fibers = self.warps.iter_mut().filter(|warp| warp.block == block);
                for fiber in fibers.flat_map(|warp| &mut warp.fibers) {
                    if let Wait::Columns(_) = fiber.wait {
                        fiber.wait = Wait::Nothing;
                    }
                }
            }
            Tensor::Load(address, registers) => {
                let by = self.start_copy(w, TENSOR_LOADS, lanes);
                self.touch_tensor(w, (lanes, at), address, (false, 1), Some(by));
                self.warps[w].loading.extend(registers.iter().copied());
                for register in registers {
                    self.warps[w].set(*register, lanes, Lanes::UNKNOWN);
                }
            }
            Tensor::Store(address) => {
                let by = self.start_copy(w, TENSOR_STORES, lanes);
                self.touch_tensor(w, (lanes, at), address, (true, 1), Some(by));
            }
            Tensor::Wait(kind) => self.warps[w].wait_for_tensor(lanes, *kind),
            Tensor::Multiply((to, from), descriptors, how) => {
                let by = self.start_copy(w, MULTIPLICATIONS, lanes);
                self.read_described(w, (lanes, at), descriptors, by);
                let how = self.common(w, lanes, how);
                let is_whole = how.is_some_and(|how| how >> ROWS.0 & ROWS.1 == 8);
                let quarters = if is_whole { WARPS_OF_GROUP } else { 1 };
                for (address, writes) in [(from.as_ref(), false), (Some(to), true)] {
                    let Some(address) = address.and_then(|it| self.common(w, lanes, it)) else {
                        continue;
                    };
                    let way = Way { writes, by: Some(by), ..Way::default() };
                    self.touch_column(w, (lanes, at), (address, 0..quarters as u64), way);
                }
            }
        }
    }

    /// Records an access of a warp to its part of tensor memory, or to so many parts.
    fn touch_tensor(
        &mut self,
        w: usize,
        place: (Mask, usize),
        address: &Term,
        (writes, quarters): (bool, usize),
        by: Option<(Agent, u32)>,
    ) {
        let Some(address) = self.common(w, place.0, address) else { return };
        let own = self.warps[w].first / 32 % WARPS_OF_GROUP as u64;
        let quarters = if quarters == 1 { own..own + 1 } else { 0..quarters as u64 };
        self.touch_column(w, place, (address, quarters), Way { writes, by, ..Way::default() });
    }

    fn touch_column(
        &mut self,
        w: usize,
        (lanes, step): (Mask, usize),
        (address, quarters): (u64, core::ops::Range<u64>),
        way: Way,
    ) {
        let (block, column) = (self.warps[w].block, lowest(address, LANE));
        let lane = lanes.trailing_zeros() as usize;
        for quarter in quarters {
            let byte = Byte::of_tensor(block, quarter, column);
            self.touch(w, (lane, step), (byte, 1), way);
        }
    }

    /// Allocates columns, or waits until there are enough.
    pub(super) fn allocate(&mut self, w: usize, fiber: Fiber, to: &Location, columns: &Term) {
        let lanes = fiber.lanes;
        let Some(columns) = self.common(w, lanes, columns) else { return self.lose() };
        let columns = lowest(columns, 32);
        if !columns::is_allocated(columns) {
            self.fault(Kind::OddColumns(columns), fiber.at);
            return self.lose();
        }
        let block = self.warps[w].block;
        let Some(first) = self.columns.allocate(block, columns, fiber.at) else {
            let wait = Wait::Columns(columns);
            self.warps[w].fibers.push(Fiber { wait, has_acted: true, ..fiber });
            return;
        };
        let lane = each_lane(lanes).next().unwrap_or_default();
        match self.byte(w, lane, to) {
            Some((byte, bytes)) => {
                let way = Way { writes: true, operand: to.operand, ..Way::default() };
                self.touch(w, (lane, fiber.at), (byte, bytes), way);
                if let Some(key) = byte.key() {
                    self.memory.store(key, bytes, Some(first));
                }
            }
            None => self.forget(w),
        }
        self.go_on(w, fiber);
    }
}
