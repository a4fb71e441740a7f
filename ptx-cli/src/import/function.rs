//! Kernels and device functions.

use std::fmt::Write as _;

use ptx_isa::Space;
use ptx_isa::ir::body::integer;
use ptx_isa::ir::{Function, FunctionKind, Linkage, Param};

use super::body::write_body;
use super::places::places;
use super::source::{Item, not_of_rust};
use super::writer::{WIDTH, Writer, attribute, pointer_type, rust_type};

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
        self.names.start_function();
        let returns = self.params(None, function.returns)?;
        let params = self.params(Some(function), function.params)?;
        let mut arguments = Vec::new();
        match (linkage, &item.body) {
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
        if let Some(unified) = function.unified {
            if is_kernel {
                return Err(format!(
                    "a kernel has no `.attribute` in a module; remove that of `{ptx}`"
                ));
            }
            arguments.push(format!("unified({:#x}, {:#x})", unified.upper, unified.lower));
        }
        if item.has_launch {
            self.left_out.push(format!(
                "the example of a launch of `{ptx}`; write it as `#[kernel(launch(..))]`"
            ));
        }
        for (word, at, values) in &item.directives {
            if *word == "attribute" {
                continue;
            }
            if *word == "pragma" {
                let pragma = values.join(", ");
                self.refuse(at.clone(), format!(
                    "`.pragma {pragma}` before a body has no form in a module; write it in the body, at the statements \
                     that it is for"
                ));
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
        let (name, mut text) = self.names.of_item(ptx);
        arguments.extend(self.allowance(&name, function.allow));
        text.push_str(&attribute(if is_kernel { "kernel" } else { "device" }, &arguments));
        let is_public = linkage == Linkage::Visible && item.body.is_some();
        let start = format!("    {}fn {name}(", if is_public { "pub " } else { "" });
        let types: Vec<&str> = returns.iter().map(|value| value.ty.as_str()).collect();
        let result = match types.as_slice() {
            [] => String::new(),
            [ty] => format!(" -> {ty}"),
            types => format!(" -> ({})", types.join(", ")),
        };
        let end = if item.body.is_some() { " {\n" } else { ";\n" };
        let params: Vec<String> = params
            .iter()
            .map(|Written { name, align, ty }| format!("{align}{name}: {ty}"))
            .collect();
        let line = format!("{start}{}){result}{end}", params.join(", "));
        if line.len() <= WIDTH + 1 {
            text.push_str(&line);
        } else {
            text.push_str(&start);
            for param in params {
                let _ = write!(text, "\n        {param},");
            }
            let _ = write!(text, "\n    ){result}{end}");
        }
        if let Some(range) = item.body.clone() {
            let start = range.start;
            let body = &self.parsed.text()[range];
            text.push_str("        ptx! {\n");
            let places = if self.places {
                places(self.parsed.module(), function, body, self.types, &self.names)
            } else {
                Vec::new()
            };
            let mut lines = String::new();
            write_body(body, &self.names, &places, &mut lines);
            if not_of_rust(&lines).is_some() {
                let at = not_of_rust(body).unwrap_or(0..body.len());
                let word = &body[at.clone()];
                let why = format!(
                    "`{word}` is not a token of Rust, which bodies consist of; write it in another way"
                );
                self.refuse(start + at.start..start + at.end, why);
            }
            text.push_str(&lines);
            text.push_str("        }\n    }\n");
        }
        Ok(text)
    }

    /// The parameters of a function, or its return values, without one.
    fn params(
        &mut self,
        function: Option<&Function<'_>>,
        params: &[Param<'_>],
    ) -> Result<Vec<Written>, String> {
        let params = params.iter().enumerate();
        params.map(|(index, param)| self.param(function, index, param)).collect()
    }

    fn param(
        &mut self,
        function: Option<&Function<'_>>,
        index: usize,
        param: &Param<'_>,
    ) -> Result<Written, String> {
        let variable = &param.variable;
        let given = function.and_then(|it| self.types.of_param(it, variable.name));
        let mut natural = None;
        let mut ty = match (given, param.pointer) {
            (Some(given), _) => {
                given.check(variable)?;
                natural = given.ty.align();
                given.rust.to_owned()
            }
            (None, Some(pointer)) => pointer_type(&pointer),
            (None, None) => rust_type(variable.ty)?,
        };
        let align = variable.align.filter(|align| Some(*align) != natural);
        let mut align = align.map_or(String::new(), |it| format!("#[align({it})] "));
        if variable.space == Space::Reg {
            (ty, align) = (format!("Reg<{ty}>"), String::new());
        }
        self.note_names(&ty);
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
