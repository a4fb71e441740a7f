//! Initial values.

use ptx_isa::ir::body::single_bits;
use ptx_isa::ir::{Address, Type, Value};
use ptx_isa::{Class, ScalarType};

use super::names::Names;

/// Whether a value contains an address, or a byte of one.
pub(super) fn has_address(value: Value<'_>) -> bool {
    match value {
        Value::List(values) => values.iter().copied().any(has_address),
        Value::Address(_) | Value::MaskedAddress(..) | Value::MaskedInt(..) => true,
        Value::Int(_) | Value::Float(_) | Value::Integers(_) | Value::Floats(_) => false,
    }
}

/// The number of zeros at the end of an array that are written out.
const ZEROS: usize = 64;

/// The number that is written out after addresses, which have no shorter form.
const ZEROS_AFTER_ADDRESSES: usize = 1 << 16;

/// Writes the parts of a value.
pub(super) struct Values<'a> {
    pub(super) names: &'a Names<'a>,
    /// Whether the value contains an address.
    pub(super) is_address: bool,
    /// Whether floating-point numbers are written as their bits.
    pub(super) has_bits: bool,
}

impl Values<'_> {
    /// The Rust form of a value of this type; missing elements are zero.
    pub(super) fn write(&self, value: Option<Value<'_>>, ty: &Type<'_>) -> Result<String, String> {
        match ty {
            Type::Array(extent, element) => {
                let extent = extent.known();
                let extent = extent.ok_or("an array has no length; write its length")?;
                self.list(value, extent, element)
            }
            Type::Vector(lanes, scalar) => {
                let list = self.list(value, usize::from(*lanes), &Type::Scalar(*scalar))?;
                Ok(format!("V{lanes}::new({list})"))
            }
            Type::Scalar(scalar) => self.scalar(value.unwrap_or(Value::Int(0)), *scalar),
            Type::Family(_, inner) | Type::Aligned(_, inner) => self.write(value, inner),
            Type::Struct(_) | Type::Opaque(_) | Type::Unknown => {
                Err("its type has no values".to_owned())
            }
        }
    }

    fn list(
        &self,
        value: Option<Value<'_>>,
        extent: usize,
        element: &Type<'_>,
    ) -> Result<String, String> {
        let count = value.map_or(Some(0), |value| value.elements());
        let count = count.ok_or("expected a list, `{ .. }`, but found a number")?;
        let zero = self.write(None, element)?;
        let Some(value) = value.filter(|_| count > 0) else {
            return Ok(format!("[{zero}; {extent}]"));
        };
        let each = (0..count).map(|n| self.write(Some(value.element(n)), element));
        let mut all: Vec<String> = each.collect::<Result<_, _>>()?;
        let missing = extent.saturating_sub(count);
        if missing > ZEROS && !has_address(value) {
            let list = all.join(", ");
            return Ok(format!(
                "{{ let mut all = [{zero}; {extent}]; let some = [{list}]; let mut i = 0; \
                 while i < some.len() {{ all[i] = some[i]; i += 1; }} all }}"
            ));
        }
        if missing > ZEROS_AFTER_ADDRESSES {
            return Err(format!(
                "{missing} zeros follow addresses, which have no short form; make the array shorter"
            ));
        }
        all.extend((0..missing).map(|_| zero.clone()));
        Ok(format!("[{}]", all.join(", ")))
    }

    fn scalar(&self, value: Value<'_>, scalar: ScalarType) -> Result<String, String> {
        let wrong = |value: &str| Err(format!("`{value}` is not a value of `.{}`", scalar.name()));
        match value {
            Value::Int(number) => Ok(match scalar.class() {
                Class::Float => format!("{number}.0"),
                Class::Predicate => return wrong(&number.to_string()),
                Class::Signed => (number << unused(scalar) >> unused(scalar)).to_string(),
                Class::Unsigned | Class::Bits => {
                    let bits = (number << unused(scalar)).cast_unsigned() >> unused(scalar);
                    let is_number =
                        self.is_address && matches!(scalar, ScalarType::B8 | ScalarType::B64);
                    if scalar.class() == Class::Bits && !is_number {
                        format!("B{}({bits})", 8 * scalar.bytes())
                    } else {
                        bits.to_string()
                    }
                }
            }),
            Value::Float(number) => {
                let is_decimal = number.is_finite() && !self.has_bits;
                match scalar {
                    ScalarType::F32 | ScalarType::F64 if is_decimal => Ok(format!("{number:?}")),
                    ScalarType::F32 => Ok(format!("f32::from_bits({:#010X})", single_bits(number))),
                    ScalarType::F64 => Ok(format!("f64::from_bits({:#018X})", number.to_bits())),
                    _ => wrong(&number.to_string()),
                }
            }
            Value::Address(address) => Ok(self.address(&address)),
            Value::MaskedAddress(mask, address) => {
                Ok(format!("mask({mask:#X}, {})", self.address(&address)))
            }
            Value::MaskedInt(mask, number) => Ok(format!("mask({mask:#X}, {number})")),
            Value::List(_) | Value::Integers(_) | Value::Floats(_) => {
                Err("expected a number, but found a list".to_owned())
            }
        }
    }

    fn address(&self, address: &Address<'_>) -> String {
        let word = if address.generic { "generic" } else { "addr" };
        let symbol = self.names.of_symbol(address.symbol);
        match address.addend {
            0 => format!("{word}({symbol})"),
            addend => format!("{word}({symbol}) + {addend}"),
        }
    }
}

