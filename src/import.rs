//! Checks that the expansion of `import!` applies to the types that its user names.

use core::mem::MaybeUninit;
use core::ptr;

use ptx_types::__private::{Found, check_layout};
use ptx_types::ir::{Pointer, Type};
use ptx_types::{Class, DeviceCopy, ScalarType, Space, Text};

/// The PTX declaration of a variable or a parameter that is given a Rust type.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// The type as written.
    pub written: &'a str,
    /// The name of the variable or parameter.
    pub name: &'a str,
    /// The function whose parameter it is.
    pub of: Option<&'a str>,
    /// The size in bytes; `None` where a launch or another module decides it.
    pub bytes: Option<usize>,
    /// The alignment in bytes.
    pub align: usize,
    /// The type of the elements in PTX; `None` for bytes or bits.
    pub element: Option<ScalarType>,
    /// For a pointer, the state space it points into, if declared, and the alignment of its target.
    pub pointer: Option<(Option<Space>, usize)>,
    /// Whether the type is a slice.
    pub is_slice: bool,
}

type Message = Text<1024>;

/// The layout of a Rust type: its type in PTX, its pointer target, and its size and alignment in bytes.
type Layout = (&'static Type<'static>, Option<Pointer<'static>>, usize, usize);

/// Checks that a type has the size and the alignment of the declaration that it stands for. Of a slice, it is the type
/// of the elements, and the declaration has no size.
pub const fn check_shape(shape: &Shape<'_>, (ty, pointer, size, align): Layout) -> Found {
    Found::first(&[
        check_layout(ty, size, align),
        check_size(shape, size),
        check_align(shape, align),
        check_element(shape, ty),
        match (pointer, shape.pointer) {
            (Some(is), Some(declared)) => {
                check_pointer(shape, (is.space, is.alignment()), declared)
            }
            (_, _) => Found::NOTHING,
        },
    ])
}

const fn check_size(shape: &Shape<'_>, size: usize) -> Found {
    let Some(bytes) = shape.bytes else { return Found::NOTHING };
    if bytes == size && !shape.is_slice {
        return Found::NOTHING;
    }
    let mut text = start(shape, if shape.is_slice { " has no length" } else { " is " });
    if !shape.is_slice {
        push_bytes(&mut text, size);
    }
    text.push_str(", but ");
    push_subject(&mut text, shape);
    text.push_str(" is ");
    if shape.is_slice {
        push_bytes(&mut text, bytes);
        text.push_str("; write an array");
    } else {
        text.push_int(bytes as i128, true);
    }
    Found::of(text)
}

const fn check_align(shape: &Shape<'_>, align: usize) -> Found {
    // A variable may be aligned beyond its type; a parameter is aligned exactly as its type.
    let is_met = match shape.of {
        Some(_) => align == shape.align,
        None => shape.align.is_multiple_of(align),
    };
    if is_met {
        return Found::NOTHING;
    }
    let mut text = start(shape, " is aligned to ");
    push_bytes(&mut text, align);
    text.push_str(", but ");
    push_subject(&mut text, shape);
    text.push_str(" to ");
    text.push_int(shape.align as i128, true);
    Found::of(text)
}

/// Checks that a number that PTX declares is read as a number of the same kind.
const fn check_element(shape: &Shape<'_>, ty: &Type<'_>) -> Found {
    let Some(declared) = shape.element else { return Found::NOTHING };
    let Some(other) = other_number(ty, declared) else { return Found::NOTHING };
    let mut text = Message::new();
    if !matches!(ty, Type::Scalar(_)) || shape.bytes.is_none() {
        push_rust_name(&mut text, other);
        text.push_str(" in ");
    }
    text.push_str("`");
    text.push_str(shape.written);
    text.push_str("` cannot stand for `");
    text.push_str(declared.declared());
    text.push_str("`, as ");
    push_subject(&mut text, shape);
    text.push_str(" is declared; write ");
    push_rust_name(&mut text, declared);
    text.push_str(", or `B");
    text.push_int(declared.bytes() as i128 * 8, false);
    text.push_str("` for the raw bits");
    Found::of(text)
}

const fn push_rust_name(text: &mut Message, scalar: ScalarType) {
    text.push_str("`");
    text.push_str(match scalar.rust_name() {
        Some(name) => name,
        None => scalar.declared(),
    });
    text.push_str("`");
}

/// The first number in a type whose kind differs from the declared one: an integer for a floating-point
/// number, or a number that has its own PTX type, `.f32` or `.f64`, for an integer. C++ declares small floats
/// as integers, such as `__nv_fp8x4_storage_t`.
const fn other_number(ty: &Type<'_>, declared: ScalarType) -> Option<ScalarType> {
    match ty {
        Type::Scalar(scalar) | Type::Vector(_, scalar) => {
            let is_other = match declared.class() {
                Class::Float => {
                    !is_bits(*scalar) && single(*scalar) as u8 != single(declared) as u8
                }
                Class::Signed | Class::Unsigned => {
                    matches!(single(*scalar), ScalarType::F32 | ScalarType::F64)
                }
                Class::Bits | Class::Predicate => false,
            };
            if is_other { Some(*scalar) } else { None }
        }
        Type::Array(_, inner) | Type::Aligned(_, inner) | Type::Family(_, inner) => {
            other_number(inner, declared)
        }
        // Compilers declare a struct that contains addresses as `.u64`.
        Type::Struct(_) if matches!(declared, ScalarType::U64 | ScalarType::S64) => None,
        Type::Struct(layout) => {
            let mut n = 0;
            while n < layout.fields.len() {
                let found = other_number(layout.fields[n].ty, declared);
                if found.is_some() {
                    return found;
                }
                n += 1;
            }
            None
        }
        Type::Opaque(_) | Type::Unknown => None,
    }
}

const fn is_bits(scalar: ScalarType) -> bool {
    use ScalarType::{B8, B16, B32, B64, B128};
    matches!(scalar, B8 | B16 | B32 | B64 | B128)
}

/// The element type of a packed pair.
const fn single(scalar: ScalarType) -> ScalarType {
    match scalar {
        ScalarType::F16x2 => ScalarType::F16,
        ScalarType::F32x2 => ScalarType::F32,
        scalar => scalar,
    }
}

/// Checks that a pointer promises what the kernel relies on.
const fn check_pointer(
    shape: &Shape<'_>,
    is: (Option<Space>, Option<usize>),
    declared: (Option<Space>, usize),
) -> Found {
    if let (Some(is), Some(declared)) = (is.0, declared.0)
        && is as u8 != declared as u8
    {
        let mut text = start(shape, " points into `");
        text.push_str(is.directive());
        text.push_str("`, but ");
        push_subject(&mut text, shape);
        text.push_str(" into `");
        text.push_str(declared.directive());
        text.push_str("`");
        return Found::of(text);
    }
    if let Some(align) = is.1
        && !align.is_multiple_of(declared.1)
    {
        let mut text = start(shape, " points to data that is aligned to ");
        push_bytes(&mut text, align);
        text.push_str(", but ");
        push_subject(&mut text, shape);
        text.push_str(" promises ");
        text.push_int(declared.1 as i128, true);
        text.push_str("; write `U");
        text.push_int(declared.1 as i128, false);
        text.push_str("` after what it points to");
        return Found::of(text);
    }
    Found::NOTHING
}

const fn start(shape: &Shape<'_>, verb: &str) -> Message {
    let mut text = Message::new();
    text.push_str("`");
    text.push_str(shape.written);
    text.push_str("`");
    text.push_str(verb);
    text
}

const fn push_subject(text: &mut Message, shape: &Shape<'_>) {
    text.push_str("`");
    text.push_str(shape.name);
    text.push_str("`");
    if let Some(of) = shape.of {
        text.push_str(" of `");
        text.push_str(of);
        text.push_str("`");
    }
}

const fn push_bytes(text: &mut Message, bytes: usize) {
    text.push_int(bytes as i128, true);
    text.push_str(if bytes == 1 { " byte" } else { " bytes" });
}

/// The value that starts with these bytes; the rest of it is zero.
#[allow(unsafe_code, reason = "it reads a value out of its bytes")]
pub const fn value_of<T: DeviceCopy>(bytes: &[u8]) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    let count = if bytes.len() < size_of::<T>() { bytes.len() } else { size_of::<T>() };
    // SAFETY: the value has at least `count` bytes, and does not overlap the bytes that are copied.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), value.as_mut_ptr().cast::<u8>(), count) };
    // SAFETY: every byte is initialised, and every bit pattern is a valid value.
    unsafe { value.assume_init() }
}

/// The types of the crate `half`, or plain bits where that feature is off.
pub mod imported {
    #[cfg(feature = "half")]
    pub use ptx_types::{
        __private::half::{bf16, f16},
        Bf16x2, F16x2,
    };
    #[cfg(not(feature = "half"))]
    pub use ptx_types::{B16 as bf16, B16 as f16, B32 as Bf16x2, B32 as F16x2};
}
