//! What is kept of a launch for the report of a fault: the kernel, the shape, and the arguments.

use core::ffi::c_void;
use core::fmt;
use core::mem::MaybeUninit;
use std::boxed::Box;
use std::string::String;
use std::vec::Vec;

use cudarc::driver::CudaStream;
use ptx_types::ir::{Function, Param, StructKind, Type};
use ptx_types::tensor::describe;
use ptx_types::{Class, ScalarType};

use super::shape::{Dim, Shape};

/// The bytes that are kept of the arguments of a launch.
const KEPT: usize = 512;

/// The bytes that are kept of a value at most: those of a tensor map.
const MOST: usize = 128;

/// The elements that are shown of an array or a vector.
const SHOWN: usize = 8;

/// A byte of an argument, which is not initialised where the value has padding.
type Byte = MaybeUninit<u8>;

/// What an argument points to.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Pointed {
    /// How many elements there are, of the type that the parameter points to.
    pub(super) elements: u64,
    /// Whether it is a buffer, which is borrowed for the launch.
    pub(super) is_buffer: bool,
}

/// The bytes that are kept of the arguments, at the [slots] of the kernel.
#[derive(Clone, Copy)]
pub(super) struct Kept([Byte; KEPT]);

impl Kept {
    /// No argument.
    pub(super) const NONE: Self = Self([MaybeUninit::uninit(); KEPT]);

    /// Keeps the arguments of a launch.
    ///
    /// # Safety
    /// The slots are those of a kernel, and each address points to a value of the type of its parameter.
    #[inline]
    pub(super) unsafe fn keep(
        &mut self,
        slots: &[Slot],
        params: &[*mut c_void],
        pointed: &[Pointed],
    ) {
        for ((slot, param), pointed) in slots.iter().zip(params).zip(pointed) {
            let Slot { at, bytes, is_pointer } = *slot;
            let (at, bytes) = (usize::from(at), usize::from(bytes));
            let Some(to) = self.0.get_mut(at..at + bytes) else { continue };
            let from = param.cast_const().cast::<Byte>();
            // SAFETY: the value has at least so many bytes.
            unsafe {
                // A copy of a known size is no call.
                match to.len() {
                    4 => to.copy_from_slice(&from.cast::<[Byte; 4]>().read()),
                    8 => to.copy_from_slice(&from.cast::<[Byte; 8]>().read()),
                    MOST => to.copy_from_slice(&from.cast::<[Byte; MOST]>().read()),
                    len => core::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), len),
                }
            }
            if is_pointer && let Some(to) = self.0.get_mut(at + 8..at + 16) {
                to.copy_from_slice(&pointed.elements.to_le_bytes().map(Byte::new));
            }
        }
    }
}

/// Where an argument is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    /// The first byte, a multiple of 8.
    at: u16,
    /// The bytes of the argument that are kept; 0 if there was no room, or the size is unknown.
    bytes: u8,
    /// Whether it is a pointer: the number of elements follows its 8 bytes.
    is_pointer: bool,
}

/// The slots of the arguments of a kernel, one for each parameter.
pub(super) fn slots(kernel: &Function<'_>) -> Box<[Slot]> {
    let mut at = 0;
    let slot = |param: &Param<'_>| {
        let is_pointer = param.pointer.is_some();
        let kept = param.variable.bytes().unwrap_or(0).min(MOST);
        let end = at + kept.next_multiple_of(8) + if is_pointer { 8 } else { 0 };
        let fits = end <= KEPT && (!is_pointer || kept == 8);
        match (u16::try_from(at), u8::try_from(kept)) {
            (Ok(first), Ok(bytes)) if fits => {
                at = end;
                Slot { at: first, bytes, is_pointer }
            }
            _ => Slot { at: 0, bytes: 0, is_pointer: false },
        }
    };
    kernel.params.iter().map(slot).collect()
}

/// A launch, as the report of a [fault](super::Fault) lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordedLaunch {
    /// The kernel's name in PTX; of a graph, that of its first kernel, or nothing.
    pub kernel: &'static str,
    /// The names of the kernels of a [graph](super::Graph), in the order in which they were added, if it was one: shape and
    /// arguments of its nodes are not kept, and `grid` and `block` are 1.
    pub graph: Option<Vec<&'static str>>,
    /// The blocks of the grid.
    pub grid: Dim,
    /// The threads of a block.
    pub block: Dim,
    /// The blocks of a cluster, if there are clusters.
    pub cluster: Option<Dim>,
    /// Dynamic shared memory of a block, in bytes.
    pub dynamic_shared: usize,
    /// The driver's handle of the stream, a `CUstream`, as a number; 0 is the default stream.
    pub stream: usize,
    /// The names of the parameters and the values that were passed: of a buffer its address and its number of elements,
    /// of a map the tensor.
    pub arguments: Vec<(&'static str, String)>,
}

