//! Tests of what instructions do to parameters, unified and opaque variables.

use super::{Arg, Args, Environment, NONE, too_new, wrong_target};
use crate::ir::{Param, Type, Variable};
use crate::space::Space;
use crate::target::Version;
use crate::texture::TextureMode;

/// What an instruction does with the memory that an operand names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opcode {
    /// `ld`, `ldu`.
    Load,
    /// `st`.
    Store,
    /// `atom`, `red`, `prefetch`: what else goes to an address.
    Other,
    /// `mov`, `cvta`: the address itself is taken.
    Address,
}

/// A sub-qualifier of a state space on an instruction (PTX ISA 5.1.6, 5.1.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Window {
    /// `.param::entry`.
    Entry,
    /// `.param::func`.
    Func,
    /// `.shared::cta`.
    Cta,
    /// `.shared::cluster`.
    Cluster,
}

impl Window {
    /// As it is written: `.param::entry`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => ".param::entry",
            Self::Func => ".param::func",
            Self::Cta => ".shared::cta",
            Self::Cluster => ".shared::cluster",
        }
    }

    /// The lowest PTX version that has it.
    pub const fn since(self) -> Version {
        match self {
            Self::Entry | Self::Func => Version::new(8, 3),
            Self::Cta | Self::Cluster => Version::new(7, 8),
        }
    }

    /// The lowest architecture that has it.
    pub const fn min_arch(self) -> u16 {
        match self {
            Self::Cluster => 90,
            Self::Entry | Self::Func | Self::Cta => 10,
        }
    }
}

