//! What `tcgen05` does with tensor memory (PTX ISA 9.7.16).
//!
//! Its addresses are numbers, as the hardware gives them: a column, and from bit 16 on a lane. Of what an instruction accesses, the first column counts.

use crate::order::act::Way;
use crate::order::address::Byte;
use crate::order::columns;
use crate::order::fault::Kind;
use crate::order::lanes::{Lanes, Mask, each_lane};
use crate::order::machine::{Machine, WARPS_OF_GROUP};
use crate::order::step::{Location, Tensor};
use crate::order::term::{Term, lowest};
use crate::order::warp::{Fiber, MULTIPLICATIONS, TENSOR_LOADS, TENSOR_STORES, Wait};

/// Where the lane starts in an address.
const LANE: u32 = 16;

/// The parts of 16 lanes of tensor memory.
const PARTS: u64 = 2 * WARPS_OF_GROUP as u64;

/// Which half of the 32 lanes of a warp an address is in.
const fn half(address: u64) -> u64 {
    address >> (LANE + 4) & 1
}

/// Where the number of rows, in units of 16, starts in an instruction descriptor, and its bits.
const ROWS: (u32, u64) = (24, 0x1f);

impl Machine<'_> {
    /// Executes an instruction on tensor memory that does not wait.
    pub(super) fn act_on_tensor(&mut self, w: usize, fiber: &Fiber, tensor: &Tensor) {
        let (lanes, at) = (fiber.lanes, fiber.at);
        match tensor {
            Tensor::Allocate(..) => {}
            Tensor::Free(address, columns) => {
                // What still loads has its numbers before they are needed, or a rule of its own.
                self.warps[w].each_of_kind(TENSOR_LOADS, |it| it.wait_all(lanes));
                if let Some(address) = self.common(w, lanes, address) {
                    let way = Way { writes: true, ..Way::default() };
                    self.touch_column(w, (lanes, at), (address, 0..PARTS), way);
                }
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
            Tensor::Load(address, registers, is_whole) => {
                let by = self.start_copy(w, TENSOR_LOADS, lanes);
                let way = Way { by: Some(by), ..Way::default() };
                self.touch_tensor(w, (lanes, at), (address, *is_whole), way);
                self.warps[w].loading.extend(registers.iter().copied());
                for register in registers {
                    self.warps[w].set(*register, lanes, Lanes::UNKNOWN);
                }
            }
            Tensor::Store(address, is_whole) => {
                let by = self.start_copy(w, TENSOR_STORES, lanes);
                let way = Way { writes: true, by: Some(by), ..Way::default() };
                self.touch_tensor(w, (lanes, at), (address, *is_whole), way);
            }
            Tensor::Wait(kind) => self.warps[w].wait_for_tensor(lanes, *kind),
            Tensor::Multiply((to, from), descriptors, how) => {
                let by = self.start_copy(w, MULTIPLICATIONS, lanes);
                self.read_described(w, (lanes, at), descriptors, by);
                let how = self.common(w, lanes, how);
                let is_whole = how.is_some_and(|how| how >> ROWS.0 & ROWS.1 == 8);
                for (address, writes) in [(from.as_ref(), false), (Some(to), true)] {
                    let Some(address) = address.and_then(|it| self.common(w, lanes, it)) else {
                        continue;
                    };
                    let way = Way { writes, by: Some(by), ..Way::default() };
                    let half = half(address);
                    let parts = if is_whole { 0..PARTS } else { half..half + 1 };
                    self.touch_column(w, (lanes, at), (address, parts), way);
                }
            }
        }
    }

    /// Records an access of a warp to its lanes of tensor memory, or to half of them.
    fn touch_tensor(
        &mut self,
        w: usize,
        place: (Mask, usize),
        (address, is_whole): (&Term, bool),
        way: Way,
    ) {
        let Some(address) = self.common(w, place.0, address) else { return };
        let own = self.warps[w].first / 32 % WARPS_OF_GROUP as u64 * 2;
        let half = own + half(address);
        let parts = if is_whole { own..own + 2 } else { half..half + 1 };
        self.touch_column(w, place, (address, parts), way);
    }

    fn touch_column(
        &mut self,
        w: usize,
        (lanes, step): (Mask, usize),
        (address, parts): (u64, core::ops::Range<u64>),
        way: Way,
    ) {
        let (block, column) = (self.warps[w].block, lowest(address, LANE));
        let lane = lanes.trailing_zeros() as usize;
        for part in parts {
            let byte = Byte::of_tensor(block, part, column);
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
