//! Orders: follows all threads of a block or a cluster in a launch, and reports what goes wrong in the order of what they
//! do: accesses that nothing orders, phases and barriers that are never over, and fences that are missing.
//!
//! One schedule decides all where neither addresses nor branches depend on loaded data (WEFT, PLDI 2015). What may happen
//! is not reported, and counts as having happened where that makes something right. Numbers in parameters are tried with
//! several values: reported is what goes wrong with every value with which both places are executed as often.
//!
//! `program` reads a body into the steps of `step`, `machine` runs them, and `memory` has the accesses to each byte.

mod act;
mod address;
mod barriers;
mod blame;
mod called;
mod clock;
mod columns;
mod fault;
mod groups;
mod joins;
mod lanes;
mod launch;
mod machine;
mod mbarriers;
mod memory;
mod origins;
mod polls;
mod program;
mod report;
mod step;
mod synchronise;
mod tensor;
mod term;
mod tried;
mod warp;
mod within;

pub(crate) use report::follow;