/// The bits of an `i128` that a scalar does not use.
fn unused(scalar: ScalarType) -> usize {
    128 - 8 * scalar.bytes()
}

#[cfg(test)]
mod tests {
    use ptx_isa::ir::Extent;

    use super::*;

    fn written(value: Value<'_>, ty: &Type<'_>, has_bits: bool) -> Result<String, String> {
        let names = Names::default();
        Values { names: &names, is_address: false, has_bits }.write(Some(value), ty)
    }

    #[test]
    fn numbers_fit_their_types() {
        for (value, scalar, rust) in [
            (Value::Int(-1), ScalarType::U32, "4294967295"),
            (Value::Int(0xFFFF), ScalarType::S16, "-1"),
            (Value::Int(200), ScalarType::B8, "B8(200)"),
            (Value::Int(-1), ScalarType::B128, "B128(340282366920938463463374607431768211455)"),
            (Value::Float(1.0), ScalarType::F32, "f32::from_bits(0x3F800000)"),
            (Value::Float(1.0), ScalarType::F64, "f64::from_bits(0x3FF0000000000000)"),
        ] {
            assert_eq!(written(value, &Type::Scalar(scalar), true).as_deref(), Ok(rust));
        }
        let float = written(Value::Float(1.5e-3), &Type::Scalar(ScalarType::F64), false);
        assert_eq!(float.as_deref(), Ok("0.0015"));
        for value in [Value::Float(1.5), Value::List(&[])] {
            assert!(written(value, &Type::Scalar(ScalarType::U32), false).is_err(), "{value:?}");
        }
    }

    #[test]
    fn missing_elements_are_zero() {
        let bytes = |count| Type::Array(Extent::Known(count), &Type::Scalar(ScalarType::U8));
        let written = |value, count| written(value, &bytes(count), false);
        let one = Value::Integers(&[1]);
        assert_eq!(written(one, 3).as_deref(), Ok("[1, 0, 0]"));
        assert_eq!(written(Value::Integers(&[]), 9).as_deref(), Ok("[0; 9]"));
        assert!(written(one, 1 << 40).is_ok_and(|text| text.len() < 200));
        let address = Address { symbol: "x", generic: false, addend: 0 };
        let address = [Value::Address(address)];
        assert!(written(Value::List(&address), 1 << 40).is_err());
        assert!(written(Value::Int(1), 1).is_err());
    }
}
