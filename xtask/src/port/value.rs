//! Initial values.

use super::parse::Parser;
use super::tokens::integer;

/// An initial value.
pub(super) enum InitialValue {
    /// `{1, 2}`.
    List(Vec<InitialValue>),
    /// A number in PTX.
    Number(String),
    /// An address in Rust.
    Address(String),
}

impl InitialValue {
    /// Whether it contains an address.
    pub(super) fn has_address(&self) -> bool {
        match self {
            Self::List(values) => values.iter().any(Self::has_address),
            Self::Number(_) => false,
            Self::Address(_) => true,
        }
    }
}

/// The maximum nesting of lists.
const DEPTH: usize = 32;

impl Parser<'_> {
    /// Reads a value at this nesting depth.
    pub(super) fn parse_value(&mut self, depth: usize) -> Result<InitialValue, String> {
        let tokens = &mut self.tokens;
        if depth > DEPTH {
            return Err(format!(
                "lists stand in lists, {DEPTH} deep; no array has so many extents"
            ));
        }
        if tokens.accept("{") {
            let mut values = Vec::new();
            while !self.tokens.accept("}") {
                values.push(self.parse_value(depth + 1)?);
                if !self.tokens.accept(",") && self.tokens.peek() != Some("}") {
                    return Err(self.tokens.unexpected("`,`"));
                }
            }
            return Ok(InitialValue::List(values));
        }
        if tokens.accept("-") {
            return Ok(InitialValue::Number(format!("-{}", tokens.take()?)));
        }
        let token = tokens.take()?;
        if token.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            if !tokens.accept("(") {
                return Ok(InitialValue::Number(token.to_owned()));
            }
            let (InitialValue::Address(inner) | InitialValue::Number(inner)) =
                self.parse_value(depth + 1)?
            else {
                return Err(format!("`{token}(..)` is a mask of one address, and this is a list"));
            };
            self.tokens.expect(")")?;
            return Ok(InitialValue::Address(format!("mask({token}, {inner})")));
        }
        let mut address = if token == "generic" {
            tokens.expect("(")?;
            let name = tokens.take()?;
            tokens.expect(")")?;
            format!("generic({})", self.names.of_symbol(name))
        } else {
            format!("addr({})", self.names.of_symbol(token))
        };
        if self.tokens.accept("+") {
            address = format!("{address} + {}", self.tokens.number()?);
        }
        Ok(InitialValue::Address(address))
    }
}

/// The number of zeros at the end of an array that are written out.
const ZEROS: u64 = 64;

/// The number that is written out after addresses, which have no shorter form.
const ZEROS_BEHIND_ADDRESSES: u64 = 1 << 16;

/// The Rust form of the value of an array of vectors or scalars; missing elements are zero.
pub(super) fn write_value(
    value: Option<&InitialValue>,
    extents: &[u64],
    element: &str,
    lanes: u64,
) -> Result<String, String> {
    let Some((&extent, inner)) = extents.split_first() else {
        if lanes > 1 {
            let list = write_value(value, &[lanes], element, 1)?;
            return Ok(format!("V{lanes}::new({list})"));
        }
        return match value {
            None => write_number("0", element),
            Some(InitialValue::Number(text)) => write_number(text, element),
            Some(InitialValue::Address(text)) => Ok(text.clone()),
            Some(InitialValue::List(_)) => Err("expected a number, but found a list".to_owned()),
        };
    };
    let values: &[InitialValue] = match value {
        None => &[],
        Some(InitialValue::List(values)) => values,
        Some(InitialValue::Number(text) | InitialValue::Address(text)) => {
            return Err(format!("expected a list, `{{ .. }}`, but found `{text}`"));
        }
    };
    let zero = write_value(None, inner, element, lanes)?;
    if values.is_empty() {
        return Ok(format!("[{zero}; {extent}]"));
    }
    let mut all: Vec<String> = values
        .iter()
        .map(|value| write_value(Some(value), inner, element, lanes))
        .collect::<Result<_, _>>()?;
    let missing = extent.saturating_sub(all.len() as u64);
    let has_address = values.iter().any(InitialValue::has_address);
    if missing > ZEROS && !has_address {
        let list = all.join(", ");
        return Ok(format!(
            "{{ let mut all = [{zero}; {extent}]; let some = [{list}]; let mut i = 0; \
             while i < some.len() {{ all[i] = some[i]; i += 1; }} all }}"
        ));
    }
    if missing > ZEROS_BEHIND_ADDRESSES {
        return Err(format!(
            "{missing} zeros follow addresses, which have no short form; make the array shorter"
        ));
    }
    all.extend((0..missing).map(|_| zero.clone()));
    Ok(format!("[{}]", all.join(", ")))
}

