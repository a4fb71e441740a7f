//! The bytes of initial values.

use ptx_isa::ir::body::single_bits;
use ptx_isa::ir::{Byte, Init, Link, Type, Value, Variable};
use ptx_isa::{Class, ScalarType, Text};

/// The size limit of an initial value, in bytes: the generated code contains all of them as a constant, including
/// zeros that are not written in the file.
const LARGEST: usize = 64 << 20;

/// The message about a variable whose initial value is too large for a constant.
pub(super) fn too_large(variable: &Variable<'_>) -> Option<String> {
    let has_value = !matches!(variable.init, Init::None | Init::Members(_) | Init::Unknown(_));
    let bytes = variable.bytes().filter(|bytes| has_value && *bytes > LARGEST)?;
    let text = |number: usize| {
        let mut text = Text::<64>::new();
        text.push_int(number as i128, true);
        text.as_str().to_owned()
    };
    Some(format!(
        "`{}` is {} bytes, and an initial value that is imported is at most {}; leave it out, and set the \
         variable before the first launch",
        variable.name,
        text(bytes),
        text(LARGEST)
    ))
}

/// An initial value as bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initial<'m> {
    /// The bytes of the whole type, little endian, with zeros in the place of addresses.
    pub bytes: Vec<u8>,
    /// The addresses in it.
    pub links: Vec<Link<'m>>,
}

/// The initial value of a variable; `None` if it has none, one that is not of its type, or one that is too
/// large, which [`import`](super::import) reports.
pub fn initial<'m>(variable: &Variable<'m>) -> Option<Initial<'m>> {
    let size = variable.bytes().filter(|size| *size <= LARGEST)?;
    match variable.init {
        Init::None | Init::Members(_) | Init::Unknown(_) => None,
        Init::Bytes(bytes) => Some(Initial { bytes: bytes.to_vec(), links: Vec::new() }),
        Init::Linked(linked) => {
            Some(Initial { bytes: linked.bytes.to_vec(), links: linked.links.to_vec() })
        }
        Init::Value(value) => {
            let mut found = Initial { bytes: vec![0; size], links: Vec::new() };
            found.put(variable.ty, &value, 0)?;
            Some(found)
        }
    }
}

impl<'m> Initial<'m> {
    /// Stores a value of this type at an offset. Values missing from a list stay zero.
    fn put(&mut self, ty: &Type<'_>, value: &Value<'m>, at: usize) -> Option<()> {
        match (ty, value, value.elements()) {
            (Type::Array(_, element), list, Some(count)) => {
                let size = element.size()?;
                (0..count)
                    .map(|n| self.put(element, &list.element(n), place(at, n, size)?))
                    .collect()
            }
            (Type::Vector(_, scalar), list, Some(count)) => {
                let size = scalar.bytes();
                (0..count)
                    .map(|n| self.put_scalar(*scalar, &list.element(n), place(at, n, size)?))
                    .collect()
            }
            (Type::Scalar(scalar), list, Some(1)) => self.put_scalar(*scalar, &list.element(0), at),
            (Type::Scalar(scalar), value, _) => self.put_scalar(*scalar, value, at),
            (Type::Aligned(_, inner), value, _) => self.put(inner, value, at),
            _ => None,
        }
    }

    fn put_scalar(&mut self, scalar: ScalarType, value: &Value<'m>, at: usize) -> Option<()> {
        let size = scalar.bytes();
        let place = self.bytes.get_mut(at..place(at, 1, size)?)?;
        match *value {
            Value::Int(number) => place.copy_from_slice(integer(scalar, number)?.get(..size)?),
            Value::Float(number) => place.copy_from_slice(&float(scalar, number)?),
            Value::MaskedInt(mask, number) => {
                let byte = Byte::of_mask(mask)?;
                let bytes = number.to_le_bytes();
                *place.first_mut()? = bytes[usize::from(byte.index())];
            }
            Value::Address(address) => self.links.push(Link { at, size, address, byte: None }),
            Value::MaskedAddress(mask, address) => {
                let byte = Some(Byte::of_mask(mask)?);
                self.links.push(Link { at, size: 1, address, byte });
            }
            Value::List(_) | Value::Integers(_) | Value::Floats(_) => return None,
        }
        Some(())
    }
}

/// The offset of element `n`, or `None` on overflow.
fn place(at: usize, n: usize, size: usize) -> Option<usize> {
    at.checked_add(n.checked_mul(size)?)
}

