//! Initial values as text (PTX ISA 5.4.4).

use core::fmt;

use ptx_types::ir::{Init, Type, Value, Variable};
use ptx_types::{Class, Number, ScalarType};

use crate::out::Out;

/// Lines end before this column where a list can be broken.
const WIDTH: usize = 84;

/// A list of more numbers than this is broken between its inner lists.
const SHORT: usize = 8;

/// Whether the variable's text has an initial value: zero goes without saying.
pub(crate) fn has_value(variable: &Variable<'_>) -> bool {
    match variable.init {
        Init::None | Init::Unknown => false,
        Init::Bytes(bytes) => variable.is_counted_by_value() || bytes.iter().any(|byte| *byte != 0),
        Init::Value(_) => true,
    }
}

/// Writes the initial value, without the equals sign.
pub(crate) fn write_value<W: fmt::Write>(
    out: &mut Out<'_, W>,
    variable: &Variable<'_>,
) -> fmt::Result {
    match &variable.init {
        Init::None | Init::Unknown => Ok(()),
        Init::Bytes(bytes) => write_bytes(out, variable.ty, bytes, Zeros::Omitted),
        Init::Value(value) => write_literal(out, variable.ty, value),
    }
}

/// How much of a list is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    /// Zeros at the end go without saying.
    Omitted,
    /// All elements: ptxas moves what follows an incomplete inner list into the gap, although
    /// PTX ISA 5.4.4 says that it is filled with zeros.
    Written,
}

/// Writes a value from its bytes.
fn write_bytes<W: fmt::Write>(
    out: &mut Out<'_, W>,
    ty: &Type<'_>,
    bytes: &[u8],
    zeros: Zeros,
) -> fmt::Result {
    if let Type::Struct(_) = ty.element() {
        // An array of structs is one array of bytes.
        return write_list(out, bytes, 1, zeros, |out, byte| out.put_byte(byte[0]));
    }
    match ty {
        Type::Scalar(scalar) => write_scalar(out, *scalar, bytes),
        Type::Vector(_, scalar) => {
            write_list(out, bytes, scalar.bytes(), Zeros::Written, |out, bytes| {
                write_scalar(out, *scalar, bytes)
            })
        }
        Type::Aligned(_, inner) => write_bytes(out, inner, bytes, zeros),
        Type::Array(_, element) => {
            let Some(size) = element.size().filter(|size| *size > 0) else { return Ok(()) };
            match element {
                Type::Scalar(ScalarType::U8) => {
                    write_list(out, bytes, 1, zeros, |out, byte| out.put_byte(byte[0]))
                }
                Type::Scalar(scalar) if scalar.initialised().1 == 1 => {
                    write_list(out, bytes, size, zeros, |out, bytes| {
                        write_scalar(out, *scalar, bytes)
                    })
                }
                _ => write_nested(out, element, bytes, size, zeros),
            }
        }
        Type::Struct(_) | Type::Unknown => Ok(()),
    }
}

/// The elements that are written: with zeros omitted, those up to the last that is not zero, and
/// at least one.
fn written(bytes: &[u8], size: usize, zeros: Zeros) -> &[u8] {
    match zeros {
        Zeros::Written => bytes,
        Zeros::Omitted => {
            let used = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
            &bytes[..used.next_multiple_of(size).min(bytes.len())]
        }
    }
}

