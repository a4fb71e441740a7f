//! Kernels and device functions.

use std::fmt::Write as _;

use ptx_frontend::ir::body::integer;
use ptx_frontend::ir::{Function, Linkage, Param};
use ptx_frontend::{FunctionKind, Space};

use super::body::write_body;
use super::source::Item;
use super::writer::{Writer, attribute, rust_type};

/// A parameter or a return value in Rust.
struct Written {
    name: String,
    /// `#[align(16)] ` if an alignment is declared.
    align: String,
    /// The type in a signature: `Reg<T>` for a register.
    ty: String,
}

impl Writer<'_> {
    /// The Rust text of a function.
    pub(super) fn function(
        &mut self,
        function: &Function<'_>,
        item: &Item<'_>,
    ) -> Result<String, String> {
        let (ptx, linkage) = (function.name, function.linkage);
        if function.unified.is_some() {
            return Err("the `.attribute` of a function has no form here; remove it".to_owned());
        }
        self.names.start_function();
        let returns = self.params(function.returns)?;
        let params = self.params(function.params)?;
        let mut arguments = Vec::new();
        match (linkage, item.body) {
            (Linkage::Weak, Some(_)) => arguments.push("weak".to_owned()),
            (Linkage::Extern | Linkage::Dynamic, Some(_)) => {
                return Err(format!("`{ptx}` is `.extern` and has a body; remove one of them"));
            }
            (Linkage::Common, _) => {
                return Err(format!("`{ptx}` is `.common`, as only variables are; remove it"));
            }
            (_, None) => arguments.push("extern".to_owned()),
            (Linkage::Internal | Linkage::Visible, Some(_)) => {}
        }
        let is_kernel = function.kind == FunctionKind::Kernel;
        for (word, values) in &item.directives {
            if *word == "pragma" {
                let pragma = values.join(", ");
                self.left_out.push(format!("`.pragma {pragma}` of `{ptx}`"));
                continue;
            }
            let number = |word: &&str| match integer(word) {
                Some(number) => number.to_string(),
                None => (*word).to_owned(),
            };
            let values: Vec<String> = values.iter().map(number).collect();
            let directive = match values.as_slice() {
                [] => (*word).to_owned(),
                [value] => format!("{word} = {value}"),
                values => format!("{word} = ({})", values.join(", ")),
            };
            if is_kernel && item.body.is_none() {
                // It is part of the kernel's definition.
                self.left_out.push(format!("`{directive}` of `{ptx}`, which is elsewhere"));
            } else {
                arguments.push(directive);
            }
        }
        if !returns.is_empty() {
            let names: Vec<String> =
                returns.iter().map(|value| format!("{}{}", value.align, value.name)).collect();
            arguments.push(format!("returns({})", names.join(", ")));
        }
        let (name, mut text) = match item.body {
            Some(_) => self.names.of_item(ptx),
            None => self.names.of_declaration(ptx),
        };
        arguments.extend(self.allowance(&name));
        text.push_str(&attribute(if is_kernel { "kernel" } else { "device" }, &arguments));
        let is_public = linkage == Linkage::Visible && item.body.is_some();
        let _ = write!(text, "    {}fn {name}(", if is_public { "pub " } else { "" });
        for Written { name, align, ty } in &params {
            let _ = write!(text, "\n        {align}{name}: {ty},");
        }
        text.push_str(if params.is_empty() { ")" } else { "\n    )" });
        let types: Vec<&str> = returns.iter().map(|value| value.ty.as_str()).collect();
        let _ = match types.as_slice() {
            [] => Ok(()),
            [ty] => write!(text, " -> {ty}"),
            types => write!(text, " -> ({})", types.join(", ")),
        };
        match item.body {
            None => text.push_str(";\n"),
            Some(body) => {
                text.push_str(" {\n        ptx! {\n");
                write_body(body, &self.names, &mut text);
                text.push_str("        }\n    }\n");
            }
        }
        Ok(text)
    }

    fn params(&mut self, params: &[Param<'_>]) -> Result<Vec<Written>, String> {
        params.iter().enumerate().map(|(index, param)| self.param(index, param)).collect()
    }

    fn param(&mut self, index: usize, param: &Param<'_>) -> Result<Written, String> {
        let variable = &param.variable;
        let mut ty = match param.pointer {
            Some(pointer) => {
                let space = pointer.space.map_or("Generic".to_owned(), |it| format!("{it:?}"));
                format!("Ptr<{space}, B8, U{}>", pointer.alignment().unwrap_or(1))
            }
            None => rust_type(variable.ty)?,
        };
        let mut align = variable.align.map_or(String::new(), |it| format!("#[align({it})] "));
        if variable.space == Space::Reg {
            (ty, align) = (format!("Reg<{ty}>"), String::new());
        }
        let name = match variable.name {
            "_" => self.names.of_param(&format!("unnamed{index}")),
            ptx => self.names.of_param(ptx),
        };
        if self.names.is_function(variable.name) {
            self.left_out.push(format!(
                "the name `{}` of a parameter, which is that of a function: it is `{name}` here",
                variable.name
            ));
        }
        Ok(Written { name, align, ty })
    }
}
