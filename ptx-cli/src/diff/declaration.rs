//! Declarations without their names.

use std::fmt::Write as _;

use ptx_isa::ir::{Address, Extent, Function, Init, Linkage, Param, Type, Value, Variable};

/// What a variable is, apart from its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Description<'a> {
    /// The space, linkage and attributes.
    pub(super) head: String,
    /// The alignment in bytes.
    pub(super) align: usize,
    /// The size in bytes; `None` if the launch decides it.
    pub(super) bytes: Option<usize>,
    /// The type with its extents.
    pub(super) ty: String,
    /// The initial value: what is not zero, with its offset.
    pub(super) value: String,
    /// The symbols whose addresses are in the value, in order.
    pub(super) symbols: Vec<&'a str>,
}

impl<'a> Description<'a> {
    pub(super) fn of(variable: &Variable<'a>) -> Self {
        let mut head = variable.space.directive().to_owned();
        if let Some(linkage) = variable.linkage.directive() {
            let _ = write!(head, " {linkage}");
        }
        if variable.managed {
            head.push_str(" .managed");
        }
        if let Some(unified) = variable.unified {
            let _ = write!(head, " .unified({:#x}, {:#x})", unified.upper, unified.lower);
        }
        let mut value = Values::default();
        value.add(&variable.init, variable.ty);
        Self {
            head,
            align: variable.alignment().unwrap_or(1),
            bytes: variable.bytes(),
            ty: type_of(variable),
            value: value.text,
            symbols: value.symbols,
        }
    }

    /// Everything but the symbols, as one text that starts with [what is declared](declared).
    pub(super) fn text(&self) -> String {
        let Self { head, align, bytes, ty, value, symbols: _ } = self;
        format!("{head} .align {align} {ty}\0{bytes:?}\0{value}")
    }
}

/// What is declared, without its value, of the text of a [`Description`].
pub(super) fn declared(text: &str) -> &str {
    text.split('\0').next().unwrap_or_default()
}

/// The type of a variable with its extents, as in PTX.
fn type_of(variable: &Variable<'_>) -> String {
    let mut text = ptx_isa::Text::<128>::new();
    text.push_type(variable.ty.element());
    let mut text = text.as_str().to_owned();
    for extent in variable.ty.extents() {
        match (extent, &variable.init) {
            (Extent::Known(count), _) => {
                let _ = write!(text, "[{count}]");
            }
            (_, Init::Value(value)) => {
                let _ = write!(text, "[{}]", value.elements().unwrap_or_default());
            }
            (_, _) => text.push_str("[]"),
        }
    }
    text
}

/// Whether other modules may name a symbol of this linkage.
pub(super) fn is_public(linkage: Linkage) -> bool {
    linkage.is_exported()
}

/// What a function is, apart from its name, those of its parameters, and its body.
pub(super) fn signature(function: &Function<'_>) -> String {
    let mut text = function.kind.directive().to_owned();
    if let Some(linkage) = function.linkage.directive() {
        let _ = write!(text, " {linkage}");
    }
    for (bracket, params) in [("returns", function.returns), ("takes", function.params)] {
        for param in params {
            let _ = write!(text, " {bracket} {}", parameter(param));
        }
    }
    if let Some(unified) = function.unified {
        let _ = write!(text, " .unified({:#x}, {:#x})", unified.upper, unified.lower);
    }
    if function.body.is_none() {
        text.push_str(" declared only");
    }
    text
}

/// What a parameter is, apart from its name.
pub(super) fn parameter(param: &Param<'_>) -> String {
    let mut text = declared(&Description::of(&param.variable).text()).to_owned();
    if let Some(pointer) = param.pointer {
        text.push_str(" .ptr");
        if let Some(space) = pointer.space {
            let _ = write!(text, " {}", space.directive());
        }
        if let Some(align) = pointer.align {
            let _ = write!(text, " .align {align}");
        }
    }
    text
}

/// The directives of a function, in the order of their names.
pub(super) fn directives(function: &Function<'_>) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = function
        .directives
        .iter()
        .map(|directive| {
            let values = &directive.values[..directive.kind.arity().min(3)];
            let values: Vec<String> =
                values.iter().map(|value| value.max(&1).to_string()).collect();
            (directive.kind.name(), values.join(", "))
        })
        .collect();
    all.sort();
    all
}

/// What is not zero in an initial value.
#[derive(Default)]
struct Values<'a> {
    text: String,
    symbols: Vec<&'a str>,
}

impl<'a> Values<'a> {
    fn add(&mut self, init: &Init<'a>, ty: &Type<'_>) {
        match init {
            Init::None => {}
            Init::Value(value) => self.value(value, ty, 0),
            Init::Members(members) => {
                let mut all: Vec<String> =
                    members.iter().map(|member| format!("{member:?}")).collect();
                all.sort();
                self.text.push_str(&all.join(", "));
            }
            Init::Bytes(_) | Init::Linked(_) | Init::Unknown(_) => {
                let _ = write!(self.text, "{init:?}");
            }
        }
    }

    /// Adds a value of this type at an offset in bytes.
    fn value(&mut self, value: &Value<'a>, ty: &Type<'_>, offset: usize) {
        if let Some(count) = value.elements() {
            let (inner, stride) = match ty {
                Type::Aligned(_, inner) => return self.value(value, inner, offset),
                Type::Array(_, inner) => (**inner, inner.size().unwrap_or(1)),
                Type::Vector(_, scalar) => (Type::Scalar(*scalar), scalar.bytes()),
                other => (*other, other.size().unwrap_or(1)),
            };
            for n in 0..count {
                self.value(
                    &value.element(n),
                    &inner,
                    offset.saturating_add(n.saturating_mul(stride)),
                );
            }
            return;
        }
        let _ = match value {
            Value::Int(0)
            | Value::MaskedInt(_, 0)
            | Value::List(_)
            | Value::Integers(_)
            | Value::Floats(_) => Ok(()),
            Value::Int(number) => write!(self.text, "{offset}: {number} "),
            Value::Float(number) if number.to_bits() == 0 => Ok(()),
            Value::Float(number) => write!(self.text, "{offset}: {:#x}f ", number.to_bits()),
            Value::MaskedInt(mask, number) => {
                write!(self.text, "{offset}: {mask:#x}({number}) ")
            }
            Value::Address(address) => self.address(offset, None, address),
            Value::MaskedAddress(mask, address) => self.address(offset, Some(*mask), address),
        };
    }

    fn address(
        &mut self,
        offset: usize,
        mask: Option<u64>,
        address: &Address<'a>,
    ) -> std::fmt::Result {
        let Address { symbol, generic, addend } = address;
        self.symbols.push(symbol);
        write!(self.text, "{offset}: address {mask:?} {generic} +{addend} ")
    }
}
