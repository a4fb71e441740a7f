//! Initial values as text (PTX ISA 5.4.4).

use core::fmt;

use ptx_float::Format;
use ptx_isa::ir::body::single_bits;
use ptx_isa::ir::{Address, Byte, Extent, Init, Link, Type, Value, Variable};
use ptx_isa::{Assignment, Class, MemberValue, Number, ScalarType, Space};

use crate::half_bits::half_bits;
use crate::out::Out;

/// The column at which lines end, if a list can be broken.
const WIDTH: usize = 84;

/// A nested list with more numbers than this is broken between its inner lists.
const SHORT: usize = 8;

/// Whether the variable's text has an initial value, which may be zero.
pub(crate) fn has_value(variable: &Variable<'_>) -> bool {
    match variable.init {
        Init::None | Init::Unknown(_) => false,
        // An empty list of members is not a value, where values are possible at all.
        Init::Members(members) => !members.is_empty() || variable.space != Space::Global,
        Init::Bytes(_) | Init::Linked(_) | Init::Value(_) => true,
    }
}

/// Writes the initial value, without the equals sign.
pub(crate) fn write_value<W: fmt::Write>(
    out: &mut Out<'_, W>,
    variable: &Variable<'_>,
) -> fmt::Result {
    // A value may determine the length of an array; it is then written in full.
    let zeros = match variable.ty.extent(0) {
        Some(Extent::Incomplete) => Zeros::Written,
        Some(Extent::Known(_) | Extent::Unknown) | None => Zeros::Omitted,
    };
    match &variable.init {
        Init::None | Init::Unknown(_) => Ok(()),
        Init::Bytes(bytes) => {
            let source = Source::<false> { bytes, at: 0, links: &[] };
            write_bytes(out, variable.ty, source, zeros)
        }
        Init::Linked(linked) => {
            let source = Source::<true> { bytes: linked.bytes, at: 0, links: linked.links };
            write_bytes(out, variable.ty, source, zeros)
        }
        Init::Members(members) => write_members(out, members),
        Init::Value(value) => write_literal(out, variable.ty, value),
    }
}

fn write_members<W: fmt::Write>(out: &mut Out<'_, W>, members: &[Assignment]) -> fmt::Result {
    out.put("{ ")?;
    for (i, Assignment { member, value }) in members.iter().enumerate() {
        if i > 0 {
            out.put(", ")?;
        }
        out.put(member.name())?;
        out.put(" = ")?;
        match value {
            MemberValue::Int(value) => out.put_int(*value)?,
            MemberValue::Filter(mode) => out.put(mode.name())?,
            MemberValue::Address(mode) => out.put(mode.name())?,
        }
    }
    out.put(" }")
}

/// A part of an initial value: its bytes, their position in the value, and the addresses of the whole
/// value. Most values have no addresses, and are written faster by code that does not look for them.
#[derive(Clone, Copy)]
struct Source<'a, const LINKED: bool> {
    bytes: &'a [u8],
    at: usize,
    links: &'a [Link<'a>],
}

impl<'a, const LINKED: bool> Source<'a, LINKED> {
    /// Splits the value into parts of `size` bytes.
    fn chunks(self, size: usize) -> impl Iterator<Item = Self> {
        self.bytes.chunks_exact(size).enumerate().map(move |(i, bytes)| Self {
            bytes,
            at: self.at + i * size,
            links: self.links,
        })
    }

    /// The address that covers the first byte, and the index of this byte in it.
    fn link(self) -> Option<(&'a Link<'a>, usize)> {
        if !LINKED {
            return None;
        }
        let after = self.links.partition_point(|link| link.at <= self.at);
        let link = self.links[..after].last()?;
        (self.at < link.at + link.size).then(|| (link, self.at - link.at))
    }

    /// The elements to write: if zeros are omitted, those up to the last nonzero one,
    /// and at least one.
    fn written(self, size: usize, zeros: Zeros) -> Self {
        match zeros {
            Zeros::Written => self,
            Zeros::Omitted => {
                let used =
                    self.bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
                let end = self.at + self.bytes.len();
                let before = self.links.partition_point(|link| link.at < end);
                let linked = self.links[..before].last().map_or(0, |link| link.at + link.size);
                let used = used.max(linked.saturating_sub(self.at));
                let used = used.next_multiple_of(size).min(self.bytes.len());
                Self { bytes: &self.bytes[..used], ..self }
            }
        }
    }
}

