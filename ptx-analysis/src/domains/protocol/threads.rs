//! The number of threads of a block that reach a point, as far as thread indices decide it.

use alloc::rc::Rc;

use ptx_isa::rules::LaunchCondition;

use crate::flow::memory::WARP;
use crate::values::launch::{Block, Fixed, register};

/// Returns the maximum number of threads that satisfy these conditions; `None` if the extents are not declared.
pub(crate) fn most(block: Block, conditions: &[Rc<LaunchCondition>]) -> Option<i128> {
    let Block::Exactly([width, height, depth]) = block else { return None };
    let mut count = 0;
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                let value = |name: &str| {
                    Some(match register(name)? {
                        Fixed::Thread(n) => [x, y, z][n],
                        Fixed::Threads(n) => [width, height, depth][n],
                        Fixed::Lane => (x + width * (y + height * z)) % WARP,
                        _ => return None,
                    })
                };
                let is_met = |condition: &Rc<LaunchCondition>| holds(condition, value);
                count += i128::from(conditions.iter().all(|it| is_met(it).unwrap_or(true)));
            }
        }
    }
    Some(count)
}

/// Whether a condition holds for these values of special registers; `None` if it depends on others.
fn holds(condition: &LaunchCondition, value: impl Fn(&str) -> Option<i128>) -> Option<bool> {
    let mut apart = -condition.plus();
    for (name, times) in condition.left() {
        apart += times * value(name)?;
    }
    for (name, times) in condition.right() {
        apart -= times * value(name)?;
    }
    condition.comparison().holds_between(apart, apart)
}

#[cfg(test)]
mod tests;