/// The Rust form of a number of this type.
fn write_number(text: &str, element: &str) -> Result<String, String> {
    let wrong = || format!("`{text}` is not a value of `{element}`");
    let bits = |prefixes: [&str; 2], digits: usize| {
        let hex = prefixes.iter().find_map(|prefix| text.strip_prefix(prefix))?;
        (hex.len() == digits).then(|| u64::from_str_radix(hex, 16).ok())?
    };
    let single = bits(["0f", "0F"], 8).and_then(|bits| u32::try_from(bits).ok());
    let double = bits(["0d", "0D"], 16);
    match (element, single, double) {
        (".f32", Some(bits), _) => return Ok(format!("f32::from_bits({bits:#010X})")),
        (".f64", Some(bits), _) => {
            let bits = f64::from(f32::from_bits(bits)).to_bits();
            return Ok(format!("f64::from_bits({bits:#018X})"));
        }
        (".f32", None, Some(bits)) => return Ok(format!("(f64::from_bits({bits:#018X}) as f32)")),
        (".f64", None, Some(bits)) => return Ok(format!("f64::from_bits({bits:#018X})")),
        (".f32" | ".f64", None, None) => {
            let value = text.parse().ok().filter(|value: &f64| value.is_finite());
            return Ok(format!("{:?}", value.ok_or_else(wrong)?));
        }
        _ => {}
    }
    let value = integer(text).ok_or_else(wrong)?;
    let kind = element.get(1..2).ok_or_else(wrong)?;
    let width: u32 = element.get(2..).and_then(|width| width.parse().ok()).ok_or_else(wrong)?;
    let unused = 128_u32.checked_sub(width).filter(|unused| *unused < 128).ok_or_else(wrong)?;
    let shifted = value << unused;
    match kind {
        "b" => Ok(format!("B{width}({})", shifted.cast_unsigned() >> unused)),
        "u" => Ok((shifted.cast_unsigned() >> unused).to_string()),
        "s" => Ok((shifted >> unused).to_string()),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fit_their_types() {
        for (text, element, rust) in [
            ("-1", ".u32", "4294967295"),
            ("0xFFFF", ".s16", "-1"),
            ("200", ".b8", "B8(200)"),
            ("-1", ".b128", "B128(340282366920938463463374607431768211455)"),
            ("0f3F800000", ".f32", "f32::from_bits(0x3F800000)"),
            ("0f3F800000", ".f64", "f64::from_bits(0x3FF0000000000000)"),
            ("1.5e-3", ".f64", "0.0015"),
        ] {
            assert_eq!(write_number(text, element).as_deref(), Ok(rust), "{text} {element}");
        }
        for (text, element) in [("x", ".u32"), ("1", ".texref"), ("1", ".u0"), ("1", "é")] {
            assert!(write_number(text, element).is_err(), "{text} {element}");
        }
    }

    #[test]
    fn missing_elements_are_zero() {
        let list = |numbers: &[&str]| {
            InitialValue::List(
                numbers.iter().map(|text| InitialValue::Number((*text).to_owned())).collect(),
            )
        };
        let written =
            |value: &InitialValue, extents: &[u64]| write_value(Some(value), extents, ".u8", 1);
        assert_eq!(written(&list(&["1"]), &[3]).as_deref(), Ok("[1, 0, 0]"));
        assert_eq!(written(&list(&[]), &[9]).as_deref(), Ok("[0; 9]"));
        assert!(written(&list(&["1"]), &[1 << 40]).is_ok_and(|text| text.len() < 200));
        let address = InitialValue::List(vec![InitialValue::Address("addr(x)".to_owned())]);
        assert!(written(&address, &[1 << 40]).is_err());
        assert!(written(&list(&["1"]), &[]).is_err());
    }
}