/// The bytes of a scalar whose value is an integer.
fn integer(scalar: ScalarType, number: i128) -> Option<Vec<u8>> {
    #[allow(clippy::cast_precision_loss)] // rounds as the assembler does
    match scalar.class() {
        Class::Float => float(scalar, number as f64),
        Class::Signed | Class::Unsigned | Class::Bits => Some(number.to_le_bytes().to_vec()),
        Class::Predicate => None,
    }
}

/// The bytes of a scalar whose value is a floating-point number.
fn float(scalar: ScalarType, number: f64) -> Option<Vec<u8>> {
    match scalar {
        ScalarType::F32 | ScalarType::B32 => Some(single_bits(number).to_le_bytes().to_vec()),
        ScalarType::F64 | ScalarType::B64 => Some(number.to_le_bytes().to_vec()),
        // The assembler takes the low bits.
        ScalarType::B8 | ScalarType::B16 => Some(number.to_le_bytes()[..scalar.bytes()].to_vec()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use ptx_isa::ir::{Address, Byte, Extent, Init, Link, Type, Value, Variable};
    use ptx_isa::{ScalarType, Space};

    use super::{initial, too_large};

    const FLOATS: &Type<'static> = &Type::Array(
        Extent::Known(2),
        &Type::Array(Extent::Known(2), &Type::Scalar(ScalarType::F32)),
    );
    const BYTES: &Type<'static> = &Type::Array(Extent::Incomplete, &Type::Scalar(ScalarType::U8));

    fn variable<'a>(ty: &'a Type<'a>, value: Value<'a>) -> Variable<'a> {
        Variable { init: Init::Value(value), ..Variable::new(Space::Global, "x", ty) }
    }

    #[test]
    fn missing_values_are_zero() {
        let values = [
            Value::List(&[Value::Float(1.0)]),
            Value::List(&[Value::Float(0.5), Value::Float(-2.0)]),
        ];
        let found = initial(&variable(FLOATS, Value::List(&values))).unwrap();
        let expected: Vec<u8> =
            [1.0_f32, 0.0, 0.5, -2.0].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(found.bytes, expected);
        let vector = Type::Vector(2, ScalarType::S16);
        let value = [Value::Int(-1), Value::Int(0x0201)];
        let found = initial(&variable(&vector, Value::List(&value))).unwrap();
        assert_eq!(found.bytes, [0xFF, 0xFF, 1, 2]);
    }

    #[test]
    fn masks_select_bytes() {
        let address = Address { symbol: "f", generic: true, addend: 4 };
        let value = [
            Value::MaskedInt(0xFF00, 0x1234),
            Value::MaskedAddress(0xFF00, address),
            Value::Int(200),
        ];
        let found = initial(&variable(BYTES, Value::List(&value))).unwrap();
        assert_eq!(found.bytes, [0x12, 0, 200]);
        let byte = Byte::of_mask(0xFF00);
        assert_eq!(found.links, [Link { at: 1, size: 1, address, byte }]);
    }

    #[test]
    fn values_that_are_too_large_have_no_bytes() {
        let byte = Type::Scalar(ScalarType::B8);
        let value = [Value::Int(1)];
        let array = |count| Type::Array(Extent::Known(count), &byte);
        let (most, large) = (array(super::LARGEST), array(1 << 40));
        let most = variable(&most, Value::List(&value));
        assert_eq!(initial(&most).unwrap().bytes.len(), super::LARGEST);
        assert_eq!(too_large(&most), None);
        let large = variable(&large, Value::List(&value));
        assert_eq!(initial(&large), None);
        assert_eq!(
            too_large(&large).unwrap(),
            "`x` is 1,099,511,627,776 bytes, and an initial value that is imported is at most 67,108,864; \
             leave it out, and set the variable before the first launch"
        );
        assert_eq!(too_large(&Variable::new(Space::Global, "x", large.ty)), None);
        // Zero elements, each of which would be larger than the address space.
        let huge = array(1 << 62);
        let none = Type::Array(Extent::Known(0), &huge);
        let values = [Value::List(&value); 5];
        assert_eq!(initial(&variable(&none, Value::List(&values))), None);
    }

    #[test]
    fn values_of_another_type_have_no_bytes() {
        let scalar = Type::Scalar(ScalarType::F16);
        assert_eq!(initial(&variable(&scalar, Value::Float(1.0))), None);
        assert_eq!(initial(&variable(FLOATS, Value::Int(1))), None);
        let many = [Value::List(&[]), Value::List(&[]), Value::List(&[Value::Int(1)])];
        assert_eq!(initial(&variable(FLOATS, Value::List(&many))), None);
        assert_eq!(initial(&Variable::new(Space::Global, "x", FLOATS)), None);
    }
}
