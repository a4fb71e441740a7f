//! The suffixes that type parameters stand for.

use ptx_isa::{Class, ScalarType};

/// The instructions that move bits, whatever they mean, and have no types for floats of 16 bits and fewer.
const OF_BITS: [&str; 6] = ["ld", "ldu", "mov", "selp", "shfl", "st"];

/// The suffix of `.T` for a type, without a dot, in a statement with this opcode: `bf16`, but `b16` where an instruction
/// only moves bits, or where a variable is declared, which has no opcode.
pub(crate) fn suffix(scalar: ScalarType, opcode: Option<&str>) -> &'static str {
    match opcode {
        None => scalar.declared().trim_start_matches('.'),
        Some(opcode) if OF_BITS.contains(&opcode) && is_bits_there(scalar) => {
            scalar.initialised().0.trim_start_matches('.')
        }
        Some(_) => scalar.name(),
    }
}

/// Whether such an instruction takes the bits of a type: of `f16`, of other small floats, and of packed types.
fn is_bits_there(scalar: ScalarType) -> bool {
    let is_alternate = scalar.declared().trim_start_matches('.') != scalar.name();
    is_alternate || scalar.class() == Class::Float && scalar.bytes() < 4
}