/// Writes a list of numbers, as many on a line as fit.
fn write_list<W: fmt::Write>(
    out: &mut Out<'_, W>,
    bytes: &[u8],
    size: usize,
    zeros: Zeros,
    mut element: impl FnMut(&mut Out<'_, W>, &[u8]) -> fmt::Result,
) -> fmt::Result {
    out.put("{")?;
    for (i, bytes) in written(bytes, size, zeros).chunks_exact(size).enumerate() {
        if i > 0 {
            if out.column() < WIDTH {
                out.put(", ")?;
            } else {
                out.put(",")?;
                out.end_line()?;
                out.indent(1)?;
            }
        }
        element(out, bytes)?;
    }
    out.put("}")
}

/// Writes a list of lists: on one line if it is short, else one inner list a line.
fn write_nested<W: fmt::Write>(
    out: &mut Out<'_, W>,
    element: &Type<'_>,
    bytes: &[u8],
    size: usize,
    zeros: Zeros,
) -> fmt::Result {
    let numbers = element.scalar().map_or(1, |scalar| bytes.len() / scalar.bytes().max(1));
    let bytes = written(bytes, size, zeros);
    let last = bytes.len() / size - 1;
    out.put("{")?;
    for (i, bytes) in bytes.chunks_exact(size).enumerate() {
        if i > 0 {
            out.put(",")?;
        }
        if numbers > SHORT {
            out.end_line()?;
            out.indent(1)?;
        } else if i > 0 {
            out.put(" ")?;
        }
        write_bytes(out, element, bytes, if i == last { zeros } else { Zeros::Written })?;
    }
    if numbers > SHORT {
        out.end_line()?;
    }
    out.put("}")
}

/// Writes one scalar from its bytes, as its carrier takes it.
fn write_scalar<W: fmt::Write>(
    out: &mut Out<'_, W>,
    scalar: ScalarType,
    bytes: &[u8],
) -> fmt::Result {
    let bits = bytes.iter().rev().fold(0_u128, |bits, byte| bits << 8 | u128::from(*byte));
    match scalar.class() {
        Class::Unsigned => out.put_int(low_64(bits)),
        Class::Signed => {
            let unused = 64 - 8 * scalar.bytes();
            out.put_int((low_64(bits) << unused).cast_signed() >> unused)
        }
        Class::Float => match scalar {
            ScalarType::F32 => write_f32(out, bits),
            ScalarType::F64 => write_f64(out, bits),
            other => write_bits(out, bits, other.bytes()),
        },
        Class::Bits => {
            let (_, count) = scalar.initialised();
            if count == 1 {
                return write_bits(out, bits, scalar.bytes());
            }
            out.put("{")?;
            write_bits(out, bits & u128::from(u64::MAX), 8)?;
            out.put(", ")?;
            write_bits(out, bits >> 64, 8)?;
            out.put("}")
        }
        Class::Predicate => Ok(()),
    }
}

#[allow(clippy::cast_possible_truncation)] // what is asked for
fn low_64(bits: u128) -> u64 {
    bits as u64
}

fn write_bits<W: fmt::Write>(out: &mut Out<'_, W>, bits: u128, size: usize) -> fmt::Result {
    if bits < 10 {
        return out.put_int(low_64(bits));
    }
    out.put("0x")?;
    out.put_hex(bits, 2 * size)
}

fn write_f32<W: fmt::Write>(out: &mut Out<'_, W>, bits: u128) -> fmt::Result {
    out.put("0f")?;
    out.put_hex(bits, 8)
}

fn write_f64<W: fmt::Write>(out: &mut Out<'_, W>, bits: u128) -> fmt::Result {
    out.put("0d")?;
    out.put_hex(bits, 16)
}

/// Writes a number in an instruction.
pub(crate) fn write_number<W: fmt::Write>(out: &mut Out<'_, W>, number: Number) -> fmt::Result {
    match number {
        Number::Int { negative, magnitude } => {
            if negative {
                out.put("-")?;
            }
            out.put_int(magnitude)
        }
        Number::Bits(bits) => {
            out.put("0x")?;
            let digits = (128 - bits.leading_zeros()).div_ceil(4).max(1) as usize;
            out.put_hex(bits, digits)
        }
        Number::F32(bits) => write_f32(out, u128::from(bits)),
        Number::F64(bits) => write_f64(out, u128::from(bits)),
    }
}

/// Writes a literal value as it was given, floats exactly.
fn write_literal<W: fmt::Write>(
    out: &mut Out<'_, W>,
    ty: &Type<'_>,
    value: &Value<'_>,
) -> fmt::Result {
    let element = match ty {
        Type::Array(_, element) => element,
        Type::Aligned(_, inner) => return write_literal(out, inner, value),
        Type::Vector(_, scalar) => &Type::Scalar(*scalar),
        Type::Scalar(_) | Type::Struct(_) | Type::Unknown => ty,
    };
    match value {
        Value::Int(int) => match ty.scalar() {
            // Two halves of 64 bits carry them.
            Some(ScalarType::B128) => write_scalar(out, ScalarType::B128, &int.to_le_bytes()),
            Some(_) | None => out.put_int(*int),
        },
        #[allow(clippy::cast_possible_truncation)] // the variable's own precision
        Value::Float(float) => match ty.scalar() {
            Some(ScalarType::F32) => write_f32(out, u128::from((*float as f32).to_bits())),
            Some(ScalarType::F16) => {
                write_bits(out, half::f16::from_f64(*float).to_bits().into(), 2)
            }
            Some(ScalarType::Bf16) => {
                write_bits(out, half::bf16::from_f64(*float).to_bits().into(), 2)
            }
            Some(_) | None => write_f64(out, u128::from(float.to_bits())),
        },
        Value::List(values) => {
            out.put("{")?;
            for (i, value) in values.iter().enumerate() {
                if i > 0 {
                    out.put(", ")?;
                }
                write_literal(out, element, value)?;
            }
            out.put("}")
        }
    }
}