/// Whether trailing zeros are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    /// Trailing zeros are omitted.
    Omitted,
    /// All elements are written: ptxas moves the elements after an incomplete inner list into the gap, although
    /// PTX ISA 5.4.4 states that it is filled with zeros.
    Written,
}

/// Writes a value from its bytes.
fn write_bytes<W: fmt::Write, const LINKED: bool>(
    out: &mut Out<'_, W>,
    ty: &Type<'_>,
    source: Source<'_, LINKED>,
    zeros: Zeros,
) -> fmt::Result {
    if let Type::Struct(_) = ty.element() {
        // An array of structs is a single array of bytes.
        return write_list(out, source, 1, zeros, write_byte);
    }
    match ty {
        Type::Scalar(scalar) => write_element(out, *scalar, source),
        Type::Vector(_, scalar) => {
            write_list(out, source, scalar.bytes(), Zeros::Written, |out, source| {
                write_element(out, *scalar, source)
            })
        }
        Type::Aligned(_, inner) => write_bytes(out, inner, source, zeros),
        Type::Array(_, element) => {
            let Some(size) = element.size().filter(|size| *size > 0) else { return Ok(()) };
            match element {
                Type::Scalar(ScalarType::U8) => write_list(out, source, 1, zeros, write_byte),
                Type::Scalar(scalar) if scalar.initialised().1 == 1 => {
                    write_list(out, source, size, zeros, |out, source| {
                        write_element(out, *scalar, source)
                    })
                }
                _ => write_nested(out, element, source, size, zeros),
            }
        }
        // These types have no bytes, and so no value.
        Type::Struct(_) | Type::Opaque(_) | Type::Family(..) | Type::Unknown => Ok(()),
    }
}

/// Writes one byte: a number, or one byte of an address.
fn write_byte<W: fmt::Write, const LINKED: bool>(
    out: &mut Out<'_, W>,
    source: Source<'_, LINKED>,
) -> fmt::Result {
    let Some((link, byte)) = source.link() else { return out.put_byte(source.bytes[0]) };
    let byte = link.byte.unwrap_or(Byte::ALL[byte.min(7)]);
    write_masked(out, byte.mask(), &link.address)
}

/// Writes one scalar: a number, or an address.
fn write_element<W: fmt::Write, const LINKED: bool>(
    out: &mut Out<'_, W>,
    scalar: ScalarType,
    source: Source<'_, LINKED>,
) -> fmt::Result {
    match source.link() {
        None => write_scalar(out, scalar, source.bytes),
        Some((link, _)) if scalar.bytes() > 1 => write_address(out, &link.address),
        Some(_) => write_byte(out, source),
    }
}

/// `generic(x)+8`
fn write_address<W: fmt::Write>(out: &mut Out<'_, W>, address: &Address<'_>) -> fmt::Result {
    if address.generic {
        out.put("generic(")?;
        out.put(address.symbol)?;
        out.put(")")?;
    } else {
        out.put(address.symbol)?;
    }
    if address.addend != 0 {
        // `x-4` is not PTX; `x+-4` is.
        out.put("+")?;
        out.put_int(address.addend)?;
    }
    Ok(())
}

/// `0xff00(generic(x)+8)`
fn write_masked<W: fmt::Write>(
    out: &mut Out<'_, W>,
    mask: u64,
    address: &Address<'_>,
) -> fmt::Result {
    write_mask(out, mask)?;
    out.put("(")?;
    write_address(out, address)?;
    out.put(")")
}

fn write_mask<W: fmt::Write>(out: &mut Out<'_, W>, mask: u64) -> fmt::Result {
    out.put("0x")?;
    out.put_hex(mask.into(), (64 - mask.leading_zeros()).div_ceil(4).max(1) as usize)
}