impl RecordedLaunch {
    pub(super) fn new(
        kernel: &Function<'static>,
        shape: Shape,
        stream: usize,
        kept: &Kept,
    ) -> Self {
        let Shape { grid, block, cluster, dynamic } = shape;
        let arguments = arguments(kernel, kept);
        Self {
            kernel: kernel.name,
            graph: None,
            grid,
            block,
            cluster,
            dynamic_shared: dynamic,
            stream,
            arguments,
        }
    }

    /// A launch of a graph of these kernels.
    pub(super) fn graph(kernels: &[&'static str], stream: usize) -> Self {
        Self {
            kernel: kernels.first().copied().unwrap_or_default(),
            graph: Some(kernels.to_vec()),
            grid: Dim([1; 3]),
            block: Dim([1; 3]),
            cluster: None,
            dynamic_shared: 0,
            stream,
            arguments: Vec::new(),
        }
    }

    /// A launch with these arguments.
    ///
    /// # Safety
    /// There is an address for each parameter, and each points to a value of its parameter's type.
    pub(super) unsafe fn of(
        kernel: &Function<'static>,
        shape: Shape,
        stream: &CudaStream,
        params: &[*mut c_void],
        pointed: &[Pointed],
    ) -> Self {
        let mut kept = Kept::NONE;
        // SAFETY: the caller guarantees it.
        unsafe { kept.keep(&slots(kernel), params, pointed) };
        Self::new(kernel, shape, stream.cu_stream().addr(), &kept)
    }
}

impl fmt::Display for RecordedLaunch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, graph, grid, block, cluster, dynamic_shared, stream, arguments } = self;
        match graph.as_deref() {
            None => write!(f, "`{kernel}`, grid {grid}, block {block}")?,
            Some([]) => f.write_str("a graph without kernels")?,
            Some(kernels) => write!(f, "a graph of `{}`", kernels.join("`, `"))?,
        }
        if let Some(cluster) = cluster {
            write!(f, ", cluster {cluster}")?;
        }
        if *dynamic_shared > 0 {
            write!(f, ", {dynamic_shared} bytes of dynamic shared memory")?;
        }
        match stream {
            0 => f.write_str(", in the default stream")?,
            stream => write!(f, ", in stream {stream:#x}")?,
        }
        for (n, (name, value)) in arguments.iter().enumerate() {
            write!(f, "{}{name} = {value}", if n == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}

/// The arguments of a launch of this kernel by their names, from the bytes that were kept.
fn arguments(kernel: &Function<'static>, Kept(kept): &Kept) -> Vec<(&'static str, String)> {
    let slots = slots(kernel);
    let argument = |(param, slot): (&Param<'static>, &Slot)| {
        let at = usize::from(slot.at);
        let bytes = &kept[at..at + usize::from(slot.bytes)];
        let text = if slot.is_pointer {
            // SAFETY: `Kept::keep` wrote an address and a number of elements there.
            let word = |at| unsafe { read::<8>(kept, at) }.map_or(0, u64::from_le_bytes);
            let (address, elements) = (word(at), word(at + 8));
            let plural = if elements == 1 { "" } else { "s" };
            std::format!("{address:#x} ({elements} element{plural})")
        } else {
            let mut text = String::new();
            // SAFETY: `Kept::keep` copied a value of the parameter's type there.
            let written = unsafe { value(&mut text, param.variable.ty, bytes) };
            written.map_or_else(|_| String::new(), |()| text)
        };
        (param.variable.name, text)
    };
    kernel.params.iter().zip(&slots).map(argument).collect()
}

/// These bytes, if there are as many.
///
/// # Safety
/// They are initialised.
unsafe fn read<const N: usize>(bytes: &[Byte], at: usize) -> Option<[u8; N]> {
    let bytes: &[Byte; N] = bytes.get(at..at.checked_add(N)?)?.try_into().ok()?;
    // SAFETY: the caller guarantees it.
    Some(bytes.map(|byte| unsafe { byte.assume_init() }))
}

/// Writes a value of this type.
///
/// # Safety
/// The bytes are the first ones of such a value.
unsafe fn value(to: &mut String, ty: &Type<'_>, bytes: &[Byte]) -> fmt::Result {
    use fmt::Write as _;
    // SAFETY: each part of a value of the type is one of the part's type, at its offset.
    unsafe {
        match ty {
            Type::Scalar(scalar) => number(to, *scalar, bytes),
            Type::Vector(count, scalar) => {
                list(to, usize::from(*count), &Type::Scalar(*scalar), bytes)
            }
            Type::Array(extent, element) => match extent.known() {
                Some(count) => list(to, count, element, bytes),
                None => to.write_char('?'),
            },
            Type::Aligned(_, inner) => value(to, inner, bytes),
            Type::Struct(of) if matches!(of.kind, StructKind::TensorMap(_)) => {
                match read::<128>(bytes, 0) {
                    Some(map) => write!(to, "{}", describe(&map)),
                    None => to.write_char('?'),
                }
            }
            Type::Struct(of) => {
                to.write_str("{ ")?;
                for (n, field) in of.fields.iter().enumerate() {
                    let comma = if n == 0 { "" } else { ", " };
                    write!(to, "{comma}{}: ", field.name)?;
                    match (bytes.get(field.offset..), field.pointer) {
                        (None | Some([]), _) => to.write_char('?')?,
                        (Some(bytes), Some(_)) => address(to, bytes)?,
                        (Some(bytes), None) => value(to, field.ty, bytes)?,
                    }
                }
                to.write_str(" }")
            }
            Type::Opaque(_) | Type::Family(..) | Type::Unknown => to.write_char('?'),
        }
    }
}

/// Writes the elements of an array or a vector.
///
/// # Safety
/// The bytes are the first ones of so many values of this type.
unsafe fn list(to: &mut String, count: usize, element: &Type<'_>, bytes: &[Byte]) -> fmt::Result {
    use fmt::Write as _;
    let Some(size) = element.size() else { return to.write_char('?') };
    to.write_char('[')?;
    for n in 0..count.min(SHOWN) {
        if n > 0 {
            to.write_str(", ")?;
        }
        match bytes.get(n * size..) {
            None | Some([]) => to.write_char('?')?,
            // SAFETY: an array consists of its elements.
            Some(bytes) => unsafe { value(to, element, bytes) }?,
        }
    }
    if count > SHOWN {
        write!(to, ", .. {count} elements")?;
    }
    to.write_char(']')
}

/// Writes an address.
///
/// # Safety
/// The bytes start with one.
unsafe fn address(to: &mut String, bytes: &[Byte]) -> fmt::Result {
    use fmt::Write as _;
    // SAFETY: the caller guarantees it.
    match unsafe { read::<8>(bytes, 0) } {
        Some(address) => write!(to, "{:#x}", u64::from_le_bytes(address)),
        None => to.write_char('?'),
    }
}

/// Writes a number: integers and the usual floating-point types in decimal, all others as bits.
///
/// # Safety
/// The bytes start with a value of this type.
#[allow(clippy::cast_possible_truncation)] // the lower bytes are those of the number
unsafe fn number(to: &mut String, scalar: ScalarType, bytes: &[Byte]) -> fmt::Result {
    use fmt::Write as _;
    let size = scalar.bytes();
    let mut word = [0; 16];
    match (word.get_mut(..size), bytes.get(..size)) {
        (Some(word), Some(bytes)) => {
            for (to, from) in word.iter_mut().zip(bytes) {
                // SAFETY: numbers have no padding.
                *to = unsafe { from.assume_init() };
            }
        }
        _ => return to.write_char('?'),
    }
    let bits = u128::from_le_bytes(word);
    match (scalar, scalar.class()) {
        (ScalarType::F32, _) => write!(to, "{:?}", f32::from_bits(bits as u32)),
        (ScalarType::F64, _) => {
            write!(to, "{:?}", f64::from_bits(bits as u64))
        }
        (ScalarType::F16, _) => {
            write!(to, "{}", ptx_types::__private::half::f16::from_bits(bits as u16))
        }
        (ScalarType::Bf16, _) => {
            write!(to, "{}", ptx_types::__private::half::bf16::from_bits(bits as u16))
        }
        (_, Class::Unsigned) => write!(to, "{bits}"),
        (_, Class::Signed) => {
            let unused = 128 - 8 * u32::try_from(size).unwrap_or(16);
            write!(to, "{}", (bits.cast_signed() << unused) >> unused)
        }
        (_, Class::Float | Class::Bits | Class::Predicate) => write!(to, "{bits:#x}"),
    }
}
