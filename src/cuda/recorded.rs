//! A launch as the report of a fault describes it: the kernel, the shape, and the arguments.

use core::fmt;
use std::string::String;
use std::vec::Vec;

use cudarc::driver::CudaStream;
use ptx_types::ir::{Function, Param, StructKind, Type};
use ptx_types::tensor::describe;
use ptx_types::{Class, ScalarType};

use super::kept::{Bytes, Kept, Passed, Place, places};
use super::shape::{Dim, Shape};

/// The elements that are shown of an array or a vector.
const SHOWN: usize = 8;

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
        kept: &Bytes,
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
    /// As in [`Kept::keep`].
    pub(super) unsafe fn of(
        kernel: &Function<'static>,
        shape: Shape,
        stream: &CudaStream,
        passed: Passed<'_>,
    ) -> Self {
        let kept = Kept::new();
        // SAFETY: the caller guarantees it.
        unsafe { kept.keep(passed) };
        Self::new(kernel, shape, stream.cu_stream().addr(), &kept.bytes())
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
fn arguments(kernel: &Function<'static>, kept: &Bytes) -> Vec<(&'static str, String)> {
    let argument = |(param, place): (&Param<'static>, Place)| {
        let bytes = kept.get(place.at..place.at + place.bytes).unwrap_or_default();
        let text = if place.is_pointer {
            let word = |at| read::<8>(kept, at).map_or(0, u64::from_ne_bytes);
            let (address, elements) = (word(place.at), word(place.at + 8));
            let plural = if elements == 1 { "" } else { "s" };
            std::format!("{address:#x} ({elements} element{plural})")
        } else {
            let mut text = String::new();
            let written = value(&mut text, param.variable.ty, bytes);
            written.map_or_else(|_| String::new(), |()| text)
        };
        (param.variable.name, text)
    };
    kernel.params.iter().zip(places(kernel)).map(argument).collect()
}

/// These bytes, if there are as many.
fn read<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// Writes a value of this type, of which there are the first bytes.
fn value(to: &mut String, ty: &Type<'_>, bytes: &[u8]) -> fmt::Result {
    use fmt::Write as _;
    match ty {
        Type::Scalar(scalar) => number(to, *scalar, bytes),
        Type::Vector(count, scalar) => list(to, usize::from(*count), &Type::Scalar(*scalar), bytes),
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
                    (Some(bytes), Some(_)) => match read::<8>(bytes, 0) {
                        Some(address) => write!(to, "{:#x}", u64::from_ne_bytes(address))?,
                        None => to.write_char('?')?,
                    },
                    (Some(bytes), None) => value(to, field.ty, bytes)?,
                }
            }
            to.write_str(" }")
        }
        Type::Opaque(_) | Type::Family(..) | Type::Unknown => to.write_char('?'),
    }
}

/// Writes the elements of an array or a vector, of which there are the first bytes.
fn list(to: &mut String, count: usize, element: &Type<'_>, bytes: &[u8]) -> fmt::Result {
    use fmt::Write as _;
    let Some(size) = element.size() else { return to.write_char('?') };
    to.write_char('[')?;
    for n in 0..count.min(SHOWN) {
        if n > 0 {
            to.write_str(", ")?;
        }
        match bytes.get(n * size..) {
            None | Some([]) => to.write_char('?')?,
            Some(bytes) => value(to, element, bytes)?,
        }
    }
    if count > SHOWN {
        write!(to, ", .. {count} elements")?;
    }
    to.write_char(']')
}

/// Writes a number: integers and the usual floating-point types in decimal, all others as bits.
#[allow(clippy::cast_possible_truncation)] // the lower bytes are those of the number
fn number(to: &mut String, scalar: ScalarType, bytes: &[u8]) -> fmt::Result {
    use fmt::Write as _;
    let size = scalar.bytes();
    let mut word = [0; 16];
    match (word.get_mut(..size), bytes.get(..size)) {
        (Some(word), Some(bytes)) => word.copy_from_slice(bytes),
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
