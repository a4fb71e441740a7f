//! Tests of the form of an instruction, regardless of its operands' storage.

use super::access::{Object, SubSpace};
use super::operand_kind::{WrongKind, explained};
use super::{Arg, Args, Environment, NONE, TensorMode, too_new, wrong_target};
use crate::const_str::same;
use crate::instruction::{GivenOperand, Misfit, Named, Required, WrongOperand};
use crate::ir::Type;
use crate::opaque::TextureMode;
use crate::scalar::{Class, ScalarType};
use crate::target::Version;

/// The form of an instruction, regardless of its operands' storage.
#[derive(Clone, Copy, Debug)]
pub enum Form<'a> {
    /// It names a sub-qualifier of a state space.
    SubSpace(SubSpace),
    /// It has this 8-bit type, but does not support such types.
    SubWord(&'a str),
    /// It names a texture through a register.
    IndirectTexture,
    /// It converts an address in constant memory to a generic one, and this parameter of a kernel is a pointer to
    /// constant memory.
    CvtaConst(&'a str),
    /// It writes its result to this special register.
    SpecialWritten(&'a str),
    /// It copies a tensor, with these numbers for the position.
    Coordinates(Coordinates),
    /// It accesses an element of a register that has none: the register, the element, and whether the name is that of
    /// a special register.
    Element(&'a str, &'a str, bool),
    /// It needs a 64-bit address, generic or in global memory, and this register has fewer bits.
    NarrowAddress(&'a str, usize, bool),
    /// It indexes this, which is not an array.
    Index(&'a str),
    /// It takes the address of this return value of the function.
    ReturnAddress(&'a str),
    /// It computes with, or stores, the name of this storage, or takes it as a predicate.
    NameAsRegister(Object<'a>, bool),
    /// It does not exist in this form.
    Unsupported(&'static str, Unsupported<'a>),
    /// It writes its result to this, which is not a register: a variable, or a number.
    ResultInPlaceOf(Arg<'a>, &'static str),
    /// It has an operand of another kind than it takes: a vector, an address, a value.
    OperandKind(&'static str, WrongKind<'a>),
    /// It has an operand of another type than it takes: this register, or a number.
    OperandType(Arg<'a>, WrongOperand),
}

/// What an instruction does not have.
#[derive(Clone, Copy, Debug)]
pub enum Unsupported<'a> {
    /// What it names as a state space: the word and that after its two colons, unless one is missing.
    Space(Option<Named<'a>>, Misfit),
    /// What it names as a type, unless one is missing.
    Type(Option<Named<'a>>, Misfit),
    /// Operands.
    Operand,
    /// This number of operands: it has at least and at most these.
    Count(usize, (usize, usize)),
    /// Versions of PTX and targets of today without a modifier.
    Older(&'static Required),
}

/// The position in a tensor copy.
#[derive(Clone, Copy, Debug)]
pub struct Coordinates {
    /// The words for a number of them, in place of `#`: coordinates, or the offsets that the `im2col` modes add to them.
    pub what: &'static str,
    /// The number of dimensions in the instruction: 2 for `.2d`.
    pub rank: usize,
    /// The mode in the instruction.
    pub mode: TensorMode,
    /// The expected count.
    pub wanted: usize,
    /// The actual count.
    pub given: usize,
}

pub(super) const fn index_of_scalar(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    match form {
        Form::Index(name) => Some([Arg::Str(name), NONE, NONE, NONE]),
        _ => None,
    }
}

pub(super) const fn name_as_register(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::NameAsRegister(object, is_predicate) = form else { return None };
    let (Some(space), Some(ty)) = (object.space(), loaded_as(object.ty())) else { return None };
    let rest = if is_predicate {
        ", and compare it with `setp`"
    } else {
        ", or take the address with `mov`"
    };
    Some([Arg::Str(object.name()), Arg::Str(space.directive()), Arg::Str(ty), Arg::Str(rest)])
}

/// The type of a load of this type, or of its first element.
pub(super) const fn loaded_as(ty: &Type<'_>) -> Option<&'static str> {
    let (Type::Scalar(scalar) | Type::Vector(_, scalar)) = ty.element() else { return None };
    match (scalar.class(), scalar.bytes()) {
        (Class::Signed | Class::Unsigned, 1..=8) if scalar.is_fundamental() => Some(scalar.name()),
        (Class::Float, _) if matches!(scalar, ScalarType::F32 | ScalarType::F64) => {
            Some(scalar.name())
        }
        (_, 1) => Some("b8"),
        (_, 2) => Some("b16"),
        (_, 4) => Some("b32"),
        (_, 8) => Some("b64"),
        (_, _) => None,
    }
}

pub(super) const fn sub_space_too_new(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    let Form::SubSpace(sub_space) = form else { return None };
    too_new(Arg::Str(sub_space.name()), sub_space.since(), env)
}

pub(super) const fn sub_space_wrong_target(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    let Form::SubSpace(sub_space) = form else { return None };
    wrong_target(Arg::Str(sub_space.name()), sub_space.min_arch(), env)
}

pub(super) const fn sub_word_type(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::SubWord(ty) = form else { return None };
    Some([Arg::Str(ty), NONE, NONE, NONE])
}

pub(super) const fn indirect_texture(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    match (form, env.texture_mode) {
        (Form::IndirectTexture, Some(TextureMode::Independent)) => Some([NONE; 4]),
        (_, _) => None,
    }
}

pub(super) const fn special_written(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::SpecialWritten(name) = form else { return None };
    Some([Arg::Str(name), NONE, NONE, NONE])
}

pub(super) const fn constant_pointer_and_cvta(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::CvtaConst(param) = form else { return None };
    Some([Arg::Str(param), NONE, NONE, NONE])
}

/// The modifiers of an instruction for a tensor: `.2d`, `.3d.im2col`.
macro_rules! modifiers {
    ($rank:expr, $mode:expr, [$($number:literal)*] $modes:tt) => {
        match ($rank, $mode) {
            $(($number, mode) => modifiers!(mode, $number, $modes),)*
            (_, _) => "",
        }
    };
    ($mode:expr, $number:literal, [$($Mode:ident $name:literal)*]) => {
        match $mode {
            $(TensorMode::$Mode => concat!(".", $number, "d", $name),)*
        }
    };
}

/// The number of coordinates, or the modifier for the given number, in place of `#`.
macro_rules! fixes {
    ($wanted:expr, [$($number:literal)*]) => {
        match $wanted {
            $($number => concat!($number, ", or `.#d`"),)*
            _ => "",
        }
    };
}

pub(super) const fn wrong_coordinates(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::Coordinates(Coordinates { what, rank, mode, wanted, given }) = form else {
        return None;
    };
    if wanted == given {
        return None;
    }
    let modifiers = modifiers!(rank, mode, [1 2 3 4 5] [
        Tile "" Gather4 ".tile::gather4" Scatter4 ".tile::scatter4" Im2col ".im2col"
        Im2colW ".im2col::w" Im2colW128 ".im2col::w::128"
    ]);
    let (count, given) = (wanted as i128, given as i128);
    let fix = match (mode, given) {
        (TensorMode::Tile, 1..=5) => Arg::Worded(fixes!(wanted, [1 2 3 4 5]), given),
        (_, _) => Arg::Int(count),
    };
    Some([Arg::Str(modifiers), Arg::Worded(what, count), Arg::Int(given), fix])
}

pub(super) const fn address_of_return_too_new(
    form: Form<'_>,
    env: Environment,
) -> Option<Args<'_>> {
    let Form::ReturnAddress(name) = form else { return None };
    too_new(Arg::Str(name), Version::new(6, 0), env)
}

pub(super) const fn element_of_scalar(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::Element(register, element, hides) = form else { return None };
    let fix = if hides {
        "rename it: it hides the special register of that name"
    } else {
        "declare it as a vector, as in `.reg .v4 .b32`, or remove the element"
    };
    Some([Arg::Str(register), Arg::Str(element), Arg::Str(fix), NONE])
}

pub(super) const fn narrow_address(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::NarrowAddress(register, bytes, is_generic) = form else { return None };
    let (what, else_write) = if is_generic {
        ("a generic address", ", or name the state space")
    } else {
        ("an address in `.global`", ", or name the state space that it points to")
    };
    let holds = match bytes {
        0 => "is a predicate of 1 bit",
        1 => "has 8 bits",
        2 => "has 16 bits",
        _ => "has 32 bits",
    };
    Some([Arg::Str(register), Arg::Str(holds), Arg::Str(what), Arg::Str(else_write)])
}

pub(super) const fn operand_kind(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::OperandKind(opcode, wrong) = form else { return None };
    Some(explained(opcode, wrong))
}

pub(super) const fn operand_type(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::OperandType(what, operand) = form else { return None };
    if operand.wanted.takes(operand.given) {
        return None;
    }
    let is = match operand.given {
        GivenOperand::Register(ty) | GivenOperand::Special(ty) => Arg::Name(ty.declared()),
        GivenOperand::Integer(_) => Arg::Str("an integer"),
        GivenOperand::Float(bytes) => Arg::Str(match (operand.wanted.ty.class(), bytes) {
            (Class::Bits, 4) => "a number in single precision",
            (Class::Bits, _) => "a number in double precision",
            (_, _) => "a floating-point number",
        }),
    };
    Some([what, is, Arg::Wanted(operand), Arg::Fitting(operand)])
}

pub(super) const fn result_not_register(form: Form<'_>, _: Environment) -> Option<Args<'_>> {
    let Form::ResultInPlaceOf(what, opcode) = form else { return None };
    let is = if matches!(what, Arg::Name(_)) { "is not a register" } else { "is a number" };
    Some([what, Arg::Str(is), Arg::Str(opcode), NONE])
}

/// Whether an instruction is refused without the modifier, in the declared version of PTX, or else in the lowest one
/// of the target.
const fn is_gone(required: &Required, env: Environment) -> bool {
    let Some(target) = env.target else { return false };
    let version = match env.version {
        Some(version) => version,
        None => target.since(),
    };
    target.arch() >= required.min_arch && !version.is_below(required.since)
}

pub(super) const fn no_such_form(form: Form<'_>, env: Environment) -> Option<Args<'_>> {
    let Form::Unsupported(opcode, what) = form else { return None };
    let (is, what, fix) = match what {
        Unsupported::Space(named, misfit) => of_space(named, misfit),
        Unsupported::Type(named, misfit) => of_type(named, misfit),
        Unsupported::Operand if same(opcode, "ret") => (
            Arg::Str("takes no operand"),
            NONE,
            Arg::Str("remove it; a function returns what it stores in the values that it declares"),
        ),
        Unsupported::Operand | Unsupported::Count(_, (_, 0)) => {
            (Arg::Str("takes no operand"), NONE, Arg::Str("remove it"))
        }
        Unsupported::Count(given, (least, most)) => (
            Arg::Operands(given, least, most),
            NONE,
            Arg::Str(if given < least {
                "write those that are missing"
            } else {
                "remove those that are too many"
            }),
        ),
        Unsupported::Older(required) if !is_gone(required, env) => return None,
        Unsupported::Older(required) => (Arg::Str(required.missing), NONE, Arg::Str(required.fix)),
    };
    Some([Arg::Name(opcode), is, what, fix])
}

/// What is wrong with a state space, and how to mend it.
const fn of_space(named: Option<Named<'_>>, misfit: Misfit) -> (Arg<'_>, Arg<'_>, Arg<'_>) {
    let Misfit { instead, takes_none, .. } = misfit;
    let write = Arg::Write(instead, false);
    match named {
        None => (Arg::Str("needs a state space here"), NONE, write),
        Some(Named { word, sub_number: sub, .. }) if instead[0].is_none() => {
            (Arg::Str("has no place for "), Arg::Modifier(word, sub), Arg::Str("remove it"))
        }
        Some(Named { word, sub_number: sub, .. }) => (
            Arg::Str("does not access "),
            Arg::Modifier(word, sub),
            if takes_none && !instead[1].is_none() {
                Arg::Str("name a state space that it accesses, or none for a generic address")
            } else {
                write
            },
        ),
    }
}

/// What is wrong with a type, and how to mend it.
const fn of_type(named: Option<Named<'_>>, misfit: Misfit) -> (Arg<'_>, Arg<'_>, Arg<'_>) {
    let Misfit { instead, are_modifiers, .. } = misfit;
    match named {
        None => (Arg::Str("needs a type here"), NONE, Arg::Write(instead, false)),
        Some(Named { word, sub_number: sub, .. }) if instead[0].is_none() => {
            (Arg::Str("has no place for "), Arg::Modifier(word, sub), Arg::Str("remove it"))
        }
        Some(Named { word, sub_number: sub, .. }) => {
            (Arg::Str("has no type "), Arg::Modifier(word, sub), Arg::Write(instead, are_modifiers))
        }
    }
}