/// Writes a list of numbers, as many per line as fit.
fn write_list<W: fmt::Write, const LINKED: bool>(
    out: &mut Out<'_, W>,
    source: Source<'_, LINKED>,
    size: usize,
    zeros: Zeros,
    mut element: impl FnMut(&mut Out<'_, W>, Source<'_, LINKED>) -> fmt::Result,
) -> fmt::Result {
    out.put("{")?;
    for (i, source) in source.written(size, zeros).chunks(size).enumerate() {
        if i > 0 {
            if out.column() < WIDTH {
                out.put(", ")?;
            } else {
                out.put(",")?;
                out.end_line()?;
                out.indent(1)?;
            }
        }
        element(out, source)?;
    }
    out.put("}")
}

/// Writes a list of lists: on one line if it is short, otherwise one inner list per line.
fn write_nested<W: fmt::Write, const LINKED: bool>(
    out: &mut Out<'_, W>,
    element: &Type<'_>,
    source: Source<'_, LINKED>,
    size: usize,
    zeros: Zeros,
) -> fmt::Result {
    let numbers = element.scalar().map_or(1, |scalar| source.bytes.len() / scalar.bytes().max(1));
    let source = source.written(size, zeros);
    // Types that the rules refuse must not panic here.
    let size = size.max(1);
    let last = (source.bytes.len() / size).saturating_sub(1);
    out.put("{")?;
    for (i, source) in source.chunks(size).enumerate() {
        if i > 0 {
            out.put(",")?;
        }
        if numbers > SHORT {
            out.end_line()?;
            out.indent(1)?;
        } else if i > 0 {
            out.put(" ")?;
        }
        write_bytes(out, element, source, if i == last { zeros } else { Zeros::Written })?;
    }
    if numbers > SHORT {
        out.end_line()?;
    }
    out.put("}")
}

/// Writes one scalar from its bytes, in the form that its carrier takes.
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

#[allow(clippy::cast_possible_truncation)] // intended
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

/// Writes a literal value as given, floats exactly.
fn write_literal<W: fmt::Write>(
    out: &mut Out<'_, W>,
    ty: &Type<'_>,
    value: &Value<'_>,
) -> fmt::Result {
    let element = match ty {
        Type::Array(_, element) => element,
        Type::Aligned(_, inner) => return write_literal(out, inner, value),
        Type::Vector(_, scalar) => &Type::Scalar(*scalar),
        Type::Scalar(_) | Type::Struct(_) | Type::Opaque(_) | Type::Family(..) | Type::Unknown => {
            ty
        }
    };
    match value {
        Value::Int(int) => match ty.scalar() {
            // Two 64-bit halves carry it.
            Some(ScalarType::B128) => write_scalar(out, ScalarType::B128, &int.to_le_bytes()),
            Some(_) | None => out.put_int(*int),
        },
        #[allow(clippy::cast_possible_truncation)] // the variable's own precision
        Value::Float(float) => match ty.scalar() {
            // Packed types become `.b32`.
            Some(scalar) if matches!(scalar.initialised().0, ".f32" | ".b32") => {
                write_f32(out, u128::from(single_bits(*float)))
            }
            Some(ScalarType::F16) => write_bits(out, half_bits(&Format::F16, *float), 2),
            Some(ScalarType::Bf16) => write_bits(out, half_bits(&Format::BF16, *float), 2),
            // Two 64-bit halves carry it.
            Some(ScalarType::B128) => {
                out.put("{")?;
                write_f64(out, u128::from(float.to_bits()))?;
                out.put(", 0}")
            }
            Some(_) | None => write_f64(out, u128::from(float.to_bits())),
        },
        Value::Address(address) => write_address(out, address),
        Value::MaskedAddress(mask, address) => write_masked(out, *mask, address),
        Value::MaskedInt(mask, int) => {
            write_mask(out, *mask)?;
            out.put("(")?;
            out.put_int(*int)?;
            out.put(")")
        }
        Value::List(_) | Value::Integers(_) | Value::Floats(_) => {
            out.put("{")?;
            for i in 0..value.elements().unwrap_or_default() {
                if i > 0 {
                    out.put(", ")?;
                }
                write_literal(out, element, &value.element(i))?;
            }
            out.put("}")
        }
    }
}
