//! Variables of a file.

use std::fmt::Write as _;

use super::function::array;
use super::names::scalar;
use super::parse::{Item, Linkage, Parser, attribute};
use super::value::{InitialValue, write_value};

/// The common part of the variables of one declaration.
struct Declaration<'t> {
    /// `global`
    space: &'t str,
    linkage: Linkage,
    /// `managed`
    attributes: Vec<String>,
    align: Option<u64>,
    lanes: u64,
    /// `.u32`
    element: &'t str,
}

impl<'t> Parser<'t> {
    /// Reads a declaration after its state space.
    pub(super) fn parse_variables(
        &mut self,
        space: &'t str,
        linkage: Linkage,
    ) -> Result<(), String> {
        let attributes = self.parse_attributes()?;
        let align = self.parse_align()?;
        let lanes = self.parse_lanes();
        let element = self.tokens.take()?;
        let declaration = Declaration { space, linkage, attributes, align, lanes, element };
        loop {
            self.parse_variable(&declaration)?;
            if !self.tokens.accept(",") {
                return self.tokens.expect(";");
            }
        }
    }

    /// Reads `.attribute(.managed, .unified(1, 2))`, if it is next.
    fn parse_attributes(&mut self) -> Result<Vec<String>, String> {
        let mut attributes = Vec::new();
        if !self.tokens.accept(".attribute") {
            return Ok(attributes);
        }
        self.tokens.expect("(")?;
        loop {
            match self.tokens.take()? {
                ".managed" => attributes.push("managed".to_owned()),
                ".unified" => {
                    self.tokens.expect("(")?;
                    let upper = self.tokens.number()?;
                    self.tokens.expect(",")?;
                    let lower = self.tokens.number()?;
                    self.tokens.expect(")")?;
                    attributes.push(format!("unified({upper:#x}, {lower:#x})"));
                }
                other => {
                    return Err(format!(
                        "`{other}` of `.attribute` has no form in Rust; remove it"
                    ));
                }
            }
            if !self.tokens.accept(",") {
                break;
            }
        }
        self.tokens.expect(")")?;
        Ok(attributes)
    }

    fn parse_variable(&mut self, declaration: &Declaration<'_>) -> Result<(), String> {
        let Declaration { space, linkage, align, lanes, element, .. } = *declaration;
        let ptx = self.tokens.take()?;
        let (name, mut text) = self.names.of_item(ptx);
        let family = if self.tokens.accept("<") {
            let count = self.tokens.number()?;
            self.tokens.expect(">")?;
            Some(count)
        } else {
            None
        };
        let mut extents = self.parse_extents()?;
        let value = if self.tokens.accept("=") { Some(self.parse_value(0)?) } else { None };
        if let (Some(first @ None), Some(InitialValue::List(values))) =
            (extents.first_mut(), &value)
        {
            *first = Some(values.len() as u64);
        }
        let mut arguments = declaration.attributes.clone();
        let is_sized = extents.first().is_none_or(Option::is_some);
        arguments.extend(linkage_word(linkage, space, is_sized).map(str::to_owned));
        // An address is a number, which Rust's bit types are not.
        let element = match (&value, element) {
            (Some(value), ".b64") if value.has_address() => ".u64",
            (Some(value), ".b8") if value.has_address() => ".u8",
            (_, element) => element,
        };
        let mut ty = match element {
            ".texref" => "TexRef".to_owned(),
            ".samplerref" => "SamplerRef".to_owned(),
            ".surfref" => "SurfRef".to_owned(),
            _ => {
                let (ty, bytes) = scalar(element, lanes)?;
                if let Some(align) = align.filter(|align| *align != bytes) {
                    arguments.push(format!("align = {align}"));
                }
                ty
            }
        };
        arguments.extend(self.allowance(&name));
        for extent in extents.iter().rev() {
            ty = array(&ty, *extent);
        }
        if let Some(count) = family {
            ty = format!("Family<{ty}, {count}>");
        }
        let value = match &value {
            None => String::new(),
            Some(value) => {
                let extents: Option<Vec<u64>> = extents.into_iter().collect();
                let extents = extents.ok_or_else(|| {
                    format!("`{ptx}` has a value and no length; write its length")
                })?;
                let value = write_value(Some(value), &extents, element, lanes);
                format!(" = {}", value.map_err(|why| format!("in the value of `{ptx}`: {why}"))?)
            }
        };
        text.push_str(&attribute(if space == "const" { "constant" } else { space }, &arguments));
        let visibility = if linkage == Linkage::Visible { "pub " } else { "" };
        let _ = writeln!(text, "    {visibility}static {name}: {ty}{value};");
        self.items.push(Item { declares: None, text });
        Ok(())
    }
}

/// The Rust form of the linkage of a variable.
fn linkage_word(linkage: Linkage, space: &str, is_sized: bool) -> Option<&'static str> {
    match linkage {
        // Without a size, the launch determines it; with one, the variable belongs to another module.
        Linkage::Extern if space == "shared" && !is_sized => Some("dynamic"),
        Linkage::Extern => Some("extern"),
        Linkage::Weak => Some("weak"),
        Linkage::Common => Some("common"),
        Linkage::Internal | Linkage::Visible => None,
    }
}
