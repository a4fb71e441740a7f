//! Variables of a file.

use ptx_isa::ir::{Extent, Init, Linkage, Type, Variable};
use ptx_isa::{ScalarType, Space};

use super::source::Item;
use super::value::{Values, has_address};
use super::writer::{WIDTH, Writer, attribute, rust_type};

impl Writer<'_> {
    /// The Rust text of a variable.
    pub(super) fn variable(
        &mut self,
        variable: &Variable<'_>,
        item: &Item<'_>,
    ) -> Result<String, String> {
        let ptx = variable.name;
        let (name, mut text) = self.names.of_item(ptx);
        let value = match variable.init {
            Init::None => None,
            Init::Value(value) => Some(value),
            Init::Members(_) | Init::Bytes(_) | Init::Linked(_) | Init::Unknown(_) => {
                return Err(format!(
                    "the value of `{ptx}` has no form in a module; remove it, or keep the file as it is with `ptx bind`"
                ));
            }
        };
        let given = self.types.of_variable(ptx);
        if let Some(given) = given {
            given.check(variable)?;
            if value.is_some() {
                return Err(format!(
                    "the value of `{ptx}` is one of its type in the file, and not of `{}`; remove the value, or do not \
                     give the type",
                    given.rust
                ));
            }
        }
        // An address is a number, which Rust's bit types are not.
        let is_address = value.is_some_and(has_address);
        let mut arguments = Vec::new();
        if variable.managed {
            arguments.push("managed".to_owned());
        }
        if let Some(unified) = variable.unified {
            arguments.push(format!("unified({:#x}, {:#x})", unified.upper, unified.lower));
        }
        let is_dynamic =
            variable.space == Space::Shared && variable.ty.extent(0) == Some(Extent::Incomplete);
        let linkage = match variable.linkage {
            // Without a size, the launch determines it; with one, the variable belongs to another module.
            Linkage::Extern | Linkage::Dynamic if is_dynamic => Some("dynamic"),
            Linkage::Extern | Linkage::Dynamic => Some("extern"),
            Linkage::Weak => Some("weak"),
            Linkage::Common => Some("common"),
            Linkage::Internal | Linkage::Visible => None,
        };
        arguments.extend(linkage.map(str::to_owned));
        let is_opaque = matches!(variable.ty.element(), Type::Opaque(_));
        let natural = given.map_or(variable.ty, |given| given.ty).align();
        let align = variable.align.filter(|align| !is_opaque && natural != Some(*align));
        arguments.extend(align.map(|align| format!("align = {align}")));
        arguments.extend(self.allowance(&name, variable.allow));
        let counted = match (variable.ty, value.and_then(|value| value.elements())) {
            (Type::Array(Extent::Incomplete, element), Some(count)) => {
                Type::Array(Extent::Known(count), element)
            }
            (ty, _) => *ty,
        };
        let mut ty = match given {
            Some(given) => given.rust.to_owned(),
            None => rust_type(&counted)?,
        };
        if let (true, Type::Scalar(ScalarType::B64 | ScalarType::B8)) =
            (is_address, counted.element())
        {
            ty = ty.replace("B64", "u64").replace("B8", "u8");
        }
        let values = Values { names: &self.names, is_address, has_bits: item.has_bits };
        let value = value.map(|value| values.write(Some(value), &counted)).transpose();
        let value = value.map_err(|why| format!("in the value of `{ptx}`: {why}"))?;
        let value = value.map_or(String::new(), |value| format!(" = {value}"));
        self.note_names(&ty);
        self.note_names(&value);
        let space = variable.space.name();
        text.push_str(&attribute(if space == "const" { "constant" } else { space }, &arguments));
        let visibility = if variable.linkage == Linkage::Visible { "pub " } else { "" };
        let line = format!("    {visibility}static {name}: {ty}{value};");
        Ok(format!("{text}{}\n", if line.len() > WIDTH { wrapped(&line) } else { line }))
    }
}

/// A declaration whose value is a list, on several lines.
fn wrapped(line: &str) -> String {
    let list = line.split_once(" = [").zip(line.strip_suffix("];"));
    let Some(((start, _), inner)) = list else { return line.to_owned() };
    let mut lines = format!("{start} = [");
    let mut width = WIDTH;
    for element in inner[start.len() + " = [".len()..].split(", ") {
        if width + element.len() + 2 > WIDTH {
            lines.push_str("\n       ");
            width = 7;
        }
        lines.extend([" ", element, ","]);
        width += element.len() + 2;
    }
    lines + "\n    ];"
}
