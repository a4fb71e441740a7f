//! Kernels and device functions.

use std::fmt::Write as _;

use super::body::write_body;
use super::names::scalar;
use super::parse::{Item, Linkage, Parser, attribute};

/// A parameter or a return value.
struct Param {
    name: String,
    /// The type in Rust.
    ty: String,
    /// The declared alignment.
    align: Option<u64>,
    is_register: bool,
}

impl Param {
    /// The type in a signature: `Reg<T>` for a register.
    fn full_type(&self) -> String {
        if self.is_register { format!("Reg<{}>", self.ty) } else { self.ty.clone() }
    }

    /// `#[align(16)] ` if an alignment is declared.
    fn write_align(&self) -> String {
        match self.align {
            Some(align) if !self.is_register => format!("#[align({align})] "),
            _ => String::new(),
        }
    }
}

/// A function in PTX.
struct Function<'t> {
    is_kernel: bool,
    linkage: Linkage,
    name: &'t str,
    returns: Vec<Param>,
    params: Vec<Param>,
    /// `maxntid = (32, 1, 1)`
    directives: Vec<String>,
    body: Option<&'t str>,
}

impl Parser<'_> {
    /// Reads a function after `.entry` or `.func`.
    pub(super) fn parse_function(
        &mut self,
        is_kernel: bool,
        linkage: Linkage,
    ) -> Result<(), String> {
        if self.tokens.peek() == Some(".attribute") {
            return Err("the `.attribute` of a function has no form here; remove it".to_owned());
        }
        self.names.start_function();
        let mut directives = Vec::new();
        if self.tokens.accept(".noreturn") {
            directives.push("noreturn".to_owned());
        }
        let returns = self.parse_params()?;
        let name = self.tokens.take()?;
        let params = self.parse_params()?;
        self.parse_directives(name, &mut directives)?;
        let body = if self.tokens.peek() == Some("{") { Some(self.tokens.braces()?) } else { None };
        self.tokens.accept(";");
        let is_declared = self.items.iter().any(|item| item.declares.as_deref() == Some(name));
        match body {
            None if is_declared || self.defined.contains(name) => return Ok(()),
            Some(_) if !self.defined.insert(name.to_owned()) => {
                return Err(format!("`{name}` has two bodies; leave one of them out"));
            }
            None | Some(_) => {}
        }
        self.write_function(Function {
            is_kernel,
            linkage,
            name,
            returns,
            params,
            directives,
            body,
        })
    }

    /// The directives between the parameters and the body of a function.
    fn parse_directives(
        &mut self,
        function: &str,
        directives: &mut Vec<String>,
    ) -> Result<(), String> {
        while let Some(token) = self.tokens.peek() {
            let word = match token.strip_prefix('.') {
                Some(word) if !word.is_empty() => word,
                _ if matches!(token, "{" | ";") => break,
                _ => return Err(self.tokens.unexpected("a directive or a body")),
            };
            self.tokens.take()?;
            if word == "pragma" {
                let pragma = self.tokens.take()?;
                self.tokens.accept(";");
                self.left_out.push(format!("`.pragma {pragma}` of `{function}`"));
                continue;
            }
            let mut values = Vec::new();
            let is_number = |token: &str| token.starts_with(|c: char| c.is_ascii_digit());
            if self.tokens.peek().is_some_and(is_number) {
                values.push(self.tokens.number()?.to_string());
                while self.tokens.accept(",") {
                    values.push(self.tokens.number()?.to_string());
                }
            }
            directives.push(match values.as_slice() {
                [] => word.to_owned(),
                [value] => format!("{word} = {value}"),
                values => format!("{word} = ({})", values.join(", ")),
            });
        }
        Ok(())
    }

    fn write_function(&mut self, function: Function<'_>) -> Result<(), String> {
        let Function { is_kernel, linkage, name: ptx, returns, params, directives, body } =
            function;
        let mut arguments = Vec::new();
        match (linkage, body) {
            (Linkage::Weak, Some(_)) => arguments.push("weak".to_owned()),
            (Linkage::Extern, Some(_)) => {
                return Err(format!("`{ptx}` is `.extern` and has a body; remove one of them"));
            }
            (Linkage::Common, _) => {
                return Err(format!("`{ptx}` is `.common`, as only variables are; remove it"));
            }
            (_, None) => arguments.push("extern".to_owned()),
            (Linkage::Internal | Linkage::Visible, Some(_)) => {}
        }
        if is_kernel && body.is_none() {
            // They are part of the kernel's definition.
            let of_kernel = |directive| format!("`{directive}` of `{ptx}`, which is elsewhere");
            self.left_out.extend(directives.into_iter().map(of_kernel));
        } else {
            arguments.extend(directives);
        }
        if !returns.is_empty() {
            let names: Vec<String> = returns
                .iter()
                .map(|value| format!("{}{}", value.write_align(), value.name))
                .collect();
            arguments.push(format!("returns({})", names.join(", ")));
        }
        let (name, mut text) = match body {
            Some(_) => self.names.of_item(ptx),
            None => self.names.of_declaration(ptx),
        };
        arguments.extend(self.allowance(&name));
        text.push_str(&attribute(if is_kernel { "kernel" } else { "device" }, &arguments));
        let visibility = if linkage == Linkage::Visible && body.is_some() { "pub " } else { "" };
        let _ = write!(text, "    {visibility}fn {name}(");
        for param in &params {
            let (align, ty) = (param.write_align(), param.full_type());
            let _ = write!(text, "\n        {align}{}: {ty},", param.name);
        }
        text.push_str(if params.is_empty() { ")" } else { "\n    )" });
        let types: Vec<String> = returns.iter().map(Param::full_type).collect();
        let _ = match types.as_slice() {
            [] => Ok(()),
            [ty] => write!(text, " -> {ty}"),
            types => write!(text, " -> ({})", types.join(", ")),
        };
        match body {
            None => text.push_str(";\n"),
            Some(body) => {
                text.push_str(" {\n        ptx! {\n");
                let empty = write_body(body, &self.names, &mut text);
                text.push_str("        }\n    }\n");
                if empty > 0 {
                    self.left_out.push(format!("{empty} empty statements of `{ptx}`"));
                }
            }
        }
        self.items.push(Item { declares: body.is_none().then(|| ptx.to_owned()), text });
        Ok(())
    }

    /// Reads a list of parameters or of return values, if there is one here.
    fn parse_params(&mut self) -> Result<Vec<Param>, String> {
        let mut params = Vec::new();
        if !self.tokens.accept("(") {
            return Ok(params);
        }
        while !self.tokens.accept(")") {
            let param = self.parse_param(params.len())?;
            params.push(param);
            if !self.tokens.accept(",") && self.tokens.peek() != Some(")") {
                return Err(self.tokens.unexpected("`,`"));
            }
        }
        Ok(params)
    }

    fn parse_param(&mut self, index: usize) -> Result<Param, String> {
        let is_register = self.tokens.accept(".reg");
        if !is_register {
            self.tokens.expect(".param")?;
        }
        let mut align = self.parse_align()?;
        let lanes = self.parse_lanes();
        let (mut ty, _) = scalar(self.tokens.take()?, lanes)?;
        if self.tokens.accept(".ptr") {
            let space = match self.tokens.peek() {
                Some(".global") => "Global",
                Some(".const") => "Const",
                Some(".shared") => "Shared",
                Some(".local") => "Local",
                _ => "Generic",
            };
            if space != "Generic" {
                self.tokens.take()?;
            }
            // PTX ISA 5.1.6.3: 4 by default.
            let align = self.parse_align()?.unwrap_or(4);
            ty = format!("Ptr<{space}, B8, U{align}>");
        }
        if align.is_none() {
            align = self.parse_align()?;
        }
        let name = match self.tokens.take()? {
            "_" => self.names.of_param(&format!("unnamed{index}")),
            ptx => {
                let name = self.names.of_param(ptx);
                if self.names.is_function(ptx) {
                    self.left_out.push(format!(
                        "the name `{ptx}` of a parameter, which is that of a function: it is `{name}` here"
                    ));
                }
                name
            }
        };
        for extent in self.parse_extents()?.iter().rev() {
            ty = array(&ty, *extent);
        }
        Ok(Param { name, ty, align, is_register })
    }

    /// Reads `.align 16`, if it is next.
    pub(super) fn parse_align(&mut self) -> Result<Option<u64>, String> {
        if self.tokens.accept(".align") { self.tokens.number().map(Some) } else { Ok(None) }
    }

    /// 2 or 4 for `.v2` or `.v4`, else 1.
    pub(super) fn parse_lanes(&mut self) -> u64 {
        if self.tokens.accept(".v2") {
            2
        } else if self.tokens.accept(".v4") {
            4
        } else {
            1
        }
    }

    /// Reads `[4][]`, if it is next.
    pub(super) fn parse_extents(&mut self) -> Result<Vec<Option<u64>>, String> {
        let mut extents = Vec::new();
        while self.tokens.accept("[") {
            let is_open = self.tokens.peek() == Some("]");
            extents.push(if is_open { None } else { Some(self.tokens.number()?) });
            self.tokens.expect("]")?;
        }
        Ok(extents)
    }
}

/// `[T; 4]`, or `[T]`.
pub(super) fn array(element: &str, extent: Option<u64>) -> String {
    match extent {
        Some(extent) => format!("[{element}; {extent}]"),
        None => format!("[{element}]"),
    }
}
