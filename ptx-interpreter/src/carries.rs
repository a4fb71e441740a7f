//! The results of integer instructions with carry (PTX ISA 9.7.2).

use alloc::boxed::Box;

use super::arithmetic::Half;
use super::integer::Integer;

/// The function from the sources and the carry-in of an instruction to its result and carry-out.
pub(super) type Carrying = Box<dyn Fn(&[u64], bool) -> (u64, bool)>;

/// Returns the operation of an instruction with a carry; `None` if it is not modelled.
pub(super) fn carrying(opcode: &str, words: &[&str]) -> Option<Carrying> {
    let ty = words.iter().find_map(|word| Integer::of(word))?;
    // The carry comes out of the highest bit, whatever the signedness.
    let ty = Integer::unsigned(ty.bits);
    let takes = opcode.ends_with('c');
    let carried = move |carry: bool| i128::from(takes && carry);
    let done = move |sum: i128| (ty.write(sum), sum != i128::from(ty.write(sum)));
    Some(match opcode {
        "add" | "addc" => {
            Box::new(move |from, carry| done(ty.read(from[0]) + ty.read(from[1]) + carried(carry)))
        }
        "sub" | "subc" => {
            Box::new(move |from, carry| done(ty.read(from[0]) - ty.read(from[1]) - carried(carry)))
        }
        "mad" | "madc" => {
            let half = Half::of(words)?;
            let signed = words.iter().find_map(|word| Integer::of(word))?;
            Box::new(move |from, carry| {
                let product = ty.read(half.product(from, signed));
                done(product + ty.read(from[2]) + carried(carry))
            })
        }
        _ => return None,
    })
}