/// What an instruction is, whatever it goes to.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// It names a window of a state space.
    Window(Window),
    /// Its type is this one, of 8 bits, and it is none of those that take such types.
    SubWord(&'a str),
    /// It names a texture through a register.
    IndirectTexture,
    /// It makes a generic address of one in constant memory, and this parameter of a kernel points
    /// to constant memory.
    CvtaConst(&'a str),
    /// Its result goes to this special register.
    SpecialWritten(&'a str),
    /// It copies a tensor, and names its place by these numbers.
    Coordinates(Coordinates<'a>),
    /// It takes an element of a register that has none: the register, the element, and whether the
    /// name is that of a special register.
    Element(&'a str, &'a str, bool),
    /// It goes to an address of 64 bits, and this register has fewer: to a generic one, or one in
    /// global memory.
    NarrowAddress(&'a str, usize, bool),
}

/// How a tensor copy names its place.
#[derive(Clone, Copy, Debug)]
pub struct Coordinates<'a> {
    /// What the numbers are: coordinates, or what the `im2col` modes add to them.
    pub what: &'a str,
    /// The modifiers that say how many there are: `.2d`, `.3d.im2col`.
    pub says: &'a str,
    /// How many there are to be.
    pub wanted: usize,
    /// How many there are.
    pub given: usize,
}

/// Opcodes that take no types of 8 bits: those that compute (PTX ISA 5.2.2).
pub const NO_SUB_WORDS: &[&str] = &[
    "abs", "add", "and", "bfe", "bfi", "bfind", "brev", "clz", "cnot", "div", "fma", "mad", "max",
    "min", "mov", "mul", "neg", "not", "or", "popc", "rem", "sad", "selp", "set", "setp", "shf",
    "shl", "shr", "slct", "sub", "xor",
];

/// Opcodes beside those whose first operand is where the result goes.
pub const WITH_RESULT: &[&str] =
    &["ld", "ldu", "cvt", "cvta", "tex", "tld4", "txq", "suld", "suq", "atom"];

/// An instruction's use of a name.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// What it does.
    pub opcode: Opcode,
    /// The sub-qualifier of the state space, if there is one.
    pub window: Option<Window>,
    /// Whether the operand has `.unified`.
    pub unified: bool,
    /// Whether an offset is added to the name.
    pub has_offset: bool,
}

/// What a name stands for that an instruction uses.
#[derive(Clone, Copy, Debug)]
pub enum Object<'a> {
    /// A variable of the module.
    Variable(&'a Variable<'a>),
    /// A parameter of a kernel.
    EntryParam(&'a Variable<'a>),
    /// A `.param` that a device function takes.
    Input(&'a Variable<'a>),
    /// A `.param` that a device function returns.
    Return(&'a Variable<'a>),
    /// A `.param` variable of the body.
    LocalParam(&'a Variable<'a>),
    /// What a parameter points to, if it is a pointer.
    Pointee(&'a Param<'a>),
}

impl<'a> Object<'a> {
    /// The declaration.
    pub const fn variable(self) -> &'a Variable<'a> {
        match self {
            Self::Variable(variable)
            | Self::EntryParam(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable,
            Self::Pointee(param) => &param.variable,
        }
    }

    /// As an argument of a message: `x`, and `*x` for what `x` points to.
    pub(super) const fn arg(self) -> Arg<'a> {
        match self {
            Self::Pointee(param) => Arg::Pointee(param.variable.name),
            Self::Variable(variable)
            | Self::EntryParam(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => Arg::Str(variable.name),
        }
    }

    /// The name of the declaration.
    pub const fn name(self) -> &'a str {
        self.variable().name
    }

    /// The state space that it is in; `None` where a pointer to it is generic.
    pub const fn space(self) -> Option<Space> {
        match self {
            Self::Pointee(param) => match param.pointer {
                Some(pointer) => pointer.space,
                None => None,
            },
            Self::Variable(variable)
            | Self::EntryParam(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => Some(variable.space),
        }
    }

    /// The type; behind a pointer that of one of as many as there are.
    pub const fn ty(self) -> &'a Type<'a> {
        match self {
            Self::Pointee(param) => match param.pointer {
                Some(pointer) => pointer.pointee,
                None => &Type::Unknown,
            },
            Self::Variable(variable)
            | Self::EntryParam(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.ty,
        }
    }

    /// The size in bytes, where it is known.
    pub const fn bytes(self) -> Option<usize> {
        match self {
            Self::Pointee(_) => None,
            Self::Variable(variable)
            | Self::EntryParam(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.bytes(),
        }
    }

    /// The alignment in bytes, where it is known.
    pub const fn alignment(self) -> Option<usize> {
        match self {
            Self::Pointee(param) => match param.pointer {
                Some(pointer) => pointer.alignment(),
                None => None,
            },
            Self::Variable(variable)
            | Self::EntryParam(variable)
            | Self::Input(variable)
            | Self::Return(variable)
            | Self::LocalParam(variable) => variable.alignment(),
        }
    }
}

pub(super) const fn input_written(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    if object.variable().ty.opaque().is_some() {
        return None; // another rule says so
    }
    match (access.opcode, object) {
        (Opcode::Store, Object::EntryParam(_)) => {
            Some([object.arg(), Arg::Str("a kernel's parameters are read-only"), NONE, NONE])
        }
        (Opcode::Store, Object::Input(_)) => {
            Some([object.arg(), Arg::Str("an input of a function is read-only"), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn return_read(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Load, Object::Return(_)) => Some([object.arg(), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn address_of_local_param(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Address, Object::LocalParam(_)) => Some([object.arg(), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn address_of_return_too_new(
    access: Access,
    object: Object<'_>,
    env: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Address, Object::Return(_)) => too_new(object.arg(), Version::new(6, 0), env),
        _ => None,
    }
}

pub(super) const fn unified_not_said(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Load, Object::Variable(variable))
            if variable.unified.is_some() && !access.unified && !variable.allows("A005") =>
        {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn unified_written(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object) {
        (Opcode::Store, Object::Variable(variable)) if variable.unified.is_some() => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn constant_written(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object, object.variable().space) {
        (Opcode::Store, Object::Variable(_), Space::Const) => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        (_, _, _) => None,
    }
}

pub(super) const fn opaque_accessed(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object.variable().ty.opaque()) {
        (Opcode::Load | Opcode::Store | Opcode::Other, Some(opaque)) => {
            Some([object.arg(), Arg::Str(opaque.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn opaque_offset(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, object.variable().ty.opaque()) {
        (Opcode::Address, Some(opaque)) if access.has_offset => {
            Some([object.arg(), Arg::Str(opaque.declared()), NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn wrong_window(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    let (is, write) = match (access.opcode, access.window, object) {
        (Opcode::Load, Some(Window::Func), Object::EntryParam(_)) => {
            ("a parameter of a kernel", "::entry")
        }
        (Opcode::Load, Some(Window::Entry), Object::Input(_)) => {
            ("a parameter of a function", "::func")
        }
        (Opcode::Load, Some(Window::Entry), Object::LocalParam(_)) => {
            ("a `.param` of this body", "::func")
        }
        _ => return None,
    };
    Some([object.arg(), Arg::Str(is), Arg::Str(write), NONE])
}

pub(super) const fn store_to_entry_window(
    access: Access,
    object: Object<'_>,
    _: Environment,
) -> Option<Args<'_>> {
    match (access.opcode, access.window, object) {
        (Opcode::Store, Some(Window::Entry), Object::Return(_) | Object::LocalParam(_)) => {
            Some([object.arg(), NONE, NONE, NONE])
        }
        _ => None,
    }
}

pub(super) const fn window_too_new(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    match form {
        Form::Window(window) => too_new(Arg::Str(window.name()), window.since(), env),
        Form::SubWord(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::SpecialWritten(_)
        | Form::Coordinates(_)
        | Form::Element(..)
        | Form::NarrowAddress(..) => None,
    }
}

pub(super) const fn window_wrong_target(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    match form {
        Form::Window(window) => wrong_target(Arg::Str(window.name()), window.min_arch(), env),
        Form::SubWord(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::SpecialWritten(_)
        | Form::Coordinates(_)
        | Form::Element(..)
        | Form::NarrowAddress(..) => None,
    }
}

pub(super) const fn sub_word_type(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::SubWord(ty) => Some([Arg::Str(ty), NONE, NONE, NONE]),
        Form::Window(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::SpecialWritten(_)
        | Form::Coordinates(_)
        | Form::Element(..)
        | Form::NarrowAddress(..) => None,
    }
}

pub(super) const fn indirect_texture(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    match (form, env.texture_mode) {
        (Form::IndirectTexture, Some(TextureMode::Independent)) => Some([NONE; 4]),
        (_, _) => None,
    }
}

pub(super) const fn special_written(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::SpecialWritten(name) => Some([Arg::Str(name), NONE, NONE, NONE]),
        Form::Window(_)
        | Form::SubWord(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::Coordinates(_)
        | Form::Element(..)
        | Form::NarrowAddress(..) => None,
    }
}

pub(super) const fn constant_pointer_and_cvta(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::CvtaConst(param) => Some([Arg::Str(param), NONE, NONE, NONE]),
        Form::Window(_)
        | Form::SubWord(_)
        | Form::IndirectTexture
        | Form::SpecialWritten(_)
        | Form::Coordinates(_)
        | Form::Element(..)
        | Form::NarrowAddress(..) => None,
    }
}

pub(super) const fn wrong_coordinates(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::Coordinates(it) if it.wanted != it.given => Some([
            Arg::Str(it.says),
            Arg::Int(it.wanted as i128),
            Arg::Str(it.what),
            Arg::Int(it.given as i128),
        ]),
        Form::Coordinates(_)
        | Form::Element(..)
        | Form::NarrowAddress(..)
        | Form::Window(_)
        | Form::SubWord(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::SpecialWritten(_) => None,
    }
}

pub(super) const fn element_of_scalar(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::Element(register, element, hides) => Some([
            Arg::Str(register),
            Arg::Str(element),
            Arg::Str(if hides {
                "it hides the special register of that name; give it another"
            } else {
                "declare it a vector, as in `.reg .v4 .f32`, or leave the element out"
            }),
            NONE,
        ]),
        Form::Coordinates(_)
        | Form::NarrowAddress(..)
        | Form::Window(_)
        | Form::SubWord(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::SpecialWritten(_) => None,
    }
}

pub(super) const fn narrow_address(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::NarrowAddress(register, bytes, is_generic) => Some([
            Arg::Str(register),
            Arg::Int(bytes as i128 * 8),
            Arg::Str(if is_generic { "a generic address" } else { "an address in `.global`" }),
            Arg::Str(if is_generic { ", or name the space" } else { "" }),
        ]),
        Form::Element(..)
        | Form::Coordinates(_)
        | Form::Window(_)
        | Form::SubWord(_)
        | Form::IndirectTexture
        | Form::CvtaConst(_)
        | Form::SpecialWritten(_) => None,
    }
}
